"""Random matches, walked step by step with the uncompiled rules, and the laws of positions along them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from boardgames.game.mistakes import describe_error
from boardgames.game.variant import Variant
from boardgames.game.whole_numbers import refuse_fractions
from boardgames.play import engine
from boardgames.play.batch import bind_engine, hash_stream_names
from boardgames.rules import protocol
from boardgames.rules.chance import fold, random_number
from boardgames.tools.check.checker import MATCHES_END, RULES_RUN, SEED, Checker, LawBroken, format_location
from boardgames.tools.check.position_laws import POSITION_LAWS, Position, PositionLaw

LAST_ACTIONS = 60  # of a match: those that are left out to find the fewest, or looked at if it does not end


class Walk(NamedTuple):
    """A random match: where it starts, and its actions."""

    variant: Variant
    players: int
    deal: int
    actions: list[int]

    def set_up(self) -> Position:
        return set_up_position(self.variant, self.players, self.deal)

    def finish(self) -> Position:
        """The position after its actions."""
        position = self.set_up()
        for action in self.actions:
            position.run(protocol.apply, position.state, np.int64(action))
        return position

    def format_location(self, show_actions: bool = True) -> str:
        actions = self.actions if show_actions else []
        return format_location(self.variant, self.players, self.deal, len(self.actions), actions)


class Break(NamedTuple):
    """A law broken in a match after `step` actions, and the law's message."""

    law: PositionLaw
    step: int
    message: str


def set_up_position(variant: Variant, players: int, deal: int) -> Position:
    """The set-up position of a deal."""
    functions = bind_engine(variant.game, (), False)
    states = variant.make_blank_state(players)
    luck = functions[engine.make_deal_key](SEED, players, deal)
    functions[engine.begin_match](
        refuse_fractions(variant.game, states)[0], luck, hash_stream_names(variant.game)
    )
    return Position(variant.game, states, states.copy(), luck)


def walk_match(check: Checker, variant: Variant, players: int, deal: int) -> Walk:
    """A random match, up to its end or to where no legal action is left. Raises LawBroken where a rule fails,
    or the match does not end.
    """
    walk = Walk(variant, players, deal, [])
    try:
        position = walk.set_up()
    except Exception as error:
        message = f"set-up fails in {check.describe(error)}"
        raise check.fail(RULES_RUN, message, walk.format_location()) from error
    while not position.state.end:
        if len(walk.actions) == variant.game.cap:
            raise explain_endless(check, walk)
        try:
            if not _take_random_action(walk, position):
                return walk
        except Exception as error:
            raise check.fail(RULES_RUN, check.describe(error), walk.format_location()) from error
    return walk


def _take_random_action(walk: Walk, position: Position) -> bool:
    """Carry out one of the legal actions, and add it to the walk; False if there is none."""
    legal = position.actions()
    if not legal or not all(0 <= action < position.game.actions for action in legal):
        return False
    walk.actions.append(legal[random_number(fold(position.luck, len(walk.actions)), 0, len(legal))])
    state = refuse_fractions(position.game, position.states)[0]
    position.run(protocol.apply, state, np.int64(walk.actions[-1]))
    return True


def explain_endless(check: Checker, walk: Walk) -> LawBroken:
    """The failure of a match that does not end: another law broken on the way, if any, is probably the
    reason.
    """
    broken = find_first_break(POSITION_LAWS, walk._replace(actions=walk.actions[:LAST_ACTIONS]))
    if broken:
        return minimize_failure(check, broken, walk)
    message = f"it was still on after {walk.variant.game.cap} decisions"
    return check.fail(MATCHES_END, message, walk.format_location(show_actions=False))


def find_first_break(laws: Sequence[PositionLaw], walk: Walk) -> Break | None:
    """The first law broken along a match; None if there is none, or if it cannot be played.

    Resampling is slow, so its laws are checked in a dozen positions of a match only, including the last.
    """
    position, stride = walk.set_up(), max(1, len(walk.actions) // 12)
    for step, action in enumerate([*walk.actions, None]):
        is_sampled = step % stride == 0 or action is None
        for law in laws:
            problem = _find_problem(law, position) if is_sampled or not law.resamples else None
            if problem is not None:
                return Break(law, step, problem)
        if action is None or position.state.end or action not in position.actions():
            return None
        position.run(protocol.apply, position.state, np.int64(action))
    return None


def _find_problem(law: PositionLaw, position: Position) -> str | None:
    """What is wrong with a position by a law; None if nothing is."""
    try:
        return next(law.check(position), None)
    except Exception as error:
        return describe_error(position.game, error)


def minimize_failure(check: Checker, broken: Break, walk: Walk) -> LawBroken:
    """The failure with as few actions as still show it: cut after the break, then without each one that is
    not needed.
    """
    actions = walk.actions[: broken.step]
    for index in reversed(range(max(0, len(actions) - LAST_ACTIONS), len(actions))):
        fewer = actions[:index] + actions[index + 1 :]
        shorter = find_first_break([broken.law], walk._replace(actions=fewer))
        if shorter:
            actions, broken = fewer[: shorter.step], shorter
    where = walk._replace(actions=actions).format_location()
    return check.fail(broken.law.name, broken.message, where)
