"""`verify`: play stored matches again, and say which do not agree with what is stored."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from boardgames.errors import BoardgamesError
from boardgames.given_values import read_path, read_whole_number
from boardgames.interrupt import StopRequest, catch_interrupt
from boardgames.notebook import follow_matches
from boardgames.plan.plan import Plan
from boardgames.plan.played import Progress
from boardgames.play.batch import Batch
from boardgames.run.threads import ThreadWorkers
from boardgames.store.agreement.contents import StoredMatches, load_stored_matches
from boardgames.store.agreement.matches import RepeatableCell, choose_deals, compare_batches, load_actions
from boardgames.store.agreement.sums import find_wrong_slices
from boardgames.store.connection import keep_open_for_reading
from boardgames.store.read import read_batch

Ranges = Mapping[int, list[tuple[int, int]]]


@dataclass(frozen=True)
class CellName:
    """A cell in words."""

    cell: int
    variant: str
    players: int
    line_up: str
    seed: int

    def __str__(self) -> str:
        return f"{self.variant}, {self.players} players, {self.line_up}, seed {self.seed}"


@dataclass(frozen=True)
class Disagreement:
    """The matches of a cell that came out otherwise than they are stored."""

    name: CellName
    matches: int
    example: str  # the id of one, for `boardgames replay`
    columns: tuple[str, ...]  # in which they differ

    def __str__(self) -> str:
        columns = ", ".join(self.columns)
        return f"{self.name}: {self.matches:,} differ in {columns}; for example {self.example}"


@dataclass(frozen=True)
class Unchecked:
    """The matches of a cell that cannot be played again here."""

    name: CellName
    matches: int
    reason: str

    def __str__(self) -> str:
        return f"not played again: {self.matches:,} matches of {self.name}: {self.reason}"


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What `verify` has found."""

    stored: int  # matches in the file
    checked: int  # of them, played again
    disagreements: tuple[Disagreement, ...]
    unchecked: tuple[Unchecked, ...]
    wrong_sums: tuple[CellName, ...]  # cells whose sums (the table `slice`) are not those of their matches
    swapped_deals: int  # with swapped chance, for `luck`: they are not played again
    seconds: float

    @property
    def agrees(self) -> bool:
        """Whether all that was checked is as it is stored."""
        return not self.disagreements and not self.wrong_sums

    def __str__(self) -> str:
        lines = [self._headline(), *map(str, self.disagreements)]
        lines += [f"{name}: its sums are not those of its matches" for name in self.wrong_sums]
        lines += [str(cell) for cell in self.unchecked]
        if self.swapped_deals:
            lines.append(f"not played again: {self.swapped_deals:,} deals with swapped chance, for `luck`")
        return "\n   ".join(lines)

    def _headline(self) -> str:
        differing = sum(cell.matches for cell in self.disagreements)
        result = f"{differing:,} do not agree" if differing else "all agree"
        played = f"{self.checked:,} of {self.stored:,} matches played again in {self.seconds:.1f} s"
        return f"{played}: {result} with what is stored" if self.checked else "no match was played again"


def verify(
    db: str | Path = "boardgames.duckdb",
    *,
    matches: int | None = None,
    workers: int = 1,
    on_progress: Callable[[Progress], None] | None = None,
) -> Verification:
    """Play the matches of a file again and compare all that is stored of each: `verify("theirs.duckdb")`.

    `matches` is about the size of a sample, each time another one. Matches of people and of Python agents
    are played again from their stored actions. What cannot be played again is listed with the reason.
    """
    path, started = read_path("db", db), time.perf_counter()
    if matches is not None:
        read_whole_number("matches", matches, 1)
    contents = load_stored_matches(path)
    names = {stored.cell.id: _name(stored) for stored in contents.cells}
    repeatable, unchecked = _sort_out(contents.cells, names)
    ranges = _choose_ranges(repeatable, contents.cells, matches)
    with follow_matches(f"verify {path.name}", on_progress) as on_progress, catch_interrupt() as stop:
        comparison = _Comparison(db=path, cells=repeatable, ranges=ranges, on_progress=on_progress)
        comparison.play_planned(stop, workers)
        comparison.play_recorded(stop)
        wrong = [] if stop.is_set() else _find_wrong_sums(path, contents.cells, ranges, matches is None)
    return Verification(
        stored=sum(stored.matches for stored in contents.cells),
        checked=comparison.played,
        disagreements=tuple(comparison.list_disagreements(names)),
        unchecked=tuple(unchecked),
        wrong_sums=tuple(names[cell] for cell in wrong),
        swapped_deals=contents.swapped_deals,
        seconds=time.perf_counter() - started,
    )


def _name(stored: StoredMatches) -> CellName:
    row = stored.row
    return CellName(row.id, stored.variant.name, row.players, row.line_up, row.seed)


def _sort_out(
    cells: Iterable[StoredMatches], names: Mapping[int, CellName]
) -> tuple[dict[int, RepeatableCell], list[Unchecked]]:
    """The cells that can be played again here, by id, and the others with the reason."""
    repeatable: dict[int, RepeatableCell] = {}
    unchecked = []
    for stored in cells:
        try:
            repeatable[stored.cell.id] = stored.make_repeatable()
        except BoardgamesError as error:
            unchecked.append(Unchecked(names[stored.cell.id], stored.matches, str(error)))
    return repeatable, unchecked


def _choose_ranges(
    repeatable: Mapping[int, RepeatableCell], cells: Iterable[StoredMatches], matches: int | None
) -> Ranges:
    """The deals to play again, by cell."""
    ranges = {stored.cell.id: stored.ranges for stored in cells if stored.cell.id in repeatable}
    if matches is None:
        return ranges
    seatings = {cell_id: cell.stored.seatings for cell_id, cell in repeatable.items()}
    chosen = choose_deals(ranges, seatings, matches)
    return {cell: [(deal, 1) for deal in deals] for cell, deals in chosen.items()}


def _find_wrong_sums(db: Path, cells: Iterable[StoredMatches], ranges: Ranges, is_all: bool) -> list[int]:
    """The cells whose sums are not those of their rows: of all slices, or of those of the chosen deals."""
    wrong = []
    with keep_open_for_reading(db):
        for stored in cells:
            chosen = stored.ranges if is_all else ranges.get(stored.cell.id, [])
            if find_wrong_slices(db, stored.cell, stored.ranges, chosen):
                wrong.append(stored.cell.id)
    return wrong


@dataclass(kw_only=True)
class _Comparison:
    """Matches are played again, and each is compared with its rows in the file."""

    db: Path
    cells: Mapping[int, RepeatableCell]
    ranges: Ranges
    on_progress: Callable[[Progress], None]
    played: int = 0
    differing: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    columns: dict[int, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))

    @property
    def wanted(self) -> int:
        return sum(
            count * self.cells[cell].stored.seatings for cell, rs in self.ranges.items() for _, count in rs
        )

    def play_planned(self, stop: StopRequest, workers: int) -> None:
        """The matches that a seed brings back, on several threads."""
        planned = [cell.planned for cell in self.cells.values() if cell.planned]
        missing = {cell.id: self.ranges.get(cell.id, []) for cell in planned}
        pool = ThreadWorkers(Plan(tuple(planned), {}, seed=1), missing, workers)
        for parts in pool.play(stop):
            with keep_open_for_reading(self.db) if parts else nullcontext():
                for part in parts:
                    assert isinstance(part.batch, Batch)
                    self._compare(part.cell.id, part.first, part.deals, part.batch)

    def play_recorded(self, stop: StopRequest) -> None:
        """The matches that only their actions bring back, one after the other."""
        for cell_id, first, deals in self._list_recorded():
            if stop.is_set():
                return
            with keep_open_for_reading(self.db):
                actions = load_actions(self.db, cell_id, first, deals)
                played = self.cells[cell_id].play_recorded(first, deals, actions)
                self._compare(cell_id, first, deals, played)

    def _list_recorded(self) -> Iterator[tuple[int, int, int]]:
        for cell_id, cell in self.cells.items():
            if not cell.planned:
                for first, count in self.ranges.get(cell_id, []):
                    yield from ((cell_id, deal, 1) for deal in range(first, first + count))

    def _compare(self, cell_id: int, first: int, deals: int, played: Batch) -> None:
        cell = self.cells[cell_id]
        stored = read_batch(self.db, cell.stored, first, deals)
        if differing := compare_batches(stored, played):
            rows = stored.matches[differing.rows]
            self.differing[cell_id] += zip(rows["deal"].tolist(), rows["seating"].tolist(), strict=True)
            self.columns[cell_id] |= dict.fromkeys(differing.columns)
        self.played += len(played.matches)
        self.on_progress(Progress(self.played, self.wanted, cell.variant.name))

    def list_disagreements(self, names: Mapping[int, CellName]) -> Iterator[Disagreement]:
        for cell_id, matches in self.differing.items():
            deal, seating = min(matches)
            example = f"{cell_id}/{deal}/{seating}"
            yield Disagreement(names[cell_id], len(matches), example, tuple(self.columns[cell_id]))
