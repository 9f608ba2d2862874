"""Brings a result file of each older schema to the next. Only what can be worked out again is dropped."""

from boardgames.store.tables.bulk import CREATE_BULK_TABLES, TALLY_COLUMNS

_UNPACKED = ", ".join(f"tally[{n}]::SMALLINT AS {name}" for n, name in enumerate(TALLY_COLUMNS, 1))

# Tables of schema 2 to 4 beside those that the steps below create, in the words of that time.
_BULK_UNTIL_4 = """
CREATE TABLE IF NOT EXISTS actions (
    cell_id BIGINT, block BIGINT, arrangement SMALLINT, actions INTEGER[], changed TIMESTAMP);
CREATE TABLE IF NOT EXISTS pair (
    cell_a BIGINT, cell_b BIGINT, first_block BIGINT, blocks BIGINT, value VARCHAR, total DOUBLE,
    squares DOUBLE);
"""

RENAMED_TABLES = {"experiment", "experiment_cell"}  # until schema 4: see _RENAME_KEYED_TABLES
_RENAMED_COLUMNS = {
    "batch": {"first_block": "first_deal", "blocks": "deals"},
    "match": {"block": "deal", "arrangement": "seating", "laps": "rounds", "margin": "winning_margin"},
    "seat": {
        "block": "deal",
        "arrangement": "seating",
        "place": "rank",
        "laps_led": "rounds_led",
        "outlook_25": "evaluation_25",
        "outlook_50": "evaluation_50",
        "outlook_75": "evaluation_75",
    },
    "slice": {"blocks": "deals"},
    "actions": {"block": "deal", "arrangement": "seating"},
}
_RENAMED_WORDS = {
    '"primaries"': '"main_metrics"',
    '"margins"': '"thresholds"',
    '"fewest_touched"': '"fewest_affected"',
    '"victory_margin"': '"winning_margin"',
    "blocks of each cell": "deals of each cell",
}


def _rename_columns() -> str:
    return " ".join(
        f'ALTER TABLE "{table}" RENAME COLUMN {old} TO {new};'
        for table, columns in _RENAMED_COLUMNS.items()
        for old, new in columns.items()
    )


def _rename_words(column: str) -> str:
    """An SQL expression: the words of older registrations in those of today."""
    expression = f"{column}::VARCHAR"
    for old, new in _RENAMED_WORDS.items():
        expression = f"replace({expression}, '{old}', '{new}')"
    return f"{expression}::JSON"


# DuckDB renames no column of a table with a primary key: such tables are written anew. They are small.
_RENAME_KEYED_TABLES = """
CREATE TABLE run (number BIGINT PRIMARY KEY, name VARCHAR NOT NULL, note VARCHAR NOT NULL,
    command VARCHAR NOT NULL,
    seed BIGINT NOT NULL, created TIMESTAMP WITH TIME ZONE NOT NULL, versions JSON, machine VARCHAR NOT NULL);
INSERT INTO run BY NAME SELECT * FROM experiment; DROP TABLE experiment;
CREATE TABLE run_cell (run BIGINT, cell_id BIGINT, deals INTEGER NOT NULL, PRIMARY KEY (run, cell_id));
INSERT INTO run_cell SELECT experiment, cell_id, blocks FROM experiment_cell; DROP TABLE experiment_cell;
ALTER TABLE seating RENAME TO old_seating;
CREATE TABLE seating (cell_id BIGINT, seating INTEGER, seat INTEGER, slot INTEGER NOT NULL,
    agent_id BIGINT NOT NULL,
    PRIMARY KEY (cell_id, seating, seat));
INSERT INTO seating SELECT cell_id, arrangement, seat, place, agent_id FROM old_seating;
DROP TABLE old_seating;
"""

MIGRATIONS = {
    1: f"""
        ALTER TABLE variant ADD COLUMN spec VARCHAR; UPDATE variant SET spec = name; DROP TABLE pair;
        CREATE TABLE unpacked AS SELECT * EXCLUDE (tally), {_UNPACKED} FROM seat;
        DROP TABLE seat; ALTER TABLE unpacked RENAME TO seat; {_BULK_UNTIL_4}""",
    # Schema 3 keeps more values: `rebuild_slices` works the slices out again.
    2: f"""
        CREATE TABLE registration (id BIGINT, version INTEGER, created TIMESTAMP WITH TIME ZONE,
            matches_before BIGINT, name VARCHAR, terms JSON, PRIMARY KEY (id, version));
        DELETE FROM slice; DROP TABLE pair; {_BULK_UNTIL_4}""",
    3: f"""
        CREATE TABLE real_match (id BIGINT PRIMARY KEY, date DATE, game VARCHAR, variant VARCHAR,
        players INTEGER,
            minutes DOUBLE, rounds INTEGER, source VARCHAR);
        CREATE TABLE real_seat (match_id BIGINT, seat INTEGER, person VARCHAR, score INTEGER,
            PRIMARY KEY (match_id, seat));
        {_BULK_UNTIL_4}""",
    # Schema 5 speaks today's words. Sums of differences are worked out again.
    4: f"""
        DROP VIEW IF EXISTS people; DROP VIEW IF EXISTS results;
        DROP VIEW IF EXISTS matches; DROP VIEW IF EXISTS cells;
        {_RENAME_KEYED_TABLES} {_rename_columns()} DROP TABLE pair;
        UPDATE slice SET value = 'rounds' WHERE value = 'laps';
        UPDATE slice SET value = 'winning_margin' WHERE value = 'margin';
        UPDATE registration SET terms = {_rename_words("terms")};
        {CREATE_BULK_TABLES}""",
    # Schema 6 counts how many deals have each difference. They are worked out again.
    5: f"DROP TABLE pair; {CREATE_BULK_TABLES}",
    # Schema 7 has room for matches with swapped chance, and keeps answers of `boardgames fix`.
    6: f"""
        CREATE TABLE fix (id BIGINT PRIMARY KEY, created TIMESTAMP WITH TIME ZONE, variant VARCHAR,
            answer JSON, cells JSON);
        {CREATE_BULK_TABLES}""",
    # Schema 8 has comments and the view `tallies`, which wants a column of tallies in every file.
    7: "ALTER TABLE seat ADD COLUMN IF NOT EXISTS tally_1 SMALLINT;",
    # Schema 9 knows who won in which seat of an imported match.
    8: "ALTER TABLE real_seat ADD COLUMN IF NOT EXISTS win_share DOUBLE;",
}
