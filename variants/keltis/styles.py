"""Styles of Keltis: ways of playing it, each for a question.

Prizes are on the evaluation's scale; benchmarks/tune_styles.py found them, and benchmarks/styles.md
tells how they did.
"""

from boardgames.game.game import Style

STYLES = {
    "few-paths": Style(
        "greedy",
        "sets out on two paths and hardly ever on a third. Does it pay to go far on few paths?",
        {"paths beyond two": -48},
    ),
    "all-paths": Style(
        "greedy", "sets out on all five paths. Does it pay to be everywhere?", {"paths opened": 64}
    ),
    "stone-hunter": Style(
        "greedy",
        "goes where wishing stones lie. Are they worth the way?",
        {"wishing stones": 32, "lays": 8},
    ),
    "ender": Style(
        "greedy+force=ending moves",
        "ends the match as soon as it can, ahead or not. How much does the moment of the end decide?",
        {"discards": -4},
    ),
    "deck-sitter": Style(
        "greedy",
        "draws from the discard piles, so that the draw pile lasts. Can a match be dragged out, and who "
        "gains by that?",
        {"pile draws": 2},
    ),
}
