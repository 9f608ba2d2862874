"""Numbers and verdicts in words: the same in the terminal, the report and the dashboard."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from analytics.metric.metric import SHARE, Metric, find_metric, find_scale
from analytics.stats.intervals import Estimate, estimate_share_from_sums, rescale
from analytics.verdict.results import AgentDifference
from analytics.verdict.verdicts import FOREVER
from boardgames.agents.agent import Agent
from boardgames.game.variant import Variant
from boardgames.plan.cell import PlannedCell
from boardgames.play.batch import SLICE
from boardgames.play.estimates import FEW_EVENTS

RARE = 0.1  # a share below this is also told as 1 in so many
TURNS = "turns"
MOST_DIGITS = 8  # behind the point


def format_number(value: float, unit: str, difference: bool = False, digits: int = 0) -> str:
    """48.2, +1.3, 61.4: about three significant digits, or at least `digits` behind the point; shares in
    percent.
    """
    if not math.isfinite(value):
        return "?"
    scaled = find_scale(unit) * value
    digits = max(digits, find_digits(value, unit))
    text = f"{scaled:+.{digits}f}" if difference else f"{scaled:.{digits}f}"
    return text if float(text) or not text.startswith(("-", "+")) else text[1:]


def find_digits(value: float, unit: str) -> int:
    """How many digits behind the point a number is written with: enough that it is not written as 0, or as
    100%, where it is not.
    """
    scaled = find_scale(unit) * value
    digits = 1 if abs(scaled) >= 9.95 else 2
    ends = (0.0, 100.0) if unit == SHARE else (0.0,)
    while digits < MOST_DIGITS and any(
        round(abs(scaled), digits) == end and abs(abs(scaled) - end) > 10**-MOST_DIGITS for end in ends
    ):
        digits += 1
    return digits


class ChangeDigits(NamedTuple):
    """How many digits behind the point two values and their difference are written with."""

    old: int
    new: int
    difference: int


def find_change_digits(old: float, new: float, difference: float, unit: str) -> ChangeDigits:
    """Enough digits that the written difference is the one between the written values: neither 1.23, 0.95
    and -0.29, nor 70.0, 61.4 and -8.68.
    """
    own = [find_digits(value, unit) for value in (old, new, difference)]
    if not all(map(math.isfinite, (old, new, difference))):
        return ChangeDigits(*own)
    a, b, change = (find_scale(unit) * value for value in (old, new, difference))
    for more in range(MOST_DIGITS):
        digits = ChangeDigits(own[0] + more, own[1] + more, own[2])
        written = round(b, digits.new) - round(a, digits.old)
        if abs(written - round(change, digits.difference)) <= 0.5 * 10 ** -min(digits) + 1e-9:
            return digits
    return ChangeDigits(*own)  # the values differ by something else


def format_unit(unit: str, difference: bool = False) -> str:
    if unit == SHARE:
        return "pp" if difference else "%"
    return unit


def add_unit(text: str, unit: str, difference: bool = False) -> str:
    """28.0%, 3.10 pp, 61.4 turns"""
    name = format_unit(unit, difference)
    return f"{text}{name}" if name == "%" else f"{text} {name}"


def format_metric(metric: str, part: str = "") -> str:
    """Wins by seat: 2, as tables name it"""
    label = find_metric(metric).label
    return f"{label}: {part}" if part else label


def format_interval(estimate: Estimate, unit: str, difference: bool = False, digits: int = 0) -> str:
    """48.2 (47.1 to 49.3); without an interval, how many deals it takes."""
    mean, low, high = (
        format_number(value, unit, difference, digits)
        for value in (estimate.mean, estimate.low, estimate.high)
    )
    if not estimate.has_interval:
        return f"{mean} (needs {2 if estimate.deals < 2 else 512} deals)"
    return f"{mean} ({low} to {high})"


def format_estimate(estimate: Estimate, unit: str, difference: bool = False) -> str:
    """48.2% (47.1 to 49.3)"""
    head, _, rest = format_interval(estimate, unit, difference).partition(" ")
    return f"{add_unit(head, unit, difference)} {rest}"


# ---- numbers that a person can place


def describe_value(
    metric: Metric, part: str, value: str, mean: float, players: int, chance: float | None = None
) -> str:
    """Seat 1 wins 27.1% (25.8 to 28.4) of the matches, where 25% is fair. `value` is the number in words;
    `chance` what it would be by pure chance.
    """
    statement = metric.describe_value(value, part)
    place = place_value(metric, mean, players, chance)
    if not place:
        return statement
    joint = "where " if find_anchor(metric, players, chance) else "or " if metric.unit == TURNS else ""
    return f"{statement}, {joint}{place}"


def place_value(metric: Metric, mean: float, players: int, chance: float | None = None) -> str:
    """What helps to place a value: 25% is fair; 17.5 rounds; 1 match in 12. Empty if nothing does."""
    if anchor := find_anchor(metric, players, chance):
        return anchor
    if metric.unit == TURNS:
        return f"{format_number(mean / players, TURNS)} rounds"
    if metric.wording.counted and 0 < mean < RARE:
        return f"1 {metric.wording.counted} in {_format_odds(mean)}"
    return ""


def place_change(metric: Metric, old: float, new: float, players: int, chance: float | None = None) -> str:
    """What helps to place two values: 25% is fair; in rounds, 18.4 instead of 17.5; 1 match in 18 instead of
    1 in 12. Empty if nothing does.
    """
    if anchor := find_anchor(metric, players, chance):
        return anchor
    if metric.unit == TURNS:
        before, after = (format_number(value / players, TURNS) for value in (old, new))
        return f"in rounds, {after} instead of {before}" if after != before else f"{after} rounds"
    counted = metric.wording.counted
    if not counted or not 0 < min(old, new) < RARE or max(old, new) > 2 * RARE:
        return ""
    before, after = (_format_odds(value) for value in (old, new))
    text = f"1 {counted} in {after}"
    return f"{text} instead of 1 in {before}" if after != before else f"about {text}"


def find_anchor(metric: Metric, players: int, chance: float | None = None) -> str:
    """25% is fair; 64.4% is pure chance; empty without such a value."""
    if metric.has_fair_share:
        return f"{format_fair_share(players)} is fair"
    if chance is not None:
        return f"{format_number(chance, SHARE)}% is pure chance"
    return metric.wording.anchor


def _format_odds(share: float) -> str:
    """12, of 1 in 12: to two digits, or a whole number"""
    odds = 1 / share
    return f"{float(f'{odds:.2g}') if odds >= 10 else odds:,.0f}"


def join_words(words: Sequence[str]) -> str:
    """greedy, random and mcts:64"""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def describe_agents(agents: Mapping[int, str]) -> str:
    """Who plays, by player count: learned; or learned with 2 and 3, greedy with 5 players"""
    counts: dict[str, list[str]] = {}
    for players, agent in agents.items():
        counts.setdefault(agent, []).append(str(players))
    if len(counts) == 1:
        return next(iter(counts))
    texts = [f"{agent} with {join_words(numbers)}" for agent, numbers in counts.items()]
    return f"{', '.join(texts)} players"


def describe_moment(stored: int) -> str:
    """When something was fixed: before the first match, or when so many were stored."""
    return f"when {stored:,} of these matches were stored" if stored else "before the first match"


def format_forecast(more: int) -> str:
    if more >= FOREVER:
        return "it will not be settled soon"
    return f"about {format_rounded(more)} more matches of each may settle it"


def format_rounded(count: int) -> str:
    """12,000: rounded up to two digits, which are enough for a forecast."""
    if count < 100:
        return str(count)
    step = 10 ** (len(str(count)) - 2)
    return f"{-(-count // step) * step:,}"


def format_duration(seconds: float) -> str:
    """2.5 min: in the largest unit that makes a number of at least one."""
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s" if seconds >= 1 else "a moment"


def find_clear_sign(estimate: Estimate) -> int:
    """1 or -1 if a difference is clearly above or below zero, else 0.

    Many differences are read together, so a claim takes an interval half as wide again as the one shown, and
    a slice of deals.
    """
    half_width = 1.5 * estimate.half_width
    if estimate.deals < SLICE:
        return 0
    return int(estimate.mean > half_width) - int(estimate.mean < -half_width)


def find_direction(estimate: Estimate) -> int:
    """1 or -1 if the whole interval lies above or below zero; 0 if it contains zero or has no width."""
    if not estimate.high > estimate.low:
        return 0
    return int(estimate.low > 0) - int(estimate.high < 0)


def describe_disagreement(deciding: str, difference: Estimate, others: Sequence[AgentDifference]) -> str:
    """lower with mcts:64, higher with greedy: the strongest agent first; empty if no two intervals point in
    opposite directions, each of a slice of deals at least. `others` come after the deciding agent, from weak
    to strong.
    """
    differences = {deciding: difference, **{other.agent: other.difference for other in others}}
    directions = {
        agent: find_direction(estimate) for agent, estimate in differences.items() if estimate.deals >= SLICE
    }
    words = {1: "higher", -1: "lower"}
    if not {1, -1} <= set(directions.values()):
        return ""
    strongest_first = reversed(directions.items())
    return ", ".join(f"{words[sign]} with {agent}" for agent, sign in strongest_first if sign)


def describe_agreement(deciding: str, difference: Estimate, others: Sequence[AgentDifference]) -> str:
    """What becomes of a difference as the agents get stronger; `others` from weak to strong, after the
    deciding agent.
    """
    if not others:
        return ""
    sign = find_clear_sign(difference)
    signs = {other.agent: find_clear_sign(other.difference) for other in others}
    all_signs = {sign, *signs.values()}
    if {1, -1} <= all_signs:
        return "flips: stronger agents turn it round"
    if describe_disagreement(deciding, difference, others):
        return "the agents disagree so far"
    if 0 not in all_signs:
        return "holds with all agents"
    if all_signs == {0}:
        return "no clear difference with any agent"
    if sign:
        unclear = [other for other in others if not signs[other.agent]]
        differs = any(find_clear_sign(other.against_deciding) for other in unclear)
        return f"only with {deciding}" if differs else f"{unclear[0].agent} cannot tell yet"
    clear = next(other for other in others if signs[other.agent])
    if find_clear_sign(clear.against_deciding):
        return f"only with {clear.agent}"
    return f"seen with {clear.agent}, {deciding} cannot tell yet"


def compute_win_share(edge: Estimate, players: int) -> Estimate:
    """The share of the wins; an edge of 0 is an equal share, an edge of 1 all wins. An agent that hardly ever
    wins, or loses, gets the interval of a share: that of an edge could go below 0%, or have no width.
    """
    share = rescale(edge, 1 - 1 / players, 1 / players)
    wins = round(share.mean * share.deals, 6)
    if share.has_interval and min(wins, share.deals - wins) < FEW_EVENTS:
        return estimate_share_from_sums(share.deals, wins, wins)
    return share


def format_fair_share(players: int) -> str:
    """25%, 33.3%"""
    return f"{100 / players:.3g}%"


def format_opponents(weak: str, players: int) -> str:
    return f"against {weak}" if players == 2 else f"against {players - 1} {weak}"


def describe_head_to_head(
    strong: str, weak: str, players: int, a: Estimate, b: Estimate, doubtful: bool
) -> str:
    """How often an agent wins against the next weaker one, under both rules."""
    in_a, in_b = (format_number(share, SHARE) for share in (a.mean, b.mean))
    wins = f"{strong} wins {in_a}% of its matches {format_opponents(weak, players)} in A and {in_b}% in B"
    text = f"{wins}, where {format_fair_share(players)} is an equal share"
    if max(a.mean, b.mean) <= 1 / players:
        return f"{text}: here it is not the stronger agent"
    return f"{text}: what differs may be the agent, not the rule" if doubtful else text


def describe_reconstructed(variant: str = "VARIANT", components: Sequence[str] = ()) -> str:
    """The note behind a star."""
    which = f" ({', '.join(components)})" if components else ""
    return f"* Some printed values are reconstructed{which}: `boardgames show {variant}` lists them"


def describe_training(seated: Iterable[tuple[Agent, Variant, int]]) -> tuple[str, ...]:
    """Which variants learned players were trained on, of agents that play others at these player counts."""
    played: dict[str, set[str]] = {}
    trained_on: dict[str, set[str]] = {}
    for agent, variant, players in seated:
        if net := agent.find_net(players):
            played.setdefault(agent.name, set()).add(variant.name)
            trained_on.setdefault(agent.name, set()).add(net.trained_on)
    return tuple(
        f"{agent} was trained on {join_words(sorted(names))}"
        for agent, names in trained_on.items()
        if played[agent] - names
    )


def describe_training_of_cells(cells: Iterable[PlannedCell]) -> tuple[str, ...]:
    """The same for all agents of some cells."""
    return describe_training((agent, cell.variant, cell.players) for cell in cells for agent in cell.line_up)
