"""The query box reads one file and nothing else: every wall is tried."""

import subprocess
import sys
from pathlib import Path

import pytest

from boardgames import BadInput
from boardgames.store.connection import sealed
from dashboard.data.query import ask
from dashboard.pages.data import EXAMPLES
from tests.processes import HANGS

INSIDE = {  # what must fail even where somebody gets past the first wall, by whom it is stopped
    "read a file": "SELECT * FROM read_text('/etc/hostname')",
    "read a table file": "SELECT * FROM read_csv('/etc/hostname')",
    "read a named file": "SELECT * FROM '/etc/hostname'",
    "list files": "SELECT * FROM glob('/etc/*')",
    "write a file": "COPY (SELECT 1) TO '{folder}/out.csv'",
    "write the database": "EXPORT DATABASE '{folder}/out'",
    "attach a file": "ATTACH '{folder}/other.duckdb' AS other",
    "attach memory": "ATTACH ':memory:' AS other",
    "install": "INSTALL httpfs",
    "load": "LOAD httpfs",
    "change a setting": "SET threads = 8",
    "allow files": "SET enable_external_access = true",
    "more memory": "SET memory_limit = '100GB'",
    "unlock": "SET lock_configuration = false",
    "log to a file": "SET profiling_output = '{folder}/log'",
    "delete": "DELETE FROM match",
    "make a table": "CREATE TABLE mine (x INTEGER)",
    "drop a table": "DROP TABLE match",
    "the network": "SELECT * FROM read_csv('http://127.0.0.1:1/x.csv')",
}


@pytest.mark.parametrize("attempt", INSIDE)
def test_a_sealed_file_lets_nothing_else_be_reached(attempt, copied, tmp_path):
    before = sorted(tmp_path.iterdir())
    with (
        sealed(copied) as con,
        pytest.raises(Exception, match=r"(?i)permission|locked|read-only|disabled|cannot|configuration|does not exist"),
    ):
        con.execute(INSIDE[attempt].format(folder=tmp_path)).fetchall()
    assert sorted(tmp_path.iterdir()) == before


def test_the_box_answers(real):
    table, more = ask(real, next(iter(EXAMPLES.values())))
    assert (len(table), more) == (10, False)  # a row for each variant, player count and seat


@pytest.mark.long
def test_the_box_cuts_long_answers(real):
    table, more = ask(real, "SELECT * FROM range(1000)", rows=10)
    assert (len(table), more) == (10, True)


def test_the_box_takes_one_select_at_a_time(real):
    with pytest.raises(BadInput, match="this box only reads"):
        ask(real, "SELECT 1; DELETE FROM match")


@pytest.mark.long
def test_a_query_that_makes_no_sense_is_told_in_duckdbs_words(real):
    with pytest.raises(BadInput, match="nosuch"):
        ask(real, "SELECT nosuch FROM results")


def test_a_query_that_takes_too_long_is_killed(real):
    with pytest.raises(BadInput, match=r"stopped after 1\.5 s"):
        ask(real, "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b", seconds=1.5)


def test_a_query_that_takes_too_much_memory_is_stopped(real):
    with pytest.raises(BadInput, match=r"(?i)memory"):
        ask(real, "SELECT list(range) FROM range(100000000)", seconds=HANGS)


def test_a_child_may_write_no_file(tmp_path):
    code = "from dashboard.data.query_process import confine; confine(); open('out', 'wb', buffering=0).write(b'x')"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False, env={"PYTHONPATH": _root()})
    assert done.returncode != 0
    assert (tmp_path / "out").stat().st_size == 0


def _root() -> str:
    return str(Path(__file__).parent.parent.parent)


@pytest.mark.long
@pytest.mark.parametrize("title", EXAMPLES)
def test_every_example_answers(title, real):
    table, _ = ask(real, EXAMPLES[title])
    assert len(table)
