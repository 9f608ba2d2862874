"""Compare variants of board games: the same luck, honest agents, stated uncertainty.

Names are loaded when first used, so that `boardgames --help` stays quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boardgames.agents import find_agent, find_line_up
    from boardgames.batch import play
    from boardgames.chance import below, draw, draw_or_reshuffle, rank, shuffle
    from boardgames.check import check_game
    from boardgames.derived import derive
    from boardgames.errors import BadInput, ClusterGone, FileInUse
    from boardgames.game import Game, House, Style, hidden, own, public
    from boardgames.kept import keep_match
    from boardgames.match import IllegalAction, Match
    from boardgames.outside import View, python_agent
    from boardgames.parameters import Board, Choice, List, Number, PerPlayers, PerSeat, Switch
    from boardgames.plugins import find_variant
    from boardgames.protocol import begin_turn, next_seat
    from boardgames.rulecode import rule
    from boardgames.runs import snapshot
    from boardgames.simulation import matches, simulate
    from boardgames.variant import Variant, make_variant

__version__ = "0.1.0"

_HOME = {
    "agents": ["find_agent", "find_line_up"],
    "chance": ["below", "draw", "draw_or_reshuffle", "rank", "shuffle"],
    "check": ["check_game"],
    "derived": ["derive"],
    "errors": ["BadInput", "ClusterGone", "FileInUse"],
    "kept": ["keep_match"],
    "game": ["Game", "House", "Style", "hidden", "own", "public"],
    "match": ["IllegalAction", "Match"],
    "outside": ["View", "python_agent"],
    "parameters": ["Board", "Choice", "List", "Number", "PerPlayers", "PerSeat", "Switch"],
    "batch": ["play"],
    "plugins": ["find_variant"],
    "protocol": ["begin_turn", "next_seat"],
    "rulecode": ["rule"],
    "runs": ["snapshot"],
    "simulation": ["matches", "simulate"],
    "variant": ["Variant", "make_variant"],
}
_WHERE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "BadInput", "Board", "Choice", "ClusterGone", "FileInUse", "Game", "House", "IllegalAction", "List", "Match", "Number",
    "PerPlayers", "PerSeat", "Style", "Switch", "Variant", "View", "begin_turn", "below", "check_game", "derive", "draw",
    "draw_or_reshuffle", "find_agent", "find_line_up", "find_variant", "hidden", "keep_match", "make_variant", "matches",
    "next_seat", "own", "play", "public", "python_agent", "rank", "rule", "shuffle", "simulate", "snapshot",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'boardgames' has no attribute {name!r}")
    return getattr(importlib.import_module(f"boardgames.{_WHERE[name]}"), name)
