"""Makes of a result file of today one in the words of schema 4, from which tests go further back."""

from typing import Any

_OLD_COLUMNS = {
    "batch": {"first_deal": "first_block", "deals": "blocks"},
    "match": {"deal": "block", "seating": "arrangement", "rounds": "laps", "winning_margin": "margin"},
    "seat": {
        "deal": "block",
        "seating": "arrangement",
        "rank": "place",
        "rounds_led": "laps_led",
        "evaluation_25": "outlook_25",
        "evaluation_50": "outlook_50",
        "evaluation_75": "outlook_75",
    },
    "slice": {"deals": "blocks"},
    "actions": {"deal": "block", "seating": "arrangement"},
}


def go_back_to_schema_4(con: Any) -> None:
    con.execute(
        "DROP VIEW people; DROP VIEW tallies; DROP VIEW results; DROP VIEW matches; DROP VIEW cells;"
        "DROP TABLE fix"
    )
    con.execute("ALTER TABLE run RENAME TO experiment")
    con.execute(
        "CREATE TABLE experiment_cell AS SELECT run AS experiment, cell_id, deals AS blocks FROM run_cell"
    )
    con.execute("DROP TABLE run_cell")
    con.execute("CREATE TABLE old AS SELECT * RENAME (seating AS arrangement, slot AS place) FROM seating")
    con.execute("DROP TABLE seating; ALTER TABLE old RENAME TO seating")
    for table, columns in _OLD_COLUMNS.items():
        for new, old in columns.items():
            con.execute(f'ALTER TABLE "{table}" RENAME COLUMN {new} TO {old}')
    con.execute("UPDATE slice SET value = 'laps' WHERE value = 'rounds'")
    con.execute("UPDATE slice SET value = 'margin' WHERE value = 'winning_margin'")
    con.execute("DROP TABLE pair")
    con.execute(
        "CREATE TABLE pair (cell_a BIGINT, cell_b BIGINT, first_block BIGINT, blocks BIGINT, value VARCHAR,"
        " total DOUBLE, squares DOUBLE)"
    )
    con.execute("UPDATE boardgames_file SET schema_version = 4")


def go_back_to_schema_7(con: Any) -> None:
    """Without comments and without the view of tallies."""
    con.execute("DROP VIEW tallies")
    for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall():
        con.execute(f'COMMENT ON TABLE "{name}" IS NULL')
    for (name,) in con.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall():
        con.execute(f'COMMENT ON VIEW "{name}" IS NULL')
    columns = "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal"
    for table, column in con.execute(columns).fetchall():
        con.execute(f'COMMENT ON COLUMN "{table}"."{column}" IS NULL')
    con.execute("UPDATE boardgames_file SET schema_version = 7")
