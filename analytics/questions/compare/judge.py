"""From the result file to a Comparison: sums in, verdicts out. Plays nothing."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric.evidence import Evidence
from analytics.metric.metric import SKILL_EDGE, Metric, find_metric
from analytics.questions.compare.lines import estimate_paired_difference
from analytics.questions.compare.pair import VariantPair, load_pairs
from analytics.stats.intervals import Estimate, compute_share_bounds, estimate_share_from_sums
from analytics.verdict.design import Design, describe_changes
from analytics.verdict.results import Comparison, Contrast, HeadToHead, Line
from analytics.verdict.terms import RegisteredTerms, Terms
from analytics.words import compute_win_share, describe_head_to_head, find_clear_sign

UNPAIRED = "these variants cannot share deals; each plays its own, so it takes more matches"


def judge(design: Design, db: Path, terms: Terms, registered: Sequence[RegisteredTerms] = ()) -> Comparison:
    """What the stored matches say about a comparison, by its terms. Missing sums are stored."""
    contrasts = []
    for players in design.players:
        pair = VariantPair(design=design, db=db, terms=terms, index=1, players=players)
        contrasts += _make_contrasts(pair, stores_sums=True)
    return Comparison(
        variants=tuple(variant.name for variant in design.variants),
        players=design.players,
        agents=terms.agents,
        seed=design.seed,
        file=str(db),
        terms=terms,
        registered=tuple(registered),
        contrasts=tuple(contrasts),
        reconstructed=tuple(variant.name for variant in design.variants if variant.game.reconstructed),
    )


def judge_for_page(design: Design, db: Path, terms: Terms, players: int) -> list[Contrast]:
    """The contrasts of `judge` at one player count. Nothing is stored."""
    pair = VariantPair(design=design, db=db, terms=terms, index=1, players=players)
    return _make_contrasts(pair, stores_sums=False)


def _make_contrasts(pair: VariantPair, stores_sums: bool) -> list[Contrast]:
    """Everything against A at this player count."""
    changed = pair.design.list_changed_variants(pair.players)
    loaded = {other.index: other for other in load_pairs(pair, changed, stores_sums=stores_sums)}
    return [
        _make_contrast(loaded.get(index) or replace(pair, index=index))
        for index in range(1, len(pair.design.variants))
    ]


def load_main_contrasts(design: Design, db: Path, terms: Terms) -> list[Contrast]:
    """Every contrast with the lines of its main metrics alone: enough to say where it stands, and whether to
    play on.
    """
    contrasts = []
    for players in design.players:
        pair = VariantPair(design=design, db=db, terms=terms, index=1, players=players, only_main=True)
        pairs = load_pairs(pair, design.list_changed_variants(players))
        contrasts += [_make_main_contrast(pair) for pair in pairs]
    return contrasts


def _make_main_contrast(pair: VariantPair) -> Contrast:
    deals = pair.evidence.count_shared_deals(*pair.deciding_cells)
    metric_parts = pair.metric_parts if deals > 1 else []
    lines = [pair.make_line(metric, part) for metric, part in metric_parts]
    contrast = _begin_contrast(pair)
    return replace(contrast, deals=deals, matches=deals * pair.seatings, lines=tuple(lines))


def _begin_contrast(pair: VariantPair) -> Contrast:
    """What is compared, without any numbers."""
    a, b = pair.variants
    return Contrast(
        a=a.name,
        b=b.name,
        players=pair.players,
        agent=pair.agents[0],
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
        lines=tuple(pair.make_line(metric, part) for metric, part in pair.metric_parts),
        notes=_list_notes(pair),
    )
    head_to_heads = tuple(
        _judge_head_to_head(pair.evidence, pair.players, *agents, *cells)
        for agents, cells in pair.head_to_heads.items()
        if pair.evidence.count_shared_deals(*cells) > 1
    )
    affected = _measure_affected(pair, contrast) if pair.is_paired else {}
    return replace(contrast, head_to_heads=head_to_heads, **affected)


def _measure_affected(pair: VariantPair, contrast: Contrast) -> dict[str, Any]:
    """The contrast's fields about affected matches, and the matches that shared luck saved."""
    affected_deals = pair.evidence.affected[(*pair.deciding_cells, "affected_deals")]
    hits = round(affected_deals.total)
    low, high = compute_share_bounds(hits, affected_deals.deals, pair.affected_budget)
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
    notes = [] if pair.is_paired else [UNPAIRED]
    if left_out := pair.records.left_out[pair.index]:
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
