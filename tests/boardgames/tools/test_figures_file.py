"""Speeds per commit: `bench --save` keeps them in a file, `bench --since` shows what has changed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from boardgames.errors import InvalidInput
from boardgames.tools.speed_file import (
    compare_figures,
    find_commit,
    find_last_measurement,
    read_figures,
    save_figures,
)
from tests.support.processes import ROOT

FIGURES = {
    "game": "pig",
    "variant": "pig",
    "players": 2,
    "agents": "random",
    "workers": 2,
    "matches_per_second": 200.0,
}
FIGURES |= {"one_core": {"ns_per_decision": 50.0}, "steps_per_decision": 9.0}


def run_bench(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    line = [
        sys.executable,
        "-m",
        "boardgames",
        "bench",
        "tic-tac-toe",
        "--json",
        "--no-starts",
        "--seconds",
        "0",
    ]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([*line, *words], cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_figures_are_saved_line_by_line_and_compared_with_the_last_of_the_same_play(tmp_path):
    assert run_bench(tmp_path, "--save", "speeds.jsonl").returncode == 0
    done = run_bench(tmp_path, "--save", "speeds.jsonl", "--since", "speeds.jsonl")
    first, second = (json.loads(line) for line in (tmp_path / "speeds.jsonl").read_text().splitlines())
    assert set(first) == {"commit", "date", "versions", "cpu", "figures"}
    assert first["commit"] == ""  # there is no repository in this folder
    assert first["figures"]["steps_per_decision"] > 0
    change = json.loads(done.stdout)["since"]
    assert change["date"] == first["date"]
    ratio = second["figures"]["steps_per_decision"] / first["figures"]["steps_per_decision"]
    assert change["times_as_much"]["steps_per_decision"] == pytest.approx(ratio)
    assert "since" not in second["figures"]


def test_the_commit_is_that_of_the_current_folder_and_says_whether_files_have_changed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert find_commit() == ""
    Path("rules.py").write_text("1")
    user = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for words in (["init", "-q"], ["add", "."], [*user, "commit", "-qm", "First"]):
        subprocess.run(["git", *words], check=True)
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert find_commit() == commit
    Path("rules.py").write_text("2")
    assert find_commit() == f"{commit}-dirty"


def test_a_change_is_shown_as_ratios_and_other_cores_are_no_change():
    entry = {"commit": "", "date": "2026-01-01", "cpu": "Some CPU", "figures": FIGURES}
    now = {**FIGURES, "matches_per_second": 300.0, "one_core": {"ns_per_decision": 25.0}}
    output = compare_figures(now, entry)
    assert output["commit"] == "none"
    assert output["times_as_much"] == {
        "matches_per_second": 1.5,
        "one_core": {"ns_per_decision": 0.5},
        "steps_per_decision": 1.0,
    }
    output = compare_figures({**now, "workers": 8}, entry)
    assert output["times_as_much"] == {"one_core": {"ns_per_decision": 0.5}, "steps_per_decision": 1.0}


def test_the_last_figures_of_the_same_play_are_found_and_others_are_named(tmp_path):
    path = tmp_path / "speeds.jsonl"
    for speed in (1.0, 2.0):
        save_figures(path, {**FIGURES, "matches_per_second": speed})
    save_figures(path, {**FIGURES, "agents": "greedy"})
    assert find_last_measurement(path, "pig", 2, "random")["figures"]["matches_per_second"] == 2.0
    with pytest.raises(
        InvalidInput, match=r"has no figures of pig 3 random; it has: pig 2 random, pig 2 greedy"
    ):
        find_last_measurement(path, "pig", 3, "random")


@pytest.mark.parametrize("text", ["notes\n", "[1]\n", '{"figures": {}}\n', "\n"])
def test_a_file_of_something_else_is_neither_read_nor_overwritten(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    for words in (["--save", str(path)], ["--since", str(path)]):
        done = run_bench(tmp_path, *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert "line 1: this is not a saved measurement" in done.stderr
    with pytest.raises(InvalidInput):
        read_figures(path)
    assert path.read_text() == text
