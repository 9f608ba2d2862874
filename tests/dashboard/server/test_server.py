"""The dashboard answers to its own names and pages alone, and asks nobody, with a real server."""

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from boardgames import simulate
from boardgames.store.connection import get_connection, open_for_writing
from dashboard.launch import DB_VARIABLE, SLOW_IMPORTS, prepare
from tests.support.processes import HANGS, ROOT, get_address_with_key, serve_dashboard

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
NOTE_IMPORTS = """
import os, sys
out = open(os.environ["ASKED"], "a", buffering=1)
class Finder:
    def find_spec(self, name, path=None, target=None):
        out.write(name + "\\n")
sys.meta_path.insert(0, Finder())
"""
SOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def get_key(port: int) -> str:
    return get_address_with_key(port).partition("=")[2]


def request_page(
    port: int, path: str, host: str, origin: str = "", address: str = "127.0.0.1", **more: str
) -> http.client.HTTPResponse:
    """Ask with the key's cookie, unless another is named."""
    connection = http.client.HTTPConnection(address, port, timeout=HANGS)
    connection.putrequest("GET", path, skip_host=True)
    named = {"Host": host, "Cookie": f"boardgames-{port}={get_key(port)}"}
    for name, value in {**named, **({"Origin": origin} if origin else {}), **more}.items():
        connection.putheader(name, value)
    connection.endheaders()
    response = connection.getresponse()
    connection.close()
    return response


def request_statuses(*words, **more) -> tuple[int, int]:
    """Of a page, and of the websocket through which everything on it comes."""
    port, *rest = words
    return request_page(port, "/", *rest, **more).status, request_page(
        port, "/_stcore/stream", *rest, **more, **SOCKET
    ).status


@pytest.fixture(scope="module")
def port(single):
    with serve_dashboard(single) as port_number:
        yield port_number


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_the_loopback_names_are_answered(port, name):
    host = f"{name}:{port}"
    assert request_statuses(port, host) == (200, 101)
    assert request_statuses(port, host, f"http://{host}") == (200, 101)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.2", "", "a:b:c", "@"],
)
def test_a_name_that_someone_made_lead_here_is_refused(port, host):
    """DNS rebinding: the browser believes that it asks evil.example, under whose name this machine is
    reached.
    """
    for name in (host, f"{host}:{port}"):
        assert request_statuses(port, name) == (403, 403)
        assert request_statuses(port, name, f"http://{name}") == (403, 403)


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1", "http://localhost:1", "http://127.0.0.1.evil"],
)
def test_a_page_of_another_site_is_refused(port, origin):
    host = f"127.0.0.1:{port}"
    assert request_statuses(port, host, origin) == (403, 403)
    for path in (
        "/_stcore/health",
        "/_stcore/host-config",
        "/_stcore/metrics",
        "/media/x",
        "/_stcore/upload_file/a/b",
    ):
        assert request_page(port, path, host, origin).status == 403


def test_no_page_may_be_shown_in_a_frame(port):
    for path in ("/", "/compare", "/overview", "/_stcore/health", "/nothing/like/it"):
        response = request_page(port, path, f"localhost:{port}")
        assert (response.headers["X-Frame-Options"], response.headers["Content-Security-Policy"]) == (
            "DENY",
            "frame-ancestors 'none'",
        )


def test_the_address_that_was_asked_for_is_answered(single):
    address = "127.0.0.2"  # also this machine, on Linux
    with serve_dashboard(single, "--address", address) as port:
        host = f"{address}:{port}"
        assert request_statuses(port, host, f"http://{host}", address=address) == (200, 101)
        assert request_statuses(port, "evil.example", address=address) == (403, 403)


def test_the_server_asks_nobody_whatever_it_is_asked(single, tmp_path):
    """Listening everywhere, Streamlit would ask another host for the address of this machine, and for a
    foreign origin again.
    """
    (tmp_path / "sitecustomize.py").write_text(HOOK)
    asked = tmp_path / "asked"
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    with serve_dashboard(single, "--address", "0.0.0.0", PYTHONPATH=path, ASKED=str(asked)) as port:
        assert request_statuses(port, f"127.0.0.1:{port}", "http://evil.example") == (403, 403)
        assert request_statuses(port, f"192.0.2.7:{port}", f"http://192.0.2.7:{port}") == (
            200,
            101,
        )  # a number cannot lead elsewhere
        assert request_statuses(port, f"{socket.gethostname()}:{port}") == (200, 101)
        assert request_statuses(port, "evil.example") == (403, 403)
    addresses = {json.loads(line) for line in asked.read_text().splitlines()}
    assert {
        address for address in addresses if not address.startswith(("0.0.0.0", "127.0.0.1", "('127.0.0.1'"))
    } == set()


def test_a_link_to_the_first_page_by_its_name_keeps_what_it_selects(port):
    response = request_page(port, "/overview?players=2&variant=pig", f"127.0.0.1:{port}")
    assert (response.status, response.headers["Location"]) == (307, "/?players=2&variant=pig")


def test_what_only_some_pages_need_is_imported_before_anybody_opens_them(single, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(NOTE_IMPORTS)
    imported = tmp_path / "imported"
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    with serve_dashboard(single, PYTHONPATH=path, ASKED=str(imported)):
        latest = time.monotonic() + HANGS
        while missing := {*SLOW_IMPORTS} - {*imported.read_text().split()}:
            assert time.monotonic() < latest, missing
            time.sleep(0.1)


@pytest.mark.long
def test_machine_code_of_the_first_match_is_there_before_anybody_looks_at_it(tmp_path):
    """Whoever opens the page then compiles nothing more."""
    db, folder = tmp_path / "pig.duckdb", tmp_path / "code"
    simulate("pig", db=db, players="2", agents=["greedy"], matches=1)
    environment = {**os.environ, "BOARDGAMES_CACHE": str(folder), DB_VARIABLE: str(db)}

    def list_code_after(line: str) -> list[Path]:
        subprocess.run([sys.executable, "-c", line], cwd=ROOT, env=environment, check=True)
        return sorted(folder.rglob("*.nbc"))

    ready = list_code_after(f"import pathlib, dashboard.launch as l; l.prepare(pathlib.Path({str(db)!r}))")
    assert ready
    page = "from tests.dashboard.test_pages import open_page; print(open_page('match').slider[0].max)"
    assert list_code_after(page) == ready


def test_a_file_that_is_not_there_or_names_what_is_not_here_ends_no_server(single, tmp_path):
    prepare(tmp_path / "new.duckdb")
    with open_for_writing(Path(shutil.copy(single, tmp_path / "strange.duckdb"))) as session:
        get_connection(session).execute("UPDATE variant SET spec = './evil.py:GAME'")
    prepare(tmp_path / "strange.duckdb")
