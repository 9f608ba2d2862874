"""A match in words: what is told, to whom, and why it was won."""

from dataclasses import replace

import pytest

from boardgames import Match, explain_win, make_variant
from boardgames.examples import connect_four, magpies, pig
from boardgames.play.transcript import explain_result
from tests.support import broken

MAGPIES = make_variant(magpies.GAME)


def play_magpies(players=3):
    return Match(MAGPIES, players, seed=2).finish("random")


# ---- what is told


def test_a_transcript_has_a_heading_the_set_up_the_turns_and_the_result():
    transcript = play_magpies().transcript()
    assert (transcript.variant, transcript.players, transcript.seed, transcript.deal) == ("magpies", 3, 2, 0)
    assert transcript.setup[:2] == ("the meadow is empty", "seat 1 holds 1 spoon, 3 coins, 1 ring")
    assert [turn.number for turn in transcript.turns] == list(range(1, 28))
    assert [turn.seat for turn in transcript.turns[:4]] == [0, 1, 2, 0]
    assert transcript.result.winners == (2,)
    assert str(transcript.result) == (
        "Match over: full nest. Seat 1: 4, seat 2: 3, seat 3: 4. "
        "Seat 3 wins: 4 points each, then 3 threes against 2."
    )


def test_the_text_has_each_effect_below_its_move():
    lines = str(play_magpies().transcript()).splitlines()
    assert lines[lines.index("Turn 23, seat 2") :][:4] == [
        "Turn 23, seat 2",
        "  snatch a spoon from magpie 3",
        "  seat 3: let it go",
        "    seat 2 takes a spoon, openly",
    ]


def test_a_move_says_in_one_line_what_it_caused():
    match = Match(make_variant(pig.GAME), 2).push("roll the die")
    assert match.moves[0].effects == ("a 3: 3 gathered",)
    assert str(match.moves[0]) == "turn 1, seat 1: roll the die [a 3: 3 gathered]"


def test_a_transcript_of_a_match_under_way_has_no_result():
    transcript = Match(MAGPIES, 2).step("random").transcript()
    assert transcript.result is None
    assert len(transcript.turns) == 1
    assert "Match over" not in str(transcript)


def test_a_game_that_tells_nothing_of_its_own_has_moves_and_a_result():
    silent = replace(magpies.GAME, describe_setup=None, describe_effects=None, describe_result=None)
    transcript = Match(make_variant(silent), 3, seed=2).finish("random").transcript()
    assert transcript.setup == ()
    assert not any(move.effects for turn in transcript.turns for move in turn.moves)
    assert transcript.result.reason == "Seat 3 wins on tiebreaks."


# ---- to whom


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_seat_is_told_its_own_draws_and_no_others(seat):
    transcript = play_magpies().transcript(seat)
    assert transcript.heading.endswith(f", as seat {seat + 1} saw it")
    assert [line for line in transcript.setup if "holds" in line] == [
        line for line in play_magpies().transcript().setup if line.startswith(f"seat {seat + 1} holds")
    ]
    effects = [effect for turn in transcript.turns for move in turn.moves for effect in move.effects]
    assert {effect.split()[1] for effect in effects if "draws" in effect} == {str(seat + 1)}


def test_a_function_of_a_game_cannot_see_what_the_seat_cannot_see():
    seen = []

    def look(before, after, action, seat):
        seen.extend((before.copy(), after.copy()))
        return []

    game = replace(magpies.GAME, describe_effects=look)
    match = Match(make_variant(game), 3).step("random").step("random")
    match.transcript(1)
    for state in seen:
        assert not state.deck.any()
        assert not state.hand[[0, 2]].any()
        assert state.hand[1].sum() == 5
        assert not state.stream_key.any()
    seen.clear()
    match.transcript()
    assert all(state.deck.any() and state.hand[0].any() for state in seen)


def test_hiding_leaves_the_position_as_it_is():
    match = Match(MAGPIES, 2)
    before = match.state.tobytes()
    assert magpies.GAME.hide_unseen(match.state, 0).tobytes() != before
    assert magpies.GAME.hide_unseen(match.state, None).tobytes() == before
    assert match.state.tobytes() == before


# ---- the set-up


def test_decisions_before_the_first_turn_are_set_up_and_no_turns():
    transcript = Match(make_variant(broken.ASKING), 2).finish("random").transcript()
    assert [turn.number for turn in transcript.turns[:3]] == [0, 1, 2]
    (move,) = transcript.turns[0].moves
    assert str(move).startswith("set-up, seat 1: lay a ")
    assert f"Set-up\n  seat 1: {move.words}\n\nTurn 1, seat 1\n" in str(transcript)


# ---- nothing is told while it is played, and nothing is lost


def test_nothing_is_described_while_a_match_is_played():
    def refuse(*position):
        raise AssertionError("described too early")

    game = replace(magpies.GAME, say=magpies.say, describe_effects=refuse)
    match = Match(make_variant(game), 2).finish("random")
    with pytest.raises(Exception, match="described too early"):
        match.transcript()


def test_copies_and_bytes_tell_the_same_match():
    match = play_magpies()
    assert match.copy().transcript() == match.transcript()
    assert Match.from_bytes(MAGPIES, match.to_bytes()).transcript(1) == match.transcript(1)


def test_positions_set_up_by_hand_are_told_as_they_were():
    match = Match(make_variant(pig.GAME), 2)
    match.state.banked[0] = 90
    match.push("roll the die")
    match.state.gathered = 15  # between two actions, too
    match.push("hold")
    for told in (match, match.copy()):
        assert told.moves[0].effects == ("a 3: 3 gathered",)
        assert told.moves[1].effects == ("15 banked; seat 1 has 105",)
        assert told.result.reason == "Seat 1 wins: 105 points against 0."


def test_a_set_up_by_hand_is_what_lay_on_the_table():
    match = Match(MAGPIES, 2)
    match.state.hand[0] = [5, 0, 0, 0, 0]
    match.push("draw a card")
    assert "seat 1 holds 5 buttons" in match.transcript().setup


# ---- why it was won


@pytest.mark.parametrize(
    ("scores", "ranks", "reason"),
    [
        ([31, 34], [2, 1], "Seat 2 wins: 34 points against 31."),
        ([1, 0, 0], [1, 2, 2], "Seat 1 wins: 1 point against 0."),
        ([0, 0], [2, 1], "Seat 2 wins on tiebreaks."),
        ([5, 3, 5], [1, 3, 1], "Seats 1 and 3 share the win."),
        ([5, 5, 5], [1, 1, 1], "Seats 1, 2 and 3 share the win."),
        ([3, 5, 4], [1, 3, 2], "Seat 1 wins: 3 points against 4."),
    ],
)
def test_without_a_word_of_the_game_the_scores_say_why(scores, ranks, reason):
    assert explain_result(scores, ranks) == reason


@pytest.mark.parametrize(
    ("criteria", "reason"),
    [
        ([("amulet", [2, 2]), ("part", [6, 7])], "Seat 2 wins: 2 amulets each, then 7 parts against 6."),
        ([("amulet", [3, 2]), ("part", [1, 7])], "Seat 1 wins: 3 amulets against 2."),
        (
            [("amulet", [1, 1, 0]), ("part", [4, 4, 9])],
            "Seats 1 and 2 share the win: 1 amulet and 4 parts each.",
        ),
        (
            [("point", [4, 4, 4]), ("card", [-3, -1, -2])],
            "Seat 2 wins: 4 points each, then 1 card against 2.",
        ),
    ],
)
def test_tie_breaks_are_told_up_to_the_one_that_decides(criteria, reason):
    assert explain_win(*criteria) == reason


def test_four_in_a_row_win_and_a_full_board_is_shared():
    variant = make_variant(connect_four.GAME)
    reasons = {Match(variant, 2, deal=deal).finish("random").result.reason for deal in range(20)}
    assert reasons == {"Seat 1 wins: four in a row.", "Seat 2 wins: four in a row."}
    full = Match(variant, 2)
    full.state.end = 2
    assert full.result.reason == "Seats 1 and 2 share the win: the board is full."
