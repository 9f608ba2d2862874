"""Metrics, statistics and comparison over stored matches: tables in, tables and figures out.

`compare` plays and judges; `judge` only reads. `explain_change`, `over_unknowns`, `find_twins`, `check_goals`, `make_report` and
`measure_coverage` answer designers' questions. `plan` says what a question takes, `simulate_until` plays until it is answered well
enough, `sweep` tries a grid of variants. `metrics()` are all there are. Names are loaded when first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analytics.questions.compare.compare import compare
    from analytics.questions.coverage import measure_coverage
    from analytics.questions.explain import explain_change
    from analytics.questions.compare.judge import judge
    from analytics.metric.metric import Metric, find_metric
    from analytics.questions.effort import plan
    from analytics.questions.report import make_report
    from analytics.verdict.results import Comparison, Contrast, Line
    from analytics.questions.sweep.sweep import sweep
    from analytics.questions.goals.check import check_goals
    from analytics.questions.side_by_side import find_twins
    from analytics.questions.alternatives import over_unknowns
    from analytics.questions.precision import simulate_until

_WHERE = {
    "compare": "comparing", "judge": "judging", "Metric": "metrics", "find_metric": "metrics", "Comparison": "results",
    "Contrast": "results", "Line": "results", "check_goals": "trying", "explain_change": "explaining", "find_twins": "twins",
    "make_report": "reporting", "measure_coverage": "coverage", "over_unknowns": "unknowns", "plan": "planning",
    "simulate_until": "until", "sweep": "sweeping",
}  # fmt: skip

__all__ = [
    "Comparison", "Contrast", "Line", "Metric", "check_goals", "compare", "explain_change", "find_metric", "find_twins", "judge",
    "make_report", "measure_coverage", "over_unknowns", "plan", "simulate_until", "sweep",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'analytics' has no attribute {name!r}")
    return getattr(importlib.import_module(f"analytics.{_WHERE[name]}"), name)
