"""Rules linked into one piece of machine code do what they do when Numba compiles them by itself, and when
they run plain.
"""

import functools
import importlib
import os
import pwd
import random
import shutil
import subprocess
import sys
from typing import NamedTuple

import numpy as np
import pytest

from boardgames import derive, find_variant, make_variant, play_batch
from boardgames.agents import scratch
from boardgames.agents.seating import find_line_up
from boardgames.errors import UnusableFile
from boardgames.play import batch, engine
from boardgames.play.batch import bind_engine, make_runner, refine
from boardgames.play.compiled import compile_rules, find_cache_folder
from boardgames.play.engine import play_deals
from boardgames.rules.machine_code import stored_files
from boardgames.rules.machine_code.dispatcher import Root
from boardgames.rules.rulecode import has_mutual_recursion, rule

PIG, MAGPIES = "pig", "magpies"


def compile_one(function):
    return compile_rules("machine-code", [function], lambda rule: False)[function]


@pytest.mark.long
@pytest.mark.parametrize("spec", [PIG, MAGPIES])
def test_both_ways_to_compile_give_the_same_matches(spec, monkeypatch):
    variant = find_variant(spec)
    ours = play_batch(variant, "greedy,random", 2, 40)
    monkeypatch.setenv("BOARDGAMES_COMPILER", "numba")
    bind_engine.cache_clear()
    try:
        ordinary = play_batch(variant, "greedy,random", 2, 40)
    finally:
        bind_engine.cache_clear()
    assert ours.matches.tobytes() == ordinary.matches.tobytes()
    assert ours.seats.tobytes() == ordinary.seats.tobytes()


@rule
def count_down(n):
    return 0 if n == 0 else 1 + count_down(n - 1)


def test_a_rule_may_call_itself():
    assert not has_mutual_recursion([count_down])
    assert compile_one(count_down)(7) == 7


@rule
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@rule
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def test_rules_that_call_each_other_are_compiled_in_the_ordinary_way():
    assert has_mutual_recursion([is_even])
    compiled = compile_one(is_even)
    assert [compiled(n) for n in range(4)] == [True, False, True, False]
    assert not isinstance(compiled, Root)
    again = compile_one(is_even)  # as a second start does: loading such rules from disk ended the process
    assert [again(n) for n in range(4)] == [True, False, True, False]


@rule
def make_squares(n):
    squares = np.empty(n, np.int64)
    for i in range(n):
        squares[i] = i * i
    return squares


@rule
def second_row(table):
    return table[1]


@rule
def use_arrays(table, n):
    """An array that another rule made, a view that another rule gave, and one that the caller owns."""
    squares, row = make_squares(n), second_row(table)
    total = 0
    for i in range(n):
        total += squares[i] * row[i]
    return total


def test_rules_may_make_arrays_and_hand_them_on():
    table, compiled = np.arange(8).reshape(2, 4), compile_one(use_arrays)
    for _ in range(1000):  # a wrong count would free the table, or what was made
        assert compiled(table, 4) == use_arrays(table, 4)


@rule
def divide(a, b):
    return a // b


@rule
def divide_twice(a, b):
    return divide(divide(a, b), b)


def test_an_error_in_a_rule_that_a_rule_calls_arrives():
    compiled = compile_one(divide_twice)
    assert compiled(20, 3) == 2
    with pytest.raises(ZeroDivisionError):
        compiled(20, 0)


# ---- pieces that are kept: an edit compiles what it changes, and the result is that of the new rules

RULES = """
import numpy as np
from boardgames import Game, begin_turn, next_seat, public, rule
import edited_points

BONUS = np.array([0, 1, 0], np.int64)
LAST = 3

@rule
def setup(state):
    begin_turn(state, 0)

@rule
def legal(state, actions):
    for i in range(3):
        actions[i] = i
    return 3

@rule
def gain(state, action):
    return action + BONUS[action]

@rule
def end_turn(state):
    if state.turn == LAST * state.players:
        state.end = 1
    else:
        begin_turn(state, next_seat(state, state.turn_owner))

@rule
def apply(state, action):
    state.points[state.turn_owner] += edited_points.weigh(state, gain(state, action))
    end_turn(state)

@rule
def standing(state, seat):
    return state.points[seat]

GAME = Game(name="edited", player_counts=(2,), actions=3, fields={"points": public("i4", 2)}, setup=setup,
            legal=legal, apply=apply, standing=standing, say=lambda state, action: f"take {action}")
"""
POINTS = """
from boardgames import rule

@rule
def weigh(state, points):
    return 2 * points
"""
EDITS = {
    "a body": ("rules", "action + BONUS[action]", "action + 2 * BONUS[action]"),
    "a constant": ("rules", "LAST = 3", "LAST = 4"),
    "a constant array": ("rules", "[0, 1, 0]", "[0, 1, 5]"),
    "a return type": ("rules", "return action + BONUS[action]", "return 1.5 * action"),
    "a signature": (
        "rules",
        ("gain(state, action):", "gain(state, action))"),
        ("gain(action, state):", "gain(action, state))"),
    ),
    "a new helper": ("rules", "return action + BONUS", "return thrice(action) + BONUS"),
    "a helper in another file": ("points", "2 * points", "3 * points"),
    "one name for two functions": ("rules", "import edited_points", "import edited_more, edited_points"),
}
THRICE = "\n@rule\ndef thrice(number):\n    return 3 * number\n"
MORE = "from boardgames import rule\n\n@rule\ndef gain(state, action):\n    return 7 * action\n"


def write_and_import(folder, rules=RULES, points=POINTS):
    """Write the files of the game and import them anew, as after an edit."""
    for name, text in (("rules", rules), ("points", points), ("more", MORE)):
        (folder / f"edited_{name}.py").write_text(text)
        sys.modules.pop(f"edited_{name}", None)
    importlib.invalidate_caches()
    return importlib.import_module("edited_rules").GAME


@pytest.fixture(scope="module")
def first_pieces(tmp_path_factory):
    """Machine code of the game as it was before any edit."""
    folder = tmp_path_factory.mktemp("first")
    with pytest.MonkeyPatch.context() as patch:
        prepare(patch, folder)
        play_batch(make_variant(write_and_import(folder)), "random", 2, 1)
    return folder / "cache"


def prepare(patch, folder):
    patch.setenv("BOARDGAMES_CACHE", str(folder / "cache"))
    patch.syspath_prepend(str(folder))
    patch.setattr(sys, "dont_write_bytecode", True)  # Python's own cache looks at times of whole seconds
    for name in ("rules", "points", "more"):
        patch.delitem(sys.modules, f"edited_{name}", raising=False)


@pytest.fixture
def load(first_pieces, tmp_path, monkeypatch):
    """Loads the game from texts; machine code is kept in a folder that holds that of the game before any
    edit.
    """
    shutil.copytree(first_pieces, tmp_path / "cache")
    prepare(monkeypatch, tmp_path)
    return functools.partial(write_and_import, tmp_path)


def play_both_ways(game):
    """The final scores of compiled play, which must be those of plain play."""
    variant = make_variant(game)
    compiled, plain = (play_batch(variant, "random", 2, 20, compiled=compiled) for compiled in (True, False))
    assert compiled.matches.tobytes() == plain.matches.tobytes()
    assert compiled.seats.tobytes() == plain.seats.tobytes()
    return compiled.seats["score"].tolist()


def count_pieces(folder):
    return len(list((folder / "cache").rglob("*.piece")))


@pytest.mark.parametrize("kind", EDITS)
def test_after_an_edit_kept_pieces_and_new_ones_play_the_new_rules(kind, load, tmp_path):
    before = play_both_ways(load())
    pieces = count_pieces(tmp_path)
    which, old, new = EDITS[kind]
    texts = {"rules": RULES, "points": POINTS}
    for old_piece, other in zip(*((old, new) if isinstance(old, tuple) else ((old,), (new,))), strict=True):
        assert old_piece in texts[which]
        texts[which] = texts[which].replace(old_piece, other)
    if "thrice" in texts["rules"]:
        texts["rules"] += THRICE
    if "edited_more" in texts["rules"]:
        texts["rules"] = texts["rules"].replace(
            "gain(state, action))", "gain(state, action) + edited_more.gain(state, action))"
        )
    after = play_both_ways(load(**texts))
    assert after != before or kind == "a signature"
    assert 1 <= count_pieces(tmp_path) - pieces <= 3, "an edit compiles what it touches, not the game"
    assert play_both_ways(load()) == before, "the version before, in the same process"


@pytest.mark.long
def test_a_derived_game_and_its_parent_keep_their_own_rules_in_one_process(load):
    parent = load()
    source = importlib.import_module("edited_more").gain
    child = derive(parent, "edited-child", gain=source)
    before = play_both_ways(parent)
    assert play_both_ways(child) != before
    assert play_both_ways(parent) == before


@pytest.mark.long
def test_a_piece_that_was_cut_off_is_made_anew(load, tmp_path):
    before = play_both_ways(load())
    for path in (tmp_path / "cache").rglob("*"):
        if path.suffix == ".piece":
            path.write_bytes(path.read_bytes()[:100])
        elif path.suffix in (".nbi", ".nbc"):
            path.unlink()
    assert play_both_ways(load()) == before


@pytest.mark.long
def test_another_kind_of_agent_compiles_that_agent_and_not_the_game(load, tmp_path):
    variant = make_variant(load())
    play_batch(variant, "random", 2, 1)
    pieces = {path.name for path in (tmp_path / "cache").rglob("*.piece")}
    greedy = play_batch(variant, "greedy", 2, 1)
    files = set(tmp_path.joinpath("cache").rglob("*"))
    assert (
        play_batch(variant, "greedy,greedy+noise=0.5", 2, 1).matches["decisions"].sum()
        == 2 * greedy.matches["decisions"].sum()
    )
    assert set(tmp_path.joinpath("cache").rglob("*")) == files, (
        "another line-up of the same kinds compiles nothing"
    )
    fresh = [path for path in files if path.suffix == ".piece" and path.name not in pieces]
    assert 0 < len(fresh) < len(pieces)


@pytest.mark.long
def test_a_root_that_was_linked_in_a_hurry_is_refined_while_playing_goes_on(load):
    play_both_ways(load(RULES.replace("LAST = 3", "LAST = 5")))
    table = make_runner(make_variant(load(RULES.replace("LAST = 3", "LAST = 5"))), find_line_up("random", 2))
    hurried = play_batch(table.variant, "random", 2, 20)
    root = table.functions[play_deals]
    light = root.code
    refine(table)
    assert root.code is not light
    assert play_batch(table.variant, "random", 2, 20).seats.tobytes() == hurried.seats.tobytes()
    again = make_runner(make_variant(load(RULES.replace("LAST = 3", "LAST = 5"))), find_line_up("random", 2))
    assert again.functions[play_deals].code.py_func.__qualname__ == root.code.py_func.__qualname__, (
        "the next start takes it from disk"
    )


@pytest.mark.long
def test_scratch_memory_in_another_order_is_read_in_that_order(load, monkeypatch):
    """Two fields of one type change places: the types look the same, and code that was kept would write into
    the wrong one.
    """
    before = play_both_ways(load())
    swap = {"logs": "keys", "keys": "logs"}
    swapped = NamedTuple("Scratch", [(swap.get(field, field), object) for field in scratch.Scratch._fields])
    for module in (scratch, batch):
        monkeypatch.setattr(module, "Scratch", swapped)
    assert play_both_ways(load()) == before


def test_a_setting_in_another_order_is_read_in_that_order(load, monkeypatch):
    before = play_both_ways(load())
    swap = {"cap": "seed", "seed": "cap"}
    fields = [(swap.get(field, field), object) for field in engine.Setting._fields]
    monkeypatch.setattr(engine, "Setting", NamedTuple("Setting", fields))
    assert play_both_ways(load()) == before


@pytest.mark.parametrize(
    ("module", "name"), [(engine, "Setting"), (engine, "MatchRows"), (scratch, "Scratch")]
)
def test_a_bundle_of_another_name_has_machine_code_of_its_own(module, name, load, monkeypatch):
    """Kept code names its bundles: under the old name they could no longer be found."""

    def find_code() -> str:
        runner = make_runner(make_variant(load()), find_line_up("random", 2))
        return runner.functions[play_deals].code.py_func.__qualname__

    before = find_code()
    assert find_code() == before
    fields = [(field, object) for field in getattr(module, name)._fields]
    monkeypatch.setattr(module, name, NamedTuple("Renamed", fields))
    assert find_code() != before


# ---- what is damaged on disk is made again


def cut(content):
    return content[: len(content) // 2]


def zero_out(content):
    return bytes(len(content))


def zero_the_end(content):
    return content[: len(content) // 2] + bytes(len(content) - len(content) // 2)


def flip_bit(content, random):
    place = random.randrange(8 * len(content))
    changed = bytearray(content)
    changed[place // 8] ^= 1 << place % 8
    return bytes(changed)


DAMAGES = {
    "cut": cut,
    "empty": lambda content: b"",
    "zeros": zero_out,
    "zeros at the end": zero_the_end,
    **{f"bit {seed}": functools.partial(flip_bit, random=random.Random(seed)) for seed in range(20)},
}


def damage_all(folder, damage):
    """Spoil every file of machine code, each in its own place."""
    files = [path for path in folder.rglob("*") if path.suffix in (".piece", ".nbi", ".nbc")]
    assert {".nbi", ".nbc"} <= {path.suffix for path in files}
    for path in files:
        path.write_bytes(damage(path.read_bytes()))


def list_lines(caplog):
    """What was said of damaged machine code since the last time, and say it again from now on."""
    lines = [record.getMessage() for record in caplog.records if "was damaged on disk" in record.getMessage()]
    caplog.clear()
    stored_files._announced.clear()
    return lines


@pytest.mark.parametrize("compiler", ["", "numba"])
def test_damaged_machine_code_is_compiled_again_with_one_line(compiler, tmp_path, monkeypatch, caplog):
    """A bit of 20, each at another place, ended the process or blamed the rules at every later start."""
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    monkeypatch.setenv("BOARDGAMES_COMPILER", compiler)
    assert compile_one(count_down)(7) == 7
    list_lines(caplog)
    for name, damage in DAMAGES.items():
        damage_all(tmp_path, damage)
        assert compile_one(count_down)(7) == 7, name
        assert len(list_lines(caplog)) == 1, name
    assert compile_one(count_down)(7) == 7
    assert list_lines(caplog) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["cut", "zeros at the end", "bit 3"])
def test_a_game_with_damaged_machine_code_plays_the_same_matches(name, load, tmp_path, caplog):
    before = play_both_ways(load())
    list_lines(caplog)
    damage_all(tmp_path / "cache", DAMAGES[name])
    assert play_both_ways(load()) == before
    assert len(list_lines(caplog)) == 1


def test_a_lack_of_memory_is_not_blamed_on_the_rules(tmp_path):
    """The system's limit on memory, set when all is imported and before anything is compiled."""
    line = (
        "import resource; from boardgames import find_variant, play_batch;"
        " import boardgames.play.compiled, boardgames.play.batch as batch;"
        " size = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize();"
        " resource.setrlimit(resource.RLIMIT_AS, (size + (1 << 20),) * 2);"
        " play_batch(find_variant('pig'), 'random', 2, 1)"
    )
    environment = {**os.environ, "BOARDGAMES_CACHE": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", line], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0
    assert "do not compile" not in done.stderr
    assert "there is too little memory to compile the rules of pig" in done.stderr


def test_a_user_without_a_home_folder_is_told_what_to_set(monkeypatch):
    def find_nobody(user):
        raise KeyError(user)

    monkeypatch.setattr(pwd, "getpwuid", find_nobody)  # as in a container: there is no entry for this user
    for name in ("HOME", "BOARDGAMES_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UnusableFile, match=r"no home folder .* set BOARDGAMES_CACHE"):
        find_cache_folder("pig")
