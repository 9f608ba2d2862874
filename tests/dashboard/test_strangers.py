"""A stranger's file in the dashboard: what it names is shown, never imported; nor is what a person types into
a page.
"""

import shlex
from pathlib import Path

import pytest

from boardgames import find_variant, simulate
from boardgames.store.connection import get_connection, open_for_writing
from dashboard.data.query import run_query
from dashboard.data.requests import SimulationRequest
from dashboard.data.simulations import start_simulation
from dashboard.pages.match import SIDE_BY_SIDE
from tests.dashboard.conftest import LONGER, PIG
from tests.dashboard.test_pages import PATHS, assert_sound, open_page, read_text
from tests.support.processes import HANGS

SEE = "start the dashboard with `--game ./evil.py:GAME` to see it"


@pytest.fixture
def mark(copied, look_at, tmp_path, monkeypatch):
    """The path that exists once code has run which the variants of a file name and which lies beside it."""
    mark_path = tmp_path / "mark"
    (tmp_path / "evil.py").write_text(
        f"open({str(mark_path)!r}, 'w').close()\nfrom tests.dashboard.drawn import GAME\n"
    )
    with open_for_writing(copied) as session:
        get_connection(session).execute(
            "UPDATE variant SET spec = replace(spec, 'tests.dashboard.drawn:GAME', './evil.py:GAME')"
        )
    monkeypatch.chdir(tmp_path)
    look_at(copied)
    return mark_path


@pytest.mark.long
@pytest.mark.parametrize("path", [*PATHS, "simulate"])
def test_no_page_runs_code_that_a_file_names(path, mark):
    page = open_page(path)
    output = read_text(page).replace("\\", "")
    assert not page.exception
    assert not mark.exists()
    if path in ("overview", "compare", "match", "simulate"):
        assert f"ot installed: {SEE}" in output


def test_matches_side_by_side_of_a_strangers_variants_are_not_played(mark):
    page = open_page("match", view=SIDE_BY_SIDE)
    assert SEE in page.warning[0].value.replace("\\", "")
    assert not mark.exists()


def test_an_address_names_no_code(mark):
    page = open_page("compare", variant="./evil.py:GAME", agents="./evil.py:GAME", play="./evil.py:GAME")
    assert not page.exception
    assert not mark.exists()


@pytest.mark.parametrize("address", [{"step": "9" * 5000}, {"view": SIDE_BY_SIDE, "deal": "9" * 5000}])
def test_an_endless_number_in_an_address_means_nothing(address, copied, look_at):
    look_at(copied)
    page = open_page("match", **address)
    assert_sound(page)
    assert "could not be shown" not in read_text(page)


@pytest.mark.parametrize("path", ["compare", "match"])
def test_no_page_imports_an_agent_that_a_file_names(path, copied, mark):
    with open_for_writing(copied) as session:
        con = get_connection(session)
        con.execute("UPDATE variant SET spec = replace(spec, './evil.py:GAME', 'tests.dashboard.drawn:GAME')")
        con.execute("UPDATE cell SET line_up = './evil.py:agent' WHERE line_up = 'random'")
        con.execute("UPDATE agent SET name = './evil.py:agent' WHERE name = 'random'")
    page = open_page(path)
    assert not page.exception
    assert not mark.exists()
    assert "start the dashboard with `--agent ./evil.py:agent`" in read_text(page).replace("\\", "")


@pytest.mark.parametrize("path", ["overview", "compare", "match"])
def test_no_page_reads_the_weights_that_a_file_names(path, copied, look_at, tmp_path):
    private = tmp_path / "private.learned"
    private.write_text("secret")
    with open_for_writing(copied) as session:
        con = get_connection(session)
        con.execute(f"UPDATE cell SET line_up = 'learned:{private}' WHERE line_up = 'random'")
        con.execute(f"UPDATE agent SET name = 'learned:{private}' WHERE name = 'random'")
    look_at(copied)
    page = open_page(path)
    output = read_text(page).replace("\\", "")
    assert not page.exception
    assert "is not a file of a learned player" not in output
    if path == "match":
        assert f"start the dashboard with `--agent learned:{private}`" in output


def test_a_page_plays_no_player_in_a_file_that_is_not_known(copied, look_at, tmp_path):
    private = tmp_path / "private.learned"
    private.write_text("secret")
    look_at(copied)
    page = open_page("simulate")
    page.multiselect(key="play").set_value(["pig"])
    page.text_input(key="play agents").set_value(f"learned:{private}")
    page.button[0].click().run()
    output = page.error[0].value.replace("\\", "")
    assert f"start the dashboard with `--agent learned:{private}`" in output


@pytest.fixture(scope="module")
def played_by_a_file(tmp_path_factory):
    """Two variants by an agent in a file that was typed here."""
    folder = tmp_path_factory.mktemp("typed")
    code = "def agent(view):\n    return view.actions[view.key % len(view.actions)]\n"
    marked = f"from boardgames import mark_deterministic\n\n\n@mark_deterministic()\n{code}"
    (folder / "typed.py").write_text(marked)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        db = folder / "r.duckdb"
        agents = ["./typed.py:agent", "./typed.py:agent,random"]
        simulate(PIG, LONGER, db=db, players=2, agents=agents, matches=40)
    return db


@pytest.mark.long
@pytest.mark.parametrize("path", PATHS)
def test_pages_show_matches_of_an_agent_that_was_typed(path, played_by_a_file, look_at, monkeypatch):
    monkeypatch.chdir(played_by_a_file.parent)
    look_at(played_by_a_file)
    page = open_page(path)
    assert_sound(page)
    assert "start the dashboard with" not in read_text(page)
    if path == "match":
        assert "Match over" in read_text(page)


def test_a_page_plays_only_agents_that_are_known(mark):
    page = open_page("simulate")
    page.multiselect(key="play").set_value(["pig"])
    page.text_input(key="play agents").set_value("./evil.py:agent")
    page.button[0].click().run()
    assert "start the dashboard with `--agent ./evil.py:agent`" in page.error[0].value.replace("\\", "")
    assert not mark.exists()


def test_a_page_plays_only_games_that_are_known(mark):
    page = open_page("simulate")
    page.multiselect(key="play").set_value(["./evil.py:GAME"])
    page.button[0].click().run()
    assert SEE in page.error[0].value.replace("\\", "")
    assert not mark.exists()


@pytest.fixture
def poison(tmp_path, monkeypatch):
    """The path that exists once a process has imported the module beside the file, which is named like one of
    Python's own.
    """
    (tmp_path / "json.py").write_text(f"open({str(tmp_path / 'poison')!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "poison"


def test_the_query_box_runs_no_module_that_lies_beside_the_file(copied, poison):
    table, _ = run_query(copied, "SELECT 1 AS one", HANGS)
    assert table.to_pylist() == [{"one": 1}]
    assert not poison.exists()


def test_a_page_starts_a_game_of_the_current_folder_but_no_other_module_that_lies_there(poison):
    Path("mine.py").write_text("from boardgames import find_variant\n\nMINE = find_variant('pig').game\n")
    spec = find_variant("./mine.py:MINE").spec  # as `--game ./mine.py:MINE` makes it known
    asked = {"players": "2", "agents": ["random"], "matches": 2, "seed": 1, "note": ""}
    running = start_simulation(Path("new.duckdb"), SimulationRequest(specs=[spec], **asked))
    assert running.process.wait(HANGS) == 0, running.read_output()
    assert not poison.exists()


def test_a_command_to_paste_is_one_command_whatever_a_file_is_called(single, tmp_path, look_at):
    db = tmp_path / "x;touch mark.duckdb"
    db.write_bytes(single.read_bytes())
    with open_for_writing(db) as session:
        get_connection(session).execute("UPDATE variant SET spec = './x.py:A; touch mark'")
    look_at(db)
    words = shlex.split(open_page("compare").code[0].value)
    assert words == [
        "boardgames",
        "compare",
        "./x.py:A; touch mark",
        "./x.py:A; touch mark+target=VALUE",
        "--db",
        str(db),
    ]
