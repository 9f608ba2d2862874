"""A newcomer types the tutorial from top to bottom, in an empty folder and an environment of its own: nothing
fails.
"""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.support.processes import find_free_port, wait_until_healthy

ROOT = Path(__file__).parents[2]
TUTORIAL = (ROOT / "docs/own_game/tutorial.md").read_text(encoding="utf-8")
pytestmark = pytest.mark.long  # it compiles its game anew after each step
DEALS = re.findall(r"```(python|diff|sh)\n(.*?)```", TUTORIAL, re.DOTALL)


def apply_diff(text: str, diff: str) -> str:
    """A file after a small diff: its unchanged and removed lines are found, once, and replaced by the
    unchanged and added ones.
    """
    lines = diff.splitlines()
    old = "".join(f"{line[1:]}\n" for line in lines if line[:1] in (" ", "-", ""))
    new = "".join(f"{line[1:]}\n" for line in lines if line[:1] in (" ", "+", ""))
    assert text.count(old) == 1, old
    return text.replace(old, new)


def make_environment(folder: Path) -> Path:
    """A virtual environment that sees all that is installed here, and into which packages can be installed
    without a trace.
    """
    venv.create(folder, with_pip=False)
    site_packages = (
        folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    )
    installed = sysconfig.get_paths()["purelib"]
    (site_packages / "seen.pth").write_text(f"import site; site.addsitedir({installed!r})\n")
    return folder / "bin" / "python"


def check_dashboard(command: list[str], folder: Path, env: dict[str, str]) -> bool:
    """Open the dashboard, ask it whether it is well, and end it."""
    port = find_free_port()
    alone = [*command, "--port", str(port), "--no-open"]
    process = subprocess.Popen(alone, cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
    try:
        return wait_until_healthy(process)
    finally:
        process.terminate()
        process.communicate()


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    """Every command of the tutorial with its answer, in order, and what the folder held at the end."""
    folder = tmp_path_factory.mktemp("tutorial")
    python = make_environment(tmp_path_factory.mktemp("environment") / "venv")
    env = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    answers = []
    for kind, deal in DEALS:
        if kind == "python":
            (folder / "cairn.py").write_text(deal)
        elif kind == "diff":
            (folder / "cairn.py").write_text(apply_diff((folder / "cairn.py").read_text(), deal))
        else:
            for line in deal.splitlines():
                words = shlex.split(line)
                command = (
                    [str(python), "-m", *words] if words[0] == "boardgames" else [str(python), *words[1:]]
                )
                if words[1] == "dashboard":
                    answers.append((line, 0 if check_dashboard(command, folder, env) else 1, "", ""))
                    continue
                done = subprocess.run(
                    command,
                    cwd=folder,
                    env=env,
                    input="1\n2\nq\n",
                    capture_output=True,
                    text=True,
                    check=False,
                )
                answers.append((line, done.returncode, done.stdout, done.stderr))
    return folder, answers


def test_no_command_of_the_tutorial_fails(typed):
    _, answers = typed
    assert [(line, errors) for line, code, _, errors in answers if code != 0] == []
    assert len(answers) >= 15


def test_each_step_says_what_the_tutorial_promises(typed):
    _, answers = typed
    outputs = {line: output for line, _, output, _ in answers}
    checks = [output for line, _, output, _ in answers if " check " in line]
    assert checks == ["cairn keeps all 35 laws, without the compiler\n"] * 2
    assert "The match is kept" in outputs["boardgames play ./cairn.py:GAME"]
    assert "differs from the default in: steep=yes" in outputs["boardgames show ./cairn.py:GAME:steep"]
    (verdict,) = [output for line, output in outputs.items() if "--matches 1500" in line]
    assert re.search(r"Average score.*(higher|lower)", verdict)
    (pair,) = [output for line, output in outputs.items() if "side-by-side" in line]
    assert "(steep)" in pair
    assert "river" in outputs["boardgames list"]
    assert "is across" in outputs["boardgames play river --watch"]


def test_the_game_of_the_tutorial_is_short_and_drawn(typed):
    folder, _ = typed
    assert len((folder / "cairn.py").read_text().splitlines()) < 160
    assert "<svg" in (folder / "cairn.svg").read_text()


def test_the_game_of_the_tutorial_keeps_every_law_compiled_as_well(typed, run_command):
    folder, _ = typed
    done = run_command("check", "./cairn.py:GAME", folder=folder)
    assert done.stdout == "cairn keeps all 37 laws\n", done.stderr
