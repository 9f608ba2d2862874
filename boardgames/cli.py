"""The command line. Heavy imports stay inside the commands, so that `boardgames --help` answers at once."""

import json as json_format
import os
import sys
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


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for scripts.")]
Spec = Annotated[str, typer.Argument(help="A game or variant: celtica:en+hand_size=6, module:NAME or ./file.py:NAME.")]


@app.command("list")
def list_games(
    variant: Annotated[str, typer.Argument(help="One game or variant, with all its parameters.")] = "", json: Json = False
) -> None:
    """Show games, variants, player counts, parameters and agents.   boardgames list"""
    from boardgames import listing

    if json:
        found = listing.one(variant) if variant else listing.everything(_warn)
        typer.echo(json_format.dumps(found, indent=2))
        return
    for block in listing.show_one(variant) if variant else listing.show_everything(_warn):
        _console().print(block)


@app.command()
def check(
    game: Spec,
    matches: Annotated[int, typer.Option(min=1, help="Random matches to walk through, per variant and player count.")] = 3,
    plain: Annotated[bool, typer.Option("--plain", help="Leave the compiler out.")] = False,
) -> None:
    """Test that a game keeps every law of the protocol.   boardgames check ./mine.py:MINE"""
    from boardgames.check import LawBroken, check_game
    from boardgames.plugins import find_variant

    found = find_variant(game).game
    with _status(f"checking {found.name}") as say:
        try:
            kept = check_game(found, compiled=not plain, matches=matches, say=say)
        except LawBroken as broken:
            typer.echo(f"boardgames: {broken}", err=True)
            raise typer.Exit(1) from None
    if not Terminal.quiet:
        typer.echo(f"{found.name} keeps all {len(kept)} laws")


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
    seats = players or min(found.game.players)
    with _status(f"measuring {found.name}"):
        if against == "open_spiel":
            report = measuring.against_open_spiel(found, max(seconds, 0.1))
        elif against:
            raise BadInput(f"no engine '{against}' to compare with; there is: open_spiel")
        else:
            report = measuring.bench(found, variant, seats, agents, workers, seconds, starts)
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


def _console() -> Any:
    """Tables for people; wide where nobody's terminal sets the width. Rich leaves colours out by itself for NO_COLOR and pipes."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 160)


def _status(title: str) -> Any:
    """A line that shows what is going on and for how long, on a terminal; elsewhere, and when quiet, nothing."""
    from boardgames.progress import status

    return status(title, shown=sys.stderr.isatty() and not Terminal.quiet)
