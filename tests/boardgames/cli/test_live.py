"""While compare plays, it shows where it stands: a table in place in a terminal, lines in a pipe."""

import io
import json
import sys

import pytest
from rich.console import Console
from rich.table import Table

from analytics import compare
from boardgames.cli.app import wrap_lines
from boardgames.cli.command_line import format_command_line
from boardgames.cli.live import LiveTable, PlainLines
from tests.support.terminal import CTRL_C, HIDE_CURSOR, SHOW_CURSOR, PseudoTerminal, list_shown_lines

P = "tests.truth.p_deterministic:GAME"
WORDS = ["compare", P, f"{P}+p=60", "--players", "2", "--agents", "random"]
TABLE = "B - A so far"


# ---- in a terminal


@pytest.mark.long
def test_a_terminal_shows_a_table_in_place_and_then_only_the_answer(tmp_path):
    terminal = PseudoTerminal(*WORDS, "--matches", 300, "--db", tmp_path / "p.duckdb", columns=110)
    assert terminal.wait() == 0
    before, _, answer = terminal.text.rpartition(SHOW_CURSOR)
    for looked_at in (64, 128, 256, 300):
        assert f"2 players: {looked_at} matches of each by random" in before
    assert TABLE in before
    assert HIDE_CURSOR not in answer
    assert TABLE not in answer
    assert "300 matches of each" in answer
    assert "To go on: boardgames compare" in answer


@pytest.mark.long
def test_what_differs_is_printed_above_the_table_and_stays(tmp_path):
    terminal = PseudoTerminal(*WORDS, "--matches", 64, "--db", tmp_path / "p.duckdb")
    terminal.wait()
    before_table, _, _ = terminal.text.partition(HIDE_CURSOR)
    assert "percent of the matches that skill decides: 50 -> 60 (p)" in before_table
    assert "verdicts by random; plays 64 matches of each" in before_table
    assert "threshold" not in before_table


@pytest.mark.long
@pytest.mark.parametrize(("columns", "lines"), [pytest.param(60, 12, marks=pytest.mark.long), (200, 50)])
def test_a_table_fits_into_narrow_and_wide_terminals(tmp_path, columns, lines):
    words = [*WORDS, "--matches", 128, "--db", tmp_path / "p.duckdb"]
    terminal = PseudoTerminal(*words, columns=columns, lines=lines)
    assert terminal.wait() == 0
    live = terminal.text[terminal.text.index(HIDE_CURSOR) : terminal.text.rindex(SHOW_CURSOR)]
    assert max(map(len, list_shown_lines(live))) <= columns


@pytest.mark.long
def test_ctrl_c_at_the_table_leaves_a_clean_terminal_and_says_how_to_go_on(tmp_path):
    db = tmp_path / "p.duckdb"
    terminal = PseudoTerminal(*WORDS, "--matches", 10_000_000, "--db", db)
    terminal.wait_for(TABLE)
    terminal.press(CTRL_C)
    assert terminal.wait() == 130
    _, _, after = terminal.text.rpartition(SHOW_CURSOR)
    assert "boardgames: stopped; all finished matches are stored." in after
    assert "to go on: add --continue" in after
    assert "Traceback" not in terminal.text
    assert compare(P, f"{P}+p=60", db=db, players="2").contrasts[0].matches >= 64


def make_rows(rows: int) -> Table:
    table = Table("row")
    for index in range(rows):
        table.add_row(f"row {index}")
    return table


def render(rows: int, line: str, height: int) -> str:
    """A live view of so many rows and this line, in a terminal of this height."""
    view = LiveTable(make_rows)
    console = Console(file=io.StringIO(), width=60, height=height)
    try:
        view.show_results(rows)
        view.show_progress(line)
        console.print(view.render())
    finally:
        view.close()
    return console.file.getvalue()


def test_the_table_stays_while_the_line_below_it_says_who_plays_now():
    text = render(2, "mcts:64: deals 0 to 16", 40)
    assert text.index("row 1") < text.index("mcts:64: deals 0 to 16")


def test_a_table_that_is_too_tall_leaves_room_for_the_line_below_it():
    text = render(30, "greedy: deals 64 to 128", 12)
    assert "row 3" in text
    assert "row 20" not in text
    assert "greedy: deals 64 to 128" in text
    assert text.count("\n") <= 12


# ---- in a pipe


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_pipe_gets_the_first_and_the_last_results_and_a_line_every_five_seconds_between():
    clock, file = Clock(), io.StringIO()
    lines = PlainLines(lambda results: f"results {results}", clock, file)
    for now, results in [(1, 1), (2, 2), (5, 3), (6, 4), (7, 5), (10.9, 6), (12, 7)]:
        clock.now = now
        lines.show_results(results)
    lines.close()
    assert file.getvalue().splitlines() == ["results 1", "results 4", "results 7"]


def test_a_pipe_hears_what_is_going_on_while_there_are_no_new_results():
    clock, file = Clock(), io.StringIO()
    lines = PlainLines(lambda results: f"results {results}", clock, file)
    lines.show_progress("too early")
    lines.show_results(1)
    clock.now = 4
    lines.show_results(2)
    clock.now = 6
    lines.show_progress("results that wait are told first")
    clock.now = 12
    lines.show_progress("playing on")
    lines.close()
    assert file.getvalue().splitlines() == ["results 1", "results 2", "playing on"]


def test_piped_lines_go_to_stderr_and_the_answer_to_stdout(tmp_path, run_command):
    done = run_command(*WORDS, "--matches", 300, "--db", tmp_path / "p.duckdb")
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stderr.splitlines() if " matches of each: " in line]
    assert lines[0].startswith("64 matches of each: ")
    assert lines[-1].startswith("300 matches of each: ")
    assert lines[-1].endswith("main metrics open")
    assert "\x1b" not in done.stderr
    assert "matches of each: " not in done.stdout.replace("by random: ", "")


@pytest.mark.long
def test_quiet_prints_only_the_answer_and_json_only_json(tmp_path, run_command):
    words = [*WORDS, "--matches", 20, "--db", tmp_path / "p.duckdb"]
    quiet = run_command("--quiet", *words)
    assert quiet.stderr == ""
    assert quiet.stdout.startswith("\nB = ")
    assert "To go on" not in quiet.stdout
    (contrast,) = json.loads(run_command(*words, "--json").stdout)["contrasts"]
    says_nothing = [line for line in contrast["lines"] if not line["is_informative"]]
    assert says_nothing
    assert {(line["low"], line["high"]) for line in says_nothing} == {(None, None)}


# ---- commands and lines


@pytest.mark.parametrize(
    "typed",
    [
        ["--matches", "200", "--db", "my file.duckdb"],
        ["--db", "my file.duckdb", "--matches=200", "--minutes=3", "--until-decided"],
        ["--continue", "--minutes", "3", "--db", "my file.duckdb"],
    ],
)
def test_the_command_that_goes_on_has_the_new_limit_instead_of_the_old(monkeypatch, typed):
    monkeypatch.setattr(sys, "argv", ["boardgames", "compare", "pig", *typed])
    limits = ("--continue", "--until-decided", "--matches=", "--minutes=")
    command = format_command_line(*limits, adding=("--continue", "--minutes", "10"))
    assert command == "boardgames compare pig --db 'my file.duckdb' --continue --minutes 10"


def test_long_lines_break_between_words():
    text = "\n  indented: one two three-four\nshort"
    assert wrap_lines(text, 20) == "\n  indented: one two\n    three-four\nshort"
