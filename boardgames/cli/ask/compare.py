"""Commands that compare variants: what a rule change does, where it shows and why."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames.cli.app import Group, Terminal, print_json, print_parts, show_status
from boardgames.cli.ask.answer import (
    LUCK_MATCHES,
    ask_about_luck,
    collect_budget,
    explain_how_to_continue,
    make_design_printer,
    play_for_answer,
    print_answer,
    say_if_nothing_was_played,
)
from boardgames.cli.command_line import format_command_line
from boardgames.cli.options import (
    CORES,
    FILE,
    Agent,
    Agents,
    All,
    Continue,
    Db,
    Json,
    MainMetrics,
    Matches,
    Minutes,
    Pictures,
    Players,
    Seed,
    Thresholds,
    UntilDecided,
    Workers,
)

Compared = Annotated[list[str], typer.Argument(help="Variants to compare; the first is the baseline.")]

TwoVariants = Annotated[list[str], typer.Argument(help="Two variants; the first is the baseline.")]


@Group.ASK.command()
def compare(
    ctx: typer.Context,
    variants: Compared,
    players: Players = "",
    agents: Agents = None,
    minutes: Minutes = None,
    matches: Matches = None,
    until_decided: UntilDecided = False,
    seed: Seed = 1,
    db: Db = FILE,
    extend: Continue = False,
    main_metric: MainMetrics = None,
    threshold: Thresholds = None,
    everything: All = False,
    with_luck: Annotated[
        bool, typer.Option("--luck", help="Also show where the luck comes from, like `boardgames luck`.")
    ] = False,
    chart: Annotated[Path | None, typer.Option(help="Draw the answer into this SVG file.")] = None,
    short: Annotated[bool, typer.Option("--short", help="Print the sentences without the tables.")] = False,
    workers: Workers = CORES,
    json: Json = False,
) -> None:
    """See what a rule change does.

    Both versions are played with the same shuffles and dice until every main metric is decided, for two
    minutes at most. If the file has the answer already, nothing is played.

    Example: boardgames compare celtica celtica+hand_size=6
    """
    from analytics.questions.compare.compare import compare as compare_variants

    if chart:
        _check_chart(chart, db)
    if with_luck:  # before the first match: a game without chance is refused
        from analytics.questions.luck.luck import plan_cells

        plan_cells(variants, ctx.params["players"], agents[0] if agents else "", ctx.params["seed"])
    with _watch_comparison() as (on_look, on_progress):
        comparison = compare_variants(
            *variants,
            until_decided=until_decided,
            agents=agents or (),
            **_collect_options(ctx),
            on_look=on_look,
            on_progress=on_progress,
        )
    changes = _compare_luck(ctx, comparison, db) if with_luck else ()
    _print_comparison(ctx, comparison, changes)
    if chart:
        _draw_answer(comparison, chart, json)
    _say_what_is_open(comparison, json)
    say_if_nothing_was_played(comparison.played, db, extend, json)


def _check_chart(chart: Path, db: Path) -> None:
    """Refuse a file that cannot be drawn into before the first match."""
    from analytics.show.chart.answer import check_chart_file
    from boardgames.files import check_output

    check_chart_file(chart)
    check_output(chart, db)


def _draw_answer(comparison: Any, chart: Path, json: bool) -> None:
    from analytics.show.chart.answer import write_answer

    write_answer(comparison, chart)
    if not json:
        typer.echo(f"\ndrew the answer into {chart}")


def _compare_luck(ctx: typer.Context, comparison: Any, db: Path) -> Any:
    """What the change does to luck, by the agent that decides the comparison; where that is another one at
    each player count, by the usual ones, as they are then.
    """
    deciding = {contrast.agent for contrast in comparison.contrasts}
    answer = ask_about_luck(
        ctx.params["variants"],
        db,
        players=",".join(map(str, comparison.players)),
        agents=deciding.pop() if len(deciding) == 1 else "",
        matches=ctx.params["matches"] or LUCK_MATCHES,
        seed=comparison.seed,
        workers=ctx.params["workers"],
    )
    return answer.changes


def _print_comparison(ctx: typer.Context, comparison: Any, luck_changes: Any) -> None:
    from analytics.show.terminal.comparison import show_comparison, show_sentences
    from analytics.show.terminal.luck import show_luck_changes
    from analytics.verdict.results import convert_to_json

    if ctx.params["json"]:
        print_json({**convert_to_json(comparison), "luck": convert_to_json(luck_changes)})
    else:
        shown = show_comparison(comparison, ctx.params["everything"])
        print_parts(show_sentences(comparison) if ctx.params["short"] else shown)
        print_parts(show_luck_changes(luck_changes))


@Group.ASK.command("side-by-side")
def side_by_side(
    variants: TwoVariants,
    players: Players = "",
    agents: Agent = "",
    seed: Seed = 1,
    deal: Annotated[
        int | None, typer.Option(min=0, help="The deal to show (default: the first that differs).")
    ] = None,
    svg: Pictures = None,
) -> None:
    """Show one deal under two rules, from where they part.

    Example: boardgames side-by-side celtica celtica:en --players 2
    """
    from analytics.questions.side_by_side import draw_side_by_side, find_side_by_side, show_side_by_side

    with show_status("looking for a match that differs"):
        pair = find_side_by_side(*variants, players=players, agents=agents, seed=seed, deal=deal)
    print_parts(show_side_by_side(pair))
    if svg:
        with show_status("drawing"):
            pictures = draw_side_by_side(pair, svg)
        typer.echo(f"drew {pictures} pictures into {svg}; {svg / 'fork.svg'} shows both sides of the fork")


@Group.ASK.command()
def explain(
    ctx: typer.Context,
    variants: TwoVariants,
    players: Players = "",
    agents: Agent = "",
    minutes: Minutes = None,
    matches: Matches = None,
    seed: Seed = 1,
    db: Db = FILE,
    extend: Continue = False,
    main_metric: MainMetrics = None,
    threshold: Thresholds = None,
    workers: Workers = CORES,
    json: Json = False,
) -> None:
    """Find out which changed parameter causes what.

    Each parameter is switched alone, from the baseline and back to it.

    Example: boardgames explain celtica celtica:en
    """
    from analytics.questions.explain import explain_change
    from analytics.show.terminal.explanation import show_explanation

    with play_for_answer() as on_progress:
        explanations = explain_change(
            *variants, agents=agents, **_collect_options(ctx), on_progress=on_progress
        )
    print_answer(
        explanations, (line for explanation in explanations for line in show_explanation(explanation)), json
    )
    say_if_nothing_was_played(explanations[0].played, db, extend, json)


@Group.ASK.command()
def alternatives(
    ctx: typer.Context,
    variants: TwoVariants,
    count: Annotated[int, typer.Option(min=1, help="Sets of plausible values to try.")] = 20,
    players: Players = "",
    agents: Agent = "",
    minutes: Minutes = None,
    matches: Matches = None,
    seed: Seed = 1,
    db: Db = FILE,
    extend: Continue = False,
    main_metric: MainMetrics = None,
    threshold: Thresholds = None,
    workers: Workers = CORES,
    json: Json = False,
) -> None:
    """See whether a verdict depends on reconstructed values.

    The comparison is repeated with other plausible values for whatever no source documents.

    Example: boardgames alternatives celtica celtica:en --count 20
    """
    from analytics.questions.alternatives import check_robustness
    from analytics.show.terminal.alternatives import show_robustness

    with play_for_answer() as on_progress:
        robustness = check_robustness(
            *variants, count=count, agents=agents, **_collect_options(ctx), on_progress=on_progress
        )
    print_answer(robustness, show_robustness(robustness), json)
    say_if_nothing_was_played(robustness.played, db, extend, json)


@contextmanager
def _watch_comparison() -> Iterator[tuple[Callable[[Any], None] | None, Callable[[str], None]]]:
    """Show where a comparison stands while it plays; yields what takes results and what takes progress."""
    from analytics.questions.compare.conclusions import describe_interim_results
    from analytics.show.terminal.interim import make_interim_tables
    from boardgames.cli.live import show_interim_results

    with explain_how_to_continue():
        if Terminal.quiet:
            yield None, lambda line: None
            return
        with show_interim_results(make_interim_tables, describe_interim_results, sys.stderr.isatty()) as view:
            yield view.show_results, view.show_progress


def _collect_options(ctx: typer.Context) -> dict[str, Any]:
    """What `compare`, `explain` and `alternatives` all hand on."""
    from analytics.target import read_thresholds

    typed = ctx.params
    return {
        **collect_budget(ctx),
        "main_metrics": typed["main_metric"] or (),
        "thresholds": read_thresholds(typed["threshold"] or ()),
        "on_start": make_design_printer(typed["json"], with_terms=ctx.info_name != "compare"),
    }


def _say_what_is_open(comparison: Any, json: bool) -> None:
    """What is open, what it would take and how to go on; that all is decided if it is."""
    from analytics.questions.compare.conclusions import describe_rest, suggest_minutes

    if json or Terminal.quiet or not (rest := describe_rest(comparison)):
        return
    typer.echo(f"\n{rest}")
    if minutes := suggest_minutes(comparison):
        limits = ("--continue", "--until-decided", "--matches=", "--minutes=")
        words = ("--continue", "--minutes", str(minutes))
        typer.echo(f"To go on: {format_command_line(*limits, adding=words)}")
