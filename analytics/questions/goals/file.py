"""Design goals as a file: which metric should lie where. All mistakes are reported, each with file, line and
field.

variants = ["celtica"]
agents = "greedy"
minutes = 2

[[goal]]
metric = "seat_win_share"
players = "3-4"
within = 2
"""

import functools
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from analytics.metric.metric import Metric, find_metric, find_scale, metrics
from analytics.words import add_unit
from boardgames.agents.python_agent import trust_line_up
from boardgames.errors import BoardgamesError, InvalidInput, make_unknown_error
from boardgames.game.player_counts import parse_player_counts
from boardgames.game.plugins import read_toml

MINUTES = 2.0  # of play, unless a file or a command sets a limit
WEAKEST = "random"  # the opponents for a metric of skill, unless a goal names others
Statistic = Literal["mean", "median"]
Limit = Annotated[float, Field(ge=-sys.float_info.max, le=sys.float_info.max)]  # not nan, not inf
Located = TypeVar("Located")  # a mistake with its place


class Mistake(NamedTuple):
    """What is wrong with a field of a goals file, and where it stands."""

    path: Path
    line: int
    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}, line {self.line}, {self.field}: {self.reason}"


class InvalidGoals(InvalidInput):
    """A goals file with mistakes, all of them."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = tuple(mistakes)


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=True)


class GoalTable(_Model):
    """A table [[goal]] as it is written."""

    metric: str = ""
    part: str | int | None = None
    players: str | int = ""
    low: Limit | None = None
    high: Limit | None = None
    within: Limit | None = None
    statistic: Statistic = "mean"
    against: str = WEAKEST


class GoalFile(_Model):
    """A file of goals as it is written."""

    variants: list[str] = []
    players: str = ""
    agents: str = ""  # the usual agent
    minutes: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    matches: int | None = Field(default=None, gt=0)
    seed: int = 1
    goal: list[GoalTable] = Field(min_length=1)


SETTINGS = [name for name in GoalFile.model_fields if name != "goal"]
# what is wrong, by the kind of pydantic's error
PROBLEMS = {
    "greater_than": "it is a number above 0",
    "finite_number": "it is a number above 0",
    "greater_than_equal": "it is a number, not {value!r}",
    "less_than_equal": "it is a number, not {value!r}",
    "float_type": "{value!r} is not a number",
    "int_type": "it is a whole number, not {value!r}",
    "string_type": "it is a text, not {value!r}",
    "list_type": "it is a list, not {value!r}",
    "literal_error": f"it is {' or '.join(get_args(Statistic))}, not {{value!r}}",
}


class Goal(NamedTuple):
    """A metric, or one part of it, should lie between two numbers; in the file, shares are written in
    percent.
    """

    metric: str
    low: float
    high: float
    part: str = ""  # by default all
    players: tuple[int, ...] = ()  # by default all that are played
    within: float | None = None  # instead of low and high: the distance from an equal share of the seats
    median: bool = False  # of the matches; else the mean
    against: str = ""  # for metrics of skill: the agent's opponents

    @property
    def needs_swaps(self) -> bool:
        """Whether only deals with swapped chance tell."""
        return find_metric(self.metric).kind == "swaps"

    def find_range(self, players: int) -> tuple[float, float]:
        if self.within is None:
            return self.low, self.high
        return 1 / players - self.within, 1 / players + self.within

    def describe(self) -> str:
        """The goal in words, as it may be typed."""
        name = f"{'median ' if self.median else ''}{self.metric} {self.part}".strip()
        where = f" against {self.against}" if self.against not in ("", WEAKEST) else ""
        where += f" at {','.join(map(str, self.players))} players" if self.players else ""
        if self.within is not None:
            return f"{name} within {100 * self.within:g} pp of fair{where}"
        metric = find_metric(self.metric)
        low, high = (f"{find_scale(metric.unit) * number:g}" for number in (self.low, self.high))
        wanted = f"from {low} to {high}"
        if math.isinf(self.low):
            wanted = f"at most {high}"
        elif math.isinf(self.high):
            wanted = f"at least {low}"
        return f"{name} {add_unit(wanted, metric.unit)}{where}"


class Goals(NamedTuple):
    """A file of goals with its settings; options of the command line replace these."""

    goals: tuple[Goal, ...]
    variants: tuple[str, ...] = ()
    players: str = ""
    agents: str = ""  # the usual agent
    minutes: float | None = None
    matches: int | None = None  # of each cell, at most
    seed: int = 1

    @property
    def seconds(self) -> float:
        """The limit of time. A limit in matches needs none: it gives the same answer on every machine."""
        if self.minutes is None:
            return 60 * MINUTES if self.matches is None else math.inf
        return 60 * self.minutes


def read_goals(path: Path) -> Goals:
    """All goals of a file; InvalidInput with all mistakes in it."""
    tables = read_toml(path)
    goal_tables = tables.get("goal")
    if (
        any(isinstance(value, dict) or name == "goals" for name, value in tables.items())
        or not isinstance(goal_tables, list)
        or not goal_tables
    ):
        raise InvalidInput(
            f"{path}: it holds tables [[goal]], before them {', '.join(SETTINGS)}, and nothing else"
        )
    file, mistakes = _parse_file(path, tables)
    goals = []
    if file:
        for line_up in filter(None, [file.agents, *(table.against for table in file.goal)]):
            trust_line_up(line_up)  # a person has named the file
        mistakes += _find_player_problems(path, file)
        for index, table in enumerate(file.goal):
            checker = GoalChecker(table, functools.partial(_locate, path, index))
            goals.append(checker.make_goal())
            mistakes += checker.mistakes
    if mistakes or not file:
        raise InvalidGoals(mistakes)
    return Goals(
        tuple(goal for goal in goals if goal),
        variants=tuple(file.variants),
        players=file.players,
        agents=file.agents,
        minutes=file.minutes,
        matches=file.matches,
        seed=file.seed,
    )


def _parse_file(path: Path, tables: dict[str, Any]) -> tuple[GoalFile | None, list[Mistake]]:
    """The file, or None and what is wrong with its fields."""
    try:
        return GoalFile.model_validate(tables), []
    except ValidationError as error:
        return None, [_describe_problem(path, problem) for problem in error.errors()]


def _describe_problem(path: Path, problem: Any) -> Mistake:
    """One of pydantic's errors in our words."""
    place = problem["loc"]
    index, field = (place[1], place[2]) if len(place) > 2 and place[0] == "goal" else (-1, place[0])
    if problem["type"] == "extra_forbidden":
        fields = GoalTable.model_fields if index >= 0 else SETTINGS
        return _locate(path, index, str(field), make_unknown_error("field", str(field), fields))
    reason = PROBLEMS.get(problem["type"], problem["msg"]).format(value=problem["input"])
    return _locate(path, index, str(field), reason)


def _find_player_problems(path: Path, file: GoalFile) -> list[Mistake]:
    try:
        parse_player_counts(file.players)
    except BoardgamesError as error:
        return [_locate(path, -1, "players", error)]
    return []


class GoalChecker(Generic[Located]):
    """Makes one goal from its table, and collects the mistakes in it. `locate` says where a field stands."""

    def __init__(self, table: GoalTable, locate: Callable[[str, Any], Located]) -> None:
        self.table = table
        self.locate = locate
        self.mistakes: list[Located] = []

    def make_goal(self) -> Goal | None:
        """The goal; None if its metric is none."""
        metric = self._find_metric()
        players = self._read_players()
        if metric is None:
            return None
        low, high = self._read_range(metric)
        table = self.table
        self._check_within(metric)
        self._check_statistic(metric)
        self._check_against(metric)
        return Goal(
            metric=metric.name,
            low=low,
            high=high,
            part=metric.main_part if table.part is None else str(table.part),
            players=players,
            within=None if table.within is None else table.within / 100,
            median=table.statistic == "median",
            against=table.against if metric.line_ups == "mixed" else "",
        )

    def _report(self, field: str, reason: Any) -> None:
        self.mistakes.append(self.locate(field, reason))

    def _find_metric(self) -> Metric | None:
        try:
            return find_metric(self.table.metric)
        except BoardgamesError as error:
            self._report("metric", error)
            return None

    def _read_players(self) -> tuple[int, ...]:
        try:
            return tuple(parse_player_counts(str(self.table.players)))
        except BoardgamesError as error:
            self._report("players", error)
            return ()

    def _read_range(self, metric: Metric) -> tuple[float, float]:
        """The numbers between which the metric should lie; shares as shares, not in percent."""
        table = self.table
        if table.low is None and table.high is None and table.within is None:
            self._report("metric", "a goal has a field low or high, or both, or within")
        scale = find_scale(metric.unit)
        low = -math.inf if table.low is None else table.low / scale
        high = math.inf if table.high is None else table.high / scale
        if low > high:
            self._report("low", f"{low * scale:g} is above high, {high * scale:g}: nothing can lie there")
        elif metric.is_true_share and (low > 1 or high < 0):
            reason = f"a share lies between 0 and 100%, never from {low * scale:g} to {high * scale:g}"
            self._report("low" if low > 1 else "high", reason)
        return low, high

    def _check_within(self, metric: Metric) -> None:
        table = self.table
        if table.within is None:
            return
        if not metric.has_fair_share or table.low is not None or table.high is not None:
            names = " or ".join(other.name for other in metrics().values() if other.has_fair_share)
            self._report(
                "within", f"it is only for {names}, instead of low and high: how near to an equal share"
            )
        elif not table.within > 0:
            self._report("within", f"it is a number of percentage points above 0, not {table.within:g}")

    def _check_statistic(self, metric: Metric) -> None:
        if self.table.statistic == "median" and not metric.median_column:
            names = ", ".join(other.name for other in metrics().values() if other.median_column)
            self._report("statistic", f"medians are for what each match has one of: {names}")

    def _check_against(self, metric: Metric) -> None:
        if "against" in self.table.model_fields_set and metric.line_ups != "mixed":
            names = " and ".join(other.name for other in metrics().values() if other.line_ups == "mixed")
            self._report("against", f"it is only for metrics of skill: {names}")


def find_goal_line(path: Path, number: int) -> int:
    """The line in which the n-th goal of a file names its metric; `number` is from 1."""
    return _find_line(path, number - 1, "metric")


def _locate(path: Path, index: int, field: str, reason: Any) -> Mistake:
    return Mistake(path, _find_line(path, index, field), field, str(reason))


def _find_line(path: Path, index: int, field: str) -> int:
    """The line of a field of the n-th goal, or before all goals for -1; of the goal itself, if it is
    missing.
    """
    current, goal_line = -1, 1
    for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if text.strip().startswith("[[goal]]"):
            current, goal_line = current + 1, line if current + 1 == index else goal_line
        elif current == index and text.split("=")[0].strip() == field:
            return line
    return goal_line
