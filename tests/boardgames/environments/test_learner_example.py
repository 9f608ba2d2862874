"""The steps of docs/own_game/learners.md, from training to a ladder, typed as they stand there."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from boardgames import query

ROOT = Path(__file__).parents[3]
DOCS = (ROOT / "docs/own_game/learners.md").read_text()
(STEPS,) = [page for page in re.findall(r"```\n(.*?)```", DOCS, re.DOTALL) if "train.py" in page]


@pytest.mark.long
def test_a_net_is_trained_in_a_minute_and_rated_on_a_ladder(tmp_path, run_command):
    folder = tmp_path / "learner"
    shutil.copytree(ROOT / "examples/learner", folder)
    training, *commands = [shlex.split(line) for line in STEPS.splitlines()]
    command = [sys.executable, *training[1:], "--updates", "30"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for words in commands:
        done = run_command(*words[1:], "--db", "results.duckdb", folder=folder)
        assert done.returncode == 0, done.stderr
        assert "./player.py:agent" in done.stdout
    sql = """SELECT avg(win_share) AS wins FROM results
        WHERE agent = './player.py:agent' AND line_up LIKE '%random%'"""
    (row,) = query(folder / "results.duckdb", sql).to_pylist()
    assert row["wins"] > 0.65  # half would be as good as random
