"""Metrics, statistics and comparison over stored matches: tables in, tables and figures out.

`compare` plays and judges; `judge` only reads. `metrics()` are all there are. Names are loaded when first used.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analytics.comparing import compare
    from analytics.judging import judge
    from analytics.metrics import Metric, find_metric
    from analytics.results import Comparison, Contrast, Line

_WHERE = {
    "compare": "comparing", "judge": "judging", "Metric": "metrics", "find_metric": "metrics", "Comparison": "results",
    "Contrast": "results", "Line": "results",
}  # fmt: skip

__all__ = ["Comparison", "Contrast", "Line", "Metric", "compare", "find_metric", "judge"]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'analytics' has no attribute {name!r}")
    return getattr(importlib.import_module(f"analytics.{_WHERE[name]}"), name)
