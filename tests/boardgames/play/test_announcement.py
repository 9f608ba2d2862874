"""Who waits for the compiler is told so, once per command, and how long it took last time."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from boardgames.play.announcement import TIMES, announce_compiling, read_times

PIG = Path(__file__).parents[3] / "boardgames" / "examples" / "pig.py"


def simulate(folder: Path, *words: str, quiet: bool = False) -> list[str]:
    """What a command says about the compiler, in a process and with a cache of its own."""
    line = [
        sys.executable,
        "-m",
        "boardgames",
        *(["--quiet"] if quiet else []),
        "simulate",
        "./pig.py:GAME",
        "--matches",
        "2",
    ]
    line += ["--players", "2", "--db", "pig.duckdb", *words]
    env = {name: value for name, value in os.environ.items() if name != "BOARDGAMES_QUIET"}
    env["BOARDGAMES_CACHE"] = str(folder / "cache")
    done = subprocess.run(line, cwd=folder, env=env, capture_output=True, text=True, check=True)
    return [line for line in done.stderr.splitlines() if "ompil" in line]


@pytest.mark.long
def test_a_command_announces_a_game_once_and_an_edit_is_announced_with_the_time_of_the_last_one(tmp_path):
    shutil.copy(PIG, tmp_path / "pig.py")
    assert simulate(tmp_path, "--agents", "random", "--agents", "greedy") == [
        "Compiling the rules of pig ..."
    ]
    assert simulate(tmp_path, "--agents", "random", "--agents", "greedy") == []
    edited = PIG.read_text().replace("below(state, DIE, 6)", "below(state, DIE, 7)")
    assert edited != PIG.read_text()
    (tmp_path / "pig.py").write_text(edited)
    (output,) = simulate(tmp_path, "--agents", "random")
    assert re.fullmatch(r"Compiling the rules of pig \(\d+(\.\d)? s last time\) \.\.\.", output)


@pytest.mark.long
def test_nothing_is_announced_when_quiet_but_the_time_is_remembered(tmp_path):
    shutil.copy(PIG, tmp_path / "pig.py")
    assert simulate(tmp_path, "--agents", "random", quiet=True) == []
    (times,) = (tmp_path / "cache").rglob(TIMES)
    assert read_times(times.parent)["random"] > 0


def test_times_are_kept_per_kinds_of_agents_and_a_broken_file_is_none(tmp_path):
    for agents in ("greedy", "greedy,random"):
        with announce_compiling("a game of this test", agents, tmp_path):
            pass
    assert set(read_times(tmp_path)) == {"greedy", "greedy,random"}
    (tmp_path / TIMES).write_text('{"greedy": ')
    assert read_times(tmp_path) == {}
    (tmp_path / TIMES).write_text("[1, 2]")
    assert read_times(tmp_path) == {}


def test_a_compile_that_was_stopped_leaves_no_time_behind(tmp_path):
    try:
        with announce_compiling("another game of this test", "greedy", tmp_path):
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        assert read_times(tmp_path) == {}
