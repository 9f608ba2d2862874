"""A comparison as a terminal shows it, within a hundred columns."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.table import Table

from analytics.metric.metric import SHARE, find_metric
from analytics.stats.intervals import Estimate
from analytics.verdict.design import Design, changes, same_rules
from analytics.verdict.results import Comparison, Contrast, Line
from analytics.verdict.terms import Terms
from analytics.verdict.verdicts import DIFFERENT, NONE, SAME, UNCLEAR, UNKNOWN
from analytics.words import interval, number, rounded, unit_of

VERDICTS = {SAME: "the same within their margins", UNKNOWN: "not yet known", NONE: "no verdict, because matches were cut off"}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def show_design(design: Design, terms: Terms) -> Iterator[str]:
    """What is going to be compared and by which terms: told before the first match."""
    for letter, variant in zip(LETTERS, design.variants, strict=False):
        star = "*" if variant.game.reconstructed else ""
        yield f"{letter}  {variant.name}{star}: {variant.why}"
        if letter != "A":
            same = all(same_rules(design.variants[0], variant, n) for n in design.players)
            yield from (f"   {change}" for change in changes(design.variants[0], variant))
            if same:
                yield "   the same rules as A: there is nothing to play"
    beside = "".join(f", beside it {agent}" for agent in terms.agents[1:])
    yield f"{', '.join(map(str, design.players))} players, seed {design.seed}; verdicts by {terms.agents[0]}{beside}"
    if duels := [f"{strong} against {weak}" for strong, weak in design.rungs()]:
        yield f"how strong they are is measured once, in a few matches that are kept: {', '.join(duels)}"
    margins = [f"{name} {terms.in_words(find_metric(name))}" for name in terms.primaries]
    yield f"primaries and margins, written down before the first match: {', '.join(margins)}"
    yield f"plays for {terms.stop}; verdicts hold however often one looks, all of them together with {100 * (1 - terms.alpha):g} %"
    if any(variant.game.reconstructed for variant in design.variants):
        yield "* part of the components is reconstructed: `boardgames show VARIANT` says which"


def show_comparison(comparison: Comparison, everything: bool = False) -> Iterator[Any]:
    """The answer, one contrast after the other."""
    for contrast in comparison.contrasts:
        yield from show_contrast(contrast, everything)
    yield from show_terms(comparison)


def show_contrast(contrast: Contrast, everything: bool = False) -> Iterator[Any]:
    who = f"B = {contrast.b} against A = {contrast.a}, {contrast.players} players"
    if contrast.same_rules:
        yield f"\n{who}: the same rules"
        return
    yield f"\n{who}, by {contrast.agent}: {contrast.matches:,} matches of each"
    yield from (f"  {note}" for note in contrast.notes)
    if contrast.touched:
        yield f"  touched: {touched(contrast)}"
    if not contrast.lines:
        return
    yield from metrics_tables(contrast, everything)
    if any(line.luck_race is not None for line in contrast.lines):
        yield f"  {luck_race(contrast)}"
    if with_rungs := [line for line in contrast.lines if line.primary and line.rungs]:
        yield rungs_table(with_rungs)
    yield from (f"  {line}" for line in lifts(contrast))
    for duel in contrast.duels:
        yield f"  {duel.sentence} (B - A: {interval(duel.difference, SHARE, True)} pp)"
    if contrast.saved:
        separate = rounded(2 * contrast.matches + contrast.saved)
        yield f"  shared luck saved about {rounded(contrast.saved)} matches: separate luck would have taken {separate}"


def metrics_tables(contrast: Contrast, everything: bool) -> Iterator[Any]:
    """The primaries, and of the others what differs; the rest by name."""
    share = contrast.touched.mean if contrast.touched else 1.0
    if primaries := [line for line in contrast.lines if line.primary]:
        yield lines_table("Primaries (± 95 %)", primaries, share)
    rest = [line for line in contrast.lines if not line.primary]
    shown = [line for line in rest if everything or line.verdict in (DIFFERENT, UNCLEAR)]
    if shown:
        yield lines_table("Also looked at (these verdicts share another 5 %)", shown, share)
    for verdict, names in {} if everything else _by_verdict([line for line in rest if line not in shown]).items():
        yield f"  {VERDICTS[verdict]}: {', '.join(names) or 'none'}"


def _by_verdict(lines: Sequence[Line]) -> dict[str, list[str]]:
    """Each metric once, under the verdict of that part of which the least is known; how many parts, where they differ."""
    found: dict[str, list[str]] = {SAME: [], UNKNOWN: []}
    for name in dict.fromkeys(line.metric for line in lines):
        verdicts = [line.verdict for line in lines if line.metric == name]
        least = next(verdict for verdict in (UNKNOWN, NONE, SAME) if verdict in verdicts)
        some = "" if verdicts.count(least) == len(verdicts) else f" ({verdicts.count(least)} of {len(verdicts)} parts)"
        found.setdefault(least, []).append(name + some)
    return found


def touched(contrast: Contrast) -> str:
    """How much of the game the change touched."""
    share = contrast.touched
    assert share is not None
    sure = f"surely {number(contrast.touched_low, SHARE)} to {number(contrast.touched_high, SHARE)} %"
    if share.mean == 0:
        return f"no match differed ({sure} would)"
    return f"{interval(share, SHARE)} % of the matches differ at all ({sure}, whenever one looks)"


def luck_race(contrast: Contrast) -> str:
    """Leaders beside a race of pure luck."""
    known = [line for line in contrast.lines if line.luck_race is not None]
    who = [f"the leader at {line.part} %" if line.part else "the last at half-time" for line in known]
    told = [f"{one} in {number(line.luck_race or 0.0, SHARE)} %" for one, line in zip(who, known, strict=True)]
    return f"in a race of pure luck wins {', '.join(told)}"


def lifts(contrast: Contrast) -> Iterator[str]:
    """The components that most clearly go with winning or losing, where chance alone is unlikely."""
    for letter, several in zip("AB", contrast.lifts, strict=True):
        clear = sorted((one for one in several if one.q < 0.05), key=lambda one: -abs(math.log(one.lift.mean)))
        told = [f"{one.counter} x{one.lift.mean:.2f} ({one.lift.low:.2f} to {one.lift.high:.2f})" for one in clear[:3]]
        if told:
            yield f"in {letter} users of these win more or less often (no proof of a cause): {', '.join(told)}"


def lines_table(title: str, lines: Sequence[Line], touched_share: float) -> Table:
    """`effect` is the difference in standard deviations of A's blocks; `if touched` that of a match that differs at all."""
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("metric", max_width=22, overflow="fold")
    for head in ("A", "B"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("B - A", justify="right", no_wrap=True)
    table.add_column("effect", justify="right", no_wrap=True)
    few = touched_share < 0.95
    if few:
        table.add_column("if touched", justify="right", no_wrap=True)
    table.add_column("verdict", overflow="fold", max_width=40)
    for line in lines:
        numbers = [around(line.a, line.unit), around(line.b, line.unit), around(line.difference, line.unit, True)]
        numbers.append(f"{line.effect:+.2f}" if math.isfinite(line.effect) else "")
        numbers += [number(line.within, line.unit, True)] if few else []
        table.add_row(titled(line), *numbers, line.sentence)
    return table


def titled(line: Line, difference: bool = False) -> str:
    """seat_win_share 1, %"""
    unit = unit_of(line.unit, difference)
    return f"{line.metric} {line.part}".strip() + (f", {unit}" if unit not in line.metric else "")


def around(estimate: Estimate, unit: str, difference: bool = False) -> str:
    """48.2 ±1.1: the farther end of the 95 % interval; without one, how many blocks it takes."""
    if not math.isfinite(estimate.low):
        return interval(estimate, unit, difference)
    half = max(estimate.high - estimate.mean, estimate.mean - estimate.low)
    return f"{number(estimate.mean, unit, difference)} ±{number(half, unit)}"


def rungs_table(lines: Sequence[Line]) -> Table:
    """The differences by stronger players, and whether they agree."""
    agents = [rung.agent for rung in lines[0].rungs]
    table = Table(title="By other players", title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("metric", max_width=26, overflow="fold")
    for agent in agents:
        table.add_column(f"B - A by {agent}", justify="right")
    table.add_column("over the rungs", overflow="fold")
    for line in lines:
        shown = [interval(rung.difference, line.unit, True) for rung in line.rungs]
        table.add_row(titled(line, True), *shown, line.agreement)
    return table


def show_terms(comparison: Comparison) -> Iterator[str]:
    """When the terms were written down, and what somebody has changed since."""
    first, *later = comparison.registered
    yield f"\nterms written down {first.created:%Y-%m-%d %H:%M}, when {first.matches_before:,} of these matches were stored"
    before = first.terms
    for change in later:
        yield f"changed {change.created:%Y-%m-%d %H:%M}, after {change.matches_before:,} matches: {_change(before, change.terms)}"
        before = change.terms


def _change(before: Terms, after: Terms) -> str:
    """The terms that are others now."""
    told = []
    if before.primaries != after.primaries:
        told.append(f"primaries {', '.join(before.primaries)} -> {', '.join(after.primaries)}")
    for name in sorted({*before.margins, *after.margins}):
        old, new = before.in_words(find_metric(name)), after.in_words(find_metric(name))
        told += [f"margin of {name} {old} -> {new}"] if old != new else []
    if before.agents != after.agents:
        told.append(f"agents {', '.join(before.agents)} -> {', '.join(after.agents)}")
    if before.stop != after.stop:
        told.append(f"plays for {before.stop} -> {after.stop}")
    return "; ".join(told) or "other constants of the intervals"
