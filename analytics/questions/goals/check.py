"""`goals`: play until every goal is settled or the time is over. The command line and notebooks call the same function."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from analytics.questions.compare.compare import blocks_of, matches_of
from analytics.questions.goals.file import Goals, read_goals
from analytics.questions.goals.judge import (
    FAIL,
    NOTHING_STORED,
    PASS,
    UNKNOWN,
    Asked,
    Cells,
    Check,
    check_part,
    judge_goals,
    line_up_of,
    settled,
)
from analytics.verdict.terms import promise
from boardgames.errors import BadInput
from boardgames.experiment.plan import Plan, PlannedCell, Progress, hash63, make_plan, read_players
from boardgames.game.plugins import find_variant
from boardgames.play.batch import SLICE
from boardgames.run.simulate import simulate
from boardgames.store.rows import can_be_written

EXIT = {PASS: 0, FAIL: 1, UNKNOWN: 3}  # 2 is a user's mistake
FIRST_WAVE, MOST_BLOCKS = 16, 1 << 20  # blocks: searching agents are slow, and nobody waits for more
QUICK = 1.0  # seconds of a wave


@dataclass(frozen=True)
class Balance:
    """How a file of goals stands."""

    goals: str  # the file
    variants: tuple[str, ...]
    agents: str
    seed: int
    file: str
    verdict: str  # of all goals together
    verdicts: Mapping[int, str]  # of each
    checks: tuple[Check, ...]
    played: int  # matches, by this call
    written: tuple[tuple[datetime, int], ...]  # when goals were written down, and how many matches were stored then
    reconstructed: tuple[str, ...] = ()

    @property
    def exit_code(self) -> int:
        return EXIT[self.verdict]


def check_goals(
    goals: str | Path, specs: Sequence[str] = (), into: str | Path = "boardgames.duckdb", *, players: str = "", agents: str = "",
    minutes: float | None = None, blocks: int | None = None, seed: int | None = None, workers: int = 1, command: str = "",
    report: Callable[[str], None] = lambda line: None,
) -> Balance:  # fmt: skip
    """Whether variants keep to a file of goals: `check_goals("balance.toml", ["celtica+hand_size=6"])`.

    Plays where something is not settled, for `minutes` or to `blocks` of each cell at most. What is said here goes before what the
    file says.
    """
    read, path = read_goals(Path(goals)), Path(into)
    said: dict[str, Any] = {"variants": tuple(specs), "players": players, "agents": agents, "seed": seed}
    wanted = read._replace(**{name: value for name, value in said.items() if value not in (None, "", ())})
    if minutes or blocks:  # a limit on the command line replaces all limits of the file
        wanted = wanted._replace(minutes=minutes, blocks=blocks)
    if not wanted.variants:
        raise BadInput(f'{goals}: it names no variants; write a line variants = ["celtica"], or name them on the command line')
    can_be_written(path)
    cells, asked = plan_goals(wanted)
    run = _Run(cells, asked, path, workers, command, report)
    written = _promise(path, wanted, cells, run.stored())
    checks = run.play(wanted.seconds, min(wanted.blocks or MOST_BLOCKS, MOST_BLOCKS))
    verdicts = settled(checks)
    overall = FAIL if FAIL in verdicts.values() else UNKNOWN if UNKNOWN in verdicts.values() else PASS
    variants = {cell.variant.name: cell.variant for cell in cells.values()}
    return Balance(
        str(goals), tuple(variants), wanted.agents, wanted.seed, str(path), overall, verdicts, tuple(checks), run.played, written,
        reconstructed=tuple(name for name, variant in variants.items() if variant.game.reconstructed),
    )  # fmt: skip


def plan_goals(wanted: Goals) -> tuple[Cells, list[Asked]]:
    """Which cells the goals need, and who asks which."""
    cells: dict[tuple[str, int, str], PlannedCell] = {}
    asked: list[Asked] = []
    for spec in wanted.variants:
        variant = find_variant(spec)
        usual = read_players(wanted.players) or list(variant.game.players)
        for place, goal in enumerate(wanted.goals, 1):
            for n in goal.players or usual:
                check_part(goal, variant, n)
                key = (spec, n, line_up_of(goal, wanted.agents, n))
                if key not in cells:
                    (cells[key],) = make_plan([spec], str(n), [key[2]], 1, wanted.seed).cells
                asked.append((place, goal, key))
    return cells, asked


def _promise(path: Path, wanted: Goals, cells: Cells, stored: int) -> tuple[tuple[datetime, int], ...]:
    """The goals are written into the file before the first match; goals that were moved later show."""
    prints = sorted({(cell.variant.name, cell.variant.fingerprint()) for cell in cells.values()})
    number = hash63("goals", prints, wanted.seed)
    terms: dict[str, Any] = {"goals": [_plain(goal._asdict()) for goal in wanted.goals], "agents": wanted.agents}
    written = promise(path, number, f"goals for {', '.join(name for name, _ in prints)}", terms, stored)
    return tuple((created, before) for _, created, before in written)


def _plain(table: Mapping[str, Any]) -> dict[str, Any]:
    """As JSON keeps it: no tuples, no infinite numbers."""
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in table.items()}
    return {name: None if value in (float("inf"), float("-inf")) else value for name, value in plain.items()}


class _Run:
    """Plays cells that have something unsettled, in waves that double, and looks after each."""

    def __init__(
        self, cells: Cells, asked: Sequence[Asked], path: Path, workers: int, command: str, report: Callable[[str], None]
    ) -> None:
        self.cells, self.asked, self.path, self.workers, self.command, self.report = cells, asked, path, workers, command, report
        self.played, self.left, self.pace, self.last = 0, 0.0, 0.0, 0.0

    def stored(self) -> int:
        """Matches of these cells that are in the file."""
        return matches_of(self.path, list(self.cells.values()))

    def play(self, seconds: float, most: int) -> list[Check]:
        """For so long and to `most` blocks of each cell, start-up not counted; at least one wave where something is open."""
        self.left = seconds
        checks = self._look()
        while self.left > 0 and (cells := self._open(checks)):
            blocks = blocks_of(self.path, cells)
            least = min(blocks[cell.id] for cell in cells)
            if least >= most:
                break
            self._wave([cell for cell in cells if blocks[cell.id] == least], least, most)
            checks = self._look()
        return checks

    def _look(self) -> list[Check]:
        started = time.monotonic()
        checks = judge_goals(self.asked, self.cells, self.path)
        self.left -= time.monotonic() - started
        return checks

    def _open(self, checks: Sequence[Check]) -> list[PlannedCell]:
        """The cells with something to settle; a goal that failed somewhere has failed."""
        verdicts = settled(checks)
        waiting = {
            (check.variant, check.players, check.line_up)
            for check in checks
            if check.verdict == UNKNOWN and verdicts[check.goal] == UNKNOWN and check.note in ("", NOTHING_STORED)
        }
        return [c for c in self.cells.values() if (c.variant.name, c.players, c.line_up_name()) in waiting]

    def _wave(self, cells: Sequence[PlannedCell], least: int, most: int) -> None:
        """Twice as many blocks, eight times while that is quick, or as many as the limits allow."""
        step = max(least, FIRST_WAVE)
        if math.isinf(self.left):
            step *= 7
        elif self.pace:
            afford = int(self.left / self.pace / len(cells))
            step = max(1, min(7 * step if self.last < QUICK else step, afford))
        upto = min(least + step, most)
        upto -= upto % SLICE if step > SLICE and upto < most else 0
        plan = Plan(tuple(cells), upto, cells[0].seed, "goals")
        done = simulate(plan, self.path, workers=self.workers, command=self.command, report=self._tell)
        self.pace = done.seconds / (len(cells) * (plan.blocks - least))
        self.last = done.seconds
        self.left -= done.seconds
        self.played += done.stored

    def _tell(self, at: Progress) -> None:
        rate = 1 / self.pace if self.pace else 0
        left = "" if math.isinf(self.left) else f", at most {int(self.left) // 60}:{int(self.left) % 60:02d} left"
        self.report(f"{at.cell}: {self.played + at.matches:,} matches, {rate:,.0f} blocks/s{left}")
