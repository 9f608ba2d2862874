"""What Celtica's styles prize."""

import pytest

from boardgames import find_variant, play_batch
from variants.celtica import GAME


@pytest.mark.long
def test_leaps_are_moves_by_several_cards():
    leaps = GAME.tallies.index("leaps")
    assert play_batch(find_variant("celtica"), "greedy", 2, 8).seats["tally"][..., leaps].all()
    assert not play_batch(find_variant("celtica:one-card"), "greedy", 2, 8).seats["tally"][..., leaps].any()
