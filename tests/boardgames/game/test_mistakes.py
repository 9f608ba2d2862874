"""What goes wrong in a stranger's rules is told in a sentence: function, file, line, and the field that was
probably meant.
"""

from pathlib import Path

import numpy as np
import pytest
from numba.core import errors

from boardgames import Match, find_variant, make_python_agent, play_batch, rule
from boardgames.errors import PluginError
from boardgames.game.whole_numbers import NotWhole, refuse_fractions
from boardgames.rules.rulecode import NotARule, digest_rules
from boardgames.tools.check import LawBroken, check_game
from tests.support.broken import HEALTHY, MISSPELT

MINE = """
from boardgames import Game, Int, begin_turn, next_seat, public, rule

@rule
def setup(state):
    begin_turn(state, 0)

@rule
def legal(state, actions):
    actions[0], actions[1] = 0, 1
    return 2

@rule
def apply(state, action):
    throw(state, action)
    if state.turn == 2 * state.players:
        state.end = 1
    else:
        begin_turn(state, next_seat(state, state.turn_owner))

@rule
def throw(state, action):
    state.thrown[state.turn_owner] += action

@rule
def standing(state, seat):
    return state.thrown[seat]

def say(state, action):
    return f"throw {action}"

MINE = Game(name="mine", player_counts=(2,), actions=2, fields={"thrown": public("i2", 2)}, setup=setup,
            legal=legal, apply=apply, standing=standing, say=say,
            parameters=(Int("target", 3, "points that win", 1, 9),))
"""
RIGHT = "state.thrown[state.turn_owner] += action"
TYPO = "state.thorwn[state.turn_owner] += action"
ZERO = "state.thrown[state.turn_owner] += 6 // (action - action)"
MESSAGES = {
    TYPO: "throw (mine.py, line 23): there is no field 'thorwn'; did you mean state.thrown?",
    "state.thrown[state.turn_owner] = state.targt": (
        "throw (mine.py, line 23): there is no field 'targt'; did you mean state.rules.target?"
    ),
    "state.xyzzy = action": (
        "throw (mine.py, line 23): there is no field 'xyzzy'; the game's fields are thrown"
    ),
}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """A game in ./mine.py of the current folder, with one line of its rules changed."""
    monkeypatch.chdir(tmp_path)

    def write(line: str, instead_of: str = RIGHT) -> str:
        (tmp_path / "mine.py").write_text(MINE.replace(instead_of, line))
        return "./mine.py:MINE"

    return write


@pytest.mark.parametrize("line", MESSAGES)
def test_a_misspelt_field_is_reported_with_its_line_and_the_field_that_was_meant(write, line):
    variant = find_variant(write(line))
    match = Match(variant, 2)
    with pytest.raises(PluginError, match="the rules of mine fail in") as plain:
        match.push(0)
    assert str(plain.value).endswith(MESSAGES[line])
    with pytest.raises(PluginError, match="the rules of mine do not compile:") as compiled:
        play_batch(variant, "random", 2, 1)
    assert str(compiled.value).endswith(MESSAGES[line])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "state.thrown[state.turn_owner] += action.size()",
            "throw (mine.py, line 23): Unknown attribute 'size' of type int64",
        ),
        (
            "state.thrown[state.turn_owner] += state + 1",
            "throw (mine.py, line 23): there is no add(record, Literal[int](1))",
        ),
        # an error of Numba's own, which names no line
        ("state.thrown[state.turn_owner] += sorted((action, 1))[0]", "Implementation function returned by"),
    ],
)
def test_what_the_compiler_refuses_is_a_sentence_with_its_line(write, line, message):
    with pytest.raises(NotARule) as caught:
        play_batch(find_variant(write(line)), "random", 2, 1)
    assert str(caught.value).startswith(f"the rules of mine do not compile: {message}")
    assert len(str(caught.value)) < 400
    assert "\n" not in str(caught.value)


class Colours:
    """What Numba colours its errors with where colorama is installed."""

    def __getattr__(self, name):
        return lambda text: f"\x1b[1m\x1b[31m{text}\x1b[0m"


def test_colours_in_an_error_of_the_compiler_are_left_out(write, monkeypatch):
    monkeypatch.setattr(errors, "_termcolor_inst", Colours())
    with pytest.raises(NotARule) as caught:
        play_batch(find_variant(write("state.thrown[state.turn_owner] += state + 1")), "random", 2, 1)
    assert "there is no add(record, Literal[int](1))" in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_a_name_that_is_not_defined_is_reported_before_anything_is_compiled(write):
    variant = find_variant(write("state.thrown[state.turn_owner] += thrice(action)"))
    with pytest.raises(
        NotARule, match=r"the rule throw \(.*mine.py, line 23\) uses thrice, which is not defined"
    ):
        play_batch(variant, "random", 2, 1)


def test_a_division_by_zero_in_compiled_rules_is_reported_with_its_line(write):
    with pytest.raises(PluginError, match=r"the rules of mine fail in throw \(mine.py, line 23\): .*divi"):
        play_batch(find_variant(write(ZERO)), "random", 2, 3)


def test_where_agents_are_slow_a_division_by_zero_is_reported_with_the_luck_that_shows_it(write):
    line = f"{RIGHT}; state.thrown[0] += 6 // (4 - state.turn)"
    variant = find_variant(write(line))
    first = make_python_agent(lambda view: view.actions[0], variant.game)
    with pytest.raises(
        PluginError, match=r"the rules of mine fail with seed 3, in deal 7: ZeroDivisionError"
    ):
        play_batch(variant, [first, first], 2, 3, seed=3, first=7)


@pytest.mark.parametrize(
    ("line", "command", "code"),
    [
        (TYPO, ["check"], 1),
        (TYPO, ["check", "--plain"], 1),
        (TYPO, ["simulate", "--matches", "1"], 2),
        (ZERO, ["check"], 1),
    ],
)
def test_no_command_shows_a_traceback_for_a_mistake_in_the_rules(write, line, command, code, run_command):
    done = run_command("--quiet", command[0], write(line), *command[1:])
    assert done.returncode == code
    assert "throw (mine.py, line 23)" in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("instead_of", "line", "message"),
    [
        (
            'return f"throw {action}"',
            "return state.words",
            "say (mine.py, line 30): there is no field 'words'",
        ),
        (
            "say=say,",
            "say=say, refuse=lambda rules, seats: rules.tarket,",
            "did you mean state.rules.target?",
        ),
        (
            "say=say,",
            "say=say, scores=lambda rules, seats: (0, rules.tarket),",
            "did you mean state.rules.target?",
        ),
        ("say=say,", "say=say, census=lambda state: state.thorwn,", "did you mean state.thrown?"),
        ("say=say,", "say=say, draw=lambda state, seat: state.thorwn,", "did you mean state.thrown?"),
    ],
)
def test_mistakes_in_what_is_no_rule_are_reported_too(write, instead_of, line, message, run_command):
    done = run_command("--quiet", "check", "--plain", write(line, instead_of))
    assert done.returncode == 1
    assert message in done.stderr
    assert "mine.py, line 3" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "return 2 - state.thorwn[0]",
            "legal (mine.py, line 11): there is no field 'thorwn'; did you mean state.thrown?",
        ),
        (
            "return 4 / 2",
            "legal (mine.py, line 8): it returned 2.0, and the number of legal actions is a whole",
        ),
        (
            "actions[1] = 4 / 3; return 2",
            "legal (mine.py, line 11): 1.3333333333333333 is written into actions",
        ),
    ],
)
def test_a_mistake_in_the_list_of_legal_actions_is_reported_too(write, line, message):
    variant = find_variant(write(line, "return 2"))
    with pytest.raises(LawBroken) as caught:
        check_game(variant.game, compiled=False, matches=1)
    assert message in str(caught.value)
    if "/ 3" not in line:  # which NumPy cuts off in play
        with pytest.raises(PluginError) as played:
            Match(variant, 2).legal()
        assert message in str(played.value)


def test_an_error_in_a_players_own_python_is_left_as_it_is():
    def stumbles(view):
        raise ValueError("no idea")

    with pytest.raises(ValueError, match="no idea"):
        play_batch(
            find_variant("tests.support.broken:HEALTHY"), [make_python_agent(stumbles, HEALTHY)] * 2, 2, 1
        )


def test_a_derived_rule_is_reported_by_the_name_and_the_file_it_is_written_in():
    with pytest.raises(
        PluginError, match=r"fail in _misspells \(.*broken.py, line \d+\): there is no field 'dekc'"
    ):
        Match(find_variant("tests.support.broken:MISSPELT"), 2).step("random")
    assert MISSPELT.name == "misspelt"


# ---- what rules are made of, as docs/own_game/protocol.md says


@rule
def a_string(state):
    return len("five")


@rule
def a_formatted_string(state):
    return len(f"{state.turn}")


@rule
def a_made_string(state):
    return len(str(state.turn))


@rule
def a_list(state):
    return [1, 2][0]


@rule
def a_dictionary(state):
    return {1: 2}[1]


@rule
def a_made_dictionary(state):
    return len(dict())  # noqa: C408


@rule
def a_set(state):
    return len({1, 2})


@rule
def a_generator(state):
    return sum(kind for kind in range(3))


@rule
def a_yield(state):
    yield 1


@rule
def a_class(state):
    class Inner:
        pass

    return 1


@rule
def a_function_inside(state):
    return (lambda: 1)()


@rule
def a_try(state):
    try:
        return 1
    finally:
        state.turn = 1


@rule
def a_with(state):
    with np.errstate(all="raise"):
        return 1


@rule
def an_import(state):
    import math

    return math.pi


@rule
def a_global(state):
    global MESSAGES
    MESSAGES = 1


@rule
def a_print(state):
    print(state.turn)


PROMISED = {
    "strings": [a_string, a_formatted_string, a_made_string],
    "lists": [a_list],
    "dictionaries": [a_dictionary, a_made_dictionary],
    "sets": [a_set],
    "generators": [a_generator, a_yield],
    "classes": [a_class],
    "functions inside": [a_function_inside],
    "`try`": [a_try],
    "`with`": [a_with],
    "`import`": [an_import],
    "`global`": [a_global],
    "`print`": [a_print],
}


@pytest.mark.parametrize("kind", PROMISED)
def test_what_the_docs_say_is_refused_in_rules_is_refused_with_its_line(kind):
    docs = (Path(__file__).parents[3] / "docs" / "own_game" / "protocol.md").read_text()
    refused = docs.partition("It must not use")[2].partition(", nor call")[0]
    assert kind in refused.replace("\n", " ")
    for function in PROMISED[kind]:
        with pytest.raises(
            NotARule, match=rf"the rule {function.__name__} \(.*test_mistakes.py, line \d+\) uses "
        ):
            digest_rules([function])


TAU, WORDS = (6, 28), ("a", "b")


@rule
def allowed(state, more=2):
    """Numbers, tuples, loops, arrays and other rules; a docstring is no string."""
    half, n = state.turn / 2, 0
    for kind in range(TAU[0]):
        while n < kind:
            n += more if state.begun[0] > 0 else 1
    return int(half) + n, np.int64(3)


@rule
def reads_words(state):
    return len(WORDS)


def test_what_the_docs_allow_is_allowed():
    assert digest_rules([allowed])
    with pytest.raises(NotARule, match="mentions WORDS, a str"):
        digest_rules([reads_words])


# ---- fractions


def test_a_position_that_refuses_fractions_is_otherwise_the_same():
    states = np.zeros(1, HEALTHY.state)
    state = refuse_fractions(HEALTHY, states)[0]
    state.turn, state.hand[1, 2], state.rules.worth = 3, 4, np.int16(5)
    state.table[0] = state.hand[1] + True
    assert states[0].turn == 3
    assert states[0].rules.worth == 5
    assert states[0].table[0].tolist() == [1, 1, 5]
    assert type(state.hand[1].sum()) is type(states[0].hand[1].sum())
    assert type(state.hand[1] * 2) is np.ndarray


WRITERS = {
    "fill": lambda numbers, value: numbers.fill(value),
    "put": lambda numbers, value: numbers.put([0], value),
    "np.put": lambda numbers, value: np.put(numbers, [0], value),
    "np.copyto": lambda numbers, value: np.copyto(numbers, value, casting="unsafe"),
    "np.copyto by name": lambda numbers, value: np.copyto(numbers, src=value, casting="unsafe"),
    "np.place": lambda numbers, value: np.place(numbers, numbers == 0, [value]),
    "np.putmask": lambda numbers, value: np.putmask(numbers, numbers == 0, value),
    "a part": lambda numbers, value: numbers[1:].fill(value),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_a_fraction_is_refused_by_whatever_writes_it(writer):
    state = refuse_fractions(HEALTHY, np.zeros(1, HEALTHY.state))[0]
    WRITERS[writer](state.hand, 3)
    assert 3 in state.hand
    before = state.hand.tolist()
    with pytest.raises(NotWhole, match="is written into hand, a field of whole numbers"):
        WRITERS[writer](state.hand, 0.5)
    assert state.hand.tolist() == before


@pytest.mark.parametrize("value", [0.5, np.float64(2), np.array([1.0, 2, 3]), [1, 2, 0.5]])
def test_a_fraction_is_refused_wherever_it_is_written(value):
    state = refuse_fractions(HEALTHY, np.zeros(1, HEALTHY.state))[0]
    with pytest.raises(NotWhole, match="is written into hand, a field of whole numbers"):
        state.hand[1][:] = value
    with pytest.raises(NotWhole, match="is written into hand"):
        state.hand = value
    with pytest.raises(NotWhole, match="is written into worth"):
        state.rules.worth = value
