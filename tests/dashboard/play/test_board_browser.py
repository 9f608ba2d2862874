"""Every kind of piece of the shipped games is clicked in its middle, with the mouse of a real browser."""

import json
import re
from urllib.parse import quote

import pytest

from boardgames import Match, find_variant
from boardgames.tools.check.pieces import SMALLEST, WIDTH
from dashboard.pages.play.board import CSS, HTML, JS
from tests.dashboard.play.test_play_browser import Player
from tests.support.browser import NEEDS_BROWSER
from tests.support.processes import serve_dashboard

pytestmark = [NEEDS_BROWSER, pytest.mark.long]


class BoardPage:
    """The board of the Play page on a page of its own."""

    def __init__(self, browser):
        self.page = browser.new_page(viewport={"width": WIDTH, "height": 2000})
        self.page.set_content(f"<style>body {{ margin: 0 }} {CSS}</style>{HTML}")
        module = json.dumps(f"data:text/javascript,{quote(JS)}")
        self.page.evaluate(f"async () => {{ window.board = (await import({module})).default }}")

    def show(self, match: Match) -> None:
        self.words = {str(action): match.say(action) for action in match.legal()}
        data = {"svg": match.draw(int(match.state.actor)), "words": self.words, "step": 0}
        self.page.evaluate(
            """data => window.board({data, parentElement: document.body,
            setTriggerValue: (_, value) => { window.chosen = value.action }})""",
            data,
        )

    def list_pieces(self) -> list[tuple[str, dict[str, float]]]:
        """The words and the place of each piece."""
        pieces = [
            (piece.get_attribute("aria-label"), piece) for piece in self.page.query_selector_all(".piece")
        ]
        return [(label, piece.bounding_box()) for label, piece in pieces]

    def click_middle(self, box: dict[str, float]) -> list[str]:
        """The words of what a click offers or does."""
        self.page.evaluate("window.chosen = null")
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        buttons = self.page.locator(".menu:not([hidden]) button")
        offered = buttons.all_inner_texts()
        if offered:
            buttons.first.click()
        chosen = self.words[str(self.page.evaluate("window.chosen"))]
        assert chosen == (offered or [chosen])[0]
        return offered or [chosen]


def list_kinds(match: Match) -> set[tuple[int, str]]:
    """The kinds of what can be done: the phase, and the first two words."""
    return {(int(match.state.phase), " ".join(words.split()[:2])) for words in match.choices()}


@pytest.mark.parametrize(
    ("game", "players", "kinds"),
    [("celtae", 4, 30), ("celtica", 5, 8), ("keltis", 4, 8), ("connect-four", 2, 1)],
)
def test_a_click_in_the_middle_of_a_piece_does_what_the_piece_says(game, players, kinds, browser):
    board, match, clicked = BoardPage(browser), Match(find_variant(game), players, compiled=True), set()
    while not match.is_over:
        if not list_kinds(match) <= clicked:
            clicked |= list_kinds(match)
            board.show(match)
            for label, box in board.list_pieces():
                assert min(box["width"], box["height"]) > SMALLEST - 0.1, label
                assert "; ".join(board.click_middle(box)) == label
        match.step("random")
    board.page.close()
    assert len(clicked) >= kinds


def test_the_areas_and_citadels_of_celtae_are_chosen_by_a_click_in_their_middle(tmp_path, browser):
    with serve_dashboard(tmp_path / "new.duckdb") as port:
        player = Player(browser, f"http://127.0.0.1:{port}")
        player.open("play")
        player.fill_combobox("Game or variant", "celtae")
        player.fill_combobox("Seat 2", "random")
        player.begin()
        wanted = ["use the .* area", "build in the .* citadel"]
        while wanted:
            player.page.wait_for_selector(".piece")
            player.settle()
            pieces = player.page.locator(".piece")
            labels = [pieces.nth(index).get_attribute("aria-label") for index in range(pieces.count())]
            index = next((i for i, label in enumerate(labels) if re.match("|".join(wanted), label)), 0)
            pieces.nth(index).scroll_into_view_if_needed()
            box = pieces.nth(index).bounding_box()
            player.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            if "; " in labels[index]:
                player.page.locator(".menu button").first.click()
            words = labels[index].split("; ")[0]
            player.page.wait_for_selector(f"text=you: {words}")
            wanted = [pattern for pattern in wanted if not re.match(pattern, words)]
        player.page.close()
