"""Commands about what a question costs: plan, before anything is played, and bench, for speed."""

from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames.cli.app import Group, print_json, print_parts, print_report, show_status
from boardgames.cli.options import (
    CORES,
    FILE,
    MOST_WORKERS,
    Json,
    LineUp,
    PlayerCount,
    Players,
    Reported,
    Seed,
    Spec,
    Thresholds,
    Until,
    check_finite,
    trust_agents,
)

EarlierFigures = Annotated[
    Path | None, typer.Option(help="Show the change since the last figures saved in this file.")
]
SaveFigures = Annotated[
    Path | None, typer.Option(help="Add the figures to this file, with the commit: speeds.jsonl.")
]


@Group.SCALE.command()
def plan(
    variants: Reported,
    players: Players = "",
    agents: Annotated[
        list[str] | None,
        typer.Option(
            callback=trust_agents,
            help="Agents that will play (default: learned where there is a trained player, else greedy; and "
            "mcts:64). Repeatable.",
        ),
    ] = None,
    until: Until = None,
    threshold: Thresholds = None,
    seed: Seed = 1,
    db: Annotated[Path, typer.Option(help="Result file with earlier matches, if any.")] = FILE,
    workers: Annotated[int, typer.Option(min=1, max=MOST_WORKERS, help="Cores that will play.")] = CORES,
    json: Json = False,
) -> None:
    """Estimate matches and minutes needed.

    Example: boardgames plan celtica celtica:en --players 4
    """
    from analytics.questions.effort import plan as make_plan
    from analytics.show.terminal.effort import show_plan
    from analytics.target import read_thresholds
    from analytics.verdict.results import convert_to_json

    options: dict[str, Any] = {
        "players": players,
        "agents": agents or (),
        "until": until or (),
        "seed": seed,
        "workers": workers,
    }
    with show_status("measuring how long a match takes"):
        effort = make_plan(*variants, db=db, thresholds=read_thresholds(threshold or ()), **options)
    if json:
        print_json(convert_to_json(effort))
    else:
        print_parts(show_plan(effort))


@Group.SCALE.command()
def bench(
    variant: Spec,
    players: PlayerCount = None,
    agents: LineUp = "random",
    workers: Annotated[
        int, typer.Option(min=1, max=MOST_WORKERS, help="Threads for the second measurement.")
    ] = CORES,
    seconds: Annotated[
        float, typer.Option(min=0, callback=check_finite, help="Seconds to measure, each time.")
    ] = 2.0,
    starts: Annotated[
        bool, typer.Option(help="Also measure a cold and a warm start, in new processes.")
    ] = True,
    save: SaveFigures = None,
    since: EarlierFigures = None,
    json: Json = False,
) -> None:
    """Measure how fast a variant is played.

    Example: boardgames bench tic-tac-toe
    """
    from boardgames.game.plugins import find_variant
    from boardgames.tools import speed_file
    from boardgames.tools.bench import bench as measure

    found_variant = find_variant(variant)
    if players is None:
        players = min(found_variant.game.player_counts)
    last = _open_figures(save, since, found_variant.name, players, agents)
    with show_status(f"measuring {found_variant.name}"):
        report = measure(
            found_variant, variant, players, agents, workers, seconds, starts, bool(save or since)
        )
    if save:
        speed_file.save_figures(save, report)
    if last:
        report["since"] = speed_file.compare_figures(report, last)
    print_report(report, json)


def _open_figures(save: Path | None, since: Path | None, variant: str, players: int, agents: str) -> Any:
    """The measurement to compare with, or None. Raises for an unusable file before anything is measured."""
    from boardgames.files import check_output
    from boardgames.tools import speed_file

    if save:
        check_output(save)
        if save.exists():
            speed_file.read_figures(save)
    return speed_file.find_last_measurement(since, variant, players, agents) if since else None
