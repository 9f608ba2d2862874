"""The key of a dashboard: other users of this machine, or of its network, reach the port but have no key.

The key is made anew at each start, is in the address that the terminal prints, and nowhere else. The first
request with it gets a cookie and is led on to the same address without it, so that no link that a person
copies holds the key.
"""

import hmac
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from urllib.parse import quote

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Scope

PARAMETER = b"key="  # in the address
NOT_KEPT = {"Cache-Control": "no-store"}
# A browser holds the cookie back when a page of another site, or a file, led here. So the page asks once more
# by itself: now this site leads there.
WITHOUT_KEY = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>boardgames: a key is needed</title>
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<style>body { font: 1rem/1.5 sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem }</style>
<script>
try {
  const isLedByUs = document.referrer.startsWith(origin + "/");
  const isRecent = Date.now() - Number(sessionStorage.askedAgain ?? 0) < 60000;
  if (isLedByUs) sessionStorage.removeItem("askedAgain");
  else if (!isRecent) {  // else this browser does not tell who led it here
    sessionStorage.askedAgain = Date.now();
    location.replace(location.pathname + location.search);
  }
} catch {}
</script></head><body><main><h1>This dashboard needs its key</h1>
<p>Open the address that <code>boardgames dashboard</code> printed in the terminal: it ends in the key.
After that, this page opens too: reload it.</p>
<p>Each start has a new key. If this page was open before, the dashboard was started again since.</p>
</main></body></html>
"""
# Streamlit would try to connect for ever after a restart, and blame the network.
RELOAD_WITHOUT_KEY = """<script>
(() => {
  if (window.reloadsWithoutKey) return;
  window.reloadsWithoutKey = true;
  sessionStorage.removeItem("askedAgain");  // it was answered: the next link from elsewhere may ask again
  const isRefused = entry => entry.responseStatus === 403 && entry.name.endsWith("/_stcore/health");
  const look = list => { if (list.getEntries().some(isRefused)) location.reload(); };
  new PerformanceObserver(look).observe({type: "resource"});
})();
</script>"""


class Key:
    """A key, and the cookie that shows that a browser has it. Browsers send a cookie to all ports of a host,
    so each dashboard has one of its own.
    """

    def __init__(self, port: int) -> None:
        self.text = secrets.token_hex(24)
        self.cookie = f"boardgames-{port}"

    def find_answer(self, scope: Scope) -> Response | None:
        """What a request gets instead of what it asks for: the cookie, or a refusal; None if it has the
        cookie.
        """
        cookie = HTTPConnection(scope).cookies.get(self.cookie, "")
        parts = scope["query_string"].split(b"&")
        keys = [part.removeprefix(PARAMETER) for part in parts if part.startswith(PARAMETER)]
        if keys and scope["type"] == "http" and any(map(self._is_right, [*keys, cookie.encode()])):
            return self._lead_on(scope["path"], [part for part in parts if not part.startswith(PARAMETER)])
        return None if self._is_right(cookie.encode()) else HTMLResponse(WITHOUT_KEY, 403, NOT_KEPT)

    def _is_right(self, given: bytes) -> bool:
        return hmac.compare_digest(given, self.text.encode())

    def _lead_on(self, path: str, query: list[bytes]) -> Response:
        """To the same address without the key, and never to another host."""
        target = "/" + quote(path.lstrip("/"))
        if query:
            target += "?" + b"&".join(query).decode("latin-1")
        response = RedirectResponse(target, 303, NOT_KEPT)
        response.set_cookie(self.cookie, self.text, httponly=True, samesite="strict")
        return response


@contextmanager
def write_opener(address: str) -> Iterator[str]:
    """The address of a file that leads a browser to an address with a key. Every user of a machine sees the
    words of all commands, those of a browser too; this file is readable by its owner only.
    """
    with tempfile.TemporaryDirectory(prefix="boardgames-") as folder:
        file = Path(folder) / "dashboard.html"
        link = escape(address)
        file.write_text(
            f'<!doctype html><title>boardgames</title><meta http-equiv="refresh" content="0; url={link}">'
            f'<a href="{link}">Open the dashboard</a>'
        )
        yield file.as_uri()
