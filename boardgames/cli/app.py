"""What all commands share: the app, the options before a command, and how answers are shown."""

import errno
import json as json_format
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated, Any, TypeVar

import typer

from boardgames import __version__
from boardgames.cli.log import show_log
from boardgames.cli.old_spellings import OLD_COMMANDS, explain_old_option
from boardgames.cli.packages import find_hidden_package
from boardgames.errors import BoardgamesError
from boardgames.play.announcement import QUIET
from boardgames.printable import escape_unprintable

F = TypeVar("F", bound=Callable[..., Any])
USAGE_ERROR: type[Exception] = typer.BadParameter.__mro__[1]  # Typer does not export it


class Group(StrEnum):
    """The groups of commands, in the order of `boardgames --help`."""

    ASK = "Ask"
    PLAY = "Play"
    YOUR_GAME = "Your game"
    RESULTS = "Results"
    SCALE = "Scale"

    def command(self, name: str | None = None, **options: Any) -> Callable[[F], F]:
        """Register a function as a command of this group."""
        return app.command(name, rich_help_panel=self, **options)


class Commands(typer.core.TyperGroup):
    """Turns errors that a user can correct into a sentence and an exit code."""

    def main(self, *args: Any, **more: Any) -> Any:
        try:
            return super().main(*args, **more)
        except OSError as error:
            if error.errno is None:  # not the system's: a library could not be loaded, say
                typer.echo(f"boardgames: {error}", err=True)
                sys.exit(2)
            nameless = (
                "the current folder"
                if error.errno == errno.ENOENT
                else "the file or pipe that the answer goes to"
            )
            typer.echo(f"boardgames: cannot use {error.filename or nameless}: {error.strerror}", err=True)
            sys.exit(2)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        for word in args:
            if "\0" in word or word.encode(errors="replace").decode() != word:
                ctx.fail(f"{word!r} is not in UTF-8; write it in another way")
        with _escape_words():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            with _escape_words():
                return super().invoke(ctx)
        except BoardgamesError as error:
            typer.echo(f"boardgames: {make_printable(str(error))}", err=True)
            raise typer.Exit(error.exit_code) from None
        except ImportError:
            problem = find_hidden_package()  # by a module that a game of the user has imported
            if problem is None:
                raise
            typer.echo(f"boardgames: {problem}", err=True)
            raise typer.Exit(2) from None
        except KeyboardInterrupt:
            typer.echo("boardgames: stopped", err=True)
            raise typer.Exit(130) from None
        except USAGE_ERROR as error:
            _raise_if_old(getattr(error, "ctx", None) or ctx, getattr(error, "option_name", ""))
            raise

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] in OLD_COMMANDS:
            ctx.fail(OLD_COMMANDS[args[0]])
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The commands come first: they are what people look for."""
        self.format_commands(ctx, formatter)
        with formatter.section("Options"):
            formatter.write_dl([record for p in self.get_params(ctx) if (record := p.get_help_record(ctx))])

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        width = max(map(len, self.commands))
        for group in Group:
            rows = [
                (name.ljust(width), command.get_short_help_str(formatter.width - width).rstrip("."))
                for name, command in self.commands.items()
                if getattr(command, "rich_help_panel", None) == group
            ]
            with formatter.section(group):
                formatter.write_dl(rows)


@contextmanager
def _escape_words() -> Iterator[None]:
    """Keep what was typed from steering the terminal where an error repeats it."""
    try:
        yield
    except USAGE_ERROR as error:
        for name in ("message", "option_name"):
            if text := getattr(error, name, None):
                setattr(error, name, make_printable(text))
        raise


def _raise_if_old(ctx: Any, option: str) -> None:
    """Fail with the new spelling if this is an option that the command had once."""
    known = {name for parameter in ctx.command.params for name in parameter.opts}
    if advice := explain_old_option(ctx.info_name, option, known):
        ctx.fail(advice)


class ResultFileCommand(typer.core.TyperCommand):
    """A command that once took the result file as an argument; the answer to one names `--db`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        super().parse_args(ctx, args)
        if ctx.args:
            arguments = [p.name.upper() for p in self.params if p.param_type_name == "argument" and p.name]
            words = " ".join(["boardgames", ctx.info_name, *arguments, "--db FILE"])
            ctx.fail(f"the result file is an option: {words}")
        return []


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog="Start here: boardgames compare celtica celtica:en",
)


class Terminal:
    """The options before the command."""

    quiet = False


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"boardgames {__version__}")
        raise typer.Exit


@app.callback()
def set_options(
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only the answer.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Find out what a rule change does to a board game."""
    show_log()
    Terminal.quiet = quiet
    if quiet:
        os.environ[QUIET] = "1"


def import_games(specs: list[str] | None) -> None:
    """Import the games typed after --game, so that results that name them can be read."""
    if specs:
        from boardgames.game.plugins import find_variant

        for spec in specs:
            find_variant(spec)


def print_report(report: dict[str, Any], json: bool) -> None:
    if json:
        print_json(report)
    else:
        for name, value in _flatten(report).items():
            typer.echo(f"{name.replace('_', ' '):40}{value:>16}")


def print_json(answer: Any) -> None:
    typer.echo(json_format.dumps(answer, indent=2))


def _flatten(report: dict[str, Any], before: str = "") -> dict[str, str]:
    """A report as names and texts: nested names joined, large numbers with commas, small ones with two
    digits.
    """
    lines: dict[str, str] = {}
    for name, value in report.items():
        if isinstance(value, dict):
            lines |= _flatten(value, f"{before}{name} ")
        elif isinstance(value, float):
            lines[before + name] = f"{value:,.0f}" if value >= 1000 else f"{value:.2f}"
        else:
            lines[before + name] = str(value)
    return lines


def print_warning(sentence: str) -> None:
    """One line about something that does not stop the command."""
    typer.echo(f"boardgames: {make_printable(sentence)}", file=sys.stderr)


def make_printable(text: str) -> str:
    """A text of several lines, without what would steer the terminal."""
    return escape_unprintable(text, keep="\n")


def print_line(line: str) -> None:
    """One line, whatever the names in it are."""
    typer.echo(escape_unprintable(line))


def print_parts(parts: Any) -> None:
    """Print lines and tables one after the other; in a terminal, break long lines between words."""
    for part in parts:
        if not isinstance(part, str):
            make_console().print(part)
        elif sys.stdout.isatty():
            typer.echo(wrap_lines(make_printable(part), shutil.get_terminal_size().columns))
        else:
            typer.echo(make_printable(part))


def wrap_lines(text: str, width: int) -> str:
    """The text with its lines broken between words, further in than they begin."""
    lines = []
    for line in text.split("\n"):
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        wrapped = textwrap.wrap(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
        lines += wrapped if len(line) > width else [line]
    return "\n".join(lines)


def make_console() -> Any:
    """A console for tables; 160 columns wide without a terminal. Rich itself omits colours for NO_COLOR and
    pipes.
    """
    from rich.console import Console

    class PlainConsole(Console):
        """Escapes what would steer the terminal in every text that it is given."""

        def render_str(self, text: str, **options: Any) -> Any:
            return super().render_str(make_printable(text), **options)

    return PlainConsole(width=None if sys.stdout.isatty() else 160)


def show_status(title: str, piped: bool = False) -> Any:
    """Show on a terminal what is going on and for how long; elsewhere nothing, or lines with `piped`."""
    from boardgames.cli import progress

    return progress.show_status(title, _can_show_progress(), piped and not Terminal.quiet)


def show_bar(title: str) -> Any:
    """Show on a terminal what is done, at what rate, and the time left."""
    from boardgames.cli import progress

    return progress.show_bar(title, _can_show_progress())


def _can_show_progress() -> bool:
    return sys.stderr.isatty() and not Terminal.quiet
