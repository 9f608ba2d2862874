"""What only some metrics have beside their own chart: other players, the lead over time, ratings, win lift, restricted play."""

import math
from collections.abc import Callable, Iterator

from analytics.intervals import Estimate
from analytics.metrics import SHARE, Metric, find_metric
from dashboard import charts
from dashboard.asked import LOOKED_AT, answers, duels, ladder, lifts, rungs_of, winners_lead
from dashboard.blocks import Block, Chart, Command, Say, Title
from dashboard.charts import Dot
from dashboard.choice import Choice
from dashboard.stored import StoredCell

BARS = "Bars are 95 % intervals over blocks."
MOST_AT_ONCE = 500_000  # matches of duels of which ratings are worked out: more take longer than a page may


def dot_of(place: str, cell: StoredCell, metric: Metric, part: str, estimate: Estimate) -> Dot:
    """An estimate of a cell, with what one reads when pointing at it, and what it leads to."""
    who = f"{cell.variant}, {cell.players} players, {cell.line_up}" + (f", {metric.parts} {part}" if part else "")
    return Dot(place, estimate, f"{who}; {cell.matches:,} matches", (cell.told, metric.name, part))


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
    yield Chart("imbalance by rung", charts.by_place(series, choice.looks, SHARE, "agent"), care)


def _lead_over_time(choice: Choice) -> Iterator[Block]:
    """How the winner pulls away."""
    players = choice.usual
    series = {}
    for variant in choice.variants:
        cell = choice.cell(variant, players)
        moments = winners_lead(choice.file, cell.id) if cell and cell.equal else {}
        if cell and moments:
            told = f"{variant}, {players} players: the winner's lead"
            series[variant] = [Dot(moment, e, told) for moment, e in moments.items()]
    if series:
        yield Title("When does the winner pull away?")
        care = f"Points of the one who wins in the end, less the best other's; {players} players, the first {LOOKED_AT:,} blocks."
        figure = charts.by_place(series, choice.looks, "points", "part of the match that is played", lines=True)
        figure.add_hline(y=0, line_dash="dot", line_color=charts.LUCK)
        yield Chart("lead over time", figure, f"{care} {BARS}")


def _ratings(choice: Choice) -> Iterator[Block]:
    """Ladder curves from all duels that are stored."""
    several = [
        cell
        for cell in duels(choice.contents.cells)
        if cell.variant in choice.variants and cell.seed == choice.seed and cell.blocks > 20
    ]
    if not several or sum(cell.matches for cell in several) > MOST_AT_ONCE:
        return
    notes: list[str] = []
    series: dict[str, list[Dot]] = {}
    for variant in choice.variants:
        for players in sorted({cell.players for cell in several}):
            cells = [cell for cell in several if (cell.variant, cell.players) == (variant, players)]
            order = rungs_of(cells)
            if len(order) < 2:
                continue
            cells.sort(key=lambda cell: order.index(cell.line_up.split(",")[0]))
            found = ladder(choice.file, tuple((c.id, variant, c.players, c.seed, c.line_up) for c in cells))
            if found is None:
                continue
            told = f"{variant}, {players} players"
            notes += [f"{told}: {rung.agent} lost nothing; its rating is a lower bound." for rung in found.rungs if rung.at_least]
            series.setdefault(variant, []).extend(
                Dot(f"{rung.agent}, {players} players", rung.elo, told) for rung in found.rungs[1:]
            )
    if series:
        yield Title("How much stronger is each rung?")
        care = "Ratings on the Elo scale; the lowest rung has 0. Bars are 95 % intervals, over 20 groups of blocks."
        yield Chart("ratings", charts.sideways(series, choice.looks, "rating", even=0.0), " ".join([care, *notes]))


def _lift(choice: Choice) -> Iterator[Block]:
    metric, players = find_metric("win_lift"), choice.usual
    series = {}
    for variant in choice.variants:
        cell = choice.cell(variant, players)
        known = [one for one in lifts(choice.file, cell.id) if math.isfinite(one.lift.low)] if cell and cell.equal else []
        if known:
            series[variant] = [
                Dot(one.counter, one.lift, f"{variant}: {one.counter}; used by {charts.percent(one.users)} of the seats")
                for one in known
            ]
    if series:
        yield Title(metric.question)
        care = f"{metric.care} With {players} players; 1 is no lift. {BARS}"
        yield Chart("win_lift", charts.sideways(series, choice.looks, "times as often", even=1.0, log=True), care)
    yield from _restricted(choice)


def _restricted(choice: Choice) -> Iterator[Block]:
    """The value of an option: what an agent loses that does without it, among those that do not."""
    edge, limits = find_metric("skill_edge"), ("+forbid=", "+force=")
    cells = [
        cell for cell in duels(choice.contents.cells)
        if cell.variant in choice.variants and cell.blocks and any(limit in cell.line_up.split(",")[0] for limit in limits)
    ]  # fmt: skip
    yield Title("What is an option worth?")
    if not cells:
        yield Say(
            "Restricted play tells: one agent that does without an option, among others that have it. None is stored yet.", "care"
        )
        spec = choice.known(choice.variants[0]).spec
        yield Command(f"boardgames simulate {spec} --agents greedy+forbid=GROUP,greedy --players 2 --into {choice.file}")
        return
    found = answers(choice.file, cells, [edge])
    series: dict[str, list[Dot]] = {}
    for cell in cells:
        estimate = found[cell.id]["skill_edge"].get("1")
        if estimate:
            place = f"{cell.line_up.split(',')[0]}, {cell.players} players"
            dot = Dot(place, charts.times(estimate, 100), f"{cell.variant}: {cell.line_up}; {cell.matches:,} matches")
            series.setdefault(cell.variant, []).append(dot)
    care = f"How far the restricted agent wins above its share, in % of what is possible: below 0 it misses the option. {BARS}"
    yield Chart("restricted play", charts.sideways(series, choice.looks, "edge, %", even=0.0), care)


BESIDE: dict[str, Callable[[Choice], Iterator[Block]]] = {
    "seat_imbalance": _by_rung, "wire_to_wire": _lead_over_time, "skill_fraction": _ratings, "usage": _lift,
}  # fmt: skip
