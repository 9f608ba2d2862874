"""`simulate`: play a run and store it. The command line and notebooks call the same function."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from boardgames.errors import InvalidInput
from boardgames.game.player_counts import Players
from boardgames.given_values import read_path
from boardgames.notebook import follow_matches
from boardgames.plan.arguments import Agents, Variants, list_agents, list_specs
from boardgames.plan.file import find_plan_file, read_plan
from boardgames.plan.plan import Plan, check_is_plan, make_plan
from boardgames.plan.played import Progress
from boardgames.plan.ranges import find_gaps
from boardgames.play.batch import has_unrepeatable
from boardgames.run.stored_run import StoredRun
from boardgames.run.threads import ThreadWorkers
from boardgames.run.work import MissingRanges, WorkerPool
from boardgames.run.writer import play_and_store
from boardgames.store.connection import (
    find_patience,
    keep_waiting_for,
)
from boardgames.store.read import find_missing
from boardgames.store.write import check_writable, register_run


class Outcome(NamedTuple):
    """What a simulation did."""

    run: int
    stored: int  # matches, by this run
    there_before: int
    seconds: float  # of playing and storing, start-up excluded
    start_seconds: float


def simulate(
    *variants: Variants,
    db: str | Path = "boardgames.duckdb",
    players: Players = "",
    agents: Agents = (),
    matches: int | None = None,
    seed: int = 1,
    name: str = "",
    note: str = "",
    workers: int = 1,
    cluster: str = "",
    on_progress: Callable[[Progress], None] | None = None,
    on_warning: Callable[[str], None] = lambda line: None,
) -> Outcome:
    """Play what the file does not have yet: `simulate("celtica", "celtica:en", players="2-4", matches=500)`.

    `agents` are line-ups: one agent for all seats, or one for each (`"greedy,random"`). Without any,
    `learned` plays where the game has a net for the player count, else `greedy`. `cluster` is the address of
    a Dask scheduler; its workers play then, not the threads of this machine, and `on_warning` gets sentences
    about those that are left out. `simulate("plan.toml")` plays a plan file, which says the rest.
    """
    specs = list_specs(variants)
    file = find_plan_file(specs)
    if file:
        plan = read_plan(file)
    else:
        plan = make_plan(specs, players, list_agents(agents), matches, seed, name=name, note=note)
    with follow_matches(plan.name, on_progress) as on_progress:
        return run_plan(
            plan, db, workers=workers, cluster=cluster, on_progress=on_progress, on_warning=on_warning
        )


def run_plan(
    plan: Plan,
    db: str | Path,
    *,
    workers: int = 1,
    cluster: str = "",
    command: str = "",
    on_progress: Callable[[Progress], None] = lambda progress: None,
    on_warning: Callable[[str], None] = lambda line: None,
) -> Outcome:
    """Play what the file does not have yet of a plan. `command` is stored with the run."""
    check_is_plan(plan, "run_plan")
    started, path = time.perf_counter(), read_path("db", db)
    if plan.until:
        raise InvalidInput(
            "a plan with `until` is played by `boardgames simulate` or by analytics.simulate_until"
        )
    check_writable(path)
    missing = find_missing(plan, path)
    with _make_workers(plan, missing, workers, cluster, on_warning) as pool, keep_waiting_for(path):
        number = register_run(plan, path, command)
        storage = StoredRun(path, {cell: find_gaps(missing[cell], plan.deals[cell]) for cell in missing})
        ready = time.perf_counter()
        stored = play_and_store(
            pool,
            storage.store,
            find_patience(path),
            on_progress,
        )
        storage.check_end()
    return Outcome(number, stored, plan.matches - stored, time.perf_counter() - ready, ready - started)


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
