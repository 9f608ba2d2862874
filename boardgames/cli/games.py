"""Commands about games and variants themselves: list, show, check, watch, bench, coverage."""

from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames.cli.terminal import (
    CORES,
    MOST_WORKERS,
    Json,
    Spec,
    Terminal,
    app,
    bar,
    console,
    finite,
    print_blocks,
    print_json,
    status,
    tell,
    warn,
)


@app.command("list")
def list_games(json: Json = False) -> None:
    """Show games, variants, player counts, parameters and agents.   boardgames list"""
    from boardgames.tools import catalogue as listing

    if json:
        print_json(listing.everything(warn))
        return
    for block in listing.show_everything(warn):
        console().print(block)


@app.command()
def show(
    variant: Spec,
    svg: Annotated[Path | None, typer.Option(help="Draw the table, set up, into this file.")] = None,
    players: Annotated[int | None, typer.Option(help="How many players the picture is for.")] = None,
    json: Json = False,
) -> None:
    """Explain one variant: its parameters, what differs from the default, what is reconstructed.   boardgames show celtica:en"""
    from boardgames.files import write_file
    from boardgames.game.plugins import find_variant
    from boardgames.tools import catalogue as listing

    if svg:
        write_file(svg, listing.picture(variant, players))
    if json:
        print_json(listing.one(find_variant(variant)))
        return
    for block in listing.show_one(variant):
        console().print(block)
    if svg:
        typer.echo(f"drew {svg}")


Matches = Annotated[int, typer.Option(min=1, help="Random matches to walk through, per variant and player count.")]
Plain = Annotated[bool, typer.Option("--plain", help="Leave the compiler out.")]


@app.command()
def check(game: Spec, matches: Matches = 3, plain: Plain = False) -> None:
    """Test that a game keeps every law of the protocol.   boardgames check ./mine.py:MINE"""
    from boardgames.game.plugins import find_variant
    from boardgames.tools.check import LawBroken, check_game

    found = find_variant(game)
    also = [found] if found.changes() else []
    with status(f"checking {found.game.name}", piped=True) as say:
        try:
            kept = check_game(
                found.game, also=also, compiled=not plain, matches=matches, say=say,
                before_compiling=lambda kept: _tell_kept(found.game.name, kept),
            )  # fmt: skip
        except LawBroken as broken:
            typer.echo(f"boardgames: {broken}", err=True)
            raise typer.Exit(1) from None
    if not Terminal.quiet:
        left_out = ", without the compiler" if plain else ""
        typer.echo(f"{found.game.name} keeps all {len(kept)} laws{left_out}")


def _tell_kept(game: str, kept: list[str]) -> None:
    """The first answer, before anybody waits for the compiler."""
    if not Terminal.quiet:
        typer.echo(f"{game} keeps the {len(kept)} laws that need no compiler; the others follow", err=True)


@app.command()
def watch(game: Spec, matches: Matches = 3, plain: Plain = False) -> None:
    """Check a game again at every save of its files, until Ctrl-C.   boardgames watch ./mine.py:MINE"""
    from boardgames.tools.watch import watch_game

    options = ["--matches", str(matches), *(["--plain"] if plain else [])]
    watch_game(game, options, Terminal.quiet, lambda line: typer.echo(line, err=True))


@app.command()
def bench(
    variant: Spec,
    players: Annotated[int | None, typer.Option(help="How many players; the fewest the game allows, if not said.")] = None,
    agents: Annotated[str, typer.Option(help="One agent for all seats, or one for each: greedy,random.")] = "random",
    workers: Annotated[int, typer.Option(min=1, max=MOST_WORKERS, help="Threads for the second measurement.")] = CORES,
    seconds: Annotated[float, typer.Option(min=0, callback=finite, help="How long to measure, each time.")] = 2.0,
    starts: Annotated[bool, typer.Option(help="Also measure a cold and a warm start, in new processes.")] = True,
    save: Annotated[Path | None, typer.Option(help="Add the figures to this file, with the commit: speeds.jsonl.")] = None,
    since: Annotated[Path | None, typer.Option(help="Show the change since the last figures saved in this file.")] = None,
    json: Json = False,
) -> None:
    """Measure how fast a variant is played.   boardgames bench tests.truth.tic_tac_toe:GAME"""
    from boardgames.game.plugins import find_variant
    from boardgames.tools import bench as measuring
    from boardgames.tools import speed_file as figures_file

    found = find_variant(variant)
    seats = min(found.game.players) if players is None else players
    last = _open_figures(save, since, found.name, seats, agents)
    with status(f"measuring {found.name}"):
        report = measuring.bench(found, variant, seats, agents, workers, seconds, starts, bool(save or since))
    if save:
        figures_file.save_figures(save, report)
    if last:
        report["since"] = figures_file.compare_figures(report, last)
    tell(report, json)


def _open_figures(save: Path | None, since: Path | None, variant: str, players: int, agents: str) -> Any:
    """The measurement to compare with, if any; a file that is of no use is told before anything is measured."""
    from boardgames.files import check_output
    from boardgames.tools import speed_file as figures_file

    if save:
        check_output(save)
        if save.exists():
            figures_file.read_figures(save)
    return figures_file.find_last(since, variant, players, agents) if since else None


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
    from analytics.questions.coverage import measure_coverage
    from analytics.show.terminal.coverage import show_coverage
    from analytics.verdict.results import as_json

    with bar(f"coverage of {variant}") as tell:
        found = measure_coverage(variant, players=players, agents=agents, matches=matches, seed=seed, report=tell)
    if json:
        print_json(as_json(found))
    else:
        print_blocks(show_coverage(found, everything))
