"""What `train` cannot do, it says before it plays, and it leaves nothing behind."""

import dataclasses
import json
from pathlib import Path

import pytest

from boardgames import BoardgamesError, derive, find_variant, make_variant
from boardgames.agents.weights import LearnedPlayer, save_player
from boardgames.examples import magpies
from boardgames.game.game import Style
from boardgames.train.train import TrainOptions, train_player
from tests.boardgames.agents.test_learned import make_random_net

MAGPIES = find_variant("magpies")
OPTIONS = TrainOptions(teacher="mcts:16", on_progress=pytest.fail)


def refuse(folder, message, variant=MAGPIES, output="magpies.learned", **options):
    """Nothing is played, and the folder stays as it was."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(BoardgamesError, match=message):
        train_player(variant, 3, folder / output, dataclasses.replace(OPTIONS, **options))
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "teacher",
    [
        "greedy",
        "learned",
        "learned-mcts:256",
        "random",
        "mcts:16+forbid=snatch",
        "mcts:16+force=nest",
        "thief",
    ],
)
def test_a_teacher_that_gives_other_labels_than_it_was_tested_with_is_refused(teacher, tmp_path):
    """The labels are always those of a plain search."""
    game = dataclasses.replace(
        magpies.GAME,
        styles={"thief": Style("mcts:16", "snatches", {"snatched": 9})},
        learned=tmp_path / "own.learned",
    )
    nets = {3: make_random_net("magpies", 3, 1)}
    for end in (".learned", ".evaluation"):
        save_player(LearnedPlayer("magpies", nets), tmp_path / f"own{end}")
    refuse(tmp_path, "the teacher is a search such as mcts:256", make_variant(game), teacher=teacher)


def test_a_misspelled_teacher_is_told_what_exists_and_leaves_nothing(tmp_path):
    refuse(tmp_path, "no agent 'mtcs'; did you mean mcts", teacher="mtcs:64")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [".", "", "/"])
def test_an_output_without_a_name_is_refused(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BoardgamesError, match="it is a folder; name a file"):
        train_player(MAGPIES, 3, Path(name), OPTIONS)


@pytest.mark.parametrize("name", ["magpies.learned", "magpies.evaluation"])
def test_an_output_that_is_no_learned_player_is_refused(name, tmp_path):
    (tmp_path / name).write_text("my diary")
    refuse(tmp_path, f"{name} is not a file of a learned player")


@pytest.mark.parametrize("name", ["magpies.learned", "magpies.evaluation"])
def test_an_output_of_another_game_is_refused(name, tmp_path):
    save_player(LearnedPlayer("pig", {3: make_random_net("magpies", 3, 1)}), tmp_path / name)
    refuse(tmp_path, f"{name} is a learned player of pig, not of magpies")


def test_an_output_of_other_rules_is_refused(tmp_path):
    net = make_random_net("magpies", 3, 1)
    fewer = dataclasses.replace(net, weights=net.weights[:-1])
    save_player(LearnedPlayer("magpies", {3: fewer}), tmp_path / "magpies.learned")
    refuse(tmp_path, "was trained for another version of magpies: it knows")


def test_the_player_of_a_game_is_not_mixed_with_that_of_a_game_derived_from_it(tmp_path):
    """It could play the other game, but the file would say that it is trained for that."""
    save_player(LearnedPlayer("magpies", {2: make_random_net("magpies", 2, 1)}), tmp_path / "magpies.learned")
    crows = make_variant(derive(magpies.GAME, "crows"))
    refuse(tmp_path, "is a learned player of magpies. Name another file", crows)


def test_the_file_of_the_evaluation_is_not_that_of_the_player(tmp_path):
    refuse(tmp_path, "is the end of the file beside it", output="magpies.evaluation")


ENTRY = {"round": 1, "labels": 9, "share": 0.5, "low": 0.4}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{",
        '{"log": []}',
        json.dumps({"plan": {"seed": 1}}),
        json.dumps({"plan": {"seed": 1}, "log": [], "tests": [], "ended": {}}),
        json.dumps({"plan": {"seed": 1}, "log": [ENTRY], "tests": [], "ended": {}}),
        json.dumps({"plan": {"seed": 1}, "log": [], "tests": [], "ended": []}),
    ],
)
def test_a_folder_that_holds_no_such_training_is_refused(content, tmp_path):
    folder = tmp_path / "magpies.learned.3-players"
    folder.mkdir()
    (folder / "log.json").write_text(content)
    refuse(tmp_path, "remove it, or name another file")


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "magpies.learned.3-players").touch()
    refuse(tmp_path, "is no folder, but the training is kept there")


def test_all_player_counts_are_looked_at_before_the_first_is_trained(tmp_path, run_command):
    (tmp_path / "magpies.learned.4-players").touch()
    options = ("--players", "2-4", "--output", tmp_path / "magpies.learned", "--teacher", "mcts:16")
    done = run_command("train", "magpies", *options, in_process=True)
    assert done.returncode == 2
    assert "4-players is no folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["magpies.learned.4-players"]
