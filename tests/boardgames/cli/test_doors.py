"""What a stranger's result file names is shown by name: no module is imported for it, and no file is read."""

import re
from pathlib import Path

import duckdb
import pytest

from analytics.show.table import make_table
from boardgames import find_agent, find_variant, query, simulate
from boardgames.agents.python_agent import trust_agent
from boardgames.cli.app import make_console
from boardgames.errors import NotTrusted
from boardgames.game.plugins import find_stored_variant
from boardgames.plan.plan import make_plan
from boardgames.plan.played import environment_versions
from boardgames.run import cluster
from boardgames.store.connection import get_connection, open_for_writing
from boardgames.store.replay import find_rules_problem, replay_stored

ROOT = Path(__file__).parents[3]
PIG = "tests.support.uninstalled:GAME+target=20"
BOARD = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/games/celtica.md").read_text(), re.DOTALL)[0]
EVIL = ["./evil.py:GAME+target=20", "evil_module:GAME+target=20", "./evil.py:GAME:fast", "own-evil"]


@pytest.fixture(scope="module")
def honest(tmp_path_factory) -> Path:
    """Results of a game that is not installed."""
    db = tmp_path_factory.mktemp("doors") / "honest.duckdb"
    simulate(PIG, db=db, players="2", agents=["random"], matches=64)
    return db


@pytest.fixture
def folder(honest, tmp_path, monkeypatch) -> Path:
    """Where somebody unpacked what a stranger sent: results that name code beside them, which leaves a mark
    when it runs.
    """
    code = f"open({str(tmp_path / 'mark')!r}, 'w').close()\nfrom tests.support.uninstalled import GAME\n"
    for name in ("evil.py", "evil_module.py"):
        (tmp_path / name).write_text(code)
    (tmp_path / "variants.toml").write_text('[own-evil]\nbase = "./evil.py:GAME"\ntarget = 20\n')
    (tmp_path / "sent.duckdb").write_bytes(honest.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def spoil(db: Path, spec: str, line_up: str = "random") -> None:
    with open_for_writing(db) as session:
        get_connection(session).execute("UPDATE variant SET spec = ?", [spec])
        get_connection(session).execute("UPDATE cell SET line_up = ?", [line_up])


def find_match(db: Path) -> str:
    (row,) = query(db, "SELECT cell_id, deal, seating FROM match LIMIT 1").to_pylist()
    return f"{row['cell_id']}/{row['deal']}/{row['seating']}"


@pytest.mark.parametrize("spec", EVIL)
def test_a_stored_name_is_shown_and_never_imported(spec, folder):
    db = folder / "sent.duckdb"
    spoil(db, spec)
    game = "evil_module:GAME" if spec.startswith("evil_module") else "./evil.py:GAME"
    assert find_rules_problem(spec, "x") == f"not installed: add `--game {game}` to see it"
    with pytest.raises(NotTrusted, match="not installed"):
        replay_stored(db, find_match(db))
    assert not (folder / "mark").exists()


@pytest.mark.long
def test_no_command_runs_code_that_a_file_names(folder, run_command):
    db = folder / "sent.duckdb"
    spoil(db, EVIL[0])
    again = [*PIG.split(), "--players", "2", "--agents", "random", "--matches", "64", "--db", "sent.duckdb"]
    longer = PIG.replace("20", "26")
    result = run_command("runs", "--db", "sent.duckdb")
    assert (
        result.returncode,
        "piglet+target=20: not installed: add `--game ./evil.py:GAME` to see it" in result.stdout,
    ) == (0, True)
    result = run_command("replay", find_match(db), "--db", "sent.duckdb")
    assert (
        result.returncode,
        "add `--game ./evil.py:GAME`" in result.stderr,
        "Traceback" in result.stderr,
    ) == (
        2,
        True,
        False,
    )
    for words in (
        ["export", "cells", "--output", "cells.csv", "--db", "sent.duckdb"],
        ["merge", "sent.duckdb", "--db", "mine.duckdb"],
        ["simulate", *again],
        ["compare", longer, *again],
        ["report", *again, "-o", "report.html"],
        ["forget", "1", "--db", "mine.duckdb"],
    ):
        result = run_command(*words)
        assert (words[0], result.returncode) == (words[0], 0), result.stderr
    assert not (folder / "mark").exists()


def test_an_agent_that_a_file_names_is_not_imported(folder, run_command):
    db = folder / "sent.duckdb"
    for line_up, message in (("./evil.py:f", "add `--agent ./evil.py:f`"), ("evil_module:f", "no agent")):
        spoil(db, PIG, line_up)
        result = run_command("replay", find_match(db), "--db", "sent.duckdb", "--game", PIG)
        assert (result.returncode, message in result.stderr, "Traceback" in result.stderr) == (
            2,
            True,
            False,
        )
    assert not (folder / "mark").exists()


@pytest.mark.parametrize("agent", ["learned:{}", "learned-mcts:8+weights={}"])
def test_no_file_is_read_that_only_a_line_up_names(agent, folder, run_command):
    """Neither for a match nor for what a page, an address or a message from a scheduler names."""
    agent = agent.format(folder / "private.learned")
    (folder / "private.learned").write_text("secret")
    db = folder / "sent.duckdb"
    spoil(db, "pig+target=20", agent)
    refusal = f"{agent}: its weights are in the file {folder / 'private.learned'}: add `--agent {agent}`"
    replay = ["replay", find_match(db), "--db", "sent.duckdb"]
    done = run_command(*replay)
    assert (done.returncode, refusal in done.stderr) == (2, True)
    done = run_command(*replay, "--agent", agent)
    assert (done.returncode, "is not a file of a learned player" in done.stderr) == (2, True)
    with pytest.raises(NotTrusted, match="its weights are in the file"):
        find_agent(agent, find_variant("pig").game)


def test_a_trained_player_is_the_one_that_was_typed_wherever_it_lies_now(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.learned").write_bytes(find_variant("keltis").game.learned.read_bytes())
    trust_agent("learned:mine.learned")
    agent = find_agent("learned:/elsewhere/mine.learned+noise=0.1", find_variant("keltis").game)
    assert agent.name == "learned:/elsewhere/mine.learned+noise=0.1"
    assert agent.player.game == "keltis"


@pytest.mark.long
def test_results_of_real_tables_name_only_games_that_are_known(folder, run_command):
    (folder / "club.csv").write_text("date,variant,names,scores\n2026-01-31,./evil.py:GAME,Ann/Bob,100/3\n")
    result = run_command("import", "club.csv")
    assert (
        result.returncode,
        "line 2: ./evil.py:GAME: not installed: add `--game ./evil.py:GAME`" in result.stderr,
    ) == (2, True)
    assert not (folder / "mark").exists()
    (folder / "club.csv").write_text(
        "date,variant,names,scores\n2026-01-31,tests.support.uninstalled:GAME,Ann/Bob,100/3\n"
    )
    assert run_command("import", "club.csv", "--game", "tests.support.uninstalled:GAME").returncode == 0


@pytest.mark.long
def test_a_game_that_someone_names_is_used_wherever_it_lies(honest, folder, run_command):
    db, match = folder / "sent.duckdb", find_match(honest)
    assert run_command("replay", match, "--db", "sent.duckdb").returncode == 2
    result = run_command("replay", match, "--db", "sent.duckdb", "--game", "tests.support.uninstalled:GAME")
    assert (result.returncode, "Turn 1, seat 1" in result.stdout and "roll the die" in result.stdout) == (
        0,
        True,
    )
    spoil(db, "/elsewhere/mine.py:GAME+target=20")
    (folder / "games").mkdir()
    (folder / "games" / "mine.py").write_text("from tests.support.uninstalled import GAME\n")
    assert (
        run_command("replay", match, "--db", "sent.duckdb", "--game", "games/mine.py:GAME").stdout
        == result.stdout
    )
    assert run_command("replay", match, "--db", "sent.duckdb", "--game", "no.such:GAME").returncode == 2
    runs = run_command("runs", "--db", "sent.duckdb", "--game", "games/mine.py:GAME")
    assert "not installed" not in runs.stdout


def test_the_spec_of_a_stored_variant_is_what_was_typed_here_not_what_the_file_says(folder):
    (folder / "games").mkdir()
    code = (
        "from dataclasses import replace\nfrom tests.support.uninstalled import GAME\nGAME = replace(GAME,"
        " name='my-pig')\n"
    )
    (folder / "games" / "mine.py").write_text(code)
    find_variant("games/mine.py:GAME")
    assert find_stored_variant(f"{folder}/mine.py:GAME+target=20").spec == "games/mine.py:GAME+target=20"


def test_a_board_that_only_a_file_names_is_not_read(folder):
    spec = "celtica+board=secret.toml"
    with pytest.raises(
        NotTrusted, match=r"its board is in the file secret.toml: add `--game celtica\+board=secret.toml`"
    ):
        find_stored_variant(spec)
    (folder / "secret.toml").write_text(BOARD)
    with pytest.raises(NotTrusted):
        find_stored_variant(spec)
    (folder / "variants.toml").write_text('[mine]\nbase = "celtica"\n')
    with pytest.raises(NotTrusted):
        find_stored_variant("mine+board=secret.toml")
    find_variant(spec)
    assert find_stored_variant(spec).name == spec


def test_a_worker_imports_and_reads_nothing_that_a_message_names_and_a_board_travels_with_it(folder):
    (folder / "board.toml").write_text(BOARD)
    (cell,) = make_plan(["celtica+board=board.toml"], "2", ["random"], 1).cells
    recipe = cluster.make_cell_spec(cell)
    (folder / "board.toml").unlink()
    versions = environment_versions()
    assert cluster.find_worker_problem([recipe], versions) is None
    output = cluster.find_worker_problem([recipe._replace(id=1, game="./evil.py:GAME")], versions)
    assert (
        output == "celtica+board=board.toml: not installed: start it with `--preload"
        " boardgames.run.worker --game ./evil.py:GAME`"
    )
    output = cluster.find_worker_problem([recipe._replace(id=1, values={"board": "other.toml"})], versions)
    assert "its board is in the file other.toml" in output
    assert not (folder / "mark").exists()


NAMES = "\x1b]0;owned\x07\nboardgames: all is well \x9b2J \u202e"
SHOWN = r"\x1b]0;owned\x07\nboardgames: all is well \x9b2J \u202e"


def test_what_a_stranger_has_written_does_not_steer_the_terminal_nor_forge_a_line(folder, run_command):
    db = folder / "sent.duckdb"
    with open_for_writing(db) as session:
        con = get_connection(session)
        con.execute("UPDATE run SET name = $1, note = $1", [NAMES])
        con.execute("UPDATE cell SET line_up = $1", [NAMES])
        con.execute("UPDATE variant SET name = $1, spec = $1", [NAMES])
    done = run_command("runs", "--db", db, in_process=True)
    assert done.returncode == 0
    assert done.stdout.count(SHOWN) >= 4
    assert all(character.isprintable() or character == "\n" for character in done.stdout)
    assert not [line for line in done.stdout.splitlines() if line.startswith("boardgames:")]
    refused = run_command("replay", find_match(db), "--db", db, in_process=True)
    assert refused.returncode == 2
    assert "\x1b" not in refused.stderr


def test_a_table_in_the_terminal_shows_every_name_in_its_line(capsys):
    table = make_table()
    table.add_column("who")
    table.add_row(NAMES)
    make_console().print(table)
    make_console().print(f"[bold]{NAMES}")
    output = capsys.readouterr().out
    assert SHOWN in output
    assert all(character.isprintable() or character == "\n" for character in output)


def test_a_shown_command_is_safe_to_paste():
    with pytest.raises(NotTrusted) as refused:
        find_stored_variant("./x.py:GAME; touch mark")
    assert refused.value.option == "--game './x.py:GAME; touch mark'"


@pytest.mark.parametrize("source", ["read_text('private.txt')", "glob('*')"])
def test_a_view_of_a_strangers_file_reads_no_other_file(source, folder, run_command):
    (folder / "private.txt").write_text("secret")
    with duckdb.connect(str(folder / "sent.duckdb")) as con:
        con.execute(f"CREATE OR REPLACE VIEW cells AS SELECT * FROM {source}")
    result = run_command("export", "cells", "--output", "cells.csv", "--db", "sent.duckdb")
    assert (result.returncode, "Traceback" in result.stderr) == (0, False)
    cells = (folder / "cells.csv").read_text()
    assert cells.startswith("cell_id,game,variant,players,line_up,seed")  # our view, not the one of the file
    assert "secret" not in cells
    assert "private" not in cells
    for output in ("seats.csv", str(folder / "seats.parquet")):
        assert run_command("export", "seat", "--output", output, "--db", "sent.duckdb").returncode == 0
