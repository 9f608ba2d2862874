"""What may move: the parameters of a variant, how far each goes, and the changes that follow from them.

A change has a size: how many parameters move, and how far in steps of each. Smaller changes come first.
"""

import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from analytics.verdict.design import has_same_rules
from boardgames.errors import InvalidInput, make_unknown_error
from boardgames.game.grid import read_sweep
from boardgames.game.parameters import Axis, IntPerPlayerCount, IntPerSeat, Parameter
from boardgames.game.plugins import find_variant
from boardgames.game.spec import format_spec, split_spec, validate_values
from boardgames.game.variant import Variant

Point = dict[str, int]  # the index of a value on each axis that moves, by the axis's name


class Size(NamedTuple):
    """How large a change is; sizes are ordered."""

    parameters: int
    steps: int


@dataclass(frozen=True)
class Change:
    """A variant that differs from the baseline in some parameters."""

    variant: Variant
    size: Size
    point: Point

    @property
    def name(self) -> str:
        return self.variant.name

    @property
    def moved(self) -> frozenset[str]:
        """The names of the parameters on whose axes it lies."""
        return frozenset(key.partition(" ")[0] for key in self.point)


@dataclass(frozen=True)
class Space:
    """All changes that may be tried."""

    baseline: Variant
    players: tuple[int, ...]
    axes: Mapping[str, Sequence[Axis]]  # of each parameter that may move

    @functools.cached_property
    def base(self) -> Variant:
        """What the name of the baseline begins with: its game, a named variant, or one of variants.toml."""
        return find_variant(split_spec(self.baseline.spec or self.baseline.name)[0])

    @property
    def parameters(self) -> dict[str, Parameter]:
        by_name = {parameter.name: parameter for parameter in self.baseline.game.parameters}
        return {name: by_name[name] for name in self.axes}

    def list_per_seat(self) -> list[str]:
        """The parameters that have a value for each seat."""
        return [
            name
            for name, parameter in self.parameters.items()
            if isinstance(parameter, IntPerSeat) and not isinstance(parameter, IntPerPlayerCount)
        ]

    def list_axes(self, names: Sequence[str]) -> dict[str, Axis]:
        """The axes of some parameters by name: hand_size, or starting_tokens 2 for the entry of a list."""
        return {f"{name} {axis.key}".strip(): axis for name in names for axis in self.axes[name]}

    def count_points(self, names: Sequence[str]) -> int:
        """How many changes move exactly these parameters."""
        return math.prod(math.prod(len(axis.values) for axis in self.axes[name]) - 1 for name in names)

    def list_points(self, names: Sequence[str]) -> Iterator[Point]:
        """Every point that moves nothing but these parameters."""
        axes = self.list_axes(names)
        for indexes in itertools.product(*(range(len(axis.values)) for axis in axes.values())):
            yield dict(zip(axes, indexes, strict=True))

    def measure(self, point: Point) -> Size:
        """The size of the change at a point; nothing is moved at size 0."""
        steps = [steps for name in self.axes if (steps := self._count_steps(name, point))]
        return Size(len(steps), sum(steps))

    def _count_steps(self, name: str, point: Point) -> int:
        old = self.baseline.values[name]
        return self.parameters[name].count_steps(old, self._find_value(name, point))

    def _find_value(self, name: str, point: Point) -> object:
        axes = self.list_axes([name])
        moved = {axis.key: axis.values[point[key]] for key, axis in axes.items() if key in point}
        return self.parameters[name].move(self.baseline.values[name], moved)

    def make_change(self, point: Point) -> Change | None:
        """The variant at a point; None if the rules refuse it or play as before."""
        try:
            variant = self._make_variant({name: self._find_value(name, point) for name in self.axes})
        except InvalidInput:
            return None
        if any(variant.find_problem(players) for players in self.players):
            return None
        if all(has_same_rules(self.baseline, variant, players) for players in self.players):
            return None
        return Change(variant, self.measure(point), point)

    def _make_variant(self, moved: Mapping[str, Any]) -> Variant:
        """The baseline with other values of some parameters. What it has from files is not read again."""
        game, given = self.baseline.game, {**self.baseline.values, **moved}
        values = validate_values(game.name, game.parameters, given, game.player_counts)
        name, spec = (
            format_spec(base, game.parameters, values, self.base.values)
            for base in (self.base.name, self.base.spec)
        )
        why = self.base.why if name == self.base.name else f"{self.base.name} with changes"
        return Variant(game, name, values, why, spec)

    def list_neighbours(self, point: Point) -> Iterator[Point]:
        """Points one step away, on the axes that this point has and that have an order."""
        axes = self.list_axes(list(self.axes))
        for name, index in point.items():
            for near in (index - 1, index + 1):
                if axes[name].is_ordered and 0 <= near < len(axes[name].values):
                    yield {**point, name: near}

    def list_slopes(self, name: str, point: Point) -> Iterator[Point]:
        """Points at which the first entries of a list are one step lower than at this point, or the later
        ones one step higher: what makes up for an advantage of the first seats. Also all entries one step
        lower or higher: the same slope weighs less where all have more.
        """
        axes = self.list_axes([name])
        keys = [*axes]
        if len(keys) < 2 or not all(axis.is_ordered for axis in axes.values()):
            return
        for split in range(len(keys) + 1):
            for moved, step in ((keys[:split], -1), (keys[split:], 1)):
                near = {key: point[key] + step for key in moved}
                if near and all(0 <= index < len(axes[key].values) for key, index in near.items()):
                    yield {**point, **near}

    def list_nearer(self, point: Point) -> Iterator[Point]:
        """Points with one axis nearer to the baseline: one step, or back at it."""
        axes = self.list_axes(list(self.axes))
        for name, index in point.items():
            axis = axes[name]
            if index != axis.present:
                towards = 1 if index < axis.present else -1
                yield {**point, name: index + towards if axis.is_ordered else axis.present}


def make_space(
    baseline: Variant, players: Sequence[int], change: Sequence[str] = (), never: Sequence[str] = ()
) -> Space:
    """The space of a variant: all its parameters, or those that are named to change, less those never to."""
    by_name = {parameter.name: parameter for parameter in baseline.game.parameters}
    if not by_name:
        raise InvalidInput(
            f"{baseline.name} has no parameters, so nothing can change; give it one, as pig has `target`"
        )
    ranges = _read_changes(change)
    for name in (*ranges, *never):
        if name not in by_name:
            raise make_unknown_error("parameter", name, by_name, "`boardgames show` explains them")
    if both := [name for name in ranges if name in never]:
        raise InvalidInput(f"--change {both[0]} and --never {both[0]} contradict each other: leave one out")
    axes = {
        name: tuple(_list_axes(by_name[name], baseline, players, ranges.get(name, [])))
        for name in (ranges or by_name)
        if name not in never
    }
    moving = {name: listed for name, listed in axes.items() if any(len(axis.values) > 1 for axis in listed)}
    if fixed := [name for name in ranges if name not in moving]:
        text = by_name[fixed[0]].write(baseline.values[fixed[0]])
        raise InvalidInput(f"{fixed[0]} cannot move: {text} is the only value; name others: {fixed[0]}=1..5")
    if not moving:
        raise InvalidInput(
            f"{baseline.name} has no parameter that may move: allow one of {', '.join(by_name)}"
        )
    return Space(baseline, tuple(players), moving)


def _read_changes(texts: Sequence[str]) -> dict[str, list[str]]:
    """The values that each parameter may have; those of a name that is repeated count together."""
    ranges: dict[str, list[str]] = {}
    for text in texts:
        name, values = _read_change(text)
        if name in ranges and bool(values) != bool(ranges[name]):
            raise InvalidInput(
                f"--change {name} allows all near values, and --change {name}=... only some: leave one out"
            )
        ranges[name] = list(dict.fromkeys([*ranges.get(name, []), *values]))
    return ranges


def _read_change(text: str) -> tuple[str, list[str]]:
    """`hand_size` or `hand_size=3..7` -> the parameter and the values it may have; none for all near ones."""
    return read_sweep(text) if "=" in text else (text.strip(), [])


def _list_axes(
    parameter: Parameter, baseline: Variant, players: Sequence[int], texts: Sequence[str]
) -> list[Axis]:
    value = baseline.values[parameter.name]
    counts = baseline.game.player_counts
    if texts:
        return parameter.limit_axes(texts, value, players, counts)
    return parameter.list_axes(value, players, counts)
