"""The metrics: which question each answers, in which unit, and how.

Most are data: an SQL file in analytics/metric/sql reads the table `slice` and says what a deal's value is.
`kind` says how the values of deals become an answer:

- mean: rows (cell_id, part, slice, deals, total, squares); the mean over deals.
- ratio: rows (cell_id, part, slice, deals, top, base); `formula` of the two means, by default top / base.
- distance: rows as for a mean, one part per seat; how far the parts are from being equal.
- swaps: deals that were played with swapped chance, from which `analytics.metric.luck` computes shares.

In the same SQL, `slice` can also stand for differences between two cells, so each definition is written once:
a mean may be scaled there, but nothing may be added to it. A package adds metrics by entry points in the
group `boardgames.metrics`, each naming a Metric, or a list of them, with its SQL in `definition`.
"""

import functools
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from pathlib import Path

import numpy as np

from analytics.metric.group import FAIRNESS
from analytics.metric.wording import PLAIN, Wording
from analytics.stats.intervals import Formula
from boardgames.errors import BoardgamesError, PluginError, make_unknown_error
from boardgames.game.plugins import find_entry_points, load_plugin
from boardgames.game.variant import Variant

logger = logging.getLogger(__name__)
ENTRY_POINTS = "boardgames.metrics"
FOLDER = Path(__file__).parent / "sql"
KINDS = ("mean", "ratio", "distance", "swaps")
LINE_UPS = ("any", "equal", "mixed")
SHARE = "share"
POINTS = "points"  # as a game counts them: those of another game are others
Reach = Callable[[Variant, int], tuple[float, float]]
ChanceValue = Callable[[str, int], float | None]  # of a part and the player count; None if it is not known
# the metrics that reports, ladders and pages tell in words of their own
SEAT_WIN_SHARE = "seat_win_share"
SEAT_IMBALANCE = "seat_imbalance"
TIED_BEFORE = "tied_before"
TIED_AFTER = "tied_after"
CLOSE_FINISH = "close_finish"
LENGTH = "length"
LEADER_CONVERSION = "leader_conversion"
SKILL_EDGE = "skill_edge"
USAGE = "usage"
LUCK = "luck"
SCORE_LUCK = "score_luck"


def find_scale(unit: str) -> int:
    """100 for a share, which is written and shown in percent; else 1."""
    return 100 if unit == SHARE else 1


class ExtraChart(Enum):
    """A chart that follows a metric's own."""

    OTHER_AGENTS = auto()  # the same metric by each agent that plays against itself
    LEAD_OVER_TIME = auto()
    SOURCES_OF_LUCK = auto()
    RATINGS = auto()
    VALUE_OF_OPTIONS = auto()


@dataclass(frozen=True, kw_only=True)
class Metric:
    """A question to stored matches, with all that pages, goals, reports and ladders ask about it."""

    name: str
    title: str = ""  # for people
    group: str  # the name of a MetricGroup; a new one gets a section and a page of its own
    question: str
    wording: Wording = PLAIN  # of sentences about it; by default made from the title
    unit: str  # share (shown in %, differences in pp), points, turns ...
    better: str = "a matter of taste"  # which way is good, in words
    bounds: tuple[float, float] = (-math.inf, math.inf)  # of its values; of a share, as shares
    bounds_note: str = ""  # where bounds depend on the game, in words
    threshold: float  # the smallest difference that matters by default
    relative: bool = False  # the threshold is a part of A's value
    kind: str = "mean"
    formula: Formula = np.divide
    # the least and the most that a match's value can be in a variant; for a ratio, its top
    reach: Reach | None = None
    parts: str = ""  # what its parts are, if it has several
    main_part: str = ""  # the part that is meant where none is named; by default all
    has_fair_share: bool = False  # each part should be an equal share of the seats
    median_column: str = ""  # of the table `match`, for goals about medians
    # what the dashboard shows of it beside its chart
    examples: str = ""  # the name of the Match page's filter for the matches behind it; {part}: the part
    headlines: Mapping[str, str] = field(default_factory=dict, hash=False)  # words on a card, by part
    extra_chart: ExtraChart | None = None
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

    def find_range(self, variant: Variant, players: int) -> tuple[float, float]:
        """The least and the most that a match's value can be."""
        return self.reach(variant, players) if self.reach else (-math.inf, math.inf)

    def find_threshold(self, value: float) -> float:
        """The smallest difference that matters by default, at this value."""
        return self.threshold * abs(value) if self.relative else self.threshold

    def is_mirror(self, part: str, players: int) -> bool:
        """Whether a part only mirrors the first one: with two seats, seat 2 wins what seat 1 does not."""
        return self.has_fair_share and players == 2 and part == "2"

    @property
    def comparison_problem(self) -> str | None:
        """Why ordinary matches of two variants give no verdict about it; None if they do."""
        if self.kind != "swaps":
            return None
        return (
            f"{self.name} takes matches of its own: `boardgames luck A B` and "
            "`boardgames compare A B --luck` say what a change does to it, and `boardgames goals` can test "
            f"it; `boardgames metrics {self.name}` explains it"
        )

    @property
    def is_true_share(self) -> bool:
        """Whether it counts how often something happens."""
        return self.unit == SHARE and self.bounds == (0.0, 1.0)

    @property
    def label(self) -> str:
        """Its title; without one, its name in words."""
        return self.title or self.name.replace("_", " ").capitalize()

    @property
    def sentence_unit(self) -> str:
        """What numbers in a sentence count: the lead changes 3.3 times."""
        return self.wording.unit or self.unit

    def name_subject(self, part: str = "") -> str:
        """What a sentence is about: Seat 1, The lead."""
        return self._fill_in(self.wording.subject, part)

    def describe_change(self, sign: int, part: str = "") -> str:
        """Matches are longer; `sign` is 1 for higher, -1 for lower and 0 for about the same."""
        phrase = {1: self.wording.up, -1: self.wording.down, 0: self.wording.level}[sign]
        return f"{self.name_subject(part)}{self.wording.joint}{phrase}"

    def describe_value(self, value: str, part: str = "") -> str:
        """A match takes 70.0 turns; `value` is the number in words."""
        return self._fill_in(self.wording.says.replace("{value}", value), part)

    def _fill_in(self, words: str, part: str) -> str:
        titled = words.replace("{title}", self.label)
        return titled.replace("{part}", part or self.main_part).replace(" :", ":").strip()

    def describe_bounds(self) -> str:
        """0 to 100%, 0 and more"""
        if self.bounds_note:
            return self.bounds_note
        low, high = (find_scale(self.unit) * bound for bound in self.bounds)
        unit = "%" if self.unit == SHARE else ""
        if math.isfinite(low) and math.isfinite(high):
            return f"{low:g} to {high:g}{unit}"
        if math.isfinite(low):
            return f"{low:g}{unit} and more"
        return f"up to {high:g}{unit}" if math.isfinite(high) else "any number"


@functools.cache
def metrics() -> dict[str, Metric]:
    """All metrics by name: the built-in ones, then those of installed packages; a broken package prints a
    warning.
    """
    from analytics.metric.built_in import BUILT_IN  # which is made of this module's Metric

    by_name = {metric.name: metric for metric in BUILT_IN}
    for plug_in in find_entry_points(ENTRY_POINTS):
        try:
            by_name |= _load_plugin_metrics(plug_in, by_name)
        except BoardgamesError as error:
            logger.warning("boardgames: %s", error)
    return by_name


def list_groups() -> list[str]:
    """The names of all groups in the registry's order; plug-ins may add to ours."""
    return list(dict.fromkeys(metric.group for metric in metrics().values()))


def _load_plugin_metrics(plug_in: str, existing: Mapping[str, Metric]) -> dict[str, Metric]:
    loaded = load_plugin(plug_in, ENTRY_POINTS)
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
        if not metric.group.strip():
            raise PluginError(
                f"metric plug-in '{plug_in}': '{metric.name}' has no group; {FAIRNESS.name} is one"
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
