"""What a stranger's result file names is shown by name: no module is imported for it, and no file is read."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from boardgames import find_variant, matches, simulate
from boardgames.experiment.plan import circumstances, make_plan
from boardgames.game.plugins import NotTrusted, find_stored
from boardgames.run import cluster
from boardgames.store.connection import connection, writing
from boardgames.store.runs import replay_stored, why_changed

ROOT = Path(__file__).parent.parent
PIG = "tests.truth.pig:GAME+target=20"
BOARD = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/celtica.md").read_text(), re.DOTALL)[0]
EVIL = ["./evil.py:GAME+target=20", "evil_module:GAME+target=20", "./evil.py:GAME:fast", "own-evil"]


@pytest.fixture(scope="module")
def honest(tmp_path_factory) -> Path:
    """Results of a game that is not installed."""
    path = tmp_path_factory.mktemp("doors") / "honest.duckdb"
    simulate([PIG], path, players="2", agents=["random"], blocks=64)
    return path


@pytest.fixture
def folder(honest, tmp_path, monkeypatch) -> Path:
    """Where somebody unpacked what a stranger sent: results that name code beside them, which leaves a mark when it runs."""
    code = f"open({str(tmp_path / 'mark')!r}, 'w').close()\nfrom tests.truth.pig import GAME\n"
    for name in ("evil.py", "evil_module.py"):
        (tmp_path / name).write_text(code)
    (tmp_path / "variants.toml").write_text('[own-evil]\nbase = "./evil.py:GAME"\ntarget = 20\n')
    (tmp_path / "sent.duckdb").write_bytes(honest.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def spoil(path: Path, spec: str, line_up: str = "random") -> None:
    with writing(path) as session:
        connection(session).execute("UPDATE variant SET spec = ?", [spec])
        connection(session).execute("UPDATE cell SET line_up = ?", [line_up])


def run(*words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-m", "boardgames", *words], env=env, capture_output=True, text=True, check=False)


def match_of(path: Path) -> str:
    (row,) = matches(path, "SELECT cell_id, block, arrangement FROM match LIMIT 1").to_pylist()
    return f"{row['cell_id']}/{row['block']}/{row['arrangement']}"


@pytest.mark.parametrize("spec", EVIL)
def test_a_stored_name_is_shown_and_never_imported(spec, folder):
    path = folder / "sent.duckdb"
    spoil(path, spec)
    place = "evil_module:GAME" if spec.startswith("evil_module") else "./evil.py:GAME"
    assert why_changed(spec, "x") == f"not installed: add `--game {place}` to see it"
    with pytest.raises(NotTrusted, match="not installed"):
        replay_stored(path, match_of(path))
    assert not (folder / "mark").exists()


def test_no_command_runs_code_that_a_file_names(folder):
    path = folder / "sent.duckdb"
    spoil(path, EVIL[0])
    again = [*PIG.split(), "--players", "2", "--agents", "random", "--blocks", "64", "--into", "sent.duckdb"]
    longer = PIG.replace("20", "26")
    told = run("runs", "sent.duckdb")
    assert (told.returncode, "pig+target=20: not installed: add `--game ./evil.py:GAME` to see it" in told.stdout) == (0, True)
    told = run("replay", match_of(path), "--from", "sent.duckdb")
    assert (told.returncode, "add `--game ./evil.py:GAME`" in told.stderr, "Traceback" in told.stderr) == (2, True, False)
    for words in (
        ["export", "cells", "--into", "cells.csv", "--from", "sent.duckdb"],
        ["merge", "sent.duckdb", "--into", "mine.duckdb"],
        ["simulate", *again],
        ["compare", longer, *again],
        ["report", *again, "-o", "report.html"],
        ["forget", "1", "--from", "mine.duckdb"],
    ):
        told = run(*words)
        assert (words[0], told.returncode) == (words[0], 0), told.stderr
    assert not (folder / "mark").exists()


def test_an_agent_that_a_file_names_is_not_imported(folder):
    path = folder / "sent.duckdb"
    for line_up in ("./evil.py:f", "evil_module:f"):
        spoil(path, PIG, line_up)
        told = run("replay", match_of(path), "--from", "sent.duckdb", "--game", PIG)
        assert (told.returncode, "no agent" in told.stderr, "Traceback" in told.stderr) == (2, True, False)
    assert not (folder / "mark").exists()


def test_results_of_real_tables_name_only_games_that_are_known(folder):
    (folder / "club.csv").write_text("date,variant,names,scores\n2026-01-31,./evil.py:GAME,Ann/Bob,100/3\n")
    told = run("import", "club.csv")
    assert (told.returncode, "line 2: ./evil.py:GAME: not installed: add `--game ./evil.py:GAME`" in told.stderr) == (2, True)
    assert not (folder / "mark").exists()
    (folder / "club.csv").write_text("date,variant,names,scores\n2026-01-31,tests.truth.pig:GAME,Ann/Bob,100/3\n")
    assert run("import", "club.csv", "--game", "tests.truth.pig:GAME").returncode == 0


def test_a_game_that_somebody_names_is_used_wherever_it_lies(honest, folder):
    path, match = folder / "sent.duckdb", match_of(honest)
    assert run("replay", match, "--from", "sent.duckdb").returncode == 2
    told = run("replay", match, "--from", "sent.duckdb", "--game", "tests.truth.pig:GAME")
    assert (told.returncode, "seat 1: roll the die" in told.stdout) == (0, True)
    spoil(path, "/elsewhere/mine.py:GAME+target=20")
    (folder / "games").mkdir()
    (folder / "games" / "mine.py").write_text("from tests.truth.pig import GAME\n")
    assert run("replay", match, "--from", "sent.duckdb", "--game", "games/mine.py:GAME").stdout == told.stdout
    assert run("replay", match, "--from", "sent.duckdb", "--game", "no.such:GAME").returncode == 2
    assert "not installed" not in run("runs", "sent.duckdb", "--game", "games/mine.py:GAME").stdout


def test_the_spec_of_a_stored_variant_is_what_was_typed_here_not_what_the_file_says(folder):
    (folder / "games").mkdir()
    code = "from dataclasses import replace\nfrom tests.truth.pig import GAME\nGAME = replace(GAME, name='my-pig')\n"
    (folder / "games" / "mine.py").write_text(code)
    find_variant("games/mine.py:GAME")
    assert find_stored(f"{folder}/mine.py:GAME+target=20").spec == "games/mine.py:GAME+target=20"


def test_a_board_that_only_a_file_names_is_not_read(folder):
    spec = "celtica+board=secret.toml"
    with pytest.raises(NotTrusted, match=r"its board is in the file secret.toml: add `--game celtica\+board=secret.toml`"):
        find_stored(spec)
    (folder / "secret.toml").write_text(BOARD)
    with pytest.raises(NotTrusted):
        find_stored(spec)
    (folder / "variants.toml").write_text('[mine]\nbase = "celtica"\n')
    with pytest.raises(NotTrusted):
        find_stored("mine+board=secret.toml")
    find_variant(spec)
    assert find_stored(spec).name == spec


def test_a_worker_imports_and_reads_nothing_that_a_message_names_and_a_board_travels_with_it(folder):
    (folder / "board.toml").write_text(BOARD)
    (cell,) = make_plan(["celtica+board=board.toml"], "2", ["random"], 1).cells
    recipe = cluster._recipe(cell)
    (folder / "board.toml").unlink()
    here = circumstances()
    assert cluster.unfit([recipe], here) == ""
    told = cluster.unfit([recipe._replace(id=1, game="./evil.py:GAME")], here)
    assert told == "celtica+board=board.toml: not installed: start it with `--preload boardgames.run.worker --game ./evil.py:GAME`"
    told = cluster.unfit([recipe._replace(id=1, values={"board": "other.toml"})], here)
    assert "its board is in the file other.toml" in told
    assert not (folder / "mark").exists()


def test_a_shown_command_is_safe_to_paste():
    with pytest.raises(NotTrusted) as refused:
        find_stored("./x.py:GAME; touch mark")
    assert refused.value.option == "--game './x.py:GAME; touch mark'"


@pytest.mark.parametrize("source", ["read_text('private.txt')", "glob('*')"])
def test_a_view_of_a_strangers_file_reads_no_other_file(source, folder):
    (folder / "private.txt").write_text("secret")
    with writing(folder / "sent.duckdb") as session:
        connection(session).execute(f"CREATE OR REPLACE VIEW cells AS SELECT * FROM {source}")
    told = run("export", "cells", "--into", "cells.csv", "--from", "sent.duckdb")
    assert (told.returncode, "is not a plain result file" in told.stderr, "Traceback" in told.stderr) == (2, True, False)
    assert not (folder / "cells.csv").exists()
    for into in ("seats.csv", str(folder / "seats.parquet")):
        assert run("export", "seat", "--into", into, "--from", "sent.duckdb").returncode == 0
