"""The metrics: which question each answers, in which unit, and how.

Most are data: an SQL file in analytics/metric/sql reads the table `slice` and says what a deal's value is.
`kind` says how the values of deals become an answer:

- mean: rows (cell_id, part, slice, deals, total, squares); the mean over deals.
- ratio: rows (cell_id, part, slice, deals, top, base); `formula` of the two means, by default top / base.
- distance: rows as for a mean, one part per seat; how far the parts are from being equal.
- rows: rows of the bulk tables for one cell, from which `analytics.metric.lift` computes lifts.

In the same SQL, `slice` can also stand for differences between two cells, so each definition is written once:
a mean may be scaled there, but nothing may be added to it. A package adds metrics by entry points in the
group `boardgames.metrics`, each naming a Metric, or a list of them, with its SQL in `definition`.
"""

import functools
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric.chance_race import LAST_AT_HALF, LEADER
from analytics.stats.intervals import Formula
from boardgames.errors import BoardgamesError, PluginError, make_unknown_error
from boardgames.game.plugins import find_entry_points, load_plugin
from boardgames.game.variant import Variant

logger = logging.getLogger(__name__)
GROUP = "boardgames.metrics"
FOLDER = Path(__file__).parent / "sql"
KINDS = ("mean", "ratio", "distance", "rows")
LINE_UPS = ("any", "equal", "mixed")
SHARE = "share"
Reach = Callable[[Variant, int], float]
ChanceValue = Callable[[str, int], float | None]  # of a part and the player count; None if it is not known
# the metrics that reports, ladders and pages tell in words of their own
SEAT_WIN_SHARE = "seat_win_share"
TIED_AFTER = "tied_after"
LENGTH = "length"
LEADER_CONVERSION = "leader_conversion"
SKILL_EDGE = "skill_edge"
WIN_LIFT = "win_lift"


def find_scale(unit: str) -> int:
    """100 for a share, which is written and shown in percent; else 1."""
    return 100 if unit == SHARE else 1


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A question to stored matches, with all that pages, goals, reports and ladders ask about it."""

    name: str
    title: str = ""  # for people
    family: str
    question: str
    unit: str  # share (shown in %, differences in pp), points, turns ...
    better: str = "a matter of taste"  # which way is good, in words
    bounds: tuple[float, float] = (-math.inf, math.inf)  # of its values; of a share, as shares
    bounds_note: str = ""  # where bounds depend on the game, in words
    threshold: float  # the smallest difference that matters by default
    relative: bool = False  # the threshold is a part of A's value
    kind: str = "mean"
    formula: Formula = np.divide
    # the most that a match's value can differ between two variants; for a ratio, of top less value x base
    reach: Reach | None = None
    parts: str = ""  # what its parts are, if it has several
    main_part: str = ""  # the part that is meant where none is named; by default all
    has_fair_share: bool = False  # each part should be an equal share of the seats
    median_column: str = ""  # of the table `match`, for goals about medians
    examples: str = ""  # the dashboard's name for the matches behind it; {part} stands for the part
    find_chance_value: ChanceValue | None = None  # its value in a race of pure luck
    line_ups: str = "any"  # equal: self-play alone; mixed: needs different agents
    players: tuple[int, ...] = tuple(range(2, 9))
    across_games: bool = True  # whether it means the same in different games
    needs_ends: bool = False  # a match that was cut off has no such value
    caveat: str = ""  # what to keep in mind
    version: int = 1
    definition: str = ""  # SQL; that of the built-in metrics is in analytics/metric/sql
    is_required: bool = field(default=False, compare=False)  # asked for by name: no answer is an error

    @property
    def sql(self) -> str:
        return self.definition or (FOLDER / f"{self.name}.sql").read_text(encoding="utf-8")

    @property
    def is_true_share(self) -> bool:
        """Whether it counts how often something happens."""
        return self.unit == SHARE and self.bounds == (0.0, 1.0)

    def describe_bounds(self) -> str:
        """0 to 100 %, 0 and more"""
        if self.bounds_note:
            return self.bounds_note
        low, high = (find_scale(self.unit) * bound for bound in self.bounds)
        unit = " %" if self.unit == SHARE else ""
        if math.isfinite(low) and math.isfinite(high):
            return f"{low:g} to {high:g}{unit}"
        if math.isfinite(low):
            return f"{low:g}{unit} and more"
        return f"up to {high:g}{unit}" if math.isfinite(high) else "any number"


# ---- how far a single match's value can move


def unit_range(variant: Variant, players: int) -> float:
    return 1.0


def score_range(variant: Variant, players: int) -> float:
    low, high = variant.bounds("scores", players)
    return float(high - low)


def turn_range(variant: Variant, players: int) -> float:
    low, high = variant.bounds("turns", players)
    return float(min(high, variant.game.cap) - low)


def round_range(variant: Variant, players: int) -> float:
    return turn_range(variant, players) / players + 1


def decision_range(variant: Variant, players: int) -> float:
    return float(variant.game.cap)


def tally_range(variant: Variant, players: int) -> float:
    """A tally is a small whole number, whatever the game."""
    return float(2**15)


def compute_deviation(mean_square: Any, mean: Any) -> Any:
    return np.sqrt(np.maximum(mean_square - mean**2, 0.0))


BUILT_IN = (
    Metric(
        name="seat_win_share",
        title="Wins by seat",
        family="fairness",
        question="How often does each seat win?",
        unit=SHARE,
        better="an equal share for each seat",
        bounds=(0.0, 1.0),
        threshold=0.01,
        examples="seat {part} won",
        has_fair_share=True,
        reach=unit_range,
        parts="seat",
        caveat="Seat 1 starts. Agents rotate through the seats, so that a stronger agent favours none.",
    ),
    Metric(
        name="seat_imbalance",
        title="Seat imbalance",
        family="fairness",
        question="How far are the seats from equal chances?",
        unit=SHARE,
        better="0 is fair",
        bounds=(0.0, 1.0),
        threshold=0.01,
        kind="distance",
        reach=unit_range,
        caveat="The root of the summed squared distances from an equal share, less what noise alone adds; "
        "its interval holds without assumptions about how the seats depend on each other, and is a little "
        "wide for that.",
    ),
    Metric(
        name="tied_before",
        title="Score ties",
        family="outcome",
        question="How often is the best score tied?",
        unit=SHARE,
        better="rarely",
        bounds=(0.0, 1.0),
        threshold=0.01,
        examples="the best score is shared",
        reach=unit_range,
    ),
    Metric(
        name="tied_after",
        title="Shared wins",
        family="outcome",
        question="How often is the win shared after tiebreaks?",
        unit=SHARE,
        better="rarely",
        bounds=(0.0, 1.0),
        threshold=0.01,
        examples="first place is shared",
        reach=unit_range,
    ),
    Metric(
        name="winning_margin",
        title="Winning margin",
        family="outcome",
        question="By how much is a match won?",
        unit="points",
        better="a matter of taste",
        bounds=(0.0, math.inf),
        threshold=0.05,
        examples="the clearest win",
        median_column="winning_margin",
        relative=True,
        reach=score_range,
        caveat="Agents that play to win, not to score, win by less; and it falls with the number of players.",
    ),
    Metric(
        name="close_finish",
        title="Close finishes",
        family="outcome",
        question="How often is the gap at most the winner's average round?",
        unit=SHARE,
        better="often",
        bounds=(0.0, 1.0),
        threshold=0.02,
        examples="the closest",
        reach=unit_range,
        caveat="A round is worth what the winner scored, divided by the rounds of the match.",
    ),
    Metric(
        name="score_level",
        title="Average score",
        family="outcome",
        question="What do players score?",
        unit="points",
        better="a matter of taste",
        bounds_note="the game's bounds",
        threshold=0.03,
        relative=True,
        reach=score_range,
    ),
    Metric(
        name="score_spread",
        title="Score spread",
        family="outcome",
        question="How much do scores vary?",
        unit="points",
        better="a matter of taste",
        bounds=(0.0, math.inf),
        threshold=0.05,
        relative=True,
        kind="ratio",
        formula=compute_deviation,
        caveat="The standard deviation over all seats of all matches.",
    ),
    Metric(
        name="end_reason",
        title="Endings",
        family="outcome",
        question="How do matches end?",
        unit=SHARE,
        better="a matter of taste",
        bounds=(0.0, 1.0),
        threshold=0.02,
        examples="ended by: {part}",
        reach=unit_range,
        parts="reason",
        caveat="A match that was cut off by the cap on decisions is counted as such.",
    ),
    Metric(
        name="length",
        title="Match length",
        family="pace",
        question="How many turns does a match take?",
        unit="turns",
        better="a matter of taste",
        bounds_note="the game's bounds",
        threshold=0.03,
        examples="the longest",
        median_column="turns",
        relative=True,
        reach=turn_range,
        needs_ends=True,
    ),
    Metric(
        name="decisions",
        title="Decisions per player",
        family="pace",
        question="How many decisions does each player make?",
        unit="decisions",
        better="a matter of taste",
        bounds=(0.0, math.inf),
        threshold=0.03,
        examples="the longest",
        median_column="decisions",
        relative=True,
        reach=decision_range,
        needs_ends=True,
        caveat="Forced ones are counted, whole turns may hold several.",
    ),
    Metric(
        name="downtime",
        title="Waiting",
        family="pace",
        question="How many decisions by others do you wait through per turn?",
        unit="decisions",
        better="less waiting",
        bounds=(0.0, math.inf),
        threshold=0.05,
        relative=True,
        reach=decision_range,
        needs_ends=True,
    ),
    Metric(
        name="branching_pooled",
        title="Options per decision",
        family="pace",
        question="How many actions can you choose from?",
        unit="actions",
        better="a matter of taste",
        bounds=(1.0, math.inf),
        bounds_note="1 to the game's actions",
        threshold=0.05,
        relative=True,
        kind="ratio",
        across_games=False,
        caveat="Each decision weighs the same. Games count actions in their own ways: it compares no games.",
    ),
    Metric(
        name="forced_share",
        title="Forced decisions",
        family="pace",
        question="How often is only one action legal?",
        unit=SHARE,
        better="few",
        bounds=(0.0, 1.0),
        threshold=0.01,
        kind="ratio",
        reach=decision_range,
    ),
    Metric(
        name="lead_changes",
        title="Lead changes",
        family="tension",
        question="How often does the lead change hands?",
        unit="changes",
        better="often",
        bounds=(0.0, math.inf),
        threshold=0.1,
        examples="the lead changed most often",
        median_column="lead_changes",
        reach=round_range,
        line_ups="equal",
        caveat="By evaluation, looked at once a round; a long match has more of them, also a pure race of "
        "luck.",
    ),
    Metric(
        name="wire_to_wire",
        title="Start-to-finish leads",
        family="tension",
        question="How often is the first leader never overtaken?",
        unit=SHARE,
        better="rarely",
        bounds=(0.0, 1.0),
        threshold=0.02,
        examples="the first leader was never overtaken",
        reach=unit_range,
        line_ups="equal",
    ),
    Metric(
        name="leader_conversion",
        title="Leaders who win",
        family="tension",
        question="How often does the leader at 25, 50 or 75% win?",
        unit=SHARE,
        better="not much above the luck race",
        bounds=(0.0, 1.0),
        threshold=0.02,
        find_chance_value=lambda part, players: LEADER.get(players, {}).get(part),
        kind="ratio",
        reach=unit_range,
        parts="percent of the rounds",
        line_ups="equal",
        caveat="Shown beside a race of pure luck where a greater lead by evaluation does mean a greater "
        "chance; else the evaluation says too little for that.",
    ),
    Metric(
        name="comeback",
        title="Comebacks",
        family="tension",
        question="How often does last place at halfway win?",
        unit=SHARE,
        better="not much below the luck race",
        bounds=(0.0, 1.0),
        threshold=0.02,
        examples="the last at half-time won",
        find_chance_value=lambda part, players: LAST_AT_HALF.get(players),
        kind="ratio",
        reach=unit_range,
        line_ups="equal",
    ),
    Metric(
        name="skill_edge",
        title="Skill edge",
        family="skill",
        question="How far above an equal share does an agent win?",
        unit=SHARE,
        better="more for the stronger means more skill",
        bounds=(-1.0, 1.0),
        threshold=0.02,
        main_part="1",
        reach=lambda variant, players: players / (players - 1),
        parts="place in the line-up",
        line_ups="mixed",
        caveat="0 is luck, 100 % is always. It depends on the agents: name them.",
    ),
    Metric(
        name="skill_fraction",
        title="Skill in the finish",
        family="skill",
        question="How well does strength predict the finishing order?",
        unit=SHARE,
        better="a matter of taste",
        bounds=(-1.0, 1.0),
        threshold=0.02,
        reach=lambda variant, players: 2.0,
        line_ups="mixed",
        caveat="Kendall's tau between the line-up, typed from the strongest to the weakest, and the finish. "
        "Where skill decides p % of the matches and luck the others, it is p %.",
    ),
    Metric(
        name="usage",
        title="Tallies",
        family="strategy",
        question="How often does each tally occur?",
        unit="times per seat",
        better="each one sometimes",
        bounds=(0.0, math.inf),
        threshold=0.05,
        relative=True,
        reach=tally_range,
        parts="tally",
        caveat="The tallies are those that the game keeps.",
    ),
    Metric(
        name="win_lift",
        title="Link to winning",
        family="strategy",
        question="Do users of something win more often?",
        unit="times as often",
        better="1 is no lift",
        bounds=(0.0, math.inf),
        threshold=0.1,
        kind="rows",
        parts="tally",
        line_ups="equal",
        caveat="Compared within each seat, and corrected for the number of tallies (Benjamini and Hochberg). "
        "An association, not a cause: the lucky get to use more.",
    ),
)


@functools.cache
def metrics() -> dict[str, Metric]:
    """All metrics by name: the built-in ones, then those of installed packages; a broken package prints a
    warning.
    """
    by_name = {metric.name: metric for metric in BUILT_IN}
    for plug_in in find_entry_points(GROUP):
        try:
            by_name |= _load_plugin_metrics(plug_in, by_name)
        except BoardgamesError as error:
            logger.warning("boardgames: %s", error)
    return by_name


def _load_plugin_metrics(plug_in: str, existing: Mapping[str, Metric]) -> dict[str, Metric]:
    loaded = load_plugin(plug_in, GROUP)
    by_name: dict[str, Metric] = {}
    for metric in loaded if isinstance(loaded, list | tuple) else [loaded]:
        if not isinstance(metric, Metric) or metric.kind not in KINDS[:3] or not metric.definition:
            raise PluginError(
                f"metric plug-in '{plug_in}': it names a Metric of kind mean, ratio or distance with its SQL"
            )
        if metric.line_ups not in LINE_UPS:
            raise PluginError(
                f"metric plug-in '{plug_in}': line_ups of '{metric.name}' is one of {', '.join(LINE_UPS)}"
            )
        if not metric.family.strip():
            raise PluginError(
                f"metric plug-in '{plug_in}': '{metric.name}' has no family; {BUILT_IN[0].family} is one"
            )
        if metric.name in existing or metric.name in by_name:
            raise PluginError(f"metric plug-in '{plug_in}': there is a metric '{metric.name}' already")
        by_name[metric.name] = metric
    return by_name


def find_metric(name: str) -> Metric:
    """The metric of this name, which is then required to have an answer."""
    if name not in metrics():
        raise make_unknown_error("metric", name, metrics(), "`boardgames metrics` explains them")
    return replace(metrics()[name], is_required=True)
