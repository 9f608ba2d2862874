"""Stored matches are played again: by `verify` all or a sample, by `merge` a sample, by `replay` one."""

import json
from pathlib import Path

import duckdb
import pytest

from boardgames import Match, find_agent, keep_match, query, simulate, verify
from boardgames.errors import DoesNotAgree, UnusableFile
from boardgames.store.merge import merge
from boardgames.store.recorded_matches import make_person

PIG = "pig+target=20"
FALSE = {
    "hash": "UPDATE match SET hash = hash + 1",
    "turns": "UPDATE match SET turns = 3",
    "score": "UPDATE seat SET score = 99",
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """150 matches of agents in two line-ups, 130 of them on 65 deals, and one of a person."""
    db = tmp_path_factory.mktemp("verify") / "whole.duckdb"
    simulate(PIG, db=db, players="2", agents="random", matches=20)
    simulate(PIG, db=db, players="2", agents="greedy,random", matches=130)
    match = Match(PIG, 2).finish(["random", "random"])
    keep_match(match, (make_person("Ann"), find_agent("random")), db)
    return db


@pytest.fixture
def change(whole, tmp_path):
    """A function that changes a copy of the file by an SQL statement, and returns the copy."""

    def spoil(sql: str) -> Path:
        db = tmp_path / "changed.duckdb"
        db.write_bytes(whole.read_bytes())
        with duckdb.connect(str(db)) as con:
            con.execute(sql)
        return db

    return spoil


def find_match(db: Path, line_up: str, deal: int = 0) -> str:
    where = f"WHERE line_up = '{line_up}' AND deal = {deal} ORDER BY seating"
    row = query(db, f"SELECT cell_id, deal, seating FROM matches {where}").to_pylist()[0]
    return "/".join(str(part) for part in row.values())


def test_all_matches_of_a_file_are_played_again_and_agree(whole, run_command):
    done = verify(whole, workers=2)
    assert (done.checked, done.stored, done.unchecked, done.agrees) == (151, 151, (), True)
    output = run_command("verify", "--db", whole, in_process=True)
    assert output.returncode == 0
    assert output.stdout.startswith("151 of 151 matches played again in ")
    assert output.stdout.endswith(": all agree with what is stored\n")


def test_a_sample_has_deals_of_each_cell_and_about_as_many_matches_as_asked_for(whole):
    assert verify(whole, matches=1).checked in (1, 2)
    assert verify(whole, matches=10).checked in range(10, 12)
    assert verify(whole, matches=10_000).checked == 151


@pytest.mark.parametrize("column", FALSE)
def test_matches_that_are_not_those_of_their_seed_are_counted_and_one_is_named(column, change, run_command):
    where = " WHERE cell_id = (SELECT id FROM cell WHERE line_up = 'random') AND deal IN (3, 5)"
    db = change(FALSE[column] + where)
    done = verify(db)
    (disagreement,) = done.disagreements
    assert (disagreement.matches, disagreement.columns) == (2, (column,))
    assert disagreement.example == find_match(db, "random", 3)
    output = run_command("verify", "--db", db, in_process=True)
    assert output.returncode == 1
    assert "2 do not agree" in output.stdout
    assert f"2 differ in {column}; for example {disagreement.example}" in output.stdout
    answer = json.loads(run_command("verify", "--db", db, "--json", in_process=True).stdout)
    assert (answer["agrees"], answer["disagreements"][0]["matches"]) == (False, 2)


def test_a_false_match_of_a_person_is_found_from_its_actions(change):
    db = change(FALSE["score"] + " WHERE cell_id IN (SELECT id FROM cell WHERE line_up LIKE 'human%')")
    (disagreement,) = verify(db).disagreements
    assert (disagreement.name.line_up, disagreement.matches) == ("human:Ann,random", 1)


@pytest.mark.parametrize("matches", [None, 12])
def test_false_sums_are_found_though_all_matches_agree(matches, change, run_command):
    db = change("UPDATE slice SET total = total * 3 WHERE value = 'turns' AND slice = 0")
    done = verify(db, matches=matches)
    assert done.disagreements == ()
    assert {name.line_up for name in done.wrong_sums} >= {"random", "human:Ann,random"}
    assert not done.agrees


CHANGED = {
    "the rules of pig+target=20 have changed": "UPDATE variant SET fingerprint = 'other'",
    "its agents, random, have changed": "UPDATE cell SET line_up = 'greedy' WHERE line_up = 'random'",
    "no game 'gone'": "UPDATE variant SET spec = 'gone'",
    "has version 1 now, not 7": "UPDATE cell SET engine = 7",
}


@pytest.mark.parametrize("reason", CHANGED)
def test_what_cannot_be_played_again_is_counted_with_its_reason(reason, change, run_command):
    db = change(CHANGED[reason])
    done = run_command("verify", "--db", db, in_process=True)
    assert done.returncode == 0
    assert "not played again: 20 matches of pig+target=20, 2 players" in done.stdout
    assert reason.replace("random", "greedy") in done.stdout


@pytest.mark.parametrize("column", FALSE)
def test_a_file_with_false_matches_is_not_merged(column, change, tmp_path, run_command):
    other, db = change(FALSE[column]), tmp_path / "mine.duckdb"
    with pytest.raises(DoesNotAgree, match=rf"played again here, has other values of {column}"):
        merge(db, other)
    assert not db.exists()
    assert run_command("merge", other, "--db", db, in_process=True).returncode == 1


def test_merged_sums_are_formed_here(change, whole, tmp_path):
    db = tmp_path / "mine.duckdb"
    merge(db, change("UPDATE slice SET total = total * 3"))
    assert verify(db).agrees


STRANGE = {
    "the id of cell": "UPDATE cell SET seed = 2",
    "the id of random": "UPDATE agent SET fingerprint = 'other' WHERE name = 'random'",
    "the id of pig": "UPDATE variant SET name = 'pig'",
    "the seats of cell": "UPDATE seating SET slot = 3 - slot WHERE seating = 1",
    "values are missing in the column turns": "UPDATE match SET turns = NULL WHERE deal = 7",
    "it has results that no match has": "UPDATE seat SET rank = 2 WHERE deal = 7",
}


@pytest.mark.parametrize("problem", STRANGE)
def test_rows_that_are_not_what_they_are_said_to_be_are_not_merged(problem, change, tmp_path):
    with pytest.raises(UnusableFile, match=problem):
        merge(tmp_path / "mine.duckdb", change(STRANGE[problem]))
    assert not (tmp_path / "mine.duckdb").exists()


def test_merge_says_how_many_matches_were_played_again_and_why_others_could_not_be(
    whole, change, tmp_path, run_command
):
    done = run_command("merge", whole, "--db", tmp_path / "mine.duckdb", in_process=True)
    assert "151 of its matches played again here: all agree" in done.stdout
    gone = run_command(
        "merge", change(CHANGED["no game 'gone'"]), "--db", tmp_path / "2.duckdb", in_process=True
    )
    assert gone.returncode == 0
    assert "20 matches of pig+target=20 by random could not be played again: no game 'gone'" in gone.stdout


def test_replay_says_where_it_does_not_agree_with_what_is_stored(change, run_command):
    db = change("UPDATE seat SET score = 99; UPDATE match SET hash = hash + 1, turns = 3")
    for line_up in ("greedy,random", "human:Ann,random"):
        done = run_command("replay", find_match(db, line_up), "--db", db, in_process=True)
        assert done.returncode == 1
        assert "says otherwise of match" in done.stderr
        assert "turns 3, not " in done.stderr
        assert "score 99:99, not " in done.stderr
        assert "Turn 1" in done.stdout or "turn 1" in done.stdout


def test_an_honest_replay_says_nothing_of_it(whole, run_command):
    for line_up in ("greedy,random", "human:Ann,random"):
        done = run_command("replay", find_match(whole, line_up), "--db", whole, in_process=True)
        assert (done.returncode, done.stderr) == (0, "")
