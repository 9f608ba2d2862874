"""Files that people name: what cannot be written or read is one sentence and exit code 2, and nothing is left
half written.
"""

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

from boardgames.cli import app
from boardgames.errors import InvalidInput, UnusableFile
from boardgames.files import append_file, check_output, make_part_path, read_file, write_file, write_files
from boardgames.game.plugins import find_variant
from boardgames.store.forget import shrink_file
from tests.support.command_lines import DRAWN, GAME, LONG, furnish

WRITERS = {
    "show": ["show", DRAWN, "--svg"],
    "simulate": ["simulate", GAME, "--save-plan"],
    "export": ["export", "cells", "--db", "results.duckdb", "--output"],
    "report": ["report", GAME, "--output"],
    "ladder": ["ladder", GAME, "--agents", "random,greedy", "--chart"],
    "play": ["play", DRAWN, "--agents", "random", "--svg"],
    "into": ["simulate", GAME, "--agents", "random", "--matches", "1", "--db"],
}
ENDINGS = {"export": ".csv"}
BAD_OUTPUTS = {
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


def read_contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() if path.is_file() else b"" for path in folder.rglob("*")}


@pytest.fixture
def read_refusal(run_command):
    """A function that runs a command which must be refused, and returns the sentence."""

    def read(*words: str) -> str:
        done = run_command(*words, in_process=True)
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 1
        return done.stderr

    return read


@pytest.mark.parametrize(("target", "message"), BAD_OUTPUTS.items())
@pytest.mark.parametrize("writer", WRITERS)
def test_an_output_that_cannot_be_written_is_one_sentence_before_anything_is_played(
    folder, writer, target, message, read_refusal
):
    before = read_contents(folder)
    name = target.format(ENDINGS.get(writer, ""))
    verb = "use" if (writer, name) == ("into", LONG) else "write"  # the result file is read first
    assert f"cannot {verb} {name}: {message}" in read_refusal(*WRITERS[writer], name)
    assert read_contents(folder) == before


@pytest.mark.parametrize("writer", ["show", "simulate"])
def test_a_full_disk_is_reported(folder, writer, read_refusal):
    assert "cannot write /dev/full: the disk is full; make room" in read_refusal(
        *WRITERS[writer], "/dev/full"
    )


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("text.txt", "a file has this name; name a folder"),
        ("text.txt/new", "is a file, not a folder"),
        (LONG, "the name is too long"),
        ("/sys/new", "you have no permission"),
    ],
)
def test_pictures_that_cannot_be_written_are_one_sentence(folder, target, message):
    """The pictures of a match go into a folder: here, those of one deal side by side."""
    before = read_contents(folder)
    pair = ["side-by-side", DRAWN, f"{DRAWN}+p=0", "--agents", "random", "--deal", "0"]
    done = CliRunner().invoke(app, [*pair, "--svg", target])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.output
    assert f"cannot write {target}: " in done.stderr
    assert message in done.stderr
    assert read_contents(folder) == before


def test_a_name_that_is_not_utf_8_is_refused_by_every_command(folder):
    for writer in WRITERS.values():
        done = CliRunner().invoke(app, [*writer, "caf\udce9.csv"])
        assert done.exit_code == 2
        assert "'caf\\udce9.csv' is not in UTF-8" in done.stderr
    with pytest.raises(UnusableFile, match="the name is not in UTF-8; choose another"):
        write_file(Path("caf\udce9.svg"), "text")
    with pytest.raises(UnusableFile, match="the name is not in UTF-8; choose another"):
        write_files(Path("a\0b"), {"one": "text"})


@contextmanager
def limit_file_size(size: int = 100) -> Iterator[None]:
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
        (["export", "results", "--db", "results.duckdb", "--output"], "old.csv"),
        (["export", "results", "--db", "results.duckdb", "--output"], "old.parquet"),
        (["new"], "river"),
    ],
)
def test_what_was_there_stays_whole_when_the_disk_fills_up(folder, words, output, read_refusal):
    if "." in output:
        (folder / output).write_text("old")
    before = read_contents(folder)
    with limit_file_size():
        result = read_refusal(*words, output)
    assert f"cannot write {output}: the file would be larger than this system allows" in result
    assert read_contents(folder) == before


def test_giving_space_back_leaves_the_file_as_it_was_when_there_is_no_room_for_a_copy(folder, tmp_path):
    copy = tmp_path / "copy.duckdb"
    shutil.copy("results.duckdb", copy)
    before = copy.read_bytes()
    with (
        limit_file_size(20_000),
        pytest.raises(UnusableFile, match=r"could not write to .*copy\.duckdb: the file would be larger"),
    ):
        shrink_file(copy)
    assert read_contents(tmp_path) == {str(copy): before}


WRITER = """
import os, sys
from pathlib import Path
from boardgames.files import replace_file
with replace_file(Path(sys.argv[1])) as part:
    part.write_text("begun")
    print("open", flush=True)
    if sys.stdin.readline() != "end\\n":
        os._exit(9)
"""


def begin_writing(target: Path) -> subprocess.Popen[str]:
    """Another process that writes a file; it is killed by an empty line, and ends well by `end`."""
    command = [sys.executable, "-c", WRITER, str(target)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "open\n"
    return process


def test_what_a_killed_writer_left_is_removed_by_the_next_and_what_a_living_one_writes_stays(tmp_path):
    target = tmp_path / "report.html"
    for words, left in (("", 1), ("end\n", 0)):
        with begin_writing(target) as process:
            write_file(target, "mine")
            assert len(list(tmp_path.glob(".*.part"))) == 1
            process.communicate(words)
        assert len(list(tmp_path.glob(".*.part"))) == left
        assert target.read_text() == ("begun" if words else "mine")
        check_output(target)
        assert list(tmp_path.iterdir()) == [target]


def test_the_folder_of_a_killed_writer_is_removed_by_the_next(tmp_path):
    left = make_part_path(tmp_path / "any")
    (left / "deep").mkdir(parents=True)
    (left / "deep" / "half.md").write_text("half")
    write_files(tmp_path, {"a": "one"})
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_of_many_files_all_are_written_or_none(tmp_path):
    (tmp_path / "b").mkdir()
    with pytest.raises(UnusableFile, match="it is a folder"):
        write_files(tmp_path, {"a": "one", "b": "two"})
    assert [path.name for path in tmp_path.iterdir()] == ["b"]
    with pytest.raises(UnusableFile, match="the name is too long"):
        write_files(tmp_path / "new" / "deep", {"a": "one", LONG: "two"})
    assert [path.name for path in tmp_path.iterdir()] == ["b"]
    assert write_files(tmp_path / "new", {"a": "one", "c/d": "two"}) == [
        tmp_path / "new/a",
        tmp_path / "new/c/d",
    ]
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
def test_the_results_are_not_overwritten_by_what_is_drawn_from_them(folder, words, read_refusal):
    before = read_contents(folder)
    for name in ("results.duckdb", "link.duckdb", "./folder/../results.duckdb"):
        assert "is the file of the results, which would be lost" in read_refusal(
            *words, name, "--db", "results.duckdb"
        )
    assert read_contents(folder) == before


@pytest.mark.parametrize("writer", [name for name in WRITERS if name != "into"])
def test_a_file_of_results_is_never_replaced_by_anything_else(folder, writer, read_refusal):
    """Also one that the command does not read, and under any name."""
    name = f"precious{ENDINGS.get(writer, '.duckdb')}"
    shutil.copy("results.duckdb", name)
    before = read_contents(folder)
    reason = f"{name} is a DuckDB file; its results would be lost. Name another file"
    assert reason in read_refusal(*WRITERS[writer], name)
    assert read_contents(folder) == before


def test_a_file_of_results_is_not_replaced_by_one_of_many_files_nor_written_on(folder, tmp_path):
    precious = tmp_path / "0001.svg"
    shutil.copy("results.duckdb", precious)
    before = read_contents(tmp_path)
    with pytest.raises(InvalidInput, match="is a DuckDB file"):
        write_files(tmp_path, {"0000.svg": "one", "0001.svg": "two"})
    with pytest.raises(InvalidInput, match="is a DuckDB file"):
        append_file(precious, "more")
    assert read_contents(tmp_path) == before


def test_a_file_without_end_is_not_read_into_memory():
    with pytest.raises(UnusableFile, match="/dev/zero has more than 100 MB"):
        read_file(Path("/dev/zero"))


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_an_answer_that_cannot_be_written_is_one_sentence(word):
    with open("/dev/full", "w") as full:
        line = [sys.executable, "-m", "boardgames", word]
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert (
        done.stderr
        == "boardgames: cannot use the file or pipe that the answer goes to: No space left on device\n"
    )


@pytest.mark.parametrize(
    "name", ["folder", "text.duckdb", "other.duckdb", "socket.duckdb", LONG, "circle.svg", "/dev/null"]
)
def test_what_is_no_file_of_results_is_refused_by_whoever_reads_or_writes_one(folder, name, read_refusal):
    for words in (
        ["runs", "--db"],
        ["export", "--db"],
        ["replay", "1/0/0", "--db"],
        ["forget", "1", "--db"],
        ["merge"],
        ["simulate", GAME, "--agents", "random", "--matches", "1", "--db"],
    ):
        assert name in read_refusal(*words, name)
    assert not Path("/dev/null").is_file()


def test_the_game_with_a_drawing_is_the_same_game(folder):
    assert find_variant(DRAWN).fingerprint() == find_variant(GAME).fingerprint()
