"""Compare variants of board games: the same luck, honest agents, stated uncertainty.

Names are loaded when first used, so that `boardgames --help` stays quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boardgames.agents.agent import find_agent, find_line_up
    from boardgames.play.batch import play
    from boardgames.rules.chance import below, draw, draw_or_reshuffle, rank, shuffle
    from boardgames.tools.check import check_game
    from boardgames.game.derive import derive
    from boardgames.errors import BadInput, ClusterGone, FileInUse
    from boardgames.game.game import Game, House, Style, hidden, own, public
    from boardgames.store.recorded_matches import keep_match
    from boardgames.play.match import IllegalAction, Match
    from boardgames.play.python_agent import View, python_agent
    from boardgames.game.parameters import Board, Choice, List, Number, PerPlayers, PerSeat, Switch
    from boardgames.game.plugins import find_variant
    from boardgames.rules.protocol import begin_turn, next_seat
    from boardgames.rules.rulecode import rule
    from boardgames.store.runs import snapshot
    from boardgames.run.simulate import matches, simulate
    from boardgames.game.variant import Variant, make_variant

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
