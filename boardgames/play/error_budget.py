"""How several answers share one chance of being wrong."""

from collections.abc import Hashable
from typing import Self, TypeVar

ALPHA = 0.05
Name = TypeVar("Name", bound=Hashable)


class ErrorBudget(float):
    """A chance of being wrong. What it hands out never adds up to more, so that all answers together are as
    sure as one: each interval of a question has its own part, and knows whose part it is.
    """

    origin: tuple[tuple[Hashable, float], ...]  # what for and how much, from the whole budget to this part

    def __new__(cls, alpha: float = ALPHA, purpose: Hashable = "one interval") -> Self:
        """A whole budget; a budget given as `alpha` stays what it is."""
        budget = super().__new__(cls, alpha)
        budget.origin = getattr(alpha, "origin", ((purpose, float(alpha)),))
        return budget

    def split(self, *names: Name) -> dict[Name, "ErrorBudget"]:
        """Equal parts of all of it, by name."""
        shares = dict.fromkeys(names)
        return {name: self._hand_out(name, self / len(shares)) for name in shares}

    def take(self, position: int) -> "ErrorBudget":
        """The part of the n-th of several tests, from 1 on: a half, a sixth ... However many follow, all
        parts together stay below the whole.
        """
        return self._hand_out(position, self / (position * (position + 1)))

    def _hand_out(self, name: Hashable, alpha: float) -> "ErrorBudget":
        part = ErrorBudget(alpha)
        part.origin = (*self.origin, (name, alpha))
        return part
