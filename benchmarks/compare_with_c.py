"""Random Celtica, all columns, against the same matches in hand-written C: `python
benchmarks/compare_with_c.py`.

Both play in turn in one process, on CPU time; their rows are compared byte by byte. The C loop is compiled
twice: with the rules as constants, which is as fast as C gets and plays one variant only, and with rules that
are read, as the platform reads them. Then the platform's time per decision is taken apart: a part that can be
done twice without harm is done twice, and costs what that adds.
"""

import argparse
import ctypes
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from boardgames import find_line_up, find_variant, rule
from boardgames.game.game import MAX_PHASES
from boardgames.game.variant import Variant
from boardgames.play import engine
from boardgames.play.batch import (
    ROOTS,
    Batch,
    Runner,
    assign_slots,
    hash_stream_names,
    make_log_table,
    make_runner,
    make_scratch,
    refine,
    warm_up,
)
from boardgames.play.compiled import compile_rules
from boardgames.play.engine import choose, make_decision_key
from boardgames.rules import chance, protocol
from boardgames.rules.chance import draw
from boardgames.rules.rulecode import Function, rebind
from variants.celtica.legal import legal

PLAYERS, SEED = 4, 1
SOURCE = Path(__file__).with_name("celtica.c")
GCC = ("gcc", "-O3", "-march=native", "-shared", "-fPIC")
Player = Callable[[int, int], Batch]  # of deals: the first, and how many


# ---- the loop in C


def build_c(variant: Variant, folder: Path, fixed: bool) -> Player:
    """The C loop, with the variant's rules as constants or read from its record."""
    rules = variant.make_blank_state(PLAYERS)[0].rules
    library = folder / f"celtica-{fixed}.so"
    subprocess.run(
        [*GCC, *([f"-DRULES={_initialiser(rules)}"] if fixed else []), "-o", str(library), str(SOURCE)],
        check=True,
    )
    loop = ctypes.CDLL(str(library))
    loop.scratch_size.restype = ctypes.c_int64
    game = variant.game
    record = np.array([rules], rules.dtype)
    names = hash_stream_names(game)
    scratch = np.zeros(loop.scratch_size(), np.int8)
    log_table = make_log_table(game.actions)
    actions = np.zeros(game.actions, np.int64)

    def play(first: int, deals: int) -> Batch:
        seat_type = engine.make_seat_type(len(game.tallies))
        batch = Batch(np.zeros(deals, engine.MATCH), np.zeros((deals, PLAYERS), seat_type))
        loop.play_deals(
            _address(record),
            ctypes.c_int64(SEED),
            PLAYERS,
            ctypes.c_int64(first),
            ctypes.c_int64(deals),
            _address(names),
            game.cap,
            _address(log_table),
            _address(actions),
            _address(scratch),
            _address(batch.matches),
            _address(batch.seats),
        )
        return batch

    return play


def _initialiser(rules: Any) -> str:
    """A rules record as C writes it."""
    values = (np.asarray(rules[name]).tolist() for name in rules.dtype.names if name != "_")
    return "{" + ",".join(str(value).replace("[", "{").replace("]", "}") for value in values) + "}"


def _address(array: np.ndarray[Any, Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


# ---- the platform's loop, as it is and with one part done twice or left out


@rule
def list_twice(state, actions):
    legal(state, actions)
    return legal(state, actions)


@rule
def draw_twice(state, stream, counts):
    """The first card goes back, and its number too. `x >> 62` is 0, but the compiler does not know."""
    kind = draw(state, stream, counts)
    if kind < 0:
        return kind
    counts[kind] += 1
    state.stream_step[stream] -= 1 + (kind >> 62)
    return draw(state, stream, counts)


@rule
def find_key_twice(state, key, match, scratch):
    first = make_decision_key(state, key, match, scratch)
    scratch.decisions[int(state.actor) * MAX_PHASES + int(state.phase)] -= 1
    return make_decision_key(state, key + (first >> 63), match, scratch)


@rule
def choose_twice(state, actions, n, key, agent, scratch):
    action = choose(state, actions, n, key, agent, scratch)
    return choose(state, actions, n, key + (action >> 62), agent, scratch)


@rule
def mark_no_round(state, round_number, scratch):
    pass


@rule
def measure_no_result(state, sign, match, seats, scratch):
    pass


@rule
def measure_no_lead(state, match, seats, scratch):
    pass


DOUBLED: dict[str, dict[Function, Function]] = {
    "legal": {protocol.legal: list_twice},
    "chance": {chance.draw: draw_twice},
    "agent": {engine.make_decision_key: find_key_twice, engine.choose: choose_twice},
}
NO_COLUMNS: dict[Function, Function] = {
    engine.mark_round: mark_no_round,
    engine.measure_result: measure_no_result,
    engine.measure_lead: measure_no_lead,
}


def build_ours(variant: Variant, changes: dict[Function, Function] | None = None) -> Player:
    """The platform's loop, with some functions in the place of others."""
    line_up = find_line_up("random", PLAYERS, variant.game)
    runner = make_runner(variant, line_up, SEED)
    if changes:
        runner = runner._replace(functions=_change(runner, changes))
    warm_up(runner)
    refine(runner)
    scratch = make_scratch(variant.game, line_up)
    return lambda first, deals: runner.run(first, deals, scratch)


def _change(runner: Runner, changes: dict[Function, Function]) -> dict[Function, Any]:
    replacements = {
        getattr(protocol, name): function for name, function in runner.variant.game.functions().items()
    }
    replacements |= dict(
        zip(engine.SLOTS, (agent_type.choose for agent_type in assign_slots(runner.line_up)), strict=False)
    )
    functions = rebind(ROOTS, {**replacements, **changes})
    machine = compile_rules(runner.variant.game.name, list(functions.values()), lambda function: False)
    return {root: machine[function] for root, function in functions.items()}


# ---- measuring


def measure(players: dict[str, Player], deals: int, rounds: int) -> dict[str, list[float]]:
    """Nanoseconds of CPU time per decision, round by round; all play the same deals in turn."""
    spent: dict[str, list[float]] = {name: [] for name in players}
    for round_number in range(rounds + 1):
        hashes = set()
        for name, player in players.items():
            started = time.process_time()
            batch = player(round_number * deals, deals)
            needed = time.process_time() - started
            hashes.add(batch.matches["hash"].tobytes())
            if round_number:  # the first round warms up
                spent[name].append(1e9 * needed / int(batch.matches["decisions"].sum()))
        if len(hashes) > 1:
            raise SystemExit("the loops played different matches: nothing can be compared")
    return spent


def check_rows(ours: Player, theirs: Player, deals: int) -> None:
    """Every column of every match and seat."""
    for mine, other in zip(ours(0, deals)[:2], theirs(0, deals)[:2], strict=True):
        if mine.tobytes() != other.tobytes():
            raise SystemExit("the loops wrote different rows: nothing can be compared")


def show_ratios(spent: dict[str, list[float]]) -> None:
    for name in list(spent)[1:]:
        ratios = [theirs / ours for ours, theirs in zip(spent["ours"], spent[name], strict=True)]
        shown = f"{statistics.median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f})"
        print(f"{name:22} {statistics.median(spent[name]):6.1f} ns a decision; our speed is {shown} of it")


def show_parts(spent: dict[str, list[float]]) -> None:
    """By the median over rounds of what a part adds within the same round."""
    whole = statistics.median(spent["ours"])
    parts = {name: _median_difference(spent[name], spent["ours"]) for name in DOUBLED}
    parts["columns"] = _median_difference(spent["ours"], spent["columns"])
    parts["apply, without chance"] = whole - sum(parts.values())
    print(f"{'ours':22} {whole:6.1f} ns a decision, of which")
    for name, part in parts.items():
        print(f"  {name:20} {part:6.1f}")


def _median_difference(more: list[float], less: list[float]) -> float:
    return statistics.median(a - b for a, b in zip(more, less, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--matches", type=int, default=10_000, help="matches that each plays in a round")
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    variant = find_variant("celtica")
    with tempfile.TemporaryDirectory() as folder:
        players = {"ours": build_ours(variant)}
        players |= {
            f"C, rules {how}": build_c(variant, Path(folder), how == "fixed") for how in ("fixed", "read")
        }
        for name in list(players)[1:]:
            check_rows(players["ours"], players[name], given.matches)
        show_ratios(measure(players, given.matches, given.rounds))
    changed = {
        name: build_ours(variant, changes) for name, changes in {**DOUBLED, "columns": NO_COLUMNS}.items()
    }
    show_parts(measure({"ours": players["ours"], **changed}, given.matches, given.rounds))


if __name__ == "__main__":
    main()
