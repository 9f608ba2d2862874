"""What a sentence about a metric is made of: "Matches" + "are longer"."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Wording:
    """A subject, and what it does if the new value is higher, lower, or about the same.

    In the subject, {title} stands for the metric's title and {part} for the part of a metric with several.
    """

    subject: str
    up: str
    down: str
    level: str
    joint: str = " "  # between subject and phrase
    unit: str = ""  # what numbers in such a sentence count, if it is not the metric's unit


# fits any title, singular or plural: "Lucky throws: higher"
PLAIN = Wording(subject="{title} {part}", up="higher", down="lower", level="about the same", joint=": ")


def word_frequency(subject: str, verb: str, unit: str = "") -> Wording:
    """How often something happens: the win is shared more often."""
    often = ("more often", "less often", "about as often")
    up, down, level = (f"{verb} {how}" for how in often)
    return Wording(subject=subject, up=up, down=down, level=level, unit=unit)


def word_size(subject: str) -> Wording:
    return Wording(subject=subject, up="is larger", down="is smaller", level="is about as large")
