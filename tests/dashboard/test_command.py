"""`boardgames dashboard` listens here alone, and says what is wrong before it starts."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardgames.cli import app
from boardgames.errors import InvalidInput
from dashboard.app import list_pages
from dashboard.launch import LOCALHOST, SETTINGS, find_free_port, make_url
from tests.support.browser import NEEDS_BROWSER
from tests.support.processes import ROOT

PAGE = (Path(__file__).parent.parent.parent / "docs/how/dashboard.md").read_text()


def test_a_port_that_is_taken_or_an_address_that_is_none_is_refused():
    with socket.socket() as taken:
        taken.bind((LOCALHOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = CliRunner().invoke(app, ["dashboard", "--port", str(port)])
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"port {port} of 127.0.0.1 cannot be used" in done.stderr
    done = CliRunner().invoke(app, ["dashboard", "--address", "no.such.host.invalid"])
    assert done.exit_code == 2
    assert "is no address of this machine" in done.stderr


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as sock:
            sock.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_an_address_of_ipv6_is_one_of_this_machine():
    if has_ipv6():
        with socket.socket(socket.AF_INET6) as taken:
            first = find_free_port("::1", None)
            taken.bind(("::1", first))
            taken.listen()
            assert find_free_port("::1", None) > first
    with pytest.raises(InvalidInput, match="port 99999 of ::1 cannot be used"):
        find_free_port("::1", 99999)
    assert make_url("::1", 8501, "a") == "http://[::1]:8501/?key=a"
    assert make_url(LOCALHOST, 8501, "a") == "http://127.0.0.1:8501/?key=a"
    with pytest.raises(InvalidInput, match="is no address of this machine"):
        find_free_port("::1::2", None)
    with pytest.raises(InvalidInput, match="'' is no address of this machine"):
        find_free_port("", None)


def test_without_a_port_the_first_free_one_is_taken():
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        first = find_free_port(LOCALHOST, None)
        taken.bind((LOCALHOST, first))
        taken.listen()
        assert find_free_port(LOCALHOST, None) > first


def test_nothing_is_sent_and_nothing_is_asked():
    assert SETTINGS["browser.gatherUsageStats"] is False
    assert SETTINGS["server.headless"] is True  # else it asks for an e-mail address


def test_the_docs_name_every_page_and_its_commands_exist():
    for page in list_pages().values():
        assert re.search(rf"\| .*{page.name}", PAGE), page.name
    commands = re.findall(r"^boardgames (\w+)", PAGE, re.MULTILINE)
    assert set(commands) == {"dashboard"}
    for command in commands:
        assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0
    assert not re.search(r"MEASURED", PAGE)


@pytest.mark.long
@NEEDS_BROWSER
def test_the_measuring_command_of_the_docs_runs(real):
    assert "`python -m benchmarks.dashboard_pages`" in PAGE
    line = [sys.executable, "-m", "benchmarks.dashboard_pages", "--db", str(real)]
    output = subprocess.run(line, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert all(path in output for path in list_pages())


PREPARE_AT_ONCE = """
import os, sys
from pathlib import Path
from dashboard import launch

def prepare(db):
    ready = {"streamlit": "App", "numpy": "ndarray"}
    print([hasattr(sys.modules.get(name), what) for name, what in ready.items()], flush=True)
    os._exit(0)

launch.START_SECONDS, launch.prepare = 0, prepare
launch.launch(Path("new.duckdb"), launch.LOCALHOST, None, False)
"""


def test_nothing_is_prepared_before_the_server_is_imported_however_long_that_takes(tmp_path):
    """Two threads that import the same at one time see halves of it: the dashboard ended in a traceback."""
    command = [sys.executable, "-c", PREPARE_AT_ONCE]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "[True, True]", done.stderr
