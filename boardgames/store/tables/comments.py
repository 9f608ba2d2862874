"""What every table, view and column means, as comments in the result file itself: any tool that reads DuckDB
shows them.
"""

from typing import Any

from sqlmodel import SQLModel

from boardgames.store import schema
from boardgames.store.tables.bulk import BULK_TABLES, TALLY_COLUMNS, describe_tally
from boardgames.store.tables.views import VIEWS, find_view_column_meaning

SMALL_TABLES: dict[str, type[SQLModel]] = {
    str(model.__tablename__): model
    for model in vars(schema).values()
    if isinstance(model, type) and issubclass(model, SQLModel) and model is not SQLModel
}
TABLES = {*SMALL_TABLES, *BULK_TABLES}


def comment_on_everything(con: Any) -> None:
    """Write the comments of all tables, views and columns that the file has. No row is written."""
    columns = con.execute(
        "SELECT table_name, column_name FROM duckdb_columns()"
        " WHERE NOT internal AND list_contains(?, table_name)",
        [[*TABLES, *VIEWS]],
    ).fetchall()
    statements = [_comment("TABLE", [name], find_table_meaning(name)) for name in TABLES]
    statements += [_comment("VIEW", [name], meaning) for name, meaning in VIEWS.items()]
    meanings = {names: find_column_meaning(*names) for names in columns}
    statements += [_comment("COLUMN", [*names], meaning) for names, meaning in meanings.items() if meaning]
    con.execute(" ".join(statements))


def comment_on_tally(con: Any, column: str) -> None:
    """Write the comment of one column of tallies."""
    con.execute(_comment("COLUMN", ["seat", column], describe_tally(column)))


def _comment(kind: str, names: list[str], meaning: str) -> str:
    path = ".".join(f'"{name}"' for name in names)
    text = meaning.replace("'", "''")
    return f"COMMENT ON {kind} {path} IS '{text}';"


def find_table_meaning(table: str) -> str:
    """What a row of a table is."""
    if table in BULK_TABLES:
        return BULK_TABLES[table].meaning
    return " ".join((SMALL_TABLES[table].__doc__ or "").split())


def find_column_meaning(table: str, column: str) -> str | None:
    """What a column of a table or a view holds, and its unit; None for a column that is not ours."""
    if table in VIEWS:
        return find_view_column_meaning(table, column)
    if table == "seat" and column in TALLY_COLUMNS:
        return describe_tally(column)
    if table in BULK_TABLES:
        about = BULK_TABLES[table].columns.get(column)
        return about.meaning if about else None
    field = SMALL_TABLES[table].model_fields.get(column)
    return field.description if field else None
