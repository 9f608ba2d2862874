"""The comparisons that a result file holds, as they were asked: which variants against which baseline, by
which metrics and thresholds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlmodel import select

from analytics.verdict.design import Design, make_design
from analytics.verdict.preregistration import Registered
from analytics.verdict.terms import Question, RegisteredTerms, Terms, read_question, read_terms
from boardgames.agents.agent import find_agent_at
from boardgames.errors import BoardgamesError, RulesChanged
from boardgames.game.plugins import find_stored_variant
from boardgames.store.connection import open_for_reading
from boardgames.store.schema import Registration


@dataclass(frozen=True, kw_only=True)
class StoredComparison:
    """A comparison that was asked for, with all versions of its terms."""

    id: int
    name: str
    question: Question
    versions: tuple[RegisteredTerms, ...]  # the oldest first

    @property
    def terms(self) -> Terms:
        return self.versions[-1].terms

    @property
    def asked(self) -> datetime:
        """When it was asked for the last time with other terms."""
        return self.versions[-1].created

    def list_agents_at(self, players: int) -> list[str]:
        """Who plays with this many players, from weak to strong; the first one decides."""
        try:
            games = [find_stored_variant(spec).game for spec in self.question.specs]
            return [find_agent_at(agent, games, players) for agent in self.terms.agents]
        except BoardgamesError:  # a game is not there any more: the page says so
            return [*self.terms.agents]

    @property
    def deciding_agents(self) -> dict[int, str]:
        """Whose matches decide, by player count."""
        return {players: self.list_agents_at(players)[0] for players in self.question.players}

    def covers(self, specs: tuple[str, str], players: int, agent: str, seed: int) -> bool:
        """Whether it compares the second variant with the first, in this setting."""
        question = self.question
        return (
            specs[0] == question.specs[0]
            and specs[1] in question.specs[1:]
            and players in question.players
            and (seed, agent) == (question.seed, self.list_agents_at(players)[0])
        )

    def make_design(self) -> Design:
        """The design by today's rules; raises RulesChanged if they are not those that were asked about."""
        variants = [find_stored_variant(spec) for spec in self.question.specs]
        counts = ",".join(map(str, self.question.players))
        design = make_design(variants, counts, self.terms.agents, self.question.seed, head_to_heads=False)
        if design.id != self.id:
            raise RulesChanged("the rules have changed since this was compared")
        return design


def list_comparisons(db: Path) -> list[StoredComparison]:
    """All comparisons of a file, the latest first. Those of older files, which do not say what was compared,
    are left out.
    """
    by_id: dict[int, list[Registration]] = {}
    with open_for_reading(db) as session:
        for row in session.exec(select(Registration).order_by("id", "version")).all():
            by_id.setdefault(row.id, []).append(row)
        comparisons = [
            _make_comparison(rows, question)
            for rows in by_id.values()
            if (question := read_question(rows[-1].terms))
        ]
    return sorted(comparisons, key=lambda comparison: comparison.asked, reverse=True)


def _make_comparison(rows: Sequence[Registration], question: Question) -> StoredComparison:
    """All versions of a registration."""
    versions = [Registered(read_terms(row.terms), row.created, row.matches_before) for row in rows]
    return StoredComparison(id=rows[-1].id, name=rows[-1].name, question=question, versions=tuple(versions))
