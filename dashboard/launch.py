"""Start the dashboard: a Streamlit server on this machine alone, which sends nothing to anybody and answers only to its names."""

import os
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Any

from boardgames.errors import BadInput

FILE = "BOARDGAMES_FILE"  # the environment variable that tells the pages which file to look at
HERE = "127.0.0.1"
FIRST_PORT, TRIED = 8501, 50
SETTINGS: dict[str, Any] = {
    "server.headless": True,  # else it asks for an e-mail address; we open the browser ourselves
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": False,
    "logger.hideWelcomeMessage": True,  # it would ask another host for the address of this machine
    "client.toolbarMode": "viewer",
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "theme.light.primaryColor": "#6349fd",
    "theme.dark.primaryColor": "#8b5cf6",
    "theme.dark.backgroundColor": "#0e1117",
    "theme.dark.secondaryBackgroundColor": "#191d27",
    "theme.baseFontSize": 15,
    "theme.paddingTop": "1rem",
    "theme.sidebar.paddingTop": "1rem",
    "logger.level": "warning",
}


def launch(file: Path, address: str, port: int | None, show: bool) -> None:
    """Serve until somebody presses Ctrl-C."""
    os.environ[FILE] = str(file.resolve())
    found = free_port(address, port)
    url = f"http://{address}:{found}"
    print(f"The dashboard of {file}: {url}   (Ctrl-C ends it)", flush=True)
    if show:
        threading.Timer(2.0, webbrowser.open, [url]).start()
    with suppress(KeyboardInterrupt):
        serve({**SETTINGS, "server.address": address, "server.port": found})


def serve(settings: dict[str, Any]) -> None:
    from starlette.middleware import Middleware
    from starlette.routing import Route
    from streamlit import App

    from dashboard.guard import Guard

    script = str(files("dashboard") / "app.py")
    sys.argv = [script]  # Streamlit puts the folder of what was started first among the places where modules are found
    guard = Middleware(Guard, address=settings["server.address"])
    App(script, routes=[Route("/overview", go_to_first)], middleware=[guard]).run(config=settings)


async def go_to_first(request: Any) -> Any:
    """The first page has no path of its own for Streamlit; whoever types its name, or shares it, gets there all the same."""
    from starlette.responses import RedirectResponse

    return RedirectResponse(f"/?{request.url.query}" if request.url.query else "/")


def free_port(address: str, port: int | None) -> int:
    """The port that was asked for, or the first that nobody uses."""
    for candidate in [port] if port else range(FIRST_PORT, FIRST_PORT + TRIED):
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind((address, candidate))
            except socket.gaierror:
                raise BadInput(f"'{address}' is no address of this machine; 127.0.0.1 is for this machine alone") from None
            except (OSError, OverflowError):
                continue
            return candidate
    if port:
        raise BadInput(f"port {port} of {address} cannot be used: it is taken or not allowed; leave --port out to take a free one")
    raise BadInput(f"no port of {address} from {FIRST_PORT} to {FIRST_PORT + TRIED - 1} is free; name one with --port")
