"""The laws of positions. They are checked with the uncompiled rules, along random matches."""

import functools
import itertools
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np

from boardgames.agents.agent import Agent, find_agent
from boardgames.agents.greedy import finish_turn
from boardgames.game.game import MAX_PHASES, Game
from boardgames.game.mistakes import check_count
from boardgames.game.result import format_seats
from boardgames.game.whole_numbers import refuse_fractions, refuse_fractions_in
from boardgames.play.batch import bind_engine, make_scratch
from boardgames.rules import protocol
from boardgames.rules.chance import fold
from boardgames.rules.rulecode import Function, rebind
from boardgames.tools.check.pieces import Drawing, find_faults, read_drawing

FIELDS_MEAN = "fields hold what they declare"
WORLDS = 4  # resampled worlds whose evaluations are compared


class Position(NamedTuple):
    """A position of a match, and its set-up position."""

    game: Game
    states: np.ndarray[Any, Any]
    first: np.ndarray[Any, Any]
    luck: int

    @property
    def state(self) -> Any:
        return self.states[0]

    def run(self, function: Function, *args: Any) -> Any:
        return bind_engine(self.game, (), False)[function](*args)

    def actions(self, states: np.ndarray[Any, Any] | None = None) -> list[int]:
        """The legal actions in this state or another, as the rules wrote them."""
        row = refuse_fractions_in("actions", np.full(self.game.actions + 1, -1, np.int64))
        n = self.run(protocol.legal, (self.states if states is None else states)[0], row)
        return [int(action) for action in row[: check_count(self.game, n)]]

    def after(self, action: int) -> np.ndarray[Any, Any]:
        copy = self.states.copy()
        self.run(protocol.apply, copy[0], np.int64(action))
        return copy

    def rekey_and_resample(self, seat: int, key: int) -> np.ndarray[Any, Any]:
        copy = self.states.copy()
        self.run(protocol.rekey_and_resample, refuse_fractions(self.game, copy)[0], seat, key)
        return copy


class PositionLaw(NamedTuple):
    """A law of positions: its check yields what is wrong, if anything. Only the first sentence counts."""

    name: str
    check: Callable[[Position], Iterator[str]]
    resamples: bool  # slow: checked in some positions only


POSITION_LAWS: list[PositionLaw] = []


def position_law(
    name: str, resamples: bool = False
) -> Callable[[Callable[[Position], Iterator[str]]], PositionLaw]:
    """Declare a law: a decorator for its check. It comes after those declared before it."""

    def declare(check: Callable[[Position], Iterator[str]]) -> PositionLaw:
        POSITION_LAWS.append(PositionLaw(name, check, resamples))
        return POSITION_LAWS[-1]

    return declare


@position_law("the header is correct")
def check_header(position: Position) -> Iterator[str]:
    state = position.state
    if state.players != position.first[0].players:
        yield f"state.players became {state.players}"
    if not (0 <= state.actor < state.players and 0 <= state.turn_owner < state.players):
        yield f"actor {state.actor} or player {state.turn_owner} is not one of {state.players} seats"
    if not 0 <= state.phase < MAX_PHASES:
        yield f"phase {state.phase} is not in 0 .. {MAX_PHASES - 1}"
    if not 0 <= state.end <= len(position.game.ends):
        yield f"end {state.end} is not one of the {len(position.game.ends)} named"
    if state.turn != state.begun.sum():
        yield (
            f"turn {state.turn}, but the seats began {state.begun.tolist()}: begin each turn with begin_turn"
        )
    if state.rules.tobytes() != position.first[0].rules.tobytes():
        yield "the rules record was changed"


@position_law("legal actions exist and are unique and in range")
def check_legal_list(position: Position) -> Iterator[str]:
    if position.state.end:
        return
    actions = position.actions()
    if not actions:
        yield "no legal action before the end"
    if len(set(actions)) != len(actions):
        yield f"an action is listed twice: {actions}"
    if not all(0 <= action < position.game.actions for action in actions):
        yield f"an action is not in 0 .. {position.game.actions - 1}: {actions}"


@position_law("asking for legal actions changes nothing")
def check_legal_is_stable(position: Position) -> Iterator[str]:
    if position.state.end:
        return
    copy = position.states.copy()
    first, second = position.actions(copy), position.actions(copy)
    if first != second:
        yield f"called twice, legal gave {first} and then {second}"
    if copy.tobytes() != position.states.tobytes():
        yield f"legal changed {_list_differences(position, copy)}"


@position_law("an action does the same every time and copies stay apart")
def check_apply(position: Position) -> Iterator[str]:
    if position.state.end:
        return
    before = position.states.tobytes()
    for action in position.actions()[:3]:
        once, twice = position.after(action), position.after(action)
        if once.tobytes() != twice.tobytes():
            yield f"applying {action} to two copies gave different positions"
        if position.states.tobytes() != before:
            yield f"applying {action} to a copy changed the original"


@position_law("a turn has at least one decision")
def check_turns_have_decisions(position: Position) -> Iterator[str]:
    if position.state.end:
        return
    for action in position.actions()[:3]:
        begun = position.after(action)[0].turn - position.state.turn
        if not 0 <= begun <= 1:
            yield f"applying {action} began {begun} turns"


@position_law("every turn is counted")
def check_turns_are_counted(position: Position) -> Iterator[str]:
    """By begin_turn: set-up begins the first turn, or decisions of the set-up do, in a phase of their own; a
    change of the turn's owner begins a new one.
    """
    never_begun = "no turn has begun: end set-up with begin_turn(state, seat)"
    if position.state.end:
        if position.state.turn < 1:
            yield never_begun
        return
    for action in position.actions()[:3]:
        after = position.after(action)[0]
        if position.state.turn < 1 <= after.turn and after.phase == position.state.phase:
            yield f"{never_begun}, or give the decisions of the set-up a phase of their own"
        if (
            after.turn_owner != position.state.turn_owner
            and after.begun[after.turn_owner] == position.state.begun[after.turn_owner]
        ):
            seat = int(after.turn_owner)
            problem = f"applying {action} made seat {seat + 1} the player, but no turn began"
            yield f"{problem}: call begin_turn(state, {seat})"


@position_law("every legal action has words of its own")
def check_words(position: Position) -> Iterator[str]:
    if position.state.end:
        return
    words: dict[str, int] = {}
    for action in position.actions():
        spoken = position.game.say(position.state, action)
        if not isinstance(spoken, str) or not spoken.strip():
            yield f"say gave {spoken!r} for action {action}"
        if spoken in words:
            yield f"actions {words[spoken]} and {action} are both said '{spoken}'"
        words[spoken] = action


@position_law("a better score has the better standing")
def check_standing(position: Position) -> Iterator[str]:
    sign = -1 if position.game.low_wins else 1
    seats = range(position.state.players)
    scores = [sign * int(position.run(protocol.score, position.state, seat)) for seat in seats]
    standings = [int(position.run(protocol.standing, position.state, seat)) for seat in seats]
    for a in seats:
        for b in seats:
            if scores[a] > scores[b] and not standings[a] > standings[b]:
                yield f"seat {a + 1} has the better score than seat {b + 1}, but not the better standing"
    if position.game.is_cooperative and len(set(standings)) > 1:
        yield f"the game is declared co-operative, but the seats stand at {standings}, which is not equal"


@position_law("reading the score changes nothing")
def check_measuring(position: Position) -> Iterator[str]:
    copy = position.states.copy()
    for seat in range(position.state.players):
        for function in (protocol.score, protocol.standing, protocol.evaluate):
            value = position.run(function, copy[0], seat)
            if int(value) != value:
                yield f"{function.__name__} gave {value}, which is not a whole number"
    if copy.tobytes() != position.states.tobytes():
        yield f"score, standing or evaluation changed {_list_differences(position, copy)}"


@position_law("nothing in the census appears or gets lost")
def check_census(position: Position) -> Iterator[str]:
    if position.game.census is None:
        return
    now, start = position.game.census(position.state), position.game.census(position.first[0])
    messages = [
        f"{now[name]} {name} on the table, {start[name]} at the start"
        for name in start
        if now[name] != start[name]
    ]
    if messages:
        yield "; ".join(messages)


@position_law(FIELDS_MEAN)
def check_meanings(position: Position) -> Iterator[str]:
    """What learned players and observations rely on, as far as play can disprove it: only with fewer than the
    most players are there rows and numbers of seats that do not play. Whether a list has an order is not
    checked: rules may rely on one that means nothing to players.
    """
    players, most_players = int(position.state.players), position.game.most_players
    for name, field in position.game.fields.items():
        now = np.asarray(position.state[name])
        if field.visibility == "public" and field.by_seat:
            changed = (now != position.first[0][name]).reshape(most_players, -1).any(axis=1)
            if changed[players:].any():
                yield f"{name} has a row per seat, but with {players} players the row of another seat changed"
        if field.first_seat is not None:
            seats = now - field.first_seat
            if (absent := now[(seats >= players) & (seats < most_players)]).size:
                yield f"{name} names seats from {field.first_seat} on, but {absent[0]} is none of {players}"
        if field.bits > 1 and (now < 0).any():
            yield f"{name} is made of digits of {field.bits} bits, but {now.min()} is below 0"


@position_law("resampling keeps all that the seat sees", resamples=True)
def check_resampling_keeps_what_is_seen(position: Position) -> Iterator[str]:
    for seat in range(position.state.players):
        world = position.rekey_and_resample(seat, fold(position.luck, seat))
        changed = [name for name in _list_differences(position, world) if not name.startswith("stream_")]
        for name in changed:
            seen = position.game.fields[name].visibility if name in position.game.fields else "public"
            if seen == "public" or (
                seen == "private" and (world[0][name][seat] != position.state[name][seat]).any()
            ):
                yield f"resampling for seat {seat + 1} changed {name}, which it sees"
        if (
            not position.state.end
            and position.state.actor == seat
            and position.actions(world) != position.actions()
        ):
            yield f"resampling for seat {seat + 1} changed what it may do"
        if position.game.census and position.game.census(world[0]) != position.game.census(position.state):
            yield f"resampling for seat {seat + 1} lost or made pieces: {position.game.census(world[0])}"


@position_law("resampling gives every stream new chance", resamples=True)
def check_resampling_rekeys(position: Position) -> Iterator[str]:
    for seat in range(position.state.players):
        keys = [
            position.rekey_and_resample(seat, fold(position.luck, which))[0].stream_key for which in range(2)
        ]
        if position.game.streams and (keys[0] == position.state.stream_key).any():
            problem = f"after resampling for seat {seat + 1} a stream still has its key"
            yield f"{problem}: the seat could see the future"
        if position.game.streams and (keys[0] == keys[1]).any():
            yield f"two worlds resampled for seat {seat + 1} have the same future"


@position_law("resampling depends only on what the seat sees", resamples=True)
def check_resampling_sees_no_more(position: Position) -> Iterator[str]:
    """Two positions that the seat cannot tell apart, and one key, give the same bytes."""
    for seat in range(position.state.players):
        other = position._replace(states=position.rekey_and_resample(seat, fold(position.luck, 100 + seat)))
        key = fold(position.luck, 200 + seat)
        if other.rekey_and_resample(seat, key).tobytes() != position.rekey_and_resample(seat, key).tobytes():
            names = _list_differences(
                other._replace(states=other.rekey_and_resample(seat, key)),
                position.rekey_and_resample(seat, key),
            )
            fields = ", ".join(names)
            yield (
                f"seat {seat + 1} cannot tell two positions apart, yet resamples {fields} differently in them"
            )


@position_law("a turn that is not uncertain is worth the same in every resample", resamples=True)
def check_certain_turns(position: Position) -> Iterator[str]:
    """Where `is_turn_uncertain` is False: every action, at the end of the turn, by evaluation alone and with
    prizes for tallies.
    """
    if (
        position.state.end
        or position.game.is_turn_uncertain is None
        or position.run(protocol.is_turn_uncertain, position.state)
    ):
        return
    keys = [fold(position.luck, 500 + world) for world in range(WORLDS)]
    worlds = [position.rekey_and_resample(int(position.state.actor), key) for key in keys]
    greedy, prizes = (
        find_agent("greedy", position.game),
        tuple(7 + 2 * tally for tally in range(len(position.game.tallies))),
    )
    for agent, action in itertools.product([greedy, replace(greedy, prizes=prizes)], position.actions()):
        worths = [
            _evaluate_turn_end(position, world, action, key, agent)
            for world, key in zip(worlds, keys, strict=True)
        ]
        if len(set(worths)) > 1:
            values = f"at the end of the turn action {action} is worth {worths} in different worlds"
            yield f"is_turn_uncertain says no, but {values}"


def _evaluate_turn_end(
    position: Position, world: np.ndarray[Any, Any], action: int, key: int, agent: Agent
) -> int:
    """The value of an action to its actor at the end of the turn, in a resampled world in which this agent
    plays on.
    """
    scratch = make_scratch(position.game, [agent])
    scratch.worlds[:1] = world
    position.run(protocol.apply, scratch.worlds[0], np.int64(action))
    numbers = np.array(agent.make_row(0, 0, position.game), np.int64)
    return int(
        _bind_finish_turn(position.game)(0, position.state.turn, position.state.actor, key, numbers, scratch)
    )


@functools.lru_cache(maxsize=64)
def _bind_finish_turn(game: Game) -> Function:
    rules = {getattr(protocol, name): function for name, function in game.functions().items()}
    return cast(Function, rebind([finish_turn], rules)[finish_turn])


@position_law("words depend only on what the actor sees", resamples=True)
def check_words_reveal_nothing(position: Position) -> Iterator[str]:
    """Everyone hears the words of an action, so they must not reveal what even the actor cannot see."""
    if position.state.end:
        return
    world = position.rekey_and_resample(int(position.state.actor), fold(position.luck, 300))
    for action in position.actions():
        words = position.game.say(position.state, action)
        other_words = position.game.say(world[0], action)
        if words != other_words:
            hidden = f"what its actor, seat {position.state.actor + 1}, cannot see"
            yield f"action {action} is said '{words}' or '{other_words}', depending on {hidden}"


@position_law("words tell no seat what it cannot see", resamples=True)
def check_no_action_is_secret(position: Position) -> Iterator[str]:
    """Everyone hears the words of an action, so two actions that leave different secrets lead to positions
    that every seat can tell apart.
    """
    if position.state.end:
        return
    actor = int(position.state.actor)
    outcomes = {action: position._replace(states=position.after(action)) for action in position.actions()}
    for seat in set(range(position.state.players)) - {actor}:
        for action in _pick_some(list(outcomes)):
            for other in _list_indistinguishable(outcomes, action, seat):
                words, other_words = (position.game.say(position.state, each) for each in (action, other))
                who = (
                    f"seat {seat + 1} cannot tell whether seat {actor + 1} does '{words}' or '{other_words}'"
                )
                yield f"{who}: words that all hear must not name a secret choice"


def _list_indistinguishable(outcomes: Mapping[int, Position], action: int, seat: int) -> Iterator[int]:
    """The actions that leave other secrets than this one, but lead to what a seat cannot tell from it."""
    outcome = outcomes[action]
    game = outcome.game
    secrets = [name for name, field in game.fields.items() if field.visibility != "public"]
    seen = game.hide_unseen(outcome.state, seat)
    for other, position in outcomes.items():
        differs = any(position.states[name].tobytes() != outcome.states[name].tobytes() for name in secrets)
        if not differs or not _are_fields_equal(game, game.hide_unseen(position.state, seat), seen):
            continue
        key = fold(outcome.luck, 600 + seat)
        worlds = [each.rekey_and_resample(seat, key)[0] for each in (outcome, position)]
        if _are_fields_equal(game, *worlds):
            yield other


def _are_fields_equal(game: Game, state: Any, other: Any) -> bool:
    """Whether two positions differ in nothing but their chance streams."""
    names = set(game.state.names or ()) - {"stream_key", "stream_step"}
    return all(state[name].tobytes() == other[name].tobytes() for name in names)


def _pick_some(actions: list[int]) -> list[int]:
    """The first, the middle and the last."""
    return sorted({actions[0], actions[len(actions) // 2], actions[-1]})


@position_law("a match can be retold from every position")
def check_telling(position: Position) -> Iterator[str]:
    """The functions that tell a match give lines: of the set-up to every seat, of each later position to one
    seat after the other, and always to someone who sees everything.
    """
    state = position.state
    actions = [] if state.end else position.actions()
    some_action = actions[int(state.turn) % len(actions) :][:1] if actions else []
    is_first = position.states.tobytes() == position.first.tobytes()
    seats = range(state.players) if is_first else [int(state.turn + state.phase) % int(state.players)]
    for seat in (None, *seats):
        for name, lines in _tell_everything(position, seat, some_action):
            who = "everyone" if seat is None else f"seat {seat + 1}"
            if isinstance(lines, str) or not all(isinstance(line, str) for line in lines):
                yield f"{name} gave {lines!r} for {who}, which is no list of lines"
            elif any(not line.strip() or "\n" in line for line in lines):
                yield f"{name} gave {lines!r} for {who}: a line is not empty, and has no line break"


@position_law("a retold match tells a seat only what it sees", resamples=True)
def check_telling_reveals_nothing(position: Position) -> Iterator[str]:
    """Told twice, the second time of positions that the seat cannot tell from the first, it is the same."""
    actions = [] if position.state.end else _pick_some(position.actions())
    for seat in range(position.state.players):
        first = list(_tell_everything(position, seat, actions))
        second = list(_tell_everything(position, seat, actions, key=fold(position.luck, 800 + seat)))
        for (name, lines), (_, other_lines) in zip(first, second, strict=True):
            if list(lines) != list(other_lines):
                difference = _show_first_difference("; ".join(lines), "; ".join(other_lines))
                yield f"{name} tells seat {seat + 1} what it cannot see: {difference}"


def _tell_everything(
    position: Position, seat: int | None, actions: list[int], key: int | None = None
) -> Iterator[tuple[str, Any]]:
    """(function, its lines) of what a game tells a seat, or someone who sees everything, about a position and
    some actions in it; with a key, about positions that the seat cannot tell from these.
    """

    def hide(states: np.ndarray[Any, Any]) -> Any:
        if key is not None and seat is not None:
            states = position._replace(states=states).rekey_and_resample(seat, key)
        return position.game.hide_unseen(states[0], seat)

    if position.game.describe_setup and position.states.tobytes() == position.first.tobytes():
        yield "describe_setup", position.game.describe_setup(hide(position.first), seat)
    if position.game.describe_effects is None or not actions:
        return
    before = hide(position.states)
    for action in actions:
        after = hide(position.after(action))
        yield "describe_effects", position.game.describe_effects(before.copy(), after, action, seat)


@position_law("the result names the winners")
def check_result(position: Position) -> Iterator[str]:
    """It begins with them."""
    if position.game.describe_result is None or not position.state.end:
        return
    reason = position.game.describe_result(position.states.copy()[0])
    seats = range(position.state.players)
    standings = [int(position.run(protocol.standing, position.state, seat)) for seat in seats]
    winners = [str(seat + 1) for seat in seats if standings[seat] == max(standings)]
    subject = re.split(r" wins?\b| share", str(reason))[0]
    if re.findall(r"\d+", subject) != winners:
        example = f"'{format_seats([int(winner) - 1 for winner in winners])} ...'"
        yield f"describe_result gave {reason!r}, which does not begin with the winners: {example}"


@position_law("a drawing shows a seat only what it sees", resamples=True)
def check_drawing_reveals_nothing(position: Position) -> Iterator[str]:
    if position.game.draw is None:
        return
    for seat in range(position.state.players):
        copy = position.states.copy()
        drawing, other_drawing = (
            position.game.draw(copy[0], seat),
            position.game.draw(position.rekey_and_resample(seat, fold(position.luck, 400 + seat))[0], seat),
        )
        if not isinstance(drawing, str) or not drawing.lstrip().startswith("<svg"):
            yield f"draw gave {str(drawing)[:40]!r} for seat {seat + 1}, which is no SVG picture"
        if copy.tobytes() != position.states.tobytes():
            yield f"draw changed {', '.join(_list_differences(position, copy))}"
        if drawing != other_drawing:
            difference = _show_first_difference(drawing, other_drawing)
            yield f"the drawing for seat {seat + 1} depends on what it cannot see: {difference}"


@position_law("a piece of a drawing can be clicked", resamples=True)
def check_pieces_can_be_clicked(position: Position) -> Iterator[str]:
    """In its middle, and it is large enough to hit."""
    if position.game.draw is None or position.state.end:
        return
    try:
        drawing = read_pieces(position)
    except ElementTree.ParseError as error:
        yield f"draw gave no well-formed SVG picture: {error}"
        return
    for piece, fault in find_faults(drawing):
        words = position.game.say(position.state, piece.actions[0])
        yield f"the piece of action {piece.actions[0]} ('{words}') {fault}"


def read_pieces(position: Position) -> Drawing:
    """The pieces of the drawing that whoever is to act gets. Raises ParseError if it is not well-formed."""
    draw, actor = position.game.draw, int(position.state.actor)
    return read_drawing(draw(position.states.copy()[0], actor) if draw else "<svg/>", position.actions())


def _show_first_difference(text: str, other: str) -> str:
    """The first difference of two texts, with some characters around it."""
    index = next(
        (index for index, pair in enumerate(zip(text, other, strict=False)) if pair[0] != pair[1]),
        min(len(text), len(other)),
    )
    return f"'{text[max(0, index - 20) : index + 20]}' or '{other[max(0, index - 20) : index + 20]}'"


def _list_differences(position: Position, other: np.ndarray[Any, Any]) -> list[str]:
    names = position.game.state.names or ()
    return [name for name in names if position.states[name].tobytes() != other[name].tobytes()]


def find_redealt_fields(position: Position) -> set[str]:
    """The private and hidden fields that resampling for some seat changes in one of several worlds."""
    worlds = [
        position.rekey_and_resample(seat, fold(position.luck, key))
        for seat in range(position.state.players)
        for key in range(4)
    ]
    return {
        name
        for world in worlds
        for name in _list_differences(position, world)
        if name in position.game.fields
    }
