"""The time that a search has. It starts with the first change: compiling does not count."""

import math
import time
from dataclasses import dataclass, field


@dataclass
class Clock:
    seconds: float  # in all; infinite where matches are the limit
    started: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        if math.isinf(self.seconds):
            return math.inf
        return max(0.0, self.seconds - (time.monotonic() - self.started))

    @property
    def is_over(self) -> bool:
        return self.left <= 0

    def allot(self, share: float) -> "Clock":
        """A clock for a share of what is left."""
        return Clock(self.left * share)
