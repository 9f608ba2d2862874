"""Metrics, statistics and comparison over stored matches: tables in, tables and figures out.

`compare` plays and judges; `judge` only reads. `explain_change`, `check_robustness`, `find_side_by_side`,
`check_goals`, `make_report`, `measure_coverage`, `measure_luck`, `rate_agents` and `compare_people` answer
designers' questions. `plan` says what a question takes, `simulate_until` plays until it is answered well
enough, `sweep` tries a grid of variants, `find_fix` searches for the change that reaches goals, `metrics`
gives all metrics by name. Names are loaded when first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analytics.metric.metric import Metric, find_metric, metrics
    from analytics.metric.wording import Wording
    from analytics.questions.alternatives import check_robustness
    from analytics.questions.compare.compare import compare
    from analytics.questions.compare.judge import judge
    from analytics.questions.coverage import measure_coverage
    from analytics.questions.effort import plan
    from analytics.questions.explain import explain_change
    from analytics.questions.fix.fix import find_fix
    from analytics.questions.goals.check import check_goals
    from analytics.questions.ladder import Ladder, rate_agents
    from analytics.questions.luck.luck import measure_luck
    from analytics.questions.people import compare_people
    from analytics.questions.precision import simulate_until
    from analytics.questions.report import make_report
    from analytics.questions.side_by_side import find_side_by_side
    from analytics.questions.sweep.sweep import sweep
    from analytics.verdict.results import Comparison, Contrast, Line

_WHERE = {
    "Metric": "metric.metric",
    "Wording": "metric.wording",
    "find_metric": "metric.metric",
    "metrics": "metric.metric",
    "check_robustness": "questions.alternatives",
    "compare": "questions.compare.compare",
    "judge": "questions.compare.judge",
    "measure_coverage": "questions.coverage",
    "plan": "questions.effort",
    "explain_change": "questions.explain",
    "find_fix": "questions.fix.fix",
    "check_goals": "questions.goals.check",
    "Ladder": "questions.ladder",
    "rate_agents": "questions.ladder",
    "measure_luck": "questions.luck.luck",
    "compare_people": "questions.people",
    "simulate_until": "questions.precision",
    "make_report": "questions.report",
    "find_side_by_side": "questions.side_by_side",
    "sweep": "questions.sweep.sweep",
    "Comparison": "verdict.results",
    "Contrast": "verdict.results",
    "Line": "verdict.results",
}

__all__ = [
    "Comparison",
    "Contrast",
    "Ladder",
    "Line",
    "Metric",
    "Wording",
    "check_goals",
    "check_robustness",
    "compare",
    "compare_people",
    "explain_change",
    "find_fix",
    "find_metric",
    "find_side_by_side",
    "judge",
    "make_report",
    "measure_coverage",
    "measure_luck",
    "metrics",
    "plan",
    "rate_agents",
    "simulate_until",
    "sweep",
]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'analytics' has no attribute {name!r}")
    return getattr(importlib.import_module(f"analytics.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
