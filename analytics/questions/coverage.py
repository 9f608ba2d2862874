"""`coverage`: which rules actually fire. Matches are played, and then carried out again by the plain rules while somebody counts.

A rule that does something counts where it is carried out, in the set-up or by an action; one that only allows something, or only
scores, counts where it is asked. Functions are counted by their code, so that copies and derived rules are the same rule.
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

from analytics.stats.intervals import Estimate, block_share
from boardgames.agents.agent import find_line_up
from boardgames.errors import BadInput
from boardgames.experiment.plan import read_players
from boardgames.game.game import Game
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant, is_platform
from boardgames.play.batch import bound
from boardgames.play.match import Match
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function, reached

MATCHES = 1000
CITED = re.compile(r"§\s*(\d+(?:\.\d+)*[a-z]?)")
HEADING = re.compile(r"^#+\s+§?(\d+(?:\.\d+)*[a-z]?)\.?\s+(.+)$", re.MULTILINE)
DOES, ALLOWS, SCORES = "does", "allows", "scores"


@dataclass(frozen=True)
class Fired:
    """A rule function or a section: in which share of the matches it was seen."""

    name: str
    about: str
    share: Estimate  # of the matches
    sections: tuple[str, ...] = ()  # that a function cites
    kind: str = ""  # of a function: does, allows or scores
    rarest: str = ""  # of a section: the function citing it that is seen least

    @property
    def unseen(self) -> bool:
        return self.share.mean == 0

    @property
    def at_most(self) -> float:
        """With 95 %, something that was never seen happens in no greater share of the matches."""
        return float(1 - 0.05 ** (1 / self.share.blocks))


@dataclass(frozen=True)
class Coverage:
    variant: str
    players: tuple[int, ...]
    agents: str
    seed: int
    matches: int
    sections: tuple[Fired, ...]
    functions: tuple[Fired, ...]
    uncited: tuple[str, ...]  # sections of RULES.md that no counted function cites


@dataclass(frozen=True)
class Rules:
    """The rule functions of a game that can be counted, by their code."""

    game: Game
    kinds: Mapping[CodeType, str]
    functions: Mapping[CodeType, Function]

    def sections(self, code: CodeType) -> tuple[str, ...]:
        return tuple(dict.fromkeys(CITED.findall(self.functions[code].__doc__ or "")))


def rules_of(game: Game) -> Rules:
    """What set-up and actions lead to does something; of the rest, what `legal` leads to allows, and the last ones score."""
    roots = {DOES: [game.setup, game.apply], ALLOWS: [game.legal], SCORES: [game.standing, game.score or game.standing]}
    kinds: dict[CodeType, str] = {}
    functions: dict[CodeType, Function] = {}
    for kind, of in roots.items():
        for function in reached(of, leave_out=is_platform):
            kinds.setdefault(function.__code__, kind)
            functions.setdefault(function.__code__, function)
    return Rules(game, kinds, functions)


def measure_coverage(
    spec: str, *, players: str = "", agents: str = "greedy", matches: int = MATCHES, seed: int = 1,
    report: Callable[[int, int], None] = lambda done, wanted: None,
) -> Coverage:  # fmt: skip
    """How often each rule of a variant fires, over its player counts in turn."""
    variant = find_variant(spec)
    counts = tuple(read_players(players) or variant.game.players)
    for seats in counts:
        variant.blank(seats)
        find_line_up(agents, seats, variant.game)
    if matches < 1:
        raise BadInput("coverage needs at least one match")
    rules, seen, sections = rules_of(variant.game), Counter[CodeType](), Counter[str]()
    for number in range(matches):
        seats = counts[number % len(counts)]
        fired = _fired(rules, _played(variant, seats, agents, seed, number // len(counts)))
        seen.update(fired)
        sections.update({section for code in fired for section in rules.sections(code)})
        report(number + 1, matches)
    return _coverage(variant, rules, seen, sections, counts, agents, seed, matches)


def _played(variant: Variant, seats: int, agents: str, seed: int, block: int) -> Match:
    """A match as a simulation would play it: compiled, so that the agents' thoughts cost little and are not counted."""
    match = Match(variant, seats, seed=seed, block=block, plain=False)
    return match.finish(find_line_up(agents, seats, variant.game))


def _fired(rules: Rules, match: Match) -> set[CodeType]:
    """The rules seen in one match."""
    apply = bound(match.game, (), True)[protocol.apply]
    done: set[CodeType] = set()
    asked: set[CodeType] = set()
    with _counting(done):
        again = Match(match.variant, match.seats, seed=match.seed, block=match.block)
    for action in match.actions:
        with _counting(asked):
            again.legal()
        with _counting(done):
            apply(again.state, np.int64(action))
    with _counting(asked):
        again.scores()
        again.places()
    return {code for code, kind in rules.kinds.items() if code in (done if kind == DOES else asked)}


@contextmanager
def _counting(into: set[CodeType]) -> Iterator[None]:
    """Note the code of every Python function that is called."""

    def note(frame: Any, event: str, argument: Any) -> None:
        if event == "call":
            into.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before)


# ---- told


def _coverage(
    variant: Variant, rules: Rules, seen: Counter[CodeType], sections: Counter[str], counts: Sequence[int], agents: str, seed: int,
    matches: int,
) -> Coverage:  # fmt: skip
    titles = headings(variant.game)
    cited = {section for code in rules.functions for section in rules.sections(code)}
    functions = [_function(rules, code, seen[code], matches) for code in rules.functions]
    functions.sort(key=lambda one: (one.share.mean, one.name))
    by_section = [
        Fired(name, titles.get(name, ""), _share(sections[name], matches), rarest=_rarest(functions, name))
        for name in sorted(cited, key=_in_order)
    ]
    uncited = tuple(f"{name} {title}" for name, title in titles.items() if name not in cited)
    return Coverage(variant.name, tuple(counts), agents, seed, matches, tuple(by_section), tuple(functions), uncited)


def _rarest(functions: Sequence[Fired], section: str) -> str:
    """Functions are in order, the rarest first."""
    return next(one.name for one in functions if section in one.sections)


def _function(rules: Rules, code: CodeType, seen: int, matches: int) -> Fired:
    function = rules.functions[code]
    module = function.__module__.rpartition(".")[2]
    told = " ".join((function.__doc__ or "").split("\n\n")[0].split())
    return Fired(f"{module}.{function.__name__}", told, _share(seen, matches), rules.sections(code), rules.kinds[code])


def _share(seen: int, matches: int) -> Estimate:
    return block_share(matches, float(seen), float(seen))


def headings(game: Game) -> dict[str, str]:
    """The numbered sections of the RULES.md beside the rules, if there is one."""
    path = Path(game.setup.__code__.co_filename).parent / "RULES.md"
    return dict(HEADING.findall(path.read_text(encoding="utf-8"))) if path.exists() else {}


def _in_order(section: str) -> list[tuple[int, str]]:
    """1.2 before 1.10"""
    return [(int(re.match(r"\d+", part)[0]), part) for part in section.split(".")]  # type: ignore[index]
