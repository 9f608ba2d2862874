"""What a search for a fix says, as plain data. It is stored in the result file, so that pages only read."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pydantic_core
from pydantic import TypeAdapter

from analytics.answer import DrawnAnswer
from analytics.questions.goals.judge import FAIL, PASS, UNKNOWN, Check
from analytics.stats.intervals import Estimate
from analytics.verdict.results import Contrast, convert_to_json
from boardgames.store.listing import list_fixes
from boardgames.store.write import store_fix

ANSWERS = {PASS: "yes", FAIL: "no", UNKNOWN: "open"}


@dataclass(frozen=True, kw_only=True)
class Trial:
    """A change played again, on luck that the search never used."""

    checks: tuple[Check, ...]
    contrasts: tuple[Contrast, ...]  # against the baseline: what else it moves, by player count
    agent: str = ""  # the stronger one; empty if it did not play
    agent_checks: tuple[Check, ...] = ()  # by that agent

    @property
    def verdict(self) -> str:
        return combine(self.checks)

    @property
    def agent_verdict(self) -> str:
        return combine(self.agent_checks)


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A change of rules."""

    variant: str
    changes: tuple[str, ...]  # hand_size 5 -> 6
    table: str  # for variants.toml
    parameters: int  # that move
    steps: int
    shortfall: Estimate  # by the search: see analytics.questions.fix.score
    trial: Trial | None = None
    searched: tuple[Contrast, ...] = ()  # against the baseline on the deals of the search, without a trial
    spec: str = ""  # what to type for it, if that is not its name

    @property
    def is_fix(self) -> bool:
        return self.trial is not None and self.trial.verdict == PASS

    @property
    def fresh_shortfall(self) -> float | None:
        """How far it is from the goals on fresh deals; None if it has not played them."""
        checks = [check for check in self.trial.checks if check.matches] if self.trial else []
        return max((check.shortfall for check in checks), default=None)

    @property
    def contrasts(self) -> tuple[Contrast, ...]:
        """Against the baseline, on fresh deals if it played them."""
        return self.trial.contrasts if self.trial else self.searched


@dataclass(frozen=True, kw_only=True)
class Fix(DrawnAnswer):
    """The answer: the smallest changes first."""

    id: int
    variant: str
    fingerprint: str  # of its rules
    players: tuple[int, ...]
    agent: str
    goals: tuple[str, ...]
    seed: int
    fresh_seed: int
    file: str
    command: str
    at_most: int
    parameters: tuple[str, ...]  # that could move
    baseline: tuple[Check, ...]
    other_agent: str = ""  # the one that confirms; empty if none does
    other_baseline: tuple[Check, ...] = ()  # the unchanged game by that agent
    candidates: tuple[Candidate, ...] = ()
    tried: int = 0
    tried_parameters: tuple[str, ...] = ()  # that moved in a change which was tried
    tried_at_once: int = 1  # the most parameters that a change which was tried moves
    possible: int = 0  # changes within the bounds, with those that the rules refuse
    refused: int = 0
    is_sampled: bool = False  # there were too many changes to try them all
    is_complete: bool = False  # everything within the bounds was tried, and all that may help played again
    is_exhausted: bool = False  # the same command would neither try nor settle anything more
    max_matches: int | None = None  # of each change; None if time was the limit
    played: int = 0  # matches, by this call
    matches_before: int = 0  # stored when the goals were fixed
    reconstructed: tuple[str, ...] = ()
    spec: str = ""  # what to type for the variant, if that is not its name

    def __repr__(self) -> str:
        return f"<Fix of {self.variant} for {'; '.join(self.goals)}: {self.verdict}>"

    @property
    def is_met_already(self) -> bool:
        return combine(self.baseline) == PASS

    @property
    def agents(self) -> dict[int, str]:
        """Who plays, by player count."""
        return {check.players: check.line_up.split(",")[0] for check in self.baseline}

    @property
    def disputed(self) -> list[Check]:
        """The checks of the unchanged game of which the other agent clearly sees something else."""
        return list_disputed(self.baseline, self.other_baseline)

    @property
    def fixes(self) -> list[Candidate]:
        return [candidate for candidate in self.candidates if candidate.is_fix]

    @property
    def progress(self) -> tuple[int, int]:
        """How far the search got: the changes that played again, and all that were tried."""
        return sum(candidate.trial is not None for candidate in self.candidates), self.tried

    @property
    def verdict(self) -> str:
        """Passes with a fix, or if none is needed; fails if everything was tried and nothing is open."""
        if self.is_met_already or self.fixes:
            return PASS
        trials = [candidate.trial for candidate in self.candidates if candidate.trial]
        is_open = any(trial.verdict == UNKNOWN for trial in trials)
        return FAIL if self.is_complete and not is_open else UNKNOWN


def list_disputed(checks: Sequence[Check], others: Sequence[Check]) -> list[Check]:
    """The checks by one agent that those by another one contradict."""
    by_subject = {check.subject: check for check in others}
    pairs = [(check, by_subject.get(check.subject)) for check in checks]
    return [check for check, other in pairs if other and check.contradicts(other)]


def combine(checks: Sequence[Check]) -> str:
    """The verdict of all checks together."""
    verdicts = {check.verdict for check in checks}
    return FAIL if FAIL in verdicts else UNKNOWN if UNKNOWN in verdicts or not verdicts else PASS


def convert_fix_to_json(fix: Fix) -> dict[str, Any]:
    """The answer with its verdict, and with those of each change; None where it did not play for one."""
    answer = {"verdict": fix.verdict, **convert_to_json(fix)}
    answer["candidates"] = [_convert_candidate(candidate) for candidate in fix.candidates]
    return answer


def _convert_candidate(candidate: Candidate) -> dict[str, Any]:
    trial = candidate.trial
    return {
        "verdict": trial.verdict if trial else None,
        "stronger_verdict": trial.agent_verdict if trial and trial.agent else None,
        **convert_to_json(candidate),
    }


# ---- in the result file

_ADAPTER = TypeAdapter(Fix)


def save_fix(db: Path, fix: Fix, cells: list[int]) -> None:
    """Store the answer in place of an earlier one to the same question."""
    text = pydantic_core.to_json(fix, inf_nan_mode="strings").decode()
    store_fix(db, fix.id, fix.variant, text, cells)


def load_fixes(db: Path) -> list[Fix]:
    """All stored answers, the latest first."""
    return [_ADAPTER.validate_json(text) for text in list_fixes(db)]
