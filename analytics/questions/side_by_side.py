"""A twin match: one seed under two rules. Alike up to the first fork, then each its own way."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table

from analytics.questions.compare.judge import check_luck
from analytics.verdict.design import Design, changes, make_design
from boardgames.agents.agent import find_line_up
from boardgames.errors import BadInput
from boardgames.files import write_files
from boardgames.game.variant import Variant
from boardgames.play.batch import SLICE, make_desk, set_table, warm_up
from boardgames.play.match import Match
from boardgames.store.runs import draw_positions

LOOK = 64 * SLICE  # blocks to look for a fork in


@dataclass(frozen=True)
class Twins:
    """Both matches, played to the end."""

    a: Match
    b: Match
    agent: str
    changes: tuple[str, ...]  # the rule difference in words
    fork: int  # the place of the first action that is not the same; the number of actions, if all are
    only_a: tuple[str, ...] = ()  # what could be chosen at the fork in A alone
    only_b: tuple[str, ...] = ()

    @property
    def alike(self) -> bool:
        return self.fork == len(self.a.actions) == len(self.b.actions)


def find_twins(
    variants: Sequence[str | Variant], players: str = "", agent: str = "greedy", seed: int = 1, block: int | None = None
) -> Twins:
    """The twins of one block; if none is named, of the first in which something differs."""
    if len(variants) != 2:
        raise BadInput(f"a twin match is of two variants, not of {len(variants)}")
    design = make_design(variants, players, [agent], seed, duels=False)
    if len(design.players) != 1:
        raise BadInput("a twin match has one player count: --players 3")
    check_luck(design, unpaired=False)
    (seats,) = design.players
    if not design.others(seats):
        raise BadInput(
            f"{design.specs[0]} and {design.specs[1]} have the same rules with {seats} players: their matches are the same"
        )
    if block is None:
        block = _first_difference(design, seats)
    a, b = (_played(design, place, seats, block) for place in (0, 1))
    return _forked(design, a, b)


def _played(design: Design, place: int, seats: int, block: int) -> Match:
    variant = design.variants[place]
    match = Match(variant, seats, seed=design.seed, block=block, plain=False)
    return match.finish(find_line_up(design.agents[0], seats, variant.game))


def _first_difference(design: Design, seats: int) -> int:
    """The first block whose matches differ in an action or in a score, in the first seating; the first of all, if none does."""
    line_ups = [find_line_up(design.agents[0], seats, variant.game) for variant in design.variants]
    tables = [set_table(variant, line_up, design.seed) for variant, line_up in zip(design.variants, line_ups, strict=True)]
    desks = [make_desk(table.variant.game, table.line_up) for table in tables]
    for table in tables:
        warm_up(table)
    for first in range(0, LOOK, SLICE):
        a, b = (table.play(first, SLICE, desk) for table, desk in zip(tables, desks, strict=True))
        other = (a.matches["hash"] != b.matches["hash"]) | (a.seats["score"] != b.seats["score"]).any(axis=1)
        firsts = other[:: len(tables[0].seatings)]
        if firsts.any():
            return int(first + firsts.argmax())
    return 0


def _forked(design: Design, a: Match, b: Match) -> Twins:
    told = tuple(changes(*design.variants))
    pairs = zip(a.spoken, b.spoken, a.actions, b.actions, strict=False)
    fork = next((n for n, (x, y, p, q) in enumerate(pairs) if (x, p) != (y, q)), min(len(a.actions), len(b.actions)))
    here, there = (_choices(match, fork) for match in (a, b))
    only_a, only_b = (tuple(one for one in ours if one not in other) for ours, other in ((here, there), (there, here)))
    return Twins(a, b, design.agents[0], told, fork, only_a, only_b)


def _choices(match: Match, step: int) -> list[str]:
    """What could be chosen after so many actions."""
    again = Match(match.variant, match.seats, seed=match.seed, block=match.block, plain=False)
    for action in match.actions[:step]:
        again.play(action)
    return list(again.choices())


# ---- in words


def show_twins(twins: Twins) -> Iterator[Any]:
    """Spoken up to the fork, then side by side."""
    a, b = twins.a, twins.b
    yield f"A = {a.variant.name}, B = {b.variant.name}: {a.seats} players, all {twins.agent}, seed {a.seed}, block {a.block}"
    yield from (f"   {change}" for change in twins.changes)
    yield from ("", "In both:" if twins.fork else "They part with the first action.")
    yield from a.spoken[: twins.fork]
    if twins.alike:
        yield "every action is the same" + ("; so is the end" if _end(a) == _end(b) else "; the end is not")
    else:
        yield from ("", f"The fork, after {twins.fork} actions: {why(twins)}")
    yield side_by_side(twins)


def why(twins: Twins) -> str:
    """What is different at the fork, as far as the rules of the moment tell."""
    if twins.a.over and twins.fork == len(twins.a.actions):
        return "A is over, B goes on"
    if twins.b.over and twins.fork == len(twins.b.actions):
        return "B is over, A goes on"
    if twins.only_a or twins.only_b:
        told = [f"only {who} can {_some(several)}" for who, several in (("A", twins.only_a), ("B", twins.only_b)) if several]
        return "; ".join(told)
    return "the same can be chosen; what it leads to is not the same, so another choice looks better"


def _some(choices: Sequence[str], most: int = 3) -> str:
    rest = f", or {len(choices) - most} more" if len(choices) > most else ""
    return " or ".join(f"'{choice}'" for choice in choices[:most]) + rest


def side_by_side(twins: Twins) -> Table:
    """From the fork on, a row for each turn, and last how it ended."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for letter, match in (("A", twins.a), ("B", twins.b)):
        table.add_column(f"{letter}: {match.variant.name}", overflow="fold", ratio=1)
    here, there = (_by_turn(match.spoken[twins.fork :]) for match in (twins.a, twins.b))
    for turn in sorted({*here, *there}):
        table.add_row("\n".join(here.get(turn, [])), "\n".join(there.get(turn, [])))
    table.add_section()
    table.add_row(_end(twins.a), _end(twins.b))
    return table


def _by_turn(spoken: Sequence[str]) -> dict[int, list[str]]:
    """`turn 3, seat 1: draw a card` -> {3: [...]}"""
    found: dict[int, list[str]] = {}
    for line in spoken:
        found.setdefault(int(line.split(",")[0].removeprefix("turn ")), []).append(line)
    return found


def _end(match: Match) -> str:
    last = match.transcript().splitlines()[-1]
    return last if match.over else f"cut off after {len(match.actions):,} actions"


# ---- as pictures


def draw_twins(twins: Twins, folder: Path) -> int:
    """Every position of A and of B into folders of their own, and both at the fork into one picture; returns how many."""
    sides = {"a": twins.a, "b": twins.b}
    pictures = {f"{side}/{name}": svg for side, match in sides.items() for name, svg in draw_positions(match).items()}
    at_fork = {f"{side.upper()}: {match.variant.name}": pictures[f"{side}/{twins.fork:04d}.svg"] for side, match in sides.items()}
    return len(write_files(folder, {**pictures, "fork.svg": beside(at_fork)}))


def beside(pictures: Mapping[str, str], width: int = 900, head: int = 40) -> str:
    """Pictures next to each other, each under its title; a drawing has a viewBox from 0 0 on, or is taken to be square."""
    height, inner = 0, []
    for place, (title, picture) in enumerate(pictures.items()):
        tag, rest = picture.split(">", 1)
        size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', tag)
        high = round(width * float(size[2]) / float(size[1])) if size else width
        tag = re.sub(r' (width|height)="[^"]*"', "", tag)
        left = place * width
        inner.append(
            f'<text x="{left + 20}" y="28" font-family="sans-serif" font-size="22" font-weight="bold">{escape(title)}</text>'
        )
        inner.append(tag.replace("<svg", f'<svg x="{left}" y="{head}" width="{width}" height="{high}"', 1) + ">" + rest)
        height = max(height, head + high)
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(pictures) * width} {height}">'
    return "\n".join([opening, '<rect width="100%" height="100%" fill="white"/>', *inner, "</svg>"])
