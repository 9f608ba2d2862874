"""Commands for large questions: plan, before anything is played, and cluster, for more than one machine."""

import signal
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames.cli.terminal import (
    CORES,
    FILE,
    MOST_WORKERS,
    Games,
    Json,
    Spec,
    Terminal,
    app,
    finite,
    name_games,
    print_blocks,
    print_json,
    status,
    tell,
)

cluster = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(cluster, name="cluster", help="Play on more than one machine.   boardgames cluster local")


@app.command()
def plan(
    variants: Annotated[list[str], typer.Argument(help="One variant, or several that will be compared with the first.")],
    players: Annotated[str, typer.Option(help="Player counts: 3, 2-4 or 2,4; the middle one of the game's, if not said.")] = "",
    agents: Annotated[list[str] | None, typer.Option(help="Who will play; greedy and mcts:64, if not said.")] = None,
    until: Annotated[list[str] | None, typer.Option(help='How well to know a metric: "seat share within 0.5 pp".')] = None,
    margin: Annotated[list[str] | None, typer.Option(help="length=2: a smaller difference does not matter.")] = None,
    seed: Annotated[int, typer.Option(help="The master seed.")] = 1,
    into: Annotated[Path, typer.Option(help="The file with a pilot, if there is one.")] = FILE,
    workers: Annotated[int, typer.Option(min=1, max=MOST_WORKERS, help="Cores that will play.")] = CORES,
    json: Json = False,
) -> None:
    """Say what a question will take: blocks, matches, minutes.   boardgames plan celtica celtica:en --players 4"""
    from analytics.questions.effort import plan as make
    from analytics.show.terminal.effort import show_plan
    from analytics.verdict.results import as_json
    from analytics.verdict.terms import read_margins

    asked: dict[str, Any] = {"players": players, "agents": agents or (), "until": until or (), "seed": seed, "workers": workers}
    with status("seeing how long a match takes"):
        found = make(variants, into, margins=read_margins(margin or ()), **asked)
    if json:
        print_json(as_json(found))
    else:
        print_blocks(show_plan(found))


@cluster.callback()
def of_clusters() -> None:
    """Play on more than one machine. docs/scale.md tells how to start a real cluster."""


@cluster.command()
def local(
    workers: Annotated[int, typer.Option(min=1, max=MOST_WORKERS, help="Processes; each plays on one core.")] = CORES,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where the scheduler listens; 0 takes any free one.")] = 8786,
    game: Games = None,
) -> None:
    """Start a scheduler and workers here, to try it.   boardgames cluster local --workers 2"""
    from boardgames.run.cluster import local as start

    name_games(game)
    for stop in (signal.SIGINT, signal.SIGTERM):  # also where a script started it in the background
        signal.signal(stop, signal.default_int_handler)
    with start(workers, port, game or ()) as started:
        typer.echo(f"{workers} workers at {started.scheduler_address}; Ctrl-C ends them. In another terminal:")
        typer.echo(f"boardgames simulate celtica --cluster {started.scheduler_address}")
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            if not Terminal.quiet:
                typer.echo("the cluster has ended")


@cluster.command()
def bench(
    address: Annotated[str, typer.Argument(help="A Dask scheduler: tcp://scheduler:8786.")],
    variant: Spec,
    players: Annotated[int, typer.Option(help="How many players.")] = 2,
    agents: Annotated[str, typer.Option(help="A line-up: random, or one agent per seat.")] = "random",
    seconds: Annotated[float, typer.Option(min=0.2, callback=finite, help="How long each of the rounds takes.")] = 10.0,
    rounds: Annotated[int, typer.Option(min=1, help="How often threads and cluster take turns.")] = 3,
    json: Json = False,
) -> None:
    """Measure a cluster against threads here.   boardgames cluster bench tcp://127.0.0.1:8786 celtica --players 4"""
    from boardgames.tools.cluster_bench import measure

    with status("measuring"):
        found = measure(address, variant, players, agents, seconds, rounds)
    tell(found, json)
