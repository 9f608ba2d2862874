"""Ratings of agents from head-to-heads: how much skill a game rewards.

One stronger agent plays among weaker ones, in every seat in turn. The win shares of all head-to-heads
together give one rating per agent: a conditional logit of who wins, by agent and seat, fitted as an
aggregated Poisson model (metrics.md 2.5), whose cost does not grow with the matches. Its uncertainty comes
from leaving out one group of deals after the other.
"""

import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.tools.sm_exceptions import PerfectSeparationWarning

from analytics.answer import AnswerList, DrawnAnswer
from analytics.stats.intervals import Estimate, clip_interval, estimate_mean_from_sums, rescale
from analytics.verdict.design import make_head_to_head_line_up
from analytics.words import describe_training_of_cells
from boardgames.errors import InvalidInput
from boardgames.game.player_counts import Players, parse_player_counts
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.given_values import read_path
from boardgames.notebook import follow_matches
from boardgames.plan.arguments import Agents, Variants, list_agents, list_specs
from boardgames.plan.cell import PlannedCell
from boardgames.plan.plan import Plan, make_plan
from boardgames.plan.played import Progress
from boardgames.play.estimates import estimate_share
from boardgames.play.quantiles import student_quantile
from boardgames.run.simulate import run_plan
from boardgames.store.export import query

ELO = 400 / math.log(10)  # points of rating per unit of the logit
PSEUDO = 0.5  # wins added for each side of a head-to-head, so that an agent that never wins has a rating
GROUPS = 20
AGENTS = "random,greedy,mcts:64,mcts:128,mcts:256"
MATCHES = 200  # of each head-to-head


@dataclass(frozen=True)
class RatedAgent:
    """An agent and its rating; the weakest agent has 0."""

    agent: str
    elo: Estimate
    at_least: bool  # it, or a weaker one, never lost a match: the rating is a lower bound


@dataclass(frozen=True, kw_only=True)
class Step:
    """The head-to-head of two agents: the results, and what the ratings predict."""

    stronger: str
    weaker: str
    share: Estimate  # of the wins, for the one stronger player
    fitted: float
    edge: Estimate  # 0 = luck alone, 1 = it always wins
    tau: Estimate  # Kendall's, between strength and finishing order, over pairs of unequal players
    upsets: Estimate  # how often a weaker player finishes ahead of the stronger one
    neighbours: bool


@dataclass(frozen=True, kw_only=True)
class Ladder(DrawnAnswer):
    variant: str
    players: int
    seed: int
    agents: tuple[RatedAgent, ...]
    steps: tuple[Step, ...]
    elo_per_doubling: Estimate | None  # over the agents of one type that have a budget
    reconstructed: tuple[str, ...]
    trained_on: tuple[str, ...] = ()  # which variants its learned players were trained on, in sentences

    def __repr__(self) -> str:
        agents = ", ".join(agent.agent for agent in self.agents)
        return f"<Ladder of {self.variant}, {self.players} players: {agents}>"


def rate_agents(
    *variants: Variants,
    db: str | Path = "boardgames.duckdb",
    players: Players = "",
    agents: Agents = AGENTS,
    matches: int = MATCHES,
    seed: int = 1,
    workers: int = 1,
    command: str = "",
    on_progress: Callable[[Progress], None] | None = None,
) -> AnswerList[Ladder]:
    """The ladder of each variant and player count: `rate_agents("pig", players=2, agents="random,greedy")`.

    Agents are named from weak to strong; `matches` are those of each head-to-head. Without `players`, the
    fewest that the first variant is for.
    """
    specs = list_specs(variants)
    names = [name for text in list_agents(agents) for name in text.split(",")]
    if not specs:
        raise InvalidInput("name a variant: boardgames ladder keltis")
    counts = parse_player_counts(players) or [min(find_variant(specs[0]).game.player_counts)]
    file = read_path("db", db)
    plans = [plan_ladder(specs, count, names, matches, seed) for count in counts]
    ladders = AnswerList[Ladder]()
    for plan in plans:
        with follow_matches(plan.name, on_progress) as on_match:
            run_plan(plan, file, workers=workers, command=command, on_progress=on_match)
        ladders += fit_ladders(file, plan)
    return ladders


def plan_ladder(specs: Sequence[str], players: int, agents: Sequence[str], matches: int, seed: int) -> Plan:
    """Each agent against the next weaker one and the one after that, so that ratings can be checked against
    each other.
    """
    if len(agents) < 2 or len(set(agents)) < len(agents):
        raise InvalidInput(
            f"agents '{','.join(agents)}': name at least two different agents, from weak to strong"
        )
    for spec in specs:
        _check_is_contest(find_variant(spec), players)
    pairs = [(high, low) for high in range(len(agents)) for low in (high - 1, high - 2) if low >= 0]
    line_ups = [make_head_to_head_line_up(agents[high], agents[low], players) for high, low in pairs]
    return make_plan(specs, players, line_ups, matches, seed, name=f"ladder of {', '.join(specs)}")


def _check_is_contest(variant: Variant, players: int) -> None:
    """Raise if agents cannot be rated against each other in it."""
    variant.make_blank_state(players)
    if variant.game.is_cooperative:
        raise InvalidInput(
            f"{variant.name} is co-operative: all seats win together, so agents have no ratings. Compare "
            f"their scores: boardgames simulate {variant.spec} --agents greedy --agents mcts:64"
        )


def fit_ladders(db: Path, plan: Plan) -> list[Ladder]:
    """The ladders of a plan's variants, from what is stored."""
    names = list(dict.fromkeys(cell.variant.name for cell in plan.cells))
    return [_fit_ladder(db, [cell for cell in plan.cells if cell.variant.name == name]) for name in names]


def _fit_ladder(db: Path, cells: Sequence[PlannedCell]) -> Ladder:
    order = _order_agents(cells)
    agents, whole, without = fit_agents(db, [cell.id for cell in cells], order)
    steps = tuple(_make_step(db, cell, order, whole) for cell in cells)
    first = cells[0]
    reconstructed = tuple(sorted(first.variant.game.reconstructed))
    return Ladder(
        variant=first.variant.name,
        players=first.players,
        seed=first.seed,
        agents=agents,
        steps=steps,
        elo_per_doubling=_fit_elo_per_doubling(order, whole, without),
        reconstructed=reconstructed,
        trained_on=describe_training_of_cells(cells),
    )


def fit_agents(
    db: Path, cells: Sequence[int], order: Sequence[str]
) -> tuple[tuple[RatedAgent, ...], np.ndarray, np.ndarray]:
    """The rated agents in this order, and the fits with all deals and without each group."""
    counts = _load_counts(db, cells)
    whole = _fit_ratings(counts, order)
    groups = sorted(counts["part"].unique())  # few deals do not reach all of them
    rests = [counts[counts["part"] != group] for group in groups] if len(groups) > 1 else [counts]
    without = np.array([_fit_ratings(rest, order) for rest in rests])
    elo = _jackknife(whole[: len(order)], without[:, : len(order)])
    agents = [
        RatedAgent(agent, estimate, _has_unbeaten(counts, order, index))
        for index, (agent, estimate) in enumerate(zip(order, elo, strict=True))
    ]
    return tuple(agents), whole, without


def _order_agents(cells: Sequence[PlannedCell]) -> list[str]:
    """The agents from weak to strong: the first cell has the weakest, and stronger ones come later."""
    return list(dict.fromkeys([cells[0].line_up[-1].name, *(cell.line_up[0].name for cell in cells)]))


COUNTS = """
SELECT r.cell_id AS cell, r.seating, r.seat, r.agent, r.deal % {groups} AS part, sum(r.win_share) AS wins
FROM results r WHERE r.cell_id IN ({cells}) GROUP BY ALL ORDER BY ALL
"""


def _load_counts(db: Path, cells: Sequence[int]) -> pd.DataFrame:
    return query(db, COUNTS.format(groups=GROUPS, cells=", ".join(map(str, cells)))).to_pandas()


def _fit_ratings(counts: pd.DataFrame, order: Sequence[str]) -> np.ndarray:
    """Elo ratings of each agent over the weakest, then of each seat over the first."""
    table = counts.groupby(["cell", "seating", "seat", "agent"], as_index=False)["wins"].sum()
    seats = int(table["seat"].max())
    table["wins"] += PSEUDO / seats
    strata = pd.get_dummies(table["cell"].astype(str) + "/" + table["seating"].astype(str), dtype=float)
    agent_columns = np.array([[float(agent == name) for name in order[1:]] for agent in table["agent"]])
    seat_columns = np.array(
        [[float(seat == other) for other in range(2, seats + 1)] for seat in table["seat"]]
    )
    design = np.hstack([strata.to_numpy(), agent_columns, seat_columns])
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        # A single head-to-head is fitted exactly: nothing is left for its scale. The pseudo-wins make sure
        # that a fit exists.
        warnings.simplefilter("ignore", PerfectSeparationWarning)
        parameters = sm.GLM(table["wins"].to_numpy(), design, family=sm.families.Poisson()).fit().params
    first_agent = strata.shape[1]
    ratings = parameters[first_agent : first_agent + len(order) - 1]
    return ELO * np.concatenate([[0.0], ratings, [0.0], parameters[first_agent + len(order) - 1 :]])


def _jackknife(whole: np.ndarray, without: np.ndarray) -> list[Estimate]:
    """From the fits without one group of deals each (Efron): Student's interval with one degree of freedom
    less than groups.
    """
    groups = len(without)
    error = np.sqrt((groups - 1) / groups * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    half_widths = student_quantile(0.975, groups - 1) * error
    return [
        Estimate(float(mean), float(mean - half_width), float(mean + half_width), groups)
        for mean, half_width in zip(whole, half_widths, strict=True)
    ]


def _has_unbeaten(counts: pd.DataFrame, order: Sequence[str], index: int) -> bool:
    """Whether this agent or a weaker one never lost a match to weaker ones: then the rating is only a lower
    bound.
    """
    for strong in order[1 : index + 1]:
        at_table = counts[counts["cell"].isin(counts[counts["agent"] == strong]["cell"])]
        below = at_table[at_table["agent"].isin(order[: order.index(strong)])]
        if len(below) and below["wins"].sum() == 0:
            return True
    return False


def _fit_elo_per_doubling(order: Sequence[str], whole: np.ndarray, without: np.ndarray) -> Estimate | None:
    """The slope of the rating over the logarithm of the budget; None unless all agents with a budget, at
    least two, are of one type.
    """
    types = set()
    budgets: dict[int, int] = {}  # by the agent's index
    for index, name in enumerate(order):
        if spec := re.match(r"([^:+]+):(\d+)(\+|$)", name):
            types.add(spec[1])
            budgets[index] = int(spec[2])
    if len(budgets) < 2 or len(types) > 1:
        return None
    indexes = list(budgets)
    logs = np.log2(list(budgets.values()))
    slopes = [np.polyfit(logs, fit[indexes], 1)[0] for fit in (whole, *without)]
    return _jackknife(np.array(slopes[:1]), np.array(slopes[1:])[:, None])[0]


PAIRS = """
WITH tables AS (
    SELECT deal, seating, rank, win_share, agent = '{strong}' AS strong FROM results WHERE cell_id = {cell})
SELECT a.deal, avg(a.win_share) AS share,
    avg((a.rank < b.rank)::INTEGER) AS ahead, avg((a.rank > b.rank)::INTEGER) AS behind
FROM tables a JOIN tables b ON a.deal = b.deal AND a.seating = b.seating AND a.strong AND NOT b.strong
GROUP BY a.deal
"""


def _make_step(db: Path, cell: PlannedCell, order: Sequence[str], whole: np.ndarray) -> Step:
    strong = cell.line_up[0].name
    weak = cell.line_up[-1].name
    players = cell.players
    deals = query(db, PAIRS.format(strong=strong.replace("'", "''"), cell=cell.id))
    share, ahead, behind = (deals[name].to_numpy() for name in ("share", "ahead", "behind"))
    equal_share = 1 / players
    return Step(
        stronger=strong,
        weaker=weak,
        share=estimate_share(share),
        fitted=_predict_share(order.index(strong), order.index(weak), len(order), players, whole),
        edge=rescale(estimate_share(share), 1 / (1 - equal_share), -equal_share / (1 - equal_share)),
        tau=clip_interval((-1.0, 1.0), _estimate_mean(ahead - behind)),
        upsets=estimate_share(behind),
        neighbours=order.index(strong) - order.index(weak) == 1,
    )


def _estimate_mean(values: np.ndarray) -> Estimate:
    return estimate_mean_from_sums(len(values), float(values.sum()), float((values * values).sum()))


def _predict_share(strong: int, weak: int, agents: int, players: int, whole: np.ndarray) -> float:
    """The stronger agent's share of the wins by the ratings, the mean over the seats."""
    seat_ratings = whole[agents:]
    shares = []
    for strong_seat in range(players):
        powers = np.exp(
            [
                (whole[strong] if seat == strong_seat else whole[weak]) / ELO + seat_ratings[seat] / ELO
                for seat in range(players)
            ]
        )
        shares.append(powers[strong_seat] / powers.sum())
    return float(np.mean(shares))
