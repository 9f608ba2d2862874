"""The laws of matches: what is declared, the positions on the way, luck, hidden things, and the end."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from boardgames.game.variant import Variant, make_variant
from boardgames.play.match import Match
from boardgames.rules import protocol
from boardgames.rules.rulecode import NotARule
from boardgames.tools.check.checker import (
    EVERY_SEAT_HAS_TURNS,
    MATCHES_END,
    RULES_RUN,
    SEED,
    Checker,
    Violation,
    format_location,
    format_setting,
    get_row_bytes,
    law,
)
from boardgames.tools.check.position_laws import FIELDS_MEAN, POSITION_LAWS, find_redealt_fields
from boardgames.tools.check.walk import Walk, find_first_break, minimize_failure, set_up_position, walk_match

ENOUGH_NAMES = 20  # of seats: by chance alone, one of them is hardly ever left out
MOST_LOOKS = 40  # per match, at what resampling changes


@law("rules use nothing but numbers")
def check_rules_are_numbers(check: Checker) -> Iterator[Violation]:
    """And of other rules: the compiler accepts all of it, with the same meaning."""
    try:
        make_variant(check.game).fingerprint()
    except NotARule as error:
        yield Violation(str(error), cause=error)


@law("everything declared can be played")
def check_declarations(check: Checker) -> Iterator[Violation]:
    """Every named variant with some player count, and every player count with some variant."""
    settings = []
    for variant, players in itertools.product(check.list_variants(), check.game.player_counts):
        try:
            problem = variant.find_problem(players)
        except Exception as error:
            yield Violation(check.describe(error), format_setting(variant, players), cause=error)
            return
        if problem is None:
            settings.append((variant.name, players))
        elif not isinstance(problem, str) or not problem.strip():
            message = f"refuse gave {problem!r}, neither words nor None"
            yield Violation(message, format_setting(variant, players))
    for variant in check.list_variants():
        if variant.name not in {name for name, _ in settings}:
            yield Violation(f"the variant {variant.name} is always refused")
    for players in check.game.player_counts:
        if players not in {count for _, count in settings}:
            yield Violation(f"the player count {players} is always refused")


@law(RULES_RUN)
def check_positions(check: Checker) -> Iterator[Violation]:
    """Random matches run, and every position on the way keeps the laws of positions."""
    for variant, players in check.sample_settings():
        walks = []
        for deal in range(1 if variant.changes() else check.matches):
            walk = walk_match(check, variant, players, deal)
            broken = find_first_break(POSITION_LAWS, walk)
            if broken:
                if broken.law.resamples:
                    yield from _find_turnless_seat(walk)
                raise minimize_failure(check, broken, walk)
            walks.append(walk)
        yield from _find_miscounted_seats(walks)


def _find_miscounted_seats(walks: Sequence[Walk]) -> Iterator[Violation]:
    """Numbers that name seats, and count them from one less than declared: the last seat is never named, and
    what should mean seat 1 means seat 2.
    """
    variant, players = walks[0].variant, walks[0].players
    for name, field in variant.game.fields.items():
        if field.first_seat is None:
            continue
        named = Counter(number for walk in walks for number in _list_new_numbers(walk, name))
        seats = [named[field.first_seat + seat] for seat in range(players)]
        if sum(seats) >= ENOUGH_NAMES and seats[-1] == 0 and named[field.first_seat - 1]:
            message = (
                f"{name} names seats from {field.first_seat} on, but never seat {players}, "
                f"and often is {field.first_seat - 1}: does that mean seat 1?"
            )
            yield Violation(message, format_setting(variant, players), FIELDS_MEAN)


def _list_new_numbers(walk: Walk, name: str) -> Iterator[int]:
    """What numbers of a field become during a match, each once per action."""
    position = walk.set_up()
    for action in walk.actions:
        before = np.array(position.state[name])
        position.run(protocol.apply, position.state, np.int64(action))
        now = np.asarray(position.state[name])
        yield from set(now[now != before].tolist())


def _find_turnless_seat(walk: Walk) -> Iterator[Violation]:
    """A seat that acts without a turn of its own: laws of resampling break then, too."""
    position, acted = walk.set_up(), set()
    for action in walk.actions:
        acted.add(int(position.state.actor))
        position.run(protocol.apply, position.state, np.int64(action))
    idle = [seat for seat in sorted(acted) if not position.state.begun[seat]]
    if idle:
        advice = f"call begin_turn(state, {idle[0]}), which also makes it the player"
        message = f"seat {idle[0] + 1} acts and never begins a turn: {advice}"
        yield Violation(message, walk.format_location(show_actions=False), EVERY_SEAT_HAS_TURNS)


@law("a match can be saved and loaded")
def check_bytes(check: Checker) -> Iterator[Violation]:
    for variant, players in check.sample_settings():
        match = Match(variant, players, seed=SEED)
        while not match.is_over and len(match.actions) < 12:
            match.step("random")
        restored = Match.from_bytes(variant, match.to_bytes())
        for copy in (match, restored):
            while not copy.is_over and len(copy.actions) < 24:
                copy.step("random")
        if match.to_bytes() != restored.to_bytes():
            where = format_location(variant, players, 0, 12, match.actions[:12])
            yield Violation("a match read back went on differently", where)


@law("the same seed gives the same match")
def check_independence(check: Checker) -> Iterator[Violation]:
    """It does not depend on matches played before, nor on the number of workers."""
    for variant, players in check.sample_settings():
        together = check.play(variant, players, deals=6)
        apart = [check.play(variant, players, deals=1, first=deal) for deal in reversed(range(6))]
        for deal, alone in enumerate(reversed(apart)):
            if get_row_bytes(together, deal, deal + 1) != get_row_bytes(alone, 0, 1):
                yield Violation("played alone, a match differs", format_location(variant, players, deal, 0))


@law("all chance comes from the streams")
def check_streams(check: Checker) -> Iterator[Violation]:
    """A game with streams uses each of them, if only to re-deal what is hidden; no game without streams has
    luck.
    """
    used = np.zeros(max(1, len(check.game.streams)), bool)
    for variant, players in check.sample_settings():
        for deal in range(check.matches):
            if used[: len(check.game.streams)].all():
                return
            match = Match(variant, players, seed=SEED, deal=deal)
            while match.is_on:
                match.step("random")
            used |= match.state.stream_step > 0
            used |= _find_resampled_streams(match)
    for stream, name in enumerate(check.game.streams):
        if not used[stream]:
            yield Violation(f"nothing was ever drawn from the stream '{name}'")


def _find_resampled_streams(match: Match) -> np.ndarray[Any, Any]:
    """Which streams `resample` draws from, for any seat at the first positions of a match: what is hidden
    need not come from chance.
    """
    position = set_up_position(match.variant, match.players, match.deal)
    drawn = np.zeros(len(position.state.stream_step), bool)
    for action in match.actions[:MOST_LOOKS]:
        for seat in range(match.players):
            drawn |= position.rekey_and_resample(seat, SEED)[0].stream_step > 0
        position.run(protocol.apply, position.state, np.int64(action))
    return drawn


@law("everything hidden is redrawn")
def check_hidden(check: Checker) -> Iterator[Violation]:
    """Resampling changes each private or hidden field that ever differs between positions."""
    secret = [name for name, field in check.game.fields.items() if field.visibility != "public"]
    seen: dict[str, set[bytes]] = {name: set() for name in secret}
    changed: set[str] = set()
    for variant, players in check.sample_settings() if secret else []:
        _collect_secrets(check, variant, players, seen, changed)
    for name in secret:
        if len(seen[name]) > 1 and name not in changed:
            yield Violation(f"resampling never changes {name}: agents see it")


def _collect_secrets(
    check: Checker, variant: Variant, players: int, seen: dict[str, set[bytes]], changed: set[str]
) -> None:
    """Along a random match, add the values of secret fields to `seen`, and those that resampling changes to
    `changed`.
    """
    walk = walk_match(check, variant, players, 0)
    position, looks = set_up_position(variant, players, 0), 0
    for action in walk.actions:
        new = {name for name in seen if position.states[name].tobytes() not in seen[name]}
        for name in new:
            seen[name].add(position.states[name].tobytes())
        if new - changed and looks < MOST_LOOKS:  # resampling is slow: only where such a field is new
            changed |= find_redealt_fields(position)
            looks += 1
        position.run(protocol.apply, position.state, np.int64(action))


@law(MATCHES_END)
def check_bounds(check: Checker) -> Iterator[Violation]:
    for variant, players in check.list_settings():
        batch = check.sample(variant, players)
        if not batch.matches["end"].all():
            deal = batch.matches["deal"][batch.matches["end"] == 0][0]
            where = format_location(variant, players, deal, check.game.cap)
            yield Violation(f"it was still on after {check.game.cap} decisions", where)
        for kind, values in [("scores", batch.seats["score"]), ("turns", batch.matches["turns"])]:
            low, high = variant.bounds(kind, players)
            if values.min() < low or values.max() > high:
                message = (
                    f"{kind} from {values.min()} to {values.max()} were seen, declared are {low} to {high}"
                )
                yield Violation(message, f"{format_setting(variant, players)}, seed {SEED}")


@law(EVERY_SEAT_HAS_TURNS)
def check_seats_have_turns(check: Checker) -> Iterator[Violation]:
    for variant, players in check.list_settings():
        batch = check.sample(variant, players)
        for seat in range(players):
            if not batch.seats["turns"][:, seat].any():
                advice = "begin each turn with begin_turn(state, seat)"
                message = f"seat {seat + 1} began no turn in {len(batch.matches)} matches: {advice}"
                yield Violation(message, f"{format_setting(variant, players)}, seed {SEED}")


@law("every tally is used")
def check_tallies(check: Checker) -> Iterator[Violation]:
    if not check.game.tallies:
        return
    used = np.zeros(len(check.game.tallies), bool)
    for agents, (variant, players) in itertools.product(["random", "greedy"], list(check.list_settings())):
        if not used.all():
            used |= check.sample(variant, players, agents).seats["tally"].any(axis=(0, 1))
    for name, seen in zip(check.game.tallies, used, strict=True):
        if not seen:
            yield Violation(f"'{name}' stayed 0 in every match")
