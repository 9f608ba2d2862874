"""Whether matches that are played again are those that were stored: the same seed gives the same match."""

import functools
import itertools
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.scratch import Scratch
from boardgames.agents.seating import find_line_up, list_seatings
from boardgames.errors import DoesNotAgree, RulesChanged
from boardgames.game.plugins import find_stored_variant
from boardgames.game.variant import Variant
from boardgames.plan.cell import PlannedCell, hash63
from boardgames.play.batch import Batch, make_scratch, warm_up
from boardgames.play.engine import ENGINE_VERSION, MATCH, make_seat_type
from boardgames.play.illegal_action import IllegalAction
from boardgames.play.match import Match
from boardgames.store.connection import get_connection, keep_open_for_reading, open_for_reading
from boardgames.store.opening.damage import explain_damage
from boardgames.store.read import StoredCell, load_cell, read_batch
from boardgames.store.recorded_matches import parse_match_id, replay_actions, replay_as_batch
from boardgames.store.schema import Cell, Seating, StoredAgent, StoredVariant

Array = np.ndarray[Any, Any]
Actions = Mapping[tuple[int, int], Sequence[int]]  # by deal and seating


class Differing(NamedTuple):
    """Matches that came out otherwise."""

    rows: Array  # their indices
    columns: tuple[str, ...]  # of the tables `match` and `seat` in which some of them differ

    def __bool__(self) -> bool:
        return len(self.rows) > 0


def compare_batches(stored: Batch, played: Batch) -> Differing:
    """The matches in which two batches differ: of each match one row, in the same order."""
    by_column = {
        name: (stored.matches[name] != played.matches[name]) for name in _list_columns(played.matches)
    }
    for name in _list_columns(played.seats):
        differs = stored.seats[name] != played.seats[name]
        seats = differs.reshape(len(differs), -1).any(axis=1)
        by_column[name] = seats | by_column.get(name, False)
    rows = np.flatnonzero(np.any([*by_column.values()], axis=0))
    return Differing(rows, tuple(name for name, differs in by_column.items() if differs.any()))


def _list_columns(rows: Array) -> list[str]:
    return [name for name in rows.dtype.names or () if name not in ("_", "win_share")]


def find_match_problem(db: Path, match_id: str, replayed: Match) -> str | None:
    """What a file says of a match otherwise than it is when it is played again; None if they agree."""
    cell_id, deal, seating = parse_match_id(match_id)
    with keep_open_for_reading(db), open_for_reading(db) as session:
        stored = read_batch(db, load_cell(session, db, cell_id), deal, 1)
    stored = Batch(stored.matches[[seating]], stored.seats[[seating]])
    played = replay_as_batch(replayed)
    played.matches["seating"] = seating
    differing = compare_batches(stored, played)
    if not differing:
        return None
    parts = [_describe_difference(name, stored, played) for name in differing.columns]
    return f"{db} says otherwise of match {match_id} than its seed gives: {'; '.join(parts)}"


def _describe_difference(column: str, stored: Batch, played: Batch) -> str:
    """The values of a column, of all seats where there is one for each, if these differ."""
    values = []
    for theirs, ours in zip(stored[:2], played[:2], strict=True):
        if column in (ours.dtype.names or ()) and (theirs[column] != ours[column]).any():
            values.append(f"{column} {_join(theirs[column].ravel())}, not {_join(ours[column].ravel())}")
    return "; ".join(values)


def _join(values: Array) -> str:
    return ":".join(str(int(value)) for value in values)


@dataclass(kw_only=True)
class RepeatableCell:
    """A stored cell whose matches can be played again here."""

    stored: StoredCell
    variant: Variant
    planned: PlannedCell | None  # None where not the seed brings them back, but their actions

    @functools.cached_property
    def _scratch(self) -> Scratch:
        assert self.planned
        warm_up(self.planned.runner)
        return make_scratch(self.planned.variant.game, self.planned.line_up)

    def compare_deal(self, db: Path, deal: int) -> Differing:
        """Play a deal again and compare it with a file that is open."""
        stored = read_batch(db, self.stored, deal, 1)
        if self.planned:
            return compare_batches(stored, self.planned.runner.run(deal, 1, self._scratch))
        return compare_batches(stored, self.play_recorded(deal, 1, load_actions(db, self.stored.id, deal, 1)))

    def play_recorded(self, first: int, deals: int, actions: Actions) -> Batch:
        """Some deals, played again from their actions; a match whose actions cannot be played is empty."""
        stored = self.stored
        batches = [
            self._play_one(deal, seating, actions.get((deal, seating), ()))
            for deal in range(first, first + deals)
            for seating in range(stored.seatings)
        ]
        return Batch(
            np.concatenate([batch.matches for batch in batches]),
            np.concatenate([batch.seats for batch in batches]),
        )

    def _play_one(self, deal: int, seating: int, actions: Sequence[int]) -> Batch:
        players, game = self.stored.players, self.variant.game
        try:
            match = replay_actions(self.variant, players, actions, self.stored.seed, deal)
            is_whole = not match.is_on
        except IllegalAction:
            is_whole = False
        if not is_whole:
            return Batch(np.zeros(1, MATCH), np.zeros((1, players), make_seat_type(len(game.tallies))))
        batch = replay_as_batch(match)
        batch.matches["seating"] = seating
        return batch


def load_actions(db: Path, cell: int, first: int, deals: int) -> Actions:
    """The stored actions of some deals."""
    query = "SELECT deal, seating, actions FROM actions WHERE cell_id = ? AND deal >= ? AND deal < ?"
    with open_for_reading(db) as session, explain_damage(db):
        rows: list[Any] = get_connection(session).execute(query, [cell, first, first + deals]).fetchall()
        actions: Mapping[tuple[int, int], Sequence[int]] = {
            (deal, seating): [int(action) for action in played] for deal, seating, played in rows
        }
        return actions


def make_repeatable(
    cell: Cell, variant: StoredVariant, stored: StoredCell, is_recorded: bool
) -> RepeatableCell:
    """A stored cell as one that can be played. Raises an error that says why it cannot be."""
    found = find_stored_variant(variant.spec or variant.name)
    if found.fingerprint() != variant.fingerprint:
        raise RulesChanged(f"the rules of {variant.name} have changed since these matches")
    if cell.engine != ENGINE_VERSION:
        raise RulesChanged(f"the loop that plays matches has version {ENGINE_VERSION} now, not {cell.engine}")
    if is_recorded:
        return RepeatableCell(stored=stored, variant=found, planned=None)
    planned = PlannedCell(found, find_line_up(cell.line_up, cell.players, found.game), cell.seed)
    if planned.id != cell.id:
        raise RulesChanged(f"its agents, {cell.line_up}, have changed since these matches")
    return RepeatableCell(stored=stored, variant=found, planned=planned)


def find_identity_problem(
    cell: Cell, variant: StoredVariant, seats: Iterable[Seating], agents: Mapping[int, StoredAgent]
) -> str | None:
    """Why a cell is not the one that its id stands for; None if it is. Its game need not be installed."""
    by_place = {(seat.seating, seat.seat): seat for seat in seats if seat.cell_id == cell.id}
    first = sorted((seat for (seating, _), seat in by_place.items() if not seating), key=lambda s: s.slot)
    line_up = [agents[seat.agent_id] for seat in first]
    named = [(row.id, row.name, row.fingerprint) for row in line_up]
    for row_id, name, fingerprint in [(variant.id, variant.name, variant.fingerprint), *named]:
        if row_id != hash63(name, fingerprint):
            return f"the id of {name} is not that of its name and fingerprint"
    orders = list_seatings(line_up)  # type: ignore[arg-type]
    for kind, wanted in (([], orders), (["as seated"], [tuple(range(cell.players))])):
        played = [(agent.name, agent.fingerprint) for agent in line_up]
        if cell.id == hash63(*kind, variant.name, variant.fingerprint, cell.engine, played, cell.seed):
            places = {
                (seating, seat + 1): (slot + 1, line_up[slot].id)
                for seating, order in enumerate(wanted)
                for seat, slot in enumerate(order)
            }
            if places != {place: (seat.slot, seat.agent_id) for place, seat in by_place.items()}:
                return f"the seats of cell {cell.id} are not those of its line-up"
            return None
    return f"the id of cell {cell.id} is not that of its rules, agents and seed"


def choose_deals(
    ranges: Mapping[int, Sequence[tuple[int, int]]], seatings: Mapping[int, int], matches: int
) -> dict[int, list[int]]:
    """Deals at random from these ranges (first, count) of each cell, which have at least this many matches in
    all: first one of each cell, then another of each.
    """
    chance = random.SystemRandom()  # whoever wrote the file cannot know which
    deals = {cell: sum(count for _, count in ranges[cell]) for cell in ranges}
    wanted = dict.fromkeys(deals, 0)
    for cell in itertools.cycle(chance.sample([*deals], len(deals))):
        if matches <= 0 or wanted == deals:
            break
        if wanted[cell] < deals[cell]:
            wanted[cell] += 1
            matches -= seatings[cell]
    return {
        cell: [_find_nth_deal(ranges[cell], n) for n in sorted(chance.sample(range(deals[cell]), count))]
        for cell, count in wanted.items()
        if count
    }


def _find_nth_deal(ranges: Iterable[tuple[int, int]], n: int) -> int:
    for first, count in ranges:
        if n < count:
            return first + n
        n -= count
    raise IndexError(n)


def play_sample_again(
    db: Path, cells: Sequence[tuple[RepeatableCell, Sequence[tuple[int, int]]]], matches: int
) -> int:
    """Play some matches of each cell again, which has these ranges of deals; returns their number. Raises
    DoesNotAgree at the first one that comes out otherwise than it is stored.
    """
    by_id = {cell.stored.id: cell for cell, _ in cells}
    ranges = {cell.stored.id: deals for cell, deals in cells}
    seatings = {cell_id: cell.stored.seatings for cell_id, cell in by_id.items()}
    played = 0
    with keep_open_for_reading(db):
        for cell_id, deals in choose_deals(ranges, seatings, matches).items():
            for deal in deals:
                if differing := by_id[cell_id].compare_deal(db, deal):
                    match = f"{cell_id}/{deal}/{differing.rows[0]}"
                    raise DoesNotAgree(
                        f"match {match} of {db}, played again here, has other values of "
                        f"{', '.join(differing.columns)}. `boardgames verify --db {db}` checks all"
                    )
                played += seatings[cell_id]
    return played
