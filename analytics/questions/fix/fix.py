"""`fix`: search for the smallest changes that reach the goals, and confirm them on fresh deals. The command
line and notebooks call the same function.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import tomli_w

from analytics.metric.sums import fill_sums
from analytics.playing import Budget, Driver, Group, RunOptions, count_complete_deals, count_matches
from analytics.questions.compare.judge import load_main_contrasts
from analytics.questions.fix.clock import Clock
from analytics.questions.fix.confirm import Confirmation, register_finalists
from analytics.questions.fix.goals import Wishes, check_wishes, read_wishes
from analytics.questions.fix.question import Question, find_stronger_agent
from analytics.questions.fix.results import (
    Candidate,
    Fix,
    Trial,
    combine,
    list_disputed,
    load_fixes,
    save_fix,
)
from analytics.questions.fix.search import PORTIONS, Contestant, Search
from analytics.questions.fix.space import make_space
from analytics.questions.goals.judge import PASS, UNKNOWN, Check, judge_goals
from analytics.verdict.design import find_usual_player_count
from analytics.verdict.results import Contrast
from analytics.verdict.terms import make_terms
from boardgames.agents.agent import check_nets, find_agent, find_usual_agents
from boardgames.errors import InvalidInput
from boardgames.game.player_counts import Players, parse_player_counts
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.given_values import read_path
from boardgames.notebook import follow_lines
from boardgames.plan.arguments import Agents, Texts, VariantLike, format_agent, format_variant, list_texts
from boardgames.plan.plan import plan_deals
from boardgames.play.batch import SLICE
from boardgames.play.estimates import ErrorBudget
from boardgames.store.write import check_writable

MINUTES = 5.0  # unless minutes or matches are given
AT_MOST = 2  # parameters at once
FINALISTS = 3  # of a level at a time
ROUNDS = 4  # of finalists of a level, while none of them is a fix
USUAL_DEALS = 4 * PORTIONS[-1]  # of a finalist, where minutes are the limit
SHOWN = 12  # changes of the front, at most
NO_AGENT = "none"
AS_IT_IS, CHANGES = "the game as it is", "changes"  # what an agent judges
BASELINE_SHARE = 0.1  # of the time, before the search
# of the time that is left, for the search of a level and for fresh deals: the smaller changes have the most.
# The rest is the stronger agent's
SEARCH_SHARE, FRESH_SHARE = 0.35, 0.35
OPEN_SHARE = (
    0.5  # of what is left after that, for the change that is nearest to a verdict, if there is no fix
)


class SearchInterrupted(KeyboardInterrupt):
    """Ctrl-C during a search; `fix` is what is known so far."""

    def __init__(self, fix: Fix) -> None:
        super().__init__()
        self.fix = fix


def find_fix(
    variant: VariantLike,
    *,
    db: str | Path = "boardgames.duckdb",
    goals: str | Path | None = None,
    goal: Texts = (),
    keep: Texts = (),
    fair_seats: bool = False,
    change: Texts = (),
    never: Texts = (),
    at_most: int = AT_MOST,
    players: Players = "",
    agents: Agents = "",
    stronger: Agents = "",
    minutes: float | None = None,
    matches: int | None = None,
    seed: int | None = None,
    workers: int = 1,
    command: str = "",
    on_progress: Callable[[str], None] | None = None,
) -> Fix:
    """The smallest changes that reach the goals: `find_fix("pig", goal="length at most 60")`.

    Searches for `minutes`, or to `matches` of each change; `change` and `never` say what may move. What the
    search likes plays again on fresh deals, also by a stronger agent (`stronger`, "none" for none). Ctrl-C
    raises SearchInterrupted, which has the answer so far.
    """
    wishes = read_wishes(
        read_path("goals", goals, "balance.toml") if goals else None,
        list_texts("goal", goal),
        list_texts("keep", keep),
        fair_seats,
    )
    file = wishes.file
    if seed is None:
        seed = file.seed if file else 1
    baseline = find_variant(format_variant(variant))
    counts = _choose_player_counts(players or (file.players if file else ""), wishes, baseline)
    wishes = wishes.name_players(counts)
    counts = sorted({*counts, *wishes.list_players()})
    check_wishes(wishes, baseline, counts)
    named = format_agent(agents, "fix") or (file.agents if file else "")
    agent = _find_agent(named, baseline, counts)
    question = Question(
        space=make_space(baseline, counts, list_texts("change", change), list_texts("never", never)),
        wishes=wishes,
        agent=agent,
        stronger=_choose_stronger(format_agent(stronger, "fix"), agent, baseline, counts),
        seed=seed,
        at_most=at_most,
        has_seats_first=fair_seats,
    )
    budget = Budget(
        minutes=minutes or (file.minutes if file and not matches else None),
        matches=matches or (file.matches if file and not minutes else None),
    )
    options = RunOptions(db=read_path("db", db), seed=seed, workers=workers, command=command)
    with follow_lines("fix", on_progress) as on_line:
        return _Finder(question, replace(options, on_progress=on_line), budget).run()


def _choose_player_counts(players: Players, wishes: Wishes, baseline: Variant) -> list[int]:
    """For goals that name no player counts: those asked for; without them, for a file all that the game
    allows, as `goals` plays them; in words, what others name, else the usual count.
    """
    if counts := parse_player_counts(players):
        return counts
    if wishes.file and not all(goal.players for goal in wishes.file.goals):
        return list(baseline.game.player_counts)
    return wishes.list_players() or [find_usual_player_count([baseline])]


def _find_agent(spec: str, baseline: Variant, players: Sequence[int]) -> str:
    """The agent that was named, checked; the usual one if none was."""
    if "," in spec:
        raise InvalidInput(f"'{spec}' is a line-up; fix wants one agent for all seats")
    if not spec:
        return find_usual_agents([baseline.game], players)
    check_nets([spec], [baseline.game], players)
    return find_agent(spec, baseline.game).name


def _choose_stronger(stronger: str, agent: str, baseline: Variant, players: Sequence[int]) -> str:
    if stronger == NO_AGENT:
        return ""
    if not stronger:
        return find_stronger_agent(agent, baseline, players)
    confirming = _find_agent(stronger, baseline, players)
    if confirming == agent:
        raise InvalidInput(f"--stronger {stronger} is the agent that decides already: name another, or none")
    return confirming


def name_table(baseline: str, values: Mapping[str, str]) -> str:
    """A name in variants.toml, another for each change: celtae-starting_tokens-0-1-2-2"""
    words = [baseline, *(word for item in values.items() for word in item)]
    signed = [re.sub(r"(?<![A-Za-z0-9])-(?=\d)", "minus", word) for word in words]
    return "-".join(re.sub(r"[^A-Za-z0-9_-]+", "-", word) for word in signed)


def _is_enough(smaller: Contestant, larger: Contestant) -> bool:
    """Whether nothing is left to ask about a larger change of the same parameters: the smaller one clearly
    meets the goals, or looks no worse.
    """
    if smaller.change.moved != larger.change.moved:
        return False
    return smaller.score.is_clearly_met or smaller.score.shortfall <= larger.score.shortfall


class _Finder:
    """Plays and remembers what a search needs."""

    def __init__(self, question: Question, options: RunOptions, budget: Budget) -> None:
        self.question = question
        self.options = options
        self.driver = Driver(options=options)
        self.matches = budget.matches
        minutes = budget.minutes or (None if budget.matches else MINUTES)
        self.seconds = 60 * minutes if minutes else math.inf
        check_writable(options.db)
        self.search = Search(question, self.driver, budget.matches)
        self.before = count_matches(options.db, self.search.baseline.list_all())
        self.baseline: list[Check] = []
        self.other_baseline: list[Check] = []  # by the second agent
        self.trials: dict[str, Trial] = {}  # by the variant's name
        self.cells: set[int] = set()
        self.is_over = False
        self.has_waiting = False  # a change that may be a fix had no time to play again
        self.contrasts: dict[tuple[str, int], tuple[Contrast, ...]] = {}  # by the variant's name and deals

    def run(self) -> Fix:
        try:
            return self._search()
        except KeyboardInterrupt:
            if not self.baseline:
                raise
            raise SearchInterrupted(self._save()) from None

    def _search(self) -> Fix:
        versions = self.question.register(self.options.db, self.before)
        self.before = versions[0].matches_before
        self._play_baseline()
        cells = self.search.baseline
        self.baseline = judge_goals(cells.goal_cells, cells.by_key, self.options.db)
        self._play_baseline_by_other()
        if combine(self.baseline) != PASS:
            self._try_changes()
        self.is_over = True
        return self._save()

    def _try_changes(self) -> None:
        """Level by level, until one has a fix or the time is over; then play on for what is still open."""
        clock = Clock(self.seconds)
        levels = self.question.list_levels()
        for index, level in enumerate(levels):
            self.search.search_level(level, clock.allot(SEARCH_SHARE))
            self._confirm_level(clock.allot(FRESH_SHARE))
            self._save()
            if self._has_fix() or clock.is_over:
                self.search.is_complete &= index == len(levels) - 1
                self.search.is_exhausted &= index == len(levels) - 1
                break
        if not self.trials:
            self._confirm(self._find_nearest(), clock.allot(FRESH_SHARE))
        if not self._has_fix():
            self._confirm(self._find_open(), clock.allot(OPEN_SHARE))
        self._confirm_stronger(clock)

    def _confirm_level(self, clock: Clock) -> None:
        """Play finalists again, then the next ones while none is a fix: the first may only be lucky."""
        self._confirm(self._choose_finalists() or self._find_likeliest(), clock)
        for _ in range(1, ROUNDS):
            if self._has_fix() or clock.is_over:
                break
            self._confirm(self._choose_finalists(), clock)
        self.has_waiting |= clock.is_over and bool(self._list_hopeful())

    def _play_baseline(self) -> None:
        """The baseline plays as much as any change in the search."""
        cells = self.search.baseline.list_all()
        plan = plan_deals(cells, 1, f"{self.question.title}: search")
        deals = self.search.portions[-1]
        group = Group(name=f"{self.question.baseline.name}, the baseline", plan=plan, max_deals=deals)
        if math.isinf(self.seconds):
            self.driver.play_matches([group])
        else:
            self.driver.play_for([group], self.seconds * BASELINE_SHARE)
        fill_sums(self.options.db)

    def _play_baseline_by_other(self) -> None:
        """The second agent plays the baseline, until it is known whether it sees the same problem."""
        question, db = self.question, self.options.db
        if not question.stronger:
            return
        cells = question.plan_cells(question.baseline, question.seed, question.stronger)
        name = f"{question.baseline.name} by {question.stronger}"
        plan = plan_deals(list(cells.by_key.values()), 1, f"{question.title}: {name}")
        stored = count_complete_deals(plan, db)
        group = Group(name=name, plan=plan, stored=stored, max_matches=self.matches)
        budget = self._split_budget(question.stronger)[AS_IT_IS]
        budgets = list(budget.split(*range(len(cells.goal_cells))).values())

        def forecast(deals: int) -> float:
            fill_sums(db)
            self.other_baseline = judge_goals(cells.goal_cells, cells.by_key, db, budgets=budgets)
            is_open = any(check.verdict == UNKNOWN for check in self.other_baseline)
            return 2 * deals if is_open and not list_disputed(self.baseline, self.other_baseline) else 0

        self.driver.play_until(group, forecast, self.seconds * BASELINE_SHARE)

    def _has_fix(self) -> bool:
        return any(trial.verdict == PASS for trial in self.trials.values())

    def _choose_finalists(self) -> list[Contestant]:
        """The changes that look as if they meet the goals, each better than the smaller ones or by other
        parameters. The smallest come first; but one so near the edge of a goal that its verdict would stay
        open gives way to those that can be settled.
        """
        finalists: list[Contestant] = []
        for contestant in self._list_hopeful():
            if contestant.score.shortfall <= 0 and not any(
                _is_enough(other, contestant) for other in finalists
            ):
                finalists.append(contestant)
        enough = self._find_usual_deals()
        alpha = ErrorBudget().take(FINALISTS)
        return sorted(finalists, key=lambda c: max(enough, c.score.predict_deals(alpha)))[:FINALISTS]

    def _find_likeliest(self) -> list[Contestant]:
        """Where no change looks as if it meets the goals, the one that most likely may."""
        return sorted(self._list_hopeful(), key=lambda c: c.score.shortfall)[:1]

    def _find_usual_deals(self) -> int:
        """The deals that a finalist may play, or usually can. It is no matter of this machine's speed: the
        same command has to choose the same finalists when it goes on.
        """
        if self.matches is None:
            return USUAL_DEALS
        return max(cell.count_deals(self.matches) for cell in self.search.baseline.list_all())

    def _list_hopeful(self) -> list[Contestant]:
        """The changes that may meet the goals and have not played again."""
        untried = [c for c in self.search.rank() if c.change.name not in self.trials]
        return [contestant for contestant in untried if not contestant.score.is_clearly_missed]

    def _find_nearest(self) -> list[Contestant]:
        """The change that came nearest, where none may reach the goals."""
        return sorted(self.search.rank(), key=lambda c: c.score.shortfall)[:1]

    def _find_open(self) -> list[Contestant]:
        """Of the changes whose verdict is open, the one that would be settled first."""
        more = {
            name: max(check.more or 0 for check in trial.checks)
            for name, trial in self.trials.items()
            if trial.verdict == UNKNOWN
        }
        return [self.search.contestants[name] for name in sorted(more, key=more.__getitem__)[:1]]

    def _confirm(self, finalists: Sequence[Contestant], clock: Clock) -> None:
        """Play the finalists again, in this order, and compare them with the baseline."""
        names = [contestant.change.name for contestant in finalists]
        if not names:
            return
        positions = register_finalists(self.options.db, self.question, names)
        for index, contestant in enumerate(finalists):
            confirmation = self._begin(contestant, self.question.agent, positions)
            self._play_again(confirmation, clock.left / (len(names) - index), self._keep_trial)

    def _play_again(
        self, confirmation: Confirmation, seconds: float, keep: Callable[[Confirmation], None]
    ) -> None:
        """Play a change on fresh deals and keep what is known then, also after Ctrl-C."""
        try:
            confirmation.run(seconds, self.matches)
        except KeyboardInterrupt:
            if confirmation.count_deals() >= SLICE:
                keep(confirmation)
            raise
        keep(confirmation)

    def _keep_trial(self, confirmation: Confirmation) -> None:
        """Remember what a change did on fresh deals, by the matches that are stored."""
        trial = Trial(checks=confirmation.judge(), contrasts=confirmation.compare())
        self.trials[confirmation.variant.name] = trial
        self.cells.update(cell.id for cell in confirmation.list_cells())

    def _keep_stronger(self, confirmation: Confirmation) -> None:
        """Remember what it did there by the stronger agent."""
        name = confirmation.variant.name
        checks = confirmation.judge()
        self.trials[name] = replace(self.trials[name], agent=confirmation.agent, agent_checks=checks)
        self.cells.update(cell.id for cell in confirmation.list_cells())

    def _begin(self, contestant: Contestant, agent: str, positions: Mapping[str, int]) -> Confirmation:
        budget = self._split_budget(agent)[CHANGES].take(positions[contestant.change.name])
        return Confirmation(self.question, self.driver, contestant.change.variant, agent, budget)

    def _split_budget(self, agent: str) -> dict[str, ErrorBudget]:
        """By each agent, all that is judged has one budget. What the deciding agent says of the game as it is
        comes before the search, as an answer of `goals`.
        """
        looks = [AS_IT_IS, CHANGES] if agent == self.question.stronger else [CHANGES]
        return ErrorBudget(purpose=f"fix by {agent}").split(*looks)

    def _confirm_stronger(self, clock: Clock) -> None:
        """Ask the stronger agent about each fix, or else about what is still open."""
        agent = self.question.stronger
        verdict = PASS if self._has_fix() else UNKNOWN
        chosen = [name for name, trial in self.trials.items() if trial.verdict == verdict]
        if not agent or not chosen:
            return
        positions = register_finalists(self.options.db, self.question, [])
        for index, name in enumerate(chosen):
            contestant = self.search.contestants[name]
            confirmation = self._begin(contestant, agent, positions)
            self._play_again(confirmation, clock.left / (len(chosen) - index), self._keep_stronger)

    def _save(self) -> Fix:
        """The answer so far, stored; until the search is over, an earlier answer that got further stays."""
        fix = self._make_fix()
        earlier = [stored.progress for stored in load_fixes(self.options.db) if stored.id == fix.id]
        if self.is_over or fix.progress >= max(earlier, default=(0, 0)):
            save_fix(self.options.db, fix, sorted(self.cells))
        return fix

    def _make_fix(self) -> Fix:
        question = self.question
        tried = self.search.list_tried()
        moved = frozenset[str]().union(*(contestant.change.moved for contestant in tried))
        return Fix(
            id=question.id,
            variant=question.baseline.name,
            fingerprint=question.baseline.fingerprint(),
            players=question.space.players,
            agent=question.agent,
            goals=question.wishes.describe(),
            seed=question.seed,
            fresh_seed=question.fresh_seed,
            file=str(self.options.db),
            command=self.options.command,
            at_most=question.at_most,
            parameters=tuple(question.space.axes),
            baseline=tuple(self.baseline),
            other_agent=question.stronger if self.other_baseline else "",
            other_baseline=tuple(self.other_baseline),
            candidates=tuple(self._list_candidates()),
            tried=len(tried),
            tried_parameters=tuple(name for name in question.space.axes if name in moved),
            tried_at_once=max((contestant.change.size.parameters for contestant in tried), default=1),
            possible=self.search.possible,
            refused=len(self.search.refused),
            is_sampled=self.search.is_sampled,
            is_complete=self.is_over and self.search.is_complete and not self._list_hopeful(),
            is_exhausted=self._is_exhausted(),
            max_matches=self.matches,
            played=self.driver.played,
            matches_before=self.before,
            reconstructed=tuple(sorted(question.baseline.game.reconstructed)),
            spec=question.baseline.spec,
        )

    def _is_exhausted(self) -> bool:
        """Whether the same command would neither try another change nor settle one. More matches of each
        change may show others to be promising, up to what the search plays at most.
        """
        plays_all = self.search.portions[-1] == PORTIONS[-1]
        is_open = any(trial.verdict == UNKNOWN for trial in self.trials.values())
        can_go_on = is_open or self.has_waiting or not plays_all
        return self.is_over and self.search.is_exhausted and not can_go_on

    def _list_candidates(self) -> list[Candidate]:
        """The front, and all that played again, the smallest first."""
        front = self.search.list_front()[-SHOWN:]
        tried = [contestant for contestant in self.search.rank() if contestant.change.name in self.trials]
        shown = {c.change.name: c for c in [*front, *tried]}
        return [self._make_candidate(c) for c in sorted(shown.values(), key=lambda c: c.rank)]

    def _make_candidate(self, contestant: Contestant) -> Candidate:
        change = contestant.change
        old, new = self.question.baseline, change.variant
        moved = [p for p in old.game.parameters if old.values[p.name] != new.values[p.name]]
        values = {p.name: p.write(new.values[p.name]) for p in moved}
        base = self.question.baseline.spec or self.question.baseline.name
        trial = self.trials.get(change.name)
        return Candidate(
            variant=change.name,
            changes=tuple(f"{p.name} {p.write(old.values[p.name])} -> {values[p.name]}" for p in moved),
            table=tomli_w.dumps({name_table(old.name, values): {"base": base, **values}}),
            parameters=change.size.parameters,
            steps=change.size.steps,
            shortfall=contestant.score.estimate(),
            trial=trial,
            searched=() if trial else self._compare_in_search(contestant),
            spec=new.spec,
        )

    def _compare_in_search(self, contestant: Contestant) -> tuple[Contrast, ...]:
        """All main metrics against the baseline, on the deals that the search played."""
        question = self.question
        key = (contestant.change.name, contestant.score.deals)
        if key not in self.contrasts:
            design = question.make_design(contestant.change.variant, question.seed, question.agent)
            terms = make_terms([question.agent])
            self.contrasts[key] = tuple(load_main_contrasts(design, self.options.db, terms))
        return self.contrasts[key]
