"""Take back what a killed program left half written.

A commit writes new pages into the result file and then one small header that points to them. But DuckDB also
fills the free parts of pages that describe the tables now, and writes such a page (256 kB) as a whole. A kill
in the middle leaves a page whose checksum is wrong, and a file that cannot be opened.

So the pages that a commit may write to are first copied into a file beside the result file (`FILE.undo`). It
is removed after the commit. Whoever finds it later puts the pages back: the header still points to them.
"""

import fcntl
import os
import threading
import zipfile
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boardgames.errors import FileGone, UnusableFile
from boardgames.files import remove_parts, replace_file, resolve_path
from boardgames.store.opening.database import find_database

Array = np.ndarray[Any, Any]
HEADER_BYTES = 3 * 4096  # bytes before the first page, which tell the pages that count
PARTS, CHECKSUM_BYTES = 64, 8  # of a page that describes tables

# For each file, what a thread of this process holds while it writes: the system's locks do not keep threads
# of one process apart.
WRITE_LOCKS: defaultdict[Path, threading.RLock] = defaultdict(threading.RLock)


class SavedPages(NamedTuple):
    """Pages of a file as they were before a commit."""

    header: Array
    numbers: Array  # of the pages
    pages: Array  # a row of bytes each
    is_free: Array  # for each page and each of its parts, whether the commit may write there

    def select_used_parts(self, pages: Array) -> Array:
        """The bytes of these pages that a commit does not change."""
        size = (pages.shape[1] - CHECKSUM_BYTES) // PARTS // 8 * 8
        parts = pages[:, CHECKSUM_BYTES : CHECKSUM_BYTES + PARTS * size].reshape(-1, PARTS, size)
        return parts[~self.is_free]


def find_undo_file(db: Path) -> Path:
    path = resolve_path(db)
    return path.with_name(f"{path.name}.undo")


def save_pages(con: Any, db: Path) -> None:
    """Before a commit: copy the pages that it may write to. `con` has the file open for writing."""
    page_bytes = con.execute("FROM pragma_database_size()").fetchone()[2]
    pages = con.execute("FROM pragma_metadata_info($1)", [find_database(con)]).fetchall()
    rows = [row for row in pages if row[3]]
    if not rows:
        return
    file = find_descriptor(db)
    saved = SavedPages(
        _read(file, 0, HEADER_BYTES),
        np.array([number for number, *_ in rows], np.int64),
        np.array([_read(file, _find_offset(row[0], page_bytes), page_bytes) for row in rows], np.uint8),
        np.array([[part in row[3] for part in range(PARTS)] for row in rows], np.bool_),
    )
    with replace_file(find_undo_file(db)) as part, part.open("wb") as output:
        np.savez(output, **saved._asdict())  # on the disk before DuckDB writes, also its name


def forget_saved_pages(db: Path) -> None:
    """After a commit, or for a new file."""
    find_undo_file(db).unlink(missing_ok=True)


def undo_half_commit(db: Path) -> None:
    """Put back the pages that a killed program may have left half written. Nothing happens where no commit
    was cut off, or where another program has the file.
    """
    if not find_undo_file(db).exists() or not db.exists():
        return
    lock = WRITE_LOCKS[resolve_path(db)]
    if not lock.acquire(blocking=False):
        return  # another thread is writing
    try:
        with db.open("r+b") as file:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the kind of lock that DuckDB takes
            _put_back(file.fileno(), _load_pages(find_undo_file(db)))
            forget_saved_pages(db)
            remove_parts(find_undo_file(db))
    except BlockingIOError:
        return  # another program is writing, or reads the file as it is
    except OSError as error:
        raise UnusableFile(
            f"{db} was being written when a program was killed, and cannot be repaired: {error.strerror}"
        ) from None
    finally:
        lock.release()


def _load_pages(undo_file: Path) -> SavedPages | None:
    """None if the file is gone, or is none of ours."""
    try:
        with np.load(undo_file, allow_pickle=False) as arrays:
            saved = SavedPages(**arrays)
    except (FileNotFoundError, EOFError, ValueError, TypeError, zipfile.BadZipFile):
        return None
    return saved if _fits_together(saved) else None


def _fits_together(saved: SavedPages) -> bool:
    """Whether all arrays have the kinds and sizes of ours: the file may have come with a stranger's."""
    kinds = [array.dtype for array in saved]
    count = len(saved.pages) if saved.pages.ndim == 2 else 0
    return (
        kinds == [np.uint8, np.int64, np.uint8, np.bool_]
        and count > 0
        and saved.numbers.shape == (count,)
        and saved.is_free.shape == (count, PARTS)
    )


def _put_back(file: int, saved: SavedPages | None) -> None:
    """Restore the pages, unless the commit got through or the file is a different one by now."""
    if saved is None or not np.array_equal(_read(file, 0, HEADER_BYTES), saved.header):
        return
    page_bytes = saved.pages.shape[1]
    offsets = [_find_offset(number, page_bytes) for number in saved.numbers]
    if min(offsets) < HEADER_BYTES or max(offsets) + page_bytes > os.fstat(file).st_size:
        return  # the file has lost its end, or they are none of ours
    now = np.array([_read(file, offset, page_bytes) for offset in offsets], np.uint8)
    if np.array_equal(saved.select_used_parts(now), saved.select_used_parts(saved.pages)):
        for offset, page in zip(offsets, saved.pages, strict=True):
            os.pwrite(file, page.tobytes(), offset)
        os.fsync(file)


def find_descriptor(db: Path) -> int:
    """The descriptor by which DuckDB has the file open. To open it again, and close it, would end DuckDB's
    lock.
    """
    try:
        wanted = os.stat(db)
    except FileNotFoundError:
        raise FileGone(f"{db} was moved or removed while it was open") from None
    for name in os.listdir("/dev/fd"):
        with suppress(OSError):  # closed meanwhile
            if os.path.samestat(os.fstat(int(name)), wanted):
                return int(name)
    raise FileGone(f"{db} was replaced by another file while it was open")


def _find_offset(number: int, page_bytes: int) -> int:
    return HEADER_BYTES + int(number) * page_bytes


def _read(file: int, offset: int, size: int) -> Array:
    return np.frombuffer(os.pread(file, size, offset), np.uint8)
