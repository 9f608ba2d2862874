"""The laws of processes: the same rows in a new process, compiled or not, and by any number of workers."""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from boardgames.game.game import Game
from boardgames.game.plugins import FILE_MODULE
from boardgames.game.variant import Variant, make_variant
from boardgames.play import engine
from boardgames.play.batch import Batch, play_batch
from boardgames.tools.check.checker import SEED, Checker, Violation, format_location, get_row_bytes, law

DIGEST = "digest of matches: "  # how the answer of a new process begins


@law("a new process gives the same results")
def check_fresh_processes(check: Checker) -> Iterator[Violation]:
    """The same rows in new processes with different hash seeds."""
    home = _find_home(check.game)
    if home is None:
        yield Violation("the game is no module's global, so no other process can find it")
        return
    with ThreadPoolExecutor(2) as pool:
        processes = list(pool.map(lambda hash_seed: _start_fresh_process(*home, hash_seed), ("1", "2")))
    for process in processes:
        if process.returncode:
            yield Violation(f"a new process failed: {process.stderr.strip().splitlines()[-1]}")
    if {_find_digest(process.stdout) for process in processes} != {digest_first_matches(check.game)}:
        variant = make_variant(check.game)
        where = format_location(variant, _find_player_count(variant), 0, 0)
        yield Violation("a new process, or another PYTHONHASHSEED, gave other matches", where)


def _find_home(game: Game) -> tuple[str, str] | None:
    """The module of the game and its name there, for a new process; None if there is none."""
    for module in list(sys.modules.values()):
        for name, value in list(vars(module).items()) if module else []:
            if value is game and module.__name__ != "__main__":
                return module.__name__, name
    return None


def _start_fresh_process(module: str, name: str, hash_seed: str) -> subprocess.CompletedProcess[str]:
    import_line = f"from {module} import {name} as game"
    if module.startswith(FILE_MODULE):
        call = f"import_game({sys.modules[module].__file__!r}, {name!r})"
        import_line = f"from boardgames.game.plugins import import_game; game = {call}"
    code = (
        f"import sys; sys.path[:0] = {json.dumps(sys.path)}; {import_line}\n"
        f"from {__name__} import digest_first_matches\n"
        f"print({DIGEST!r} + digest_first_matches(game))"
    )
    env = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False)


def _find_digest(output: str) -> str:
    """What a new process answers, among all that its modules may print."""
    lines = [line for line in output.splitlines() if line.startswith(DIGEST)]
    return lines[-1].removeprefix(DIGEST) if lines else ""


def digest_first_matches(game: Game) -> str:
    """A hash of the rows of some random matches of the default, uncompiled."""
    variant = make_variant(game)
    players = _find_player_count(variant)
    return _digest_rows(play_batch(variant, "random", players, 3, seed=SEED, compiled=False))


def _find_player_count(variant: Variant) -> int:
    return next(players for players in variant.game.player_counts if variant.find_problem(players) is None)


def _digest_rows(batch: Batch) -> str:
    return hashlib.blake2b(get_row_bytes(batch, 0, len(batch.matches)), digest_size=16).hexdigest()


@law("compiled and uncompiled rules agree")
def check_compiled(check: Checker) -> Iterator[Violation]:
    """Random play everywhere; greedy, whose looking ahead is slow when plain, once."""
    settings = list(check.sample_settings())
    for agents, (variant, players) in [("greedy", settings[0]), *(("random", table) for table in settings)]:
        deals = 1 if agents == "greedy" else 2
        plain = play_batch(variant, agents, players, deals, seed=SEED, compiled=False)
        machine = play_batch(variant, agents, players, deals, seed=SEED)
        for deal in range(deals):
            if get_row_bytes(plain, deal, deal + 1) != get_row_bytes(machine, deal, deal + 1):
                columns = engine.MATCH.names or ()
                names = [name for name in columns if plain.matches[name][deal] != machine.matches[name][deal]]
                differences = ", ".join(names) or "in the seats"
                message = f"{agents} play gives other rows compiled: {differences} differ"
                yield Violation(message, format_location(variant, players, deal, 0))


@law("the number of workers does not matter")
def check_workers(check: Checker) -> Iterator[Violation]:
    for variant, players in check.sample_settings():
        serial = check.play(variant, players, 1000)
        parallel = check.play(variant, players, 1000, workers=3)
        if _digest_rows(serial) != _digest_rows(parallel):
            yield Violation("three workers gave other rows than one", variant.name)
