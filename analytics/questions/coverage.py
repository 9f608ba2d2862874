"""`coverage`: which rules actually fire. Matches are played, then replayed by the uncompiled rules with a
profiler that records calls.

A rule that does something counts where it is carried out, in the set-up or by an action; one that only allows
something, or only scores, counts where it is called. Functions are counted by their code, so that copies and
derived rules are the same rule.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from analytics.answer import Answer
from analytics.stats.intervals import Estimate, estimate_share_from_sums
from analytics.words import describe_agents
from boardgames.agents.agent import find_usual_agent
from boardgames.agents.seating import find_line_up
from boardgames.errors import InvalidInput
from boardgames.game.game import Game
from boardgames.game.player_counts import Players, format_players, parse_player_counts
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant, is_platform_function
from boardgames.given_values import read_path
from boardgames.notebook import follow_matches
from boardgames.plan.arguments import Agents, VariantLike, format_agent, format_variant
from boardgames.plan.cell import PlannedCell
from boardgames.plan.played import Progress
from boardgames.plan.request import read_matches
from boardgames.play.batch import bind_engine
from boardgames.play.match import Match
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function, reachable_rules
from boardgames.store.connection import open_for_reading
from boardgames.store.read import find_stored_ranges

MATCHES = 1000
CITED = re.compile(r"§\s*(\d+(?:\.\d+)*[a-z]?)")
HEADING = re.compile(r"^#+\s+§?(\d+(?:\.\d+)*[a-z]?)\.?\s+(.+)$", re.MULTILINE)
DOES, ALLOWS, SCORES = "does", "allows", "scores"


@dataclass(frozen=True, kw_only=True)
class RuleUsage:
    """The share of the matches in which a rule function or a section was used."""

    name: str
    about: str
    share: Estimate  # of the matches
    sections: tuple[str, ...] = ()  # that a function cites
    kind: str = ""  # of a function: does, allows or scores
    rarest: str = ""  # of a section: the function citing it that is seen least

    @property
    def is_unseen(self) -> bool:
        return self.share.mean == 0

    @property
    def at_most(self) -> float:
        """The upper 95% bound of the share of matches with something that was never seen."""
        return float(1 - 0.05 ** (1 / self.share.deals))


@dataclass(frozen=True, kw_only=True)
class Coverage(Answer):
    variant: str
    players: tuple[int, ...]
    agents: str
    seed: int
    matches: int
    sections: tuple[RuleUsage, ...]
    functions: tuple[RuleUsage, ...]
    uncited: tuple[str, ...]  # sections of RULES.md that no counted function cites

    def __repr__(self) -> str:
        return f"<Coverage of {self.variant}, {self.matches:,} matches>"


@dataclass(frozen=True)
class Rules:
    """The rule functions of a game that can be counted, by their code."""

    game: Game
    kinds: Mapping[CodeType, str]
    functions: Mapping[CodeType, Function]

    def find_sections(self, code: CodeType) -> tuple[str, ...]:
        return tuple(dict.fromkeys(CITED.findall(self.functions[code].__doc__ or "")))


def find_rules(game: Game) -> Rules:
    """The rule functions by kind: those reached from set-up and actions do something; of the rest, those
    reached from `legal` allow, the others score.
    """
    roots = {
        DOES: [game.setup, game.apply],
        ALLOWS: [game.legal],
        SCORES: [game.standing, game.score or game.standing],
    }
    kinds: dict[CodeType, str] = {}
    functions: dict[CodeType, Function] = {}
    for kind, functions_of_kind in roots.items():
        for function in reachable_rules(functions_of_kind, skip=is_platform_function):
            kinds.setdefault(function.__code__, kind)
            functions.setdefault(function.__code__, function)
    return Rules(game, kinds, functions)


def measure_coverage(
    variant: VariantLike,
    *,
    players: Players = "",
    agents: Agents = "",
    matches: int = MATCHES,
    seed: int = 1,
    db: str | Path | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Coverage:
    """Return how often each rule of a variant fires, over its player counts in turn. With a result file, only
    at the matches that it has.
    """
    chosen = find_variant(format_variant(variant))
    named = format_agent(agents, "coverage")
    counts = tuple(parse_player_counts(players) or chosen.game.player_counts)
    line_ups: dict[int, str] = {}
    for player_count in counts:
        chosen.make_blank_state(player_count)
        line_ups[player_count] = named or find_usual_agent([chosen.game], player_count)
        find_line_up(line_ups[player_count], player_count, chosen.game)
    most = read_matches(matches) or MATCHES
    if db is None:
        deals = [(counts[index % len(counts)], index // len(counts)) for index in range(most)]
    else:
        deals = _list_stored_deals(read_path("db", db), chosen, line_ups, seed)[:most]
    rules = find_rules(chosen.game)
    seen = Counter[CodeType]()
    sections = Counter[str]()
    with follow_matches("coverage", on_progress) as on_match:
        for number, (player_count, deal) in enumerate(deals, 1):
            match = _play_match(chosen, player_count, line_ups[player_count], seed, deal)
            used = _find_used_rules(rules, match)
            seen.update(used)
            sections.update({section for code in used for section in rules.find_sections(code)})
            on_match(Progress(number, len(deals), chosen.name))
    looked_at = {
        player_count: line_ups[player_count] for player_count in sorted({count for count, _ in deals})
    }
    return _make_coverage(chosen, rules, seen, sections, looked_at, seed, len(deals))


def _list_stored_deals(
    db: Path, variant: Variant, line_ups: Mapping[int, str], seed: int
) -> list[tuple[int, int]]:
    """Return the player count and the deal of each match that a file has, the player counts in turn."""
    cells = {
        PlannedCell(variant, find_line_up(agents, players, variant.game), seed).id: players
        for players, agents in line_ups.items()
    }
    with open_for_reading(db) as session:
        stored = find_stored_ranges(session, cells)
    deals = [
        (deal, cells[cell])
        for cell, ranges in stored.items()
        for first, number in ranges
        for deal in range(first, first + number)
    ]
    if not deals:
        agents = " or ".join(dict.fromkeys(line_ups.values()))
        raise InvalidInput(
            f"{db} has no matches of {variant.name} by {agents} on seed {seed} with "
            f"{format_players(list(line_ups))} players; `boardgames runs --db {db}` shows what it has"
        )
    return [(players, deal) for deal, players in sorted(deals)]


def _play_match(variant: Variant, players: int, agents: str, seed: int, deal: int) -> Match:
    """A compiled match, as in a simulation, so that the agents' thinking costs little and is not recorded."""
    match = Match(variant, players, seed=seed, deal=deal, compiled=True)
    return match.finish(find_line_up(agents, players, variant.game))


def _find_used_rules(rules: Rules, match: Match) -> set[CodeType]:
    """The rules used in one match."""
    apply = bind_engine(match.game, (), False)[protocol.apply]
    carried_out: set[CodeType] = set()
    asked: set[CodeType] = set()
    with _record_calls(carried_out):
        replay = Match(match.variant, match.players, seed=match.seed, deal=match.deal)
    for action in match.actions:
        with _record_calls(asked):
            replay.legal()
        with _record_calls(carried_out):
            apply(replay.state, np.int64(action))
    with _record_calls(asked):
        replay.scores()
        replay.ranks()
    return {code for code, kind in rules.kinds.items() if code in (carried_out if kind == DOES else asked)}


@contextmanager
def _record_calls(codes: set[CodeType]) -> Iterator[None]:
    """Add the code of every Python function that is called."""

    def record(frame: Any, event: str, argument: Any) -> None:
        if event == "call":
            codes.add(frame.f_code)

    profiler = sys.getprofile()
    sys.setprofile(record)
    try:
        yield
    finally:
        sys.setprofile(profiler)


# ---- results


def _make_coverage(
    variant: Variant,
    rules: Rules,
    seen: Counter[CodeType],
    sections: Counter[str],
    line_ups: Mapping[int, str],  # by player count
    seed: int,
    matches: int,
) -> Coverage:
    titles = read_headings(variant.game)
    cited = {section for code in rules.functions for section in rules.find_sections(code)}
    functions = [_make_function_usage(rules, code, seen[code], matches) for code in rules.functions]
    functions.sort(key=lambda usage: (usage.share.mean, usage.name))
    by_section = [
        RuleUsage(
            name=name,
            about=titles.get(name, ""),
            share=_estimate_share(sections[name], matches),
            rarest=_find_rarest(functions, name),
        )
        for name in sorted(cited, key=_make_sort_key)
    ]
    uncited = tuple(f"{name} {title}" for name, title in titles.items() if name not in cited)
    return Coverage(
        variant=variant.name,
        players=tuple(line_ups),
        agents=describe_agents(line_ups),
        seed=seed,
        matches=matches,
        sections=tuple(by_section),
        functions=tuple(functions),
        uncited=uncited,
    )


def _find_rarest(functions: Sequence[RuleUsage], section: str) -> str:
    """The rarest function that cites a section; `functions` are sorted, the rarest first."""
    return next(usage.name for usage in functions if section in usage.sections)


def _make_function_usage(rules: Rules, code: CodeType, seen: int, matches: int) -> RuleUsage:
    function = rules.functions[code]
    module = function.__module__.rpartition(".")[2]
    description = " ".join((function.__doc__ or "").split("\n\n")[0].split())
    return RuleUsage(
        name=f"{module}.{function.__name__}",
        about=description,
        share=_estimate_share(seen, matches),
        sections=rules.find_sections(code),
        kind=rules.kinds[code],
    )


def _estimate_share(seen: int, matches: int) -> Estimate:
    return estimate_share_from_sums(matches, float(seen), float(seen))


def read_headings(game: Game) -> dict[str, str]:
    """The numbered sections of the RULES.md beside the rules, if there is one."""
    path = Path(game.setup.__code__.co_filename).parent / "RULES.md"
    return dict(HEADING.findall(path.read_text(encoding="utf-8"))) if path.exists() else {}


def _make_sort_key(section: str) -> list[tuple[int, str]]:
    """1.2 before 1.10"""
    return [(int(re.match(r"\d+", part)[0]), part) for part in section.split(".")]  # type: ignore[index]
