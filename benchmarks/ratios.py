"""How often does the always-valid interval of a ratio exclude the true difference? Deals are drawn as tops
and bases of two variants, and go through all that verdicts rest on: tangents, numbers, counts, bounds, shift.

Only the search for suspicious looks is quick and rough; what is then asked is `PairedCells.compute_interval`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from analytics.metric.evidence import Evidence
from analytics.metric.linearize import COMMON, OWN, FirstSums, choose_counts, fit_tangents, list_first_ends
from analytics.metric.metric import find_metric
from analytics.questions.compare.lines import PairedCells
from analytics.stats.capital import SPARSE
from analytics.stats.intervals import Units
from benchmarks.sequences import NEVER, list_looks
from boardgames import find_variant
from boardgames.plan.counts import Counts
from boardgames.play.batch import SLICE

Array = np.ndarray[Any, Any]
A, B = 1, 2  # cells
SUSPICIOUS = 2.3  # standard errors from the truth; an alarm takes about three
GROUPS = 512  # of slices, as `analytics.metric.evidence` makes them


class Deals(NamedTuple):
    """The tops and bases of two variants, deal by deal."""

    top_a: Array
    base_a: Array
    top_b: Array
    base_b: Array

    def mirror(self) -> "Deals":
        return Deals(self.top_b, self.base_b, self.top_a, self.base_a)


class RatioCase(NamedTuple):
    """How deals are drawn, for which metric, and the true difference b - a."""

    name: str
    metric: str
    draw: Callable[[np.random.Generator, int], Deals]
    truth: float = 0.0
    variants: tuple[str, str] = ("pig", "pig")  # whose declared ranges bound the tops
    players: int = 2

    def mirror(self) -> "RatioCase":
        return self._replace(
            name=f"{self.name}, the other way",
            draw=lambda rng, deals: self.draw(rng, deals).mirror(),
            truth=-self.truth,
            variants=self.variants[::-1],
        )


def find_ratio_alarms(
    case: RatioCase, rng: np.random.Generator, sequences: int, alpha: float, looks: Array | None = None
) -> Array:
    """For each sequence, the number of deals at its first false alarm; NEVER if there is none."""
    looks = list_looks() if looks is None else looks
    return np.array(
        [find_ratio_alarm(case, case.draw(rng, int(looks[-1])), looks, alpha) for _ in range(sequences)]
    )


def find_ratio_alarm(case: RatioCase, deals: Deals, looks: Array, alpha: float) -> int:
    sequence = Sequence(case, deals)
    for look in sequence.list_suspicious_looks(looks, case.truth):
        interval = sequence.make_cells(int(look)).compute_interval(sequence.metric, "", alpha)
        if case.truth < interval.low or case.truth > interval.high:
            return int(look)
    return NEVER


class Sequence:
    """Deals that come one after the other, and what the product makes of the first of them."""

    def __init__(self, case: RatioCase, deals: Deals) -> None:
        self.metric = find_metric(case.metric)
        self.variants = (find_variant(case.variants[0]), find_variant(case.variants[1]))
        self.players = case.players
        self.columns = {A: (deals.top_a, deals.base_a), B: (deals.top_b, deals.base_b)}
        self.first = 0  # the number of deals from which on there are numbers
        self.numbers: dict[str, Array] = {}
        self._linearize()

    def _linearize(self) -> None:
        deals = len(self.columns[A][0])
        ends = list_first_ends(deals)
        sums = {cell: FirstSums.of(ends, *columns) for cell, columns in self.columns.items()}
        for count in range(1, len(ends) + 1):
            known = {
                cell: FirstSums(*(column[:count] for column in of_cell)) for cell, of_cell in sums.items()
            }
            if fit_tangents(self.metric, known):
                self.first = int(ends[count - 1])
                break
        else:
            return
        tangents = fit_tangents(self.metric, sums)
        assert tangents is not None
        slices = np.arange(deals) // SLICE
        for kind in (OWN, COMMON):
            a, b = (tangents[cell, kind].compute_numbers(slices, *self.columns[cell]) for cell in (A, B))
            self.numbers[kind] = (b - a).round(12)

    def list_suspicious_looks(self, looks: Array, truth: float) -> Array:
        """The looks at which the difference is far from the truth, in standard errors."""
        if not self.numbers:
            return looks[:0]
        looks = looks[looks >= self.first]
        means = [[column.cumsum()[looks - 1] / looks for column in self.columns[cell]] for cell in (A, B)]
        a, b = (self.metric.formula(*of_cell) for of_cell in means)
        is_rare = np.mean(self.numbers[COMMON] != 0) < 2 * SPARSE
        errors = [self._compute_errors(self.numbers[kind], looks) for kind in (OWN, COMMON)[: 1 + is_rare]]
        return looks[np.abs(b - a - truth) > SUSPICIOUS * np.min(errors, axis=0)]

    def _compute_errors(self, numbers: Array, looks: Array) -> Array:
        """By what was seen up to a look, or in the end if that is less."""
        mean, square = (values.cumsum()[looks - 1] / looks for values in (numbers, numbers**2))
        variances = np.minimum(np.maximum(square - mean**2, 0.0), numbers.var())
        return np.asarray(np.sqrt(variances / looks))

    def make_cells(self, deals: int) -> PairedCells:
        """The pair as it is after some of the deals."""
        counts = choose_counts(*(Counts.of(self.numbers[kind][:deals]) for kind in (OWN, COMMON)))
        units = {(cell, ""): self._make_units(cell, deals) for cell in (A, B)}
        evidence = Evidence(units={self.metric.name: units}, counts={self.metric.name: {(A, B, ""): counts}})
        return PairedCells(evidence=evidence, variants=self.variants, players=self.players, a=A, b=B)

    def _make_units(self, cell: int, deals: int) -> Units:
        size = SLICE << max(0, ((deals - 1) // SLICE // GROUPS).bit_length())
        starts = np.arange(0, deals, size)
        sizes = np.diff(np.append(starts, deals)).astype(np.float64)
        top, base = (np.add.reduceat(column[:deals], starts) for column in self.columns[cell])
        return Units(starts.astype(np.float64), sizes, top, base)


# ---- planted cases

RATIO = 0.3  # of decisions that are forced
FEW = 4.0  # decisions of the shorter variant
TIMES = (2, 4, 10, 50)


def draw_lengths(rng: np.random.Generator, mean: float, deals: int) -> Array:
    """The number of decisions: most matches are short, a few are long."""
    return rng.geometric(1 / mean, deals).astype(np.float64)


def make_decisions(times: float, *, tops_go_with_bases: bool) -> Callable[[np.random.Generator, int], Deals]:
    """Forced decisions of two variants, one of them several times as long; both have the same share."""

    def draw_variant(rng: np.random.Generator, mean: float, deals: int) -> tuple[Array, Array]:
        base = draw_lengths(rng, mean, deals)
        top = (
            rng.binomial(base.astype(np.int64), RATIO)
            if tops_go_with_bases
            else rng.poisson(RATIO * mean, deals)
        )
        return top.astype(np.float64), base

    return lambda rng, deals: Deals(*draw_variant(rng, FEW, deals), *draw_variant(rng, FEW * times, deals))


def make_events(
    chance_a: float, chance_b: float, ratio: float = 0.5
) -> Callable[[np.random.Generator, int], Deals]:
    """Something happens in a share of the deals, another one in each variant, and then often succeeds."""

    def draw_variant(rng: np.random.Generator, chance: float, deals: int) -> tuple[Array, Array]:
        base = rng.random(deals) < chance
        return (base & (rng.random(deals) < ratio)).astype(np.float64), base.astype(np.float64)

    return lambda rng, deals: Deals(*draw_variant(rng, chance_a, deals), *draw_variant(rng, chance_b, deals))


def make_longer_end(times: float) -> Callable[[np.random.Generator, int], Deals]:
    """Both play alike, and b then always goes on for as many decisions, of which the same share is forced."""

    def draw(rng: np.random.Generator, deals: int) -> Deals:
        base = draw_lengths(rng, FEW, deals)
        top = rng.binomial(base.astype(np.int64), RATIO).astype(np.float64)
        more = (times - 1) * FEW
        return Deals(top, base, top + RATIO * more, base + more)

    return draw


def make_rare_change(share: float, times: float = 1.0) -> Callable[[np.random.Generator, int], Deals]:
    """Both play alike except in a share of the deals, which are drawn anew."""

    def draw(rng: np.random.Generator, deals: int) -> Deals:
        a = make_decisions(times, tops_go_with_bases=True)(rng, deals)
        is_other = rng.random(deals) < share
        return Deals(
            a.top_a,
            a.base_a,
            *(np.where(is_other, x, y) for x, y in ((a.top_b, a.top_a), (a.base_b, a.base_a))),
        )

    return draw


def draw_lognormal_scores(rng: np.random.Generator, deals: int) -> Deals:
    """Means of the squared score and of the score."""
    a, b = (rng.lognormal(0.0, 1.0, deals) for _ in range(2))
    return Deals(a**2, a, b**2, b)


def list_ratio_cases() -> list[RatioCase]:
    """Of each, a has the smaller base."""
    cases = [
        RatioCase(
            f"bases {times} times, {words}", "forced_share", make_decisions(times, tops_go_with_bases=goes)
        )
        for times in TIMES
        for goes, words in ((True, "tops go with bases"), (False, "tops do not"))
    ]
    cases += [
        RatioCase(f"base in {100 * a:g}% and {100 * b:g}% of the deals", "comeback", make_events(a, b))
        for a, b in (
            (0.02, 0.02),
            (0.05, 0.05),
            (0.02, 0.04),
            (0.02, 0.2),
            (0.06, 0.6),
            (0.02, 0.98),
            (0.004, 0.024),
        )
    ]
    cases += [
        RatioCase(f"the same, then {times:g} times as long", "forced_share", make_longer_end(times))
        for times in (1.5, 10.0)
    ]
    cases += [
        RatioCase(f"{share:.1%} of the deals change", "forced_share", make_rare_change(share))
        for share in (0.002, 0.02, 0.05)
    ]
    return cases


def list_ratio_traps() -> list[RatioCase]:
    return [RatioCase("score spread of lognormal scores", "score_spread", draw_lognormal_scores)]
