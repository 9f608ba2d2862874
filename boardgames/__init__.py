"""Compare variants of board games: the same luck, honest agents, stated uncertainty.

Names are loaded when first used, so that `boardgames --help` stays quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boardgames.agents.agent import find_agent, find_line_up
    from boardgames.errors import BadInput, ClusterGone, FileInUse
    from boardgames.game.derive import derive
    from boardgames.game.game import Game, House, Style, hidden, own, public
    from boardgames.game.parameters import Board, Choice, List, Number, PerPlayers, PerSeat, Switch
    from boardgames.game.plugins import find_variant
    from boardgames.game.variant import Variant, make_variant
    from boardgames.play.batch import play_batch
    from boardgames.play.match import IllegalAction, Match
    from boardgames.play.python_agent import View, python_agent
    from boardgames.rules.chance import below, draw, draw_or_reshuffle, rank, shuffle
    from boardgames.rules.protocol import begin_turn, next_seat
    from boardgames.rules.rulecode import rule
    from boardgames.run.simulate import matches, simulate
    from boardgames.store.recorded_matches import keep_match
    from boardgames.store.runs import snapshot
    from boardgames.tools.check import check_game

__version__ = "0.1.0"

_HOME = {
    "agents.agent": ["find_agent", "find_line_up"],
    "rules.chance": ["below", "draw", "draw_or_reshuffle", "rank", "shuffle"],
    "tools.check": ["check_game"],
    "game.derive": ["derive"],
    "errors": ["BadInput", "ClusterGone", "FileInUse"],
    "store.recorded_matches": ["keep_match"],
    "game.game": ["Game", "House", "Style", "hidden", "own", "public"],
    "play.match": ["IllegalAction", "Match"],
    "play.python_agent": ["View", "python_agent"],
    "game.parameters": ["Board", "Choice", "List", "Number", "PerPlayers", "PerSeat", "Switch"],
    "play.batch": ["play_batch"],
    "game.plugins": ["find_variant"],
    "rules.protocol": ["begin_turn", "next_seat"],
    "rules.rulecode": ["rule"],
    "store.runs": ["snapshot"],
    "run.simulate": ["matches", "simulate"],
    "game.variant": ["Variant", "make_variant"],
}
_WHERE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "BadInput", "Board", "Choice", "ClusterGone", "FileInUse", "Game", "House", "IllegalAction", "List", "Match", "Number",
    "PerPlayers", "PerSeat", "Style", "Switch", "Variant", "View", "begin_turn", "below", "check_game", "derive", "draw",
    "draw_or_reshuffle", "find_agent", "find_line_up", "find_variant", "hidden", "keep_match", "make_variant", "matches",
    "next_seat", "own", "play_batch", "public", "python_agent", "rank", "rule", "shuffle", "simulate", "snapshot",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'boardgames' has no attribute {name!r}")
    return getattr(importlib.import_module(f"boardgames.{_WHERE[name]}"), name)
