"""The command line: quick to answer, helpful when misspelt, silent when asked, and never a traceback for a
user's mistake.
"""

import json
import re
import shlex
import subprocess
import sys

import pytest
import typer

from analytics.verdict.design import list_usual_agents
from boardgames import find_variant
from boardgames.cli import app
from boardgames.cli.app import Group
from boardgames.cli.old_spellings import MOVED_OPTIONS, OLD_COMMANDS, RENAMED_OPTIONS

COMMANDS = typer.main.get_command(app).commands
TIC_TAC_TOE = "tic-tac-toe"
HEAVY = {"numba", "numpy", "duckdb", "streamlit", "pandas", "pyarrow", "sqlmodel", "plotly", "scipy"}


def test_help_loads_nothing_heavy():
    code = (
        "import sys; sys.argv = ['boardgames', '--help']; from boardgames.cli import main\n"
        "try: main()\nexcept SystemExit: print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Measure how fast" in done.stdout
    assert not HEAVY & set(done.stdout.splitlines()[-1].split())


def test_help_shows_every_command_in_its_group(run_command):
    output = run_command("--help", in_process=True).stdout
    sections = re.findall(r"^([A-Z][a-z ]+):\n((?:  .*\n)+)", output, re.MULTILINE)
    assert [title for title, _ in sections] == [*Group, "Options"]
    names = [line.split()[0] for _, text in sections[:-1] for line in text.splitlines()]
    assert sorted(names) == sorted(COMMANDS)
    assert output.strip().endswith("Start here: boardgames compare celtica celtica:en")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_ends_with_an_example_of_it_that_is_understood(name):
    (example,) = re.findall(r"^Example: boardgames (.*)$", COMMANDS[name].help, re.MULTILINE)
    first, *words = shlex.split(example)
    assert first == name
    COMMANDS[name].make_context(name, words)


def test_the_help_of_plan_says_who_plays_unless_agents_are_named(run_command):
    """The same agents as compare asks."""
    assert list_usual_agents([find_variant("keltis")], "2") == ("learned", "mcts:64")
    assert list_usual_agents([find_variant("pig")], "2") == ("greedy", "mcts:64")
    output = " ".join(run_command("plan", "--help", in_process=True).stdout.split())
    assert "(default: learned where there is a trained player, else greedy; and mcts:64)" in output


MOST_OPTIONS = 13
# A question to `fix` has four parts (what you want, what may move, who plays, for how long), with three or
# four options each; `compare --luck` asks a second question about the same variants, and `--chart` and
# `--short` say how the answer is shown.
MORE_OPTIONS = {"fix": 17, "compare": 16}


def test_no_command_has_more_options_than_can_be_remembered():
    for name, command in COMMANDS.items():
        count = sum(p.param_type_name == "option" for p in command.params)
        assert count <= MORE_OPTIONS.get(name, MOST_OPTIONS), name


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("simulate", "pig", "--blocks", "3"), "--blocks is now --matches"),
        (("play", "pig", "--block", "3"), "--block is now --deal"),
        (("simulate", "pig", "--into", "x.duckdb"), "--into is now --db"),
        (("replay", "1/0/0", "--from", "x.duckdb"), "--from is now --db"),
        (("compare", "pig", "pig+target=50", "--primary", "length"), "--primary is now --main-metric"),
        (("plan", "pig", "--margin", "length=2"), "--margin is now --threshold"),
        (("ladder", "pig", "--rungs", "random,greedy"), "--rungs is now --agents"),
        (("report", "pig", "--more"), "--more is now --continue"),
        (("replay", "1/0/0", "--anyway"), "--anyway is now --ignore-changes"),
        (("play", "pig", "--against", "random"), "--against is now --agents"),
        (("export", "--into", "x.csv"), "--into is now --output, and the result file is --db"),
        (("compare", "pig", "pig+target=50", "--show"), "boardgames side-by-side A B"),
        (("compare", "pig", "pig+target=50", "--block", "7"), "boardgames side-by-side A B --deal 7"),
        (("compare", "pig", "pig+target=50", "--deal=7"), "boardgames side-by-side A B --deal 7"),
        (("compare", "pig", "pig+target=50", "--svg", "x"), "boardgames side-by-side A B --svg FOLDER"),
        (("compare", "pig", "--sweep", "target=20..50"), "boardgames sweep celtica hand_size=4..7"),
        (("simulate", "pig", "--sweep", "target=20..50"), "boardgames sweep celtica hand_size=4..7"),
        (("simulate", "pig", "--name", "mine"), '--note "first try" stores your words'),
        (("compare", "pig", "--best", "lowest length"), "boardgames sweep celtica hand_size=4..7"),
        (("compare", "pig", "pig+target=50", "--explain"), "boardgames explain A B"),
        (
            ("compare", "pig", "pig+target=50", "--over-unknowns", "9"),
            "boardgames alternatives A B --count 20",
        ),
        (("compare", "pig", "--people"), "boardgames people celtica"),
        (("compare", "pig", "magpies", "--unpaired"), "leave --unpaired out"),
        (("bench", "pig", "--against", "open_spiel"), "python benchmarks/against_open_spiel.py"),
        (("cluster", "local"), "dask scheduler and dask worker"),
        (("cluster", "bench", "tcp://x:1", "pig"), "python benchmarks/cluster.py"),
        (("runs", "x.duckdb"), "boardgames runs --db FILE"),
        (("dashboard", "x.duckdb"), "boardgames dashboard --db FILE"),
        (("snapshot", "x.duckdb", "copy.duckdb"), "boardgames snapshot COPY --db FILE"),
    ],
)
def test_an_old_spelling_is_answered_with_the_new_one(words, message, run_command):
    done = run_command(*words, in_process=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr.replace("\n", " ")


def test_what_is_said_to_be_old_does_not_exist_any_more_and_what_is_said_to_be_new_does():
    options = {
        (name, option)
        for name, command in COMMANDS.items()
        for parameter in command.params
        for option in parameter.opts
    }
    assert not set(MOVED_OPTIONS) & options
    assert not set(OLD_COMMANDS) & set(COMMANDS)
    assert not set(RENAMED_OPTIONS) & {option for _, option in options}
    assert set(RENAMED_OPTIONS.values()) <= {option for _, option in options}
    for advice in MOVED_OPTIONS.values():
        for name in re.findall("boardgames ([a-z-]+)", advice):
            assert name in COMMANDS


def test_an_option_that_never_was_is_not_explained(run_command):
    done = run_command("compare", "pig", "--nonsense", in_process=True)
    assert (done.returncode, "No such option: --nonsense" in done.stderr) == (2, True)
    done = run_command("list", "--blocks", "3", in_process=True)  # it never had it
    assert (done.returncode, "No such option: --blocks" in done.stderr) == (2, True)


def test_the_version_is_the_packages(run_command):
    from importlib.metadata import version

    assert run_command("--version").stdout == f"boardgames {version('boardgames')}\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "boardgames.examples.tic_tac_to:GAME"), "there is no module"),
        (("check", "ludo"), "no game 'ludo'"),
        (("bench", f"{TIC_TAC_TOE}+size=4"), "no parameter 'size'"),
        (("bench", TIC_TAC_TOE, "--players", "3"), "it is for 2 players, not 3"),
        (("bench", TIC_TAC_TOE, "--agents", "gredy"), "no agent 'gredy'; did you mean greedy?"),
        (("bench", TIC_TAC_TOE, "--agents", "greedy,random,random"), "names 3 agents for 2 seats"),
        (("bench", TIC_TAC_TOE, "--workers", "0"), "--workers"),
        (("benhc", TIC_TAC_TOE), "benhc"),
    ],
)
def test_bad_input_is_one_clear_message_and_exit_code_2(words, message, run_command):
    done = run_command(*words)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_check_tells_a_broken_law_and_exits_with_1(run_command):
    done = run_command("check", "tests.support.broken:LOSING", "--plain")
    assert done.returncode == 1
    assert "losing breaks the law 'nothing in the census appears or gets lost'" in done.stderr
    assert "actions to get there: [" in done.stderr


def test_check_is_silent_when_asked_and_says_one_line_otherwise(run_command):
    assert run_command("check", TIC_TAC_TOE, "--plain", "--matches", "1").stdout.startswith(
        "tic-tac-toe keeps all "
    )
    quiet = run_command("--quiet", "check", TIC_TAC_TOE, "--plain", "--matches", "1")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


@pytest.mark.long
def test_check_answers_before_it_compiles_and_says_how_far_it_is_through_a_pipe(tmp_path, run_command):
    done = run_command("check", TIC_TAC_TOE, "--matches", "1", BOARDGAMES_CACHE=str(tmp_path))
    lines = done.stderr.splitlines()
    checked, compiled = (
        next(n for n, line in enumerate(lines) if words in line)
        for words in ("that need no compiler", "Compiling")
    )
    assert lines[0] == "checking tic-tac-toe: rules use nothing but numbers"
    assert "checking tic-tac-toe: a new process gives the same results" in lines[:checked]
    assert checked < compiled
    assert "checking tic-tac-toe: compiled and uncompiled rules agree" in lines[compiled:]
    assert [line for line in lines if "Compiling" in line] == ["Compiling the rules of tic-tac-toe ..."]
    assert done.stdout.startswith("tic-tac-toe keeps all ")


@pytest.mark.long
def test_bench_reports_one_object(run_command):
    done = run_command("bench", TIC_TAC_TOE, "--json", "--seconds", "0.2", "--no-starts", "--workers", "2")
    report = json.loads(done.stdout)
    assert (report["game"], report["variant"], report["players"], report["agents"]) == (
        "tic-tac-toe",
        "tic-tac-toe",
        2,
        "random",
    )
    assert report["workers"] == 2
    assert report["matches_per_second"] > 0
    assert report["decisions_per_match"] == pytest.approx(7.63, abs=0.1)
    assert report["one_core"]["ns_per_decision"] > 0


@pytest.mark.long
def test_bench_measures_a_cold_and_a_warm_start(run_command):
    report = json.loads(run_command("bench", TIC_TAC_TOE, "--json", "--seconds", "0").stdout)
    assert min(report["warm_start_seconds"], report["cold_start_seconds"]) > 0


@pytest.mark.long
def test_a_first_compile_says_so_unless_quiet(tmp_path, run_command):
    words = ("bench", TIC_TAC_TOE, "--json", "--seconds", "0", "--no-starts", "--workers", "1")
    assert (
        "Compiling the rules of tic-tac-toe ..." in run_command(*words, BOARDGAMES_CACHE=str(tmp_path)).stderr
    )
    assert run_command(*words, BOARDGAMES_CACHE=str(tmp_path)).stderr == ""
    assert run_command("--quiet", *words, BOARDGAMES_CACHE=str(tmp_path / "new")).stderr == ""


def test_output_for_a_pipe_has_no_colours_and_no_progress(run_command):
    done = run_command("show", TIC_TAC_TOE, FORCE_COLOR="", NO_COLOR="1")
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stderr == ""


def test_list_shows_the_examples_apart(run_command):
    games = {
        game["game"]: game["is_example"] for game in json.loads(run_command("list", "--json").stdout)["games"]
    }
    assert [name for name, is_example in games.items() if is_example] == [
        "connect-four",
        "magpies",
        "pig",
        "tic-tac-toe",
    ]
    assert {"celtae", "celtica", "keltis"} <= set(games)
    variants, examples = run_command("list", in_process=True).stdout.split("Examples: tiny games")
    assert "keltis" in variants
    assert "pig" not in variants
    assert "pig" in examples


def test_list_shows_agents_and_their_parameters_as_data(run_command):
    agents = {agent["agent"]: agent for agent in json.loads(run_command("list", "--json").stdout)["agents"]}
    assert agents["greedy"]["parameters"][0]["name"] == "worlds"
    assert "random" in agents


def test_a_terminal_without_a_letter_of_an_answer_shows_a_question_mark(tmp_path, run_command):
    asked = ("magpies", "magpies+hand_size=6", "--players", "2", "--agents", "random", "--matches", "20")
    done = run_command("compare", *asked, "--db", tmp_path / "new.duckdb", PYTHONIOENCODING="ascii")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert "Main metrics (?: 95% interval)" in done.stdout
