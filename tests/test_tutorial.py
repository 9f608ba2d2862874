"""A newcomer types the tutorial from top to bottom, in an empty folder and an environment of its own: nothing fails."""

import os
import re
import shlex
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.processes import free_port, wait_until_healthy

ROOT = Path(__file__).parent.parent
TUTORIAL = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
pytestmark = pytest.mark.long  # it compiles its game anew after each step
BLOCKS = re.findall(r"```(python|diff|sh)\n(.*?)```", TUTORIAL, re.DOTALL)


def patched(text: str, diff: str) -> str:
    """A file after a small diff: its unchanged and removed lines are found, once, and replaced by the unchanged and added ones."""
    lines = diff.splitlines()
    old = "".join(f"{line[1:]}\n" for line in lines if line[:1] in (" ", "-", ""))
    new = "".join(f"{line[1:]}\n" for line in lines if line[:1] in (" ", "+", ""))
    assert text.count(old) == 1, old
    return text.replace(old, new)


def own_environment(folder: Path) -> Path:
    """A virtual environment that sees all that is installed here, and into which packages can be installed without a trace."""
    venv.create(folder, with_pip=False)
    there = folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    here = sysconfig.get_paths()["purelib"]
    (there / "seen.pth").write_text(f"import site; site.addsitedir({here!r})\n")
    return folder / "bin" / "python"


def dashboard_answers(command: list[str], folder: Path, env: dict[str, str]) -> bool:
    """Open the dashboard, ask it whether it is well, and end it."""
    port = free_port()
    alone = [*command, "--port", str(port), "--no-open"]
    process = subprocess.Popen(alone, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        return wait_until_healthy(process, port)
    finally:
        process.terminate()
        process.communicate()


@pytest.fixture(scope="module")
def typed(tmp_path_factory):
    """Every command of the tutorial with its answer, in order, and what the folder held at the end."""
    folder = tmp_path_factory.mktemp("tutorial")
    python = own_environment(tmp_path_factory.mktemp("environment") / "venv")
    env = {**os.environ, "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    answers = []
    for kind, block in BLOCKS:
        if kind == "python":
            (folder / "cairn.py").write_text(block)
        elif kind == "diff":
            (folder / "cairn.py").write_text(patched((folder / "cairn.py").read_text(), block))
        else:
            for line in block.splitlines():
                words = shlex.split(line)
                command = [str(python), "-m", *words] if words[0] == "boardgames" else [str(python), *words[1:]]
                if words[1] == "dashboard":
                    answers.append((line, 0 if dashboard_answers(command, folder, env) else 1, "", ""))
                    continue
                done = subprocess.run(command, cwd=folder, env=env, input="1\n2\nq\n", capture_output=True, text=True, check=False)
                answers.append((line, done.returncode, done.stdout, done.stderr))
    return folder, answers


def test_no_command_of_the_tutorial_fails(typed):
    _, answers = typed
    assert [(line, errors) for line, code, _, errors in answers if code != 0] == []
    assert len(answers) >= 15


def test_each_step_says_what_the_tutorial_promises(typed):
    _, answers = typed
    told = {line: output for line, _, output, _ in answers}
    checks = [output for line, _, output, _ in answers if " check " in line]
    assert checks == ["cairn keeps all 28 laws, without the compiler\n"] * 2
    assert "The match is kept" in told["boardgames play ./cairn.py:GAME"]
    assert "differs from the default in: steep=yes" in told["boardgames show ./cairn.py:GAME:steep"]
    (verdict,) = [output for line, output in told.items() if "--blocks 1500" in line]
    assert re.search(r"score_level.*materially different", verdict)
    (twins,) = [output for line, output in told.items() if "--show" in line]
    assert "(steep)" in twins
    assert "river" in told["boardgames list"]
    assert "is across" in told["boardgames play river --watch"]


def test_the_game_of_the_tutorial_is_short_and_drawn(typed):
    folder, _ = typed
    assert len((folder / "cairn.py").read_text().splitlines()) < 160
    assert "<svg" in (folder / "cairn.svg").read_text()


def test_the_game_of_the_tutorial_keeps_every_law_compiled_as_well(typed):
    folder, _ = typed
    done = subprocess.run(
        [sys.executable, "-m", "boardgames", "check", "./cairn.py:GAME"], cwd=folder, capture_output=True, text=True
    )
    assert done.stdout == "cairn keeps all 30 laws\n", done.stderr
