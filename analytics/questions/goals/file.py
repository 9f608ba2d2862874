"""Design goals as a file: which metric should lie where. Read and checked here; every mistake is told with file, line and field.

variants = ["celtica"]
agents = "greedy"
minutes = 2

[[goal]]
metric = "seat_win_share"
players = "3-4"
within = 2
"""

import math
from pathlib import Path
from typing import Any, NamedTuple

from analytics.metric.metric import SHARE, Metric, find_metric, scale_of
from boardgames.errors import BadInput, unknown
from boardgames.experiment.plan import read_players
from boardgames.game.plugins import read_tables

FIELDS = ("metric", "part", "players", "low", "high", "within", "statistic", "against")
SETTINGS = {"variants": list, "players": str, "agents": str, "minutes": float, "blocks": int, "seed": int}
MINUTES = 2.0  # of play, unless a file or a command sets a limit
MEDIANS = {
    "length": "turns",
    "decisions": "decisions",
    "victory_margin": "margin",
    "lead_changes": "lead_changes",
}  # stored columns


class Goal(NamedTuple):
    """A metric, or one part of it, should lie between two numbers; in the file, shares are written in percent."""

    metric: str
    low: float
    high: float
    part: str = ""  # all of them, if not said
    players: tuple[int, ...] = ()  # all that are played, if not said
    within: float | None = None  # instead of low and high: so near to an equal share of the seats
    median: bool = False  # of the matches; else the mean
    against: str = ""  # for metrics of skill: whom the agent meets

    def range(self, players: int) -> tuple[float, float]:
        if self.within is None:
            return self.low, self.high
        return 1 / players - self.within, 1 / players + self.within


class Goals(NamedTuple):
    """A file of goals, and how it wants to be tried; what it does not say can be said on the command line."""

    goals: tuple[Goal, ...]
    variants: tuple[str, ...] = ()
    players: str = ""
    agents: str = "greedy"
    minutes: float | None = None
    blocks: int | None = None  # of each cell, at most
    seed: int = 1

    @property
    def seconds(self) -> float:
        """How long to play at most. A limit in blocks needs none in time: it gives the same answer on every machine."""
        if self.minutes is None:
            return 60 * MINUTES if self.blocks is None else math.inf
        return 60 * self.minutes


def read_goals(path: Path) -> Goals:
    """All goals of a file."""
    tables = read_tables(path)
    goals = tables.pop("goal", None)
    if (
        any(isinstance(value, dict) or name == "goals" for name, value in tables.items())
        or not isinstance(goals, list)
        or not goals
    ):
        raise BadInput(f"{path}: it holds tables [[goal]], before them {', '.join(SETTINGS)}, and nothing else")
    return Goals(tuple(_goal(path, place, table) for place, table in enumerate(goals)), **_settings(path, tables))


def _settings(path: Path, table: dict[str, Any]) -> dict[str, Any]:
    """What stands before the first goal."""
    for name, value in table.items():
        if name not in SETTINGS:
            raise _told(path, -1, name, unknown("field", name, SETTINGS))
        wanted = (int, float) if SETTINGS[name] is float else (SETTINGS[name],)
        if isinstance(value, bool) or not isinstance(value, wanted):
            raise _told(path, -1, name, f"it is {KINDS[SETTINGS[name]]}, not {value!r}")
    for name in ("minutes", "blocks"):
        if not 0 < table.get(name, 1) < math.inf:
            raise _told(path, -1, name, "it is a number above 0")
    try:
        read_players(table.get("players", ""))
    except BadInput as error:
        raise _told(path, -1, "players", error) from None
    return {**table, "variants": tuple(map(str, table.get("variants", [])))}


KINDS = {list: "a list", str: "a text", float: "a number", int: "a whole number"}


def _goal(path: Path, place: int, table: dict[str, Any]) -> Goal:
    for name in table:
        if name not in FIELDS:
            raise _told(path, place, name, unknown("field", name, FIELDS))
    try:
        metric = find_metric(str(table.get("metric", "")))
    except BadInput as error:
        raise _told(path, place, "metric", error) from None
    if metric.kind == "rows":
        raise _told(path, place, "metric", f"{metric.name} is a screening of many components and gives no verdict")
    try:
        players = tuple(read_players(str(table.get("players", ""))))
    except BadInput as error:
        raise _told(path, place, "players", error) from None
    low, high = _range(path, place, table, metric)
    against = str(table.get("against", "random")) if metric.line_ups == "mixed" else ""
    part = str(table.get("part", "1" if metric.name == "skill_edge" else ""))
    return Goal(metric.name, low, high, part, players, _within(path, place, table, metric), _median(path, place, table), against)


def _range(path: Path, place: int, table: dict[str, Any], metric: Metric) -> tuple[float, float]:
    """Between which numbers it should lie; shares as shares."""
    scale = scale_of(metric.unit)
    low, high = (_bound(path, place, table, name) / scale for name in ("low", "high"))
    if low > high:
        raise _told(path, place, "low", f"{low * scale:g} is above high, {high * scale:g}: nothing can lie there")
    if metric.unit == SHARE and metric.bounds.startswith("0") and (low > 1 or high < 0):
        never = f"a share lies between 0 and 100 %, never from {low * scale:g} to {high * scale:g}"
        raise _told(path, place, "low" if low > 1 else "high", never)
    return low, high


def _bound(path: Path, place: int, table: dict[str, Any], name: str) -> float:
    """A limit; one that is left out is none."""
    value = table.get(name, float("-inf") if name == "low" else float("inf"))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _told(path, place, name, f"{value!r} is no number")
    if not {"low", "high", "within"} & set(table):
        raise _told(path, place, "metric", "a goal has a field low or high, or both, or within")
    return float(value)


def _within(path: Path, place: int, table: dict[str, Any], metric: Metric) -> float | None:
    value = table.get("within")
    if value is None:
        return None
    if metric.name != "seat_win_share" or "low" in table or "high" in table:
        raise _told(path, place, "within", "it is for seat_win_share alone, instead of low and high: so near to an equal share")
    if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
        raise _told(path, place, "within", f"it is a number of percentage points above 0, not {value!r}")
    return value / 100


def _median(path: Path, place: int, table: dict[str, Any]) -> bool:
    statistic = table.get("statistic", "mean")
    if statistic not in ("mean", "median"):
        raise _told(path, place, "statistic", f"it is mean or median, not {statistic!r}")
    if statistic == "median" and table["metric"] not in MEDIANS:
        raise _told(path, place, "statistic", f"medians are for what each match has one of: {', '.join(MEDIANS)}")
    return bool(statistic == "median")


def _told(path: Path, place: int, field: str, reason: Any) -> BadInput:
    return BadInput(f"{path}, line {_line(path, place, field)}, {field}: {reason}")


def _line(path: Path, place: int, field: str) -> int:
    """Where a field of the n-th goal stands, or before all goals for -1; the goal itself, if it is missing."""
    seen, start = -1, 1
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if text.strip().startswith("[[goal]]"):
            seen, start = seen + 1, number if seen + 1 == place else start
        elif seen == place and text.split("=")[0].strip() == field:
            return number
    return start
