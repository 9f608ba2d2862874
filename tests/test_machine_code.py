"""Rules linked into one piece of machine code do what they do when Numba compiles them by itself, and when they run plain."""

import numpy as np
import pytest

from boardgames import find_variant, play
from boardgames.batch import bound
from boardgames.compiled import compile_rules
from boardgames.machine_code import RootCompiler
from boardgames.rulecode import call_each_other, rule

PIG, MAGPIES = "tests.truth.pig:GAME", "tests.truth.card_game:GAME"


def compile_one(function):
    return compile_rules("machine-code", [function], lambda rule: False)[function]


@pytest.mark.parametrize("spec", [PIG, pytest.param(MAGPIES, marks=pytest.mark.long)])
def test_both_ways_to_compile_give_the_same_matches(spec, monkeypatch):
    variant = find_variant(spec)
    ours = play(variant, "greedy,random", 2, 40)
    monkeypatch.setenv("BOARDGAMES_COMPILER", "numba")
    bound.cache_clear()
    try:
        ordinary = play(variant, "greedy,random", 2, 40)
    finally:
        bound.cache_clear()
    assert ours.matches.tobytes() == ordinary.matches.tobytes()
    assert ours.seats.tobytes() == ordinary.seats.tobytes()


@rule
def count_down(n):
    return 0 if n == 0 else 1 + count_down(n - 1)


def test_a_rule_may_call_itself():
    assert not call_each_other([count_down])
    assert compile_one(count_down)(7) == 7


@rule
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@rule
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def test_rules_that_call_each_other_are_compiled_in_the_ordinary_way():
    assert call_each_other([is_even])
    compiled = compile_one(is_even)
    assert [compiled(n) for n in range(4)] == [True, False, True, False]
    assert not issubclass(compiled._compiler.pipeline_class, RootCompiler)


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
