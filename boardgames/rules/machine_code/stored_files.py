"""Files of machine code, each with a digest of its content in front: what was cut off, zeroed or changed on
disk is deleted and compiled again. Unread, it could crash the process, or play other rules.
"""

import hashlib
import logging
import pickle
import secrets
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

LOG = logging.getLogger(__name__)
DIGEST_BYTES = 32

_announced: set[Path] = set()  # the first damaged file: this process has said that there are some


def read_stored(path: Path) -> bytes | None:
    """What was written; None if there is nothing, or nothing that fits its digest: that is deleted."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, content = content[:DIGEST_BYTES], content[DIGEST_BYTES:]
    if digest == _digest(content):
        return content
    _discard(path)
    return None


def write_stored(path: Path, content: bytes) -> None:
    """Write all of it or nothing, even when two processes compile the same rules. A full disk only costs time
    at the next start.
    """
    part = path.with_name(f"{secrets.token_hex(8)}.part")
    try:
        part.write_bytes(_digest(content) + content)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)


def _discard(path: Path) -> None:
    """Delete a damaged file, and say so once for all files."""
    if not _announced:
        LOG.warning(f"machine code in {path.parent} was damaged on disk: what does not fit is compiled again")
        _announced.add(path)
    path.unlink(missing_ok=True)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=DIGEST_BYTES).digest()


class StoredRoots(FunctionCache):
    """Numba's cache of one function that Python calls, in files with digests."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = StoredRootFiles(
            self._cache_path,
            f"{self._impl.filename_base}.digest",  # other names than Numba's own, which it could not read
            self._impl.locator.get_source_stamp(),
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The function from disk; None if it has to be compiled."""
        try:
            return super().load_overload(sig, target_context)
        except MemoryError:
            raise
        except Exception:  # of another version of a tool, say: it is made again
            return None


class StoredRootFiles(IndexDataCacheFile):
    """An index of the types that a function was compiled for, and a file for each."""

    def _load_index(self) -> Any:
        content = read_stored(Path(self._index_path))
        stamp, names = pickle.loads(content) if content else (None, {})
        return names if stamp == self._source_stamp else {}

    def _save_index(self, overloads: Any) -> None:
        write_stored(Path(self._index_path), self._dump((self._source_stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        content = read_stored(Path(self._data_path(name)))
        return pickle.loads(content) if content else None

    def _save_data(self, name: str, data: Any) -> None:
        write_stored(Path(self._data_path(name)), self._dump(data))
