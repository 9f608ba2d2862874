"""Nothing is lost, nothing is doubled: after a stop or a kill, with writers and readers, over machines."""

import errno
import fcntl
import itertools
import json
import logging
import os
import random
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pytest
from sqlalchemy import event
from sqlmodel import Session

from analytics.questions.luck.luck import measure_luck
from boardgames import FileInUse, InvalidInput, find_variant, snapshot
from boardgames.errors import FileGone, RulesChanged, UnusableFile
from boardgames.game.player_counts import parse_player_counts
from boardgames.interrupt import StopRequest
from boardgames.plan.cell import PlannedCell
from boardgames.plan.file import format_plan, read_plan
from boardgames.plan.plan import Plan, make_plan, plan_deals
from boardgames.plan.played import PlayedDeals, Progress
from boardgames.play.batch import make_scratch
from boardgames.run import threads, writer
from boardgames.run.simulate import run_plan, simulate
from boardgames.run.stored_run import StoredRun
from boardgames.run.threads import ThreadWorkers
from boardgames.store import forget
from boardgames.store.connection import (
    PATIENCE,
    RUN_PATIENCE,
    find_patience,
    get_connection,
    open_for_reading,
    open_for_writing,
)
from boardgames.store.export import export, query
from boardgames.store.forget import delete_run
from boardgames.store.listing import list_runs
from boardgames.store.merge import merge
from boardgames.store.opening import waiting
from boardgames.store.opening.undo import find_undo_file
from boardgames.store.pairs import (
    compute_missing_rows,
    find_missing_names,
    load_pair_sums,
    store_pair_rows,
    update_pair,
)
from boardgames.store.replay import replay_stored
from boardgames.store.schema import SCHEMA
from boardgames.store.tables.bulk import TALLY_COLUMNS
from boardgames.store.write import (
    compute_unstored_slices,
    open_for_results,
    rebuild_slices,
    register_run,
    store_played,
    store_slices,
)
from tests.support.older_files import go_back_to_schema_4
from tests.support.processes import HANGS, interrupt, wait_until_stored
from tests.support.sizes import choose_size

MAGPIES = "magpies"
TABLES = {"match": "cell_id, deal, seating", "seat": "cell_id, deal, seating, seat"}


def read_rows(db: Path) -> dict[str, list[tuple]]:
    """All bulk rows, in their natural order."""
    with open_for_reading(db) as session:
        con = get_connection(session)
        return {
            name: con.execute(f"SELECT * FROM {name} ORDER BY {order}").fetchall()
            for name, order in TABLES.items()
        }


def read_totals(db: Path) -> list[tuple]:
    """The sums of all slices, to the last digit."""
    with open_for_reading(db) as session:
        con = get_connection(session)
        return con.execute("SELECT * FROM slice ORDER BY cell_id, slice, value").fetchall()


def make_words(db: Path, *more: str, matches: int = 300) -> list[str]:
    """The words of a `simulate`."""
    words = [
        "simulate",
        MAGPIES,
        f"{MAGPIES}+hand_size=6",
        "--players",
        "2",
        "--agents",
        "random",
        "--agents",
        "greedy,random",
    ]
    return [*words, "--matches", str(matches), "--db", str(db), *more]


def make_command(db: Path, *more: str, matches: int = 300) -> list[str]:
    """The same `simulate` for `subprocess`."""
    return [sys.executable, "-m", "boardgames", *make_words(db, *more, matches=matches)]


def make_whole_plan(matches: int) -> Plan:
    """What `make_words` plays."""
    return make_plan([MAGPIES, f"{MAGPIES}+hand_size=6"], "2", ["random", "greedy,random"], matches)


@pytest.fixture(scope="module")
def whole(tmp_path_factory, run_command) -> Path:
    """An unbroken run of 300 matches of each: 2 variants, 2 line-ups, 2 players."""
    db = tmp_path_factory.mktemp("store") / "whole.duckdb"
    done = run_command(*make_words(db, "--workers", "1"))
    assert done.returncode == 0, done.stderr
    return db


def test_every_match_and_seat_is_stored_once(whole):
    stored = read_rows(whole)
    assert len(stored["match"]) == 300 * 2 * 2
    assert len(stored["seat"]) == 2 * len(stored["match"])
    assert len(set(stored["match"])) == len(stored["match"])


@pytest.mark.parametrize("workers", [2, 7])
def test_the_rows_do_not_depend_on_the_workers(whole, tmp_path, workers, run_command):
    db = tmp_path / "again.duckdb"
    assert run_command(*make_words(db, "--workers", str(workers))).returncode == 0
    assert read_rows(db) == read_rows(whole)
    assert read_totals(db) == read_totals(whole)


def test_plain_and_compiled_give_the_same_rows(whole):
    from boardgames import play_batch

    batch = play_batch(find_variant(MAGPIES), "random", 2, 5, compiled=False)
    sql = (
        "SELECT hash FROM matches WHERE variant = 'magpies' AND line_up = 'random' AND deal < 5 ORDER BY deal"
    )
    assert query(whole, sql)["hash"].to_pylist() == batch.matches["hash"].tolist()


def test_asking_again_plays_nothing_and_asking_for_more_adds_only_that(whole, tmp_path, run_command):
    db = tmp_path / "grown.duckdb"
    assert run_command(*make_words(db, matches=100)).returncode == 0
    report = json.loads(run_command(*make_words(db, "--json", matches=100)).stdout)
    assert (report["stored"], report["there_before"]) == (0, 400)
    report = json.loads(run_command(*make_words(db, "--json")).stdout)
    assert (report["stored"], report["there_before"]) == (800, 400)
    assert read_rows(db) == read_rows(whole)
    assert read_totals(db) == read_totals(whole)
    assert len(list_runs(db)) == 1


# ---- stopped without mercy

# Matches of each that are stored in two portions, each with more seats than a row group of DuckDB has.
PORTIONS = 31_500
MORTAL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # else Python ignores it, and the system does not kill us
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
from boardgames import cli
from boardgames.run import writer
writer.FLUSH_SECONDS = 3600  # portions by their size alone, however slow the machine
sys.argv = sys.argv[1:]
cli.main()
"""


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory, run_command) -> Path:
    db = tmp_path_factory.mktemp("kills") / "unbroken.duckdb"
    done = run_command(*make_words(db, "--workers", "2", matches=PORTIONS))
    assert done.returncode == 0, done.stderr
    return db


def run_and_kill(db: Path, size: int, by_the_system: bool) -> bool:
    """Whether a run was killed when its file outgrew a size: inside that very write, or as soon as somebody
    else notices.
    """
    limit = size if by_the_system else resource.RLIM_INFINITY
    words = make_words(db, "--workers", "2", matches=PORTIONS)
    line = [sys.executable, "-c", MORTAL, str(limit), *words]
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not by_the_system and process.poll() is None and (not db.exists() or db.stat().st_size <= size):
        time.sleep(0.001)
    if not by_the_system:
        process.kill()
    return process.wait() in (-signal.SIGXFSZ, -signal.SIGKILL)


@pytest.mark.parametrize(
    "kills", [pytest.param(choose_size(20, 200), marks=[pytest.mark.long, pytest.mark.soak])]
)
def test_a_killed_run_loses_nothing_it_reported_and_resumes_row_for_row(
    kills, unbroken, tmp_path, run_command
):
    """Each time what is there is whole, and never less than before. A file that gets complete is followed by
    a new one.
    """
    chance, db, before, killed = random.Random(kills), tmp_path / "first.duckdb", 0, 0
    whole = unbroken.stat().st_size
    for attempt in itertools.count():
        size = db.stat().st_size if db.exists() else 0
        dead = run_and_kill(db, chance.randrange(size, max(whole, size + 1)), by_the_system=attempt % 2 == 0)
        killed += dead
        now = count_consistent(db) if db.exists() else 0
        assert now >= before
        before = now
        if killed == kills:
            break
        if not dead:
            assert_same(db, unbroken)
            db, before = tmp_path / f"{attempt}.duckdb", 0
    assert run_command(*make_words(db, matches=PORTIONS)).returncode == 0
    assert_same(db, unbroken)


def assert_same(db: Path, other: Path) -> None:
    assert make_fingerprint(db) == make_fingerprint(other)
    assert read_totals(db) == read_totals(other)


def test_whatever_is_left_of_a_log_a_resumed_run_doubles_and_loses_nothing(unbroken, tmp_path, monkeypatch):
    """A log that is cut off anywhere: what the disk has of it, if everything stops between a commit and the
    closing of the file.
    """
    monkeypatch.setattr(writer, "FLUSH_SECONDS", 3600)  # portions by their size alone, however slow it is
    db, left = tmp_path / "played.duckdb", []

    def copy_all(session) -> None:
        left.append({file.name: file.read_bytes() for file in tmp_path.glob("played.duckdb*")})

    plan = make_whole_plan(PORTIONS)
    event.listen(Session, "after_commit", copy_all)
    try:
        run_plan(plan, db, workers=2)
    finally:
        event.remove(Session, "after_commit", copy_all)
    assert len(left) >= 3  # the tables, what is going to be played, a portion or more
    for files in left:
        log = files.get("played.duckdb.wal", b"")
        ends = [len(log) - 2**k for k in range(24) if 2**k < len(log)]  # entries of small tables come last
        for cut in sorted({0, len(log), *ends, *(len(log) * part // 20 for part in range(20))}):
            again = tmp_path / "again" / "played.duckdb"
            again.parent.mkdir(exist_ok=True)
            again.write_bytes(files["played.duckdb"])
            again.with_name("played.duckdb.wal").write_bytes(log[:cut])
            count_consistent(again)
    run_plan(plan, again, workers=2)
    assert_same(again, unbroken)


@pytest.mark.parametrize("size", [0, 12_288])
def test_a_file_in_which_nothing_is_begins_anew_and_an_empty_one_with_a_line(tmp_path, size, caplog):
    """`mktemp` makes empty files. A new database of DuckDB has 12,288 bytes."""
    db = tmp_path / "stump.duckdb"
    duckdb.connect(str(db)).close()
    stump = db.read_bytes()[:size]
    assert len(stump) == size
    db.write_bytes(stump)
    assert list_runs(db) == []
    db.write_bytes(stump)
    caplog.clear()
    assert simulate(MAGPIES, db=db, players="2", agents=["random"], matches=5).stored == 5
    lines = [f"{db} was empty and is begun anew: if it held results, they are gone"] if size == 0 else []
    assert caplog.messages == lines
    assert count_consistent(db) == 5


@pytest.mark.parametrize("size", [12, 4096, 5000, 8192, 12_287])
def test_a_file_that_was_cut_off_is_kept_and_not_begun_anew(whole, tmp_path, size, run_command):
    db, mine = tmp_path / "cut.duckdb", tmp_path / "mine.duckdb"
    db.write_bytes(whole.read_bytes()[:size])
    for words in (["runs"], make_words(db)[:-2], ["forget", "1"]):
        done = run_command(*words, "--db", db, in_process=True)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
        assert f"{db} is damaged: it was cut off after {size:,} bytes" in done.stderr
        assert "to begin anew under its name, move it away" in done.stderr
    assert run_command("merge", db, "--db", mine, in_process=True).returncode == 2
    assert db.read_bytes() == whole.read_bytes()[:size]
    assert not mine.exists()


def test_a_file_that_was_emptied_in_a_write_is_not_begun_anew(tmp_path):
    db = tmp_path / "emptied.duckdb"
    db.touch()
    find_undo_file(db).write_bytes(b"pages of before")
    for way in (open_for_reading, open_for_writing):
        with pytest.raises(UnusableFile, match=r"it was emptied, and emptied\.duckdb\.undo"), way(db):
            pass
    assert (db.stat().st_size, find_undo_file(db).read_bytes()) == (0, b"pages of before")


def test_a_pipe_is_no_result_file(tmp_path, run_command):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for words in (["runs"], make_words(pipe)[:-2], ["merge", pipe]):
        done = run_command(*words, "--db", pipe, in_process=True)
        assert (done.returncode, done.stdout) == (2, "")
        assert "is not a file on a disk; name one" in done.stderr


def test_a_file_with_some_of_our_tables_and_no_rows_is_made_anew(tmp_path):
    db = tmp_path / "half.duckdb"
    con = duckdb.connect(str(db))
    con.execute("CREATE TABLE cell (id BIGINT); CREATE TABLE boardgames_file (schema_version INTEGER)")
    con.close()
    assert simulate(MAGPIES, db=db, players="2", agents=["random"], matches=5).stored == 5
    assert count_consistent(db) == 5


def test_slices_worked_out_anew_are_worked_out_for_all_of_a_cell_or_not_at_all(tmp_path):
    """A cell with some slices counts as done: after a stop in between, its other batches would never be
    counted.
    """
    db, counts = tmp_path / "old.duckdb", []
    for deals in (70, 140):
        simulate(MAGPIES, db=db, players="2", agents=["random"], matches=deals)
    before = read_totals(db)
    with open_for_writing(db) as session:
        get_connection(session).execute("DELETE FROM slice")

    def count(session) -> None:
        counts.append(
            get_connection(session)
            .execute("SELECT coalesce(sum(deals), 0) FROM slice WHERE value = 'turns'")
            .fetchone()[0]
        )

    event.listen(Session, "before_commit", count)
    try:
        rebuild_slices(db)
        rebuild_slices(db)
    finally:
        event.remove(Session, "before_commit", count)
    assert set(counts) == {140}
    assert read_totals(db) == before


@pytest.mark.long
def test_games_with_different_tallies_go_into_one_file_in_one_run(tmp_path):
    plan = make_plan([MAGPIES, "tic-tac-toe"], "2", ["random"], 5, 1)
    assert run_plan(plan, tmp_path / "both.duckdb").stored == 10
    assert count_consistent(tmp_path / "both.duckdb") == 10


def play_spans(cell: PlannedCell, edges: list[int]) -> list[PlayedDeals]:
    """Deals of a cell, played span by span."""
    scratch = make_scratch(cell.game, cell.line_up)
    return [
        PlayedDeals(cell, first, end - first, cell.runner.run(first, end - first, scratch), 0.5)
        for first, end in itertools.pairwise(edges)
    ]


def test_a_flush_reads_the_batches_of_its_own_cells_and_joins_neighbours(tmp_path):
    """A slow agent makes a small batch for each quarter of a second, and a file may hold millions."""
    db, (cell,) = tmp_path / "long.duckdb", make_plan(MAGPIES, "2", "random", 1, 1).cells
    register_run(plan_deals([cell], 200, "many"), db, "")
    with open_for_writing(db) as session:
        get_connection(session).execute(
            "INSERT INTO batch BY NAME SELECT 7 AS cell_id, range AS first_deal, 1 AS deals, 1 AS matches,"
            " 0.25 AS seconds, now()::TIMESTAMP AS stored FROM range(300_000)"
        )
    spans = play_spans(cell, [0, 1, 64, 100, 130, 200])
    tracemalloc.start()
    store_played(db, spans[:3])
    store_played(db, [spans[4], spans[3]])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000
    batches = query(db, "SELECT first_deal, deals, matches, seconds FROM batch WHERE cell_id != 7 ORDER BY 1")
    assert [tuple(row.values()) for row in batches.to_pylist()] == [(0, 100, 100, 1.5), (100, 100, 100, 1.0)]


def test_slices_are_equal_to_the_last_digit_however_their_deals_arrive(tmp_path):
    """Thirds do not add up exactly: what is added up first would show."""
    (cell,) = make_plan(MAGPIES, "3", "greedy,random,random", 1, 1).cells
    first, second, third, *others = play_spans(cell, [0, 1, 17, 64, 100, 130, 170, 200, 320])
    arrivals = [
        [play_spans(cell, [0, 320])],
        [[second], [*others[::-1]], [third, first]],
        [[part] for part in (*others, third, second, first)],
    ]
    stored = []
    for number, flushes in enumerate(arrivals):
        db = tmp_path / f"{number}.duckdb"
        register_run(plan_deals([cell], 320, "in parts"), db, "")
        for parts in flushes:
            store_played(db, parts)
        stored.append(read_totals(db))
    assert len(stored[0]) == len({row[1:3] for row in stored[0]}) > 5 * 30
    assert stored[1] == stored[0]
    assert stored[2] == stored[0]


def test_a_look_after_a_run_does_not_wait_as_long_as_the_run(tmp_path):
    """A notebook goes on after `simulate`: it waits a day while that runs, and a minute afterwards."""
    db, waits = tmp_path / "a.duckdb", []

    def note(progress: Progress) -> None:
        waits.append(find_patience(db))

    def stop(progress: Progress) -> None:
        raise KeyboardInterrupt

    simulate(MAGPIES, db=db, players="2", agents="random", matches=2, on_progress=note)
    with pytest.raises(KeyboardInterrupt):
        simulate(MAGPIES, db=db, players="2", agents="random", matches=4, on_progress=stop)
    measure_luck(MAGPIES, db=db, players="2", agents="random", matches=20)
    assert set(waits) == {RUN_PATIENCE}
    assert find_patience(db) == PATIENCE


def count_consistent(db: Path) -> int:
    """The number of matches, after checking that all tables tell the same."""
    with open_for_reading(db) as session:
        con = get_connection(session)
        if "match" not in {
            name for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()
        }:
            return 0
        count = con.execute("SELECT count(*) FROM match").fetchone()[0]
        assert con.execute("SELECT count(*) FROM seat").fetchone()[0] == 2 * count
        assert con.execute("SELECT coalesce(sum(matches), 0) FROM batch").fetchone()[0] == count
        weighted = (
            "SELECT coalesce(sum(s.deals * c.seatings), 0) FROM slice s JOIN cell c ON c.id ="
            " s.cell_id WHERE s.value = 'turns'"
        )
        assert con.execute(weighted).fetchone()[0] == count
        return count


def make_fingerprint(db: Path) -> list[tuple]:
    """The content of the bulk tables, whatever the order of their rows."""
    with open_for_reading(db) as session:
        con = get_connection(session)
        return [
            con.execute(f"SELECT count(*), bit_xor(hash({name}::VARCHAR)) FROM {name}").fetchone()
            for name in TABLES
        ]


@pytest.mark.long
def test_ctrl_c_stores_what_is_finished_with_its_sums_and_says_how_to_go_on(tmp_path):
    db = tmp_path / "stopped.duckdb"
    process = subprocess.Popen(
        make_command(db, matches=10_000_000), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert "all finished matches are stored. To go on: boardgames simulate" in interrupt(process, db)
    assert count_consistent(db) > 0
    a, b = (cell.id for cell in make_whole_plan(1).cells if cell.format_line_up() == "random")
    assert load_pair_sums(db, a, b)["turns"][0] > 0
    assert find_missing_names(db, [(a, b)], []) == {}


def test_ctrl_c_while_rules_are_compiled_ends_at_once_and_without_a_traceback(tmp_path):
    fresh = {**os.environ, "BOARDGAMES_CACHE": str(tmp_path / "cache")}
    process = subprocess.Popen(
        make_command(tmp_path / "none.duckdb"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=fresh,
    )
    assert "Compiling the rules" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=HANGS)
    assert process.returncode == 130
    assert errors.startswith("boardgames: stopped")
    assert errors.count("\n") == 1


@pytest.mark.long
def test_two_commands_on_one_file_both_finish(whole, tmp_path):
    db = tmp_path / "shared.duckdb"
    both = [
        subprocess.Popen(make_command(db), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in both:
        _, errors = process.communicate(timeout=HANGS)
        assert process.returncode == 0, errors
    assert read_rows(db) == read_rows(whole)
    assert read_totals(db) == read_totals(whole)


@pytest.mark.long
def test_a_reader_sees_growing_counts_and_no_error_while_matches_arrive(tmp_path):
    db, counts = tmp_path / "read.duckdb", [0]
    process = subprocess.Popen(
        make_command(db, "--workers", "2", matches=10_000_000), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    while len(set(counts)) < 4 and process.poll() is None:
        if db.exists():
            counts.append(count_consistent(db))
        time.sleep(0.05)  # a reader that comes back at once leaves the writer no turn
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode in (130, -signal.SIGINT), errors
    assert counts == sorted(counts)
    assert count_consistent(db) >= counts[-1]


def test_results_have_one_row_per_match_and_seat_with_friendly_names(whole):
    table = query(whole)
    assert table.column_names[:14] == [
        "game",
        "variant",
        "players",
        "line_up",
        "deal",
        "seating",
        "seat",
        "agent",
        "score",
        "rank",
        "win_share",
        "turns",
        "decisions",
        "end_reason",
    ]
    assert len(table) == len(read_rows(whole)["seat"])
    assert set(table["end_reason"].to_pylist()) <= {"full nest", "winter"}
    assert sum(table["win_share"].to_pylist()) == pytest.approx(len(table) / 2)
    agents = query(
        whole,
        "SELECT DISTINCT seating, seat, agent FROM results WHERE line_up = 'greedy,random' ORDER BY ALL",
    )
    assert agents.to_pylist() == [
        {"seating": 0, "seat": 1, "agent": "greedy"},
        {"seating": 0, "seat": 2, "agent": "random"},
        {"seating": 1, "seat": 1, "agent": "random"},
        {"seating": 1, "seat": 2, "agent": "greedy"},
    ]


def test_any_stored_match_is_replayed_and_changed_rules_are_refused(whole, tmp_path):
    (row,) = query(
        whole, "SELECT * FROM matches WHERE line_up = 'greedy,random' AND deal = 7 AND seating = 1 LIMIT 1"
    ).to_pylist()
    match = replay_stored(whole, f"{row['cell_id']}/7/1")
    assert len(match.actions) == row["decisions"]
    assert match.end == row["end_reason"]
    changed = tmp_path / "changed.duckdb"
    changed.write_bytes(whole.read_bytes())
    with open_for_writing(changed) as session:
        get_connection(session).execute("UPDATE variant SET fingerprint = 'of other rules'")
    with pytest.raises(RulesChanged, match="have changed since this match; --ignore-changes"):
        replay_stored(changed, f"{row['cell_id']}/7/1")
    assert replay_stored(changed, f"{row['cell_id']}/7/1", ignore_changes=True).actions == match.actions
    assert list(list_runs(changed)[0].changed) == ["magpies", "magpies+hand_size=6"]


@pytest.mark.parametrize(
    ("games", "agent"),
    [
        (("pig+target=10", "tests.support.campfire:GAME"), "greedy"),
        pytest.param(("celtica", "keltis"), "learned", marks=pytest.mark.long),
    ],
)
def test_matches_of_two_games_in_one_file_are_replayed_each_by_its_own_agent_of_that_name(
    games, agent, tmp_path
):
    db = tmp_path / "two.duckdb"
    simulate(*games, db=db, players="2", agents=agent, matches=1)
    stored = query(
        db, "SELECT concat_ws('/', cell_id, deal, seating) AS id, decisions FROM match"
    ).to_pylist()
    assert len(stored) == 2
    assert len(query(db, "SELECT DISTINCT fingerprint FROM agent")) == 2
    for match in stored:
        assert len(replay_stored(db, match["id"]).actions) == match["decisions"]


@pytest.mark.parametrize(("name", "message"), [("1/2", "is not a match ID"), ("1/2/3", "has no match 1/2/3")])
def test_a_match_that_is_not_there_is_reported(whole, name, message):
    with pytest.raises(InvalidInput, match=message):
        replay_stored(whole, name)


def test_files_of_two_machines_are_joined_and_overlaps_are_not_doubled(whole, tmp_path):
    first_db, second_db = tmp_path / "here.duckdb", tmp_path / "there.duckdb"
    simulate(MAGPIES, db=first_db, players="2", agents=["random"], matches=150)
    simulate(
        MAGPIES,
        f"{MAGPIES}+hand_size=6",
        db=second_db,
        players="2",
        agents=["random", "greedy,random"],
        matches=300,
        workers=2,
    )
    assert merge(first_db, second_db).matches == 1200 - 150
    assert read_rows(first_db) == read_rows(whole)
    assert read_totals(first_db) == read_totals(whole)
    assert merge(first_db, second_db).matches == 0
    assert len(list_runs(first_db)) == 2


def test_forgetting_a_run_removes_its_matches_and_gives_the_space_back(tmp_path):
    db = tmp_path / "forget.duckdb"
    simulate(MAGPIES, db=db, players="2", agents=["random"], matches=100, name="small")
    remaining = read_rows(db)
    simulate(MAGPIES, db=db, players="4", agents=["random"], matches=60_000, name="large")
    size = db.stat().st_size
    killed = "import os, sys; from pathlib import Path; from boardgames.files import replace_file\n"
    killed += "with replace_file(Path(sys.argv[1]), of_results=True) as part:\n"
    killed += "    part.write_text('half of it')\n    os._exit(9)"
    subprocess.run([sys.executable, "-c", killed, str(db)], check=False)
    assert len(list(tmp_path.iterdir())) == 2
    assert delete_run(db, "large") == 60_000
    assert read_rows(db) == remaining
    assert list(tmp_path.iterdir()) == [db]
    assert db.stat().st_size < size / 2
    assert [stored_run.name for stored_run in list_runs(db)] == ["small"]
    with pytest.raises(InvalidInput, match="no run 'large'"):
        delete_run(db, "large")
    simulate(
        MAGPIES, db=db, players="2", agents=["random"], matches=110, name="small"
    )  # the file is still good for writing


def test_forgetting_in_a_file_that_is_not_there_makes_none(tmp_path):
    with pytest.raises(UnusableFile, match="there is no file"):
        delete_run(tmp_path / "nowhere.duckdb", "1")
    assert list(tmp_path.iterdir()) == []


def test_forgetting_keeps_what_another_run_asked_for(tmp_path):
    db = tmp_path / "shared.duckdb"
    for name in ("one", "two"):
        simulate(MAGPIES, db=db, players="2", agents=["random"], matches=50, name=name)
    assert delete_run(db, "one") == 0
    assert len(read_rows(db)["match"]) == 50


@pytest.mark.parametrize("remove", [lambda db: delete_run(db, "1"), Path.unlink])
def test_a_run_whose_cells_are_forgotten_meanwhile_ends_with_a_sentence_and_leaves_no_rows(
    remove, whole, tmp_path
):
    db, removed = tmp_path / "forgotten.duckdb", []

    def remove_once(at: Progress) -> None:
        if not removed:
            removed.append(remove(db))

    with pytest.raises(UnusableFile, match="does not have this run any more: it was forgotten, or") as gone:
        run_plan(make_whole_plan(300), db, on_progress=remove_once)
    assert gone.value.exit_code == 4
    assert not db.exists() or not any(read_rows(db).values())
    run_plan(make_whole_plan(300), db)
    assert read_rows(db) == read_rows(whole)


@pytest.mark.parametrize("stored_after", [0, 3])
def test_a_run_that_another_command_forgets_meanwhile_is_not_taken_for_its_successor(
    stored_after, tmp_path, monkeypatch
):
    """Its number is given again to the next run."""
    db = tmp_path / "mine.duckdb"
    simulate(MAGPIES, db=db, players="2", agents=["random"], matches=5)

    def overtake(db: Path) -> AbstractContextManager[Session]:
        monkeypatch.undo()
        delete_run(db, "1")
        if stored_after:
            simulate(f"{MAGPIES}+hand_size=4", db=db, players="2", agents=["random"], matches=stored_after)
        return open_for_writing(db)

    monkeypatch.setattr(forget, "open_for_writing", overtake)
    with pytest.raises(InvalidInput, match=r"no run '1'|was forgotten by another command meanwhile"):
        delete_run(db, "1")
    assert len(read_rows(db)["match"]) == stored_after


def test_the_space_of_a_run_whose_forgetting_was_killed_comes_back_with_the_next_one(tmp_path, monkeypatch):
    db = tmp_path / "mine.duckdb"
    simulate(MAGPIES, db=db, players="2", agents=["random"], matches=5, name="small")
    simulate(MAGPIES, db=db, players="4", agents=["random"], matches=20_000, name="large")
    size = db.stat().st_size
    monkeypatch.setattr(forget, "shrink_file", lambda db: None)  # killed after the commit
    assert delete_run(db, "large") == 20_000
    assert db.stat().st_size >= size
    monkeypatch.undo()
    assert delete_run(db, "small") == 5
    assert db.stat().st_size < size / 2


LOST = "Matches that were not stored yet are lost"


def test_a_run_whose_file_is_replaced_by_another_with_its_cells_ends_with_a_sentence(whole, tmp_path):
    """The other file has fewer of the deals that the run found stored."""
    db, other, replaced = tmp_path / "mine.duckdb", tmp_path / "other.duckdb", []
    run_plan(make_whole_plan(100), db)
    run_plan(make_whole_plan(10), other)
    rows = read_rows(other)

    def replace_once(at: Progress) -> None:
        if not replaced:
            replaced.append(other.rename(db))

    with pytest.raises(UnusableFile, match=LOST) as gone:
        run_plan(make_whole_plan(300), db, on_progress=replace_once)
    assert gone.value.exit_code == 4
    assert read_rows(db) == rows


def test_a_file_that_is_replaced_after_the_last_portion_is_noticed_at_the_end(tmp_path):
    db, other, plan = tmp_path / "mine.duckdb", tmp_path / "other.duckdb", make_plan([MAGPIES], "2", [], 5)
    work = ThreadWorkers(plan, {cell.id: [(0, 5)] for cell in plan.cells}, 1).play(StopRequest())
    played = [part for parts in work for part in parts]
    run_plan(make_plan([MAGPIES], "2", [], 2), other)
    for change in (lambda: other.rename(db), db.unlink, lambda: db.write_text("no database")):
        register_run(plan, db, "")
        run = StoredRun(db, {})
        run.store(played)
        run.check_end()
        change()
        with pytest.raises(FileGone, match=LOST):
            run.check_end()
        db.unlink(missing_ok=True)


def test_a_run_goes_on_when_another_one_is_forgotten_and_the_file_shrinks(tmp_path):
    """The file is a new one then, with all that the run needs."""
    db, forgotten = tmp_path / "mine.duckdb", []
    simulate(f"{MAGPIES}+hand_size=4", db=db, players="2", agents=["random"], matches=5)
    run_plan(make_whole_plan(10), db)

    def forget_once(at: Progress) -> None:
        if not forgotten:
            forgotten.append(delete_run(db, "1"))

    run_plan(make_whole_plan(30), db, on_progress=forget_once)
    assert forgotten == [5]
    assert [run.number for run in list_runs(db)] == [2]


def test_a_folder_that_is_moved_while_a_portion_is_stored_is_a_file_that_is_gone(tmp_path):
    folder, plan = tmp_path / "before", make_whole_plan(5)
    folder.mkdir()
    db = folder / "mine.duckdb"
    run_plan(plan, db)
    rows = read_rows(db)
    cells = [cell.id for cell in plan.cells]

    def change(session: Session) -> None:
        get_connection(session).execute("UPDATE run SET note = 'lost'")
        folder.rename(tmp_path / "after")

    with pytest.raises(FileGone, match=LOST), open_for_results(db, cells) as session:
        change(session)
    assert read_rows(tmp_path / "after" / "mine.duckdb") == rows


def test_sums_of_cells_that_are_forgotten_meanwhile_are_not_stored(tmp_path):
    """Ids of cells are the same when they are played again: old sums would be added to the new ones."""
    db, specs = tmp_path / "sums.duckdb", [MAGPIES, f"{MAGPIES}+hand_size=6"]
    simulate(*specs, db=db, players="2", agents=["random"], matches=70)
    a, b = (cell.id for cell in make_plan(specs, "2", ["random"], 70).cells)
    pairs = list(compute_missing_rows(db, a, b))
    with open_for_writing(db) as session:
        get_connection(session).execute("DELETE FROM slice")
    slices = list(compute_unstored_slices(db))
    assert (len(pairs), len(slices)) == (1, 2)
    delete_run(db, "1")
    store_pair_rows(db, pairs)
    for cell, rows in slices:
        store_slices(db, cell, rows)
    assert [query(db, f"FROM {table}").num_rows for table in ("pair", "slice")] == [0, 0]


def test_differences_on_the_same_luck_are_summed_once_and_grow_with_the_deals(tmp_path):
    db = tmp_path / "pairs.duckdb"
    specs = [MAGPIES, f"{MAGPIES}+worth=1/2/3/5/9"]
    for deals in (100, 300):
        simulate(*specs, db=db, players="2", agents=["greedy,random"], matches=2 * deals)
        a, b = (cell.id for cell in make_plan(specs, "2", ["greedy,random"], 2 * deals).cells)
        update_pair(db, a, b)
        sums = load_pair_sums(db, a, b)
        sql = f"""
            SELECT avg(b.turns - a.turns) AS turns,
                avg((a.hash != b.hash OR a.winning_margin != b.winning_margin)::INT) AS affected
            FROM match a JOIN match b USING (deal, seating) WHERE a.cell_id = {a} AND b.cell_id = {b}"""
        (truth,) = query(db, sql).to_pylist()
        n, total, squares = sums["turns"]
        assert n == deals
        assert total / n == pytest.approx(truth["turns"])
        assert squares >= total * total / n
        assert truth["affected"] <= sums["affected"][1] / n < 0.5
    assert sum(query(db, "SELECT deals FROM pair WHERE value = 'turns'")["deals"].to_pylist()) == 300


def test_cells_without_shared_luck_are_not_paired(whole):
    cells = query(whole, "SELECT cell_id FROM cells ORDER BY line_up")["cell_id"].to_pylist()
    with pytest.raises(InvalidInput, match="have no shared luck"):
        update_pair(whole, cells[0], cells[-1])


def test_results_are_exported_as_parquet_and_csv(whole, tmp_path):
    for ending in ("parquet", "csv"):
        assert export(whole, "results", tmp_path / f"out.{ending}") == 2400
        assert duckdb.sql(f"SELECT count(*) FROM '{tmp_path}/out.{ending}'").fetchone() == (2400,)
    with pytest.raises(InvalidInput, match=r"name a .parquet or a .csv file"):
        export(whole, "results", tmp_path / "out.xlsx")
    with pytest.raises(InvalidInput, match="no table 'result'; did you mean results"):
        export(whole, "result", tmp_path / "out.csv")


def test_a_plan_kept_in_a_file_plays_the_same(whole, tmp_path):
    specs = [MAGPIES, f"{MAGPIES}+hand_size=6"]
    plan = make_plan(specs, "2", ["random", "greedy,random"], 300, note="kept")
    (tmp_path / "plan.toml").write_text(format_plan(plan))
    assert [cell.id for cell in read_plan(tmp_path / "plan.toml").cells] == [cell.id for cell in plan.cells]


def test_a_plan_file_may_define_variants(tmp_path):
    text = f'[run]\nvariants = ["big"]\nplayers = "2"\n\n[big]\nbase = "{MAGPIES}"\nhand_size = 6\n'
    (tmp_path / "plan.toml").write_text(text)
    (cell,) = read_plan(tmp_path / "plan.toml").cells
    assert (cell.variant.name, cell.variant.values["hand_size"]) == ("big", (6, 6, 6))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[run]\nvariants = []\n", "variants names at least one"),
        ("[run]\nvariants = ['x']\ndeal = 3\n", "line 3: there is no field 'deal'"),
        ("[run]\nvariants = ['x']\nmatches = '3'\n", "line 3: matches is a whole number, not '3'"),
        ("[exp]\nvariants = ['x']\n", "it needs a table \\[run\\]"),
        ("[run\n", "at line 1"),
    ],
)
def test_a_broken_plan_names_file_and_field(tmp_path, text, message):
    (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(InvalidInput, match=f"plan.toml.*{message}"):
        read_plan(tmp_path / "plan.toml")


def test_all_mistakes_of_a_plan_are_told_at_once_each_with_its_line(tmp_path):
    fields = ["matches = 0", "deal = 3", "seed = -1", 'players = "two"', "agents = [[]]", "minutes = true"]
    (tmp_path / "plan.toml").write_text("\n".join(["[mine]", "seed = 1", "[run]", *fields]))
    with pytest.raises(InvalidInput) as error:
        read_plan(tmp_path / "plan.toml")
    first, *mistakes = str(error.value).splitlines()
    assert first.endswith("plan.toml has 7 mistakes.")
    starts = ["[run]: variants names", "line 4: matches=0", "line 5: there is no field 'deal'"]
    starts += ["line 6: seed -1"]
    starts += ["line 7: players 'two'", "line 8: agents is a list of texts", "line 9: minutes is a number"]
    assert [text.strip()[: len(start)] for text, start in zip(mistakes, starts, strict=True)] == starts


@pytest.mark.parametrize(("spec", "counts"), [("3", [3]), ("2-4", [2, 3, 4]), ("2,4", [2, 4]), ("", [])])
def test_player_counts_are_written_in_three_ways(spec, counts):
    assert parse_player_counts(spec) == counts


def test_a_damaged_file_is_called_damaged_at_once(whole, tmp_path):
    """DuckDB's message has the word block, which is not the word lock."""
    content = bytearray(whole.read_bytes())
    for place in range(12_288 + 100, len(content), 262_144):  # in every block, behind its checksum
        content[place] ^= 0xFF
    db = tmp_path / "damaged.duckdb"
    db.write_bytes(content)
    for way in (open_for_reading, open_for_writing):
        with pytest.raises(UnusableFile, match=r"is damaged: .* play again into a new file"), way(db):
            pass
    assert db.read_bytes() == content


def test_a_file_that_is_not_ours_is_refused(tmp_path, run_command):
    (tmp_path / "text.duckdb").write_text("not a database at all, " * 100)
    (tmp_path / "short.duckdb").write_text("mine")
    for name, made in [
        ("theirs", "CREATE TABLE t (i INTEGER)"),
        ("like_ours", "CREATE TABLE match AS SELECT 1 AS i"),
    ]:
        duckdb.connect(str(tmp_path / f"{name}.duckdb")).execute(made).close()
    none, others = "it is not a DuckDB database", "it has no results of boardgames"
    for name, message in [("text", none), ("short", none), ("theirs", others), ("like_ours", others)]:
        db = tmp_path / f"{name}.duckdb"
        before = db.read_bytes()
        for way in (open_for_reading, open_for_writing):
            with pytest.raises(UnusableFile, match=message), way(db):
                pass
        assert db.read_bytes() == before
    done = run_command(*make_words(tmp_path / "theirs.duckdb", matches=1))
    assert done.returncode == 2
    assert others in done.stderr
    assert run_command(*make_words(tmp_path / "no" / "folder.duckdb", matches=1)).returncode == 2


def test_a_newer_file_is_refused_with_a_sentence(whole, tmp_path):
    newer = tmp_path / "newer.duckdb"
    newer.write_bytes(whole.read_bytes())
    con = duckdb.connect(str(newer))
    con.execute("UPDATE boardgames_file SET schema_version = ?", [SCHEMA + 1])
    con.close()
    with pytest.raises(UnusableFile, match="made by a newer boardgames"):
        list_runs(newer)


def test_an_older_file_is_brought_up_to_date_without_loss(whole, tmp_path):
    """The first schema had no variant.spec, and a list of tallies where now each has a column; the second
    kept fewer values.
    """
    old = tmp_path / "old.duckdb"
    old.write_bytes(whole.read_bytes())
    con = duckdb.connect(str(old))
    go_back_to_schema_4(con)
    con.execute(
        "DROP TABLE real_match; DROP TABLE real_seat; DROP TABLE actions;"
        "ALTER TABLE variant DROP COLUMN spec; DROP TABLE pair;"
        "DROP TABLE registration; DELETE FROM slice WHERE value = 'downtime';"
        "ALTER TABLE seat ADD COLUMN tally SMALLINT[]; UPDATE seat SET tally = [tally_1, tally_2];"
        + " ".join(f"ALTER TABLE seat DROP COLUMN IF EXISTS {name};" for name in TALLY_COLUMNS)
        + "CREATE TABLE pair (cell_a BIGINT, cell_b BIGINT, first_block BIGINT, blocks BIGINT,"
        " value VARCHAR, touched BIGINT);"
        "UPDATE boardgames_file SET schema_version = 1"
    )
    con.close()
    width = len(read_rows(whole)["seat"][0])
    packed = {
        name: [row[:width] for row in table] if name == "seat" else table
        for name, table in read_rows(old).items()
    }
    assert packed == read_rows(whole)
    rebuild_slices(old)
    assert read_totals(old) == read_totals(whole)
    assert query(old, "SELECT DISTINCT spec FROM variant ORDER BY 1")["spec"].to_pylist() == [
        "magpies",
        "magpies+hand_size=6",
    ]
    assert len(query(old)) == len(query(whole))


@pytest.fixture
def old_and_evil(whole, tmp_path):
    """A file of schema 4 from a stranger, and a file beside it that is none of their business."""
    db = tmp_path / "sent.duckdb"
    db.write_bytes(whole.read_bytes())
    (tmp_path / "private.txt").write_text("secret")
    with duckdb.connect(str(db)) as con:
        go_back_to_schema_4(con)
        con.execute("INSERT INTO registration VALUES (1, 1, now(), 0, 'mine', '{}')")
    return db


def test_what_an_older_file_asks_for_is_denied_while_it_is_brought_up_to_date(old_and_evil):
    """A macro of the file takes the place of a function that an update uses."""
    with duckdb.connect(str(old_and_evil)) as con:
        path = old_and_evil.with_name("private.txt")
        con.execute(f"CREATE MACRO replace(a, b, c) AS (SELECT content FROM read_text('{path}'))")
    before = old_and_evil.read_bytes()
    for way in (open_for_reading, open_for_writing):
        with pytest.raises(UnusableFile, match="its macro 'replace' has the name of"), way(old_and_evil):
            pass
    assert old_and_evil.read_bytes() == before


@pytest.mark.parametrize("table", ["seat", "experiment", "boardgames_file", "run"])
def test_a_file_with_a_view_in_place_of_a_table_is_refused(table, old_and_evil):
    with duckdb.connect(str(old_and_evil)) as con:
        con.execute(f"DROP TABLE IF EXISTS {table}")
        con.execute(f"CREATE VIEW {table} AS FROM read_text('{old_and_evil.with_name('private.txt')}')")
    before = old_and_evil.read_bytes()
    for way in (open_for_reading, open_for_writing):
        with pytest.raises(UnusableFile, match=f"'{table}' is a query in it, not a table"), way(old_and_evil):
            pass
    assert old_and_evil.read_bytes() == before


def test_ctrl_c_during_a_query_is_ctrl_c(whole):
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        query(whole, "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b")


FATAL = "FATAL Error: Failed to create checkpoint because of error: Could not write file"


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (
            errno.ENOSPC,
            "the disk is full; make room, or choose another disk. What was stored before is still",
        ),
        (errno.EDQUOT, "your share of the disk is full; make room, or choose another disk. What was stored"),
        (errno.EIO, "tells whether what was stored before can still be read"),
    ],
)
def test_what_a_failed_write_means_for_what_was_stored_is_said_only_where_it_is_known(
    number, sentence, tmp_path
):
    """DuckDB gives the system's words, in the language of its library."""
    db = tmp_path / "mine.duckdb"
    with pytest.raises(UnusableFile, match=sentence) as refusal, open_for_writing(db):
        raise duckdb.FatalException(f'{FATAL} "{db}": {os.strerror(number)}')
    assert ("still there" in str(refusal.value)) == (number != errno.EIO)
    assert ("FATAL" in str(refusal.value)) == (number == errno.EIO)


def test_a_disk_that_gives_no_locks_is_named_at_once_and_not_called_in_use(tmp_path, monkeypatch):
    """A network disk without a service for locks: DuckDB gets none, nor does anyone else."""
    db, refusal = tmp_path / "mine.duckdb", OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    def refuse(*file: object) -> None:
        raise refusal

    def connect(database: str, **options: object) -> None:
        raise duckdb.IOException(
            f'IO Error: Could not set lock on file "{database}": {refusal.strerror}. See also'
        )

    with open_for_writing(db):
        pass
    monkeypatch.setattr(fcntl, "lockf", refuse)
    monkeypatch.setattr(duckdb, "connect", connect)
    with pytest.raises(UnusableFile, match=r"cannot lock .*: .* \(ENOLCK\)"), open_for_reading(db, 3600):
        pass


@pytest.mark.long
def test_a_full_disk_is_reported_and_nothing_is_lost(whole, tmp_path, run_command):
    db = tmp_path / "full.duckdb"
    assert run_command(*make_words(db, matches=100)).returncode == 0
    room = db.stat().st_size + 100_000
    done = subprocess.run(
        make_command(db, matches=10_000),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f"could not write to {db}: the file would be larger than this system allows" in done.stderr
    assert "Traceback" not in done.stderr
    assert count_consistent(db) >= 400
    assert run_command(*make_words(db)).returncode == 0
    assert read_rows(db)["match"][:600] == read_rows(whole)["match"][:600]


# ---- a file that somebody else has open

HOLDER = """
import sys, duckdb
con = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "reader")
print("open", flush=True)
sys.stdin.readline()
"""


@contextmanager
def hold_open(db: Path, kind: str) -> Iterator[subprocess.Popen[str]]:
    """Another process has the file open until it gets a line, or until the end."""
    line = [sys.executable, "-c", HOLDER, str(db), kind]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "open\n"
            yield process
        finally:
            process.kill()


def test_a_locked_file_is_waited_for_and_then_its_user_is_named(whole, tmp_path, run_command):
    db = tmp_path / "locked.duckdb"
    db.write_bytes(whole.read_bytes())
    with hold_open(db, "writer") as process:
        output = rf"locked.duckdb is in use: .*\(PID {process.pid}\) has it open"
        with pytest.raises(FileInUse, match=output), open_for_reading(db, patience=0.1):
            pass
        done = run_command("runs", "--db", db, BOARDGAMES_PATIENCE="0.1")
    assert done.returncode == 4
    assert re.search(output, done.stderr)


@pytest.mark.parametrize("name", ["clock.duckdb", "lock/r.duckdb", "Could not set lock on file.duckdb"])
def test_a_file_that_cannot_be_opened_is_not_called_in_use_because_of_its_name(name, tmp_path, run_command):
    db = tmp_path / name
    db.parent.mkdir(exist_ok=True)
    db.write_bytes(b"x" * 20_000)
    done = run_command("runs", "--db", db, in_process=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("is not a boardgames result file: it is not a DuckDB database\n")


@pytest.mark.parametrize("version", ["0", "-3", "0.5"])
def test_a_file_with_an_impossible_schema_is_refused_and_stays_as_it_is(
    version, whole, tmp_path, run_command
):
    db = tmp_path / "spoilt.duckdb"
    db.write_bytes(whole.read_bytes())
    with duckdb.connect(str(db)) as con:
        con.execute("DROP TABLE boardgames_file")
        con.execute(f"CREATE TABLE boardgames_file AS SELECT {version} AS schema_version, '' AS made_by")
    before = db.read_bytes()
    for words in (["runs"], make_words(db)[:-2]):
        done = run_command(*words, "--db", db, in_process=True)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"is damaged: it says that its schema is {version}, and schemas count from 1" in done.stderr
        assert db.read_bytes() == before


NAMES = [
    "run%20one.duckdb",
    "a#b;c.duckdb",
    "md:x.duckdb",
    "s3:x",
    ":memory:",
    "it's 'so'.duckdb",
    "é ü.duckdb",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_result_file_has_the_name_that_was_typed(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    simulate(MAGPIES, db=name, players="2", agents="random", matches=2)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert query(name, "FROM cells").num_rows == 1


@pytest.mark.parametrize("name", ["a?access_mode=read_only.duckdb", "a?b/r.duckdb"])
def test_a_name_that_duckdb_does_not_take_as_it_is_is_refused_and_no_file_is_made(
    name, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path(name).parent.mkdir(exist_ok=True)
    for use in (query, lambda db: simulate(MAGPIES, db=db, players="2", agents="random", matches=2)):
        with pytest.raises(UnusableFile, match=r"with a \? in its name or folder; choose another name"):
            use(name)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("is_reader", [True, False])
def test_a_connection_that_this_program_has_open_is_named(is_reader, whole, tmp_path, monkeypatch):
    db = tmp_path / "own.duckdb"
    db.write_bytes(whole.read_bytes())
    monkeypatch.setenv("BOARDGAMES_PATIENCE", "3600")  # for other programs
    monkeypatch.setattr(waiting, "OWN_PATIENCE", 0.1)
    with duckdb.connect(str(db), read_only=is_reader):
        for use in (query, lambda db: simulate(MAGPIES, db=db, players="2", agents="random", matches=310)):
            with pytest.raises(FileInUse, match="in use: close the connection that this program") as refused:
                use(db)
            assert refused.value.process == os.getpid()
    assert simulate(MAGPIES, db=db, players="2", agents="random", matches=310).stored == 10


def test_a_file_that_this_program_has_attached_to_another_is_in_use_until_it_is_detached(
    whole, tmp_path, monkeypatch
):
    db = tmp_path / "attached.duckdb"
    db.write_bytes(whole.read_bytes())
    monkeypatch.setattr(waiting, "OWN_PATIENCE", 0.1)
    with duckdb.connect(str(tmp_path / "notes.duckdb")) as con:
        con.execute(f"ATTACH '{db}' AS results")
        with pytest.raises(FileInUse, match="in use: close the connection that this program"):
            query(db, "FROM cells")
    assert query(db, "FROM cells").num_rows == 4


def test_readers_of_one_process_may_overlap(whole, tmp_path):
    with ThreadPoolExecutor(8) as pool:
        with open_for_reading(whole):
            assert pool.submit(query, whole, "FROM cells").result().num_rows == 4
            # these have a file to write, too, and wait for the others
            outputs = [tmp_path / f"{number}.csv" for number in range(8)]
            exports = [pool.submit(export, whole, "cells", output) for output in outputs]
            assert query(whole, "FROM cells").num_rows == 4
        assert [done.result() for done in exports] == [4] * 8


class Disturbed(logging.Handler):
    """A run of the matches in `whole`, while a reader opens the file after the first of them was played: in
    another process, unless `hold` is replaced.
    """

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__()
        self.path, self.all_played, self.told = path, threading.Event(), []
        self.hear: Callable[[str], None] = lambda line: None
        self.hold: Callable[[Path, str], AbstractContextManager[Any]] = hold_open
        monkeypatch.setattr(writer, "FLUSH_MATCHES", 100)  # the first portion is due long before the end
        monkeypatch.setattr(threads, "MATCHES_PER_SPAN", 16)  # and what arrives at once is little

    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(record.getMessage())
        self.hear(self.told[-1])

    def play(self) -> None:
        with ExitStack() as stack:
            self.reader: Any = None

            def report(at: Progress) -> None:
                self.reader = self.reader or stack.enter_context(self.hold(self.path, "reader"))
                if at.matches == at.wanted:
                    self.all_played.set()

            logger = logging.getLogger("boardgames")
            logger.addHandler(self)
            stack.callback(logger.removeHandler, self)
            run_plan(make_whole_plan(300), self.path, workers=2, on_progress=report)


@pytest.fixture
def disturbed(tmp_path, monkeypatch) -> Disturbed:
    return Disturbed(tmp_path / "disturbed.duckdb", monkeypatch)


def test_a_reader_in_mid_run_delays_storing_not_playing_and_nothing_is_lost(whole, disturbed):
    def leave(line: str) -> None:
        disturbed.all_played.wait()  # the run plays on, though nothing can be stored
        disturbed.reader.communicate("close\n")

    disturbed.hear = leave
    disturbed.play()
    assert f"(PID {disturbed.reader.pid}) has it open" in disturbed.told[0]
    assert re.search("[1-9][0-9,]* matches wait to be stored", disturbed.told[0])
    assert read_rows(disturbed.path) == read_rows(whole)
    assert read_totals(disturbed.path) == read_totals(whole)


def test_a_connection_of_the_same_program_delays_storing_too(whole, disturbed):
    def leave(line: str) -> None:
        disturbed.all_played.wait()
        disturbed.reader.close()

    disturbed.hear, disturbed.hold = leave, lambda path, kind: duckdb.connect(str(path), read_only=True)
    disturbed.play()
    assert "is in use: close the connection that this program has open; " in disturbed.told[0]
    assert read_rows(disturbed.path) == read_rows(whole)


def test_a_run_that_waits_too_long_for_a_reader_says_what_is_not_stored_and_the_next_one_plays_it(
    whole, disturbed, monkeypatch
):
    monkeypatch.setenv("BOARDGAMES_PATIENCE", "0")
    with pytest.raises(
        FileInUse, match=r"has it open; [1-9][0-9,]* finished matches could not be stored. The same command"
    ):
        disturbed.play()
    run_plan(make_whole_plan(300), disturbed.path)
    assert read_rows(disturbed.path) == read_rows(whole)


@pytest.mark.long
def test_ctrl_c_twice_gives_up_a_run_that_waits_for_a_reader(disturbed):
    disturbed.hear = lambda line: os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(FileInUse, match="finished matches could not be stored") as given_up:
        disturbed.play()
    assert given_up.value.exit_code == 4
    assert "Ctrl-C gives them up" in disturbed.told[1]


def test_playing_stops_where_too_much_waits_to_be_stored(disturbed, monkeypatch):
    monkeypatch.setattr(writer, "MOST_WAITING", 200)
    monkeypatch.setenv("BOARDGAMES_PATIENCE", "0")
    with pytest.raises(FileInUse) as given_up:
        disturbed.play()
    matches = int(re.search("([0-9,]+) finished matches", str(given_up.value))[1].replace(",", ""))
    assert 200 <= matches < 600
    assert not disturbed.all_played.is_set()


@pytest.mark.long
def test_snapshots_during_a_run_hold_whole_portions_of_it(whole, tmp_path, run_command):
    db, copy, counts = tmp_path / "running.duckdb", tmp_path / "copy.duckdb", set()
    process = subprocess.Popen(
        make_command(db, matches=10_000_000), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    wait_until_stored(process, db)
    while len(counts) < 2 and process.poll() is None:
        done = run_command("snapshot", copy, "--db", db)
        assert done.returncode == 0, done.stderr
        counts.add(count_consistent(copy))
        assert f"copied {max(counts):,} matches into {copy}" in done.stdout
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert process.returncode in (130, -signal.SIGINT), errors
    assert len(counts) == 2
    deals = make_whole_plan(300).deals  # by cell
    first = {
        name: [row for row in table if row[1] < deals[row[0]]] for name, table in read_rows(copy).items()
    }
    assert first == read_rows(whole)


def test_a_snapshot_replaces_an_older_one_and_nothing_else(whole, tmp_path):
    db, copy = tmp_path / "some.duckdb", tmp_path / "copy.duckdb"
    assert (snapshot(whole, db), snapshot(db, copy), snapshot(db, copy)) == (1200, 1200, 1200)
    simulate(MAGPIES, db=copy, players="2", agents=["random"], matches=310)
    with pytest.raises(InvalidInput, match=r"copy.duckdb has results that .*some.duckdb does not have"):
        snapshot(db, copy)
    with pytest.raises(InvalidInput, match="is the file itself"):
        snapshot(db, db)
    (tmp_path / "letter.txt").write_text("Dear Anna, " * 2000)
    with pytest.raises(UnusableFile, match="is not a boardgames result file"):
        snapshot(db, tmp_path / "letter.txt")
    assert (tmp_path / "letter.txt").read_text().startswith("Dear Anna")
    assert {file.name for file in tmp_path.iterdir()} == {"some.duckdb", "copy.duckdb", "letter.txt"}


def test_a_snapshot_leaves_the_file_to_the_other_readers_of_its_process(whole, tmp_path):
    """To close any descriptor of a file ends the locks that a process has on it."""
    db = tmp_path / "read.duckdb"
    db.write_bytes(whole.read_bytes())
    writer = [sys.executable, "-c", HOLDER, str(db), "writer"]
    with open_for_reading(db):
        snapshot(db, tmp_path / "copy.duckdb")
        done = subprocess.run(writer, input="", capture_output=True, text=True, check=False)
    assert "Could not set lock on file" in done.stderr


def test_a_snapshot_has_what_another_program_left_in_a_log(whole, tmp_path):
    db = tmp_path / "logged.duckdb"
    db.write_bytes(whole.read_bytes())
    con = duckdb.connect(str(db))
    con.execute("UPDATE run SET note = 'from elsewhere'")
    left = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    con.close()
    for name, content in left.items():
        (tmp_path / name).write_bytes(content)
    assert (tmp_path / "logged.duckdb.wal").exists()
    snapshot(db, tmp_path / "copy.duckdb")
    assert list_runs(tmp_path / "copy.duckdb")[0].note == "from elsewhere"


@pytest.mark.long
def test_a_run_writes_down_its_command_versions_and_note(tmp_path, run_command):
    db = tmp_path / "noted.duckdb"
    assert run_command(*make_words(db, "--note", "first try", matches=2)).returncode == 0
    (stored_run,) = list_runs(db)
    assert (stored_run.name, stored_run.note, stored_run.matches, stored_run.wanted) == (
        f"{MAGPIES}, {MAGPIES}+hand_size=6",
        "first try",
        8,
        8,
    )
    assert stored_run.command.startswith("boardgames simulate magpies")
    versions = query(db, "SELECT versions FROM run")["versions"].to_pylist()[0]
    assert {"numba", "numpy", "duckdb", "python", "engine"} <= set(json.loads(versions))


def test_a_summary_gives_each_number_its_interval(tmp_path, run_command):
    done = run_command(*make_words(tmp_path / "told.duckdb", "--json", matches=200))
    report = json.loads(done.stdout)
    seat = report["cells"][0]["win_share_percent"][0]
    assert seat["low"] < seat["mean"] < seat["high"]
    assert seat["deals"] == 200
    assert sum(estimate["mean"] for estimate in report["cells"][0]["win_share_percent"]) == pytest.approx(100)


@pytest.mark.long
def test_a_dry_run_tells_matches_time_and_size_and_writes_nothing(tmp_path, run_command):
    done = run_command(*make_words(tmp_path / "dry.duckdb", "--dry-run", "--json"))
    report = json.loads(done.stdout)
    assert (report["cells"], report["matches"], report["to_play"]) == (4, 1200, 1200)
    assert report["seconds"] > 0
    assert not os.path.exists(tmp_path / "dry.duckdb")
