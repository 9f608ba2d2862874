"""What all commands share: the app, the options before a command, and how answers are shown."""

import errno
import json as json_format
import math
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames import __version__
from boardgames.errors import BadInput
from boardgames.play.announcement import QUIET


class Commands(typer.core.TyperGroup):
    """Turns what a user can put right into a sentence and an exit code, wherever it was noticed."""

    def main(self, *args: Any, **more: Any) -> Any:
        try:
            return super().main(*args, **more)
        except OSError as error:
            nameless = "the current folder" if error.errno == errno.ENOENT else "the file or pipe that the answer goes to"
            typer.echo(f"boardgames: cannot use {error.filename or nameless}: {error.strerror}", err=True)
            sys.exit(2)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for word in args:
            if "\0" in word or word.encode(errors="replace").decode() != word:
                ctx.fail(f"{word!r} is not in UTF-8; write it in another way")
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BadInput as error:
            typer.echo(f"boardgames: {error}", err=True)
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt:
            typer.echo("boardgames: stopped", err=True)
            raise typer.Exit(130) from None


app = typer.Typer(cls=Commands, no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode=None)


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
        os.environ[QUIET] = "1"


def finite(number: float | None) -> float | None:
    """For options: nan and inf are numbers to Python, but no time to wait."""
    if number is not None and not math.isfinite(number):
        raise typer.BadParameter(f"{number} is not a number to count with")
    return number


FILE = Path("boardgames.duckdb")
CORES = os.cpu_count() or 1
MOST_WORKERS = max(1000, CORES)
Workers = Annotated[int, typer.Option(min=1, max=MOST_WORKERS, help="Threads.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for scripts.")]
Spec = Annotated[str, typer.Argument(help="A game or variant: celtica:en+hand_size=6, module:NAME or ./file.py:NAME.")]

Games = Annotated[
    list[str] | None,
    typer.Option("--game", help="A game of yours that results may name: ./mine.py:MINE. Only installed games are used unasked."),
]


def name_games(specs: list[str] | None) -> None:
    """Import what somebody typed after --game, so that results which name it can be read with it."""
    if specs:
        from boardgames.game.plugins import find_variant

        for spec in specs:
            find_variant(spec)


def tell(report: dict[str, Any], json: bool) -> None:
    if json:
        print_json(report)
    else:
        for name, value in _flat(report).items():
            typer.echo(f"{name.replace('_', ' '):40}{value:>16}")


def print_json(answer: Any) -> None:
    typer.echo(json_format.dumps(answer, indent=2))


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


def warn(sentence: str) -> None:
    """One line about something that does not stop the command."""
    typer.echo(f"boardgames: {sentence}", err=True)


def print_blocks(blocks: Any) -> None:
    """Lines and tables, one after the other."""
    for block in blocks:
        if isinstance(block, str):
            typer.echo(block)
        else:
            console().print(block)


def console() -> Any:
    """Tables for people; wide where nobody's terminal sets the width. Rich leaves colours out by itself for NO_COLOR and pipes."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else 160)


def status(title: str, piped: bool = False) -> Any:
    """A line that shows what is going on and for how long, on a terminal. Elsewhere nothing, or plain lines with `piped`."""
    from boardgames.cli import progress

    return progress.status(title, _shown(), piped and not Terminal.quiet)


def bar(title: str) -> Any:
    """How far it is, at what rate, and the time left; shown where a status is."""
    from boardgames.cli import progress

    return progress.bar(title, _shown())


def _shown() -> bool:
    return sys.stderr.isatty() and not Terminal.quiet
