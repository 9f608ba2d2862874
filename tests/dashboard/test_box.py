"""The query box reads one file and nothing else: every wall is tried."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from boardgames import InvalidInput
from boardgames.store.connection import open_sandboxed
from dashboard.data.query import MEGABYTES, run_query
from dashboard.pages import data
from dashboard.pages.data import EXAMPLES
from tests.dashboard.test_pages import assert_sound, open_page, read_text
from tests.support.processes import HANGS

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
        open_sandboxed(copied) as con,
        pytest.raises(
            Exception, match=r"(?i)permission|locked|read-only|disabled|cannot|configuration|does not exist"
        ),
    ):
        con.execute(INSIDE[attempt].format(folder=tmp_path)).fetchall()
    assert sorted(tmp_path.iterdir()) == before


def test_the_box_answers(real):
    table, more = run_query(real, next(iter(EXAMPLES.values())), HANGS)
    assert (len(table), more) == (10, False)  # a row for each variant, player count and seat


@pytest.mark.long
def test_the_box_cuts_long_answers(real):
    table, more = run_query(real, "SELECT * FROM range(1000)", HANGS, rows=10)
    assert (len(table), more) == (10, True)


def test_the_box_cuts_answers_of_few_rows_that_are_large(real):
    table, more = run_query(real, "SELECT repeat('x', 100000) AS x FROM range(5000)", HANGS)
    assert more
    assert 100 < len(table) < 200
    assert table.nbytes <= MEGABYTES << 20


def test_the_box_takes_one_select_at_a_time(real):
    with pytest.raises(InvalidInput, match="this box only reads"):
        run_query(real, "SELECT 1; DELETE FROM match", HANGS)


@pytest.mark.long
def test_a_query_that_makes_no_sense_is_reported_in_duckdbs_words(real):
    with pytest.raises(InvalidInput, match="nosuch"):
        run_query(real, "SELECT nosuch FROM results", HANGS)


def test_what_duckdb_prints_is_no_part_of_the_answer(real):
    """Its log came on the channel of the answer, which then could not be read."""
    sql = "SELECT 7 AS n UNION ALL SELECT 8 FROM enable_logging('QueryLog', storage='stdout')"
    table, _ = run_query(real, sql, HANGS)
    assert table.to_pylist() == [{"n": 7}]


def test_a_query_that_takes_too_long_is_killed(real):
    with pytest.raises(InvalidInput, match=r"stopped after 1\.5 s"):
        run_query(
            real, "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b", seconds=1.5
        )


HOLD_SANDBOXED = """
import sys
from pathlib import Path
from boardgames.store.connection import open_sandboxed
with open_sandboxed(Path(sys.argv[1])):
    print("open", flush=True)
    sys.stdin.read()
"""


def test_while_the_box_asks_another_page_is_drawn(real, look_at, monkeypatch):
    asked, is_drawn = Event(), Event()

    def ask_until_drawn(db, sql):
        """A query that has the file open until the other page is there."""
        command = [sys.executable, "-c", HOLD_SANDBOXED, db]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdout.readline() == "open\n"
            asked.set()
            is_drawn.wait(HANGS)
            holder.communicate()
        raise InvalidInput("it was stopped")

    monkeypatch.setattr(data, "run_query", ask_until_drawn)
    look_at(real)
    page = open_page("data")
    (button,) = [button for button in page.button if button.label == "Run"]
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(button.click().run)
        try:
            assert asked.wait(HANGS)
            assert_sound(open_page("pace"))
            assert not asking.done()
        finally:
            is_drawn.set()
    assert "it was stopped" in read_text(asking.result())


def test_a_query_that_takes_too_much_memory_is_stopped(real):
    with pytest.raises(InvalidInput, match=r"(?i)memory"):
        run_query(real, "SELECT list(range) FROM range(100000000)", seconds=HANGS)


def test_a_child_may_write_no_file(tmp_path):
    code = (
        "from dashboard.data.query_process import confine; confine(); open('out', 'wb',"
        " buffering=0).write(b'x')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env={"PYTHONPATH": find_root()},
    )
    assert done.returncode != 0
    assert (tmp_path / "out").stat().st_size == 0


def find_root() -> str:
    return str(Path(__file__).parent.parent.parent)


@pytest.mark.long
@pytest.mark.parametrize("title", EXAMPLES)
def test_every_example_answers(title, real):
    table, _ = run_query(real, EXAMPLES[title], HANGS)
    assert len(table)
