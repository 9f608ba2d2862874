"""What a training keeps between two starts, in a folder beside its player. Files are written beside and
renamed, so that a stop at any time leaves them whole.
"""

import fcntl
import json
import shutil
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from boardgames.agents.agent import find_agent
from boardgames.agents.weights import LearnedPlayer, Net, load_player, save_player
from boardgames.errors import FileInUse, InvalidInput, UnusableFile
from boardgames.files import read_file, replace_file, write_file
from boardgames.game.variant import Variant
from boardgames.plan.cell import fingerprint_agent
from boardgames.train.clock import Clock
from boardgames.train.fit import Parameters, make_parameters
from boardgames.train.training import Training, TrainOptions

Array = np.ndarray[Any, Any]
PORTION_SECONDS = 10.0  # so much of playing is lost at most when a training is killed
LOG, START, BEST, EVALUATION = "log.json", "start.npz", "best.npz", "evaluation.npz"
LOCK = "lock"
STUDENT, WEIGHTS = "student.npz", "weights.npz"


def find_folder(path: Path, players: int) -> Path:
    return path.with_name(f"{path.name}.{players}-players")


def begin_folder(training: Training) -> None:
    """Keep what the training begins with."""
    training.folder.mkdir(parents=True, exist_ok=True)
    save_net(training.start, training.variant, training.folder / START)
    save_log(training)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Keep other trainings out: two of them would play the same matches twice, or lose some."""
    with (folder / LOCK).open("w") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            raise FileInUse(
                f"{folder} is in use by another training. Wait for it, or name another file with --output"
            ) from None
        yield


def save_log(training: Training) -> None:
    plan = _make_plan(training.variant, training.options)
    content = {"plan": plan, "log": training.log, "tests": training.tests, "ended": training.ended}
    write_file(training.folder / LOG, json.dumps(content, indent=1))


def _make_plan(variant: Variant, options: TrainOptions) -> dict[str, Any]:
    """What may not change between two starts."""
    return {
        "rules": variant.fingerprint(),
        "teacher": fingerprint_agent(find_agent(options.teacher, variant.game)),
        "seed": options.seed,
    }


def save_net(net: Net, variant: Variant, path: Path) -> None:
    save_player(LearnedPlayer(variant.game.name, {net.players: net}), path)


def _load_net(path: Path, variant: Variant, players: int) -> Net:
    with _explain_damage(path):
        return load_player(path, variant.game).find_net(players)


def _save_arrays(path: Path, **arrays: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_file(path) as part, part.open("wb") as file:
        np.savez(file, **arrays)


def _load_arrays(path: Path) -> dict[str, Array]:
    with _explain_damage(path), path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
        return dict(arrays)


@contextmanager
def _explain_damage(path: Path) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # a damaged file makes NumPy and its archives raise anything
        raise UnusableFile(
            f"{path} is missing or damaged. Remove the folder {path.parent}; "
            "the same command then plays again what it held"
        ) from error


def load_evaluation(training: Training) -> Net | None:
    """The evaluation that an earlier start has fitted."""
    path = training.folder / EVALUATION
    return _load_net(path, training.variant, training.players) if path.is_file() else None


def save_evaluation(training: Training, net: Net, positions: Path) -> None:
    """Keep an evaluation in place of the positions that it has learned from."""
    save_net(net, training.variant, training.folder / EVALUATION)
    shutil.rmtree(positions, ignore_errors=True)


# ---- rounds


def save_fit(training: Training, count: int) -> None:
    """Keep the net of a round that is not over, with how many numbers of labels it was fitted to."""
    folder = training.round_folder
    shutil.rmtree(folder / "head-to-head", ignore_errors=True)
    save_net(training.make_net(training.parameters), training.variant, folder / STUDENT)
    _save_arrays(folder / WEIGHTS, count=count, **training.parameters._asdict())


def load_fit(training: Training, count: int) -> bool:
    """Whether an earlier start has fitted the net of this round to the same labels; then it is taken."""
    path = training.round_folder / WEIGHTS
    if not path.is_file():
        return False
    arrays = _load_arrays(path)
    if int(arrays.pop("count")) != count:
        return False
    training.parameters = Parameters(**arrays)
    student = _load_net(training.round_folder / STUDENT, training.variant, training.players)
    training.start = replace(training.start, columns=student.columns)
    return True


def save_round(training: Training, folder: Path) -> None:
    """Keep a round that is over, in place of its parts in a folder."""
    number = len(training.log)
    _save_arrays(training.folder / f"labels-{number}.npz", numbers=training.notes[-1])
    _save_arrays(training.folder / f"weights-{number}.npz", **training.parameters._asdict())
    if training.best is not None:
        save_net(training.best, training.variant, training.folder / BEST)
    save_log(training)
    shutil.rmtree(folder, ignore_errors=True)


def load_head(variant: Variant, folder: Path, options: TrainOptions) -> dict[str, Any] | None:
    """What the folder of a training says about it; None if there is none yet. Raises if it is another one."""
    if not (folder / LOG).is_file():
        return None
    advice = "remove it, or name another file with --output"
    try:
        head = _parse_head(read_file(folder / LOG))
    except (ValueError, TypeError, KeyError, AttributeError):
        raise InvalidInput(f"{folder} holds a training whose {LOG} is damaged; {advice}") from None
    if head["plan"] != _make_plan(variant, options):
        raise InvalidInput(
            f"{folder} holds a training by other rules, another teacher or another seed; {advice}"
        )
    return head


def _parse_head(text: str) -> dict[str, Any]:
    """The content of LOG. Raises some error if something is missing that is read later."""
    head: dict[str, Any] = json.loads(text)
    entries = (*head["log"], *head["tests"])
    numbers = [entry[name] for entry in entries for name in ("share", "low", "high")]
    numbers += [entry["labels"] for entry in head["log"]] + list(head["ended"].values())
    if not isinstance(head["plan"], dict) or not all(isinstance(number, int | float) for number in numbers):
        raise TypeError("it holds something else")
    return head


def load_training(
    variant: Variant, players: int, folder: Path, options: TrainOptions, clock: Clock
) -> Training | None:
    """The training that a folder keeps, if any. Raises if it is another one."""
    head = load_head(variant, folder, options)
    if head is None:
        return None
    start = _load_net(folder / START, variant, players)
    training = Training(
        variant=variant,
        players=players,
        options=options,
        folder=folder,
        start=start,
        parameters=make_parameters(len(start.weights), len(start.numbers), options.seed),
        clock=clock,
    )
    _load_rounds(training, head)
    return training


def _load_rounds(training: Training, head: Mapping[str, Any]) -> None:
    """Fill in the rounds that are over. The parts of such a round may be left of a start that was killed."""
    training.log, training.tests, training.ended = head["log"], head["tests"], head["ended"]
    numbers = range(1, len(training.log) + 1)
    training.notes = [_load_arrays(training.folder / f"labels-{number}.npz")["numbers"] for number in numbers]
    for number in numbers:
        shutil.rmtree(training.folder / f"round-{number}", ignore_errors=True)
    if training.log:
        training.best = _load_net(training.folder / BEST, training.variant, training.players)
        # those that the first round has kept
        training.start = replace(training.start, columns=training.best.columns)
        weights = _load_arrays(training.folder / f"weights-{len(training.log)}.npz")
        training.parameters = Parameters(**weights)


def measure_megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


# ---- what is played part by part


def collect_kept(
    folder: Path | None, collect: Callable[[int], Generator[Array, None, None]]
) -> Generator[tuple[Array, bool], None, None]:
    """All parts in their order, each with whether it is new: first those in a folder, then those that
    `collect` plays from a number on. What is new is added to the folder, also when an error or Ctrl-C ends
    it. Without a folder nothing is kept.
    """
    number = 0
    for path in sorted(folder.glob("*.npz")) if folder else ():
        for part in _load_portion(path, number):
            yield part, False
            number += 1
    fresh: list[Array] = []
    saved, parts = time.monotonic(), collect(number)
    try:
        for part in parts:
            fresh.append(part)
            if folder and time.monotonic() - saved >= PORTION_SECONDS:
                _save_portion(folder, number, fresh)
                number, fresh, saved = number + len(fresh), [], time.monotonic()
            yield part, True
    finally:
        if folder and fresh:
            _save_portion(folder, number, fresh)
        parts.close()


def _save_portion(folder: Path, number: int, parts: Sequence[Array]) -> None:
    """Write parts to a file that is named after the number of the first one."""
    ends = np.cumsum([len(part) for part in parts])
    _save_arrays(_name_portion(folder, number), numbers=np.concatenate(parts), ends=ends)


def _load_portion(path: Path, number: int) -> list[Array]:
    """The parts in a file, the first of which has this number."""
    arrays = _load_arrays(_name_portion(path.parent, number))
    return np.split(arrays["numbers"], arrays["ends"][:-1])


def _name_portion(folder: Path, number: int) -> Path:
    return folder / f"{number:08}.npz"
