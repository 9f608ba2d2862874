"""Colours that everybody can tell apart, texts that are shown as they are, and views that need no server."""

import itertools
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from analytics.show.figures import COLOURS
from analytics.show.report.markup import STYLE
from analytics.stats.intervals import Estimate
from dashboard.browser import escape_markdown
from dashboard.charts import (
    BASELINE,
    SYMBOLS,
    Dot,
    VariantStyles,
    draw_by_category,
    draw_panels,
    draw_rows,
)
from dashboard.page import (
    BulletList,
    Card,
    Cards,
    Chart,
    Command,
    DataTable,
    Excerpt,
    Headline,
    OnlyShared,
    Picture,
    Text,
    Title,
)
from dashboard.shared_file import Heading, make_html

WHITE, DARK = "#ffffff", "#0e1117"
# What is seen without one kind of cone, after Machado, Oliveira and Fernandes (2009), severity 1.
BLIND = {
    "none": np.eye(3),
    "red": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "green": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "blue": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def make_linear(colour: str) -> np.ndarray:
    parts = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def measure_light(colour: str) -> float:
    return float(make_linear(colour) @ [0.2126, 0.7152, 0.0722])


def measure_contrast(a: str, b: str) -> float:
    low, high = sorted((measure_light(a), measure_light(b)))
    return (high + 0.05) / (low + 0.05)


def to_lab(rgb: np.ndarray) -> np.ndarray:
    white = np.array([0.9505, 1, 1.089])
    matrix = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x = matrix @ np.clip(rgb, 0, 1) / white
    f = np.where(x > 0.008856, np.cbrt(x), 7.787 * x + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("kind", BLIND)
def test_colours_are_reported_apart_by_everybody(kind):
    seen = [to_lab(np.array(BLIND[kind]) @ make_linear(colour)) for colour in COLOURS]
    nearest = min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2))
    assert nearest > 25  # of two neighbouring crayons; 2.3 can just be seen


@pytest.mark.parametrize("kind", BLIND)
def test_the_neutral_baseline_is_apart_from_every_hue(kind):
    baseline, *seen = [
        to_lab(np.array(BLIND[kind]) @ make_linear(colour)) for colour in (BASELINE[0], *COLOURS)
    ]
    assert min(np.linalg.norm(baseline - colour) for colour in seen) > 17  # it has a symbol of its own, too
    assert BASELINE[1] not in SYMBOLS


def test_colours_are_readable_on_light_and_on_dark():
    colours = (BASELINE[0], *COLOURS)
    assert all(measure_contrast(colour, ground) >= 3 for colour in colours for ground in (WHITE, DARK))


def test_a_variant_has_one_colour_whatever_is_chosen():
    styles = VariantStyles(("a", "b", "c"))
    assert styles.get("b") == VariantStyles(("a", "b", "c")).get("b") != styles.get("c")
    styles_of_twelve = VariantStyles(tuple(map(str, range(12))))
    assert (
        len({styles_of_twelve.get(str(n)) for n in range(12)}) == 12
    )  # colours come again with other symbols


def test_texts_are_shown_as_they_are():
    assert escape_markdown("a*b_c <i> :red[x] $y$") == r"a\*b\_c \<i\> \:red\[x\] \$y\$"
    assert escape_markdown("type `boardgames runs x_y` now") == "type `boardgames runs x_y` now"
    assert escape_markdown("one ` alone*") == r"one \` alone\*"


def test_shares_are_shown_in_percent_whichever_way_a_chart_lies():
    dots = {"a": [Dot("seat <1>", Estimate(0.5, 0.4, 0.6, 100), "who", ("cell", "kind"))]}
    (trace,) = draw_rows(dots, VariantStyles(("a",)), "share", "%").data
    assert trace.x == (50.0,)
    assert trace.error_x.array == pytest.approx([10.0])
    assert "50.0 (40.0 to 60.0)</b> %" in trace.hovertext[0]
    assert list(trace.customdata[0]) == ["cell", "kind"]


def test_panels_that_are_compared_have_one_scale():
    panels = {
        "2 players": {"a": [Dot("seat 1", Estimate(0.52, 0.5, 0.54, 100), "who")]},
        "4 players": {"a": [Dot("seat 1", Estimate(0.35, 0.3, 0.4, 100), "who")]},
    }
    fair = {"2 players": 0.5, "4 players": 0.25}
    layout = draw_panels(panels, VariantStyles(("a",)), "share", "", fair).layout
    (low, high), (other_low, other_high) = layout.yaxis.range, layout.yaxis2.range
    assert high - low == pytest.approx(other_high - other_low)
    assert (low + high) / 2 == pytest.approx(50)
    assert other_high > 40  # it holds the interval


def test_a_small_difference_of_large_values_can_be_seen():
    dots = [Dot("2 players", Estimate(mean, mean - 0.4, mean + 0.4, 100), "who") for mean in (67.6, 70.8)]
    low, high = draw_by_category({"a": dots}, VariantStyles(("a",)), "turns").layout.yaxis.range
    assert 60 < low < 67.2
    assert 71.2 < high < 80
    near = [Dot("2 players", Estimate(0.1, 0.05, 0.15, 100), "who")]
    assert draw_by_category({"a": near}, VariantStyles(("a",)), "share").layout.yaxis.range[0] == 0


def test_marks_without_an_interval_are_hollow_in_rows_too():
    dots = [Dot("a", Estimate(1.4, 1.2, 1.6, 100), "who"), Dot("b", Estimate(2.0, np.nan, np.nan, 1), "who")]
    (trace,) = draw_rows({"a": dots}, VariantStyles(("a",)), "times per seat", "").data
    assert list(trace.marker.symbol) == ["circle", "circle-open"]
    assert trace.error_x.width == 0  # caps would be drawn inside the hollow mark, like an interval


class Loads(HTMLParser):
    def __init__(self):
        super().__init__()
        self.links, self.text = [], []

    def handle_starttag(self, tag, attrs):
        self.links += [value for name, value in attrs if name in ("src", "href", "xlink:href") and value]

    def handle_data(self, data):
        self.text.append(data)


def test_a_shared_view_is_one_file_with_everything_in_it():
    dots = {"<b>a</b>": [Dot("1", Estimate(0.5, 0.4, 0.6, 100), "<i>who</i>")]}
    deals = [
        Title("How <b>often</b>?"),
        Text("it is so"),
        BulletList(["one", "two"]),
        Chart("seats", draw_by_category(dots, VariantStyles(("<b>a</b>",)), "share", "seat"), "care"),
        DataTable("numbers", ["x"], [["<td>"], [float("nan")]]),
        Command(["runs"]),
        Picture("<svg></svg>", "the table"),
        Excerpt({3: "roll <it>", 4: "hold"}, 4),
        OnlyShared(Text("only here")),
        Cards(
            [
                Card(
                    title="pig <2>",
                    colour="red",
                    about="a game of dice",
                    setting="2 players",
                    headlines=[Headline("the first seat wins", "50 %", "(40 to 60)")],
                    stored="100 matches",
                    problem=None,
                )
            ]
        ),
    ]
    heading = Heading(
        question="A question?",
        title="My <b>title</b>",
        note="To <you>\nand all\n\nthe end",
        facts={"variants": "about <this>"},
    )
    page = make_html(heading, deals)
    outline = Loads()
    outline.feed(page)
    assert outline.links == []
    assert "<script" not in page
    for words in (
        *("How <b>often</b>?", "it is so", "two", "<td>", "boardgames runs", "about <this>"),
        *("3. roll <it>", "4. hold", "only here", "pig <2>", "a game of dice", "50 % (40 to 60)"),
        *("My <b>title</b>", "A question?", "To <you>", "and all", "the end"),
    ):
        assert words in outline.text, words


def test_without_a_title_a_shared_page_has_its_question():
    page = make_html(Heading(question="A question?", title=" ", facts={"seed": "1"}), [])
    assert page.count("A question?") == 2  # in its head and above the text
    assert 'class="own"' not in page


def test_a_shared_page_is_readable_on_a_dark_screen():
    dark = dict(
        re.findall(r"--(\w+): (#\w{6})", STYLE.split("prefers-color-scheme: dark")[1].split("\n}")[0])
    )
    assert dark["ground"] == DARK  # which the colours of charts are readable on
    inks = itertools.product(("ink", "grey", "accent"), ("ground", "panel"))
    assert all(measure_contrast(dark[ink], dark[ground]) >= 4.5 for ink, ground in inks)
