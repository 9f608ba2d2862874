"""Commands that play: simulate, and how a plan is run with its progress shown."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames.cli.terminal import CORES, FILE, Json, Terminal, Workers, app, bar, console, finite, print_json, status, tell, warn
from boardgames.errors import BadInput


@app.command()
def simulate(
    variants: Annotated[list[str], typer.Argument(help="Variants to play, or one experiment.toml.")],
    players: Annotated[str, typer.Option(help="Player counts: 3, 2-4 or 2,4; all that the game allows, if not said.")] = "",
    agents: Annotated[list[str] | None, typer.Option(help="A line-up: greedy, or one agent per seat. Repeat for more.")] = None,
    blocks: Annotated[
        int | None, typer.Option(min=1, help="Chance seeds, 1000 if not said; each is played in every seating of a line-up.")
    ] = None,
    sweep: Annotated[list[str] | None, typer.Option(help="hand_size=4..7: a variant for each value. Repeat for a grid.")] = None,
    until: Annotated[
        list[str] | None, typer.Option(help='"seat share within 0.5 pp": play until it is known so well. Repeat for more.')
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0.01, callback=finite, help="How long --until may take; 10 if no limit is said.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The master seed.")] = 1,
    into: Annotated[Path, typer.Option(help="The file that results go into.")] = FILE,
    workers: Workers = CORES,
    cluster: Annotated[str, typer.Option(help="Let the workers of a Dask scheduler play: tcp://scheduler:8786.")] = "",
    name: Annotated[str, typer.Option(help="A name for the experiment.")] = "",
    note: Annotated[str, typer.Option(help="A line for the diary that `runs` shows.")] = "",
    save_plan: Annotated[Path | None, typer.Option(help="Write the plan to this file and play nothing.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan: cells, matches, time and size.")] = False,
    json: Json = False,
) -> None:
    """Play matches and store them.   boardgames simulate celtica celtica:en --players 2-4 --agents greedy --blocks 1000"""
    from boardgames.experiment.plan import write_plan
    from boardgames.files import write_file
    from boardgames.run import simulate as simulation

    plan = simulation.plan_of(
        variants, players=players, agents=agents or ["greedy"], blocks=blocks, seed=seed, name=name, note=note, sweep=sweep or [],
        until=until or [], minutes=minutes,
    )  # fmt: skip
    if save_plan:
        write_file(save_plan, write_plan(plan))
        typer.echo(f"wrote {save_plan}; play it with: boardgames simulate {save_plan}")
    elif dry_run and plan.asked["until"]:
        raise BadInput("how much --until takes depends on what it finds; `boardgames plan` estimates it")
    elif dry_run:
        tell(simulation.forecast(plan, into, workers)._asdict(), json)
    elif plan.asked["until"]:
        precision = _run_until(plan, into, workers, cluster)
        _tell_outcome(plan, into, precision.outcome, json, precision)
        raise typer.Exit(0 if precision.reached else 3)
    else:
        _tell_outcome(plan, into, run_plan(plan, into, workers, cluster), json)


def _run_until(plan: Any, into: Path, workers: int, cluster: str) -> Any:
    from analytics.questions.precision import simulate_until
    from boardgames.store.rows import command_line

    with status("playing") as report, telling_how_to_go_on():
        return simulate_until(plan, into, workers=workers, cluster=cluster, command=command_line(), report=report, say=warn)


@contextmanager
def telling_how_to_go_on(how: str = "") -> Iterator[None]:
    """After Ctrl-C, say that nothing is lost and what to type."""
    from boardgames.store.rows import command_line

    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"boardgames: stopped; all finished matches are stored. {how or f'To go on: {command_line()}'}", err=True)
        raise typer.Exit(130) from None


def run_plan(plan: Any, into: Path, workers: int, cluster: str = "") -> Any:
    from boardgames.run import simulate as simulation
    from boardgames.store.rows import command_line

    with bar(plan.name) as show, telling_how_to_go_on():
        return simulation.simulate(
            plan, into, workers=workers, cluster=cluster, command=command_line(), say=warn,
            report=lambda at: show(at.matches, at.wanted),
        )  # fmt: skip


def _tell_outcome(plan: Any, into: Path, outcome: Any, json: bool, precision: Any = None) -> None:
    from analytics.questions.summary import differences, differences_table, summary, summary_table
    from analytics.verdict.results import as_json
    from boardgames.store.pairs import pair
    from boardgames.store.rows import totals

    cells = {cell.id: cell for cell in plan.cells}
    rows = summary(cells, totals(into, cells))
    with status("pairing the variants"):
        changes = differences(cells, lambda a, b: pair(into, a, b))
    if json:
        told = {**outcome._asdict(), "file": str(into), "cells": rows, "differences": changes}
        if precision:
            told["until"] = {name: as_json(getattr(precision, name)) for name in ("reached", "widths", "blocks", "limit")}
        print_json(told)
    elif not Terminal.quiet:
        console().print(summary_table(rows))
        if changes:
            console().print(differences_table(changes))
        rate = outcome.stored / outcome.seconds if outcome.stored else 0
        typer.echo(f"{outcome.stored:,} matches played, {outcome.there_before:,} were there: {into}, run {outcome.experiment}")
        typer.echo(f"{outcome.seconds:.1f} s ({rate:,.0f} matches/s), after {outcome.start_seconds:.1f} s of start-up")
        for width in precision.widths if precision else ():
            typer.echo(f"{'reached' if width.reached else f'NOT reached within {precision.limit}'}: {width.in_words()}")
