"""The chart of distributions side by side."""

from collections.abc import Mapping, Sequence
from html import escape

import plotly.graph_objects as go

from dashboard.charts import VariantStyles, make_figure, show_legend


def draw_distributions(
    series: Mapping[str, Sequence[tuple[float, float]]],
    styles: VariantStyles,
    x_title: str,
    links: Mapping[str, Sequence[tuple[str, ...]]],
    counted: str,
) -> go.Figure:
    """The share of what is counted (matches or seats) at each value, as steps; each value leads to its
    matches.
    """
    figure = make_figure(xaxis={"title": x_title}, yaxis={"title": f"% of {counted}", "rangemode": "tozero"})
    for variant, points in series.items():
        colour, _ = styles.get(variant)
        figure.add_scatter(
            x=[value for value, _ in points],
            y=[100 * share for _, share in points],
            mode="lines+markers",
            name=escape(variant),
            line={"color": colour, "width": 2, "shape": "hvh"},
            customdata=[list(link) for link in links[variant]],
            marker={"color": colour, "size": 9, "opacity": 0},
            selected={"marker": {"opacity": 1}},  # a line cannot be clicked
            hovertemplate=f"{escape(variant)}<br>%{{x}}: %{{y:.1f}} %<extra></extra>",
        )
    # Side by side, the steps would stand at other values.
    figure.update_layout(scattermode="overlay")
    show_legend(figure, series)
    return figure
