"""Tic-tac-toe keeps the laws, its rules do what RULES.md says, and its match goes as it always went."""

import os
from pathlib import Path

from tictactoe import GAME

from boardgames import Match, check_game, make_variant

GOLDEN = Path(__file__).with_name("golden.txt")
THREE = ("top left", "centre", "top", "left", "top right")


def test_the_game_keeps_every_law():
    assert "compiled and uncompiled rules agree" in check_game(GAME)


def test_section_2_three_in_a_row_win_or_lose():
    for house, places in [("", [1, 2]), ("misere", [2, 1])]:
        match = Match(make_variant(GAME, house), 2)
        for cell in THREE:
            match.push(f"take the {cell}")
        assert (match.end, match.ranks()) == ("three in a row", places)


def test_the_match_goes_as_it_always_went():
    told = str(Match(make_variant(GAME), 2).finish("greedy").transcript()) + "\n"
    if os.environ.get("BOARDGAMES_GOLDEN"):
        GOLDEN.write_text(told, encoding="utf-8")
    assert told == GOLDEN.read_text(encoding="utf-8")
