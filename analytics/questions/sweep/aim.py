"""What makes one variant of a sweep better than another, written in words."""

from typing import NamedTuple

from analytics.metric.metric import Metric, scale_of
from analytics.questions.precision import metric_named
from analytics.words import number, unit_of
from boardgames.errors import BadInput

EXAMPLE = '"lowest seat imbalance", "highest lead changes", "lowest leader conversion 50" or "length near 40"'


class Aim(NamedTuple):
    """A metric, or a part of it, and which way is better."""

    metric: Metric
    part: str
    towards: str  # lowest, highest or near
    target: float = 0.0

    def cost(self, mean: float) -> float:
        return {"lowest": mean, "highest": -mean, "near": abs(mean - self.target)}[self.towards]

    def in_words(self) -> str:
        named = f"{self.metric.name} {self.part}".strip()
        target = f"{number(self.target, self.metric.unit)} {unit_of(self.metric.unit)}"
        return f"{named} near {target}" if self.towards == "near" else f"{self.towards} {named}"


def read_aim(text: str) -> Aim:
    """`lowest seat imbalance`, `length near 40`: the metric in words, perhaps one of its parts, and which way is better."""
    words, target = text.split(), 0.0
    if len(words) > 2 and words[-2] == "near":
        *words, _, last = words
        towards = "near"
        try:
            target = float(last.rstrip("%"))
        except ValueError:
            raise BadInput(f"aim '{text}': {last} is no number; write {EXAMPLE}") from None
    elif len(words) > 1 and words[0] in ("lowest", "highest"):
        towards, *words = words
    else:
        raise BadInput(f"aim '{text}': write {EXAMPLE}")
    try:
        metric, part = metric_named(" ".join(words)), ""
    except BadInput:
        if len(words) < 2:
            raise
        metric, part = metric_named(" ".join(words[:-1])), words[-1]
    if bool(metric.parts) != bool(part):
        raise BadInput(f"aim '{text}': " + (f"name the {metric.parts} last" if metric.parts else f"{metric.name} has no parts"))
    return Aim(metric, part, towards, target / scale_of(metric.unit))
