"""One deal side by side: the same luck under two rules, alike up to the fork, then each on its own way."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from rich import box
from rich.table import Table

from analytics.answer import Answer
from analytics.verdict.design import Design, describe_changes, list_usual_agents, make_design, shares_luck
from boardgames.agents.seating import find_line_up
from boardgames.errors import InvalidInput
from boardgames.files import write_files
from boardgames.game.player_counts import Players
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.plan.arguments import Agents, Variants, format_agent, list_specs
from boardgames.play.batch import SLICE, make_runner, make_scratch, warm_up
from boardgames.play.match import Match
from boardgames.play.transcript import Move, group_by_turn
from boardgames.store.replay import draw_positions

SEARCHED_DEALS = 64 * SLICE  # deals to look for a fork in


@dataclass(frozen=True, kw_only=True)
class SideBySide(Answer):
    """The matches of one deal under two rules, played to the end."""

    a: Match
    b: Match
    agent: str
    changes: tuple[str, ...]  # the rule difference in words
    fork: int  # the index of the first action that differs; the number of actions, if none does
    only_a: tuple[str, ...] = ()  # what could be chosen at the fork in A alone
    only_b: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<SideBySide of {self.a.variant.name} and {self.b.variant.name}, deal {self.a.deal}>"

    @property
    def has_same_actions(self) -> bool:
        return self.fork == len(self.a.actions) == len(self.b.actions)


def find_side_by_side(
    *variants: Variants,
    players: Players = "",
    agents: Agents = "",
    seed: int = 1,
    deal: int | None = None,
) -> SideBySide:
    """Both matches of a deal: `find_side_by_side("celtica", "celtica:en", players=2)`. By default it is the
    first deal in which something differs.
    """
    chosen = [find_variant(spec) for spec in list_specs(variants)]
    return lay_side_by_side(chosen, players, format_agent(agents, "side-by-side"), seed, deal)


def lay_side_by_side(
    variants: Sequence[Variant], players: Players, agent: str, seed: int, deal: int | None
) -> SideBySide:
    """The same of variants and an agent that need not have been typed here."""
    if len(variants) != 2:
        raise InvalidInput(f"one deal side by side is of two variants, not of {len(variants)}")
    usual = list_usual_agents(variants, players)[0]
    design = make_design(variants, players, [agent or usual], seed, head_to_heads=False)
    if len(design.players) != 1:
        raise InvalidInput("one deal side by side has one player count: --players 3")
    first, second = design.variants
    if not shares_luck(first, second):
        raise InvalidInput(
            f"{first.name} and {second.name} cannot share deals: they have different sources of chance or "
            "actions, so no deal can be shown under both"
        )
    (player_count,) = design.players
    if not design.list_changed_variants(player_count):
        raise InvalidInput(
            f"{design.specs[0]} and {design.specs[1]} have the same rules with {player_count} players: "
            "their matches are the same"
        )
    if deal is None:
        deal = _find_first_difference(design, player_count)
    a, b = (_play_match(design, index, player_count, deal) for index in (0, 1))
    return _make_side_by_side(design, a, b)


def _play_match(design: Design, index: int, players: int, deal: int) -> Match:
    variant = design.variants[index]
    match = Match(variant, players, seed=design.seed, deal=deal, compiled=True)
    return match.finish(find_line_up(design.agents[0], players, variant.game))


def _find_first_difference(design: Design, players: int) -> int:
    """The first deal whose matches differ in an action or in a score, in the first seating; 0 if none
    does.
    """
    line_ups = [find_line_up(design.agents[0], players, variant.game) for variant in design.variants]
    runners = [
        make_runner(variant, line_up, design.seed)
        for variant, line_up in zip(design.variants, line_ups, strict=True)
    ]
    scratches = [make_scratch(runner.variant.game, runner.line_up) for runner in runners]
    for runner in runners:
        warm_up(runner)
    for first in range(0, SEARCHED_DEALS, SLICE):
        a, b = (runner.run(first, SLICE, scratch) for runner, scratch in zip(runners, scratches, strict=True))
        differs = (a.matches["hash"] != b.matches["hash"]) | (a.seats["score"] != b.seats["score"]).any(
            axis=1
        )
        first_seating = differs[:: len(runners[0].seatings)]
        if first_seating.any():
            return int(first + first_seating.argmax())
    return 0


def _make_side_by_side(design: Design, a: Match, b: Match) -> SideBySide:
    rule_changes = tuple(describe_changes(*design.variants))
    pairs = zip(a.moves, b.moves, strict=False)
    differing = (n for n, (x, y) in enumerate(pairs) if x._replace(effects=y.effects) != y)
    fork = next(differing, min(len(a.moves), len(b.moves)))
    choices_a, choices_b = (_list_choices(match, fork) for match in (a, b))
    only_a = tuple(choice for choice in choices_a if choice not in choices_b)
    only_b = tuple(choice for choice in choices_b if choice not in choices_a)
    return SideBySide(
        a=a,
        b=b,
        agent=design.agents[0],
        changes=rule_changes,
        fork=fork,
        only_a=only_a,
        only_b=only_b,
    )


def _list_choices(match: Match, step: int) -> list[str]:
    """The choices after this number of actions."""
    replay = Match(match.variant, match.players, seed=match.seed, deal=match.deal, compiled=True)
    for action in match.actions[:step]:
        replay.push(action)
    return list(replay.choices())


# ---- in words


def show_side_by_side(pair: SideBySide) -> Iterator[Any]:
    """The moves in words up to the fork, then side by side."""
    a, b = pair.a, pair.b
    yield (
        f"A = {a.variant.name}, B = {b.variant.name}: "
        f"{a.players} players, all {pair.agent}, seed {a.seed}, deal {a.deal}"
    )
    yield from (f"   {change}" for change in pair.changes)
    yield from _list_setup_lines(pair)
    yield from ("", "In both:" if pair.fork else "They part with the first action.")
    yield from (_describe_both(*moves) for moves in zip(a.moves[: pair.fork], b.moves, strict=False))
    if pair.has_same_actions:
        same_end = _describe_end(a) == _describe_end(b)
        yield f"every action is the same; {'so is the end' if same_end else 'the end is not'}"
    else:
        yield from ("", f"The fork, after {pair.fork} actions: {explain_fork(pair)}")
    yield make_turns_table(pair)


def _list_setup_lines(pair: SideBySide) -> Iterator[str]:
    """What lay on the table: once if it was the same, else for each."""
    setups = {"A": pair.a.transcript().setup, "B": pair.b.transcript().setup}
    if setups["A"] == setups["B"]:
        setups = {"both": setups["A"]}
    for side, lines in setups.items():
        yield from ("", f"Set-up of {side}:", *lines) if lines else ()


def _describe_both(a: Move, b: Move) -> str:
    """A move of both matches; what it caused is told for each if the rules made a difference."""
    if a == b:
        return str(a)
    effects = [f"{letter}: {'; '.join(move.effects) or 'nothing'}" for letter, move in (("A", a), ("B", b))]
    return str(a._replace(effects=tuple(effects)))


def explain_fork(pair: SideBySide) -> str:
    """What differs at the fork, as far as the choices there tell."""
    if pair.a.is_over and pair.fork == len(pair.a.actions):
        return "A is over, B goes on"
    if pair.b.is_over and pair.fork == len(pair.b.actions):
        return "B is over, A goes on"
    if pair.only_a or pair.only_b:
        reasons = [
            f"only {letter} can {_join_some(choices)}"
            for letter, choices in (("A", pair.only_a), ("B", pair.only_b))
            if choices
        ]
        return "; ".join(reasons)
    return "the same can be chosen; what it leads to is not the same, so another choice looks better"


def _join_some(choices: Sequence[str], most: int = 3) -> str:
    rest = f", or {len(choices) - most} more" if len(choices) > most else ""
    return " or ".join(f"'{choice}'" for choice in choices[:most]) + rest


def make_turns_table(pair: SideBySide) -> Table:
    """A row for each turn from the fork on, and last how the matches ended."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for letter, match in (("A", pair.a), ("B", pair.b)):
        table.add_column(f"{letter}: {match.variant.name}", overflow="fold", ratio=1)
    turns_a, turns_b = (
        {turn.number: str(turn) for turn in group_by_turn(match.moves[pair.fork :])}
        for match in (pair.a, pair.b)
    )
    for turn in sorted({*turns_a, *turns_b}):
        table.add_row(turns_a.get(turn, ""), turns_b.get(turn, ""))
    table.add_section()
    table.add_row(_describe_end(pair.a), _describe_end(pair.b))
    return table


def _describe_end(match: Match) -> str:
    return match.describe_end() if match.is_over else f"cut off after {len(match.actions):,} actions"


# ---- as pictures


def draw_side_by_side(pair: SideBySide, folder: Path) -> int:
    """Write every position of A and of B, each into its folder, and both at the fork in one picture; returns
    the number of pictures.
    """
    sides = {"a": pair.a, "b": pair.b}
    pictures = {
        f"{side}/{name}": svg for side, match in sides.items() for name, svg in draw_positions(match).items()
    }
    at_fork = {
        f"{side.upper()}: {match.variant.name}": pictures[f"{side}/{pair.fork:04d}.svg"]
        for side, match in sides.items()
    }
    return len(write_files(folder, {**pictures, "fork.svg": join_pictures(at_fork)}))


def join_pictures(pictures: Mapping[str, str], width: int = 900, head: int = 40) -> str:
    """One picture of several next to each other, each under its title; one without a viewBox from 0 0 on is
    taken to be square.
    """
    height = 0
    elements = []
    for index, (title, picture) in enumerate(pictures.items()):
        tag, rest = picture.split(">", 1)
        size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', tag)
        picture_height = round(width * float(size[2]) / float(size[1])) if size else width
        tag = re.sub(r' (width|height)="[^"]*"', "", tag)
        left = index * width
        font = 'font-family="sans-serif" font-size="22" font-weight="bold"'
        elements.append(f'<text x="{left + 20}" y="28" {font}>{escape(title)}</text>')
        elements.append(
            tag.replace("<svg", f'<svg x="{left}" y="{head}" width="{width}" height="{picture_height}"', 1)
            + ">"
            + rest
        )
        height = max(height, head + picture_height)
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {len(pictures) * width} {height}">'
    return "\n".join([opening, '<rect width="100%" height="100%" fill="white"/>', *elements, "</svg>"])
