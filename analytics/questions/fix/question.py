"""What is asked: which changes of which variant are to reach which goals, and the cells that tell."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from analytics.metric.metric import Metric, find_metric
from analytics.questions.fix.goals import Wishes
from analytics.questions.fix.space import Space
from analytics.questions.goals.check import plan_goals
from analytics.questions.goals.file import Goals
from analytics.questions.goals.judge import Cells, GoalCell
from analytics.verdict.design import Design
from analytics.verdict.preregistration import Preregistration, Registered
from boardgames.agents.agent import find_agent_at, find_usual_agent
from boardgames.agents.seating import find_line_up
from boardgames.game.variant import Variant
from boardgames.plan.cell import PlannedCell, hash63

SEARCHING = "mcts:64"  # confirms, where a game has no trained player
SEARCHING_MORE = "mcts:256"  # where that one plays already


@dataclass(frozen=True)
class VariantCells:
    """The cells of one variant: those that the goals are about, and the agent against itself."""

    goal_cells: Sequence[GoalCell]
    by_key: Cells
    self_play: dict[int, PlannedCell]  # by player count

    def list_all(self) -> list[PlannedCell]:
        """Each cell once."""
        return list({cell.id: cell for cell in [*self.by_key.values(), *self.self_play.values()]}.values())


@dataclass(frozen=True, kw_only=True)
class Question:
    space: Space
    wishes: Wishes
    agent: str
    stronger: str  # the agent that confirms; empty for none
    seed: int
    at_most: int  # parameters that move at once
    has_seats_first: bool = False  # what a game has per seat is tried before the rest

    @property
    def baseline(self) -> Variant:
        return self.space.baseline

    @functools.cached_property
    def id(self) -> int:
        """The same for the same question, on every machine."""
        return hash63("fix", self.baseline.name, self.baseline.fingerprint(), self.seed, self.describe())

    @property
    def fresh_seed(self) -> int:
        """The luck that the search never sees: the same every time for this question, and not typed by
        chance.
        """
        return 100_000 + self.id % 900_000

    @property
    def title(self) -> str:
        return f"fix {self.baseline.name}"

    def describe(self) -> dict[str, Any]:
        """What is fixed before the first match, as JSON."""
        axes = self.space.list_axes(list(self.space.axes))
        return {
            "goals": list(self.wishes.describe()),
            "players": list(self.space.players),
            "agent": self.agent,
            "stronger": self.stronger,
            "at_most": self.at_most,
            "seats_first": self.has_seats_first,
            "values": {name: [str(value) for value in axis.values] for name, axis in axes.items()},
        }

    def register(self, db: Path, stored: int) -> list[Registered[dict[str, Any]]]:
        """Store the question before the first match."""
        return Preregistration(db, self.id, self.title, dict, dict).record(self.describe(), stored)

    @property
    def metrics(self) -> list[Metric]:
        names = [goal.metric for goal in self.wishes.goals]
        return [find_metric(name) for name in dict.fromkeys(names)] + [
            keep.metric for keep in self.wishes.keeps if keep.metric.name not in names
        ]

    def plan_cells(self, variant: Variant, seed: int, agent: str) -> VariantCells:
        players = self.space.players
        goals = Goals(
            self.wishes.goals,
            variants=(variant.spec or variant.name,),
            players=",".join(map(str, players)),
            agents=agent,
            seed=seed,
        )
        cells, goal_cells = plan_goals(goals)
        self_play = {
            count: PlannedCell(variant, find_line_up(playing, count, variant.game), seed)
            for count, playing in self.list_agents(agent).items()
        }
        return VariantCells(goal_cells, cells, self_play)

    def list_agents(self, agent: str) -> dict[int, str]:
        """Who plays, by player count, if this agent is asked for."""
        game = self.baseline.game
        return {players: find_agent_at(agent, [game], players) for players in self.space.players}

    def make_design(self, variant: Variant, seed: int, agent: str) -> Design:
        """The comparison of a change with the baseline: `compare` finds it played."""
        return Design((self.baseline, variant), self.space.players, (agent,), seed, head_to_heads=False)

    def list_levels(self) -> list[list[tuple[str, ...]]]:
        """Which parameters move together, level by level: one, then two. With seats first, what is per seat
        comes before all else.
        """
        names = list(self.space.axes)
        per_seat = self.space.list_per_seat() if self.has_seats_first else []
        sizes = range(1, min(self.at_most, len(names)) + 1)
        seats = [[*combinations(per_seat, size)] for size in sizes]
        others = [
            [group for group in combinations(names, size) if not set(group) <= set(per_seat)]
            for size in sizes
        ]
        return [level for level in [*seats, *others] if level]


def find_stronger_agent(agent: str, variant: Variant, players: Sequence[int]) -> str:
    """Who confirms: the trained player where there is one, else a search; never the agent that decides."""
    usual = {find_usual_agent([variant.game], count) for count in players}
    if usual == {"learned"} and agent != "learned":
        return "learned"
    return SEARCHING_MORE if agent == SEARCHING else SEARCHING
