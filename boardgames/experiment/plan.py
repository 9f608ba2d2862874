"""Experiments: variants x player counts x line-ups x blocks, from one master seed. What to play, and what was played."""

import functools
import hashlib
import json
import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.agent import Agent, find_line_up
from boardgames.errors import BadInput
from boardgames.experiment.values import who_sits
from boardgames.game.game import MOST_SEATS
from boardgames.game.grid import swept
from boardgames.game.plugins import find_variant, own_variants, read_tables
from boardgames.game.variant import Variant
from boardgames.play.batch import Batch, Table, check_seed, set_table
from boardgames.play.engine import ENGINE
from boardgames.rules.rulecode import digest, is_rule

BLOCKS = 1000  # of each cell, if nobody says how many
MOST_BLOCKS = 10**9  # of each cell: more than anybody plays, and few enough to count with


def hash63(*parts: Any) -> int:
    """A stable id: the same on every machine and in every file."""
    return int.from_bytes(hashlib.blake2b(json.dumps(parts).encode(), digest_size=8).digest(), "big") >> 1


def agent_fingerprint(agent: Agent) -> str:
    """What runs when it chooses: its code and its numbers. A person, or a Python function, is only known by name."""
    if not is_rule(agent.family.choose):
        return f"{hash63(agent.family.name, agent.name):016x}"
    limits = [agent.forbidden, agent.forced, agent.prizes] if agent.special else []
    return f"{hash63(digest([agent.family.choose]), list(agent.values.items()), *limits):016x}"


@dataclass(frozen=True)
class PlannedCell:
    """One variant, player count and line-up, on the luck of one master seed."""

    variant: Variant
    line_up: tuple[Agent, ...]
    seed: int
    id: int = field(init=False)

    def __post_init__(self) -> None:
        check_seed(self.seed)
        for agent in self.line_up:
            if not is_rule(agent.family.choose):
                raise BadInput(f"{agent.name} is a Python function: its matches could not be replayed; see `keep_match`")
        agents = [(agent.name, agent_fingerprint(agent)) for agent in self.line_up]
        number = hash63(self.variant.name, self.variant.fingerprint(), ENGINE, agents, self.seed)
        object.__setattr__(self, "id", number)

    @property
    def players(self) -> int:
        return len(self.line_up)

    def line_up_name(self) -> str:
        """`greedy` for a line-up of equals, else one name per seat."""
        names = [agent.name for agent in self.line_up]
        return names[0] if len(set(names)) == 1 else ",".join(names)

    @functools.cached_property
    def table(self) -> Table:
        return set_table(self.variant, self.line_up, self.seed)

    @functools.cached_property
    def agents(self) -> np.ndarray[Any, Any]:
        return who_sits([agent.name for agent in self.line_up], self.table.seatings)


class Plan(NamedTuple):
    """What to play."""

    cells: tuple[PlannedCell, ...]
    blocks: int
    seed: int
    name: str = ""
    note: str = ""
    asked: Mapping[str, Any] = {}  # the words of the plan, for a plan file


def make_plan(
    variants: Sequence[str], players: str = "", agents: Sequence[str] = ("greedy",), blocks: int | None = None, seed: int = 1,
    name: str = "", note: str = "", sweep: Sequence[str] = (), until: Sequence[str] = (), minutes: float | None = None,
    own: Mapping[str, Any] | None = None,
) -> Plan:  # fmt: skip
    """Every variant with every player count and every line-up. No player count said means all that the game allows.

    `until` and `minutes` are for `analytics.simulate_until`; with them, `blocks` is the most that it may take.
    """
    check_blocks(blocks)
    if minutes is not None and not (until and 0 < minutes < math.inf):
        raise BadInput("minutes, a number above 0, limit `until`; without it, blocks say how much to play")
    own = own_variants() if own is None else own
    cells: dict[int, PlannedCell] = {}
    for found in [find_variant(spec, own) for spec in swept(variants, sweep)]:
        for seats in read_players(players) or list(found.game.players):
            found.blank(seats)
            for line_up in agents:
                cell = PlannedCell(found, find_line_up(line_up, seats, found.game), seed)
                cells[cell.id] = cell
    asked: dict[str, Any] = {"variants": list(variants), "players": players, "agents": list(agents), "blocks": blocks, "seed": seed}
    asked |= {"name": name, "note": note, "sweep": list(sweep), "until": list(until), "minutes": minutes}
    title = ", ".join(variants) + "".join(f", {text}" for text in sweep)
    return Plan(tuple(cells.values()), blocks or BLOCKS, seed, name or title, note, asked)


def check_blocks(blocks: int | None) -> None:
    if blocks is not None and not 1 <= blocks <= MOST_BLOCKS:
        raise BadInput(f"blocks={blocks}: write a whole number from 1 to {MOST_BLOCKS:,}")


def read_players(spec: str) -> list[int]:
    """`3`, `2-4`, `2,4` -> the player counts, in order; none for an empty text."""
    found: set[int] = set()
    try:
        for part in spec.split(",") if spec else ():
            low, dash, high = part.partition("-")
            found |= _player_counts(int(low), int(high if dash else low))
    except ValueError:
        raise BadInput(f"players '{spec}': write 3, 2-4 or 2,4; no game has more than {MOST_SEATS}") from None
    return sorted(found)


def _player_counts(low: int, high: int) -> set[int]:
    """A range is looked at before it is spelled out: a long one would fill the memory. One wrong count is the game's to refuse."""
    if not 0 <= low <= high <= low + MOST_SEATS:
        raise ValueError
    return set(range(low, high + 1))


def read_plan(path: Path) -> Plan:
    """A plan from a file: the table [experiment], and tables of variants as in variants.toml."""
    tables = read_tables(path)
    asked = tables.pop("experiment", None)
    if not isinstance(asked, dict):
        raise BadInput(f"{path}: it needs a table [experiment] with variants, agents, blocks ...")
    for name, value in asked.items():
        if name not in FIELDS:
            raise BadInput(f"{_line(path, name)}: there is no field '{name}'; there are: {', '.join(FIELDS)}")
        kind = FIELDS[name]
        fits = isinstance(value, (int, float) if kind is float else kind) and not isinstance(value, bool)
        if not fits or (kind is list and not all(isinstance(one, str) for one in value)):
            raise BadInput(f"{_line(path, name)}: {name} is {KINDS[kind]}, not {value!r}")
    if not asked.get("variants"):
        raise BadInput(f"{path}, [experiment]: variants names at least one variant")
    return make_plan(**asked, own={**own_variants(), **tables})


FIELDS: dict[str, type] = {
    "variants": list, "players": str, "agents": list, "blocks": int, "seed": int, "name": str, "note": str, "sweep": list,
    "until": list, "minutes": float,
}  # fmt: skip
KINDS = {list: "a list of texts", str: "a text", int: "a whole number", float: "a number"}


def _line(path: Path, name: str) -> str:
    """File and line of a field."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((f"{path}, line {n}" for n, line in enumerate(lines, 1) if line.split("=")[0].strip() == name), str(path))


def write_plan(plan: Plan) -> str:
    """A plan as a file that one can keep in git."""
    lines = [f"{name} = {json.dumps(value)}" for name, value in plan.asked.items() if value not in ("", [], None)]
    return "\n".join(["[experiment]", *lines]) + "\n"


# ---- what was played


class Rows(NamedTuple):
    """The same batch as Arrow tables, ready to be stored: what a worker on another machine sends."""

    match: Any
    seat: Any
    slice: Any


class Played(NamedTuple):
    """Some blocks of a cell, just played."""

    cell: PlannedCell
    first: int
    blocks: int
    batch: Batch | Rows
    seconds: float

    @property
    def matches(self) -> int:
        return len(self.batch.match if isinstance(self.batch, Rows) else self.batch.matches)


class Progress(NamedTuple):
    matches: int  # played so far, by this run
    wanted: int  # to be played by this run
    cell: str  # what was played last


def circumstances() -> dict[str, str]:
    """What a result may depend on, beside the seed: nothing, we claim; so we write it down."""
    packages = ("boardgames", "numpy", "numba", "duckdb")
    return {**{name: version(name) for name in packages}, "python": platform.python_version(), "engine": str(ENGINE)}
