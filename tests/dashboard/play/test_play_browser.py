"""Whole matches played in a real browser: by clicking pieces, and by clicking words."""

import re
from urllib.parse import urlsplit

import playwright.sync_api
import pytest

from boardgames import query
from tests.dashboard.test_browser import Visitor
from tests.support.browser import NEEDS_BROWSER
from tests.support.processes import HANGS, serve_dashboard

pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A dashboard on a file that does not exist yet."""
    db = tmp_path_factory.mktemp("play") / "played.duckdb"
    with serve_dashboard(db) as port:
        yield f"http://127.0.0.1:{port}", db


class Player(Visitor):
    """A person at the Play page."""

    def fill_combobox(self, name: str, text: str) -> None:
        box = self.page.get_by_role("combobox", name=name)
        box.click()
        box.fill(text)
        self.page.locator("[role=option]").filter(has_text=text).first.wait_for()
        self.page.keyboard.press("Enter")
        self.settle()

    def name_seat(self, index: int, name: str) -> None:
        self.page.get_by_label("Name", exact=True).nth(index).fill(name)
        self.page.keyboard.press("Tab")
        self.settle()

    def begin(self) -> None:
        self.page.click(".st-key-begin button")
        self.page.wait_for_function("location.search.includes('id=')")

    def click_piece(self, words: str) -> None:
        self.page.locator(f".piece[aria-label='{words}']").first.click()

    def read(self) -> str:
        """The words on the page, once nothing of the position before is left."""
        self.settle()
        return self.page.inner_text("[data-testid=stMain]")

    def wait_for_discs(self, count: int) -> None:
        """Until the board of Connect Four shows this many: the words around it may be there before."""
        discs = self.page.locator(".table circle:not([aria-label])")
        playwright.sync_api.expect(discs).to_have_count(count, timeout=1000 * HANGS)
        self.settle()


@pytest.mark.long
def test_two_people_play_connect_four_by_clicking_its_columns(served, browser):
    address, db = served
    player = Player(browser, address)
    page = player.page
    player.open("play")
    player.fill_combobox("Game or variant", "connect-four")
    player.fill_combobox("Seat 2", "a person")
    player.name_seat(0, "Anna")
    player.name_seat(1, "Ben")
    player.begin()
    player.wait_for_discs(0)
    # a choice is made with a piece, survives a reload, and is taken back
    player.click_piece("drop into column 1")
    page.wait_for_selector("text=You are seat 2 (Ben)")
    page.reload()
    page.wait_for_selector("text=You are seat 2 (Ben)")
    player.wait_for_discs(1)
    page.click(".st-key-undo button")
    page.wait_for_selector("text=You are seat 1 (Anna)")
    player.wait_for_discs(0)
    # Anna is told what a search would do
    page.click(".st-key-hint-button button")
    page.wait_for_selector("text=/mcts:256 would drop into column \\d: \\d+% of its 256 playouts/")
    for discs, column in enumerate((1, 2, 1, 2, 1, 2), 1):
        player.click_piece(f"drop into column {column}")
        player.wait_for_discs(discs)
    player.click_piece("drop into column 1")
    page.wait_for_selector("text=Match over: four in a row")
    page.wait_for_selector(".js-plotly-plot")  # who was ahead
    match_id = re.search(r"boardgames replay (\d+/\d+/\d+)", player.read())[1]
    assert urlsplit(page.url).query == "id=" + match_id.replace("/", "%2F")
    player.save_picture("play-end")
    page.click("a:has-text('Step through this match')")
    page.wait_for_selector("h1:has-text('What happens in a match?')")
    page.wait_for_selector("text=the table is set up")
    page.wait_for_selector("[data-testid=stImage] img")
    assert player.find_mistakes() == []
    assert player.hosts - {""} == {urlsplit(address).netloc}  # the board's script has no host
    page.close()
    rows = query(db, "SELECT person, seat, win_share, match FROM people ORDER BY seat").to_pylist()
    assert [(row["person"], row["win_share"]) for row in rows] == [("Anna", 1.0), ("Ben", 0.0)]
    assert {row["match"] for row in rows} == {match_id}


@pytest.mark.long
def test_a_person_plays_magpies_against_an_agent_by_clicking_words(served, browser):
    address, db = served
    player = Player(browser, address)
    page = player.page
    player.open("play")
    player.fill_combobox("Game or variant", "magpies:chicks")
    player.fill_combobox("Seat 2", "random")
    player.name_seat(0, "Clara")
    player.begin()
    page.wait_for_selector("text=Your choice")
    page.wait_for_selector("text=your hand")
    assert page.locator("text=your hand").count() == 1
    assert page.locator("text=hand of seat").count() == 0  # nothing of the other's
    while "Match over" not in player.read():
        page.locator("[class*='st-key-action-'] button").first.click()
        player.settle()
    assert player.find_mistakes() == []
    page.close()
    (row,) = query(db, "SELECT * FROM people WHERE person = 'Clara'").to_pylist()
    assert (row["source"], row["line_up"]) == ("played here", "human:Clara,random")


@pytest.mark.long
def test_people_who_share_a_screen_do_not_see_each_others_cards(served, browser):
    address, _ = served
    player = Player(browser, address)
    page = player.page
    player.open("play")
    player.fill_combobox("Game or variant", "magpies")
    player.fill_combobox("Seat 2", "a person")
    player.name_seat(1, "Ben")
    player.begin()
    page.wait_for_selector("text=Hand the screen to seat 1")
    assert "your hand" not in player.read()
    page.click(".st-key-take-over button")
    page.wait_for_selector("text=your hand")
    page.locator("[class*='st-key-action-'] button:has-text('drop a')").first.click()
    page.wait_for_selector("text=Hand the screen to seat 2 (Ben)")
    assert "your hand" not in player.read()
    page.reload()  # a reload shows nothing either
    page.wait_for_selector("text=Hand the screen to seat 2 (Ben)")
    assert "your hand" not in player.read()
    page.click(".st-key-take-over button")
    page.wait_for_selector("text=You are seat 2 (Ben)")
    page.close()


@pytest.mark.long
def test_from_a_file_that_does_not_exist_to_what_a_change_does(tmp_path, browser):
    db = tmp_path / "new.duckdb"
    with serve_dashboard(db) as port:
        visitor = Player(browser, f"http://127.0.0.1:{port}")
        page = visitor.page
        visitor.open("")
        page.click("a:has-text('Simulate: let agents play')")
        page.wait_for_selector("text=does not exist yet")
        visitor.fill_combobox("Variants", "pig")  # the game, not all names that begin like it
        visitor.fill_combobox("Variants", "pig+target=50")
        tags = [tag.get_attribute("aria-label") for tag in page.query_selector_all("[data-tag]")]
        assert tags == ["pig", "pig+target=50"]
        page.fill("input[aria-label='Agents']", "random")
        page.fill("input[aria-label='Players']", "2")
        page.keyboard.press("Tab")
        page.click("button:has-text('Estimate')")
        page.wait_for_selector("text=/2,000 matches to play: about .* and 0.1 MB/")
        assert not db.exists()
        page.click(".st-key-start button")
        page.click("a:has-text('See what changed')")
        page.wait_for_selector("h1:has-text('What does the change do?')")
        page.wait_for_selector("text=Matches are shorter")
        assert visitor.find_mistakes() == []
        page.close()


@pytest.mark.long
def test_nothing_in_a_drawing_runs_on_the_page(tmp_path, browser):
    game = "tests.dashboard.play.harmful:GAME"
    with serve_dashboard(tmp_path / "new.duckdb", "--game", game) as port:
        player = Player(browser, f"http://127.0.0.1:{port}")
        player.open("play")
        player.fill_combobox("Game or variant", game)
        player.begin()
        player.click_piece("drop into column 4")
        player.page.wait_for_selector("text=seat 2 (greedy): drop into column")
        player.settle()
        assert player.page.evaluate("window.harmed") is None
        assert player.page.locator("svg script, svg a, svg foreignObject").count() == 0
        player.page.close()
