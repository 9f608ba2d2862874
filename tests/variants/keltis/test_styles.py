"""What Keltis's styles prize."""

import numpy as np
import pytest

from boardgames import find_variant, play_batch
from variants.keltis import GAME


@pytest.mark.long
def test_paths_beyond_two_are_the_third_and_later_ones():
    tally = play_batch(find_variant("keltis"), "few-paths,greedy", 2, 32).seats["tally"]
    opened, beyond = (tally[..., GAME.tallies.index(name)] for name in ("paths opened", "paths beyond two"))
    assert set(opened.flat) >= {2, 3, 4, 5}
    assert (beyond == np.maximum(0, opened - 2)).all()
