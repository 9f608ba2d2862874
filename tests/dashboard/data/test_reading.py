"""Pages only read: no look at one changes the file, waits for long, or keeps others waiting."""

import hashlib
import os
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from boardgames.errors import FileInUse, UnusableFile
from boardgames.store.connection import get_connection, open_for_writing
from boardgames.store.opening import waiting
from boardgames.store.opening.access import allow_only_reading
from dashboard import app, live
from dashboard.app import list_pages
from dashboard.data import cache, requests, table
from dashboard.data.file import load_contents
from dashboard.data.query import export_bytes
from dashboard.data.replays import load_replay
from dashboard.errors import describe_failure
from tests.dashboard.conftest import PIG
from tests.dashboard.test_pages import assert_sound, open_page, read_text
from tests.support.processes import HANGS, hold_open

PAGES = [path for path, page in list_pages().items() if page.needs_matches]


LOOK_AT_PACE = """
from dashboard.app import _make_notice, run_page
from dashboard.data.cache import report_waiting
with report_waiting(_make_notice()):
    run_page("pace")
"""


def open_app() -> AppTest:
    """The first page with all that is around it."""
    return AppTest.from_string("from dashboard.app import main\nmain()", default_timeout=HANGS).run()


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
        with cache.report_waiting(lambda *news: heard.append(news)):
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
    error, is_outdated = heard[0]
    assert error.process == holder.pid
    assert f"(PID {holder.pid}) has it open" in str(error)
    assert not is_outdated
    assert heard[-1] == (None, False)  # what it says of waiting is taken back


def estimate(db: Path) -> None:
    asked = {"players": "2", "agents": ["random"], "matches": 10, "seed": 1, "note": ""}
    assert requests.SimulationRequest(specs=[PIG], **asked).estimate(db).stored == 10


def begin_match(db: Path) -> None:
    page = open_page("play")
    page.selectbox(key="table variant").set_value("pig").run()
    page.button(key="begin").click().run()


@pytest.mark.parametrize("ask", [estimate, begin_match])
def test_who_waits_for_a_file_to_be_written_or_estimated_keeps_no_page_waiting(
    ask, copied, tmp_path, look_at, monkeypatch, caplog
):
    for module in (requests, table):
        monkeypatch.setattr(module, "PATIENCE", HANGS)  # it would wait until the test fails
    monkeypatch.setattr(waiting, "NOTICE_SECONDS", 0.0)
    other = Path(shutil.copy(copied, tmp_path / "other.duckdb"))
    look_at(copied)
    load_contents(copied)
    asking = threading.Thread(target=ask, args=[copied])
    with hold_open(copied, "writes"):
        asking.start()
        while "waiting for" not in caplog.text:
            asking.join(0.01)
        assert load_contents(other).matches
        assert asking.is_alive()
    asking.join(HANGS)
    assert not asking.is_alive()


def test_pages_are_drawn_while_tables_are_exported(copied, look_at):
    look_at(copied)
    is_drawn = threading.Event()

    def export_until_drawn() -> bytes:
        while not is_drawn.is_set():
            exported = export_bytes(copied, "results", "csv")
        return exported

    with ThreadPoolExecutor(1) as pool:
        exporting = pool.submit(export_until_drawn)
        try:
            for day in range(3):
                os.utime(copied, (day, day))  # everything is read anew
                assert_sound(open_page("overview"))
        finally:
            is_drawn.set()
    assert exporting.result().startswith(b"game,variant")


def test_a_page_says_from_the_first_moment_that_it_waits_which_is_no_drawing(copied, look_at, monkeypatch):
    monkeypatch.setattr(cache, "PATIENCE", HANGS)  # what waits in silence waits until the test fails
    look_at(copied)
    spent = time.process_time()
    with hold_open(copied, "writes") as holder:

        def release(error, is_outdated):
            if error and not holder.stdin.closed:
                time.sleep(2.0)
                holder.communicate()

        monkeypatch.setattr(app, "_make_notice", lambda: release)
        page = open_app()
    assert_sound(page)
    rest = page.session_state[live.NEXT_DRAWING] - time.monotonic()
    assert rest <= live.REST * (time.process_time() - spent)


def test_a_page_that_could_not_read_tries_again_at_the_next_look(copied, look_at, monkeypatch):
    monkeypatch.setattr(cache, "PATIENCE", 0.3)
    look_at(copied)
    with hold_open(copied, "writes"):
        page = open_app()
    assert "This page tries again by itself" in page.warning[0].value
    assert page.session_state[live.NEXT_DRAWING] - time.monotonic() <= live.LOOK_SECONDS


def test_a_page_that_shows_nothing_does_not_say_that_it_shows_what_was_there_before(
    copied, look_at, monkeypatch
):
    monkeypatch.setattr(cache, "PATIENCE", 0.3)
    look_at(copied)
    load_contents(copied)
    os.utime(copied)
    with hold_open(copied, "writes"):
        page = AppTest.from_string(LOOK_AT_PACE, default_timeout=HANGS).run()
    assert "This page tries again by itself" in page.warning[0].value
    assert "this is how it was before" not in read_text(page)


def test_a_page_says_that_it_shows_what_was_there_before_until_it_has_read_the_file(copied, look_at):
    look_at(copied)
    page = open_app()
    os.utime(copied)
    with hold_open(copied, "writes"):
        assert "this is how it was before" in read_text(page.run())
    assert page.session_state[live.SEEN] is None  # the next look draws it again
    assert "this is how it was before" not in read_text(page.run())


@pytest.fixture
def watch(monkeypatch):
    """A function that puts the clock of a page with this state in our hands; returns its looks at the file
    and the drawings that they led to.
    """

    def watch_page(db: Path, state: dict):
        looks, drawings = [], []
        monkeypatch.setattr(live.st, "fragment", lambda **_: lambda look: looks.append(look) or look)
        monkeypatch.setattr(live.st, "rerun", lambda: drawings.append(True))
        monkeypatch.setattr(live.st, "session_state", state)
        live.follow_changes(db)
        return looks[0], drawings

    return watch_page


def test_what_was_stored_while_another_program_has_the_file_is_shown_once_it_is_free(copied, look_at, watch):
    look_at(copied)
    page = open_app()
    state = {name: page.session_state[name] for name in (live.SEEN, live.SHOWN)}
    with open_for_writing(copied) as session:
        later = "SELECT * REPLACE (first_deal + 6400 AS first_deal) FROM batch"
        get_connection(session).execute(f"INSERT INTO batch {later}")
    with hold_open(copied, "writes"):
        look, drawings = watch(copied, state)
        assert drawings == []
    look()
    look()
    assert drawings == [True]


def test_a_page_that_shows_what_was_there_before_is_drawn_again_when_the_file_is_free_and_not_before(
    copied, look_at, watch
):
    look_at(copied)
    page = open_app()
    os.utime(copied)
    with hold_open(copied, "writes"):
        page.run()
        rest = page.session_state[live.NEXT_DRAWING] - time.monotonic()
        assert rest < live.LOOK_SECONDS  # however long it took to draw
        state = {name: page.session_state[name] for name in (live.SEEN, live.SHOWN)}
        look, drawings = watch(copied, state)
        look()
        assert drawings == []
    look()
    look()
    assert drawings == [True]


def test_once_an_answer_from_before_stands_a_page_waits_for_no_other_one(copied, look_at, monkeypatch):
    look_at(copied)
    page = open_app()
    os.utime(copied)
    patiences = []

    def note_patience(patience):
        patiences.append(patience)
        return allow_only_reading(patience)

    monkeypatch.setattr(cache, "allow_only_reading", note_patience)
    with hold_open(copied, "writes"):
        assert_sound(page.run())
    assert len(patiences) > 2
    assert patiences == [cache.ATTEMPT, *[0.0] * (len(patiences) - 1)]


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
    with pytest.raises(UnusableFile, match="brings it up to date"):
        estimate(copied)
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


def test_a_match_is_read_in_turn_and_what_is_waited_for_is_said(copied, look_at, monkeypatch):
    monkeypatch.setattr(cache, "PATIENCE", 0.3)
    look_at(copied)
    cell = load_contents(copied).cells[0]
    heard = []
    with (
        hold_open(copied, "writes"),
        cache.report_waiting(lambda *news: heard.append(news)),
        pytest.raises(FileInUse),
    ):
        load_replay(copied, f"{cell.id}/0/0")
    assert heard
    replay = load_replay(copied, f"{cell.id}/0/0")
    with hold_open(copied, "writes"):
        assert load_replay(copied, f"{cell.id}/0/0") is replay


def test_what_a_reader_has_asked_for_can_be_tried_again_in_a_moment(copied, monkeypatch):
    monkeypatch.setattr(requests, "PATIENCE", 0.0)
    with hold_open(copied, "writes"), pytest.raises(FileInUse) as refused:
        estimate(copied)
    assert describe_failure(refused.value).endswith("has it open. Try again in a moment.")
    assert describe_failure(UnusableFile("it is damaged")) == "it is damaged"
