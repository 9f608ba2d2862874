"""The laws that every position of every game keeps. Each law looks at one position and returns what is wrong, or nothing.

They run on the plain rules along random matches. The laws about whole matches, parameters and processes are in `check.py`.
"""

import functools
import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np

from boardgames.agents.agent import Agent, find_agent
from boardgames.agents.greedy import finish_turn
from boardgames.game.game import PHASES, Game
from boardgames.game.whole_numbers import refusing_fractions
from boardgames.play.batch import bound, make_desk
from boardgames.rules import protocol
from boardgames.rules.chance import fold
from boardgames.rules.rulecode import Function, rebind

WORLDS = 4  # imagined, where what they promise is compared


class Position(NamedTuple):
    """A position of a match, and the one that the match began with."""

    game: Game
    states: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    luck: int

    @property
    def state(self) -> Any:
        return self.states[0]

    def run(self, function: Function, *args: Any) -> Any:
        return bound(self.game, (), True)[function](*args)

    def actions(self, states: np.ndarray[Any, Any] | None = None) -> list[int]:
        """The legal actions here, or in another state; as the rules wrote them."""
        row = np.full(self.game.actions + 1, -1, np.int64)
        n = self.run(protocol.legal, (self.states if states is None else states)[0], row)
        return [int(action) for action in row[:n]]

    def after(self, action: int) -> np.ndarray[Any, Any]:
        copy = self.states.copy()
        self.run(protocol.apply, copy[0], np.int64(action))
        return copy

    def imagined(self, seat: int, key: int) -> np.ndarray[Any, Any]:
        copy = self.states.copy()
        self.run(protocol.imagined, refusing_fractions(self.game, copy)[0], seat, key)
        return copy


Law = Callable[[Position], str]


def the_header_is_in_order(at: Position) -> str:
    state = at.state
    if state.seats != at.first[0].seats:
        return f"state.seats became {state.seats}"
    if not (0 <= state.actor < state.seats and 0 <= state.player < state.seats):
        return f"actor {state.actor} or player {state.player} is not one of {state.seats} seats"
    if not 0 <= state.phase < PHASES:
        return f"phase {state.phase} is not in 0 .. {PHASES - 1}"
    if not 0 <= state.end <= len(at.game.ends):
        return f"end {state.end} is not one of the {len(at.game.ends)} named"
    if state.turn != state.begun.sum():
        return f"turn {state.turn}, but the seats began {state.begun.tolist()}: begin each turn with begin_turn"
    if state.rules.tobytes() != at.first[0].rules.tobytes():
        return "the rules record was changed"
    return ""


def legal_is_never_empty_unique_and_in_range(at: Position) -> str:
    if at.state.end:
        return ""
    actions = at.actions()
    if not actions:
        return "no legal action before the end"
    if len(set(actions)) != len(actions):
        return f"an action is listed twice: {actions}"
    if not all(0 <= action < at.game.actions for action in actions):
        return f"an action is not in 0 .. {at.game.actions - 1}: {actions}"
    return ""


def legal_is_stable_and_changes_nothing(at: Position) -> str:
    if at.state.end:
        return ""
    copy = at.states.copy()
    first, second = at.actions(copy), at.actions(copy)
    if first != second:
        return f"called twice, legal gave {first} and then {second}"
    return "" if copy.tobytes() == at.states.tobytes() else f"legal changed {_differences(at, copy)}"


def apply_is_deterministic_and_copies_are_independent(at: Position) -> str:
    if at.state.end:
        return ""
    before = at.states.tobytes()
    for action in at.actions()[:3]:
        once, twice = at.after(action), at.after(action)
        if once.tobytes() != twice.tobytes():
            return f"applying {action} to two copies gave different positions"
        if at.states.tobytes() != before:
            return f"applying {action} to a copy changed the original"
    return ""


def a_turn_has_at_least_one_decision(at: Position) -> str:
    if at.state.end:
        return ""
    for action in at.actions()[:3]:
        begun = at.after(action)[0].turn - at.state.turn
        if not 0 <= begun <= 1:
            return f"applying {action} began {begun} turns"
    return ""


def every_turn_is_counted(at: Position) -> str:
    """By begin_turn: set-up begins the first one, and a new player a new one."""
    if at.state.turn < 1:
        return "no turn has begun: end set-up with begin_turn(state, seat)"
    if at.state.end:
        return ""
    for action in at.actions()[:3]:
        after = at.after(action)[0]
        if after.player != at.state.player and after.begun[after.player] == at.state.begun[after.player]:
            seat = int(after.player)
            return f"applying {action} made seat {seat + 1} the player, but no turn began: call begin_turn(state, {seat})"
    return ""


def every_legal_action_can_be_said_and_told_apart(at: Position) -> str:
    if at.state.end:
        return ""
    words: dict[str, int] = {}
    for action in at.actions():
        said = at.game.say(at.state, action)
        if not isinstance(said, str) or not said.strip():
            return f"say gave {said!r} for action {action}"
        if said in words:
            return f"actions {words[said]} and {action} are both said '{said}'"
        words[said] = action
    return ""


def score_orders_standing(at: Position) -> str:
    sign = -1 if at.game.low_wins else 1
    seats = range(at.state.seats)
    scores = [sign * int(at.run(protocol.score, at.state, seat)) for seat in seats]
    standings = [int(at.run(protocol.standing, at.state, seat)) for seat in seats]
    for a in seats:
        for b in seats:
            if scores[a] > scores[b] and not standings[a] > standings[b]:
                return f"seat {a + 1} has the better score than seat {b + 1}, but not the better standing"
    return ""


def measuring_changes_nothing(at: Position) -> str:
    copy = at.states.copy()
    for seat in range(at.state.seats):
        for function in (protocol.score, protocol.standing, protocol.outlook):
            value = at.run(function, copy[0], seat)
            if int(value) != value:
                return f"{function.__name__} gave {value}, which is not a whole number"
    return "" if copy.tobytes() == at.states.tobytes() else f"score, standing or outlook changed {_differences(at, copy)}"


def the_census_is_conserved(at: Position) -> str:
    if at.game.census is None:
        return ""
    now, box = at.game.census(at.state), at.game.census(at.first[0])
    wrong = [f"{now[name]} {name} on the table, {box[name]} at the start" for name in box if now[name] != box[name]]
    return "; ".join(wrong)


def imagining_keeps_all_that_the_seat_sees(at: Position) -> str:
    for seat in range(at.state.seats):
        world = at.imagined(seat, fold(at.luck, seat))
        changed = [name for name in _differences(at, world) if not name.startswith("stream_")]
        for name in changed:
            seen = at.game.fields[name].seen if name in at.game.fields else "public"
            if seen == "public" or (seen == "own" and (world[0][name][seat] != at.state[name][seat]).any()):
                return f"imagining for seat {seat + 1} changed {name}, which it sees"
        if not at.state.end and at.state.actor == seat and at.actions(world) != at.actions():
            return f"imagining for seat {seat + 1} changed what it may do"
        if at.game.census and at.game.census(world[0]) != at.game.census(at.state):
            return f"imagining for seat {seat + 1} lost or made pieces: {at.game.census(world[0])}"
    return ""


def imagining_rekeys_every_stream(at: Position) -> str:
    for seat in range(at.state.seats):
        keys = [at.imagined(seat, fold(at.luck, which))[0].stream_key for which in range(2)]
        if at.game.streams and (keys[0] == at.state.stream_key).any():
            return f"after imagining for seat {seat + 1} a stream still has its key: the seat could see the future"
        if at.game.streams and (keys[0] == keys[1]).any():
            return f"two worlds imagined for seat {seat + 1} have the same future"
    return ""


def imagining_depends_only_on_what_the_seat_sees(at: Position) -> str:
    """Two positions that the seat cannot tell apart, and one key, give the same bytes."""
    for seat in range(at.state.seats):
        twin = at._replace(states=at.imagined(seat, fold(at.luck, 100 + seat)))
        key = fold(at.luck, 200 + seat)
        if twin.imagined(seat, key).tobytes() != at.imagined(seat, key).tobytes():
            names = _differences(twin._replace(states=twin.imagined(seat, key)), at.imagined(seat, key))
            return f"seat {seat + 1} cannot tell two positions apart, yet imagines {', '.join(names)} differently in them"
    return ""


def a_turn_that_is_not_uncertain_is_worth_the_same_in_every_world(at: Position) -> str:
    """Where `is_turn_uncertain` says no: every action, at the end of the turn, by the outlook alone and with prizes for tallies."""
    if at.state.end or at.game.is_turn_uncertain is None or at.run(protocol.is_turn_uncertain, at.state):
        return ""
    keys = [fold(at.luck, 500 + world) for world in range(WORLDS)]
    worlds = [at.imagined(int(at.state.actor), key) for key in keys]
    greedy, prizes = find_agent("greedy", at.game), tuple(7 + 2 * tally for tally in range(len(at.game.tallies)))
    for agent, action in itertools.product([greedy, replace(greedy, prizes=prizes)], at.actions()):
        worths = [_look_ahead(at, world, action, key, agent) for world, key in zip(worlds, keys, strict=True)]
        if len(set(worths)) > 1:
            return f"is_turn_uncertain says no, but at the end of the turn action {action} is worth {worths} in different worlds"
    return ""


def _look_ahead(at: Position, world: np.ndarray[Any, Any], action: int, key: int, agent: Agent) -> int:
    """What an action in an imagined world is worth to its actor at the end of the turn, as this greedy agent plays on."""
    desk = make_desk(at.game, [agent])
    desk.worlds[:1] = world
    at.run(protocol.apply, desk.worlds[0], np.int64(action))
    numbers = np.array(agent.row(0, 0, at.game), np.int64)
    return int(_turn_finisher(at.game)(0, at.state.turn, at.state.actor, key, numbers, desk))


@functools.lru_cache(maxsize=64)
def _turn_finisher(game: Game) -> Function:
    rules = {getattr(protocol, name): function for name, function in game.functions().items()}
    return cast(Function, rebind([finish_turn], rules)[finish_turn])


def words_depend_only_on_what_the_actor_sees(at: Position) -> str:
    """What an action is called is heard by all, so it must not give away what even the actor does not know."""
    if at.state.end:
        return ""
    world = at.imagined(int(at.state.actor), fold(at.luck, 300))
    for action in at.actions():
        here, there = at.game.say(at.state, action), at.game.say(world[0], action)
        if here != there:
            return (
                f"action {action} is said '{here}' or '{there}', depending on what its actor, seat {at.state.actor + 1}, cannot see"
            )
    return ""


def a_drawing_shows_a_seat_only_what_it_sees(at: Position) -> str:
    if at.game.draw is None:
        return ""
    for seat in range(at.state.seats):
        copy = at.states.copy()
        here, there = at.game.draw(copy[0], seat), at.game.draw(at.imagined(seat, fold(at.luck, 400 + seat))[0], seat)
        if not isinstance(here, str) or not here.lstrip().startswith("<svg"):
            return f"draw gave {str(here)[:40]!r} for seat {seat + 1}, which is no SVG picture"
        if copy.tobytes() != at.states.tobytes():
            return f"draw changed {', '.join(_differences(at, copy))}"
        if here != there:
            return f"the drawing for seat {seat + 1} depends on what it cannot see: {_first_difference(here, there)}"
    return ""


def _first_difference(one: str, other: str) -> str:
    """Where two texts part, with a little of each."""
    at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other)))
    return f"'{one[max(0, at - 20) : at + 20]}' or '{other[max(0, at - 20) : at + 20]}'"


def _differences(at: Position, other: np.ndarray[Any, Any]) -> list[str]:
    names = at.game.state.names or ()
    return [name for name in names if at.states[name].tobytes() != other[name].tobytes()]


def redealt(at: Position) -> set[str]:
    """The own and hidden fields that imagining for some seat changes here, in one of several worlds."""
    worlds = [at.imagined(seat, fold(at.luck, key)) for seat in range(at.state.seats) for key in range(4)]
    return {name for world in worlds for name in _differences(at, world) if name in at.game.fields}


IMAGINING_LAWS: tuple[Law, ...] = (
    imagining_keeps_all_that_the_seat_sees,
    imagining_rekeys_every_stream,
    imagining_depends_only_on_what_the_seat_sees,
    a_turn_that_is_not_uncertain_is_worth_the_same_in_every_world,
    words_depend_only_on_what_the_actor_sees,
    a_drawing_shows_a_seat_only_what_it_sees,
)
POSITION_LAWS: tuple[Law, ...] = (
    the_header_is_in_order,
    legal_is_never_empty_unique_and_in_range,
    legal_is_stable_and_changes_nothing,
    apply_is_deterministic_and_copies_are_independent,
    a_turn_has_at_least_one_decision,
    every_turn_is_counted,
    every_legal_action_can_be_said_and_told_apart,
    score_orders_standing,
    measuring_changes_nothing,
    the_census_is_conserved,
    *IMAGINING_LAWS,
)


def law_name(law: Callable[..., Any]) -> str:
    return law.__name__.replace("_", " ")
