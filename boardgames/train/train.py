"""Train a learned player: a net imitates a search, in rounds, as long as it gets stronger.

Another net learns first who wins: it judges the playouts of the search, which makes most searches stronger.

Each round plays matches (by the evaluation first, then by the net so far, with noise), asks the teacher at
some decisions, fits the net to all labels so far, and lets it play against greedy on luck of its own. The
last test is on luck that no round has seen.

All that is played is kept in a folder, in portions. So the same command goes on after a stop, and a larger
number of labels goes on after the end.
"""

import math
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from boardgames.agents.agent import BUILT_IN, EVALUATION, Agent, find_agent
from boardgames.agents.net import ALWAYS
from boardgames.agents.weights import LearnedPlayer, Net, load_player, save_player
from boardgames.errors import InvalidInput
from boardgames.files import check_output
from boardgames.game.variant import Variant
from boardgames.play.estimates import ErrorBudget, Estimate
from boardgames.train.clock import Clock, OutOfTime, format_seconds
from boardgames.train.collect import survey_positions
from boardgames.train.columns import find_columns, find_numbers
from boardgames.train.evaluation import train_evaluation
from boardgames.train.fit import make_parameters, round_parameters
from boardgames.train.folder import (
    begin_folder,
    find_folder,
    load_evaluation,
    load_head,
    load_training,
    lock_folder,
    measure_megabytes,
    save_evaluation,
    save_log,
)
from boardgames.train.rounds import LAST_MATCHES, describe_round, play_round
from boardgames.train.seat_fields import find_seat_fields
from boardgames.train.strength import (
    GATE_LOOKS,
    HeadToHead,
    NotStronger,
    check_teacher,
    format_share,
    make_net_head_to_head,
    measure_strength,
)
from boardgames.train.training import (
    EVALUATION_LUCK,
    GATE_LUCK,
    LAST_LUCK,
    MOST_LUCK,
    SURVEY_LUCK,
    Training,
    TrainOptions,
    name_training,
)

Array = np.ndarray[Any, Any]


class TrainedPlayer(NamedTuple):
    """A player that has passed its last test, and how its training can go on."""

    net: Net
    advice: str


def train_player(variant: Variant, players: int, path: Path, options: TrainOptions) -> TrainedPlayer:
    """Train a player for one player count and add it to the file at `path`. Goes on where it was stopped.

    Raises NotStronger if the teacher, or in the end the player itself, does not beat greedy; OutOfTime if the
    minutes are over before there is a player to test.
    """
    clock = Clock(name_training(variant, players), options.minutes, options.on_progress)
    check_request(variant, players, path, options)
    training = _resume_or_begin(variant, players, path, clock, options)
    with lock_folder(training.folder):
        with suppress(OutOfTime):
            training.evaluation = _choose_judge(training, path)
            _play_rounds(training)
        return _test_and_add(training, path)


def _test_and_add(training: Training, path: Path) -> TrainedPlayer:
    """Add the best player to the file at `path`, if it passes its last test."""
    if training.best is None:
        spent = format_seconds(training.clock.spent)
        raise OutOfTime(
            f"{training.name}: out of time after {spent}, and there is no player yet. "
            f"What was played is kept in {training.folder}: the same command goes on from there"
        )
    wins, fair_share = _test_best(training), 1 / training.players
    if wins.low <= fair_share:
        raise NotStronger(
            f"{training.name}: it wins {format_share(wins)} where {fair_share:.0%} is an equal share, so "
            f"it is not kept. {_explain_how_to_continue(training)}"
        )
    net = replace(training.best, log=tuple(training.log))
    net = add_to_file(training.variant, net, path, _make_last_entry("learned", wins))
    return TrainedPlayer(net, _explain_how_to_continue(training))


def check_request(variant: Variant, players: int, path: Path, options: TrainOptions) -> None:
    """Raise at once, not after minutes of playing, for what cannot be done. Nothing is written."""
    if not 0 <= options.seed < 2**62 - MOST_LUCK:
        raise InvalidInput(
            f"seed {options.seed}: the seed of a training is a whole number from 0 to 2**62 - {MOST_LUCK + 1}"
        )
    if variant.game.is_cooperative:
        raise InvalidInput(
            f"{variant.name} is co-operative: a trained player is tested by its wins, and here all seats win "
            "together. `greedy` and `mcts` play it for the score"
        )
    _check_teacher_is_search(variant, options.teacher)
    _check_files(variant, path, players, options)
    if options.cluster:
        from boardgames.train.cluster import check_cluster

        check_cluster(variant, options.teacher, players, options.cluster, options.on_warning)


def _check_teacher_is_search(variant: Variant, spec: str) -> None:
    """The labels are the visits of a plain search: no other agent may pass the test in its place."""
    teacher = find_agent(spec, variant.game)
    if teacher.agent_type is not BUILT_IN["mcts"] or teacher.has_own_row:
        raise InvalidInput(
            f"--teacher {spec}: the teacher is a search such as mcts:256 or mcts:1024+turns=4, without "
            "+forbid= and +force=. `train` tries a learned evaluation in it by itself"
        )


def _check_files(variant: Variant, path: Path, players: int, options: TrainOptions) -> None:
    """Whether both files can be written and hold players of this game, and the folder holds this training,
    where they exist.
    """
    check_output(path)  # before a name is made from its own: `.` has none
    evaluation, folder = path.with_suffix(EVALUATION), find_folder(path, players)
    if path == evaluation:
        raise InvalidInput(f"--output {path}: {EVALUATION} is the end of the file beside it; choose another")
    check_output(evaluation)
    for file in (path, evaluation):
        _load_nets(file, variant)
    if folder.exists() and not folder.is_dir():
        raise InvalidInput(f"{folder} is no folder, but the training is kept there; name another --output")
    load_head(variant, folder, options)


def _load_nets(path: Path, variant: Variant) -> Mapping[int, Net]:
    """The nets in a file to add to. A player of the game that this one was derived from is not its own."""
    if not path.is_file():
        return {}
    player = load_player(path, variant.game)
    if player.game != variant.game.name:
        raise InvalidInput(f"{path} is a learned player of {player.game}. Name another file with --output")
    return player.nets


def _play_rounds(training: Training) -> None:
    """Play rounds while labels are missing and the player gains."""
    clock, first = training.clock, training.labels
    _tell_strength(training)
    started = clock.spent
    while training.labels < training.options.labels and training.gains:
        play_round(training)
        _tell_strength(training)
        line = describe_round(training, clock.spent - started, training.labels - first)
        training.options.on_progress(line)


def _tell_strength(training: Training) -> None:
    """Let lines of progress say how strong the best round is."""
    if training.log:
        best = max(training.log, key=lambda entry: entry["share"])
        training.clock.strength = format_share(Estimate(best["share"], best["low"], best["high"], 0))


def _test_best(training: Training) -> Estimate:
    """How often the best player wins, on luck that no round has seen, nor the test of another player. Each
    test has its part of one allowed error, so that no player passes because there were many tests. A test
    that was begun is played to its end: the clock has left time for it.
    """
    assert training.best is not None
    digest, options = training.best.digest, training.options
    for test in training.tests:
        if test["net"] == digest:
            return Estimate(test["share"], test["low"], test["high"], 0)
    folder = training.folder / f"test-{digest}"
    luck = options.seed + LAST_LUCK + len(training.tests)
    contest = make_net_head_to_head(training.variant, training.best, luck, options.workers, folder)
    step = training.clock.begin(LAST_MATCHES, "matches of the last test", is_limited=False)
    level = 1 - ErrorBudget().take(len(training.tests) + 1)
    wins = measure_strength(contest, LAST_MATCHES, step, level)
    training.tests.append({"net": digest, "share": wins.mean, "low": wins.low, "high": wins.high})
    save_log(training)
    shutil.rmtree(folder, ignore_errors=True)
    return wins


def _explain_how_to_continue(training: Training) -> str:
    """Where its labels are, and what goes on from there."""
    size = math.ceil(measure_megabytes(training.folder))
    kept = f"Its {training.labels:,} labels are kept in {training.folder} ({size} MB)"
    if training.labels < training.options.labels and training.gains:
        return (
            f"Out of time. {kept}: the same command goes on from there. Delete the folder if you have enough"
        )
    ended = "" if training.gains else "It gained no more. "
    advice = f"more --labels than {training.options.labels} go on from there. Delete it if you have enough"
    return f"{ended}{kept}: {advice}"


def add_to_file(variant: Variant, net: Net, path: Path, entry: Mapping[str, Any]) -> Net:
    """Add a net, with the result of its last test, to a file that may have nets for other player counts."""
    tested = replace(net, log=(*net.log, dict(entry)))
    nets = {**_load_nets(path, variant), net.players: tested}
    save_player(LearnedPlayer(variant.game.name, nets), path)
    return tested


def _make_last_entry(agent: str, wins: Estimate) -> dict[str, Any]:
    """The result of a last test, on luck that no training has seen."""
    return {"test": "last", "agent": agent, "share": wins.mean, "low": wins.low, "high": wins.high}


# ---- before the first round


def _choose_judge(training: Training, path: Path) -> Net | None:
    """As _find_evaluation. Without a teacher nothing is kept: the next one begins anew."""
    try:
        return _find_evaluation(training, path)
    except NotStronger:
        shutil.rmtree(training.folder)
        raise


def _find_evaluation(training: Training, path: Path) -> Net | None:
    """The evaluation by which the teacher judges playouts, also added to a file beside `path`; None if the
    teacher beats greedy only without one.
    """
    variant, players, options = training.variant, training.players, training.options
    teacher = find_agent(options.teacher, variant.game)
    if variant.game.evaluate is None:
        _check_teacher(training, teacher)
        return None
    net = load_evaluation(training) or _train_evaluation(training)
    player = LearnedPlayer(variant.game.name, {players: net})
    learned = replace(
        teacher, agent_type=BUILT_IN["learned-mcts"], name=f"learned-{teacher.name}", player=player
    )
    try:
        wins = _check_teacher(training, learned)
    except NotStronger:
        _check_teacher(training, teacher)
        return None
    return add_to_file(variant, net, path.with_suffix(EVALUATION), _make_last_entry(learned.name, wins))


def _train_evaluation(training: Training) -> Net:
    options, positions = training.options, training.folder / "positions"
    luck = options.seed + EVALUATION_LUCK
    net = train_evaluation(
        training.variant, training.start, options.positions, luck, options.workers, training.clock, positions
    )
    save_evaluation(training, net, positions)
    return net


def _check_teacher(training: Training, teacher: Agent) -> Estimate:
    """How often a teacher wins; what it plays is kept. Raises NotStronger if it does not beat greedy."""
    options, folder = training.options, training.folder / f"gate-{teacher.agent_type.name}"
    luck = options.seed + GATE_LUCK
    contest = HeadToHead(training.variant, teacher, training.players, luck, options.workers, folder)
    training.clock.tell(f": is {teacher.name} stronger than greedy?")
    return check_teacher(
        contest, training.clock.begin(GATE_LOOKS[0], f"matches of {teacher.name} against greedy")
    )


def _resume_or_begin(
    variant: Variant, players: int, path: Path, clock: Clock, options: TrainOptions
) -> Training:
    folder = find_folder(path, players)
    kept = load_training(variant, players, folder, options, clock)
    if kept:
        return kept
    training = _begin_training(variant, players, options, folder)
    training.clock = clock
    begin_folder(training)
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
    numbers, first_action = find_numbers(survey), max(ALWAYS, int(codes.max())) + 1
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
        variant=variant,
        players=players,
        options=options,
        folder=folder,
        start=start,
        parameters=parameters,
        clock=Clock(name_training(variant, players)),
    )
