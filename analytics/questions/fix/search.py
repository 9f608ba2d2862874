"""The search: Optuna proposes changes, and they race on the same deals as the baseline.

A level is searched completely if it is small, the smallest changes first. In a larger one, Optuna's sampler
proposes, and so does what was learned: steps around the best change, and the best single changes together.
Changes play in growing portions of deals. One leaves the race when it clearly meets the goals, clearly
misses them, or is clearly further from them than another that is no larger, by paired differences.
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
MOST_TRIALS = 256  # of a level
BATCH = 32  # changes that race together
LEARNING_BATCH = 16  # the same, where the sampler learns from one batch for the next
PROPOSED = 8  # of them, by what was learned
BEST = 6  # single changes that are tried together
MOVED = "which move"  # the name of a choice; no parameter has spaces in its name
Level = Sequence[tuple[str, ...]]


@dataclass
class Contestant:
    """A change in the race, with its score at each portion."""

    change: Change
    cells: VariantCells
    scores: dict[int, Score] = field(default_factory=dict)

    @property
    def score(self) -> Score:
        """The latest."""
        return self.scores[max(self.scores)]

    @property
    def rank(self) -> tuple[Any, ...]:
        """The smaller, then the better."""
        return (*self.change.size, self.score.shortfall)


class RacingPruner(optuna.pruners.BasePruner):
    """Stops what clearly misses the goals, or is clearly beaten by a change that is no larger."""

    def __init__(self, search: "Search") -> None:
        self.search = search
        self.contestants: dict[int, Contestant] = {}  # by the number of the trial

    def prune(self, study: optuna.Study, trial: optuna.trial.FrozenTrial) -> bool:
        contestant = self.contestants[trial.number]
        return contestant.score.is_clearly_missed or self.search.is_beaten(contestant)


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

    def search_level(self, level: Level, clock: Clock) -> None:
        """Try the changes of a level until one clearly meets the goals, all are tried, or time is over."""
        race = _Race(self, level)
        while not race.is_exhausted:
            race.run_batch(clock)
            if race.has_answer or clock.is_over:
                break
        self.is_complete &= race.is_complete

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

    def rank(self) -> list[Contestant]:
        """All that played, the smallest first."""
        return sorted((c for c in self.contestants.values() if c.scores), key=lambda c: c.rank)

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
        self.pruner = RacingPruner(search)
        self.study = _make_study(search.question.seed, self.pruner)
        self.entered: list[Contestant] = []
        count = sum(search.space.count_points(names) for names in level)
        self.is_listed = count <= MOST_TRIALS
        self.trials_left = min(count, MOST_TRIALS)
        self.proposed: set[str] = set()
        if self.is_listed:
            self.trials_left = sum(self._propose(point) for point in self._list_all())
        else:
            for point in self._list_first():
                self._propose(point)

    @property
    def is_exhausted(self) -> bool:
        return self.trials_left <= 0

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
        size = min(BATCH if self.is_listed else LEARNING_BATCH, self.trials_left)
        self.trials_left -= size
        runners: dict[int, tuple[optuna.Trial, Contestant]] = {}
        for _ in range(size):
            trial = self.study.ask()
            contestant = self.search.enter(self._suggest(trial))
            if contestant is None:
                self.study.tell(trial, state=TrialState.FAIL)
            elif contestant.scores or contestant in [other for _, other in runners.values()]:
                self._tell_known(trial, contestant)
            else:
                runners[trial.number] = (trial, contestant)
                self.pruner.contestants[trial.number] = contestant
        self._run([*runners.values()], clock)
        if not self.is_listed:
            for point in itertools.islice(self._list_promising(), PROPOSED):
                self._propose(point)

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
        return point

    def _propose(self, point: Point) -> bool:
        """Let the study try this point next; False if it was proposed before, or moves something else."""
        moved = {key.partition(" ")[0] for key in point}
        group = next((key for key, names in self.groups.items() if set(names) == moved), None)
        key = str(sorted(point.items()))
        if group is None or key in self.proposed or not self.search.space.measure(point).parameters:
            return False
        self.proposed.add(key)
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
                yield from space.list_slopes(names[0])
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
        """Steps around the change that is nearest to the goals; towards the baseline if it meets them."""
        ranked = sorted((c for c in self.entered if c.scores), key=lambda c: c.score.shortfall)
        for contestant in ranked[:2]:
            point = contestant.change.point
            if contestant.score.shortfall < 0:
                yield from self.search.space.list_nearer(point)
            yield from self.search.space.list_neighbours(point)


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
            seed=seed, multivariate=True, group=True, n_startup_trials=LEARNING_BATCH
        )
    return optuna.create_study(sampler=sampler, pruner=pruner)
