"""Why an action cannot be played, in words: where, which, and what is legal instead."""

from typing import TYPE_CHECKING

import numpy as np

from boardgames.rules import protocol

if TYPE_CHECKING:
    from boardgames.play.match import Match

MOST_SHOWN = 30  # legal actions that an error lists


class IllegalAction(ValueError):
    """Names the game, the seed, the turn, the seat, the action and the legal ones in words."""


def explain_illegal(match: "Match", action: int | str) -> str:
    """Why an action that is not legal cannot be played."""
    luck = f"{match.variant.name}, seed {match.seed}, deal {match.deal}"
    where = f"{luck}, turn {match.state.turn}, seat {match.state.actor + 1}"
    if match.is_over:
        return f"{where}: the match is over ({match.end}); nothing can be played"
    choices = match.choices()
    if isinstance(action, str):
        words = f"'{action}'"
        legal = [f"'{choice}'" for choice in choices]
    else:
        words = _describe_number(match, int(action))
        legal = [f"'{choice}' ({number})" for choice, number in choices.items()]
    more = f" and {len(legal) - MOST_SHOWN} more, see choices()" if len(legal) > MOST_SHOWN else ""
    return f"{where}: {words} is not legal; legal are: {', '.join(legal[:MOST_SHOWN])}{more}"


def _describe_number(match: "Match", action: int) -> str:
    """The words of an action in the latest position of the match where it was legal: elsewhere they may say
    what is not so. Only its number, if it never was.
    """
    if not 0 <= action < match.game.actions:
        return f"action {action} ({match.game.name} has the actions 0 to {match.game.actions - 1})"
    for before in reversed(match._befores):
        row = np.zeros(match.game.actions, np.int64)
        if action in row[: match._run(protocol.legal, before[0], row)]:
            return f"'{match.game.say(before[0], action)}' ({action})"
    return f"action {action}"
