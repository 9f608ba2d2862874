"""Commands that play: a match against agents, or many between agents."""

import shlex
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames.cli.app import (
    Group,
    Terminal,
    make_console,
    print_json,
    print_report,
    print_warning,
    show_bar,
    show_status,
)
from boardgames.cli.command_line import format_command_line
from boardgames.cli.options import (
    CORES,
    FILE,
    USUAL,
    AllPlayers,
    Cluster,
    Db,
    Json,
    PlayerCount,
    Seed,
    Spec,
    Until,
    Workers,
    check_finite,
    check_seat,
    trust_agents,
)
from boardgames.errors import FileInUse, InvalidInput

Others = Annotated[
    str,
    typer.Option(
        callback=trust_agents, help="One agent for all other seats, or one for each: greedy,mcts:64."
    ),
]
Deal = Annotated[
    int | None, typer.Option(min=0, help="The deal to play (default: the first that you have not seen).")
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only show what would be played: matches, time and size.")
]
LineUps = Annotated[
    list[str] | None,
    typer.Option(
        callback=trust_agents, help=f"A line-up: greedy, or one agent per seat ({USUAL}). Repeatable."
    ),
]
MatchesOfEach = Annotated[
    int | None,
    typer.Option(min=1, help="Matches of each variant, player count and line-up (default: 1000)."),
]
MinutesUntil = Annotated[
    float | None,
    typer.Option(min=0.01, callback=check_finite, help="Minutes to play at most with --until (default: 10)."),
]
SavePlan = Annotated[Path | None, typer.Option(help="Write the plan to this file and play nothing.")]


@Group.PLAY.command()
def play(
    variant: Spec,
    players: PlayerCount = None,
    agents: Others = "greedy",
    seat: Annotated[int, typer.Option(min=1, help="Your seat; seat 1 starts.")] = 1,
    name: Annotated[str, typer.Option(help="Your name, if several people use this file.")] = "",
    seed: Seed = 1,
    deal: Deal = None,
    new: Annotated[bool, typer.Option("--new", help="Begin a new match, even if one is under way.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Only watch: agents have all seats, and you see all hands.")
    ] = False,
    pause: Annotated[
        float, typer.Option(min=0, callback=check_finite, help="Seconds between turns with --watch.")
    ] = 1.0,
    svg: Annotated[Path | None, typer.Option(help="SVG file to draw the current position into.")] = None,
    db: Db = FILE,
) -> None:
    """Play against agents.

    Leave when you like: the same command comes back to the match.

    Example: boardgames play keltis --agents greedy
    """
    from boardgames.game.plugins import find_variant

    chosen_variant = find_variant(variant)
    if players is None:
        players = min(chosen_variant.game.player_counts)
    chosen_variant.make_blank_state(players)
    if watch:
        _watch_match(chosen_variant, players, agents, seed, deal or 0, pause)
        return
    from boardgames.plan.cell import PlannedCell

    line_up = _make_line_up(chosen_variant, players, agents, seat, name)
    cell = PlannedCell(chosen_variant, line_up, seed, rotate_seats=False)
    _play_match(cell, db, deal, new, svg)


def _make_line_up(variant: Any, players: int, agents: str, seat: int, name: str) -> Any:
    """The person in one seat, agents in the others."""
    from boardgames.agents.seating import find_line_up
    from boardgames.people.seated_match import find_person

    check_seat(seat, players)
    others = list(find_line_up(agents, players - 1, variant.game))
    return (*others[: seat - 1], find_person(name), *others[seat - 1 :])


def _play_match(cell: Any, db: Path, deal: int | None, new: bool, svg: Path | None) -> None:
    from boardgames.files import check_output
    from boardgames.game.plugins import find_address, find_entry_points
    from boardgames.people.seated_match import resume_or_begin
    from boardgames.people.table import HELP, PlayerQuit, TerminalIO, play_to_end
    from boardgames.store.recorded_matches import has_outdated_match

    if svg and cell.variant.game.draw is None:
        raise InvalidInput(f"{cell.variant.game.name} has no drawing; leave out --svg")
    if svg:
        check_output(svg, db)
    seated, is_resumed = resume_or_begin(db, cell, deal, format_command_line(), new)
    match = seated.match
    seats = ", ".join(f"seat {seat}: {agent.name}" for seat, agent in enumerate(cell.line_up, 1))
    typer.echo(f"{cell.variant.name}, {seats}; deal {match.deal} of seed {match.seed}")
    greeting = f"Welcome back to turn {match.state.turn}. --new begins another match."
    typer.echo(greeting if is_resumed else HELP)
    if has_outdated_match(db, cell):
        rules = f"other rules than {cell.variant.name} has now"
        print_warning(f"a match that you left has {rules}; it stays in {db} as it is")
    try:
        match_id = play_to_end(seated, TerminalIO(input, make_console().print), svg)
    except (PlayerQuit, EOFError, KeyboardInterrupt):
        typer.echo(f"\nThe match is kept in {db}. To come back: {format_command_line('--new')}")
        return
    typer.echo(match.describe_end())
    address = find_address(cell.variant.game)
    game_option = [] if address in find_entry_points() else ["--game", address]
    command = shlex.join(["boardgames", "replay", match_id, "--db", str(db), *game_option])
    typer.echo(f"Stored in {db}. To read it again: {command}")


def _watch_match(variant: Any, players: int, agents: str, seed: int, deal: int, pause: float) -> None:
    from boardgames.agents.seating import find_line_up
    from boardgames.people.seated_match import is_quick
    from boardgames.people.table import watch_match
    from boardgames.play.match import Match

    line_up = find_line_up(agents, players, variant.game)
    match = Match(variant, players, seed=seed, deal=deal, compiled=not is_quick(line_up))
    wait = pause if sys.stdout.isatty() else 0.0
    watch_match(match, line_up, make_console().print, lambda: time.sleep(wait))
    typer.echo(match.describe_end())


@Group.PLAY.command()
def simulate(
    variants: Annotated[list[str], typer.Argument(help="Variants to play, or one plan.toml.")],
    players: AllPlayers = "",
    agents: LineUps = None,
    matches: MatchesOfEach = None,
    until: Until = None,
    minutes: MinutesUntil = None,
    seed: Seed = 1,
    db: Db = FILE,
    workers: Workers = CORES,
    cluster: Cluster = "",
    note: Annotated[str, typer.Option(help="Note to store with this run.")] = "",
    save_plan: SavePlan = None,
    dry_run: DryRun = False,
    json: Json = False,
) -> None:
    """Play and store many matches.

    Example: boardgames simulate celtica celtica:en --players 2-4 --agents greedy --matches 1000
    """
    from boardgames.files import write_file
    from boardgames.plan.file import find_plan_file, format_plan, read_plan
    from boardgames.plan.plan import make_plan
    from boardgames.run.forecast import forecast

    if file := find_plan_file(variants):
        plan = read_plan(file)
    else:
        plan = make_plan(
            variants, players, agents or (), matches, seed, note=note, until=until or (), minutes=minutes
        )
    if save_plan:
        write_file(save_plan, format_plan(plan))
        typer.echo(f"wrote {save_plan}; play it with: boardgames simulate {save_plan}")
    elif dry_run and plan.until:
        raise InvalidInput("--dry-run cannot know what --until takes; `boardgames plan` estimates it")
    elif dry_run:
        print_report(forecast(plan, db, workers)._asdict(), json)
    else:
        _play_plan(plan, db, workers, cluster, json)


def _play_plan(plan: Any, db: Path, workers: int, cluster: str, json: bool) -> None:
    if not plan.until:
        _print_outcome(plan, db, _run_plan(plan, db, workers, cluster), json)
        return
    precision = _run_until(plan, db, workers, cluster)
    _print_outcome(plan, db, precision.outcome, json, precision)
    raise typer.Exit(0 if precision.reached else 3)


def _run_until(plan: Any, db: Path, workers: int, cluster: str) -> Any:
    from analytics.questions.precision import simulate_until

    with explain_how_to_resume(), fill_sums_at_stop(plan, db), show_status("playing") as on_progress:
        return simulate_until(
            plan,
            db,
            workers=workers,
            cluster=cluster,
            command=format_command_line(),
            on_progress=on_progress,
            on_warning=print_warning,
        )


@contextmanager
def explain_how_to_resume(advice: str = "") -> Iterator[None]:
    """After Ctrl-C, say that nothing is lost and what to type."""
    try:
        yield
    except KeyboardInterrupt:
        advice = advice or f"To go on: {format_command_line()}"
        typer.echo(f"boardgames: stopped; all finished matches are stored. {advice}", err=True)
        raise typer.Exit(130) from None


@contextmanager
def fill_sums_at_stop(plan: Any, db: Path) -> Iterator[None]:
    """After Ctrl-C, work out the sums of what is stored, so that pages answer at once."""
    try:
        yield
    except KeyboardInterrupt:
        with suppress(FileInUse):  # another command works them out when it asks for them
            if db.exists():
                _fill_sums(plan, db)
        raise


def _run_plan(plan: Any, db: Path, workers: int, cluster: str) -> Any:
    from boardgames.run.simulate import run_plan

    with explain_how_to_resume(), fill_sums_at_stop(plan, db), show_bar(plan.name) as update_bar:
        return run_plan(
            plan,
            db,
            workers=workers,
            cluster=cluster,
            command=format_command_line(),
            on_warning=print_warning,
            on_progress=lambda progress: update_bar(progress.matches, progress.wanted),
        )


def _print_outcome(plan: Any, db: Path, outcome: Any, json: bool, precision: Any = None) -> None:
    from analytics.questions.summary import make_differences_table, make_summary_table
    from analytics.words import describe_training_of_cells

    rows, changes = _summarize(plan, db)
    trained_on = describe_training_of_cells(plan.cells)
    if json:
        answer = {**outcome._asdict(), "file": str(db), "cells": rows, "differences": changes}
        answer["trained_on"] = trained_on
        print_json(answer | _collect_precision(precision))
    elif not Terminal.quiet:
        make_console().print(make_summary_table(rows))
        if changes:
            make_console().print(make_differences_table(changes))
        for sentence in trained_on:
            typer.echo(sentence)
        _print_speed(db, outcome)
        for width in precision.widths if precision else ():
            outcome_words = "reached" if width.reached else f"NOT reached within {precision.limit}"
            typer.echo(f"{outcome_words}: {width.describe()}")


def _summarize(plan: Any, db: Path) -> tuple[Any, Any]:
    """The means of each cell, and the differences between variants."""
    from analytics.questions.summary import summarize_cells, summarize_differences
    from boardgames.store.pairs import load_pair_sums
    from boardgames.store.read import load_totals

    cells = {cell.id: cell for cell in plan.cells}
    _fill_sums(plan, db)
    differences = summarize_differences(cells, lambda a, b: load_pair_sums(db, a, b))
    return summarize_cells(cells, load_totals(db, cells)), differences


def _fill_sums(plan: Any, db: Path) -> None:
    """Store the sums and differences that pages read: they store nothing themselves."""
    from analytics.metric.metric import metrics
    from analytics.metric.sums import fill_sums
    from analytics.questions.summary import list_pairs

    with show_status("pairing the variants"):
        fill_sums(db, list_pairs({cell.id: cell for cell in plan.cells}), list(metrics().values()))


def _collect_precision(precision: Any) -> dict[str, Any]:
    """What `--until` reached; nothing without it."""
    from analytics.verdict.results import convert_to_json

    if precision is None:
        return {}
    names = ("reached", "widths", "deals", "limit")
    return {"until": {name: convert_to_json(getattr(precision, name)) for name in names}}


def _print_speed(db: Path, outcome: Any) -> None:
    rate = outcome.stored / outcome.seconds if outcome.stored else 0
    typer.echo(
        f"{outcome.stored:,} matches played, {outcome.there_before:,} stored before: {db}, run {outcome.run}"
    )
    start_up = f"after {outcome.start_seconds:.1f} s of start-up"
    typer.echo(f"{outcome.seconds:.1f} s ({rate:,.0f} matches/s), {start_up}")
