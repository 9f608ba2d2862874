"""What is wanted: goals as a file or in words, and what is to stay near the baseline."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analytics.metric.metric import SEAT_WIN_SHARE
from analytics.questions.goals.file import Goal, Goals, read_goals
from analytics.questions.goals.judge import check_part
from analytics.questions.goals.words import read_goal
from analytics.target import Target, read_precision
from boardgames.errors import InvalidInput
from boardgames.game.variant import Variant

FAIR = f"{SEAT_WIN_SHARE} within 3 pp of fair"


@dataclass(frozen=True)
class Wishes:
    """Goals, and targets that keep a metric near its value in the baseline."""

    goals: tuple[Goal, ...]
    keeps: tuple[Target, ...] = ()
    file: Goals | None = None  # with further settings

    def describe(self) -> tuple[str, ...]:
        """Each wish in words."""
        kept = tuple(f"keep {keep.describe()} of the baseline" for keep in self.keeps)
        return tuple(goal.describe() for goal in self.goals) + kept

    def list_players(self) -> list[int]:
        """The player counts that are named."""
        players = [*(goal.players for goal in self.goals), *(keep.players for keep in self.keeps)]
        return sorted({count for counts in players for count in counts})

    def name_players(self, players: Sequence[int]) -> "Wishes":
        """The same; where some name player counts besides these, the others name these."""
        if set(self.list_players()) <= set(players):
            return self
        return replace(
            self,
            goals=tuple(goal._replace(players=goal.players or tuple(players)) for goal in self.goals),
            keeps=tuple(replace(keep, players=keep.players or tuple(players)) for keep in self.keeps),
        )


def read_wishes(
    file: Path | None, goals: Sequence[str] = (), keeps: Sequence[str] = (), fair_seats: bool = False
) -> Wishes:
    """All that is wanted, checked."""
    in_file = read_goals(file) if file else None
    texts = [*goals, *([FAIR] if fair_seats else [])]
    wanted = [*(in_file.goals if in_file else ()), *(read_goal(text) for text in texts)]
    if luck := [goal.metric for goal in wanted if goal.needs_swaps]:
        raise InvalidInput(
            f"fix cannot search for {luck[0]}: that takes matches of its own, many times as many for each "
            "change. Search for the other goals, then try the answer with `boardgames luck`"
        )
    if not wanted:
        raise InvalidInput(
            'say what you want: --goals balance.toml, --goal "length at most 60", or --fair-seats'
        )
    return Wishes(tuple(wanted), tuple(_read_keep(text) for text in keeps), in_file)


def _read_keep(text: str) -> Target:
    keep = read_precision(re.sub(r"\s+of\s+the\s+baseline\b", "", text))
    if keep.metric.kind == "distance":
        raise InvalidInput(
            f"--keep {keep.metric.name}: only single shares can be kept; write --keep "
            f'"{SEAT_WIN_SHARE} within 1 pp"'
        )
    if keep.metric.line_ups == "mixed":
        raise InvalidInput(f"--keep {keep.metric.name}: only what agents of one kind play can be kept")
    return keep


def check_wishes(wishes: Wishes, baseline: Variant, players: Sequence[int]) -> None:
    """Raise InvalidInput for player counts, and for parts to keep, that the game does not have."""
    for count in players:
        baseline.make_blank_state(count)
    for keep in wishes.keeps:
        for count in keep.players or players:
            check_part(keep.metric, keep.part, baseline, count)
