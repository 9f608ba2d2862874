"""Where the luck comes from, for the terminal: sentences, then a table for each quantity."""

from collections.abc import Iterator
from typing import Any

from rich.table import Table

from analytics.metric.luck import SEAT, name_source
from analytics.metric.metric import SHARE
from analytics.questions.luck.conclusions import (
    HOW_CHANGES_ARE_JUDGED,
    HOW_TO_READ,
    describe_luck,
    describe_luck_change,
)
from analytics.questions.luck.results import LuckAnswer, LuckChange, QuantityLuck, VariantLuck
from analytics.show.table import make_table
from analytics.words import format_interval


def show_luck(answer: LuckAnswer) -> Iterator[Any]:
    """What changed comes first, then where the luck of each variant comes from."""
    yield from show_luck_changes(answer.changes)
    yield from (f"{note}." for note in answer.notes)
    for split in answer.splits:
        yield from _show_split(split)
    yield HOW_TO_READ


def _show_split(split: VariantLuck) -> Iterator[Any]:
    swaps = split.matches // max(1, split.deals)
    yield (
        f"\n{split.variant}, {split.players} players, {split.agents}, seed {split.seed}: "
        f"{split.matches:,} matches ({split.deals:,} deals, each with {swaps} mixes of chance)\n"
    )
    for luck in split.quantities:
        yield from (f"- {sentence}" for sentence in describe_luck(luck))
    for luck in split.quantities:
        if luck.varies:
            yield _make_table(luck)


def _make_table(luck: QuantityLuck) -> Table:
    table = make_table(f"What decides {luck.quantity}, in %")
    table.add_column("source", overflow="fold")
    for head in ("share", "alone", "involved in"):
        table.add_column(head, justify="right")
    for source in luck.sources:
        parts = (source.share, source.alone, source.involved)
        table.add_row(source.title, *(format_interval(part, SHARE) for part in parts))
    table.add_row(name_source(SEAT), *[format_interval(luck.seat, SHARE)] * 3)
    return table


def show_luck_changes(changes: tuple[LuckChange, ...]) -> Iterator[Any]:
    """What a change of the rules does to luck: a title for each pair, then a sentence for each quantity."""
    titles: set[str] = set()
    for change in changes:
        title = f"\nLuck: B = {change.b} against A = {change.a}, {change.players} players, by {change.agents}"
        if title not in titles:
            yield f"{title}: {change.deals:,} deals of each"
            titles.add(title)
        yield f"- {describe_luck_change(change)}"
    if changes:
        yield HOW_CHANGES_ARE_JUDGED
