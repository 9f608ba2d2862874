"""What is asked of a training is looked at before anything is played or written."""

from collections.abc import Mapping
from pathlib import Path

from boardgames.agents.agent import BUILT_IN, EVALUATION, find_agent
from boardgames.agents.weights import Net, load_player
from boardgames.errors import InvalidInput
from boardgames.files import check_output
from boardgames.game.variant import Variant
from boardgames.train.folder import find_folder, load_head
from boardgames.train.training import MOST_LUCK, TrainOptions


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
    _check_files(variant, path, find_folder(path, players), options)
    if options.cluster:
        from boardgames.train.cluster import check_cluster

        check_cluster(variant, options.teacher, players, options.cluster)


def _check_teacher_is_search(variant: Variant, spec: str) -> None:
    """The labels are the visits of a plain search: no other agent may pass the test in its place."""
    teacher = find_agent(spec, variant.game)
    if teacher.agent_type is not BUILT_IN["mcts"] or teacher.has_own_row:
        raise InvalidInput(
            f"--teacher {spec}: the teacher is a search such as mcts:256 or mcts:1024+turns=4, without "
            "+forbid= and +force=. `train` tries a learned evaluation in it by itself"
        )


def _check_files(variant: Variant, path: Path, folder: Path, options: TrainOptions) -> None:
    """Whether both files can be written and hold players of this game, and the folder holds this training,
    where they exist.
    """
    evaluation = path.with_suffix(EVALUATION)
    if path == evaluation:
        raise InvalidInput(f"--output {path}: {EVALUATION} is the end of the file beside it; choose another")
    for file in (path, evaluation):
        check_output(file)
        load_nets(file, variant)
    if folder.exists() and not folder.is_dir():
        raise InvalidInput(f"{folder} is no folder, but the training is kept there; name another --output")
    load_head(variant, folder, options)


def load_nets(path: Path, variant: Variant) -> Mapping[int, Net]:
    """The nets in a file to add to. A player of the game that this one was derived from is not its own."""
    if not path.is_file():
        return {}
    player = load_player(path, variant.game)
    if player.game != variant.game.name:
        raise InvalidInput(f"{path} is a learned player of {player.game}. Name another file with --output")
    return player.nets
