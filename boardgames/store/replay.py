"""A stored match, played again from its seed or its actions."""

from pathlib import Path

from sqlmodel import Session, select

from boardgames.agents.seating import find_line_up
from boardgames.errors import BoardgamesError, InvalidInput, NotTrusted, RulesChanged
from boardgames.game.plugins import find_stored_variant
from boardgames.game.variant import Variant
from boardgames.plan.cell import fingerprint_agent
from boardgames.play import engine
from boardgames.play.illegal_action import IllegalAction
from boardgames.play.match import Match, replay
from boardgames.store.connection import (
    get_connection,
    open_for_reading,
)
from boardgames.store.opening.damage import explain_damage, make_damage_error
from boardgames.store.recorded_matches import load_actions, parse_match_id, replay_actions
from boardgames.store.schema import (
    Cell,
    Seating,
    StoredAgent,
    StoredVariant,
)

HOW_TO_LIST = "`boardgames export matches --output matches.csv` lists them (cell_id/deal/seating)"


def replay_stored(db: Path, match: str, ignore_changes: bool = False) -> Match:
    """Replay a stored match from its seed. `match` is cell/deal/seating, as the view `matches` shows it.

    Raises RulesChanged if it would not be the same match, unless changes are ignored.
    """
    cell_id, deal, seating = parse_match_id(match)
    with open_for_reading(db) as session, explain_damage(db):
        cell, stored = _load_match_cell(session, db, match)
        seated = _load_seated_agents(session, cell_id, seating)
    variant = find_stored_variant(stored.spec or stored.name)
    if actions := load_actions(db, cell_id, deal, seating):
        try:
            return _replay_recorded(variant, cell, stored, deal, actions)
        except IllegalAction as error:
            raise make_damage_error(db, f"the actions of match {match} cannot be played: {error}") from error
    line_up = find_line_up(cell.line_up, cell.players, variant.game)
    changed = variant.fingerprint() != stored.fingerprint or cell.engine != engine.ENGINE_VERSION
    order = tuple(slot for slot, _ in seated)
    if sorted(order) != list(range(len(line_up))):
        raise make_damage_error(db, f"it does not say who had which seat in match {match}")
    changed |= any(fingerprint != fingerprint_agent(line_up[slot]) for slot, fingerprint in seated)
    if changed and not ignore_changes:
        change = f"the rules of {stored.name}, or its agents, have changed since this match"
        raise RulesChanged(change, can_be_ignored=True)
    return replay(variant, line_up, order, compiled=True, seed=cell.seed, deal=deal, seating=seating)


def _load_match_cell(session: Session, db: Path, match: str) -> tuple[Cell, StoredVariant]:
    """The cell and the variant of a stored match. Raises if the file does not have it."""
    cell_id, deal, seating = parse_match_id(match)
    cell = session.get(Cell, cell_id)
    if cell is None:
        raise InvalidInput(f"{db} has no match {match}; {HOW_TO_LIST}")
    stored = session.get(StoredVariant, cell.variant_id)
    where = "cell_id = ? AND deal = ? AND seating = ?"
    query = f"SELECT 1 FROM match WHERE {where}"
    if stored is None or not get_connection(session).execute(query, [cell_id, deal, seating]).fetchone():
        raise InvalidInput(f"{db} has no match {match}; {HOW_TO_LIST}")
    return cell, stored


def _load_seated_agents(session: Session, cell_id: int, seating: int) -> list[tuple[int, str | None]]:
    """For each seat, the place in the line-up, from 0, and the fingerprint of the agent that had it: None if
    the file has lost it. Agents of several games share a name, such as `learned`.
    """
    in_seating = select(Seating).where(Seating.cell_id == cell_id, Seating.seating == seating)
    seats = sorted(session.exec(in_seating).all(), key=lambda seat: seat.seat)
    fingerprints = {agent.id: agent.fingerprint for agent in session.exec(select(StoredAgent)).all()}
    return [(seat.slot - 1, fingerprints.get(seat.agent_id)) for seat in seats]


def _replay_recorded(
    variant: Variant, cell: Cell, stored: StoredVariant, deal: int, actions: list[int]
) -> Match:
    """A match of people, or of an agent that no seed brings back, replayed from its stored actions."""
    if variant.fingerprint() != stored.fingerprint or cell.engine != engine.ENGINE_VERSION:
        change = f"the rules of {stored.name} have changed since this match was recorded"
        raise RulesChanged(f"{change}: its actions mean nothing now")
    return replay_actions(variant, cell.players, actions, cell.seed, deal)


def draw_positions(match: Match, seat: int | None = None) -> dict[str, str]:
    """A picture of each position from the set-up to the end, by file name: all of it, or what a seat saw."""
    draw = match.game.draw
    if draw is None:
        raise InvalidInput(f"{match.game.name} has no drawing; leave out --svg for the match in words")
    replayed = Match(match.variant, match.players, seed=match.seed, deal=match.deal, seating=match.seating)
    pictures = {"0000.svg": draw(replayed.state, seat)}
    for step, action in enumerate(match.actions, 1):
        pictures[f"{step:04d}.svg"] = draw(replayed.push(action).state, seat)
    return pictures


def find_rules_problem(spec: str, fingerprint: str, how: str = "add") -> str | None:
    """Why the installed rules cannot replay stored matches of a variant; None if they can."""
    try:
        same = find_stored_variant(spec).fingerprint() == fingerprint
    except NotTrusted as error:
        return error.in_words(how)
    except BoardgamesError as error:
        return f"its rules are not installed here: {error}"
    return None if same else "its rules have changed since these matches"
