"""Metrics, statistics and comparison over stored matches: tables in, tables and figures out.

`compare` plays and judges; `judge` only reads. `explain_change`, `over_unknowns`, `find_twins`, `check_goals`, `make_report` and
`measure_coverage` answer designers' questions. `plan` says what a question takes, `simulate_until` plays until it is answered well
enough, `sweep` tries a grid of variants. `metrics()` are all there are. Names are loaded when first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analytics.comparing import compare
    from analytics.coverage import measure_coverage
    from analytics.explaining import explain_change
    from analytics.judging import judge
    from analytics.metrics import Metric, find_metric
    from analytics.planning import plan
    from analytics.reporting import make_report
    from analytics.results import Comparison, Contrast, Line
    from analytics.sweeping import sweep
    from analytics.trying import check_goals
    from analytics.twins import find_twins
    from analytics.unknowns import over_unknowns
    from analytics.until import simulate_until

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
