"""What a comparison is judged by, written into the result file before its first match, so that it is not
chosen after a look at the results.
"""

import numbers
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from analytics.metric.metric import SHARE, Metric, find_metric
from analytics.verdict.preregistration import Preregistration, Registered
from boardgames.errors import InvalidInput
from boardgames.game.variant import Variant

MAIN_METRICS = ("seat_win_share", "tied_after", "length", "winning_margin", "score_level", "lead_changes")
COOPERATIVE_METRICS = ("score_level", "score_spread", "length", "decisions")  # where all seats win together
MOST_MAIN_METRICS = 6
MINUTES = 2.0  # to play at most, where neither minutes nor matches are given


@dataclass(frozen=True, kw_only=True)
class Terms:
    """The main metrics with their thresholds, who plays, and when to stop. Thresholds left out are the
    metrics' defaults.
    """

    agents: tuple[str, ...]  # from weak to strong; the first one's matches decide
    minutes: float | None = None  # to play
    matches: int | None = None  # of each cell by the deciding agent
    until_decided: bool = False  # minutes and matches are then limits
    main_metrics: tuple[str, ...] = MAIN_METRICS
    thresholds: Mapping[str, float] = field(default_factory=dict)
    alpha: float = 0.05  # the chance that any verdict of the main metrics is ever wrong

    @property
    def stop(self) -> str:
        """How long to play, in words; empty if that is not said."""
        limits = [f"{self.matches:,} matches of each"] if self.matches else []
        limits += [f"{self.minutes:g} minutes"] if self.minutes else []
        if not self.until_decided:
            return " or ".join(limits)
        return ", at most ".join(["until every main metric is decided", *filter(None, [" or ".join(limits)])])

    def find_threshold(self, metric: Metric, value_in_a: float) -> float:
        if metric.name in self.thresholds:
            return self.thresholds[metric.name]
        return metric.find_threshold(value_in_a)

    def describe_threshold(self, metric: Metric) -> str:
        if metric.relative and metric.name not in self.thresholds:
            return f"{100 * metric.threshold:g}% of the baseline"
        threshold = self.thresholds.get(metric.name, metric.threshold)
        return f"{100 * threshold:g} pp" if metric.unit == SHARE else f"{threshold:g} {metric.unit}"


def list_usual_metrics(variants: Sequence[Variant]) -> tuple[str, ...]:
    """The main metrics of a comparison of these variants, if none are named."""
    if all(variant.game.is_cooperative for variant in variants):
        return COOPERATIVE_METRICS
    return MAIN_METRICS


def check_thresholds(thresholds: Any) -> dict[str, float]:
    """Thresholds by metric, as Python functions take them; none for None."""
    example = 'write a dictionary of numbers above 0, thresholds={"length": 2}'
    if thresholds is not None and not isinstance(thresholds, Mapping):
        raise InvalidInput(f"thresholds={thresholds!r}: {example}")
    for name, threshold in (thresholds or {}).items():
        find_metric(name)
        if isinstance(threshold, str) or not isinstance(threshold, numbers.Real):
            raise InvalidInput(f"threshold {name}={threshold!r}: {example}")
    return {name: float(threshold) for name, threshold in (thresholds or {}).items()}


def make_terms(
    agents: Sequence[str],
    main_metrics: Sequence[str] = (),
    thresholds: Mapping[str, float] | None = None,
    *,
    minutes: float | None = None,
    matches: int | None = None,
    until_decided: bool = False,
) -> Terms:
    """Checked terms; with the usual main metrics if none are named."""
    chosen = tuple(dict.fromkeys(main_metrics)) or MAIN_METRICS
    if len(chosen) > MOST_MAIN_METRICS:
        raise InvalidInput(
            f"{len(chosen)} main metrics: choose at most {MOST_MAIN_METRICS}; "
            "each makes the others' intervals wider"
        )
    for name in [*chosen, *(thresholds or {})]:
        metric = find_metric(name)
        if metric.comparison_problem:
            raise InvalidInput(metric.comparison_problem)
    for name, threshold in (thresholds or {}).items():
        if not threshold > 0:
            raise InvalidInput(f"threshold {name}={threshold:g}: a threshold is a number above 0")
    return Terms(
        agents=tuple(agents),
        minutes=minutes,
        matches=matches,
        until_decided=until_decided,
        main_metrics=chosen,
        thresholds=dict(thresholds or {}),
    )


RegisteredTerms = Registered[Terms]
OLDER_MINUTES = 5.0
OLDER_FIELDS = ("start", "fewest_affected", "planned")
QUESTION = "question"


class Question(NamedTuple):
    """What is compared, as it stands in the file beside the terms: a page finds the comparison by it."""

    specs: tuple[str, ...]  # the baseline first
    players: tuple[int, ...]
    seed: int


def preregister_terms(
    db: Path, registration_id: int, name: str = "", question: Question | None = None
) -> Preregistration[Terms]:
    """The terms of a comparison in a result file, all versions of them."""

    def write(terms: Terms) -> dict[str, Any]:
        return asdict(terms) | ({QUESTION: question._asdict()} if question else {})

    return Preregistration(db, registration_id, name, write, read_terms)


def read_question(stored: Mapping[str, Any]) -> Question | None:
    """The question beside stored terms; None in older files."""
    question = stored.get(QUESTION)
    if question is None:
        return None
    return Question(tuple(question["specs"]), tuple(question["players"]), question["seed"])


def read_terms(stored: Mapping[str, Any]) -> Terms:
    """Terms from JSON. Older files say in one text how long to play, and more about their intervals."""
    fields = {name: value for name, value in stored.items() if name not in (*OLDER_FIELDS, QUESTION)}
    if "stop" in fields:
        fields |= _read_stop(fields.pop("stop"))
    fields["agents"] = tuple(fields["agents"])
    fields["main_metrics"] = tuple(fields["main_metrics"])
    return Terms(**fields)


def _read_stop(text: str) -> dict[str, Any]:
    """The limits in a text of an older file: `5 minutes`, `200 deals of each cell`, `as long as the verdicts
    are open, at most ...`; the usual minutes if it names neither.
    """
    minutes = re.search(r"([\d.]+) minutes", text)
    deals = re.search(r"([\d,]+) deals", text)  # with one agent in all seats, a deal is a match
    return {
        "minutes": float(minutes[1]) if minutes else None if deals else OLDER_MINUTES,
        "matches": int(deals[1].replace(",", "")) if deals else None,
        "until_decided": text.startswith("as long as"),
    }
