"""The same question to the same file has the same answer, to the last digit."""

import json

import pytest

from analytics.metric.evidence import load_evidence
from analytics.metric.metric import find_metric
from boardgames import simulate
from boardgames.plan.plan import make_plan
from boardgames.store.connection import get_connection, open_for_writing
from boardgames.store.read import load_totals

PIG = "pig+target=10"
METRICS = ("downtime", "length", "winning_margin", "seat_win_share", "score_spread")


def test_sums_are_the_same_each_time_they_are_asked_for(tmp_path):
    """Of a file with more rows than one core takes at a time, and fractions in them."""
    db, (cell,) = tmp_path / "large.duckdb", make_plan(PIG, "2", "random", 1, 1).cells
    simulate(PIG, db=db, players="2", agents="random", matches=64)
    fractions = """SELECT cell_id, range AS slice, value, deals, total / 3 + sin(range) AS total,
        squares + total * cos(range) / 7 + 1 AS squares FROM slice, range(1, 6000)"""
    with open_for_writing(db) as session:
        get_connection(session).execute(f"INSERT INTO slice {fractions}")
    metrics = [find_metric(name) for name in METRICS]
    totals = [load_totals(db, {cell.id: cell}) for _ in range(8)]
    assert all(total == totals[0] for total in totals)
    evidence = [load_evidence(db, [cell.id], metrics) for _ in range(8)]
    assert len({str((loaded.sums, loaded.units, loaded.values)) for loaded in evidence}) == 1


@pytest.mark.long
def test_the_same_comparison_by_any_number_of_workers_is_the_same_json(tmp_path, run_command):
    answers = []
    for workers in (1, 3):
        asked = [PIG, f"{PIG}+hold_at=5", "--players", "3", "--agents", "random", "--matches", "600"]
        options = ["--db", tmp_path / f"{workers}.duckdb", "--workers", workers, "--json"]
        done = run_command("compare", *asked, *options, in_process=True)
        assert done.returncode in (0, 3), done.stderr
        answers.append(json.loads(done.stdout))
        for name in ("file", "registered", "match_seconds"):  # where, when and how fast
            del answers[-1][name]
    assert answers[0] == answers[1]
