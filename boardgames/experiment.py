"""Experiments: variants x player counts x line-ups x blocks, from one master seed. Plan, play on all cores, store."""

import functools
import hashlib
import json
import platform
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents import Agent, find_line_up
from boardgames.batch import MATCHES, Batch, Table, make_desk, set_table, warm_up
from boardgames.engine import ENGINE
from boardgames.errors import BadInput
from boardgames.plugins import find_variant, own_variants, read_tables
from boardgames.rulecode import digest, is_rule
from boardgames.values import who_sits
from boardgames.variant import Variant

FLUSH_MATCHES, FLUSH_SECONDS = 122_880, 5.0  # a row group of DuckDB; a crash loses at most this much
SPAN_SECONDS = 0.25  # what a thread plays at a time: short enough to stop soon, long enough to cost nothing


def hash63(*parts: Any) -> int:
    """A stable id: the same on every machine and in every file."""
    return int.from_bytes(hashlib.blake2b(json.dumps(parts).encode(), digest_size=8).digest(), "big") >> 1


def agent_fingerprint(agent: Agent) -> str:
    """What runs when it chooses: its code and its numbers."""
    if not is_rule(agent.family.choose):
        raise BadInput(f"{agent.name} is a Python function: its matches could not be replayed, so they are not stored; use `play`")
    limits = [agent.forbidden, agent.forced, agent.prizes] if agent.special else []
    return f"{hash63(digest([agent.family.choose]), list(agent.values.items()), *limits):016x}"


@dataclass(frozen=True)
class PlannedCell:
    """One variant, player count and line-up, on the luck of one master seed."""

    variant: Variant
    line_up: tuple[Agent, ...]
    seed: int
    id: int = field(init=False)

    def __post_init__(self) -> None:
        agents = [(agent.name, agent_fingerprint(agent)) for agent in self.line_up]
        number = hash63(self.variant.name, self.variant.fingerprint(), ENGINE, agents, self.seed)
        object.__setattr__(self, "id", number)

    @property
    def players(self) -> int:
        return len(self.line_up)

    def line_up_name(self) -> str:
        """`greedy` for a line-up of equals, else one name per seat."""
        names = [agent.name for agent in self.line_up]
        return names[0] if len(set(names)) == 1 else ",".join(names)

    @functools.cached_property
    def table(self) -> Table:
        return set_table(self.variant, self.line_up, self.seed)

    @functools.cached_property
    def agents(self) -> np.ndarray[Any, Any]:
        return who_sits([agent.name for agent in self.line_up], self.table.seatings)


class Plan(NamedTuple):
    """What to play."""

    cells: tuple[PlannedCell, ...]
    blocks: int
    seed: int
    name: str = ""
    note: str = ""
    asked: Mapping[str, Any] = {}  # the words of the plan, for a plan file


def make_plan(
    variants: Sequence[str], players: str = "", agents: Sequence[str] = ("greedy",), blocks: int = 1000, seed: int = 1,
    name: str = "", note: str = "", own: Mapping[str, Any] | None = None,
) -> Plan:  # fmt: skip
    """Every variant with every player count and every line-up. No player count said means all that the game allows."""
    if blocks < 1:
        raise BadInput(f"blocks={blocks}: an experiment has at least one block")
    cells: dict[int, PlannedCell] = {}
    for found in [find_variant(spec, own) for spec in variants]:
        for seats in read_players(players) or list(found.game.players):
            found.blank(seats)
            for line_up in agents:
                cell = PlannedCell(found, find_line_up(line_up, seats, found.game), seed)
                cells[cell.id] = cell
    asked = {"variants": list(variants), "players": players, "agents": list(agents), "blocks": blocks, "seed": seed}
    asked |= {"name": name, "note": note}
    return Plan(tuple(cells.values()), blocks, seed, name or ", ".join(variants), note, asked)


def read_players(spec: str) -> list[int]:
    """`3`, `2-4`, `2,4` -> the player counts, in order."""
    found: set[int] = set()
    try:
        for part in filter(None, spec.split(",")):
            low, dash, high = part.partition("-")
            found |= set(range(int(low), int(high if dash else low) + 1))
    except ValueError:
        raise BadInput(f"players '{spec}': write 3, 2-4 or 2,4") from None
    return sorted(found)


def read_plan(path: Path) -> Plan:
    """A plan from a file: the table [experiment], and tables of variants as in variants.toml."""
    tables = read_tables(path)
    asked = tables.pop("experiment", None)
    if not isinstance(asked, dict):
        raise BadInput(f"{path}: it needs a table [experiment] with variants, agents, blocks ...")
    kinds = {"variants": list, "players": str, "agents": list, "blocks": int, "seed": int, "name": str, "note": str}
    for name, value in asked.items():
        if name not in kinds:
            raise BadInput(f"{_line(path, name)}: there is no field '{name}'; there are: {', '.join(kinds)}")
        if not isinstance(value, kinds[name]):
            raise BadInput(f"{_line(path, name)}: {name} is {KINDS[kinds[name]]}, not {value!r}")
    if not asked.get("variants"):
        raise BadInput(f"{path}, [experiment]: variants names at least one variant")
    return make_plan(**asked, own={**own_variants(), **tables})


KINDS = {list: "a list", str: "a text", int: "a whole number"}


def _line(path: Path, name: str) -> str:
    """File and line of a field."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((f"{path}, line {n}" for n, line in enumerate(lines, 1) if line.split("=")[0].strip() == name), str(path))


def write_plan(plan: Plan) -> str:
    """A plan as a file that one can keep in git."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in plan.asked.items() if value not in ("", [])]
    return "\n".join(["[experiment]", *lines]) + "\n"


# ---- playing it


class Played(NamedTuple):
    """Some blocks of a cell, just played."""

    cell: PlannedCell
    first: int
    blocks: int
    batch: Batch
    seconds: float


class Progress(NamedTuple):
    matches: int  # played so far, by this run
    wanted: int  # to be played by this run
    cell: str  # what was played last


def run(
    plan: Plan, missing: Mapping[int, list[tuple[int, int]]], store: Callable[[list[Played]], None], workers: int,
    report: Callable[[Progress], None] = lambda progress: None,
) -> int:  # fmt: skip
    """Play what is missing and hand it to `store` in large portions; returns how many matches were stored.

    Interrupted, it stores what is finished and then raises KeyboardInterrupt.
    """
    finished: list[Played] = []
    played, last = 0, time.monotonic()
    flush: Future[None] | None = None
    with _stoppable() as stopped, ThreadPoolExecutor(1) as writer:  # playing goes on while a flush is written
        crew = _Crew(plan, missing, workers, stopped)
        for arrived in crew:
            finished += arrived
            played += sum(len(part.batch.matches) for part in arrived)
            if arrived:
                report(Progress(played, crew.wanted, arrived[-1].cell.variant.name))
            full = sum(len(part.batch.matches) for part in finished) >= FLUSH_MATCHES
            late = time.monotonic() - last > FLUSH_SECONDS
            if finished and (full or late or not crew.running):
                if flush:
                    flush.result()
                flush, finished, last = writer.submit(store, finished), [], time.monotonic()
        if flush:
            flush.result()
        if stopped.is_set():
            raise KeyboardInterrupt
    return played


@contextmanager
def _stoppable() -> Iterator[threading.Event]:
    """Ctrl-C asks to stop, rather than breaking in anywhere; pressed twice it breaks in."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    usual = signal.getsignal(signal.SIGINT)

    def ask(number: int, frame: Any) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, usual)

    signal.signal(signal.SIGINT, ask)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, usual)


class _Crew:
    """Threads that play the missing blocks, all cells growing alike; iterating gives what they have played."""

    def __init__(self, plan: Plan, missing: Mapping[int, list[tuple[int, int]]], workers: int, stopped: threading.Event) -> None:
        self.cells = {cell.id: cell for cell in plan.cells if missing[cell.id]}
        self.tables = {number: cell.table for number, cell in self.cells.items()}
        self.ranges = {number: list(missing[number]) for number in self.cells}
        self.spans = dict.fromkeys(self.cells, 1)  # blocks to play at a time; grows while that is quick
        self.wanted = sum(many * len(self.tables[n].seatings) for n, parts in self.ranges.items() for _, many in parts)
        self.pool = ThreadPoolExecutor(workers)
        self.window = 2 * workers  # the next span waits while one is played
        self.stopped = stopped
        self.desks = threading.local()
        self.running: set[Future[Played]] = set()

    def __iter__(self) -> Iterator[list[Played]]:
        """What was played since the last look; asked to stop, it begins nothing new and ends with what was under way."""
        with self.pool:
            while self._hand_out():
                done, self.running = wait(self.running, timeout=0.2, return_when=FIRST_COMPLETED)
                if self.stopped.is_set():
                    self.ranges.clear()
                    self.running = {future for future in self.running if not future.cancel()}
                yield [self._noted(future.result()) for future in done]

    def _hand_out(self) -> bool:
        """Give the threads work: the cell that is furthest behind first."""
        while self.ranges and len(self.running) < self.window:
            number = min(self.ranges, key=lambda n: self.ranges[n][0][0])
            self.running.add(self.pool.submit(self._play, number, *self._next_span(number)))
        return bool(self.running)

    def _next_span(self, number: int) -> tuple[int, int]:
        """The next blocks of a cell, up to a multiple of its span."""
        (first, many), *rest = self.ranges[number]
        span = min(many, self.spans[number] - first % self.spans[number])
        self.ranges[number] = [(first + span, many - span), *rest] if span < many else rest
        if not self.ranges[number]:
            del self.ranges[number]
        return first, span

    def _play(self, number: int, first: int, blocks: int) -> Played:
        table = self.tables[number]
        if getattr(self.desks, "number", None) != number:
            self.desks.number, self.desks.desk = number, make_desk(table.variant.game, table.line_up)
        started = time.perf_counter()
        batch = table.play(first, blocks, self.desks.desk)
        return Played(self.cells[number], first, blocks, batch, time.perf_counter() - started)

    def _noted(self, played: Played) -> Played:
        number, span = played.cell.id, self.spans[played.cell.id]
        most = max(1, MATCHES // len(self.tables[number].seatings))
        if played.blocks == span and played.seconds < SPAN_SECONDS / 4:
            factor = 16 if played.seconds < SPAN_SECONDS / 16 and span * 16 <= most else 4
            self.spans[number] = factor * span if factor * span <= most else span
        elif played.seconds > 2 * SPAN_SECONDS:
            self.spans[number] = max(1, played.blocks // 2)
        return played


def prepare(plan: Plan, missing: Mapping[int, list[tuple[int, int]]]) -> None:
    """Compile, one after the other, what the threads will run."""
    for cell in plan.cells:
        if missing[cell.id]:
            warm_up(cell.table)


def circumstances() -> dict[str, str]:
    """What a result may depend on, beside the seed: nothing, we claim; so we write it down."""
    packages = ("boardgames", "numpy", "numba", "duckdb")
    return {**{name: version(name) for name in packages}, "python": platform.python_version(), "engine": str(ENGINE)}
