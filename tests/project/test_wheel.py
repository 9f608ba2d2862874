"""The wheel in an environment of its own: everything is in it, and it is used from another folder."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
pytestmark = pytest.mark.long  # it builds and installs a package, and compiles a game anew


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"  # building leaves a folder behind that a later wheel would pick up
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".*", "build", "*.egg-info"))
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--wheel-dir", str(folder)]
    command = [sys.executable, "-m", "pip", "wheel", *options, str(source)]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **OFFLINE})
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel, tmp_path_factory) -> dict[str, str]:
    """Variables under which `python` and `boardgames` are those of a fresh virtual environment, which has the
    wheel and sees the libraries that are installed here. Nothing is downloaded.
    """
    folder = tmp_path_factory.mktemp("environment") / "venv"
    venv.create(folder, with_pip=False)
    paths = sysconfig.get_paths(vars={"base": str(folder), "platbase": str(folder)}, scheme="venv")
    libraries = sysconfig.get_paths()["purelib"]
    (Path(paths["purelib"]) / "libraries.pth").write_text(f"import site; site.addsitedir({libraries!r})\n")
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    env |= {**OFFLINE, "PATH": f"{paths['scripts']}{os.pathsep}{os.environ['PATH']}"}
    install = "python -m pip install --quiet --no-deps --ignore-installed"
    subprocess.run([*install.split(), str(wheel)], env=env, check=True, cwd=folder)
    return env


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture(scope="module")
def run(environment, elsewhere):
    def run_line(line: str) -> subprocess.CompletedProcess[str]:
        words = shlex.split(line)
        return subprocess.run(
            words, cwd=elsewhere, env=environment, capture_output=True, text=True, check=False
        )

    return run_line


def test_every_file_of_the_packages_is_in_the_wheel(wheel):
    folders = ["boardgames", "analytics", "dashboard", "variants"]
    tracked = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(tracked) <= set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_says_what_it_is_and_names_no_address_that_does_not_exist(wheel):
    archive = zipfile.ZipFile(wheel)
    (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
    metadata = Parser().parsestr(archive.read(name).decode())
    classifiers = metadata.get_all("Classifier")
    assert "Topic :: Games/Entertainment :: Board Games" in classifiers
    assert "Typing :: Typed" in classifiers
    assert metadata.get_all("Project-URL") is None


def test_the_commands_run_from_the_wheel_and_not_from_the_clone(run):
    done = run("python -c 'import boardgames, analytics; print(boardgames.__file__, analytics.__file__)'")
    assert str(ROOT) not in done.stdout
    assert done.stdout.count("site-packages") == 2, done.stderr


def test_games_are_listed_simulated_and_compared(run):
    assert "celtica:en" in run("boardgames list").stdout
    done = run("boardgames simulate pig --players 2 --agents random --matches 64 --db a.duckdb")
    assert "64 matches played" in done.stdout, done.stderr
    done = run("boardgames compare pig pig+target=50 --players 2 --agents random --matches 300 --db a.duckdb")
    assert "Matches are shorter" in done.stdout, done.stderr


def test_a_new_game_is_installed_and_checked_by_the_commands_that_are_printed(run):
    done = run("boardgames new river")
    assert done.returncode == 0, done.stderr
    install, check, play = re.findall(r"(?:Next:|^)\s+((?:python|boardgames) .*)", done.stdout, re.MULTILINE)
    installed = run(install)
    assert installed.returncode == 0, installed.stderr
    checked = run(f"{check} --plain --matches 1")
    assert checked.stdout.startswith("river keeps all "), checked.stderr
    assert play == "boardgames play river"


def test_a_file_of_the_user_that_hides_a_package_is_explained(run, elsewhere):
    mine = elsewhere / "analytics.py"
    mine.write_text("raise SystemExit('my own script')\n")
    try:
        done = run("python -m boardgames list")
        assert done.returncode == 2
        assert f"{mine} has the name of a package of boardgames" in done.stderr
        assert "Traceback" not in done.stderr
        assert run("boardgames list").returncode == 0  # it does not look into the current folder
    finally:
        mine.unlink()
