"""Commands that answer a designer's question: compare, goals, ladder, report, metrics."""

from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames.cli.playing import run_plan, telling_how_to_go_on
from boardgames.cli.terminal import CORES, FILE, Json, Terminal, Workers, app, console, finite, print_blocks, print_json, status
from boardgames.errors import BadInput

RUNGS = "random,greedy,mcts:64,mcts:128,mcts:256"


@app.command()
def compare(
    variants: Annotated[
        list[str], typer.Argument(help="Two variants or more, compared with the first; one, with --sweep or --over-unknowns.")
    ],
    players: Annotated[str, typer.Option(help="Player counts: 3, 2-4 or 2,4; the middle one of the game's, if not said.")] = "",
    agents: Annotated[list[str] | None, typer.Option(help="Who plays, from weak to strong: the first decides.")] = None,
    minutes: Annotated[float | None, typer.Option(min=0.01, callback=finite, help="How long to play; 5 if not said.")] = None,
    blocks: Annotated[int | None, typer.Option(min=1, help="Play to so many blocks of each cell, however long it takes.")] = None,
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="Play until every verdict is settled; --minutes and --blocks are limits.")
    ] = False,
    seed: Annotated[int, typer.Option(help="The master seed.")] = 1,
    into: Annotated[Path, typer.Option(help="The file that results are in and go into.")] = FILE,
    more: Annotated[bool, typer.Option("--more", help="Play on, where a comparison is in the file already.")] = False,
    primary: Annotated[list[str] | None, typer.Option(help="A metric that the verdict is about; at most six.")] = None,
    margin: Annotated[list[str] | None, typer.Option(help="length=2: a smaller difference does not matter.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show all metrics, not only what differs.")] = False,
    unpaired: Annotated[bool, typer.Option("--unpaired", help="Also compare what has no luck in common.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Switch every parameter alone: which one causes what?")] = False,
    over_unknowns: Annotated[int | None, typer.Option(min=1, help="Try the verdict on so many fill-ins of the unknowns.")] = None,
    sweep: Annotated[list[str] | None, typer.Option(help="hand_size=4..7: the grid of one variant's values.")] = None,
    best: Annotated[
        str, typer.Option(help='What to look for with --sweep: "lowest seat imbalance" if not said, "length near 40".')
    ] = "",
    show: Annotated[bool, typer.Option("--show", help="Show a twin match instead: one seed under A and under B.")] = False,
    block: Annotated[int | None, typer.Option(min=0, help="The block to --show; the first that differs, if not said.")] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the match to --show into this folder.")] = None,
    people: Annotated[bool, typer.Option("--people", help="Compare agents with people's matches in the file instead.")] = False,
    workers: Workers = CORES,
    json: Json = False,
) -> None:
    """Say what a change of rules does, with verdicts.   boardgames compare celtica celtica+hand_size=6"""
    if show or svg or block is not None:
        _show_twins(variants, players, (agents or ["greedy"])[0], seed, block, svg, show)
        return
    if people:
        _beside_people(variants, into, players, agents or [], blocks, seed, workers, json)
        return
    if sweep or best:
        if len(variants) != 1 or not sweep or explain or over_unknowns or until_decided or primary or margin or unpaired:
            raise BadInput(
                "--sweep takes one variant, and with it --best, --players, --agents, --minutes, --blocks, --more, --seed, --all "
                'and --json: boardgames compare celtica --sweep hand_size=4..7 --best "length near 40"'
            )
        told = {"players": players, "minutes": minutes, "blocks": blocks, "more": more, "seed": seed, "workers": workers}
        _sweep(variants[0], sweep, into, best, (agents or ["greedy"])[0], everything, json, told)
        return
    if explain and over_unknowns:
        raise BadInput("--explain and --over-unknowns are two questions: ask one at a time")
    from analytics.show.terminal.comparison import show_design
    from analytics.verdict.results import as_json
    from analytics.verdict.terms import read_margins
    from boardgames.store.rows import command_line

    aloud = not (json or Terminal.quiet)

    def begin(design: Any, terms: Any) -> None:
        for line in show_design(design, terms) if aloud else ():
            typer.echo(line)

    asked: dict[str, Any] = {
        "players": players, "agents": agents or (), "minutes": minutes, "blocks": blocks, "seed": seed, "more": more,
        "primaries": primary or (), "margins": read_margins(margin or ()), "unpaired": unpaired, "workers": workers,
        "command": command_line(), "begin": begin, "until_decided": until_decided,
    }  # fmt: skip
    with status("playing") as say, telling_how_to_go_on(f"To see them: {command_line('--more')}; to go on: add --more"):
        played, answer, shown = _compared(variants, into, explain, over_unknowns, everything, {**asked, "report": say})
    if json:
        print_json(as_json(answer))
        return
    print_blocks(shown)
    if not played and aloud:
        do = "--blocks asks for more than that" if more else "--more plays on"
        typer.echo(f"nothing was played: this is what {into} has. {do}")


def _compared(
    variants: list[str], into: Path, explain: bool, unknowns: int | None, everything: bool, asked: dict[str, Any]
) -> tuple[int, Any, Any]:
    """How many matches were played for it, the answer, and how that is shown."""
    if explain:
        from analytics.questions.explain import explain_change
        from analytics.show.terminal.explanation import show_explanation

        explained = explain_change(variants, into, **asked)
        return explained[0].played, explained, (line for one in explained for line in show_explanation(one))
    if unknowns:
        from analytics.questions.alternatives import over_unknowns
        from analytics.show.terminal.alternatives import show_unknowns

        tried = over_unknowns(variants, unknowns, into, **asked)
        return tried.played, tried, show_unknowns(tried)
    from analytics.questions.compare.compare import compare as run
    from analytics.show.terminal.comparison import show_comparison

    found = run(variants, into, **asked)
    return found.played, found, show_comparison(found, everything)


def _sweep(
    spec: str, sweeps: list[str], into: Path, best: str, agent: str, everything: bool, json: bool, asked: dict[str, Any]
) -> None:
    from analytics.questions.sweep.sweep import AIM
    from analytics.questions.sweep.sweep import sweep as run
    from analytics.show.terminal.sweep import show_sweep
    from analytics.verdict.results import as_json
    from boardgames.store.rows import command_line

    with status("playing") as say, telling_how_to_go_on():
        found = run(spec, sweeps, into, best=best or AIM, agent=agent, command=command_line(), report=say, **asked)
    if json:
        print_json([as_json(one) for one in found])
        return
    for one in found:
        print_blocks(show_sweep(one, everything))
    if not found[0].played and not Terminal.quiet:
        typer.echo(f"nothing was played: this is what {into} has. --more plays on")


def _show_twins(variants: list[str], players: str, agent: str, seed: int, block: int | None, svg: Path | None, show: bool) -> None:
    from analytics.questions.side_by_side import draw_twins, find_twins, show_twins

    if not show:
        raise BadInput("--block and --svg are for --show, which shows one seed under both rules")
    with status("looking for a match that differs"):
        twins = find_twins(variants, players, agent, seed, block)
    print_blocks(show_twins(twins))
    if svg:
        with status("drawing"):
            drawn = draw_twins(twins, svg)
        typer.echo(f"drew {drawn} pictures into {svg}; both sides of the fork are in {svg / 'fork.svg'}")


def _beside_people(
    variants: list[str], into: Path, players: str, agents: list[str], blocks: int | None, seed: int, workers: int, json: bool
) -> None:
    from analytics.questions.people import compare_people
    from analytics.show.terminal.people import show_people
    from analytics.verdict.results import as_json
    from boardgames.store.rows import command_line

    with status("playing beside people") as say:
        found = compare_people(
            variants, into, players=players, agents=agents, blocks=blocks, seed=seed, workers=workers, command=command_line(),
            report=say,
        )  # fmt: skip
    if json:
        print_json([as_json(one) for one in found])
        return
    for one in found:
        print_blocks(show_people(one))


@app.command()
def goals(
    file: Annotated[Path, typer.Argument(help="A file of goals: balance.toml.")],
    variants: Annotated[list[str] | None, typer.Argument(help="Variants to try; those that the file names, if not said.")] = None,
    players: Annotated[str, typer.Option(help="Player counts: 3, 2-4 or 2,4; for goals that name none.")] = "",
    agents: Annotated[str, typer.Option(help="One agent for all seats; the file's, if not said.")] = "",
    minutes: Annotated[
        float | None, typer.Option(min=0.01, callback=finite, help="Minutes to play at most (default: the file's, or 2).")
    ] = None,
    blocks: Annotated[int | None, typer.Option(min=1, help="Blocks of each cell at most, instead of a time limit.")] = None,
    seed: Annotated[int | None, typer.Option(help="The master seed; the file's, if not said.")] = None,
    into: Annotated[Path, typer.Option(help="The file that results are in and go into.")] = FILE,
    workers: Workers = CORES,
    json: Json = False,
) -> None:
    """Test design goals; exit code 0 pass, 1 fail, 3 not yet known.   boardgames goals balance.toml celtica+hand_size=6"""
    from analytics.questions.goals.check import check_goals
    from analytics.show.terminal.goals import show_balance
    from analytics.verdict.results import as_json
    from boardgames.store.rows import command_line

    with status("playing for the goals") as say:
        found = check_goals(
            file, variants or (), into, players=players, agents=agents, minutes=minutes, blocks=blocks, seed=seed,
            workers=workers, command=command_line(), report=say,
        )  # fmt: skip
    if json:
        print_json(as_json(found))
    else:
        print_blocks(show_balance(found))
    raise typer.Exit(found.exit_code)


@app.command()
def ladder(
    variants: Annotated[list[str], typer.Argument(help="Variants to climb, each with the same rungs.")],
    players: Annotated[int | None, typer.Option(help="How many players; the game's fewest, if not said.")] = None,
    rungs: Annotated[str, typer.Option(help="Agents from weak to strong, separated by commas.")] = RUNGS,
    blocks: Annotated[int, typer.Option(min=20, help="Chance seeds of each duel; each is played in every seating.")] = 200,
    seed: Annotated[int, typer.Option(help="The master seed.")] = 1,
    into: Annotated[Path, typer.Option(help="The file that results go into.")] = FILE,
    workers: Workers = CORES,
    chart: Annotated[Path | None, typer.Option(help="Draw the ratings into this HTML file.")] = None,
    json: Json = False,
) -> None:
    """Rate agents against each other: how much skill a game rewards.   boardgames ladder keltis --players 2"""
    names = rungs.split(",")
    if len(names) < 2 or len(set(names)) < len(names):
        raise BadInput(f"rungs '{rungs}': name at least two different agents, from weak to strong")
    from analytics.questions.ladder import climb, plan_ladder
    from analytics.show.ladder import chart as draw_chart
    from analytics.show.ladder import show_ladder
    from analytics.verdict.results import as_json
    from boardgames.files import check_output
    from boardgames.game.plugins import find_variant

    if chart:
        check_output(chart, into)
    fewest = min(find_variant(variants[0]).game.players)
    plan = plan_ladder(variants, fewest if players is None else players, names, blocks, seed, "")
    run_plan(plan, into, workers)
    found = climb(into, plan)
    if chart:
        draw_chart(found, chart)
    if json:
        print_json([as_json(one) for one in found])
        return
    for one in found:
        print_blocks(show_ladder(one))
    if chart:
        typer.echo(f"drew {chart}")


@app.command()
def report(
    variants: Annotated[list[str], typer.Argument(help="One variant or more; the others are also compared with the first.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The HTML file to write.")] = Path("report.html"),
    players: Annotated[str, typer.Option(help="Player counts: 3, 2-4 or 2,4; all that the game allows, if not said.")] = "",
    agents: Annotated[
        list[str] | None, typer.Option(help="Who plays, from weak to strong; the first plays against itself.")
    ] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0.01, callback=finite, help="How long to play; 5 where nothing is stored yet.")
    ] = None,
    blocks: Annotated[int | None, typer.Option(min=1, help="Play to so many blocks of each cell, however long it takes.")] = None,
    more: Annotated[bool, typer.Option("--more", help="Play on, where results are in the file already.")] = False,
    seed: Annotated[int, typer.Option(help="The master seed.")] = 1,
    into: Annotated[Path, typer.Option(help="The file that results are in and go into.")] = FILE,
    workers: Workers = CORES,
) -> None:
    """Write a report: one HTML file, readable without a network.   boardgames report celtica celtica:en -o report.html"""
    from analytics.questions.report import make_report
    from analytics.show.report.html import render
    from boardgames.files import check_output, write_file

    check_output(output, into)
    with status("report") as say:
        found = make_report(
            variants, into, players=players, agents=agents or (), minutes=minutes, blocks=blocks, seed=seed, more=more,
            workers=workers, say=say,
        )  # fmt: skip
        write_file(output, render(found))
    matches = sum(count.matches for subject in found.subjects for count in subject.counts)
    typer.echo(f"wrote {output} ({output.stat().st_size / 1e6:.1f} MB) from {matches:,} matches and duels in {into}")


@app.command()
def metrics(
    name: Annotated[str, typer.Argument(help="One metric, to see all about it and its SQL.")] = "",
    json: Json = False,
) -> None:
    """List the metrics and the questions they answer, or explain one.   boardgames metrics length"""
    from analytics.metric import handbook as explain
    from analytics.metric.metric import find_metric
    from analytics.metric.metric import metrics as known

    chosen = [find_metric(name)] if name else list(known().values())
    if json:
        print_json([explain.facts(metric) for metric in chosen])
    elif name:
        typer.echo("\n".join(explain.show_metric(chosen[0])))
    else:
        console().print(explain.metrics_table())
        typer.echo("boardgames metrics NAME explains one and shows its query")
