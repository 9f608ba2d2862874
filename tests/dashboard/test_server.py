"""The dashboard answers to its own names and pages alone, and asks nobody, with a real server."""

import http.client
import json
import os
import socket

import pytest

from tests.processes import HANGS, ROOT, dashboard

HOOK = """
import json, os, sys
out = open(os.environ["ASKED"], "a", buffering=1)
def asked(event, words):
    if event in ("socket.connect", "socket.sendto"):
        out.write(json.dumps(str(words[1])) + "\\n")
    elif event == "socket.getaddrinfo":
        out.write(json.dumps(str(words[0])) + "\\n")
sys.addaudithook(asked)
"""
SOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def answer(port: int, path: str, host: str, origin: str = "", here: str = "127.0.0.1", **more: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(here, port, timeout=HANGS)
    connection.putrequest("GET", path, skip_host=True)
    for name, value in {"Host": host, **({"Origin": origin} if origin else {}), **more}.items():
        connection.putheader(name, value)
    connection.endheaders()
    found = connection.getresponse()
    connection.close()
    return found


def status(*words, **more) -> tuple[int, int]:
    """Of a page, and of the websocket through which everything on it comes."""
    port, *rest = words
    return answer(port, "/", *rest, **more).status, answer(port, "/_stcore/stream", *rest, **more, **SOCKET).status


@pytest.fixture(scope="module")
def port(single):
    with dashboard(single) as found:
        yield found


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_the_loopback_names_are_answered(port, name):
    host = f"{name}:{port}"
    assert status(port, host) == (200, 101)
    assert status(port, host, f"http://{host}") == (200, 101)


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.2", "", "a:b:c", "@"]
)
def test_a_name_that_somebody_made_lead_here_is_refused(port, host):
    """DNS rebinding: the browser believes that it asks evil.example, under whose name this machine is reached."""
    for name in (host, f"{host}:{port}"):
        assert status(port, name) == (403, 403)
        assert status(port, name, f"http://{name}") == (403, 403)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1", "http://localhost:1", "http://127.0.0.1.evil"]
)
def test_a_page_of_another_site_is_refused(port, origin):
    host = f"127.0.0.1:{port}"
    assert status(port, host, origin) == (403, 403)
    for path in ("/_stcore/health", "/_stcore/host-config", "/_stcore/metrics", "/media/x", "/_stcore/upload_file/a/b"):
        assert answer(port, path, host, origin).status == 403


def test_no_page_may_be_shown_in_a_frame(port):
    for path in ("/", "/compare", "/overview", "/_stcore/health", "/nothing/like/it"):
        found = answer(port, path, f"localhost:{port}")
        assert (found.headers["X-Frame-Options"], found.headers["Content-Security-Policy"]) == ("DENY", "frame-ancestors 'none'")


def test_the_address_that_was_asked_for_is_answered(single):
    here = "127.0.0.2"  # also this machine, on Linux
    with dashboard(single, "--address", here, here=here) as port:
        host = f"{here}:{port}"
        assert status(port, host, f"http://{host}", here=here) == (200, 101)
        assert status(port, "evil.example", here=here) == (403, 403)


def test_the_server_asks_nobody_whatever_it_is_asked(single, tmp_path):
    """Listening everywhere, Streamlit would ask another host for the address of this machine, and for a foreign origin again."""
    (tmp_path / "sitecustomize.py").write_text(HOOK)
    asked = tmp_path / "asked"
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    with dashboard(single, "--address", "0.0.0.0", PYTHONPATH=path, ASKED=str(asked)) as port:
        assert status(port, f"127.0.0.1:{port}", "http://evil.example") == (403, 403)
        assert status(port, f"192.0.2.7:{port}", f"http://192.0.2.7:{port}") == (200, 101)  # a number cannot lead elsewhere
        assert status(port, f"{socket.gethostname()}:{port}") == (200, 101)
        assert status(port, "evil.example") == (403, 403)
    found = {json.loads(line) for line in asked.read_text().splitlines()}
    assert {place for place in found if not place.startswith(("0.0.0.0", "127.0.0.1", "('127.0.0.1'"))} == set()
