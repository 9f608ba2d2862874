"""What docs/compare.md and docs/answers.md say can be typed."""

import re
import shlex
from pathlib import Path

from typer.testing import CliRunner

from boardgames.cli import app

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs/compare.md").read_text()
ANSWERS = (ROOT / "docs/answers.md").read_text()


def test_every_command_about_comparing_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    assert len(commands) >= 3
    for command in commands:
        first, *words = shlex.split(command)
        done = CliRunner().invoke(app, words)
        assert (first, done.exit_code) == ("boardgames", 0), done.output
    assert "margin of seat_win_share 1 pp -> 2 pp" in done.stdout


def test_the_code_about_comparing_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(code, "docs/compare.md", "exec"), {})
    assert "seat_win_share 1 Estimate" in capsys.readouterr().out


def test_links_of_the_pages_lead_somewhere():
    text = PAGE + ANSWERS + (ROOT / "docs/metrics.md").read_text()
    assert [link for link in re.findall(r"\]\(([^)#]+)\)", text) if not (ROOT / "docs" / link).exists()] == []


def test_every_command_about_answers_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (goals,) = re.findall(r"```toml\n(.*?)```", ANSWERS, re.DOTALL)
    (tmp_path / "balance.toml").write_text(goals)
    commands = [line for block in re.findall(r"```sh\n(.*?)```", ANSWERS, re.DOTALL) for line in block.splitlines()]
    asked = [words[1] for words in map(shlex.split, commands)]
    assert set(asked) == {"goals", "compare", "coverage", "report"}
    for command in commands:
        first, *words = shlex.split(command)
        done = CliRunner().invoke(app, words)
        assert (first, done.exit_code) == ("boardgames", 0), done.output


def test_the_code_about_answers_runs(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", ANSWERS, re.DOTALL)
    exec(compile(code, "docs/answers.md", "exec"), {})
    assert "Estimate(mean=" in capsys.readouterr().out
