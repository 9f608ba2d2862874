"""Who may ask the dashboard: only pages of its own. A page of another site must not read results through the browser of somebody
who has the dashboard open - neither under a name of its own that leads to this machine (DNS rebinding), nor in a frame.

Streamlit checks names only for its websocket, and asks another host for the address of this machine before it refuses an origin.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
EVERYWHERE = frozenset({"0.0.0.0", "::"})
NO_FRAMES = {"X-Frame-Options": "DENY", "Content-Security-Policy": "frame-ancestors 'none'"}


class Guard:
    """Refuses requests and websockets for names that are not ours, and those that pages of others make."""

    def __init__(self, app: ASGIApp, address: str) -> None:
        self.app, self.everywhere = app, address in EVERYWHERE
        self.names = LOOPBACK | {(socket.gethostname() if self.everywhere else address).lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if refused := self.refusal(Headers(scope=scope)):
            await PlainTextResponse(refused, 403)(scope, receive, send)
            return

        async def send_unframed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(NO_FRAMES)
            await send(message)

        await self.app(scope, receive, send_unframed)

    def refusal(self, headers: Headers) -> str:
        """Why a request is not answered, or nothing."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self.is_ours(_name(host)):
            return f"This dashboard is not called '{host}'. Open it by the address that it printed, or start it with --address."
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return f"A page of '{origin}' cannot ask this dashboard."
        return ""

    def is_ours(self, name: str) -> bool:
        """Whoever listens everywhere may be reached by any of his numbers: only names can be made to lead elsewhere."""
        return name in self.names or (self.everywhere and _is_number(name))


def _name(host: str) -> str:
    """localhost:8501 -> localhost"""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
