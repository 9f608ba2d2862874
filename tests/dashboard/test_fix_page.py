"""The page about fixes shows what a search stored, and leads to the comparison."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import playwright.sync_api
import pytest

from analytics.questions.fix.fix import find_fix
from analytics.questions.fix.results import load_fixes, save_fix
from boardgames import simulate
from boardgames.store.merge import merge
from dashboard.live import load_extras
from tests.dashboard.test_browser import Visitor
from tests.dashboard.test_pages import assert_sound, open_page, read_text
from tests.support.browser import CHROMIUM
from tests.support.processes import serve_dashboard

GAME = "tests.support.head_start:GAME"


@pytest.fixture(scope="module")
def searched(tmp_path_factory) -> Path:
    """A file with a search that found the fair head start."""
    db = tmp_path_factory.mktemp("fix") / "searched.duckdb"
    options = {"players": "2", "agents": "random", "stronger": "none", "change": ["head_start=0..1"]}
    find_fix(GAME, db=db, fair_seats=True, matches=16_000, **options)
    return db


def test_the_page_shows_the_front_and_each_change_against_the_baseline(searched, look_at):
    look_at(searched)
    page = open_page("fix")
    assert_sound(page)
    text = read_text(page).replace("\\", "")
    assert "head-start as it is" in text
    assert "One change: head_start 0 -> 0/1/0" in text
    assert "reaches the goals" in text
    assert "Main metrics, on fresh deals" in text
    assert "What else head-start+head_start=0/1/0 changes:" in text
    axis = json.loads(page.get("plotly_chart")[0].proto.spec)["layout"]["yaxis"]
    assert axis["range"][1] < -1  # room above the first mark for the words at the line


def test_an_address_names_its_search_also_after_the_next_one(searched, tmp_path, look_at):
    db = Path(shutil.copy(searched, tmp_path / "again.duckdb"))
    look_at(db)
    (first,) = load_fixes(db)
    assert open_page("fix").selectbox(key="search").value == str(first.id)
    save_fix(db, replace(first, id=first.id + 1, goals=("length at most 5",)), [])
    page = open_page("fix", search=str(first.id))
    assert_sound(page)
    assert "length at most 5" not in page.header[0].value
    assert "The address says search=0" in read_text(open_page("fix", search="0"))


def test_a_change_that_was_stored_under_another_name_is_compared_by_that(
    searched, tmp_path, look_at, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "variants.toml").write_text(f'[even]\nbase = "{GAME}"\nhead_start = "0/1/0"\n')
    db = tmp_path / "named.duckdb"
    simulate("even", db=db, players="2", agents=["random"], matches=64)
    merge(db, searched)
    look_at(db)
    page = open_page("fix")
    assert_sound(page)
    (button,) = page.get("link_button")
    assert parse_qs(urlsplit(button.proto.url).query)["variant"] == ["head-start", "even"]


def test_searches_with_the_same_words_can_be_chosen_one_by_one(searched, tmp_path, look_at):
    """What they may change, for example, is not among them."""
    db = Path(shutil.copy(searched, tmp_path / "twice.duckdb"))
    (first,) = load_fixes(db)
    save_fix(db, replace(first, id=first.id + 1), [])
    look_at(db)
    page = open_page("fix", search=str(first.id))
    for index, number in enumerate((first.id + 1, first.id)):
        page.selectbox(key="search").select_index(index).run()
        assert_sound(page)
        assert page.query_params["search"] == str(number)


def test_an_answer_in_place_of_an_earlier_one_is_news(searched, tmp_path):
    db = Path(shutil.copy(searched, tmp_path / "replaced.duckdb"))
    before = load_extras(db)
    (fix,) = load_fixes(db)
    save_fix(db, replace(fix, tried=fix.tried + 1), [])
    assert load_extras(db) != before


def test_a_file_without_a_search_says_what_to_type(real, look_at):
    look_at(real)
    page = open_page("fix")
    assert_sound(page)
    assert "--fair-seats" in page.code[0].value


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here; `make browser` installs it")
def test_a_click_leads_from_a_change_to_its_comparison(searched, tmp_path):
    db = Path(shutil.copy(searched, tmp_path / "shown.duckdb"))
    with serve_dashboard(db, "--game", GAME) as port, playwright.sync_api.sync_playwright() as started:
        chromium = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        visitor = Visitor(chromium, f"http://127.0.0.1:{port}")
        visitor.open("fix")
        visitor.page.wait_for_selector(".js-plotly-plot .scatterlayer .trace .point")
        visitor.save_picture("fix")
        assert visitor.find_mistakes() == []
        with visitor.page.context.expect_page() as opened:
            visitor.page.click("text=Compare both in full")
        compared = opened.value
        compared.wait_for_selector("h1:has-text('What does the change do?')")
        compared.wait_for_selector("text=B = head-start+head_start=0/1/0")
        assert len(parse_qs(urlsplit(compared.url).query)["variant"]) == 2
        chromium.close()
