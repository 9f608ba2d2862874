"""`alternatives`: does a verdict hold whatever the undocumented values are?

A game whose components are partly reconstructed, or a prototype with unsettled values, says in `fill_in` how
to draw plausible alternatives for them. Both variants are compared again with each of several such fill-ins.
"""

import hashlib
import json
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from analytics.answer import Answer
from analytics.playing import Budget, RunOptions
from analytics.questions.compare.compare import (
    ComparisonRequest,
    Listeners,
    OnStart,
    ignore_start,
    run_comparison,
)
from analytics.questions.compare.conclusions import label_verdict
from analytics.stats.intervals import Estimate, estimate_share_from_sums
from analytics.verdict.design import list_usual_agents
from analytics.verdict.results import Comparison, Line
from analytics.verdict.terms import MINUTES, check_thresholds
from analytics.verdict.verdicts import DIFFERENT, SAME, UNCLEAR
from analytics.words import describe_agents
from boardgames.errors import InvalidInput
from boardgames.files import write_files
from boardgames.game import spec as words
from boardgames.game.parameters import Parameter
from boardgames.game.player_counts import Players, format_players
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.given_values import read_path
from boardgames.notebook import follow_lines
from boardgames.plan.arguments import Agents, Texts, Variants, format_agent, list_specs, list_texts

CLAIMS = (SAME, DIFFERENT, UNCLEAR)
FILL_INS = 20
MOST_FILL_INS = 1000


@dataclass(frozen=True, kw_only=True)
class RobustVerdict:
    """The verdict on a main metric, or part of it, and how often it holds over the fill-ins."""

    metric: str
    part: str
    players: int
    unit: str
    says: str  # the verdict with the components as they are
    claims: bool  # whether that is a verdict that can hold
    counts: Mapping[str, int]  # the number of fill-ins for each verdict
    holds: int
    tried: int
    share: Estimate  # of all plausible fill-ins in which it holds
    lowest: float  # of the differences
    highest: float


@dataclass(frozen=True, kw_only=True)
class Robustness(Answer):
    a: str
    b: str
    agent: str
    comparison: Comparison  # with the components as they are
    fill_ins: tuple[str, ...]  # the spec of A in each
    held: tuple[RobustVerdict, ...]
    played: int = 0  # matches, by this call

    def __repr__(self) -> str:
        return f"<Robustness of {self.a} against {self.b}, {len(self.fill_ins)} fill-ins>"


def check_robustness(
    *variants: Variants,
    count: int = FILL_INS,
    db: str | Path = "boardgames.duckdb",
    players: Players = "",
    agents: Agents = "",
    minutes: float | None = None,
    matches: int | None = None,
    more: bool = False,
    main_metrics: Texts = (),
    thresholds: Mapping[str, float] | None = None,
    seed: int = 1,
    workers: int = 1,
    command: str = "",
    on_start: OnStart = ignore_start,
    on_progress: Callable[[str], None] | None = None,
) -> Robustness:
    """Compare A and B as they are, then with each of `count` fill-ins of what is not documented; all share
    the time. One agent plays. The other keywords are those of `compare`.
    """
    specs = list_specs(variants)
    if len(specs) != 2:
        raise InvalidInput(f"alternatives compares two variants, not {len(specs)}")
    if not 1 <= count <= MOST_FILL_INS:
        raise InvalidInput(f"--count {count}: write a whole number from 1 to {MOST_FILL_INS:,}")
    named = format_agent(agents, "alternatives")
    request = ComparisonRequest(
        specs=specs,
        players=format_players(players),
        agents=[named] if named else [],
        usual_agents=list_usual_agents(map(find_variant, specs), players)[:1],
        head_to_heads=False,
        main_metrics=list_texts("main_metrics", main_metrics),
        thresholds=check_thresholds(thresholds),
    )
    budget = Budget(minutes=minutes, matches=matches, extend=more)
    options = RunOptions(db=read_path("db", db), seed=seed, workers=workers, command=command)
    with follow_lines("alternatives", on_progress) as on_line:
        options = replace(options, on_progress=on_line)
        return _compare_with_fill_ins(request, count, budget, options, Listeners(on_start))


def _compare_with_fill_ins(
    request: ComparisonRequest, count: int, budget: Budget, options: RunOptions, listeners: Listeners
) -> Robustness:
    fill_ins = draw_fill_ins(request.specs, count, options.db, options.seed)
    minutes_each = None if budget.matches else max(0.01, (budget.minutes or MINUTES) / (1 + len(fill_ins)))
    budget = replace(budget, minutes=minutes_each)
    options.on_progress("the components as they are")
    first = run_comparison(request, budget, options, listeners)
    others = _compare_fill_ins(request, fill_ins, budget, options)
    a, b = first.variants
    return Robustness(
        a=a,
        b=b,
        agent=describe_agents({contrast.players: contrast.agent for contrast in first.contrasts}),
        comparison=first,
        fill_ins=tuple(pair[0] for pair in fill_ins),
        held=tuple(_check_verdicts(first, others)),
        played=sum(comparison.played for comparison in [first, *others]),
    )


def _compare_fill_ins(
    request: ComparisonRequest, fill_ins: Sequence[Sequence[str]], budget: Budget, options: RunOptions
) -> list[Comparison]:
    comparisons = []
    for number, pair in enumerate(fill_ins, 1):
        options.on_progress(f"fill-in {number} of {len(fill_ins)}")
        comparisons.append(run_comparison(replace(request, specs=pair), budget, options))
    return comparisons


# ---- fill-ins


def draw_fill_ins(specs: Sequence[str], draws: int, db: Path, seed: int) -> list[list[str]]:
    """Both specs with each of `draws` random fill-ins of what is not documented; boards are written into
    files beside the result file.
    """
    a, b = (find_variant(spec) for spec in specs)
    fill_in = a.game.fill_in
    if fill_in is None or a.game is not b.game:
        problem = (
            "has nothing to fill in: it declares no alternatives (fill_in)"
            if a.game is b.game
            else f"is another game than {b.name}"
        )
        raise InvalidInput(f"{a.name} {problem}")
    pairs = []
    for number in range(1, draws + 1):
        drawn = dict(fill_in(random.Random(f"{seed}/{number}")))
        shared = {name: value for name, value in drawn.items() if a.values[name] == b.values[name]}
        if not shared:
            raise InvalidInput(
                f"{a.name} and {b.name} differ in all that is unknown ({', '.join(drawn)}): "
                "nothing is left to fill in"
            )
        pairs.append(
            [_fill_spec(spec, variant, shared, db) for spec, variant in zip(specs, (a, b), strict=True)]
        )
    return pairs


def _fill_spec(spec: str, variant: Variant, values: Mapping[str, Any], db: Path) -> str:
    """The spec with these values."""
    base, own_values = words.split_spec(spec)
    parameters = {parameter.name: parameter for parameter in variant.game.parameters}
    texts = {
        name: _write_value(variant.game.name, parameters[name], value, db) for name, value in values.items()
    }
    return "".join([base, *(f"+{name}={value}" for name, value in {**own_values, **texts}.items())])


def _write_value(game: str, parameter: Parameter, value: Any, db: Path) -> str:
    """A value as it is typed in a spec; a board is written into a file, named after its content."""
    if not isinstance(value, Mapping):
        return parameter.write(value)
    text = format_toml(value)
    digest = hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=4).hexdigest()
    folder = db.parent / f"{db.stem}-alternatives"
    (file,) = write_files(folder, {f"{game}-{digest}.toml": text})
    return str(file)


def format_toml(table: Mapping[str, Any]) -> str:
    """A table as a TOML file that reads the same."""
    text = "".join(f"{name} = {_format_toml_value(value)}\n" for name, value in table.items())
    if tomllib.loads(text) != table:
        raise InvalidInput(
            "this board cannot be written as TOML: it holds more than texts, numbers, lists and tables"
        )
    return text


def _format_toml_value(value: Any) -> str:
    if isinstance(value, Mapping):
        items = [f"{json.dumps(name)} = {_format_toml_value(item)}" for name, item in value.items()]
        return "{ " + ", ".join(items) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_format_toml_value, value)) + "]"
    return json.dumps(value)


# ---- what holds


def _check_verdicts(first: Comparison, others: Sequence[Comparison]) -> list[RobustVerdict]:
    lines_of_others = [_index_lines(comparison) for comparison in others]
    verdicts = []
    for key, line in _index_lines(first).items():
        if not line.is_main:
            continue
        filled_in = [lines[key] for lines in lines_of_others if key in lines]
        counts = Counter(map(label_verdict, filled_in))
        means = [filled_line.difference.mean for filled_line in filled_in] or [line.difference.mean]
        says = label_verdict(line)
        claims = line.verdict in CLAIMS
        holds = counts[says] if claims else 0
        players, metric, part = key
        verdicts.append(
            RobustVerdict(
                metric=metric,
                part=part,
                players=players,
                unit=line.unit,
                says=says,
                claims=claims,
                counts=dict(counts.most_common()),
                holds=holds,
                tried=len(filled_in),
                share=estimate_share_from_sums(len(filled_in), float(holds), float(holds)),
                lowest=min(means),
                highest=max(means),
            )
        )
    return verdicts


def _index_lines(comparison: Comparison) -> dict[tuple[int, str, str], Line]:
    """The lines by player count, metric and part."""
    return {
        (contrast.players, line.metric, line.part): line
        for contrast in comparison.contrasts
        for line in contrast.lines
    }
