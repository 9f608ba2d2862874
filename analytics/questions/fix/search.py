"""The search: Optuna proposes changes, and they race on the same deals as the baseline.

A level is searched completely if it is small, the smallest changes first. In a larger one, Optuna's sampler
proposes, and so does what was learned: steps around the best change, and the best single changes together.
Changes play in growing portions of deals. One leaves the race when it clearly meets the goals, clearly
misses them, or is clearly further from them than another that is no larger, by paired differences. In a level
that is too large to list, only the best quarter plays the second portion, and half of those the third.
"""

import itertools
import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import optuna
from optuna.trial import TrialState

from analytics.playing import Driver, Group
from analytics.questions.fix.clock import Clock
from analytics.questions.fix.question import Question, VariantCells
from analytics.questions.fix.score import Score, measure_scores
from analytics.questions.fix.space import Change, Point
from boardgames.plan.plan import plan_deals
from boardgames.play.batch import SLICE

PORTIONS = (4 * SLICE, 16 * SLICE, 64 * SLICE)  # deals, from one look at the race to the next
MOST_TRIALS = 256  # of a level: changes that play
ATTEMPTS = 8  # for each of them: the sampler may propose what has played already
BATCH = 32  # changes that race together
LEARNING_BATCH = 16  # the same, where the sampler learns from one batch for the next
PROPOSED = 12  # of them, by what was learned: the sampler knows nothing of slopes
PROMISING = (0.25, 0.5)  # of the changes of a sampled level play the second portion, and of those the third
BEST = 6  # single changes that are tried together
MOVED = "which move"  # the name of a choice; no parameter has spaces in its name
Level = Sequence[tuple[str, ...]]


@dataclass
class Contestant:
    """A change in the race, with its score at each portion."""

    change: Change
    cells: VariantCells
    scores: dict[int, Score] = field(default_factory=dict)
    is_left_behind: bool = False  # it stopped early for no more than others that look better

    @property
    def score(self) -> Score:
        """The latest."""
        return self.scores[max(self.scores)]

    @property
    def rank(self) -> tuple[Any, ...]:
        """The smaller, then the better."""
        return (*self.change.size, self.score.shortfall)


class RacingPruner(optuna.pruners.BasePruner):
    """Stops what clearly misses the goals, or is clearly beaten by a change that is no larger. In a sampled
    level it also stops what is not among the best that played as many deals.
    """

    def __init__(self, search: "Search", is_sampled: bool) -> None:
        self.search = search
        self.is_sampled = is_sampled
        self.contestants: dict[int, Contestant] = {}  # by the number of the trial

    def prune(self, study: optuna.Study, trial: optuna.trial.FrozenTrial) -> bool:
        contestant = self.contestants[trial.number]
        if contestant.score.is_clearly_missed or self.search.is_beaten(contestant):
            return True
        contestant.is_left_behind = self.is_sampled and not self._is_promising(contestant)
        return contestant.is_left_behind

    def _is_promising(self, contestant: Contestant) -> bool:
        """Whether it is among the best, clearly meets the goals, or has played all that there is."""
        deals = contestant.score.deals
        if deals == self.search.portions[-1] or contestant.score.is_clearly_met:
            return True
        shortfalls = sorted(c.scores[deals].shortfall for c in self.contestants.values() if deals in c.scores)
        share = PROMISING[self.search.portions.index(deals)]
        worst = shortfalls[math.ceil(share * len(shortfalls)) - 1]
        return contestant.score.shortfall <= worst


class Search:
    def __init__(self, question: Question, driver: Driver, max_matches: int | None = None) -> None:
        self.question = question
        self.driver = driver
        self.space = question.space
        self.baseline = question.plan_cells(question.baseline, question.seed, question.agent)
        self.portions = _list_portions(self.baseline, max_matches)
        self.contestants: dict[str, Contestant] = {}  # by the variant's name
        self.refused: set[str] = set()  # points that the rules refuse
        self.is_complete = True  # everything within the bounds was tried
        self.is_exhausted = True  # no level would try another change
        self.is_sampled = False  # a level was too large to try all its changes
        self.possible = 0  # changes of the levels so far

    def search_level(self, level: Level, clock: Clock) -> None:
        """Try the changes of a level until one clearly meets the goals, all are tried, or time is over."""
        race = _Race(self, level)
        while not race.is_exhausted:
            race.run_batch(clock)
            if race.has_answer or clock.is_over:
                break
        self.is_complete &= race.is_complete
        self.is_exhausted &= race.is_exhausted
        self.is_sampled |= not race.is_listed
        self.possible += race.possible

    def is_beaten(self, contestant: Contestant) -> bool:
        """Whether another change that is no larger is clearly nearer to the goals, or meets them while it is
        smaller.
        """
        deals = contestant.score.deals
        rivals = [
            other
            for other in self.contestants.values()
            if other is not contestant
            and other.change.size <= contestant.change.size
            and deals in other.scores
        ]
        if any(other.change.size < contestant.change.size and other.score.is_clearly_met for other in rivals):
            return True
        best = min(rivals, key=lambda other: other.scores[deals].shortfall, default=None)
        return best is not None and contestant.score.is_clearly_worse_than(best.scores[deals])

    def enter(self, point: Point) -> Contestant | None:
        """The contestant of a point, which may have played already; None if the rules refuse it."""
        change = self.space.make_change(point)
        if change is None:
            self.refused.add(str(sorted(point.items())))
            return None
        if change.name not in self.contestants:
            cells = self.question.plan_cells(change.variant, self.question.seed, self.question.agent)
            self.contestants[change.name] = Contestant(change, cells)
        return self.contestants[change.name]

    def play(self, batch: Sequence[Contestant], racing: Sequence[Contestant], deals: int) -> None:
        """Play those that are still in the race to this number of deals; the baseline plays along."""
        entered = [self.baseline, *(contestant.cells for contestant in batch)]
        cells = {cell.id: cell for variant in entered for cell in variant.list_all()}
        stops = {
            cell.id: contestant.score.deals
            for contestant in batch
            if contestant not in racing
            for cell in contestant.cells.list_all()
        }
        group = Group(
            name=f"{len(self.contestants)} changes tried, {len(racing)} in the race",
            plan=plan_deals(list(cells.values()), deals, f"{self.question.title}: search"),
            deals=max((portion for portion in self.portions if portion < deals), default=0),
            stops=stops,
        )
        self.driver.play_wave(group, deals)
        db = self.driver.options.db
        variants = [contestant.cells for contestant in racing]
        scores = measure_scores(self.question, db, self.baseline, variants, deals)
        for contestant, score in zip(racing, scores, strict=True):
            contestant.scores[deals] = score

    def list_tried(self) -> list[Contestant]:
        """All that played."""
        return [contestant for contestant in self.contestants.values() if contestant.scores]

    def rank(self) -> list[Contestant]:
        """All that played as long as they could be told from others, the smallest first."""
        return sorted((c for c in self.list_tried() if not c.is_left_behind), key=lambda c: c.rank)

    def list_front(self) -> list[Contestant]:
        """Of each size the nearest to the goals, if it is nearer than all smaller ones, up to the first that
        clearly meets them.
        """
        front: list[Contestant] = []
        for contestant in self.rank():
            if not front or contestant.score.shortfall < front[-1].score.shortfall:
                front.append(contestant)
            if front[-1].score.is_clearly_met:
                break
        return front


class _Race:
    """One level: an Optuna study, and whose turn it is."""

    def __init__(self, search: Search, level: Level) -> None:
        self.search = search
        self.groups = {"+".join(names): names for names in level}
        self.possible = sum(search.space.count_points(names) for names in level)
        self.is_listed = self.possible <= MOST_TRIALS
        self.pruner = RacingPruner(search, not self.is_listed)
        self.study = _make_study(search.question.seed, self.pruner)
        self.entered: list[Contestant] = []
        self.asked: set[str] = set()  # points that were proposed, or chosen by the sampler
        self.trials_left = MOST_TRIALS
        self.attempts_left = ATTEMPTS * MOST_TRIALS
        if self.is_listed:
            self.attempts_left = self._propose_some(self._list_all(), MOST_TRIALS)
        else:
            self._propose_some(self._list_first(), MOST_TRIALS)

    @property
    def is_exhausted(self) -> bool:
        return not self.trials_left or not self.attempts_left

    @property
    def is_complete(self) -> bool:
        return self.is_listed and self.is_exhausted

    @property
    def has_answer(self) -> bool:
        """Whether a change clearly meets the goals, and none that is smaller is still to be tried."""
        met = [contestant for contestant in self.entered if contestant.score.is_clearly_met]
        if not met:
            return False
        best = min(met, key=lambda contestant: contestant.rank)
        if self.is_listed:
            return True
        nearer = self.search.space.list_nearer(best.change.point)
        return not any(self._propose(point) for point in nearer)

    def run_batch(self, clock: Clock) -> None:
        self._run(self._ask(), clock)
        if not self.is_listed:
            self._propose_some(self._list_promising(), PROPOSED)

    def _ask(self) -> list[tuple[optuna.Trial, Contestant]]:
        """The next changes that have not played, with their trials."""
        size = min(BATCH if self.is_listed else LEARNING_BATCH, self.trials_left)
        runners: dict[str, tuple[optuna.Trial, Contestant]] = {}
        while len(runners) < size and self.attempts_left:
            self.attempts_left -= 1
            trial = self.study.ask()
            contestant = self.search.enter(self._suggest(trial))
            if contestant is None:
                self.study.tell(trial, state=TrialState.FAIL)
            elif contestant.scores or contestant.change.name in runners:
                self._tell_known(trial, contestant)
            else:
                runners[contestant.change.name] = (trial, contestant)
                self.pruner.contestants[trial.number] = contestant
        self.trials_left -= len(runners)
        return [*runners.values()]

    def _run(self, runners: Sequence[tuple[optuna.Trial, Contestant]], clock: Clock) -> None:
        """Play portion after portion, until all have left the race or time is over."""
        batch = [contestant for _, contestant in runners]
        self.entered += batch
        racing = list(runners)
        for deals in self.search.portions:
            if not racing or (clock.is_over and deals > self.search.portions[0]):
                break
            self.search.play(batch, [contestant for _, contestant in racing], deals)
            for trial, contestant in racing:
                trial.report(contestant.score.shortfall, deals)
            for trial, _ in (beaten := [runner for runner in racing if runner[0].should_prune()]):
                self.study.tell(trial, state=TrialState.PRUNED)
            met = [runner for runner in racing if runner[1].score.is_clearly_met and runner not in beaten]
            for trial, contestant in met:
                self.study.tell(trial, contestant.score.shortfall)
            racing = [runner for runner in racing if runner not in beaten and runner not in met]
        for trial, contestant in racing:
            self.study.tell(trial, contestant.score.shortfall)

    def _tell_known(self, trial: optuna.Trial, contestant: Contestant) -> None:
        """A change that the sampler proposes again costs nothing."""
        if contestant.scores:
            self.study.tell(trial, contestant.score.shortfall)
        else:
            self.study.tell(trial, state=TrialState.FAIL)

    def _suggest(self, trial: optuna.Trial) -> Point:
        """What Optuna chooses, or what was proposed to it: which parameters move, and where to."""
        names = self.groups[trial.suggest_categorical(MOVED, [*self.groups])]
        point: Point = {}
        for name, axis in self.search.space.list_axes(names).items():
            last = len(axis.values) - 1
            if axis.is_ordered:
                point[name] = trial.suggest_int(name, 0, last)
            else:
                point[name] = trial.suggest_categorical(name, range(last + 1))
        self.asked.add(str(sorted(point.items())))
        return point

    def _propose_some(self, points: Iterator[Point], most: int) -> int:
        """Propose the first of these points that are new; how many there were."""
        return len([*itertools.islice(filter(self._propose, points), most)])

    def _propose(self, point: Point) -> bool:
        """Let the study try this point next; False if it was asked before, or moves something else."""
        moved = {key.partition(" ")[0] for key in point}
        group = next((key for key, names in self.groups.items() if set(names) == moved), None)
        key = str(sorted(point.items()))
        if group is None or key in self.asked or not self.search.space.measure(point).parameters:
            return False
        self.asked.add(key)
        self.study.enqueue_trial({MOVED: group, **point})
        return True

    def _list_all(self) -> Iterator[Point]:
        """Every change of the level that moves all its parameters, the smallest first."""
        space = self.search.space
        points = [
            (size, point)
            for names in self.groups.values()
            for point in space.list_points(names)
            if (size := space.measure(point)).parameters == len(names)
        ]
        yield from (point for _, point in sorted(points, key=lambda entry: entry[0]))

    def _list_first(self) -> Iterator[Point]:
        """For a level that is too large to list: the best single changes together, then one step each."""
        space = self.search.space
        for names in self.groups.values():
            if len(names) == 1:
                present = {key: axis.present for key, axis in space.list_axes(names).items()}
                yield from space.list_slopes(names[0], present)
                yield from space.list_neighbours(present)
        best: dict[str, Contestant] = {}
        for contestant in sorted(self.search.rank(), key=lambda c: c.score.shortfall):
            moved = [*contestant.change.moved]
            if len(moved) == 1:
                best.setdefault(moved[0], contestant)
        for together in itertools.combinations(
            [*best.values()][:BEST], len(next(iter(self.groups.values())))
        ):
            yield {key: index for c in together for key, index in c.change.point.items()}

    def _list_promising(self) -> Iterator[Point]:
        """Steps around the changes that are nearest to the goals, the nearest first; towards the baseline if
        they meet them.
        """
        space = self.search.space
        ranked = sorted((c for c in self.entered if not c.is_left_behind), key=lambda c: c.score.shortfall)
        for contestant in ranked:
            point = contestant.change.point
            if contestant.score.shortfall < 0:
                yield from space.list_nearer(point)
            for name in space.axes:
                if name in contestant.change.moved:
                    yield from space.list_slopes(name, point)
            yield from space.list_neighbours(point)


def _list_portions(baseline: VariantCells, max_matches: int | None) -> list[int]:
    """The numbers of deals to play to; with a limit of matches, as many slices of deals as hold them."""
    if max_matches is None:
        return [*PORTIONS]
    deals = max(cell.count_deals(max_matches) for cell in baseline.list_all())
    most = min(PORTIONS[-1], max(PORTIONS[0], math.ceil(deals / SLICE) * SLICE))
    return [*(portion for portion in PORTIONS if portion < most), most]


def _make_study(seed: int, pruner: optuna.pruners.BasePruner) -> optuna.Study:
    """A study in memory: what is played is in the result file, and the same question proposes the same."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        sampler = optuna.samplers.TPESampler(
            seed=seed % 2**32,  # Optuna takes no larger one
            multivariate=True,
            group=True,
            n_startup_trials=LEARNING_BATCH,
        )
    return optuna.create_study(sampler=sampler, pruner=pruner)
