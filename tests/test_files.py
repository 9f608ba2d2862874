"""Files that people name: what cannot be written or read is one sentence and exit code 2, and nothing is left half written."""

import os
import resource
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardgames import BadInput
from boardgames.cli import app
from boardgames.files import check_output, read_file, write_file, write_files
from boardgames.game.plugins import find_variant
from boardgames.store.runs import shrink
from tests.command_lines import DRAWN, GAME, LONG, furnish

WRITERS = {
    "show": ["show", DRAWN, "--svg"],
    "simulate": ["simulate", GAME, "--save-plan"],
    "export": ["export", "cells", "--from", "results.duckdb", "--into"],
    "report": ["report", GAME, "--output"],
    "ladder": ["ladder", GAME, "--rungs", "random,greedy", "--chart"],
    "play": ["play", DRAWN, "--against", "random", "--svg"],
    "into": ["simulate", GAME, "--agents", "random", "--blocks", "1", "--into"],
}
ENDINGS = {"export": ".csv"}
PLACES = {
    "folder{}": "it is a folder; name a file",
    "text.txt/new{}": "a part of text.txt is a file, not a folder",
    "gone/new{}": "the folder gone does not exist",
    f"{LONG}{{}}": "the name is too long",
    "/sys/new{}": "you have no permission to write there",
}


@pytest.fixture(scope="module")
def furnished(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    furnish(folder)
    (folder / "folder.csv").mkdir()
    return folder


@pytest.fixture
def folder(furnished, monkeypatch) -> Path:
    monkeypatch.chdir(furnished)
    return furnished


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")}


def run(*words: str) -> str:
    """The sentence of a refusal."""
    done = CliRunner().invoke(app, list(words))
    assert isinstance(done.exception, SystemExit), done.exception
    assert (done.exit_code, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


@pytest.mark.parametrize(("place", "told"), PLACES.items())
@pytest.mark.parametrize("writer", WRITERS)
def test_an_output_that_cannot_be_written_is_one_sentence_before_anything_is_played(folder, writer, place, told):
    before = contents(folder)
    name = place.format(ENDINGS.get(writer, ""))
    assert f"cannot write {name}: {told}" in run(*WRITERS[writer], name)
    assert contents(folder) == before


@pytest.mark.parametrize("writer", ["show", "simulate"])
def test_a_full_disk_is_told(folder, writer):
    assert "cannot write /dev/full: the disk is full; make room" in run(*WRITERS[writer], "/dev/full")


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("text.txt", "a file has this name; name a folder"),
        ("text.txt/new", "is a file, not a folder"),
        (LONG, "the name is too long"),
        ("/sys/new", "you have no permission"),
    ],
)
def test_pictures_that_cannot_be_written_are_one_sentence(folder, place, told):
    """The pictures of a match go into a folder: here, those of a twin match."""
    before = contents(folder)
    twins = ["compare", DRAWN, f"{DRAWN}+p=0", "--agents", "random", "--block", "0", "--show"]
    done = CliRunner().invoke(app, [*twins, "--svg", place])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.output
    assert f"cannot write {place}: " in done.stderr
    assert told in done.stderr
    assert contents(folder) == before


def test_a_name_that_is_not_utf_8_is_refused_by_every_command(folder):
    for writer in WRITERS.values():
        done = CliRunner().invoke(app, [*writer, "caf\udce9.csv"])
        assert done.exit_code == 2
        assert "'caf\\udce9.csv' is not in UTF-8" in done.stderr
    with pytest.raises(BadInput, match="the name is not in UTF-8; choose another"):
        write_file(Path("caf\udce9.svg"), "text")
    with pytest.raises(BadInput, match="the name is not in UTF-8; choose another"):
        write_files(Path("a\0b"), {"one": "text"})


@contextmanager
def no_room(size: int = 100) -> Iterator[None]:
    """No file may grow beyond this: writing fails in the middle, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    ("words", "output"),
    [
        (["show", "celtica", "--svg"], "old.svg"),
        (["simulate", GAME, "--note", LONG, "--save-plan"], "old.toml"),
        (["export", "results", "--from", "results.duckdb", "--into"], "old.csv"),
        (["export", "results", "--from", "results.duckdb", "--into"], "old.parquet"),
        (["new"], "river"),
    ],
)
def test_what_was_there_stays_whole_when_the_disk_fills_up(folder, words, output):
    if "." in output:
        (folder / output).write_text("old")
    before = contents(folder)
    with no_room():
        told = run(*words, output)
    assert f"cannot write {output}: the file would be larger than this system allows" in told
    assert contents(folder) == before


def test_giving_space_back_leaves_the_file_as_it_was_when_there_is_no_room_for_a_copy(folder, tmp_path):
    copy = tmp_path / "copy.duckdb"
    shutil.copy("results.duckdb", copy)
    before = copy.read_bytes()
    with no_room(20_000), pytest.raises(BadInput, match=r"could not write to .*copy\.duckdb: .*(?i:checkpoint)"):
        shrink(copy)
    assert contents(tmp_path) == {str(copy): before}


def test_of_many_files_all_are_written_or_none(tmp_path):
    (tmp_path / "b").mkdir()
    with pytest.raises(BadInput, match="it is a folder"):
        write_files(tmp_path, {"a": "one", "b": "two"})
    assert [path.name for path in tmp_path.iterdir()] == ["b"]
    with pytest.raises(BadInput, match="the name is too long"):
        write_files(tmp_path / "new" / "deep", {"a": "one", LONG: "two"})
    assert [path.name for path in tmp_path.iterdir()] == ["b"]
    assert write_files(tmp_path / "new", {"a": "one", "c/d": "two"}) == [tmp_path / "new/a", tmp_path / "new/c/d"]
    assert sorted(path.name for path in (tmp_path / "new").rglob("*")) == ["a", "c", "d"]


def test_a_file_that_is_replaced_keeps_its_rights_and_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real.svg", tmp_path / "link.svg"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_file(link, "new")
    assert link.is_symlink()
    assert (real.read_text(), real.stat().st_mode & 0o777) == ("new", 0o640)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_pipe_is_written_directly_and_stays_a_pipe(tmp_path):
    pipe, heard = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: heard.append(pipe.read_text()))
    reader.start()
    check_output(pipe)
    write_file(pipe, "text")
    reader.join()
    assert heard == ["text"]
    assert pipe.is_fifo()


@pytest.mark.parametrize("words", [["report", GAME, "-o"], ["ladder", GAME, "--chart"]])
def test_the_results_are_not_overwritten_by_what_is_drawn_from_them(folder, words):
    before = contents(folder)
    for name in ("results.duckdb", "link.duckdb", "./folder/../results.duckdb"):
        assert "is the file of the results, which would be lost" in run(*words, name, "--into", "results.duckdb")
    assert contents(folder) == before


def test_a_file_without_end_is_not_read_into_memory():
    with pytest.raises(BadInput, match="/dev/zero has more than 100 MB"):
        read_file(Path("/dev/zero"))


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_an_answer_that_cannot_be_written_is_one_sentence(word):
    with open("/dev/full", "w") as full:
        line = [sys.executable, "-m", "boardgames", word]
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "boardgames: cannot use the file or pipe that the answer goes to: No space left on device\n"


@pytest.mark.parametrize("name", ["folder", "text.duckdb", "other.duckdb", "socket.duckdb", LONG, "circle.svg", "/dev/null"])
def test_what_is_no_file_of_results_is_refused_by_whoever_reads_or_writes_one(folder, name):
    for words in (["runs"], ["export", "--from"], ["replay", "1/0/0", "--from"], ["forget", "1", "--from"], ["merge"],
                  ["simulate", GAME, "--agents", "random", "--blocks", "1", "--into"]):  # fmt: skip
        assert name in run(*words, name)
    assert not Path("/dev/null").is_file()


def test_the_game_with_a_drawing_is_the_same_game(folder):
    assert find_variant(DRAWN).fingerprint() == find_variant(GAME).fingerprint()
