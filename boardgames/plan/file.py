"""Plans as files that one can keep in git."""

from collections.abc import Sequence
from pathlib import Path

import tomli_w
from pydantic import ValidationError

from boardgames.agents.python_agent import trust_line_up
from boardgames.errors import InvalidInput
from boardgames.files import read_file
from boardgames.game.plugins import read_own_variants, read_toml
from boardgames.game.spec import split_spec
from boardgames.plan.plan import Plan, plan_request
from boardgames.plan.request import Mistake, PlanRequest, list_mistakes


def find_plan_file(specs: Sequence[str]) -> Path | None:
    """The plan file that is named in the place of variants; None if variants are named."""
    if len(specs) != 1 or not specs[0].endswith(".toml"):
        return None
    _, values = split_spec(specs[0])
    return None if values else Path(specs[0])  # celtica+board=my.toml is a variant


def read_plan(path: Path) -> Plan:
    """A plan from a file: the table [run], and tables of variants as in variants.toml. Raises with all
    mistakes of the table, each with its line.
    """
    tables = read_toml(path)
    fields = tables.pop("run", None)
    if not isinstance(fields, dict):
        raise InvalidInput(f"{path}: it needs a table [run] with variants, agents, matches ...")
    try:
        request = PlanRequest(**fields)
    except ValidationError as error:
        raise InvalidInput(_describe_mistakes(path, list_mistakes(error, fields))) from None
    for line_up in request.agents:
        trust_line_up(line_up)  # a person has named the file
    return plan_request(request, {**read_own_variants(), **tables})


def _describe_mistakes(path: Path, mistakes: list[Mistake]) -> str:
    """`plan.toml, line 3: there is no field 'deal'`, or a list of such lines."""
    lines = {mistake: _find_line(path, mistake.field) for mistake in mistakes}
    texts = [
        f"{f'line {line}' if line else '[run]'}: {mistake.message}"
        for mistake, line in sorted(lines.items(), key=lambda item: item[1] or 0)
    ]
    if len(texts) == 1:
        return f"{path}, {texts[0]}"
    return "\n  ".join([f"{path} has {len(texts)} mistakes.", *texts])


def _find_line(path: Path, field: str) -> int | None:
    """The line of the table [run] that sets a field; None if there is none."""
    keys = [line.partition("=")[0].strip() for line in read_file(path).splitlines()]
    start = keys.index("[run]") if "[run]" in keys else 0
    return next((line for line, key in enumerate(keys, 1) if line > start and key == field), None)


def format_plan(plan: Plan) -> str:
    """A plan as a file that `read_plan` reads; a plan that was not asked for in words has none."""
    if plan.request is None:
        raise InvalidInput("this plan was put together in Python; make_plan makes one that can be written")
    fields = plan.request.model_dump(exclude_none=True)
    return tomli_w.dumps({"run": {name: value for name, value in fields.items() if value not in ("", [])}})
