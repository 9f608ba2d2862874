"""Long lists of values are bundled: few parameters, and objects that are built by keyword."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("boardgames", "analytics", "dashboard", "variants", "benchmarks")
MOST_PARAMETERS = 8
MOST_FIELDS_BY_POSITION = 5
# public functions that take what a command of this name takes
MIRRORS = {
    "check_goals",
    "check_robustness",
    "compare",
    "explain_change",
    "find_fix",
    "make_plan",
    "make_report",
    "measure_luck",
    "simulate",
    "sweep",
}


def walk(kind: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """Each node of a kind, with the place where it stands."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, kind):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}", node


def list_decorators(node: ast.AST) -> list[str]:
    return [ast.unparse(decorator) for decorator in node.decorator_list]


def count_parameters(function: ast.FunctionDef) -> int:
    given = function.args
    names = [parameter.arg for parameter in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len([name for name in names if name not in ("self", "cls")])


def test_no_function_takes_more_than_eight_parameters_except_commands_and_their_mirrors():
    long = {
        place: function
        for place, function in walk(ast.FunctionDef)
        if count_parameters(function) > MOST_PARAMETERS
    }
    is_command = {
        place: any(".command(" in decorator for decorator in list_decorators(function))
        for place, function in long.items()
    }
    offenders = [
        place for place, function in long.items() if not is_command[place] and function.name not in MIRRORS
    ]
    assert not offenders, "\n".join(offenders)
    assert {function.name for place, function in long.items() if not is_command[place]} == MIRRORS


def test_a_dataclass_with_more_than_five_fields_is_built_by_keyword():
    offenders = []
    for place, node in walk(ast.ClassDef):
        decorators = [text for text in list_decorators(node) if text.startswith("dataclass")]
        fields = sum(isinstance(statement, ast.AnnAssign) for statement in node.body)
        if decorators and fields > MOST_FIELDS_BY_POSITION and "kw_only=True" not in decorators[0]:
            offenders.append(place)
    assert not offenders, "\n".join(offenders)
