"""How strong agents are and what they cost: `python -m benchmarks.strength` writes benchmarks/strength.md and
docs/pictures/strength.svg.

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
from boardgames.agents.agent import Agent, find_agent_type, find_net_file
from boardgames.agents.weights import load_player
from boardgames.game.variant import Variant
from boardgames.play.batch import make_runner, make_scratch, refine, warm_up
from boardgames.play.estimates import Estimate

SEED = 20_261_117
GAMES = ("celtica", "keltis", "celtae")
PLAYERS = (2, 3, 4)
MATCHES = {
    "random": 200,
    "greedy": 2000,
    "learned": 4000,
    "mcts:16": 400,
    "mcts:64": 400,
    "mcts:256": 240,
    "mcts:1024": 60,
    "learned-mcts:64": 400,
    "learned-mcts:256": 240,
}
# Player counts with all agents; the others have those of SOME, and what was trained for them.
CHARTED = (2, 4)
SOME = ("random", "greedy", "mcts:64", "mcts:256")
EARLIER = ("learned", "mcts:256", "mcts:1024")  # also measured against the earlier greedy
RESULT = Path(__file__).with_name("strength.md")
CHART = Path(__file__).parent.parent / "docs" / "pictures" / "strength.svg"
WIDTH, HEIGHT, LEFT, TOP = 300, 260, 46, 28  # of one panel, and its margins
LOWEST, HIGHEST = -250, 550  # ratings that a panel shows; others are drawn at its edge
COLOURS = {2: "#1b6ca8", 4: "#c2571a"}


class Result(NamedTuple):
    """One agent at one table."""

    game: str
    players: int
    agent: str
    wins: Estimate
    cost: float  # CPU time of a match in multiples of greedy's
    earlier: Estimate | None  # wins against greedy as it was

    def find_rating(self, share: float) -> float:
        """Points above greedy: 400 points are odds of ten to one, against odds of an equal share."""
        share = min(max(share, 0.002), 0.998)
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
        if not _is_measured(spec, variant, players):
            continue
        agent = find_agent(spec, variant.game)
        wins = measure_wins(variant, agent, greedy, players, matches) if spec != "greedy" else _even(players)
        cost = measure_seconds(variant, agent, players, max(1, matches // 80)) / usual
        is_compared = spec in EARLIER and players in CHARTED
        before = measure_wins(variant, agent, earlier, players, matches) if is_compared else None
        results.append(Result(game, players, spec, wins, cost, before))
        print(results[-1], flush=True)
    return results


def _is_measured(spec: str, variant: Variant, players: int) -> bool:
    agent_type = find_agent_type(spec.partition(":")[0])
    if not agent_type.net_file:
        return players in CHARTED or spec in SOME
    path = find_net_file(variant.game, agent_type)
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
    left = index * (WIDTH + LEFT) + LEFT
    parts = [f'<text x="{left + WIDTH / 2}" y="16" text-anchor="middle" font-size="13">{game}</text>']
    parts += draw_axes(left)
    for players, colour in COLOURS.items():
        own = [result for result in results if result.players == players and result.agent != "greedy"]
        for search, dashes in (("mcts", "none"), ("learned-mcts", "4 3")):
            searches = [result for result in own if result.agent.startswith(search)]
            path = " ".join(
                f"{_find_x(left, r):.1f},{_find_y(r.find_rating(r.wins.mean)):.1f}" for r in searches
            )
            parts.append(
                f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-dasharray="{dashes}"/>'
            )
        parts += [draw_point(result, _find_x(left, result), colour) for result in own]
        line = TOP + 14 * (1 + [*COLOURS].index(players))
        parts.append(f'<text x="{left + 8}" y="{line}" fill="{colour}">{players} players</text>')
    parts.append(f'<text x="{left + 8}" y="{TOP + 42}" fill="#555">hollow: learned-mcts</text>')
    return "\n".join(parts)


def draw_axes(left: int) -> list[str]:
    parts = []
    for power in range(-1, 5):
        at, bottom = left + WIDTH * (power + 1) / 5, TOP + HEIGHT
        parts.append(f'<line x1="{at}" y1="{TOP}" x2="{at}" y2="{bottom}" stroke="#ddd"/>')
        parts.append(f'<text x="{at}" y="{bottom + 14}" text-anchor="middle">{10.0**power:,g}</text>')
    for rating in range(LOWEST + 50, HIGHEST, 100):
        at, colour = _find_y(rating), "#999" if rating == 0 else "#ddd"
        parts.append(f'<line x1="{left}" y1="{at}" x2="{left + WIDTH}" y2="{at}" stroke="{colour}"/>')
        parts.append(f'<text x="{left - 6}" y="{at + 4}" text-anchor="end">{rating:+d}</text>')
    parts.append(
        f'<text x="{left + WIDTH / 2}" y="{TOP + HEIGHT + 32}" text-anchor="middle">'
        "CPU of a match (greedy = 1); up: points above greedy</text>"
    )
    return parts


def _find_x(left: int, result: Result) -> float:
    return left + WIDTH * (math.log10(max(result.cost, 0.1)) + 1) / 5


def _find_y(rating: float) -> float:
    return TOP + HEIGHT * (HIGHEST - min(max(rating, LOWEST), HIGHEST)) / (HIGHEST - LOWEST)


def draw_point(result: Result, x: float, colour: str) -> str:
    """A point with its 95% interval; a search is labelled by its playouts, hollow if a net judges them."""
    x += 3 if result.players == 4 else -3  # intervals of both player counts stay apart
    y = _find_y(result.find_rating(result.wins.mean))
    low, high = (_find_y(result.find_rating(share)) for share in (result.wins.low, result.wins.high))
    radius = 6 if result.agent == "learned" else 3.5
    side, anchor = (-7, "end") if result.players == 2 else (7, "start")
    is_hollow = result.agent.startswith("learned-mcts")
    name, fill = result.agent.rpartition(":")[2], "white" if is_hollow else colour
    return (
        f'<line x1="{x:.1f}" y1="{low:.1f}" x2="{x:.1f}" y2="{high:.1f}" stroke="{colour}"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" stroke="{colour}"/>'
        f'<text x="{x + side:.1f}" y="{y - 5:.1f}" text-anchor="{anchor}" fill="{colour}">{name}</text>'
    )


if __name__ == "__main__":
    wanted = sys.argv[1:] or GAMES
    measured = [result for game in wanted for players in PLAYERS for result in measure_game(game, players)]
    RESULT.write_text(write_table(measured), encoding="utf-8")
    CHART.write_text(draw_chart(measured), encoding="utf-8")
