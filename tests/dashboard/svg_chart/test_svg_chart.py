"""The charts of shared pages show what Plotly shows, without its library."""

import math
import re
from collections import Counter
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest

from analytics.stats.intervals import Estimate
from dashboard.charts import (
    Dot,
    VariantStyles,
    draw_by_category,
    draw_over_time,
    draw_panels,
    draw_rows,
)
from dashboard.svg_chart.chart import draw_svg


def count_marks(picture: str) -> Counter[str]:
    """The names of the tags in a picture."""
    return Counter(element.tag.rpartition("}")[2] for element in ElementTree.fromstring(picture).iter())


def test_a_shared_chart_has_every_estimate_with_its_interval_and_says_it_when_pointed_at():
    estimates = [Estimate(0.5, 0.4, 0.6, 100), Estimate(0.3, math.nan, math.nan, 3)]
    dots = {
        name: [Dot(str(seat), estimate, f"{name}: seat {seat}") for seat, estimate in enumerate(estimates, 1)]
        for name in ("a", "b & c")
    }
    picture = draw_svg(draw_by_category(dots, VariantStyles(("a", "b & c")), "share", "seat"), "seats")
    marks = count_marks(picture)
    assert (marks["circle"], marks["path"]) == (
        3,
        3,
    )  # the second one is a diamond; one each in the legend
    assert "b &amp; c: seat 2" in picture
    assert "50.0 (40.0 to 60.0) %" in picture
    coloured = [
        line for line in picture.splitlines() if line.startswith("<line") and "stroke-grid" not in line
    ]
    assert len(coloured) == 2  # the intervals; the second estimates have none


def test_a_shared_chart_may_have_panels_steps_rows_and_maps():
    dots = {"a": [Dot("1", Estimate(0.5, 0.4, 0.6, 100), ""), Dot("2", Estimate(0.5, 0.4, 0.6, 100), "")]}
    styles = VariantStyles(("a",))
    panels = draw_svg(draw_panels({"2 players": dots, "3 players": dots}, styles, "share", "seat"), "")
    assert "2 players" in panels
    assert "3 players" in panels
    assert count_marks(panels)["circle"] == 4
    rows = draw_svg(draw_rows(dots, styles, "times", "times", reference=0.5), "")
    assert count_marks(rows)["circle"] == 2
    (no_change,) = re.findall('<polyline points="([^,]*),', rows)
    assert f'<text x="{no_change}"' in next(line for line in rows.splitlines() if ">0.50</text>" in line)
    (steps,) = re.findall(
        '<polyline points="([^"]*)"', draw_svg(draw_over_time({"a": [1, 3]}, None, "", ""), "")
    )
    assert len(steps.split()) == 3  # along, then up
    fields = go.Heatmap(
        x=["1", "2"],
        y=["a"],
        z=[[1.0, None]],
        text=[["1", ""]],
        hovertext=[["one", ""]],
        colorscale="Viridis",
    )
    assert "<title>one</title>" in draw_svg(go.Figure(fields), "")


def test_a_line_across_a_shared_chart_stands_at_its_value():
    """Not at the edge of an axis that does not reach it: no effect is at 0, and the marks are far from it."""
    dots = {"a": [Dot("greedy", Estimate(0.99, 0.98, 1.0, 100), "")]}
    figure = draw_rows(dots, VariantStyles(("a",)), "share", "edge, %", reference=0.0)
    picture = draw_svg(figure, "edge")
    (line,) = re.findall('<polyline points="([^,]*),', picture)
    (zero,) = re.findall('<text x="([^"]*)"[^>]*>0</text>', picture)
    assert line == zero


def test_the_names_of_a_shared_chart_stand_in_the_order_of_the_page():
    dots = [Dot("greedy", Estimate(0.5, 0.4, 0.6, 100), "")]
    names = ("first", "second", "third")
    picture = draw_svg(draw_rows(dict.fromkeys(names, dots), VariantStyles(names), "share", "%"), "rows")
    assert [name for name in re.findall(">([a-z]+)</text>", picture) if name in names] == list(names)


def test_a_kind_of_chart_that_cannot_be_shared_is_an_error():
    with pytest.raises(NotImplementedError, match="pie"):
        draw_svg(go.Figure(go.Pie(values=[1])), "")
