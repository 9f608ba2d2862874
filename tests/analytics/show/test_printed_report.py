"""A report on paper: one page of summary, and nothing wider or higher than a sheet of A4."""

import re

import playwright.sync_api
import pytest

from analytics.questions.report import make_report
from analytics.show.report.html import render
from tests.support.browser import CHROMIUM, NEEDS_BROWSER

PIXELS_PER_MM = 96 / 25.4
WIDTH, HEIGHT = (
    int((210 - 2 * 14) * PIXELS_PER_MM),
    int((297 - 2 * 15) * PIXELS_PER_MM),
)  # without the margins
pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """The report as a browser lays it out for paper, and its PDF."""
    folder = tmp_path_factory.mktemp("printed")
    game = "tests.dashboard.drawn:GAME"
    specs = [f"{game}+target=20", f"{game}+target=26"]
    report = make_report(*specs, db=folder / "r.duckdb", players="2-3", agents="random", matches=128)
    (folder / "report.html").write_text(render(report))
    with playwright.sync_api.sync_playwright() as sync:
        chromium = sync.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = chromium.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(f"file://{folder / 'report.html'}")
        pdf = page.pdf(prefer_css_page_size=True)
        page.emulate_media(media="print")
        yield page, pdf
        chromium.close()


def test_the_summary_fits_on_one_page(printed):
    page, _ = printed
    summary = page.query_selector("#summary")
    assert summary.query_selector(".board svg")
    assert summary.query_selector(".answer li")
    assert summary.bounding_box()["height"] < HEIGHT
    assert page.inner_text("h1").endswith("?")


def test_nothing_is_wider_than_the_paper_and_no_picture_higher(printed):
    page, _ = printed
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
    heights = [figure.bounding_box()["height"] for figure in page.query_selector_all("figure")]
    assert len(heights) >= 6
    assert max(heights) < HEIGHT


def test_the_pdf_has_a_few_pages_of_a4(printed):
    _, pdf = printed
    sizes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert 3 <= len(sizes) <= 20
    assert {(round(float(width)), round(float(height))) for width, height in sizes} == {(595, 842)}
