"""A power cut takes what the disk does not have yet. What is renamed is there with its content first, and
with its new name before anything counts on it.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from boardgames import simulate, snapshot
from boardgames.files import write_file
from boardgames.store.connection import get_connection, open_for_writing
from boardgames.store.export import export
from boardgames.store.forget import delete_run
from boardgames.store.opening.undo import find_undo_file

PIG = "pig+target=20"


class Call(NamedTuple):
    """What a program asked the system for."""

    kind: str  # "sync" or "name"
    content: bytes | None  # of the file, None for a folder
    path: Path  # to what a file is renamed; the folder that is synced
    db: bytes  # what the result file held at that moment


class Recorder:
    """Looks on while files are synced and renamed."""

    def __init__(self, db: Path) -> None:
        self.db = db
        self.calls: list[Call] = []

    def sync(self, file: int) -> None:
        os_fsync(file)
        path = Path(os.readlink(f"/proc/self/fd/{file}"))
        self._record("sync", None if path.is_dir() else path.read_bytes(), path)

    def replace(self, source: Path, target: Path) -> None:
        content = Path(source).read_bytes()
        os_replace(source, target)
        self._record("name", content, Path(target))

    def _record(self, kind: str, content: bytes | None, path: Path) -> None:
        self.calls.append(Call(kind, content, path, self.db.read_bytes()))


os_fsync, os_replace = os.fsync, os.replace


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    db = tmp_path_factory.mktemp("power") / "whole.duckdb"
    simulate(PIG, db=db, players="2", agents=["random"], matches=20)
    return db


@pytest.fixture
def recorder(whole, tmp_path, monkeypatch) -> Recorder:
    recorder = Recorder(Path(shutil.copy(whole, tmp_path / "mine.duckdb")))
    monkeypatch.setattr(os, "fsync", recorder.sync)
    monkeypatch.setattr(os, "replace", recorder.replace)
    return recorder


def flush(db: Path) -> None:
    with open_for_writing(db) as session:
        get_connection(session).execute("UPDATE run SET note = 'changed'")


WRITERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "a flush": (flush, "mine.duckdb.undo"),
    "a table": (lambda db: export(db, "results", db.with_name("out.csv")), "out.csv"),
    "a copy": (lambda db: snapshot(db, db.with_name("copy.duckdb")), "copy.duckdb"),
    "a forgotten run": (lambda db: delete_run(db, "1"), "mine.duckdb"),
    "a text": (lambda db: write_file(db.with_name("report.html"), "<p>"), "report.html"),
}


@pytest.mark.parametrize("what", WRITERS)
def test_what_is_renamed_is_on_the_disk_with_its_content_and_its_name(what, recorder):
    write, name = WRITERS[what]
    write(recorder.db)
    named = [number for number, call in enumerate(recorder.calls) if call.kind == "name"]
    assert name in {recorder.calls[number].path.name for number in named}
    for number in named:
        earlier, renamed, later = (
            recorder.calls[:number],
            recorder.calls[number],
            recorder.calls[number + 1 :],
        )
        assert any(call.kind == "sync" and call.content == renamed.content for call in earlier)
        assert [call.path for call in later if call.kind == "sync"][:1] == [renamed.path.parent]


def test_no_byte_of_a_result_file_changes_before_the_name_of_its_saved_pages_is_on_the_disk(recorder):
    before = recorder.db.read_bytes()
    flush(recorder.db)
    (named,) = [number for number, call in enumerate(recorder.calls) if call.kind == "name"]
    assert recorder.calls[named].path == find_undo_file(recorder.db)
    assert recorder.calls[named + 1].path == recorder.db.parent
    assert [call.db == before for call in recorder.calls[: named + 2]] == [True] * (named + 2)
    assert recorder.db.read_bytes() != before


def test_a_new_result_file_is_on_the_disk_with_its_name_before_it_is_written_to(tmp_path, recorder):
    with open_for_writing(tmp_path / "new.duckdb"):
        pass
    first, second, *_ = recorder.calls
    assert (first.path.suffix, second.path) == (".part", tmp_path)
