"""Charts as a browser draws them: no text over another, and pure chance behind what it is compared with."""

import pytest

from analytics.stats.intervals import Estimate
from dashboard.charts import Dot, VariantStyles, add_luck, draw_by_category, draw_panels
from tests.support.browser import NEEDS_BROWSER

pytestmark = [NEEDS_BROWSER, pytest.mark.long]
STYLES = VariantStyles(("a", "b"))
FIND_OVERPRINTS = """() => {
    const texts = [...document.querySelectorAll("svg text")].filter(text => text.textContent.trim());
    const boxes = texts.map(text => [text.textContent, text.getBoundingClientRect()]);
    return boxes.flatMap(([name, one], index) => boxes.slice(index + 1)
        .filter(([_, other]) => one.left < other.right && other.left < one.right
            && one.top < other.bottom && other.top < one.bottom)
        .map(([other]) => `${name} and ${other}`));
}"""
FIND_MIDDLES = """() => {
    const middle = (shape) => { const box = shape.getBoundingClientRect(); return box.x + box.width / 2; };
    const traces = [...document.querySelectorAll(".scatterlayer .trace")];
    return {
        traces: traces.map(trace => [...trace.querySelectorAll(".point")].map(middle)),
        ticks: [...document.querySelectorAll(".xtick text")].map(middle),
    };
}"""


def make_dots(categories, mean):
    return [Dot(name, Estimate(mean, mean - 0.1, mean + 0.1, 600), "") for name in categories]


def show(browser, figure, width):
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.set_content(figure.to_html(include_plotlyjs=True, default_height=f"{figure.layout.height}px"))
    page.wait_for_selector(".scatterlayer .point", state="attached")
    return page


@pytest.mark.parametrize("width", [390, 640, 1280])
def test_no_text_of_a_chart_in_panels_is_printed_over_another(width, browser):
    moments = ["25%", "50%", "75%"]
    panels = {
        f"{n} players": {name: make_dots(moments, 0.5 + k / 9) for k, name in enumerate("ab")}
        for n in (2, 3, 4)
    }
    page = show(browser, draw_panels(panels, STYLES, "share", "percent of the rounds"), width)
    assert page.locator("text=percent of the rounds").count() == 2  # below the lowest panel of each column
    assert page.evaluate(FIND_OVERPRINTS) == []
    page.close()


def test_the_mark_of_pure_chance_stands_behind_the_marks_of_its_player_count(browser):
    counts = ["2 players", "3 players"]
    figure = draw_by_category({name: make_dots(counts, 0.3) for name in "ab"}, STYLES, "share")
    add_luck(figure, {"2 players": 0.25, "3 players": 0.3})
    page = show(browser, figure, 600)
    seen = page.evaluate(FIND_MIDDLES)
    luck, first, second = seen["traces"]
    assert luck == pytest.approx(seen["ticks"], abs=1)
    middles = [(one + other) / 2 for one, other in zip(first, second, strict=True)]
    assert middles == pytest.approx(seen["ticks"], abs=1)
    assert second[0] - first[0] > 20
    assert page.locator(".legendtext").all_text_contents() == ["a", "b", "pure chance"]
    page.close()
