"""Two stored cells against each other: with verdicts, where the rules of the matches are here; else only the
stored differences.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analytics.metric.evidence import Evidence, fill_sums, load_evidence
from analytics.metric.metric import Metric, metrics
from analytics.questions.compare.judge import judge
from analytics.questions.compare.lines import estimate_paired_difference
from analytics.verdict.design import Design, make_design
from analytics.verdict.results import Contrast, Line
from analytics.verdict.terms import MAIN_METRICS, Terms, make_terms, preregister_terms
from analytics.verdict.verdicts import NONE
from boardgames.errors import BoardgamesError
from boardgames.game.plugins import find_stored_variant
from dashboard.data.answers import can_measure
from dashboard.data.file import CellInfo, VariantInfo, cache_until_changed
from dashboard.errors import describe_error


class VerdictUnavailable(Exception):
    """Why there are no verdicts about two cells: their rules are not installed, or have changed since, or
    there are too few deals.
    """


@dataclass(frozen=True)
class JudgedContrast:
    """A contrast, and the terms by which it was judged."""

    contrast: Contrast
    terms: Terms


@dataclass(frozen=True)
class CellPair:
    """The cells of two variants that differ in the variant alone."""

    variants: tuple[VariantInfo, VariantInfo]
    cells: tuple[CellInfo, CellInfo]
    other_agents: tuple[str, ...]  # those that have also played both against themselves

    @property
    def agents(self) -> tuple[str, ...]:
        """The line-up that decides, then the others."""
        return (self.cells[0].line_up, *self.other_agents)


@cache_until_changed
def load_contrast(db: Path, pair: CellPair) -> JudgedContrast:
    """The contrast with its verdicts; raises VerdictUnavailable."""
    players = pair.cells[0].players
    try:
        variants = [find_stored_variant(info.spec) for info in pair.variants]
        design = make_design(variants, str(players), pair.agents, pair.cells[0].seed, head_to_heads=False)
        _check_unchanged(design, pair)
        registered = preregister_terms(db, design.id).list_versions()
        terms = replace(registered[-1].terms, agents=pair.agents) if registered else make_terms(pair.agents)
        contrast = judge(design, db, terms, registered).contrasts[0]
    except BoardgamesError as error:
        raise VerdictUnavailable(describe_error(error)) from error
    if not contrast.lines and not contrast.same_rules:
        raise VerdictUnavailable("; ".join(contrast.notes))
    return JudgedContrast(contrast, terms)


def _check_unchanged(design: Design, pair: CellPair) -> None:
    """Raise VerdictUnavailable if today's rules would not play the stored cells."""
    players = pair.cells[0].players
    try:
        current = [design.find_cell(index, players, pair.agents[0]).id for index in (0, 1)]
    except KeyError:  # not played by so many
        current = []
    if design.list_changed_variants(players) and current != [cell.id for cell in pair.cells]:
        raise VerdictUnavailable("the rules, the agents or the engine have changed since these matches")


@cache_until_changed
def load_differences(db: Path, pair: CellPair) -> JudgedContrast:
    """The stored differences without verdicts, which need the rules: these say how far a match can move."""
    cell_a, cell_b = pair.cells
    wanted = [
        metric
        for metric in metrics().values()
        if metric.kind in ("mean", "ratio") and can_measure(metric, cell_a) and can_measure(metric, cell_b)
    ]
    evidence, paired, notes = _load_pair_evidence(db, cell_a, cell_b, wanted)
    deals = min(cell_a.deals, cell_b.deals)
    contrast = Contrast(
        a=pair.variants[0].label,
        b=pair.variants[1].label,
        players=cell_a.players,
        agent=cell_a.line_up,
        changes=(),
        paired=paired,
        deals=deals,
        matches=deals * cell_a.seatings,
        lines=tuple(
            _make_line(metric, part, evidence, cell_a.id, cell_b.id)
            for metric in wanted
            for part in evidence.list_parts(metric, cell_a.id)
            if part in evidence.list_parts(metric, cell_b.id)
        ),
        notes=notes,
    )
    return JudgedContrast(contrast, make_terms([cell_a.line_up]))


def _load_pair_evidence(
    db: Path, cell_a: CellInfo, cell_b: CellInfo, wanted: Sequence[Metric]
) -> tuple[Evidence, bool, tuple[str, ...]]:
    """The evidence, whether it is paired, and what to know about that."""
    cells = (cell_a.id, cell_b.id)
    notes = []
    if _share_luck(cell_a, cell_b):
        try:
            fill_sums(db, [cells])
            return load_evidence(db, cells, wanted, [cells]), True, ()
        except BoardgamesError as error:
            notes.append(str(error))
    fill_sums(db, [cells], shares_luck=False)
    evidence = load_evidence(db, cells, wanted, [cells])
    notes.append("compared as independent matches: these cells share no luck")
    return evidence, False, tuple(notes)


def _share_luck(cell_a: CellInfo, cell_b: CellInfo) -> bool:
    settings = [(cell.players, cell.line_up, cell.seed, cell.engine) for cell in (cell_a, cell_b)]
    return settings[0] == settings[1]


def _make_line(metric: Metric, part: str, evidence: Evidence, a: int, b: int) -> Line:
    before, after = (evidence.estimate(metric, cell, part) for cell in (a, b))
    return Line(
        metric=metric.name,
        part=part,
        unit=metric.unit,
        is_main=metric.name in MAIN_METRICS,
        a=before,
        b=after,
        difference=estimate_paired_difference(evidence, metric, part, a, b),
        low=math.nan,
        high=math.nan,
        is_informative=False,
        threshold=Terms(agents=()).find_threshold(metric, before.mean),
        within=math.nan,
        effect=math.nan,
        pairing=math.nan,
        verdict=NONE,
        problem="",
        more=None,
    )
