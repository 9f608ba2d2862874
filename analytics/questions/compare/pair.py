"""Two variants at one player count, with what the result file has about them. All pairs of a comparison at
one player count are read together: reading takes longer than judging.
"""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pyarrow as pa

from analytics.metric import chance_race as race
from analytics.metric.evidence import Evidence, load_evidence
from analytics.metric.metric import Metric, find_metric, metrics
from analytics.metric.sums import NOTHING_UNSTORED, UnstoredSums, compute_unstored_sums, fill_sums
from analytics.questions.compare.lines import LineRequest, PairedCells, make_line
from analytics.verdict.design import Design, make_head_to_head_line_up, shares_luck
from analytics.verdict.results import Line
from analytics.verdict.terms import Terms
from boardgames.game.variant import Variant
from boardgames.play.estimates import ErrorBudget
from boardgames.store.connection import get_connection, keep_open_for_reading, open_for_reading

AFFECTED = "affected"  # the question beside the main metrics: which matches play out differently
LEFT_OUT = """
SELECT coalesce(sum(matches), 0) FROM cells
WHERE list_contains($names, variant) AND list_contains($agents, line_up)
    AND players = $players AND seed = $seed AND NOT list_contains($cells, cell_id)
"""


@dataclass(frozen=True, kw_only=True)
class Records:
    """What the result file has about all pairs of a comparison at one player count."""

    evidence: Evidence = field(default_factory=Evidence)
    calibrated: frozenset[int] = frozenset()  # deciding cells whose evaluation predicts who wins
    left_out: Mapping[int, int] = field(default_factory=dict)  # matches of other rules, by index of a variant


@dataclass(frozen=True, kw_only=True)
class VariantPair:
    """A and one other variant at one player count, with what the result file has about them."""

    design: Design
    db: Path
    terms: Terms
    index: int  # of the other variant
    players: int
    only_main: bool = False  # read nothing but the main metrics
    records: Records = field(default_factory=Records, repr=False)

    @property
    def variants(self) -> tuple[Variant, Variant]:
        return self.design.variants[0], self.design.variants[self.index]

    @functools.cached_property
    def agents(self) -> tuple[str, ...]:
        """Who plays with this many players, from weak to strong; the first one decides."""
        found = [self.design.find_agent_at(agent, self.players) for agent in self.terms.agents]
        return tuple(dict.fromkeys(found))

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
        return {agent: self.find_cells(agent) for agent in self.agents}

    @functools.cached_property
    def head_to_heads(self) -> dict[tuple[str, str], tuple[int, int]]:
        """The pair of cells of each (strong, weak) pair of agents."""
        neighbours = [
            (self.design.find_agent_at(strong, self.players), self.design.find_agent_at(weak, self.players))
            for strong, weak in self.design.list_neighbouring_agents()
        ]
        return {
            agents: self.find_cells(make_head_to_head_line_up(*agents, self.players)) for agents in neighbours
        }

    @property
    def deciding_cells(self) -> tuple[int, int]:
        return self.cells_by_agent[self.agents[0]]

    @functools.cached_property
    def metrics(self) -> list[Metric]:
        """All metrics that these cells can have, the main ones required; some mean nothing across games."""
        by_name = {**metrics(), **{name: find_metric(name) for name in self.terms.main_metrics}}
        return [
            metric
            for metric in by_name.values()
            if metric.comparison_problem is None
            and self.players in metric.players
            and (metric.across_games or self.is_paired)
        ]

    @property
    def cell_pairs(self) -> list[tuple[int, int]]:
        """All pairs of cells whose differences are asked for."""
        return [*self.cells_by_agent.values(), *self.head_to_heads.values()]

    @property
    def evidence(self) -> Evidence:
        return self.records.evidence

    @property
    def is_calibrated(self) -> bool:
        """Whether leads by evaluation can be compared with a race of pure luck."""
        return self.records.calibrated >= {*self.deciding_cells}

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

    def find_budget(self, metric: Metric, part: str) -> ErrorBudget:
        """The part of the allowed error that a line has: the parts of a metric share what the metric has."""
        parts = [own for other, own in self.metric_parts if other.name == metric.name]
        return self._budget_questions(metric.name in self.terms.main_metrics)[metric.name].split(*parts)[part]

    @property
    def affected_budget(self) -> ErrorBudget:
        return self._budget_questions(is_main=True)[AFFECTED]

    def _budget_questions(self, is_main: bool) -> dict[str, ErrorBudget]:
        """What each question has, not each line.

        The main metrics and whether matches are affected have one budget together, over all contrasts; the
        other metrics have another.
        """
        players = self.design.players
        contrasts = [(n, index) for n in players for index in self.design.list_changed_variants(n)]
        kind = "main metrics" if is_main else "other metrics"
        budget = ErrorBudget(self.terms.alpha, f"{kind} of {self.design.name}")
        names = [name for name in self.metric_names if (name in self.terms.main_metrics) == is_main]
        own = budget.split(*contrasts)[self.players, self.index]
        return own.split(*names, *[AFFECTED] * is_main)

    @functools.cached_property
    def metric_names(self) -> list[str]:
        """The metrics that have a line, each once."""
        return list(dict.fromkeys(metric.name for metric, _ in self.metric_parts))

    @functools.cached_property
    def seatings(self) -> int:
        """Matches of a deal by the deciding agent."""
        return self.design.find_cell(0, self.players, self.agents[0]).seating_count

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

    def make_line(self, metric: Metric, part: str) -> Line:
        request = LineRequest(
            metric=metric,
            part=part,
            alpha=self.find_budget(metric, part),
            seatings=self.seatings,
            is_calibrated=self.is_calibrated,
        )
        terms = replace(self.terms, agents=self.agents)
        return make_line(self.pair_cells(self.deciding_cells), request, terms, self.other_agents)


def load_pairs(pair: VariantPair, indexes: Sequence[int], *, stores_sums: bool = True) -> list[VariantPair]:
    """The same question about each variant at these indexes, with what the file has about all of them.

    Sums that are missing are stored; for a page, which only reads, they are worked out for this one look.
    """
    pairs = [replace(pair, index=index) for index in indexes]
    if not pairs:
        return []
    if stores_sums:
        for other in pairs:
            fill_sums(pair.db, other.cell_pairs, other.metrics, shares_luck=other.is_paired)
    with keep_open_for_reading(pair.db):
        unstored = NOTHING_UNSTORED if stores_sums else _compute_unstored_sums(pairs)
        records = Records(
            evidence=_load_evidence(pairs, unstored),
            calibrated=frozenset() if pair.only_main else _find_calibrated_cells(pairs),
            left_out={} if pair.only_main else _count_left_out(pairs),
        )
    return [replace(other, records=records) for other in pairs]


def _compute_unstored_sums(pairs: Sequence[VariantPair]) -> UnstoredSums:
    unstored = [
        compute_unstored_sums(pair.db, pair.cell_pairs, pair.metrics, shares_luck=pair.is_paired)
        for pair in pairs
    ]
    tables = [sums.pair for sums in unstored if sums.pair is not None]
    return UnstoredSums(unstored[0].slice, pa.concat_tables(tables) if tables else None)


def _load_evidence(pairs: Sequence[VariantPair], unstored: UnstoredSums) -> Evidence:
    wanted = {metric.name: metric for pair in pairs for metric in pair.read_metrics}
    cell_pairs = [cells for pair in pairs for cells in pair.cell_pairs]
    cells = list(dict.fromkeys(cell for pair_cells in cell_pairs for cell in pair_cells))
    return load_evidence(pairs[0].db, cells, list(wanted.values()), cell_pairs, unstored=unstored)


def _find_calibrated_cells(pairs: Sequence[VariantPair]) -> frozenset[int]:
    cells = {cell for pair in pairs for cell in pair.deciding_cells}
    return frozenset(cell for cell in cells if race.measure_calibration(pairs[0].db, cell).holds)


def _count_left_out(pairs: Sequence[VariantPair]) -> dict[int, int]:
    """Stored matches of the same names that other rules, agents or engines played."""
    left_out = {}
    with open_for_reading(pairs[0].db) as session:
        for pair in pairs:
            values = {
                "players": pair.players,
                "seed": pair.design.seed,
                "agents": list(pair.cells_by_agent),
                "cells": [cell for agent_cells in pair.cells_by_agent.values() for cell in agent_cells],
                "names": [variant.name for variant in pair.variants],
            }
            (left_out[pair.index],) = get_connection(session).execute(LEFT_OUT, values).fetchone()
    return left_out
