"""A round of training: ask the teacher, fit the net to all answers so far, and see how strong it is."""

import math
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Any

import numpy as np

from boardgames.agents.weights import LearnedPlayer
from boardgames.play.estimates import Estimate
from boardgames.train.clock import Step, format_seconds
from boardgames.train.collect import NotesJob, collect_notes, count_spans, make_student
from boardgames.train.fit import EPOCHS, Fit, find_labels, fit_net, measure_fit
from boardgames.train.folder import collect_kept, load_fit, save_fit, save_round
from boardgames.train.prune import find_features, fit_pruned_net
from boardgames.train.strength import format_share, make_net_head_to_head, measure_strength
from boardgames.train.training import DUEL_LUCK, LABEL_LUCK, Training

Array = np.ndarray[Any, Any]
NOISES = (0.0, 0.1, 0.3)  # each round plays a third of its matches with each
ASKED = 0.25  # share of decisions at which the teacher is asked
LABEL_DEALS = 2  # per call from Python
MOST_TIME = 0.5  # share of the minutes by which the first round has its labels: its fit and tests follow
FEWEST_LABELS = 3_000  # worth a fit
DUEL_MATCHES, LAST_MATCHES = 2_000, 8_000  # after each round, and in the last test


def play_round(training: Training) -> None:
    """Ask the teacher, fit the net to all labels, and measure how strong it is."""
    options, number, folder = training.options, len(training.log) + 1, training.round_folder
    wanted = min(options.round_labels, options.labels - training.labels)
    notes = np.concatenate(list(_collect_labels(training, number, wanted)))
    fit = _fit_all_labels(training, np.concatenate([*training.notes, notes]), number)
    wins = _measure_round(training, number)
    count = len(find_labels(notes, len(training.start.numbers)))
    training.notes.append(notes)
    training.log.append(_make_entry(number, count, fit, wins))
    if training.log[-1]["share"] == max(entry["share"] for entry in training.log):
        training.best = training.make_net(training.parameters)
    if not training.gains:
        training.ended = {"labels": options.labels, "rounds": number}
    save_round(training, folder)


def _fit_all_labels(training: Training, notes: Array, number: int) -> Fit:
    """Fit the net to all labels so far. The first round also finds out which columns it can do without."""
    if not load_fit(training, len(notes)):
        training.clock.tell(f", round {number}: fits the net")
        epochs = training.clock.begin(
            EPOCHS if training.log else 2 * EPOCHS, "epochs", part=f"round {number}", is_limited=False
        )
        _fit_net(training, notes, training.options.seed + number, epochs)
        save_fit(training, len(notes))
    return measure_fit(training.parameters, notes)


def _fit_net(training: Training, notes: Array, seed: int, epochs: Step) -> None:
    start, parameters = training.start, training.parameters
    if training.log:
        is_used = find_features(start)
        training.parameters = fit_net(parameters, notes, is_used, seed, on_epoch=epochs.count)
    else:
        training.start, training.parameters = fit_pruned_net(
            start, parameters, notes, seed, on_epoch=epochs.count
        )


def _measure_round(training: Training, number: int) -> Estimate:
    """How strong the net of this round is. The time that it takes tells what the last test will need."""
    options, clock, started = training.options, training.clock, time.monotonic()
    net = training.make_net(training.parameters)
    luck = options.seed + DUEL_LUCK + number
    contest = make_net_head_to_head(
        training.variant, net, luck, options.workers, training.round_folder / "head-to-head"
    )
    step = clock.begin(DUEL_MATCHES, "matches against greedy", part=f"round {number}")
    wins = measure_strength(contest, DUEL_MATCHES, step)
    clock.reserve = max(clock.reserve, (time.monotonic() - started) * LAST_MATCHES / DUEL_MATCHES)
    return wins


def _make_entry(number: int, labels: int, fit: Fit, wins: Estimate) -> dict[str, Any]:
    return {
        "round": number,
        "labels": labels,
        "loss": round(fit.loss, 4),
        "agreement": round(fit.agreement, 4),
        "share": round(wins.mean, 4),
        "low": round(wins.low, 4),
        "high": round(wins.high, 4),
    }


def _collect_labels(training: Training, number: int, wanted: int) -> Iterator[Array]:
    """Yield labels of one round: a third from matches with each amount of noise. In the first round, which
    must leave time for a player, each third also has a part of the time.
    """
    clock, numbers = training.clock, len(training.start.numbers)
    step = clock.begin(wanted, "labels", part=f"round {number}")
    begun = clock.spent / clock.seconds
    for index in range(len(NOISES)):
        third = (index + 1) / len(NOISES)
        enough, fewest = wanted * third, min(wanted, FEWEST_LABELS) * third
        time_share = math.inf if training.log else begun + max(0.0, MOST_TIME - begun) * third
        if step.done >= enough:
            continue
        with closing(_collect_noisy_labels(training, number, index)) as notes:
            for part, is_new in notes:
                yield part
                (step.count if is_new else step.keep)(len(find_labels(part, numbers)))
                if step.done >= (fewest if clock.has_spent(time_share) else enough):
                    break


def _collect_noisy_labels(
    training: Training, number: int, index: int
) -> Generator[tuple[Array, bool], None, None]:
    """Labels from matches with one amount of noise: those that the round's folder keeps, then new ones."""
    options = training.options
    player = LearnedPlayer(training.variant.game.name, {training.players: training.best or training.start})
    student = make_student(
        player, options.teacher, NOISES[index], ASKED, by_evaluation=training.evaluation is not None
    )
    luck = options.seed + LABEL_LUCK + len(NOISES) * number + index
    job = NotesJob(training.variant, student, training.players, luck, training.evaluation)
    folder = training.round_folder / f"labels-{index}"
    return collect_kept(folder, lambda first: _collect(job, first, options.workers, options.cluster))


def _collect(job: NotesJob, first: int, workers: int, cluster: str) -> Generator[Array, None, None]:
    """The notes of a job from a span on, by threads or by the workers of a cluster."""
    spans = count_spans(LABEL_DEALS, first)
    if not cluster:
        return collect_notes(job, spans, workers)
    from boardgames.train.cluster import collect_on_cluster

    return collect_on_cluster(job, spans, cluster)


def describe_round(training: Training, seconds: float, labels: int) -> str:
    """How strong the last round's net is. The time left follows from this start's seconds and labels."""
    entry = training.log[-1]
    wins = Estimate(entry["share"], entry["low"], entry["high"], 0)
    left = max(0, training.options.labels - training.labels) * seconds / max(1, labels)
    return (
        f"{training.name}, round {entry['round']}: {training.labels:,} labels, wins {format_share(wins)} "
        f"against greedy ({1 / training.players:.0%} is equal); at most {format_seconds(left)} left"
    )
