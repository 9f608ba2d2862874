"""Celtae and Keltis keep every law of the platform."""

import pytest

from boardgames import check_game, find_variant


@pytest.mark.long
@pytest.mark.parametrize("game", ["celtae", "keltis"])
def test_a_game_keeps_every_law(game):
    check_game(find_variant(game).game, matches=1)
