"""From end to end in a real browser: look, choose, share, step a match, watch a simulation. Pictures of all
pages are saved.
"""

import contextlib
import os
import re
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import playwright.sync_api
import pytest

from boardgames.store.connection import get_connection, open_for_reading
from dashboard.app import list_pages
from tests.support.processes import HANGS, serve_dashboard

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
PICTURES = Path(__file__).parent / "screenshots"
READY = "[data-testid=stApp][data-test-script-state=notRunning]"
pytestmark = pytest.mark.skipif(
    CHROMIUM is None and "CI" not in os.environ,
    reason="there is no chromium here; `make browser` installs it",
)
PATHS = ["", *(path for path in list_pages() if path != "overview")]


@pytest.fixture(scope="module")
def served(real, tmp_path_factory):
    """A dashboard as the command starts it, on a copy of the file."""
    db = Path(shutil.copy(real, tmp_path_factory.mktemp("browser") / "shown.duckdb"))
    with serve_dashboard(db, "--game", "tests.dashboard.drawn:GAME") as port:
        yield f"http://127.0.0.1:{port}", db


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_api.sync_playwright() as playwright_sync:
        chromium = playwright_sync.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


class Visitor:
    """A page of the browser, and every host it has asked."""

    def __init__(self, browser, address, width=1280, scheme="light"):
        self.page = browser.new_page(
            viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True
        )
        self.page.set_default_timeout(1000 * HANGS)
        self.hosts: set[str] = set()
        self.address, self.name = address, f"{scheme}-{width}"
        self.page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))

    def open(self, path: str) -> None:
        self.page.goto(f"{self.address}/{path}")
        self.page.wait_for_selector("h1")
        self.settle()

    def settle(self) -> None:
        """The script has run, and has not begun anew at once."""
        for _ in range(2):
            self.page.wait_for_timeout(300)
            self.page.wait_for_selector(READY)

    def click_point(self, link: str) -> None:
        """Click the first point of a chart, then the link that appears; again if the page was moving."""
        while True:
            self.settle()
            box = self.page.query_selector(".js-plotly-plot .scatterlayer .trace .point").bounding_box()
            self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            with contextlib.suppress(playwright.sync_api.TimeoutError):
                # Far longer than a page takes: a second click would undo the first.
                self.page.click(link, timeout=60_000)
                return

    def save_picture(self, path: str) -> None:
        PICTURES.mkdir(exist_ok=True)
        height = self.page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
        size = self.page.viewport_size
        self.page.set_viewport_size({"width": size["width"], "height": min(6000, max(900, height + 20))})
        self.page.wait_for_timeout(400)
        self.page.screenshot(path=PICTURES / f"{path or 'overview'}-{self.name}.png")
        self.page.set_viewport_size(size)

    def find_mistakes(self) -> list[str]:
        alerts = self.page.query_selector_all("[data-testid=stAlertContentError], [data-testid=stException]")
        return [alert.inner_text() for alert in alerts]


def test_one_can_look_choose_share_and_step_a_match(served, browser):
    address, _ = served
    visitor = Visitor(browser, address)
    page = visitor.page
    visitor.open("")
    visitor.save_picture("")
    page.click("a[href*='/seats']")
    page.wait_for_selector(".js-plotly-plot .scatterlayer .trace path")
    assert page.inner_text("h1") == "Does any seat have an advantage?"
    page.wait_for_function("document.querySelectorAll('.js-plotly-plot').length == 2")
    visitor.settle()
    visitor.save_picture("seats")
    # choose one variant: the address says so, and a reload shows the same
    page.click("button[aria-label^='Remove drawn-pig+target=20']")
    page.wait_for_function("location.search.includes('variant=')")
    shared = page.url
    assert "target%3D26" in shared
    visitor.settle()
    visitor.page.goto(shared)
    page.wait_for_selector(".js-plotly-plot .scatterlayer .trace path")
    visitor.settle()
    tags = "[...document.querySelectorAll('[data-tag]')].map(tag => tag.ariaLabel).join()"
    page.wait_for_function(f"{tags} == 'drawn-pig+target=26*'")
    # from a point of a chart to the matches behind it
    visitor.click_point("text=See matches behind this point")
    page.wait_for_selector("h1:has-text('What happens in a match?')")
    page.wait_for_selector("text=the table is set up")
    assert "kind=seat+1+won" in page.url
    page.click(".st-key-forth button")
    page.wait_for_selector("text=turn 1, seat 1: roll the die")
    page.wait_for_function("location.search.includes('step=1')")
    page.wait_for_selector("[data-testid=stImage] img")
    visitor.settle()
    visitor.save_picture("match")
    # share writes one file
    with page.expect_download() as waiting:
        page.click("text=Share this page")
    text = Path(waiting.value.path()).read_text()
    assert text.startswith("<!doctype html>")
    assert "What happens in a match?" in text
    assert visitor.find_mistakes() == []
    assert visitor.hosts == {urlsplit(address).netloc}
    page.close()


def test_a_shared_link_to_any_page_leads_there_also_to_the_first(served, browser):
    address, _ = served
    visitor = Visitor(browser, address)
    for path in ("overview", "compare", "data"):
        question = list_pages()[path].question
        visitor.open(f"{path}?variant=drawn-pig%2Btarget%3D26*")
        assert visitor.page.inner_text("h1") == question, path
        assert "Page not found" not in visitor.page.inner_text("body")
        assert [tag.get_attribute("aria-label") for tag in visitor.page.query_selector_all("[data-tag]")] == [
            "drawn-pig+target=26*"
        ]
    visitor.page.close()


def test_a_link_leads_to_its_page_also_on_a_server_that_has_shown_none_yet(single, browser):
    with serve_dashboard(single) as port:
        visitor = Visitor(browser, f"http://127.0.0.1:{port}")
        visitor.open("method")
        assert visitor.page.inner_text("h1") == list_pages()["method"].question
        visitor.page.close()


def test_no_other_page_can_show_the_dashboard_in_a_frame(served, browser):
    address, _ = served
    page = browser.new_page()
    page.set_content(f"<iframe src='{address}/'></iframe>")
    page.wait_for_function("frames[0].length !== undefined")
    (frame,) = page.frames[1:]
    frame.wait_for_load_state()
    assert "chrome-error" in frame.url or frame.query_selector("#root") is None
    page.close()


@pytest.mark.long
@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (1280, "dark"), (640, "light"), (640, "dark")]
)
def test_every_page_fits_light_dark_and_a_laptop_at_200_percent(width, scheme, served, browser):
    address, _ = served
    visitor = Visitor(browser, address, width, scheme)
    for path in PATHS:
        visitor.open(path)
        assert visitor.find_mistakes() == [], path
        visitor.save_picture(path)
        over = visitor.page.evaluate(
            "document.querySelector('[data-testid=stMain]').scrollWidth - window.innerWidth"
        )
        assert over <= 0, f"{path} is {over} pixels too wide"
    assert visitor.hosts == {urlsplit(address).netloc}
    visitor.page.close()


@pytest.mark.long
def test_a_simulation_is_started_watched_and_stopped(served, browser):
    address, db = served
    visitor = Visitor(browser, address)
    page = visitor.page
    visitor.open("simulate")
    page.fill("input[aria-label='Agents']", "random")
    page.fill("input[aria-label='Players']", "2")
    page.fill("input[aria-label='Matches']", "3000000")
    page.keyboard.press("Tab")
    page.click("button:has-text('Play')")
    page.wait_for_selector(".st-key-stop button")
    seen = set()
    while len(seen) < 2:  # what was there before, and what has come since
        match = re.search(r"([\d,]+) of [\d,]+ matches are stored", page.inner_text("[data-testid=stMain]"))
        seen |= {int(match[1].replace(",", ""))} if match else set()
        assert visitor.find_mistakes() == []
        page.wait_for_timeout(100)
    page.click(".st-key-stop button")  # not the one of Streamlit's own header
    page.wait_for_selector("text=all finished matches are stored")
    with open_for_reading(db) as session:
        (stored,) = get_connection(session).execute("SELECT sum(matches) FROM batch").fetchone()
    assert stored >= max(seen)
    assert visitor.find_mistakes() == []
    page.close()
