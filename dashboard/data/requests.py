"""What the Simulate page can start: the commands simulate, sweep, fix and train, with an estimate of each."""

import os
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from analytics.questions.fix.goals import read_wishes
from analytics.questions.fix.space import make_space
from analytics.target import read_aim, read_precision
from boardgames.agents.agent import LEARNED
from boardgames.errors import InvalidInput
from boardgames.game.grid import expand_grid, read_sweep
from boardgames.game.plugins import check_no_files, find_stored_variant
from boardgames.plan.plan import Plan, make_plan
from boardgames.run.forecast import forecast_minutes, forecast_missing
from boardgames.store.opening.access import allow_only_reading
from boardgames.store.read import find_missing
from dashboard.data.cache import PATIENCE

WORKERS = os.cpu_count() or 1  # as the commands have it


class Estimate(NamedTuple):
    """What a command will take, before it starts."""

    matches: int  # to be played, or an upper limit of them
    minutes: float
    megabytes: float
    is_limit: bool  # it may take less
    stored: int = 0  # matches that are there already

    def describe(self) -> str:
        size = f"{self.megabytes:,.1f} MB" if self.megabytes >= 0.05 else "less than 0.1 MB"
        time = format_minutes(self.minutes)
        if self.is_limit:
            most = f"{time}: up to about {round_down(self.matches):,} matches and {size}"
            return f"At most {most}. Compiling and confirming come on top."
        if not self.matches:
            return f"All {self.stored:,} matches are stored already: nothing to play."
        there = f" ({self.stored:,} more are stored already)" if self.stored else ""
        return f"{self.matches:,} matches to play{there}: about {time} and {size}."


def format_minutes(minutes: float) -> str:
    """`20 seconds`, `3 minutes`, `2.5 hours`."""
    if minutes < 1.5:
        seconds = max(1, round(minutes * 60))
        return f"{seconds} seconds" if seconds > 1 else "1 second"
    return f"{minutes:.0f} minutes" if minutes < 90 else f"{minutes / 60:.1f} hours"


def round_down(number: int) -> int:
    """A number with two digits that are not 0: an estimate knows no more."""
    unit = 10 ** max(0, len(str(number)) - 2)
    return number // unit * unit


class CommandRequest(ABC):
    """A command with its options, as it would be typed."""

    @property
    @abstractmethod
    def limit(self) -> float | None:
        """Minutes that it takes at most; None if it plays what was asked for, however long that takes."""

    @abstractmethod
    def plan(self) -> Plan:
        """The matches that it plays, or a sample of them. Raises if they cannot be played; what a page names
        is never imported.
        """

    @abstractmethod
    def list_arguments(self, db: Path) -> list[str]:
        """The command and its options."""

    def estimate(self, db: Path) -> Estimate:
        """What it will take: a few matches of each cell are played and not stored."""
        plan = self.plan()
        if self.limit is not None:
            matches, megabytes = forecast_minutes(plan, self.limit, WORKERS)
            return Estimate(matches, self.limit, megabytes, is_limit=True)
        with allow_only_reading(PATIENCE):
            missing = find_missing(plan, db)
        work = forecast_missing(plan, missing, WORKERS)
        stored = work.matches - work.to_play
        return Estimate(work.to_play, work.seconds / 60, work.megabytes, is_limit=False, stored=stored)

    def count_matches(self) -> dict[int, int]:
        """The matches to be stored, by cell; nothing if it is not known beforehand. Raises like `plan`."""
        plan = self.plan()
        if self.limit is not None:
            return {}
        return {cell.id: plan.deals[cell.id] * cell.seating_count for cell in plan.cells}


@dataclass(frozen=True, kw_only=True)
class SimulationRequest(CommandRequest):
    """Matches of some variants; with conditions, until they are met."""

    specs: Sequence[str]
    players: str  # "" for all that the game allows
    agents: Sequence[str]
    matches: int
    seed: int
    note: str
    until: Sequence[str] = ()
    minutes: float = 10.0  # that the conditions may take

    @property
    def limit(self) -> float | None:
        return self.minutes if self.until else None

    def plan(self) -> Plan:
        specs = find_specs(self.specs)
        for condition in self.until:
            read_precision(condition)
        matches = None if self.until else self.matches
        return make_plan(
            specs, self.players, self.agents, matches, self.seed, note=self.note, until=self.until
        )

    def list_arguments(self, db: Path) -> list[str]:
        arguments = ["simulate", *find_specs(self.specs), "--seed", str(self.seed), "--db", str(db)]
        arguments += [f"--until={condition}" for condition in self.until]
        extent = ("--minutes", self.minutes) if self.until else ("--matches", self.matches)
        arguments += [str(word) for word in extent]
        arguments += [f"--agents={line_up}" for line_up in self.agents]
        arguments += [f"--players={self.players}"] if self.players else []
        return arguments + ([f"--note={self.note}"] if self.note else [])


@dataclass(frozen=True, kw_only=True)
class CompareRequest(CommandRequest):
    """More matches of a comparison, or only the sums of those that are stored."""

    specs: Sequence[str]
    players: str
    agents: Sequence[str]  # empty: those of the comparison as it was asked
    seed: int
    minutes: float | None = None  # None: it only stores the sums that are missing

    @property
    def limit(self) -> float:
        return self.minutes or 0.0

    def plan(self) -> Plan:
        return make_plan(find_specs(self.specs), self.players, list(self.agents) or ["random"], 1, self.seed)

    def list_arguments(self, db: Path) -> list[str]:
        arguments = [
            "compare",
            *find_specs(self.specs),
            f"--players={self.players}",
            "--seed",
            str(self.seed),
        ]
        arguments += [f"--agents={agent}" for agent in self.agents]
        if self.minutes:
            arguments += ["--continue", "--minutes", f"{self.minutes:g}"]
        elif self.agents:  # one that was asked for is only looked at: its terms stay as they are
            arguments += ["--matches", "1"]
        return [*arguments, "--db", str(db)]


@dataclass(frozen=True, kw_only=True)
class SweepRequest(CommandRequest):
    """Several values of a rule."""

    spec: str
    values: Sequence[str]  # hand_size=4..7
    best: str
    players: str
    agent: str
    minutes: float
    seed: int

    @property
    def limit(self) -> float:
        return self.minutes

    def plan(self) -> Plan:
        if not self.values:
            raise InvalidInput("name values to try: hand_size=4..7")
        if self.best:
            read_aim(self.best)
        find_specs(expand_grid([self.spec], self.values))  # raises for a file that was not named at the start
        specs = find_specs([self.spec])
        return make_plan(specs, self.players, self.agent, 1, self.seed, sweep=list(self.values))

    def list_arguments(self, db: Path) -> list[str]:
        check_words(self.values)
        arguments = ["sweep", *find_specs([self.spec]), *self.values, "--db", str(db)]
        arguments += ["--seed", str(self.seed), "--minutes", str(self.minutes)]
        arguments += [f"--agents={self.agent}"] if self.agent else []
        arguments += [f"--players={self.players}"] if self.players else []
        return arguments + ([f"--best={self.best}"] if self.best else [])


@dataclass(frozen=True, kw_only=True)
class FixRequest(CommandRequest):
    """A search for the smallest rule changes that reach goals."""

    spec: str
    goals: Sequence[str]
    keep: Sequence[str]
    fair_seats: bool
    change: Sequence[str]  # parameters that may change; empty for all
    players: str
    agent: str
    minutes: float

    @property
    def limit(self) -> float:
        return self.minutes

    def plan(self) -> Plan:
        if not self.goals and not self.fair_seats:
            raise InvalidInput('name a goal: "length at most 60", or fair seats')
        read_wishes(None, self.goals, self.keep, self.fair_seats)
        variant = find_stored_variant(self.spec)
        for name, values in (read_sweep(text) for text in self.change if "=" in text):
            for value in values:
                check_no_files(variant.game, {name: value}, self.spec)
        plan = make_plan(find_specs([self.spec]), self.players, self.agent, 1)
        counts = sorted({cell.players for cell in plan.cells})
        make_space(variant, counts, self.change)
        return plan

    def list_arguments(self, db: Path) -> list[str]:
        arguments = ["fix", *find_specs([self.spec]), "--db", str(db), "--minutes", str(self.minutes)]
        arguments += [f"--goal={goal}" for goal in self.goals] + [f"--keep={kept}" for kept in self.keep]
        arguments += [f"--change={name}" for name in self.change] + ["--fair-seats"] * self.fair_seats
        arguments += [f"--players={self.players}"] if self.players else []
        return arguments + ([f"--agents={self.agent}"] if self.agent else [])


@dataclass(frozen=True, kw_only=True)
class TrainRequest(CommandRequest):
    """A trained player for a game, written beside the result file."""

    spec: str
    players: str
    teacher: str
    minutes: float  # for each player count

    @property
    def limit(self) -> float:
        return self.minutes * len(self.plan().cells)

    def plan(self) -> Plan:
        return make_plan(find_specs([self.spec]), self.players, [self.teacher], 1)

    def estimate(self, db: Path) -> Estimate:
        """Its matches are not stored."""
        return Estimate(0, self.limit, 0.0, is_limit=True)

    def list_arguments(self, db: Path) -> list[str]:
        arguments = ["train", *find_specs([self.spec]), "--minutes", str(self.minutes)]
        arguments += [f"--teacher={self.teacher}", f"--output={self.find_output(db)}"]
        return arguments + ([f"--players={self.players}"] if self.players else [])

    def find_output(self, db: Path) -> Path:
        """The file of the player; it is there only once a player was kept."""
        return db.with_name(f"{find_stored_variant(self.spec).game.name}{LEARNED}")


def find_specs(specs: Sequence[str]) -> list[str]:
    """The specs of known variants; what is not installed or named at the start is refused."""
    return [find_stored_variant(spec).spec for spec in specs]


def check_words(words: Sequence[str]) -> None:
    """Raise if a word would be read as an option."""
    for word in words:
        if word.startswith("-"):
            raise InvalidInput(f"'{word}' is not a value to try; write hand_size=4..7")
