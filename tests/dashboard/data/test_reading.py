"""Pages only read: no look at one changes the file, waits for long, or keeps others waiting."""

import hashlib
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

from boardgames.errors import UnusableFile
from boardgames.store.connection import get_connection, open_for_writing
from boardgames.store.opening.access import allow_only_reading
from dashboard.app import list_pages
from dashboard.data import cache
from dashboard.data.file import load_contents
from tests.dashboard.test_pages import open_page, read_text
from tests.support.processes import HANGS

PAGES = [path for path, page in list_pages().items() if page.needs_matches]
HOLD = (
    "import duckdb, sys; c = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == 'reads');"
    " print('open', flush=True); sys.stdin.read()"
)


@contextmanager
def hold_open(db: Path, how: str):
    """Another process has the file: it `reads` or `writes`."""
    command = [sys.executable, "-c", HOLD, str(db), how]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "open\n"
        yield holder
        holder.communicate()


def digest(db: Path) -> str:
    return hashlib.sha256(db.read_bytes()).hexdigest()


@pytest.mark.long
def test_no_page_changes_the_file(copied, look_at):
    """The file has no sums of differences: Compare works them out for itself."""
    look_at(copied)
    before, names = digest(copied), sorted(copied.parent.iterdir())
    for path in PAGES:
        assert not open_page(path).exception, path
    assert digest(copied) == before
    assert sorted(copied.parent.iterdir()) == names


def test_compare_answers_while_another_process_reads_the_file(copied, look_at):
    look_at(copied)
    with hold_open(copied, "reads"):
        page = open_page("compare")
    output = read_text(page).replace("\\", "")
    assert "Big enough to matter" in output
    assert "cannot share deals" not in output


def test_a_page_that_waits_for_a_file_says_who_has_it_and_keeps_no_other_page_waiting(
    copied, real, look_at, monkeypatch
):
    monkeypatch.setattr(cache, "PATIENCE", HANGS)  # it would wait until the test fails
    heard = []

    def wait_for_file():
        with cache.report_waiting(heard.append):
            load_contents(copied)

    waiting = threading.Thread(target=wait_for_file)
    with hold_open(copied, "writes") as holder:
        waiting.start()
        while not heard:
            waiting.join(0.01)
        assert load_contents(real).matches
        assert waiting.is_alive()
    waiting.join(HANGS)
    assert not waiting.is_alive()
    assert heard[0].process == holder.pid
    assert f"(PID {holder.pid}) has it open" in str(heard[0])


def test_an_answer_from_before_stands_while_a_process_writes(copied, monkeypatch):
    before = load_contents(copied)
    with open_for_writing(copied) as session:
        get_connection(session).execute("UPDATE batch SET matches = matches + 7 WHERE first_deal = 0")
    with hold_open(copied, "writes"):
        assert load_contents(copied) == before
    assert load_contents(copied).matches > before.matches


def test_a_page_of_an_older_file_names_the_command_that_updates_it(copied, look_at):
    with open_for_writing(copied) as session:
        get_connection(session).execute("UPDATE boardgames_file SET schema_version = 6")
    before = digest(copied)
    look_at(copied)
    page = open_page("overview")
    assert f"boardgames runs --db {copied}" in page.error[0].value
    assert digest(copied) == before


def test_where_only_reading_is_allowed_writing_is_refused(copied):
    with (
        allow_only_reading(0.1),
        pytest.raises(UnusableFile, match="brings it up to date"),
        open_for_writing(copied),
    ):
        pass
    with open_for_writing(copied):
        pass  # outside the block it may
