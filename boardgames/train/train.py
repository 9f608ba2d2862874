"""Train a learned player: a net imitates a search, in rounds, as long as it gets stronger.

Another net learns first who wins: it judges the playouts of the search, which makes most searches stronger.

Each round plays matches (by the evaluation first, then by the net so far, with noise), asks the teacher at
some decisions, fits the net to all labels so far, and lets it play against greedy on luck of its own. The
last test is on luck that no round has seen.
"""

import json
import shutil
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from boardgames.agents.agent import BUILT_IN, EVALUATION, Agent, find_agent
from boardgames.agents.weights import LearnedPlayer, Net, load_player, save_player
from boardgames.errors import InvalidInput
from boardgames.files import check_output, replace_file, write_file
from boardgames.game.variant import Variant
from boardgames.plan.cell import fingerprint_agent
from boardgames.play.batch import play_batch
from boardgames.play.estimates import Estimate
from boardgames.train.collect import (
    NotesJob,
    collect_notes,
    count_spans,
    is_next_tenth,
    make_student,
    survey_positions,
)
from boardgames.train.columns import find_columns, find_numbers
from boardgames.train.evaluation import train_evaluation
from boardgames.train.fit import (
    Fit,
    Parameters,
    find_labels,
    fit_net,
    make_parameters,
    measure_fit,
    round_parameters,
)
from boardgames.train.prune import find_features, fit_pruned_net
from boardgames.train.seat_fields import find_seat_fields

Array = np.ndarray[Any, Any]
TEACHER = "mcts:256"
ROUND_LABELS = 40_000
NOISES = (0.0, 0.1, 0.3)  # each round plays a third of its matches with each
ASKED = 0.25  # share of decisions at which the teacher is asked
LABEL_DEALS = 2  # per call from Python
DUEL_MATCHES, LAST_MATCHES = 2_000, 8_000  # after each round, and in the last test
GATE_MATCHES, MOST_GATE_MATCHES = 100, 1_600
TEACHERS_NET = "evaluation.npz"  # in a training's folder
PATIENCE = 2  # rounds without a gain after which training ends
# what is added to the seed: luck that one part of the training sees is never seen by another
GATE_LUCK, SURVEY_LUCK, EVALUATION_LUCK, LABEL_LUCK, DUEL_LUCK, LAST_LUCK = 1, 2, 3, 1_000, 2_000, 3_000


class NotStronger(InvalidInput):
    """An agent that does not beat greedy: nothing is learned from it, and it is not kept."""

    exit_code = 1


@dataclass(frozen=True, kw_only=True)
class TrainOptions:
    """How much to train, and by what."""

    teacher: str = TEACHER
    positions: int = 240_000  # that the evaluation learns from
    labels: int = 240_000  # in all, at most
    round_labels: int = ROUND_LABELS
    minutes: float | None = None  # for each player count; None = as long as it takes
    seed: int = 7_000_000
    workers: int = 1
    cluster: str = ""  # the address of a Dask scheduler whose workers ask the teacher
    on_progress: Callable[[str], None] = lambda line: None


@dataclass(kw_only=True)
class Training:
    """One player count's training, as far as it got. It is kept in a folder, round by round."""

    variant: Variant
    players: int
    options: TrainOptions
    folder: Path
    start: Net  # columns and codes; its weights are those of the evaluation
    parameters: Parameters
    evaluation: Net | None = None  # by which the teacher judges playouts; None = by the game's own
    notes: list[Array] = field(default_factory=list)
    log: list[dict[str, Any]] = field(default_factory=list)
    best: Net | None = None

    @property
    def labels(self) -> int:
        return sum(entry["labels"] for entry in self.log)

    @property
    def gains(self) -> bool:
        """Whether one of the last rounds was stronger than all before."""
        shares = [entry["share"] for entry in self.log]
        return len(shares) <= PATIENCE or max(shares[-PATIENCE:]) > max(shares[:-PATIENCE])

    def make_net(self, parameters: Parameters) -> Net:
        weights = round_parameters(parameters)._asdict()
        names = ("players", "columns", "codes", "numbers", "first_action", "trained_on")
        return Net(**{name: getattr(self.start, name) for name in names}, **weights, log=tuple(self.log))


def train_player(variant: Variant, players: int, path: Path, options: TrainOptions) -> Net:
    """Train a player for one player count and add it to the file at `path`. Goes on where it was stopped.

    Raises NotStronger if the teacher, or in the end the player itself, does not beat greedy.
    """
    started = time.monotonic()
    if variant.game.is_cooperative:
        raise InvalidInput(
            f"{variant.name} is co-operative: a trained player is tested by its wins, and here all seats win "
            "together. `greedy` and `mcts` play it for the score"
        )
    check_output(path)
    training = _resume_or_begin(variant, players, path, options)
    while training.labels < options.labels and training.gains:
        minutes = (time.monotonic() - started) / 60
        if options.minutes is not None and minutes >= options.minutes and training.log:
            break
        _play_round(training)
        _save_round(training)
        options.on_progress(_describe_round(training, (time.monotonic() - started) / 60))
    assert training.best is not None
    net = replace(training.best, log=tuple(training.log))
    wins = measure_net(variant, net, LAST_MATCHES, options.seed + LAST_LUCK, options.workers)
    if wins.low <= 1 / players:
        raise NotStronger(
            f"{_name(training)}: it wins {_format_share(wins)} where {1 / players:.0%} is an equal share, so "
            f"it is not kept. Its labels stay in {training.folder}: with more --labels the command goes on"
        )
    net = add_to_file(variant, net, path, _make_last_entry("learned", wins))
    shutil.rmtree(training.folder)
    return net


def add_to_file(variant: Variant, net: Net, path: Path, entry: Mapping[str, Any]) -> Net:
    """Add a net, with the result of its last test, to a file that may have nets for other player counts."""
    nets = dict(load_player(path, variant.game).nets) if path.is_file() else {}
    tested = replace(net, log=(*net.log, dict(entry)))
    save_player(LearnedPlayer(variant.game.name, {**nets, net.players: tested}), path)
    return tested


def _make_last_entry(agent: str, wins: Estimate) -> dict[str, Any]:
    """The result of a last test, on luck that no training has seen."""
    return {"test": "last", "agent": agent, "share": wins.mean, "low": wins.low, "high": wins.high}


# ---- rounds


def _play_round(training: Training) -> None:
    """Ask the teacher, fit the net to all labels, and measure how strong it is."""
    options, number = training.options, len(training.log) + 1
    wanted = min(options.round_labels, options.labels - training.labels)
    notes = np.concatenate(list(_collect_labels(training, number, wanted)))
    training.notes.append(notes)
    count = len(find_labels(notes, len(training.start.numbers)))
    fit = _fit_all_labels(training, options.seed + number)
    net = training.make_net(training.parameters)
    luck = options.seed + DUEL_LUCK + number
    wins = measure_net(training.variant, net, DUEL_MATCHES, luck, options.workers)
    training.log.append(_make_entry(number, count, fit, wins))
    if training.log[-1]["share"] == max(entry["share"] for entry in training.log):
        training.best = training.make_net(training.parameters)


def _fit_all_labels(training: Training, seed: int) -> Fit:
    """Fit the net to all labels so far. The first round also finds out which columns it can do without."""
    notes = np.concatenate(training.notes)
    if training.log:
        fitted = fit_net(training.parameters, notes, find_features(training.start), seed)
    else:
        training.start, fitted = fit_pruned_net(training.start, training.parameters, notes, seed)
    training.parameters = fitted
    return measure_fit(fitted, notes)


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
    """Labels of one round: a third from matches with each amount of noise."""
    options, numbers = training.options, len(training.start.numbers)
    player = LearnedPlayer(training.variant.game.name, {training.players: training.best or training.start})
    collected = 0
    for index, noise in enumerate(NOISES):
        student = make_student(
            player, options.teacher, noise, ASKED, by_evaluation=training.evaluation is not None
        )
        luck = options.seed + LABEL_LUCK + len(NOISES) * number + index
        job = NotesJob(training.variant, student, training.players, luck, training.evaluation)
        notes = _collect(job, options)
        for part in notes:
            before, collected = collected, collected + len(find_labels(part, numbers))
            yield part
            if is_next_tenth(before, collected, wanted):
                options.on_progress(f"{_name(training)}, round {number}: {collected:,} of {wanted:,} labels")
            if collected >= wanted * (index + 1) / len(NOISES):
                break
        notes.close()


def _collect(job: NotesJob, options: TrainOptions) -> Generator[Array, None, None]:
    """The notes of a job, by threads or by the workers of a cluster."""
    spans = count_spans(LABEL_DEALS)
    if not options.cluster:
        return collect_notes(job, spans, options.workers)
    from boardgames.train.cluster import collect_on_cluster

    return collect_on_cluster(job, spans, options.cluster)


def _describe_round(training: Training, minutes: float) -> str:
    entry = training.log[-1]
    wins = Estimate(entry["share"], entry["low"], entry["high"], 0)
    left = max(0, training.options.labels - training.labels)
    pace = max(minutes, 0.01) / max(1, training.labels)
    return (
        f"{_name(training)}, round {entry['round']}: {training.labels:,} labels, wins {_format_share(wins)} "
        f"against greedy ({1 / training.players:.0%} is equal); at most {left * pace:.0f} minutes left"
    )


def _name(training: Training) -> str:
    return f"{training.variant.name} with {training.players} players"


def _format_share(wins: Estimate) -> str:
    return f"{wins.mean:.1%} ({wins.low:.1%} to {wins.high:.1%})"


# ---- how strong


def measure_net(variant: Variant, net: Net, matches: int, seed: int, workers: int) -> Estimate:
    """How often a net wins, one among greedy agents, in every seat."""
    player = LearnedPlayer(variant.game.name, {net.players: net})
    agent = Agent(
        agent_type=BUILT_IN["learned"], name="learned", values={"worlds": 1, "noise": 0.0}, player=player
    )
    return measure_agent(variant, agent, net.players, matches, seed, workers)


def measure_agent(
    variant: Variant, agent: Agent, players: int, matches: int, seed: int, workers: int
) -> Estimate:
    """How often an agent wins, one among greedy agents, in every seat."""
    line_up = [agent, *[find_agent("greedy", variant.game)] * (players - 1)]
    batch = play_batch(variant, line_up, players, -(-matches // players), seed=seed, workers=workers)
    return batch.shares()[agent.name]


def check_teacher(variant: Variant, teacher: Agent, players: int, options: TrainOptions) -> Estimate:
    """How often the teacher wins. Raises NotStronger if it does not beat greedy."""
    matches = GATE_MATCHES
    while True:
        options.on_progress(f"{variant.name} with {players} players: is {teacher.name} stronger than greedy?")
        seed, workers = options.seed + GATE_LUCK, options.workers
        wins = measure_agent(variant, teacher, players, matches, seed, workers)
        if wins.low > 1 / players:
            return wins
        if matches >= MOST_GATE_MATCHES or wins.high < 1 / players:
            raise NotStronger(
                f"{teacher.name} wins {_format_share(wins)} among greedy in {variant.name} with {players} "
                f"players, where {1 / players:.0%} is an equal share: there is nothing to learn from it. "
                "Name a stronger one with --teacher, for instance mcts:1024"
            )
        matches *= 2


def _find_evaluation(training: Training, path: Path) -> Net | None:
    """The evaluation by which the teacher judges playouts, also added to a file beside `path`; None if the
    teacher beats greedy only without one.
    """
    variant, players, options = training.variant, training.players, training.options
    teacher = find_agent(options.teacher, variant.game)
    if teacher.agent_type is not BUILT_IN["mcts"] or variant.game.evaluate is None:
        check_teacher(variant, teacher, players, options)
        return None
    luck = options.seed + EVALUATION_LUCK
    net = train_evaluation(
        variant, training.start, options.positions, luck, options.workers, options.on_progress
    )
    player = LearnedPlayer(variant.game.name, {players: net})
    learned = replace(
        teacher, agent_type=BUILT_IN["learned-mcts"], name=f"learned-{teacher.name}", player=player
    )
    try:
        wins = check_teacher(variant, learned, players, options)
    except NotStronger:
        check_teacher(variant, teacher, players, options)
        return None
    return add_to_file(variant, net, path.with_suffix(EVALUATION), _make_last_entry(learned.name, wins))


# ---- kept between two starts


def _resume_or_begin(variant: Variant, players: int, path: Path, options: TrainOptions) -> Training:
    folder = path.with_name(f"{path.name}.{players}-players")
    plan = {
        "rules": variant.fingerprint(),
        "teacher": fingerprint_agent(find_agent(options.teacher, variant.game)),
        "seed": options.seed,
    }
    kept = folder / "log.json"
    if kept.is_file():
        head = json.loads(kept.read_text(encoding="utf-8"))
        if head["plan"] != plan:
            raise InvalidInput(
                f"{folder} holds a training by other rules, another teacher or another seed; remove it, or "
                "name another file with --output"
            )
        return _load_training(variant, players, options, folder, head["log"])
    training = _begin_training(variant, players, options, folder)
    training.evaluation = _find_evaluation(training, path)
    folder.mkdir(parents=True, exist_ok=True)
    save_player(LearnedPlayer(variant.game.name, {players: training.start}), folder / "start.npz")
    if training.evaluation:
        save_player(LearnedPlayer(variant.game.name, {players: training.evaluation}), folder / TEACHERS_NET)
    _save_log(training, plan)
    return training


def _begin_training(variant: Variant, players: int, options: TrainOptions, folder: Path) -> Training:
    """Look at positions to see what there is to read, and begin with the evaluation."""
    luck = options.seed + SURVEY_LUCK
    survey = survey_positions(variant, players, luck, options.workers)
    if not len(survey.states):
        raise NotStronger(
            f"{variant.name} with {players} players leaves nothing to decide: there is nothing to learn"
        )
    seat_fields = find_seat_fields(variant, luck, options.workers)
    columns, codes = find_columns(variant.game, players, survey, seat_fields)
    numbers, first_action = find_numbers(survey), int(codes.max()) + 1
    parameters = make_parameters(first_action + variant.game.actions, len(numbers), options.seed)
    start = Net(
        players=players,
        columns=columns,
        codes=codes,
        numbers=numbers,
        first_action=first_action,
        trained_on=variant.name,
        **round_parameters(parameters)._asdict(),
    )
    return Training(
        variant=variant, players=players, options=options, folder=folder, start=start, parameters=parameters
    )


def _save_round(training: Training) -> None:
    number, folder, game = len(training.log), training.folder, training.variant.game.name
    with replace_file(folder / f"labels-{number}.npy") as part, part.open("wb") as file:
        np.save(file, training.notes[-1])
    with replace_file(folder / f"weights-{number}.npz") as part, part.open("wb") as file:
        np.savez(file, **training.parameters._asdict())
    if training.best is not None:
        save_player(LearnedPlayer(game, {training.players: training.best}), folder / "best.npz")
    _save_log(training, json.loads((folder / "log.json").read_text(encoding="utf-8"))["plan"])


def _save_log(training: Training, plan: Mapping[str, Any]) -> None:
    write_file(training.folder / "log.json", json.dumps({"plan": plan, "log": training.log}, indent=1))


def _load_training(
    variant: Variant, players: int, options: TrainOptions, folder: Path, log: list[dict[str, Any]]
) -> Training:
    start = load_player(folder / "start.npz", variant.game).find_net(players)
    parameters = make_parameters(len(start.weights), len(start.numbers), options.seed)
    best = None
    if log:
        best = load_player(folder / "best.npz", variant.game).find_net(players)
        start = replace(start, columns=best.columns)  # those that the first round has kept
        with np.load(folder / f"weights-{len(log)}.npz") as arrays:
            parameters = Parameters(**arrays)
    evaluation = folder / TEACHERS_NET
    return Training(
        variant=variant,
        players=players,
        options=options,
        folder=folder,
        start=start,
        parameters=parameters,
        evaluation=load_player(evaluation, variant.game).find_net(players) if evaluation.is_file() else None,
        notes=[np.load(folder / f"labels-{number}.npy") for number in range(1, len(log) + 1)],
        log=log,
        best=best,
    )
