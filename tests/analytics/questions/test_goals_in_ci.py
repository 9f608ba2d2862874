"""Goals in a CI job: JUnit XML, a summary, annotations and JSON say what the terminal says."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs" / "how"
GOALS = """variants = ["tests.truth.first_six:GAME"]
agents = "random"
players = "2"
matches = 2000

[[goal]]  # 6/11 and 5/11
metric = "seat_win_share"
within = 25

[[goal]]  # the mean is 6
metric = "length"
high = 2

[[goal]]  # 6/11 is so near that 2,000 matches cannot tell
metric = "seat_win_share"
part = 1
low = 54.5454
"""


@pytest.fixture(scope="module")
def job(tmp_path_factory, run_command):
    """The same question as text and as JSON, in a folder of a repository, as GitHub would ask it."""
    root = tmp_path_factory.mktemp("repository")
    folder = root / "game"
    folder.mkdir()
    (folder / "balance.toml").write_text(GOALS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GITHUB_ACTIONS", "true")
        patch.setenv("GITHUB_WORKSPACE", str(root))
        patch.setenv("GITHUB_STEP_SUMMARY", str(root / "summary.md"))
        (root / "summary.md").write_text("# before\n")
        words = ["goals", str(folder / "balance.toml"), "--db", str(root / "g.duckdb")]
        text = run_command(*words, "--junit", str(root / "goals.xml"), in_process=True)
        as_json = run_command(*words, "--json", in_process=True)
    assert text.returncode == 1, text.stderr
    return root, text, as_json


def test_junit_has_a_case_for_every_check_with_its_line(job):
    root, _, _ = job
    (suite,) = ElementTree.parse(root / "goals.xml").getroot()
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "1", "1")
    cases = [(case.get("classname"), case.get("line"), [child.tag for child in case]) for case in suite]
    assert cases == [
        ("first-six", "7", []),
        ("first-six", "7", []),
        ("first-six", "11", ["failure"]),
        ("first-six", "15", ["skipped"]),
    ]
    assert suite[2][0].get("message").startswith("Fails: in first-six with 2 players, a match takes 5.81 ")


def test_annotations_name_the_file_from_the_root_of_the_repository_and_the_line(job):
    _, text, _ = job
    lines = [line for line in text.stdout.splitlines() if line.startswith("::")]
    assert lines[0].startswith(
        "::error file=game/balance.toml,line=11,title=Match length in first-six::Fails: in "
    )
    assert lines[1].startswith("::warning file=game/balance.toml,line=15,")
    assert len(lines) == 2


def test_mistakes_in_the_goals_file_are_annotated_with_their_lines(tmp_path, run_command, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    (tmp_path / "balance.toml").write_text(GOALS.replace('"length"', '"lenght"').replace("within", "whithin"))
    done = run_command("goals", str(tmp_path / "balance.toml"), in_process=True)
    assert done.returncode == 2
    lines = [line for line in done.stderr.splitlines() if line.startswith("::")]
    assert lines[0].startswith("::error file=balance.toml,line=8,title=whithin::no field 'whithin'")


def test_a_percent_sign_in_an_annotation_is_escaped(job):
    _, text, _ = job
    (warning,) = [line for line in text.stdout.splitlines() if line.startswith("::warning")]
    assert "%25" in warning
    assert not re.search(r"%(?!25|3A|2C)", warning)


def test_with_json_annotations_go_to_stderr_and_stdout_is_json(job):
    _, _, as_json = job
    assert json.loads(as_json.stdout)["verdict"] == "fail"
    assert as_json.stderr.count("::error ") == 1


def test_the_summary_is_added_to_what_the_job_has_written(job):
    root, _, _ = job
    summary = (root / "summary.md").read_text()
    assert summary.startswith("# before\n## ")
    assert summary.count("FAIL: of 3 goals, 1 met, 1 missed and 1 open.") == 2  # of both commands
    assert "| ❌ | 2 | Match length | first-six | 2 | at most 2.00 turns |" in summary
    rows = [line for line in summary.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {9}


def test_json_has_the_units_of_the_goals_file(job):
    _, _, as_json = job
    shares, length = [], None
    for check in json.loads(as_json.stdout)["checks"]:
        if check["metric"] == "length":
            length = check
        else:
            shares.append(check)
    assert {check["unit"] for check in shares} == {"%"}
    assert shares[0]["least"] == pytest.approx(25)
    assert shares[0]["most"] == pytest.approx(75)
    assert shares[0]["low"] < 600 / 11 < shares[0]["high"]
    assert (length["unit"], length["line"], length["least"], length["most"]) == ("turns", 11, None, 2)


def test_the_docs_describe_every_field_of_the_json(job):
    _, _, as_json = job
    answer = json.loads(as_json.stdout)
    page = (DOCS / "goals_in_ci.md").read_text()
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    described = set(re.findall(r"`(\w+)`", " ".join(rows)))
    assert described == {*answer, *answer["checks"][0]}


def test_outside_github_nothing_is_annotated_or_summed_up(job, run_command, monkeypatch):
    root, _, _ = job
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE"):
        monkeypatch.delenv(name, raising=False)
    words = ["goals", str(root / "game/balance.toml"), "--db", str(root / "g.duckdb")]
    done = run_command(*words, in_process=True)
    assert "::" not in done.stdout + done.stderr


def test_a_file_that_cannot_be_written_is_said_before_anything_is_played(tmp_path, run_command):
    (tmp_path / "balance.toml").write_text(GOALS)
    words = ["goals", str(tmp_path / "balance.toml"), "--db", str(tmp_path / "g.duckdb")]
    done = run_command(*words, "--junit", str(tmp_path / "no/goals.xml"), in_process=True)
    assert done.returncode == 2
    assert "does not exist" in done.stderr
    assert not (tmp_path / "g.duckdb").exists()


@pytest.mark.long
def test_the_workflow_in_the_docs_is_yaml_and_its_line_about_goals_runs(tmp_path):
    """Whatever a job of GitHub makes of the exit code: 3, something is open, is no failure; 1 is one."""
    workflow = yaml.safe_load((DOCS / "goals.yml").read_text())
    commands = [step["run"] for step in workflow["jobs"]["goals"]["steps"] if "run" in step]
    (goals,) = [command for command in commands if command.startswith("boardgames goals")]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    open_goal = GOALS[GOALS.index("[[goal]]  # 6/11 is") :]
    head = GOALS[: GOALS.index("[[goal]]")]
    for wanted, code in ((GOALS, 1), (head + open_goal, 0)):
        (tmp_path / "balance.toml").write_text(wanted)
        done = subprocess.run(
            ["bash", "-e", "-c", goals],
            cwd=tmp_path,
            env={**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert ElementTree.parse(tmp_path / "goals.xml").getroot() is not None
        assert (tmp_path / "goals.duckdb").is_file()
