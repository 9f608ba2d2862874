"""Stored matches played again, position by position."""

from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from analytics.questions.side_by_side import SideBySide, lay_side_by_side
from boardgames.agents.seating import find_line_up
from boardgames.game.plugins import find_stored_variant
from boardgames.play.match import Match
from boardgames.store.replay import replay_stored
from dashboard.data.cache import cache_by_arguments
from dashboard.data.file import CellInfo


class Replay(NamedTuple):
    """A finished match, position by position, from the set-up to the end."""

    match: Match
    states: tuple[Any, ...]
    evaluations: tuple[tuple[int, ...], ...]
    scores: tuple[tuple[int, ...], ...]

    @property
    def last_step(self) -> int:
        return len(self.match.actions)

    @property
    def setup(self) -> tuple[str, ...]:
        """What lay on the table at the start."""
        return self.match.transcript().setup

    def describe_step(self, step: int) -> str:
        """The action that led to a position."""
        return str(self.match.moves[step - 1]) if step else "the table is set up"

    def draw_step(self, step: int) -> str | None:
        draw = self.match.game.draw
        return draw(self.states[step], None) if draw else None


class SideBySideReplay(NamedTuple):
    pair: SideBySide
    a: Replay
    b: Replay

    @property
    def last_step(self) -> int:
        return max(self.a.last_step, self.b.last_step)


def load_replay(db: Path, match: str, ignore_changes: bool = False) -> Replay:
    """A stored match played again; raises RulesChanged if today's rules or agents are others."""
    with st.spinner("Playing the match again; the first time, the rules are compiled …"):
        return _replay_stored(db, match, ignore_changes)


@cache_by_arguments
def _replay_stored(db: Path, match: str, ignore_changes: bool) -> Replay:
    return make_replay(replay_stored(db, match, ignore_changes))


@st.cache_resource(max_entries=6, show_spinner="Playing both; the first time, the rules are compiled …")
def load_side_by_side(
    specs: tuple[str, str], players: int, agent: str, seed: int, deal: int | None
) -> SideBySideReplay:
    """One deal under two variants; the first deal that differs if none is named."""
    pair = lay_side_by_side([find_stored_variant(spec) for spec in specs], players, agent, seed, deal)
    return SideBySideReplay(pair, make_replay(pair.a), make_replay(pair.b))


def prepare_replay(cell: CellInfo) -> None:
    """Load what playing matches of a cell again needs: machine code of the rules and the agents, which is
    compiled the first time. Each agent makes one decision.
    """
    variant = find_stored_variant(cell.spec)
    match = Match(variant, cell.players, seed=cell.seed, compiled=True)
    for agent in find_line_up(cell.line_up, cell.players, variant.game):
        while match.is_on and len(match.legal()) == 1:
            match.step(agent)
        if match.is_on:
            match.step(agent)
    make_replay(match)
    match.ranks()


def make_replay(match: Match) -> Replay:
    """A match position by position; compiled if it was played compiled."""
    luck = {"seed": match.seed, "deal": match.deal, "seating": match.seating}
    copy = Match(match.variant, match.players, compiled=match.compiled, **luck)
    states, evaluations, scores = [], [], []
    for action in [*match.actions, None]:
        states.append(copy.state.copy())
        evaluations.append(tuple(copy.evaluations()))
        scores.append(tuple(copy.scores()))
        if action is not None:
            copy.push(action)
    return Replay(match, tuple(states), tuple(evaluations), tuple(scores))
