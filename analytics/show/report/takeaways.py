"""What a report says first: a few sentences in plain words, each number with its 95 % interval."""

import math
from collections.abc import Iterator

from analytics.metric.chance_race import LEADER
from analytics.metric.metric import SHARE, find_metric
from analytics.questions.compare.conclusions import conclude
from analytics.questions.report import Count, Report, Subject
from analytics.stats.intervals import Estimate
from analytics.words import among, number, share_of_wins, shown, sign


def takeaways(report: Report) -> list[tuple[str, list[str]]]:
    """For each variant, its sentences; after them what each of the others changes."""
    found = [(subject.name, list(about(subject))) for subject in report.subjects]
    changes = [(f"{one.b} instead of {one.a}, {one.players} players", list(conclude(one))) for one in report.contrasts]
    return [*found, *changes]


def about(subject: Subject) -> Iterator[str]:
    counts = [count for count in subject.counts if count.matches]
    if not counts:
        yield "Nothing is stored about it yet."
        return
    yield from filter(None, (fairness(counts), ties(counts), pace(counts), tension(counts), *skill(counts), *strategies(counts)))
    if subject.reconstructed:
        parts = len(subject.reconstructed)
        told = "1 part of the game is" if parts == 1 else f"{parts} parts of the game are"
        yield f"{told} reconstructed, because no source documents it: all numbers depend on that."


def fairness(counts: list[Count]) -> str:
    """The seat that is farthest from its fair share."""
    seats = [(count.players, seat, e) for count in counts for seat, e in count.answers.get("seat_win_share", {}).items()]
    if not seats:
        return ""
    players, seat, worst = max(seats, key=lambda one: abs(one[2].mean * one[0] - 1))
    margin = find_metric("seat_win_share").margin
    near = all(abs(e.low - 1 / n) < margin and abs(e.high - 1 / n) < margin for n, _, e in seats)
    fair = f"a fair share is {number(1 / players, SHARE)} %"
    if near:
        return f"The seats are fair: every seat's wins are within {100 * margin:g} pp of an equal share at every player count."
    told = f"with {players} players, seat {seat} wins {shown(worst, SHARE)} of the matches; {fair}."
    away = Estimate(worst.mean - 1 / players, worst.low - 1 / players, worst.high - 1 / players, worst.blocks)
    return f"The seat farthest from fair: {told}" if sign(away) else f"No seat is clearly unfair so far; the farthest: {told}"


def ties(counts: list[Count]) -> str:
    told = [f"{shown(count.answers['tied_after'][''], SHARE)} with {count.players}" for count in ends(counts)]
    return f"First place is shared in {' and '.join(told)} players."


def ends(counts: list[Count]) -> list[Count]:
    """The smallest and the greatest player count."""
    return [counts[0], counts[-1]] if len(counts) > 1 else counts


def pace(counts: list[Count]) -> str:
    told = [f"{shown(count.answers['length'][''], 'turns')} with {count.players}" for count in ends(counts)]
    own = [number(count.answers["length"][""].mean / count.players, "turns") for count in ends(counts)]
    return f"A match takes {' and '.join(told)} players: {' and '.join(own)} turns for each of them."


def tension(counts: list[Count]) -> str:
    """The leader at half-time, beside luck alone."""
    known = [count for count in counts if "50" in count.answers.get("leader_conversion", {})]
    if not known:
        return ""
    count = known[len(known) // 2]
    lead = count.answers["leader_conversion"]["50"]
    told = f"Whoever leads at half-time wins {shown(lead, SHARE)} of the matches with {count.players} players"
    luck = LEADER.get(count.players, {}).get("50") if count.calibrated else None
    return f"{told}; in a race of pure luck it would be {number(luck, SHARE)} %." if luck else f"{told}."


def skill(counts: list[Count]) -> Iterator[str]:
    """Each rung against the one below, at the smallest player count that has it."""
    seen = set()
    for count in counts:
        for one in count.duels:
            if (one.strong, one.weak) in seen:
                continue
            seen.add((one.strong, one.weak))
            share = share_of_wins(one.edge, count.players)
            fair = f"an equal share is {number(1 / count.players, SHARE)} %"
            yield f"{one.strong} wins {shown(share, SHARE)} of its matches {among(one.weak, count.players)}; {fair}."


def strategies(counts: list[Count]) -> Iterator[str]:
    """What goes most clearly with winning, at the middle player count."""
    count = counts[(len(counts) - 1) // 2]
    clear = [one for one in count.lifts if one.q < 0.05 and math.isfinite(one.lift.mean)]
    for one in sorted(clear, key=lambda one: -abs(math.log(one.lift.mean)))[:2]:
        size = f"{one.lift.mean:.2f} times ({one.lift.low:.2f} to {one.lift.high:.2f}) as often"
        yield f"Who gets '{one.counter}' wins {size} with {count.players} players; that they go together proves no cause."
