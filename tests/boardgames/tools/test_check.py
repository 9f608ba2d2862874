"""The conformance kit finds every planted fault, and finds none in a healthy game."""

import dataclasses

import pytest

from boardgames import begin_turn, derive, next_seat, rule
from boardgames.examples.pig import GAME as PIG
from boardgames.game.field import public
from boardgames.game.game import BrokenGame, Game
from boardgames.play.batch import play_batch
from boardgames.tools.check import LawBroken, check_game, checker
from boardgames.tools.check.all_laws import list_laws
from boardgames.tools.check.parameter_laws import check_parameters
from tests.support import broken
from tests.truth import chutes

CAUGHT = {
    "endless": "every match ends within its bounds",
    "stuck": "legal actions exist and are unique and in range",
    "stuttering": "legal actions exist and are unique and in range",
    "out-of-range": "legal actions exist and are unique and in range",
    "fickle": "asking for legal actions changes nothing",
    "gambling": "an action does the same every time and copies stay apart",
    "remembering": "the same seed gives the same match",
    "hashing": "a new process gives the same results",
    "upside-down": "a better score has the better standing",
    "losing": "nothing in the census appears or gets lost",
    "jumping": "a turn has at least one decision",
    "unbooked": "the header is correct",
    "turnless": "every turn is counted",
    "unbegun": "every turn is counted",
    "playerless": "every seat has turns",
    "half-tallied": "rules run without an error",
    "half-phased": "rules run without an error",
    "half-resampled": "resampling keeps all that the seat sees",
    "misrowed": "fields hold what they declare",
    "misseated": "fields hold what they declare",
    "mispacked": "fields hold what they declare",
    "misspelt": "rules run without an error",
    "misruled": "rules run without an error",
    "wordy": "rules use nothing but numbers",
    "telltale": "words depend only on what the actor sees",
    "whispering": "words tell no seat what it cannot see",
    "faltering": "a match can be retold from every position",
    "rambling": "a match can be retold from every position",
    "fabling": "a retold match tells a seat only what it sees",
    "misjudging": "the result names the winners",
    "showing": "a drawing shows a seat only what it sees",
    "sketchy": "a drawing shows a seat only what it sees",
    "covered": "a piece of a drawing can be clicked",
    "tiny": "a piece of a drawing can be clicked",
    "hollow": "a piece of a drawing can be clicked",
    "torn": "a piece of a drawing can be clicked",
    "crashing": "rules run without an error",
    "lawless": "the header is correct",
    "peeking": "everything hidden is redrawn",
    "leaking": "everything hidden is redrawn",
    "fragile": "refuse explains every mix that cannot be played",
    "shut": "everything declared can be played",
    "speechless": "everything declared can be played",
    "forgetful": "resampling keeps all that the seat sees",
    "meddling": "resampling keeps all that the seat sees",
    "looking": "resampling depends only on what the seat sees",
    "prophetic": "resampling gives every stream new chance",
    "overconfident": "a turn that is not uncertain is worth the same in every resample",
    "overflowing": "rules run without an error",
    "halving": "reading the score changes nothing",
    "mumbling": "every legal action has words of its own",
    "deaf": "every parameter has an effect",
    "idle": "every tally is used",
    "bickering": "a better score has the better standing",
    "dry": "all chance comes from the streams",
    "unbounded": "every match ends within its bounds",
    "silent": "refuse explains every mix that cannot be played",
}


def find_sick_games() -> dict[str, Game]:
    games = [value for value in vars(broken).values() if isinstance(value, Game)]
    sound = ("healthy", "wide", "discreet", "sure", "asking", "clear", "lettered")
    return {game.name: game for game in games if game.name not in sound}


def test_a_single_board_is_no_parameter_without_effect():
    """It is there for files of a designer's own; there is no other board to compare it with."""
    (board,) = chutes.GAME.parameters
    alone = dataclasses.replace(board, boards={board.default: board.boards[board.default]})
    game = dataclasses.replace(chutes.GAME, parameters=(alone,))
    assert list(check_parameters.check(checker.Checker(game, 1, lambda law: None))) == []


@pytest.mark.parametrize("name", sorted(find_sick_games()))
def test_a_game_that_breaks_a_law_is_caught_and_the_place_is_named(name):
    with pytest.raises(LawBroken) as caught:
        check_game(find_sick_games()[name], compiled=False, matches=1)
    message = str(caught.value)
    assert message.startswith(f"{name} breaks the law '{CAUGHT[name]}'")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "half-tallied",
            r"_halves \(.*broken.py, line \d+\): 1.5 is written into tally, a field of whole numbers",
        ),
        ("half-phased", r"_halves_a_scalar \(.*broken.py, line \d+\): 0.02 is written into phase"),
        ("half-resampled", r"_halves_when_resampling \(.*broken.py, line \d+\): .* is written into deck"),
        (
            "misspelt",
            r"_misspells \(.*broken.py, line \d+\): there is no field 'dekc'; did you mean"
            r" state.deck\? misspelt, 2 players",
        ),
        (
            "misruled",
            r"_misspells_a_rule \(.*broken.py, line \d+\): there is no field 'wroth'; did you"
            r" mean state.rules.worth\?",
        ),
        ("turnless", r"applying \d made seat 2 the player, but no turn began: call begin_turn\(state, 1\)"),
        ("unbegun", r"no turn has begun: end set-up with begin_turn\(state, seat\)"),
        ("playerless", r"seat 2 acts and never begins a turn: call begin_turn\(state, 1\)"),
        (
            "wordy",
            r"the rule _uses_words \(.*broken.py, line \d+\) uses a string: rules use nothing but numbers",
        ),
        (
            "telltale",
            r"action \d is said 'lay a \d, the deck holds \d of the lowest' or 'lay a \d, the"
            r" deck holds \d of the lowest'",
        ),
        (
            "whispering",
            r"seat 2 cannot tell whether seat 1 does 'lay a \d' or 'lay a \d': words that all hear must not"
            r" name a secret choice",
        ),
        ("faltering", r"_names_the_lowest_card \(.*broken.py, line \d+\): ValueError: .* empty"),
        ("rambling", r"describe_setup gave 'the table is empty' for everyone, which is no list of lines"),
        ("fabling", r"describe_effects tells seat 1 what it cannot see: 'line \d+' or 'line \d+'"),
        (
            "misjudging",
            r"describe_result gave 'Seat 1 wins: it began.', which does not begin with the winners: 'Seat",
        ),
        (
            "showing",
            r"the drawing for seat 1 depends on what it cannot see: '.*\[\[.*\]\]' or '.*\[\[.*\]\]'",
        ),
        (
            "overconfident",
            r"is_turn_uncertain says no, but at the end of the turn action \d is worth \[.*\] in"
            r" different worlds",
        ),
        ("sketchy", r"draw gave 'a picture' for seat 1, which is no SVG picture"),
        (
            "covered",
            r"the piece of action [01] \('lay a [01]'\) has its middle under a later piece, that of actions"
            r" \[[12]\]",
        ),
        (
            "tiny",
            r"the piece of action \d \('lay a \d'\) is 20.0 x 60.0 pixels where the drawing is 800 wide: at"
            r" least 24 each way",
        ),
        (
            "hollow",
            r"the piece of action \d \('lay a \d'\) has a hole in its middle, where a click does nothing",
        ),
        ("torn", r"draw gave no well-formed SVG picture: mismatched tag"),
    ],
)
def test_a_mistake_is_reported_with_what_to_do_about_it(name, message):
    with pytest.raises(LawBroken, match=message):
        check_game(find_sick_games()[name], compiled=False, matches=1)


def test_a_turn_may_be_certain_where_the_drawn_card_is_worth_nothing_yet():
    assert check_game(broken.SURE, compiled=False, matches=1)


def test_a_set_up_may_have_decisions_before_the_first_turn():
    assert check_game(broken.ASKING, compiled=False, matches=1)


def test_a_drawing_may_show_a_seat_its_own_hand():
    laws_kept = check_game(broken.DISCREET, compiled=False, matches=1)
    assert "a drawing shows a seat only what it sees" in laws_kept


def test_what_is_no_piece_covers_none_and_a_small_piece_may_have_a_larger_target():
    assert "a piece of a drawing can be clicked" in check_game(broken.CLEAR, compiled=False, matches=1)


def test_pieces_whose_place_the_check_does_not_know_are_named_and_break_no_law():
    advice = []
    check_game(broken.LETTERED, compiled=False, matches=1, on_advice=advice.append)
    assert [line for line in advice if "made of text: whether a click hits them was not checked" in line]


def test_every_planted_fault_has_its_law():
    assert set(CAUGHT) == set(find_sick_games())


def test_every_law_that_a_message_cites_is_one_that_a_check_lists():
    assert set(CAUGHT.values()) <= set(list_laws())
    uncompiled = check_game(broken.SURE, compiled=False, matches=1)
    assert sorted(
        [*uncompiled, "compiled and uncompiled rules agree", "the number of workers does not matter"]
    ) == sorted(list_laws())


def test_a_failure_names_seed_and_step_and_the_fewest_actions_that_show_it():
    with pytest.raises(LawBroken, match=r"seed 200612, deal 0, step 1; actions to get there: \[\d\]"):
        check_game(broken.LOSING, compiled=False, matches=1)


def test_a_healthy_game_keeps_every_law_compiled_and_plain():
    laws_kept = check_game(broken.HEALTHY)
    assert "compiled and uncompiled rules agree" in laws_kept
    assert "nothing in the census appears or gets lost" in laws_kept
    assert len(laws_kept) > 20


@pytest.mark.long
def test_a_number_that_is_wide_only_when_compiled_is_caught():
    """1 << 22 does not fit in the sixteen bits of state.players: NumPy drops it silently, the compiler
    widens.
    """
    with pytest.raises(
        LawBroken,
        match="wide breaks the law 'compiled and uncompiled rules agree': greedy play gives other rows",
    ):
        check_game(broken.WIDE)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "Not A Name"}, "name: a name is small letters"),
        ({"player_counts": (1, 2)}, "player_counts: games have 2 to 8 seats"),
        ({"actions": 0}, "actions: the number of actions is a positive whole number"),
        ({"legal": lambda state, actions: 0}, "legal: it is a function marked @rule"),
        ({"streams": ("deck", "deck")}, "streams: it is a tuple of different names"),
        ({"ends": ()}, "ends: a match can end"),
        ({"fields": {"turn": public("i2")}}, "field turn: the header has a field of this name already"),
        ({"fields": {"small": public("i1")}}, "field small: its kind is i2, i4 or i8, not i1"),
        ({"groups": {"all": [99]}}, "group all: its actions are from 0 to 2"),
        (
            {"variants": {"odd": ({"nothing": 1}, "")}},
            "variant odd: it sets nothing, which is not a parameter of this game",
        ),
    ],
)
def test_a_declaration_that_breaks_the_protocol_names_the_field_and_the_law(change, message):
    import dataclasses

    with pytest.raises(BrokenGame, match="game '.*', " + message):
        dataclasses.replace(broken.HEALTHY, **change)


@pytest.mark.long
def test_the_matches_of_the_default_are_played_once_for_all_values_of_all_parameters(monkeypatch):
    asked = []

    def count(variant, agents, seats, deals, **more):
        asked.append((variant.name, agents, seats, deals, more.get("first", 0)))
        return play_batch(variant, agents, seats, deals, **more)

    monkeypatch.setattr(checker, "play_batch", count)
    check_game(PIG, compiled=False, matches=1)
    samples = [request for request in asked if request[0] == "pig" and request[3] == 24]
    assert sorted(samples) == [("pig", "random", seats, 24, 0) for seats in PIG.player_counts]


@rule
def pass_the_die_by_name(state):
    """As in Pig; `latest` is the seat that had it: 0 for seat 1."""
    state.latest = state.turn_owner
    state.gathered = 0
    begin_turn(state, next_seat(state, state.turn_owner))


NAMED, MISNAMED = (
    derive(PIG, name, pass_the_die=pass_the_die_by_name, fields={"latest": public("i2", first_seat=first)})
    for name, first in (("named", 0), ("misnamed", 1))
)


def test_seats_that_are_counted_from_another_number_than_declared_are_caught():
    with pytest.raises(LawBroken, match=r"latest names seats from 1 on, but never seat \d, and often is 0"):
        check_game(MISNAMED, compiled=False, matches=1)


@pytest.mark.long
def test_seats_that_are_counted_as_declared_are_none():
    check_game(NAMED, compiled=False, matches=1)
