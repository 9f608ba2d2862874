"""Random Celtica, all columns, against the same matches in hand-written C: `python benchmarks/compare_with_c.py`.

Both play in turn in one process, on CPU time; their rows are compared byte by byte. The C loop is compiled twice: with the rules as
constants, which is as fast as C gets and plays one variant only, and with rules that are read, as the platform reads them. Then
the platform's time per decision is taken apart: a part that can be done twice without harm is done twice, and costs what that adds.
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
from boardgames.game.game import PHASES
from boardgames.game.variant import Variant
from boardgames.play import engine
from boardgames.play.batch import ROOTS, Batch, Table, logs, make_desk, refine, set_table, slots, stream_names, warm_up
from boardgames.play.compiled import compile_rules
from boardgames.play.engine import choose, decision_key
from boardgames.rules import chance, protocol
from boardgames.rules.chance import draw
from boardgames.rules.rulecode import Function, rebind
from variants.celtica.rules import legal

SEATS, SEED = 4, 1
SOURCE = Path(__file__).with_name("celtica.c")
GCC = ("gcc", "-O3", "-march=native", "-shared", "-fPIC")
Player = Callable[[int, int], Batch]  # of blocks: the first, and how many


# ---- the loop in C


def build_c(variant: Variant, folder: Path, fixed: bool) -> Player:
    """The C loop, with the variant's rules as constants or read from its record."""
    rules = variant.blank(SEATS)[0].rules
    library = folder / f"celtica-{fixed}.so"
    subprocess.run([*GCC, *([f"-DRULES={_initialiser(rules)}"] if fixed else []), "-o", str(library), str(SOURCE)], check=True)
    loop = ctypes.CDLL(str(library))
    loop.scratch_size.restype = ctypes.c_int64
    record, names, game = np.array([rules], rules.dtype), stream_names(variant.game), variant.game
    scratch, table, actions = np.zeros(loop.scratch_size(), np.int8), logs(game.actions), np.zeros(game.actions, np.int64)

    def play(first: int, blocks: int) -> Batch:
        batch = Batch(np.zeros(blocks, engine.MATCH), np.zeros((blocks, SEATS), engine.seat_record(game)))
        loop.play_blocks(
            _at(record), ctypes.c_int64(SEED), SEATS, ctypes.c_int64(first), ctypes.c_int64(blocks), _at(names), game.cap,
            _at(table), _at(actions), _at(scratch), _at(batch.matches), _at(batch.seats),
        )  # fmt: skip
        return batch

    return play


def _initialiser(rules: Any) -> str:
    """A rules record as C writes it."""
    values = (np.asarray(rules[name]).tolist() for name in rules.dtype.names if name != "_")
    return "{" + ",".join(str(value).replace("[", "{").replace("]", "}") for value in values) + "}"


def _at(array: np.ndarray[Any, Any]) -> ctypes.c_void_p:
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
def find_key_twice(state, key, match, desk):
    found = decision_key(state, key, match, desk)
    desk.asked[int(state.actor) * PHASES + int(state.phase)] -= 1
    return decision_key(state, key + (found >> 63), match, desk)


@rule
def choose_twice(state, actions, n, key, agent, desk):
    action = choose(state, actions, n, key, agent, desk)
    return choose(state, actions, n, key + (action >> 62), agent, desk)


@rule
def mark_no_lap(state, lap, desk):
    pass


@rule
def measure_no_result(state, sign, match, seats, desk):
    pass


@rule
def measure_no_lead(state, match, seats, desk):
    pass


DOUBLED: dict[str, dict[Function, Function]] = {
    "legal": {protocol.legal: list_twice},
    "chance": {chance.draw: draw_twice},
    "agent": {engine.decision_key: find_key_twice, engine.choose: choose_twice},
}
NO_COLUMNS: dict[Function, Function] = {
    engine.mark_lap: mark_no_lap,
    engine.measure_result: measure_no_result,
    engine.measure_lead: measure_no_lead,
}


def build_ours(variant: Variant, changes: dict[Function, Function] | None = None) -> Player:
    """The platform's loop, with some functions in the place of others."""
    line_up = find_line_up("random", SEATS, variant.game)
    table = set_table(variant, line_up, SEED)
    if changes:
        table = table._replace(functions=_change(table, changes))
    warm_up(table)
    refine(table)
    desk = make_desk(variant.game, line_up)
    return lambda first, blocks: table.play(first, blocks, desk)


def _change(table: Table, changes: dict[Function, Function]) -> dict[Function, Any]:
    places = {getattr(protocol, name): function for name, function in table.variant.game.functions().items()}
    places |= dict(zip(engine.SLOTS, (family.choose for family in slots(table.line_up)), strict=False))
    functions = rebind(ROOTS, {**places, **changes})
    machine = compile_rules(table.variant.game.name, list(functions.values()), lambda function: False)
    return {root: machine[function] for root, function in functions.items()}


# ---- measuring


def measure(players: dict[str, Player], blocks: int, rounds: int) -> dict[str, list[float]]:
    """Nanoseconds of CPU time per decision, round by round; all play the same blocks in turn."""
    spent: dict[str, list[float]] = {name: [] for name in players}
    for number in range(rounds + 1):
        hashes = set()
        for name, player in players.items():
            started = time.process_time()
            batch = player(number * blocks, blocks)
            needed = time.process_time() - started
            hashes.add(batch.matches["hash"].tobytes())
            if number:  # the first round warms up
                spent[name].append(1e9 * needed / int(batch.matches["decisions"].sum()))
        if len(hashes) > 1:
            raise SystemExit("the loops played different matches: nothing can be compared")
    return spent


def check_rows(ours: Player, theirs: Player, blocks: int) -> None:
    """Every column of every match and seat."""
    for mine, other in zip(ours(0, blocks)[:2], theirs(0, blocks)[:2], strict=True):
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
    parser.add_argument("--blocks", type=int, default=10_000, help="matches that each plays in a round")
    parser.add_argument("--rounds", type=int, default=9)
    given = parser.parse_args()
    variant = find_variant("celtica")
    with tempfile.TemporaryDirectory() as folder:
        players = {"ours": build_ours(variant)}
        players |= {f"C, rules {how}": build_c(variant, Path(folder), how == "fixed") for how in ("fixed", "read")}
        for name in list(players)[1:]:
            check_rows(players["ours"], players[name], given.blocks)
        show_ratios(measure(players, given.blocks, given.rounds))
    changed = {name: build_ours(variant, changes) for name, changes in {**DOUBLED, "columns": NO_COLUMNS}.items()}
    show_parts(measure({"ours": players["ours"], **changed}, given.blocks, given.rounds))


if __name__ == "__main__":
    main()
