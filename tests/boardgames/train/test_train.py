"""A game's author trains a strong player with one command, and nothing it learned from is lost."""

import dataclasses
import itertools
import shlex
import shutil

import numpy as np
import pytest

from boardgames import BoardgamesError, InvalidInput, find_agent, find_variant, play_batch, trust_agent
from boardgames.agents.net import update_sums
from boardgames.agents.weights import LearnedPlayer, load_player
from boardgames.errors import UnusableFile
from boardgames.game.field import Field
from boardgames.play.batch import make_scratch
from boardgames.train import rounds, strength, train, training
from boardgames.train.clock import Clock
from boardgames.train.collect import NotesJob, collect_notes, count_spans, make_student, survey_positions
from boardgames.train.columns import MOST_VALUES, QUANTILES, find_columns, list_groups
from boardgames.train.fit import find_labels
from boardgames.train.seat_fields import find_seat_fields
from boardgames.train.train import NotStronger, TrainOptions, train_player

pytestmark = pytest.mark.long  # a whole training, in two short rounds
OPTIONS = TrainOptions(teacher="mcts:64", positions=2000, labels=2400, round_labels=1200, seed=31, workers=2)


@pytest.fixture(scope="module")
def trained_player(tmp_path_factory):
    """A player of connect-four, trained in two short rounds."""
    path = tmp_path_factory.mktemp("trained") / "connect-four.learned"
    train_player(find_variant("connect-four"), 2, path, OPTIONS)
    trust_agent(f"learned:{path}")
    return path


def test_a_trained_player_beats_greedy_on_luck_that_training_never_saw(trained_player):
    variant = find_variant("connect-four")
    agent = find_agent(f"learned:{trained_player}", variant.game)
    wins = play_batch(variant, [agent, find_agent("greedy")], 2, 400, seed=1).shares()[agent.name]
    assert wins.low > 0.55


def test_the_file_tells_how_strong_it_was_after_each_round(trained_player):
    log = load_player(trained_player, find_variant("connect-four").game).nets[2].log
    assert [entry.get("round") for entry in log] == [1, 2, None]
    assert all(0 < entry["low"] < entry["share"] < entry["high"] < 1 for entry in log)
    assert log[-1]["test"] == "last"


def test_a_training_that_was_stopped_goes_on_to_the_same_player(trained_player, tmp_path):
    variant, path = find_variant("connect-four"), tmp_path / "connect-four.learned"

    def stop_after_a_round(line):
        if "round 1" in line and "wins" in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_player(variant, 2, path, dataclasses.replace(OPTIONS, on_progress=stop_after_a_round))
    assert not path.exists()
    lines: list[str] = []
    train_player(variant, 2, path, dataclasses.replace(OPTIONS, workers=1, on_progress=lines.append))
    assert not any("round 1:" in line for line in lines)
    assert load_player(path, variant.game).digest == load_player(trained_player, variant.game).digest
    folder = "connect-four.learned.2-players"
    assert {entry.name for entry in tmp_path.iterdir()} <= {path.name, "connect-four.evaluation", folder}


@pytest.mark.parametrize(
    ("phase", "earlier"),
    [("mcts:64 against", "never said"), ("round 1: 1", "mcts:64 against"), ("round 2: 1", "round 1")],
)
def test_a_training_that_is_stopped_in_any_phase_goes_on_where_it_was(
    trained_player, tmp_path, phase, earlier
):
    """It is stopped by Ctrl-C at a line of progress of that phase, and ends with the same player."""
    variant, path, lines = find_variant("connect-four"), tmp_path / "connect-four.learned", []

    def stop_in_phase(line):
        if phase in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_player(variant, 2, path, dataclasses.replace(OPTIONS, on_progress=stop_in_phase))
    assert not path.exists()
    train_player(variant, 2, path, dataclasses.replace(OPTIONS, on_progress=lines.append))
    assert load_player(path, variant.game).digest == load_player(trained_player, variant.game).digest
    assert not any(earlier in line for line in lines)


def test_asking_again_plays_nothing_and_more_labels_go_on(trained_player, tmp_path):
    variant, path, lines = find_variant("connect-four"), tmp_path / trained_player.name, []
    folder = f"{trained_player.name}.2-players"
    shutil.copytree(trained_player.with_name(folder), tmp_path / folder)
    options = dataclasses.replace(OPTIONS, on_progress=lines.append)
    trained = train_player(variant, 2, path, options)
    assert not any(word in line for line in lines for word in ("labels", "matches", "positions"))
    assert f"kept in {tmp_path / folder}" in trained.advice
    assert "more --labels than 2400 go on from there" in trained.advice
    assert load_player(path, variant.game).digest == load_player(trained_player, variant.game).digest
    train_player(variant, 2, path, dataclasses.replace(options, labels=3000))
    rounds_played = [entry.get("round") for entry in load_player(path, variant.game).nets[2].log]
    assert rounds_played == [1, 2, 3, None]
    assert not any("round 1" in line or "round 2" in line for line in lines)


@pytest.mark.parametrize("name", ["labels-1.npz", "weights-2.npz", "start.npz", "best.npz", "gate-mcts"])
@pytest.mark.parametrize("size", [0, 99])
def test_a_damaged_training_is_told_with_what_to_remove(trained_player, tmp_path, name, size):
    folder = tmp_path / f"{trained_player.name}.2-players"
    shutil.copytree(trained_player.with_name(folder.name), folder)
    damaged = folder / name
    if damaged.is_dir():
        damaged = min(damaged.iterdir())
    damaged.write_bytes(damaged.read_bytes()[:size])
    sentence = f"{damaged} is missing or damaged. Remove the folder {damaged.parent};"
    with pytest.raises(UnusableFile, match=sentence):
        train_player(find_variant("connect-four"), 2, tmp_path / trained_player.name, OPTIONS)


def test_the_next_command_that_train_prints_works(trained_player, tmp_path, run_command):
    """It names the player counts of the file: without them, simulate plays with all of the game's."""
    folder, tmp_path = f"{trained_player.name}.2-players", tmp_path / "my games"
    shutil.copytree(trained_player.with_name(folder), tmp_path / folder)
    options = (
        "--players",
        "2",
        "--teacher",
        OPTIONS.teacher,
        "--labels",
        OPTIONS.labels,
        "--seed",
        OPTIONS.seed,
    )
    output = ("--output", tmp_path / trained_player.name)
    done = run_command("train", "connect-four", *options, *output, in_process=True)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("Next: boardgames ")]
    assert "simulate connect-four --players 2 --agents 'learned:" in line
    words = shlex.split(line.removeprefix("Next: boardgames "))
    db = ("--db", tmp_path / "next.duckdb", "--matches", "10")
    assert run_command(*words, *db, in_process=True).returncode == 0


def test_the_minutes_hold_before_there_is_a_player_and_the_same_command_goes_on(tmp_path, run_command):
    options = ("--players", "3", "--teacher", "mcts:16", "--labels", "1000", "--minutes", "0.01")
    output = ("--output", tmp_path / "magpies.learned", "--workers", "2")
    for _ in range(2):
        completed = run_command("train", "magpies", *options, *output, in_process=True)
        assert completed.returncode == 3
        assert "there is no player yet" in completed.stderr
        assert f"kept in {tmp_path / 'magpies.learned.3-players'}: the same command" in completed.stderr
    folder = tmp_path / "magpies.learned.3-players"
    notes = [np.load(path)["numbers"] for path in sorted((folder / "positions").glob("*.npz"))]
    size = 1 + find_variant("magpies").game.state.itemsize // 4 + 2 * 3  # numbers that note a position
    kept = sum(map(len, notes)) // size
    assert 0 < kept < TrainOptions().positions / 2  # it ended in its first step
    assert not list(folder.glob("labels-*.npz"))


def test_the_first_round_has_half_of_the_minutes_for_its_labels(tmp_path, monkeypatch):
    """What is left is for the fit, its match against greedy and the last test: without them there is no
    player. Later rounds have one already.
    """
    monkeypatch.setattr(rounds, "FEWEST_LABELS", 60)
    begun = train._begin_training(find_variant("connect-four"), 2, OPTIONS, tmp_path)
    begun.clock = Clock("connect-four", minutes=1000)
    begun.clock.started -= 36_000  # three fifths are over

    def count_labels(number: int) -> int:
        parts = list(rounds._collect_labels(begun, number, 600))
        return len(find_labels(np.concatenate(parts), len(begun.start.numbers)))

    assert 60 <= count_labels(1) < 300
    begun.log = [{"labels": 60, "share": 0.6}]
    assert count_labels(2) >= 600


def test_more_labels_give_new_patience_to_a_training_that_gained_no_more():
    variant = find_variant("connect-four")
    begun = train._begin_training(variant, 2, OPTIONS, None)
    begun.log = [{"labels": 1000, "share": share} for share in (0.6, 0.55, 0.5)]
    assert not begun.gains
    begun.ended = {"labels": 2400, "rounds": 3}
    assert not begun.gains
    begun.options = dataclasses.replace(OPTIONS, labels=9000)
    assert begun.gains
    begun.log += [{"labels": 1000, "share": 0.5}] * 3
    assert not begun.gains


@pytest.mark.parametrize("seed", [-5, 2**62 - 1])
def test_a_seed_that_is_no_key_of_chance_is_told_as_it_was_typed(seed, tmp_path):
    with pytest.raises(InvalidInput, match=f"seed {seed}: the seed of a training is a whole number from 0"):
        train_player(
            find_variant("magpies"), 3, tmp_path / "m.learned", dataclasses.replace(OPTIONS, seed=seed)
        )


# ---- the gate


def test_a_teacher_as_strong_as_greedy_seldom_passes_in_any_of_the_looks(monkeypatch):
    """Coins in place of matches. There are two teachers, with a learned evaluation and without, so each may
    pass by luck in 1.25% (half of 2.5%) at most. By the ordinary interval, more than 5% would pass.
    """
    coins, passed = np.random.default_rng(3), 0
    for _ in range(1000):
        parts = coins.integers(0, 2, (16, 50)).astype(float)
        monkeypatch.setattr(
            strength, "collect_kept", lambda folder, collect, parts=parts: ((part, True) for part in parts)
        )
        contest = strength.HeadToHead(find_variant("pig"), find_agent("greedy"), 2, 1, 1)
        try:
            strength.check_teacher(contest, Clock("pig").begin(100, "matches"))
            passed += 1
        except NotStronger:
            pass
    assert passed <= 12


def test_each_further_test_of_a_player_is_stricter_than_the_one_before(monkeypatch, tmp_path):
    """So more labels, again and again, do not let a player pass by luck: a player as strong as greedy."""
    monkeypatch.setattr(train, "LAST_MATCHES", 800)
    begun = train._begin_training(find_variant("connect-four"), 2, OPTIONS, tmp_path)
    begun.best, widths = begun.start, []
    for earlier in (0, 1, 9):
        begun.tests = [{"net": "of an earlier round"}] * earlier
        wins = train._test_best(begun)
        widths.append(wins.high - wins.low)
    assert widths[2] > 1.25 * widths[1] > 1.25 * 1.1 * widths[0]


def test_nothing_is_learned_from_a_teacher_that_is_no_stronger_than_greedy(tmp_path):
    with pytest.raises(NotStronger, match=r"wins .* where 33% is an equal share: there is nothing to learn"):
        train_player(find_variant("pig"), 3, tmp_path / "pig.learned", dataclasses.replace(OPTIONS, seed=5))
    assert list(tmp_path.iterdir()) == []


def test_a_player_count_without_a_player_does_not_stop_the_others(tmp_path, run_command):
    """A game that leaves nothing to decide: no count gets a player, and each is told."""
    options = ("--players", "2,3", "--output", tmp_path / "first-six.learned")
    completed = run_command("train", "tests.truth.first_six:GAME", *options, in_process=True)
    assert completed.returncode == 1
    warnings = [line for line in completed.stderr.splitlines() if line.startswith("boardgames: ")]
    for count, warning in zip((2, 3), warnings, strict=True):
        assert f"first-six with {count} players leaves nothing to decide" in warning
    assert "Next:" not in completed.stdout


def test_an_output_that_cannot_be_written_is_told_before_anything_is_played(tmp_path):
    with pytest.raises(BoardgamesError, match="it is a folder; name a file"):
        train_player(find_variant("connect-four"), 2, tmp_path, OPTIONS)


def test_the_labels_do_not_depend_on_the_number_of_workers(trained_player):
    variant = find_variant("connect-four")
    player = load_player(trained_player, variant.game)
    student = make_student(player, "mcts:16", 0.2, 0.5)
    one, three = (
        list(itertools.islice(collect_notes(NotesJob(variant, student, 2, 8), count_spans(3), workers), 5))
        for workers in (1, 3)
    )
    assert [part.tolist() for part in one] == [part.tolist() for part in three]
    assert all(len(find_labels(part, len(player.nets[2].numbers))) > 5 for part in one)


def test_no_luck_is_used_by_two_parts_of_a_training():
    numbers = range(1, 200)
    labels = {
        training.LABEL_LUCK + len(rounds.NOISES) * number + index
        for number in numbers
        for index in range(len(rounds.NOISES))
    }
    duels = {training.DUEL_LUCK + number for number in numbers}
    tests = {training.LAST_LUCK + number for number in range(200)}
    others = {training.GATE_LUCK, training.SURVEY_LUCK, training.EVALUATION_LUCK}
    parts = [labels, duels, tests, others]
    assert sum(map(len, parts)) == len(set().union(*parts))
    assert max(tests) < training.MOST_LUCK


# ---- what a net reads


def test_a_field_with_a_row_per_seat_is_recognised_by_playing():
    variant = find_variant("magpies")
    silent = {
        name: field._replace(by_seat=None) if field.visibility == "public" else field
        for name, field in variant.game.fields.items()
    }
    game = dataclasses.replace(variant.game, fields=silent)
    assert find_seat_fields(dataclasses.replace(variant, game=game), 3, 1) == find_seat_fields(variant, 3, 1)


def declare_nothing(spec):
    """The same game, but its author says nothing about what its numbers mean."""
    variant = find_variant(spec)
    fields = {
        name: Field(field.visibility, field.kind, field.shape) for name, field in variant.game.fields.items()
    }
    return dataclasses.replace(variant, game=dataclasses.replace(variant.game, fields=fields))


def read_features(net, game, state, seat):
    """The features of a position, as a seat sees it."""
    agent = dataclasses.replace(find_agent("learned"), player=LearnedPlayer(game.name, {net.players: net}))
    scratch = make_scratch(game, [agent] * net.players, net.players)
    scratch.worlds[0] = state
    update_sums(0, seat, 0, scratch)
    return scratch.net.active[0, seat].tolist()


@pytest.mark.parametrize("spec", ["connect-four", "tic-tac-toe"])
def test_a_net_of_a_game_that_declares_nothing_knows_which_seat_it_plays(spec):
    """Both of these games have one player count, so playing does not show which rows are the seats'. With the
    same board, seat 1 would see the same after its turn as seat 2 after its own.
    """
    variant = declare_nothing(spec)
    net = train._begin_training(variant, 2, OPTIONS, None).start
    after_turn_of_1, after_turn_of_2 = (variant.make_blank_state(2)[0] for _ in range(2))
    after_turn_of_1.actor = after_turn_of_1.turn_owner = 1
    own, other = (
        read_features(net, variant.game, state, seat)
        for seat, state in enumerate((after_turn_of_1, after_turn_of_2))
    )
    assert own != other


@pytest.mark.parametrize(("spec", "players"), [("connect-four", 2), ("magpies", 3), ("pig", 4)])
def test_columns_show_all_that_a_seat_sees_and_nothing_else(spec, players):
    """Values that were seen have features of their own, or share a few if they are many. Hidden fields and
    other hands are no columns.
    """
    variant = find_variant(spec)
    survey = survey_positions(variant, players, 3, 1)
    seat_fields = find_seat_fields(variant, 3, 1)
    columns, codes = find_columns(variant.game, players, survey, seat_fields)
    fields = variant.game.fields
    visible = {name for name, field in fields.items() if field.visibility != "hidden"}
    assert {column.field for column in columns} <= visible | {"turn", "phase", "actor", "turn_owner"}
    private = {
        column
        for column in columns
        if column.field in fields and fields[column.field].visibility == "private"
    }
    assert all(column.relative == 0 for column in private)
    values = {
        seen.column[:6]: seen.values
        for group in list_groups(variant.game, players, survey, seat_fields)
        for seen in group
    }
    for column in columns:
        if column[:6] in values:
            seen = np.unique(values[column[:6]])
            features = codes[column.codes + seen - column.low]
            if len(seen) <= MOST_VALUES:
                assert len(np.unique(features)) == len(seen)
            else:
                assert 1 < len(np.unique(features)) <= QUANTILES
            assert (features == 0).sum() >= 1 or column.low < seen.min()


def test_an_untrained_net_likes_what_greedy_likes():
    """Training begins at the evaluation: the first matches are those of a greedy player."""
    variant = find_variant("magpies")
    training = train._begin_training(variant, 3, dataclasses.replace(OPTIONS, seed=11), None)
    player = LearnedPlayer("magpies", {3: training.start})
    learned = dataclasses.replace(find_agent("learned"), player=player)
    others = [find_agent("greedy+worlds=1")] * 2
    wins = play_batch(variant, [learned, *others], 3, 1000, seed=4).shares()["learned"]
    assert wins.low < 1 / 3 < wins.high
