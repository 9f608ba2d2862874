"""Celtae keeps every law of the platform."""

import pytest

from boardgames import check_game
from variants.celtae import GAME


@pytest.mark.long
def test_celtae_keeps_every_law():
    check_game(GAME, matches=1)
