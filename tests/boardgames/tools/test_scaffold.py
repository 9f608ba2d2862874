"""`boardgames new`: packages that work as they are written, names that are refused, and tic-tac-toe as a
package of its own.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardgames import InvalidInput
from boardgames.cli import app
from boardgames.tools.scaffold import create_game
from tests.support.sizes import choose_size

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples/tictactoe"
FILES = {
    "README.md",
    "pyproject.toml",
    "src/river/RULES.md",
    "src/river/__init__.py",
    "src/river/board.toml",
    "src/river/drawing.py",
    "src/river/rules.py",
    "tests/golden.txt",
    "tests/test_rules.py",
}


def run_tool(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run pytest or ruff where the package in this folder can be imported."""
    path = os.pathsep.join([str(folder / "src"), str(ROOT)])
    env = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.fixture
def check(run_command):
    """A function that runs `boardgames check` without the compiler on a game in a folder."""

    def check_plain(folder: Path, game: str) -> subprocess.CompletedProcess[str]:
        return run_command(
            "check",
            game,
            "--plain",
            "--matches",
            "1",
            folder=folder,
            import_from=[folder / "src"],
            PYTHONDONTWRITEBYTECODE="1",
        )

    return check_plain


def count_lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_a_new_game_is_complete_keeps_the_laws_and_passes_its_own_tests(tmp_path, check):
    written = create_game("river", folder=tmp_path)
    assert {str(path.relative_to(tmp_path / "river")) for path in written} == FILES
    assert not [path for path in written if re.search("@[a-z_]+@", path.read_text(encoding="utf-8"))]
    own = run_tool(tmp_path / "river", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not law")
    assert "6 passed, 1 deselected" in own.stdout, own.stdout
    checked = check(tmp_path / "river", "river:GAME")
    assert checked.stdout == "river keeps all 35 laws, without the compiler\n", checked.stderr


def test_what_is_written_keeps_our_own_style(tmp_path):
    create_game("river", folder=tmp_path)
    create_game("sea-bed", "celtica", tmp_path)
    for command in (
        ["ruff", "check", "--ignore", "I001"],
        ["ruff", "format", "--check"],
    ):  # the order of imports depends on the folder
        done = run_tool(tmp_path, *command, "--config", str(ROOT / "pyproject.toml"), str(tmp_path))
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("parent", [pytest.param("keltis", marks=pytest.mark.long), "tic-tac-toe"])
def test_a_derived_game_changes_a_rule_of_its_parent(tmp_path, parent):
    create_game("sea-bed", parent, tmp_path)
    own = run_tool(tmp_path / "sea-bed", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not law")
    assert "1 passed, 1 deselected" in own.stdout, own.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["River"], "is not a name for a game"),
        (["../river"], "is not a name for a game"),
        (["class"], "is not a name for a game"),
        (["celtica"], "a game called 'celtica' is installed already"),
        (["json"], "there is a Python package 'json' already"),
        (["my-game", "--derive", "celtics"], "did you mean celtica"),
        (["my-game", "--derive", "celtica:en"], "a game is derived from a whole game: celtica"),
        (["taken"], "there is a folder or file taken already"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").mkdir()
    done = CliRunner().invoke(app, ["new", *words])
    assert done.exit_code == 2
    assert message in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_a_file_is_no_parent(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("from boardgames.examples.pig import GAME\n")
    with pytest.raises(InvalidInput, match="one in a module"):
        create_game("river", "./mine.py:GAME", tmp_path)


# ---- tic-tac-toe as a stranger's package


def test_tic_tac_toe_is_sixty_lines_of_rules_and_no_file_is_longer_than_the_scaffolds(tmp_path):
    create_game("river", folder=tmp_path)
    assert count_lines(EXAMPLE / "src/tictactoe/rules.py") <= 60
    for path in EXAMPLE.rglob("*"):
        if path.is_file() and path.suffix != ".pyc" and "egg-info" not in str(path):
            name = str(path.relative_to(EXAMPLE)).replace("tictactoe", "river")
            assert count_lines(path) <= count_lines(tmp_path / "river" / name), name


@pytest.mark.long
def test_tic_tac_toe_keeps_the_laws_and_passes_its_own_tests(check):
    own = run_tool(EXAMPLE, "pytest", "-q", "-p", "no:cacheprovider", "-k", "not law")
    assert "2 passed, 1 deselected" in own.stdout, own.stdout
    checked = check(EXAMPLE, "tictactoe:GAME")
    assert checked.stdout == "tictactoe keeps all 35 laws, without the compiler\n", checked.stderr


@pytest.mark.long
@pytest.mark.soak
@pytest.mark.parametrize("parent", choose_size([""], ["", "celtica", "keltis", "celtae"]))
def test_all_tests_of_a_new_game_pass_the_compiled_check_among_them(tmp_path, parent):
    create_game("sea-bed", parent, tmp_path)
    own = run_tool(tmp_path / "sea-bed", "pytest", "-q", "-p", "no:cacheprovider")
    assert own.returncode == 0, own.stdout
