"""Commands that answer a designer's question, one each: what a rule change does, and what lies behind it."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames.cli.app import Group, Terminal, print_json, print_parts, show_bar, show_status
from boardgames.cli.command_line import format_command_line
from boardgames.cli.options import (
    CORES,
    FILE,
    Agent,
    Agents,
    All,
    AllPlayers,
    Continue,
    Db,
    Json,
    LineUp,
    MainMetrics,
    Matches,
    Minutes,
    Pictures,
    PlayerCount,
    Players,
    Reported,
    Seed,
    Spec,
    Thresholds,
    UntilDecided,
    Workers,
    check_finite,
    trust_agents,
)
from boardgames.cli.play import explain_how_to_resume

LUCK_MATCHES = 10_000
Compared = Annotated[list[str], typer.Argument(help="Variants to compare; the first is the baseline.")]
TwoVariants = Annotated[list[str], typer.Argument(help="Two variants; the first is the baseline.")]
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
        from analytics.questions.luck.luck import find_variants_with_chance

        find_variants_with_chance(variants)
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
    _say_if_nothing_was_played(comparison.played, db, extend, json)


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
    """What the change does to luck, by the agent that decides the comparison."""
    answer = _measure_luck(
        ctx.params["variants"],
        db,
        players=",".join(map(str, comparison.players)),
        agents=comparison.agents[0],
        matches=ctx.params["matches"] or LUCK_MATCHES,
        seed=comparison.seed,
        workers=ctx.params["workers"],
    )
    return answer.changes


def _measure_luck(variants: list[str], db: Path, **options: Any) -> Any:
    """Where the luck comes from, with a bar while it is played; `options` are those of `measure_luck`."""
    from analytics.questions.luck.luck import measure_luck

    with show_bar(f"luck of {', '.join(variants)}") as on_progress, explain_how_to_resume():
        return measure_luck(
            *variants,
            db=db,
            **options,
            command=format_command_line(),
            on_progress=lambda at: on_progress(at.matches, at.wanted),
        )


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
    agents: Agent = "greedy",
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
    agents: Agent = "greedy",
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

    with _play_for_answer() as on_progress:
        explanations = explain_change(
            *variants, agents=agents, **_collect_options(ctx), on_progress=on_progress
        )
    _print_answer(
        explanations, (line for explanation in explanations for line in show_explanation(explanation)), json
    )
    _say_if_nothing_was_played(explanations[0].played, db, extend, json)


@Group.ASK.command()
def alternatives(
    ctx: typer.Context,
    variants: TwoVariants,
    count: Annotated[int, typer.Option(min=1, help="Sets of plausible values to try.")] = 20,
    players: Players = "",
    agents: Agent = "greedy",
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

    with _play_for_answer() as on_progress:
        robustness = check_robustness(
            *variants, count=count, agents=agents, **_collect_options(ctx), on_progress=on_progress
        )
    _print_answer(robustness, show_robustness(robustness), json)
    _say_if_nothing_was_played(robustness.played, db, extend, json)


@contextmanager
def _play_for_answer() -> Iterator[Callable[[str], None]]:
    """Show that matches are being played; after Ctrl-C, say how to see and how to continue."""
    with _explain_how_to_continue(), show_status("playing") as on_progress:
        yield on_progress


def _explain_how_to_continue() -> AbstractContextManager[None]:
    return explain_how_to_resume(
        f"To see them: {format_command_line('--continue')}; to go on: add --continue"
    )


@contextmanager
def _watch_comparison() -> Iterator[tuple[Callable[[Any], None] | None, Callable[[str], None]]]:
    """Show where a comparison stands while it plays; yields what takes results and what takes progress."""
    from analytics.questions.compare.conclusions import describe_interim_results
    from analytics.show.terminal.interim import make_interim_tables
    from boardgames.cli.live import show_interim_results

    with _explain_how_to_continue():
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
        **_collect_budget(ctx),
        "main_metrics": typed["main_metric"] or (),
        "thresholds": read_thresholds(typed["threshold"] or ()),
        "on_start": _make_design_printer(typed["json"], with_terms=ctx.info_name != "compare"),
    }


def _collect_budget(ctx: typer.Context) -> dict[str, Any]:
    """What all commands that play hand on as it was typed."""
    typed = ctx.params
    names = ("db", "players", "minutes", "matches", "seed", "workers")
    more = {"more": typed["extend"]} if "extend" in typed else {}
    return {**{name: typed[name] for name in names}, **more, "command": format_command_line()}


def _make_design_printer(json: bool, with_terms: bool = False) -> Callable[[Any, Any], None]:
    """A function that prints what will be compared before the first match; `with_terms` where the answer does
    not end with them.
    """

    def print_design(design: Any, terms: Any) -> None:
        from analytics.show.terminal.comparison import describe_terms, show_design

        if not (json or Terminal.quiet):
            print_parts(show_design(design, terms))
            reconstructed = any(variant.game.reconstructed for variant in design.variants)
            print_parts(describe_terms(terms, design.seed, reconstructed) if with_terms else ())

    return print_design


def _print_answer(answer: Any, parts: Any, json: bool) -> None:
    from analytics.verdict.results import convert_to_json

    if json:
        print_json(convert_to_json(answer))
    else:
        print_parts(parts)


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


def _say_if_nothing_was_played(played: int, db: Path, extend: bool, json: bool) -> None:
    if not (played or json or Terminal.quiet):
        advice = "--matches asks for more" if extend else "--continue plays on"
        typer.echo(f"Nothing was played: {db} has this already. {advice}.")


@Group.ASK.command()
def sweep(
    ctx: typer.Context,
    variant: Spec,
    values: SweptValues,
    best: Aim = "",
    players: Players = "",
    agents: Agent = "greedy",
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
            **_collect_budget(ctx),
            on_progress=on_progress,
        )
    _print_answer(results, (part for result in results for part in show_sweep(result, everything)), json)
    _say_if_nothing_was_played(results[0].played, db, extend, json)


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
        typer.Option(help="A parameter that may change: hand_size or hand_size=3..7 (default: all)."),
    ] = None,
    never: Annotated[list[str] | None, typer.Option(help="A parameter that must not change.")] = None,
    at_most: Annotated[int, typer.Option(min=1, help="How many parameters may change at once.")] = 2,
    players: Players = "",
    agents: Annotated[
        str, typer.Option(help="One agent for all seats (default: the file's, or greedy).")
    ] = "",
    stronger: Annotated[
        str, typer.Option(help="Agent to confirm each fix with, or none (default: learned, else mcts:64).")
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
    from analytics.show.terminal.fix import show_fix
    from boardgames.files import check_output

    if chart:
        check_output(chart, db)
    with show_status("searching") as on_progress, explain_how_to_resume():
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
            **_collect_budget(ctx),
            on_progress=on_progress,
        )
    if chart:
        write_front(answer, chart)
    _print_answer(answer, show_fix(answer), json)
    if chart and not json:
        typer.echo(f"drew {chart}")
    raise typer.Exit(EXIT[answer.verdict])


@Group.ASK.command()
def people(
    variants: Annotated[list[str], typer.Argument(help="Variants that people have played.")],
    players: Annotated[str, typer.Option(help="Player counts: 3, 2-4 or 2,4 (default: all played).")] = "",
    agents: Annotated[
        list[str] | None,
        typer.Option(callback=trust_agents, help="Agents to compare with people. Repeatable."),
    ] = None,
    matches: Annotated[
        int | None, typer.Option(min=1, help="Matches of each agent, variant and player count.")
    ] = None,
    seed: Seed = 1,
    db: Db = FILE,
    workers: Workers = CORES,
    json: Json = False,
) -> None:
    """Compare agents with the people whose matches are stored.

    Example: boardgames people keltis --players 2
    """
    from analytics.questions.people import compare_people
    from analytics.show.terminal.people import show_people

    with show_status("playing beside people") as on_progress:
        comparisons = compare_people(
            *variants,
            db=db,
            players=players,
            agents=agents or (),
            matches=matches,
            seed=seed,
            workers=workers,
            command=format_command_line(),
            on_progress=on_progress,
        )
    _print_answer(comparisons, (part for one in comparisons for part in show_people(one)), json)


@Group.ASK.command()
def goals(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(help="A file of goals: balance.toml.")],
    variants: Annotated[
        list[str] | None, typer.Argument(help="Variants to test (default: those that the file names).")
    ] = None,
    players: Annotated[str, typer.Option(help="Player counts for goals that name none: 3, 2-4 or 2,4.")] = "",
    agents: Annotated[
        str, typer.Option(callback=trust_agents, help="One agent for all seats (default: the file's).")
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
            file, *(variants or ()), agents=agents, **_collect_budget(ctx), on_progress=on_progress
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


@Group.ASK.command()
def ladder(
    variants: Annotated[list[str], typer.Argument(help="Variants, each with the same agents.")],
    players: PlayerCount = None,
    agents: Annotated[
        str, typer.Option(callback=trust_agents, help="Agents from weak to strong, separated by commas.")
    ] = "random,greedy,mcts:64,mcts:128,mcts:256",
    matches: Annotated[int, typer.Option(min=20, help="Matches of each head-to-head.")] = 200,
    seed: Seed = 1,
    db: Db = FILE,
    workers: Workers = CORES,
    chart: Annotated[Path | None, typer.Option(help="Draw the ratings into this HTML file.")] = None,
    json: Json = False,
) -> None:
    """Measure how much skill matters.

    Agents are rated against each other, in every seat in turn.

    Example: boardgames ladder keltis --players 2
    """
    from analytics.questions.ladder import rate_agents
    from analytics.show.ladder import show_ladder, write_chart
    from boardgames.files import check_output

    if chart:
        check_output(chart, db)
    with show_bar(f"ladder of {', '.join(variants)}") as on_progress, explain_how_to_resume():
        ladders = rate_agents(
            *variants,
            db=db,
            players="" if players is None else players,
            agents=agents,
            matches=matches,
            seed=seed,
            workers=workers,
            command=format_command_line(),
            on_progress=lambda at: on_progress(at.matches, at.wanted),
        )
    if chart:
        write_chart(ladders, chart)
    _print_answer(ladders, (part for ladder in ladders for part in show_ladder(ladder)), json)
    if chart and not json:
        typer.echo(f"drew {chart}")


@Group.ASK.command()
def luck(
    variants: Annotated[list[str], typer.Argument(help="Variants; the others are compared with the first.")],
    players: Players = "",
    agents: LineUp = "greedy",
    matches: Annotated[
        int, typer.Option(min=1, help="Matches of each variant and player count.")
    ] = LUCK_MATCHES,
    seed: Seed = 1,
    db: Db = FILE,
    workers: Workers = CORES,
    chart: Annotated[Path | None, typer.Option(help="Draw the shares into this HTML file.")] = None,
    json: Json = False,
) -> None:
    """See where the luck comes from.

    Each deal is played again with one source of chance exchanged and the others kept. The answer says how
    much of who wins, and of the score lead, is decided by each deck, die or bag, by the seat, and by the
    agents.

    Example: boardgames luck celtica --players 2
    """
    from analytics.show.luck_figures import write_chart
    from analytics.show.terminal.luck import show_luck
    from boardgames.files import check_output

    if chart:
        check_output(chart, db)
    answer = _measure_luck(
        variants, db, players=players, agents=agents, matches=matches, seed=seed, workers=workers
    )
    if chart:
        write_chart(answer, chart)
    _print_answer(answer, show_luck(answer), json)
    if chart and not json:
        typer.echo(f"drew {chart}")


@Group.ASK.command()
def coverage(
    variant: Spec,
    players: AllPlayers = "",
    agents: Agent = "greedy",
    matches: Annotated[int, typer.Option(min=1, help="Matches to look at.")] = 1000,
    seed: Seed = 1,
    everything: Annotated[
        bool, typer.Option("--all", help="Also show rules that come up in every match.")
    ] = False,
    json: Json = False,
) -> None:
    """See which rules come up in play, and how often.

    Example: boardgames coverage keltis --players 2 --matches 200
    """
    from analytics.questions.coverage import measure_coverage
    from analytics.show.terminal.coverage import show_coverage

    with show_bar(f"coverage of {variant}") as on_progress:
        usage = measure_coverage(
            variant,
            players=players,
            agents=agents,
            matches=matches,
            seed=seed,
            on_progress=lambda at: on_progress(at.matches, at.wanted),
        )
    _print_answer(usage, show_coverage(usage, everything), json)


@Group.ASK.command()
def report(
    ctx: typer.Context,
    variants: Reported,
    output: Annotated[Path, typer.Option("-o", "--output", help="The HTML file to write.")] = Path(
        "report.html"
    ),
    title: Annotated[str, typer.Option(help="Title of your own; the question stands below it.")] = "",
    note: Annotated[str, typer.Option(help="Note of your own, below the title.")] = "",
    players: AllPlayers = "",
    agents: Agents = None,
    minutes: Minutes = None,
    matches: Matches = None,
    extend: Continue = False,
    seed: Seed = 1,
    db: Db = FILE,
    workers: Workers = CORES,
) -> None:
    """Write a report as one HTML file.

    It can be read without a network, follows a dark screen, and prints on white.

    Example: boardgames report celtica celtica:en -o report.html
    """
    from analytics.questions.report import make_report
    from analytics.show.report.html import render
    from boardgames.files import check_output, write_file

    check_output(output, db)
    with show_status("report") as on_progress:
        content = make_report(*variants, agents=agents or (), **_collect_budget(ctx), on_progress=on_progress)
        write_file(output, render(content, title, note))
    reported = sum(count.matches for variant in content.variants for count in variant.results)
    megabytes = output.stat().st_size / 1e6
    typer.echo(f"wrote {output} ({megabytes:.1f} MB) from {reported:,} matches and head-to-heads in {db}")
