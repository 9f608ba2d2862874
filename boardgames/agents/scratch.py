"""Where agents work: the scratch memory of one worker, and the restrictions under which an agent chooses."""

from typing import Any, NamedTuple

import numpy as np

from boardgames.game.game import MOST_SEATS, record
from boardgames.rules.rulecode import rule

FREE, FORBIDDEN, FORCED = 0, 1, 2  # in Desk.masks

NODE = record(
    [
        ("value", "f8", (MOST_SEATS,)),  # sum of what each seat got
        ("action", "i4"),  # that led here
        ("seat", "i4"),  # that took it
        ("parent", "i4"),
        ("child", "i4"),  # the last one added; 0 = none
        ("sibling", "i4"),  # the one added before it
        ("visits", "i4"),
        ("available", "i4"),  # how often its action was legal when its parent was visited
    ]
)


class Desk(NamedTuple):
    """Scratch memory of one worker, allocated once: agents and the engine write here, never into memory of their own."""

    worlds: np.ndarray[Any, Any]  # states
    actions: np.ndarray[Any, Any]  # rows of legal actions: row 0 is the choice at hand, deeper rows are for looking ahead
    nodes: np.ndarray[Any, Any]  # a search tree; node 0 is the root
    marks: np.ndarray[Any, Any]  # one per action, and at the end a serial number that makes old marks void
    reals: np.ndarray[Any, Any]
    masks: np.ndarray[Any, Any]  # row 1 + place in the line-up: what that agent may do, by action
    nobody: np.ndarray[Any, Any]  # the numbers of an agent without restrictions
    prizes: np.ndarray[Any, Any]  # likewise: what a tally is worth to its style, beside the outlook
    logs: np.ndarray[Any, Any]  # log2 of small whole numbers, in 1/65536
    keys: np.ndarray[Any, Any]  # where each seat's chance comes from in this match
    asked: np.ndarray[Any, Any]  # decisions by seat and phase in the seat's present turn
    turn_of: np.ndarray[Any, Any]  # the turn that count belongs to
    outlooks: np.ndarray[Any, Any]  # by lap and seat
    scores: np.ndarray[Any, Any]
    standings: np.ndarray[Any, Any]  # by seat, at the end


class Needs(NamedTuple):
    """How much scratch memory an agent asks for."""

    worlds: int = 0
    depth: int = 0
    nodes: int = 0
    reals: int = 0
    logs: int = 0


@rule
def permitted(actions, n, agent, desk):
    """Keep what an agent's restriction lets it do: what is forced where there is some, else what is not forbidden.

    A restriction never leaves an agent without a choice: where everything legal is forbidden, everything stays.
    """
    row = agent[1]
    if row == 0:
        return n
    wanted, many = FORCED, 0
    for i in range(n):
        many += desk.masks[row, actions[i]] == FORCED
    if many == 0:
        wanted = FREE
        for i in range(n):
            many += desk.masks[row, actions[i]] == FREE
    if many == 0:
        return n
    kept = 0
    for i in range(n):
        if desk.masks[row, actions[i]] == wanted:
            actions[kept] = actions[i]
            kept += 1
    return kept
