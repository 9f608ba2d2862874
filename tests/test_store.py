"""Nothing is lost, nothing is doubled: after a stop, a kill, with two writers, with readers, over machines."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import duckdb
import pytest

from boardgames import BadInput, find_variant
from boardgames.experiment import make_plan, read_plan, read_players, write_plan
from boardgames.pairs import pair
from boardgames.rows import refill
from boardgames.runs import export, forget, list_runs, merge, replay_stored
from boardgames.schema import SCHEMA, TALLY_COLUMNS
from boardgames.simulation import matches, simulate
from boardgames.store import connection, reading, writing
from tests.processes import interrupt, wait_until_stored

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
    from boardgames import play

    batch = play(find_variant(MAGPIES), "random", 2, 5, plain=True)
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


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.long)])
def test_a_killed_run_loses_nothing_it_reported_and_resumes_row_for_row(kills, tmp_path):
    """Killed at random moments, without mercy; each time what is there is whole, and never less than before."""
    started = time.monotonic()
    assert run(command(tmp_path / "first.duckdb", blocks=1)).returncode == 0
    start_up = time.monotonic() - started  # most kills should come after it
    path, chance, before = tmp_path / "killed.duckdb", random.Random(1), 0
    line = [*command(path, blocks=21_000), "--workers", "2"]  # stored in two portions
    for number in range(kills):
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if number < kills - 1:
            time.sleep(start_up * chance.uniform(0.5, 2.5))
        else:
            wait_until_stored(process, path)
        process.send_signal(signal.SIGKILL)
        process.wait()
        if path.exists() and path.stat().st_size:
            now = consistent(path)
            assert now >= before
            before = now
    assert before > 0
    assert run(line).returncode == 0
    unbroken = tmp_path / "unbroken.duckdb"
    assert run([*command(unbroken, blocks=21_000)]).returncode == 0
    assert fingerprint(path) == fingerprint(unbroken)
    assert totals(path) == totals(unbroken)


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
    assert "compiling the rules" in process.stderr.readline()
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert told.startswith("boardgames: stopped")
    assert told.count("\n") == 1


def test_two_commands_on_one_file_both_finish(whole, tmp_path):
    path = tmp_path / "shared.duckdb"
    both = [subprocess.Popen(command(path), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for process in both:
        _, told = process.communicate(timeout=120)
        assert process.returncode == 0, told
    assert rows(path) == rows(whole)
    assert totals(path) == totals(whole)


def test_a_reader_sees_growing_counts_and_no_error_while_matches_arrive(tmp_path):
    path, counts, problems, over = tmp_path / "read.duckdb", [], [], threading.Event()

    def poll() -> None:
        while not over.is_set():
            try:
                if path.exists():
                    counts.append(consistent(path))
            except BadInput as error:
                if "no results" not in str(error):  # the file is there a moment before its tables
                    problems.append(error)
            time.sleep(0.1)

    reader = threading.Thread(target=poll)
    reader.start()
    done = run(command(path, "--workers", "2", blocks=40_000))  # stored in two portions, seconds apart
    over.set()
    reader.join()
    assert done.returncode == 0, done.stderr
    assert problems == []
    assert counts == sorted(counts)
    assert len(set(counts)) > 2


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
    assert list_runs(changed)[0].changed == ["magpies", "magpies+hand_size=6"]


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
    assert forget(path, "large") == 60_000
    assert rows(path) == kept
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
    duckdb.connect(str(tmp_path / "theirs.duckdb")).execute("CREATE TABLE t (i INTEGER)").close()
    for name, told in [("text", "it is no DuckDB database"), ("theirs", "it has no results of boardgames")]:
        done = run(command(tmp_path / f"{name}.duckdb", blocks=1))
        assert done.returncode == 2
        assert told in done.stderr
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


def test_a_locked_file_is_waited_for_and_then_told_who_has_it(whole, tmp_path):
    path = tmp_path / "locked.duckdb"
    path.write_bytes(whole.read_bytes())
    holder = "import duckdb, sys, time; c = duckdb.connect(sys.argv[1]); print('open', flush=True); time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", holder, str(path)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "open\n"
        with (
            pytest.raises(BadInput, match=rf"in use by another process, also after 1 s.*PID {process.pid}"),
            reading(path, patience=1),
        ):
            pass
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


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
