"""How much time a training has, and what it says while it goes on."""

import math
import time
from collections.abc import Callable

from boardgames.errors import BoardgamesError

FIRST_LINE, NEXT_LINE = 1.0, 10.0  # seconds until a line of progress is due, at the latest
RECENT = 30.0  # seconds that a rate is measured over


class OutOfTime(BoardgamesError):
    """The minutes that were asked for are over. What was played is kept."""

    exit_code = 3


class Clock:
    """The time limit of a training. It also hands out its lines of progress."""

    def __init__(
        self, name: str, minutes: float | None = None, on_progress: Callable[[str], None] = lambda line: None
    ) -> None:
        self.name = name
        self.started = time.monotonic()
        self.seconds = math.inf if minutes is None else 60 * minutes
        self.on_progress = on_progress
        self.strength = ""  # of the best player so far, in words
        self.reserve = 0.0  # seconds that the last test needs

    @property
    def spent(self) -> float:
        return time.monotonic() - self.started

    def has_spent(self, share: float) -> bool:
        """Return whether this share of the time is over. Without a limit it never is."""
        return self.spent >= share * self.seconds

    def check(self) -> None:
        """Raise OutOfTime if the time is over, but for what the last test needs."""
        if self.spent + self.reserve >= self.seconds:
            raise OutOfTime("out of time")

    def tell(self, line: str) -> None:
        so_far = f"; so far it wins {self.strength}" if self.strength else ""
        self.on_progress(f"{self.name}{line}{so_far}")

    def begin(self, wanted: int, what: str, *, part: str = "", is_limited: bool = True) -> "Step":
        """Begin to count something, such as labels. `part` says of which part of the training."""
        return Step(self, wanted, what, f", {part}" if part else "", is_limited)


class Step:
    """Something that a training counts: lines of progress with a rate and the time left."""

    def __init__(self, clock: Clock, wanted: int, what: str, part: str, is_limited: bool) -> None:
        self.clock, self.wanted, self.what, self.part, self.is_limited = clock, wanted, what, part, is_limited
        self.done = 0
        self.marks: list[tuple[float, int]] = []  # when there were how many, for the rate
        self.due = 0.0

    def restart(self, wanted: int) -> "Step":
        """The same step from 0 on, to another number."""
        return Step(self.clock, wanted, self.what, self.part, self.is_limited)

    def keep(self, number: int) -> None:
        """Count what an earlier start has played: it took no time now."""
        self.done += number

    def count(self, number: int = 1) -> None:
        """Count what is new. Tells how it goes when a line is due; raises OutOfTime when the time is over."""
        before, self.done, now = self.done, self.done + number, time.monotonic()
        if self.marks:
            self._tell_when_due(before, now)
        else:  # the first one may have waited for the compiler: it says nothing about the rate
            self.marks, self.due = [(now, self.done)], now + FIRST_LINE
        if self.is_limited and self.done < self.wanted:
            self.clock.check()

    def _tell_when_due(self, before: int, now: float) -> None:
        is_tenth = 10 * before // self.wanted < 10 * self.done // self.wanted
        if is_tenth or now >= self.due:
            self.clock.tell(f"{self.part}: {self.describe(now)}")
            recent = [mark for mark in self.marks if now - mark[0] < RECENT]
            self.marks = [*(recent or self.marks[-1:]), (now, self.done)]
            self.due = now + NEXT_LINE

    def describe(self, now: float) -> str:
        """1,200 of 4,000 labels, 310 a second, 9 seconds left"""
        began, first = self.marks[0]
        done = min(self.done, self.wanted)
        pace = (now - began) / max(1, self.done - first)
        left = format_seconds((self.wanted - done) * pace)
        return f"{done:,} of {self.wanted:,} {self.what}, {format_rate(pace)}, {left} left"


def format_rate(pace: float) -> str:
    """310 a second, or one in 4 seconds, from the seconds for one."""
    if pace > 1:
        return f"one in {format_seconds(pace)}"
    return f"{1 / max(pace, 1e-6):,.3g} a second" if pace > 0.01 else f"{1 / max(pace, 1e-6):,.0f} a second"


def format_seconds(seconds: float) -> str:
    """9 seconds, 3 minutes"""
    number, unit = (seconds / 60, "minute") if seconds >= 90 else (seconds, "second")
    return f"{number:.0f} {unit}{'' if round(number) == 1 else 's'}"
