"""What only some metrics have beside their own chart: other players, the lead over time, ratings, win lift, restricted play."""

import math
from collections.abc import Callable, Iterator, Sequence

from analytics.metric.metric import SHARE, Metric, find_metric
from analytics.questions.ladder import GROUPS, Rung
from analytics.stats.intervals import Estimate
from dashboard import charts
from dashboard.charts import Dot
from dashboard.data.answers import LOOKED_AT, answers, duels, hang_together, lifts, ratings, rungs_of, winners_lead
from dashboard.data.examples import kind_of, link
from dashboard.data.file import StoredCell
from dashboard.page import Block, Chart, Command, Say, Title
from dashboard.selection import Choice

BARS = "Bars are 95 % intervals over blocks."
MOST_AT_ONCE = 500_000  # matches of duels of which ratings are worked out: more take longer than a page may


def dot_of(place: str, cell: StoredCell, metric: Metric, part: str, estimate: Estimate) -> Dot:
    """An estimate of a cell, with what one reads when pointing at it, and what it leads to."""
    who = f"{cell.variant}, {cell.players} players, {cell.line_up}" + (f", {metric.parts} {part}" if part else "")
    return Dot(place, estimate, f"{who}; {cell.matches:,} matches", link(cell, kind_of(metric.name, part)))


def _by_rung(choice: Choice) -> Iterator[Block]:
    """Whether stronger players see the same: the imbalance of seats by each agent that plays against itself."""
    metric, rungs = find_metric("seat_imbalance"), [name for name in choice.line_ups if "," not in name]
    if len(rungs) < 2:
        return
    players = choice.usual
    cells = [cell for rung in rungs for v in choice.variants if (cell := choice.cell(v, players, rung))]
    found = answers(choice.file, cells, [metric])
    series: dict[str, list[Dot]] = {}
    for cell in cells:
        for estimate in found[cell.id]["seat_imbalance"].values():
            series.setdefault(cell.variant, []).append(dot_of(cell.line_up, cell, metric, "", estimate))
    yield Title("Do other players see the same?")
    care = f"Imbalance of the seats with {players} players, by each agent that plays against itself. {BARS}"
    yield Chart("imbalance by rung", charts.by_place(series, choice.looks, SHARE, "agent"), care, links=True)


def _lead_over_time(choice: Choice) -> Iterator[Block]:
    """How the winner pulls away."""
    players = choice.usual
    series = {}
    for variant in choice.variants:
        cell = choice.cell(variant, players)
        moments = winners_lead(choice.file, cell.id) if cell and cell.equal else {}
        if cell and moments:
            told = f"{variant}, {players} players: the winner's lead"
            series[variant] = [Dot(moment, e, told, link(cell)) for moment, e in moments.items()]
    if series:
        yield Title("When does the winner pull away?")
        care = f"Points of the one who wins in the end, less the best other's; {players} players, the first {LOOKED_AT:,} blocks."
        figure = charts.by_place(series, choice.looks, "points", "part of the match that is played", lines=True)
        figure.add_hline(y=0, line_dash="dot", line_color=charts.LUCK)
        yield Chart("lead over time", figure, f"{care} {BARS}", links=True)


def _ratings(choice: Choice) -> Iterator[Block]:
    """Ladder curves from all duels that are stored."""
    several = [cell for cell in duels(choice.mixed) if cell.blocks > GROUPS]
    if not several or sum(cell.matches for cell in several) > MOST_AT_ONCE:
        return
    series: dict[str, list[Dot]] = {}
    lowest: dict[str, None] = {}
    notes: list[str] = []
    for variant, players in dict.fromkeys((cell.variant, cell.players) for cell in several):
        cells = [cell for cell in several if (cell.variant, cell.players) == (variant, players)]
        order = rungs_of(cells)
        if not order or not hang_together(cells):
            continue
        rungs = ratings(choice.file, tuple(cell.id for cell in cells), tuple(order))
        lowest[order[0]] = None
        bounds = [rung.agent for rung in rungs if rung.at_least]
        notes += [f"{cells[0].told}: {bounds[0]} lost nothing, so {' and '.join(bounds)} have at least this."] if bounds else []
        series.setdefault(variant, []).extend(_rated(rung, cells) for rung in rungs[1:])
    if series:
        yield Title("How much stronger is each rung?")
        care = f"Ratings on the Elo scale; {' or '.join(lowest)} has 0. Bars are 95 % intervals, over {GROUPS} groups of blocks."
        figure = charts.sideways(series, choice.looks, "points of rating", "rating", even=0.0)
        yield Chart("ratings", figure, " ".join([care, *notes]), links=True)


def _rated(rung: Rung, cells: Sequence[StoredCell]) -> Dot:
    """A rung; behind it, the first of its duels."""
    first = next(cell for cell in cells if rung.agent in cell.agents)
    return Dot(f"{rung.agent}, {first.players} players", rung.elo, first.told, link(first))


def _lift(choice: Choice) -> Iterator[Block]:
    metric, players = find_metric("win_lift"), choice.usual
    series = {}
    for variant in choice.variants:
        cell = choice.cell(variant, players)
        known = [one for one in lifts(choice.file, cell.id) if math.isfinite(one.lift.low)] if cell and cell.equal else []
        if cell and known:
            series[variant] = [
                Dot(
                    one.counter, one.lift, f"{variant}: {one.counter}; used by {charts.percent(one.users)} of the seats", link(cell)
                )
                for one in known
            ]
    if series:
        yield Title(metric.question)
        care = f"{metric.care} With {players} players; 1 is no lift. {BARS}"
        figure = charts.sideways(series, choice.looks, metric.unit, metric.unit, even=1.0, log=True)
        yield Chart("win_lift", figure, care, links=True)
    yield from _restricted(choice)


def _restricted(choice: Choice) -> Iterator[Block]:
    """The value of an option: what an agent loses that does without it, among those that do not."""
    edge, limits = find_metric("skill_edge"), ("+forbid=", "+force=")
    cells = [cell for cell in duels(choice.mixed) if any(limit in cell.agents[0] for limit in limits)]
    yield Title("What is an option worth?")
    if not cells:
        yield Say(
            "Restricted play tells: one agent that does without an option, among others that have it. None is stored yet.", "care"
        )
        spec = choice.known(choice.variants[0]).spec
        yield Command(["simulate", spec, "--agents", "greedy+forbid=GROUP,greedy", "--players", "2", "--into", str(choice.file)])
        return
    found = answers(choice.file, cells, [edge])
    series: dict[str, list[Dot]] = {}
    for cell in cells:
        estimate = found[cell.id]["skill_edge"].get("1")
        if estimate:
            dot = dot_of(f"{cell.agents[0]}, {cell.players} players", cell, edge, "", estimate)
            series.setdefault(cell.variant, []).append(dot)
    care = f"How far the restricted agent wins above its share, in % of what is possible: below 0 it misses the option. {BARS}"
    yield Chart("restricted play", charts.sideways(series, choice.looks, edge.unit, "edge, %", even=0.0), care, links=True)


BESIDE: dict[str, Callable[[Choice], Iterator[Block]]] = {
    "seat_imbalance": _by_rung, "wire_to_wire": _lead_over_time, "skill_fraction": _ratings, "usage": _lift,
}  # fmt: skip
