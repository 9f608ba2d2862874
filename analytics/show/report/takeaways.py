"""What a report says first: a few sentences in plain words, each number with its 95% interval."""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

from analytics.metric.group import FAIRNESS, OUTCOME, PACE, SKILL, STRATEGY, TENSION
from analytics.metric.metric import (
    LEADER_CONVERSION,
    LENGTH,
    SEAT_WIN_SHARE,
    SHARE,
    TIED_AFTER,
    find_metric,
)
from analytics.questions.compare.conclusions import conclude
from analytics.questions.report import PlayerCountResult, Report, VariantReport
from analytics.stats.intervals import Estimate, rescale
from analytics.verdict.results import Contrast
from analytics.words import (
    compute_win_share,
    find_direction,
    format_estimate,
    format_number,
    format_opponents,
)


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


def describe_group(group: str, results: list[PlayerCountResult]) -> Iterator[str]:
    """The sentences about one variant that belong to a group of metrics; a plug-in's group has none."""
    if group in SENTENCES:
        yield from SENTENCES[group](results)


class SeatShare(NamedTuple):
    """How often a seat wins at one player count."""

    players: int
    seat: str
    share: Estimate

    @property
    def misses_fair(self) -> bool:
        """Whether its interval, as charts draw it, lies beside the fair share."""
        return find_direction(rescale(self.share, 1.0, -1 / self.players)) != 0

    @property
    def distance(self) -> float:
        """From the fair share, in parts of it."""
        return abs(self.share.mean * self.players - 1)

    def is_within(self, threshold: float) -> bool:
        """Whether all of its interval is nearer to the fair share."""
        return all(abs(end - 1 / self.players) < threshold for end in (self.share.low, self.share.high))


def describe_fairness(results: list[PlayerCountResult]) -> Iterator[str]:
    """The seat that is farthest from its fair share, by the intervals that charts draw."""
    seats = [
        SeatShare(result.players, seat, estimate)
        for result in results
        for seat, estimate in result.answers.get(SEAT_WIN_SHARE, {}).items()
    ]
    if not seats:
        return
    threshold = find_metric(SEAT_WIN_SHARE).threshold
    if all(seat.is_within(threshold) for seat in seats):
        yield f"The seats are fair to within {100 * threshold:g} pp, at every player count."
        return
    unfair = [seat for seat in seats if seat.misses_fair]
    farthest = max(unfair or seats, key=lambda seat: seat.distance)
    start = "The seat farthest from fair" if unfair else "No seat is clearly unfair so far; the farthest"
    fair = f"{format_number(1 / farthest.players, SHARE)}% would be fair"
    wins = f"seat {farthest.seat} wins {format_estimate(farthest.share, SHARE)} of the matches"
    yield f"{start}: with {farthest.players} players, {wins}; {fair}."


def describe_ties(results: list[PlayerCountResult]) -> Iterator[str]:
    shares = [
        f"{format_estimate(result.answers[TIED_AFTER][''], SHARE)} with {result.players}"
        for result in select_ends(results)
    ]
    yield f"First place is shared in {' and '.join(shares)} players."


def select_ends(results: list[PlayerCountResult]) -> list[PlayerCountResult]:
    """The results at the smallest and at the largest player count."""
    return [results[0], results[-1]] if len(results) > 1 else results


def describe_pace(results: list[PlayerCountResult]) -> Iterator[str]:
    unit = find_metric(LENGTH).unit
    lengths = [
        f"{format_estimate(result.answers[LENGTH][''], unit)} with {result.players}"
        for result in select_ends(results)
    ]
    per_player = [
        format_number(result.answers[LENGTH][""].mean / result.players, unit)
        for result in select_ends(results)
    ]
    yield (
        f"A match takes {' and '.join(lengths)} players: {' and '.join(per_player)} {unit} for each of them."
    )


def describe_tension(results: list[PlayerCountResult]) -> Iterator[str]:
    """The leader at half-time, beside luck alone."""
    measured = [result for result in results if "50" in result.answers.get(LEADER_CONVERSION, {})]
    if not measured:
        return
    result = measured[len(measured) // 2]
    lead = result.answers[LEADER_CONVERSION]["50"]
    share = f"{format_estimate(lead, SHARE)} of the matches with {result.players} players"
    find_chance_value = find_metric(LEADER_CONVERSION).find_chance_value
    luck = find_chance_value("50", result.players) if find_chance_value and result.calibrated else None
    chance = f"; by pure chance it would be {format_number(luck, SHARE)}%" if luck else ""
    yield f"Whoever leads at half-time wins {share}{chance}."


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
            fair = f"{format_number(1 / result.players, SHARE)}% is an equal share"
            yield f"{head_to_head.strong} wins {share} of its matches {opponents}; {fair}."


def describe_strategies(results: list[PlayerCountResult]) -> Iterator[str]:
    """Sentences about what goes most clearly with winning, at the middle player count."""
    result = results[(len(results) - 1) // 2]
    clear = [lift for lift in result.lifts if lift.q < 0.05 and math.isfinite(lift.lift.mean)]
    for lift in sorted(clear, key=lambda lift: -abs(math.log(lift.lift.mean)))[:2]:
        size = f"{lift.lift.mean:.2f} times ({lift.lift.low:.2f} to {lift.lift.high:.2f}) as often"
        yield (
            f"Players who have '{lift.tally}' win {size} as others, with {result.players} players. "
            "A link, not proof of a cause."
        )


SENTENCES: dict[str, Callable[[list[PlayerCountResult]], Iterator[str]]] = {
    FAIRNESS.name: describe_fairness,
    OUTCOME.name: describe_ties,
    PACE.name: describe_pace,
    TENSION.name: describe_tension,
    SKILL.name: describe_skill,
    STRATEGY.name: describe_strategies,
}
