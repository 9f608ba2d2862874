"""How often verdicts are wrong, and how many deals they take: the tables of docs/why/evidence.md.

    python -m benchmarks.evidence > tables.md
    python -m benchmarks.evidence --sequences 500 --effects 200 --real 50 --matches 1000    # a few minutes

Prints Markdown; progress goes to the other stream. The same options give the same tables.
"""

import argparse
import math
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from benchmarks.gsprt import find_gsprt_alarm
from benchmarks.planted_cases import Case, draw_from, draw_normal, list_cases, list_traps
from benchmarks.ratios import RatioCase, find_ratio_alarms, list_ratio_cases, list_ratio_traps
from benchmarks.real_differences import (
    BASE_PAIRS,
    PAIRS,
    PLAYERS,
    Differences,
    RatioDeals,
    collect_differences,
    draw_again,
    draw_flipped,
)
from benchmarks.sequences import (
    NEVER,
    Hypothesis,
    excludes_mean,
    find_alarms,
    find_suspicious_looks,
    is_refuted_at,
    list_looks,
)

Array = np.ndarray[Any, Any]
ALPHA = 0.05 / 7  # of one of six main metrics and the affected share
MOST_ALARMS = 1.5 * ALPHA  # what the upper bound of a rate must stay below
EFFECTS = (0.55, 0.3, 0.2, 0.1, 0.07)  # true differences, in standard deviations
TARGETS = {"normal": (64, 192, 384, 1536, 3264), "win shares": (128, 192, 320, 1344, 2752)}
DECISIVE = 0.5  # the share of deals with another winner, among win shares


class Rate(NamedTuple):
    """How many of these sequences gave a false alarm."""

    alarms: int
    sequences: int

    @property
    def bounds(self) -> tuple[float, float]:
        """The 95% interval of Clopper and Pearson."""
        interval = stats.binomtest(self.alarms, self.sequences).proportion_ci(0.95, "exact")
        return float(interval.low), float(interval.high)

    @property
    def is_low(self) -> bool:
        return self.bounds[1] < MOST_ALARMS

    def add(self, other: "Rate") -> "Rate":
        return Rate(self.alarms + other.alarms, self.sequences + other.sequences)

    def format(self) -> str:
        """As three cells of a table."""
        low, high = self.bounds
        share = self.alarms / self.sequences
        return f"{self.alarms} of {self.sequences:,}|{share:.4f}|{low:.4f} to {high:.4f}"


def measure_rate(
    draw: Callable[[], Array], sequences: int, hypothesis: Hypothesis, looks: Array | None = None
) -> Rate:
    """How often the true mean is refuted at one of the looks."""
    looks = list_looks() if looks is None else looks
    alarms = find_alarms((draw() for _ in range(sequences)), looks, hypothesis)
    return Rate(int((alarms != NEVER).sum()), sequences)


def measure_case(case: Case, rng: np.random.Generator, sequences: int, alpha: float = ALPHA) -> Rate:
    looks = list_looks()
    hypothesis = Hypothesis(0.0, (-case.reach, case.reach), alpha)
    return measure_rate(lambda: case.draw(rng, looks[-1]), sequences, hypothesis, looks)


# ---- the tables


def tabulate_planted_cases(rng: np.random.Generator, sequences: int) -> Iterator[str]:
    yield f"|case|bound|false alarms|rate|95% interval|below {MOST_ALARMS:.4f}?|"
    yield "|---|--:|--:|--:|--:|---|"
    for case in list_cases():
        report(case.name)
        rate = measure_case(case, rng, sequences)
        yield f"|{case.name}|{case.reach:.3g}|{rate.format()}|{_say_yes(rate.is_low)}|"


def _say_yes(holds: bool) -> str:
    return "yes" if holds else "**no**"


def tabulate_ratios(rng: np.random.Generator, sequences: int) -> Iterator[str]:
    """Half of the sequences with a and b the other way round."""
    yield f"|case|false alarms|rate|95% interval|interval above {ALPHA:.4f}?|"
    yield "|---|--:|--:|--:|---|"
    for case in list_ratio_cases():
        one_way, other_way = (measure_ratio_case(c, rng, sequences // 2) for c in (case, case.mirror()))
        rate = one_way.add(other_way)
        report(f"{case.name}: {one_way.alarms} and {other_way.alarms} of {sequences // 2}")
        yield f"|{case.name}|{rate.format()}|{'**yes**' if rate.bounds[0] > ALPHA else 'no'}|"


def measure_ratio_case(
    case: RatioCase, rng: np.random.Generator, sequences: int, alpha: float = ALPHA
) -> Rate:
    """How often the interval of a ratio's difference excludes the true one at one of the looks."""
    alarms = find_ratio_alarms(case, rng, sequences, alpha)
    return Rate(int((alarms != NEVER).sum()), sequences)


def tabulate_traps(rng: np.random.Generator, sequences: int) -> Iterator[str]:
    yield "|case|bound|false alarms|rate|95% interval|"
    yield "|---|--:|--:|--:|--:|"
    for ratio_case in list_ratio_traps():
        rate = measure_ratio_case(ratio_case, rng, sequences)
        yield f"|{ratio_case.name}|none|{rate.format()}|"
    for case, near in list_traps():
        report(case.name)
        reaches = [case.reach] if near is None else [case.reach, near]
        rates = [measure_case(case._replace(reach=reach), rng, sequences) for reach in reaches]
        cells = [f"{reach:.3g}|{rate.format()}" for reach, rate in zip(reaches, rates, strict=True)]
        yield from (f"|{case.name}|{text}|" for text in cells)


def tabulate_deals(rng: np.random.Generator, sequences: int) -> Iterator[str]:
    yield "|true difference, sd|" + "|".join(f"{effect:g}" for effect in EFFECTS) + "|"
    yield "|---|" + "--:|" * len(EFFECTS)
    yield _format_row("fixed size, 50% power", [count_fixed_deals(effect) for effect in EFFECTS])
    for name, targets in TARGETS.items():
        report(name)
        medians = [measure_median(name, effect, rng, sequences) for effect in EFFECTS]
        yield _format_row(f"{name}: ours", medians)
        yield _format_row(f"{name}: the goal", [round(1.1 * target) for target in targets])
    report("GSPRT")
    for name, tuned in (("0.1 sd", [0.1] * len(EFFECTS)), ("the truth", EFFECTS)):
        medians = [measure_gsprt_median(*pair, rng, sequences) for pair in zip(EFFECTS, tuned, strict=True)]
        yield _format_row(f"win shares: GSPRT tuned to {name}", medians)


def _format_row(name: str, numbers: Sequence[float]) -> str:
    return f"|{name}|" + "|".join("never" if math.isinf(n) else f"{n:,.0f}" for n in numbers) + "|"


def count_fixed_deals(effect: float) -> int:
    """The deals at which an ordinary test, looked at once, finds the difference every other time."""
    return round((stats.norm.isf(ALPHA / 2) / effect) ** 2)


def measure_median(name: str, effect: float, rng: np.random.Generator, sequences: int) -> float:
    """The median of the deals at which 0 is excluded."""
    looks = list_looks()
    draw, reach = make_effect(name, effect)
    hypothesis = Hypothesis(0.0, (-reach, reach), ALPHA)
    alarms = find_alarms((draw(rng, looks[-1]) for _ in range(sequences)), looks, hypothesis)
    return float(np.median(np.where(alarms == NEVER, math.inf, alarms)))


def make_effect(name: str, effect: float) -> tuple[Callable[[np.random.Generator, int], Array], float]:
    """Differences with this mean, in their standard deviations, and their bound."""
    if name == "normal":
        return lambda rng, deals: draw_normal(rng, deals) + effect, 31.0
    mean = effect * find_win_deviation(effect)
    return draw_from({1.0: (DECISIVE + mean) / 2, -1.0: (DECISIVE - mean) / 2}), 1.0


def find_win_deviation(effect: float) -> float:
    """Of differences of win shares, when their mean is this many of it."""
    return math.sqrt(DECISIVE / (1 + effect**2))


def measure_gsprt_median(effect: float, tuned: float, rng: np.random.Generator, sequences: int) -> float:
    looks = list_looks()
    draw, _ = make_effect("win shares", effect)
    alternative = tuned * find_win_deviation(tuned)
    alarms = [find_gsprt_alarm(draw(rng, looks[-1]), looks, alternative, ALPHA) for _ in range(sequences)]
    return float(np.median([math.inf if alarm is None else alarm for alarm in alarms]))


def tabulate_real_differences(
    rng: np.random.Generator, differences: Sequence[Differences | RatioDeals], sequences: int
) -> Iterator[str]:
    """By metric, over all pairs of variants and all parts."""
    yield "|metric|pairs and parts|signs flipped|rate|95% interval|drawn anew|rate|95% interval|below " + (
        f"{MOST_ALARMS:.4f}?|"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|---|"
    by_metric = defaultdict(list)
    for difference in differences:
        by_metric[difference.metric].append(difference)
    for metric, parts in by_metric.items():
        report(metric)
        flipped, again = Rate(0, 0), Rate(0, 0)
        each = math.ceil(sequences / len(parts))
        for part in parts:
            flips, resamples = measure_flips(part, rng, each), measure_resamples(part, rng, each)
            report(f"  {part.pair}, {part.part}: {flips.alarms} and {resamples.alarms} of {each}")
            flipped, again = flipped.add(flips), again.add(resamples)
        cells = "|".join(rate.format() for rate in (flipped, again))
        yield f"|{metric}|{len(parts)}|{cells}|{_say_yes(flipped.is_low and again.is_low)}|"


def measure_flips(
    part: Differences | RatioDeals, rng: np.random.Generator, sequences: int, alpha: float = ALPHA
) -> Rate:
    if isinstance(part, RatioDeals):
        return measure_ratio_case(part.make_flipped_case(), rng, sequences, alpha)
    looks = list_looks()
    hypothesis = Hypothesis(0.0, part.bounds, alpha)
    return measure_rate(lambda: draw_flipped(rng, part.counts, looks[-1]), sequences, hypothesis, looks)


def measure_resamples(
    part: Differences | RatioDeals, rng: np.random.Generator, sequences: int, alpha: float = ALPHA
) -> Rate:
    """Deals drawn anew, around their own mean: what was lopsided stays so."""
    if isinstance(part, RatioDeals):
        return measure_ratio_case(part.make_resampled_case(), rng, sequences, alpha)
    looks = list_looks()
    hypothesis = Hypothesis(part.counts.mean, part.bounds, alpha)
    return measure_rate(lambda: draw_again(rng, part.counts, looks[-1]), sequences, hypothesis, looks)


def tabulate_agreement(rng: np.random.Generator, sequences: int) -> Iterator[str]:
    """Whether the interval excludes the true mean just when the test refutes it, where that is close."""
    yield "|case|looks|both say no|test alone|interval alone|"
    yield "|---|--:|--:|--:|--:|"
    for case in list_cases():
        report(case.name)
        answers = [pair for _ in range(sequences) for pair in _judge_both_ways(case, rng)]
        both, test, interval = (answers.count(pair) for pair in ((True, True), (True, False), (False, True)))
        yield f"|{case.name}|{len(answers)}|{both}|{test}|{interval}|"


def _judge_both_ways(case: Case, rng: np.random.Generator) -> Iterator[tuple[bool, bool]]:
    """At the looks of a sequence where the capital is high: whether the test and the interval say no."""
    looks = list_looks()
    values = case.draw(rng, looks[-1])
    hypothesis = Hypothesis(0.0, (-case.reach, case.reach), ALPHA)
    sides = [(values, hypothesis), (-values, hypothesis.mirror())]
    eager = 8 * ALPHA
    suspicious = [find_suspicious_looks(v, looks, side._replace(alpha=eager)) for v, side in sides]
    for look in looks[suspicious[0] | suspicious[1]][:3]:
        refuted = any(is_refuted_at(side_values[:look], side) for side_values, side in sides)
        yield refuted, excludes_mean(values[:look], hypothesis)


def report(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def tabulate_real_metrics(rng: np.random.Generator, options: argparse.Namespace) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        db = options.db or Path(folder) / "evidence.duckdb"
        differences = [
            *collect_differences(db, PAIRS, PLAYERS, options.matches, options.seed),
            *collect_differences(db, BASE_PAIRS, (2,), options.matches, options.seed),
        ]
    yield from tabulate_real_differences(rng, differences, options.real)


TABLES: dict[str, Callable[[np.random.Generator, argparse.Namespace], Iterator[str]]] = {
    "planted": lambda rng, options: tabulate_planted_cases(rng, options.sequences),
    "deals": lambda rng, options: tabulate_deals(rng, options.effects),
    "real": tabulate_real_metrics,
    "traps": lambda rng, options: tabulate_traps(rng, options.sequences),
    "agreement": lambda rng, options: tabulate_agreement(rng, options.agreement),
    "ratios": lambda rng, options: tabulate_ratios(rng, options.ratios),
}


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=list(TABLES), help="by default all")
    parser.add_argument("--sequences", type=int, default=3000, help="of each planted case")
    parser.add_argument("--effects", type=int, default=500, help="sequences of each true difference")
    parser.add_argument("--ratios", type=int, default=2000, help="sequences of each planted ratio")
    parser.add_argument("--real", type=int, default=2000, help="sequences of each metric, both ways")
    parser.add_argument("--matches", type=int, default=3000, help="played of each variant")
    parser.add_argument("--agreement", type=int, default=100, help="sequences for tests against intervals")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", type=Path, help="file for the matches played (default: a temporary one)")
    return parser.parse_args()


def main() -> None:
    options = read_options()
    for index, (name, tabulate) in enumerate(TABLES.items()):
        if name in options.tables:
            report(f"## {name}")
            rng = np.random.default_rng([options.seed, index])  # whichever other tables are asked for
            print(f"### {name}\n", *tabulate(rng, options), sep="\n", end="\n\n", flush=True)


if __name__ == "__main__":
    main()
