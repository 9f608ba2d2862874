"""Where more sums are missing than a page can wait for, it starts the command that stores them."""

import pytest

from analytics import compare
from analytics.metric import sums
from boardgames import query, simulate
from boardgames.store.connection import get_connection, open_for_writing
from dashboard.data.simulations import get_simulations
from tests.dashboard.test_pages import assert_sound, open_page, read_text
from tests.support.processes import HANGS

PLAYED = {"players": "2,3", "agents": ["random", "random+force=hold"], "seed": 7}
MISSING = "The differences of 6 deals are not worked out yet. A command does that:"


@pytest.fixture
def db_without_sums(tmp_path, look_at, monkeypatch):
    """A file without sums of differences; six deals are too many to wait for."""
    monkeypatch.setattr(sums, "MOST_UNSTORED", 5)
    db = tmp_path / "unstored.duckdb"
    simulate("pig", "pig+target=90", "pig+target=80", db=db, matches=6, **PLAYED)
    look_at(db)
    return db


@pytest.fixture
def comparison_db(db_without_sums):
    """The same with a comparison that was asked for."""
    compare("pig", "pig+target=90", db=db_without_sums, matches=6, head_to_heads=False, **PLAYED)
    with open_for_writing(db_without_sums) as session:
        get_connection(session).execute("DELETE FROM pair")
    return db_without_sums


def list_commands(page):
    """What the buttons would run, without the file."""
    assert_sound(page)
    assert MISSING in read_text(page).replace("\\", "")
    buttons = [button for button in page.button if button.label == "Work them out"]
    return [button.help.strip("`").partition(" --db")[0] for button in buttons]


def test_compare_works_out_the_sums_of_its_agents_and_seed(db_without_sums):
    assert list_commands(open_page("compare", count="3", agents="random")) == [
        "boardgames compare pig pig+target=90 pig+target=80 --players=3 --seed 7"
        " --agents=random --agents=random+force=hold --matches 1"
    ]


def test_compare_works_out_what_was_asked_for_and_the_rest_each_for_itself(comparison_db):
    variants = ["pig", "pig+target=90", "pig+target=80"]
    assert list_commands(open_page("compare", variant=variants, count="3", agents="random")) == [
        "boardgames compare pig pig+target=90 --players=2,3 --seed 7",
        "boardgames compare pig pig+target=80 --players=3 --seed 7"
        " --agents=random --agents=random+force=hold --matches 1",
    ]


def test_the_page_of_a_comparison_works_out_its_sums(comparison_db):
    assert list_commands(open_page("comparison")) == [
        "boardgames compare pig pig+target=90 --players=2,3 --seed 7"
    ]


@pytest.mark.long
def test_when_the_sums_are_worked_out_the_page_answers_and_what_was_fixed_is_as_it_was(comparison_db):
    terms = "SELECT version, terms FROM registration"
    before = query(comparison_db, terms).to_pylist()
    page = open_page("comparison")
    next(button for button in page.button if button.label == "Work them out").click().run()
    running = get_simulations()[str(comparison_db)]
    assert running.process.wait(HANGS) in (0, 3), running.read_output()
    page.run()
    assert_sound(page)
    assert "What it was judged by" in [title.value for title in page.header]
    assert query(comparison_db, terms).to_pylist() == before
