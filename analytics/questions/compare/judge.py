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
from analytics.questions.compare.lines import (
    LineRequest,
    PairedCells,
    estimate_paired_difference,
    make_line,
)
from analytics.stats.intervals import Estimate, compute_share_bounds, estimate_share_from_sums
from analytics.verdict.design import Design, describe_changes, make_head_to_head_line_up, shares_luck
from analytics.verdict.results import Comparison, Contrast, HeadToHead, Line
from analytics.verdict.terms import RegisteredTerms, Terms
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
            _make_contrast(VariantPair(design=design, db=db, terms=terms, index=index, players=players))
            for index, players in settings
        ),
        reconstructed=tuple(variant.name for variant in design.variants if variant.game.reconstructed),
    )


def load_main_contrasts(design: Design, db: Path, terms: Terms) -> list[Contrast]:
    """Every contrast with the lines of its main metrics alone: enough to say where it stands, and whether to
    play on.
    """
    pairs = [
        VariantPair(design=design, db=db, terms=terms, index=index, players=players, only_main=True)
        for players in design.players
        for index in design.list_changed_variants(players)
    ]
    return [_make_main_contrast(pair) for pair in pairs]


def _make_main_contrast(pair: "VariantPair") -> Contrast:
    deals = pair.evidence.count_shared_deals(*pair.deciding_cells)
    metric_parts = pair.metric_parts if deals > 1 else []
    lines = [pair.make_line(metric, part, is_calibrated=False) for metric, part in metric_parts]
    contrast = _begin_contrast(pair)
    return replace(contrast, deals=deals, matches=deals * pair.seatings, lines=tuple(lines))


@dataclass(frozen=True, kw_only=True)
class VariantPair:
    """A and one other variant at one player count, with what the result file has about them."""

    design: Design
    db: Path
    terms: Terms
    index: int  # of the other variant
    players: int
    only_main: bool = False  # read nothing but the main metrics

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
        fill_sums(self.db, pairs, self.metrics, shares_luck=self.is_paired)
        return load_evidence(self.db, cells, self.read_metrics, pairs)

    @property
    def read_metrics(self) -> list[Metric]:
        names = self.terms.main_metrics
        return [metric for metric in self.metrics if not self.only_main or metric.name in names]

    @functools.cached_property
    def metric_parts(self) -> list[tuple[Metric, str]]:
        """The metrics and parts that both cells have. Of two seats one says all."""
        a, b = self.deciding_cells
        metric_parts = []
        for metric in self.read_metrics:
            if metric.line_ups != "mixed":
                parts_of_b = self.evidence.list_parts(metric, b)
                parts = [part for part in self.evidence.list_parts(metric, a) if part in parts_of_b]
                if metric.has_fair_share and self.players == 2:
                    parts = parts[:1]
                metric_parts += [(metric, part) for part in parts]
        return metric_parts

    def split_alpha(self, metric: Metric) -> float:
        """The alpha of each line of a metric, and of the affected share: questions share it, not lines.

        The main metrics and the affected share have one alpha together, over all contrasts; the other metrics
        have another. The parts of a metric share what the metric has.
        """
        is_main = metric.name in self.terms.main_metrics
        parts = [other for other, _ in self.metric_parts if other.name == metric.name]
        return self._find_question_alpha(is_main) / max(1, len(parts))

    def count_questions(self, is_main: bool) -> int:
        """How many questions share one alpha: the metrics of this kind, and whether matches are affected."""
        names = {metric.name for metric, _ in self.metric_parts}
        return sum((name in self.terms.main_metrics) == is_main for name in names) + is_main

    @property
    def affected_alpha(self) -> float:
        return self._find_question_alpha(True)

    def _find_question_alpha(self, is_main: bool) -> float:
        contrasts = sum(len(self.design.list_changed_variants(n)) for n in self.design.players)
        return self.terms.alpha / (contrasts * self.count_questions(is_main))

    @functools.cached_property
    def seatings(self) -> int:
        """Matches of a deal by the deciding agent."""
        return self.design.find_cell(0, self.players, self.terms.agents[0]).seating_count

    def pair_cells(self, cells: tuple[int, int]) -> PairedCells:
        a, b = cells
        return PairedCells(evidence=self.evidence, variants=self.variants, players=self.players, a=a, b=b)

    @functools.cached_property
    def other_agents(self) -> dict[str, PairedCells]:
        """The cells of the agents that do not decide, where there are matches of theirs."""
        return {
            agent: self.pair_cells(cells)
            for agent, cells in self.cells_by_agent.items()
            if cells != self.deciding_cells and self.evidence.count_shared_deals(*cells) > 1
        }

    def make_line(self, metric: Metric, part: str, *, is_calibrated: bool) -> Line:
        request = LineRequest(
            metric=metric,
            part=part,
            alpha=self.split_alpha(metric),
            seatings=self.seatings,
            is_calibrated=is_calibrated,
        )
        return make_line(self.pair_cells(self.deciding_cells), request, self.terms, self.other_agents)


def _begin_contrast(pair: VariantPair) -> Contrast:
    """What is compared, without any numbers."""
    a, b = pair.variants
    return Contrast(
        a=a.name,
        b=b.name,
        players=pair.players,
        agent=pair.terms.agents[0],
        changes=tuple(describe_changes(a, b)),
        paired=pair.is_paired,
    )


def _make_contrast(pair: VariantPair) -> Contrast:
    contrast = _begin_contrast(pair)
    if pair.index not in pair.design.list_changed_variants(pair.players):
        return replace(contrast, same_rules=True)
    deals = pair.evidence.count_shared_deals(*pair.deciding_cells)
    if deals < 2:
        note = "there are no shared deals yet" if deals == 0 else "one deal gives no interval: 2 are needed"
        return replace(contrast, notes=(note,))
    contrast = replace(
        contrast,
        deals=deals,
        matches=deals * pair.seatings,
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
    is_calibrated = all(race.measure_calibration(pair.db, cell).holds for cell in pair.deciding_cells)
    return tuple(
        pair.make_line(metric, part, is_calibrated=is_calibrated) for metric, part in pair.metric_parts
    )


def _measure_affected(pair: VariantPair, contrast: Contrast) -> dict[str, Any]:
    """The contrast's fields about affected matches, and the matches that shared luck saved."""
    affected_deals = pair.evidence.affected[(*pair.deciding_cells, "affected_deals")]
    hits = round(affected_deals.total)
    low, high = compute_share_bounds(hits, affected_deals.deals, pair.affected_alpha)
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
    return f"{metric.label}: no answer here, because {reason}; `boardgames metrics {metric.name}` explains it"


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
