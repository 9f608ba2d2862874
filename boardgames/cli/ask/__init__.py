"""Commands that answer a designer's question, one each: what a rule change does, and what lies behind it."""

from boardgames.cli.ask import compare, goals, measure

__all__ = ["compare", "goals", "measure"]
