"""A metric against a number, as people type it; one small language for all questions:

    length within 1%                      how precisely it is to be known (`simulate --until`)
    tied_after within 1 pp at 3-4 players
    length=2                              the smallest difference that matters (`compare --threshold`)
    lowest seat_imbalance                 what is best (`sweep --best`)
    seat_win_share 1 near 25%

A metric is written by its name, with _ or with spaces; after it perhaps one of its parts.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from analytics.metric.metric import SHARE, Metric, find_metric, find_scale, metrics
from analytics.words import add_unit, format_number, format_unit
from boardgames.errors import InvalidInput
from boardgames.game.player_counts import parse_player_counts
from boardgames.plan.cell import PlannedCell


class Relation(StrEnum):
    WITHIN = "within"
    EQUALS = "="
    NEAR = "near"
    LOWEST = "lowest"
    HIGHEST = "highest"


PRECISIONS = (Relation.WITHIN,)
THRESHOLDS = (Relation.EQUALS,)
AIMS = (Relation.LOWEST, Relation.HIGHEST, Relation.NEAR)
EXAMPLES = {
    PRECISIONS: '"seat_win_share within 0.5 pp", "length within 1%" '
    'or "tied_after within 1 pp at 3-4 players"',
    THRESHOLDS: "length=2 (turns) or seat_win_share=0.5 (percentage points)",
    AIMS: '"lowest seat_imbalance", "highest lead_changes", "lowest leader_conversion 50" '
    'or "length near 40"',
}
SHORT_NAMES = {"seat_share": "seat_win_share"}
PATTERN = re.compile(
    r"(?P<extreme>lowest|highest)\s+(?P<best>\S.*)"
    r"|(?P<name>.*?)\s*(?P<relation>=|\bwithin\b|\bnear\b)\s*(?P<amount>[^\s%a-z]+)\s*(?P<unit>.*?)"
    r"(?:\s*\bat\s+(?P<players>.*?)\s*(?:players?)?)?"
)


@dataclass(frozen=True, kw_only=True)
class Target:
    """A metric, or one part of it, and what it is held against."""

    metric: Metric
    relation: Relation
    value: float = 0.0  # of a share, as a share
    part: str = ""  # by default all
    relative: bool = False  # the value is a part of the metric's
    players: tuple[int, ...] = ()  # by default all

    def find_value(self, mean: float) -> float:
        """The number in the metric's unit, if this is its mean."""
        return self.value * abs(mean) if self.relative else self.value

    def compute_cost(self, mean: float) -> float:
        """How far a mean is from the best one: smaller is better."""
        if self.relation == Relation.NEAR:
            return abs(mean - self.value)
        return -mean if self.relation == Relation.HIGHEST else mean

    def applies_to(self, cell: PlannedCell) -> bool:
        """Whether matches of this cell have the metric, and are meant."""
        has_equal_agents = len({agent.name for agent in cell.line_up}) == 1
        line_ups = self.metric.line_ups
        return (
            (line_ups == "any" or has_equal_agents == (line_ups == "equal"))
            and cell.players in self.metric.players
            and cell.players in (self.players or (cell.players,))
        )

    def describe(self) -> str:
        """The target as it is typed, in full."""
        name = f"{self.metric.name} {self.part}".strip()
        unit = self.metric.unit
        if self.relation in (Relation.LOWEST, Relation.HIGHEST):
            return f"{self.relation} {name}"
        if self.relation == Relation.NEAR:
            return f"{name} near {add_unit(format_number(self.value, unit), unit)}"
        size = f"{find_scale(unit) * self.value:g} {format_unit(unit, True)}"
        if self.relative:
            size = f"{100 * self.value:g}%"
        where = f" at {', '.join(map(str, self.players))} players" if self.players else ""
        return f"{name} {self.relation} {size}{where}"


def parse_target(text: str, relations: Sequence[Relation]) -> Target:
    """The target in a text, which has one of these relations; InvalidInput for a mistake in it."""
    found = PATTERN.fullmatch(text.strip()) if isinstance(text, str) else None
    if not found or (found["extreme"] or found["relation"]) not in relations:
        raise InvalidInput(f"'{text}': write {_make_example(text, relations)}")
    relation = Relation(found["extreme"] or found["relation"])
    metric, part = split_metric_name(found["best"] if found["extreme"] else found["name"])
    if metric.comparison_problem:
        raise InvalidInput(metric.comparison_problem)
    if found["extreme"]:
        return Target(metric=metric, relation=relation, part=part)
    value = _read_number(found["amount"])
    if value is None or (relation != Relation.NEAR and not value > 0):
        raise InvalidInput(f"'{text}': a number above 0 is needed; write {_make_example(text, relations)}")
    unit = found["unit"].strip()
    _check_unit(text, metric, relation, unit)
    relative = unit == "%" and metric.unit != SHARE
    return Target(
        metric=metric,
        relation=relation,
        value=value / (100 if relative else find_scale(metric.unit)),
        part=part,
        relative=relative,
        players=tuple(parse_player_counts((found["players"] or "").replace(" ", ""))),
    )


def _make_example(text: object, relations: Sequence[Relation]) -> str:
    """What to type instead; for a threshold, that of the metric that the text names."""
    metric = metrics().get("_".join(str(text).partition("=")[0].split()))
    if tuple(relations) != THRESHOLDS or metric is None or metric.comparison_problem:
        return EXAMPLES[tuple(relations)]
    value = 1.0 if metric.relative else find_scale(metric.unit) * metric.threshold
    return f"{metric.name}={value:g} ({format_unit(metric.unit, True)})"


def split_metric_name(text: str) -> tuple[Metric, str]:
    """The metric that a text begins with, and the part that follows."""
    words = text.replace("_", " ").split()
    for end in range(len(words), 0, -1):
        name = "_".join(words[:end])
        name = SHORT_NAMES.get(name, name)
        part = " ".join(words[end:]).strip("\"'")
        if name in metrics() and (not part or metrics()[name].parts):
            return find_metric(name), part
    return find_metric("_".join(words)), ""


def _read_number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _check_unit(text: str, metric: Metric, relation: Relation, unit: str) -> None:
    """Raise InvalidInput for a unit that this metric does not have."""
    if metric.unit == SHARE:
        units = ["%" if relation == Relation.NEAR else "pp"]
    else:
        units = ["%", metric.unit] if relation == Relation.WITHIN else [metric.unit]
    if unit not in ("", *units):
        raise InvalidInput(f"'{text}': {metric.name} is measured in {' or '.join(units)}, not in '{unit}'")


# ---- what the questions ask for


def read_precision(text: str) -> Target:
    """How narrow a metric's interval must be, in each cell that has it: `length within 1%`."""
    return parse_target(text, PRECISIONS)


def read_thresholds(texts: Sequence[str]) -> dict[str, float]:
    """Thresholds by metric: `length=2`, `seat_win_share=0.5pp`."""
    targets = [parse_target(text, THRESHOLDS) for text in texts]
    if with_part := [target for target in targets if target.part or target.players]:
        raise InvalidInput(
            f"'{with_part[0].describe()}': a threshold is for all parts and player counts; "
            f"write {EXAMPLES[THRESHOLDS]}"
        )
    return {target.metric.name: target.value for target in targets}


def read_aim(text: str) -> Target:
    """What makes one variant better than another: `lowest seat_imbalance`, `length near 40`."""
    aim = parse_target(text, AIMS)
    if bool(aim.metric.parts) != bool(aim.part):
        raise InvalidInput(
            f"'{text}': name the {aim.metric.parts} after {aim.metric.name}, as in {EXAMPLES[AIMS]}"
        )
    return aim
