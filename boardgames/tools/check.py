"""The conformance kit: `check_game(GAME)` raises LawBroken unless the game keeps every law. It never warns; it excuses nobody.

For authors of games: call it in a test. On the command line: `boardgames check GAME`.
"""

import hashlib
import itertools
import json
import os
import random
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from boardgames.errors import BadInput
from boardgames.game.game import Game
from boardgames.game.mistakes import RuleFailed, describe
from boardgames.game.plugins import FILE_MODULE
from boardgames.game.variant import Variant, make_variant
from boardgames.game.whole_numbers import refusing_fractions
from boardgames.play import engine
from boardgames.play.batch import Batch, bound, play_batch, stream_names
from boardgames.play.match import Match
from boardgames.rules import protocol
from boardgames.rules.chance import fold, number
from boardgames.rules.rulecode import NotARule
from boardgames.tools.laws import IMAGINING_LAWS, POSITION_LAWS, Law, Position, law_name, redealt

RUN = "rules run without an error"
TURNS = "every seat has turns"
FEW_BLOCKS = 4  # of a variant that is only tried, when played uncompiled
SEED = 200_612  # matches of the check; nobody tunes a game on them


class LawBroken(Exception):
    """Says which game broke which law, and how to see it: seed, step and a minimal list of actions."""


class Checker:
    """One check of one game: how many matches it may play, and what it has seen on the way."""

    def __init__(self, game: Game, matches: int, say: Callable[[str], None], also: Sequence[Variant] = ()) -> None:
        self.game, self.matches, self.say, self.also = game, matches, say, tuple(also)
        self.compiled = False
        self.kept: list[str] = []
        self._samples: dict[tuple[str, int, str], Batch] = {}

    @property
    def blocks(self) -> int:
        """Of a sample: as many matches as one gladly waits for."""
        return 256 if self.compiled else 24

    def compile(self) -> None:
        """From now on matches are played by the compiled rules."""
        self.compiled = True
        self._samples.clear()

    def run(self, law: Callable[["Checker"], None]) -> None:
        self.say(law_name(law))
        try:
            law(self)
        except RuleFailed as error:
            raise self.fail(RUN, str(error)) from error
        self.kept.append(law_name(law))

    def describe(self, error: Exception) -> str:
        return str(error) if isinstance(error, BadInput) else describe(self.game, error)

    def fail(self, law: str, what: str, where: str = "") -> LawBroken:
        stop = "" if what.endswith((".", "?")) else "."
        return LawBroken(f"{self.game.name} breaks the law '{law}': {what}{f'{stop} {where}' if where else ''}")

    def variants(self) -> list[Variant]:
        """The default, every named variant, and those that the caller added."""
        return [*(make_variant(self.game, house) for house in ["", *self.game.variants]), *self.also]

    def tables(self) -> Iterator[tuple[Variant, int]]:
        """Every variant with every player count it can be played with."""
        for variant in self.variants():
            yield from ((variant, seats) for seats in self.game.players if not variant.refusal(seats))

    def few_tables(self) -> Iterator[tuple[Variant, int]]:
        """For what is dear: the default with every player count, every other variant with one, taken in turn."""
        counts = itertools.cycle(self.game.players)
        for variant in self.variants():
            for seats in self.game.players if not variant.changes() else [next(counts)]:
                if not variant.refusal(seats):
                    yield variant, seats

    def play(self, variant: Variant, seats: int, blocks: int, agents: str = "random", **more: Any) -> Batch:
        return play_batch(variant, agents, seats, blocks, seed=SEED, plain=not self.compiled, **more)

    def sample(self, variant: Variant, seats: int, agents: str = "random") -> Batch:
        """Some matches of a variant that several laws look at: played once."""
        key = variant.name, seats, agents
        if key not in self._samples:
            self._samples[key] = self.play(variant, seats, self.blocks, agents)
        return self._samples[key]


def check_game(
    game: Game, *, also: Sequence[Variant] = (), compiled: bool = True, matches: int = 3,
    say: Callable[[str], None] = lambda line: None, before_compiling: Callable[[list[str]], None] = lambda kept: None,
) -> list[str]:  # fmt: skip
    """Raise LawBroken unless the game, in its named variants and in `also`, keeps every law; returns the names of the laws.

    `matches` random matches of the default with every player count, and one of every other variant, are walked step by step;
    `compiled=False` leaves the compiler out. `say` is told each law that is looked at, `before_compiling` those that are kept
    when all has been done that can be done without the compiler.
    """
    checker = Checker(game, matches, say, also)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a number that overflows does so differently compiled and plain
        for law in FEW_MATCHES_LAWS:
            checker.run(law)
        checker.kept += [law_name(law) for law in POSITION_LAWS]
        if compiled:
            before_compiling(list(checker.kept))
            checker.compile()
        for law in (*MANY_MATCHES_LAWS, *(COMPILED_LAWS if compiled else ())):
            checker.run(law)
    return checker.kept


def rules_are_made_of_numbers(check: Checker) -> None:
    """And of other rules: nothing in them is refused by the compiler, or means something else there."""
    try:
        make_variant(check.game).fingerprint()
    except NotARule as error:
        raise check.fail("rules are made of numbers", str(error)) from error


def everything_declared_can_be_played(check: Checker) -> None:
    """Every named variant by some number of players, and every player count by some variant."""
    law, tables = "everything declared can be played", []
    for variant in check.variants():
        for seats in check.game.players:
            try:
                refusal = variant.refusal(seats)
            except Exception as error:
                raise check.fail(law, check.describe(error), f"{variant.name}, {seats} players") from error
            if not isinstance(refusal, str):
                raise check.fail(law, f"refuse gave {refusal!r}, not words", f"{variant.name}, {seats} players")
            tables += [] if refusal else [(variant.name, seats)]
    for what, place, declared in [("variant", 0, [v.name for v in check.variants()]), ("player count", 1, check.game.players)]:
        idle = [one for one in declared if one not in {table[place] for table in tables}]
        if idle:
            raise check.fail(law, f"the {what} {idle[0]} is always refused")


# ---- laws of positions, along random matches


def every_position_keeps_its_laws(check: Checker) -> None:
    for variant, seats in check.few_tables():
        for block in range(1 if variant.changes() else check.matches):
            actions = _walked(check, variant, seats, block)
            broken = _first_break(POSITION_LAWS, variant, seats, block, actions)
            if broken:
                turnless = broken.law in IMAGINING_LAWS and _turnless(check, variant, seats, block, actions)
                raise turnless or _told(check, broken, variant, seats, block, actions)


def _turnless(check: Checker, variant: Variant, seats: int, block: int, actions: list[int]) -> LawBroken | None:
    """A seat that acts without a turn of its own: where rules then ask for the player's hand, imagining looks guilty."""
    at, acted = _begin(variant, seats, block), set()
    for action in actions:
        acted.add(int(at.state.actor))
        at.run(protocol.apply, at.state, np.int64(action))
    idle = [seat for seat in sorted(acted) if not at.state.begun[seat]]
    if not idle:
        return None
    wrong = f"seat {idle[0] + 1} acts and never begins a turn: call begin_turn(state, {idle[0]}), which also makes it the player"
    return check.fail(TURNS, wrong, _where(variant, seats, block, len(actions), []))


def _walked(check: Checker, variant: Variant, seats: int, block: int) -> list[int]:
    """A random match to its end, as far as the rules can be carried out at all."""
    try:
        at = _begin(variant, seats, block)
    except Exception as error:
        raise check.fail(RUN, f"set-up fails in {check.describe(error)}", _where(variant, seats, block, 0, [])) from error
    actions: list[int] = []
    while not at.state.end:
        if len(actions) == variant.game.cap:
            raise _endless(check, variant, seats, block, actions)
        legal = at.actions()
        if not legal or not all(0 <= action < variant.game.actions for action in legal):
            return actions
        actions.append(legal[number(fold(at.luck, len(actions)), 0, len(legal))])
        try:
            at.run(protocol.apply, refusing_fractions(variant.game, at.states)[0], np.int64(actions[-1]))
        except Exception as error:
            raise check.fail(RUN, check.describe(error), _where(variant, seats, block, len(actions), actions)) from error
    return actions


def _endless(check: Checker, variant: Variant, seats: int, block: int, actions: list[int]) -> LawBroken:
    """A match that does not end; another law that it breaks on the way is probably why."""
    broken = _first_break(POSITION_LAWS, variant, seats, block, actions[:60])
    if broken:
        return _told(check, broken, variant, seats, block, actions)
    where = _where(variant, seats, block, len(actions), [])
    return check.fail("every match ends", f"it was still on after {variant.game.cap} decisions", where)


def _begin(variant: Variant, seats: int, block: int) -> Position:
    """The set-up position of a block."""
    functions = bound(variant.game, (), True)
    states = variant.blank(seats)
    luck = functions[engine.block_key](SEED, seats, block)
    functions[engine.begin_match](refusing_fractions(variant.game, states)[0], luck, stream_names(variant.game))
    return Position(variant.game, states, states.copy(), luck)


class Break(NamedTuple):
    """A law broken in a match: after how many actions, and what is wrong."""

    law: Law
    step: int
    wrong: str


def _first_break(laws: Sequence[Law], variant: Variant, seats: int, block: int, actions: list[int]) -> Break | None:
    """The first law broken along these actions; None if there is none, or if they cannot be played.

    Imagining is dear, so its laws look at a dozen positions of a match only, the last among them.
    """
    at, stride = _begin(variant, seats, block), max(1, len(actions) // 12)
    for step, action in enumerate([*actions, None]):
        looked = step % stride == 0 or action is None
        for law in laws:
            wrong = _asked(law, at) if looked or law not in IMAGINING_LAWS else ""
            if wrong:
                return Break(law, step, wrong)
        if action is None or at.state.end or action not in at.actions():
            return None
        at.run(protocol.apply, at.state, np.int64(action))
    return None


def _asked(law: Law, at: Position) -> str:
    try:
        return law(at)
    except Exception as error:
        return describe(at.game, error)


def _told(check: Checker, broken: Break, variant: Variant, seats: int, block: int, actions: list[int]) -> LawBroken:
    """The failure with as few actions as still show it: cut after the break, then left out one by one."""
    actions = actions[: broken.step]
    for place in reversed(range(max(0, len(actions) - 60), len(actions))):
        fewer = actions[:place] + actions[place + 1 :]
        shorter = _first_break([broken.law], variant, seats, block, fewer)
        if shorter:
            actions, broken = fewer[: shorter.step], shorter
    return check.fail(law_name(broken.law), broken.wrong, _where(variant, seats, block, len(actions), actions))


def _where(variant: Variant, seats: int, block: int, step: int, actions: list[int]) -> str:
    place = f"{variant.name}, {seats} players, seed {SEED}, block {block}, step {step}"
    return f"{place}; actions to get there: {actions}" if actions else place


# ---- laws of matches


def every_match_ends_within_its_bounds(check: Checker) -> None:
    for variant, seats in check.tables():
        batch = check.sample(variant, seats)
        law = "every match ends within its bounds"
        if not batch.matches["end"].all():
            block = batch.matches["block"][batch.matches["end"] == 0][0]
            where = _where(variant, seats, block, check.game.cap, [])
            raise check.fail(law, f"it was still on after {check.game.cap} decisions", where)
        idle = [seat for seat in range(seats) if not batch.seats["turns"][:, seat].any()]
        if idle:
            wrong = (
                f"seat {idle[0] + 1} began no turn in {len(batch.matches)} matches: begin each turn with begin_turn(state, seat)"
            )
            raise check.fail(TURNS, wrong, f"{variant.name}, {seats} players, seed {SEED}")
        for what, values in [("scores", batch.seats["score"]), ("turns", batch.matches["turns"])]:
            low, high = variant.bounds(what, seats)
            if values.min() < low or values.max() > high:
                seen = f"{what} from {values.min()} to {values.max()} were seen, declared are {low} to {high}"
                raise check.fail(law, seen, f"{variant.name}, {seats} players, seed {SEED}")


def a_match_survives_bytes(check: Checker) -> None:
    for variant, seats in check.few_tables():
        match = Match(variant, seats, seed=SEED)
        while not match.over and len(match.actions) < 12:
            match.step("random")
        twin = Match.from_bytes(variant, match.to_bytes())
        for one in (match, twin):
            while not one.over and len(one.actions) < 24:
                one.step("random")
        if match.to_bytes() != twin.to_bytes():
            law = "a match survives bytes"
            raise check.fail(law, "a match read back went on differently", _where(variant, seats, 0, 12, match.actions[:12]))


def a_match_depends_on_nothing_but_its_seed(check: Checker) -> None:
    """Not on matches played before it, nor on the number of workers."""
    for variant, seats in check.few_tables():
        together = check.play(variant, seats, blocks=6)
        apart = [check.play(variant, seats, blocks=1, first=block) for block in reversed(range(6))]
        law = "a match depends on nothing but its seed"
        for block, alone in enumerate(reversed(apart)):
            if _rows(together, block, block + 1) != _rows(alone, 0, 1):
                raise check.fail(law, "played alone, a match differs", _where(variant, seats, block, 0, []))


def chance_comes_from_the_streams(check: Checker) -> None:
    """A game with streams uses each of them; no game without streams has luck."""
    used = np.zeros(max(1, len(check.game.streams)), bool)
    for variant, seats in check.few_tables():
        for block in range(check.matches):
            if used[: len(check.game.streams)].all():
                return
            match = Match(variant, seats, seed=SEED, block=block)
            while match.on:
                match.step("random")
            used |= match.state.stream_step > 0
    for stream, name in enumerate(check.game.streams):
        if not used[stream]:
            raise check.fail("chance comes from the streams", f"nothing was ever drawn from the stream '{name}'")


def everything_hidden_is_redealt(check: Checker) -> None:
    """Each own or hidden field that ever differs between positions is changed, by imagining, where the seat cannot see it."""
    secret = [name for name, field in check.game.fields.items() if field.seen != "public"]
    seen: dict[str, set[bytes]] = {name: set() for name in secret}
    changed: set[str] = set()
    for variant, seats in check.few_tables() if secret else []:
        actions = _walked(check, variant, seats, 0)
        at, looks = _begin(variant, seats, 0), 0
        for action in actions:
            new = {name for name in secret if at.states[name].tobytes() not in seen[name]}
            for name in new:
                seen[name].add(at.states[name].tobytes())
            if new - changed and looks < 40:  # imagining is dear: only where a field in question has a new value
                changed |= redealt(at)
                looks += 1
            at.run(protocol.apply, at.state, np.int64(action))
    for name in secret:
        if len(seen[name]) > 1 and name not in changed:
            raise check.fail("everything hidden is redealt", f"imagining never changes {name}: agents see it")


def every_tally_is_used(check: Checker) -> None:
    if not check.game.tallies:
        return
    used = np.zeros(len(check.game.tallies), bool)
    for agents, (variant, seats) in itertools.product(["random", "greedy"], list(check.tables())):
        if not used.all():
            used |= check.sample(variant, seats, agents).seats["tally"].any(axis=(0, 1))
    for name, seen in zip(check.game.tallies, used, strict=True):
        if not seen:
            raise check.fail("every tally is used", f"'{name}' stayed 0 in every match")


# ---- laws of parameters


def every_parameter_value_plays_and_some_has_an_effect(check: Checker) -> None:
    chance = random.Random(SEED)
    for parameter in check.game.parameters:
        values = parameter.samples(chance, check.game.players)
        default, *others = check.variants()
        effects = [_has_effect(check, default, parameter.name, value) for value in values]  # all of them: each must play
        if not any(effects) and not any(_has_effect(check, v, parameter.name, value) for v in others for value in values):
            law = "every parameter has an effect"
            tried = ", ".join(parameter.write(value) for value in values)
            raise check.fail(law, f"{parameter.name} changed no match in many (tried {tried})")


def _has_effect(check: Checker, variant: Variant, name: str, value: Any) -> bool:
    """Whether some match differs when one value is changed; every change that can be played must play."""
    changed = replace(variant, values={**variant.values, name: value}, name=f"{variant.name}+{name}={value}")
    for seats in check.game.players:
        if not variant.refusal(seats) and not changed.refusal(seats) and _differs(check, variant, changed, seats):
            return True
    return False


def _differs(check: Checker, variant: Variant, changed: Variant, seats: int) -> bool:
    """Whether some match of a sample differs; uncompiled, a few mostly tell, and all are played only where they do not."""
    here = check.sample(variant, seats)
    for blocks in (check.blocks,) if check.compiled else (FEW_BLOCKS, check.blocks):
        if _rows(here, 0, blocks) != _rows(_played(check, changed, seats, blocks), 0, blocks):
            return True
    return False


def _played(check: Checker, variant: Variant, seats: int, blocks: int) -> Batch:
    """Some blocks of a variant that `refuse` did not refuse; what goes wrong then is a mix that it should have explained."""
    law = "refuse explains every mix that cannot be played"
    try:
        batch = check.play(variant, seats, blocks)
    except Exception as error:
        raise check.fail(law, check.describe(error), f"{variant.name}, {seats} players") from error
    if not batch.matches["end"].all():
        raise check.fail(law, f"a match was still on after {check.game.cap} decisions", f"{variant.name}, {seats} players")
    return batch


def any_mix_of_parameters_plays_or_is_refused(check: Checker) -> None:
    chance = random.Random(SEED + 1)
    for _ in range(12 if check.game.parameters else 0):
        values = {p.name: chance.choice(p.samples(chance, check.game.players)) for p in check.game.parameters}
        variant, seats = make_variant(check.game, "", values), chance.choice(list(check.game.players))
        if not variant.refusal(seats):
            at = _walk_or_explain(check, variant, seats)
            if at.game.census and at.game.census(at.state) != at.game.census(at.first[0]):
                raise check.fail("the census is conserved", f"{at.game.census(at.state)}", _where(variant, seats, 0, 0, []))


def _walk_or_explain(check: Checker, variant: Variant, seats: int) -> Position:
    try:
        _played(check, variant, seats, check.blocks if check.compiled else FEW_BLOCKS)
        actions = _walked(check, variant, seats, 0)
        at = _begin(variant, seats, 0)
    except BadInput as error:
        raise check.fail("refuse explains every mix that cannot be played", str(error), variant.name) from error
    for action in actions:
        at.run(protocol.apply, at.state, np.int64(action))
    if not at.state.end:
        law = "refuse explains every mix that cannot be played"
        raise check.fail(law, "there is no legal action", _where(variant, seats, 0, len(actions), actions))
    return at


# ---- laws of processes


def fresh_processes_agree(check: Checker) -> None:
    """The same rows in new processes with different hash seeds."""
    module, name = _home(check)
    variant = check.variants()[0]
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(lambda hash_seed: _in_fresh_process(check, module, name, hash_seed), ("1", "2")))
    here = _signature(play_batch(variant, "random", _seats(variant), 3, seed=SEED, plain=True))
    if {*rows} != {here}:
        law = "fresh processes agree"
        raise check.fail(
            law, "a new process, or another PYTHONHASHSEED, gave other matches", _where(variant, _seats(variant), 0, 0, [])
        )


def _seats(variant: Variant) -> int:
    return next(seats for seats in variant.game.players if not variant.refusal(seats))


def _home(check: Checker) -> tuple[str, str]:
    """The module and the name that the game has there: where a new process finds it."""
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()) if module else []:
            if value is check.game and module.__name__ != "__main__":
                return module.__name__, name
    raise check.fail("fresh processes agree", "the game is no module's global, so no other process can find it")


def _in_fresh_process(check: Checker, module: str, name: str, hash_seed: str) -> str:
    found = f"from {module} import {name} as game"
    if module.startswith(FILE_MODULE):
        found = f"from boardgames.game.plugins import game_from; game = game_from({sys.modules[module].__file__!r}, {name!r})"
    code = (
        f"import sys; sys.path[:0] = {json.dumps(sys.path)}; {found}\n"
        "from boardgames.tools.check import SEED, _seats, _signature, make_variant, play_batch; variant = make_variant(game)\n"
        "print(_signature(play_batch(variant, 'random', _seats(variant), 3, seed=SEED, plain=True)))"
    )
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False)
    if done.returncode:
        raise check.fail("fresh processes agree", f"a new process failed: {done.stderr.strip().splitlines()[-1]}")
    return done.stdout.strip()


def compiled_equals_plain(check: Checker) -> None:
    """Random play everywhere; greedy, whose looking ahead is slow when plain, once."""
    tables = list(check.few_tables())
    for agents, (variant, seats) in [("greedy", tables[0]), *(("random", table) for table in tables)]:
        blocks = 1 if agents == "greedy" else 2
        plain = play_batch(variant, agents, seats, blocks, seed=SEED, plain=True)
        machine = play_batch(variant, agents, seats, blocks, seed=SEED)
        for block in range(blocks):
            if _rows(plain, block, block + 1) != _rows(machine, block, block + 1):
                names = [n for n in engine.MATCH.names or () if plain.matches[n][block] != machine.matches[n][block]]
                what = f"{agents} play gives other rows compiled: {', '.join(names) or 'in the seats'} differ"
                raise check.fail("compiled equals plain", what, _where(variant, seats, block, 0, []))


def the_number_of_workers_does_not_matter(check: Checker) -> None:
    for variant, seats in check.few_tables():
        if _signature(check.play(variant, seats, 1000)) != _signature(check.play(variant, seats, 1000, workers=3)):
            raise check.fail("the number of workers does not matter", "three workers gave other rows than one", variant.name)


def _rows(batch: Batch, low: int, high: int) -> bytes:
    return batch.matches[low:high].tobytes() + batch.seats[low:high].tobytes()


def _signature(batch: Batch) -> str:
    return hashlib.blake2b(_rows(batch, 0, len(batch.matches)), digest_size=16).hexdigest()


FEW_MATCHES_LAWS: tuple[Callable[[Checker], None], ...] = (
    rules_are_made_of_numbers,
    everything_declared_can_be_played,
    every_position_keeps_its_laws,
    a_match_survives_bytes,
    a_match_depends_on_nothing_but_its_seed,
    chance_comes_from_the_streams,
    everything_hidden_is_redealt,
    fresh_processes_agree,
)
MANY_MATCHES_LAWS: tuple[Callable[[Checker], None], ...] = (
    every_match_ends_within_its_bounds,
    every_tally_is_used,
    every_parameter_value_plays_and_some_has_an_effect,
    any_mix_of_parameters_plays_or_is_refused,
)
COMPILED_LAWS: tuple[Callable[[Checker], None], ...] = (compiled_equals_plain, the_number_of_workers_does_not_matter)
