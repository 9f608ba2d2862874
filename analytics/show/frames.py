"""Answers as rows of plain numbers, for pandas. Shares are in percent, their differences in points of it."""

from collections.abc import Iterator
from typing import Any

from analytics.metric.luck import SEAT, name_source
from analytics.metric.metric import find_metric, find_scale
from analytics.questions.fix.results import Fix
from analytics.questions.goals.check import Balance
from analytics.questions.ladder import Ladder
from analytics.questions.luck.results import LuckAnswer
from analytics.questions.sweep.sweep import Sweep
from analytics.stats.intervals import Estimate
from analytics.verdict.results import Comparison
from analytics.words import format_unit

Rows = Iterator[dict[str, Any]]


def _spread(name: str, estimate: Estimate, scale: float = 1.0) -> dict[str, float]:
    """An estimate as three columns: its mean and the ends of its 95% interval."""
    mean, low, high = estimate.scale(scale)[:3]
    return {name: mean, f"{name}_low": low, f"{name}_high": high}


def list_comparison_rows(comparison: Comparison) -> Rows:
    """A row for each contrast and metric, or part of it."""
    for contrast in comparison.contrasts:
        for line in contrast.lines:
            scale = find_scale(line.unit)
            yield {
                "variant": contrast.b,
                "baseline": contrast.a,
                "players": contrast.players,
                "agent": contrast.agent,
                "metric": line.metric,
                "part": line.part,
                "unit": format_unit(line.unit),
                "is_main": line.is_main,
                **_spread("a", line.a, scale),
                **_spread("b", line.b, scale),
                **_spread("difference", line.difference, scale),
                "always_valid_low": scale * line.low,
                "always_valid_high": scale * line.high,
                "threshold": scale * line.threshold,
                "verdict": str(line.verdict),
                "matches": contrast.matches,
            }


def list_ladder_rows(ladder: Ladder) -> Rows:
    """A row for each agent; the weakest has the rating 0."""
    for agent in ladder.agents:
        yield {
            "variant": ladder.variant,
            "players": ladder.players,
            "agent": agent.agent,
            **_spread("rating", agent.elo),
            "is_lower_bound": agent.at_least,
        }


def list_sweep_rows(sweep: Sweep) -> Rows:
    """A row for each point of the grid and metric, or part of it."""
    names = [name for name, _ in sweep.grid.sweep.axes]
    for point in sweep.grid.points:
        for metric, parts in point.answers.items():
            unit = find_metric(metric).unit
            for part, estimate in parts.items():
                yield {
                    "variant": point.variant,
                    **dict(zip(names, point.values, strict=True)),
                    "metric": metric,
                    "part": part,
                    "unit": format_unit(unit),
                    **_spread("value", estimate, find_scale(unit)),
                }


def list_luck_rows(answer: LuckAnswer) -> Rows:
    """A row for each variant, quantity and source; all in percent."""
    for split in answer.splits:
        for luck in split.quantities:
            where = {"variant": split.variant, "players": split.players, "quantity": luck.quantity}
            yield {**where, "source": name_source(SEAT), **_spread("share", luck.seat, 100)}
            for source in luck.sources:
                yield {
                    **where,
                    "source": source.title,
                    **_spread("share", source.share, 100),
                    **_spread("alone", source.alone, 100),
                    **_spread("involved", source.involved, 100),
                }


def list_candidate_rows(fix: Fix) -> Rows:
    """A row for each change; `shortfall` is below 0 where all goals are met."""
    for candidate in fix.candidates:
        yield {
            "variant": candidate.variant,
            "changes": ", ".join(candidate.changes),
            "parameters": candidate.parameters,
            "steps": candidate.steps,
            **_spread("shortfall", candidate.shortfall),
            "on_fresh_luck": candidate.trial.verdict if candidate.trial else "",
        }


def list_check_rows(balance: Balance) -> Rows:
    """A row for each number that a goal is about."""
    for check in balance.checks:
        scale = find_scale(check.unit)
        yield {
            "goal": check.goal,
            "variant": check.variant,
            "players": check.players,
            "line_up": check.line_up,
            "metric": check.metric,
            "part": check.part,
            "unit": format_unit(check.unit),
            "value": scale * check.value,
            "low": scale * check.low,
            "high": scale * check.high,
            "least": scale * check.least,
            "most": scale * check.most,
            "verdict": check.verdict,
            "matches": check.matches,
        }
