"""The driver of matches with people, by which the terminal and the dashboard play."""

import pytest

from boardgames import InvalidInput, Match, find_agent, find_variant
from boardgames.errors import FileInUse
from boardgames.people.seated_match import SeatedMatch, find_seat_agent, load_seated, resume_or_begin
from boardgames.plan.cell import PlannedCell
from boardgames.store.recorded_matches import MatchWentOn, list_unfinished
from boardgames.store.replay import replay_stored
from tests.support.processes import hold_open


@pytest.fixture
def sit_down(tmp_path):
    """A function that begins a match of these people and agents."""

    def begin(spec: str, *names: str) -> SeatedMatch:
        variant = find_variant(spec)
        line_up = tuple(find_seat_agent(name, variant.game) for name in names)
        cell = PlannedCell(variant, line_up, 1, rotate_seats=False)
        return resume_or_begin(tmp_path / "table.duckdb", cell, None, new=True)[0]

    return begin


def choose(seated: SeatedMatch, words: str) -> None:
    seated.play_forced()
    seated.choose(seated.match.choices()[words])


def test_a_choice_that_revealed_nothing_is_taken_back_also_in_the_file(sit_down):
    seated = sit_down("connect-four", "human:Anna", "human:Ben")
    choose(seated, "drop into column 4")
    assert (seated.seat, seated.can_undo(0), seated.can_undo(1)) == (1, True, False)
    seated.undo(0)
    assert (seated.seat, seated.match.actions) == (0, [])
    assert load_seated(seated.db, seated.id).match.actions == []
    assert not seated.can_undo(0)


def test_a_match_knows_whether_the_file_has_all_that_people_have_chosen(sit_down, monkeypatch):
    seated = sit_down("connect-four", "human:Anna", "human:Ben")
    assert seated.is_stored
    monkeypatch.setenv("BOARDGAMES_PATIENCE", "0")
    with hold_open(seated.db), pytest.raises(FileInUse):
        choose(seated, "drop into column 4")
    assert not seated.is_stored
    seated.save()
    assert seated.is_stored
    with hold_open(seated.db), pytest.raises(FileInUse):
        seated.undo(0)
    assert not seated.is_stored
    while seated.match.is_on:
        seated.choose(seated.match.legal()[0])
    assert not seated.is_stored  # what is counted of it is missing
    seated.finish()
    assert seated.is_stored


def test_what_agents_do_need_not_be_stored(sit_down):
    seated = sit_down("connect-four", "human", "greedy")
    choose(seated, "drop into column 4")
    seated.play_agents()
    assert len(seated.match.actions) == 2
    assert seated.is_stored


def test_a_choice_stays_once_another_seat_has_acted(sit_down):
    seated = sit_down("connect-four", "human", "greedy")
    choose(seated, "drop into column 4")
    seated.play_agents()
    assert not seated.can_undo(0)
    with pytest.raises(InvalidInput, match="another seat acted"):
        seated.undo(0)


def test_a_choice_stays_once_something_was_drawn(sit_down):
    seated = sit_down("magpies", "human", "human:Ben")
    seated.play_forced()
    choose(seated, next(words for words in seated.match.choices() if words.startswith("drop")))
    seated.play_forced()
    assert (seated.seat, seated.can_undo(0)) == (1, True)
    choose(seated, "draw a card")
    assert not seated.can_undo(1)


def test_what_a_person_can_only_do_is_done_without_asking(sit_down):
    seated = sit_down("magpies", "human:Anna", "human:Ben")
    seated.play_forced()
    assert len(seated.match.legal()) > 1
    assert len(seated.match.actions) == 1
    assert seated.choices == []


def test_the_news_tell_what_a_seat_saw_since_it_chose(sit_down):
    seated = sit_down("magpies", "human:Anna", "random")
    seated.play_forced()
    assert [move.words for move in seated.list_news(0)] == ["draw a card"]
    choose(seated, next(words for words in seated.match.choices() if words.startswith("drop")))
    seated.play_forced()
    news = seated.list_news(0)
    assert news[0].seat == 0
    assert news[0].words.startswith("drop")
    assert {move.seat for move in news[1:]} == {1}
    assert not any("seat 2 draws" in effect for move in news for effect in move.effects)


def test_a_match_is_found_again_by_its_id_with_everybody_in_their_seats(sit_down):
    seated = sit_down("connect-four", "human:Anna", "greedy")
    choose(seated, "drop into column 3")
    again = load_seated(seated.db, seated.id)
    assert [agent.name for agent in again.cell.line_up] == ["human:Anna", "greedy"]
    assert (again.match.actions, again.choices, again.people) == ([2], [0], (0,))
    (waiting,) = list_unfinished(seated.db)
    assert (waiting.id, waiting.variant, waiting.line_up) == (seated.id, "connect-four", "human:Anna,greedy")
    with pytest.raises(InvalidInput, match="has no match of people with the id 1/2/0"):
        load_seated(seated.db, "1/2/0")


def test_two_windows_do_not_overwrite_each_other(sit_down):
    first = sit_down("connect-four", "human:Anna", "human:Ben")
    second = load_seated(first.db, first.id)
    choose(first, "drop into column 3")
    with pytest.raises(MatchWentOn, match="went on in another window"):
        choose(second, "drop into column 5")
    assert load_seated(first.db, first.id).match.actions == [2]


def test_a_finished_match_of_several_people_is_stored_and_waits_no_longer(sit_down):
    seated = sit_down("connect-four", "human:Anna", "human:Ben")
    for column in (1, 2, 1, 2, 1, 2, 1):
        choose(seated, f"drop into column {column}")
    number = seated.finish()
    assert list_unfinished(seated.db) == []
    assert load_seated(seated.db, number).is_finished
    assert replay_stored(seated.db, number).actions == seated.match.actions


def test_a_name_is_one_person_and_has_one_seat(sit_down):
    with pytest.raises(InvalidInput, match="Anna has 2 seats: give each person another name, or none"):
        sit_down("connect-four", "human:Anna", "human:Anna")
    assert sit_down("connect-four", "human", "human").people == (0, 1)


def test_people_play_a_deal_that_none_of_them_has_seen(sit_down):
    sit_down("connect-four", "human:Anna", "greedy")
    assert sit_down("connect-four", "human:Ben", "human:Anna").match.deal == 1
    assert sit_down("connect-four", "human:Ben", "greedy").match.deal == 2


def test_a_search_tells_how_often_it_looked_into_each_action():
    match = Match(find_variant("tic-tac-toe"), 2).push("take the top left").push("take the centre")
    match.push("take the top").push("take the bottom")
    agent = find_agent("mcts:64", match.game)
    visits = match.search(agent)
    assert sum(visits.values()) == 64
    assert list(visits.values()) == sorted(visits.values(), reverse=True)
    assert match.say(next(iter(visits))) == "take the top right"  # it wins at once
    assert len(match.actions) == 4
    match.step(agent)
    assert match.actions[-1] == next(iter(visits))
