"""Small real files, made once."""

import shutil
from pathlib import Path

import pytest

from analytics.metric.metric import metrics
from boardgames import simulate
from boardgames.game.plugins import installed
from boardgames.store.connection import writing
from dashboard.launch import FILE

PIG = "tests.dashboard.drawn:GAME+target=20"
LONGER = "tests.dashboard.drawn:GAME+target=26"


@pytest.fixture(scope="session")
def real(tmp_path_factory) -> Path:
    """Two variants of a game on the same luck, two and three players, two line-ups."""
    path = tmp_path_factory.mktemp("dashboard") / "real.duckdb"
    simulate([PIG, LONGER], path, players="2-3", agents=["random"], blocks=1100, note="a <i>note</i>")
    simulate([PIG, LONGER], path, players="2", agents=["random+force=hold,random"], blocks=40)
    return path


@pytest.fixture(scope="session")
def single(tmp_path_factory) -> Path:
    """One cell of one block."""
    path = tmp_path_factory.mktemp("dashboard") / "single.duckdb"
    simulate([PIG], path, players="2", agents=["random"], blocks=1)
    return path


@pytest.fixture(scope="session")
def contests(tmp_path_factory) -> Path:
    """Line-ups of different agents alone: one strong agent in several duels."""
    path = tmp_path_factory.mktemp("dashboard") / "contests.duckdb"
    simulate([PIG], path, players="2", agents=["random,random+force=hold", "random,random+force=roll"], blocks=24)
    return path


@pytest.fixture(scope="session")
def empty(tmp_path_factory) -> Path:
    """A file of ours in which nothing is stored."""
    path = tmp_path_factory.mktemp("dashboard") / "empty.duckdb"
    with writing(path):
        pass
    return path


@pytest.fixture
def copied(real, tmp_path):
    """A copy that may be spoilt."""
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
        installed.cache_clear()

    yield install
    monkeypatch.undo()
    metrics.cache_clear()
    installed.cache_clear()


@pytest.fixture
def look_at(monkeypatch):
    """Point the pages to a file."""
    return lambda path: monkeypatch.setenv(FILE, str(path))
