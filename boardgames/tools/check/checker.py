"""One check of one game, and how a law is declared."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from boardgames.errors import BoardgamesError
from boardgames.game.game import Game
from boardgames.game.mistakes import RuleFailed, describe_error
from boardgames.game.variant import Variant, make_variant
from boardgames.play.batch import Batch, play_batch

SEED = 200_612  # of the check's matches; no game is tuned on them
RULES_RUN = "rules run without an error"
EVERY_SEAT_HAS_TURNS = "every seat has turns"
MATCHES_END = "every match ends within its bounds"
MIXES_ARE_EXPLAINED = "refuse explains every mix that cannot be played"


class LawBroken(Exception):
    """Says which game broke which law, and how to see it: seed, step and a minimal list of actions."""


class Violation(NamedTuple):
    """What is wrong, and where it can be seen."""

    message: str
    where: str = ""
    law: str | None = None  # another law than the one that is being checked
    cause: Exception | None = None


class Law(NamedTuple):
    """A law of a game: its check yields what is wrong, if anything. Only the first violation counts."""

    name: str
    check: Callable[["Checker"], Iterator[Violation]]


def law(name: str) -> Callable[[Callable[["Checker"], Iterator[Violation]]], Law]:
    """Declare a law: a decorator for its check."""
    return lambda check: Law(name, check)


class Checker:
    """One check of one game: its options, the laws passed so far, and sampled matches."""

    def __init__(
        self, game: Game, matches: int, on_progress: Callable[[str], None], also: Sequence[Variant] = ()
    ) -> None:
        self.game, self.matches, self.on_progress, self.also = game, matches, on_progress, tuple(also)
        self.compiled = False
        self.passed: list[str] = []
        self._samples: dict[tuple[str, int, str], Batch] = {}

    @property
    def deals(self) -> int:
        """The size of a sample."""
        return 256 if self.compiled else 24

    def compile(self) -> None:
        """Use the compiled rules from now on."""
        self.compiled = True
        self._samples.clear()

    def run(self, law: Law) -> None:
        self.on_progress(law.name)
        try:
            for violation in law.check(self):
                broken = self.fail(violation.law or law.name, violation.message, violation.where)
                raise broken from violation.cause
        except RuleFailed as error:
            raise self.fail(RULES_RUN, str(error)) from error
        self.passed.append(law.name)

    def describe(self, error: Exception) -> str:
        return str(error) if isinstance(error, BoardgamesError) else describe_error(self.game, error)

    def fail(self, law: str, message: str, where: str = "") -> LawBroken:
        stop = "" if message.endswith((".", "?")) else "."
        return LawBroken(
            f"{self.game.name} breaks the law '{law}': {message}{f'{stop} {where}' if where else ''}"
        )

    def list_variants(self) -> list[Variant]:
        """The default, every named variant, and those in `also`."""
        return [*(make_variant(self.game, name) for name in ["", *self.game.variants]), *self.also]

    def list_settings(self) -> Iterator[tuple[Variant, int]]:
        """Every variant with every player count that it allows."""
        for variant in self.list_variants():
            yield from (
                (variant, players)
                for players in self.game.player_counts
                if variant.find_problem(players) is None
            )

    def sample_settings(self) -> Iterator[tuple[Variant, int]]:
        """For slow laws: the default with every player count, every other variant with one, taken in turn."""
        counts = itertools.cycle(self.game.player_counts)
        for variant in self.list_variants():
            for players in self.game.player_counts if not variant.changes() else [next(counts)]:
                if variant.find_problem(players) is None:
                    yield variant, players

    def play(self, variant: Variant, players: int, deals: int, agents: str = "random", **more: Any) -> Batch:
        return play_batch(variant, agents, players, deals, seed=SEED, compiled=self.compiled, **more)

    def sample(self, variant: Variant, players: int, agents: str = "random") -> Batch:
        """Some matches of a variant, played once and used by several laws."""
        key = variant.name, players, agents
        if key not in self._samples:
            self._samples[key] = self.play(variant, players, self.deals, agents)
        return self._samples[key]


def format_setting(variant: Variant, players: int) -> str:
    return f"{variant.name}, {players} players"


def format_location(variant: Variant, players: int, deal: int, step: int, actions: Sequence[int] = ()) -> str:
    """Where a violation can be seen: the luck, and the actions to get there."""
    location = f"{format_setting(variant, players)}, seed {SEED}, deal {deal}, step {step}"
    return f"{location}; actions to get there: {list(actions)}" if actions else location


def get_row_bytes(batch: Batch, low: int, high: int) -> bytes:
    return batch.matches[low:high].tobytes() + batch.seats[low:high].tobytes()
