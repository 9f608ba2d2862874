"""Start the dashboard: a Streamlit server on this machine alone, which sends nothing out and answers only to
its own names and to browsers that have its key.
"""

import importlib
import ipaddress
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardgames.errors import InvalidInput

if TYPE_CHECKING:
    from dashboard.server.key import Key

DB_VARIABLE = "BOARDGAMES_FILE"  # the environment variable that tells the pages which file to look at
LOCALHOST = "127.0.0.1"
OWN_NAMES = {"0.0.0.0": LOCALHOST, "::": "::1"}  # by which one can open what listens everywhere
FIRST_PORT = 8501
PORTS_TRIED = 50
START_SECONDS = 2.0  # until the server answers; the browser is opened then
OPENING_SECONDS = 60.0  # that a browser may take to read the file that leads it here
SLOW_IMPORTS = ("plotly.graph_objects", "boardgames.play.compiled")  # half a second and more each
SETTINGS: dict[str, Any] = {
    "server.headless": True,  # else it asks for an e-mail address; we open the browser ourselves
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": False,
    "logger.hideWelcomeMessage": True,  # it would ask another host for the address of this machine
    "runner.postScriptGC": False,  # a look through all of memory after each rerun: 0.2 s every three seconds
    "client.toolbarMode": "viewer",
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "theme.light.primaryColor": "#6349fd",
    "theme.dark.primaryColor": "#7a4df0",
    "theme.dark.backgroundColor": "#0e1117",
    "theme.dark.secondaryBackgroundColor": "#191d27",
    "theme.baseFontSize": 15,
    "theme.headingFontSizes": ["2rem", "1.2rem", "1.1rem"],
    "theme.paddingTop": "1rem",
    "theme.sidebar.paddingTop": "1rem",
    "logger.level": "warning",
}


def launch(db: Path, address: str, port: int | None, show: bool) -> None:
    """Serve until Ctrl-C."""
    from dashboard.server.key import Key

    os.environ[DB_VARIABLE] = str(db.resolve())
    free_port = find_free_port(address, port)
    key = Key(free_port)
    url = make_url(OWN_NAMES.get(address, address), free_port, key.text)
    print(f"The dashboard of {db}: {url}   (Ctrl-C ends it)")
    if not is_loopback(address):
        print(describe_opening(address, free_port, key.text))
    sys.stdout.flush()
    if show:
        start_later(open_browser, url)
    with suppress(KeyboardInterrupt):
        serve(db, {**SETTINGS, "server.address": address, "server.port": free_port}, key)


def start_later(function: Callable[..., None], *arguments: Any) -> None:
    """Call a function in the background once the server answers; the end of the server ends it."""
    timer = threading.Timer(START_SECONDS, function, arguments)
    timer.daemon = True
    timer.start()


def open_browser(url: str) -> None:
    """Open the dashboard in the browser, whose command line every user of this machine sees."""
    from dashboard.server.key import write_opener

    with write_opener(url) as opener:
        webbrowser.open(opener)
        time.sleep(OPENING_SECONDS)


def is_loopback(address: str) -> bool:
    """Whether only this machine can reach an address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"


def describe_opening(address: str, port: int, key: str) -> str:
    """Say what an address that others can reach opens, and who can use it."""
    name = socket.gethostname() if address in OWN_NAMES else address
    return (
        "Other machines can reach it: whoever has the key can read this file, start simulations and play"
        f" matches, and nothing is encrypted. Their address: {make_url(name, port, key)}"
    )


def prepare(db: Path) -> None:
    """Import what only some pages need, and load the machine code of the match that is shown first, so that
    no visitor waits for it later.
    """
    for name in SLOW_IMPORTS:
        importlib.import_module(name)
    from dashboard.sidebar.sidebar import prepare_first_match

    prepare_first_match(db)


def serve(db: Path, settings: dict[str, Any], key: "Key") -> None:
    import numpy  # noqa: F401 - first: Plotly, which Streamlit imports, uses what another thread has of it
    from starlette.middleware import Middleware
    from starlette.routing import Route
    from streamlit import App

    from dashboard.server.guard import Guard

    start_later(prepare, db)  # not before: on a slow machine both would import the same, and see halves of it
    script = str(files("dashboard") / "start" / "script.py")
    sys.argv = [script]  # Streamlit puts the folder of the started script first on the module path
    guard = Middleware(Guard, address=settings["server.address"], key=key)
    App(script, routes=[Route("/overview", redirect_to_first)], middleware=[guard]).run(config=settings)


async def redirect_to_first(request: Any) -> Any:
    """Lead a link to the first page there by its name, which Streamlit does not know."""
    from starlette.responses import RedirectResponse

    return RedirectResponse(f"/?{request.url.query}" if request.url.query else "/")


def make_url(address: str, port: int, key: str) -> str:
    """What to type into a browser; an address of IPv6 stands in brackets."""
    return f"http://{f'[{address}]' if ':' in address else address}:{port}/?key={key}"


def find_free_port(address: str, port: int | None) -> int:
    """The requested port, or the first free one; raises InvalidInput if there is none."""
    no_address = InvalidInput(
        f"'{address}' is no address of this machine; 127.0.0.1 is for this machine alone"
    )
    if not address:  # which the system would take for all addresses
        raise no_address
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    for candidate in [port] if port else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        with socket.socket(family) as sock:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                sock.bind((address, candidate))
            except socket.gaierror:
                raise no_address from None
            except (OSError, OverflowError):
                continue
            return candidate
    if port:
        raise InvalidInput(
            f"port {port} of {address} cannot be used: it is taken or not allowed;"
            " leave --port out to take a free one"
        )
    last_port = FIRST_PORT + PORTS_TRIED - 1
    raise InvalidInput(f"no port of {address} from {FIRST_PORT} to {last_port} is free; name one with --port")
