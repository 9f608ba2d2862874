"""Where agents work: the scratch memory of one worker, and the restrictions under which an agent chooses."""

from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.net import NetMemory
from boardgames.game.game import MAX_PLAYERS, make_record_type
from boardgames.rules.rulecode import rule

FREE, FORBIDDEN, FORCED = 0, 1, 2  # in Scratch.masks

# An agent's row of numbers: the slot of its function, its row in Scratch.masks and Scratch.prizes (0 = none),
# then the numbers of its type, from FIRST_NUMBER on.
SLOT, OWN_ROW, FIRST_NUMBER = 0, 1, 2
ROW_LENGTH = 16
NET = ROW_LENGTH - 1  # at the end of the row: which of the line-up's nets it uses

NODE = make_record_type(
    [
        ("value", "f8", (MAX_PLAYERS,)),  # sum of what each seat got
        ("action", "i4"),  # that led here
        ("seat", "i4"),  # that took it
        ("parent", "i4"),
        ("child", "i4"),  # the last one added; 0 = none
        ("sibling", "i4"),  # the one added before it
        ("visits", "i4"),
        ("available", "i4"),  # how often its action was legal when its parent was visited
    ]
)

SEARCH = make_record_type(
    [
        ("low", "f8"),  # the lowest and the highest reward so far
        ("high", "f8"),
        ("gains", "f8"),  # sum of what leads have grown or shrunk by, and of how many
        ("gained", "f8"),
        ("rewards", "f8", (MAX_PLAYERS,)),  # of the last playout
        ("leads", "f8", (MAX_PLAYERS,)),  # at its beginning
    ]
)


class Scratch(NamedTuple):
    """Scratch memory of one worker, allocated once: agents and the engine allocate nothing themselves."""

    worlds: np.ndarray[Any, Any]  # states
    actions: np.ndarray[Any, Any]  # rows of legal actions: row 0 for the present choice, others to look ahead
    nodes: np.ndarray[Any, Any]  # a search tree; node 0 is the root
    marks: np.ndarray[Any, Any]  # one per action, and at the end a serial number that outdates old marks
    search: np.ndarray[Any, Any]  # one record: what a search keeps beside its tree
    masks: np.ndarray[Any, Any]  # row 1 + index in the line-up: what that agent may do, by action
    unrestricted: np.ndarray[Any, Any]  # the numbers of an agent without restrictions
    prizes: np.ndarray[Any, Any]  # likewise: what a tally is worth to its style, beside the evaluation
    logs: np.ndarray[Any, Any]  # log2 of small whole numbers, in 1/65536
    keys: np.ndarray[Any, Any]  # where each seat's chance comes from in this match
    decisions: np.ndarray[Any, Any]  # by seat and phase, in the seat's present turn
    decision_turns: np.ndarray[Any, Any]  # the turn that this count belongs to
    evaluations: np.ndarray[Any, Any]  # by round and seat
    scores: np.ndarray[Any, Any]
    standings: np.ndarray[Any, Any]  # by seat, at the end
    ratings: np.ndarray[Any, Any]  # of the actions to choose from
    teacher: np.ndarray[Any, Any]  # the numbers of the search that a net learns from
    net: NetMemory


class ScratchSize(NamedTuple):
    """How much scratch memory an agent needs."""

    worlds: int = 0
    depth: int = 0
    nodes: int = 0
    logs: int = 0
    notes: int = 0


@rule
def filter_allowed(actions, n, agent, scratch):
    """Move the actions that an agent may take to the front and return their number: forced ones if there are
    any, else those that are not forbidden.

    If all legal actions are forbidden, all of them stay.
    """
    row = agent[OWN_ROW]
    if row == 0:
        return n
    wanted, matching = FORCED, 0
    for i in range(n):
        matching += scratch.masks[row, actions[i]] == FORCED
    if matching == 0:
        wanted = FREE
        for i in range(n):
            matching += scratch.masks[row, actions[i]] == FREE
    if matching == 0:
        return n
    allowed = 0
    for i in range(n):
        if scratch.masks[row, actions[i]] == wanted:
            actions[allowed] = actions[i]
            allowed += 1
    return allowed
