"""What all charts share: colours, symbols, and how intervals are drawn."""

from collections.abc import Sequence
from typing import Any

from analytics.stats.intervals import Estimate

# Apart for every kind of colour-blindness, and readable on white and on the dashboard's dark ground: a test
# works it out.
COLOURS = ("#6349fd", "#de7709", "#2fa784", "#da0044", "#a14b9b", "#a77df5")
SYMBOLS = ("circle", "diamond", "square", "cross")
SERIES_STYLES = tuple((colour, symbol) for symbol in SYMBOLS for colour in COLOURS)
INK = "#2b2b2b"
GRID = "#e3e1da"


def make_error_bars(estimates: Sequence[Estimate]) -> dict[str, Any]:
    """Plotly's description of the intervals."""
    above = [estimate.high - estimate.mean for estimate in estimates]
    below = [estimate.mean - estimate.low for estimate in estimates]
    return {"type": "data", "symmetric": False, "array": above, "arrayminus": below, "thickness": 1.5}
