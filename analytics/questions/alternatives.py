"""`compare --over-unknowns`: does a verdict hold whatever the undocumented numbers are?

A game whose components are partly reconstructed, or a prototype with unsettled numbers, says in `fill_in` how to draw one plausible
choice of them. Both variants are compared again with each of several such choices.
"""

import hashlib
import json
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analytics.questions.compare.compare import MINUTES, compare
from analytics.stats.intervals import Estimate, block_share
from analytics.verdict.results import Comparison, Line
from analytics.verdict.verdicts import DIFFERENT, SAME, UNCLEAR
from boardgames.errors import BadInput
from boardgames.files import write_files
from boardgames.game import spec as words
from boardgames.game.parameters import Parameter
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant

CLAIMS = (SAME, DIFFERENT, UNCLEAR)
MOST_FILL_INS = 1000


@dataclass(frozen=True)
class Held:
    """One primary, or part of it: what the comparison says, and what becomes of it over the fill-ins."""

    metric: str
    part: str
    players: int
    unit: str
    says: str  # by the components as they are
    claims: bool  # whether that is a verdict that can hold
    counts: Mapping[str, int]  # how many fill-ins say what
    holds: int
    tried: int
    share: Estimate  # of all plausible fill-ins in which it holds
    lowest: float  # the differences range from
    highest: float


@dataclass(frozen=True)
class Unknowns:
    a: str
    b: str
    agent: str
    comparison: Comparison  # as they are
    fill_ins: tuple[str, ...]  # the spec of A in each
    held: tuple[Held, ...]
    played: int = 0  # matches, by this call


def over_unknowns(
    specs: Sequence[str], many: int, into: str | Path = "boardgames.duckdb", *, agents: Sequence[str] = (), seed: int = 1,
    minutes: float | None = None, blocks: int | None = None, begin: Callable[[Any, Any], None] = lambda design, terms: None,
    report: Callable[[str], None] = lambda line: None, **asked: Any,
) -> Unknowns:  # fmt: skip
    """Compare A and B as they are, then with each of so many fill-ins of what nobody documents; the time is shared among all."""
    if len(specs) != 2:
        raise BadInput(f"--over-unknowns compares two variants, not {len(specs)}")
    if not 1 <= many <= MOST_FILL_INS:
        raise BadInput(f"--over-unknowns {many}: write a whole number from 1 to {MOST_FILL_INS:,}")
    path, chosen = Path(into), list(agents or ("greedy",))[:1]
    pairs = [list(specs), *fill_ins(specs, many, path, seed)]
    each = None if blocks else max(0.01, (minutes or MINUTES) / len(pairs))
    found = []
    for place, pair in enumerate(pairs):
        report(f"fill-in {place} of {many}" if place else "the components as they are")
        tell = _silent if place else begin
        found.append(compare(pair, path, agents=chosen, seed=seed, minutes=each, blocks=blocks, duels=False, begin=tell, **asked))
    first, *others = found
    a, b = first.variants
    played = sum(one.played for one in found)
    return Unknowns(a, b, chosen[0], first, tuple(pair[0] for pair in pairs[1:]), tuple(_held(first, others)), played)


def _silent(design: Any, terms: Any) -> None:
    """The design is told once."""


# ---- fill-ins


def fill_ins(specs: Sequence[str], many: int, path: Path, seed: int) -> list[list[str]]:
    """Both specs with so many random fill-ins of the game's unknowns; boards are written into files beside the results."""
    a, b = (find_variant(spec) for spec in specs)
    fill_in = a.game.fill_in
    if fill_in is None or a.game is not b.game:
        why = "has nothing to fill in: it declares no unknowns (fill_in)" if a.game is b.game else f"is another game than {b.name}"
        raise BadInput(f"{a.name} {why}")
    found = []
    for number in range(1, many + 1):
        drawn = dict(fill_in(random.Random(f"{seed}/{number}")))
        alike = {name: value for name, value in drawn.items() if a.values[name] == b.values[name]}
        if not alike:
            raise BadInput(f"{a.name} and {b.name} differ in all that is unknown ({', '.join(drawn)}): nothing is left to fill in")
        found.append([_filled(spec, variant, alike, path) for spec, variant in zip(specs, (a, b), strict=True)])
    return found


def _filled(spec: str, variant: Variant, values: Mapping[str, Any], path: Path) -> str:
    """The spec with these values in place of its own."""
    base, given = words.split(spec)
    known = {parameter.name: parameter for parameter in variant.game.parameters}
    written = {name: _written(variant.game.name, known[name], value, path) for name, value in values.items()}
    return "".join([base, *(f"+{name}={value}" for name, value in {**given, **written}.items())])


def _written(game: str, parameter: Parameter, value: Any, path: Path) -> str:
    """A value as one types it; a board becomes a file, named after its content."""
    if not isinstance(value, Mapping):
        return parameter.write(value)
    text = as_toml(value)
    mark = hashlib.blake2b(json.dumps(value, sort_keys=True).encode(), digest_size=4).hexdigest()
    folder = path.parent / f"{path.stem}-unknowns"
    if "+" in str(folder):
        raise BadInput(f"{folder}: boards are named in specs, so the folder must not contain a +")
    (file,) = write_files(folder, {f"{game}-{mark}.toml": text})
    return str(file)


def as_toml(table: Mapping[str, Any]) -> str:
    """A table as a TOML file that reads the same."""
    text = "".join(f"{name} = {_toml(value)}\n" for name, value in table.items())
    if tomllib.loads(text) != table:
        raise BadInput("this board cannot be written as TOML: it holds more than texts, numbers, lists and tables")
    return text


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{json.dumps(name)} = {_toml(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


# ---- what holds


def says(line: Line) -> str:
    """A verdict with its direction: what has to be the same to hold."""
    way = "more" if line.difference.mean > 0 else "less"
    return {SAME: "the same", DIFFERENT: f"materially {way}", UNCLEAR: f"{way}, size unclear"}.get(line.verdict, line.verdict)


def _held(first: Comparison, others: Sequence[Comparison]) -> list[Held]:
    lines = [{(c.players, line.metric, line.part): line for c in one.contrasts for line in c.lines} for one in [first, *others]]
    found = []
    for (players, metric, part), line in lines[0].items():
        if not line.primary:
            continue
        again = [one[players, metric, part] for one in lines[1:] if (players, metric, part) in one]
        counts, means = Counter(map(says, again)), [one.difference.mean for one in again]
        holds = counts[says(line)] if line.verdict in CLAIMS else 0
        share = block_share(len(again), float(holds), float(holds))
        ends = (min(means), max(means)) if means else (line.difference.mean, line.difference.mean)
        found.append(
            Held(
                metric,
                part,
                players,
                line.unit,
                says(line),
                line.verdict in CLAIMS,
                dict(counts.most_common()),
                holds,
                len(again),
                share,
                *ends,
            )
        )
    return found
