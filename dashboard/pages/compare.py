"""Compare: what the other variants do to the first, as a forest plot with verdicts, and the distributions side by side."""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import streamlit as st

from analytics.metric.evidence import gather
from analytics.metric.metric import Metric, find_metric, metrics
from analytics.questions.compare.judge import judge, make_independent
from analytics.questions.compare.lines import ordinary
from analytics.questions.sweep.grid import Grid, Swept, grid, stored_sweeps
from analytics.show.sweep_figures import sweep_figure
from analytics.show.terminal.comparison import luck_race, touched
from analytics.verdict.design import Design, make_design, shares_luck
from analytics.verdict.results import Contrast, Line
from analytics.verdict.terms import PRIMARIES, Terms, make_terms, registered
from analytics.verdict.verdicts import DIFFERENT, NONE, SAME, UNCLEAR, UNKNOWN
from analytics.words import interval, rounded, spoken, unit_of
from boardgames.errors import BadInput
from boardgames.game.plugins import find_stored
from dashboard import charts
from dashboard.data.answers import LOOKED_AT, bin_width, binned, fits, spread
from dashboard.data.examples import kind_of, link, with_values
from dashboard.data.file import StoredCell, of_file
from dashboard.page import Block, Chart, Command, Numbers, Points, Say, Title, in_words
from dashboard.selection import Choice

USUAL = "The margins are the metrics' usual ones: nobody wrote them down before the first match. `boardgames compare` does that."
DISTRIBUTIONS = {"turns": "turns of a match", "score": "points of a seat", "margin": "points between first and second"}


def compare_blocks(choice: Choice) -> Iterator[Block]:
    if len(choice.variants) < 2:
        yield Say("Choose a second variant in the sidebar: everything is compared with the first one.", "note")
        spec = choice.known(choice.variants[0]).spec
        parameter = next(iter(choice.known(choice.variants[0]).parameters), "PARAMETER")
        yield Command(["compare", spec, f"{spec}+{parameter}=VALUE", "--into", str(choice.file)])
        return
    players = choice.usual
    if len(choice.players) > 1:
        found = st.segmented_control(
            "with so many players",
            choice.players,
            default=players,
            key="count",
            bind="query-params",
            format_func=lambda n: f"{n} players",
        )
        players = found if found in choice.players else players
    yield from compared(choice, players)
    yield from _sweeps(choice, players)


def compared(choice: Choice, players: int) -> Iterator[Block]:
    """Every other variant against the first."""
    first, *others = choice.variants
    here = choice.cell(first, players)
    for variant in others:
        yield Title(f"B = {variant} against A = {first}")
        there = choice.cell(variant, players)
        if here is None or there is None:
            missing = first if here is None else variant
            line = ["--players", str(players), "--agents", choice.line_up, "--seed", str(choice.seed), "--into", str(choice.file)]
            yield Say(f"No match of {missing} with {players} players by {choice.line_up} is stored on seed {choice.seed}.", "note")
            yield Command(["simulate", choice.known(missing).spec, *line])
            continue
        yield from _contrasted(choice, variant, players, here, there)
    yield from _distributions(choice, players)


def _contrasted(choice: Choice, variant: str, players: int, here: StoredCell, there: StoredCell) -> Iterator[Block]:
    a, b = choice.known(choice.variants[0]), choice.known(variant)
    rungs = tuple(name for name in choice.line_ups if "," not in name and name != choice.line_up)
    stored = tuple(r for r in rungs if all(choice.cell(v, players, r) for v in (choice.variants[0], variant)))
    contrast, terms, why = None, make_terms([choice.line_up], ""), ""
    if here.equal:
        contrast, terms, why = judged(
            choice.file, (a.spec, b.spec), players, (choice.line_up, *stored), choice.seed, (here.id, there.id)
        )
    if contrast is None or (not contrast.lines and not contrast.same_rules):
        contrast = _without_verdicts(choice.file, here, there, a.label, b.label, why)
    yield from _told(choice, contrast, terms, there)


@of_file
def judged(
    path: Path, specs: tuple[str, str], players: int, agents: tuple[str, ...], seed: int, cells: tuple[int, int]
) -> tuple[Contrast | None, Terms, str]:
    """The contrast with its verdicts, or why there are none: other rules than those of the stored matches, too few blocks."""
    terms = make_terms(agents, "")
    try:
        design = make_design([find_stored(spec) for spec in specs], str(players), agents, seed, duels=False)
        ours = tuple(_cell(design, place, players, agents[0]) for place in (0, 1))
        if design.others(players) and ours != cells:
            return None, terms, "the rules, the agents or the engine have changed since these matches"
        known = registered(path, design.number)
        terms = replace(known[-1].terms, agents=agents) if known else terms
        unpaired = not shares_luck(*design.variants)
        contrast = judge(design, path, terms, known, unpaired).contrasts[0]
        return contrast, terms, "" if contrast.lines else "; ".join(contrast.notes)
    except BadInput as error:
        return None, terms, in_words(error)


def _cell(design: Design, place: int, players: int, agent: str) -> int:
    try:
        return design.cell(place, players, agent).id
    except KeyError:
        return 0


@of_file
def _without_verdicts(path: Path, here: StoredCell, there: StoredCell, a: str, b: str, why: str) -> Contrast:
    """Differences as they are stored: verdicts take the rules themselves, which say how far a match can move."""
    wanted = [m for m in metrics().values() if m.kind in ("mean", "ratio") and fits(m, here) and fits(m, there)]
    same = (here.players, here.line_up, here.seed, here.engine) == (there.players, there.line_up, there.seed, there.engine)
    cells, notes = (here.id, there.id), [f"no verdicts: {why}"] if why else []
    try:
        evidence = gather(path, cells, wanted, [cells] if same else [])
    except BadInput as error:
        same, notes = False, [*notes, str(error)]
        evidence = gather(path, cells, wanted)
    if not same:
        notes.append("compared as independent matches: these cells share no luck")
        make_independent(evidence, [cells])
    terms, lines = Terms((here.line_up,), ""), []
    for metric in wanted:
        for part in evidence.parts(metric, here.id):
            if part in evidence.parts(metric, there.id):
                lines += [_line(metric, part, terms, evidence, *cells)]
    blocks = min(here.blocks, there.blocks)
    return Contrast(
        a,
        b,
        here.players,
        here.line_up,
        (),
        paired=same,
        blocks=blocks,
        matches=blocks * here.seatings,
        lines=tuple(lines),
        notes=tuple(notes),
    )


def _line(metric: Metric, part: str, terms: Terms, evidence: object, a: int, b: int) -> Line:
    before, after = (evidence.estimate(metric, cell, part) for cell in (a, b))  # type: ignore[attr-defined]
    difference = ordinary(evidence, metric, part, a, b)  # type: ignore[arg-type]
    margin = terms.margin(metric, before.mean)
    return Line(
        metric.name, part, metric.unit, metric.name in PRIMARIES, before, after, difference, math.nan, math.nan, margin, math.nan,
        math.nan, math.nan, NONE, "no verdict", None,
    )  # fmt: skip


# ---- what it says


def _told(choice: Choice, contrast: Contrast, terms: Terms, there: StoredCell) -> Iterator[Block]:
    if contrast.changes:
        yield Points(contrast.changes)
    if contrast.same_rules:
        yield Say(f"With {contrast.players} players both have the same rules: there is nothing to compare.", "note")
        return
    yield from (Say(note[0].upper() + note[1:] + ".", "warning") for note in contrast.notes)
    if not contrast.lines:
        specs = [choice.known(one).spec for one in (choice.variants[0], there.variant)]
        yield Command(["compare", *specs, "--players", str(contrast.players), "--more", "--into", str(choice.file)])
        return
    yield Say(_summary(contrast))
    colour, _ = choice.looks.of(there.variant)
    lines = [line for line in contrast.lines if line.primary]
    rest = [line for line in contrast.lines if not line.primary and line.verdict in (DIFFERENT, UNCLEAR)]
    shown = [*lines, *rest]
    titles = [_named(line) for line in shown]
    care = (
        "B less A. Thick: ordinary 95 % intervals; thin: the wider ones that verdicts go by, which hold however often one looks. "
        f"{'Paired block by block on the same luck.' if contrast.paired else 'Not paired.'} {contrast.matches:,} matches of each."
    )
    links = [link(there, kind_of(line.metric, line.part)) for line in shown]
    yield Chart(f"forest {contrast.b}", charts.forest(shown, titles, colour, links), care, links=True)
    yield Numbers("Verdicts", ["metric", "A", "B", "B - A (95 %)", "verdict"], [_row(line) for line in shown])
    yield from _more(contrast, terms)


def _summary(contrast: Contrast) -> str:
    lines = [line for line in contrast.lines if line.primary]
    told = {verdict: [_named(line) for line in lines if line.verdict == verdict] for verdict in (DIFFERENT, UNCLEAR, SAME, UNKNOWN)}
    words = {
        DIFFERENT: "materially different",
        UNCLEAR: "different, size unclear",
        SAME: "the same within its margin",
        UNKNOWN: "not yet known",
    }
    parts = [f"{words[verdict]}: {', '.join(names)}" for verdict, names in told.items() if names]
    return (
        (". ".join(part[0].upper() + part[1:] for part in parts) + ".")
        if parts
        else "Differences as they are stored, without verdicts."
    )


def _named(line: Line) -> str:
    return spoken(line.metric, line.part)


def _row(line: Line) -> list[str]:
    unit = unit_of(line.unit, True)
    return [
        _named(line),
        interval(line.a, line.unit),
        interval(line.b, line.unit),
        f"{interval(line.difference, line.unit, True)} {unit}",
        line.sentence,
    ]


def _more(contrast: Contrast, terms: Terms) -> Iterator[Block]:
    """How much was touched, other players, the race of pure luck, and the metrics that do not differ."""
    if contrast.touched:
        yield Say(f"Touched: {touched(contrast)}.")
    if any(line.luck_race is not None for line in contrast.lines):
        told = luck_race(contrast)
        yield Say(f"{told[0].upper()}{told[1:]}.")
    if contrast.saved:
        yield Say(f"Shared luck saved about {rounded(contrast.saved)} matches.")
    with_rungs = [line for line in contrast.lines if line.primary and line.rungs]
    if with_rungs:
        heads = ["metric", *(f"B - A by {rung.agent}" for rung in with_rungs[0].rungs), "over the rungs"]
        rows = [
            [_named(line), *(interval(r.difference, line.unit, True) for r in line.rungs), line.agreement] for line in with_rungs
        ]
        yield Numbers("By other players", heads, rows)
    quiet = [line for line in contrast.lines if not line.primary and line.verdict not in (DIFFERENT, UNCLEAR)]
    if quiet:
        yield Numbers(
            f"{len(quiet)} other metrics",
            ["metric", "A", "B", "B - A (95 %)", "verdict"],
            [_row(line) for line in quiet],
            folded=True,
        )
    margins = ", ".join(f"{name.replace('_', ' ')} {terms.in_words(find_metric(name))}" for name in terms.primaries)
    yield Say(f"Margins: {margins}.", "care")
    if not terms.stop and contrast.lines[0].verdict != NONE:
        yield Say(USUAL, "care")


def _distributions(choice: Choice, players: int) -> Iterator[Block]:
    cells = [cell for variant in choice.variants if (cell := choice.cell(variant, players))]
    if not cells:
        return
    yield Title("Side by side")
    for column, words in DISTRIBUTIONS.items():
        counts = {cell.variant: spread(choice.file, cell.id, column) for cell in cells}
        width = bin_width(list(counts.values()))
        series = {variant: binned(several, width) for variant, several in counts.items()}
        if max((len(points) for points in series.values()), default=0) < 4:
            continue  # all matches are alike in this
        together = f" {width} values together." if width > 1 else ""
        sizes = ", ".join(f"{min(cell.matches, LOOKED_AT * cell.seatings):,}" for cell in cells)
        care = f"Of the first {LOOKED_AT:,} blocks: {sizes} matches. {players} players, {choice.line_up}.{together}"
        half = (width - 1) / 2
        links = {c.variant: [link(c, with_values(column, at - half, at + half)) for at, _ in series[c.variant]] for c in cells}
        yield Chart(f"distribution {column}", charts.shares(series, choice.looks, words, links), care, links=True)


# ---- sweeps


@of_file
def grids(path: Path) -> list[Swept]:
    return stored_sweeps(path)


@of_file
def filled(path: Path, place: int) -> Grid:
    return grid(path, stored_sweeps(path)[place])


def _sweeps(choice: Choice, players: int) -> Iterator[Block]:
    """Where an experiment filled a grid of parameters: the primaries over it."""
    for place, swept in enumerate(grids(choice.file)):
        ours = {choice.known(variant).game for variant in choice.variants}
        if swept.game not in ours or (swept.players, swept.line_up, swept.seed) != (players, choice.line_up, choice.seed):
            continue
        found = filled(choice.file, place)
        yield Title(f"Over a grid: {swept.title}")
        for name in found.metrics:
            parts = {part for point in found.points for part in point.answers.get(name, {})}
            for part in sorted(parts)[:1]:
                figure = charts.styled(sweep_figure(found, name, part), 320)
                yield Chart(
                    f"grid {place} {name}",
                    figure,
                    f"{find_metric(name).question} {part and f'Of {part}.'} Bars are 95 % intervals.",
                )
