"""Other questions of a designer, one command each: people, strength, luck, coverage, the report."""

from pathlib import Path
from typing import Annotated

import typer

from boardgames.cli.app import Group, show_bar, show_status
from boardgames.cli.ask.answer import LUCK_MATCHES, ask_about_luck, collect_budget, print_answer
from boardgames.cli.command_line import format_command_line
from boardgames.cli.options import (
    CORES,
    FILE,
    USUAL,
    Agent,
    Agents,
    AllPlayers,
    Continue,
    Db,
    Json,
    Matches,
    Minutes,
    PlayerCount,
    Players,
    Reported,
    Seed,
    Spec,
    UsualLineUp,
    Workers,
    check_finite,
    trust_agents,
)
from boardgames.cli.play import explain_how_to_resume


@Group.ASK.command()
def people(
    variants: Annotated[list[str], typer.Argument(help="Variants that people have played.")],
    players: Annotated[str, typer.Option(help="Player counts: 3, 2-4 or 2,4 (default: all played).")] = "",
    agents: Annotated[
        list[str] | None,
        typer.Option(callback=trust_agents, help=f"Agents to compare with people ({USUAL}). Repeatable."),
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
    print_answer(comparisons, (part for one in comparisons for part in show_people(one)), json)


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
    print_answer(ladders, (part for ladder in ladders for part in show_ladder(ladder)), json)
    if chart and not json:
        typer.echo(f"drew {chart}")


@Group.ASK.command()
def luck(
    variants: Annotated[list[str], typer.Argument(help="Variants; the others are compared with the first.")],
    players: Players = "",
    agents: UsualLineUp = "",
    minutes: Annotated[
        float | None,
        typer.Option(min=0.01, callback=check_finite, help="Minutes to play at most (default: no limit)."),
    ] = None,
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
    answer = ask_about_luck(
        variants,
        db,
        players=players,
        agents=agents,
        minutes=minutes,
        matches=matches,
        seed=seed,
        workers=workers,
    )
    if chart:
        write_chart(answer, chart)
    print_answer(answer, show_luck(answer), json)
    if chart and not json:
        typer.echo(f"drew {chart}")


@Group.ASK.command()
def coverage(
    variant: Spec,
    players: AllPlayers = "",
    agents: Agent = "",
    matches: Annotated[int, typer.Option(min=1, help="Matches to look at.")] = 1000,
    seed: Seed = 1,
    db: Annotated[
        Path | None, typer.Option(help="Look at the matches that this result file has, and play no others.")
    ] = None,
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
            db=db,
            on_progress=lambda at: on_progress(at.matches, at.wanted),
        )
    print_answer(usage, show_coverage(usage, everything), json)


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
        content = make_report(*variants, agents=agents or (), **collect_budget(ctx), on_progress=on_progress)
        write_file(output, render(content, title, note))
    reported = sum(count.matches for variant in content.variants for count in variant.results)
    megabytes = output.stat().st_size / 1e6
    typer.echo(f"wrote {output} ({megabytes:.1f} MB) from {reported:,} matches and head-to-heads in {db}")
