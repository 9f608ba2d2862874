"""What a report says first: a few sentences in plain words, each number with its 95% interval."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from analytics.metric.group import FAIRNESS, OUTCOME, PACE, SKILL, STRATEGY, TENSION
from analytics.metric.metric import (
    LEADER_CONVERSION,
    LENGTH,
    SEAT_IMBALANCE,
    SEAT_WIN_SHARE,
    SHARE,
    TIED_AFTER,
    USAGE,
    find_metric,
)
from analytics.questions.compare.conclusions import conclude
from analytics.questions.report import PlayerCountResult, Report, VariantReport
from analytics.stats.intervals import Estimate, rescale
from analytics.verdict.results import Contrast
from analytics.words import (
    compute_win_share,
    describe_value,
    find_direction,
    format_estimate,
    format_fair_share,
    format_interval,
    format_opponents,
    join_words,
)

MOST_USED = 3  # tallies that a sentence names


def summarize(report: Report) -> list[tuple[str, list[str]]]:
    """Titles with sentences for the first page: what each variant changes at the usual player count; where
    nothing is compared, each variant by itself.
    """
    if contrasts := select_contrasts(report):
        return [(name_contrast(contrast), list(conclude(contrast))) for contrast in contrasts]
    return [(variant.name, list(describe_variant(variant))) for variant in report.variants]


def select_contrasts(report: Report) -> list[Contrast]:
    """One for each variant: at the usual player count, else at its first."""
    chosen: dict[str, Contrast] = {}
    for contrast in report.contrasts:
        if contrast.b not in chosen or contrast.players == report.sample.players:
            chosen[contrast.b] = contrast
    return list(chosen.values())


def name_contrast(contrast: Contrast) -> str:
    return f"{contrast.b} instead of {contrast.a}, {contrast.players} players"


def describe_variant(variant: VariantReport) -> Iterator[str]:
    results = [result for result in variant.results if result.matches]
    if not results:
        yield "Nothing is stored about it yet."
        return
    for group in SENTENCES:
        yield from describe_group(group, results)
    if variant.reconstructed:
        yield describe_reconstruction(variant)


def describe_reconstruction(variant: VariantReport) -> str:
    parts = len(variant.reconstructed)
    amount = "1 part of the game is" if parts == 1 else f"{parts} parts of the game are"
    return f"{amount} reconstructed, because no source documents it: all numbers depend on that."


def select_shared_results(
    group: str, results: Mapping[str, list[PlayerCountResult]]
) -> dict[str, list[PlayerCountResult]]:
    """What the sentences about several variants are about: the player counts that all have, if there are any.
    Those about fairness name all of a variant's own.
    """
    if group == FAIRNESS.name or not results:
        return dict(results)
    shared = set.intersection(*({result.players for result in found} for found in results.values()))
    return {
        name: [result for result in found if result.players in shared] or found
        for name, found in results.items()
    }


def describe_group(group: str, results: list[PlayerCountResult]) -> Iterator[str]:
    """The sentences about one variant that belong to a group of metrics; a plug-in's group has none."""
    if group in SENTENCES:
        yield from SENTENCES[group](results)


def _describe(name: str, part: str, estimate: Estimate, players: int, chance: float | None = None) -> str:
    """seat 1 wins 27.1% (25.8 to 28.4) of the matches, where 25% is fair"""
    metric = find_metric(name)
    value = format_estimate(estimate, metric.unit)
    text = describe_value(metric, part, value, estimate.mean, players, chance)
    return text[0].lower() + text[1:]


class SeatShare(NamedTuple):
    """How often a seat wins at one player count."""

    players: int
    seat: str
    share: Estimate

    @property
    def distance(self) -> float:
        """From the fair share, in parts of it."""
        return abs(self.share.mean * self.players - 1)

    def is_within(self, threshold: float) -> bool:
        """Whether all of its interval is nearer to the fair share."""
        return all(abs(end - 1 / self.players) < threshold for end in (self.share.low, self.share.high))


def describe_fairness(results: list[PlayerCountResult]) -> Iterator[str]:
    """Whether seats are ahead or behind, and the one that is farthest from its fair share.

    One of many seats is soon beside its fair share by chance. So a player count is called unfair by the
    interval of its seat imbalance, which is about all of its seats together.
    """
    metric = find_metric(SEAT_WIN_SHARE)
    seats = [
        SeatShare(result.players, seat, estimate)
        for result in results
        for seat, estimate in result.answers.get(SEAT_WIN_SHARE, {}).items()
        if not metric.is_mirror(seat, result.players)  # charts leave it out, too
    ]
    if not seats:
        return
    counts = join_words([str(players) for players in dict.fromkeys(seat.players for seat in seats)])
    threshold = metric.threshold
    if all(seat.is_within(threshold) for seat in seats):
        size = f"{100 * threshold:g} percentage point{'' if threshold == 0.01 else 's'}"
        yield f"The seats are fair with {counts} players: each is within {size} of an equal share."
        return
    unfair = [result.players for result in results if _is_unfair(result)]
    candidates = [seat for seat in seats if seat.players in unfair] or seats
    farthest = max(candidates, key=lambda seat: seat.distance)
    no_seat = f"No seat is clearly ahead or behind with {counts} players; the farthest from fair"
    start = "The seat farthest from fair" if unfair else no_seat
    text = _describe(SEAT_WIN_SHARE, farthest.seat, farthest.share, farthest.players)
    yield f"{start}: with {farthest.players} players, {text}."


def _is_unfair(result: PlayerCountResult) -> bool:
    """Whether the interval of its seat imbalance excludes a fair game."""
    imbalance = result.answers.get(SEAT_IMBALANCE, {}).get("")
    return imbalance is not None and imbalance.has_interval and imbalance.low > 0


def describe_ties(results: list[PlayerCountResult]) -> Iterator[str]:
    for result in select_ends(results):
        text = _describe(TIED_AFTER, "", result.answers[TIED_AFTER][""], result.players)
        yield f"With {result.players} players, {text}."


def select_ends(results: list[PlayerCountResult]) -> list[PlayerCountResult]:
    """The results at the smallest and at the largest player count."""
    return [results[0], results[-1]] if len(results) > 1 else results


def describe_pace(results: list[PlayerCountResult]) -> Iterator[str]:
    for result in select_ends(results):
        text = _describe(LENGTH, "", result.answers[LENGTH][""], result.players)
        yield f"With {result.players} players, {text}."


def describe_tension(results: list[PlayerCountResult]) -> Iterator[str]:
    """Whether a match stays open: the leader at halfway, beside pure chance."""
    measured = [result for result in results if "50" in result.answers.get(LEADER_CONVERSION, {})]
    if not measured:
        return
    result = measured[(len(measured) - 1) // 2]
    lead = result.answers[LEADER_CONVERSION]["50"]
    find_chance_value = find_metric(LEADER_CONVERSION).find_chance_value
    chance = find_chance_value("50", result.players) if find_chance_value and result.calibrated else None
    text = _describe(LEADER_CONVERSION, "50", lead, result.players, chance)
    answer = _compare_with_chance(lead, chance)
    yield (
        f"{answer}: with {result.players} players, {text}."
        if answer
        else f"With {result.players} players, {text}."
    )


def _compare_with_chance(lead: Estimate, chance: float | None) -> str:
    """How long a match stays open; empty without a benchmark."""
    if chance is None or not lead.has_interval:
        return ""
    race = "a race that only luck decides"
    words = {
        1: f"Matches are decided earlier than {race}",
        0: f"Matches stay open about as long as {race}, as far as is known",
        -1: f"Matches stay open longer than {race}",
    }
    return words[find_direction(rescale(lead, 1.0, -chance))]


def describe_skill(results: list[PlayerCountResult]) -> Iterator[str]:
    """A sentence for each head-to-head, at the smallest player count that has it."""
    seen = set()
    for result in results:
        for head_to_head in result.head_to_heads:
            if (head_to_head.strong, head_to_head.weak) in seen:
                continue
            seen.add((head_to_head.strong, head_to_head.weak))
            share = format_estimate(compute_win_share(head_to_head.edge, result.players), SHARE)
            opponents = format_opponents(head_to_head.weak, result.players)
            equal = f"where {format_fair_share(result.players)} is an equal share"
            yield f"{head_to_head.strong} wins {share} of its matches {opponents}, {equal}."


def describe_strategies(results: list[PlayerCountResult]) -> Iterator[str]:
    """How often each seat does what it does most and least, at the middle player count."""
    result = results[(len(results) - 1) // 2]
    often = sorted(result.answers.get(USAGE, {}).items(), key=lambda tally: -tally[1].mean)
    if not often:
        return
    unit = find_metric(USAGE).unit
    texts = [f"{tally} {format_interval(times, unit)}" for tally, times in often]
    least = f"; least of all {texts[-1]}" if len(texts) > MOST_USED else ""
    most = join_words(texts[:MOST_USED])
    yield f"With {result.players} players, each seat has per match on average {most}{least}."


SENTENCES: dict[str, Callable[[list[PlayerCountResult]], Iterator[str]]] = {
    FAIRNESS.name: describe_fairness,
    OUTCOME.name: describe_ties,
    PACE.name: describe_pace,
    TENSION.name: describe_tension,
    SKILL.name: describe_skill,
    STRATEGY.name: describe_strategies,
}
