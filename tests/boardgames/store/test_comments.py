"""A result file explains itself: every table, view and column has a comment, and all can be exported."""

import gzip
import json
import shutil
from pathlib import Path

import duckdb
import pyarrow.parquet
import pytest

from boardgames.store.connection import open_for_writing
from boardgames.store.export import EXPORTS, export, query
from boardgames.store.forget import delete_run
from boardgames.store.schema import SCHEMA
from tests.support.older_files import go_back_to_schema_7

OLD_FILE = Path(__file__).parent / "schema_4.duckdb.gz"
NOT_EXPLAINED = """
    SELECT table_name FROM duckdb_tables() WHERE comment IS NULL
    UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal AND NOT temporary AND comment IS NULL
    UNION ALL SELECT table_name || '.' || column_name FROM duckdb_columns()
    WHERE NOT internal AND database_name != 'temp' AND (comment IS NULL OR comment = '')"""


@pytest.fixture(scope="module")
def db(tmp_path_factory, run_command) -> Path:
    """Two games with different tallies, and two matches of real people."""
    folder = tmp_path_factory.mktemp("comments")
    db = folder / "stored.duckdb"
    for game in ("magpies", "pig"):
        words = f"simulate {game} --players 2 --agents random --matches 64 --workers 1 --db {db}"
        done = run_command(*words.split(), in_process=True)
        assert done.returncode == 0, done.stderr
    real = folder / "real.csv"
    real.write_text(
        "date,variant,names,scores\n2026-01-02,magpies,Ann/Bob,3/4\n2026-01-03,magpies,Ann/Bob,5/1\n"
    )
    assert run_command("import", str(real), "--db", str(db), in_process=True).returncode == 0
    return db


@pytest.fixture
def copy(db, tmp_path) -> Path:
    return Path(shutil.copy(db, tmp_path / "copy.duckdb"))


def list_names(db: Path, sql: str) -> list[str]:
    return query(db, sql).columns[0].to_pylist()


def test_every_table_view_and_column_is_explained_in_the_file(db):
    assert list_names(db, NOT_EXPLAINED) == []


def test_comments_say_the_unit_of_a_number(db):
    sql = "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'match'"
    comments = {row["column_name"]: row["comment"] for row in query(db, sql).to_pylist()}
    assert "the game's points" in comments["winning_margin"]
    assert "1/65536 bits" in comments["log_branching"]


def test_a_file_of_the_schema_before_is_explained_and_keeps_its_rows(copy):
    before = query(copy, "SELECT * FROM seat ORDER BY ALL"), query(copy, "SELECT * FROM results ORDER BY ALL")
    with duckdb.connect(str(copy)) as con:
        go_back_to_schema_7(con)
        assert con.execute(NOT_EXPLAINED).fetchall()
    assert list_names(copy, NOT_EXPLAINED) == []
    assert list_names(copy, "SELECT max(schema_version) FROM boardgames_file") == [SCHEMA]
    assert (
        query(copy, "SELECT * FROM seat ORDER BY ALL"),
        query(copy, "SELECT * FROM results ORDER BY ALL"),
    ) == before


def test_a_file_without_any_tally_gets_the_view_of_tallies(tmp_path):
    db = tmp_path / "plain.duckdb"
    with open_for_writing(db):
        pass
    with duckdb.connect(str(db)) as con:
        go_back_to_schema_7(con)
        con.execute("ALTER TABLE seat DROP COLUMN tally_1")
    assert list_names(db, "SELECT count(*) FROM tallies") == [0]
    assert list_names(db, NOT_EXPLAINED) == []


def test_a_much_older_file_is_explained(tmp_path):
    db = tmp_path / "old.duckdb"
    with gzip.open(OLD_FILE) as packed, db.open("wb") as unpacked:
        shutil.copyfileobj(packed, unpacked)
    assert list_names(db, NOT_EXPLAINED) == []
    assert "cloister visits" in list_names(db, "SELECT DISTINCT tally FROM tallies")


def test_comments_are_kept_when_a_run_is_deleted_and_the_file_shrinks(copy):
    delete_run(copy, "1")
    assert list_names(copy, NOT_EXPLAINED) == []


def test_a_column_that_a_user_added_does_not_keep_a_file_from_being_brought_up_to_date(copy):
    with duckdb.connect(str(copy)) as con:
        go_back_to_schema_7(con)
        con.execute("ALTER TABLE run ADD COLUMN mine INTEGER; CREATE VIEW notes AS SELECT 1 AS a")
    assert sorted(list_names(copy, NOT_EXPLAINED)) == ["notes", "notes.a", "run.mine"]


def test_tallies_have_names_and_add_up_to_the_columns_of_seats(db):
    by_name = """SELECT variant, tally, sum(n)::BIGINT AS n FROM tallies GROUP BY ALL"""
    rows = {(row["variant"], row["tally"]): row["n"] for row in query(db, by_name).to_pylist()}
    sums = """SELECT variant.name, tallies, sum(tally_1)::BIGINT AS first, sum(tally_2)::BIGINT AS second
        FROM seat JOIN cell ON cell.id = cell_id JOIN variant ON variant.id = variant_id GROUP BY ALL"""
    expected = {}
    for row in query(db, sums).to_pylist():
        numbers = (row["first"], row["second"])
        expected |= {
            (row["name"], tally): n for tally, n in zip(json.loads(row["tallies"]), numbers, strict=False)
        }
    assert rows == expected
    assert {variant for variant, _ in rows} == {"magpies", "pig"}


def test_a_match_in_the_view_of_tallies_can_be_replayed_by_its_name(db, run_command):
    (match,) = list_names(db, "SELECT \"match\" FROM tallies WHERE variant = 'pig' LIMIT 1")
    done = run_command("replay", match, "--db", str(db), in_process=True)
    assert done.returncode == 0, done.stderr


def test_every_table_and_view_can_be_exported(db, tmp_path):
    names = list_names(db, "SELECT table_name FROM duckdb_tables()")
    names += list_names(db, "SELECT view_name FROM duckdb_views() WHERE NOT internal AND NOT temporary")
    assert sorted(names) == sorted(EXPORTS)
    counts = query(db, "SELECT " + ", ".join(f'(SELECT count(*) FROM "{n}") AS "{n}"' for n in EXPORTS))
    for index, (name, rows) in enumerate(counts.to_pylist()[0].items()):
        file_type = ("parquet", "csv")[index % 2]
        assert export(db, name, tmp_path / f"{name}.{file_type}") == rows


def test_an_exported_seat_can_be_decoded_with_exported_tables_alone(db, tmp_path, run_command):
    for name in ("seat", "cell", "variant", "seating", "agent"):
        words = ["export", name, "--output", str(tmp_path / f"{name}.parquet"), "--db", str(db)]
        assert run_command(*words, in_process=True).returncode == 0
    tables = {
        name: str(tmp_path / f"{name}.parquet") for name in ("seat", "cell", "variant", "seating", "agent")
    }
    assert pyarrow.parquet.read_schema(tables["seat"]).names[:4] == ["cell_id", "deal", "seating", "seat"]
    decoded = duckdb.sql(
        f"""SELECT v.name, a.name, (v.tallies::VARCHAR[])[1], sum(s.tally_1)
        FROM '{tables["seat"]}' s JOIN '{tables["cell"]}' c ON c.id = s.cell_id
        JOIN '{tables["variant"]}' v ON v.id = c.variant_id
        JOIN '{tables["seating"]}' t USING (cell_id, seating, seat)
        JOIN '{tables["agent"]}' a ON a.id = t.agent_id
        WHERE v.name = 'pig' GROUP BY ALL"""
    ).fetchall()
    expected = query(db, "SELECT sum(n)::BIGINT FROM tallies WHERE variant = 'pig' AND tally = 'rolls'")
    assert decoded == [("pig", "random", "rolls", expected.columns[0].to_pylist()[0])]


def test_a_table_that_does_not_exist_is_answered_with_those_that_do(db, run_command):
    done = run_command("export", "talies", "--db", str(db), in_process=True)
    assert done.returncode == 2
    assert "tallies" in done.stderr
