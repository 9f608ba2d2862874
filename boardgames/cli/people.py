"""Commands for people: new writes a game of one's own, play sits down at a table, import brings real results."""

import re
import shlex
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames.cli.terminal import FILE, Games, Spec, app, console, finite, name_games, warn
from boardgames.errors import BadInput


@app.command()
def play(
    variant: Spec,
    players: Annotated[int | None, typer.Option(help="How many players; the game's fewest, if not said.")] = None,
    against: Annotated[str, typer.Option(help="One agent for all other seats, or one for each: greedy,mcts:64.")] = "greedy",
    seat: Annotated[int, typer.Option(min=1, help="Your seat; seat 1 starts.")] = 1,
    name: Annotated[str, typer.Option(help="Your name, if several people use this file.")] = "",
    seed: Annotated[int, typer.Option(help="The master seed: the same luck as that of simulated matches.")] = 1,
    block: Annotated[int | None, typer.Option(min=0, help="The block to play; the first you have not seen, if not said.")] = None,
    new: Annotated[bool, typer.Option("--new", help="Begin a new match, although one is under way.")] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Only watch: agents have all seats, all hands are open.")] = False,
    pause: Annotated[float, typer.Option(min=0, callback=finite, help="Seconds between the turns one watches.")] = 1.0,
    svg: Annotated[Path | None, typer.Option(help="Keep a picture of the position in this file, for a browser.")] = None,
    into: Annotated[Path, typer.Option(help="The file that the match is stored in.")] = FILE,
) -> None:
    """Play against agents; leave, and come back later.   boardgames play keltis --against greedy"""
    from boardgames.game.plugins import find_variant

    found = find_variant(variant)
    seats = min(found.game.players) if players is None else players
    found.blank(seats)
    if watch:
        _watch(found, seats, against, seed, block or 0, pause)
        return
    from boardgames.store.recorded_matches import SeatedCell

    cell = SeatedCell(found, _line_up(found, seats, against, seat, name), seed)
    _play(cell, into, block, new, svg)


def _line_up(variant: Any, seats: int, against: str, seat: int, name: str) -> Any:
    """The person in one seat, agents in the others."""
    from boardgames.agents.agent import find_line_up
    from boardgames.store.recorded_matches import person

    if seat > seats:
        raise BadInput(f"there is no seat {seat} at a table for {seats}")
    if not re.fullmatch(r"[\w .'-]*", name):
        raise BadInput(f"the name '{name}' has a character that no name has: use letters, digits, blanks and . ' -")
    others = list(find_line_up(against, seats - 1, variant.game))
    return (*others[: seat - 1], person(name), *others[seat - 1 :])


def _play(cell: Any, into: Path, block: int | None, new: bool, svg: Path | None) -> None:
    from boardgames.files import check_output
    from boardgames.game.plugins import installed, place_of
    from boardgames.people.table import HELP, Leaving, Seen, play_on, sit_down
    from boardgames.store.recorded_matches import left_behind
    from boardgames.store.rows import command_line

    if svg and cell.variant.game.draw is None:
        raise BadInput(f"{cell.variant.game.name} has no drawing; leave out --svg")
    if svg:
        check_output(svg, into)
    table = console()
    match, old = sit_down(into, cell, block, command_line(), new)
    who = ", ".join(f"seat {seat}: {agent.name}" for seat, agent in enumerate(cell.line_up, 1))
    typer.echo(f"{cell.variant.name}, {who}; block {match.block} of seed {match.seed}")
    typer.echo(f"Welcome back to turn {match.state.turn}. --new begins another match." if old else HELP)
    if left_behind(into, cell):
        warn(f"a match that you left is by other rules than {cell.variant.name} has now; it stays in {into} as it is")
    try:
        stored = play_on(match, into, cell, Seen(input, table.print), svg)
    except (Leaving, EOFError, KeyboardInterrupt):
        typer.echo(f"\nThe match is kept in {into}. To come back: {command_line('--new')}")
        return
    typer.echo(match.transcript().splitlines()[-1])
    place = place_of(cell.variant.game)
    named = [] if place in installed() else ["--game", place]
    again = shlex.join(["boardgames", "replay", stored, "--from", str(into), *named])
    typer.echo(f"stored in {into}; {again} tells it again")


def _watch(variant: Any, seats: int, agents: str, seed: int, block: int, pause: float) -> None:
    from boardgames.agents.agent import find_line_up
    from boardgames.people.table import is_quick, watch
    from boardgames.play.match import Match

    line_up = find_line_up(agents, seats, variant.game)
    match = Match(variant, seats, seed=seed, block=block, plain=is_quick(line_up))
    wait = pause if sys.stdout.isatty() else 0.0
    watch(match, line_up, console().print, lambda: time.sleep(wait))
    typer.echo(match.transcript().splitlines()[-1])


@app.command("import")
def import_results(
    results: Annotated[Path, typer.Argument(help="A CSV file: date,variant,names,scores and, if known, minutes,rounds.")],
    into: Annotated[Path, typer.Option(help="The file that takes them over.")] = FILE,
    game: Games = None,
) -> None:
    """Take over results of real tables; nothing is doubled.   boardgames import results.csv"""
    from boardgames.people.import_csv import import_results as take_over

    name_games(game)
    done = take_over(results, into)
    known = f"; {done.known:,} were there already" if done.known else ""
    typer.echo(f"{done.new:,} matches of {done.people} people on {done.evenings} evenings imported into {into}{known}")


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="The name of the game: small letters, digits, - and _.")],
    derive: Annotated[str, typer.Option(help="A game of which the new one changes a rule.")] = "",
) -> None:
    """Write a package for a game of your own, complete and playable.   boardgames new mygame"""
    from boardgames.tools.scaffold import new_game

    for path in new_game(name, derive):
        typer.echo(f"  {path}")
    typer.echo(f"Next: python -m pip install --no-build-isolation --editable {name}")
    typer.echo(f"      boardgames check {name}")
    typer.echo(f"      boardgames {f'compare {derive}' if derive else 'play'} {name}")
