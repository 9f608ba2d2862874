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
from analytics.questions.compare.lines import estimate_group_mean, estimate_paired_difference
from analytics.stats.intervals import FEWEST_UNITS, Estimate, Units, compute_pseudo_values, widen_exact
from analytics.verdict.design import Design, list_usual_agents
from analytics.verdict.terms import Terms, check_thresholds
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

    @property
    def average(self) -> Estimate:
        """Its part of the whole: the mean of both orders. Its interval is no narrower than it has to be."""
        mean, low, high = ((a + b) / 2 for a, b in zip(self.from_a[:3], self.from_b[:3], strict=True))
        return Estimate(mean, low, high, min(self.from_a.deals, self.from_b.deals))


@dataclass(frozen=True, kw_only=True)
class MetricExplanation:
    """One metric, or part of it, of a change."""

    metric: str
    part: str
    unit: str
    threshold: float  # the smallest difference that matters
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

    def list_pairs(self, cells: Mapping[str, int]) -> list[tuple[int, int]]:
        """The pairs of cells whose differences are asked for: the whole and the single switches."""
        pairs = [(self.a, self.b), *((self.a, spec) for spec in self.towards.values())]
        pairs += [(spec, self.b) for spec in self.back.values()]
        return list(dict.fromkeys((cells[a], cells[b]) for a, b in pairs))

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
    return [
        _explain_at(done.design, switches, count, options.db, done.terms, done.played)
        for count in done.design.players
    ]


def _explain_at(
    design: Design, switches: Switches, players: int, db: Path, terms: Terms, played: int
) -> Explanation:
    """The explanation at one player count, from stored matches. Missing sums are stored."""
    changed = design.list_changed_variants(players)
    cells = {
        spec: design.find_cell(index if index in changed else 0, players, design.agents[0]).id
        for index, spec in enumerate(design.specs)
    }
    metrics = [
        metric
        for metric in map(find_metric, terms.main_metrics)
        if metric.kind in ("mean", "ratio") and metric.line_ups != "mixed"
    ]
    pairs = [pair for pair in switches.list_pairs(cells) if pair[0] != pair[1]]
    fill_sums(db, pairs, metrics)
    evidence = load_evidence(db, list(dict.fromkeys(cells.values())), metrics, pairs)
    lines = [
        _MetricSwitches(
            evidence=evidence,
            switches=switches,
            cells=cells,
            metric=metric,
            part=part,
            reach=_find_reach(design, metric, players),
        ).explain(terms)
        for metric in metrics
        for part in evidence.list_parts(metric, cells[switches.a])
        if all((cell, part) in evidence.units[metric.name] for cell in cells.values())
        and not metric.is_mirror(part, players)
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


@dataclass(frozen=True, kw_only=True)
class _MetricSwitches:
    """What is known about one metric, or part of it, in all mixes."""

    evidence: Evidence
    switches: Switches
    cells: Mapping[str, int]  # by spec
    metric: Metric
    part: str
    reach: float

    def explain(self, terms: Terms) -> MetricExplanation:
        switches = self.switches
        effects = tuple(
            Effect(
                name,
                _describe_change(switches, name),
                self._estimate(switches.a, switches.towards[name]),
                self._estimate(switches.back[name], switches.b),
            )
            for name in switches.parameters
        )
        whole = self._estimate(switches.a, switches.b)
        level = self.evidence.estimate(self.metric, self.cells[switches.a], self.part).mean
        return MetricExplanation(
            metric=self.metric.name,
            part=self.part,
            unit=self.metric.unit,
            threshold=terms.find_threshold(self.metric, level),
            whole=whole,
            effects=effects,
            interaction=self._estimate_interaction(whole, effects),
        )

    def _estimate(self, a: str, b: str) -> Estimate:
        """The difference of two mixes, as `compare` estimates it."""
        cells = self.cells[a], self.cells[b]
        if cells[0] == cells[1]:  # the same rules at this player count
            deals = self.evidence.values[cells[0], "cut_off"].deals
            return self._widen_if_exact(Estimate(0.0, 0.0, 0.0, deals))
        difference = estimate_paired_difference(self.evidence, self.metric, self.part, *cells)
        return self._widen_if_exact(difference)

    def _estimate_interaction(self, whole: Estimate, effects: Sequence[Effect]) -> Estimate:
        """What is left of the whole. Over too few groups of deals, it is off by no more than the whole and
        the single switches together.
        """
        units = self._select_units()
        if len(units[self.switches.a].deals) >= FEWEST_UNITS:
            values = {spec: compute_pseudo_values(u, self.metric.formula) for spec, u in units.items()}
            a, b = values[self.switches.a], values[self.switches.b]
            singles = [values[spec] - a for spec in self.switches.towards.values()]
            left = (b - a) - np.sum(singles, axis=0)
            return self._widen_if_exact(estimate_group_mean(left, units[self.switches.a]))
        estimates = [whole, *(effect.from_a for effect in effects)]
        mean = whole.mean - sum(effect.from_a.mean for effect in effects)
        half_width = sum(estimate.half_width for estimate in estimates)
        return Estimate(mean, mean - half_width, mean + half_width, whole.deals)

    def _select_units(self) -> dict[str, Units]:
        """The groups of deals that all mixes have, by spec."""
        units = self.evidence.units[self.metric.name]
        shared = select_shared_units([units[cell, self.part] for cell in self.cells.values()])
        return dict(zip(self.cells, shared, strict=True))

    def _widen_if_exact(self, estimate: Estimate) -> Estimate:
        """The estimate, with an interval also where no deal differs yet: another may differ by up to the
        reach of a match's value.
        """
        if estimate.high - estimate.low > 1e-12 or not estimate.has_interval:
            return estimate
        return widen_exact(estimate, self.reach, self.reach)


def _describe_change(switches: Switches, name: str) -> str:
    a, b = find_variant(switches.a), find_variant(switches.b)
    (parameter,) = [parameter for parameter in a.game.parameters if parameter.name == name]
    return f"{parameter.write(a.values[name])} -> {parameter.write(b.values[name])}"
