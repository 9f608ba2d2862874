"""The metrics: which question each answers, in which unit, and how.

Most are data: an SQL file in analytics/metric/sql reads the table `slice` and says what a block's value is. `kind` says how blocks
become an answer:

- mean: rows (cell_id, part, slice, blocks, total, squares); the mean over blocks.
- ratio: rows (cell_id, part, slice, blocks, top, base); `formula` of the two means, top / base if not said.
- distance: rows as for a mean, one part per seat; how far the parts are from being equal.
- rows: rows of the bulk tables for one cell, and `analytics.metric.lift` makes something of them.

In the same SQL, `slice` can also stand for differences between two cells, so each definition is written once: a mean may be scaled
there, but nothing may be added to it. A package adds metrics by entry points in the group
`boardgames.metrics`, each naming a Metric, or a list of them, with its SQL in `definition`.
"""

import functools
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from analytics.stats.intervals import Formula
from boardgames.errors import BadInput, unknown
from boardgames.game.plugins import installed, plugged_in
from boardgames.game.variant import Variant

GROUP = "boardgames.metrics"
FOLDER = Path(__file__).parent / "sql"
KINDS = ("mean", "ratio", "distance", "rows")
LINE_UPS = ("any", "equal", "mixed")
SHARE = "share"
Reach = Callable[[Variant, int], float]


def scale_of(unit: str) -> int:
    """A share is written, shown and drawn in percent; everything else as it is."""
    return 100 if unit == SHARE else 1


@dataclass(frozen=True)
class Metric:
    name: str
    family: str
    question: str
    unit: str  # share (shown in %, differences in pp), points, turns ...
    better: str  # which way is good, in words; often nobody can say
    bounds: str  # between which numbers it lies, in words
    margin: float  # a smaller difference does not matter, unless somebody says otherwise
    relative: bool = False  # the margin is a part of A's value
    kind: str = "mean"
    formula: Formula = np.divide
    reach: Reach | None = None  # the most that a match's value can differ between two variants; of a ratio, top less value x base
    parts: str = ""  # what its parts are, if it has several
    line_ups: str = "any"  # equal: self-play alone; mixed: needs different agents
    players: tuple[int, ...] = tuple(range(2, 9))
    across_games: bool = True  # whether it means the same in different games
    needs_ends: bool = False  # a match that was cut off has no such value
    care: str = ""  # what to keep in mind
    version: int = 1
    definition: str = ""  # SQL; ours stand in analytics/metric/sql
    named: bool = field(default=False, compare=False)  # somebody asked for it: then it is an error that it cannot be answered

    @property
    def sql(self) -> str:
        return self.definition or (FOLDER / f"{self.name}.sql").read_text(encoding="utf-8")

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the most that it can be, as far as its bounds say."""
        from_zero = self.bounds.startswith("0")
        if self.unit == SHARE:
            return (0.0 if from_zero else -1.0), 1.0
        return (0.0 if from_zero else -math.inf), math.inf


# ---- how far a single match's value can move


def whole(variant: Variant, players: int) -> float:
    return 1.0


def scores(variant: Variant, players: int) -> float:
    low, high = variant.bounds("scores", players)
    return float(high - low)


def turns(variant: Variant, players: int) -> float:
    low, high = variant.bounds("turns", players)
    return float(min(high, variant.game.cap) - low)


def laps(variant: Variant, players: int) -> float:
    return turns(variant, players) / players + 1


def decisions(variant: Variant, players: int) -> float:
    return float(variant.game.cap)


def actions(variant: Variant, players: int) -> float:
    return float(variant.game.actions - 1)


def counted(variant: Variant, players: int) -> float:
    """A tally is a small whole number, whatever the game."""
    return float(2**15)


def deviation(mean_square: Any, mean: Any) -> Any:
    return np.sqrt(np.maximum(mean_square - mean**2, 0.0))


FIRST_RELEASE = (
    Metric(
        "seat_win_share", "fairness", "How often does each seat win?", SHARE, "an equal share for each seat", "0 to 100 %", 0.01,
        reach=whole, parts="seat", care="Seat 1 starts. Agents rotate through the seats, so that a stronger agent favours none.",
    ),
    Metric(
        "seat_imbalance", "fairness", "How unfair are the seats, in one number?", SHARE, "0 is fair", "0 to 100 %", 0.01,
        kind="distance", reach=whole,
        care="The root of the summed squared distances from an equal share, less what noise alone adds; its interval holds without "
        "assumptions about how the seats depend on each other, and is a little wide for that.",
    ),
    Metric(
        "tied_before", "outcome", "How often is the best score shared, before tie-breaks?", SHARE, "rarely", "0 to 100 %", 0.01,
        reach=whole,
    ),
    Metric(
        "tied_after", "outcome", "How often is first place shared after all tie-breaks?", SHARE, "rarely", "0 to 100 %", 0.01,
        reach=whole,
    ),
    Metric(
        "victory_margin", "outcome", "By how much is a match won?", "points", "a matter of taste", "0 and more", 0.05,
        relative=True, reach=scores,
        care="Agents that play to win, not to score, win by less; and it falls with the number of players.",
    ),
    Metric(
        "close_finish", "outcome", "How often is the second at most one lap behind the winner?", SHARE, "often",
        "0 to 100 %", 0.02, reach=whole,
        care="A lap is worth what the winner scored, divided by the laps of the match.",
    ),
    Metric(
        "score_level", "outcome", "What do players score?", "points", "a matter of taste", "the game's bounds", 0.03, relative=True,
        reach=scores,
    ),
    Metric(
        "score_spread", "outcome", "How far apart are the scores that players get?", "points", "a matter of taste", "0 and more",
        0.05, relative=True, kind="ratio", formula=deviation, care="The standard deviation over all seats of all matches.",
    ),
    Metric(
        "end_reason", "outcome", "Why do matches end?", SHARE, "a matter of taste", "0 to 100 %", 0.02, reach=whole, parts="reason",
        care="A match that was cut off by the cap on decisions is counted as such.",
    ),
    Metric(
        "length", "pace", "How many turns does a match take?", "turns", "a matter of taste", "the game's bounds", 0.03,
        relative=True, reach=turns, needs_ends=True,
    ),
    Metric(
        "decisions", "pace", "How many decisions does each player make?", "decisions", "a matter of taste", "0 and more", 0.03,
        relative=True, reach=decisions, needs_ends=True, care="Forced ones are counted, whole turns may hold several.",
    ),
    Metric(
        "downtime", "pace", "How many decisions of others does one wait for, per turn of one's own?", "decisions", "less waiting",
        "0 and more", 0.05, relative=True, reach=decisions, needs_ends=True,
    ),
    Metric(
        "branching_pooled", "pace", "How many actions are legal at a decision?", "actions", "a matter of taste",
        "1 to the game's actions", 0.05, relative=True, kind="ratio", across_games=False,
        care="One of three ways to count, never compared across games: here each decision weighs the same.",
    ),
    Metric(
        "branching_mean", "pace", "How many actions are legal on average in a match?", "actions", "a matter of taste",
        "1 to the game's actions", 0.05, relative=True, reach=actions, across_games=False, care="Here each match weighs the same.",
    ),
    Metric(
        "branching_geometric", "pace", "How many actions are legal at a typical decision of a match?", "actions",
        "a matter of taste", "1 to the game's actions", 0.05, relative=True, reach=actions, across_games=False,
        care="The geometric mean: raised to the number of decisions it is the size of the tree.",
    ),
    Metric(
        "forced_share", "pace", "How many of the decisions are none, because a single action is legal?", SHARE, "few",
        "0 to 100 %", 0.01, kind="ratio", reach=decisions,
    ),
    Metric(
        "lead_changes", "tension", "How often does the lead change?", "changes", "often", "0 and more", 0.1, reach=laps,
        line_ups="equal", care="By outlook, looked at once a lap; a long match has more of them, also a pure race of luck.",
    ),
    Metric(
        "wire_to_wire", "tension", "How often is the first sole leader never overtaken?", SHARE, "rarely", "0 to 100 %", 0.02,
        reach=whole, line_ups="equal",
    ),
    Metric(
        "leader_conversion", "tension", "How often does the leader after 25, 50, 75 % of the laps win?", SHARE,
        "not much above the luck race", "0 to 100 %", 0.02, kind="ratio", reach=whole, parts="percent of the laps",
        line_ups="equal",
        care="Shown beside a race of pure luck where a greater lead by outlook does mean a greater chance; else the outlook says "
        "too little for that.",
    ),
    Metric(
        "comeback", "tension", "How often does the last at half-time still win?", SHARE, "not much below the luck race",
        "0 to 100 %", 0.02, kind="ratio", reach=whole, line_ups="equal",
    ),
    Metric(
        "skill_edge", "skill", "How much more than an equal share does each agent of a mixed line-up win?", SHARE,
        "more for the stronger means more skill", "-100 to 100 %", 0.02, reach=lambda variant, players: players / (players - 1),
        parts="place in the line-up", line_ups="mixed", care="0 is luck, 100 % is always. It depends on the agents: name them.",
    ),
    Metric(
        "skill_fraction", "skill", "How far does skill decide the order of the finish?", SHARE, "a matter of taste",
        "-100 to 100 %", 0.02, reach=lambda variant, players: 2.0, line_ups="mixed",
        care="Kendall's tau between the line-up, typed from the strongest to the weakest, and the finish. Where skill decides p % "
        "of the matches and luck the others, it is p %.",
    ),
    Metric(
        "usage", "strategy", "How often is each component or kind of action used?", "times per seat", "each one sometimes",
        "0 and more", 0.05, relative=True, reach=counted, parts="counter", care="The counters are those that the game keeps.",
    ),
    Metric(
        "win_lift", "strategy", "Do those who use a component win more often?", "times as often", "1 is no lift", "0 and more", 0.1,
        kind="rows", parts="counter", line_ups="equal",
        care="Compared within each seat, and corrected for the number of counters (Benjamini and Hochberg). An association, not a "
        "cause: the lucky get to use more.",
    ),
)  # fmt: skip


@functools.cache
def metrics() -> dict[str, Metric]:
    """All metrics by name: ours, then those of installed packages; a broken package is told of, and the others go on."""
    found = {metric.name: metric for metric in FIRST_RELEASE}
    for name in installed(GROUP):
        try:
            found |= _brought_by(name, found)
        except BadInput as error:
            print(f"boardgames: {error}", file=sys.stderr)
    return found


def _brought_by(plug_in: str, known: Mapping[str, Metric]) -> dict[str, Metric]:
    loaded = plugged_in(plug_in, GROUP)
    several = list(loaded) if isinstance(loaded, list | tuple) else [loaded]
    found: dict[str, Metric] = {}
    for metric in several:
        if not isinstance(metric, Metric) or metric.kind not in KINDS[:3] or not metric.definition:
            raise BadInput(f"metric plug-in '{plug_in}': it names a Metric of kind mean, ratio or distance with its SQL")
        if metric.line_ups not in LINE_UPS:
            raise BadInput(f"metric plug-in '{plug_in}': line_ups of '{metric.name}' is one of {', '.join(LINE_UPS)}")
        if not metric.family.strip():
            raise BadInput(f"metric plug-in '{plug_in}': '{metric.name}' has no family; {FIRST_RELEASE[0].family} is one")
        if metric.name in known or metric.name in found:
            raise BadInput(f"metric plug-in '{plug_in}': there is a metric '{metric.name}' already")
        found[metric.name] = metric
    return found


def find_metric(name: str) -> Metric:
    """The metric that somebody named."""
    if name not in metrics():
        raise unknown("metric", name, metrics(), "`boardgames metrics` explains them")
    return replace(metrics()[name], named=True)
