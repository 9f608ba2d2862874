"""Only a browser that has opened the address with the key is answered, with a real server."""

import http.client
import re
import socket
import stat
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from dashboard import launch
from dashboard.server.key import Key, write_opener
from tests.dashboard.server.test_server import SOCKET, get_key, request_page
from tests.support.processes import (
    HANGS,
    ROOT,
    find_free_port,
    get_address_with_key,
    serve_dashboard,
    wait_until_healthy,
)

PATHS = (
    "/",
    "/compare",
    "/overview",
    "/nothing/like/it",
    "/favicon.png",
    "/_stcore/health",
    "/_stcore/host-config",
    "/_stcore/metrics",
    "/_stcore/agent/openapi.json",
    "/media/x",
    "/component/x/y.js",
    "/_stcore/bidi-components/x/y.js",
    "/_stcore/upload_file/a/b",
)


@pytest.fixture(scope="module")
def port(single):
    with serve_dashboard(single) as port_number:
        yield port_number


def list_static_files() -> list[str]:
    import streamlit

    folder = Path(streamlit.__file__).parent / "static"
    return ["/" + str(next(folder.rglob(f"*.{ending}")).relative_to(folder)) for ending in ("js", "css")]


def test_without_the_key_nothing_is_answered_but_what_to_do(port):
    host = f"127.0.0.1:{port}"
    others = ("", f"boardgames-{port}=", f"boardgames-{port}=wrong", f"boardgames-{port + 1}={get_key(port)}")
    for path in [*PATHS, *list_static_files()]:
        for cookie in others:
            assert request_page(port, path, host, Cookie=cookie).status == 403, (path, cookie)
    for cookie in others:
        assert request_page(port, "/_stcore/stream", host, Cookie=cookie, **SOCKET).status == 403
        assert request_page(port, "/?key=wrong", host, Cookie=cookie).status == 403
    assert request_page(port, f"/_stcore/stream?key={get_key(port)}", host, Cookie="", **SOCKET).status == 403
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD"):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANGS)
        connection.request(method, "/_stcore/upload_file/a/b", body=b"x")
        assert connection.getresponse().status == 403
        connection.close()


def test_the_page_of_a_refusal_says_what_to_do(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANGS)
    connection.request("GET", "/compare")
    text = connection.getresponse().read().decode()
    connection.close()
    assert "Open the address that <code>boardgames dashboard</code> printed" in text
    assert get_key(port) not in text


def test_the_address_with_the_key_gives_a_cookie_and_leads_on_without_it(port):
    response = request_page(
        port, f"/compare?a=1&key={get_key(port)}&b=%2B&b=2", f"localhost:{port}", Cookie=""
    )
    assert (response.status, response.headers["Location"]) == (303, "/compare?a=1&b=%2B&b=2")
    cookie = response.headers["Set-Cookie"]
    assert cookie.startswith(f"boardgames-{port}={get_key(port)};")
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))
    assert response.headers["Cache-Control"] == "no-store"
    # a bookmark with the key of an earlier start leads on, too, where the cookie is there
    assert request_page(port, "/?key=old", f"localhost:{port}").headers["Location"] == "/"


@pytest.mark.parametrize("path", ["//evil.example/x", "/\\evil.example", "///evil.example"])
def test_the_key_leads_to_no_other_site(port, path):
    response = request_page(port, f"{path}?key={get_key(port)}", f"127.0.0.1:{port}", Cookie="")
    assert re.match(r"/[^/\\]", response.headers["Location"])


def serve_once(db: Path) -> str:
    """Start a dashboard, ask it by its key, end it; the key, and what of it is seen by others."""
    port = find_free_port()
    command = [sys.executable, "-m", "boardgames", "dashboard", "--no-open", "--db", str(db)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*command, "--port", str(port)], cwd=ROOT, text=True, **pipes) as server:
        assert wait_until_healthy(server)
        key = get_key(port)
        process = Path(f"/proc/{server.pid}")
        assert request_page(port, f"/?key={key}", f"127.0.0.1:{port}", Cookie="").status == 303
        assert key not in (process / "cmdline").read_text() + (process / "environ").read_text()
        server.terminate()
        assert key not in "".join(server.communicate(timeout=HANGS))
    return key


def test_each_start_has_another_key_which_stands_on_no_command_line_and_in_no_log(single):
    first, second = serve_once(single), serve_once(single)
    assert first != second
    assert len(first) >= 32


def test_the_browser_is_given_a_file_that_only_its_owner_can_read():
    with write_opener("http://127.0.0.1:8501/?key=abc") as opener:
        assert "abc" not in opener
        file = Path(url2pathname(urlsplit(opener).path))
        assert "url=http://127.0.0.1:8501/?key=abc" in file.read_text()
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert not file.exists()


def test_an_address_that_others_reach_says_so_and_prints_one_that_can_be_opened(single):
    with serve_dashboard(single, "--address", "0.0.0.0") as port:
        assert get_address_with_key(port).startswith(f"http://127.0.0.1:{port}/?key=")
    for address, name in (("0.0.0.0", socket.gethostname()), ("192.0.2.7", "192.0.2.7")):
        assert not launch.is_loopback(address)
        line = launch.describe_opening(address, 8501, "abc")
        assert f"http://{name}:8501/?key=abc" in line
        assert "start simulations" in line
        assert "\n" not in line
    assert all(map(launch.is_loopback, ("127.0.0.1", "127.0.0.2", "::1", "localhost")))


def test_keys_are_compared_without_telling_how_much_is_right():
    """By a comparison that takes as long for any wrong key; what is no ASCII is only wrong."""
    key = Key(8501)
    for cookie in ("", "ä", key.text[:-1], key.text + "a"):
        headers = [(b"cookie", f"boardgames-8501={cookie}".encode())]
        answer = key.find_answer({"type": "http", "path": "/", "query_string": b"", "headers": headers})
        assert answer is not None
        assert answer.status_code == 403
