"""Ratings of agents from duels between rungs: how much skill a game rewards.

One of the stronger rung sits at a table of the weaker one, in every seat. The win shares of all tables together give one rating
per rung: a conditional logit of who wins, by agent and seat, fitted as an aggregated Poisson model (metrics.md 2.5), whose cost
does not grow with the matches. Its uncertainty comes from leaving out one group of blocks after the other.
"""

import math
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.tools.sm_exceptions import PerfectSeparationWarning

from analytics.stats.intervals import Estimate, block_mean, cut_to, rescale
from analytics.verdict.design import duel
from boardgames.experiment.plan import Plan, PlannedCell, make_plan
from boardgames.game.plugins import find_variant
from boardgames.play.estimates import estimate_share
from boardgames.play.quantiles import student_quantile
from boardgames.run.simulate import matches

ELO = 400 / math.log(10)  # points of rating per unit of the logit
PSEUDO = 0.5  # wins added for each side of a duel, so that one who never wins has a rating at all
GROUPS = 20


@dataclass(frozen=True)
class Rung:
    """An agent and its rating; the lowest rung has 0."""

    agent: str
    elo: Estimate
    at_least: bool  # it, or one below it, never lost a match: the rating is a lower bound


@dataclass(frozen=True)
class Step:
    """One of the stronger at a table of the weaker: what was seen, and what the ratings say."""

    stronger: str
    weaker: str
    share: Estimate  # of the wins, for the one stronger player
    fitted: float
    edge: Estimate  # 0 = luck alone, 1 = it always wins
    tau: Estimate  # Kendall's, between strength and finishing order, over pairs of unequal players
    upsets: Estimate  # how often a weaker player finishes ahead of the stronger one
    neighbours: bool


@dataclass(frozen=True)
class Ladder:
    variant: str
    players: int
    seed: int
    rungs: tuple[Rung, ...]
    steps: tuple[Step, ...]
    elo_per_doubling: Estimate | None  # over the rungs of one family that have a budget
    reconstructed: tuple[str, ...]


def plan_ladder(specs: Sequence[str], players: int, rungs: Sequence[str], blocks: int, seed: int, name: str) -> Plan:
    """Every rung against the one below, and against the one below that: so that ratings can be checked against each other."""
    for spec in specs:
        find_variant(spec).blank(players)
    pairs = [(high, low) for high in range(len(rungs)) for low in (high - 1, high - 2) if low >= 0]
    line_ups = [duel(rungs[high], rungs[low], players) for high, low in pairs]
    return make_plan(specs, str(players), line_ups, blocks, seed, name=name or f"ladder of {', '.join(specs)}")


def climb(path: Path, plan: Plan) -> list[Ladder]:
    """The ladders of a plan's variants, from what is stored."""
    names = list(dict.fromkeys(cell.variant.name for cell in plan.cells))
    return [_ladder(path, [cell for cell in plan.cells if cell.variant.name == name]) for name in names]


def _ladder(path: Path, cells: Sequence[PlannedCell]) -> Ladder:
    order = _order(cells)
    rungs, whole, without = rate(path, [cell.id for cell in cells], order)
    steps = tuple(_step(path, cell, order, whole) for cell in cells)
    first = cells[0]
    about = tuple(sorted(first.variant.game.reconstructed))
    return Ladder(first.variant.name, first.players, first.seed, rungs, steps, _doubling(order, whole, without), about)


def rate(path: Path, cells: Sequence[int], order: Sequence[str]) -> tuple[tuple[Rung, ...], np.ndarray, np.ndarray]:
    """The rungs, in the order of `order`, from all that these cells have; and the fits with all blocks and without each group."""
    counts = _counts(path, cells)
    whole = _fit(counts, order)
    without = np.array([_fit(counts[counts["part"] != part], order) for part in range(GROUPS)])
    elo = _jackknife(whole[: len(order)], without[:, : len(order)])
    rungs = [Rung(agent, one, _unbeaten(counts, order, n)) for n, (agent, one) in enumerate(zip(order, elo, strict=True))]
    return tuple(rungs), whole, without


def _order(cells: Sequence[PlannedCell]) -> list[str]:
    """The rungs from weak to strong: the first table has the lowest, and each next stronger one comes later."""
    return list(dict.fromkeys([cells[0].line_up[-1].name, *(cell.line_up[0].name for cell in cells)]))


COUNTS = """
SELECT r.cell_id AS cell, r.arrangement, r.seat, r.agent, r.block % {groups} AS part, sum(r.win_share) AS wins
FROM results r WHERE r.cell_id IN ({cells}) GROUP BY ALL ORDER BY ALL
"""


def _counts(path: Path, cells: Sequence[int]) -> pd.DataFrame:
    return matches(path, COUNTS.format(groups=GROUPS, cells=", ".join(map(str, cells)))).to_pandas()


def _fit(counts: pd.DataFrame, order: Sequence[str]) -> np.ndarray:
    """Ratings in Elo of each rung over the lowest, then of each seat over the first."""
    table = counts.groupby(["cell", "arrangement", "seat", "agent"], as_index=False)["wins"].sum()
    seats = int(table["seat"].max())
    table["wins"] += PSEUDO / seats
    strata = pd.get_dummies(table["cell"].astype(str) + "/" + table["arrangement"].astype(str), dtype=float)
    agents = np.array([[float(agent == name) for name in order[1:]] for agent in table["agent"]])
    chairs = np.array([[float(seat == other) for other in range(2, seats + 1)] for seat in table["seat"]])
    design = np.hstack([strata.to_numpy(), agents, chairs])
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        # A single duel is fitted exactly: nothing is left for its scale. The pseudo-wins see to it that a fit exists.
        warnings.simplefilter("ignore", PerfectSeparationWarning)
        found = sm.GLM(table["wins"].to_numpy(), design, family=sm.families.Poisson()).fit().params
    agents_at = strata.shape[1]
    ratings = found[agents_at : agents_at + len(order) - 1]
    return ELO * np.concatenate([[0.0], ratings, [0.0], found[agents_at + len(order) - 1 :]])


def _jackknife(whole: np.ndarray, without: np.ndarray) -> list[Estimate]:
    """From the fits without one group of blocks each (Efron): Student's interval with one degree of freedom less than groups."""
    groups = len(without)
    error = np.sqrt((groups - 1) / groups * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    half = student_quantile(0.975, groups - 1) * error
    return [Estimate(float(m), float(m - h), float(m + h), groups) for m, h in zip(whole, half, strict=True)]


def _unbeaten(counts: pd.DataFrame, order: Sequence[str], place: int) -> bool:
    """Whether somebody at or below this rung never lost anything to those below: then only a bound on the rating is known."""
    for strong in order[1 : place + 1]:
        at_table = counts[counts["cell"].isin(counts[counts["agent"] == strong]["cell"])]
        below = at_table[at_table["agent"].isin(order[: order.index(strong)])]
        if len(below) and below["wins"].sum() == 0:
            return True
    return False


def _doubling(order: Sequence[str], whole: np.ndarray, without: np.ndarray) -> Estimate | None:
    """The slope of the rating over the logarithm of the budget, where at least two rungs of one family have one."""
    named = [re.match(r"([^:+]+):(\d+)(\+|$)", name) for name in order]
    budgets = {place: int(found[2]) for place, found in enumerate(named) if found}
    if len(budgets) < 2 or len({found[1] for found in named if found}) > 1:
        return None
    places, logs = list(budgets), np.log2(list(budgets.values()))
    slopes = [np.polyfit(logs, fit[places], 1)[0] for fit in (whole, *without)]
    return _jackknife(np.array(slopes[:1]), np.array(slopes[1:])[:, None])[0]


PAIRS = """
WITH tables AS (
    SELECT block, arrangement, place, win_share, agent = '{strong}' AS strong FROM results WHERE cell_id = {cell})
SELECT a.block, avg(a.win_share) AS share, avg((a.place < b.place)::INTEGER) AS ahead, avg((a.place > b.place)::INTEGER) AS behind
FROM tables a JOIN tables b ON a.block = b.block AND a.arrangement = b.arrangement AND a.strong AND NOT b.strong GROUP BY a.block
"""


def _step(path: Path, cell: PlannedCell, order: Sequence[str], whole: np.ndarray) -> Step:
    strong, weak, n = cell.line_up[0].name, cell.line_up[-1].name, cell.players
    blocks = matches(path, PAIRS.format(strong=strong.replace("'", "''"), cell=cell.id))
    share, ahead, behind = (blocks[name].to_numpy() for name in ("share", "ahead", "behind"))
    low = 1 / n
    return Step(
        strong,
        weak,
        estimate_share(share),
        _fitted(order.index(strong), order.index(weak), len(order), n, whole),
        rescale(estimate_share(share), 1 / (1 - low), -low / (1 - low)),
        cut_to((-1.0, 1.0), _mean(ahead - behind)),
        estimate_share(behind),
        order.index(strong) - order.index(weak) == 1,
    )


def _mean(values: np.ndarray) -> Estimate:
    return block_mean(len(values), float(values.sum()), float((values * values).sum()))


def _fitted(strong: int, weak: int, rungs: int, players: int, whole: np.ndarray) -> float:
    """The share that the ratings give the stronger one, on average over the seats."""
    chairs = whole[rungs:]
    shares = []
    for mine in range(players):
        powers = np.exp([(whole[strong] if seat == mine else whole[weak]) / ELO + chairs[seat] / ELO for seat in range(players)])
        shares.append(powers[mine] / powers.sum())
    return float(np.mean(shares))
