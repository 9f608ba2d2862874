"""The charts of a report: one for each question, all variants and player counts on one scale."""

import itertools
from collections.abc import Callable, Iterator

from analytics.metric.chance_race import LEADER
from analytics.metric.group import FAIRNESS, OUTCOME, PACE, SKILL, TENSION, MetricGroup
from analytics.metric.metric import (
    CLOSE_FINISH,
    LEADER_CONVERSION,
    LENGTH,
    SEAT_WIN_SHARE,
    TIED_AFTER,
    TIED_BEFORE,
    find_metric,
)
from analytics.questions.luck.results import LuckAnswer
from analytics.questions.report import PlayerCountResult, Report
from analytics.show.chart.panels import Panel, Series, draw_panels
from analytics.show.figures import SERIES_STYLES
from analytics.stats.intervals import Estimate, rescale

FINISHES = (CLOSE_FINISH, TIED_BEFORE, TIED_AFTER)
Find = Callable[[PlayerCountResult], dict[str, Estimate]]  # what one variant shows, by label


def draw_charts(report: Report, group: MetricGroup) -> Iterator[tuple[str, str]]:
    """The captions and charts that belong to a group of metrics; a plug-in's group has none."""
    draw = {
        FAIRNESS: draw_seats,
        OUTCOME: draw_finishes,
        PACE: draw_lengths,
        TENSION: draw_leaders,
        SKILL: draw_skills,
    }.get(group)
    if draw:
        yield from draw(report)


def draw_seats(report: Report) -> Iterator[tuple[str, str]]:
    """How far each seat is from an equal share, a panel for each player count."""

    def find_shares(result: PlayerCountResult) -> dict[str, Estimate]:
        shares = result.answers.get(SEAT_WIN_SHARE, {})
        return {seat: rescale(share, 100.0, -100.0 / result.players) for seat, share in shares.items()}

    panels = [_make_panel(report, players, find_shares) for players in _list_player_counts(report)]
    if any(panel.labels for panel in panels):
        caption = "Wins of each seat above or below a fair share. Bars are 95% intervals."
        yield caption, draw_panels(panels, "percentage points from a fair share, by seat", zero=0.0)


def draw_finishes(report: Report) -> Iterator[tuple[str, str]]:
    """How close matches end, a panel for each player count."""

    def find_finishes(result: PlayerCountResult) -> dict[str, Estimate]:
        known = {name: result.answers.get(name, {}).get("") for name in FINISHES}
        return {find_metric(name).label: share.scale(100) for name, share in known.items() if share}

    panels = [_make_panel(report, players, find_finishes) for players in _list_player_counts(report)]
    if any(panel.labels for panel in panels):
        yield "How often matches end close, or level.", draw_panels(panels, "% of matches", zero=0.0)


def draw_lengths(report: Report) -> Iterator[tuple[str, str]]:
    """Turns of each player by player count."""
    series = []
    for style, variant in zip(itertools.cycle(SERIES_STYLES), report.variants, strict=False):
        lengths = {
            f"{result.players} players": result.answers[LENGTH][""].scale(1 / result.players)
            for result in variant.results
            if LENGTH in result.answers
        }
        series.append(Series(variant.name, style, lengths))
    labels = [f"{players} players" for players in _list_player_counts(report)]
    if any(each.estimates for each in series):
        yield "Turns that each player has.", draw_panels([Panel("", labels, series)], "turns of each player")


def draw_leaders(report: Report) -> Iterator[tuple[str, str]]:
    """How often the leader wins, a panel for each player count; dotted, a race of pure chance."""

    def find_leads(result: PlayerCountResult) -> dict[str, Estimate]:
        leads = result.answers.get(LEADER_CONVERSION, {})
        return {f"{part}%": estimate.scale(100) for part, estimate in leads.items()}

    panels = [
        _make_panel(report, players, find_leads, _find_chance(report, players))
        for players in _list_player_counts(report)
    ]
    if any(panel.labels for panel in panels):
        caption = "How often whoever leads after a part of the match wins in the end."
        yield caption, draw_panels(panels, "the leader wins, %, by the part of the match that is played")


def _find_chance(report: Report, players: int) -> dict[str, float]:
    """What pure chance gives the leader, where evaluations can be compared with it."""
    results = [result for variant in report.variants for result in variant.results]
    can_compare = any(result.calibrated for result in results if result.players == players)
    if not can_compare or players not in LEADER:
        return {}
    return {f"{part}%": 100 * share for part, share in LEADER[players].items()}


def draw_skills(report: Report) -> Iterator[tuple[str, str]]:
    """How much more than an equal share one agent among weaker ones wins, a panel for each pair."""
    head_to_heads = [
        (head_to_head.strong, head_to_head.weak)
        for variant in report.variants
        for result in variant.results
        for head_to_head in result.head_to_heads
    ]
    panels = [_make_skill_panel(report, *agents) for agents in dict.fromkeys(head_to_heads)]
    if panels:
        caption = "One strong agent among weaker ones: 0 is an equal share, 100 is winning always."
        yield caption, draw_panels(panels, "skill edge, %, by player count", zero=0.0)


def _make_skill_panel(report: Report, strong: str, weak: str) -> Panel:
    series = []
    for style, variant in zip(itertools.cycle(SERIES_STYLES), report.variants, strict=False):
        edges = {
            str(result.players): head_to_head.edge.scale(100)
            for result in variant.results
            for head_to_head in result.head_to_heads
            if (head_to_head.strong, head_to_head.weak) == (strong, weak)
        }
        series.append(Series(variant.name, style, edges))
    labels = [str(players) for players in _list_player_counts(report)]
    return Panel(f"{strong} among {weak}", labels, series)


def draw_luck_shares(luck: LuckAnswer) -> str:
    """What each source of chance decides of who wins, a panel for each source."""
    titles = dict.fromkeys(
        source.title for split in luck.splits for source in split.quantities[0].single_sources
    )
    styles = dict(zip(dict.fromkeys(split.variant for split in luck.splits), SERIES_STYLES, strict=False))
    counts = sorted({split.players for split in luck.splits})
    panels = []
    for title in titles:
        series = [Series(name, style, _find_luck(luck, name, title)) for name, style in styles.items()]
        panels.append(Panel(title, [str(players) for players in counts], series))
    return draw_panels(panels, "% of who wins, by player count", zero=0.0)


def _find_luck(luck: LuckAnswer, variant: str, title: str) -> dict[str, Estimate]:
    """The share of one source, by player count."""
    return {
        str(split.players): source.share.scale(100)
        for split in luck.splits
        for source in split.quantities[0].single_sources
        if (split.variant, source.title) == (variant, title)
    }


def _list_player_counts(report: Report) -> list[int]:
    return sorted({result.players for variant in report.variants for result in variant.results})


def _make_panel(report: Report, players: int, find: Find, benchmark: dict[str, float] | None = None) -> Panel:
    """What every variant shows at one player count."""
    series = []
    for style, variant in zip(itertools.cycle(SERIES_STYLES), report.variants, strict=False):
        results = [result for result in variant.results if result.players == players]
        estimates = find(results[0]) if results else {}
        series.append(Series(variant.name, style, estimates))
    labels = list(dict.fromkeys(label for each in series for label in each.estimates))
    shown = {label: value for label, value in (benchmark or {}).items() if label in labels}
    return Panel(f"{players} players", labels, series, shown)
