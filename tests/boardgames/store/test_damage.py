"""A damaged or forged result file: whoever reads it says so in one sentence, and nothing of it is copied."""

from pathlib import Path

import duckdb
import pytest

from boardgames import Match, find_agent, keep_match, query, simulate
from boardgames.errors import UnusableFile
from boardgames.people.seated_match import load_seated
from boardgames.store.listing import list_runs
from boardgames.store.merge import merge
from boardgames.store.opening.damage import explain_damage
from boardgames.store.recorded_matches import make_person
from boardgames.store.replay import replay_stored

PIG = "pig+target=20"


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """Matches of agents in two line-ups, and one of a person."""
    db = tmp_path_factory.mktemp("damage") / "whole.duckdb"
    simulate(PIG, db=db, players="2", agents=["random", "greedy,random"], matches=20)
    match = Match(PIG, 2).finish(["random", "random"])
    keep_match(match, (make_person("Ann"), find_agent("random")), db)
    return db


@pytest.fixture
def damage(whole, tmp_path):
    """A function that damages a copy of the file by an SQL statement, and returns the copy."""

    def spoil(sql: str) -> Path:
        db = tmp_path / "damaged.duckdb"
        db.write_bytes(whole.read_bytes())
        with duckdb.connect(str(db)) as con:
            con.execute(sql)
        return db

    return spoil


def change(table: str, column: str, value: str) -> str:
    """SQL that writes something else into a column, whatever its type was."""
    return f"""CREATE TABLE changed AS SELECT * REPLACE ({value} AS "{column}") FROM "{table}";
        DROP TABLE "{table}"; ALTER TABLE changed RENAME TO "{table}" """


def rename(table: str, column: str) -> str:
    return f"""CREATE TABLE changed AS SELECT * RENAME ("{column}" AS other) FROM "{table}";
        DROP TABLE "{table}"; ALTER TABLE changed RENAME TO "{table}" """


UNMERGEABLE = {
    "player count, too large": change("cell", "players", "3"),
    "player count, none": change("cell", "players", "0"),
    "player count, below 0": change("cell", "players", "-5"),
    "seating rows": "DELETE FROM seating WHERE seat = 2",
    "a cell": "DELETE FROM cell WHERE line_up = 'random'",
    "a deal's number": "UPDATE match SET deal = 99 WHERE deal = 3",
    "a seat's deal": "UPDATE seat SET deal = 99 WHERE deal = 3",
    "a match that is there twice": "INSERT INTO match SELECT * FROM match LIMIT 1",
    "batches, too long": "UPDATE batch SET deals = deals + 1",
    "batches, far too long": "UPDATE batch SET deals = 99999999999",
    "batches, without deals": "UPDATE batch SET deals = 0",
    "batches, without a time": change("batch", "seconds", "NULL::DOUBLE"),
    "batches, with a time in words": change("batch", "seconds", "'x'"),
    "tallies": change("variant", "tallies", "'7'::JSON"),
    "scores in words": change("seat", "score", "'x'"),
    "actions in words": change("actions", "actions", "'x'"),
    "a name": change("variant", "name", "NULL::VARCHAR"),
}


@pytest.mark.parametrize("part", UNMERGEABLE)
def test_nothing_of_a_damaged_file_is_merged(part, whole, damage, tmp_path, run_command):
    other, db = damage(UNMERGEABLE[part]), tmp_path / "mine.duckdb"
    simulate(PIG, db=db, players="2", agents=["random"], matches=2)
    before = db.read_bytes()
    done = run_command("merge", other, "--db", db, in_process=True)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert f"{other} is damaged: " in done.stderr
    assert db.read_bytes() == before


def test_swapped_chance_without_an_entry_for_each_deal_is_not_merged(damage, tmp_path):
    other = damage("INSERT INTO luck VALUES (1, 0, 3, ['dice'], 0, 1, [0, 1], [0.5, 0.5], [1, 2])")
    with pytest.raises(UnusableFile, match="does not have an entry for each deal"):
        merge(tmp_path / "mine.duckdb", other)
    assert not (tmp_path / "mine.duckdb").exists()


UNPLAYABLE = {
    "who had which seat": "DELETE FROM seating",
    "slots": change("seating", "slot", "-5"),
    "slots without a number": change("seating", "slot", "NULL::INTEGER"),
}


@pytest.mark.parametrize("part", UNPLAYABLE)
def test_a_match_of_a_damaged_file_is_not_replayed(part, whole, damage):
    match = find_match(whole, "random")
    assert replay_stored(whole, match).is_over
    with pytest.raises(UnusableFile, match="is damaged: "):
        replay_stored(damage(UNPLAYABLE[part]), match)


def test_agents_that_a_file_has_lost_are_not_those_of_today(whole, damage, run_command):
    db = damage("DELETE FROM agent")
    done = run_command("replay", find_match(whole, "random"), "--db", db, in_process=True)
    assert (done.returncode, "have changed since this match" in done.stderr) == (2, True)


@pytest.mark.parametrize("actions", ["[9999, -1]", "[0, NULL]", "[1, 1, 1, 1, 1, 1, 1]"])
def test_actions_that_cannot_be_played_are_damage(actions, whole, damage):
    match = find_match(whole, "human:Ann,random")
    with pytest.raises(UnusableFile, match="is damaged: "):
        replay_stored(damage(f"UPDATE actions SET actions = {actions}"), match)


def test_a_match_that_a_person_left_is_not_resumed_where_it_cannot_be_played(whole, damage):
    match = find_match(whole, "human:Ann,random")
    assert load_seated(whole, match).is_finished
    with pytest.raises(UnusableFile, match="the actions of a match cannot be played: pig"):
        load_seated(damage("UPDATE actions SET actions = [9999]"), match)


@pytest.mark.parametrize(
    "sql",
    [
        rename("run", "note"),
        rename("match", "turns"),
        "DROP TABLE registration",
        "DROP VIEW results",
        change("run", "created", "'long ago'"),
    ],
)
def test_a_column_or_a_table_that_is_gone_is_damage_for_every_command(sql, whole, damage, run_command):
    db = damage(sql)
    again = ["simulate", PIG, "--players", "2", "--agents", "random", "--matches", "20"]
    commands = [["runs"], ["export", "cells", "--output", "x.csv"], ["forget", "1"], again]
    for words in commands if "created" not in sql else [["runs"]]:
        done = run_command(*words, "--db", db, in_process=True)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), words
        assert f"{db} is damaged: " in done.stderr


def test_what_duckdb_says_to_a_query_that_somebody_typed_stays_as_it_is(whole):
    with pytest.raises(duckdb.CatalogException, match="no_such_table"):
        query(whole, "FROM no_such_table")
    with pytest.raises(duckdb.ConversionException):
        query(whole, "SELECT 'x'::INTEGER")


def test_the_error_that_damage_made_stays_its_cause_and_a_full_memory_is_no_damage(damage):
    with pytest.raises(UnusableFile) as told:
        list_runs(damage(change("run_cell", "deals", "NULL::INTEGER")))
    assert isinstance(told.value.__cause__, TypeError)
    with pytest.raises(duckdb.OutOfMemoryException), explain_damage(Path("x")):
        raise duckdb.OutOfMemoryException("full")


def find_match(db: Path, line_up: str) -> str:
    sql = f"SELECT * FROM matches WHERE line_up = '{line_up}' ORDER BY deal, seating LIMIT 1"
    (row,) = query(db, sql).to_pylist()
    return f"{row['cell_id']}/{row['deal']}/{row['seating']}"
