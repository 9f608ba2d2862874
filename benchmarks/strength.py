"""How strong agents are and what they cost: `python -m benchmarks.strength` writes benchmarks/strength.md and
docs/strength.svg.

One agent sits among greedy ones, in every seat in turn. The share of its wins is set beside the CPU time of a
match in which it has all seats, as a multiple of greedy's in the same run. The seed is used nowhere else. The
same is played against greedy as it was before its evaluations were tuned.
"""

import math
import sys
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.earlier_greedy import make_earlier_greedy
from boardgames import find_agent, find_variant, play_batch
from boardgames.agents.agent import Agent
from boardgames.agents.weights import load_player
from boardgames.game.variant import Variant
from boardgames.play.batch import make_runner, make_scratch, refine, warm_up
from boardgames.play.estimates import Estimate

SEED = 20_261_117
GAMES = ("celtica", "keltis", "celtae")
PLAYERS = (2, 4)
MATCHES = {
    "random": 200,
    "greedy": 2000,
    "learned": 4000,
    "mcts:16": 240,
    "mcts:64": 200,
    "mcts:256": 120,
    "mcts:1024": 40,
}
EARLIER = ("learned", "mcts:256", "mcts:1024")  # also measured against the earlier greedy
RESULT = Path(__file__).with_name("strength.md")
CHART = Path(__file__).parent.parent / "docs" / "strength.svg"
WIDTH, HEIGHT, LEFT, TOP = 300, 230, 46, 28  # of one panel, and its margins
COLOURS = {2: "#1b6ca8", 4: "#c2571a"}


class Result(NamedTuple):
    """One agent at one table."""

    game: str
    players: int
    agent: str
    wins: Estimate
    cost: float  # CPU time of a match in multiples of greedy's
    earlier: Estimate | None  # wins against greedy as it was

    @property
    def rating(self) -> float:
        """Points above greedy: 400 points are odds of ten to one, against odds of an equal share."""
        share = min(max(self.wins.mean, 0.002), 0.998)
        odds = share / (1 - share) * (self.players - 1)
        return 400 * math.log10(odds)


def measure_wins(variant: Variant, agent: Agent, other: Agent, players: int, matches: int) -> Estimate:
    line_up = [agent, *[other] * (players - 1)]
    batch = play_batch(variant, line_up, players, -(-matches // players), seed=SEED, workers=2)
    return batch.shares()[agent.name]


def measure_seconds(variant: Variant, agent: Agent, players: int, deals: int) -> float:
    """CPU seconds of a match with this agent in all seats: the best of three."""
    runner = make_runner(variant, [agent] * players, SEED)
    warm_up(runner)
    refine(runner)
    scratch = make_scratch(variant.game, runner.line_up)
    runner.run(0, 1, scratch)
    times = []
    for part in range(3):
        started = time.thread_time()
        runner.run(10 + part * deals, deals, scratch)
        times.append((time.thread_time() - started) / deals)
    return min(times)


def measure_game(game: str, players: int) -> list[Result]:
    variant = find_variant(game)
    greedy, earlier = find_agent("greedy", variant.game), make_earlier_greedy(variant.game)
    usual = measure_seconds(variant, greedy, players, 60)
    results = []
    for spec, matches in MATCHES.items():
        if spec == "learned" and not _has_learned(variant, players):
            continue
        agent = find_agent(spec, variant.game)
        wins = measure_wins(variant, agent, greedy, players, matches) if spec != "greedy" else _even(players)
        cost = measure_seconds(variant, agent, players, max(1, matches // 80)) / usual
        before = measure_wins(variant, agent, earlier, players, matches) if spec in EARLIER else None
        results.append(Result(game, players, spec, wins, cost, before))
        print(results[-1], flush=True)
    return results


def _has_learned(variant: Variant, players: int) -> bool:
    path = variant.game.learned
    return path is not None and players in load_player(path, variant.game).nets


def _even(players: int) -> Estimate:
    return Estimate(1 / players, 1 / players, 1 / players, 0)


def format_share(estimate: Estimate | None) -> str:
    if estimate is None:
        return ""
    return f"{100 * estimate.mean:.1f}% ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def write_table(results: list[Result]) -> str:
    head = [
        "# Strength and cost of agents",
        "",
        "Written by `python -m benchmarks.strength`. One agent among `greedy` ones, in every seat in turn;",
        f"95% intervals over deals; seed {SEED}. Cost: CPU time of a match with this agent in all seats, in",
        "multiples of `greedy`'s in the same run. The last column is against `greedy` as it was before its",
        "evaluations were tuned (commit 504dd86).",
        "",
        "| game | players | agent | wins among greedy | matches | cost | wins among the earlier greedy |",
        "|---|---|---|---|---|---|---|",
    ]
    rows = [
        f"| {result.game} | {result.players} | `{result.agent}` | {format_share(result.wins)} | "
        f"{MATCHES[result.agent]:,} | {result.cost:.2f} | {format_share(result.earlier)} |"
        for result in results
        if result.agent != "greedy"
    ]
    return "\n".join([*head, *rows]) + "\n"


# ---- the chart


def draw_chart(results: list[Result]) -> str:
    """Rating over cost, a panel for each game."""
    games = list(dict.fromkeys(result.game for result in results))
    panels = [
        draw_panel(game, index, [result for result in results if result.game == game])
        for index, game in enumerate(games)
    ]
    width, height = len(games) * (WIDTH + LEFT) + 20, HEIGHT + TOP + 44
    size, font = f"0 0 {width} {height}", 'font-family="sans-serif" font-size="11"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" {font}>'
    return (
        "\n".join([head, f'<rect width="{width}" height="{height}" fill="white"/>', *panels, "</svg>"]) + "\n"
    )


def draw_panel(game: str, index: int, results: list[Result]) -> str:
    left, parts = index * (WIDTH + LEFT) + LEFT, []
    low, high = -700, 700

    def x(cost: float) -> float:
        return left + WIDTH * (math.log10(max(cost, 0.01)) + 2) / 6

    def y(rating: float) -> float:
        return TOP + HEIGHT * (high - min(max(rating, low), high)) / (high - low)

    parts.append(f'<text x="{left + WIDTH / 2}" y="16" text-anchor="middle" font-size="13">{game}</text>')
    for power in range(-2, 5):
        at = x(10**power)
        parts.append(f'<line x1="{at}" y1="{TOP}" x2="{at}" y2="{TOP + HEIGHT}" stroke="#ddd"/>')
        parts.append(f'<text x="{at}" y="{TOP + HEIGHT + 14}" text-anchor="middle">{10.0**power:g}</text>')
    for rating in range(low + 100, high, 200):
        parts.append(
            f'<line x1="{left}" y1="{y(rating)}" x2="{left + WIDTH}" y2="{y(rating)}" stroke="#ddd"/>'
        )
        parts.append(f'<text x="{left - 6}" y="{y(rating) + 4}" text-anchor="end">{rating:+d}</text>')
    parts.append(
        f'<text x="{left + WIDTH / 2}" y="{TOP + HEIGHT + 32}" text-anchor="middle">'
        "CPU of a match (greedy = 1); up: points above greedy</text>"
    )
    for players, colour in COLOURS.items():
        own = [result for result in results if result.players == players]
        searches = [result for result in own if result.agent.startswith("mcts")]
        path = " ".join(f"{x(result.cost):.1f},{y(result.rating):.1f}" for result in searches)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}"/>')
        parts += [_draw_point(result, x(result.cost), y(result.rating), colour) for result in own]
    parts.append(f'<text x="{left + 8}" y="{TOP + 14}" fill="{COLOURS[2]}">2 players</text>')
    parts.append(f'<text x="{left + 8}" y="{TOP + 28}" fill="{COLOURS[4]}">4 players</text>')
    return "\n".join(parts)


def _draw_point(result: Result, x: float, y: float, colour: str) -> str:
    radius = 6 if result.agent == "learned" else 3.5
    above = -9 if result.players == 2 else 16
    words = (
        f'<text x="{x:.1f}" y="{y + above:.1f}" text-anchor="middle" fill="{colour}">{result.agent}</text>'
    )
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>{words}'


if __name__ == "__main__":
    wanted = sys.argv[1:] or GAMES
    measured = [result for game in wanted for players in PLAYERS for result in measure_game(game, players)]
    RESULT.write_text(write_table(measured), encoding="utf-8")
    CHART.write_text(draw_chart(measured), encoding="utf-8")
