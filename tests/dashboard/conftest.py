"""Small real files, made once."""

import shutil
from pathlib import Path

import pytest

from boardgames import simulate
from boardgames.store import writing
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
def look_at(monkeypatch):
    """Point the pages to a file."""
    return lambda path: monkeypatch.setenv(FILE, str(path))
