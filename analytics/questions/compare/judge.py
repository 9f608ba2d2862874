"""From the result file to a Comparison: sums in, verdicts out. Plays nothing."""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric import chance_race as race
from analytics.metric.evidence import Evidence, fill_sums, load_evidence
from analytics.metric.lift import compute_win_lifts
from analytics.metric.metric import SKILL_EDGE, WIN_LIFT, Metric, find_metric, metrics
from analytics.questions.compare.lines import PairedCells, estimate_paired_difference, make_line
from analytics.stats.intervals import Estimate, Sums, compute_share_bounds, estimate_share_from_sums
from analytics.verdict.design import Design, describe_changes, make_head_to_head_line_up, shares_luck
from analytics.verdict.results import Comparison, Contrast, HeadToHead, Line
from analytics.verdict.terms import RegisteredTerms, Terms
from analytics.verdict.verdicts import SharedDeals
from analytics.words import compute_win_share, describe_head_to_head, find_clear_sign
from boardgames.game.variant import Variant
from boardgames.store.connection import get_connection, open_for_reading

UNPAIRED = "compared as independent matches: they share no luck"


def judge(design: Design, db: Path, terms: Terms, registered: Sequence[RegisteredTerms] = ()) -> Comparison:
    """What the stored matches say about a comparison, by its terms."""
    settings = [(index, players) for players in design.players for index in range(1, len(design.variants))]
    return Comparison(
        variants=tuple(variant.name for variant in design.variants),
        players=design.players,
        agents=terms.agents,
        seed=design.seed,
        file=str(db),
        terms=terms,
        registered=tuple(registered),
        contrasts=tuple(
            _make_contrast(VariantPair(design, db, terms, index, players)) for index, players in settings
        ),
        reconstructed=tuple(variant.name for variant in design.variants if variant.game.reconstructed),
    )


def load_main_lines(design: Design, db: Path, terms: Terms) -> list[tuple[int, Line]]:
    """The lines of the main metrics, each with the number of matches per deal: enough to decide whether to
    play on.
    """
    lines = []
    for players in design.players:
        for index in design.list_changed_variants(players):
            pair = VariantPair(design, db, terms, index, players)
            alpha = pair.split_alpha(True)
            for metric, part in pair.metric_parts:
                if metric.name in terms.main_metrics:
                    line = make_line(pair.paired_cells, metric, part, alpha, False)
                    lines.append((pair.paired_cells.seatings, line))
    return lines


@dataclass(frozen=True)
class VariantPair:
    """A and one other variant at one player count, with what the result file has about them."""

    design: Design
    db: Path
    terms: Terms
    index: int  # of the other variant
    players: int

    @property
    def variants(self) -> tuple[Variant, Variant]:
        return self.design.variants[0], self.design.variants[self.index]

    @property
    def is_paired(self) -> bool:
        """Whether both play the same deals; else their matches are independent."""
        return shares_luck(*self.variants)

    def find_cells(self, line_up: str) -> tuple[int, int]:
        """The ids of A's and the other variant's cells."""
        a, b = (self.design.find_cell(index, self.players, line_up).id for index in (0, self.index))
        return a, b

    @functools.cached_property
    def cells_by_agent(self) -> dict[str, tuple[int, int]]:
        """The pair of cells of each agent; the first one decides."""
        return {agent: self.find_cells(agent) for agent in self.terms.agents}

    @functools.cached_property
    def head_to_heads(self) -> dict[tuple[str, str], tuple[int, int]]:
        """The pair of cells of each (strong, weak) pair of agents."""
        line_ups = {
            agents: make_head_to_head_line_up(*agents, self.players)
            for agents in self.design.list_neighbouring_agents()
        }
        return {agents: self.find_cells(line_up) for agents, line_up in line_ups.items()}

    @property
    def deciding_cells(self) -> tuple[int, int]:
        return self.cells_by_agent[self.terms.agents[0]]

    @functools.cached_property
    def metrics(self) -> list[Metric]:
        """All metrics that these cells can have, the main ones required; some mean nothing across games."""
        by_name = {**metrics(), **{name: find_metric(name) for name in self.terms.main_metrics}}
        return [
            metric
            for metric in by_name.values()
            if metric.kind != "rows"
            and self.players in metric.players
            and (metric.across_games or self.is_paired)
        ]

    @functools.cached_property
    def evidence(self) -> Evidence:
        pairs = [*self.cells_by_agent.values(), *self.head_to_heads.values()]
        cells = [cell for pair in pairs for cell in pair]
        fill_sums(self.db, pairs if self.is_paired else [])
        evidence = load_evidence(self.db, cells, self.metrics, pairs if self.is_paired else [])
        if not self.is_paired:
            make_independent(evidence, pairs)
        return evidence

    @functools.cached_property
    def metric_parts(self) -> list[tuple[Metric, str]]:
        """The metrics and parts that both cells have."""
        a, b = self.deciding_cells
        metric_parts = []
        for metric in self.metrics:
            if metric.line_ups != "mixed":
                parts_of_b = self.evidence.list_parts(metric, b)
                parts = [part for part in self.evidence.list_parts(metric, a) if part in parts_of_b]
                metric_parts += [(metric, part) for part in parts]
        return metric_parts

    def split_alpha(self, is_main: bool) -> float:
        """The alpha of one line: the main metrics and the affected share have one alpha together, over all
        contrasts; the other metrics have another.
        """
        contrasts = sum(len(self.design.list_changed_variants(n)) for n in self.design.players)
        lines = sum((metric.name in self.terms.main_metrics) == is_main for metric, _ in self.metric_parts)
        return self.terms.alpha / ((lines + is_main) * contrasts)

    @functools.cached_property
    def paired_cells(self) -> PairedCells:
        evidence = self.evidence
        a, b = self.deciding_cells
        deals = evidence.count_shared_deals(a, b)
        affected = evidence.affected.get((a, b, "affected_deals"))
        other_agents = [
            (agent, *cells)
            for agent, cells in self.cells_by_agent.items()
            if cells != (a, b) and evidence.count_shared_deals(*cells) > 1
        ]
        return PairedCells(
            evidence=evidence,
            terms=self.terms,
            variants=self.variants,
            players=self.players,
            a=a,
            b=b,
            seatings=self.design.find_cell(0, self.players, self.terms.agents[0]).seating_count,
            shared=SharedDeals(deals, round(affected.total) if affected else deals, self.split_alpha(True)),
            other_agents=tuple(other_agents),
        )


def _make_contrast(pair: VariantPair) -> Contrast:
    a, b = pair.variants
    changes = tuple(describe_changes(a, b))
    contrast = Contrast(
        a=a.name,
        b=b.name,
        players=pair.players,
        agent=pair.terms.agents[0],
        changes=changes,
        paired=pair.is_paired,
    )
    if pair.index not in pair.design.list_changed_variants(pair.players):
        return replace(contrast, same_rules=True)
    deals = pair.evidence.count_shared_deals(*pair.deciding_cells)
    if deals < 2:
        note = "there are no shared deals yet" if deals == 0 else "one deal gives no interval: 2 are needed"
        return replace(contrast, notes=(note,))
    contrast = replace(
        contrast,
        deals=deals,
        matches=deals * pair.paired_cells.seatings,
        lines=_make_lines(pair),
        notes=_list_notes(pair),
    )
    win_lift = find_metric(WIN_LIFT)
    lifts_a, lifts_b = (tuple(compute_win_lifts(pair.db, cell, win_lift)) for cell in pair.deciding_cells)
    head_to_heads = tuple(
        _judge_head_to_head(pair.evidence, pair.players, *agents, *cells)
        for agents, cells in pair.head_to_heads.items()
        if pair.evidence.count_shared_deals(*cells) > 1
    )
    affected = _measure_affected(pair, contrast) if pair.is_paired else {}
    return replace(contrast, lifts=(lifts_a, lifts_b), head_to_heads=head_to_heads, **affected)


def _make_lines(pair: VariantPair) -> tuple[Line, ...]:
    calibrated = all(race.measure_calibration(pair.db, cell).holds for cell in pair.deciding_cells)
    alphas = {is_main: pair.split_alpha(is_main) for is_main in (True, False)}
    return tuple(
        make_line(pair.paired_cells, metric, part, alphas[metric.name in pair.terms.main_metrics], calibrated)
        for metric, part in pair.metric_parts
    )


def _measure_affected(pair: VariantPair, contrast: Contrast) -> dict[str, Any]:
    """The contrast's fields about affected matches, and the matches that shared luck saved."""
    shared = pair.paired_cells.shared
    low, high = compute_share_bounds(shared.affected, contrast.deals, shared.alpha)
    return {
        "affected": estimate_share_from_sums(*pair.evidence.affected[(*pair.deciding_cells, "affected")]),
        "affected_low": low,
        "affected_high": high,
        "saved": _count_saved_matches(contrast.lines, contrast.matches),
    }


def _list_notes(pair: VariantPair) -> tuple[str, ...]:
    """What a reader must know: unpaired, matches left out because other rules, agents or engines played them,
    main metrics without a line.
    """
    query = """
        SELECT coalesce(sum(matches), 0) FROM cells
        WHERE list_contains($names, variant) AND list_contains($agents, line_up)
            AND players = $players AND seed = $seed AND NOT list_contains($cells, cell_id)
    """
    values = {
        "players": pair.players,
        "seed": pair.design.seed,
        "agents": list(pair.cells_by_agent),
        "cells": [cell for agent_cells in pair.cells_by_agent.values() for cell in agent_cells],
        "names": [variant.name for variant in pair.variants],
    }
    with open_for_reading(pair.db) as session:
        (left_out,) = get_connection(session).execute(query, values).fetchone()
    notes = [] if pair.is_paired else [UNPAIRED]
    if left_out:
        notes.append(
            f"{left_out:,} stored matches of the same names are left out: "
            "their rules, agents or engine were others"
        )
    with_line = {metric.name for metric, _ in pair.metric_parts}
    missing = [name for name in pair.terms.main_metrics if name not in with_line]
    notes += [_explain_missing_line(pair, find_metric(name)) for name in missing]
    return tuple(notes)


def _explain_missing_line(pair: VariantPair, metric: Metric) -> str:
    """Why a main metric has no line."""
    if metric.line_ups == "mixed":
        reason = "it takes different agents at one table, and a comparison has the same agent in all seats"
    elif pair.players not in metric.players:
        reason = f"it is not asked of {pair.players} players"
    elif metric not in pair.metrics:
        reason = "it means nothing across games"
    else:
        reason = "no stored match of both variants has such a value"
    return f"{metric.name} has no answer here: {reason}; `boardgames metrics {metric.name}` explains it"


def make_independent(evidence: Evidence, pairs: Sequence[tuple[int, int]]) -> None:
    """Replace paired differences by those of independent means (Welch), as if n deals had scattered that
    much.
    """
    for name, sums in evidence.sums.items():
        for a, b in pairs:
            for (cell, part), sums_a in list(sums.items()):
                if cell == a and (sums_b := sums.get((b, part))) and min(sums_a.deals, sums_b.deals) > 1:
                    evidence.differences[name][a, b, part] = combine_independent(sums_a, sums_b)


def combine_independent(a: Sums, b: Sums) -> Sums:
    """Sums of n deals whose mean is b - a and whose standard error is that of a difference of independent
    means.
    """
    n = min(a.deals, b.deals)
    mean = b.total / b.deals - a.total / a.deals
    variance = n * (a.variance / a.deals + b.variance / b.deals)
    return Sums(n, n * mean, variance * (n - 1) + n * mean**2)


def _count_saved_matches(lines: Sequence[Line], matches: int) -> int:
    """The additional matches of both variants that separate luck would have taken for the same precision of a
    typical main metric.
    """
    ratios = [line.pairing for line in lines if line.is_main and math.isfinite(line.pairing)]
    return max(0, round(2 * matches * (float(np.median(ratios)) - 1))) if ratios else 0


def _judge_head_to_head(
    evidence: Evidence, players: int, strong: str, weak: str, a: int, b: int
) -> HeadToHead:
    """How often the stronger agent wins, in both variants; doubtful if its edge clearly differs by more than
    the threshold.
    """
    edge = find_metric(SKILL_EDGE)
    win_share_a, win_share_b = (
        compute_win_share(evidence.estimate(edge, cell, edge.main_part), players) for cell in (a, b)
    )
    difference: Estimate = estimate_paired_difference(evidence, edge, edge.main_part, a, b)
    doubtful = bool(find_clear_sign(difference)) and abs(difference.mean) > edge.threshold
    sentence = describe_head_to_head(strong, weak, players, win_share_a, win_share_b, doubtful)
    win_share_difference = difference.scale(1 - 1 / players)
    return HeadToHead(
        strong=strong,
        weak=weak,
        a=win_share_a,
        b=win_share_b,
        difference=win_share_difference,
        doubtful=doubtful,
        sentence=sentence,
    )
