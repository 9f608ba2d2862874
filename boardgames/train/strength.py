"""How strong an agent is: one among greedy agents, in every seat in turn."""

import itertools
import math
import threading
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.agent import BUILT_IN, Agent, find_agent
from boardgames.agents.weights import LearnedPlayer, Net
from boardgames.errors import InvalidInput
from boardgames.game.variant import Variant
from boardgames.play.batch import make_runner, make_scratch, warm_up
from boardgames.play.estimates import ErrorBudget, Estimate, estimate_share_from_sums
from boardgames.train.clock import Step
from boardgames.train.collect import Span, collect_in_order, count_spans
from boardgames.train.folder import collect_kept

Array = np.ndarray[Any, Any]
DEALS_PER_SPAN = 2
GATE_LOOKS = (100, 200, 400, 800, 1_600)  # matches after which a teacher may pass
TEACHERS = ("with a learned evaluation", "without")
# Each look at each teacher may err by its part only: the gate hardly ever lets one pass by luck.
GATE_LEVEL = 1 - min(ErrorBudget().split(*itertools.product(TEACHERS, GATE_LOOKS)).values())


class NotStronger(InvalidInput):
    """An agent that does not beat greedy: nothing is learned from it, and it is not kept."""

    exit_code = 1


class HeadToHead(NamedTuple):
    """Matches of one agent among greedy ones."""

    variant: Variant
    agent: Agent
    players: int
    seed: int
    workers: int
    folder: Path | None = None  # where its results are kept

    @property
    def fair_share(self) -> float:
        return 1 / self.players


class HeadToHeadPlayer:
    """Plays deals of a head-to-head; each thread has its own scratch memory."""

    def __init__(self, contest: HeadToHead) -> None:
        greedy = find_agent("greedy", contest.variant.game)
        line_up = [contest.agent, *[greedy] * (contest.players - 1)]
        self.name = contest.agent.name
        self.runner = make_runner(contest.variant, line_up, contest.seed)
        self.scratches = threading.local()
        warm_up(self.runner)

    def play(self, span: Span) -> Array:
        """The agent's share of the wins in each deal."""
        if not hasattr(self.scratches, "mine"):
            self.scratches.mine = make_scratch(self.runner.variant.game, self.runner.line_up)
        return self.runner.run(*span, self.scratches.mine).shares_by_deal()[self.name]


def make_net_head_to_head(
    variant: Variant, net: Net, seed: int, workers: int, folder: Path | None = None
) -> HeadToHead:
    """The head-to-head of a net's player."""
    agent = Agent(
        agent_type=BUILT_IN["learned"],
        name="learned",
        values={"worlds": 1, "noise": 0.0},
        player=LearnedPlayer(variant.game.name, {net.players: net}),
    )
    return HeadToHead(variant, agent, net.players, seed, workers, folder)


def measure_strength(contest: HeadToHead, matches: int, step: Step, level: float = 0.95) -> Estimate:
    """How often the agent wins. What an earlier start has played is not played again."""
    deals, shares = math.ceil(matches / contest.players), np.zeros(0)
    with closing(collect_kept(contest.folder, lambda first: _collect_shares(contest, first))) as parts:
        for part, is_new in parts:
            shares = np.append(shares, part)
            (step.count if is_new else step.keep)(len(part) * contest.players)
            if len(shares) >= deals:
                break
    shares = shares[:deals]
    return estimate_share_from_sums(deals, float(shares.sum()), float((shares**2).sum()), level)


def _collect_shares(contest: HeadToHead, first: int) -> Generator[Array, None, None]:
    """The agent's share of the wins in each deal, span by span."""
    player = HeadToHeadPlayer(contest)
    spans: Iterator[Span] = count_spans(DEALS_PER_SPAN, first)
    with ThreadPoolExecutor(contest.workers) as pool:
        yield from collect_in_order(lambda span: pool.submit(player.play, span), spans, 2 * contest.workers)


def check_teacher(contest: HeadToHead, step: Step) -> Estimate:
    """How often the teacher wins; the interval holds although several looks were taken. Raises NotStronger
    if it does not beat greedy.
    """
    for matches in GATE_LOOKS:
        wins = measure_strength(contest, matches, step.restart(matches), GATE_LEVEL)
        if wins.low > contest.fair_share:
            return wins
        if wins.high < contest.fair_share:
            break
    raise NotStronger(
        f"{contest.agent.name} wins {format_share(wins)} among greedy in {contest.variant.name} with "
        f"{contest.players} players, where {contest.fair_share:.0%} is an equal share: there is nothing to "
        "learn from it. Name a stronger one with --teacher, for instance mcts:1024"
    )


def format_share(wins: Estimate) -> str:
    return f"{wins.mean:.1%} ({wins.low:.1%} to {wins.high:.1%})"
