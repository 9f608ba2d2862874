"""What only some metrics have beside their own chart: other players, the lead over time, ratings, win lift,
restricted play.
"""

import math
from collections.abc import Iterator, Sequence

from analytics.metric.metric import SHARE, SKILL_EDGE, WIN_LIFT, ExtraChart, Metric, find_metric
from analytics.questions.ladder import GROUPS, RatedAgent
from dashboard import charts
from dashboard.charts import Dot
from dashboard.data.answers import (
    DEALS_READ,
    find_head_to_heads,
    is_connected,
    load_estimates,
    load_lifts,
    load_ratings,
    load_winner_leads,
    order_agents,
)
from dashboard.data.examples import make_link
from dashboard.data.file import CellInfo
from dashboard.page import Chart, Command, Element, Text, TextStyle, Title
from dashboard.pages.luck import luck_elements
from dashboard.pages.metric_charts import BARS, make_dot
from dashboard.selection import Selection

LIMITS = ("+forbid=", "+force=")  # in the spec of an agent that does without an option
MAX_RATED_MATCHES = 500_000  # head-to-head matches to compute ratings from: more would take too long


def extra_elements(selection: Selection, metric: Metric) -> Iterator[Element]:
    """What a page shows after the metric's own chart."""
    extra = metric.extra_chart
    if extra is ExtraChart.OTHER_AGENTS:
        yield from _agent_elements(selection, metric)
    elif extra is ExtraChart.LEAD_OVER_TIME:
        yield from _lead_elements(selection)
    elif extra is ExtraChart.SOURCES_OF_LUCK:
        yield from luck_elements(selection)
    elif extra is ExtraChart.RATINGS:
        yield from _ladder_elements(selection)
    elif extra is ExtraChart.VALUE_OF_OPTIONS:
        yield from _lift_elements(selection)
        yield from _restriction_elements(selection)


def _agent_elements(selection: Selection, metric: Metric) -> Iterator[Element]:
    """The imbalance of the seats by each agent that plays against itself: does it depend on strength?"""
    agents = selection.equal_line_ups
    if len(agents) < 2:
        return
    players = selection.main_player_count
    cells = [
        cell
        for agent in agents
        for variant in selection.variants
        if (cell := selection.find_cell(variant, players, agent))
    ]
    estimates = load_estimates(selection.db, cells, [metric])
    series: dict[str, list[Dot]] = {}
    for cell in cells:
        for estimate in estimates[cell.id][metric.name].values():
            series.setdefault(cell.variant, []).append(make_dot(cell.line_up, cell, metric, "", estimate))
    yield Title("Do other players see the same?")
    caveat = f"Imbalance of the seats with {players} players, by each agent that plays against itself. {BARS}"
    yield Chart(
        "imbalance by agent",
        charts.draw_by_category(series, selection.styles, SHARE, "agent"),
        caveat,
        has_links=True,
    )


def _lead_elements(selection: Selection) -> Iterator[Element]:
    """How the winner pulls away."""
    players = selection.main_player_count
    series = {}
    for variant in selection.variants:
        cell = selection.find_cell(variant, players)
        moments = load_winner_leads(selection.db, cell.id) if cell and cell.has_equal_agents else {}
        if cell and moments:
            hover = f"{variant}, {players} players: the winner's lead"
            series[variant] = [
                Dot(moment, estimate, hover, make_link(cell)) for moment, estimate in moments.items()
            ]
    if series:
        yield Title("When does the winner pull away?")
        caveat = (
            "Points of the one who wins in the end, less the best other's;"
            f" {players} players, the first {DEALS_READ:,} deals."
        )
        figure = charts.draw_by_category(
            series, selection.styles, "points", "part of the match that is played", has_lines=True
        )
        figure.add_hline(y=0, line_dash="dot", line_color=charts.LUCK)
        yield Chart("lead over time", figure, f"{caveat} {BARS}", has_links=True)


def _ladder_elements(selection: Selection) -> Iterator[Element]:
    """Ratings of agents from all stored head-to-head cells."""
    rated_cells = [cell for cell in find_head_to_heads(selection.mixed_cells) if cell.deals > GROUPS]
    if not rated_cells or sum(cell.matches for cell in rated_cells) > MAX_RATED_MATCHES:
        return
    series: dict[str, list[Dot]] = {}
    weakest: dict[str, None] = {}
    notes: list[str] = []
    for variant, players in dict.fromkeys((cell.variant, cell.players) for cell in rated_cells):
        cells = [cell for cell in rated_cells if (cell.variant, cell.players) == (variant, players)]
        order = order_agents(cells)
        if not order or not is_connected(cells):
            continue
        rated_agents = load_ratings(selection.db, tuple(cell.id for cell in cells), tuple(order))
        weakest[order[0]] = None
        bounds = [rated.agent for rated in rated_agents if rated.at_least]
        if bounds:
            names = " and ".join(bounds)
            notes.append(f"{cells[0].title}: {bounds[0]} lost nothing, so {names} have at least this.")
        series.setdefault(variant, []).extend(_make_rating_dot(rated, cells) for rated in rated_agents[1:])
    if series:
        yield Title("How much stronger is each agent?")
        caveat = (
            f"Ratings on the Elo scale; {' or '.join(weakest)} has 0."
            f" Bars are 95 % intervals, over {GROUPS} groups of deals."
        )
        figure = charts.draw_rows(series, selection.styles, "points of rating", "rating", reference=0.0)
        yield Chart("ratings", figure, " ".join([caveat, *notes]), has_links=True)


def _make_rating_dot(rated: RatedAgent, cells: Sequence[CellInfo]) -> Dot:
    """An agent's rating; it leads to the first head-to-head cell of this agent."""
    first = next(cell for cell in cells if rated.agent in cell.agents)
    return Dot(f"{rated.agent}, {first.players} players", rated.elo, first.title, make_link(first))


def _lift_elements(selection: Selection) -> Iterator[Element]:
    """Whether those who use a component win more often."""
    metric = find_metric(WIN_LIFT)
    players = selection.main_player_count
    series = {}
    for variant in selection.variants:
        cell = selection.find_cell(variant, players)
        dots = _make_lift_dots(selection, cell) if cell and cell.has_equal_agents else []
        if dots:
            series[variant] = dots
    if series:
        yield Title(metric.question)
        caveat = f"{metric.caveat} With {players} players; 1 is no lift. {BARS}"
        figure = charts.draw_rows(
            series, selection.styles, metric.unit, metric.unit, reference=1.0, has_log_axis=True
        )
        yield Chart(metric.name, figure, caveat, has_links=True)


def _make_lift_dots(selection: Selection, cell: CellInfo) -> list[Dot]:
    return [
        Dot(
            lift.tally,
            lift.lift,
            f"{cell.variant}: {lift.tally}; used by {charts.format_percent(lift.users)} of the seats",
            make_link(cell),
        )
        for lift in load_lifts(selection.db, cell.id)
        if math.isfinite(lift.lift.low)
    ]


def _restriction_elements(selection: Selection) -> Iterator[Element]:
    """What an option is worth: what an agent without it loses among agents with it."""
    edge = find_metric(SKILL_EDGE)
    cells = [
        cell
        for cell in find_head_to_heads(selection.mixed_cells)
        if any(limit in cell.agents[0] for limit in LIMITS)
    ]
    yield Title("What is an option worth?")
    if not cells:
        yield from _restriction_hint(selection)
        return
    estimates = load_estimates(selection.db, cells, [edge])
    series: dict[str, list[Dot]] = {}
    for cell in cells:
        estimate = estimates[cell.id][edge.name].get("1")
        if estimate:
            dot = make_dot(f"{cell.agents[0]}, {cell.players} players", cell, edge, "", estimate)
            series.setdefault(cell.variant, []).append(dot)
    caveat = (
        "How far the restricted agent wins above its share, in % of what is possible:"
        f" below 0 it misses the option. {BARS}"
    )
    figure = charts.draw_rows(series, selection.styles, edge.unit, "edge, %", reference=0.0)
    yield Chart("restricted play", figure, caveat, has_links=True)


def _restriction_hint(selection: Selection) -> Iterator[Element]:
    """How to play without an option."""
    yield Text(
        "Restricted play tells: one agent that does without an option, among others that have it."
        " None is stored yet.",
        TextStyle.CAPTION,
    )
    spec = selection.find_info(selection.variants[0]).spec
    agents = "greedy+forbid=GROUP,greedy"
    yield Command(["simulate", spec, "--agents", agents, "--players", "2", "--db", str(selection.db)])
