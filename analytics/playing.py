"""Plays until something is known. Every question that plays uses this one driver, with one set of constants.

`Budget` says how much to play, `RunOptions` where and how. Cells that grow alike are a `Group`; a `Driver`
plays groups in waves: to a number of matches (`play_matches`), for some time (`play_for`), or until a
question is answered (`play_until`).
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from boardgames.given_values import read_positive_number
from boardgames.plan.cell import PlannedCell
from boardgames.plan.plan import Plan
from boardgames.plan.played import Progress
from boardgames.plan.request import read_matches, read_workers
from boardgames.plan.swapped_cell import SwappedCell
from boardgames.play.batch import SLICE, read_seed
from boardgames.run.simulate import Outcome, run_plan
from boardgames.run.swapped import play_swaps
from boardgames.store.connection import keep_waiting_for, open_for_reading
from boardgames.store.luck import find_stored_swaps
from boardgames.store.read import find_stored_ranges

FIRST_WAVE = 16  # deals: searching agents are slow
MOST_DEALS = 1 << 20  # of a cell
QUICK_SECONDS = 1.0  # of a wave; the next one may then be eight times as large
SPENT = 0.98  # of the time; what is left is not worth another wave


def _ignore(line: str) -> None:
    """The default of callbacks."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How much to play. Matches are those of each cell, rounded up to whole deals."""

    minutes: float | None = None
    matches: int | None = None
    until_decided: bool = False
    extend: bool = False  # play on although the file already has an answer

    def __post_init__(self) -> None:
        object.__setattr__(self, "matches", read_matches(self.matches))
        if self.minutes is not None:
            object.__setattr__(self, "minutes", read_positive_number("minutes", self.minutes))

    @property
    def asks_for_more(self) -> bool:
        return bool(self.matches or self.extend or self.until_decided)


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Where results are stored, which luck is used, and how matches are played."""

    db: Path
    seed: int = 1
    workers: int = 1
    cluster: str = ""
    command: str = ""  # that asks, for the list of runs
    on_progress: Callable[[str], None] = _ignore
    on_warning: Callable[[str], None] = _ignore

    def __post_init__(self) -> None:
        object.__setattr__(self, "seed", read_seed(self.seed))
        object.__setattr__(self, "workers", read_workers(self.workers))


@dataclass(kw_only=True)
class Group:
    """Cells that grow alike, and the time they took so far."""

    name: str
    plan: Plan
    deals: int = 0  # that all its cells have
    stored: int = 0  # further deals that the file has; they need not be played
    share: float = 1.0  # of the time
    max_deals: int = MOST_DEALS
    max_matches: int | None = None  # of each cell
    stops: dict[int, int] = field(default_factory=dict)  # deals of cells that grow no more, by their ids
    seconds: float = 0.0
    wave_seconds: float = 0.0  # of the latest wave
    pace: float = 0.0  # seconds per deal of one cell in the latest wave; 0 while that is unknown

    def __post_init__(self) -> None:
        if self.max_matches is not None:
            most = max((cell.count_deals(self.max_matches) for cell in self.plan.cells), default=0)
            self.max_deals = min(self.max_deals, most)

    @property
    def deal_seconds(self) -> float:
        """Seconds per deal of all cells; 0 while that is unknown."""
        return self.pace * len(self.plan.cells)

    def plan_to(self, deals: int) -> Plan:
        """The plan with this many deals of each cell, but of none more than the matches it may have."""
        if self.max_matches is None and not self.stops:
            return self.plan.with_deals(deals)
        limits = {
            cell.id: min(self.stops.get(cell.id, deals), self._find_limit(cell)) for cell in self.plan.cells
        }
        return self.plan._replace(deals={cell: min(deals, limit) for cell, limit in limits.items()})

    def _find_limit(self, cell: PlannedCell) -> int:
        """The deals that a cell may have."""
        return self.max_deals if self.max_matches is None else cell.count_deals(self.max_matches)

    def count_affordable_deals(self, seconds: float) -> int:
        """The number of deals that these seconds allow: at least one, and a few while the pace is unknown."""
        if math.isinf(seconds):
            return MOST_DEALS
        return max(1, int(seconds / self.deal_seconds)) if self.pace else FIRST_WAVE

    def find_next_wave(self, seconds: float, most: int = MOST_DEALS) -> int:
        """The number of deals to play to next: twice as many, eight times while that is quick, or as many as
        the limits allow.
        """
        step = max(self.deals, FIRST_WAVE)
        if math.isinf(seconds) or (self.pace and self.wave_seconds < QUICK_SECONDS):
            step *= 7
        step = min(step, self.count_affordable_deals(seconds))
        most = min(most, self.max_deals)
        target = min(self.deals + step, most)
        if step > SLICE and target < most:
            target -= target % SLICE
        return target


@dataclass(kw_only=True)
class Driver:
    """Plays groups of cells and counts what that took."""

    options: RunOptions
    outcomes: list[Outcome] = field(default_factory=list)
    note: str = ""  # what is still open, for the lines about progress
    seconds_left: float = 0.0  # after this wave, for the same lines

    @property
    def played(self) -> int:
        """The number of matches played so far."""
        return sum(outcome.stored for outcome in self.outcomes)

    def play_matches(self, groups: Sequence[Group]) -> None:
        """Play each group to the deals and matches it may have."""
        for group in groups:
            if group.deals < group.max_deals:
                self.play_wave(group, group.max_deals)

    def play_for(self, groups: Sequence[Group], seconds: float, most: int = MOST_DEALS) -> None:
        """Play the groups in turn, each for its share of the time and to `most` deals, in growing waves, so
        that all variants always have as many deals.
        """
        while unfinished := [group for group in groups if group.deals < min(most, group.max_deals)]:
            finished = sum(group.seconds for group in groups if group not in unfinished)
            group = min(unfinished, key=lambda group: group.seconds / group.share)
            allotted = (seconds - finished) * group.share / sum(group.share for group in unfinished)
            if group.seconds >= allotted:
                break
            target = group.find_next_wave(allotted - group.seconds, most)
            spent = sum(group.seconds for group in groups)
            self.seconds_left = seconds - spent - (target - group.deals) * group.deal_seconds
            self.play_wave(group, target)

    def play_until(
        self, group: Group, forecast: Callable[[int], float], seconds: float, first_look: int = SLICE
    ) -> None:
        """Play a group until it is known enough, or has used up its time or its deals.

        `forecast` is asked at fixed numbers of deals: where this stops depends on nothing else. It says from
        that many deals how many would probably do, 0 if these do.
        """
        target = min(first_look, group.max_deals)
        with keep_waiting_for(self.options.db):  # also for the looks between
            while True:
                self._play_to(group, target, seconds)
                needed = forecast(group.deals)
                if not needed or group.deals < target or group.deals >= group.max_deals:
                    return
                target = min(group.max_deals, find_next_look(group.deals, needed))

    def _play_to(self, group: Group, target: int, seconds: float) -> None:
        """Play up to the target, in waves that the time allows."""
        group.deals = max(group.deals, min(group.stored, target))
        while group.deals < target and group.seconds < SPENT * seconds:
            wave = target if math.isinf(seconds) else group.find_next_wave(seconds - group.seconds, target)
            self.seconds_left = seconds - group.seconds - (wave - group.deals) * group.deal_seconds
            if math.isinf(seconds) and group.max_matches:
                self.seconds_left = (group.max_deals - wave) * group.deal_seconds
            self.play_wave(group, wave)

    def play_wave(self, group: Group, deals: int) -> None:
        """Play a group up to this number of deals."""
        title = f"{group.name}: deals {group.deals:,} to {deals:,}"
        self.options.on_progress(title)
        started = time.monotonic()

        def show_progress(at: Progress) -> None:
            rate = at.matches / max(time.monotonic() - started, 1e-3)
            text = f"{title}, {at.matches:,} of {at.wanted:,} matches, {rate:,.0f} matches/s"
            if math.isfinite(self.seconds_left):
                left = round((at.wanted - at.matches) / rate) + round(max(0.0, self.seconds_left))
                text += f", about {left // 60}:{left % 60:02d} left"
            self.options.on_progress(f"{text}; {self.note}" if self.note else text)

        outcome = self._play(group.plan_to(deals), show_progress)
        self.outcomes.append(outcome)
        group.seconds += max(outcome.seconds, 1e-3)
        if outcome.stored and deals > group.deals:
            group.wave_seconds = outcome.seconds
            group.pace = max(outcome.seconds, 1e-6) / ((deals - group.deals) * len(group.plan.cells))
        group.deals = max(group.deals, deals)

    def _play(self, plan: Plan, on_progress: Callable[[Progress], None]) -> Outcome:
        """Play what the file lacks of a plan, whose cells are all ordinary or all have swapped chance."""
        options = self.options
        if has_swaps(plan.cells):
            return play_swaps(
                [cell for cell in plan.cells if isinstance(cell, SwappedCell)],
                max(plan.deals.values()),
                options.db,
                workers=options.workers,
                command=options.command,
                on_progress=on_progress,
            )
        return run_plan(
            plan,
            options.db,
            workers=options.workers,
            cluster=options.cluster,
            command=options.command,
            on_progress=on_progress,
            on_warning=options.on_warning,
        )


def has_swaps(cells: Sequence[PlannedCell]) -> bool:
    """Whether the deals of these cells are played with swapped chance."""
    return any(isinstance(cell, SwappedCell) for cell in cells)


def find_next_look(deals: int, needed: float) -> int:
    """The number of deals at which to look next: those that are needed, but at least a tenth more than now
    and at most four times as many, in whole slices; twice as many if it is unknown what is needed.
    """
    target = deals * (min(4.0, max(1.1, needed / deals)) if math.isfinite(needed) else 2.0)
    return math.ceil(target / SLICE) * SLICE


# ---- what is stored


def count_deals(db: Path, cells: Sequence[PlannedCell]) -> dict[int, int]:
    """The number of deals of each cell in the result file, by the cells' ids. The cells are all ordinary or
    all have swapped chance, as both have the same ids.
    """
    return {cell: sum(deals for _, deals in ranges) for cell, ranges in _find_stored(db, cells).items()}


def _find_stored(db: Path, cells: Sequence[PlannedCell]) -> dict[int, list[tuple[int, int]]]:
    """Return the ranges of deals that are stored of each cell, by the cells' ids."""
    ids = [cell.id for cell in cells]
    if not db.exists():
        return {cell: [] for cell in ids}
    if has_swaps(cells):
        return find_stored_swaps(ids, db)
    with open_for_reading(db) as session:
        return find_stored_ranges(session, ids)


def count_matches(db: Path, cells: Sequence[PlannedCell]) -> int:
    """The number of matches of all these cells in the result file."""
    return sum(count_deals(db, [cell])[cell.id] * cell.seating_count for cell in cells)


def count_complete_deals(plan: Plan, db: Path) -> int:
    """The number of deals, from the first on without a gap, that all cells of a plan have."""
    stored = _find_stored(db, plan.cells)
    return min((_count_gapless_deals(ranges) for ranges in stored.values()), default=0)


def _count_gapless_deals(ranges: Sequence[tuple[int, int]]) -> int:
    end = 0
    for first, deals in sorted(ranges):
        if first > end:
            break
        end = max(end, first + deals)
    return end
