"""A referee who knows only the rulebooks listens to whole matches, and never disagrees with the rules."""

from collections import Counter

import pytest

from boardgames import Match
from tests.variants.celtica.referee import COLOURS, PARTS, Referee, Shown
from tests.variants.celtica.setting import variant
from variants.celtica import codes

ENDS = {"last round": codes.BY_ROUND, "all druids": codes.ALL_HOME, "no parts": codes.NO_PARTS}


def count(names, counts):
    return Counter({name: int(n) for name, n in zip(names, counts, strict=True) if n})


def show(match):
    """What lies in hands and in the display."""
    state, seats = match.state, range(match.players)
    hands, experience = (
        [count(COLOURS, cards[seat]) for seat in seats] for cards in (state.hand, state.experience)
    )
    return Shown(hands, experience, count(PARTS, state.display))


def read_path(rules):
    """(kind, number) of each place."""
    names = [f"{name} site" if name == "cult" else name for name in codes.PLACE_NAMES]
    places = range(int(rules.goal) + 1)
    return [(names[rules.place_kind[place]], int(rules.place_parts[place])) for place in places]


def make_referee(match):
    parts = [count(PARTS, match.state.parts[seat]) for seat in range(match.players)]
    return Referee(read_path(match.state.rules), show(match), parts, "en" in match.variant.name)


def follow(match, referee, agent):
    """The referee listens to the whole match, and raises where it disagrees."""
    while not match.is_over:
        seat = int(match.state.actor)
        match.step(agent)
        referee.hear(seat, match.moves[-1].words, show(match))
    return referee


def referee_match(match, agent):
    """The referee's table after a match."""
    return follow(match, make_referee(match), agent)


@pytest.mark.parametrize("agent", ["random", "greedy"])
@pytest.mark.parametrize("edition", ["", "en"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_referee_who_only_listens_agrees_decision_by_decision(seats, edition, agent):
    for deal in range(4):
        match = Match(variant(edition), seats, deal=deal, compiled=True)
        referee = referee_match(match, agent)
        assert ENDS[referee.over] == match.state.end
        assert [referee.at[colour] for colour in COLOURS] == match.state.position.tolist()
        for seat, player in enumerate(referee.players):
            assert +player.parts == count(PARTS, match.state.parts[seat])
        assert referee.scores() == match.scores()
        assert referee.winners() == match.result.winners


def test_matches_of_the_referee_end_with_the_round_and_with_all_druids_home():
    ends = {
        referee_match(Match(variant(), seats, deal=deal, compiled=True), agent).over
        for seats, agent, deal in [(2, "random", 0), (4, "greedy", 0), (4, "greedy", 1), (4, "greedy", 2)]
    }
    assert {"last round", "all druids"} <= ends


def test_a_referee_with_the_german_book_disagrees_with_an_english_match():
    match = Match(variant("en"), 3, compiled=True)
    referee = make_referee(match)
    referee.english = False
    with pytest.raises(AssertionError):
        follow(match, referee, "greedy")


@pytest.fixture
def begun():
    """A match, its referee, and the words of the first play."""
    match = Match(variant(), 3)
    referee = make_referee(match)
    words = next(words for words in match.choices() if "village" in words or "cloister" in words)
    return match, referee, words


def test_the_referee_disagrees_with_a_seat_whose_turn_it_is_not(begun):
    match, referee, words = begun
    with pytest.raises(AssertionError, match="seat 2 acts, but it is seat 1's turn"):
        referee.hear(1, words, show(match))


def test_the_referee_disagrees_with_cards_that_nobody_holds(begun):
    match, referee, words = begun
    with pytest.raises(AssertionError, match="played, but there are only"):
        referee.hear(0, words.replace(words.split()[1], "6", 1), show(match.push(words)))


def test_the_referee_disagrees_with_another_place(begun):
    match, referee, words = begun
    wrong = words.replace("village", "castle").replace("cloister", "ruin")
    with pytest.raises(AssertionError, match=r"it is the (village|cloister) on place"):
        referee.hear(0, wrong, show(match.push(words)))


def test_the_referee_disagrees_with_a_part_that_is_not_displayed(begun):
    match, referee, words = begun
    referee.hear(0, words, show(match.push(words)))
    missing = next(part for part in PARTS if not referee.display[part])
    with pytest.raises(AssertionError, match=f"{missing} is not displayed"):
        referee.hear(0, f"take {missing}", show(match))


def test_the_referee_disagrees_with_a_hand_that_changed_by_itself(begun):
    match, referee, words = begun
    shown = show(match.push(words))
    shown.hands[1][COLOURS[0]] += 1
    with pytest.raises(AssertionError):
        referee.hear(0, words, shown)
