"""The project itself: who imports whom, a lock without addresses, a wheel that holds what it should."""

import ast
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import boardgames

ROOT = Path(__file__).parents[2]


def test_the_import_contracts_are_kept():
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_every_public_name_can_be_imported_and_nothing_else():
    assert {"Game", "Match", "simulate"} <= set(boardgames.__all__)
    assert all(getattr(boardgames, name) for name in boardgames.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Gane'"):
        boardgames.Gane  # noqa: B018


def test_sums_that_are_stored_are_made_without_blas():
    """It wakes its threads for a few thousand numbers, and machines may add them up in different orders."""
    products = [
        f"{path.name}, line {node.lineno}"
        for path in (ROOT / "boardgames" / "store").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult))
        or (isinstance(node, ast.Attribute) and node.attr in ("dot", "vdot", "inner", "matmul"))
    ]
    assert products == []


def test_the_platform_can_be_imported_without_any_game_or_page():
    code = (
        "import boardgames.tools.check, boardgames.tools.bench, boardgames.tools.catalogue, sys;"
        " print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"variants", "analytics", "dashboard", "streamlit", "duckdb"} & {
        name.partition(".")[0] for name in loaded
    }
    assert not [name for name in loaded if name.startswith("boardgames.examples")]


def test_the_lock_has_hashes_and_no_address():
    lock = (ROOT / "requirements.lock").read_text()
    assert "://" not in lock
    assert "--index-url" not in lock
    pins = re.findall(r"^[a-z0-9._-]+==", lock, re.MULTILINE | re.IGNORECASE)
    assert len(pins) > 50
    assert lock.count("--hash=sha256:") >= len(pins)


def test_the_lock_names_every_dependency():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(name for extra in extras.values() for name in extra)]
    locked = set(re.findall(r"^([a-z0-9._-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    assert {re.match(r"[a-z0-9_-]+", name)[0].replace("_", "-") for name in wanted} <= locked


def test_the_wheel_holds_the_packages_and_nothing_of_the_tests(tmp_path):
    source = tmp_path / "source"  # building leaves a folder behind that a later wheel would pick up
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".*", "build", "*.egg-info"))
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "--quiet",
        "-w",
        str(tmp_path),
        str(source),
    ]
    subprocess.run(
        command, check=True, capture_output=True, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    wanted = [
        "boardgames/examples/pig.py",
        "boardgames/game/game.py",
        "boardgames/py.typed",
        "boardgames/tools/templates/game/pyproject.toml.txt",
    ]
    packages = ("analytics", "dashboard", "variants/celtae", "variants/celtica", "variants/keltis")
    wanted += [f"{package}/py.typed" for package in packages]
    assert {
        *wanted,
        "analytics/metric/sql/length.sql",
        "dashboard/__init__.py",
        "variants/keltis/board.toml",
    } <= set(names)
    assert not [name for name in names if name.startswith("tests")]


def test_no_file_names_a_path_of_someones_machine():
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    private = re.compile(r"(^|[^\w.])/(work|root|home/\w+|Users/\w+)/")
    texts = {name: (ROOT / name).read_text(errors="ignore") for name in tracked if (ROOT / name).is_file()}
    assert [
        name
        for name, text in texts.items()
        if name != "tests/project/test_project.py" and private.search(text)
    ] == []


@pytest.mark.parametrize(("ci", "code"), [(True, 1), (False, 0)])
def test_a_skipped_test_fails_the_run_in_ci_alone(ci, code, tmp_path):
    (tmp_path / "test_it.py").write_text("import pytest\ndef test_it():\n    pytest.skip('not installed')\n")
    env = {name: value for name, value in os.environ.items() if name != "CI"} | ({"CI": "true"} if ci else {})
    line = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.conftest",
        "-p",
        "no:cacheprovider",
        str(tmp_path),
        "-c",
        os.devnull,
    ]
    done = subprocess.run(line, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout
    assert ("In CI that is a failure" in done.stdout) == ci
