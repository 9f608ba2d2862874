"""Files that people name: read as text, written whole or not at all. What does not work is explained in one sentence."""

import errno
import os
import secrets
import shutil
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from boardgames.errors import BadInput

LARGEST = 100_000_000  # bytes of a file to read as text; devices have no end
PART = ".part"  # how the names end under which files are written before they get their own
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
    """The text of a file, without the mark that some programs put before UTF-8."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path} is not in UTF-8; save it as UTF-8") from None
    if len(content) > LARGEST:
        raise BadInput(f"{path} has more than {LARGEST // 1_000_000} MB, too much for a file of this kind; name another")
    return text


def write_file(path: Path, text: str) -> None:
    """Write a text in place of whatever file was there."""
    content = text.encode()
    with output_file(path) as part:
        part.write_bytes(content)


def write_files(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write texts by their names inside a folder, which is made if it is not there: all of them, or none."""
    contents = {name: text.encode() for name, text in texts.items()}
    with _explain(folder), _make_folder(folder), _part_folder(folder) as part:
        for name, content in contents.items():
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            (part / name).write_bytes(content)
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
        for name in contents:
            if (folder / name).is_dir():
                raise OSError(errno.EISDIR, f"{name} is a folder")
        for name in contents:
            os.replace(part / name, folder / name)
    return [folder / name for name in contents]


@contextmanager
def output_file(path: Path) -> Iterator[Path]:
    """The name to write a file under. It becomes `path` when the block is left, and is removed where the block fails.

    What is no file on a disk, like /dev/stdout, is written directly.
    """
    with _explain(path):
        target = _find_target(path)
        if target is None:
            yield path
            return
        part = _beside(target)
        try:
            yield part
            if target.exists():
                shutil.copymode(target, part)
            os.replace(part, target)
        finally:
            part.unlink(missing_ok=True)


def real_path(path: Path) -> Path:
    """Where a path leads behind all links. Unlike Path.resolve it does not fail where links go in a circle."""
    return Path(os.path.realpath(path))


def check_output(path: Path, results: Path | None = None) -> None:
    """Say at once, not after an hour of playing, that a file cannot be written, or is that of the results."""
    with _explain(path):
        if results and real_path(path) == real_path(results):
            raise BadInput(f"{path} is the file of the results, which would be lost; name another file")
        target = _find_target(path)
        if target is not None:
            part = _beside(target)
            part.touch()
            part.unlink()


def _find_target(path: Path) -> Path | None:
    """The file to replace, behind any link; None for what is not a file on a disk."""
    try:
        path.stat()
    except FileNotFoundError:
        return real_path(path)
    if path.is_dir():
        raise OSError(errno.EISDIR, "a folder")
    if not os.access(path, os.W_OK):
        raise OSError(errno.EACCES, "protected")
    return real_path(path) if path.is_file() else None


def _beside(target: Path) -> Path:
    return target.with_name(f"{_part_prefix(target)}{secrets.token_hex(4)}{PART}")


def _part_prefix(target: Path) -> str:
    """How the names of a file's parts begin: by a hash, because the file's own name may be as long as a name can be."""
    return f".boardgames-{zlib.crc32(target.name.encode()):08x}-"


def remove_parts(path: Path) -> None:
    """Remove what writers of this file left who were killed; only for a caller who knows that nobody is writing it now."""
    target = real_path(path)
    for part in target.parent.glob(f"{_part_prefix(target)}*"):
        part.unlink(missing_ok=True)


@contextmanager
def _make_folder(folder: Path) -> Iterator[None]:
    """A folder and those above it; those that were not there are removed again where the block fails."""
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for one in new:
            if one.is_dir():
                shutil.rmtree(one)
        raise


@contextmanager
def _part_folder(folder: Path) -> Iterator[Path]:
    part = _beside(folder / "any")
    part.mkdir()
    try:
        yield part
    finally:
        shutil.rmtree(part)


@contextmanager
def _explain(path: Path) -> Iterator[None]:
    """Say why something cannot be written, and what to do."""
    name = str(path)
    if "\0" in name or name.encode(errors="replace").decode() != name:
        raise BadInput(f"cannot write {name!r}: the name is not in UTF-8; choose another name")
    try:
        yield
    except OSError as error:
        reason = REASONS.get(error.errno or 0, f"{error.strerror}; choose another place").format(folder=path.parent)
        raise BadInput(f"cannot write {path}: {reason}") from None
