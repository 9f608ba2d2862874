"""A comparison as a terminal shows it, within a hundred columns."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from analytics.metric.metric import SHARE, find_metric
from analytics.questions.compare.conclusions import HOW_TO_READ, conclude, describe_verdict
from analytics.show.table import describe_reconstructed, make_table
from analytics.stats.intervals import Estimate
from analytics.verdict.design import Design, describe_changes, has_same_rules
from analytics.verdict.results import Comparison, Contrast, Line
from analytics.verdict.terms import Terms
from analytics.verdict.verdicts import DIFFERENT, NONE, SAME, UNCLEAR, UNKNOWN, Verdict
from analytics.words import format_interval, format_number, format_rounded, format_unit, join_words
from boardgames.agents.agent import find_agent

VERDICTS = {
    SAME: "about the same",
    UNKNOWN: "no answer yet",
    NONE: "no verdict, because matches were cut off",
}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def show_design(design: Design, terms: Terms) -> Iterator[str]:
    """What differs, who plays and how long at most, to be shown before the first match."""
    for letter, variant in zip(LETTERS, design.variants, strict=False):
        star = "*" if variant.game.reconstructed else ""
        yield f"{letter}  {variant.name}{star}: {variant.why}"
        if letter != "A":
            first = design.variants[0]
            yield from (f"   {change}" for change in describe_changes(first, variant))
            if all(has_same_rules(first, variant, players) for players in design.players):
                yield "   the same rules as A: there is nothing to play"
    deciding, *others = terms.agents
    counts = ", ".join(map(str, design.players))
    beside = f", beside it {join_words(others)}" if others else ""
    yield f"{counts} players, verdicts by {deciding}{beside}; plays {terms.stop}"
    yield from describe_training(design, terms.agents)


def describe_training(design: Design, agents: Sequence[str]) -> Iterator[str]:
    """Which variants learned players were trained on, where they play others as well."""
    names = {variant.name for variant in design.variants}
    for spec in agents:
        player = find_agent(spec, design.variants[0].game).player
        nets = [player.find_net(count) for count in design.players] if player else []
        trained_on = sorted({net.trained_on for net in nets})
        if nets and names - set(trained_on):
            yield f"{spec} was trained on {join_words(trained_on)}"


def show_comparison(comparison: Comparison, everything: bool = False) -> Iterator[Any]:
    """The answer, one contrast after the other; then what it was judged by."""
    for contrast in comparison.contrasts:
        yield from show_contrast(contrast, everything, comparison.reconstructed)
    yield from show_terms(comparison)


def show_sentences(comparison: Comparison) -> Iterator[str]:
    """The answer without its tables."""
    for contrast in comparison.contrasts:
        yield from show_conclusions(contrast, comparison.reconstructed)
    if comparison.reconstructed:
        yield f"\n{describe_reconstructed()}"


def show_conclusions(contrast: Contrast, reconstructed: Sequence[str] = ()) -> Iterator[str]:
    """A title and the sentences. Names of reconstructed variants get a star."""
    a, b = (f"{name}*" if name in reconstructed else name for name in (contrast.a, contrast.b))
    title = f"B = {b} against A = {a}, {contrast.players} players"
    if contrast.same_rules:
        yield f"\n{title}: the same rules"
        return
    yield f"\n{title}, by {contrast.agent}: {contrast.matches:,} matches of each\n"
    yield from (f"- {sentence}" for sentence in conclude(contrast))
    yield HOW_TO_READ


def show_contrast(
    contrast: Contrast, everything: bool = False, reconstructed: Sequence[str] = ()
) -> Iterator[Any]:
    """The sentences, then the tables."""
    yield from show_conclusions(contrast, reconstructed)
    if contrast.same_rules:
        return
    if contrast.affected:
        yield f"  affected: {describe_affected(contrast)}"
    if not contrast.lines:
        return
    yield from make_metrics_tables(contrast, everything)
    if any(line.luck_race is not None for line in contrast.lines):
        yield f"  {describe_luck_race(contrast)}"
    if with_other_agents := [line for line in contrast.lines if line.is_main and line.other_agents]:
        yield make_agents_table(with_other_agents)
    yield from (f"  {line}" for line in describe_lifts(contrast))
    for head_to_head in contrast.head_to_heads:
        yield f"  {head_to_head.sentence} (B - A: {format_interval(head_to_head.difference, SHARE, True)} pp)"
    if contrast.saved:
        saved = format_rounded(contrast.saved)
        separate = format_rounded(2 * contrast.matches + contrast.saved)
        yield f"  shared luck saved about {saved} matches: separate luck would have taken {separate}"


def make_metrics_tables(contrast: Contrast, everything: bool) -> Iterator[Any]:
    """The main metrics, and of the others those that differ; the rest by name."""
    share = contrast.affected.mean if contrast.affected else 1.0
    if main_metrics := [line for line in contrast.lines if line.is_main]:
        yield make_lines_table("Main metrics (± 95 %)", main_metrics, share)
    rest = [line for line in contrast.lines if not line.is_main]
    shown = [line for line in rest if everything or line.verdict in (DIFFERENT, UNCLEAR)]
    if shown:
        yield make_lines_table("Also looked at (these verdicts share another 5 %)", shown, share)
    if not everything:
        hidden = [line for line in rest if line not in shown]
        for verdict, names in _group_by_verdict(hidden).items():
            yield f"  {VERDICTS[verdict]}: {', '.join(names) or 'none'}"


def _group_by_verdict(lines: Sequence[Line]) -> dict[Verdict, list[str]]:
    """The names of the metrics by verdict: each under the least certain verdict of its parts, with the number
    of such parts where they differ.
    """
    names_by_verdict: dict[Verdict, list[str]] = {SAME: [], UNKNOWN: []}
    for name in dict.fromkeys(line.metric for line in lines):
        verdicts = [line.verdict for line in lines if line.metric == name]
        least = next(verdict for verdict in (UNKNOWN, NONE, SAME) if verdict in verdicts)
        count = verdicts.count(least)
        parts = "" if count == len(verdicts) else f" ({count} of {len(verdicts)} parts)"
        names_by_verdict.setdefault(least, []).append(name + parts)
    return names_by_verdict


def describe_affected(contrast: Contrast) -> str:
    """The share of the matches that the change affects."""
    share = contrast.affected
    assert share is not None
    low, high = (format_number(end, SHARE) for end in (contrast.affected_low, contrast.affected_high))
    is_informative = contrast.affected_high - contrast.affected_low < 1 / 2
    bounds = f"always-valid interval: {low} to {high} %" if is_informative else "too few matches yet"
    if share.mean == 0:
        return f"no match differed ({bounds}{' would' if is_informative else ''})"
    return f"{format_interval(share, SHARE)} % of the matches differ at all ({bounds})"


def describe_luck_race(contrast: Contrast) -> str:
    """Leaders beside a race of pure luck."""
    lines = [line for line in contrast.lines if line.luck_race is not None]
    leaders = [f"the leader at {line.part} %" if line.part else "the last at half-time" for line in lines]
    chances = [
        f"{leader} in {format_number(line.luck_race or 0.0, SHARE)} %"
        for leader, line in zip(leaders, lines, strict=True)
    ]
    return f"in a race of pure luck wins {', '.join(chances)}"


def describe_lifts(contrast: Contrast) -> Iterator[str]:
    """The components that most clearly go with winning or losing, where chance alone is unlikely."""
    for letter, lifts in zip("AB", contrast.lifts, strict=True):
        clear = sorted(
            (lift for lift in lifts if lift.q < 0.05), key=lambda lift: -abs(math.log(lift.lift.mean))
        )
        texts = [
            f"{lift.tally} x{lift.lift.mean:.2f} ({lift.lift.low:.2f} to {lift.lift.high:.2f})"
            for lift in clear[:3]
        ]
        if texts:
            users = f"in {letter} users of these win more or less often (no proof of a cause)"
            yield f"{users}: {', '.join(texts)}"


def make_lines_table(title: str, lines: Sequence[Line], affected_share: float) -> Table:
    """`effect` is the difference in standard deviations of A's deals; `if affected` that of a match that
    differs at all.
    """
    table = make_table(title)
    table.add_column("metric", max_width=22, overflow="fold")
    for head in ("A", "B"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("B - A", justify="right", no_wrap=True)
    table.add_column("effect", justify="right", no_wrap=True)
    is_partly_affected = affected_share < 0.95
    if is_partly_affected:
        table.add_column("if affected", justify="right", no_wrap=True)
    table.add_column("verdict", overflow="fold", max_width=40)
    for line in lines:
        cells = [
            format_give_or_take(line.a, line.unit),
            format_give_or_take(line.b, line.unit),
            format_give_or_take(line.difference, line.unit, True),
        ]
        cells.append(f"{line.effect:+.2f}" if math.isfinite(line.effect) else "")
        cells += [format_number(line.within, line.unit, True)] if is_partly_affected else []
        table.add_row(format_title(line), *cells, describe_verdict(line))
    return table


def format_title(line: Line, difference: bool = False) -> str:
    """seat_win_share 1, %"""
    unit = format_unit(line.unit, difference)
    return f"{line.metric} {line.part}".strip() + (f", {unit}" if unit not in line.metric else "")


def format_give_or_take(estimate: Estimate, unit: str, difference: bool = False) -> str:
    """48.2 ±1.1: the farther end of the 95 % interval; without one, how many deals it takes."""
    if not estimate.has_interval:
        return format_interval(estimate, unit, difference)
    return f"{format_number(estimate.mean, unit, difference)} ±{format_number(estimate.half_width, unit)}"


def make_agents_table(lines: Sequence[Line]) -> Table:
    """The differences by other agents, and whether they agree."""
    agents = [other.agent for other in lines[0].other_agents]
    table = make_table("By other players")
    table.add_column("metric", max_width=26, overflow="fold")
    for agent in agents:
        table.add_column(f"B - A by {agent}", justify="right")
    table.add_column("over the agents", overflow="fold")
    for line in lines:
        differences = [format_interval(other.difference, line.unit, True) for other in line.other_agents]
        table.add_row(format_title(line, True), *differences, line.agreement)
    return table


def show_terms(comparison: Comparison) -> Iterator[str]:
    """What it was judged by, when that was registered, and how it has changed since."""
    first, *later = comparison.registered
    yield ""
    yield from describe_terms(comparison.terms, comparison.seed, bool(comparison.reconstructed))
    head_to_heads = [pair for contrast in comparison.contrasts for pair in contrast.head_to_heads]
    if agents := dict.fromkeys(f"{pair.strong} against {pair.weak}" for pair in head_to_heads):
        yield f"how strong agents are is measured once, in a few matches that are stored: {', '.join(agents)}"
    stored = f"when {first.matches_before:,} of these matches were stored"
    yield f"terms written down {first.created:%Y-%m-%d %H:%M}, {stored}"
    before = first.terms
    for version in later:
        moment = f"{version.created:%Y-%m-%d %H:%M}, after {version.matches_before:,} matches"
        yield f"changed {moment}: {_describe_change(before, version.terms)}"
        before = version.terms


def describe_terms(terms: Terms, seed: int, reconstructed: bool) -> Iterator[str]:
    """What is judged and by what; and the note behind the star of reconstructed variants."""
    if reconstructed:
        yield describe_reconstructed()
    thresholds = [f"{name} {terms.describe_threshold(find_metric(name))}" for name in terms.main_metrics]
    yield f"main metrics and thresholds, written down before the first match: {', '.join(thresholds)}"
    level = f"{100 * (1 - terms.alpha):g}%"
    yield f"seed {seed}; verdicts hold however often you look, all of them together with {level}"


def _describe_change(before: Terms, after: Terms) -> str:
    """The terms that differ."""
    changes = []
    if before.main_metrics != after.main_metrics:
        changes.append(f"main metrics {', '.join(before.main_metrics)} -> {', '.join(after.main_metrics)}")
    for name in sorted({*before.thresholds, *after.thresholds}):
        old, new = (terms.describe_threshold(find_metric(name)) for terms in (before, after))
        changes += [f"threshold of {name} {old} -> {new}"] if old != new else []
    if before.agents != after.agents:
        changes.append(f"agents {', '.join(before.agents)} -> {', '.join(after.agents)}")
    if before.stop != after.stop:
        changes.append(f"plays {before.stop} -> {after.stop}")
    return "; ".join(changes) or "other constants of the intervals"
