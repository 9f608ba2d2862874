"""`compare`: play what is missing in growing waves, then judge. The command line and notebooks call the same function."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analytics.questions.compare.judge import check_luck, judge, primary_lines
from analytics.verdict.design import Design, make_design
from analytics.verdict.results import Comparison
from analytics.verdict.terms import Registered, Terms, make_terms, register, registered
from analytics.verdict.verdicts import UNCLEAR, UNKNOWN
from boardgames.experiment.plan import Plan, PlannedCell, Progress, check_blocks
from boardgames.play.batch import SLICE
from boardgames.run.simulate import simulate
from boardgames.store.connection import reading
from boardgames.store.rows import can_be_written, covered

AGENTS = ("greedy", "mcts:64")
MINUTES = 5.0
FIRST_WAVE = 16  # blocks: searching agents are slow
FIRST_LOOK, LAST_BLOCK = 1024, 1 << 20  # of a comparison that goes on until it is decided
MOST_BLOCKS = 100_000  # of a cell, unless asked for more: finer differences than these show matter to nobody
STRENGTH_BLOCKS = SLICE  # of a duel, at most: enough to say who is stronger, and the fewest from which a doubt is drawn
BESIDE = 0.05  # minutes that the other rungs have at least
SHARES = {"first": 0.5, "rung": 0.3, "duel": 0.2}  # of the time: the rung that decides, the others, the duels


def compare(
    specs: Sequence[str], into: str | Path = "boardgames.duckdb", *, players: str = "", agents: Sequence[str] = (),
    minutes: float | None = None, blocks: int | None = None, seed: int = 1, more: bool = False, primaries: Sequence[str] = (),
    margins: Mapping[str, float] | None = None, unpaired: bool = False, duels: bool = True, until_decided: bool = False,
    workers: int = 1, command: str = "", begin: Callable[[Design, Terms], None] = lambda design, terms: None,
    report: Callable[[str], None] = lambda line: None,
) -> Comparison:  # fmt: skip
    """What the others do to the first: `compare(["celtica", "celtica+hand_size=6"], minutes=1)`.

    Plays for some minutes, or up to `blocks` of every cell; a comparison that is in the file already is only looked at, unless
    `more` or `blocks` ask for more. `until_decided` plays on until every primary has its verdict; `minutes` and `blocks` are then
    limits. `begin` is told the plan before the first match, `report` what is going on.
    """
    path = Path(into)
    design, terms, written, played = play(
        specs, path, players=players, agents=agents, minutes=minutes, blocks=blocks, seed=seed, more=more, primaries=primaries,
        margins=margins, unpaired=unpaired, duels=duels, until_decided=until_decided, workers=workers, command=command,
        begin=begin, report=report,
    )  # fmt: skip
    return replace(judge(design, path, terms, written, unpaired), played=played)


def play(
    specs: Sequence[str], path: Path, *, players: str = "", agents: Sequence[str] = (), minutes: float | None = None,
    blocks: int | None = None, seed: int = 1, more: bool = False, primaries: Sequence[str] = (),
    margins: Mapping[str, float] | None = None, unpaired: bool = False, duels: bool = True, until_decided: bool = False,
    workers: int = 1, command: str = "", begin: Callable[[Design, Terms], None] = lambda design, terms: None,
    report: Callable[[str], None] = lambda line: None,
) -> tuple[Design, Terms, list[Registered], int]:  # fmt: skip
    """What `compare` does before it judges: plan, write the terms down, play. Returns also how many matches were played."""
    can_be_written(path)
    check_blocks(blocks)
    design, known = _design(specs, path, players, agents, seed, duels)
    check_luck(design, unpaired)
    far = {name: even(plan, path) for name, plan in design.plans.items()}
    whole = bool(far) and all(far.values())  # else it is no comparison yet
    plays = bool(blocks or more or until_decided or not whole)
    terms = _terms(design, known, minutes if plays else None, blocks, primaries, margins, until_decided)
    begin(design, terms)
    written = register(path, design.number, design.name, terms, stored(design, path))
    played = 0
    if plays:
        groups = [_group(design, name, plan, far[name], blocks) for name, plan in design.plans.items()]
        waves = Waves(groups, path, workers, command, report)
        if until_decided:
            played = waves.play_until(lambda: _blocks_needed(design, path, terms, unpaired), minutes, blocks or LAST_BLOCK)
        else:
            played = waves.play(minutes or _minutes(terms), blocks)
    return design, terms, written, played


def _design(
    specs: Sequence[str], path: Path, players: str, agents: Sequence[str], seed: int, duels: bool
) -> tuple[Design, list[Registered]]:
    """The design, with the agents of the last time unless others are named."""
    design = make_design(specs, players, agents or AGENTS, seed, duels)
    known = registered(path, design.number)
    if known and not agents:
        design = replace(design, agents=known[-1].terms.agents)
    return design, known


def _terms(
    design: Design, known: Sequence[Registered], minutes: float | None, blocks: int | None, primaries: Sequence[str],
    margins: Mapping[str, float] | None, until_decided: bool = False,
) -> Terms:  # fmt: skip
    """Those of the last time, with what is asked for now; the usual ones at first."""
    last = known[-1].terms if known else None
    stop = f"{blocks} blocks of each cell" if blocks else f"{minutes or MINUTES:g} minutes"
    if until_decided:
        limit = f"{blocks or LAST_BLOCK:,} blocks of each cell" + (f" or {minutes:g} minutes" if minutes else "")
        stop = f"as long as the verdicts are open, at most {limit}"
    elif last and not (minutes or blocks):
        stop = last.stop
    chosen = primaries or (last.primaries if last else ())
    return make_terms(design.agents, stop, chosen, {**(last.margins if last else {}), **(margins or {})})


def _minutes(terms: Terms) -> float:
    first, _, unit = terms.stop.partition(" ")
    return float(first) if unit == "minutes" else MINUTES


def _blocks_needed(design: Design, path: Path, terms: Terms, unpaired: bool) -> int:
    """Blocks at which the primaries that are open would probably be settled, by the rung that decides; 0 if none is open."""
    first = replace(design, agents=design.agents[:1], duels=False)
    needed = 0
    for seatings, line in primary_lines(first, path, replace(terms, agents=first.agents), unpaired):
        if line.verdict in (UNCLEAR, UNKNOWN):
            needed = max(needed, line.difference.blocks + (line.more or SLICE) // seatings)
    return needed


def stored(design: Design, path: Path) -> int:
    """Matches of a comparison that are in the file."""
    return matches_of(path, [cell for plan in design.plans.values() for cell in plan.cells])


@dataclass
class Group:
    """Cells that grow alike, and the time they took so far."""

    name: str
    plan: Plan
    share: float  # of the time
    blocks: int  # that all its cells have
    most: int | None = None  # that it needs at all; nothing where more blocks always say more
    seconds: float = 0.0
    fresh: int = 0  # blocks played in these seconds

    def limit(self, blocks: int) -> int:
        """How far it goes where others go to so many blocks."""
        return blocks if self.most is None else min(blocks, self.most)

    @property
    def pace(self) -> float:
        return self.seconds / self.fresh if self.fresh else 0.0

    def affords(self, seconds: float) -> int:
        """Blocks for which so many seconds in all leave time: a few while nobody knows the pace, and at least one."""
        if math.isinf(seconds):
            return LAST_BLOCK
        return max(1, int((seconds - self.seconds) / self.pace)) if self.pace else FIRST_WAVE


class Waves:
    """Plays the groups in turn, each in waves that double, so that at any moment all variants are equally far."""

    def __init__(self, groups: Sequence[Group], path: Path, workers: int, command: str, report: Callable[[str], None]) -> None:
        self.groups, self.path, self.workers, self.command, self.report = groups, path, workers, command, report
        self.left = 0.0  # seconds, after this wave

    def play(self, minutes: float, blocks: int | None, most: int = MOST_BLOCKS) -> int:
        """To so many blocks of each cell, or for so long and to `most` of them; returns the matches played."""
        if blocks:
            return sum(self._wave(group, group.limit(blocks)) for group in self.groups)
        end, played = 60 * minutes, 0
        while open_ := [group for group in self.groups if group.blocks < group.limit(most)]:
            left = end - sum(group.seconds for group in self.groups if group.blocks >= group.limit(most))  # to those still open
            total = sum(group.share for group in open_)
            group = min(open_, key=lambda g: g.seconds / g.share)
            if group.seconds >= (own := left * group.share / total):
                break
            step = min(max(group.blocks, FIRST_WAVE), group.affords(own), group.limit(most) - group.blocks)
            upto = group.blocks + step
            self.left = end - sum(g.seconds for g in self.groups) - step * group.pace
            played += self._wave(group, upto - upto % SLICE if upto > 4 * SLICE and step > SLICE else upto)
        return played

    def play_until(self, needed: Callable[[], int], minutes: float | None, most: int) -> int:
        """The first group until its verdicts are settled; then the others for their share of the time that took.

        `needed` looks at what is stored and says how many blocks would probably do. Looking does no harm: see `verdicts`.
        """
        if not self.groups:
            return 0
        (first, *others), played = self.groups, 0
        total, limit = sum(group.share for group in self.groups), 60 * (minutes or math.inf)
        end = limit * first.share / total
        while first.seconds < end and first.blocks < most:
            target = FIRST_LOOK
            if first.blocks >= FIRST_LOOK:
                if not (wanted := needed()):
                    break
                target = int(min(max(wanted, 1.25 * first.blocks), 4 * first.blocks))
            target += -target % SLICE
            played += self._wave(first, min(target, first.blocks + first.affords(end), most))
        if not others or (not played and all(group.blocks for group in others)):
            return played
        beside = max(60 * BESIDE, first.seconds / first.share * (total - first.share))
        waves = Waves(others, self.path, self.workers, self.command, self.report)
        return played + waves.play(min(beside, limit - first.seconds) / 60, None, min(most, MOST_BLOCKS))

    def _wave(self, group: Group, blocks: int) -> int:
        if blocks <= group.blocks:
            return 0
        self.report(f"{group.name}: blocks {group.blocks:,} to {blocks:,}")
        plan, started = group.plan._replace(blocks=blocks), time.monotonic()

        def tell(at: Progress) -> None:
            rate = at.matches / max(time.monotonic() - started, 1e-3)
            left = round((at.wanted - at.matches) / rate) + round(max(0.0, self.left))
            told = f"{at.matches:,} of {at.wanted:,} matches, {rate:,.0f} matches/s, about {left // 60}:{left % 60:02d} left"
            self.report(f"{group.name}: blocks {group.blocks:,} to {blocks:,}, {told}")

        outcome = simulate(plan, self.path, workers=self.workers, command=self.command, report=tell)
        group.seconds += max(outcome.seconds, 1e-3)
        group.fresh += blocks - group.blocks
        group.blocks = blocks
        return outcome.stored


def _group(design: Design, name: str, plan: Plan, stored_blocks: int, asked: int | None) -> Group:
    """Self-play answers the question and goes as far as it can. A duel only says how strong a player is, and stops soon.

    Where few blocks are asked for, a duel, which plays each of them in several seatings, has no more matches than the question.
    """
    share = _share(design, name)
    if name in design.agents:
        return Group(name, plan, share, stored_blocks)
    seatings = max(len(cell.table.seatings) for cell in plan.cells)
    most = min(STRENGTH_BLOCKS, max(2, asked // seatings)) if asked else STRENGTH_BLOCKS
    return Group(name, plan, share, stored_blocks, most)


def _share(design: Design, name: str) -> float:
    if name == design.agents[0]:
        return SHARES["first"]
    if name in design.agents:
        return SHARES["rung"] / (len(design.agents) - 1)
    return SHARES["duel"] / len(design.rungs())


def blocks_of(path: Path, cells: Sequence[PlannedCell]) -> dict[int, int]:
    """How many blocks of each cell are in the file, by the cells' ids."""
    if not path.exists():
        return {cell.id: 0 for cell in cells}
    with reading(path) as session:
        runs = covered(session, [cell.id for cell in cells])
    return {cell: sum(many for _, many in run) for cell, run in runs.items()}


def matches_of(path: Path, cells: Sequence[PlannedCell]) -> int:
    """How many matches of all these cells are in the file."""
    blocks = blocks_of(path, cells)
    return sum(blocks[cell.id] * len(cell.table.seatings) for cell in cells)


def even(plan: Plan, path: Path) -> int:
    """How far all cells of a plan are without a gap."""
    if not path.exists():
        return 0
    with reading(path) as session:
        runs = covered(session, [cell.id for cell in plan.cells])
    return min((_unbroken(run) for run in runs.values()), default=0)


def _unbroken(runs: Sequence[tuple[int, int]]) -> int:
    upto = 0
    for first, many in sorted(runs):
        if first > upto:
            break
        upto = max(upto, first + many)
    return upto
