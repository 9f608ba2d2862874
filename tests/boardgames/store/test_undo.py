"""A program that is killed in the middle of a write leaves a file that opens with all it held before."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from boardgames.errors import FileInUse, UnusableFile
from boardgames.run.simulate import simulate
from boardgames.store.connection import get_connection, open_for_reading, open_for_writing
from boardgames.store.opening.undo import HEADER_BYTES, find_undo_file, save_pages
from tests.support.sizes import choose_size

ROOT = Path(__file__).resolve().parents[3]
SUPPORT = ROOT / "tests" / "support"
PAGE_BYTES = 262_144


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    db = tmp_path_factory.mktemp("undo") / "whole.duckdb"
    simulate("magpies", db=db, players="2-3", agents=["random"], matches=choose_size(200, 200_000))
    return db


def read_hashes(db: Path) -> list[tuple]:
    """Rows and a sum over their content, of every table."""
    with open_for_reading(db) as session:
        con = get_connection(session)
        names = [name for (name,) in con.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return [
            (name, *con.execute(f'SELECT count(*), sum(hash(r)::HUGEINT) FROM "{name}" r').fetchone())
            for name in sorted(names)
        ]


def tear_commit(db: Path, torn: Path) -> None:
    """Make a file as a kill leaves it that hits a commit to `db` when all pages but no header are written,
    the pages of before only by half. The commit itself gets through.
    """
    before = db.read_bytes()
    with open_for_writing(db) as session:
        session.connection()
        save_pages(get_connection(session), db)
        shutil.copy(find_undo_file(db), find_undo_file(torn))
        get_connection(session).execute("UPDATE run SET note = 'a commit that is cut off'")
    after = bytearray(db.read_bytes())
    for start in range(HEADER_BYTES, len(before), PAGE_BYTES):
        half = slice(start + PAGE_BYTES // 2, start + PAGE_BYTES)
        after[half] = before[half]
    torn.write_bytes(before[:HEADER_BYTES] + after[HEADER_BYTES:])


def test_a_commit_that_is_cut_off_in_a_page_of_before_is_undone(whole, tmp_path):
    db, torn = shutil.copy(whole, tmp_path / "whole.duckdb"), tmp_path / "torn.duckdb"
    tear_commit(db, torn)
    assert read_hashes(torn) == read_hashes(whole)
    assert [path.name for path in tmp_path.glob("torn*")] == ["torn.duckdb"]
    with open_for_writing(torn) as session:
        get_connection(session).execute("UPDATE run SET note = 'a commit that is cut off'")
    assert read_hashes(torn) == read_hashes(db) != read_hashes(whole)


def test_without_the_saved_pages_such_a_file_is_called_damaged(whole, tmp_path):
    torn = tmp_path / "torn.duckdb"
    tear_commit(shutil.copy(whole, tmp_path / "whole.duckdb"), torn)
    find_undo_file(torn).unlink()
    with pytest.raises(UnusableFile, match="is damaged"):
        read_hashes(torn)


def test_saved_pages_of_a_commit_that_got_through_are_not_put_back(whole, tmp_path):
    db, torn = shutil.copy(whole, tmp_path / "whole.duckdb"), tmp_path / "torn.duckdb"
    tear_commit(db, torn)
    find_undo_file(torn).rename(find_undo_file(db))
    content = db.read_bytes()
    read_hashes(db)
    assert db.read_bytes() == content
    assert not find_undo_file(db).exists()


@pytest.mark.parametrize("place", [HEADER_BYTES - 1, HEADER_BYTES + 100])
def test_saved_pages_of_another_file_are_not_put_back(whole, tmp_path, place):
    """A file under the same name that differs in its header, or in what its pages describe."""
    torn = tmp_path / "torn.duckdb"
    tear_commit(shutil.copy(whole, tmp_path / "whole.duckdb"), torn)
    content = bytearray(torn.read_bytes())
    content[place] ^= 0xFF
    torn.write_bytes(content)
    with pytest.raises(UnusableFile):
        read_hashes(torn)
    assert torn.read_bytes() == content


@pytest.mark.parametrize("content", [b"", b"not ours", b"PK\x05\x06" + bytes(18)])
def test_a_file_that_has_the_name_of_saved_pages_does_no_harm(whole, tmp_path, content):
    db = shutil.copy(whole, tmp_path / "whole.duckdb")
    find_undo_file(db).write_bytes(content)
    assert read_hashes(db) == read_hashes(whole)


NUMBERS, PAGES, FREE = np.zeros(1, np.int64), np.zeros((1, PAGE_BYTES), np.uint8), np.zeros((1, 64), bool)


@pytest.mark.parametrize(
    "change",
    [
        {"pages": np.zeros(5, np.uint8)},
        {"numbers": NUMBERS[:0], "pages": PAGES[:0], "is_free": FREE[:0]},
        {"numbers": NUMBERS + 10**9},
        {"numbers": NUMBERS - 5},
        {"numbers": np.array(["x"])},
        {"is_free": FREE[:, :3]},
    ],
)
def test_saved_pages_that_a_stranger_made_up_do_no_harm(whole, tmp_path, change):
    db = Path(shutil.copy(whole, tmp_path / "whole.duckdb"))
    content = db.read_bytes()
    header = np.frombuffer(content[:HEADER_BYTES], np.uint8)
    made_up = {"header": header, "numbers": NUMBERS, "pages": PAGES, "is_free": FREE, **change}
    with find_undo_file(db).open("wb") as file:
        np.savez(file, **made_up)
    assert read_hashes(db) == read_hashes(whole)
    assert db.read_bytes() == content


def test_a_half_written_file_that_has_lost_its_end_is_called_damaged(whole, tmp_path):
    torn = tmp_path / "torn.duckdb"
    tear_commit(shutil.copy(whole, tmp_path / "whole.duckdb"), torn)
    torn.write_bytes(torn.read_bytes()[: HEADER_BYTES + PAGE_BYTES // 2])
    with pytest.raises(UnusableFile, match=r"is damaged|cannot open"):
        read_hashes(torn)


def test_saved_pages_of_a_deleted_file_are_removed_with_a_new_one(whole, tmp_path):
    torn = tmp_path / "torn.duckdb"
    tear_commit(shutil.copy(whole, tmp_path / "whole.duckdb"), torn)
    torn.unlink()
    assert simulate("magpies", db=torn, players="2", agents=["random"], matches=5).stored == 5
    assert not find_undo_file(torn).exists()


def test_a_half_written_file_waits_for_the_program_that_has_it_open(whole, tmp_path):
    """Another program than ours that reads the file as it is keeps us from mending it."""
    torn = tmp_path / "torn.duckdb"
    shutil.copy(whole, torn)
    tear_commit(shutil.copy(whole, tmp_path / "whole.duckdb"), tmp_path / "other.duckdb")
    find_undo_file(tmp_path / "other.duckdb").rename(find_undo_file(torn))
    script = f"import duckdb; c = duckdb.connect({str(torn)!r}, read_only=True); print(flush=True); input()"
    reader = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    reader.stdout.readline()
    with pytest.raises(FileInUse), open_for_reading(torn, patience=0):
        pass
    reader.communicate("\n")
    assert read_hashes(torn) == read_hashes(whole)


def test_a_file_that_cannot_be_repaired_is_an_error(whole, tmp_path):
    db = shutil.copy(whole, tmp_path / "whole.duckdb")
    find_undo_file(db).mkdir()
    with pytest.raises(UnusableFile, match="cannot be repaired: Is a directory"):
        read_hashes(db)


@pytest.mark.long
@pytest.mark.soak
def test_a_kill_in_any_write_of_a_commit_loses_nothing(whole, tmp_path):
    """Every single write of a commit is cut off in its middle, by a library that is preloaded."""
    shim = tmp_path / "torn_writes.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", shim, SUPPORT / "torn_writes.c", "-ldl"], check=True)
    environment = {**os.environ, "LD_PRELOAD": str(shim), "PYTHONPATH": str(ROOT)}
    line = [sys.executable, SUPPORT / "torn_writes.py", whole, tmp_path]
    subprocess.run(line, env=environment, check=True)
    committed = tmp_path / "whole.duckdb"
    assert read_hashes(committed) != read_hashes(whole)
    torn = [db for db in tmp_path.glob("*.duckdb") if db != committed]
    assert len(torn) >= 5
    for db in torn:
        assert read_hashes(db) == read_hashes(whole), db.name
