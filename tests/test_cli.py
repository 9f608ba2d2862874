"""The command line: quick to answer, helpful when misspelt, silent when asked, and never a traceback for a user's mistake."""

import json
import os
import subprocess
import sys

import pytest

TIC_TAC_TOE = "tests.truth.tic_tac_toe:GAME"
HEAVY = {"numba", "numpy", "duckdb", "streamlit", "pandas", "pyarrow", "sqlmodel", "plotly", "scipy"}


def run(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "boardgames", *words]
    return subprocess.run(line, env={**os.environ, **env}, capture_output=True, text=True, check=False)


def test_help_loads_nothing_heavy():
    code = (
        "import sys; sys.argv = ['boardgames', '--help']; from boardgames.cli import main\n"
        "try: main()\nexcept SystemExit: print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Measure how fast" in done.stdout
    assert not HEAVY & set(done.stdout.splitlines()[-1].split())


def test_the_version_is_the_packages():
    from importlib.metadata import version

    assert run("--version").stdout == f"boardgames {version('boardgames')}\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("show", "tests.truth.tic_tac_to:GAME"), "there is no module"),
        (("check", "ludo"), "no game 'ludo'"),
        (("bench", f"{TIC_TAC_TOE}+size=4"), "no parameter 'size'"),
        (("bench", TIC_TAC_TOE, "--players", "3"), "it is for 2 players, not 3"),
        (("bench", TIC_TAC_TOE, "--agents", "gredy"), "no agent 'gredy'; did you mean greedy?"),
        (("bench", TIC_TAC_TOE, "--agents", "greedy,random,random"), "names 3 agents for 2 seats"),
        (("bench", TIC_TAC_TOE, "--workers", "0"), "--workers"),
        (("benhc", TIC_TAC_TOE), "benhc"),
    ],
)
def test_bad_input_is_one_clear_message_and_exit_code_2(words, told):
    done = run(*words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_check_tells_a_broken_law_and_exits_with_1():
    done = run("check", "tests.broken:LOSING", "--plain")
    assert done.returncode == 1
    assert "losing breaks the law 'the census is conserved'" in done.stderr
    assert "actions to get there: [" in done.stderr


def test_check_is_silent_when_asked_and_says_one_line_otherwise():
    assert run("check", TIC_TAC_TOE, "--plain", "--matches", "1").stdout.startswith("tic-tac-toe keeps all ")
    quiet = run("--quiet", "check", TIC_TAC_TOE, "--plain", "--matches", "1")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


def test_check_answers_before_it_compiles_and_says_how_far_it_is_through_a_pipe(tmp_path):
    done = run("check", TIC_TAC_TOE, "--matches", "1", BOARDGAMES_CACHE=str(tmp_path))
    told = done.stderr.splitlines()
    kept, compiled = (next(n for n, line in enumerate(told) if words in line) for words in ("that need no compiler", "Compiling"))
    assert told[0] == "checking tic-tac-toe: rules are made of numbers"
    assert "checking tic-tac-toe: fresh processes agree" in told[:kept]
    assert kept < compiled
    assert "checking tic-tac-toe: compiled equals plain" in told[compiled:]
    assert [line for line in told if "Compiling" in line] == ["Compiling the rules of tic-tac-toe ..."]
    assert done.stdout.startswith("tic-tac-toe keeps all ")


def test_bench_reports_one_object():
    done = run("bench", TIC_TAC_TOE, "--json", "--seconds", "0.2", "--no-starts", "--workers", "2")
    report = json.loads(done.stdout)
    assert (report["game"], report["variant"], report["players"], report["agents"]) == ("tic-tac-toe", "tic-tac-toe", 2, "random")
    assert report["workers"] == 2
    assert report["matches_per_second"] > 0
    assert report["decisions_per_match"] == pytest.approx(7.63, abs=0.1)
    assert report["one_core"]["ns_per_decision"] > 0


@pytest.mark.long
def test_bench_measures_a_cold_and_a_warm_start():
    report = json.loads(run("bench", TIC_TAC_TOE, "--json", "--seconds", "0").stdout)
    assert 0 < report["warm_start_seconds"] < report["cold_start_seconds"]


@pytest.mark.long
def test_a_first_compile_says_so_unless_quiet(tmp_path):
    words = ("bench", TIC_TAC_TOE, "--json", "--seconds", "0", "--no-starts", "--workers", "1")
    assert "Compiling the rules of tic-tac-toe ..." in run(*words, BOARDGAMES_CACHE=str(tmp_path)).stderr
    assert run(*words, BOARDGAMES_CACHE=str(tmp_path)).stderr == ""
    assert run("--quiet", *words, BOARDGAMES_CACHE=str(tmp_path / "new")).stderr == ""


def test_output_for_a_pipe_has_no_colours_and_no_progress():
    done = run("show", TIC_TAC_TOE, FORCE_COLOR="", NO_COLOR="1")
    assert "\x1b" not in done.stdout + done.stderr
    assert done.stderr == ""


def test_list_shows_agents_and_their_parameters_as_data():
    agents = {agent["agent"]: agent for agent in json.loads(run("list", "--json").stdout)["agents"]}
    assert agents["greedy"]["parameters"][0]["name"] == "worlds"
    assert "random" in agents
