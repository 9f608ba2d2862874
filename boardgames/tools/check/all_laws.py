"""Check a game: all laws, in the order in which their answers come soonest."""

import warnings
from collections.abc import Callable, Sequence

from boardgames.game.game import Game
from boardgames.game.variant import Variant
from boardgames.tools.check import match_laws, parameter_laws, process_laws
from boardgames.tools.check.advice import find_advice
from boardgames.tools.check.checker import Checker
from boardgames.tools.check.position_laws import POSITION_LAWS

FEW_MATCHES_LAWS = (
    match_laws.check_rules_are_numbers,
    match_laws.check_declarations,
    match_laws.check_positions,
    match_laws.check_bytes,
    match_laws.check_independence,
    match_laws.check_streams,
    match_laws.check_hidden,
    process_laws.check_fresh_processes,
)
MANY_MATCHES_LAWS = (
    match_laws.check_bounds,
    match_laws.check_seats_have_turns,
    match_laws.check_tallies,
    parameter_laws.check_parameters,
    parameter_laws.check_mixes,
)
COMPILED_LAWS = (process_laws.check_compiled, process_laws.check_workers)


def list_laws() -> list[str]:
    """The names of all laws."""
    laws = (*FEW_MATCHES_LAWS, *MANY_MATCHES_LAWS, *COMPILED_LAWS)
    return [*(law.name for law in POSITION_LAWS), *(law.name for law in laws)]


def check_game(
    game: Game,
    *,
    also: Sequence[Variant] = (),
    compiled: bool = True,
    matches: int = 3,
    on_progress: Callable[[str], None] = lambda line: None,
    on_compile: Callable[[list[str]], None] = lambda passed: None,
    on_advice: Callable[[str], None] = lambda sentence: None,
) -> list[str]:
    """Raise LawBroken unless the game, in its named variants and in `also`, keeps every law; returns the
    laws' names.

    `matches` random matches of the default with every player count, and one of every other variant, are
    walked step by step; `compiled=False` leaves the compiler out. `on_progress` gets the name of each law
    before it is checked, `on_compile` the laws passed without the compiler, before it starts; `on_advice`
    what breaks no law and is good to know.
    """
    checker = Checker(game, matches, on_progress, also)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a number that overflows does so differently compiled and plain
        for law in FEW_MATCHES_LAWS:
            checker.run(law)
        checker.passed += [law.name for law in POSITION_LAWS]
        if compiled:
            on_compile(list(checker.passed))
            checker.compile()
        for law in (*MANY_MATCHES_LAWS, *(COMPILED_LAWS if compiled else ())):
            checker.run(law)
        for sentence in find_advice(checker):
            on_advice(sentence)
    return checker.passed
