"""Whole matches: nothing is lost, nobody sees too much, bounds hold, greedy players know what they want,
every law is kept.
"""

import itertools

import pytest

from boardgames import Match, check_game, play_batch
from boardgames.agents.seating import find_line_up
from boardgames.play.batch import bind_engine
from boardgames.rules import protocol
from boardgames.rules.chance import fold
from tests.variants.celtica.setting import table, variant
from variants.celtica import GAME, codes, words
from variants.celtica.board import BOARDS

NAMES = ["", *GAME.variants]
WALKS = [(name, board, 2 + n % 4) for n, (name, board) in enumerate(itertools.product(NAMES, BOARDS))]
COUNTS = (
    "druid_deck",
    "druid_discard",
    "hand",
    "experience_deck",
    "experience_discard",
    "experience",
    "stock",
    "given_up",
)


@pytest.mark.parametrize(("name", "board", "seats"), WALKS)
def test_no_card_and_no_part_is_ever_lost(name, board, seats):
    """60 druid cards, 20 experience cards and 90 parts, of each colour and kind, at every step; and no count
    is negative.
    """
    match = Match(variant(f"{name}+board={board}"), seats, seed=41, compiled=True)
    while not match.is_over:
        match.step("random")
        counts = GAME.census(match.state)
        assert list(counts.values()) == [12] * 5 + [4] * 5 + [10] * 9
        assert all((match.state[field] >= 0).all() for field in (*COUNTS, "display", "parts"))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seats", [2, 5])
def test_matches_are_as_long_as_declared_and_end_for_a_reason(name, seats):
    batch = play_batch(variant(name), "random", seats, 500, seed=3)
    low, high = variant(name).bounds("turns", seats)
    assert low <= batch.matches["turns"].min() <= batch.matches["turns"].max() <= high
    assert batch.matches["end"].all()
    assert batch.matches["decisions"].max() < 600


def test_the_record_is_small():
    assert GAME.state.itemsize < 1024


def test_the_tallies_add_up():
    tally = play_batch(variant(), "random", 4, 300).seats["tally"].sum(axis=(0, 1))
    count = dict(zip(codes.TALLIES, tally.tolist(), strict=True))
    assert count["cult visits"] >= count["cult cards taken"] + count["cult cards refused"]
    assert count["experience gained"] >= count["experience to move"] + count["experience at the end"]
    assert count["experience gained"] <= count["ruin visits"]
    assert count["parts gained"] > count["parts lost"] > 0
    assert all(count.values())


@pytest.mark.long
def test_greedy_beats_random():
    """Stepped here, as a batch of both would have to be compiled anew for this alone."""
    won = []
    for deal, line_up in itertools.product(range(20), ("greedy,random", "random,greedy")):
        match = Match(variant(), 2, deal=deal, compiled=True).finish(find_line_up(line_up, 2))
        mine, theirs = match.ranks() if line_up.startswith("greedy") else reversed(match.ranks())
        won.append(mine < theirs)
    assert sum(won) > 0.9 * len(won)


def test_resampling_respects_the_duty_of_a_player_who_drew_a_card():
    """The others see that seat 1 drew: in every resampled world it holds a card of the colour to play."""
    match = table("en", hands=["red white", "grey", ""], at={"red": 3}, deck="brown brown grey white")
    match.push("play 1 red, move the red druid to the cult site on place 4").push("draw a druid card")
    rekey_and_resample, due = bind_engine(GAME, (), False)[protocol.rekey_and_resample], set()
    for world in range(40):
        other = match.copy().state
        rekey_and_resample(other, 1, fold(5, world))
        assert other.hand[0].sum() == 2
        assert other.hand[0, other.due[0] - 1] > 0
        due.add(int(other.due[0]))
    assert len(due) > 1
    own = match.copy().state
    rekey_and_resample(own, 0, 5)
    assert own.due[0] == match.state.due[0]


def test_groups_name_every_kind_of_action_by_what_it_leads_to():
    match, groups = table(hands=["red red"], experience=["red"], at={"red": 6}), GAME.groups
    in_groups = {
        words: {name for name, group in groups.items() if action in group}
        for words, action in match.choices().items()
    }
    assert in_groups["play 1 red, move the red druid to the castle on place 7"] == {
        "castles",
        "single card",
        "red druid",
    }
    waiting = {"castles", "single card", "red druid", "waiting", "experience"}
    assert in_groups["play 1 red experience, move the red druid to the castle on place 7"] == waiting
    together = {"cult sites", "several cards", "red druid", "experience"}
    assert (
        in_groups["play 1 red and 1 red experience, move the red druid to the cult site on place 8"]
        == together
    )
    assert groups["cult draw"] == [codes.DRAW_CARD]


def test_every_action_can_be_said():
    """All but the numbers that would stand for playing no card at all."""
    state = Match(variant(), 2).state
    actions = [
        action
        for action in range(codes.ACTIONS)
        if action >= codes.TAKE or sum(words.split_play(action)[1:3]) > 0
    ]
    assert all(words.say(state, action) for action in actions)


def test_cards_that_can_no_longer_be_used_do_not_count_in_the_evaluation():
    match = table(
        "en", hands=["red"], experience=["grey", "red", "red"], parts=["1", "1", "1"], at={"red": 19}
    )
    part, experience, card = 1000, 1200, 800
    gift = 4 * 1000 * 10 // 16  # the village ahead of each druid at the start, whoever moves next
    evaluations = [int(GAME.evaluate(match.state, seat)) for seat in range(3)]
    rest = part + experience - gift
    assert evaluations == [rest + card, rest, rest]
    match.push("play 1 red without effect, as the red druid is at the goal")
    assert match.state.phase == codes.EXCHANGE
    evaluations = [int(GAME.evaluate(match.state, seat)) for seat in range(3)]
    assert evaluations == [part + experience, part, part + experience]


@pytest.mark.long
def test_celtica_keeps_every_law():
    assert check_game(GAME, matches=1)
