"""Commands that look for better rules: sweep values, find a fix, check goals."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames.cli.app import Group, print_json, print_parts, show_status
from boardgames.cli.ask.answer import collect_budget, print_answer, say_if_nothing_was_played
from boardgames.cli.options import (
    CORES,
    FILE,
    Agent,
    Continue,
    Db,
    Json,
    Matches,
    Minutes,
    Players,
    Seed,
    Spec,
    Workers,
    check_finite,
    trust_agents,
)
from boardgames.cli.play import explain_how_to_resume

Aim = Annotated[
    str, typer.Option(help='What to look for: "length near 40" (default: "lowest seat imbalance").')
]

GoalMatches = Annotated[
    int | None,
    typer.Option(min=1, help="Matches of each variant and player count at most, instead of a time limit."),
]

GoalMinutes = Annotated[
    float | None,
    typer.Option(
        min=0.01, callback=check_finite, help="Minutes to play at most (default: the file's, or 2)."
    ),
]

WantedGoals = Annotated[
    list[str] | None,
    typer.Option(help='A goal: "seat share within 3 pp of fair" or "length at most 60". Repeatable.'),
]

KeptMetrics = Annotated[
    list[str] | None, typer.Option(help='What must stay near the baseline: "length within 10%". Repeatable.')
]

FairSeats = Annotated[
    bool,
    typer.Option(
        "--fair-seats",
        help="Goal: no seat is over 3 percentage points from an equal share. Tries rules per seat first.",
    ),
]

AtMost = Annotated[
    int,
    typer.Option(
        min=1, help="How many parameters may change at once. Two do only if no single one is a fix."
    ),
]

FixMinutes = Annotated[
    float | None,
    typer.Option(
        min=0.01, callback=check_finite, help="Minutes to search at most (default: the file's, or 5)."
    ),
]

SweptValues = Annotated[
    list[str], typer.Argument(help="Values to try: hand_size=4..7. Repeat for a grid of all mixes.")
]


@Group.ASK.command()
def sweep(
    ctx: typer.Context,
    variant: Spec,
    values: SweptValues,
    best: Aim = "",
    players: Players = "",
    agents: Agent = "",
    minutes: Minutes = None,
    matches: Matches = None,
    seed: Seed = 1,
    db: Db = FILE,
    extend: Continue = False,
    everything: Annotated[bool, typer.Option("--all", help="Show the grid of every main metric.")] = False,
    workers: Workers = CORES,
    json: Json = False,
) -> None:
    """Try several values of a rule and find the best.

    The best one plays again on fresh deals before it counts as the winner.

    Example: boardgames sweep celtica hand_size=4..7 --best "length near 40"
    """
    from analytics.questions.sweep.sweep import AIM
    from analytics.questions.sweep.sweep import sweep as sweep_grid
    from analytics.show.terminal.sweep import show_sweep

    with show_status("playing") as on_progress, explain_how_to_resume():
        results = sweep_grid(
            variant,
            *values,
            best=best or AIM,
            agents=agents,
            **collect_budget(ctx),
            on_progress=on_progress,
        )
    print_answer(results, (part for result in results for part in show_sweep(result, everything)), json)
    say_if_nothing_was_played(results[0].played, db, extend, json)


@Group.ASK.command()
def fix(
    ctx: typer.Context,
    variant: Spec,
    goals: Annotated[Path | None, typer.Option(help="A file of goals: balance.toml.")] = None,
    goal: WantedGoals = None,
    keep: KeptMetrics = None,
    fair_seats: FairSeats = False,
    change: Annotated[
        list[str] | None,
        typer.Option(
            help="A parameter that may change: hand_size or hand_size=3..7 (default: all). Repeatable."
        ),
    ] = None,
    never: Annotated[list[str] | None, typer.Option(help="A parameter that must not change.")] = None,
    at_most: AtMost = 2,
    players: Players = "",
    agents: Annotated[
        str, typer.Option(help="One agent for all seats (default: the file's; learned, else greedy).")
    ] = "",
    stronger: Annotated[
        str,
        typer.Option(help="Second agent to confirm each fix with, or none (default: learned or mcts:64)."),
    ] = "",
    minutes: FixMinutes = None,
    matches: Annotated[
        int | None, typer.Option(min=1, help="Matches of each change at most, instead of a time limit.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Number that all shuffles and dice follow from (default: the file's, or 1)."),
    ] = None,
    db: Db = FILE,
    workers: Workers = CORES,
    chart: Annotated[Path | None, typer.Option(help="Draw the changes into this HTML file.")] = None,
    json: Json = False,
) -> None:
    """Find the smallest rule changes that reach your goals.

    Say what you want (--goals, --goal or --fair-seats) and, if you like, what may change (--change). All
    changes play the same deals. The best ones play again on fresh deals before they count as a fix. The exit
    code is 0 for a fix, 1 if nothing reaches the goals, 3 if that is still open.

    Example: boardgames fix celtae --fair-seats --players 4
    """
    from analytics.questions.fix.fix import find_fix
    from analytics.questions.goals.check import EXIT
    from analytics.show.fix_figures import write_front
    from boardgames.files import check_output

    if chart:
        check_output(chart, db)
    with explain_how_to_resume(), _print_what_is_known(json), show_status("searching") as on_progress:
        answer = find_fix(
            variant,
            goals=goals,
            goal=goal or (),
            keep=keep or (),
            fair_seats=fair_seats,
            change=change or (),
            never=never or (),
            at_most=at_most,
            agents=agents,
            stronger=stronger,
            **collect_budget(ctx),
            on_progress=on_progress,
        )
    if chart:
        write_front(answer, chart)
    _print_fix(answer, json)
    if chart and not json:
        typer.echo(f"drew {chart}")
    raise typer.Exit(EXIT[answer.verdict])


@contextmanager
def _print_what_is_known(json: bool) -> Iterator[None]:
    """After Ctrl-C in a search, print the answer so far."""
    from analytics.questions.fix.fix import SearchInterrupted

    try:
        yield
    except SearchInterrupted as stop:
        if not json:
            typer.echo("This is known so far:")
        _print_fix(stop.fix, json)
        raise


def _print_fix(fix: Any, json: bool) -> None:
    from analytics.questions.fix.results import convert_fix_to_json
    from analytics.show.terminal.fix import show_fix

    if json:
        print_json(convert_fix_to_json(fix))
    else:
        print_parts(show_fix(fix))


@Group.ASK.command()
def goals(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="A file of goals: balance.toml.")],
    variants: Annotated[
        list[str] | None, typer.Argument(help="Variants to test (default: those that the file names).")
    ] = None,
    players: Annotated[str, typer.Option(help="Player counts for goals that name none: 3, 2-4 or 2,4.")] = "",
    agents: Annotated[
        str,
        typer.Option(
            callback=trust_agents, help="One agent for all seats (default: the file's; learned, else greedy)."
        ),
    ] = "",
    minutes: GoalMinutes = None,
    matches: GoalMatches = None,
    seed: Annotated[
        int | None, typer.Option(help="Number that all shuffles and dice follow from (default: the file's).")
    ] = None,
    db: Db = FILE,
    workers: Workers = CORES,
    junit: Annotated[
        Path | None, typer.Option(help="Also write the checks to this file, as JUnit XML.")
    ] = None,
    json: Json = False,
) -> None:
    """Test a game against your design goals.

    The exit code is 0 if all pass, 1 if one fails, 3 if something is still open. In GitHub Actions the job
    gets a summary and annotations.

    Example: boardgames goals balance.toml celtica+hand_size=6
    """
    from analytics.questions.goals.check import check_goals
    from analytics.show.goals_in_ci import make_goals_json, make_junit
    from analytics.show.terminal.goals import show_balance
    from boardgames.files import check_output, write_file

    if junit:
        check_output(junit, db)
    with _annotate_mistakes(), show_status("playing for the goals") as on_progress:
        balance = check_goals(
            file, *(variants or ()), agents=agents, **collect_budget(ctx), on_progress=on_progress
        )
    if json:
        print_json(make_goals_json(balance))
    else:
        print_parts(show_balance(balance))
    if junit:
        write_file(junit, make_junit(balance))
    _tell_github(balance, sys.stderr if json else sys.stdout)
    raise typer.Exit(balance.exit_code)


@contextmanager
def _annotate_mistakes() -> Iterator[None]:
    """In a job of GitHub Actions, annotate the mistakes in a goals file."""
    from analytics.questions.goals.file import InvalidGoals
    from analytics.show.goals_in_ci import annotate_mistakes

    try:
        yield
    except InvalidGoals as error:
        if _is_github():
            for line in annotate_mistakes(error.mistakes):
                typer.echo(line, err=True)
        raise


def _is_github() -> bool:
    return os.environ.get("GITHUB_ACTIONS") == "true"


def _tell_github(balance: Any, stream: Any) -> None:
    """In a job of GitHub Actions, annotate the goals file and add to the job's summary."""
    from analytics.show.goals_in_ci import make_annotations, make_markdown
    from boardgames.files import append_file

    if _is_github():
        for line in make_annotations(balance):
            typer.echo(line, file=stream)
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        append_file(Path(summary), make_markdown(balance))
