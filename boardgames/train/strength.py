"""How strong an agent is: one among greedy agents, in every seat in turn."""

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
from boardgames.play.estimates import Estimate, estimate_share_from_sums
from boardgames.train.clock import Step
from boardgames.train.collect import Span, collect_in_order, count_spans
from boardgames.train.kept_parts import collect_kept

Array = np.ndarray[Any, Any]
DEALS_PER_SPAN = 2
GATE_LOOKS = (100, 200, 400, 800, 1_600)  # matches after which the teacher may pass
# Each look may err by its part only, so that all of them together err in 5% at most.
GATE_LEVEL = 1 - 0.05 / len(GATE_LOOKS)


class NotStronger(InvalidInput):
    """An agent that does not beat greedy: nothing is learned from it, and it is not kept."""

    exit_code = 1


class Duel(NamedTuple):
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


class DuelPlayer:
    """Plays deals of a duel; each thread has its own scratch memory."""

    def __init__(self, duel: Duel) -> None:
        greedy = find_agent("greedy", duel.variant.game)
        line_up = [duel.agent, *[greedy] * (duel.players - 1)]
        self.name = duel.agent.name
        self.runner = make_runner(duel.variant, line_up, duel.seed)
        self.scratches = threading.local()
        warm_up(self.runner)

    def play(self, span: Span) -> Array:
        """The agent's share of the wins in each deal."""
        if not hasattr(self.scratches, "mine"):
            self.scratches.mine = make_scratch(self.runner.variant.game, self.runner.line_up)
        return self.runner.run(*span, self.scratches.mine).shares_by_deal()[self.name]


def make_net_duel(variant: Variant, net: Net, seed: int, workers: int, folder: Path | None = None) -> Duel:
    """A duel of a net's player."""
    agent = Agent(
        agent_type=BUILT_IN["learned"],
        name="learned",
        values={"worlds": 1, "noise": 0.0},
        player=LearnedPlayer(variant.game.name, {net.players: net}),
    )
    return Duel(variant, agent, net.players, seed, workers, folder)


def measure_strength(duel: Duel, matches: int, step: Step, level: float = 0.95) -> Estimate:
    """How often the agent wins. What an earlier start has played is not played again."""
    deals, shares = math.ceil(matches / duel.players), np.zeros(0)
    with closing(collect_kept(duel.folder, lambda first: _collect_shares(duel, first))) as parts:
        for part, is_new in parts:
            shares = np.append(shares, part)
            (step.count if is_new else step.keep)(len(part) * duel.players)
            if len(shares) >= deals:
                break
    shares = shares[:deals]
    return estimate_share_from_sums(deals, float(shares.sum()), float((shares**2).sum()), level)


def _collect_shares(duel: Duel, first: int) -> Generator[Array, None, None]:
    """The agent's share of the wins in each deal, span by span."""
    player = DuelPlayer(duel)
    spans: Iterator[Span] = count_spans(DEALS_PER_SPAN, first)
    with ThreadPoolExecutor(duel.workers) as pool:
        yield from collect_in_order(lambda span: pool.submit(player.play, span), spans, 2 * duel.workers)


def check_teacher(duel: Duel, step: Step) -> Estimate:
    """How often the teacher wins; the interval holds although several looks were taken. Raises NotStronger
    if it does not beat greedy.
    """
    for matches in GATE_LOOKS:
        wins = measure_strength(duel, matches, step.restart(matches), GATE_LEVEL)
        if wins.low > duel.fair_share:
            return wins
        if wins.high < duel.fair_share:
            break
    raise NotStronger(
        f"{duel.agent.name} wins {format_share(wins)} among greedy in {duel.variant.name} with "
        f"{duel.players} players, where {duel.fair_share:.0%} is an equal share: there is nothing to learn "
        "from it. "
        "Name a stronger one with --teacher, for instance mcts:1024"
    )


def format_share(wins: Estimate) -> str:
    return f"{wins.mean:.1%} ({wins.low:.1%} to {wins.high:.1%})"
