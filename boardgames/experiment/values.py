"""What is kept of a match as numbers to add up: one value per match and name, from the columns that the engine fills.

A block's value is the mean over its seatings. Slices hold their sums and sums of squares over blocks, so that a metric over ten
million matches is read from a few thousand rows.
"""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from boardgames.game.game import Game
from boardgames.play.batch import SLICE, Batch

Array = np.ndarray[Any, Any]
PLAIN = ("turns", "laps", "decisions", "forced", "branching", "widest", "margin", "lead_changes")


def match_values(game: Game, batch: Batch, agents: Array) -> dict[str, Array]:
    """The values of each match, by name. Shares are 0 or 1; a name with a colon is one of several of its kind.

    `agents` has a row per arrangement: for each seat the place in the line-up, from 1, where its agent is first named.
    """
    matches, seats = batch.matches, batch.seats
    values: dict[str, Array] = {name: matches[name] for name in PLAIN}
    values |= {
        "bits": matches["log_branching"] / 65536,  # sum of the logarithms of the numbers of legal actions
        "tied": matches["tied"] > 1,  # the best score is shared, before tie-breaks
        "shared": matches["winners"] > 1,  # first place is shared, after them
        "never_changed": matches["lead_changes"] == 0,
        "cut_off": matches["end"] == 0,
    }
    values |= {f"end:{reason}": matches["end"] == place for place, reason in enumerate(game.ends, 1)}
    for quarter in ("25", "50", "75"):
        values |= _lead(batch, quarter)
    for seat in range(seats.shape[1]):
        values |= {f"{name}:{seat + 1}": seats[name][:, seat] for name in ("win_share", "score")}
    tallies = seats["tally"].sum(axis=1, dtype=np.int64).T / seats.shape[1]
    values |= {f"tally:{name}": tallies[place] for place, name in enumerate(game.tallies)}
    return values | _within(batch) | _last_at_half(batch) | _contest(batch, agents)


def _lead(batch: Batch, quarter: str) -> dict[str, Array]:
    """Whether somebody led alone then, and how much of the win went to that seat."""
    bits = batch.matches[f"leaders_{quarter}"][:, None] >> np.arange(batch.seats.shape[1]) & 1
    alone = bits.sum(axis=1) == 1
    return {f"led:{quarter}": alone, f"led_and_won:{quarter}": alone * (bits * batch.seats["win_share"]).sum(axis=1)}


def _within(batch: Batch) -> dict[str, Array]:
    """What has to be divided or multiplied match by match, before any averaging."""
    matches, seats = batch.matches, batch.seats
    decisions, scores = np.maximum(matches["decisions"], 1), seats["score"].astype(np.float64)
    won_with = (scores * seats["win_share"]).sum(axis=1)
    others = matches["decisions"][:, None] - seats["decisions"]
    return {
        "choices": matches["branching"] / decisions,
        "typical_choices": np.exp2(matches["log_branching"] / (65536 * decisions)),
        "downtime": (others / np.maximum(seats["turns"], 1)).mean(axis=1),  # decisions of others per own turn
        "close": matches["margin"] * matches["laps"] <= np.abs(won_with),  # behind by a lap of the winner's at most
        "score": scores.mean(axis=1),
        "score_squared": (scores * scores).mean(axis=1),
    }


def _last_at_half(batch: Batch) -> dict[str, Array]:
    """Whether somebody was alone in last place by outlook at half-time, and how much of the win went to that seat."""
    outlooks = batch.seats["outlook_50"]
    last = outlooks == outlooks.min(axis=1, keepdims=True)
    alone = last.sum(axis=1) == 1
    return {"last:50": alone, "last_and_won:50": alone * (last * batch.seats["win_share"]).sum(axis=1)}


def _contest(batch: Batch, agents: Array) -> dict[str, Array]:
    """Of a line-up of different agents: how far each wins above its share, and how well the order typed foretold the finish.

    `edge` is 0 for an equal share of the wins per seat and 1 for all of them. `order` is Kendall's tau between the line-up, typed
    from the strongest to the weakest, and the finish; seats of equal agents are not compared, and a shared place counts as neither.
    """
    known = np.unique(agents)
    if len(known) == 1:
        return {}
    here = np.tile(agents, (len(batch.matches) // len(agents), 1))
    wins, places = batch.seats["win_share"], batch.seats["place"]
    equal = 1 / here.shape[1]
    shares = {one: (wins * (here == one)).sum(axis=1) / (here == one).sum(axis=1) for one in known}
    values = {f"edge:{one}": (share - equal) / (1 - equal) for one, share in shares.items()}
    agreed, pairs = np.zeros(len(here)), np.zeros(len(here))
    for i, j in itertools.combinations(range(here.shape[1]), 2):
        agreed += np.sign(here[:, j] - here[:, i]) * np.sign(places[:, j] - places[:, i])
        pairs += here[:, i] != here[:, j]
    return values | {"order": agreed / pairs}


def who_sits(line_up: Sequence[Any], seatings: Array) -> Array:
    """For each arrangement and seat, the place from 1 at which its agent is first named in the line-up."""
    firsts = np.array([1 + [*line_up].index(agent) for agent in line_up])
    return np.asarray(firsts[np.asarray(seatings)])


class Sums(NamedTuple):
    """Of one value over the blocks of each slice."""

    name: str
    total: Array
    squares: Array


def block_values(values: dict[str, Array], seatings: int) -> dict[str, Array]:
    """The mean over the seatings of each block."""
    return {name: np.asarray(v, np.float64).reshape(-1, seatings).sum(axis=1) / seatings for name, v in values.items()}


def slice_sums(blocks: dict[str, Array], first: int) -> tuple[Array, Array, list[Sums]]:
    """The slices that these blocks lie in, how many blocks in each, and each value's sums there."""
    numbers = (first + np.arange(len(next(iter(blocks.values()))))) // SLICE
    slices, starts = np.unique(numbers, return_index=True)
    counts = np.diff([*starts, len(numbers)])
    sums = [Sums(n, np.add.reduceat(v, starts), np.add.reduceat(v * v, starts)) for n, v in blocks.items()]
    return slices, counts, sums


def gaps(done: Sequence[tuple[int, int]], blocks: int) -> list[tuple[int, int]]:
    """The runs (first, how many) of 0 .. blocks - 1 that are not yet done."""
    missing, at = [], 0
    for first, many in sorted(done):
        if first > at:
            missing.append((at, min(first, blocks) - at))
        at = max(at, first + many)
    missing.append((at, blocks - at))
    return [(first, many) for first, many in missing if many > 0]


def common(a: Sequence[tuple[int, int]], b: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The runs of blocks that lie in both."""
    last = max((first + many for first, many in [*a, *b]), default=0)
    missing = [*gaps(a, last), *gaps(b, last)]
    return gaps(missing, last)
