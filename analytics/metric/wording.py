"""What a sentence about a metric is made of: "Matches" + "are longer"; "A match takes" + "70.0 turns"."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Wording:
    """A subject, and what it does if the new value is higher, lower, or about the same.

    In `subject` and `says`, {title} stands for the metric's title and {part} for the part of a metric with
    several; in `says`, {value} stands for a number with its unit.
    """

    subject: str
    up: str
    down: str
    level: str
    says: str = "{title} {part}: {value}"  # a whole sentence about one value
    joint: str = " "  # between subject and phrase
    unit: str = ""  # what numbers in such a sentence count, if it is not the metric's unit
    counted: str = ""  # what a share is a share of: a rare one is also told as 1 match in 12
    anchor: str = ""  # a value that everybody can place: 0 is fair


# fits any title, singular or plural: "Lucky throws: higher"
PLAIN = Wording(subject="{title} {part}", up="higher", down="lower", level="about the same", joint=": ")


def word_frequency(subject: str, verb: str, says: str, unit: str = "", counted: str = "") -> Wording:
    """How often something happens: the win is shared more often."""
    often = ("more often", "less often", "about as often")
    up, down, level = (f"{verb} {how}" for how in often)
    return Wording(subject=subject, up=up, down=down, level=level, says=says, unit=unit, counted=counted)


def word_size(subject: str, says: str, anchor: str = "") -> Wording:
    return Wording(
        subject=subject,
        up="is larger",
        down="is smaller",
        level="is about as large",
        says=says,
        anchor=anchor,
    )
