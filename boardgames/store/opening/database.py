"""The name that DuckDB gives an open file, and where it looks for what a query names."""

from typing import Any


def put_duckdb_first(con: Any) -> None:
    """Let functions and types of DuckDB come before those of the file. Nothing may be asked before this."""
    _set_search_path(con, f"system.main,{quote_name(find_database(con))}.main")


def put_file_first(con: Any) -> None:
    """Let new tables and views go into the file. It must have been checked: its macros count now."""
    _set_search_path(con, f"{quote_name(find_database(con))}.main")


def find_database(con: Any) -> str:
    """The name of the one file that is open."""
    files = "SELECT database_name FROM system.main.duckdb_databases() WHERE NOT internal"
    ((name,),) = con.execute(files).fetchall()
    return str(name)


def _set_search_path(con: Any, path: str) -> None:
    quoted = path.replace("'", "''")
    con.execute(f"SET search_path = '{quoted}'")


def quote_name(name: str) -> str:
    """A name as SQL writes it, whatever is in it."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
