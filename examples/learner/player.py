"""An agent that plays by the net of train.py: ./player.py:agent"""

from pathlib import Path

import numpy as np

from boardgames import mark_deterministic

WEIGHTS = np.load(Path(__file__).parent / "weights.npz")
SPAN, HIDDEN, POLICY = (WEIGHTS[name] for name in ("span", "hidden", "policy"))


@mark_deterministic(files=["weights.npz"])
def agent(view):
    """The legal action that the net likes best. `view.observation` is the row that it was trained on."""
    inputs = np.append(view.observation / SPAN, 1)
    logits = np.maximum(inputs @ HIDDEN, 0) @ POLICY
    return max(view.actions, key=lambda action: logits[action])
