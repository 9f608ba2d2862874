"""Start the dashboard: a Streamlit server on this machine alone, which sends nothing to anybody."""

import os
import socket
import sys
import threading
import webbrowser
from importlib.resources import files
from pathlib import Path
from typing import Any

from boardgames.errors import BadInput

FILE = "BOARDGAMES_FILE"  # the environment variable that tells the pages which file to look at
HERE = "127.0.0.1"
FIRST_PORT, TRIED = 8501, 50
SETTINGS = {
    "server.headless": "true",  # else it asks for an e-mail address; we open the browser ourselves
    "server.fileWatcherType": "none",
    "browser.gatherUsageStats": "false",
    "client.toolbarMode": "viewer",
    "client.showErrorDetails": "none",
    "client.showErrorLinks": "false",
    "theme.light.primaryColor": "#6349fd",
    "theme.dark.primaryColor": "#8b5cf6",
    "theme.dark.backgroundColor": "#0e1117",
    "theme.dark.secondaryBackgroundColor": "#191d27",
    "theme.baseFontSize": "15",
    "theme.paddingTop": "1rem",
    "theme.sidebar.paddingTop": "1rem",
    "logger.level": "warning",
}


def launch(file: Path, address: str, port: int | None, show: bool) -> Any:
    """Serve until somebody presses Ctrl-C."""
    os.environ[FILE] = str(file.resolve())
    found = free_port(address, port)
    url = f"http://{address}:{found}"
    print(f"The dashboard of {file}: {url}   (Ctrl-C ends it)", flush=True)
    if show:
        threading.Timer(2.0, webbrowser.open, [url]).start()
    return serve({**SETTINGS, "server.address": address, "server.port": str(found)})


def serve(settings: dict[str, str]) -> Any:
    from streamlit.web import cli

    sys.argv = ["streamlit", "run", str(files("dashboard") / "app.py"), *(f"--{name}={value}" for name, value in settings.items())]
    return cli.main()


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
