"""What the pages about comparing, goals, luck, people and other questions say can be typed."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardgames.cli import app

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs/how/compare.md").read_text()
GOALS = (ROOT / "docs/how/goals.md").read_text()
QUESTIONS = ("goals", "explain", "side_by_side", "alternatives", "coverage", "report")
PEOPLE = (ROOT / "docs/how/people.md").read_text()


@pytest.mark.long
def test_every_command_about_comparing_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = [
        line for deal in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in deal.splitlines()
    ]
    assert len(commands) >= 3
    for command in commands:
        first, *words = shlex.split(command)
        done = CliRunner().invoke(app, words)
        assert (first, done.exit_code) == ("boardgames", 0), done.output
    assert "threshold of seat_win_share 1 pp -> 2 pp" in done.stdout


@pytest.mark.long
def test_the_code_about_comparing_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(code, "docs/how/compare.md", "exec"), {})
    assert "seat_win_share 1 Estimate" in capsys.readouterr().out


@pytest.mark.long
def test_every_command_of_a_question_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (goals,) = re.findall(r"```toml\n(.*?)```", GOALS, re.DOTALL)
    (tmp_path / "balance.toml").write_text(goals)
    pages = [(ROOT / f"docs/how/{name}.md").read_text() for name in QUESTIONS]
    commands = [
        line
        for page in pages
        for snippet in re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
        for line in snippet.splitlines()
    ]
    asked = [words[1] for words in map(shlex.split, commands)]
    assert set(asked) == {"goals", "explain", "side-by-side", "alternatives", "coverage", "report"}
    for command in commands:
        first, *words = shlex.split(command)
        done = CliRunner().invoke(app, words)
        assert (first, done.exit_code) == ("boardgames", 0), done.output


@pytest.mark.long
def test_every_command_and_the_code_about_luck_work(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/how/luck.md").read_text()
    commands = [
        line for deal in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) for line in deal.splitlines()
    ]
    assert len(commands) >= 3
    for command in commands:
        done = CliRunner().invoke(app, shlex.split(command)[1:])
        assert done.exit_code == 0, done.output
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(code, "docs/how/luck.md", "exec"), {})
    assert "the die Estimate" in capsys.readouterr().out


@pytest.mark.long
def test_every_command_about_people_works(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (results,) = re.findall(r"```csv\n(.*?)```", PEOPLE, re.DOTALL)
    (tmp_path / "results.csv").write_text(results)
    commands = [
        line for deal in re.findall(r"```sh\n(.*?)```", PEOPLE, re.DOTALL) for line in deal.splitlines()
    ]
    output = [CliRunner().invoke(app, shlex.split(command)[1:], input="1\nq\n") for command in commands]
    assert [done.exit_code for done in output] == [0, 0, 0], output[-1].output
    assert "7 matches of 4 people on 3 evenings" in output[1].stdout
    assert "4 matches of 4 people among themselves, on 3 evenings" in output[2].stdout
    (code,) = re.findall(r"```python\n(.*?)```", PEOPLE, re.DOTALL)
    exec(compile(code, "docs/how/people.md", "exec"), {})


@pytest.mark.long
def test_the_code_about_coverage_runs(capsys):
    page = (ROOT / "docs/how/coverage.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(code, "docs/how/coverage.md", "exec"), {})
    assert "Estimate(mean=" in capsys.readouterr().out
