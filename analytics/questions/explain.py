"""`explain`: which of several changed parameters causes what, and what only their combination does.

Each parameter is switched alone from A towards B, and alone from B back to A. What the whole change does
beyond the sum of the single switches from A is interaction. All of it is measured on the same deals, and
combined by groups of deals.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from analytics.answer import Answer
from analytics.metric.evidence import Evidence, load_evidence, select_shared_units
from analytics.metric.metric import Metric, find_metric
from analytics.metric.sums import fill_sums
from analytics.playing import Budget, RunOptions
from analytics.questions.compare.compare import (
    ComparisonRequest,
    Listeners,
    OnStart,
    ignore_start,
    play_comparison,
)
from analytics.questions.compare.lines import estimate_group_mean
from analytics.stats.intervals import Array, Estimate, compute_pseudo_values, widen_exact
from analytics.verdict.design import Design, list_usual_agents
from analytics.verdict.terms import check_thresholds
from boardgames.errors import InvalidInput
from boardgames.game import spec as words
from boardgames.game.player_counts import Players, format_players
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.given_values import read_path
from boardgames.notebook import follow_lines
from boardgames.plan.arguments import Agents, Texts, Variants, format_agent, list_specs, list_texts


@dataclass(frozen=True)
class Effect:
    """What one parameter does to one metric."""

    parameter: str
    change: str  # in words
    from_a: Estimate  # A with this alone as in B, less A
    from_b: Estimate  # B, less B with this alone as in A


@dataclass(frozen=True, kw_only=True)
class MetricExplanation:
    """One metric, or part of it, of a change."""

    metric: str
    part: str
    unit: str
    whole: Estimate  # B - A
    effects: tuple[Effect, ...]
    interaction: Estimate  # the whole, less the single switches from A


@dataclass(frozen=True, kw_only=True)
class Explanation(Answer):
    """A change of several parameters, explained at one player count."""

    a: str
    b: str
    players: int
    agent: str
    matches: int  # of each variant
    lines: tuple[MetricExplanation, ...]
    played: int = 0  # by this call, at all player counts

    def __repr__(self) -> str:
        return f"<Explanation of {self.b} against {self.a}, {self.players} players>"


@dataclass(frozen=True)
class Switches:
    """The specs of the variants to play: A, B, and both single switches of each changed parameter."""

    a: str
    b: str
    parameters: tuple[str, ...]
    towards: Mapping[str, str]  # A with this parameter as in B
    back: Mapping[str, str]  # B with this parameter as in A

    @property
    def specs(self) -> list[str]:
        return list(dict.fromkeys([self.a, self.b, *self.towards.values(), *self.back.values()]))


def make_switches(a: str, b: str) -> Switches:
    """The switches between two specs. Of two parameters, one switched from A is the other switched back from
    B: each mix is played once.
    """
    variant_a = find_variant(a)
    variant_b = find_variant(b)
    if variant_a.game is not variant_b.game:
        raise InvalidInput(
            f"{variant_a.name} and {variant_b.name} are different games: "
            "only parameters can be switched one at a time"
        )
    changed = tuple(
        parameter.name
        for parameter in variant_a.game.parameters
        if variant_a.values[parameter.name] != variant_b.values[parameter.name]
    )
    if len(changed) < 2:
        raise InvalidInput(
            f"{a} and {b} differ in {len(changed)} parameters: there is nothing to take apart; use compare"
        )
    specs_by_key = {_make_key(variant_a): a, _make_key(variant_b): b}
    towards = {
        name: _write_mix(a, variant_a, {name: variant_b.values[name]}, specs_by_key) for name in changed
    }
    back = {name: _write_mix(a, variant_b, {name: variant_a.values[name]}, specs_by_key) for name in changed}
    return Switches(a, b, changed, towards, back)


def _make_key(variant: Variant) -> tuple[Any, ...]:
    return tuple(str(value) for value in variant.values.values())


def _write_mix(
    spec: str, variant: Variant, values: Mapping[str, Any], specs_by_key: dict[tuple[Any, ...], str]
) -> str:
    """A spec for a variant with some values changed, written from the same base as `spec`."""
    base = words.split_spec(spec)[0]
    mixed = replace(variant, values={**variant.values, **values})
    parameters = variant.game.parameters
    mixed_spec = words.format_spec(base, parameters, mixed.values, find_variant(base).values)
    return specs_by_key.setdefault(_make_key(mixed), mixed_spec)


def explain_change(
    *variants: Variants,
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
) -> list[Explanation]:
    """Which changed parameter causes what, at each player count: `explain_change("celtica", "celtica:en")`.

    All mixes of both variants are played on the same deals, by one agent. Keywords are those of `compare`.
    """
    specs = list_specs(variants)
    if len(specs) != 2:
        raise InvalidInput(f"explain takes two variants apart, not {len(specs)}")
    switches = make_switches(*specs)
    named = format_agent(agents, "explain")
    request = ComparisonRequest(
        specs=switches.specs,
        players=format_players(players),
        agents=[named] if named else [],
        usual_agents=list_usual_agents(map(find_variant, specs), players)[:1],
        head_to_heads=False,
        main_metrics=list_texts("main_metrics", main_metrics),
        thresholds=check_thresholds(thresholds),
    )
    budget = Budget(minutes=minutes, matches=matches, extend=more)
    options = RunOptions(db=read_path("db", db), seed=seed, workers=workers, command=command)
    with follow_lines("explain", on_progress) as on_line:
        options = replace(options, on_progress=on_line)
        done = play_comparison(request, budget, options, Listeners(on_start))
    fill_sums(options.db)
    names = done.terms.main_metrics
    return [
        explain_at(done.design, switches, count, options.db, names, done.played)
        for count in done.design.players
    ]


def explain_at(
    design: Design, switches: Switches, players: int, db: Path, main_metrics: Sequence[str], played: int = 0
) -> Explanation:
    """The explanation at one player count, from stored matches."""
    changed = design.list_changed_variants(players)
    cells = {
        spec: design.find_cell(index if index in changed else 0, players, design.agents[0]).id
        for index, spec in enumerate(design.specs)
    }
    metrics = [
        metric
        for metric in map(find_metric, main_metrics)
        if metric.kind in ("mean", "ratio") and metric.line_ups != "mixed"
    ]
    evidence = load_evidence(db, list(dict.fromkeys(cells.values())), metrics)
    lines = [
        _explain_metric(evidence, switches, cells, metric, part, _find_reach(design, metric, players))
        for metric in metrics
        for part in evidence.list_parts(metric, cells[switches.a])
        if all((cell, part) in evidence.units[metric.name] for cell in cells.values())
    ]
    seatings = design.find_cell(0, players, design.agents[0]).seating_count
    matches = min((line.whole.deals for line in lines), default=0) * seatings
    names = [find_variant(spec).name for spec in (switches.a, switches.b)]
    return Explanation(
        a=names[0],
        b=names[1],
        players=players,
        agent=design.deciding_agents[players],
        matches=matches,
        lines=tuple(lines),
        played=played,
    )


def _find_reach(design: Design, metric: Metric, players: int) -> float:
    """The most that a match's value can differ between two of the mixes."""
    ranges = [metric.find_range(variant, players) for variant in design.variants]
    reach = max(most for _, most in ranges) - min(least for least, _ in ranges)
    return reach if math.isfinite(reach) else math.nan


def _explain_metric(
    evidence: Evidence, switches: Switches, cells: Mapping[str, int], metric: Metric, part: str, reach: float
) -> MetricExplanation:
    shared_units = select_shared_units([evidence.units[metric.name][cell, part] for cell in cells.values()])
    units = dict(zip(cells, shared_units, strict=True))
    values = {spec: compute_pseudo_values(spec_units, metric.formula) for spec, spec_units in units.items()}
    a = values[switches.a]
    b = values[switches.b]
    effects_from_a = {name: values[spec] - a for name, spec in switches.towards.items()}
    interaction = (b - a) - np.sum(list(effects_from_a.values()), axis=0)

    def estimate(differences: Array) -> Estimate:
        return _widen_if_exact(estimate_group_mean(differences, units[switches.a]), reach)

    effects = tuple(
        Effect(
            name,
            _describe_change(switches, name),
            estimate(effects_from_a[name]),
            estimate(b - values[switches.back[name]]),
        )
        for name in switches.parameters
    )
    return MetricExplanation(
        metric=metric.name,
        part=part,
        unit=metric.unit,
        whole=estimate(b - a),
        effects=effects,
        interaction=estimate(interaction),
    )


def _widen_if_exact(estimate: Estimate, reach: float) -> Estimate:
    """The estimate, with an interval also where no deal differs yet: another may differ by up to the
    reach of a match's value.
    """
    if estimate.high - estimate.low > 1e-12 or not estimate.has_interval:
        return estimate
    return widen_exact(estimate, reach, reach)


def _describe_change(switches: Switches, name: str) -> str:
    a, b = find_variant(switches.a), find_variant(switches.b)
    (parameter,) = [parameter for parameter in a.game.parameters if parameter.name == name]
    return f"{parameter.write(a.values[name])} -> {parameter.write(b.values[name])}"
