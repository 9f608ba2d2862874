"""A match is stepped by action, by words and by agent; copied, stored and replayed; checked at the door."""

import pickle
import subprocess
import sys
import zlib

import numpy as np
import pytest

from boardgames import (
    IllegalAction,
    Match,
    Variant,
    derive,
    find_line_up,
    find_variant,
    make_variant,
    play_batch,
)
from boardgames.agents.seating import list_seatings
from boardgames.errors import InvalidInput, RulesChanged
from boardgames.examples import connect_four, magpies, tic_tac_toe
from boardgames.play.match import replay
from boardgames.store.recorded_matches import keep_match
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


def test_an_action_that_was_never_legal_is_not_put_into_words_that_may_be_untrue():
    match = Match(MAGPIES, 2)
    never = next(action for action in range(MAGPIES.game.actions) if action not in match.legal())
    with pytest.raises(IllegalAction) as error:
        match.push(never)
    assert f"seat 1: action {never} is not legal; legal are: '" in str(error.value)
    word, number = next(iter(match.choices().items()))
    assert f"'{word}' ({number})" in str(error.value)


@pytest.mark.parametrize("nonsense", ["drop into colum 4", 99, -1])
def test_nonsense_is_refused(nonsense):
    with pytest.raises(IllegalAction, match="is not legal; legal are: 'drop into column 1'"):
        Match(CONNECT_FOUR, 2).push(nonsense)


def test_nothing_can_be_played_after_the_end():
    match = Match(TIC_TAC_TOE, 2).finish(find_line_up("random", 2))
    with pytest.raises(IllegalAction, match="the match is over"):
        match.push(0)


@pytest.mark.long
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
    [
        (lambda data: data[:-9], "not a whole match"),
        (lambda data: data.partition(b"\n")[0], "not a whole match"),
        (lambda data: b"{" + data, "not a match"),
        (lambda data: b"", "not a match"),
        (lambda data: b"[]\n" + zlib.compress(b""), "not a match"),
        (lambda data: b"{}\n" + zlib.compress(b""), "not a match"),
        (lambda data: b"[" * 100_000, "not a match"),
        (lambda data: data.replace(b'"actions": [', b'"actions": ["x", '), "not a match"),
        (lambda data: data.replace(b'"players": 2', b'"players": "2"'), "not a match"),
        (lambda data: data.replace(b'"seed": 1', b'"seed": -1'), "seed"),
    ],
)
def test_bytes_that_are_no_match_are_refused(cut, message):
    with pytest.raises(InvalidInput, match=message):
        Match.from_bytes(MAGPIES, cut(Match(MAGPIES, 2).step("random").to_bytes()))


# ---- copies and positions


def test_a_copy_computes_no_fingerprint_and_goes_on_as_the_match_does(monkeypatch):
    match = Match(MAGPIES, 2, seed=9)
    for _ in range(9):
        match.step("random")
    with monkeypatch.context() as patch:
        patch.setattr(Variant, "fingerprint", lambda variant: pytest.fail("a fingerprint was computed"))
        copy = match.copy()
    assert copy.to_bytes() == match.to_bytes()
    assert copy.finish("greedy,random").moves == match.finish("greedy,random").moves


def test_a_copy_keeps_the_count_of_decisions_apart():
    match = Match(MAGPIES, 2, seed=3)
    copy = match.copy()
    for _ in range(5):
        copy.step("random")
    assert match.finish("random").actions == Match(MAGPIES, 2, seed=3).finish("random").actions


def make_middle_of_match() -> Match:
    match = Match(MAGPIES, 2, seed=9)
    for _ in range(8):
        match.step("random")
    return match


def test_resampling_keeps_what_the_seat_sees_and_redraws_the_rest():
    match = make_middle_of_match()
    worlds = [match.resample(0, key) for key in range(8)]
    assert {world.observe(0).tobytes() for world in worlds} == {match.observe(0).tobytes()}
    assert len({world.observe(1).tobytes() for world in worlds}) > 1
    assert match.resample(0, 3).state.tobytes() == worlds[3].state.tobytes()
    assert worlds[0].resample(0, 3).state.tobytes() == worlds[3].state.tobytes()  # seat 1 cannot tell


def test_a_resampled_match_shows_nothing_of_the_past_and_plays_on():
    match = make_middle_of_match()
    before = match.to_bytes()
    world = match.resample(0, 1)
    assert (world.actions, world.moves) == ([], [])
    assert world.finish("random").is_over
    assert match.to_bytes() == before
    with pytest.raises(InvalidInput, match="its deal does not bring it back"):
        keep_match(world, find_line_up("random", 2), "never.duckdb")


@pytest.mark.parametrize("seat", [-1, 2])
def test_there_is_no_such_seat_to_resample_for(seat):
    with pytest.raises(InvalidInput, match="the seats of 2 players are 0 to 1"):
        Match(MAGPIES, 2).resample(seat, 1)


def test_a_match_goes_on_from_a_record():
    match = make_middle_of_match()
    other = Match.from_state("magpies", match.state)
    assert (other.choices(), other.actions, other.scores()) == (match.choices(), [], match.scores())
    other.push(other.legal()[0])
    assert other.state.tobytes() != match.state.tobytes()
    assert other.copy().is_on


def test_a_record_of_another_game_or_of_other_rules_is_refused():
    with pytest.raises(InvalidInput, match="this is no position of tic-tac-toe"):
        Match.from_state(TIC_TAC_TOE, Match(MAGPIES, 2).state)
    with pytest.raises(RulesChanged, match="other rules than magpies"):
        Match.from_state(MAGPIES, Match("magpies+hand_size=6", 2).state)


# ---- pickles


def test_a_pickled_match_is_the_same_match_of_the_same_game():
    match = make_middle_of_match()
    again = pickle.loads(pickle.dumps(match))
    assert again.to_bytes() == match.to_bytes()
    assert again.game is match.game
    assert again.finish("random").moves == match.finish("random").moves


def test_a_pickled_game_in_a_file_is_found_in_another_process(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = "from boardgames import derive\nfrom boardgames.examples import pig\n"
    (tmp_path / "mine.py").write_text(f"{code}MINE = derive(pig.GAME, 'my-pig')\n")
    variant = find_variant("./mine.py:MINE+target=30")
    (tmp_path / "variant.pickle").write_bytes(pickle.dumps(variant))
    script = "import pickle; print(pickle.load(open('variant.pickle', 'rb')).fingerprint())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == variant.fingerprint(), done.stderr


def test_a_game_that_stands_nowhere_cannot_be_pickled():
    with pytest.raises(pickle.PicklingError, match="assign it to a name there"):
        pickle.dumps(derive(magpies.GAME, "nowhere"))


# ---- for learners and notebooks


def test_observations_and_rewards_need_no_environment():
    match = make_middle_of_match()
    names = match.layout.names
    assert len(match.observe()) == len(names) == len(set(names))
    assert match.observe().tolist() == match.observe(int(match.state.actor)).tolist()
    assert np.flatnonzero(match.mask).tolist() == sorted(match.legal())
    assert match.rewards() == [0.0, 0.0]
    match.finish("random")
    assert sum(match.rewards("score")) == pytest.approx(0)
    assert [reward == max(match.rewards()) for reward in match.rewards()] == [
        rank == 1 for rank in match.ranks()
    ]


def test_a_spec_and_a_text_are_enough_for_a_match_and_a_batch():
    assert Match("pig", "2").players == 2
    with pytest.raises(InvalidInput, match="players '2-3': a match has one player count"):
        Match("pig", "2-3")
    by_spec, by_variant = (
        play_batch(variant, agents, 2, 3, compiled=False)
        for variant, agents in (
            ("pig", "greedy,random"),
            (find_variant("pig"), find_line_up("greedy,random", 2)),
        )
    )
    assert by_spec.matches.tobytes() == by_variant.matches.tobytes()


def test_a_notebook_shows_a_drawing_or_else_the_transcript():
    drawn = Match("celtica", 2)
    assert repr(drawn) == "<Match of celtica, 2 players, seed 1, deal 0: turn 1, seat 1 to act>"
    assert "<svg" in drawn._repr_html_()
    retold = Match("tic-tac-toe", 2)
    words = retold.game.say(retold.state, 4)
    assert words in retold.push(4)._repr_html_()


def test_a_notebook_shows_what_differs_in_a_variant():
    assert repr(find_variant("magpies+hand_size=6")) == "<Variant magpies+hand_size=6>"
    html = find_variant("magpies+hand_size=6")._repr_html_()
    assert "<td>hand_size</td><td>6</td><td>5</td>" in html
    assert "All parameters have their defaults" in MAGPIES._repr_html_()


def test_a_batch_is_shown_by_agent_and_given_as_a_table():
    batch = play_batch(MAGPIES, "greedy,random", 2, 4, compiled=False)
    assert repr(batch) == "<Batch of 8 matches, 2 players: greedy, random>"
    table = batch.table()
    assert len(table) == 16
    assert table[table.agent == "greedy"].win_share.mean() == pytest.approx(batch.shares()["greedy"].mean)
    assert f"<td>greedy</td><td>{100 * batch.shares()['greedy'].mean:.1f}%" in batch._repr_html_()
