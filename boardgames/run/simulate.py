"""`simulate`: play an experiment and store it. The command line and notebooks call the same function."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from boardgames.errors import BadInput
from boardgames.experiment.plan import Plan, Progress, make_plan, read_plan
from boardgames.play.batch import make_desk, warm_up
from boardgames.run.crew import Crew, Missing, Threads, run
from boardgames.store import rows
from boardgames.store.connection import SAY_SO, begin_run, connection, patience_for, reading

BYTES_A_MATCH, BYTES_A_SEAT = 28, 21  # measured on stored files: a first guess for plans


class Outcome(NamedTuple):
    """What a simulation did."""

    experiment: int
    stored: int  # matches, by this run
    there_before: int
    seconds: float  # of playing and storing, start-up excluded
    start_seconds: float


def plan_of(specs: Sequence[str], **asked: Any) -> Plan:
    """A plan from specs on the command line, or from one experiment file."""
    if len(specs) == 1 and specs[0].endswith(".toml"):
        return read_plan(Path(specs[0]))
    return make_plan(specs, **asked)


def simulate(
    plan: Plan | Sequence[str], into: str | Path = "boardgames.duckdb", *, workers: int = 1, cluster: str = "", command: str = "",
    report: Callable[[Progress], None] = lambda progress: None, say: Callable[[str], None] = lambda line: None, **asked: Any,
) -> Outcome:  # fmt: skip
    """Play what the file does not have yet: `simulate(["celtica", "celtica:en"], players="2-4", agents=["greedy"], blocks=500)`.

    `cluster` is the address of a Dask scheduler; its workers play then, not the threads of this machine. `say` is told, in
    sentences, which of them are left out.
    """
    started, path = time.perf_counter(), Path(into)
    found = plan if isinstance(plan, Plan) else plan_of(plan, **asked)
    if found.asked.get("until"):
        raise BadInput("a plan with `until` is played by `boardgames simulate` or by analytics.simulate_until")
    rows.can_be_written(path)
    missing = rows.missing(found, path)
    with _crew(found, missing, workers, cluster, say) as crew:
        number = rows.describe(found, path, command)
        begin_run(path)
        ready = time.perf_counter()
        stored = run(crew, lambda played: rows.store_played(path, played, SAY_SO), patience_for(path), report)
    wanted = found.blocks * sum(len(cell.table.seatings) for cell in found.cells)
    return Outcome(number, stored, wanted - stored, time.perf_counter() - ready, ready - started)


@contextmanager
def _crew(plan: Plan, missing: Missing, workers: int, cluster: str, say: Callable[[str], None]) -> Iterator[Crew]:
    if not cluster or not any(missing.values()):
        yield Threads(plan, missing, workers)
        return
    from boardgames.run.cluster import Workers, connected

    with connected(cluster) as client:
        yield Workers(client, plan, missing, say)


def matches(path: str | Path, sql: str = "SELECT * FROM results") -> pa.Table:
    """Stored results as an Arrow table: all of them, or what a query over the file's tables and views gives."""
    with reading(Path(path)) as session:
        return connection(session).sql(sql).to_arrow_table()


class Forecast(NamedTuple):
    cells: int
    matches: int
    to_play: int
    seconds: float
    megabytes: float


def forecast(plan: Plan, path: Path, workers: int) -> Forecast:
    """What a plan would take: a few blocks of each missing cell are played and not stored."""
    missing = rows.missing(plan, path)
    seconds, size, to_play, everything = 0.0, 0.0, 0, 0
    for cell in plan.cells:
        seatings = len(cell.table.seatings)
        left = seatings * sum(many for _, many in missing[cell.id])
        everything += seatings * plan.blocks
        to_play += left
        size += left * (BYTES_A_MATCH + BYTES_A_SEAT * cell.players)
        if left:
            seconds += left * pace(cell.table) / workers
    return Forecast(len(plan.cells), everything, to_play, seconds, size / 1e6)


def pace(table: Any) -> float:
    """Seconds per match on one core: blocks are doubled until they take a moment."""
    warm_up(table)
    desk, blocks = make_desk(table.variant.game, table.line_up), 1
    while True:
        started = time.perf_counter()
        batch = table.play(0, blocks, desk)
        spent = time.perf_counter() - started
        if spent > 0.05 or blocks >= 4096:
            return spent / len(batch.matches)
        blocks *= 4
