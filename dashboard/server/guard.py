"""Who may ask the dashboard: only its own pages. A page of another site must not read results through the
browser of a person who has the dashboard open - neither under a name of its own that leads to this machine
(DNS rebinding), nor in a frame. And only browsers that have the key.

Streamlit checks names only for its websocket, and asks another host for the address of this machine before it
refuses an origin.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.launch import OWN_NAMES
from dashboard.server.key import Key

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
NO_FRAMES = {"X-Frame-Options": "DENY", "Content-Security-Policy": "frame-ancestors 'none'"}


class Guard:
    """Refuses requests and websockets for names that are not ours, from other sites' pages, or without the
    key.
    """

    def __init__(self, app: ASGIApp, address: str, key: Key) -> None:
        self.app = app
        self.key = key
        self.everywhere = address in OWN_NAMES
        self.names = LOOPBACK | {(socket.gethostname() if self.everywhere else address).lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if problem := self.find_problem(Headers(scope=scope)):
            await PlainTextResponse(problem, 403)(scope, receive, send)
            return

        async def send_unframed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(NO_FRAMES)
            await send(message)

        await (self.key.find_answer(scope) or self.app)(scope, receive, send_unframed)

    def find_problem(self, headers: Headers) -> str | None:
        """Why a request is not answered; None if it is."""
        host = headers.get("host", "")
        origin = headers.get("origin")
        if not self.is_ours(_parse_host_name(host)):
            return (
                f"This dashboard is not called '{host}'."
                " Open it by the address that it printed, or start it with --address."
            )
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return f"A page of '{origin}' cannot ask this dashboard."
        return None

    def is_ours(self, name: str) -> bool:
        """Whether a host name leads here. A server that listens everywhere answers to any IP address: only
        names can be made to lead elsewhere.
        """
        return name in self.names or (self.everywhere and _is_ip_address(name))


def _parse_host_name(host: str) -> str:
    """localhost:8501 -> localhost"""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
