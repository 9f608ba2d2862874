"""Styles of Celtae: ways of playing it, each for a question.

Prizes are on the evaluation's scale; benchmarks/tune_styles.py found them, and benchmarks/styles.md
tells how they did.
"""

from boardgames.game.game import Style

STYLES = {
    "citadels": Style(
        "greedy",
        "builds wherever it can. Do disks win without armies and druids?",
        {"builds north": 50, "builds south": 50},
    ),
    "armies": Style(
        "greedy", "fights the Roman armies before all else. Do battles pay?", {"armies defeated": 75}
    ),
    "druids-first": Style(
        "greedy",
        "trains druids before all else. Do druids pay for the workers they take?",
        {"druids trained": 100},
    ),
    "north-only": Style(
        "greedy+forbid=points in the south",
        "builds, fights, garrisons and trains in the north only. Is one half of the board enough?",
    ),
}
