"""What the pages say is true: their commands run, their code runs, their links lead somewhere."""

import contextlib
import os
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import typer

from analytics import Metric
from analytics.metric.metric import ENTRY_POINTS
from boardgames import Game, find_variant, query, simulate
from boardgames.cli import app
from boardgames.tools.check.all_laws import list_laws
from dashboard.app import list_pages

# A command that is only named, without its arguments: Typer keeps this class to itself.
MISSING = next(kind for kind in typer.BadParameter.__subclasses__() if kind.__name__ == "MissingParameter")
ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [
    ROOT / "README.md",
    *sorted(DOCS.rglob("*.md")),
    *sorted((ROOT / "examples").glob("*/README.md")),
]
README = (ROOT / "README.md").read_text()
WRITE_A_VARIANT = (DOCS / "start/write_a_variant.md").read_text()
PYTHON = (DOCS / "how/python.md").read_text()
STORE = (DOCS / "how/sql.md").read_text()
DERIVE = (DOCS / "own_game/derive.md").read_text()
OWN_GAME = (DOCS / "own_game/index.md").read_text()
CELTICA = (DOCS / "games/celtica.md").read_text()
AGENTS = (DOCS / "why/agents.md").read_text()
OWN_METRICS = (DOCS / "own_game/own_metrics.md").read_text()
PROTOCOL = (DOCS / "own_game/protocol.md").read_text()
# whose commands run here; those of the other pages run where their subject is tested
FIRST_PAGES = [README, (DOCS / "start/index.md").read_text()]
LATER_PAGES = [
    (DOCS / "how/share.md").read_text(),
    (DOCS / "how/speed.md").read_text(),
    (DOCS / "how/fix.md").read_text(),
    STORE,
    OWN_GAME,
    (DOCS / "why/proofs.md").read_text(),
    AGENTS,
]


def find_snippets(kind: str, text: str = README) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def find_commands(pages: list[str]) -> list[str]:
    snippets = [snippet for text in pages for snippet in find_snippets("sh", text)]
    return [line for snippet in snippets for line in snippet.splitlines() if line.strip()]


COMMANDS = find_commands(FIRST_PAGES)
LATER_COMMANDS = find_commands(LATER_PAGES)


def test_the_pages_have_commands_and_code_to_try():
    assert find_snippets("sh", README)
    assert len(COMMANDS) >= 4
    assert len(LATER_COMMANDS) >= 12
    assert len(find_snippets("python", PYTHON)) >= 2
    assert len(find_snippets("toml", WRITE_A_VARIANT)) == 1


def run_script(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run mine.py in this folder."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "mine.py"]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The commands leave their files here."""
    return tmp_path_factory.mktemp("readme")


@pytest.mark.parametrize(
    "command", [*COMMANDS, *(pytest.param(line, marks=pytest.mark.long) for line in LATER_COMMANDS)]
)
def test_every_command_of_the_pages_works(command, folder, run_command):
    words = shlex.split(command, comments=True)
    assert words[0] == "boardgames"
    done = run_command(*words[1:], folder=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout


@pytest.mark.long
@pytest.mark.parametrize(
    "code",
    find_snippets("python", DERIVE)
    + find_snippets("python", STORE)
    + find_snippets("python", CELTICA)
    + find_snippets("python", AGENTS)
    + find_snippets("python", OWN_METRICS),
)
def test_every_piece_of_python_in_the_docs_runs(code, tmp_path):
    (tmp_path / "mine.py").write_text(code)
    done = run_script(tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.long
def test_the_page_about_python_is_one_session_that_runs(tmp_path):
    (tmp_path / "mine.py").write_text("\n".join(find_snippets("python", PYTHON)))
    done = run_script(tmp_path)
    assert done.returncode == 0, done.stderr
    assert "<Comparison of pig+target=50 with pig, 2 players, by random>" in done.stdout
    assert (tmp_path / "comparison.html").is_file()


@pytest.mark.long
@pytest.mark.parametrize("page", [PYTHON, AGENTS], ids=["docs/how/python.md", "docs/why/agents.md"])
def test_the_wins_that_an_example_prints_are_those_of_the_agents(page, tmp_path):
    """Counted by hand, match by match, from who sat where."""
    (code,) = [snippet for snippet in find_snippets("python", page) if "batch.shares()" in snippet]
    counted = """
for place, name in enumerate(batch.line_up):
    seats = [[*order].index(place) for order in batch.seatings]
    wins = [batch.seats["win_share"][row, seats[row % len(seats)]] for row in range(len(batch.matches))]
    print(f"COUNTED {name} wins {sum(wins) / len(wins):.1%}")
"""
    (tmp_path / "mine.py").write_text(code + counted)
    done = run_script(tmp_path)
    output = re.findall(
        r"^(\S+ wins [\d.]+%) of its matches \([\d.]+% to [\d.]+%\)$", done.stdout, re.MULTILINE
    )
    assert (len(output), output) == (2, re.findall(r"^COUNTED (.*)$", done.stdout, re.MULTILINE)), done.stderr
    assert float(output[0].split()[-1][:-1]) > 60, output  # by seat it would be 50


@pytest.mark.long
def test_the_derived_game_of_the_docs_keeps_the_laws(tmp_path, run_command):
    (code,) = find_snippets("python", DERIVE)
    (tmp_path / "mine.py").write_text(code)
    done = run_command("check", "./mine.py:MINE", "--plain", "--matches", "1", folder=tmp_path)
    assert (done.returncode, done.stdout) == (0, "modest-pig keeps all 35 laws, without the compiler\n"), (
        done.stderr
    )


def test_the_variants_file_of_the_docs_is_read(tmp_path, run_command):
    (tmp_path / "variants.toml").write_text(find_snippets("toml", WRITE_A_VARIANT)[0])
    done = run_command("show", "quick", folder=tmp_path)
    assert "quick: for the train" in done.stdout, done.stderr


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Path:
    db = tmp_path_factory.mktemp("docs") / "magpies.duckdb"
    specs = ["magpies", "magpies+hand_size=6"]
    simulate(*specs, db=db, players="2", agents=["random", "greedy,random"], matches=70)
    return db


@pytest.mark.long
@pytest.mark.parametrize("sql", find_snippets("sql", STORE))
def test_every_query_of_the_docs_answers(sql, results):
    assert len(query(results, sql)) > 0


def test_the_board_of_the_docs_is_played(tmp_path, run_command):
    (tmp_path / "mine.toml").write_text(find_snippets("toml", CELTICA)[0])
    done = run_command("show", "celtica+board=mine.toml", folder=tmp_path)
    assert "differs from the default in: board=mine.toml" in done.stdout, done.stderr


def test_the_metric_for_authors_can_be_asked(results):
    names: dict[str, Any] = {}
    exec(find_snippets("python", OWN_METRICS)[0], names)
    (metric,) = [value for value in names.values() if isinstance(value, Metric)]
    rows = query(
        results, metric.definition.replace("thrown away", "snatched")
    )  # a tally of a game that is stored here
    assert rows.column_names == ["cell_id", "part", "slice", "deals", "total", "squares"]
    assert len(rows) > 0
    declared = tomllib.loads(find_snippets("toml", OWN_METRICS)[0])["project"]["entry-points"]
    assert list(declared) == [ENTRY_POINTS]


def test_every_variant_that_the_docs_name_exists():
    text = "".join(page.read_text() for page in PAGES)
    names = set(re.findall(r"(?<![\w/.])((?:celtica|keltis|celtae)[:+][\w:+=./-]*\w)", text))
    names = {name for name in names if not name.endswith((".toml", ":GAME"))}
    assert len(names) > 20
    assert [find_variant(name).name.split(":")[0].split("+")[0] for name in names] == [
        re.split("[:+]", name)[0] for name in names
    ]


def test_links_lead_to_files_that_exist():
    links = [
        (page, link) for page in PAGES for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
    ]
    assert len(links) > 40
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []


def test_the_docs_show_a_picture_of_every_page_of_the_dashboard():
    """`make pictures` takes them, by the menu; a new page or a new name needs it."""
    shown = set(re.findall(r"pictures/dashboard_([a-z-]+)\.png", (DOCS / "how/dashboard.md").read_text()))
    stored = {path.stem.removeprefix("dashboard_") for path in (DOCS / "pictures").glob("dashboard_*.png")}
    assert shown == stored == set(list_pages())


def test_every_command_that_any_page_shows_is_one_of_ours():
    """Those in deals of `sh` are run; the others are at least understood: the command, its options and their
    values.
    """
    lines = []
    for page in PAGES:
        text = page.read_text()
        lines += re.findall(r"^(?: {4}|- run: )?(boardgames .*)$", text, re.MULTILINE) + re.findall(
            r"`(boardgames [a-z][^`]*)`", text
        )
    assert len(lines) > 80
    for line in lines:
        name, command, words = (
            "boardgames",
            typer.main.get_command(app),
            shlex.split(line.split("||")[0], comments=True)[1:],
        )
        while words and words[0] in getattr(command, "commands", ()):
            name, command, words = words[0], command.commands[words[0]], words[1:]
        assert not hasattr(command, "commands"), line
        with contextlib.suppress(MISSING):
            command.make_context(name, words)


def test_the_page_about_the_protocol_names_every_law_and_every_declaration():
    output = " ".join(PROTOCOL.replace(",", "").split())
    assert [law for law in list_laws() if law not in output] == []
    assert [
        field.name
        for field in fields(Game)
        if f"`{field.name}" not in PROTOCOL and f"{field.name}," not in PROTOCOL
    ] == ["about"]


def test_the_newcomers_example_is_as_short_as_it_says():
    (lines,) = re.findall(r"tic_tac_toe.py` in the source has (\d+) lines", OWN_GAME)
    assert len((ROOT / "boardgames/examples/tic_tac_toe.py").read_text().splitlines()) <= int(lines) <= 60


def test_no_command_needs_the_tests_or_a_clone():
    snippets = [
        code for page in PAGES for code in re.findall(r"```\w*\n(.*?)```", page.read_text(), re.DOTALL)
    ]
    commands = [line for page in PAGES for line in re.findall(r"(boardgames [a-z].*)", page.read_text())]
    assert [text for text in (*snippets, *commands) if re.search(r"\btests[./]\w", text)] == []


def test_every_target_of_the_makefile_that_the_readme_names_exists():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"`?make ([a-z]+)", README)) <= targets


@pytest.mark.long
def test_the_commands_of_the_findings_can_be_typed(tmp_path, run_command):
    """As they stand they take an hour: here with few deals, few fill-ins and small budgets."""
    text = (DOCS / "why/findings.md").read_text()
    commands = re.findall(r"^    (boardgames .*)$", text, re.MULTILINE)
    assert len(commands) >= 12
    for command in commands:
        short = re.sub(r"--matches \d+", "", command).replace("--count 20", "--count 2")
        short = re.sub(r"mcts:\d+", "mcts:2", short)
        done = run_command(*shlex.split(short)[1:], "--matches", "20", folder=tmp_path)
        assert done.returncode == 0, f"{short}: {done.stderr}"
