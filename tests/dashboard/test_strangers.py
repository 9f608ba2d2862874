"""A stranger's file in the dashboard: what it names is shown, never imported; and so is what somebody types into a page."""

import shlex

import pytest

from boardgames.store.connection import connection, writing
from tests.dashboard.test_pages import PATHS, opened, text_of

SEE = "start the dashboard with `--game ./evil.py:GAME` to see it"


@pytest.fixture
def mark(copied, look_at, tmp_path, monkeypatch):
    """A file whose variants name code that lies beside it; the path is there once that code has run."""
    found = tmp_path / "mark"
    (tmp_path / "evil.py").write_text(f"open({str(found)!r}, 'w').close()\nfrom tests.dashboard.drawn import GAME\n")
    with writing(copied) as session:
        connection(session).execute("UPDATE variant SET spec = replace(spec, 'tests.dashboard.drawn:GAME', './evil.py:GAME')")
    monkeypatch.chdir(tmp_path)
    look_at(copied)
    return found


@pytest.mark.parametrize("path", [*PATHS, "simulate"])
def test_no_page_runs_code_that_a_file_names(path, mark):
    page = opened(path)
    told = text_of(page).replace("\\", "")
    assert not page.exception
    assert not mark.exists()
    if path in ("overview", "compare", "match", "simulate"):
        assert f"ot installed: {SEE}" in told


def test_twins_of_a_strangers_variants_are_not_played(mark):
    page = opened("match", view="Twins: the same seed under two variants")
    assert SEE in page.warning[0].value.replace("\\", "")
    assert not mark.exists()


def test_an_address_names_no_code(mark):
    page = opened("compare", variant="./evil.py:GAME", agents="./evil.py:GAME", play="./evil.py:GAME")
    assert not page.exception
    assert not mark.exists()


def test_a_page_plays_only_games_that_are_known(mark):
    page = opened("simulate")
    page.multiselect(key="play").set_value(["./evil.py:GAME"])
    page.button[0].click().run()
    assert SEE in page.error[0].value.replace("\\", "")
    assert not mark.exists()


def test_a_command_to_paste_is_one_command_whatever_a_file_is_called(single, tmp_path, look_at):
    path = tmp_path / "x;touch mark.duckdb"
    path.write_bytes(single.read_bytes())
    with writing(path) as session:
        connection(session).execute("UPDATE variant SET spec = './x.py:A; touch mark'")
    look_at(path)
    words = shlex.split(opened("compare").code[0].value)
    assert words == ["boardgames", "compare", "./x.py:A; touch mark", "./x.py:A; touch mark+target=VALUE", "--into", str(path)]
