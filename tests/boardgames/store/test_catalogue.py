"""A stranger's result file holds rows and nothing that runs: what it brings beside them is refused in a
sentence with the statement that removes it, or is not asked.
"""

import re
import shutil
from pathlib import Path

import duckdb
import pytest

from boardgames import query, simulate
from boardgames.errors import UnusableFile
from boardgames.store.connection import open_for_reading, open_for_writing, open_sandboxed
from boardgames.store.export import export
from boardgames.store.forget import delete_run
from boardgames.store.merge import merge
from boardgames.store.opening.database import put_duckdb_first
from boardgames.store.tables.views import VIEWS

PIG = "pig+target=20"


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    db = tmp_path_factory.mktemp("catalogue") / "whole.duckdb"
    simulate(PIG, db=db, players="2", agents=["random"], matches=20)
    return db


@pytest.fixture
def change(whole, tmp_path):
    """A function that changes a copy of the file by SQL statements, and returns the copy."""

    def run(sql: str) -> Path:
        db = Path(shutil.copy(whole, tmp_path / "sent.duckdb"))
        with duckdb.connect(str(db)) as con:
            con.execute(sql)
        return db

    return run


def copy_with(table: str, columns: str) -> str:
    """SQL that makes a table anew with other columns, and nothing in it."""
    return f'DROP TABLE "{table}"; CREATE TABLE "{table}" ({columns})'


RUN_CELL = "run BIGINT, cell_id BIGINT"
REFUSED = {
    "a macro": "CREATE MACRO max(x) AS (SELECT 1 + count(*) FROM enable_logging('QueryLog'))",
    "a macro in capitals": "CREATE MACRO AVG(x) AS 42",
    "an operator": 'CREATE MACRO "+"(a, b) AS 42',
    "a macro that gives a table": "CREATE MACRO duckdb_functions() AS TABLE SELECT 1 AS function_name",
    "a type": "CREATE TYPE JSON AS ENUM ('a')",
    "an index": "CREATE INDEX quick ON match ((turns + 1))",
    "a default": "ALTER TABLE match ALTER COLUMN turns SET DEFAULT 777",
    "a default of a column that was added": "ALTER TABLE run ADD COLUMN mine INTEGER DEFAULT random()",
    "a check": copy_with("run_cell", f"{RUN_CELL}, deals INTEGER CHECK (deals > 0)"),
    "a unique value": copy_with("run_cell", f"{RUN_CELL}, deals INTEGER UNIQUE"),
    "a collation": copy_with("slice", "cell_id BIGINT, slice BIGINT, value VARCHAR COLLATE NOCASE,"
                             " deals INTEGER, total DOUBLE, squares DOUBLE"),
    "another type": "ALTER TABLE match ALTER COLUMN turns TYPE VARCHAR",
    "a type that hides in a name": copy_with(
        "run_cell", f'{RUN_CELL}, deals BIGINT, "x, deals INTEGER" INTEGER'
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_a_file_with_what_could_run_is_refused_and_the_statement_that_is_named_mends_it(what, change):
    db = change(REFUSED[what])
    before = db.read_bytes()
    for way in (open_for_reading, open_for_writing, open_sandboxed):
        with pytest.raises(UnusableFile, match=r"[Ii]n DuckDB, ") as refusal, way(db):
            pass
        assert len(str(refusal.value).splitlines()) == 1
    assert db.read_bytes() == before
    statement = re.search(r"[iI]n DuckDB, (.*;)", str(refusal.value))[1]
    with duckdb.connect(str(db)) as con:
        con.execute(statement)
    with open_for_reading(db):
        pass


def test_a_number_that_is_computed_is_not_taken_for_a_stored_one(change, tmp_path, run_command):
    """The file says that every match took 777 turns."""
    db = change(copy_with("match", "cell_id BIGINT, turns INTEGER GENERATED ALWAYS AS (777)"))
    mine = tmp_path / "mine.duckdb"
    simulate(PIG, db=mine, players="2", agents=["random"], matches=2, seed=2)
    before = mine.read_bytes()
    for words in (["runs", "--db", db], ["merge", db, "--db", mine], ["export", "match", "--db", db]):
        done = run_command(*words, in_process=True)
        assert (done.returncode, done.stdout) == (2, "")
        assert "column turns of its table 'match' is INTEGER GENERATED ALWAYS AS(777)" in done.stderr
    assert mine.read_bytes() == before


def test_an_older_file_is_looked_at_as_closely_and_in_capitals_too(change):
    computed = "cell_id BIGINT, tally_1 SMALLINT GENERATED ALWAYS AS (error('it ran'))"
    db = change(f"{copy_with('SEAT', computed)}; UPDATE boardgames_file SET schema_version = 7")
    for way in (open_for_reading, open_for_writing):
        with pytest.raises(UnusableFile, match=r"column tally_1 of .* is .* GENERATED"), way(db):
            pass


FUNCTIONS = {
    "max(a)": "max(x) AS 42",
    "count(*)": "count_star() AS 42",
    "lower('A')": "lower(x) AS 42",
    "list_contains([1], 1)": "list_contains(a, b) AS 42",
    "a + 1 = 3": '"+"(a, b) AS 42',
    "[7, 8][1]": "array_extract(a, b) AS 42",
    "(SELECT count(*) > 1000 FROM duckdb_functions())": "duckdb_functions() AS TABLE SELECT 42",
    "'[]'::JSON": None,
}


def test_no_macro_of_a_file_answers_in_place_of_a_function_of_duckdb(change):
    """Also before the file was looked through, and in a file whose name has signs in it."""
    asked = f"SELECT {', '.join(FUNCTIONS)} FROM (VALUES (1), (2)) t(a) GROUP BY a ORDER BY a DESC LIMIT 1"
    expected = duckdb.sql(asked).fetchall()
    macros = "; ".join(f"CREATE MACRO {macro}" for macro in FUNCTIONS.values() if macro)
    db = change(f"{macros}; CREATE TYPE JSON AS ENUM ('a')")
    odd = db.rename(db.with_name('it\'s "so", 100%.duckdb'))
    with duckdb.connect(str(odd), read_only=True) as con:
        put_duckdb_first(con)
        assert con.execute(asked).fetchall() == expected


@pytest.mark.parametrize("name", ["results", "cells", "people"])
def test_views_of_a_file_that_are_not_ours_are_not_run(name, whole, change, tmp_path):
    db = change(f"CREATE OR REPLACE VIEW {name} AS SELECT error('it ran') AS game, 'forged' AS variant")
    assert query(db, f"SELECT * FROM {name} ORDER BY ALL") == query(
        whole, f"SELECT * FROM {name} ORDER BY ALL"
    )
    assert export(db, name, tmp_path / "out.csv") == len(query(whole, f"FROM {name}"))
    with open_sandboxed(db) as con:
        assert len(con.execute(f"FROM {name}").fetchall()) == len(query(whole, f"FROM {name}"))


def test_what_a_person_added_with_names_of_their_own_stays_and_is_not_run(change):
    """Also a view that fails as soon as it is asked, and through a run and a forgotten run."""
    db = change(
        "CREATE TABLE notes (match VARCHAR, words VARCHAR DEFAULT upper('none')); CREATE SEQUENCE counter;"
        "ALTER TABLE run ADD COLUMN mine INTEGER; CREATE TYPE mood AS ENUM ('good', 'bad');"
        "CREATE MACRO per_turn(a, b) AS a / b; CREATE VIEW mine AS SELECT error('it ran') AS a;"
        "CREATE VIEW quick AS SELECT per_turn(score, turns) AS speed FROM results;"
        "CREATE INDEX i ON notes (words)"
    )
    simulate(PIG, db=db, players="2", agents=["greedy"], matches=4)
    assert len(query(db, "FROM quick WHERE speed >= 0")) == 2 * 24
    delete_run(db, "2")
    assert len(query(db, "FROM quick")) == 2 * 20
    assert query(db, "SELECT per_turn(6, 3) AS n")["n"].to_pylist() == [2]
    with pytest.raises(duckdb.InvalidInputException, match="it ran"):
        query(db, "FROM mine")


def test_a_view_in_another_schema_is_none_of_ours(change):
    db = change(
        "CREATE SCHEMA system; CREATE VIEW sent.system.match AS SELECT 7 AS turns; CREATE SCHEMA seat"
    )
    assert len(query(db, "FROM match")) == 20
    assert len(query(db, "SELECT seat.score FROM seat")) == 40


def test_every_view_of_ours_can_be_asked_in_a_new_file(tmp_path):
    db = tmp_path / "new.duckdb"
    with open_for_writing(db):
        pass
    assert [len(query(db, f"FROM {name}")) for name in VIEWS] == [0] * len(VIEWS)
    merge(db, db)
