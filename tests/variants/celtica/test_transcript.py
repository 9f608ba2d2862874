"""A match in words: enough to follow it at a table, nothing that a seat may not know, and who won why."""

import re

import pytest

from boardgames import Match
from boardgames.play.batch import bind_engine
from boardgames.rules import protocol
from tests.variants.celtica.referee import Referee
from tests.variants.celtica.setting import played, table, variant
from variants.celtica import GAME, codes

WHOLE = "1 2 3 4 5 6 7 8 M"


def effects(match):
    """What the last action caused, as someone tells it who sees everything."""
    return list(match.moves[-1].effects)


def effects_for(match, seat):
    return list(match.describe_moves(len(match.actions) - 1, seat - 1)[0].effects)


@pytest.mark.parametrize("agents", ["random", "greedy"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_referee_who_only_listens_comes_to_the_same_table(seats, agents):
    for deal in range(3):
        match = Match(variant(), seats, seed=8, deal=deal, compiled=True).finish(agents)
        transcript = match.transcript()
        referee = Referee(transcript.setup)
        for turn in transcript.turns:
            for move in turn.moves:
                referee.hear(move.seat, move.words, move.effects)
        assert referee.over
        assert referee.rank() == match.ranks()
        assert [player.lay_out().count(9) for player in referee.players] == match.scores()
        assert [player.experience.total() for player in referee.players] == match.state.experience.sum(
            axis=1
        ).tolist()[:seats]


def test_the_setup_can_be_laid_out_on_a_table():
    lines = Match(variant(), 2, seed=5).transcript().setup
    assert "1 start, 2 village with 1 part*, 3 cloister with 2 parts*" in lines[0]
    assert "8 cult site, 9 ruin that costs 2 parts, 10 ruin that costs 3 parts, 11" in lines[0]
    assert lines[0].endswith("19 goal with 4 parts* (* reconstructed, not documented).")
    assert lines[1] == "All druids (red, grey, white, brown, black) are on the start."
    assert lines[-1] == "Face down lie 50 druid cards, 20 experience cards and 77 parts."


def test_a_seat_is_told_its_own_cards_at_the_start():
    match = Match(variant(), 2, seed=5)
    own, other = match.transcript(0).setup[4:6]
    assert " and holds " in own
    assert other.endswith("and hides its cards.")
    assert match.transcript(None).setup[4] == own


def test_what_a_place_gives_and_what_comes_into_the_display_is_told():
    match = table(hands=["red", "grey"], at={"red": 6})
    assert effects(played(match, "play 1 red")) == ["3 parts are found there"]
    assert effects(match.push("take part 1")) == []
    match.push("take part 2").push("take part 3")
    (refill,) = effects(match)
    assert refill.startswith("The display is refilled with ")


def test_a_loss_and_the_experience_for_it_are_told():
    match = table(hands=["red", "grey"], parts=["1 2 3"], at={"red": 4})
    assert effects(played(match, "play 1 red")) == ["The ruin costs 2 parts"]
    match.push("give up part 1").push("give up part 2")
    colour = codes.COLOUR_NAMES[int(match.state.experience[0].argmax())]
    assert effects(match) == effects_for(match, 1) == [f"Seat 1 gets 1 experience card: 1 {colour}"]
    assert effects_for(match, 2) == ["Seat 1 gets 1 experience card"]


@pytest.mark.parametrize(
    ("held", "told"), [("", "and there are none to give up"), ("4", "and there is 1 to give up")]
)
def test_a_ruin_that_takes_less_than_is_printed_says_so(held, told):
    match = played(table(hands=["red", "grey"], parts=[held], at={"red": 4}), "play 1 red")
    assert effects(match)[0] == f"The ruin costs 2 parts, {told}"


def test_that_no_experience_card_is_left_is_told():
    match = table(hands=["red", "grey"], at={"red": 4})
    match.state.experience[1], match.state.experience_deck[:] = match.state.experience_deck.copy(), 0
    played(match, "play 1 red")
    assert effects(match)[-1] == "No experience card is left to get"


def test_a_card_drawn_at_a_cult_site_is_told_to_the_player_and_the_duty_to_all():
    match = table("en", hands=["red white", "grey", ""], at={"red": 3}, deck="brown")
    played(match, "play 1 red")
    assert effects(match) == ["A druid card may be drawn there"]
    match.push("draw a druid card")
    duty = "Seat 1 must play it in its next turn"
    assert effects(match) == effects_for(match, 1) == ["Seat 1 draws 1 brown", duty]
    assert effects_for(match, 2) == [duty]


def test_amulets_that_are_completed_and_broken_up_are_told():
    match = table(hands=["red", "grey"], parts=["1 2 3 4 5 6 7 8"], at={"red": 5})
    played(match, "play 1 red").push("take the middle")
    assert effects(match)[0] == "Seat 1 completes an amulet and has 1 now"
    match = table(hands=["red", "grey"], parts=[WHOLE], at={"red": 4})
    played(match, "play 1 red").push("give up part 1")
    assert effects(match) == ["Seat 1 breaks up an amulet and has 0 now"]


def test_a_new_round_is_told_with_the_cards_that_the_seat_sees():
    match = table(seats=2, hands=["red", ""], deck="grey grey grey grey")
    match.push("play 1 red, move the red druid to the village on place 2").push("take part 1")
    for seat in (1, 2):
        refill, over, shuffled, cards = effects_for(match, seat)
        assert refill.startswith("The display")
        assert over == "The round is over: everybody is dealt 5 druid cards, and seat 2 begins"
        assert shuffled == "The discarded druid cards are shuffled for a new deck"
        assert cards.startswith(f"Seat {seat} gets ")
    assert len(effects(match)) == 5


def test_druids_at_the_goal_and_the_last_round_are_told():
    match = table("en", hands=["red", "grey grey"], at={"red": 18})
    match.push("play 1 red, move the red druid to the goal")
    assert effects(match) == [
        "Nothing is taken there",
        "1 druid is at the goal now",
        "This is the last round",
    ]


def test_the_end_and_the_exchange_are_told():
    home = dict.fromkeys(codes.COLOUR_NAMES, 19)
    match = table(
        "at-once",
        seats=2,
        hands=["red", "grey grey"],
        experience=["", "grey grey"],
        parts=["1", "2"],
        at={**home, "red": 18},
    )
    match.push("play 1 red, move the red druid to the goal")
    assert effects(match)[-3:] == [
        "5 druids are at the goal now",
        "All druids are at the goal: 2 grey in hands are laid aside",
        "Seat 2 may exchange experience cards",
    ]
    match.push("buy part 5")
    assert effects(match)[0] == "Seat 2 pays 2 grey in experience cards"


def test_given_up_parts_that_become_the_stock_are_told():
    match = table(hands=["red", "grey"], display="1 2")
    match.state.parts[2], match.state.stock[:] = match.state.stock.copy(), 0
    match.state.parts[2, 7] -= 2
    match.state.given_up[7] += 2
    match.push("play 1 red, move the red druid to the village on place 2").push("take part 1")
    assert effects(match) == [
        "The parts given up are shuffled for a new stock",
        "The display is refilled with part 8 (2 times)",
    ]


@pytest.mark.parametrize(
    ("parts", "result"),
    [
        ([f"{WHOLE} {WHOLE}", WHOLE], "Seat 1 wins: 2 amulets against 1."),
        (["1 2 3 4 5 6", "1 2 3 4 5 6 7"], "Seat 2 wins: 0 amulets each, then 7 parts against 6."),
        (
            [f"{WHOLE} 1 2 1", f"{WHOLE} 1 2"],
            "Seat 1 wins: 1 amulet each, then 2 parts each, then 1 part against 0.",
        ),
        ([f"{WHOLE} 1", f"{WHOLE} 5"], "Seats 1 and 2 share the win: 1 amulet and 1 part each."),
        (["", ""], "Seats 1 and 2 share the win: 0 amulets each."),
        ([WHOLE, "1 2", "3 4"], "Seat 1 wins: 1 amulet against 0."),
        ([f"{WHOLE} 1 2", WHOLE, f"{WHOLE} 1"], "Seat 1 wins: 1 amulet each, then 2 parts against 1."),
    ],
)
def test_the_result_says_why_the_winner_won(parts, result):
    match = table(seats=len(parts), parts=parts, display="M")
    assert GAME.describe_result(match.state) == result


@pytest.mark.long
def test_what_a_seat_is_told_does_not_depend_on_what_it_cannot_see():
    """Its own cards are told, and nothing changes when all that is hidden from it is dealt anew."""
    match = Match(variant("en"), 3, seed=3)
    rekey_and_resample = bind_engine(GAME, (), False)[protocol.rekey_and_resample]
    while not match.is_over:
        for seat in range(3) if match.state.turn % 9 == 1 else ():
            other = match.copy()
            rekey_and_resample(other.state, seat, 17 + seat)
            seen, same = (GAME.hide_unseen(state, seat) for state in (match.state, other.state))
            assert GAME.describe_setup(seen, seat) == GAME.describe_setup(same, seat)
        match.step("random")
    secrets = re.compile(r"^Seat (\d) (?:draws .*|gets 1 experience card: .*|gets \d (?!experience).*)$")
    for seat in range(3):
        told = [line for move in match.describe_moves(seat=seat) for line in move.effects]
        tellers = {secret[1] for line in told if (secret := secrets.match(line))}
        assert tellers == {str(seat + 1)}
