"""What a split of luck, and a change of it, say in sentences: the same everywhere."""

from collections.abc import Iterator, Sequence

from analytics.metric.luck import SEAT, name_source
from analytics.metric.metric import SHARE
from analytics.questions.luck.results import LuckChange, QuantityLuck, SourceChange
from analytics.stats.intervals import FEWEST_UNITS, Estimate
from analytics.words import find_change_digits, format_interval, format_number, join_words
from boardgames.play.swaps import ALL_STREAMS, SEATING

HOW_TO_READ = (
    "Share: what a source decides alone, plus its fair part of what it decides together with others; with "
    "the seat, all shares add up to 100%. Alone: whatever else happens. Involved: alone or together with "
    "others. In brackets: 95% intervals over deals."
)

HOW_CHANGES_ARE_JUDGED = (
    "The seat aside: shares of what the seat leaves, which add up to 100% without it. A source, or the seat, "
    "is named once it clearly decides more, or less, than before: the chance that a sentence ever names a "
    "wrong one is at most 5%, however often you look. It says which way luck moves, not whether that matters."
)


def describe_luck(luck: QuantityLuck) -> Iterator[str]:
    """Who wins: 41.2% (38.0 to 44.1) is decided by the druid cards, 30.0% (27.1 to 32.9) by ..."""
    subject = luck.quantity[0].upper() + luck.quantity[1:]
    if not luck.varies and luck.deals < FEWEST_UNITS:
        deals = "one deal says" if luck.deals == 1 else f"{luck.deals} deals say"
        yield f"{subject}: {deals} nothing about how much varies; ask for more matches."
        return
    if not luck.varies:
        yield f"{subject}: nothing to split, because every match ended the same way."
        return
    shares = [(source.share, source.title) for source in luck.single_sources]
    shares = sorted([*shares, (luck.seat, name_source(SEAT))], key=lambda share: -share[0].mean)
    (largest, title), *others = shares
    texts = [f"{_format_percent(share)} by {other}" for share, other in others]
    yield f"{subject}: {_format_percent(largest)} is decided by {title}, {join_words(texts)}."
    yield from _describe_alone(luck)


def _describe_alone(luck: QuantityLuck) -> Iterator[str]:
    """What shuffles and dice decide alone, and in a line-up of different agents what these do. No skill
    is varied: what better players would make of the same cards is another question.
    """
    alone = {source.source: _format_percent(source.alone) for source in luck.sources}
    is_mixed = SEATING in alone
    among = "" if is_mixed else " between equally good players"
    wherever = ", whichever of these agents sits where" if is_mixed else ""
    if ALL_STREAMS in alone:
        shuffles = f"{alone[ALL_STREAMS]} is decided by the shuffles and dice alone"
        yield f"Of {luck.quantity}{among}, {shuffles}{wherever}."
    if is_mixed:
        agents = f"{alone[SEATING]} is decided by who the agents are and where they sit"
        yield f"Of {luck.quantity}, {agents}, whatever the shuffles and dice."


def _format_percent(estimate: Estimate) -> str:
    """41.2% (38.0 to 44.1)"""
    mean, _, interval = format_interval(estimate, SHARE).partition(" ")
    return f"{mean}% {interval}"


def describe_luck_change(change: LuckChange) -> str:
    """The change moves luck from the cards to the parts; or that nothing clear is seen. Before that, whether
    the seat decides more or less.
    """
    seat, *sources = [source for source in change.changes if source.source != ALL_STREAMS]
    luck = _describe_sources(sources, f"{change.quantity}, the seat aside,")
    if not seat.direction:
        return luck
    more = "more" if seat.direction > 0 else "less"
    return f"The seat decides {more} of {change.quantity}: {_format_numbers(seat)}. {luck}"


def _describe_sources(sources: Sequence[SourceChange], quantity: str) -> str:
    fallen, risen = (_select_clear(sources, sign) for sign in (-1, 1))
    if fallen or risen:
        return f"{_name_move(fallen, risen, quantity)}: {_list_numbers([*fallen, *risen])}."
    known = [source.difference.half_width for source in sources if source.difference.has_interval]
    if not known:
        return (
            f"Of {quantity} there is nothing to compare: under one of the rules no source decides anything."
        )
    return (
        f"No source clearly decides more or less of {quantity} than before "
        f"(differences are known to about {format_number(max(known), SHARE)} percentage points)."
    )


def _name_move(fallen: Sequence[SourceChange], risen: Sequence[SourceChange], quantity: str) -> str:
    losers, winners = (join_words([source.title for source in side] or [""]) for side in (fallen, risen))
    if fallen and risen:
        return f"The change moves luck from {losers} to {winners}. Of {quantity} is decided"
    if fallen:
        return f"Less of {quantity} is decided by {losers}"
    return f"More of {quantity} is decided by {winners}"


def _list_numbers(sources: Sequence[SourceChange]) -> str:
    """by the cards 30.1% instead of 41.0% (-10.9 percentage points, give or take 2.0)"""
    return "; ".join(f"by {source.title} {_format_numbers(source)}" for source in sources)


def _format_numbers(source: SourceChange) -> str:
    """30.1% instead of 41.0% (-10.9 percentage points, give or take 2.0)"""
    digits = find_change_digits(source.a.mean, source.b.mean, source.difference.mean, SHARE)
    a = format_number(source.a.mean, SHARE, digits=digits.old)
    b = format_number(source.b.mean, SHARE, digits=digits.new)
    difference = format_number(source.difference.mean, SHARE, True)
    half_width = format_number(source.difference.half_width, SHARE)
    return f"{b}% instead of {a}% ({difference} percentage points, give or take {half_width})"


def _select_clear(sources: Sequence[SourceChange], sign: int) -> list[SourceChange]:
    """Those that clearly went this way, the largest change first."""
    clear = [source for source in sources if source.direction == sign]
    return sorted(clear, key=lambda source: -abs(source.difference.mean))
