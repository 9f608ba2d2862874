"""A result file of the version before, in its words and with its fingerprints, goes on as before.

All three games have changed since: Celtae's rules, the evaluations of Celtica and Keltis. So what is asked of
rules that have stayed is asked of Celtica and Keltis with the evaluation, the styles and the file of earlier
rules that they had until commit 504dd86. So has `mcts`: its search of then is beside them.
"""

import dataclasses
import gzip
import json
import shutil
from pathlib import Path

import pytest

from boardgames import find_variant
from boardgames.agents import agent
from boardgames.agents.earlier_code import EARLIER_DIGESTS
from boardgames.errors import RulesChanged
from boardgames.game import plugins
from boardgames.plan.plan import make_plan
from boardgames.rules.rulecode import digest_rules
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.replay import replay_stored
from boardgames.store.schema import SCHEMA

OF_CELTAE = (
    "WHERE cell_id IN (SELECT cell.id FROM cell JOIN variant ON cell.variant_id = variant.id "
    "WHERE variant.game = 'celtae')"
)
GAMES_OF_THEN = Path(__file__).parent / "games_of_schema_4"
SEARCH_OF_THEN = "35b4864bee0c6fa9aec7abf25371bcb1"  # the digest of its code in the file
OLD_FILE = Path(__file__).parent / "schema_4.duckdb.gz"  # made by commit 500d3d3: see its table `run`


@pytest.fixture
def old_db(tmp_path):
    """A simulation, a mixed line-up, two comparisons, a ladder, a person's matches, an interrupted run."""
    db = tmp_path / "old.duckdb"
    with gzip.open(OLD_FILE) as packed, db.open("wb") as unpacked:
        shutil.copyfileobj(packed, unpacked)
    return db


@pytest.fixture
def games_of_then(monkeypatch):
    """Celtica, Keltis and the search play as they did when the file was made."""
    todays = plugins.load_installed_game
    games = {name: make_game_of_then(name) for name in ("celtica", "keltis")}
    monkeypatch.setattr(
        plugins, "load_installed_game", lambda name: games[name] if name in games else todays(name)
    )
    search = plugins.import_file(GAMES_OF_THEN / "search.py").search_tree
    monkeypatch.setitem(agent.BUILT_IN, "mcts", dataclasses.replace(agent.BUILT_IN["mcts"], choose=search))
    monkeypatch.setitem(EARLIER_DIGESTS, digest_rules([search]), SEARCH_OF_THEN)
    agent.find_agent_type.cache_clear()
    yield
    agent.find_agent_type.cache_clear()


def make_game_of_then(name):
    folder = GAMES_OF_THEN / name
    evaluation = plugins.import_file(folder / "evaluation.py")
    game = dataclasses.replace(
        find_variant(name).game,
        evaluate=evaluation.evaluate,
        styles=plugins.import_file(folder / "styles.py").STYLES,
        earlier_rules=folder / "earlier_rules.json.gz",
    )
    if game.is_turn_uncertain:
        game = dataclasses.replace(game, is_turn_uncertain=evaluation.is_turn_uncertain)
    return game


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


def test_cells_of_an_older_file_are_those_that_would_be_played_today(old_db, games_of_then):
    """Fingerprints of rules and agents, and with them the ids of cells, are the same."""
    stored = {cell for (cell,) in query(old_db, "SELECT id FROM cell")}
    plan = make_plan(["celtica", "celtica:en"], "2,4", ["greedy"], seed=7)
    plan_of_mixed = make_plan(["keltis+hand_size=7"], "2", ["greedy,random"], seed=3)
    assert {cell.id for cell in (*plan.cells, *plan_of_mixed.cells)} <= stored


@pytest.mark.parametrize(
    ("game", "cell"), [("celtae", "celtae"), ("celtica", "celtica"), ("keltis", "keltis+hand_size=7")]
)
def test_results_under_rules_that_have_changed_do_not_count_as_todays(old_db, game, cell):
    """Celtae's next druid tile is turned up later than it was, and its draft is no turn any more. Celtica and
    Keltis have other evaluations, by which greedy plays otherwise.
    """
    stored = {cell_id for (cell_id,) in query(old_db, "SELECT id FROM cell")}
    for agents, seed in (("greedy,random", 3), ("greedy", 7)):
        assert not {planned.id for planned in make_plan([cell], "2", [agents], seed=seed).cells} & stored
    matches = query(
        old_db,
        f"SELECT cell_id, max(deal) FROM match {OF_CELTAE.replace('celtae', game)} GROUP BY ALL ORDER BY ALL",
    )
    for cell_id, deal in matches[:1]:
        with pytest.raises(RulesChanged, match=rf"the rules of {game}\S*, or its agents, have changed"):
            replay_stored(old_db, f"{cell_id}/{deal}/0")


@pytest.mark.long
def test_an_interrupted_run_of_an_older_file_goes_on(old_db, games_of_then, run_command):
    before = query(old_db, "SELECT count(*) FROM match")[0][0]
    words = "simulate keltis --players 2 --agents mcts:64 --matches 40 --seed 5 --json"
    done = run_command(*words.split(), "--db", str(old_db), in_process=True)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["stored"] == 8  # 32 of the 40 were stored
    assert query(old_db, "SELECT count(*) FROM match")[0][0] == before + 8


def test_a_comparison_of_an_older_file_is_answered_without_playing(old_db, games_of_then, run_command):
    before = query(old_db, "SELECT count(*) FROM match")
    words = "compare celtica celtica+hand_size=6 --players 2 --agents random --agents greedy --json"
    done = run_command(*words.split(), "--db", str(old_db), in_process=True)
    assert done.returncode == 0, done.stderr
    assert query(old_db, "SELECT count(*) FROM match") == before


@pytest.mark.long
def test_matches_of_an_older_file_replay_hash_for_hash(old_db, games_of_then):
    """One match of every cell whose rules have not changed; a replay whose hash is not the stored one is an
    error.
    """
    others = OF_CELTAE.replace(" IN ", " NOT IN ")
    for cell, deal in query(
        old_db, f"SELECT cell_id, max(deal) FROM match {others} GROUP BY ALL ORDER BY ALL"
    ):
        assert replay_stored(old_db, f"{cell}/{deal}/0").is_over


def test_a_match_that_a_person_left_goes_on(old_db, games_of_then, run_command):
    words = "play celtica --agents greedy --name Ann"
    done = run_command(*words.split(), "--db", str(old_db), in_process=True)
    assert done.returncode in (0, 130), done.stderr
    assert "take the middle" in done.stdout


def test_a_ladder_of_an_older_file_is_shown_without_playing(old_db, games_of_then, run_command):
    before = query(old_db, "SELECT count(*) FROM match")
    words = "ladder keltis --players 2 --agents random,greedy --matches 40 --json"
    done = run_command(*words.split(), "--db", str(old_db), in_process=True)
    assert done.returncode == 0, done.stderr
    assert query(old_db, "SELECT count(*) FROM match") == before
