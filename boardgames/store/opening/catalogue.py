"""What a file may hold beside rows. It may come from a stranger and bring SQL of its own: columns that are
computed, defaults, views, macros with the names of DuckDB's functions. None of it may run in our connections.

So functions and types of DuckDB come before those of the file, tables are compared with ours before a row of
them is read, and our views are made anew in each connection. A person's own views and macros stay in the
file, and are not run.
"""

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy.dialects import registry

from boardgames.errors import UnusableFile
from boardgames.files import resolve_path
from boardgames.store.opening.damage import make_damage_error
from boardgames.store.opening.database import quote_name
from boardgames.store.opening.migrations import RENAMED_TABLES
from boardgames.store.tables.bulk import BULK_TABLES
from boardgames.store.tables.comments import SMALL_TABLES, TABLES
from boardgames.store.tables.views import CREATE_VIEWS, VIEWS

OUR_NAMES = {*TABLES, *RENAMED_TABLES}
COMPUTED = re.compile(r"GENERATED ALWAYS AS|DEFAULT\(|COLLATE |UNIQUE|CHECK\(|REFERENCES |USING ")
CONSTRAINT = re.compile(r"(PRIMARY KEY|UNIQUE|CHECK|FOREIGN KEY|CONSTRAINT)\b")
# What SQLAlchemy gives a whole number that is the only key.
OWN_DEFAULT = " DEFAULT(nextval('boardgames_file_schema_version_seq'))"
# The pieces of a statement: names and texts in quotes, what divides, and all between.
PIECES = re.compile(r"""("(?:[^"]|"")*"|'(?:[^']|'')*'|[(),\[\]]|[^"'(),\[\]]+)""")


class TableShape(NamedTuple):
    """A table as its file describes it."""

    columns: dict[str, str]  # what stands after each name: a type, and perhaps a default or an expression
    constraints: list[str]


def make_views(con: Any) -> None:
    """Make our views anew for this connection: they come before those of the file."""
    con.execute(CREATE_VIEWS.replace("CREATE OR REPLACE VIEW", "CREATE OR REPLACE TEMP VIEW"))


# ---- what every file must be


def read_tables(con: Any, db: Path) -> dict[str, TableShape]:
    """The tables of a file, by name. Raises if asking ours would run an expression of the file."""
    _check_names(con, db)
    rows = con.execute("SELECT schema_name, table_name, sql FROM system.main.duckdb_tables()").fetchall()
    tables = {name.lower(): parse_table(sql) for schema, name, sql in rows if schema == "main"}
    for name in OUR_NAMES & tables.keys():
        _check_plain(db, name, tables[name])
    return tables


def list_views(con: Any, db: Path) -> set[str]:
    """The views of a file. Raises if one is in place of a table of ours: who reads that would run a query."""
    rows = con.execute("SELECT schema_name, view_name FROM system.main.duckdb_views() WHERE NOT internal")
    views = {name.lower() for schema, name in rows.fetchall() if schema == "main"}
    if ours := sorted(views & OUR_NAMES):
        raise UnusableFile(
            f"{db} is not a plain result file: '{ours[0]}' is a query in it, not a table, and is not asked"
        )
    return views


@cache
def parse_table(sql: str) -> TableShape:
    """Take apart what DuckDB says of a table: `CREATE TABLE seat(cell_id BIGINT, ..., PRIMARY KEY(a, b));`"""
    items, depth = [""], 0
    for piece in PIECES.findall(sql.rpartition(")")[0]):
        closes, opens = piece in (")", "]"), piece in ("(", "[")
        depth -= closes
        if piece == "," and depth == 1:
            items.append("")
        elif depth and not (opens and depth == 0):
            items[-1] += piece
        depth += opens
    items = [item.strip() for item in items]
    columns = [_split_column(item) for item in items if not CONSTRAINT.match(item)]
    return TableShape(dict(columns), [item for item in items if CONSTRAINT.match(item)])


def _split_column(item: str) -> tuple[str, str]:
    """The name of a column, and the rest."""
    match = re.match(r'"((?:[^"]|"")*)" |(\S+) ', item)
    if match is None:
        return item, ""
    name = match[2] or match[1].replace('""', '"')
    return name, item[match.end() :]


def _check_plain(db: Path, table: str, shape: TableShape) -> None:
    """Raise where the file would compute what ought to be stored, or refuse what we store."""
    for column, rest in shape.columns.items():
        if table == "boardgames_file" and rest.endswith(OWN_DEFAULT):
            continue
        if COMPUTED.search(rest):
            raise _make_refusal(
                db, f"column {column} of its table '{table}' is {rest}", _mend_column(table, column, rest)
            )
    for constraint in shape.constraints:
        if not constraint.startswith("PRIMARY KEY"):
            raise _make_refusal(db, f"its table '{table}' has a {constraint}", _copy_plainly(table))


def _mend_column(table: str, column: str, rest: str) -> str:
    change = f"ALTER TABLE {quote_name(table)}"
    if "GENERATED ALWAYS AS" in rest:
        return f"{change} DROP COLUMN {quote_name(column)}"
    if "DEFAULT(" in rest:
        return f"{change} ALTER COLUMN {quote_name(column)} DROP DEFAULT"
    if "COLLATE " in rest:
        return f"{change} ALTER COLUMN {quote_name(column)} TYPE VARCHAR"
    return _copy_plainly(table)


def _copy_plainly(table: str) -> str:
    name = quote_name(table)
    return f"CREATE TABLE plain AS FROM {name}; DROP TABLE {name}; ALTER TABLE plain RENAME TO {name}"


def _make_refusal(db: Path, problem: str, statement: str) -> UnusableFile:
    return UnusableFile(
        f"{db} is not a plain result file, and is not asked: {problem}. In DuckDB, {statement}; removes that"
    )


# ---- names that hide those of DuckDB

_known_states: dict[Path, tuple[int, ...]] = {}  # of files whose names were looked through


def _check_names(con: Any, db: Path) -> None:
    """Raise if a macro or type has a name of DuckDB's, or one of our tables an index. A file is looked
    through once, until it changes: DuckDB needs as long for this as for opening the file.
    """
    about = os.stat(db)
    state = (about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns)
    path = resolve_path(db)
    if _known_states.get(path) != state:
        for problem, statement in (*_find_macros(con), *_find_types(con), *_find_indexes(con)):
            raise _make_refusal(db, problem, statement)
        _known_states[path] = state


def _find_macros(con: Any) -> Iterator[tuple[str, str]]:
    functions = "SELECT function_name, function_type, schema_name FROM system.main.duckdb_functions()"
    own = [row for row in con.execute(f"{functions} WHERE NOT internal").fetchall() if row[2] == "main"]
    names = (
        {name.lower() for name, *_ in con.execute(f"{functions} WHERE internal").fetchall()} if own else ()
    )
    for name, kind, _ in own:
        if name.lower() in names:
            problem = f"its macro '{name}' has the name of a function of DuckDB"
            yield problem, f"DROP MACRO{' TABLE' if kind == 'table_macro' else ''} {quote_name(name)}"


def _find_types(con: Any) -> Iterator[tuple[str, str]]:
    rows = con.execute("SELECT type_name, schema_name, internal FROM system.main.duckdb_types()").fetchall()
    names = {name.lower() for name, _, internal in rows if internal}
    for name, schema, internal in rows:
        if not internal and schema == "main" and name.lower() in names:
            yield f"its type '{name}' has the name of a type of DuckDB", f"DROP TYPE {quote_name(name)}"


def _find_indexes(con: Any) -> Iterator[tuple[str, str]]:
    indexes = "SELECT index_name, table_name, schema_name FROM system.main.duckdb_indexes()"
    for name, table, schema in con.execute(indexes).fetchall():
        if schema == "main" and table.lower() in OUR_NAMES:
            yield f"its table '{table}' has an index, '{name}'", f"DROP INDEX {quote_name(name)}"


# ---- what a file of today's schema must be


def check_shapes(db: Path, tables: dict[str, TableShape], views: Iterable[str]) -> None:
    """Raise if the file lacks a table, a column or a view of ours, or has a column of another type. Columns
    that a person added stay.
    """
    for table, columns in _list_columns().items():
        if table not in tables:
            raise make_damage_error(db, f"its table '{table}' is missing")
        for column, kind in columns.items():
            _check_column(db, table, column, kind, tables[table].columns.get(column))
    if missing := sorted(VIEWS.keys() - set(views)):
        raise make_damage_error(db, f"its view {missing[0]} is missing")


def _check_column(db: Path, table: str, column: str, kind: str, rest: str | None) -> None:
    if rest is None:
        raise make_damage_error(db, f"column {column} of its table '{table}' is missing")
    stored = rest.removesuffix(OWN_DEFAULT).removesuffix(" PRIMARY KEY").removesuffix(" NOT NULL")
    if stored != kind:
        change = f"ALTER TABLE {quote_name(table)} ALTER COLUMN {quote_name(column)} TYPE {kind}"
        raise make_damage_error(
            db,
            f"column {column} of its table '{table}' is {stored}, not {kind} (in DuckDB, {change};"
            " would change that)",
        )


@cache
def _list_columns() -> dict[str, dict[str, str]]:
    """The type of every column of every table of ours, in DuckDB's words."""
    dialect = registry.load("duckdb")()
    small = {
        name: {column.name: str(column.type.compile(dialect)) for column in model.__table__.columns}  # type: ignore[attr-defined]
        for name, model in SMALL_TABLES.items()
    }
    bulk = {
        name: {column: about.type for column, about in table.columns.items()}
        for name, table in BULK_TABLES.items()
    }
    return small | bulk
