"""A result file of the version before, in its words and with its fingerprints, goes on as before."""

import gzip
import json
import shutil
from pathlib import Path

import pytest

from boardgames.errors import RulesChanged
from boardgames.plan.plan import make_plan
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.replay import replay_stored
from boardgames.store.schema import SCHEMA

OF_CELTAE = (
    "WHERE cell_id IN (SELECT cell.id FROM cell JOIN variant ON cell.variant_id = variant.id "
    "WHERE variant.game = 'celtae')"
)
OLD_FILE = Path(__file__).parent / "schema_4.duckdb.gz"  # made by commit 500d3d3: see its table `run`


@pytest.fixture
def old_db(tmp_path):
    """A simulation, a mixed line-up, two comparisons, a ladder, a person's matches, an interrupted run."""
    db = tmp_path / "old.duckdb"
    with gzip.open(OLD_FILE) as packed, db.open("wb") as unpacked:
        shutil.copyfileobj(packed, unpacked)
    return db


def query(db: Path, sql: str) -> list[tuple]:
    with open_for_reading(db) as session:
        return get_connection(session).execute(sql).fetchall()


def test_an_older_file_is_brought_to_todays_words(old_db):
    assert query(old_db, "SELECT max(schema_version) FROM boardgames_file") == [(SCHEMA,)]
    assert query(old_db, "SELECT count(*), sum(rounds), min(winning_margin) FROM match")[0][0] == 1129
    assert query(old_db, "SELECT count(DISTINCT name) FROM run") == [(11,)]
    words = str(query(old_db, "SELECT terms FROM registration"))
    assert "winning_margin" in words
    assert "victory_margin" not in words


def test_cells_of_an_older_file_are_those_that_would_be_played_today(old_db):
    """Fingerprints of rules and agents, and with them the ids of cells, are the same."""
    stored = {cell for (cell,) in query(old_db, "SELECT id FROM cell")}
    plan = make_plan(["celtica", "celtica:en"], "2,4", ["greedy"], seed=7)
    plan_of_mixed = make_plan(["keltis+hand_size=7"], "2", ["greedy,random"], seed=3)
    assert {cell.id for cell in (*plan.cells, *plan_of_mixed.cells)} <= stored


def test_results_under_rules_that_have_changed_do_not_count_as_todays(old_db):
    """Celtae's next druid tile is turned up later than it was, and its draft is no turn any more."""
    stored = {cell for (cell,) in query(old_db, "SELECT id FROM cell")}
    plan = make_plan(["celtae"], "2", ["greedy,random"], seed=3)
    assert not {cell.id for cell in plan.cells} & stored
    ((cell, deal),) = query(old_db, f"SELECT cell_id, max(deal) FROM match {OF_CELTAE} GROUP BY ALL")
    with pytest.raises(RulesChanged, match="the rules of celtae, or its agents, have changed"):
        replay_stored(old_db, f"{cell}/{deal}/0")


def test_an_interrupted_run_of_an_older_file_goes_on(old_db, run_command):
    before = query(old_db, "SELECT count(*) FROM match")[0][0]
    words = "simulate keltis --players 2 --agents mcts:64 --matches 40 --seed 5 --json"
    done = run_command(*words.split(), "--db", str(old_db))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["stored"] == 8  # 32 of the 40 were stored
    assert query(old_db, "SELECT count(*) FROM match")[0][0] == before + 8


def test_a_comparison_of_an_older_file_is_answered_without_playing(old_db, run_command):
    before = query(old_db, "SELECT count(*) FROM match")
    words = "compare celtica celtica+hand_size=6 --players 2 --agents random --agents greedy --json"
    done = run_command(*words.split(), "--db", str(old_db))
    assert done.returncode == 0, done.stderr
    assert query(old_db, "SELECT count(*) FROM match") == before


def test_matches_of_an_older_file_replay_hash_for_hash(old_db):
    """One match of every cell whose rules have not changed; a replay whose hash is not the stored one is an
    error.
    """
    others = OF_CELTAE.replace(" IN ", " NOT IN ")
    for cell, deal in query(
        old_db, f"SELECT cell_id, max(deal) FROM match {others} GROUP BY ALL ORDER BY ALL"
    ):
        assert replay_stored(old_db, f"{cell}/{deal}/0").is_over


def test_a_match_that_a_person_left_goes_on(old_db, run_command):
    words = "play celtica --against greedy --name Ann"
    done = run_command(*words.split(), "--db", str(old_db), input="q\n")
    assert done.returncode in (0, 130), done.stderr
    assert "take the middle" in done.stdout


def test_a_ladder_of_an_older_file_is_shown_without_playing(old_db, run_command):
    before = query(old_db, "SELECT count(*) FROM match")
    words = "ladder keltis --players 2 --agents random,greedy --matches 40 --json"
    done = run_command(*words.split(), "--db", str(old_db))
    assert done.returncode == 0, done.stderr
    assert query(old_db, "SELECT count(*) FROM match") == before
