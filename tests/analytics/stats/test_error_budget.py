"""What a question says is wrong with a chance of 5 % at most, all together: its intervals share one allowed
error. The error of every always-valid interval is read where it is computed, while the question is answered.
"""

import ast
import sys
from collections import defaultdict
from pathlib import Path

import pytest

import analytics
from analytics import check_goals, compare, find_fix, measure_luck, sweep
from analytics.stats.capital import compute_interval
from analytics.stats.intervals import compute_share_bounds
from analytics.verdict.levels import compute_median_interval
from boardgames.plan.counts import Counts
from boardgames.play.estimates import ALPHA, ErrorBudget

FOLDER = Path(analytics.__file__).parent
SKILL = "tests.truth.p_deterministic:GAME"
HEAD_START = "tests.support.head_start:GAME"
DICE = "tests.truth.two_dice:GAME"
FIXED = "head-start, head-start+head_start=0/1/0"  # the only change that is tried
GOALS = f"""
variants = ["{SKILL}"]
agents = "random"
players = "2,3"
minutes = 1
matches = 192
[[goal]]
metric = "seat_win_share"
within = 3
[[goal]]
metric = "seat_imbalance"
high = 3
[[goal]]
metric = "length"
statistic = "median"
high = 3
[[goal]]
metric = "tied_after"
high = 30
"""
INTERVALS = ("AlwaysValidInterval", "tuple[float, float]")


def list_modules(folder: str) -> list[Path]:
    return sorted((FOLDER / folder).rglob("*.py"))


def find_interval_functions() -> set[str]:
    """The names of all functions that compute intervals from an allowed error."""
    functions = (
        node
        for path in [*list_modules("stats"), *list_modules("verdict"), *list_modules("questions")]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef)
    )
    return {
        function.name
        for function in functions
        if "alpha" in {argument.arg for argument in function.args.args}
        and any(interval in ast.unparse(function.returns or ast.Name("")) for interval in INTERVALS)
    }


def find_questions() -> list[str]:
    """The questions that compute such an interval: a file or a folder of analytics/questions each."""
    names = find_interval_functions()
    questions = set()
    for path in list_modules("questions"):
        calls = (node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
        if any(getattr(call, "attr", getattr(call, "id", "")) in names for call in calls):
            questions.add(path.relative_to(FOLDER / "questions").parts[0].removesuffix(".py"))
    return sorted(questions)


SLOW = ("fix",)
# What a search for a fix judges with 5% of its own: see docs/how/fix.md. What the second agent says of the
# game as it is has a part of that agent's.
BUDGETS_OF_FIX = {"fix by random", "fix by greedy", "goals by random", f"main metrics of compare {FIXED}"}
QUESTIONS = [
    pytest.param(name, marks=[pytest.mark.long] if name in SLOW else []) for name in find_questions()
]


def ask_compare(folder):
    main = ["seat_win_share", "seat_imbalance", "tied_after", "length", "leader_conversion", "winning_margin"]
    specs = [SKILL, f"{SKILL}+p=60", f"{SKILL}+p=70"]
    options = {"agents": "random", "main_metrics": main, "matches": 192}
    compare(*specs, db=folder / "compare.duckdb", players="2,3", **options)


def ask_goals(folder):
    (folder / "goals.toml").write_text(GOALS)
    check_goals(folder / "goals.toml", db=folder / "goals.duckdb")


def ask_fix(folder):
    options = {"agents": "random", "stronger": "greedy", "players": "2", "change": "head_start=0..1"}
    keep = ["length within 10 %", "tied_after within 40 pp"]
    find_fix(HEAD_START, db=folder / "fix.duckdb", fair_seats=True, keep=keep, matches=1024, **options)


def ask_sweep(folder):
    options = {"db": folder / "sweep.duckdb", "players": "2", "agents": "random", "matches": 192}
    (result,) = sweep(SKILL, "p=60..90..15", best="seat_win_share 1 near 80%", **options)
    assert len(result.trial.rivals) == 2


def ask_luck(folder):
    specs = [DICE, f"{DICE}+small=5"]
    measure_luck(*specs, db=folder / "luck.duckdb", agents="random", matches=400)


ASK = {"compare": ask_compare, "goals": ask_goals, "fix": ask_fix, "sweep": ask_sweep, "luck": ask_luck}


CODES = {function.__code__ for function in (compute_interval, compute_share_bounds, compute_median_interval)}
PART_OF_A_MEDIAN = "_compare_with_median"  # many bounds make one interval of a median


class Watch:
    """The allowed error of each interval that is computed, of every part of a budget that it is taken from.
    An interval that is computed again from the same matches counts once.
    """

    def __init__(self) -> None:
        self.spent: dict[tuple, dict[bytes, float]] = defaultdict(dict)
        self.unbudgeted: list[str] = []

    def __call__(self, frame, event, _argument) -> None:
        if event != "call" or frame.f_code not in CODES or frame.f_back.f_code.co_name == PART_OF_A_MEDIAN:
            return
        alpha = frame.f_locals["alpha"]
        if not isinstance(alpha, ErrorBudget):
            self.unbudgeted.append(f"{frame.f_back.f_code.co_filename}: {frame.f_back.f_code.co_name}")
            return
        counts = [value for value in frame.f_locals.values() if isinstance(value, Counts)]
        plain = [repr(value) for value in frame.f_locals.values() if not isinstance(value, Counts)]
        data = b"".join([repr(plain).encode(), *(c.values.tobytes() + c.counts.tobytes() for c in counts)])
        for length in range(1, len(alpha.origin) + 1):
            self.spent[alpha.origin[:length]][repr(alpha.origin).encode() + data] = float(alpha)


def watch(ask) -> Watch:
    seen = Watch()
    sys.setprofile(seen)
    try:
        ask()
    finally:
        sys.setprofile(None)
    return seen


def test_questions_with_verdicts_are_found_in_the_program():
    assert {"compare", "goals", "fix", "sweep", "luck"} <= set(find_questions())


@pytest.mark.parametrize("question", QUESTIONS)
def test_all_that_a_question_says_is_wrong_with_a_chance_of_5_percent_at_most(question, tmp_path):
    assert question in ASK, (
        f"{question} says something with a verdict: ask it here, and give it an ErrorBudget"
    )
    ASK[question](tmp_path)  # plays
    seen = watch(lambda: ASK[question](tmp_path))
    assert not seen.unbudgeted
    assert seen.spent
    for origin, errors in seen.spent.items():
        _, alpha = origin[-1]
        assert alpha <= ALPHA
        assert sum(errors.values()) <= alpha * (1 + 1e-9), origin
    if question == "fix":
        assert {name for (name, _), *_ in seen.spent} == BUDGETS_OF_FIX
        assert ("the game as it is", 0.025) in {origin[-1] for origin in seen.spent}


def test_what_a_budget_hands_out_never_adds_up_to_more():
    budget = ErrorBudget(purpose="a question")
    halves = budget.split("a", "b", "a")
    assert halves == {"a": 0.025, "b": 0.025}
    assert 0.049 < sum(budget.take(position) for position in range(1, 1000)) < budget
    (part,) = halves["a"].take(1).split("x").values()
    assert ErrorBudget(part).origin == (("a question", 0.05), ("a", 0.025), (1, 0.0125), ("x", 0.0125))
