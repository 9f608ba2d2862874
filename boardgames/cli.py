"""The command line. Heavy imports stay inside the commands, so that `boardgames --help` answers at once."""

import json as json_format
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames import __version__
from boardgames.errors import BadInput


class Commands(typer.core.TyperGroup):
    """Turns a user's mistake into a sentence and exit code 2, wherever it was noticed."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BadInput as error:
            typer.echo(f"boardgames: {error}", err=True)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            typer.echo("boardgames: stopped", err=True)
            raise typer.Exit(130) from None


app = typer.Typer(cls=Commands, no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode=None)


def main() -> None:
    app()


class Terminal:
    """What the options before the command said."""

    quiet = False


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"boardgames {__version__}")
        raise typer.Exit


@app.callback()
def options(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but the answer.")] = False,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """Compare variants of board games: the same luck, honest agents, stated uncertainty."""
    Terminal.quiet = quiet
    if quiet:
        os.environ["BOARDGAMES_QUIET"] = "1"


FILE = Path("boardgames.duckdb")
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for scripts.")]
Spec = Annotated[str, typer.Argument(help="A game or variant: celtica:en+hand_size=6, module:NAME or ./file.py:NAME.")]


@app.command("list")
def list_games(json: Json = False) -> None:
    """Show games, variants, player counts, parameters and agents.   boardgames list"""
    from boardgames import listing

    if json:
        typer.echo(json_format.dumps(listing.everything(_warn), indent=2))
        return
    for block in listing.show_everything(_warn):
        _console().print(block)


@app.command()
def show(
    variant: Spec,
    svg: Annotated[Path | None, typer.Option(help="Draw the table, set up, into this file.")] = None,
    players: Annotated[int | None, typer.Option(help="How many players the picture is for.")] = None,
    json: Json = False,
) -> None:
    """Explain one variant: its parameters, what differs from the default, what is reconstructed.   boardgames show celtica:en"""
    from boardgames import listing

    if svg:
        svg.write_text(listing.picture(variant, players), encoding="utf-8")
    if json:
        typer.echo(json_format.dumps(listing.one(variant), indent=2))
        return
    for block in listing.show_one(variant):
        _console().print(block)
    if svg:
        typer.echo(f"drew {svg}")


@app.command()
def check(
    game: Spec,
    matches: Annotated[int, typer.Option(min=1, help="Random matches to walk through, per variant and player count.")] = 3,
    plain: Annotated[bool, typer.Option("--plain", help="Leave the compiler out.")] = False,
) -> None:
    """Test that a game keeps every law of the protocol.   boardgames check ./mine.py:MINE"""
    from boardgames.check import LawBroken, check_game
    from boardgames.plugins import find_variant

    found = find_variant(game)
    also = [found] if found.changes() else []
    with _status(f"checking {found.game.name}") as say:
        try:
            kept = check_game(found.game, also=also, compiled=not plain, matches=matches, say=say)
        except LawBroken as broken:
            typer.echo(f"boardgames: {broken}", err=True)
            raise typer.Exit(1) from None
    if not Terminal.quiet:
        left_out = ", without the compiler" if plain else ""
        typer.echo(f"{found.game.name} keeps all {len(kept)} laws{left_out}")


@app.command()
def bench(
    variant: Spec,
    players: Annotated[int | None, typer.Option(help="How many players; the fewest the game allows, if not said.")] = None,
    agents: Annotated[str, typer.Option(help="One agent for all seats, or one for each: greedy,random.")] = "random",
    workers: Annotated[int, typer.Option(min=1, help="Threads for the second measurement.")] = os.cpu_count() or 1,
    seconds: Annotated[float, typer.Option(min=0, help="How long to measure, each time.")] = 2.0,
    starts: Annotated[bool, typer.Option(help="Also measure a cold and a warm start, in new processes.")] = True,
    against: Annotated[str, typer.Option(help="Compare with another engine in the same run: open_spiel.")] = "",
    json: Json = False,
) -> None:
    """Measure how fast a variant is played.   boardgames bench tests.truth.tic_tac_toe:GAME"""
    from boardgames import bench as measuring
    from boardgames.plugins import find_variant

    found = find_variant(variant)
    seats = min(found.game.players) if players is None else players
    if against and players is not None:
        raise BadInput("--against plays with the game's fewest players; leave out --players")
    with _status(f"measuring {found.name}"):
        if against == "open_spiel":
            report = measuring.against_open_spiel(found, agents, max(seconds, 0.1))
        elif against:
            raise BadInput(f"no engine '{against}' to compare with; there is: open_spiel")
        else:
            report = measuring.bench(found, variant, seats, agents, workers, seconds, starts)
    _tell(report, json)


@app.command()
def simulate(
    variants: Annotated[list[str], typer.Argument(help="Variants to play, or one experiment.toml.")],
    players: Annotated[str, typer.Option(help="Player counts: 3, 2-4 or 2,4; all that the game allows, if not said.")] = "",
    agents: Annotated[list[str] | None, typer.Option(help="A line-up: greedy, or one agent per seat. Repeat for more.")] = None,
    blocks: Annotated[int, typer.Option(min=1, help="Chance seeds; each is played in every seating of a line-up.")] = 1000,
    seed: Annotated[int, typer.Option(help="The master seed.")] = 1,
    into: Annotated[Path, typer.Option(help="The file that results go into.")] = FILE,
    workers: Annotated[int, typer.Option(min=1, help="Threads.")] = os.cpu_count() or 1,
    name: Annotated[str, typer.Option(help="A name for the experiment.")] = "",
    note: Annotated[str, typer.Option(help="A line for the diary that `runs` shows.")] = "",
    save_plan: Annotated[Path | None, typer.Option(help="Write the plan to this file and play nothing.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan: cells, matches, time and size.")] = False,
    json: Json = False,
) -> None:
    """Play matches and store them.   boardgames simulate celtica celtica:en --players 2-4 --agents greedy --blocks 1000"""
    from boardgames import simulation
    from boardgames.experiment import write_plan

    asked = {"players": players, "agents": agents or ["greedy"], "blocks": blocks, "seed": seed, "name": name, "note": note}
    plan = simulation.plan_of(variants, **asked)
    if save_plan:
        save_plan.write_text(write_plan(plan), encoding="utf-8")
        typer.echo(f"wrote {save_plan}; play it with: boardgames simulate {save_plan}")
    elif dry_run:
        _tell(simulation.forecast(plan, into, workers)._asdict(), json)
    else:
        outcome = _simulate(plan, into, workers)
        _tell_outcome(plan, into, outcome, json)


def _simulate(plan: Any, into: Path, workers: int) -> Any:
    from boardgames import simulation
    from boardgames.progress import bar
    from boardgames.rows import command_line

    with bar(plan.name, shown=sys.stderr.isatty() and not Terminal.quiet) as show:
        try:
            return simulation.simulate(
                plan, into, workers=workers, command=command_line(), report=lambda at: show(at.matches, at.wanted)
            )
        except KeyboardInterrupt:
            typer.echo(f"boardgames: stopped; all finished matches are stored. To go on: {command_line()}", err=True)
            raise typer.Exit(130) from None


def _tell_outcome(plan: Any, into: Path, outcome: Any, json: bool) -> None:
    from analytics.summary import differences, differences_table, summary, summary_table
    from boardgames.pairs import pair
    from boardgames.rows import totals

    cells = {cell.id: cell for cell in plan.cells}
    rows = summary(cells, totals(into, cells))
    with _status("pairing the variants"):
        changes = differences(cells, lambda a, b: pair(into, a, b))
    if json:
        told = {**outcome._asdict(), "file": str(into), "cells": rows, "differences": changes}
        typer.echo(json_format.dumps(told, indent=2))
    elif not Terminal.quiet:
        _console().print(summary_table(rows))
        if changes:
            _console().print(differences_table(changes))
        rate = outcome.stored / outcome.seconds if outcome.stored else 0
        typer.echo(f"{outcome.stored:,} matches played, {outcome.there_before:,} were there: {into}, run {outcome.experiment}")
        typer.echo(f"{outcome.seconds:.1f} s ({rate:,.0f} matches/s), after {outcome.start_seconds:.1f} s of start-up")


@app.command()
def compare(
    variants: Annotated[list[str], typer.Argument(help="Two variants or more; everything is compared with the first.")],
    players: Annotated[str, typer.Option(help="Player counts: 3, 2-4 or 2,4; the middle one of the game's, if not said.")] = "",
    agents: Annotated[list[str] | None, typer.Option(help="Who plays, from weak to strong: the first decides.")] = None,
    minutes: Annotated[float | None, typer.Option(min=0.01, help="How long to play; 5 if not said.")] = None,
    blocks: Annotated[int | None, typer.Option(min=1, help="Play to so many blocks of each cell, however long it takes.")] = None,
    seed: Annotated[int, typer.Option(help="The master seed.")] = 1,
    into: Annotated[Path, typer.Option(help="The file that results are in and go into.")] = FILE,
    more: Annotated[bool, typer.Option("--more", help="Play on, where a comparison is in the file already.")] = False,
    primary: Annotated[list[str] | None, typer.Option(help="A metric that the verdict is about; at most six.")] = None,
    margin: Annotated[list[str] | None, typer.Option(help="length=2: a smaller difference does not matter.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Show all metrics, not only what differs.")] = False,
    unpaired: Annotated[bool, typer.Option("--unpaired", help="Also compare what has no luck in common.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Switch every parameter alone: which one causes what?")] = False,
    over_unknowns: Annotated[int | None, typer.Option(min=1, help="Try the verdict on so many fill-ins of the unknowns.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Show a twin match instead: one seed under A and under B.")] = False,
    block: Annotated[int | None, typer.Option(min=0, help="The block to --show; the first that differs, if not said.")] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the match to --show into this folder.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Threads.")] = os.cpu_count() or 1,
    json: Json = False,
) -> None:
    """Say what a change of rules does, with verdicts.   boardgames compare celtica celtica+hand_size=6"""
    if show or svg or block is not None:
        _show_twins(variants, players, (agents or ["greedy"])[0], seed, block, svg, show)
        return
    if explain and over_unknowns:
        raise BadInput("--explain and --over-unknowns are two questions: ask one at a time")
    from analytics.results import as_json
    from analytics.tables import show_design
    from analytics.terms import read_margins
    from boardgames.rows import command_line

    aloud = not (json or Terminal.quiet)

    def begin(design: Any, terms: Any) -> None:
        for line in show_design(design, terms) if aloud else ():
            typer.echo(line)

    asked: dict[str, Any] = {
        "players": players, "agents": agents or (), "minutes": minutes, "blocks": blocks, "seed": seed, "more": more,
        "primaries": primary or (), "margins": read_margins(margin or ()), "unpaired": unpaired, "workers": workers,
        "command": command_line(), "begin": begin,
    }  # fmt: skip
    try:
        with _status("playing") as say:
            played, answer, shown = _compared(variants, into, explain, over_unknowns, everything, {**asked, "report": say})
    except KeyboardInterrupt:
        again = command_line().replace(" --more", "")
        typer.echo(f"boardgames: stopped; all finished matches are stored. To see them: {again}; to go on: add --more", err=True)
        raise typer.Exit(130) from None
    if json:
        typer.echo(json_format.dumps(as_json(answer), indent=2))
        return
    _print(shown)
    if not played and aloud:
        do = "--blocks asks for more than that" if more else "--more plays on"
        typer.echo(f"nothing was played: this is what {into} has. {do}")


def _compared(
    variants: list[str], into: Path, explain: bool, unknowns: int | None, everything: bool, asked: dict[str, Any]
) -> tuple[int, Any, Any]:
    """How many matches were played for it, the answer, and how that is shown."""
    if explain:
        from analytics.explaining import explain_change
        from analytics.explaining_shown import show_explanation

        explained = explain_change(variants, into, **asked)
        return explained[0].played, explained, (line for one in explained for line in show_explanation(one))
    if unknowns:
        from analytics.unknowns import over_unknowns
        from analytics.unknowns_shown import show_unknowns

        tried = over_unknowns(variants, unknowns, into, **asked)
        return tried.comparison.played, tried, show_unknowns(tried)
    from analytics.comparing import compare as run
    from analytics.tables import show_comparison

    found = run(variants, into, **asked)
    return found.played, found, show_comparison(found, everything)


def _show_twins(variants: list[str], players: str, agent: str, seed: int, block: int | None, svg: Path | None, show: bool) -> None:
    from analytics.twins import draw_twins, find_twins, show_twins

    if not show:
        raise BadInput("--block and --svg are for --show, which shows one seed under both rules")
    with _status("looking for a match that differs"):
        twins = find_twins(variants, players, agent, seed, block)
    _print(show_twins(twins))
    if svg:
        with _status("drawing"):
            drawn = draw_twins(twins, svg)
        typer.echo(f"drew {drawn} pictures into {svg}; both sides of the fork are in {svg / 'fork.svg'}")


@app.command()
def goals(
    file: Annotated[Path, typer.Argument(help="A file of goals: balance.toml.")],
    variants: Annotated[list[str] | None, typer.Argument(help="Variants to try; those that the file names, if not said.")] = None,
    players: Annotated[str, typer.Option(help="Player counts: 3, 2-4 or 2,4; for goals that name none.")] = "",
    agents: Annotated[str, typer.Option(help="One agent for all seats; the file's, if not said.")] = "",
    minutes: Annotated[float | None, typer.Option(min=0.01, help="How long to play at most; the file's, if not said.")] = None,
    seed: Annotated[int | None, typer.Option(help="The master seed; the file's, if not said.")] = None,
    into: Annotated[Path, typer.Option(help="The file that results are in and go into.")] = FILE,
    workers: Annotated[int, typer.Option(min=1, help="Threads.")] = os.cpu_count() or 1,
    json: Json = False,
) -> None:
    """Test design goals; exit code 0 pass, 1 fail, 3 not yet known.   boardgames goals balance.toml celtica+hand_size=6"""
    from analytics.results import as_json
    from analytics.tables_of_goals import show_balance
    from analytics.trying import check_goals
    from boardgames.rows import command_line

    with _status("playing for the goals") as say:
        found = check_goals(
            file, variants or (), into, players=players, agents=agents, minutes=minutes, seed=seed, workers=workers,
            command=command_line(), report=say,
        )  # fmt: skip
    if json:
        typer.echo(json_format.dumps(as_json(found), indent=2))
    else:
        _print(show_balance(found))
    raise typer.Exit(found.exit_code)


@app.command()
def ladder(
    variants: Annotated[list[str], typer.Argument(help="Variants to climb, each with the same rungs.")],
    players: Annotated[int | None, typer.Option(help="How many players; the game's fewest, if not said.")] = None,
    rungs: Annotated[str, typer.Option(help="Agents from weak to strong, separated by commas.")] = "",
    blocks: Annotated[int, typer.Option(min=20, help="Chance seeds of each duel; each is played in every seating.")] = 200,
    seed: Annotated[int, typer.Option(help="The master seed.")] = 1,
    into: Annotated[Path, typer.Option(help="The file that results go into.")] = FILE,
    workers: Annotated[int, typer.Option(min=1, help="Threads.")] = os.cpu_count() or 1,
    chart: Annotated[Path | None, typer.Option(help="Draw the ratings into this HTML file.")] = None,
    json: Json = False,
) -> None:
    """Rate agents against each other: how much skill a game rewards.   boardgames ladder keltis --players 2"""
    from analytics.ladder import DEFAULT_RUNGS, climb, plan_ladder
    from analytics.ladder_shown import chart as draw_chart
    from analytics.ladder_shown import show_ladder
    from analytics.results import as_json
    from boardgames.plugins import find_variant

    names = rungs.split(",") if rungs else list(DEFAULT_RUNGS)
    if len(names) < 2 or len(set(names)) < len(names):
        raise BadInput(f"rungs '{rungs}': name at least two different agents, from weak to strong")
    plan = plan_ladder(variants, players or min(find_variant(variants[0]).game.players), names, blocks, seed, "")
    _simulate(plan, into, workers)
    found = climb(into, plan)
    if chart:
        draw_chart(found, chart)
    if json:
        typer.echo(json_format.dumps([as_json(one) for one in found], indent=2))
        return
    for one in found:
        _print(show_ladder(one))
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
    minutes: Annotated[float | None, typer.Option(min=0.01, help="How long to play; 5 where nothing is stored yet.")] = None,
    blocks: Annotated[int | None, typer.Option(min=1, help="Play to so many blocks of each cell, however long it takes.")] = None,
    more: Annotated[bool, typer.Option("--more", help="Play on, where results are in the file already.")] = False,
    seed: Annotated[int, typer.Option(help="The master seed.")] = 1,
    into: Annotated[Path, typer.Option(help="The file that results are in and go into.")] = FILE,
    workers: Annotated[int, typer.Option(min=1, help="Threads.")] = os.cpu_count() or 1,
) -> None:
    """Write a report: one HTML file, readable without a network.   boardgames report celtica celtica:en -o report.html"""
    from analytics.page import render
    from analytics.reporting import make_report

    if not output.parent.is_dir():
        raise BadInput(f"there is no folder {output.parent} to write {output.name} into")
    with _status("report") as say:
        found = make_report(
            variants, into, players=players, agents=agents or (), minutes=minutes, blocks=blocks, seed=seed, more=more,
            workers=workers, say=say,
        )  # fmt: skip
        output.write_text(render(found), encoding="utf-8")
    matches = sum(count.matches for subject in found.subjects for count in subject.counts)
    typer.echo(f"wrote {output} ({output.stat().st_size / 1e6:.1f} MB) from {matches:,} matches and duels in {into}")


@app.command()
def coverage(
    variant: Spec,
    players: Annotated[str, typer.Option(help="Player counts, in turn: 3, 2-4 or 2,4; all, if not said.")] = "",
    agents: Annotated[str, typer.Option(help="One agent for all seats.")] = "greedy",
    matches: Annotated[int, typer.Option(min=1, help="How many matches to look at.")] = 1000,
    seed: Annotated[int, typer.Option(help="The master seed.")] = 1,
    everything: Annotated[bool, typer.Option("--all", help="Show also the rules that fire in every match.")] = False,
    json: Json = False,
) -> None:
    """Show which rules actually fire, and how often.   boardgames coverage keltis --players 2 --matches 200"""
    from analytics.coverage import measure_coverage
    from analytics.coverage_shown import show_coverage
    from analytics.results import as_json
    from boardgames.progress import bar

    with bar(f"coverage of {variant}", shown=sys.stderr.isatty() and not Terminal.quiet) as tell:
        found = measure_coverage(variant, players=players, agents=agents, matches=matches, seed=seed, report=tell)
    if json:
        typer.echo(json_format.dumps(as_json(found), indent=2))
    else:
        _print(show_coverage(found, everything))


@app.command()
def metrics(
    name: Annotated[str, typer.Argument(help="One metric, to see all about it and its SQL.")] = "",
    json: Json = False,
) -> None:
    """List the metrics and the questions they answer, or explain one.   boardgames metrics length"""
    from analytics import explain
    from analytics.metrics import find_metric
    from analytics.metrics import metrics as known

    chosen = [find_metric(name)] if name else list(known().values())
    if json:
        typer.echo(json_format.dumps([explain.facts(metric) for metric in chosen], indent=2))
    elif name:
        typer.echo("\n".join(explain.show_metric(chosen[0])))
    else:
        _console().print(explain.metrics_table())
        typer.echo("boardgames metrics NAME explains one and shows its query")


@app.command()
def runs(file: Annotated[Path, typer.Argument(help="A file of results.")] = FILE, json: Json = False) -> None:
    """Show the experiments in a file.   boardgames runs"""
    from boardgames.runs import list_runs

    found = list_runs(file)
    if json:
        typer.echo(json_format.dumps([run._asdict() for run in found], indent=2))
        return
    for run in found:
        typer.echo(f"{run.number}  {run.name}   ({run.created}, seed {run.seed}, {run.matches:,} of {run.wanted:,} matches)")
        if run.note:
            typer.echo(f"   {run.note}")
        typer.echo(
            f"   players {', '.join(map(str, run.players))}; line-ups {', '.join(run.line_ups)}; rules {' '.join(run.fingerprints)}"
        )
        if run.changed:
            typer.echo(f"   the rules have changed since, or are not installed: {', '.join(run.changed)}")
    typer.echo(f"{len(found)} runs, {file.stat().st_size / 1e6:.1f} MB")


@app.command()
def replay(
    match: Annotated[str, typer.Argument(help="cell/block/arrangement, as the view `matches` shows it.")],
    file: Annotated[Path, typer.Option("--from", help="A file of results.")] = FILE,
    svg: Annotated[Path | None, typer.Option(help="Draw every position into this folder.")] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Even if the rules or the agents have changed since.")] = False,
) -> None:
    """Play a stored match again, in words.   boardgames replay 4711/0/0"""
    from boardgames.runs import draw_positions, replay_stored

    played = replay_stored(file, match, anyway)
    if svg:
        typer.echo(f"drew {draw_positions(played, svg)} positions into {svg}")
    else:
        typer.echo(played.transcript())


@app.command()
def export(
    what: Annotated[str, typer.Argument(help="A table or view: results, matches, cells, seat, slice ...")] = "results",
    into: Annotated[Path, typer.Option(help="A .parquet or .csv file.")] = Path("results.parquet"),
    file: Annotated[Path, typer.Option("--from", help="A file of results.")] = FILE,
) -> None:
    """Write results as Parquet or CSV.   boardgames export results --into results.csv"""
    from boardgames.runs import export as write

    typer.echo(f"{write(file, what, into):,} rows in {into}")


@app.command()
def merge(
    other: Annotated[Path, typer.Argument(help="Results from another machine.")],
    into: Annotated[Path, typer.Option(help="The file that takes them over.")] = FILE,
) -> None:
    """Take over results from another file; nothing is doubled.   boardgames merge laptop.duckdb"""
    from boardgames.runs import merge as take_over

    with _status(f"merging {other}"):
        taken = take_over(into, other)
    typer.echo(f"{taken:,} matches taken over into {into}")


@app.command()
def forget(
    run: Annotated[str, typer.Argument(help="A run's number or name, as `runs` shows it.")],
    file: Annotated[Path, typer.Option("--from", help="A file of results.")] = FILE,
) -> None:
    """Remove an experiment and give the space back.   boardgames forget 2"""
    from boardgames.runs import forget as remove

    before = file.stat().st_size if file.exists() else 0
    removed = remove(file, run)
    typer.echo(f"{removed:,} matches removed; {before / 1e6:.1f} MB became {file.stat().st_size / 1e6:.1f} MB")


def _tell(report: dict[str, Any], json: bool) -> None:
    if json:
        typer.echo(json_format.dumps(report, indent=2))
    else:
        for name, value in _flat(report).items():
            typer.echo(f"{name.replace('_', ' '):40}{value:>16}")


def _flat(report: dict[str, Any], before: str = "") -> dict[str, str]:
    """A report as lines: nested names joined, large numbers with commas, small ones with two digits."""
    lines: dict[str, str] = {}
    for name, value in report.items():
        if isinstance(value, dict):
            lines |= _flat(value, f"{before}{name} ")
        elif isinstance(value, float):
            lines[before + name] = f"{value:,.0f}" if value >= 1000 else f"{value:.2f}"
        else:
            lines[before + name] = str(value)
    return lines


def _warn(sentence: str) -> None:
    """One line about something that does not stop the command."""
    typer.echo(f"boardgames: {sentence}", err=True)


def _print(blocks: Any) -> None:
    """Lines and tables, one after the other."""
    for block in blocks:
        if isinstance(block, str):
            typer.echo(block)
        else:
            _console().print(block)


def _console() -> Any:
    """Tables for people; wide where nobody's terminal sets the width. Rich leaves colours out by itself for NO_COLOR and pipes."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 160)


def _status(title: str) -> Any:
    """A line that shows what is going on and for how long, on a terminal; elsewhere, and when quiet, nothing."""
    from boardgames.progress import status

    return status(title, shown=sys.stderr.isatty() and not Terminal.quiet)
