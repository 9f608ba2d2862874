"""What only a browser shows: a running match of one of our games, a shared page on a phone."""

import shutil
from pathlib import Path

import pytest

from tests.dashboard.play.test_play_browser import Player
from tests.dashboard.test_browser import COUNT_LINES, PHONE, Visitor
from tests.dashboard.test_pages import open_page
from tests.support.browser import NEEDS_BROWSER
from tests.support.processes import serve_dashboard

SMALLEST = 9.5  # pixels of a letter that can be read
LETTERS = """() => [...document.querySelectorAll(".chart text")].map(text => {
    const { a, b } = text.getScreenCTM();
    return parseFloat(text.getAttribute("font-size")) * Math.hypot(a, b);
})"""
HEIGHT = 900  # of a visitor's window
pytestmark = [pytest.mark.long, NEEDS_BROWSER]


def test_a_match_of_keltis_is_played_by_clicking_its_cards_and_all_can_use_it(tmp_path, browser):
    with serve_dashboard(tmp_path / "played.duckdb") as port:
        player = Player(browser, f"http://127.0.0.1:{port}", scheme="dark")
        page = player.page
        player.open("play")
        player.fill_combobox("Game or variant", "keltis")
        player.fill_combobox("Seat 2", "random")
        player.begin()
        page.wait_for_selector("text=Your choice")
        assert player.find_barriers() == []
        page.locator(".piece").first.click()
        page.locator(".menu [role=menuitem]").first.click()
        page.wait_for_selector("text=seat 2 (random):")
        player.settle()
        player.save_picture("play-keltis")
        # what happened, a hint and the way back are on the screen; a long list of buttons is below the board
        for name in ("li:has-text('seat 2 (random)')", "button:has-text('Hint')", "button:has-text('Undo')"):
            box = page.locator(name).first.bounding_box()
            assert box["y"] + box["height"] < HEIGHT / 2, name
        assert player.find_barriers() == []
        assert player.find_mistakes() == []
        page.close()


def test_a_shared_page_can_be_read_on_a_phone(real, look_at, share, browser):
    look_at(real)
    open_page("compare")
    visitor = Visitor(browser, "", PHONE)
    page = visitor.page
    page.set_content(share())
    assert min(page.evaluate(LETTERS)) > SMALLEST
    assert max(page.evaluate(COUNT_LINES.replace("[data-testid=stTable]", "table"))) < 7
    assert page.evaluate("document.body.scrollWidth") <= PHONE  # charts and tables scroll by themselves
    assert visitor.find_barriers() == []
    page.close()


def test_all_can_use_the_match_page_in_the_dark_also_at_a_later_step(real, tmp_path, browser):
    db = Path(shutil.copy(real, tmp_path / "shown.duckdb"))
    with serve_dashboard(db, "--game", "tests.dashboard.drawn:GAME") as port:
        visitor = Visitor(browser, f"http://127.0.0.1:{port}", scheme="dark")
        visitor.open("match?step=3")
        visitor.page.wait_for_selector("[data-testid=stSliderThumbValue]")
        assert visitor.find_barriers() == []
        visitor.page.close()
