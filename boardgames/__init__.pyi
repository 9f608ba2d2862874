"""The public names of boardgames, each from its module."""

from boardgames.agents.agent import find_agent as find_agent
from boardgames.agents.seating import find_line_up as find_line_up
from boardgames.errors import BoardgamesError as BoardgamesError
from boardgames.errors import ClusterError as ClusterError
from boardgames.errors import FileInUse as FileInUse
from boardgames.errors import InvalidInput as InvalidInput
from boardgames.errors import NotPlayable as NotPlayable
from boardgames.errors import PluginError as PluginError
from boardgames.errors import RulesChanged as RulesChanged
from boardgames.game.derive import derive as derive
from boardgames.game.game import Game as Game
from boardgames.game.game import NamedVariant as NamedVariant
from boardgames.game.game import Style as Style
from boardgames.game.game import hidden as hidden
from boardgames.game.game import private as private
from boardgames.game.game import public as public
from boardgames.game.parameters import Board as Board
from boardgames.game.parameters import Flag as Flag
from boardgames.game.parameters import Int as Int
from boardgames.game.parameters import IntList as IntList
from boardgames.game.parameters import IntPerPlayerCount as IntPerPlayerCount
from boardgames.game.parameters import IntPerSeat as IntPerSeat
from boardgames.game.parameters import OneOf as OneOf
from boardgames.game.plugins import find_variant as find_variant
from boardgames.game.variant import Variant as Variant
from boardgames.game.variant import make_variant as make_variant
from boardgames.play.batch import play_batch as play_batch
from boardgames.play.match import IllegalAction as IllegalAction
from boardgames.play.match import Match as Match
from boardgames.play.python_agent import View as View
from boardgames.play.python_agent import make_python_agent as make_python_agent
from boardgames.rules.chance import draw as draw
from boardgames.rules.chance import draw_or_reshuffle as draw_or_reshuffle
from boardgames.rules.chance import random_below as random_below
from boardgames.rules.chance import shuffle as shuffle
from boardgames.rules.chance import stable_shuffle as stable_shuffle
from boardgames.rules.protocol import begin_turn as begin_turn
from boardgames.rules.protocol import next_seat as next_seat
from boardgames.rules.rulecode import rule as rule
from boardgames.run.simulate import simulate as simulate
from boardgames.store.export import query as query
from boardgames.store.recorded_matches import keep_match as keep_match
from boardgames.store.snapshot import snapshot as snapshot
from boardgames.tools.check import check_game as check_game

__version__: str
