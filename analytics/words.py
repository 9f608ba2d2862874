"""Numbers and verdicts in words: the same in the terminal, the report and the dashboard."""

import math
from collections.abc import Sequence

from analytics.metric.metric import SHARE, scale_of
from analytics.stats.intervals import Estimate, rescale
from analytics.verdict.results import RungDifference
from analytics.verdict.verdicts import DIFFERENT, FOREVER, SAME, UNCLEAR
from boardgames.play.batch import SLICE


def number(value: float, unit: str, difference: bool = False) -> str:
    """48.2 %, +1.3 pp, 61.4 turns: three significant digits or so."""
    if not math.isfinite(value):
        return "?"
    scaled = scale_of(unit) * value
    digits = 1 if abs(scaled) >= 9.95 else 2
    text = f"{scaled:+.{digits}f}" if difference else f"{scaled:.{digits}f}"
    return text if float(text) or not text.startswith(("-", "+")) else text[1:]


def unit_of(unit: str, difference: bool = False) -> str:
    if unit == SHARE:
        return "pp" if difference else "%"
    return unit


def spoken(metric: str, part: str = "") -> str:
    """seat win share 2"""
    return f"{metric.replace('_', ' ')} {part}".strip()


def interval(estimate: Estimate, unit: str, difference: bool = False) -> str:
    """48.2 (47.1 to 49.3); without an interval, how many blocks it takes."""
    shown = number(estimate.mean, unit, difference)
    if not math.isfinite(estimate.low):
        return f"{shown} (needs {2 if estimate.blocks < 2 else 512} blocks)"
    return f"{shown} ({number(estimate.low, unit, difference)} to {number(estimate.high, unit, difference)})"


def shown(estimate: Estimate, unit: str, difference: bool = False) -> str:
    """48.2 % (47.1 to 49.3)"""
    head, _, rest = interval(estimate, unit, difference).partition(" ")
    return f"{head} {unit_of(unit, difference)} {rest}"


def sentence(verdict: str, low: float, high: float, margin: float, unit: str, more: int | None) -> str:
    """A verdict as one says it; `low` and `high` are of the interval that holds at all times."""
    around = f"{number(low, unit, True)} to {number(high, unit, True)} {unit_of(unit, True)}"
    within = f"{number(margin, unit)} {unit_of(unit, True)}"
    if verdict == SAME:
        return f"the same within {within}"
    if verdict == DIFFERENT:
        return f"materially different: {'more' if low > 0 else 'less'} by over {within}"
    wait = "" if more is None else f"; {settling(more)}"
    if verdict == UNCLEAR:
        return f"{'more' if low > 0 else 'less'}, unclear whether by over {within}: {around}{wait}"
    return f"not yet known: {around}{wait}" if math.isfinite(high) else f"not yet known{wait}"


def settling(more: int) -> str:
    if more >= FOREVER:
        return "it will not be settled soon"
    return f"~{rounded(more)} more matches of each may settle it"


def rounded(count: int) -> str:
    """Two digits are enough for a forecast."""
    if count < 100:
        return str(count)
    step = 10 ** (len(str(count)) - 2)
    return f"{-(-count // step) * step:,}"


def sign(estimate: Estimate) -> int:
    """Whether a difference is clearly above or below zero, or 0 if it is neither.

    Many are looked at together, so a claim takes an interval half as wide again as the one shown, and a slice of blocks.
    """
    half = 1.5 * max(estimate.high - estimate.mean, estimate.mean - estimate.low)
    return 0 if estimate.blocks < SLICE else int(estimate.mean > half) - int(estimate.mean < -half)


def direction(estimate: Estimate) -> int:
    """Which way the interval that is shown points; 0 if it holds zero, or has no width because nothing scattered yet."""
    if not estimate.high > estimate.low:
        return 0
    return int(estimate.low > 0) - int(estimate.high < 0)


def disagreement(first: str, difference: Estimate, rungs: Sequence[RungDifference]) -> str:
    """more with greedy, less with mcts:64; empty where no two intervals point in opposite directions."""
    ways = {first: direction(difference), **{rung.agent: direction(rung.difference) for rung in rungs}}
    more, less = ([agent for agent, way in ways.items() if way == wanted] for wanted in (1, -1))
    if not (more and less):
        return ""
    told = {"more": more, "less": less} if ways[first] >= 0 else {"less": less, "more": more}
    return ", ".join(f"{way} with {' and '.join(agents)}" for way, agents in told.items())


def agreement(first: str, difference: Estimate, rungs: Sequence[RungDifference]) -> str:
    """What becomes of a difference as the players get stronger. Rungs are in the order of strength, `first` the weakest."""
    if not rungs:
        return ""
    signs = [sign(difference), *(sign(rung.difference) for rung in rungs)]
    if {1, -1} <= set(signs):
        return "flips: stronger players turn it round"
    if disagreement(first, difference, rungs):
        return "the players disagree so far"
    if all(signs):
        return "holds at all rungs"
    if not any(signs):
        return "no clear difference at any rung"
    silent = [rung for rung, seen in zip(rungs, signs[1:], strict=True) if not seen]
    if signs[0]:
        parted = [rung for rung in silent if sign(rung.against_first)]
        return f"only by {first}" if parted else f"{silent[0].agent} cannot tell yet"
    strong = next(rung for rung, seen in zip(rungs, signs[1:], strict=True) if seen)
    return f"only by {strong.agent}" if sign(strong.against_first) else f"seen by {strong.agent}, {first} cannot tell yet"


def share_of_wins(edge: Estimate, players: int) -> Estimate:
    """An edge of 0 is an equal share, of 1 all wins."""
    return rescale(edge, 1 - 1 / players, 1 / players)


def among(weak: str, players: int) -> str:
    return f"against {weak}" if players == 2 else f"against {players - 1} {weak}"


def doubt(strong: str, weak: str, players: int, a: Estimate, b: Estimate, doubtful: bool) -> str:
    """How often a rung wins among those of the one below, under both rules."""
    fair = f"an equal share is {number(1 / players, SHARE)}%"
    wins = f"{strong} wins {number(a.mean, SHARE)}% of its matches {among(weak, players)} in A and {number(b.mean, SHARE)}% in B"
    if max(a.mean, b.mean) <= 1 / players:
        return f"{wins} ({fair}): it is no stronger rung here"
    return f"{wins} ({fair}): what differs may be the player, not the rule" if doubtful else f"{wins} ({fair})"
