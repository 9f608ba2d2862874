"""`simulate`: play a run and store it. The command line and notebooks call the same function."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from boardgames.errors import InvalidInput
from boardgames.plan.file import read_plan
from boardgames.plan.plan import Plan, make_plan
from boardgames.plan.played import Progress
from boardgames.play.batch import has_unrepeatable
from boardgames.run.threads import ThreadWorkers
from boardgames.run.work import MissingRanges, WorkerPool
from boardgames.run.writer import play_and_store
from boardgames.store.connection import (
    NOTICE_SECONDS,
    find_patience,
    mark_running,
)
from boardgames.store.read import find_missing
from boardgames.store.write import check_writable, register_run, store_played


class Outcome(NamedTuple):
    """What a simulation did."""

    run: int
    stored: int  # matches, by this run
    there_before: int
    seconds: float  # of playing and storing, start-up excluded
    start_seconds: float


def load_plan(specs: Sequence[str], **request: Any) -> Plan:
    """A plan from specs on the command line, or from one run file."""
    if len(specs) == 1 and specs[0].endswith(".toml"):
        return read_plan(Path(specs[0]))
    return make_plan(specs, **request)


def simulate(
    plan: Plan | Sequence[str],
    db: str | Path = "boardgames.duckdb",
    *,
    workers: int = 1,
    cluster: str = "",
    command: str = "",
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_warning: Callable[[str], None] = lambda line: None,
    **request: Any,
) -> Outcome:
    """Play what the file does not have yet: `simulate(["celtica", "celtica:en"], players="2-4",
    agents=["greedy"], matches=500)`.

    `cluster` is the address of a Dask scheduler; its workers play then, not the threads of this machine.
    `on_warning` is told, in sentences, which of them are left out.
    """
    started, path = time.perf_counter(), Path(db)
    loaded_plan = plan if isinstance(plan, Plan) else load_plan(plan, **request)
    if loaded_plan.until:
        raise InvalidInput(
            "a plan with `until` is played by `boardgames simulate` or by analytics.simulate_until"
        )
    check_writable(path)
    missing = find_missing(loaded_plan, path)
    with _make_workers(loaded_plan, missing, workers, cluster, on_warning) as pool:
        number = register_run(loaded_plan, path, command)
        mark_running(path)
        ready = time.perf_counter()
        stored = play_and_store(
            pool,
            lambda played: store_played(path, played, NOTICE_SECONDS),
            find_patience(path),
            on_progress,
        )
    return Outcome(number, stored, loaded_plan.matches - stored, time.perf_counter() - ready, ready - started)


@contextmanager
def _make_workers(
    plan: Plan, missing: MissingRanges, workers: int, cluster: str, on_warning: Callable[[str], None]
) -> Iterator[WorkerPool]:
    if not cluster or not any(missing.values()):
        yield ThreadWorkers(plan, missing, workers)
        return
    for cell in plan.cells:
        if has_unrepeatable([agent.agent_type for agent in cell.line_up]):
            raise InvalidInput(
                f"the actions of {cell.format_line_up()} must be stored, which only this machine does: mark "
                "its agents with mark_deterministic, or leave out --cluster"
            )
    from boardgames.run.cluster import ClusterWorkers, connect

    with connect(cluster) as client:
        yield ClusterWorkers(client, plan, missing, on_warning)
