"""Connect Four against OpenSpiel's C++: `pip install open_spiel`, then `python
benchmarks/against_open_spiel.py`.

Random matches against its rollouts, and our tree search against its own with the same budget, both in turn in
one process and on one core, by CPU time. `--game tic-tac-toe` compares that one.
"""

import argparse
import statistics
import time
from typing import Any

import pyspiel

from boardgames import Match, find_agent, find_line_up, find_variant
from boardgames.game.variant import Variant
from boardgames.play.batch import MATCHES_PER_SPAN, Runner, make_runner, make_scratch, refine, warm_up

GAMES = {"connect-four": "connect_four", "tic-tac-toe": "tic_tac_toe"}  # ours and theirs
ROUNDS = 7


# ---- random matches


def compare_rollouts(variant: Variant, game: Any, seconds: float) -> tuple[list[float], list[float]]:
    """Matches per CPU second, ours with all columns and theirs, in each round."""
    runner = make_runner(variant, find_line_up("random", 2, variant.game))
    warm_up(runner)
    refine(runner)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(_play_matches(runner, seconds))
        theirs.append(_play_rollouts(game, seconds))
    return ours, theirs


def _play_matches(runner: Runner, seconds: float) -> float:
    scratch = make_scratch(runner.variant.game, runner.line_up)
    matches = 0
    started = time.process_time()
    while time.process_time() - started < seconds:
        matches += len(runner.run(matches, MATCHES_PER_SPAN, scratch).matches)
    return matches / (time.process_time() - started)


def _play_rollouts(game: Any, seconds: float) -> float:
    """Rollouts per CPU second, in one search step whose evaluator plays many: only this stays in C++ between
    rollouts.
    """
    state = game.new_initial_state()
    rollouts = 2000
    while True:
        bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(rollouts, 1), 2.0, 1, 100, False, 1, False)
        started = time.process_time()
        bot.step(state)
        spent = time.process_time() - started
        if spent >= 0.7 * seconds:
            return float(rollouts / spent)
        rollouts = int(rollouts * max(1.5, seconds / spent))


# ---- search


def compare_searches(
    variant: Variant, game: Any, agent: str, seconds: float
) -> tuple[list[float], list[float]]:
    """Simulations per CPU second. Both search every position of the same matches; theirs has one rollout per
    simulation.
    """
    searcher = find_agent(agent, variant.game)
    budget = searcher.values["playouts"]
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, budget, 1000, False, 1, False)
    Match(variant, 2, deal=ROUNDS, compiled=True).step(searcher)  # compiled before the clock runs
    ours, theirs = [], []
    for deal in range(ROUNDS):
        match = Match(variant, 2, deal=deal, compiled=True)
        state = game.new_initial_state()
        mine = other = 0.0
        searches = 0
        while not match.is_over and (searches == 0 or mine + other < 2 * seconds):
            started = time.process_time()
            bot.step(state)
            between = time.process_time()
            match.step(searcher)
            mine += time.process_time() - between
            other += between - started
            searches += 1
            state.apply_action(match.actions[-1])
        ours.append(budget * searches / mine)
        theirs.append(budget * searches / other)
    return ours, theirs


def show(what: str, ours: list[float], theirs: list[float]) -> None:
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    speeds = f"{statistics.median(ours):,.0f} against {statistics.median(theirs):,.0f} per CPU second"
    print(f"{what}: {speeds}, {statistics.median(ratios):.1f} times ({min(ratios):.1f} to {max(ratios):.1f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", choices=GAMES, default="connect-four")
    parser.add_argument("--agent", default="mcts:1000", help="the search to compare")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of each, in each round")
    given = parser.parse_args()
    variant = find_variant(given.game)
    game = pyspiel.load_game(GAMES[given.game])
    show("random matches", *compare_rollouts(variant, game, given.seconds))
    show(f"simulations of {given.agent}", *compare_searches(variant, game, given.agent, given.seconds))


if __name__ == "__main__":
    main()
