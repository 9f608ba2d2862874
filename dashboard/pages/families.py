"""One page for each family of metrics, all by the same function: sentences, then a chart for each metric, then the numbers."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from analytics.metric.chance_race import LEADER, benchmark
from analytics.metric.metric import Metric
from analytics.questions.report import Count, Duel
from analytics.show.report import takeaways
from analytics.words import interval, spoken, unit_of
from dashboard import charts
from dashboard.charts import Dot
from dashboard.data.answers import Answers, answers, calibrated, duels, lifts, of_family
from dashboard.data.file import StoredCell
from dashboard.page import Block, Chart, Command, Numbers, Points, Say, Title
from dashboard.pages.extras import BARS, BESIDE, dot_of
from dashboard.selection import Choice

SENTENCES: dict[str, Callable[[list[Count]], Any]] = {
    "fairness": takeaways.fairness, "outcome": takeaways.ties, "pace": takeaways.pace, "tension": takeaways.tension,
    "skill": lambda counts: list(takeaways.skill(counts)), "strategy": lambda counts: list(takeaways.strategies(counts)),
}  # fmt: skip


def family_blocks(choice: Choice, family: str) -> Iterator[Block]:
    """All that a family's page says about a selection."""
    wanted = of_family(family)
    cells = _cells(choice, wanted)
    found = answers(choice.file, cells, wanted)
    if not any(parts for of in found.values() for parts in of.values()):
        yield Say(_nothing(family), "note")
        if family == "skill":
            spec = choice.known(choice.variants[0]).spec
            yield Command(["ladder", spec, "--rungs", "random,greedy", "--into", str(choice.file)])
        return
    yield from _sentences(choice, family, found)
    for metric in wanted:
        yield from _metric(choice, metric, found)
        yield from BESIDE.get(metric.name, _no_more)(choice)
    yield _numbers(family, wanted, cells, found)


def _no_more(choice: Choice) -> Iterator[Block]:
    return iter(())


def _nothing(family: str) -> str:
    if family == "skill":
        return "Skill shows where different agents meet, and no such line-up of these variants is stored."
    return "Nothing is stored about this for the selection; choose other agents or player counts."


def _cells(choice: Choice, wanted: Sequence[Metric]) -> list[StoredCell]:
    """The cells of the selection; for metrics of mixed line-ups, all of these besides."""
    mixed = choice.mixed if any(metric.line_ups == "mixed" for metric in wanted) else []
    return list({cell.id: cell for cell in [*choice.cells, *mixed]}.values())


# ---- in words


def _sentences(choice: Choice, family: str, found: Answers) -> Iterator[Block]:
    """What the report would say of each variant."""
    told = SENTENCES.get(family)
    if told is None:
        return
    sentences = []
    for variant in choice.variants:
        counts = list(_counts(choice, variant, family, found))
        try:
            said = told(counts) if counts else ""
        except KeyError:  # a metric that the sentence needs has no answer yet
            continue
        several = [said] if isinstance(said, str) else said
        sentences += [f"{variant}: {sentence}" for sentence in several if sentence]
    if sentences:
        yield Points(sentences)


def _counts(choice: Choice, variant: str, family: str, found: Answers) -> Iterator[Count]:
    if family == "skill":
        yield from _duel_counts(choice, variant, found)
        return
    for players in choice.players:
        cell = choice.cell(variant, players)
        if cell and found.get(cell.id):
            luck = family == "tension" and cell.equal and calibrated(choice.file, cell.id)
            used = tuple(lifts(choice.file, cell.id)) if family == "strategy" else ()
            known = {name: parts for name, parts in found[cell.id].items() if parts}
            yield Count(players, cell.matches, known, (), used, luck)


def _duel_counts(choice: Choice, variant: str, found: Answers) -> Iterator[Count]:
    cells = [cell for cell in duels(choice.mixed) if cell.variant == variant]
    for players in sorted({cell.players for cell in cells}):
        fought = []
        for cell in cells:
            edge = found[cell.id]["skill_edge"].get("1")
            if cell.players == players and edge:
                fought.append(Duel(cell.agents[0], cell.agents[1], edge, cell.matches))
        yield Count(players, 0, {}, tuple(fought), (), False)


# ---- in charts


def _metric(choice: Choice, metric: Metric, found: Answers) -> Iterator[Block]:
    """A chart for one metric: by its parts and player counts, or by player count alone."""
    asked = choice.mixed if metric.line_ups == "mixed" else choice.cells
    known = [cell for cell in asked if found[cell.id].get(metric.name)]
    if not known:
        return
    yield Title(metric.question)
    care = " ".join(filter(None, [f"Good: {metric.better}." if metric.better else "", metric.care, BARS]))
    if metric.line_ups == "mixed":
        figure = _by_line_up(choice, metric, known, found)
    elif metric.parts or any("" not in found[cell.id][metric.name] for cell in known):
        figure = _by_part(choice, metric, known, found)
    else:
        figure = _by_players(choice, metric, known, found)
    yield Chart(metric.name, figure, care, links=True)


def _by_part(choice: Choice, metric: Metric, cells: Sequence[StoredCell], found: Answers) -> Any:
    panels: dict[str, dict[str, list[Dot]]] = {}
    for cell in cells:
        dots = [dot_of(_named(metric, part), cell, metric, part, e) for part, e in found[cell.id][metric.name].items()]
        panels.setdefault(f"{cell.players} players", {})[cell.variant] = dots
    if max(len(dots) for panel in panels.values() for dots in panel.values()) > 8:
        name = f"{choice.usual} players" if f"{choice.usual} players" in panels else next(iter(panels))
        return charts.sideways(panels[name], choice.looks, metric.unit, f"{unit_of(metric.unit)}, {name}")
    fair = {name: 1 / int(name.split()[0]) for name in panels} if metric.name == "seat_win_share" else None
    figure = charts.in_panels(panels, choice.looks, metric.unit, metric.parts, fair)
    if metric.name == "leader_conversion":
        _beside_luck(choice, figure, cells)
    return figure


def _named(metric: Metric, part: str) -> str:
    return f"{part} %" if metric.name == "leader_conversion" else part


def _beside_luck(choice: Choice, figure: Any, cells: Sequence[StoredCell]) -> None:
    """The race of pure luck in each panel, where the outlook tells a leader's chance."""
    counts = list(dict.fromkeys(cell.players for cell in cells))
    for place, players in enumerate(counts):
        if players in LEADER and any(calibrated(choice.file, cell.id) for cell in cells if cell.players == players):
            at = {"row": place // charts.COLUMNS + 1, "col": place % charts.COLUMNS + 1}
            levels = LEADER[players]
            figure.add_scatter(
                x=[f"{part} %" for part in levels], y=[100 * level for level in levels.values()], mode="lines", name="pure luck",
                line={"dash": "dot", "color": charts.LUCK}, showlegend=place == 0, legendgroup="pure luck",
                hovertemplate="pure luck: %{y:.1f} %<extra></extra>", **at,
            )  # fmt: skip
            figure.update_layout(showlegend=True)


def _by_players(choice: Choice, metric: Metric, cells: Sequence[StoredCell], found: Answers) -> Any:
    series: dict[str, list[Dot]] = {}
    for cell in cells:
        dot = dot_of(str(cell.players), cell, metric, "", found[cell.id][metric.name][""])
        series.setdefault(cell.variant, []).append(dot)
    figure = charts.by_place(series, choice.looks, metric.unit, "players")
    counts = sorted({cell.players for cell in cells})
    luck = [(str(n), level) for n in counts if (level := benchmark(metric.name, "", n)) is not None]
    if luck and any(calibrated(choice.file, cell.id) for cell in cells if cell.equal):
        charts.with_luck(figure, [place for place, _ in luck], [100 * level for _, level in luck], "pure luck")
        figure.update_layout(showlegend=True)
    return figure


def _by_line_up(choice: Choice, metric: Metric, cells: Sequence[StoredCell], found: Answers) -> Any:
    """Edges and the like: one row for each line-up."""
    series: dict[str, list[Dot]] = {}
    for cell in sorted(cells, key=lambda cell: cell.players):
        others = ", ".join(dict.fromkeys(agent for agent in cell.agents[1:] if agent != cell.agents[0]))
        for part, estimate in found[cell.id][metric.name].items():
            if metric.name == "skill_edge" and part != "1":
                continue  # what the strongest wins, the others lose
            more = f", {metric.parts} {part}" if part and metric.name != "skill_edge" else ""
            place = f"{cell.agents[0]} among {others}, {cell.players} players{more}"
            series.setdefault(cell.variant, []).append(dot_of(place, cell, metric, "", estimate))
    return charts.sideways(series, choice.looks, metric.unit, f"{spoken(metric.name)}, {unit_of(metric.unit)}", even=0.0)


def _numbers(family: str, wanted: Sequence[Metric], cells: Sequence[StoredCell], found: Answers) -> Numbers:
    """Everything that was drawn, with interval and n."""
    rows = [
        [m.name, part, cell.variant, cell.players, cell.line_up, interval(e, m.unit), unit_of(m.unit), e.blocks, cell.matches]
        for m in wanted
        for cell in cells
        for part, e in found[cell.id].get(m.name, {}).items()
    ]
    heads = ["metric", "part", "variant", "players", "agents", "mean (95 %)", "unit", "blocks", "matches"]
    return Numbers(f"The numbers: {family}", heads, rows, folded=True, grid=True)
