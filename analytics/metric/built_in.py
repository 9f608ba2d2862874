"""The metrics that come with the platform, in the order in which pages and reports show them.

A new one is an entry here and an SQL file of its name in analytics/metric/sql.
"""

import math
from typing import Any

import numpy as np

from analytics.metric.chance_race import LAST_AT_HALF, LEADER
from analytics.metric.group import FAIRNESS, OUTCOME, PACE, SKILL, STRATEGY, TENSION
from analytics.metric.metric import POINTS, SHARE, USAGE, ExtraChart, Metric
from analytics.metric.wording import Wording, word_frequency, word_size
from boardgames.game.variant import Variant

# ---- the least and the most that a single match's value can be


def unit_range(variant: Variant, players: int) -> tuple[float, float]:
    return 0.0, 1.0


def score_range(variant: Variant, players: int) -> tuple[float, float]:
    low, high = variant.bounds("scores", players)
    return float(low), float(high)


def score_gap_range(variant: Variant, players: int) -> tuple[float, float]:
    low, high = score_range(variant, players)
    return 0.0, high - low


def turn_range(variant: Variant, players: int) -> tuple[float, float]:
    """A match that was cut off may have fewer turns than any that ends."""
    low, high = variant.bounds("turns", players)
    return float(min(low, variant.game.cap)), float(min(high, variant.game.cap))


def round_range(variant: Variant, players: int) -> tuple[float, float]:
    """From none to all rounds of the longest match."""
    _, most_turns = variant.bounds("turns", players)
    return 0.0, float(min(most_turns, variant.game.cap)) / players + 1


def decision_range(variant: Variant, players: int) -> tuple[float, float]:
    return 0.0, float(variant.game.cap)


def tally_range(variant: Variant, players: int) -> tuple[float, float]:
    """A tally is a small whole number, whatever the game."""
    return 0.0, float(2**15)


def edge_range(variant: Variant, players: int) -> tuple[float, float]:
    """From never winning to always winning."""
    return -1.0 / (players - 1), 1.0


def agreement_range(variant: Variant, players: int) -> tuple[float, float]:
    return -1.0, 1.0


def win_product_range(variant: Variant, players: int) -> tuple[float, float]:
    """Of what a deal says of a source's share, as variance: products of two differences of win shares, at
    most 2 / players either way, less a part of the deal's variance.
    """
    return -3.0 / players, 2.0 / players


def score_product_range(variant: Variant, players: int) -> tuple[float, float]:
    """The same for products of two differences of scores."""
    low, high = score_range(variant, players)
    return -2.0 * (high - low) ** 2, (high - low) ** 2


def compute_deviation(mean_square: Any, mean: Any) -> Any:
    return np.sqrt(np.maximum(mean_square - mean**2, 0.0))


SHARES_OF_LUCK = (
    "A share of the variance: what the source decides alone, and its fair part of what it decides together "
    "with others. It depends on the agents, so name them. It takes matches of its own, which "
    "`boardgames luck` and `boardgames goals` play."
)

BUILT_IN = (
    Metric(
        name="seat_win_share",
        title="Wins by seat",
        group=FAIRNESS.name,
        question="How often does each seat win?",
        wording=word_frequency("Seat {part}", "wins", "Seat {part} wins {value} of the matches"),
        headlines={"1": "the first seat wins"},
        unit=SHARE,
        better="an equal share for each seat",
        bounds=(0.0, 1.0),
        threshold=0.01,
        examples="seat {part} won",
        has_fair_share=True,
        reach=unit_range,
        parts="seat",
        caveat="Seat 1 starts. Agents rotate through the seats, so that a stronger agent favours none.",
    ),
    Metric(
        name="seat_imbalance",
        title="Seat imbalance",
        group=FAIRNESS.name,
        question="How far are the seats from equal chances?",
        wording=word_size("Seat imbalance", "Seat imbalance is {value}", anchor="0 is fair"),
        extra_chart=ExtraChart.OTHER_AGENTS,
        unit=SHARE,
        better="0 is fair",
        bounds=(0.0, 1.0),
        threshold=0.01,
        kind="distance",
        reach=unit_range,
        caveat="The root of the summed squared distances from an equal share, less what noise alone adds. "
        "Its interval assumes nothing about how the seats depend on each other, so it is a little wide.",
    ),
    Metric(
        name="tied_before",
        title="Score ties",
        group=OUTCOME.name,
        question="How often is the best score tied?",
        wording=word_frequency(
            "The best score", "is tied", "The best score is tied in {value} of the matches", counted="match"
        ),
        unit=SHARE,
        better="rarely",
        bounds=(0.0, 1.0),
        threshold=0.01,
        examples="the best score is shared",
        reach=unit_range,
    ),
    Metric(
        name="tied_after",
        title="Shared wins",
        group=OUTCOME.name,
        question="How often is the win shared after tiebreaks?",
        wording=word_frequency(
            "The win", "is shared", "The win is shared in {value} of the matches", counted="match"
        ),
        headlines={"": "first place is shared"},
        unit=SHARE,
        better="rarely",
        bounds=(0.0, 1.0),
        threshold=0.01,
        examples="first place is shared",
        reach=unit_range,
    ),
    Metric(
        name="winning_margin",
        title="Winning margin",
        group=OUTCOME.name,
        question="By how much is a match won?",
        wording=word_size("The winning margin", "The winner is {value} ahead"),
        unit=POINTS,
        better="a matter of taste",
        bounds=(0.0, math.inf),
        threshold=0.05,
        examples="the clearest win",
        median_column="winning_margin",
        relative=True,
        reach=score_gap_range,
        caveat="Agents that play to win, not to score, win by less; and it falls with the number of players.",
    ),
    Metric(
        name="close_finish",
        title="Close finishes",
        group=OUTCOME.name,
        question="How often is the gap at most the winner's average round?",
        wording=word_frequency(
            "Matches", "finish close", "{value} of the matches finish close", counted="match"
        ),
        unit=SHARE,
        better="often",
        bounds=(0.0, 1.0),
        threshold=0.02,
        examples="the closest",
        reach=unit_range,
        caveat="A round is worth what the winner scored, divided by the rounds of the match.",
    ),
    Metric(
        name="score_level",
        title="Average score",
        group=OUTCOME.name,
        question="What do players score?",
        wording=Wording(
            subject="Scores",
            up="are higher",
            down="are lower",
            level="are about the same",
            says="Players score {value}",
        ),
        unit=POINTS,
        better="a matter of taste",
        bounds_note="the game's bounds",
        threshold=0.03,
        relative=True,
        reach=score_range,
    ),
    Metric(
        name="score_spread",
        title="Score spread",
        group=OUTCOME.name,
        question="How much do scores vary?",
        wording=Wording(
            subject="Scores",
            up="vary more",
            down="vary less",
            level="vary about as much",
            says="Scores vary by {value}",
        ),
        unit=POINTS,
        better="a matter of taste",
        bounds=(0.0, math.inf),
        threshold=0.05,
        relative=True,
        kind="ratio",
        formula=compute_deviation,
        caveat="The standard deviation over all seats of all matches.",
    ),
    Metric(
        name="end_reason",
        title="Endings",
        group=OUTCOME.name,
        question="How do matches end?",
        wording=word_frequency(
            'The ending "{part}"', "comes", '{value} of the matches end with "{part}"', counted="match"
        ),
        unit=SHARE,
        better="a matter of taste",
        bounds=(0.0, 1.0),
        threshold=0.02,
        examples="ended by: {part}",
        reach=unit_range,
        parts="reason",
        caveat="A match that reached the decision limit counts as cut off.",
    ),
    Metric(
        name="length",
        title="Match length",
        group=PACE.name,
        question="How many turns does a match take?",
        wording=Wording(
            subject="Matches",
            up="are longer",
            down="are shorter",
            level="are about as long",
            says="A match takes {value}",
        ),
        headlines={"": "a match takes"},
        unit="turns",
        better="a matter of taste",
        bounds_note="the game's bounds",
        threshold=0.03,
        examples="the longest",
        median_column="turns",
        relative=True,
        reach=turn_range,
        needs_ends=True,
    ),
    Metric(
        name="decisions",
        title="Decisions per player",
        group=PACE.name,
        question="How many decisions does each player make?",
        wording=Wording(
            subject="Players",
            up="make more decisions",
            down="make fewer decisions",
            level="make about as many decisions",
            says="Each player makes {value}",
        ),
        unit="decisions",
        better="a matter of taste",
        bounds=(0.0, math.inf),
        threshold=0.03,
        examples="the longest",
        median_column="decisions",
        relative=True,
        reach=decision_range,
        needs_ends=True,
        caveat="Forced decisions count, too. A turn may hold several decisions.",
    ),
    Metric(
        name="downtime",
        title="Waiting",
        group=PACE.name,
        question="How many decisions by others do you wait through per turn?",
        wording=Wording(
            subject="Players",
            up="wait longer",
            down="wait less",
            level="wait about as long",
            says="You wait through {value} by others per turn",
        ),
        unit="decisions",
        better="less waiting",
        bounds=(0.0, math.inf),
        threshold=0.05,
        relative=True,
        reach=decision_range,
        needs_ends=True,
    ),
    Metric(
        name="branching_pooled",
        title="Options per decision",
        group=PACE.name,
        question="How many actions can you choose from?",
        wording=Wording(
            subject="Decisions",
            up="offer more options",
            down="offer fewer options",
            level="offer about as many options",
            says="A decision offers {value} to choose from",
        ),
        unit="actions",
        better="a matter of taste",
        bounds=(1.0, math.inf),
        bounds_note="1 to the game's actions",
        threshold=0.05,
        relative=True,
        kind="ratio",
        across_games=False,
        caveat="Each decision weighs the same. Games count actions differently: do not compare games by it.",
    ),
    Metric(
        name="forced_share",
        title="Forced decisions",
        group=PACE.name,
        question="How often is only one action legal?",
        wording=word_frequency(
            "Decisions", "are forced", "{value} of the decisions are forced", counted="decision"
        ),
        unit=SHARE,
        better="few",
        bounds=(0.0, 1.0),
        threshold=0.01,
        kind="ratio",
        reach=decision_range,
    ),
    Metric(
        name="lead_changes",
        title="Lead changes",
        group=TENSION.name,
        question="How often does the lead change hands?",
        wording=word_frequency("The lead", "changes", "The lead changes {value}", unit="times"),
        unit="changes",
        better="often",
        bounds=(0.0, math.inf),
        threshold=0.1,
        examples="the lead changed most often",
        median_column="lead_changes",
        reach=round_range,
        line_ups="equal",
        caveat="By evaluation, looked at once a round. A long match has more of them, also by pure chance.",
    ),
    Metric(
        name="wire_to_wire",
        title="Start-to-finish leads",
        group=TENSION.name,
        question="How often is the first leader never overtaken?",
        wording=word_frequency(
            "The first leader",
            "stays ahead",
            "The first leader stays ahead in {value} of the matches",
            counted="match",
        ),
        extra_chart=ExtraChart.LEAD_OVER_TIME,
        unit=SHARE,
        better="rarely",
        bounds=(0.0, 1.0),
        threshold=0.02,
        examples="the first leader was never overtaken",
        reach=unit_range,
        line_ups="equal",
    ),
    Metric(
        name="leader_conversion",
        title="Leaders who win",
        group=TENSION.name,
        question="How often does the leader at 25, 50 or 75% win?",
        wording=word_frequency(
            "The leader at {part}%",
            "wins",
            "The leader after {part}% of a match wins {value} of the time",
            counted="match",
        ),
        headlines={"50": "the leader at half-time wins"},
        unit=SHARE,
        better="not much above pure chance",
        bounds=(0.0, 1.0),
        threshold=0.02,
        find_chance_value=lambda part, players: LEADER.get(players, {}).get(part),
        kind="ratio",
        reach=unit_range,
        parts="percent of the rounds",
        line_ups="equal",
        caveat="Shown beside pure chance where a greater lead by evaluation means a greater chance to win. "
        "Elsewhere the evaluation says too little for that.",
    ),
    Metric(
        name="comeback",
        title="Comebacks",
        group=TENSION.name,
        question="How often does last place at halfway win?",
        wording=word_frequency(
            "Last place at halfway",
            "wins",
            "Last place at halfway wins {value} of the time",
            counted="match",
        ),
        unit=SHARE,
        better="not much below pure chance",
        bounds=(0.0, 1.0),
        threshold=0.02,
        examples="the last at half-time won",
        find_chance_value=lambda part, players: LAST_AT_HALF.get(players),
        kind="ratio",
        reach=unit_range,
        line_ups="equal",
    ),
    Metric(
        name="luck",
        title="Luck",
        group=TENSION.name,
        question="How much of who wins does each source of chance decide?",
        wording=word_size("What {part} decides", "Of who wins, {value} is decided by {part}"),
        extra_chart=ExtraChart.SOURCES_OF_LUCK,
        unit=SHARE,
        better="a matter of taste",
        bounds=(0.0, 1.0),
        threshold=0.02,
        kind="swaps",
        reach=win_product_range,
        parts="source",
        main_part="all shuffles and dice together",
        caveat=SHARES_OF_LUCK,
    ),
    Metric(
        name="score_luck",
        title="Luck in scores",
        group=TENSION.name,
        question="How much of the score lead does each source of chance decide?",
        wording=word_size(
            "What {part} decides of the score lead", "Of the score lead, {value} is decided by {part}"
        ),
        unit=SHARE,
        better="a matter of taste",
        bounds=(0.0, 1.0),
        threshold=0.02,
        kind="swaps",
        reach=score_product_range,
        parts="source",
        main_part="all shuffles and dice together",
        caveat=SHARES_OF_LUCK,
    ),
    Metric(
        name="skill_edge",
        title="Skill edge",
        group=SKILL.name,
        question="How far above an equal share does an agent win?",
        wording=word_size(
            "The edge of agent {part}",
            "The edge of agent {part} is {value}",
            anchor="0% is luck alone and 100% is always winning",
        ),
        unit=SHARE,
        better="more for the stronger means more skill",
        bounds=(-1.0, 1.0),
        threshold=0.02,
        main_part="1",
        reach=edge_range,
        parts="place in the line-up",
        line_ups="mixed",
        caveat="0% is luck alone, 100% is always winning. It depends on the agents, so name them.",
    ),
    Metric(
        name="skill_fraction",
        title="Skill in the finish",
        group=SKILL.name,
        question="How well does strength predict the finishing order?",
        wording=Wording(
            subject="Strength",
            up="predicts the finish better",
            down="predicts the finish less well",
            level="predicts the finish about as well",
            says="Strength and finish agree at {value}",
            anchor="100% is perfect agreement",
        ),
        extra_chart=ExtraChart.RATINGS,
        unit=SHARE,
        better="a matter of taste",
        bounds=(-1.0, 1.0),
        threshold=0.02,
        reach=agreement_range,
        line_ups="mixed",
        caveat="Kendall's tau between the line-up, typed from the strongest to the weakest, and the finish. "
        "If skill decided 30% of the matches and luck the others, it would be 30%.",
    ),
    Metric(
        name=USAGE,
        title="Tallies",
        group=STRATEGY.name,
        question="How often does each tally occur?",
        wording=word_frequency('"{part}"', "happens", '"{part}" happens {value}'),
        extra_chart=ExtraChart.VALUE_OF_OPTIONS,
        unit="times per seat",
        better="each one sometimes",
        bounds=(0.0, math.inf),
        threshold=0.05,
        relative=True,
        reach=tally_range,
        parts="tally",
        caveat="The tallies are those that the game keeps.",
    ),
)
