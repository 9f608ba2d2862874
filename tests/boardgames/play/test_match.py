"""A match is stepped by action, by words and by agent; copied, stored and replayed; checked at the door."""

import pytest

from boardgames import IllegalAction, Match, find_line_up, make_variant, play_batch
from boardgames.agents.seating import list_seatings
from boardgames.errors import InvalidInput, RulesChanged
from boardgames.examples import connect_four, magpies, tic_tac_toe
from boardgames.play.match import replay
from tests.truth import kuhn

TIC_TAC_TOE = make_variant(tic_tac_toe.GAME)
CONNECT_FOUR = make_variant(connect_four.GAME)
MAGPIES = make_variant(magpies.GAME)


def test_a_match_reads_like_the_rulebook():
    match = Match(CONNECT_FOUR, 2)
    for _ in range(3):
        match.push("drop into column 4").push("drop into column 1")
    match.push("drop into column 4")
    assert match.is_over
    assert match.end == "four in a row"
    assert match.ranks() == [1, 2]


def test_an_illegal_action_names_game_seed_turn_seat_action_and_the_legal_ones_in_words():
    match = Match(TIC_TAC_TOE, 2, seed=5, deal=3)
    word = next(iter(match.choices()))
    match.push(word)
    with pytest.raises(IllegalAction) as error:
        match.push(word)
    message = str(error.value)
    assert message.startswith(
        f"tic-tac-toe, seed 5, deal 3, turn 2, seat 2: '{word}' is not legal; legal are: "
    )
    assert message.count("'take") == 1 + 8


def test_an_action_that_is_legal_elsewhere_is_said_in_words_when_refused():
    match = Match(CONNECT_FOUR, 2)
    for _ in range(3):
        match.push(0).push(0)
    with pytest.raises(IllegalAction, match=r"'drop into column 1' \(0\) is not legal"):
        match.push(0)


@pytest.mark.parametrize("nonsense", ["drop into colum 4", 99, -1])
def test_nonsense_is_refused(nonsense):
    with pytest.raises(IllegalAction, match="is not legal; legal are: 'drop into column 1'"):
        Match(CONNECT_FOUR, 2).push(nonsense)


def test_nothing_can_be_played_after_the_end():
    match = Match(TIC_TAC_TOE, 2).finish(find_line_up("random", 2))
    with pytest.raises(IllegalAction, match="the match is over"):
        match.push(0)


@pytest.mark.parametrize("agents", ["random", "greedy", "greedy,random"])
@pytest.mark.parametrize(
    "variant", [CONNECT_FOUR, MAGPIES, make_variant(kuhn.GAME)], ids=lambda variant: variant.name
)
def test_every_match_of_a_batch_is_replayed_from_its_seed(variant, agents):
    line_up = find_line_up(agents, 2)
    seatings = list_seatings(line_up)
    batch = play_batch(variant, agents, 2, 3, seed=11)
    for row, match in enumerate(batch.matches):
        seating = seatings[match["seating"]]
        again = replay(
            variant, line_up, seating, seed=11, deal=int(match["deal"]), seating=int(match["seating"])
        )
        assert len(again.actions) == match["decisions"]
        assert again.scores() == batch.seats[row]["score"].tolist()
        assert again.ranks() == batch.seats[row]["rank"].tolist()


def test_a_compiled_match_is_the_same_match():
    line_up = find_line_up("greedy,random,greedy", 3)
    plain, compiled = (replay(MAGPIES, line_up, (0, 1, 2), compiled=how, seed=4) for how in (False, True))
    assert plain.transcript() == compiled.transcript()
    assert plain.to_bytes() == compiled.to_bytes()


def test_a_match_goes_on_from_its_bytes_as_if_nothing_had_happened():
    line_up = find_line_up("greedy,random", 2)
    match = Match(MAGPIES, 2, seed=9)
    for _ in range(9):
        match.step(line_up[match.state.actor])
    side_by_side = Match.from_bytes(MAGPIES, match.to_bytes())
    assert side_by_side.finish(line_up).transcript() == match.finish(line_up).transcript()


def test_a_copy_is_independent():
    match = Match(CONNECT_FOUR, 2)
    copy = match.copy()
    copy.push(3)
    assert match.actions == []
    assert match.state.height[3] == 0


def test_bytes_of_other_rules_are_refused():
    other = make_variant(magpies.GAME, values={"hand_size": 6})
    with pytest.raises(RulesChanged, match="played by other rules"):
        Match.from_bytes(other, Match(MAGPIES, 2).to_bytes())


def test_a_transcript_says_who_did_what_and_how_it_ended():
    match = replay(MAGPIES, find_line_up("random", 3), (0, 1, 2), seed=2)
    lines = str(match.transcript()).splitlines()
    assert lines[0] == "magpies, 3 players, seed 2, deal 0"
    assert "Turn 1, seat 1" in lines
    assert lines[-1].startswith("Match over: ")
    assert any(line.startswith("  seat 3: ") for line in lines)  # another seat answers inside a turn


def test_a_move_has_its_turn_seat_action_and_words_and_stands_in_its_turn_of_the_transcript():
    match = replay(MAGPIES, find_line_up("random", 3), (0, 1, 2), seed=2)
    transcript = match.transcript()
    assert [move for turn in transcript.turns for move in turn.moves] == match.moves
    assert all(move.turn == turn.number for turn in transcript.turns for move in turn.moves)
    assert [move.action for move in match.moves] == match.actions
    assert match.copy().moves == match.moves
    answer = next(move for move in match.moves if move.seat != move.turn_owner)
    where = f"turn {answer.turn}, seat {answer.seat + 1} (in seat {answer.turn_owner + 1}'s turn)"
    assert str(answer).startswith(f"{where}: {answer.words}")


def test_the_end_is_described_only_when_there_is_one():
    match = Match(CONNECT_FOUR, 2).push(3)
    assert match.describe_end() == "not over; actions so far: 1"
    finished = match.finish("random")
    assert finished.describe_end() == str(finished.transcript()).splitlines()[-1]


def test_a_position_of_ones_own_can_be_set_up():
    match = Match(CONNECT_FOUR, 2)
    match.state.height[:] = [6, 6, 6, 6, 6, 6, 5]
    match.state.full = 6
    assert list(match.choices()) == ["drop into column 7"]


@pytest.mark.parametrize(
    ("cut", "message"),
    [(lambda data: data[:-9], "not a whole match"), (lambda data: b"{" + data, "not a match")],
)
def test_bytes_that_are_no_match_are_refused(cut, message):
    with pytest.raises(InvalidInput, match=message):
        Match.from_bytes(MAGPIES, cut(Match(MAGPIES, 2).step("random").to_bytes()))
