"""Small real files, made once."""

import shutil
from pathlib import Path

import playwright.sync_api
import pytest

from analytics.metric.metric import metrics
from boardgames import simulate
from boardgames.game.plugins import find_entry_points
from boardgames.store.connection import open_for_writing
from dashboard import app
from dashboard.launch import DB_VARIABLE
from dashboard.shared_file import Heading, make_html
from dashboard.sidebar.share import list_facts, show_share_form
from tests.support.browser import CHROMIUM

PIG = "tests.dashboard.drawn:GAME+target=20"
LONGER = "tests.dashboard.drawn:GAME+target=26"


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_api.sync_playwright() as playwright_sync:
        chromium = playwright_sync.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def real(tmp_path_factory) -> Path:
    """Two variants of a game on the same luck, two and three players, two line-ups."""
    db = tmp_path_factory.mktemp("dashboard") / "real.duckdb"
    simulate(PIG, LONGER, db=db, players="2-3", agents=["random"], matches=1100, note="a <i>note</i>")
    simulate(PIG, LONGER, db=db, players="2", agents=["random+force=hold,random"], matches=80)
    return db


@pytest.fixture(scope="session")
def single(tmp_path_factory) -> Path:
    """One cell of one deal."""
    db = tmp_path_factory.mktemp("dashboard") / "single.duckdb"
    simulate(PIG, db=db, players="2", agents=["random"], matches=1)
    return db


@pytest.fixture(scope="session")
def contests(tmp_path_factory) -> Path:
    """Line-ups of different agents alone: one strong agent in several head-to-heads."""
    db = tmp_path_factory.mktemp("dashboard") / "contests.duckdb"
    simulate(
        PIG, db=db, players="2", agents=["random,random+force=hold", "random,random+force=roll"], matches=48
    )
    return db


@pytest.fixture(scope="session")
def empty(tmp_path_factory) -> Path:
    """A result file without matches."""
    db = tmp_path_factory.mktemp("dashboard") / "empty.duckdb"
    with open_for_writing(db):
        pass
    return db


@pytest.fixture
def copied(real, tmp_path):
    """A copy that a test may spoil."""
    return Path(shutil.copy(real, tmp_path / "copied.duckdb"))


@pytest.fixture
def plug_in(tmp_path, monkeypatch):
    """Install a package with metrics, for as long as a test takes."""
    folder = tmp_path / "club-1.0.dist-info"

    def install(code: str) -> None:
        folder.mkdir()
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: club\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text("[boardgames.metrics]\nclub = club_metrics:ALL\n")
        (tmp_path / "club_metrics.py").write_text(code)
        monkeypatch.syspath_prepend(tmp_path)
        metrics.cache_clear()
        find_entry_points.cache_clear()

    yield install
    monkeypatch.undo()
    metrics.cache_clear()
    find_entry_points.cache_clear()


@pytest.fixture
def look_at(monkeypatch):
    """A function that points the pages to a result file."""
    return lambda db: monkeypatch.setenv(DB_VARIABLE, str(db))


@pytest.fixture
def share(monkeypatch):
    """The page that was looked at last, as Share writes it."""
    shown = {}

    def note_shown(page, view, selection):
        shown.update(page=page, view=view, selection=selection)
        show_share_form(page, view, selection)

    monkeypatch.setattr(app, "show_share_form", note_shown)
    return lambda: make_html(
        Heading(question=shown["page"].question, facts=list_facts(**shown)), shown["view"].elements
    )
