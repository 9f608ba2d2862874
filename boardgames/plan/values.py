"""The values of a match that are stored as sums: one per match and name, from the engine's columns.

A deal's value is the mean over its seatings. Slices hold their sums and sums of squares over deals, so that a
metric over ten million matches is read from a few thousand rows."""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from boardgames.play.batch import SLICE, Batch

Array = np.ndarray[Any, Any]
PLAIN_COLUMNS = (
    "turns",
    "rounds",
    "decisions",
    "forced",
    "branching",
    "widest",
    "winning_margin",
    "lead_changes",
)


class Countable(Protocol):
    """What a game counts: it need not be installed."""

    @property
    def ends(self) -> Sequence[str]: ...
    @property
    def tallies(self) -> Sequence[str]: ...


def compute_match_values(game: Countable, batch: Batch, agents: Array) -> dict[str, Array]:
    """By name, the value of each match. Shares are 0 or 1; a name with a colon is one of several of its kind.

    `agents` has a row per seating: for each seat the first slot of its agent in the line-up, from 1.
    """
    matches, seats = batch.matches, batch.seats
    values: dict[str, Array] = {name: matches[name] for name in PLAIN_COLUMNS}
    values |= {
        "tied": matches["tied"] > 1,  # the best score is shared, before tie-breaks
        "shared": matches["winners"] > 1,  # first place is shared, after them
        "never_changed": matches["lead_changes"] == 0,
        "cut_off": matches["end"] == 0,
    }
    values |= {f"end:{reason}": matches["end"] == index for index, reason in enumerate(game.ends, 1)}
    for quarter in ("25", "50", "75"):
        values |= _compute_lead(batch, quarter)
    for seat in range(seats.shape[1]):
        values |= {f"{name}:{seat + 1}": seats[name][:, seat] for name in ("win_share", "score")}
    tallies = seats["tally"].sum(axis=1, dtype=np.int64).T / seats.shape[1]
    values |= {f"tally:{name}": tallies[index] for index, name in enumerate(game.tallies)}
    return values | _compute_ratios(batch) | _compute_last_at_half(batch) | _compute_contest(batch, agents)


def _compute_lead(batch: Batch, quarter: str) -> dict[str, Array]:
    """Whether one seat led alone at this quarter, and the share of the win that it got."""
    bits = batch.matches[f"leaders_{quarter}"][:, None] >> np.arange(batch.seats.shape[1]) & 1
    alone = bits.sum(axis=1) == 1
    return {
        f"led:{quarter}": alone,
        f"led_and_won:{quarter}": alone * (bits * batch.seats["win_share"]).sum(axis=1),
    }


def _compute_ratios(batch: Batch) -> dict[str, Array]:
    """Values that must be divided or multiplied in each match, before averaging."""
    matches, seats = batch.matches, batch.seats
    scores = seats["score"].astype(np.float64)
    winning_scores = (scores * seats["win_share"]).sum(axis=1)
    others = matches["decisions"][:, None] - seats["decisions"]
    return {
        "downtime": (others / np.maximum(seats["turns"], 1)).mean(axis=1),  # decisions of others per own turn
        # The winning margin is at most what the winner scores in a round.
        "close": matches["winning_margin"] * matches["rounds"] <= np.abs(winning_scores),
        "score": scores.mean(axis=1),
        "score_squared": (scores * scores).mean(axis=1),
    }


def _compute_last_at_half(batch: Batch) -> dict[str, Array]:
    """Whether one seat alone had the lowest evaluation at half-time, and the share of the win that it got."""
    evaluations = batch.seats["evaluation_50"]
    last = evaluations == evaluations.min(axis=1, keepdims=True)
    alone = last.sum(axis=1) == 1
    return {"last:50": alone, "last_and_won:50": alone * (last * batch.seats["win_share"]).sum(axis=1)}


def _compute_contest(batch: Batch, agents: Array) -> dict[str, Array]:
    """For a line-up of different agents: each one's edge, and how well the typed order predicts the finish.

    `edge` is 0 for an equal share of the wins per seat and 1 for all of them. `order` is Kendall's tau
    between the line-up, typed from the strongest to the weakest, and the finish; seats of equal agents are
    not compared, and a shared rank counts as neither.
    """
    slots = np.unique(agents)
    if len(slots) == 1:
        return {}
    seated = np.tile(agents, (len(batch.matches) // len(agents), 1))
    wins, ranks = batch.seats["win_share"], batch.seats["rank"]
    equal = 1 / seated.shape[1]
    shares = {slot: (wins * (seated == slot)).sum(axis=1) / (seated == slot).sum(axis=1) for slot in slots}
    values = {f"edge:{slot}": (share - equal) / (1 - equal) for slot, share in shares.items()}
    agreed, pairs = np.zeros(len(seated)), np.zeros(len(seated))
    for i, j in itertools.combinations(range(seated.shape[1]), 2):
        agreed += np.sign(seated[:, j] - seated[:, i]) * np.sign(ranks[:, j] - ranks[:, i])
        pairs += seated[:, i] != seated[:, j]
    return values | {"order": agreed / pairs}


def agent_by_seat(line_up: Sequence[Any], seatings: Array) -> Array:
    """For each seating and seat, the first slot of its agent in the line-up, from 1."""
    firsts = np.array([1 + [*line_up].index(agent) for agent in line_up])
    return np.asarray(firsts[np.asarray(seatings)])


class Sums(NamedTuple):
    """Sums of one value over the deals of each slice."""

    name: str
    total: Array
    squares: Array


def compute_deal_values(values: dict[str, Array], seatings: int) -> dict[str, Array]:
    """The mean over the seatings of each deal."""
    return {
        name: np.asarray(v, np.float64).reshape(-1, seatings).sum(axis=1) / seatings
        for name, v in values.items()
    }


def sum_slices(values: dict[str, Array], deals: Array) -> tuple[Array, Array, list[Sums]]:
    """The slices of these deals, which are in order, the number of deals in each, and sums of each value."""
    slice_numbers = deals // SLICE
    slices, starts = np.unique(slice_numbers, return_index=True)
    counts = np.diff([*starts, len(slice_numbers)])
    sums = [Sums(n, np.add.reduceat(v, starts), np.add.reduceat(v * v, starts)) for n, v in values.items()]
    return slices, counts, sums
