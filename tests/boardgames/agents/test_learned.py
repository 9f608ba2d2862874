"""The agent `learned` plays by weights in a file, honestly and alike on every machine. Files that do not fit
are refused.
"""

import dataclasses
import json
import shutil

import numpy as np
import pytest

from analytics.show.terminal.comparison import show_design
from analytics.verdict.design import make_design
from analytics.verdict.terms import make_terms
from analytics.words import describe_training_of_cells
from boardgames import (
    InvalidInput,
    Match,
    derive,
    find_agent,
    find_variant,
    make_variant,
    play_batch,
    public,
    rule,
    trust_agent,
)
from boardgames.agents.agent import find_usual_agent
from boardgames.agents.net import UNITS
from boardgames.agents.weights import LearnedPlayer, load_player, pack_player, save_player, unpack_player
from boardgames.examples import magpies
from boardgames.game.game import BrokenGame
from boardgames.plan.arguments import list_specs
from boardgames.plan.cell import fingerprint_agent
from boardgames.plan.plan import make_plan
from boardgames.play.compiled import find_cache_folder
from boardgames.train import train
from boardgames.train.train import TrainOptions
from tests.boardgames.agents.test_search import POSITIONS, peeking
from tests.support.sizes import choose_size


def make_random_net(spec: str, players: int, seed: int):
    """A net that reads everything and has random weights: any peeking would change its choices."""
    net = train._begin_training(find_variant(spec), players, TrainOptions(seed=seed), None).start
    chance = np.random.default_rng(seed)
    shapes = {name: getattr(net, name).shape for name in ("weights", "number_weights", "outputs")}
    return dataclasses.replace(
        net, **{name: chance.integers(-200, 200, shape).astype(np.int16) for name, shape in shapes.items()}
    )


@pytest.fixture(scope="module")
def magpies_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("learned") / "magpies.learned"
    save_player(LearnedPlayer("magpies", {3: make_random_net("magpies", 3, 1)}), path)
    trust_agent(f"learned:{path}")
    return path


@pytest.mark.long
def test_it_plays_the_same_match_compiled_and_plain(magpies_file):
    variant, line_up = (
        find_variant("magpies"),
        f"learned:{magpies_file},greedy,learned:{magpies_file}+noise=0.1",
    )
    compiled, plain = (
        Match(variant, 3, seed=3, deal=2, compiled=compiled).finish(line_up).actions
        for compiled in (True, False)
    )
    assert compiled == plain


@pytest.mark.long
def test_its_matches_are_the_same_for_any_number_of_workers(magpies_file):
    variant = find_variant("magpies")
    one, three = (
        play_batch(variant, f"learned:{magpies_file}", 3, 200, workers=workers).matches for workers in (1, 3)
    )
    assert one.tobytes() == three.tobytes()


def test_it_does_not_see_what_is_hidden(magpies_file):
    asked, caught = peeking("magpies", 3, [f"learned:{magpies_file}", f"learned:{magpies_file}+worlds=3"])
    assert asked == 2 * POSITIONS
    assert caught == []


@pytest.mark.long
@pytest.mark.parametrize("game", ["celtica", "keltis", "celtae"])
def test_it_does_not_see_what_is_hidden_in_our_games(game, tmp_path):
    path = tmp_path / f"{game}.learned"
    save_player(LearnedPlayer(game, {3: make_random_net(game, 3, 2)}), path)
    trust_agent(f"learned:{path}")
    asked, caught = peeking(game, 3, [f"learned:{path}"])
    assert asked == POSITIONS
    assert caught == []


@pytest.mark.long
@pytest.mark.parametrize(("game", "players"), [("celtica", 4), ("keltis", 2), ("celtae", 3)])
def test_it_plays_our_games_alike_compiled_and_plain(game, players, tmp_path):
    path = tmp_path / f"{game}.learned"
    save_player(LearnedPlayer(game, {players: make_random_net(game, players, 2)}), path)
    trust_agent(f"learned:{path}")
    compiled, plain = (
        Match(find_variant(game), players, seed=3, compiled=compiled).finish(f"learned:{path}").actions
        for compiled in (True, False)
    )
    assert compiled == plain


def test_new_weights_compile_nothing(magpies_file, tmp_path):
    variant, other = find_variant("magpies"), tmp_path / "other.learned"
    play_batch(variant, f"learned:{magpies_file}", 3, 1)
    pieces = set(find_cache_folder("magpies").rglob("*.*"))
    save_player(LearnedPlayer("magpies", {3: make_random_net("magpies", 3, 9)}), other)
    trust_agent(f"learned:{other}")
    play_batch(variant, f"learned:{other},greedy,learned:{magpies_file}", 3, 1)
    play_batch(variant, f"learned:{other}", 3, 1)
    fresh = set(find_cache_folder("magpies").rglob("*.*")) - pieces
    assert not [path.name for path in fresh if "choose_by_net" in path.name]


def test_its_fingerprint_is_that_of_its_weights_wherever_the_file_is(magpies_file, tmp_path):
    game = find_variant("magpies").game
    copy, other = tmp_path / "copy.learned", tmp_path / "other.learned"
    shutil.copy(magpies_file, copy)
    trust_agent(f"learned:{copy}")
    save_player(LearnedPlayer("magpies", {3: make_random_net("magpies", 3, 9)}), other)
    trust_agent(f"learned:{other}")
    first, same, different = (
        fingerprint_agent(find_agent(f"learned:{path}", game)) for path in (magpies_file, copy, other)
    )
    assert first == same != different


def test_compare_asks_the_trained_player_of_a_game_and_says_what_it_was_trained_on():
    design = make_design(["celtica", "celtica:en"], "2")
    assert design.agents == ("learned", "mcts:64")
    assert "learned was trained on celtica" in list(show_design(design, make_terms(design.agents, "")))


def test_cells_of_a_variant_say_what_their_player_was_trained_on():
    """Sentences of simulate, ladder and the report."""
    plan = make_plan(["celtica", "celtica:en"], "2", ["learned,greedy", "greedy"], 2)
    assert describe_training_of_cells(plan.cells) == ("learned was trained on celtica",)
    own = [cell for cell in plan.cells if cell.variant.name == "celtica"]
    assert describe_training_of_cells(own) == ()


def test_compare_asks_greedy_where_one_of_the_games_has_no_trained_player():
    assert make_design(["pig", "pig+target=50"], "3").agents == ("greedy", "mcts:64")


def test_a_learned_player_keeps_to_its_restrictions(magpies_file):
    """Who may not snatch never does; who must snatches more."""

    def count_snatched(restriction):
        line_up = f"learned:{magpies_file}{restriction}"
        batch = play_batch(find_variant("magpies"), line_up, 3, 2, compiled=False)
        return batch.seats["tally"][:, :, magpies.SNATCHED].sum()

    assert count_snatched("+forbid=snatch") == 0 < count_snatched("") < count_snatched("+force=snatch")


# ---- derived games


@rule
def count_laid(state, seat):
    return np.int64(state.nest[seat].sum())


def make_crows(magpies_file, folder):
    """A game with a trained player of its own, from which others are derived."""
    player = load_player(magpies_file, magpies.GAME)
    save_player(LearnedPlayer("crows", player.nets), folder / "crows.learned")
    return dataclasses.replace(magpies.GAME, name="crows", learned=folder / "crows.learned")


def test_a_derived_game_is_played_by_the_trained_player_of_its_parent(magpies_file, tmp_path):
    crows = make_crows(magpies_file, tmp_path)
    ravens = derive(derive(crows, "rooks", standing=count_laid), "ravens")
    assert find_usual_agent([crows, ravens], 3) == "learned"
    design = make_design(list_specs([make_variant(crows), make_variant(ravens)]), "3")
    assert design.agents == ("learned", "mcts:64")
    assert "learned was trained on magpies" in list(show_design(design, make_terms(design.agents, "")))
    match = Match(make_variant(ravens), 3, seed=3, compiled=False)
    assert match.finish("learned").is_over


@pytest.mark.parametrize("own", [{"fields": {"extra": public("i2")}}, {"evaluate": count_laid}])
def test_a_derived_game_with_other_fields_or_another_evaluation_has_no_trained_player(
    own, magpies_file, tmp_path
):
    crows = make_crows(magpies_file, tmp_path)
    child = derive(crows, "ravens", **own)
    assert find_usual_agent([crows, child], 3) == "greedy"
    with pytest.raises(InvalidInput, match="ravens has no learned player"):
        find_agent("learned", child)


@pytest.mark.long
def test_the_next_command_of_a_new_derived_game_works(tmp_path, run_command):
    """`boardgames new mine --derive celtica` ends with it."""
    written = run_command("new", "mine", "--derive", "celtica", folder=tmp_path)
    assert "boardgames compare celtica mine" in written.stdout
    words = ["compare", "celtica", "mine:GAME", "--players", "2", "--matches", "20", "--short"]
    compared = run_command(*words, folder=tmp_path, import_from=[tmp_path / "mine/src"])
    assert compared.returncode in (0, 3), compared.stderr
    assert "learned was trained on celtica" in compared.stdout + compared.stderr


# ---- what does not fit


def test_a_game_without_a_trained_player_says_how_to_train_one():
    with pytest.raises(
        InvalidInput, match=r"pig has no learned player\. Train one with `boardgames train pig`"
    ):
        find_agent("learned", find_variant("pig").game)


def test_a_file_that_does_not_exist_is_told():
    trust_agent("learned:nowhere.learned")
    with pytest.raises(InvalidInput, match=r"there is no file nowhere\.learned"):
        find_agent("learned:nowhere.learned", find_variant("pig").game)


def test_a_player_of_another_game_is_refused(magpies_file):
    with pytest.raises(InvalidInput, match="is a learned player of magpies, not of pig"):
        find_agent(f"learned:{magpies_file}", find_variant("pig").game)


def test_another_player_count_is_refused_with_the_command_that_trains_one(magpies_file):
    with pytest.raises(
        InvalidInput, match=r"for 3 players, not 2. To train one: boardgames train magpies --players 2"
    ):
        play_batch(find_variant("magpies"), f"learned:{magpies_file}", 2, 1)


@pytest.mark.parametrize("content", [b"", b"not a file of ours", b"PK\x03\x04 cut off"])
def test_a_broken_file_is_refused(content, tmp_path):
    path = tmp_path / "broken.learned"
    path.write_bytes(content)
    trust_agent(f"learned:{path}")
    with pytest.raises(InvalidInput, match="is not a file of a learned player"):
        find_agent(f"learned:{path}", find_variant("magpies").game)


def test_a_file_for_another_version_of_the_game_is_refused(magpies_file, tmp_path):
    game = find_variant("magpies").game
    renamed = {("sky" if name == "meadow" else name): field for name, field in game.fields.items()}
    other = dataclasses.replace(game, fields=renamed)
    with pytest.raises(InvalidInput, match="another version of magpies: there is no field meadow"):
        load_player(magpies_file, other)


def test_a_file_whose_numbers_point_outside_the_record_is_refused(magpies_file, tmp_path):
    """A file may come from anybody: nothing in it can make compiled code read outside its memory."""
    game, net = find_variant("magpies").game, load_player(magpies_file, find_variant("magpies").game).nets[3]
    for change in ({"place": 10_000}, {"codes": 10**6}, {"relative": 7}, {"high": 10**6}, {"shift": 70}):
        path = tmp_path / "evil.learned"
        columns = (net.columns[0]._replace(**change), *net.columns[1:])
        save_player(LearnedPlayer("magpies", {3: dataclasses.replace(net, columns=columns)}), path)
        with pytest.raises(InvalidInput, match="another version of magpies"):
            load_player(path, game)
    for change in (
        {"weights": net.weights[:1], "first_action": 1 - game.actions, "codes": 0 * net.codes},
        {"weights": net.weights[-game.actions :], "first_action": 0, "codes": 0 * net.codes},
        {"first_action": 1, "weights": net.weights[: game.actions + 1], "codes": 0 * net.codes},
        {"codes": np.where(net.codes == net.codes.max(), net.first_action, net.codes)},
        {"codes": net.codes[:0]},
        {"codes": np.zeros((), np.int32)},
        {"weights": np.zeros((), np.int16)},
        {"codes": net.codes + 10_000},
        {"outputs": np.zeros(UNITS - 1, np.int16)},
        {"weights": net.weights.astype(np.float64)},
    ):
        save_player(LearnedPlayer("magpies", {3: dataclasses.replace(net, **change)}), path)
        with pytest.raises(InvalidInput, match="another version of magpies"):
            load_player(path, game)


@pytest.mark.parametrize(
    "change",
    [
        {"place": 0.5},
        {"place": "1"},
        {"place": True},
        {"place": None},
        {"mask": 1 << 64},
        {"low": -(1 << 63) - 1},
        {"field": 7},
        {"field": "rules"},
        {"field": "stream_keys"},
        {"first_seat": 1 << 40},
    ],
)
def test_a_column_that_no_net_has_is_refused(change, magpies_file, tmp_path):
    game = find_variant("magpies").game
    net, path = load_player(magpies_file, game).nets[3], tmp_path / "odd.learned"
    columns = (net.columns[0]._replace(**change), *net.columns[1:])
    save_player(LearnedPlayer("magpies", {3: dataclasses.replace(net, columns=columns)}), path)
    with pytest.raises(InvalidInput, match=r"another version of magpies|not a file of a learned player"):
        load_player(path, game)


@pytest.mark.parametrize(
    "head",
    [
        "[]",
        "7",
        '{"game": "magpies", "nets": []}',
        '{"game": "magpies", "nets": {"3": []}}',
        '{"game": 5, "nets": {}}',
        '{"game": "magpies", "nets": {"3": {"columns": 5, "numbers": [], "first_action": 2.5}}}',
        "[" * 100_000,
    ],
)
def test_a_head_that_no_file_has_is_refused(head, tmp_path):
    path = tmp_path / "odd.learned"
    with path.open("wb") as file:
        np.savez_compressed(file, head=np.frombuffer(head.encode(), np.uint8))
    with pytest.raises(InvalidInput, match="is not a file of a learned player"):
        load_player(path, find_variant("magpies").game)


@pytest.mark.soak
def test_a_damaged_file_is_refused_or_holds_the_same_player(magpies_file):
    """One to three bits are flipped anywhere. Some say nothing, such as the time of an archive's entry."""
    game, content = find_variant("magpies").game, magpies_file.read_bytes()
    whole = pack_player(unpack_player(content, game, "whole"))
    chance, refused = np.random.default_rng(22), 0
    for number in range(choose_size(300, 20_000)):
        damaged = bytearray(content)
        for bit in chance.integers(0, 8 * len(content), chance.integers(1, 4)):
            damaged[bit // 8] ^= 1 << bit % 8
        try:
            assert pack_player(unpack_player(bytes(damaged), game, f"file {number}")) == whole
        except InvalidInput:
            refused += 1
    assert refused > number / 2


# ---- declarations of fields


@pytest.mark.parametrize(
    ("field", "law"),
    [
        (public("i2", 3, by_seat=True), "its first dimension is 4"),
        (public("i2", unordered=True), "a single number has no order"),
        (public("i2", 3, bits=17), "1 to 16 bits"),
        (public("i2", bits=1, first_seat=0), "digits or name seats, not both"),
    ],
)
def test_a_meaning_that_a_field_cannot_have_is_refused(field, law):
    game = find_variant("magpies").game
    with pytest.raises(BrokenGame, match=law):
        dataclasses.replace(game, fields={**game.fields, "extra": field})


def test_what_fields_mean_is_no_part_of_the_rules():
    """Declaring more about a field changes no stored result."""
    variant = find_variant("magpies")
    fields = {
        name: field._replace(bits=1, unordered=bool(field.shape))
        for name, field in variant.game.fields.items()
    }
    game = dataclasses.replace(variant.game, fields=fields)
    assert dataclasses.replace(variant, game=game).fingerprint() == variant.fingerprint()
    assert json.dumps([field.layout for field in fields.values()])
