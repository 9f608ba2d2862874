"""A comparison as a terminal shows it, within a hundred columns."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table

from analytics.metric.metric import SHARE, find_metric
from analytics.questions.compare.conclusions import HOW_TO_READ, conclude, describe_verdict
from analytics.show.table import make_table
from analytics.stats.intervals import Estimate
from analytics.verdict.design import Design, describe_changes, has_same_rules
from analytics.verdict.results import Comparison, Contrast, Line
from analytics.verdict.terms import Terms
from analytics.verdict.verdicts import DIFFERENT, NONE, SAME, UNCLEAR, UNKNOWN
from analytics.words import (
    describe_agents,
    describe_moment,
    describe_reconstructed,
    describe_training,
    find_change_digits,
    format_estimate,
    format_interval,
    format_metric,
    format_number,
    format_rounded,
    format_unit,
    join_words,
)
from boardgames.agents.agent import find_agent

VERDICTS = {
    SAME: "about the same",
    UNKNOWN: "no answer yet",
}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NEARLY_ALL = 0.99
TOO_FEW = "too few matches to be sure"


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
    others = terms.agents[1:]
    deciding = describe_agents(design.deciding_agents)
    counts = ", ".join(map(str, design.players))
    beside = f", checked with {join_words(others)}" if others else ""
    yield f"{counts} players; verdicts by {deciding}{beside}; plays {terms.stop}"
    yield from describe_training(
        (find_agent(agent, variant.game), variant, players)
        for variant in design.variants
        for players in design.players
        for agent in design.list_agents_at(players)
    )


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
        yield f"  {describe_affected(contrast)}."
    if not contrast.lines:
        return
    yield from make_metrics_tables(contrast, everything)
    if any(line.luck_race is not None for line in contrast.lines):
        yield f"  {describe_luck_race(contrast)}."
    if with_other_agents := [line for line in contrast.lines if line.is_main and line.other_agents]:
        yield make_agents_table(with_other_agents)
    for head_to_head in contrast.head_to_heads:
        difference = format_estimate(head_to_head.difference, SHARE, True)
        yield f"  {head_to_head.sentence}. B - A: {difference}."
    if contrast.saved:
        saved = format_rounded(contrast.saved)
        separate = format_rounded(2 * contrast.matches + contrast.saved)
        yield f"  Sharing deals saved about {saved} matches: separate deals would have taken {separate}."


def make_metrics_tables(contrast: Contrast, everything: bool) -> Iterator[Any]:
    """The main metrics, and of the others those that differ; the rest by name."""
    share = contrast.affected.mean if contrast.affected else 1.0
    if main_metrics := [line for line in contrast.lines if line.is_main]:
        yield make_lines_table("Main metrics (±: 95% interval)", main_metrics, share)
    rest = [line for line in contrast.lines if not line.is_main]
    shown = [line for line in rest if everything or line.verdict in (DIFFERENT, UNCLEAR)]
    if shown:
        yield make_lines_table("Other metrics" if everything else "Other differences", shown, share)
    if not everything:
        hidden = [line for line in rest if line not in shown]
        for label, names in _group_by_verdict(hidden).items():
            yield f"  {label}: {', '.join(names) or 'none'}"


def _group_by_verdict(lines: Sequence[Line]) -> dict[str, list[str]]:
    """The names of the metrics by verdict in words: each under the least certain verdict of its parts, with
    the number of such parts where they differ.
    """
    names_by_label: dict[str, list[str]] = {VERDICTS[SAME]: [], VERDICTS[UNKNOWN]: []}
    for name in dict.fromkeys(line.metric for line in lines):
        verdicts = [line.verdict for line in lines if line.metric == name]
        least = next(verdict for verdict in (UNKNOWN, NONE, SAME) if verdict in verdicts)
        count = verdicts.count(least)
        parts = "" if count == len(verdicts) else f" ({count} of {len(verdicts)} parts)"
        problem = next(line.problem for line in lines if (line.metric, line.verdict) == (name, least))
        label = f"no verdict, because {problem}" if least == NONE else VERDICTS[least]
        names_by_label.setdefault(label, []).append(format_metric(name) + parts)
    return names_by_label


def describe_affected(contrast: Contrast) -> str:
    """The share of the matches that the change affects, with its always-valid interval."""
    share = contrast.affected
    assert share is not None
    low, high = (format_number(end, SHARE) for end in (contrast.affected_low, contrast.affected_high))
    is_informative = contrast.affected_high - contrast.affected_low < 1 / 2
    if share.mean == 0:
        words, bounds = "no match so far", f"at most {high}%"
    elif share.mean > NEARLY_ALL:
        words, bounds = "nearly every match", f"at least {low}%"
    else:
        words, bounds = f"{format_number(share.mean, SHARE)}% of the matches", f"{low} to {high}%"
    return f"The change affects {words} ({bounds if is_informative else TOO_FEW})"


def describe_luck_race(contrast: Contrast) -> str:
    """By pure chance, the leader at 25% would win 66.7%, last place at halfway 9.70%"""
    lines = [line for line in contrast.lines if line.luck_race is not None]
    chances = []
    for line in lines:
        subject = find_metric(line.metric).name_subject(line.part)
        chance = format_number(line.luck_race or 0.0, SHARE)
        wins = " would win" if line is lines[0] else ""
        chances.append(f"{subject[0].lower()}{subject[1:]}{wins} {chance}%")
    return f"By pure chance, {join_words(chances)} of the time"


def make_lines_table(title: str, lines: Sequence[Line], affected_share: float) -> Table:
    """The effect size is the difference in standard deviations of the deals of A."""
    table = make_table(title)
    table.add_column("metric", max_width=22, overflow="fold")
    for head in ("A", "B"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("B - A", justify="right", no_wrap=True)
    table.add_column("effect size", justify="right", max_width=6)
    is_partly_affected = affected_share < 0.95
    if is_partly_affected:
        table.add_column("in affected matches", justify="right", max_width=11)
    table.add_column("verdict", overflow="fold", max_width=40)
    for line in lines:
        digits = find_change_digits(line.a.mean, line.b.mean, line.difference.mean, line.unit)
        cells = [
            format_give_or_take(line.a, line.unit, digits=digits.old),
            format_give_or_take(line.b, line.unit, digits=digits.new),
            format_give_or_take(line.difference, line.unit, True) if line.is_comparable else "",
        ]
        cells.append(f"{line.effect:+.2f}" if math.isfinite(line.effect) else "")
        cells += [format_number(line.within, line.unit, True)] if is_partly_affected else []
        table.add_row(format_title(line), *cells, describe_verdict(line))
    return table


def format_title(line: Line, difference: bool = False) -> str:
    """Wins by seat 1, %"""
    return f"{format_metric(line.metric, line.part)}, {format_unit(line.unit, difference)}"


def format_give_or_take(estimate: Estimate, unit: str, difference: bool = False, digits: int = 0) -> str:
    """48.2 ±1.1: the farther end of the 95% interval; without one, how many deals it takes."""
    if not estimate.has_interval:
        return format_interval(estimate, unit, difference, digits)
    mean = format_number(estimate.mean, unit, difference, digits)
    return f"{mean} ±{format_number(estimate.half_width, unit)}"


def make_agents_table(lines: Sequence[Line]) -> Table:
    """The differences by other agents, and whether they agree."""
    agents = [other.agent for other in lines[0].other_agents]
    table = make_table("With other agents")
    table.add_column("metric", max_width=26, overflow="fold")
    for agent in agents:
        table.add_column(f"B - A with {agent}", justify="right")
    table.add_column("do the agents agree?", overflow="fold")
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
        yield f"How strong the agents are was measured once, in a few stored matches: {', '.join(agents)}."
    moment = describe_moment(first.matches_before)
    yield f"Metrics and thresholds fixed {first.created:%Y-%m-%d %H:%M}, {moment}."
    before = first.terms
    for version in later:
        moment = f"{version.created:%Y-%m-%d %H:%M}, after {version.matches_before:,} matches"
        yield f"Changed {moment}: {_describe_change(before, version.terms)}."
        before = version.terms


def describe_terms(terms: Terms, seed: int, reconstructed: bool) -> Iterator[str]:
    """What is judged and by what; and the note behind the star of reconstructed variants."""
    if reconstructed:
        yield describe_reconstructed()
    thresholds = [f"{name} {terms.describe_threshold(find_metric(name))}" for name in terms.main_metrics]
    yield f"Main metrics and their thresholds: {', '.join(thresholds)}."
    wrong = f"the chance that any is ever wrong is at most {100 * terms.alpha:g}%"
    yield f"Verdicts hold however often you look: {wrong}, and as much for other metrics. Seed {seed}."


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
    return "; ".join(changes) or "details of the intervals"
