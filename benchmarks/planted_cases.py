"""Differences of deals with a known mean of 0: ordinary ones, rare ones, lopsided ones, and some that are
made to fool a test.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]
Draw = Callable[[np.random.Generator, int], Array]
FAR = 31.0  # standard deviations to the bound, where a case has none


class Case(NamedTuple):
    """How differences are drawn, with mean 0, and the bound of their size."""

    name: str
    draw: Draw
    reach: float

    def mirror(self) -> "Case":
        return Case(f"{self.name}, mirrored", lambda rng, deals: -self.draw(rng, deals), self.reach)


def draw_from(values: dict[float, float]) -> Draw:
    """Draw these values with these chances; 0 else."""
    all_values = np.array([0.0, *values])
    edges = np.cumsum([1 - sum(values.values()), *values.values()])[:-1]
    return lambda rng, deals: all_values[np.searchsorted(edges, rng.random(deals), side="right")]


def make_jumps(chance: float, size: float, noise: float) -> Draw:
    """A jump in a share of the deals; the others have noise around the mean that makes up for it."""

    def draw(rng: np.random.Generator, deals: int) -> Array:
        jumps = rng.random(deals) < chance
        rest = -chance * size / (1 - chance) + noise * rng.standard_normal(deals)
        return np.where(jumps, size, rest)

    return draw


def make_lognormal(sigma: float) -> Draw:
    """Shifted and scaled to mean 0 and standard deviation 1."""
    mean = math.exp(sigma**2 / 2)
    deviation = mean * math.sqrt(math.expm1(sigma**2))
    return lambda rng, deals: (rng.lognormal(0.0, sigma, deals) - mean) / deviation


def draw_normal(rng: np.random.Generator, deals: int) -> Array:
    return rng.standard_normal(deals)


def draw_geometric(rng: np.random.Generator, deals: int) -> Array:
    """The difference of two waiting times for an event with a chance of 20%."""
    return (rng.geometric(0.2, deals) - rng.geometric(0.2, deals)).astype(np.float64)


def draw_rare_normal(rng: np.random.Generator, deals: int) -> Array:
    return np.where(rng.random(deals) < 0.005, 20 * rng.standard_normal(deals), 0.0)


def find_deviation(draw: Draw) -> float:
    return float(draw(np.random.default_rng(0), 10**6).std())


def list_cases() -> list[Case]:
    lognormal = Case("lognormal", make_lognormal(1.0), 4 * FAR)  # 20,000 deals go up to 30 deviations
    nasty = Case("1 in 200 is +14, the rest constant", make_jumps(1 / 200, 14.0, 0.0), 14.0)
    return [
        Case("normal", draw_normal, FAR),
        *(Case(f"±1 in {share:g}%", draw_sign(share / 100), 1.0) for share in (30, 2, 0.2)),
        lognormal,
        lognormal.mirror(),
        nasty,
        nasty.mirror(),
        Case("1 in 1,000 is +30, the rest constant", make_jumps(0.001, 30.0, 0.0), 30.0),
        Case("1 in 1,000 is +30, the rest normal", make_jumps(0.001, 30.0, 1.0), FAR * math.sqrt(1.9)),
        Case("difference of two waiting times", draw_geometric, FAR * math.sqrt(40)),
        Case("normal with sd 20 in 0.5%, else 0", draw_rare_normal, 6 * 20.0),
        Case("win shares", draw_from({1.0: 0.2, 0.5: 0.05, -0.5: 0.05, -1.0: 0.2}), 1.0),
        Case("win shares, skewed", draw_from({1.0: 0.05, -0.5: 0.1}), 1.0),
    ]


def draw_sign(share: float) -> Draw:
    """+1 or -1 in a share of the deals."""
    return draw_from({1.0: share / 2, -1.0: share / 2})


def make_rare_lognormal(share: float) -> Draw:
    """Lognormal, less its mean, in a share of the deals, else 0."""
    return lambda rng, deals: np.where(
        rng.random(deals) < share, rng.lognormal(0.0, 1.0, deals) - math.exp(0.5), 0.0
    )


def make_pareto(power: float) -> Draw:
    """Less its mean."""
    return lambda rng, deals: rng.pareto(power, deals) - 1 / (power - 1)


def list_traps() -> list[tuple[Case, float | None]]:
    """Long tails on one side, some of them rare jumps hidden in noise, each with a far bound; where there is
    one, with a bound that would be near enough, too.
    """
    pareto = Case("Pareto with power 2.5", make_pareto(2.5), 0)
    pareto = pareto._replace(reach=4 * FAR * find_deviation(pareto.draw))
    tails = [
        Case("lognormal with sigma 1.5", make_lognormal(1.5), 4 * FAR),
        Case("lognormal in a tenth of the deals, else 0", make_rare_lognormal(0.1), 60.0),
        Case("1 in 500 is +200, the rest normal with sd 3", make_jumps(0.002, 200.0, 3.0), 400.0),
        pareto,
        pareto.mirror(),
    ]
    return [*((case, None) for case in tails), *_list_jumps()]


def _list_jumps() -> list[tuple[Case, float | None]]:
    """Rare jumps hidden in noise, each with a bound that would be near enough."""
    jumps = {
        (0.01, 10.0, 0.5): 12.0,
        (0.03, 5.0, 0.5): 7.0,
        (1 / 200, 14.0, 0.3): 15.0,
    }
    cases = [
        (
            Case(f"{chance:.3g} of the deals +{size:g}, noise {noise:g}", make_jumps(chance, size, noise), 0),
            near,
        )
        for (chance, size, noise), near in jumps.items()
    ]
    return [(case._replace(reach=FAR * find_deviation(case.draw)), near) for case, near in cases]
