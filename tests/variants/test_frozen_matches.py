"""Matches of all games, agents and player counts, frozen before the great renaming: they are played alike.

Those of `mcts` were frozen anew when its search changed, those of Celtica and Keltis by anyone but `random`
when their evaluations did.
"""

import hashlib
from pathlib import Path
from typing import NamedTuple

import pytest

from boardgames import Match, find_variant

LINES = (Path(__file__).parent / "frozen_matches.txt").read_text(encoding="utf-8").splitlines()


class FrozenMatch(NamedTuple):
    """celtica:en 4 greedy 3: 93 actions 73e9a3d5c5fbf9e7 scores 4/2/0/1"""

    variant: str
    players: int
    line_up: str
    deal: int
    result: str


def read_frozen(line: str) -> FrozenMatch:
    setting, _, result = line.partition(": ")
    variant, players, line_up, deal = setting.split()
    return FrozenMatch(variant, int(players), line_up, int(deal), result)


def play_again(frozen: FrozenMatch) -> str:
    match = Match(find_variant(frozen.variant), frozen.players, seed=7, deal=frozen.deal, compiled=True)
    match.finish(frozen.line_up)
    numbers = hashlib.blake2b(b" ".join(b"%d" % action for action in match.actions), digest_size=8)
    scores = "/".join(map(str, match.scores()))
    return f"{len(match.actions)} actions {numbers.hexdigest()} scores {scores}"


def is_quick(frozen: FrozenMatch) -> bool:
    return frozen.deal == 0 and frozen.line_up in ("random", "greedy")


@pytest.mark.parametrize("game", ["celtica", "keltis", pytest.param("celtae", marks=pytest.mark.long)])
def test_frozen_matches_are_played_action_by_action_as_before(game):
    frozen = [match for match in map(read_frozen, LINES) if match.variant == game and is_quick(match)]
    assert len(frozen) >= 6
    assert [play_again(match) for match in frozen] == [match.result for match in frozen]


@pytest.mark.long
def test_all_frozen_matches_of_all_agents_and_variants_are_played_as_before():
    frozen = [read_frozen(line) for line in LINES]
    assert len(frozen) > 250
    assert [play_again(match) for match in frozen] == [match.result for match in frozen]
