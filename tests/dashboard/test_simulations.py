"""A simulation that a page has started: what the page knows of it."""

import subprocess
import sys

import pytest

from boardgames import simulate
from boardgames.plan.plan import make_plan
from dashboard.data import simulations
from dashboard.data.simulations import RunningSimulation

HOLD_OPEN = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


@pytest.fixture
def db(tmp_path):
    path = tmp_path / "shown.duckdb"
    simulate(["pig"], path, players="2", agents=["random"], matches=30)
    return path


def test_the_last_count_stands_while_the_simulation_has_the_file(db, monkeypatch):
    monkeypatch.setattr(simulations, "PATIENCE", 0.0)
    (cell,) = make_plan(["pig"], "2", ["random"], 30).cells
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_OPEN, db], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        running = RunningSimulation(command=["boardgames"], process=holder, log=None, cells={cell.id: 30})
        assert holder.stdout.readline() == "open\n"
        assert running.count_stored(db) == 0
        holder.communicate()
    assert running.count_stored(db) == 30
