"""Files that people name: read as text, written whole or not at all. Errors are explained in one sentence."""

import errno
import fcntl
import os
import secrets
import shutil
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from boardgames.errors import InvalidInput, UnusableFile

LARGEST = 100_000_000  # bytes of a file to read as text; devices have no end
DUCKDB_START = 12  # bytes by which a file of DuckDB is known
PART = ".part"  # ending of the temporary names under which files are written
REASONS = {
    errno.EISDIR: "it is a folder; name a file",
    errno.EEXIST: "a file has this name; name a folder",
    errno.ENOENT: "the folder {folder} does not exist, or takes no new files; make it, or choose another",
    errno.ENOTDIR: "a part of {folder} is a file, not a folder; choose another folder",
    errno.ENAMETOOLONG: "the name is too long; choose a shorter one",
    errno.ENOSPC: "the disk is full; make room, or choose another disk",
    errno.EDQUOT: "your share of the disk is full; make room, or choose another disk",
    errno.EFBIG: "the file would be larger than this system allows; choose another disk, or ask for less",
    errno.EACCES: "you have no permission to write there; choose another folder",
    errno.EPERM: "you have no permission to write there; choose another folder",
    errno.EROFS: "nothing can be written there; choose another folder",
}


def read_file(path: Path) -> str:
    """The text of a file in UTF-8, without a byte order mark."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnusableFile(f"{path} is not in UTF-8; save it as UTF-8") from None


def read_bytes(path: Path) -> bytes:
    """The content of a file that is not too large."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise UnusableFile(f"cannot read {path}: {error.strerror}") from None
    if len(content) > LARGEST:
        raise UnusableFile(
            f"{path} has more than {LARGEST // 1_000_000} MB, too much for a file of this kind; name another"
        )
    return content


def write_file(path: Path, content: str | bytes) -> None:
    """Write a text, or bytes, in place of an existing file."""
    content = content.encode() if isinstance(content, str) else content
    with replace_file(path) as part:
        part.write_bytes(content)


def append_file(path: Path, text: str) -> None:
    """Write a text after what a file holds; the file is made if missing."""
    with _explain_write_errors(path):
        _refuse_database(path)
        with path.open("a", encoding="utf-8") as file:
            file.write(text)


def write_files(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write texts, by file name, into a folder, which is made if missing: all of them or none."""
    contents = {name: text.encode() for name, text in texts.items()}
    with _explain_write_errors(folder), _make_folder(folder), _make_part_folder(folder) as part:
        for name, content in contents.items():
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            (part / name).write_bytes(content)
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        for name in contents:
            if (folder / name).is_dir():
                raise OSError(errno.EISDIR, f"{name} is a folder")
            _refuse_database(folder / name)
        for name in contents:
            os.replace(part / name, folder / name)
    return [folder / name for name in contents]


@contextmanager
def replace_file(path: Path, part: Path | None = None, of_results: bool = False) -> Iterator[Path]:
    """Yield a temporary path to write to: `part`, if it was chosen before. It becomes `path` at the end of
    the `with` body, and is on the disk then, name and all; on an error it is removed.

    Anything but a file on a disk, like /dev/stdout, is written directly. A DuckDB file is refused, unless
    the new one is `of_results` too.
    """
    with _explain_write_errors(path):
        target = _find_target(path, of_results)
        if target is None:
            yield path
            return
        remove_parts(target)
        with _hold_part(part or make_part_path(target)) as part:
            yield part
            if target.exists():
                shutil.copymode(target, part)
            _sync(part)
            os.replace(part, target)
            _sync_folder(target.parent)


def create_file(path: Path, content: bytes) -> None:
    """Make a file with this content, whole or not at all. Nothing happens if there is one by now."""
    target = resolve_path(path)
    remove_parts(target)
    with _hold_part(make_part_path(target)) as part:
        part.write_bytes(content)
        _sync(part)
        _give_name(part, target)
        _sync_folder(target.parent)


def _give_name(part: Path, target: Path) -> None:
    """Rename a part, unless there is a file of that name by now."""
    try:
        os.link(part, target)
    except FileExistsError:
        return
    except OSError:  # a disk on which no file has two names
        if not target.exists():
            os.replace(part, target)


def _sync(path: Path) -> None:
    """Wait until a power cut cannot take what was written any more."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _sync_folder(folder: Path) -> None:
    """The same for the names of files in a folder. Not every system can."""
    with suppress(OSError):
        _sync(folder)


def resolve_path(path: Path) -> Path:
    """The path behind all links. Unlike Path.resolve it does not fail on circular links."""
    return Path(os.path.realpath(path))


def check_output(path: Path, db: Path | None = None, of_results: bool = False) -> None:
    """Raise at once, not after an hour of playing, if a file cannot be written or is the result file."""
    with _explain_write_errors(path):
        if db and resolve_path(path) == resolve_path(db):
            raise InvalidInput(f"{path} is the file of the results, which would be lost; name another file")
        target = _find_target(path, of_results)
        if target is not None:
            remove_parts(target)
            with _hold_part(make_part_path(target)):
                pass


def _find_target(path: Path, of_results: bool) -> Path | None:
    """The file to replace, behind any link; None if it is not a file on a disk."""
    try:
        path.stat()
    except FileNotFoundError:
        return resolve_path(path)
    if path.is_dir():
        raise OSError(errno.EISDIR, "a folder")
    if not os.access(path, os.W_OK):
        raise OSError(errno.EACCES, "protected")
    if not of_results:
        _refuse_database(path)
    return resolve_path(path) if path.is_file() else None


def _refuse_database(path: Path) -> None:
    """Raise for a DuckDB file: results that took hours to play must not become a picture by a slip."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        start = file.read(DUCKDB_START)
    if is_duckdb(start):
        raise InvalidInput(f"{path} is a DuckDB file; its results would be lost. Name another file")


def is_duckdb(start: bytes) -> bool:
    """Whether a file begins like one of DuckDB."""
    return start[8:12] == b"DUCK"


def make_part_path(target: Path) -> Path:
    """A temporary name beside a file."""
    return target.with_name(f"{_make_part_prefix(target)}{secrets.token_hex(4)}{PART}")


def _make_part_prefix(target: Path) -> str:
    """How the names of a file's parts begin: with a hash, because the file's name may have the maximum
    length.
    """
    return f".boardgames-{zlib.crc32(target.name.encode()):08x}-"


def remove_parts(path: Path) -> None:
    """Remove the parts that killed writers of this file left: those that no one has a lock on."""
    target = resolve_path(path)
    for part in target.parent.glob(f"{_make_part_prefix(target)}*{PART}"):
        with suppress(OSError):  # its writer lives, or it is gone meanwhile
            file = os.open(part, os.O_RDONLY | os.O_CLOEXEC)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove_part(part)
            finally:
                os.close(file)


def _remove_part(part: Path) -> None:
    if part.is_dir():
        shutil.rmtree(part)
        return
    part.with_name(f"{part.name}.wal").unlink(missing_ok=True)  # the log of a database
    part.unlink(missing_ok=True)


@contextmanager
def _hold_part(part: Path) -> Iterator[Path]:
    """Make a part, and hold a lock on it inside `with`: by it others see that its writer lives. It is removed
    in the end, if it was not renamed.
    """
    file = _make_locked_file(part)
    try:
        yield part
    finally:
        _remove_part(part)
        os.close(file)


def _make_locked_file(part: Path) -> int:
    while True:
        file = os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        with suppress(OSError):  # on a disk without locks no one removes parts
            fcntl.flock(file, fcntl.LOCK_EX)
        if part.exists() and os.path.samestat(part.stat(), os.fstat(file)):
            return file
        os.close(file)  # someone took it for a dead one before it was locked


@contextmanager
def _make_folder(folder: Path) -> Iterator[None]:
    """Make a folder and its parents; on an error in the `with` body, remove those that are new."""
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for path in new:
            if path.is_dir():
                shutil.rmtree(path)
        raise


@contextmanager
def _make_part_folder(folder: Path) -> Iterator[Path]:
    remove_parts(folder / "any")
    part = make_part_path(folder / "any")
    part.mkdir()
    file = os.open(part, os.O_RDONLY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield part
    finally:
        shutil.rmtree(part)
        os.close(file)


@contextmanager
def _explain_write_errors(path: Path) -> Iterator[None]:
    """Turn an OSError into an InvalidInput that says why, and what to do."""
    name = str(path)
    if "\0" in name or name.encode(errors="replace").decode() != name:
        raise UnusableFile(f"cannot write {name!r}: the name is not in UTF-8; choose another name")
    try:
        yield
    except OSError as error:
        reason = REASONS.get(error.errno or 0, f"{error.strerror}; choose another place").format(
            folder=path.parent
        )
        raise UnusableFile(f"cannot write {path}: {reason}") from None
