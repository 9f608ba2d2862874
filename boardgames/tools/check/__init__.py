"""The conformance kit: `check_game(GAME)` raises LawBroken unless the game keeps every law. It never only
warns.

For authors of games: call it in a test. On the command line: `boardgames check GAME`.
"""

from boardgames.tools.check.all_laws import check_game
from boardgames.tools.check.checker import LawBroken

__all__ = ["LawBroken", "check_game"]
