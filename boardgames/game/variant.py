"""A Variant is a Game plus one filled-in rules record. It is what we compare."""

import functools
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from boardgames.errors import InvalidInput, NotPlayable, make_unknown_error
from boardgames.game import spec as specs
from boardgames.game.earlier_rules import (
    EarlierRules,
    digest_text,
    find_rules_to_hash,
    read_earlier_rules,
    write_earlier_rules,
)
from boardgames.game.game import LIMITS, MAX_PLAYERS, Game, make_record_type
from boardgames.game.mistakes import explain_errors
from boardgames.game.parameters import Parameter
from boardgames.notebook import format_table
from boardgames.rules.rulecode import Function, canonical_source, is_platform_file


@dataclass(frozen=True, eq=False)
class Variant:
    game: Game
    name: str  # its spec, or its name in variants.toml
    values: Mapping[str, Any]
    why: str = ""
    spec: str = ""  # what to type to get it again, if that is not its name

    def __repr__(self) -> str:
        return f"<Variant {self.name}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: what it is, and what differs from the game's default."""
        head = f"<p><b>{escape(self.name)}</b>: {escape(self.why or self.game.about)}</p>"
        parameters = {parameter.name: parameter for parameter in self.game.parameters}
        rows = [
            (
                name,
                parameters[name].write(value),
                parameters[name].write(default),
                parameters[name].description,
            )
            for name, (default, value) in self.changes().items()
        ]
        if not rows:
            return f"{head}<p>All parameters have their defaults.</p>"
        return head + format_table(("parameter", "here", "by default", "what it is"), rows)

    def make_blank_state(self, players: int) -> np.ndarray[Any, Any]:
        """An array of one empty state with the rules filled in: the start of every match."""
        problem = self.find_problem(players)
        if problem is not None:
            raise NotPlayable(f"{self.name} cannot be played: {problem}")
        return self._fill_state(players)

    def find_problem(self, players: int) -> str | None:
        """Why this many players cannot play it; None if they can."""
        if players not in self.game.player_counts:
            limits = "" if 2 <= players <= MAX_PLAYERS else f"; {LIMITS}"
            return f"it is for {format_player_counts(self.game.player_counts)} players, not {players}{limits}"
        if not self.game.refuse:
            return None
        with explain_errors(self.game):
            return self.game.refuse(self._fill_state(players)[0].rules, players)

    def _fill_state(self, players: int) -> np.ndarray[Any, Any]:
        states = np.zeros(1, self.game.state)
        states[0].players = players
        states[0].rules = self._rules[players]
        return states

    @functools.cached_property
    def _rules(self) -> dict[int, Any]:
        """The rules record for each player count, filled once: what is played is what has the fingerprint."""
        counts = self.game.player_counts
        records = np.zeros(len(counts), self.game.rules)
        for record, players in zip(records, counts, strict=True):
            for parameter in self.game.parameters:
                parameter.fill(record, self.values[parameter.name], players, counts)
        return dict(zip(counts, records, strict=True))

    def has_rules_of(self, other: "Variant") -> bool:
        """Whether both are of one game and have the same rules at every player count."""
        return self.game is other.game and all(
            rules.tobytes() == other._rules[players].tobytes() for players, rules in self._rules.items()
        )

    def bounds(self, name: str, players: int) -> tuple[int, int]:
        """The declared bounds of "scores" or "turns" under these rules."""
        bounds = getattr(self.game, name)
        with explain_errors(self.game):
            return bounds(self._fill_state(players)[0].rules, players) if callable(bounds) else bounds

    def fingerprint(self) -> str:
        """A hash of what runs: the rules' code, the game's declarations and the rules records, without
        comments and docstrings.
        """
        digest = hashlib.blake2b(digest_size=8)
        rules = find_rules_to_hash(self.game.earlier_rules, describe_code(self.game))
        digest.update(rules.text.encode())
        earlier = [parameter for parameter in self.game.parameters if parameter.name not in rules.added]
        for players in self.game.player_counts:
            digest.update(self._fill_record(earlier, players))
        for parameter in self.game.parameters:
            if not self._plays_as_before(parameter, rules):
                digest.update(parameter.name.encode())
                for players in self.game.player_counts:
                    digest.update(self._fill_record([parameter], players))
        return digest.hexdigest()

    def _plays_as_before(self, parameter: Parameter, rules: EarlierRules) -> bool:
        """Whether the parameter has a value at which the game plays as by the earlier rules."""
        value = parameter.write(self.values[parameter.name])
        return rules.added.get(parameter.name, value) == value and rules.changed.get(parameter.name) != value

    def _fill_record(self, parameters: Sequence[Parameter], players: int) -> bytes:
        """The rules record as it would be with these parameters alone."""
        counts = self.game.player_counts
        fields = [row for parameter in parameters for row in parameter.list_fields(counts)]
        record = np.zeros(1, make_record_type(fields or [("none", "i2")]))
        for name, *_ in fields:
            record[name] = self._rules[players][name]
        return record.tobytes()

    def changes(self) -> dict[str, tuple[Any, Any]]:
        """What differs from the game's default: {parameter: (default, value)}."""
        defaults = specs.validate_values(self.game.name, self.game.parameters, {}, self.game.player_counts)
        changed = {name: value for name, value in self.values.items() if value != defaults[name]}
        return {name: (defaults[name], value) for name, value in changed.items()}


def describe_code(game: Game) -> str:
    """The text that is hashed: the game's declarations, and the canonical source of its rules."""
    fields = [[name, *f.layout] for name, f in game.fields.items()]
    parameters = [row for parameter in game.parameters for row in parameter.list_fields(game.player_counts)]
    declarations = [
        fields,
        parameters,
        list(game.player_counts),
        game.actions,
        game.streams,
        game.ends,
        game.tallies,
        game.cap,
        game.low_wins,
    ]
    source = canonical_source(game.functions().values(), skip=is_platform_function)
    return f"{json.dumps(declarations)}\n{source}"


def renew_earlier_rules(
    game: Game, added: Mapping[str, str] | None = None, changed: Mapping[str, str] | None = None
) -> None:
    """Let results that are stored under the game's earlier rules count as results of today's.

    Call it when every stored match is played as before, and only then: tests/variants/test_frozen_matches.py
    and tests/boardgames/store/test_older_files.py play them. `added` names the parameters that are new, with
    the value at which the game plays as before. `changed` names a value of an earlier parameter at which it
    does not, so that the results of that value are not taken over. What was named earlier stays named.
    For Celtica, while it had such a file:

        from boardgames.game.variant import renew_earlier_rules
        from variants.celtica import GAME
        renew_earlier_rules(GAME, {"dealing": "one-by-one"}, {"swapped_part": "given-up"})
    """
    added, changed = added or {}, changed or {}
    if game.earlier_rules is None:
        raise InvalidInput(f"{game.name} has no file of earlier rules to renew")
    names = [parameter.name for parameter in game.parameters]
    for name in (*added, *changed):
        if name not in names:
            raise make_unknown_error("parameter", name, names, "`boardgames show` explains them")
    earlier = read_earlier_rules(game.earlier_rules)
    renewed = earlier._replace(
        todays_digest=digest_text(describe_code(game)),
        added={**earlier.added, **added},
        changed={**earlier.changed, **changed},
    )
    write_earlier_rules(game.earlier_rules, renewed)


def is_platform_function(function: Function) -> bool:
    """Whether it is the platform's own function: those count by ENGINE_VERSION instead of a fingerprint."""
    return is_platform_file(function.__code__.co_filename)


def make_variant(game: Game, variant_name: str = "", values: Mapping[str, Any] | None = None) -> Variant:
    """A variant of a game: its default or one of its named variants, with some values changed."""
    check_is_game(game)
    if values is not None and not isinstance(values, Mapping):
        raise InvalidInput(f'values={values!r}: write a dictionary, values={{"hand_size": 6}}')
    if variant_name and variant_name not in game.variants:
        raise make_unknown_error(
            "variant",
            f"{game.name}:{variant_name}",
            [game.name, *(f"{game.name}:{name}" for name in game.variants)],
            "`boardgames list` shows them",
        )
    named_values, why = game.variants[variant_name] if variant_name else ({}, game.about)
    base_values = specs.validate_values(game.name, game.parameters, named_values, game.player_counts)
    given = {**named_values, **(values or {})}
    all_values = specs.validate_values(game.name, game.parameters, given, game.player_counts)
    base = f"{game.name}:{variant_name}" if variant_name else game.name
    name = specs.format_spec(base, game.parameters, all_values, base_values)
    return Variant(game, name, all_values, why if name == base else f"{base} with changes")


def check_is_game(game: Any) -> None:
    """Raise InvalidInput for what is no Game."""
    if isinstance(game, Variant):
        raise InvalidInput(f"{game!r} is a variant, not a Game: write variant.game")
    if not isinstance(game, Game):
        name = game if isinstance(game, str) and game else "pig"
        advice = f"write find_variant({name!r}), or .game after it for its Game"
        raise InvalidInput(f"{game!r} is not a Game: {advice}")


def make_no_variant_error(value: Any) -> InvalidInput:
    """For what was named in place of a variant: what to write instead."""
    if isinstance(value, Path) or str(value).endswith(".duckdb"):
        return InvalidInput(f"{value} is not a variant; a result file is named by db='{value}'")
    if isinstance(value, Game):
        advice = f"write make_variant(GAME), or its spec, '{value.name}'"
        return InvalidInput(f"{value!r} is a game, not a variant: {advice}")
    return InvalidInput(f"{value!r} is not a variant: write its spec, 'celtica:en', or pass a Variant")


def format_player_counts(player_counts: Any) -> str:
    """range(2, 6) -> "2 to 5"; (2, 4) -> "2 or 4"; (2,) -> "2"."""
    if len(player_counts) > 2 and player_counts[-1] - player_counts[0] == len(player_counts) - 1:
        return f"{player_counts[0]} to {player_counts[-1]}"
    return " or ".join(map(str, player_counts))
