"""From the file to a Comparison: sums in, verdicts out. Plays nothing."""

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric import chance_race as race
from analytics.metric.evidence import Evidence, gather
from analytics.metric.lift import win_lift
from analytics.metric.metric import Metric, find_metric, metrics
from analytics.questions.compare.lines import Pair, make_line, ordinary
from analytics.stats.intervals import Estimate, Sums, block_share, rescale, share_bounds
from analytics.verdict.design import Design, changes, duel, shares_luck
from analytics.verdict.results import Comparison, Contrast, Duel, Line
from analytics.verdict.terms import Registered, Terms
from analytics.verdict.verdicts import Luck
from analytics.words import doubt, share_of_wins, sign
from boardgames.errors import BadInput
from boardgames.game.variant import Variant
from boardgames.store.connection import connection, reading

UNPAIRED = "compared as independent matches: they share no luck"


def judge(design: Design, path: Path, terms: Terms, registered: Sequence[Registered] = (), unpaired: bool = False) -> Comparison:
    """What the stored matches say about a comparison, by its terms."""
    places = [(place, n) for n in design.players for place in range(1, len(design.variants))]
    return Comparison(
        variants=tuple(variant.name for variant in design.variants),
        players=design.players,
        agents=terms.agents,
        seed=design.seed,
        file=str(path),
        terms=terms,
        registered=tuple(registered),
        contrasts=tuple(_contrast(design, path, terms, place, n, unpaired) for place, n in places),
        reconstructed=tuple(variant.name for variant in design.variants if variant.game.reconstructed),
    )


def primary_lines(design: Design, path: Path, terms: Terms, unpaired: bool = False) -> list[tuple[int, Line]]:
    """The lines that verdicts are about, with the matches of a block: what one needs to know whether to play on."""
    found = []
    for n in design.players:
        for case in [Case(design, path, terms, place, n, unpaired) for place in design.others(n)]:
            asked = [(metric, part) for metric, part in case.asked if metric.name in terms.primaries]
            lines = [make_line(case.pair, metric, part, case.alpha(True), False) for metric, part in asked]
            found += [(case.pair.seatings, line) for line in lines]
    return found


def check_luck(design: Design, unpaired: bool) -> None:
    """Refuse, before anything is played, to pair what has no luck in common."""
    for other in design.variants[1:]:
        if not unpaired and not shares_luck(design.variants[0], other):
            raise BadInput(
                f"{design.variants[0].name} and {other.name} share no luck: they have other streams of chance or other actions, "
                "so their blocks are no pairs. --unpaired compares them as independent matches"
            )


@dataclass(frozen=True)
class Case:
    """A and one other variant at one player count, with what the file has about them."""

    design: Design
    path: Path
    terms: Terms
    place: int  # of the other variant
    players: int
    unpaired: bool

    @property
    def variants(self) -> tuple[Variant, Variant]:
        return self.design.variants[0], self.design.variants[self.place]

    def cells(self, line_up: str) -> tuple[int, int]:
        here, there = (self.design.cell(place, self.players, line_up).id for place in (0, self.place))
        return here, there

    @functools.cached_property
    def rungs(self) -> dict[str, tuple[int, int]]:
        """The pair of cells of each rung; the first one decides."""
        return {rung: self.cells(rung) for rung in self.terms.agents}

    @functools.cached_property
    def duels(self) -> dict[tuple[str, str], tuple[int, int]]:
        return {pair: self.cells(duel(*pair, self.players)) for pair in self.design.rungs()}

    @property
    def first(self) -> tuple[int, int]:
        return self.rungs[self.terms.agents[0]]

    @functools.cached_property
    def wanted(self) -> list[Metric]:
        """All metrics that can be asked of these cells, the primaries by name; some mean nothing across games."""
        all_of_them = {**metrics(), **{name: find_metric(name) for name in self.terms.primaries}}
        several = [metric for metric in all_of_them.values() if metric.kind != "rows" and self.players in metric.players]
        return [metric for metric in several if metric.across_games or shares_luck(*self.variants)]

    @functools.cached_property
    def evidence(self) -> Evidence:
        pairs = [*self.rungs.values(), *self.duels.values()]
        cells = [cell for pair in pairs for cell in pair]
        found = gather(self.path, cells, self.wanted, [] if self.unpaired else pairs)
        if self.unpaired:
            make_independent(found, pairs)
        return found

    @functools.cached_property
    def asked(self) -> list[tuple[Metric, str]]:
        """The metrics and parts that both cells have."""
        a, b = ({m.name: self.evidence.parts(m, cell) for m in self.wanted} for cell in self.first)
        alike = [metric for metric in self.wanted if metric.line_ups != "mixed"]
        return [(metric, part) for metric in alike for part in a[metric.name] if part in b[metric.name]]

    def alpha(self, primary: bool) -> float:
        """The part of one line: the primaries share one alpha over all contrasts, with the touched share; the others another."""
        contrasts = sum(len(self.design.others(n)) for n in self.design.players)
        lines = sum((metric.name in self.terms.primaries) == primary for metric, _ in self.asked)
        return self.terms.alpha / ((lines + primary) * contrasts)

    @functools.cached_property
    def pair(self) -> Pair:
        blocks, seen = self.evidence.shared(*self.first), self.evidence.touched.get((*self.first, "touched_blocks"))
        luck = Luck(blocks, round(seen.total) if seen else blocks, self.alpha(True))
        rungs = [(rung, *cells) for rung, cells in self.rungs.items() if cells != self.first and self.evidence.shared(*cells) > 1]
        seatings = len(self.design.cell(0, self.players, self.terms.agents[0]).table.seatings)
        return Pair(self.evidence, self.terms, self.variants, self.players, *self.first, seatings, luck, tuple(rungs))


def _contrast(design: Design, path: Path, terms: Terms, place: int, players: int, unpaired: bool) -> Contrast:
    case = Case(design, path, terms, place, players, unpaired)
    names, told = [variant.name for variant in case.variants], tuple(changes(*case.variants))
    contrast = Contrast(names[0], names[1], players, terms.agents[0], told, paired=not unpaired)
    if place not in design.others(players):
        return replace(contrast, same_rules=True)
    blocks = case.evidence.shared(*case.first)
    if blocks < 2:
        note = "there are no shared blocks yet" if blocks == 0 else "one block gives no interval: 2 are needed"
        return replace(contrast, notes=(note,))
    contrast = replace(contrast, blocks=blocks, matches=blocks * case.pair.seatings, lines=_lines(case), notes=_notes(case))
    here, there = (tuple(win_lift(path, cell, find_metric("win_lift"))) for cell in case.first)
    fought = {rungs: cells for rungs, cells in case.duels.items() if case.evidence.shared(*cells) > 1}
    found = tuple(_duel(case.evidence, players, *rungs, *cells) for rungs, cells in fought.items())
    return replace(contrast, lifts=(here, there), duels=found, **({} if unpaired else _touched(case, contrast)))


def _lines(case: Case) -> tuple[Line, ...]:
    calibrated = all(race.calibration(case.path, cell).holds for cell in case.first)
    alphas = {primary: case.alpha(primary) for primary in (True, False)}
    return tuple(make_line(case.pair, m, part, alphas[m.name in case.terms.primaries], calibrated) for m, part in case.asked)


def _touched(case: Case, contrast: Contrast) -> dict[str, Any]:
    """How much of the game the change touched, and what sharing the rest of the luck saved."""
    share = block_share(*case.evidence.touched[(*case.first, "touched")])
    low, high = share_bounds(case.pair.luck.touched, contrast.blocks, case.pair.luck.alpha)
    return {"touched": share, "touched_low": low, "touched_high": high, "saved": _saved(contrast.lines, contrast.matches)}


def _notes(case: Case) -> tuple[str, ...]:
    """Matches under the same names by other rules, agents or engines are never mixed in; and that is said."""
    query = """SELECT coalesce(sum(matches), 0) FROM cells WHERE list_contains($names, variant) AND list_contains($agents, line_up)
        AND players = $players AND seed = $seed AND NOT list_contains($cells, cell_id)"""
    about = {"players": case.players, "seed": case.design.seed, "agents": list(case.rungs)}
    cells, names = [cell for pair in case.rungs.values() for cell in pair], [variant.name for variant in case.variants]
    with reading(case.path) as session:
        (matches,) = connection(session).execute(query, {**about, "cells": cells, "names": names}).fetchone()
    others = f"{matches:,} stored matches of the same names are left out: their rules, agents or engine were others"
    silent = [_no_answer(case, find_metric(name)) for name in case.terms.primaries if name not in {m.name for m, _ in case.asked}]
    return (*([UNPAIRED] if case.unpaired else []), *([others] if matches else []), *silent)


def _no_answer(case: Case, metric: Metric) -> str:
    """Why a metric that somebody named has no line."""
    if metric.line_ups == "mixed":
        why = "it takes different agents at one table, and a comparison has the same agent in all seats"
    elif case.players not in metric.players:
        why = f"it is not asked of {case.players} players"
    elif metric not in case.wanted:
        why = "it means nothing across games"
    else:
        why = "no stored match of both variants has such a value"
    return f"{metric.name} has no answer here: {why}; `boardgames metrics {metric.name}` explains it"


def make_independent(evidence: Evidence, pairs: Sequence[tuple[int, int]]) -> None:
    """In place of paired differences, those of independent means (Welch): as if n blocks had scattered so much."""
    for name, sums in evidence.sums.items():
        for a, b in pairs:
            for (cell, part), here in list(sums.items()):
                if cell == a and (there := sums.get((b, part))) and min(here.blocks, there.blocks) > 1:
                    evidence.differences[name][a, b, part] = independent(here, there)


def independent(a: Sums, b: Sums) -> Sums:
    """Sums of n blocks whose mean is b - a and whose standard error is that of a difference of independent means."""
    n = min(a.blocks, b.blocks)
    mean, variance = b.total / b.blocks - a.total / a.blocks, n * (a.variance / a.blocks + b.variance / b.blocks)
    return Sums(n, n * mean, variance * (n - 1) + n * mean**2)


def _saved(lines: Sequence[Line], matches: int) -> int:
    """Matches of both variants that separate luck would have taken more, for the same precision of a typical primary."""
    ratios = [line.pairing for line in lines if line.primary and math.isfinite(line.pairing)]
    return max(0, round(2 * matches * (float(np.median(ratios)) - 1))) if ratios else 0


def _duel(evidence: Evidence, players: int, strong: str, weak: str, a: int, b: int) -> Duel:
    """How often the stronger one wins, in both variants; doubtful where its edge clearly differs by more than the margin."""
    edge = find_metric("skill_edge")
    here, there = (share_of_wins(evidence.estimate(edge, cell, "1"), players) for cell in (a, b))
    difference: Estimate = ordinary(evidence, edge, "1", a, b)
    doubtful = bool(sign(difference)) and abs(difference.mean) > edge.margin
    told = doubt(strong, weak, players, here, there, doubtful)
    return Duel(strong, weak, here, there, rescale(difference, 1 - 1 / players), doubtful, told)
