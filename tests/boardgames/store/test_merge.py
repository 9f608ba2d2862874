"""Recorded matches in two files that are merged: each keeps the actions that belong to it."""

from pathlib import Path

import pytest

from boardgames import Match, find_agent, find_variant, keep_match, query
from boardgames.errors import UnusableFile
from boardgames.plan.cell import PlannedCell
from boardgames.store.forget import delete_run
from boardgames.store.merge import Merged, merge
from boardgames.store.recorded_matches import (
    list_unfinished,
    make_person,
    record_start,
    save_actions,
    store_finished,
)
from boardgames.store.replay import replay_stored

PIG = find_variant("pig+target=20")
LINE_UP = (make_person("Anna"), find_agent("random"))
CELL = PlannedCell(PIG, LINE_UP, seed=1, rotate_seats=False)


def play(agent: str, moves: int | None = None) -> Match:
    """A match on deal 0 as Anna plays it, like this agent; all of it, or a number of moves."""
    line_up = [find_agent(agent, PIG.game), find_agent("random")]
    match = Match(PIG, 2).finish(line_up)
    if moves is None:
        return match
    begun = Match(PIG, 2)
    for action in match.actions[:moves]:
        begun.push(action)
    return begun


def begin(db: Path, match: Match) -> Path:
    """A file with a match that is not over."""
    record_start(db, CELL, match)
    return db


def read_recorded(db: Path) -> list[dict]:
    return query(db, "FROM actions ORDER BY ALL").to_pylist()


@pytest.fixture
def files(tmp_path) -> tuple[Path, Path]:
    return tmp_path / "home.duckdb", tmp_path / "club.duckdb"


def test_a_person_plays_the_same_deal_at_home_and_at_the_club_and_both_files_stay_true(files, run_command):
    matches = {db: play(agent) for db, agent in zip(files, ("greedy", "random"), strict=True)}
    lengths = {len(match.actions) for match in matches.values()}
    assert len(lengths) == 2
    for db, match in matches.items():
        keep_match(match, LINE_UP, db)
    for db, other in (files, files[::-1]):
        before = query(db, "FROM results").to_pylist(), read_recorded(db)
        assert merge(db, other) == Merged(matches=0, swapped_deals=0, kept=1)
        assert (query(db, "FROM results").to_pylist(), read_recorded(db)) == before
        assert replay_stored(db, f"{CELL.id}/0/0").actions == matches[db].actions
    db, other = files
    assert run_command("merge", other, "--db", db, in_process=True).stdout == (
        f"added 0 matches to {db}\n1 of its matches played again here: all agree\n"
        f"1 of the recorded matches differ in {other}; {db} keeps its own\n"
    )


def test_a_match_that_was_finished_elsewhere_is_finished_here_with_its_time(files):
    db, other = files
    begin(db, play("greedy", moves=3))
    match = play("greedy")
    store_finished(begin(other, match), CELL, match)
    assert merge(db, other) == Merged(matches=1, swapped_deals=0, kept=0)
    assert read_recorded(db) == read_recorded(other)
    assert replay_stored(db, f"{CELL.id}/0/0").actions == match.actions
    assert merge(db, other) == Merged(matches=0, swapped_deals=0, kept=0)


def test_a_match_that_is_on_is_not_replaced_by_another_one_on_its_deal(files):
    db, other = files
    finished, actions = play("random"), play("greedy").actions
    same = next(n for n, pair in enumerate(zip(actions, finished.actions, strict=False)) if len({*pair}) == 2)
    begun = play("greedy", moves=same + 1)
    begin(db, begun)
    store_finished(begin(other, finished), CELL, finished)
    assert merge(db, other) == Merged(matches=0, swapped_deals=0, kept=1)
    assert [match.actions for match in list_unfinished(db)] == [begun.actions]


@pytest.mark.parametrize(
    ("here", "there", "merged"),
    [(3, 5, 5), (5, 3, 5), (3, 3, 3), (None, 3, None)],
)
def test_of_a_match_that_went_on_in_one_file_the_longer_course_stays(here, there, merged, files):
    db, other = files
    match = play("greedy", here)
    begin(db, match)
    if here is None:
        store_finished(db, CELL, match)
    begin(other, play("greedy", there))
    assert merge(db, other) == Merged(matches=0, swapped_deals=0, kept=0)
    assert [row["actions"] for row in read_recorded(db)] == [play("greedy", merged).actions]


def test_a_match_that_was_forgotten_meanwhile_is_not_stored_without_its_cell(files):
    db, _ = files
    match = play("greedy", moves=3)
    begin(db, match)
    delete_run(db, "1")
    with pytest.raises(UnusableFile, match="does not have this run any more"):
        save_actions(db, CELL, match)
    assert read_recorded(db) == []
