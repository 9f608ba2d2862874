"""What pages show of single metrics and families beyond what `Metric` declares.

The only table of special cases: no page names a metric. Whatever `Metric` comes to declare itself (title,
group, examples, sentences) goes from here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from analytics.metric.metric import SKILL_EDGE, WIN_LIFT, Metric, find_metric
from analytics.questions.report import PlayerCountResult
from analytics.show.report import takeaways
from analytics.show.report.html import SECTIONS
from dashboard.data.examples import MatchKind

# ---- metrics


class Extra(Enum):
    """A chart of its own that a page shows after a metric's chart."""

    OTHER_AGENTS = auto()
    LEAD_OVER_TIME = auto()
    RATINGS = auto()
    VALUE_OF_OPTIONS = auto()


@dataclass(frozen=True, kw_only=True)
class MetricDisplay:
    """What pages show of a metric."""

    headlines: dict[str, str] = field(default_factory=dict)  # words of a card, by part
    extra: Extra | None = None


NO_DISPLAY = MetricDisplay()
METRICS = {
    "seat_win_share": MetricDisplay(headlines={"1": "the first seat wins"}),
    "seat_imbalance": MetricDisplay(extra=Extra.OTHER_AGENTS),
    "length": MetricDisplay(headlines={"": "a match takes"}),
    "tied_after": MetricDisplay(headlines={"": "first place is shared"}),
    "leader_conversion": MetricDisplay(headlines={"50": "the leader at half-time wins"}),
    "wire_to_wire": MetricDisplay(extra=Extra.LEAD_OVER_TIME),
    "skill_fraction": MetricDisplay(extra=Extra.RATINGS),
    "usage": MetricDisplay(extra=Extra.VALUE_OF_OPTIONS),
}


def find_display(metric: str) -> MetricDisplay:
    return METRICS.get(metric, NO_DISPLAY)


def name_examples(metric: str, part: str) -> str:
    """The name of the filter for the matches behind an estimate."""
    if part == MatchKind.CUT_OFF:
        return part
    return find_metric(metric).examples.format(part=part) or MatchKind.ANY.value


def list_headlines() -> list[tuple[Metric, str, str]]:
    """Metric, part and words of each number on a card."""
    return [
        (find_metric(name), part, words)
        for name, display in METRICS.items()
        for part, words in display.headlines.items()
    ]


def find_win_lift() -> Metric:
    return find_metric(WIN_LIFT)


def find_agent_edge() -> Metric:
    """How much more than its share an agent of a mixed line-up wins."""
    return find_metric(SKILL_EDGE)


# ---- families


@dataclass(frozen=True, kw_only=True)
class FamilyDisplay:
    """The page of a family of metrics."""

    name: str
    icon: str
    question: str
    # the report's sentences about one variant
    describe: Callable[[list[PlayerCountResult]], Sequence[str]] = lambda counts: ()
    needs_head_to_heads: bool = False  # its sentences are about line-ups in which different agents meet
    needs_luck_race: bool = False  # they compare with a race of pure luck
    needs_lifts: bool = False


FAMILIES = {
    "fairness": FamilyDisplay(
        name="Seats",
        icon="event_seat",
        question="Does any seat have an advantage?",
        describe=lambda counts: [takeaways.describe_fairness(counts)],
    ),
    "outcome": FamilyDisplay(
        name="Endings",
        icon="flag",
        question=SECTIONS["outcome"],
        describe=lambda counts: [takeaways.describe_ties(counts)],
    ),
    "pace": FamilyDisplay(
        name="Pace",
        icon="timer",
        question=SECTIONS["pace"],
        describe=lambda counts: [takeaways.describe_pace(counts)],
    ),
    "tension": FamilyDisplay(
        name="Tension",
        icon="show_chart",
        question=SECTIONS["tension"],
        describe=lambda counts: [takeaways.describe_tension(counts)],
        needs_luck_race=True,
    ),
    "skill": FamilyDisplay(
        name="Skill",
        icon="stairs",
        question=SECTIONS["skill"],
        describe=lambda counts: list(takeaways.describe_skill(counts)),
        needs_head_to_heads=True,
    ),
    "strategy": FamilyDisplay(
        name="Strategies",
        icon="category",
        question=SECTIONS["strategy"],
        describe=lambda counts: list(takeaways.describe_strategies(counts)),
        needs_lifts=True,
    ),
}


def find_family_display(family: str) -> FamilyDisplay:
    """The display of a family; a plug-in's own has a plain one."""
    plain = FamilyDisplay(name=family.capitalize(), icon="bar_chart", question=f"What about {family}?")
    return FAMILIES.get(family, plain)
