"""`compare --explain`: which of several changed parameters causes what, and what only their meeting does.

Each parameter is switched alone from A towards B, and alone from B back to A. What the whole change does beyond the sum of the
single switches from A is interaction. All of it is measured on the same luck, and combined group of blocks by group of blocks.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from analytics.metric.evidence import Evidence, gather, shared_units
from analytics.metric.metric import Metric, find_metric
from analytics.questions.compare.compare import play
from analytics.questions.compare.lines import groups_mean
from analytics.stats.intervals import Array, Estimate, block_share, pseudo_values
from analytics.verdict.design import Design
from boardgames.errors import BadInput
from boardgames.game import spec as words
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant


@dataclass(frozen=True)
class Effect:
    """What one parameter does to one metric."""

    parameter: str
    change: str  # in words
    from_a: Estimate  # A with this alone as in B, less A
    from_b: Estimate  # B, less B with this alone as in A


@dataclass(frozen=True)
class Explained:
    """One metric, or part of it, of a change."""

    metric: str
    part: str
    unit: str
    whole: Estimate  # B - A
    effects: tuple[Effect, ...]
    interaction: Estimate  # the whole, less the single switches from A


@dataclass(frozen=True)
class Explanation:
    """A change of several parameters taken apart, at one player count."""

    a: str
    b: str
    players: int
    agent: str
    matches: int  # of each variant
    lines: tuple[Explained, ...]
    played: int = 0  # by this call, at all player counts


@dataclass(frozen=True)
class Switches:
    """The variants that are needed: A, B, and for each changed parameter both single switches, by their specs."""

    a: str
    b: str
    parameters: tuple[str, ...]
    towards: Mapping[str, str]  # A with this parameter as in B
    back: Mapping[str, str]  # B with this parameter as in A

    @property
    def specs(self) -> list[str]:
        return list(dict.fromkeys([self.a, self.b, *self.towards.values(), *self.back.values()]))


def make_switches(a: str, b: str) -> Switches:
    """With two parameters, one switch from A is the other one back from B: each mix is played once."""
    first, last = find_variant(a), find_variant(b)
    if first.game is not last.game:
        raise BadInput(f"{first.name} and {last.name} are different games: only parameters can be switched one at a time")
    changed = tuple(p.name for p in first.game.parameters if first.values[p.name] != last.values[p.name])
    if len(changed) < 2:
        raise BadInput(f"{a} and {b} differ in {len(changed)} parameters: there is nothing to take apart; leave out --explain")
    known = {_key(first): a, _key(last): b}
    towards = {name: _mixed(a, first, {name: last.values[name]}, known) for name in changed}
    back = {name: _mixed(a, last, {name: first.values[name]}, known) for name in changed}
    return Switches(a, b, changed, towards, back)


def _key(variant: Variant) -> tuple[Any, ...]:
    return tuple(str(value) for value in variant.values.values())


def _mixed(spec: str, variant: Variant, values: Mapping[str, Any], known: dict[tuple[Any, ...], str]) -> str:
    """A spec for a variant with some values changed, written from the same base as `spec`."""
    game, base = variant.game, words.split(spec)[0]
    mixed = replace(variant, values={**variant.values, **values})
    written = words.write(base, game.parameters, mixed.values, find_variant(base).values)
    return known.setdefault(_key(mixed), written)


def explain_change(
    specs: Sequence[str], into: str | Path = "boardgames.duckdb", *, agents: Sequence[str] = (), **asked: Any
) -> list[Explanation]:
    """Play all the mixes on the same luck, and take the change from the first to the second apart, at each player count.

    `asked` is what `compare` takes: players, minutes, blocks, seed, primaries ...
    """
    if len(specs) != 2:
        raise BadInput(f"--explain takes two variants apart, not {len(specs)}")
    switches = make_switches(*specs)
    design, terms, _, played = play(switches.specs, Path(into), agents=list(agents or ("greedy",))[:1], duels=False, **asked)
    return [take_apart(design, switches, n, Path(into), terms.primaries, played) for n in design.players]


def take_apart(
    design: Design, switches: Switches, players: int, path: Path, primaries: Sequence[str], played: int = 0
) -> Explanation:
    """The explanation at one player count, from stored matches."""
    others = design.others(players)
    cells = {
        spec: design.cell(place if place in others else 0, players, design.agents[0]).id for place, spec in enumerate(design.specs)
    }
    wanted = [metric for metric in map(find_metric, primaries) if metric.kind in ("mean", "ratio") and metric.line_ups != "mixed"]
    evidence = gather(path, list(dict.fromkeys(cells.values())), wanted)
    lines = [
        _explained(evidence, switches, cells, metric, part, _reach(design, metric, players))
        for metric in wanted
        for part in evidence.parts(metric, cells[switches.a])
        if all((cell, part) in evidence.units[metric.name] for cell in cells.values())
    ]
    seatings = len(design.cell(0, players, design.agents[0]).table.seatings)
    matches = min((line.whole.blocks for line in lines), default=0) * seatings
    names = [find_variant(spec).name for spec in (switches.a, switches.b)]
    return Explanation(names[0], names[1], players, design.agents[0], matches, tuple(lines), played)


def _reach(design: Design, metric: Metric, players: int) -> float:
    """The most that a match's value can differ between two of the mixes."""
    return max(metric.reach(variant, players) for variant in design.variants) if metric.reach else math.nan


def _explained(
    evidence: Evidence, switches: Switches, cells: Mapping[str, int], metric: Metric, part: str, reach: float
) -> Explained:
    units = dict(zip(cells, shared_units([evidence.units[metric.name][cell, part] for cell in cells.values()]), strict=True))
    values = {spec: pseudo_values(one, metric.formula) for spec, one in units.items()}
    blocks, a, b = units[switches.a], values[switches.a], values[switches.b]
    single = {name: values[spec] - a for name, spec in switches.towards.items()}
    rest = (b - a) - np.sum(list(single.values()), axis=0)

    def mean(differences: Array) -> Estimate:
        return _never_exact(groups_mean(differences, blocks), reach)

    effects = tuple(
        Effect(name, _change(switches, name), mean(single[name]), mean(b - values[switches.back[name]]))
        for name in switches.parameters
    )
    return Explained(metric.name, part, metric.unit, mean(b - a), effects, mean(rest))


def _never_exact(estimate: Estimate, reach: float) -> Estimate:
    """Where no block differs, one may still come: as often as Clopper and Pearson allow, and as far as a match's value reaches."""
    if estimate.high - estimate.low > 1e-12 or not math.isfinite(estimate.low):
        return estimate
    half = reach * block_share(estimate.blocks, 0.0, 0.0).high
    return Estimate(estimate.mean, estimate.mean - half, estimate.mean + half, estimate.blocks)


def _change(switches: Switches, name: str) -> str:
    a, b = find_variant(switches.a), find_variant(switches.b)
    (parameter,) = [p for p in a.game.parameters if p.name == name]
    return f"{parameter.write(a.values[name])} -> {parameter.write(b.values[name])}"
