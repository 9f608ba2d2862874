"""Write the pages of docs/reference/ that follow from the program: `python docs/generate.py`.

A test compares them with what stands in docs/, so that none goes stale.
"""

import inspect
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

import analytics
import boardgames
from analytics.show.handbook import render_page as render_metrics
from boardgames import query
from boardgames.cli import app
from boardgames.cli.app import Group
from boardgames.store.connection import open_for_writing

DOCS = Path(__file__).parent
GENERATED = "<!-- Written by docs/generate.py (make pages). Do not edit. -->"


class Undocumented(Exception):
    """Something that a user can type has no text, or is on no page that people read."""


# ---- commands


def render_commands() -> str:
    """Every command with its arguments and options, in the order of `boardgames --help`."""
    program = typer.main.get_command(app)
    lines = [GENERATED, "# Commands", "", "What `boardgames COMMAND --help` says, on one page.", ""]
    lines += ["Before the command you may write:", "", *_list_options(program, "boardgames")]
    for group in Group:
        lines += ["", f"## {group}"]
        for name, command in program.commands.items():
            if command.rich_help_panel == group:
                lines += _describe_command(name, command)
    return "\n".join(lines) + "\n"


def _describe_command(name: str, command: Any) -> Iterator[str]:
    if not command.help:
        raise Undocumented(f"boardgames {name} has no help text")
    about, _, example = inspect.cleandoc(command.help).partition("Example: ")
    arguments = [_format_argument(item) for item in command.params if item.param_type_name == "argument"]
    yield from ("", f"### {name}", "", about.strip(), "")
    yield from ("```text", " ".join(["usage: boardgames", name, *arguments, "[OPTIONS]"]), "```", "")
    if example:
        yield from (f"Example: `{example.strip()}`", "")
    yield from _list_options(command, name)


def _format_argument(argument: Any) -> str:
    name = argument.name.upper() + ("..." if argument.nargs == -1 else "")
    return name if argument.required else f"[{name}]"


def _list_options(command: Any, name: str) -> Iterator[str]:
    context = command.make_context(name, [], resilient_parsing=True)
    yield from ("| you write | it means |", "|---|---|")
    for parameter in command.params:
        if parameter.name == "help" or getattr(parameter, "hidden", False):
            continue
        if not getattr(parameter, "help", None):
            raise Undocumented(f"{name}: {parameter.name} has no help text")
        spelled = (
            parameter.name.upper() if parameter.param_type_name == "argument" else _spell(parameter, context)
        )
        text = parameter.help.replace("|", "\\|")
        yield f"| `{spelled}` | {text}{_name_default(parameter)} |"


def _spell(option: Any, context: Any) -> str:
    """--matches N"""
    names, _, kind = option.get_help_record(context)[0].partition(" <")
    values = {"int": " N", "float": " NUMBER", "path": " FILE"}
    return names + (next((values[key] for key in values if kind.startswith(key)), " TEXT") if kind else "")


def _name_default(parameter: Any) -> str:
    """(default: 1), unless the text says so or the default is the number of this machine's cores."""
    default = parameter.default
    is_plain = isinstance(default, str | int | Path) and not isinstance(default, bool) and default != ""
    if not is_plain or "default" in parameter.help or not parameter.show_default:
        return ""
    return " (default: the number of cores)" if parameter.name == "workers" else f" (default: `{default}`)"


def check_that_pages_name_every_command() -> None:
    """Raise if a command stands on no page but the generated one."""
    pages = [page for page in DOCS.rglob("*.md") if page.parent.name != "reference"]
    text = " ".join(" ".join(page.read_text(encoding="utf-8").split()) for page in pages)
    for name in typer.main.get_command(app).commands:
        if not re.search(rf"boardgames (?:--quiet )?{re.escape(name)}\b", text):
            raise Undocumented(f"no page of docs/ says what `boardgames {name}` is for")


# ---- Python


def render_python() -> str:
    """The public names, from their docstrings; mkdocstrings fills them in when the site is built."""
    lines = [
        GENERATED,
        "# Python",
        "",
        "Everything that the command line does, for scripts and notebooks.",
        "",
    ]
    lines += ["## boardgames", "", "Play, store and read matches; write games and agents.", ""]
    modules = boardgames._find_modules()
    lines += [
        _place(f"{modules[name]}.{name}", modules[name], name) for name in sorted(modules, key=str.lower)
    ]
    lines += ["", "## analytics", "", "Ask questions about variants and stored matches.", ""]
    for name in sorted(analytics.__all__, key=str.lower):
        module = f"analytics.{analytics._WHERE[name]}"
        lines.append(_place(f"{module}.{name}", module, name))
    return "\n".join(lines).rstrip() + "\n"


def _place(path: str, module: str, name: str) -> str:
    found = getattr(__import__(module, fromlist=[name]), name)
    if not inspect.getdoc(found):
        raise Undocumented(f"{path} has no docstring")
    return f"::: {path}\n"


# ---- tables


def render_tables() -> str:
    """The views and tables of a result file and what their columns mean, from the comments in a new file."""
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "empty.duckdb"
        with open_for_writing(db):
            pass
        views = query(
            db, "SELECT view_name AS name, comment FROM duckdb_views() WHERE NOT internal AND NOT temporary"
        ).to_pylist()
        tables = query(db, "SELECT table_name AS name, comment FROM duckdb_tables()").to_pylist()
        columns = query(db, COLUMNS).to_pylist()
    lines = [GENERATED, "# Tables", "", "The tables of a result file. How to ask them: [SQL](../how/sql.md)."]
    for title, members in (("Views", views), ("Tables", tables)):
        lines += ["", f"## {title}"]
        for member in sorted(members, key=lambda member: member["name"]):
            own_columns = [column for column in columns if column["table_name"] == member["name"]]
            lines += _describe_table(member["name"], member["comment"], own_columns)
    return "\n".join(lines).rstrip() + "\n"


COLUMNS = """
    SELECT table_name, column_name, data_type, comment FROM duckdb_columns()
    WHERE NOT internal AND database_name != 'temp' ORDER BY table_name, column_index
"""


def _describe_table(name: str, meaning: str | None, columns: list[dict[str, Any]]) -> Iterator[str]:
    if missing := [column["column_name"] for column in columns if not column["comment"]]:
        raise Undocumented(f"{name}: {', '.join(missing)} has no comment in the file")
    if not meaning:
        raise Undocumented(f"{name} has no comment in the file")
    yield from ("", f"### {name}", "", meaning, "", "| column | type | meaning |", "|---|---|---|")
    for column in columns:
        note = column["comment"].replace("|", "\\|")
        yield f"| `{column['column_name']}` | {column['data_type'].lower()} | {note} |"


# ---- all of them

PAGES = {
    "commands.md": render_commands,
    "metrics.md": render_metrics,
    "python.md": render_python,
    "tables.md": render_tables,
}


def main() -> None:
    for name, render in PAGES.items():
        (DOCS / "reference" / name).write_text(render(), encoding="utf-8")
    check_that_pages_name_every_command()


if __name__ == "__main__":
    main()
