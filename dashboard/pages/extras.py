"""What only some metrics have beside their own card: other agents, the lead over time, ratings,
restricted play. Each is a card; where it has nothing to draw, it says why.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from analytics.metric.metric import SHARE, SKILL_EDGE, ExtraChart, Metric, find_metric
from analytics.questions.ladder import GROUPS, RatedAgent
from analytics.words import join_words
from dashboard import charts
from dashboard.charts import Dot
from dashboard.data.answers import (
    DEALS_READ,
    find_head_to_heads,
    is_connected,
    load_estimates,
    load_ratings,
    load_winner_leads,
    order_agents,
)
from dashboard.data.examples import make_link
from dashboard.data.file import CellInfo
from dashboard.page import Chart, ChartCard, Command, PagePart, Text, TextStyle
from dashboard.pages.luck import make_luck_card
from dashboard.pages.metric_charts import describe_hollow, make_dot
from dashboard.selection import Selection

LIMITS = ("+forbid=", "+force=")  # in the spec of an agent that does without an option
MAX_RATED_MATCHES = 500_000  # head-to-head matches to compute ratings from: more would take too long
WIDEST = 0.5  # interval of an imbalance that says something


def list_extra_cards(selection: Selection, metric: Metric) -> Iterator[ChartCard]:
    """What a page shows after the metric's own card."""
    extra = metric.extra_chart
    if extra is ExtraChart.OTHER_AGENTS and len(selection.equal_line_ups) > 1:
        yield _make_agents_card(selection, metric)
    elif extra is ExtraChart.LEAD_OVER_TIME:
        yield from _list_lead_cards(selection)
    elif extra is ExtraChart.SOURCES_OF_LUCK:
        yield make_luck_card(selection)
    elif extra is ExtraChart.RATINGS:
        yield _make_ladder_card(selection)
    elif extra is ExtraChart.VALUE_OF_OPTIONS:
        yield _make_restriction_card(selection)


def list_extra_cells(selection: Selection, metric: Metric) -> list[CellInfo]:
    """The cells behind what a page shows after the metric's own card."""
    extra = metric.extra_chart
    if extra is ExtraChart.OTHER_AGENTS:
        return _list_equal_cells(selection)
    if extra is ExtraChart.RATINGS:
        return find_head_to_heads(selection.mixed_cells)
    return _list_restricted_cells(selection) if extra is ExtraChart.VALUE_OF_OPTIONS else []


def _list_equal_cells(selection: Selection) -> list[CellInfo]:
    """Those of each agent that plays against itself, at the main player count."""
    players = selection.main_player_count
    return [
        cell
        for agent in selection.equal_line_ups
        for variant in selection.variants
        if (cell := selection.find_cell(variant, players, agent))
    ]


def _list_restricted_cells(selection: Selection) -> list[CellInfo]:
    """The head-to-heads of an agent that does without an option."""
    cells = find_head_to_heads(selection.mixed_cells)
    return [cell for cell in cells if any(limit in cell.agents[0] for limit in LIMITS)]


def _make_note(*sentences: str) -> Text:
    return Text(" ".join(sentences), TextStyle.CAPTION)


def _make_agents_card(selection: Selection, metric: Metric) -> ChartCard:
    """The imbalance of the seats by each agent that plays against itself: does it depend on strength?"""
    players = selection.main_player_count
    cells = _list_equal_cells(selection)
    estimates = load_estimates(selection.db, cells, [metric])
    series: dict[str, list[Dot]] = {}
    unclear: list[str] = []
    for cell in cells:
        for estimate in estimates[cell.id][metric.name].values():
            if not estimate.has_interval or estimate.high - estimate.low > WIDEST:
                unclear.append(f"{cell.variant} by {cell.line_up}")
            else:
                series.setdefault(cell.variant, []).append(make_dot(cell.line_up, cell, metric, "", estimate))
    title = "Do other agents agree?"
    left_out = f"Not drawn, too few matches yet: {join_words(unclear)}." if unclear else ""
    if not series:
        return ChartCard(title=title, parts=[_make_note(left_out)])
    note = f"Imbalance of the seats with {players} players, by each agent that plays against itself."
    figure = charts.draw_by_category(series, selection.styles, SHARE)
    chart = Chart("imbalance by agent", figure, f"{note} {left_out}".strip(), has_links=True)
    return ChartCard(title=title, parts=[chart])


def _list_lead_cards(selection: Selection) -> Iterator[ChartCard]:
    """How the winner pulls away."""
    players = selection.main_player_count
    cells = [cell for cell in selection.main_cells if cell.has_equal_agents]
    leads = load_winner_leads(selection.db, tuple(cells))
    series = {}
    for cell in cells:
        if moments := leads[cell.id]:
            hover = f"{cell.title}: the winner's lead"
            series[cell.variant] = [
                Dot(moment, estimate, hover, make_link(cell)) for moment, estimate in moments.items()
            ]
    if series:
        figure = charts.draw_by_category(
            series, selection.styles, "points", "part of the match that is played", has_lines=True
        )
        figure.add_hline(y=0, line_dash="dot", line_color=charts.LUCK)
        hollow = describe_hollow(dot.estimate for dots in series.values() for dot in dots)
        note = f"The winner's points less the best other's; {players} players. {hollow}".strip()
        details = f"The winner is the one who wins in the end. Of the first {DEALS_READ:,} deals."
        yield ChartCard(
            title="When does the winner pull away?",
            parts=[Chart("lead over time", figure, note, has_links=True)],
            details=[_make_note(details)],
        )


# ---- ratings


class Ratings(NamedTuple):
    """Rated agents of one variant at one player count, and the head-to-heads they come from."""

    agents: Sequence[RatedAgent]
    cells: Sequence[CellInfo]

    @property
    def weakest(self) -> str:
        return self.agents[0].agent

    def list_dots(self) -> list[Dot]:
        """A dot for each agent but the weakest; it leads to the first head-to-head of this agent."""
        dots = []
        for rated in self.agents[1:]:
            first = next(cell for cell in self.cells if rated.agent in cell.agents)
            name = f"{rated.agent}, {first.players} players"
            dots.append(Dot(name, rated.elo, first.title, make_link(first)))
        return dots

    def describe_bounds(self) -> str:
        """Which ratings are only lower bounds, and why; empty if none."""
        bounds = [rated.agent for rated in self.agents if rated.at_least]
        if not bounds:
            return ""
        have = "has" if len(bounds) == 1 else "have"
        return (
            f"{self.cells[0].title}: {bounds[0]} lost nothing, so {join_words(bounds)} {have} at least this."
        )


def _make_ladder_card(selection: Selection) -> ChartCard:
    """Ratings of agents from all stored head-to-heads; or why there are none."""
    title = "How strong is each agent?"
    head_to_heads = find_head_to_heads(selection.mixed_cells)
    cells = [cell for cell in head_to_heads if cell.deals > GROUPS]
    if sum(cell.matches for cell in cells) > MAX_RATED_MATCHES:
        limit = f"Ratings from more than {MAX_RATED_MATCHES:,} matches take too long for a page."
        return ChartCard(title=title, parts=[_make_note(limit), _make_ladder_command(selection)])
    ratings, problems = _rate_agents(selection, cells)
    if not ratings:
        why = problems or [_explain_no_ratings(head_to_heads)]
        return ChartCard(title=title, parts=[_make_note(*why), _make_ladder_command(selection)])
    series: dict[str, list[Dot]] = {}
    for rated in ratings:
        series.setdefault(rated.cells[0].variant, []).extend(rated.list_dots())
    zero = " or ".join(dict.fromkeys(rated.weakest for rated in ratings))
    bounds = [text for rated in ratings if (text := rated.describe_bounds())]
    note = " ".join([f"Ratings on the Elo scale; {zero} has 0.", *bounds, *problems])
    figure = charts.draw_rows(series, selection.styles, "points of rating", "rating", reference=0.0)
    return ChartCard(
        title=title,
        parts=[Chart("ratings", figure, note, has_links=True)],
        details=[_make_note(f"Intervals over {GROUPS} groups of deals.")],
    )


def _rate_agents(selection: Selection, cells: Sequence[CellInfo]) -> tuple[list[Ratings], list[str]]:
    """The ratings by variant and player count, and why some have none."""
    ratings, problems = [], []
    for variant, players in dict.fromkeys((cell.variant, cell.players) for cell in cells):
        met = [cell for cell in cells if (cell.variant, cell.players) == (variant, players)]
        order = order_agents(met)
        name = f"{variant}, {players} players"
        if not order:
            problems.append(
                f"{name}: no ratings, because the line-ups contradict each other on who is stronger."
            )
        elif not is_connected(met):
            problems.append(f"{name}: no ratings, because some agents never met, not even over others.")
        else:
            agents = load_ratings(selection.db, tuple(cell.id for cell in met), tuple(order))
            ratings.append(Ratings(agents, met))
    return ratings, problems


def _explain_no_ratings(head_to_heads: Sequence[CellInfo]) -> str:
    if head_to_heads:
        return f"No ratings yet: a head-to-head needs more than {GROUPS} deals."
    return "No ratings: they come from head-to-heads, one agent among others that are all the same."


def _make_ladder_command(selection: Selection) -> Command:
    spec = selection.find_info(selection.variants[0]).spec
    return Command(["ladder", spec, "--agents", "random,greedy", "--db", str(selection.db)])


# ---- restricted play


def _make_restriction_card(selection: Selection) -> ChartCard:
    """What an option is worth: what an agent without it loses among agents with it."""
    title = "What is an option worth?"
    edge = find_metric(SKILL_EDGE)
    cells = _list_restricted_cells(selection)
    estimates = load_estimates(selection.db, cells, [edge])
    series: dict[str, list[Dot]] = {}
    for cell in cells:
        estimate = estimates[cell.id][edge.name].get("1")
        if estimate:
            dot = make_dot(f"{cell.agents[0]}, {cell.players} players", cell, edge, "", estimate)
            series.setdefault(cell.variant, []).append(dot)
    if not series:
        return ChartCard(title=title, parts=_explain_restrictions(selection))
    hollow = describe_hollow(dot.estimate for dots in series.values() for dot in dots)
    note = f"Below 0, the agent that does without the option misses it. {hollow}".strip()
    details = "How far the restricted agent wins above its share, in % of what is possible."
    figure = charts.draw_rows(series, selection.styles, edge.unit, "edge, %", reference=0.0)
    return ChartCard(
        title=title,
        parts=[Chart("restricted play", figure, note, has_links=True)],
        details=[_make_note(details)],
    )


def _explain_restrictions(selection: Selection) -> list[PagePart]:
    """How to play without an option."""
    spec = selection.find_info(selection.variants[0]).spec
    agents = "greedy+forbid=GROUP,greedy"
    return [
        _make_note(
            "Restricted play tells: one agent that does without an option, among others that have it."
            " None is stored yet."
        ),
        Command(["simulate", spec, "--agents", agents, "--players", "2", "--db", str(selection.db)]),
    ]
