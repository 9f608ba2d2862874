"""Whatever is typed, the answer is an answer or a sentence: no traceback, no other exit code, nothing half
written.
"""

import faulthandler
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardgames.cli import app
from boardgames.files import PART
from tests.support.command_lines import DRAWN, GAME, HUGE, LONG, furnish, make_line
from tests.support.sizes import choose_size

LONG_LINES = choose_size(200, 10_000)
EXIT_CODES = {0, 1, 2, 3, 4}
HANGS = 1800  # seconds after which a line that never ends is told, with where it hangs


@pytest.mark.parametrize("lines", [30, pytest.param(LONG_LINES, marks=[pytest.mark.long, pytest.mark.soak])])
def test_no_command_line_ends_in_a_traceback_or_leaves_half_a_file(tmp_path, monkeypatch, lines):
    furnish(tmp_path)
    monkeypatch.chdir(tmp_path)
    chance = random.Random(1)
    offenders = [
        f"{line!r}: {why}"
        for line in (make_line(chance) for _ in range(lines))
        if (why := find_fault(tmp_path, line))
    ]
    assert not offenders, "\n".join(offenders)


def find_fault(folder: Path, line: list[str]) -> str:
    """What is wrong with how a line is answered; empty if nothing is."""
    faulthandler.dump_traceback_later(HANGS, exit=True)
    try:
        done = CliRunner().invoke(app, line, env={"BOARDGAMES_QUIET": "1"})
    finally:
        faulthandler.cancel_dump_traceback_later()
    if done.exception and not isinstance(done.exception, SystemExit):
        return f"raises {done.exception!r}"
    if done.exit_code not in EXIT_CODES:
        return f"exits with {done.exit_code}"
    if done.exit_code == 2 and " " not in done.stderr.strip():
        return "exits with 2 and says nothing"
    if left := [str(path) for path in folder.rglob(f"*{PART}*")]:
        return f"leaves {', '.join(left)}"
    return ""


@pytest.mark.long
@pytest.mark.parametrize("command", ["report", "compare"])
def test_a_variant_that_is_written_in_two_ways_is_one_variant(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    variants = [f"{GAME}+p=7", f"{GAME}+p=50", GAME]  # 50 is the default
    done = CliRunner().invoke(
        app, [command, *variants, "--players", "2", "--agents", "random", "--matches", "2"]
    )
    assert done.exit_code == 0, done.exception or done.stderr


@pytest.fixture(scope="module")
def furnished(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("lines")
    furnish(folder)
    return folder


@pytest.fixture
def folder(furnished, monkeypatch) -> Path:
    monkeypatch.chdir(furnished)
    return furnished


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["show", "__main__:GAME"], "no game '__main__'"),
        (["show", ":GAME"], "no game ''"),
        (["show", f"./{LONG}.py:GAME"], "File name too long"),
        (["show", ".:x"], "in the folder above it (cd ..)"),
        (["show", "/:x"], "/ is a folder; a game in a file is named ./file.py:NAME"),
        (["bench", ".:x"], ". is a folder, not a Python file"),
        (["luck", ".:x"], ". is a folder, not a Python file"),
        (["compare", ".:x", GAME], ". is a folder, not a Python file"),
        (["compare", GAME, f"{GAME}+p=0", "--chart", "/"], "write --chart answer.svg"),
        (["compare", GAME, f"{GAME}+p=0", "--chart", ""], "write --chart answer.svg"),
        (["compare", GAME, f"{GAME}+p=0", "--chart", "a.png"], "write --chart a.svg"),
        (["--1_0\u202e"], r"No such option: --1_0\u202e"),
        (["simulate", "--play\u202eers"], r"No such option: --play\u202eers"),
        (
            ["simulate", GAME, "--players", "2-1000000000"],
            "players '2-1000000000': write 3, 2-4 or 2,4; games have 2 to 8 seats",
        ),
        (["simulate", GAME, "--players", HUGE], f"it is for 2 to 5 players, not {HUGE}"),
        (["simulate", GAME, "--players", "3-2"], "players '3-2': write 3, 2-4 or 2,4"),
        (["simulate", GAME, "--players", ","], "players ',': write 3, 2-4 or 2,4"),
        (["ladder", GAME, "--players", "0"], "it is for 2 to 5 players, not 0"),
        (["ladder", GAME, "--players", HUGE], f"it is for 2 to 5 players, not {HUGE}"),
        (["play", GAME, "--players", "0"], "it is for 2 to 5 players, not 0"),
        (["show", DRAWN, "--svg", "new.svg", "--players", "0"], "it is for 2 to 5 players, not 0"),
        (
            ["simulate", GAME, "--matches", HUGE],
            f"matches={HUGE}: write a whole number from 1 to 1,000,000,000",
        ),
        (["compare", GAME, f"{GAME}+p=0", "--matches", HUGE], f"matches={HUGE}: write a whole number"),
        (["sweep", GAME, "p=0..2", "--matches", HUGE], f"matches={HUGE}: write a whole number"),
        (["report", GAME, "--matches", HUGE], f"matches={HUGE}: write a whole number"),
        (["compare", GAME, f"{GAME}+p=0", "--seed", HUGE], f"seed {HUGE}: a seed is a whole number"),
        (["coverage", GAME, "--seed", "-1"], "seed -1: a seed is a whole number"),
        (["play", GAME, "--deal", HUGE], f"deal {HUGE}: a deal is a whole number"),
        (
            ["alternatives", GAME, f"{GAME}+p=0", "--count", HUGE],
            f"--count {HUGE}: write a whole number from 1 to 1,000",
        ),
        (["compare", GAME, f"{GAME}+p=0", "--minutes", "nan"], "Invalid value for '--minutes'"),
        (["goals", "goals.toml", "--minutes", "inf"], "inf is not a number to count with"),
        (["bench", GAME, "--seconds", "inf"], "inf is not a number to count with"),
        (["play", GAME, "--watch", "--pause", "inf"], "inf is not a number to count with"),
        (["simulate", GAME, "--workers", HUGE], "--workers"),
        (["goals", "odd-goals.toml"], "minutes: it is a number above 0"),
        (["simulate", "odd.toml"], f"matches={HUGE}: write a whole number"),
        (
            ["simulate", "wrong.toml"],
            "wrong.toml has 2 mistakes.\n  line 2: variants is a list of texts, not [1, 2]\n  line 3: agents",
        ),
        (["goals", "wrong-goals.toml"], "wrong-goals.toml"),
        (["goals", "deep.toml"], "deep.toml: "),
        (["new", LONG], "is too long a name for a game: use at most 50 characters"),
        (["import", "/dev/zero"], "/dev/zero has more than 100 MB"),
        (
            ["bench", GAME, "--players", HUGE, "--seconds", "0", "--no-starts"],
            f"it is for 2 to 5 players, not {HUGE}",
        ),
        (["snapshot", "copy.duckdb", "--db", "."], "cannot open .: "),
        (["runs", "--db", "/"], "cannot open /: it is a folder; name a file"),
        (["merge", "/", "--db", "results.duckdb"], "cannot open /: it is a folder; name a file"),
        (["report", GAME, "--db", "circle.svg", "--matches", "2"], "circle.svg"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_a_sentence_before_a_file_is_made(folder, words, message):
    (folder / "deep.toml").write_text("x = " + 10_000 * "[")
    before = sorted(folder.rglob("*"))
    done = CliRunner().invoke(app, words)
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == 2
    assert message in done.stderr
    assert done.stderr.replace("\n", "").isprintable()
    assert sorted(folder.rglob("*")) == before
