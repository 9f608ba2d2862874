"""What the commands that answer a question share: how they play, print and end."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import typer

from boardgames.cli.app import Terminal, print_json, print_parts, show_status
from boardgames.cli.command_line import format_command_line
from boardgames.cli.play import explain_how_to_resume

LUCK_MATCHES = 10_000


@contextmanager
def play_for_answer() -> Iterator[Callable[[str], None]]:
    """Show that matches are being played; after Ctrl-C, say how to see and how to continue."""
    with explain_how_to_continue(), show_status("playing") as on_progress:
        yield on_progress


def explain_how_to_continue() -> AbstractContextManager[None]:
    return explain_how_to_resume(
        f"To see them: {format_command_line('--continue')}; to go on: add --continue"
    )


def collect_budget(ctx: typer.Context) -> dict[str, Any]:
    """What all commands that play hand on as it was typed."""
    typed = ctx.params
    names = ("db", "players", "minutes", "matches", "seed", "workers")
    more = {"more": typed["extend"]} if "extend" in typed else {}
    return {**{name: typed[name] for name in names}, **more, "command": format_command_line()}


def make_design_printer(json: bool, with_terms: bool = False) -> Callable[[Any, Any], None]:
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


def print_answer(answer: Any, parts: Any, json: bool) -> None:
    from analytics.verdict.results import convert_to_json

    if json:
        print_json(convert_to_json(answer))
    else:
        print_parts(parts)


def say_if_nothing_was_played(played: int, db: Path, extend: bool, json: bool) -> None:
    if not (played or json or Terminal.quiet):
        advice = "--matches asks for more" if extend else "--continue plays on"
        typer.echo(f"Nothing was played: {db} has this already. {advice}.")


def ask_about_luck(variants: list[str], db: Path, **options: Any) -> Any:
    """Return where the luck comes from, and show how it goes; `options` are those of `measure_luck`."""
    from analytics.questions.luck.luck import measure_luck

    with show_status(f"luck of {', '.join(variants)}") as on_progress, explain_how_to_resume():
        return measure_luck(
            *variants, db=db, **options, command=format_command_line(), on_progress=on_progress
        )
