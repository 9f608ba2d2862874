"""Nothing is lost, nothing is doubled: after a stop, a kill, with two writers, with readers, over machines."""

import itertools
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr
from pathlib import Path

import duckdb
import pytest
from sqlalchemy import event
from sqlmodel import Session

from boardgames import BadInput, FileInUse, find_variant, snapshot
from boardgames.experiment.plan import Plan, Progress, make_plan, read_plan, read_players, write_plan
from boardgames.run import crew
from boardgames.run.simulate import matches, simulate
from boardgames.store.connection import connection, reading, writing
from boardgames.store.pairs import pair
from boardgames.store.rows import refill
from boardgames.store.runs import export, forget, list_runs, merge, replay_stored
from boardgames.store.schema import SCHEMA, TALLY_COLUMNS
from tests.processes import HANGS, interrupt, wait_until_stored
from tests.sizes import choose_size

MAGPIES = "tests.truth.card_game:GAME"
TABLES = {"match": "cell_id, block, arrangement", "seat": "cell_id, block, arrangement, seat"}


def rows(path: Path) -> dict[str, list[tuple]]:
    """All bulk rows, in their natural order."""
    with reading(path) as session:
        con = connection(session)
        return {name: con.execute(f"SELECT * FROM {name} ORDER BY {order}").fetchall() for name, order in TABLES.items()}


def totals(path: Path) -> dict[tuple, tuple]:
    """Blocks, total and squares by cell and value, from slices, rounded: sums in another order differ in the last digit."""
    query = "SELECT cell_id, value, sum(blocks), round(sum(total), 6), round(sum(squares), 6) FROM slice GROUP BY ALL"
    with reading(path) as session:
        return {row[:2]: row[2:] for row in connection(session).execute(query).fetchall()}


def command(into: Path, *more: str, blocks: int = 300) -> list[str]:
    words = ["simulate", MAGPIES, f"{MAGPIES}+hand_size=6", "--players", "2", "--agents", "random", "--agents", "greedy,random"]
    return [sys.executable, "-m", "boardgames", *words, "--blocks", str(blocks), "--into", str(into), *more]


def plan_like_whole(blocks: int) -> Plan:
    """What `command` plays."""
    return make_plan([MAGPIES, f"{MAGPIES}+hand_size=6"], "2", ["random", "greedy,random"], blocks)


def run(line: list[str], **more) -> subprocess.CompletedProcess[str]:
    return subprocess.run(line, capture_output=True, text=True, check=False, **more)


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """An unbroken run of 300 blocks: 2 variants, 2 line-ups, 2 players."""
    path = tmp_path_factory.mktemp("store") / "whole.duckdb"
    done = run(command(path, "--workers", "1"))
    assert done.returncode == 0, done.stderr
    return path


def test_every_match_and_seat_is_stored_once(whole):
    stored = rows(whole)
    assert len(stored["match"]) == 300 * 2 * (1 + 2)
    assert len(stored["seat"]) == 2 * len(stored["match"])
    assert len(set(stored["match"])) == len(stored["match"])


@pytest.mark.parametrize("workers", [2, 7])
def test_the_rows_do_not_depend_on_the_workers(whole, tmp_path, workers):
    path = tmp_path / "again.duckdb"
    assert run(command(path, "--workers", str(workers))).returncode == 0
    assert rows(path) == rows(whole)
    assert totals(path) == totals(whole)


def test_plain_and_compiled_give_the_same_rows(whole):
    from boardgames import play_batch

    batch = play_batch(find_variant(MAGPIES), "random", 2, 5, plain=True)
    query = "SELECT hash FROM matches WHERE variant = 'magpies' AND line_up = 'random' AND block < 5 ORDER BY block"
    assert matches(whole, query)["hash"].to_pylist() == batch.matches["hash"].tolist()


def test_asking_again_plays_nothing_and_asking_for_more_adds_only_that(whole, tmp_path):
    path = tmp_path / "grown.duckdb"
    assert run(command(path, blocks=100)).returncode == 0
    told = json.loads(run(command(path, "--json", blocks=100)).stdout)
    assert (told["stored"], told["there_before"]) == (0, 600)
    told = json.loads(run(command(path, "--json")).stdout)
    assert (told["stored"], told["there_before"]) == (1200, 600)
    assert rows(path) == rows(whole)
    assert totals(path) == totals(whole)
    assert len(list_runs(path)) == 1


# ---- stopped without mercy

PORTIONS = 21_000  # blocks that are stored in two portions, each with more seats than a row group of DuckDB has
MORTAL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it; without that, the system kills whoever writes beyond the limit
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
from boardgames import cli
from boardgames.run import crew
crew.FLUSH_SECONDS = 3600  # portions by their size alone, however slow the machine
sys.argv = sys.argv[1:]
cli.main()
"""


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("kills") / "unbroken.duckdb"
    done = run([*command(path, blocks=PORTIONS), "--workers", "2"])
    assert done.returncode == 0, done.stderr
    return path


def killed_at(path: Path, size: int, by_the_system: bool) -> bool:
    """Whether a run was killed when its file outgrew a size: inside that very write, or as soon as somebody else notices."""
    limit = size if by_the_system else resource.RLIM_INFINITY
    words = [*command(path, blocks=PORTIONS)[3:], "--workers", "2"]
    line = [sys.executable, "-c", MORTAL, str(limit), *words]
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not by_the_system and process.poll() is None and (not path.exists() or path.stat().st_size <= size):
        time.sleep(0.001)
    if not by_the_system:
        process.kill()
    return process.wait() in (-signal.SIGXFSZ, -signal.SIGKILL)


@pytest.mark.parametrize("kills", [3, pytest.param(choose_size(20, 200), marks=[pytest.mark.long, pytest.mark.soak])])
def test_a_killed_run_loses_nothing_it_reported_and_resumes_row_for_row(kills, unbroken, tmp_path):
    """Each time what is there is whole, and never less than before. A file that gets complete is followed by a new one."""
    chance, path, before, killed = random.Random(kills), tmp_path / "first.duckdb", 0, 0
    whole = unbroken.stat().st_size
    for attempt in itertools.count():
        size = path.stat().st_size if path.exists() else 0
        dead = killed_at(path, chance.randrange(size, max(whole, size + 1)), by_the_system=attempt % 2 == 0)
        killed += dead
        now = consistent(path) if path.exists() else 0
        assert now >= before
        before = now
        if killed == kills:
            break
        if not dead:
            assert_same(path, unbroken)
            path, before = tmp_path / f"{attempt}.duckdb", 0
    assert run(command(path, blocks=PORTIONS)).returncode == 0
    assert_same(path, unbroken)


def assert_same(path: Path, other: Path) -> None:
    assert fingerprint(path) == fingerprint(other)
    assert totals(path) == totals(other)


def test_whatever_is_left_of_a_log_a_resumed_run_doubles_and_loses_nothing(unbroken, tmp_path, monkeypatch):
    """A log that is cut off anywhere: what the disk has of it, if everything stops between a commit and the closing of the file."""
    monkeypatch.setattr(crew, "FLUSH_SECONDS", 3600)  # portions by their size alone, however slow the machine
    path, left = tmp_path / "played.duckdb", []

    def copy_all(session) -> None:
        left.append({file.name: file.read_bytes() for file in tmp_path.glob("played.duckdb*")})

    plan = plan_like_whole(PORTIONS)
    event.listen(Session, "after_commit", copy_all)
    try:
        simulate(plan, path, workers=2)
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
            consistent(again)
    simulate(plan, again, workers=2)
    assert_same(again, unbroken)


@pytest.mark.parametrize("size", [0, 12, 4096, 5000, 8192, 12_287, 12_288])
def test_a_file_whose_making_was_cut_off_is_made_anew(tmp_path, size):
    path = tmp_path / "stump.duckdb"
    duckdb.connect(str(path)).close()
    stump = path.read_bytes()[:size]
    assert len(stump) == size
    path.write_bytes(stump)
    assert list_runs(path) == []
    path.write_bytes(stump)
    assert simulate([MAGPIES], path, players="2", agents=["random"], blocks=5).stored == 5
    assert consistent(path) == 5


def test_a_file_with_some_of_our_tables_and_no_rows_is_made_anew(tmp_path):
    path = tmp_path / "half.duckdb"
    con = duckdb.connect(str(path))
    con.execute("CREATE TABLE cell (id BIGINT); CREATE TABLE boardgames_file (schema_version INTEGER)")
    con.close()
    assert simulate([MAGPIES], path, players="2", agents=["random"], blocks=5).stored == 5
    assert consistent(path) == 5


def test_slices_worked_out_anew_are_worked_out_for_all_of_a_cell_or_not_at_all(tmp_path):
    """A cell with some slices counts as done: after a stop in between, its other batches would never be counted."""
    path, counts = tmp_path / "old.duckdb", []
    for blocks in (70, 140):
        simulate([MAGPIES], path, players="2", agents=["random"], blocks=blocks)
    before = totals(path)
    with writing(path) as session:
        connection(session).execute("DELETE FROM slice")

    def count(session) -> None:
        counts.append(connection(session).execute("SELECT coalesce(sum(blocks), 0) FROM slice WHERE value = 'turns'").fetchone()[0])

    event.listen(Session, "before_commit", count)
    try:
        refill(path)
        refill(path)
    finally:
        event.remove(Session, "before_commit", count)
    assert set(counts) == {140}
    assert totals(path) == before


def test_games_with_different_tallies_go_into_one_file_in_one_run(tmp_path):
    plan = make_plan([MAGPIES, "tests.truth.tic_tac_toe:GAME"], "2", ["random"], 5, 1)
    assert simulate(plan, tmp_path / "both.duckdb").stored == 10
    assert consistent(tmp_path / "both.duckdb") == 10


def consistent(path: Path) -> int:
    """The number of matches, after checking that all tables tell the same."""
    with reading(path) as session:
        con = connection(session)
        if "match" not in {name for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()}:
            return 0
        count = con.execute("SELECT count(*) FROM match").fetchone()[0]
        assert con.execute("SELECT count(*) FROM seat").fetchone()[0] == 2 * count
        assert con.execute("SELECT coalesce(sum(matches), 0) FROM batch").fetchone()[0] == count
        weighted = (
            "SELECT coalesce(sum(s.blocks * c.seatings), 0) FROM slice s JOIN cell c ON c.id = s.cell_id WHERE s.value = 'turns'"
        )
        assert con.execute(weighted).fetchone()[0] == count
        return count


def fingerprint(path: Path) -> list[tuple]:
    """The content of the bulk tables, whatever the order of their rows."""
    with reading(path) as session:
        con = connection(session)
        return [con.execute(f"SELECT count(*), bit_xor(hash({name}::VARCHAR)) FROM {name}").fetchone() for name in TABLES]


def test_ctrl_c_stores_what_is_finished_and_says_how_to_go_on(tmp_path):
    path = tmp_path / "stopped.duckdb"
    process = subprocess.Popen(command(path, blocks=10_000_000), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert "all finished matches are stored. To go on: boardgames simulate" in interrupt(process, path)
    assert consistent(path) > 0


def test_ctrl_c_while_rules_are_compiled_ends_at_once_and_without_a_traceback(tmp_path):
    fresh = {**os.environ, "BOARDGAMES_CACHE": str(tmp_path / "cache")}
    process = subprocess.Popen(
        command(tmp_path / "none.duckdb"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=fresh
    )
    assert "Compiling the rules" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=HANGS)
    assert process.returncode == 130
    assert told.startswith("boardgames: stopped")
    assert told.count("\n") == 1


def test_two_commands_on_one_file_both_finish(whole, tmp_path):
    path = tmp_path / "shared.duckdb"
    both = [subprocess.Popen(command(path), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        _, told = process.communicate(timeout=HANGS)
        assert process.returncode == 0, told
    assert rows(path) == rows(whole)
    assert totals(path) == totals(whole)


@pytest.mark.long
def test_a_reader_sees_growing_counts_and_no_error_while_matches_arrive(tmp_path):
    path, counts = tmp_path / "read.duckdb", [0]
    process = subprocess.Popen(command(path, "--workers", "2", blocks=10_000_000), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while len(set(counts)) < 4 and process.poll() is None:
        if path.exists():
            counts.append(consistent(path))
        time.sleep(0.05)  # a reader that comes back at once leaves the writer no turn
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode in (130, -signal.SIGINT), told
    assert counts == sorted(counts)
    assert consistent(path) >= counts[-1]


def test_results_have_one_row_per_match_and_seat_with_friendly_names(whole):
    table = matches(whole)
    assert table.column_names[:14] == [
        "game", "variant", "players", "line_up", "block", "arrangement", "seat", "agent", "score", "place", "win_share", "turns",
        "decisions", "end_reason",
    ]  # fmt: skip
    assert len(table) == len(rows(whole)["seat"])
    assert set(table["end_reason"].to_pylist()) <= {"full nest", "winter"}
    assert sum(table["win_share"].to_pylist()) == pytest.approx(len(table) / 2)
    agents = matches(whole, "SELECT DISTINCT arrangement, seat, agent FROM results WHERE line_up = 'greedy,random' ORDER BY ALL")
    assert agents.to_pylist() == [
        {"arrangement": 0, "seat": 1, "agent": "greedy"},
        {"arrangement": 0, "seat": 2, "agent": "random"},
        {"arrangement": 1, "seat": 1, "agent": "random"},
        {"arrangement": 1, "seat": 2, "agent": "greedy"},
    ]


def test_any_stored_match_is_replayed_and_changed_rules_are_refused(whole, tmp_path):
    (one,) = matches(
        whole, "SELECT * FROM matches WHERE line_up = 'greedy,random' AND block = 7 AND arrangement = 1 LIMIT 1"
    ).to_pylist()
    match = replay_stored(whole, f"{one['cell_id']}/7/1")
    assert len(match.actions) == one["decisions"]
    assert match.end == one["end_reason"]
    changed = tmp_path / "changed.duckdb"
    changed.write_bytes(whole.read_bytes())
    with writing(changed) as session:
        connection(session).execute("UPDATE variant SET fingerprint = 'of other rules'")
    with pytest.raises(BadInput, match="have changed since this match; --anyway"):
        replay_stored(changed, f"{one['cell_id']}/7/1")
    assert replay_stored(changed, f"{one['cell_id']}/7/1", anyway=True).actions == match.actions
    assert list(list_runs(changed)[0].changed) == ["magpies", "magpies+hand_size=6"]


@pytest.mark.parametrize(("name", "told"), [("1/2", "three whole numbers"), ("1/2/3", "has no cell 1")])
def test_a_match_that_is_not_there_is_told_so(whole, name, told):
    with pytest.raises(BadInput, match=told):
        replay_stored(whole, name)


def test_files_of_two_machines_are_joined_and_overlaps_are_not_doubled(whole, tmp_path):
    here, there = tmp_path / "here.duckdb", tmp_path / "there.duckdb"
    simulate([MAGPIES], here, players="2", agents=["random"], blocks=150)
    simulate([MAGPIES, f"{MAGPIES}+hand_size=6"], there, players="2", agents=["random", "greedy,random"], blocks=300, workers=2)
    assert merge(here, there) == 1800 - 150
    assert rows(here) == rows(whole)
    assert totals(here) == totals(whole)
    assert merge(here, there) == 0
    assert len(list_runs(here)) == 2


def test_forgetting_a_run_removes_its_matches_and_gives_the_space_back(tmp_path):
    path = tmp_path / "forget.duckdb"
    simulate([MAGPIES], path, players="2", agents=["random"], blocks=100, name="small")
    kept = rows(path)
    simulate([MAGPIES], path, players="4", agents=["random"], blocks=60_000, name="large")
    size = path.stat().st_size
    killed = "import os, sys; from pathlib import Path; from boardgames.files import output_file\n"
    killed += "with output_file(Path(sys.argv[1])) as part: [part.write_text('half of it'), os._exit(9)]"
    subprocess.run([sys.executable, "-c", killed, str(path)], check=False)
    assert len(list(tmp_path.iterdir())) == 2
    assert forget(path, "large") == 60_000
    assert rows(path) == kept
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_size < size / 2
    assert [one.name for one in list_runs(path)] == ["small"]
    with pytest.raises(BadInput, match="no run 'large'"):
        forget(path, "large")
    simulate([MAGPIES], path, players="2", agents=["random"], blocks=110, name="small")  # the file is still good for writing


def test_forgetting_in_a_file_that_is_not_there_makes_none(tmp_path):
    with pytest.raises(BadInput, match="there is no file"):
        forget(tmp_path / "nowhere.duckdb", "1")
    assert list(tmp_path.iterdir()) == []


def test_forgetting_keeps_what_another_run_asked_for(tmp_path):
    path = tmp_path / "shared.duckdb"
    for name in ("one", "two"):
        simulate([MAGPIES], path, players="2", agents=["random"], blocks=50, name=name)
    assert forget(path, "one") == 0
    assert len(rows(path)["match"]) == 50


def test_differences_on_the_same_luck_are_summed_once_and_grow_with_the_blocks(tmp_path):
    path = tmp_path / "pairs.duckdb"
    specs = [MAGPIES, f"{MAGPIES}+worth=1/2/3/5/9"]
    for blocks in (100, 300):
        simulate(specs, path, players="2", agents=["greedy,random"], blocks=blocks)
        a, b = (cell.id for cell in make_plan(specs, "2", ["greedy,random"], blocks).cells)
        sums = pair(path, a, b)
        query = f"""
            SELECT avg(b.turns - a.turns) AS turns, avg((a.hash != b.hash OR a.margin != b.margin)::INT) AS touched
            FROM match a JOIN match b USING (block, arrangement) WHERE a.cell_id = {a} AND b.cell_id = {b}"""
        (truth,) = matches(path, query).to_pylist()
        n, total, squares = sums["turns"]
        assert n == blocks
        assert total / n == pytest.approx(truth["turns"])
        assert squares >= total * total / n
        assert truth["touched"] <= sums["touched"][1] / n < 0.5
    assert sum(matches(path, "SELECT blocks FROM pair WHERE value = 'turns'")["blocks"].to_pylist()) == 300


def test_cells_without_shared_luck_are_not_paired(whole):
    cells = matches(whole, "SELECT cell_id FROM cells ORDER BY line_up")["cell_id"].to_pylist()
    with pytest.raises(BadInput, match="have no shared luck"):
        pair(whole, cells[0], cells[-1])


def test_results_are_exported_as_parquet_and_csv(whole, tmp_path):
    for ending in ("parquet", "csv"):
        assert export(whole, "results", tmp_path / f"out.{ending}") == 3600
        assert duckdb.sql(f"SELECT count(*) FROM '{tmp_path}/out.{ending}'").fetchone() == (3600,)
    with pytest.raises(BadInput, match=r"name a .parquet or a .csv file"):
        export(whole, "results", tmp_path / "out.xlsx")
    with pytest.raises(BadInput, match="no table 'result'; did you mean results"):
        export(whole, "result", tmp_path / "out.csv")


def test_a_plan_kept_in_a_file_plays_the_same(whole, tmp_path):
    specs = [MAGPIES, f"{MAGPIES}+hand_size=6"]
    plan = make_plan(specs, "2", ["random", "greedy,random"], 300, note="kept")
    (tmp_path / "plan.toml").write_text(write_plan(plan))
    assert [cell.id for cell in read_plan(tmp_path / "plan.toml").cells] == [cell.id for cell in plan.cells]


def test_a_plan_file_may_define_variants(tmp_path):
    text = f'[experiment]\nvariants = ["big"]\nplayers = "2"\n\n[big]\nbase = "{MAGPIES}"\nhand_size = 6\n'
    (tmp_path / "plan.toml").write_text(text)
    (cell,) = read_plan(tmp_path / "plan.toml").cells
    assert (cell.variant.name, cell.variant.values["hand_size"]) == ("big", (6, 6, 6))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[experiment]\nvariants = []\n", "variants names at least one"),
        ("[experiment]\nvariants = ['x']\nblock = 3\n", "line 3: there is no field 'block'"),
        ("[experiment]\nvariants = ['x']\nblocks = '3'\n", "line 3: blocks is a whole number, not '3'"),
        ("[exp]\nvariants = ['x']\n", "it needs a table \\[experiment\\]"),
        ("[experiment\n", "at line 1"),
    ],
)
def test_a_broken_plan_names_file_and_field(tmp_path, text, told):
    (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(BadInput, match=f"plan.toml.*{told}"):
        read_plan(tmp_path / "plan.toml")


@pytest.mark.parametrize(("spec", "counts"), [("3", [3]), ("2-4", [2, 3, 4]), ("2,4", [2, 4]), ("", [])])
def test_player_counts_are_written_in_three_ways(spec, counts):
    assert read_players(spec) == counts


def test_a_file_that_is_not_ours_is_refused(tmp_path):
    (tmp_path / "text.duckdb").write_text("not a database at all, " * 100)
    (tmp_path / "short.duckdb").write_text("mine")
    for name, made in [("theirs", "CREATE TABLE t (i INTEGER)"), ("like_ours", "CREATE TABLE match AS SELECT 1 AS i")]:
        duckdb.connect(str(tmp_path / f"{name}.duckdb")).execute(made).close()
    none, others = "it is no DuckDB database", "it has no results of boardgames"
    for name, told in [("text", none), ("short", none), ("theirs", others), ("like_ours", others)]:
        path = tmp_path / f"{name}.duckdb"
        before = path.read_bytes()
        for way in (reading, writing):
            with pytest.raises(BadInput, match=told), way(path):
                pass
        assert path.read_bytes() == before
    done = run(command(tmp_path / "theirs.duckdb", blocks=1))
    assert done.returncode == 2
    assert others in done.stderr
    assert run(command(tmp_path / "no" / "folder.duckdb", blocks=1)).returncode == 2


def test_a_newer_file_is_refused_with_a_sentence(whole, tmp_path):
    newer = tmp_path / "newer.duckdb"
    newer.write_bytes(whole.read_bytes())
    con = duckdb.connect(str(newer))
    con.execute("UPDATE boardgames_file SET schema_version = ?", [SCHEMA + 1])
    con.close()
    with pytest.raises(BadInput, match="made by a newer boardgames"):
        list_runs(newer)


def test_an_older_file_is_brought_up_to_date_without_loss(whole, tmp_path):
    """The first schema had no variant.spec, and a list of tallies where now each has a column; the second kept fewer values."""
    old = tmp_path / "old.duckdb"
    old.write_bytes(whole.read_bytes())
    con = duckdb.connect(str(old))
    con.execute(
        "DROP VIEW people; DROP TABLE real_match; DROP TABLE real_seat; DROP TABLE actions;"
        "DROP VIEW results; DROP VIEW matches; DROP VIEW cells; ALTER TABLE variant DROP COLUMN spec; DROP TABLE pair;"
        "DROP TABLE registration; DELETE FROM slice WHERE value = 'downtime';"
        "ALTER TABLE seat ADD COLUMN tally SMALLINT[]; UPDATE seat SET tally = [tally_1, tally_2];"
        + " ".join(f"ALTER TABLE seat DROP COLUMN IF EXISTS {name};" for name in TALLY_COLUMNS)
        + "CREATE TABLE pair (cell_a BIGINT, cell_b BIGINT, first_block BIGINT, blocks BIGINT, value VARCHAR, touched BIGINT);"
        "UPDATE boardgames_file SET schema_version = 1"
    )
    con.close()
    width = len(rows(whole)["seat"][0])
    packed = {name: [row[:width] for row in table] if name == "seat" else table for name, table in rows(old).items()}
    assert packed == rows(whole)
    refill(old)
    assert totals(old) == totals(whole)
    assert matches(old, "SELECT DISTINCT spec FROM variant ORDER BY 1")["spec"].to_pylist() == ["magpies", "magpies+hand_size=6"]
    assert len(matches(old)) == len(matches(whole))


def test_ctrl_c_during_a_query_is_ctrl_c(whole):
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        matches(whole, "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b")


def test_a_full_disk_is_told_and_nothing_is_lost(whole, tmp_path):
    path = tmp_path / "full.duckdb"
    assert run(command(path, blocks=100)).returncode == 0
    room = path.stat().st_size + 100_000
    done = run(command(path, blocks=10_000), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
    assert done.returncode == 2
    assert f"could not write to {path}" in done.stderr
    assert "Traceback" not in done.stderr
    assert consistent(path) >= 600
    assert run(command(path)).returncode == 0
    assert rows(path)["match"][:600] == rows(whole)["match"][:600]


# ---- a file that somebody else has open

HOLDER = """
import sys, duckdb
con = duckdb.connect(sys.argv[1], read_only=sys.argv[2] == "reader")
print("open", flush=True)
sys.stdin.readline()
"""


@contextmanager
def held(path: Path, kind: str) -> Iterator[subprocess.Popen[str]]:
    """Another process has the file open until it gets a line, or until the end."""
    line = [sys.executable, "-c", HOLDER, str(path), kind]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "open\n"
            yield process
        finally:
            process.kill()


def test_a_locked_file_is_waited_for_and_then_told_who_has_it(whole, tmp_path):
    path = tmp_path / "locked.duckdb"
    path.write_bytes(whole.read_bytes())
    with held(path, "writer") as process:
        told = rf"locked.duckdb is in use: .*\(PID {process.pid}\) has it open"
        with pytest.raises(FileInUse, match=told), reading(path, patience=0.1):
            pass
        line = [sys.executable, "-m", "boardgames", "runs", str(path)]
        done = run(line, env={**os.environ, "BOARDGAMES_PATIENCE": "0.1"})
    assert done.returncode == 4
    assert re.search(told, done.stderr)


class Disturbed:
    """A run of the matches in `whole`, while a reader in another process opens the file after the first of them was played."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path, self.all_played, self.told = path, threading.Event(), []
        self.hear: Callable[[str], None] = lambda line: None
        monkeypatch.setattr(crew, "FLUSH_MATCHES", 100)  # the first portion is due long before the end
        monkeypatch.setattr(crew, "MATCHES", 16)  # and what arrives at once is little

    def write(self, text: str) -> None:
        if text.strip():
            self.told.append(text)
            self.hear(text)

    def flush(self) -> None: ...

    def play(self) -> None:
        with ExitStack() as stack:
            self.reader: subprocess.Popen[str] | None = None

            def report(at: Progress) -> None:
                self.reader = self.reader or stack.enter_context(held(self.path, "reader"))
                if at.matches == at.wanted:
                    self.all_played.set()

            stack.enter_context(redirect_stderr(self))
            simulate(plan_like_whole(300), self.path, workers=2, report=report)


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
    assert rows(disturbed.path) == rows(whole)
    assert totals(disturbed.path) == totals(whole)


def test_a_run_that_waits_too_long_for_a_reader_says_what_is_not_stored_and_the_next_one_plays_it(whole, disturbed, monkeypatch):
    monkeypatch.setenv("BOARDGAMES_PATIENCE", "0")
    with pytest.raises(FileInUse, match=r"has it open; [1-9][0-9,]* finished matches could not be stored. The same command"):
        disturbed.play()
    simulate(plan_like_whole(300), disturbed.path)
    assert rows(disturbed.path) == rows(whole)


def test_ctrl_c_twice_gives_up_a_run_that_waits_for_a_reader(disturbed):
    disturbed.hear = lambda line: os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(FileInUse, match="finished matches could not be stored") as given_up:
        disturbed.play()
    assert given_up.value.exit_code == 4
    assert "Ctrl-C gives them up" in disturbed.told[1]


def test_playing_stops_where_too_much_waits_to_be_stored(disturbed, monkeypatch):
    monkeypatch.setattr(crew, "MOST_WAITING", 200)
    monkeypatch.setenv("BOARDGAMES_PATIENCE", "0")
    with pytest.raises(FileInUse) as given_up:
        disturbed.play()
    many = int(re.search("([0-9,]+) finished matches", str(given_up.value))[1].replace(",", ""))
    assert 200 <= many < 600
    assert not disturbed.all_played.is_set()


@pytest.mark.long
def test_snapshots_during_a_run_hold_whole_portions_of_it(whole, tmp_path):
    path, copy, counts = tmp_path / "running.duckdb", tmp_path / "copy.duckdb", set()
    process = subprocess.Popen(command(path, blocks=10_000_000), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until_stored(process, path)
    while len(counts) < 2 and process.poll() is None:
        done = run([sys.executable, "-m", "boardgames", "snapshot", str(path), str(copy)])
        assert done.returncode == 0, done.stderr
        counts.add(consistent(copy))
        assert f"copied {max(counts):,} matches into {copy}" in done.stdout
    process.send_signal(signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode in (130, -signal.SIGINT), told
    assert len(counts) == 2
    first = {name: [row for row in table if row[1] < 300] for name, table in rows(copy).items()}
    assert first == rows(whole)


def test_a_snapshot_replaces_an_older_one_and_nothing_else(whole, tmp_path):
    path, copy = tmp_path / "some.duckdb", tmp_path / "copy.duckdb"
    assert (snapshot(whole, path), snapshot(path, copy), snapshot(path, copy)) == (1800, 1800, 1800)
    simulate([MAGPIES], copy, players="2", agents=["random"], blocks=310)
    with pytest.raises(BadInput, match=r"copy.duckdb has results that .*some.duckdb does not have"):
        snapshot(path, copy)
    with pytest.raises(BadInput, match="is the file itself"):
        snapshot(path, path)
    (tmp_path / "letter.txt").write_text("Dear Anna, " * 2000)
    with pytest.raises(BadInput, match="is not a file of ours"):
        snapshot(path, tmp_path / "letter.txt")
    assert (tmp_path / "letter.txt").read_text().startswith("Dear Anna")
    assert {file.name for file in tmp_path.iterdir()} == {"some.duckdb", "copy.duckdb", "letter.txt"}


def test_a_snapshot_has_what_another_program_left_in_a_log(whole, tmp_path):
    path = tmp_path / "logged.duckdb"
    path.write_bytes(whole.read_bytes())
    con = duckdb.connect(str(path))
    con.execute("UPDATE experiment SET note = 'from elsewhere'")
    left = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    con.close()
    for name, content in left.items():
        (tmp_path / name).write_bytes(content)
    assert (tmp_path / "logged.duckdb.wal").exists()
    snapshot(path, tmp_path / "copy.duckdb")
    assert list_runs(tmp_path / "copy.duckdb")[0].note == "from elsewhere"


def test_a_run_writes_down_its_command_versions_and_note(tmp_path):
    path = tmp_path / "noted.duckdb"
    assert run(command(path, "--note", "first try", "--name", "magpies", blocks=2)).returncode == 0
    (found,) = list_runs(path)
    assert (found.name, found.note, found.matches, found.wanted) == ("magpies", "first try", 12, 12)
    assert found.command.startswith("boardgames simulate tests.truth.card_game:GAME")
    versions = matches(path, "SELECT versions FROM experiment")["versions"].to_pylist()[0]
    assert {"numba", "numpy", "duckdb", "python", "engine"} <= set(json.loads(versions))


def test_a_summary_gives_each_number_its_interval(tmp_path):
    done = run(command(tmp_path / "told.duckdb", "--json", blocks=200))
    told = json.loads(done.stdout)
    seat = told["cells"][0]["win_share_percent"][0]
    assert seat["low"] < seat["mean"] < seat["high"]
    assert seat["blocks"] == 200
    assert sum(one["mean"] for one in told["cells"][0]["win_share_percent"]) == pytest.approx(100)


def test_a_dry_run_tells_matches_time_and_size_and_writes_nothing(tmp_path):
    done = run(command(tmp_path / "dry.duckdb", "--dry-run", "--json"))
    told = json.loads(done.stdout)
    assert (told["cells"], told["matches"], told["to_play"]) == (4, 1800, 1800)
    assert told["seconds"] > 0
    assert not os.path.exists(tmp_path / "dry.duckdb")
