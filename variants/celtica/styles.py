"""Styles of Celtica: ways of playing it, each for a question.

Prizes are on the evaluation's scale; benchmarks/tune_styles.py found them, and benchmarks/styles.md
tells how they did.
"""

from boardgames.game.game import Style

STYLES = {
    "collector": Style(
        "greedy+force=cult draw",
        "collects druid cards: it goes to cult sites and draws at every one. What is every card more worth?",
        {"cult visits": 1000},
    ),
    "miser": Style(
        "greedy+forbid=cult draw/waiting",
        "keeps out of ruins: it rests at cult sites, draws nothing there, and takes no extra turn. What do "
        "ruins cost?",
        {"cult visits": 1500},
    ),
    "rusher": Style(
        "greedy+forbid=cult draw/waiting",
        "hurries on: it plays cards together and takes no extra turn. Can one be overrun by a quick match?",
        {"leaps": 1600},
    ),
    "hoarder": Style(
        "greedy",
        "hoards experience cards for the exchange after the end. Is that worth the ruins they come from?",
        {"experience gained": 1000, "experience to move": -1000},
    ),
}
