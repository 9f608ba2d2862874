"""Variants against a baseline, by stored matches: as a comparison was asked for, where one covers them; else
by the usual terms; and without verdicts, where the rules of the matches are not here.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from analytics.metric.evidence import Evidence, load_evidence
from analytics.metric.metric import Metric, metrics
from analytics.metric.sums import compute_unstored_sums
from analytics.questions.compare.judge import UNPAIRED, judge_for_page
from analytics.questions.compare.lines import estimate_levels, estimate_paired_difference
from analytics.questions.compare.pace import load_match_seconds
from analytics.questions.compare.stored import StoredComparison, list_comparisons
from analytics.stats.capital import FEWEST_DEALS
from analytics.verdict.design import Design, make_design
from analytics.verdict.results import Comparison, Contrast, Line
from analytics.verdict.terms import MAIN_METRICS, Terms, make_terms
from analytics.verdict.verdicts import NONE
from boardgames.errors import BoardgamesError, FileInUse, InvalidInput, TooMuchUnstored
from boardgames.game.plugins import find_stored_variant
from boardgames.store.connection import keep_open_for_reading
from dashboard.data.answers import can_measure
from dashboard.data.cache import cache_by_arguments, cache_until_changed
from dashboard.data.file import CellInfo, Contents
from dashboard.data.requests import WORKERS
from dashboard.errors import describe_error


class VerdictUnavailable(Exception):
    """Why there are no verdicts: the rules are not installed, or have changed since, or there are too few
    deals.
    """


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Some variants at one player count, by the same agents on the same luck. The cells carry how much is
    stored of them.
    """

    cells: tuple[CellInfo, ...]  # of the line-up that decides; the baseline's first
    others: tuple[CellInfo, ...] = ()  # of further agents that have played all of these variants

    @property
    def baseline(self) -> CellInfo:
        return self.cells[0]

    @property
    def agents(self) -> tuple[str, ...]:
        """The agent that decides, then the others."""
        return (self.baseline.line_up, *dict.fromkeys(cell.line_up for cell in self.others))


@cache_until_changed
def load_comparisons(db: Path) -> list[StoredComparison]:
    return list_comparisons(db)


def find_comparison(db: Path, cells: tuple[CellInfo, CellInfo]) -> StoredComparison | None:
    """The latest comparison that was asked for and compares the second cell with the first."""
    a, b = cells
    specs = (a.spec, b.spec)
    stored = load_comparisons(db)
    return next((item for item in stored if item.covers(specs, a.players, a.line_up, a.seed)), None)


@cache_by_arguments
def load_asked(
    db: Path, comparison: StoredComparison, players: int, cells: tuple[CellInfo, ...]
) -> dict[str, Contrast]:
    """The contrasts of a stored comparison at one player count, by spec: what the terminal says. `cells` are
    those that it rests on; raises VerdictUnavailable.
    """
    with _explain_missing_verdicts():
        contrasts = judge_for_page(comparison.make_design(), db, comparison.terms, players)
    return dict(zip(comparison.question.specs[1:], contrasts, strict=True))


@cache_by_arguments
def load_unasked(db: Path, setting: Setting) -> dict[str, Contrast]:
    """Everything against the baseline by the usual terms, by spec; raises VerdictUnavailable."""
    baseline = setting.baseline
    with _explain_missing_verdicts():
        variants = [find_stored_variant(cell.spec) for cell in setting.cells]
        design = make_design(variants, str(baseline.players), setting.agents, baseline.seed, False)
        _check_unchanged(design, setting)
        contrasts = judge_for_page(design, db, make_terms(setting.agents), baseline.players)
    if len(contrasts) == 1 and not (contrasts[0].lines or contrasts[0].same_rules):
        raise VerdictUnavailable("; ".join(contrasts[0].notes))
    return {cell.spec: contrast for cell, contrast in zip(setting.cells[1:], contrasts, strict=True)}


@contextmanager
def _explain_missing_verdicts() -> Iterator[None]:
    """Raise VerdictUnavailable for what no command of the reader's can change at once."""
    try:
        yield
    except (FileInUse, TooMuchUnstored):
        raise
    except BoardgamesError as error:
        raise VerdictUnavailable(describe_error(error)) from error


def _check_unchanged(design: Design, setting: Setting) -> None:
    """Raise VerdictUnavailable if today's rules would not play the stored cells."""
    changed = design.list_changed_variants(setting.baseline.players)
    for index, cell in enumerate(setting.cells):
        if index and index not in changed:
            continue
        try:
            current = design.find_cell(index, cell.players, cell.line_up).id
        except KeyError:  # no variant differs from the baseline: nothing is planned
            continue
        if current != cell.id:
            raise VerdictUnavailable("the rules, the agents or the engine have changed since these matches")


@cache_until_changed
def load_seconds(db: Path, cells: tuple[int, ...], agents: int) -> float:
    return load_match_seconds(db, cells, agents, WORKERS)


def make_comparison(
    db: Path, contrasts: Sequence[Contrast], terms: Terms, cells: Sequence[CellInfo]
) -> Comparison:
    """What the sentences about what is open need. `cells` are those of the deciding agent that playing on
    adds to.
    """
    return Comparison(
        variants=tuple(dict.fromkeys(cell.spec for cell in cells)),
        players=tuple(dict.fromkeys(contrast.players for contrast in contrasts)),
        agents=terms.agents,
        seed=cells[0].seed,
        file=str(db),
        terms=terms,
        registered=(),
        contrasts=tuple(contrasts),
        match_seconds=load_seconds(db, tuple(cell.id for cell in cells), len(terms.agents)),
    )


# ---- everything about a selection


@dataclass(frozen=True, kw_only=True)
class VariantAnswer:
    """What is known about one variant against the baseline."""

    cell: CellInfo  # the variant's
    contrast: Contrast
    terms: Terms
    asked: StoredComparison | None = None  # the comparison that it is part of
    problem: str | None = None  # why there are no verdicts


def load_answers(db: Path, setting: Setting, stored: Sequence[CellInfo]) -> list[VariantAnswer]:
    """An answer for each cell but the baseline's. `stored` are all cells of the file; raises
    TooMuchUnstored.
    """
    asked = {cell: find_comparison(db, (setting.baseline, cell)) for cell in setting.cells[1:]}
    unasked = [cell for cell, comparison in asked.items() if comparison is None]
    answers = {answer.cell: answer for answer in _load_unasked_answers(db, setting, unasked)}
    for cell, comparison in asked.items():
        if comparison is not None:
            answers[cell] = _load_asked_answer(db, setting, cell, comparison, stored)
    return [answers[cell] for cell in setting.cells[1:]]


def _load_asked_answer(
    db: Path, setting: Setting, cell: CellInfo, comparison: StoredComparison, stored: Sequence[CellInfo]
) -> VariantAnswer:
    try:
        contrasts = load_asked(db, comparison, cell.players, select_cells(comparison, stored))
    except VerdictUnavailable as error:
        return _load_without_verdicts(db, setting.baseline, cell, str(error))
    return VariantAnswer(cell=cell, contrast=contrasts[cell.spec], terms=comparison.terms, asked=comparison)


def select_cells(comparison: StoredComparison, stored: Sequence[CellInfo]) -> tuple[CellInfo, ...]:
    """The cells that a comparison rests on."""
    question = comparison.question
    agents = {players: comparison.list_agents_at(players) for players in question.players}
    return tuple(
        cell
        for cell in stored
        if cell.spec in question.specs
        and cell.seed == question.seed
        and cell.line_up in agents.get(cell.players, ())
    )


def select_deciding_cells(comparison: StoredComparison, contents: Contents) -> list[CellInfo]:
    """The cells, by today's rules, of the agent that decides a comparison."""
    cells = select_cells(comparison, list(contents.current_cells.values()))
    deciding = comparison.deciding_agents
    return [cell for cell in cells if cell.line_up == deciding[cell.players]]


def _load_unasked_answers(db: Path, setting: Setting, cells: Sequence[CellInfo]) -> Iterator[VariantAnswer]:
    """By the usual terms, all together; if one of them has no verdicts, each alone."""
    if not cells:
        return
    if not setting.baseline.has_equal_agents:  # no verdicts are promised about mixed line-ups
        for cell in cells:
            yield _load_without_verdicts(db, setting.baseline, cell, None)
        return
    terms = make_terms(setting.agents)
    try:
        contrasts = load_unasked(db, replace(setting, cells=(setting.baseline, *cells)))
        yield from (VariantAnswer(cell=cell, contrast=contrasts[cell.spec], terms=terms) for cell in cells)
    except VerdictUnavailable as error:
        if len(cells) == 1:
            yield _load_without_verdicts(db, setting.baseline, cells[0], str(error))
            return
        for cell in cells:
            yield from _load_unasked_answers(db, setting, [cell])


def _load_without_verdicts(
    db: Path, baseline: CellInfo, cell: CellInfo, problem: str | None
) -> VariantAnswer:
    contrast = load_differences(db, baseline, cell)
    return VariantAnswer(cell=cell, contrast=contrast, terms=make_terms([cell.line_up]), problem=problem)


# ---- without verdicts


@cache_by_arguments
def load_differences(db: Path, cell_a: CellInfo, cell_b: CellInfo) -> Contrast:
    """The stored differences without verdicts, which need the rules: these say how far a match can move."""
    wanted = [
        metric
        for metric in metrics().values()
        if metric.kind in ("mean", "ratio") and can_measure(metric, cell_a) and can_measure(metric, cell_b)
    ]
    with keep_open_for_reading(db):
        evidence, notes = _load_pair_evidence(db, cell_a, cell_b, wanted)
    deals = min(cell_a.deals, cell_b.deals)
    return Contrast(
        a=cell_a.variant,
        b=cell_b.variant,
        players=cell_a.players,
        agent=cell_a.line_up,
        changes=(),
        paired=not notes,
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


def _load_pair_evidence(
    db: Path, cell_a: CellInfo, cell_b: CellInfo, wanted: Sequence[Metric]
) -> tuple[Evidence, tuple[str, ...]]:
    """The evidence, and why it is not paired if it is not."""
    cells = (cell_a.id, cell_b.id)
    notes: tuple[str, ...] = ()
    try:
        unstored = compute_unstored_sums(db, [cells])
    except InvalidInput:  # other agents' code, another engine: their deals are not the same
        unstored = compute_unstored_sums(db, [cells], shares_luck=False)
        notes = (UNPAIRED,)
    return load_evidence(db, cells, wanted, [cells], unstored=unstored), notes


def _make_line(metric: Metric, part: str, evidence: Evidence, a: int, b: int) -> Line:
    difference = estimate_paired_difference(evidence, metric, part, a, b)
    before, after = estimate_levels(evidence, metric, part, (a, b), difference)
    return Line(
        metric=metric.name,
        part=part,
        unit=metric.unit,
        is_main=metric.name in MAIN_METRICS,
        a=before,
        b=after,
        difference=difference,
        low=math.nan,
        high=math.nan,
        is_informative=difference.has_interval and difference.deals >= FEWEST_DEALS,
        threshold=Terms(agents=()).find_threshold(metric, before.mean),
        within=math.nan,
        effect=math.nan,
        pairing=math.nan,
        verdict=NONE,
        problem="",
        more=None,
    )
