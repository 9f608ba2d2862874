"""`boardgames watch` checks a game at every save: a real process, and files that are really edited."""

import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from boardgames.errors import InvalidInput, PluginError
from boardgames.game.plugins import find_game_file
from boardgames.tools.watch import stamp_files
from tests.support.processes import HANGS, ROOT

GAME = ROOT / "boardgames" / "examples" / "tic_tac_toe.py"
KEEPS = "tic-tac-toe keeps all "


class Watch:
    """A `boardgames watch` on a copy of a game, and the lines that it says."""

    def __init__(self, folder: Path) -> None:
        line = [sys.executable, "-m", "boardgames", "watch", "./mine.py:GAME", "--plain", "--matches", "1"]
        merged = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(line, cwd=folder, env=env, **merged)
        self.lines: queue.Queue[str] = queue.Queue()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        with self.process.stdout as pipe:
            for line in pipe:
                self.lines.put(line.rstrip())

    def wait_for(self, words: str) -> list[str]:
        """Everything said up to the line with these words."""
        lines = []
        while not lines or words not in lines[-1]:
            lines.append(self.lines.get(timeout=HANGS))
        return lines

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(HANGS)


@contextmanager
def start_watching(folder: Path) -> Iterator[Watch]:
    watch = Watch(folder)
    try:
        yield watch
    finally:
        watch.process.kill()
        watch.process.wait(HANGS)
        watch.reader.join(HANGS)  # a check that is still on has the pipe open


@pytest.fixture
def mine(tmp_path):
    shutil.copy(GAME, tmp_path / "mine.py")
    return tmp_path / "mine.py"


@pytest.mark.long
def test_a_game_is_checked_at_every_save_and_ctrl_c_ends_it(mine):
    with start_watching(mine.parent) as watch:
        watch.wait_for(KEEPS)
        watch.wait_for("; Ctrl-C ends")
        text = mine.read_text()
        mine.write_text(text.replace("state.end = THREE", "state.end = 9"))
        lines = watch.wait_for("; Ctrl-C ends")
        assert lines[0] == "mine.py changed"
        assert any("tic-tac-toe breaks the law 'the header is correct': end 9" in line for line in lines)
        mine.write_text(text)
        watch.wait_for(KEEPS)
        watch.wait_for("; Ctrl-C ends")
        assert watch.stop() == 130
        assert watch.wait_for("boardgames: stopped") == ["boardgames: stopped"]


@pytest.mark.long
def test_a_file_that_is_no_python_is_reported_in_a_sentence_and_watched_on(mine):
    text = mine.read_text()
    mine.write_text("def legal(state:\n")
    with start_watching(mine.parent) as watch:
        lines = watch.wait_for("; Ctrl-C ends")
        assert any(
            line.startswith("boardgames: ./mine.py:GAME cannot be imported: SyntaxError: ") for line in lines
        )
        assert not any("Traceback" in line for line in lines)
        mine.unlink()
        watch.wait_for("there is no file ./mine.py")
        mine.write_text(text)
        watch.wait_for(KEEPS)
        assert watch.stop() == 130


def test_a_save_during_a_check_begins_it_anew_and_leaves_no_process_behind(mine):
    with start_watching(mine.parent) as watch:
        watch.wait_for("checking tic-tac-toe: ")
        (mine.parent / "board.toml").write_text("fields = 9\n")
        lines = watch.wait_for("board.toml changed")
        assert not any(KEEPS in line for line in lines)
        watch.wait_for("checking tic-tac-toe: ")
        assert watch.stop() == 130


def test_what_is_watched_is_beside_the_game_and_below_a_package(tmp_path):
    (tmp_path / "mine.py").write_text("")
    (tmp_path / "board.toml").write_text("")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    (tmp_path / "package" / "parts").mkdir()
    (tmp_path / "package" / "parts" / "cards.py").write_text("")
    assert {path.name for path in stamp_files(tmp_path / "mine.py")} == {"mine.py", "board.toml"}
    assert {path.name for path in stamp_files(tmp_path / "package" / "__init__.py")} == {
        "__init__.py",
        "cards.py",
    }


def test_the_file_of_a_game_is_found_without_importing_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("broken.py").write_text("this is no Python")
    Path("variants.toml").write_text('[quick]\nbase = "./broken.py:GAME+size=3"\n')
    assert (
        find_game_file("./broken.py:GAME")
        == find_game_file("broken:GAME")
        == find_game_file("quick+size=4")
        == tmp_path / "broken.py"
    )
    assert find_game_file("celtica:en+hand_size=6") == ROOT / "variants" / "celtica" / "__init__.py"
    with pytest.raises(InvalidInput, match=r"there is no file \./none\.py"):
        find_game_file("./none.py:GAME")
    for nobody in ("ludo", "no_package.game:GAME", ".:GAME", ":"):
        with pytest.raises(InvalidInput, match="no game '"):
            find_game_file(nobody)
    with pytest.raises(InvalidInput, match="sys has no file to look at"):
        find_game_file("sys:GAME")
    Path("package").mkdir()
    Path("package/__init__.py").write_text("this is no Python")
    with pytest.raises(PluginError, match=r"package\.game:GAME cannot be imported: SyntaxError: "):
        find_game_file("package.game:GAME")
