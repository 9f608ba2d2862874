"""Specs, parameters and variants.toml: one way to write them, one place that checks them."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.questions.fix.space import make_space
from boardgames import (
    Board,
    Flag,
    Game,
    Int,
    IntList,
    IntPerPlayerCount,
    IntPerSeat,
    InvalidInput,
    Match,
    NamedVariant,
    OneOf,
    find_agent,
    find_variant,
    make_variant,
    play_batch,
    query,
    simulate,
    trust_agent,
)
from boardgames.agents.seating import find_line_up
from boardgames.agents.weights import LearnedPlayer, save_player
from boardgames.errors import NotPlayable, UnusableFile
from boardgames.game.spec import split_spec
from boardgames.plan.cell import PlannedCell
from boardgames.run.cluster import make_cell, make_cell_spec
from tests.boardgames.agents.test_learned import make_random_net
from tests.support.broken import HEALTHY, apply, legal, setup, standing
from tests.truth import chutes

CHUTES = "tests.truth.chutes:GAME"


def read_squares(table):
    if min(table["squares"]) < 0:
        raise ValueError(f"square {table['squares'].index(min(table['squares'])) + 1} has a negative number")
    return {"square": table["squares"]}


BOARDS = {"small": {"squares": [1, 2]}, "flat": {"squares": [0, 0]}}
GAME = Game(
    name="many-kinds",
    player_counts=(2, 3),
    actions=3,
    fields=HEALTHY.fields,
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    resample=HEALTHY.resample,
    say=HEALTHY.say,
    streams=("deck",),
    parameters=(
        Int("hand", 2, "cards dealt", 1, 4),
        Int("worth", 2, "points", 0, 9),
        Flag("open", False, "hands lie open"),
        OneOf("start", "left", "who starts", ("left", "right")),
        IntList("prizes", (5, 3, 1), "points by place", -9, 9),
        IntPerPlayerCount("rounds", (4, 3), "rounds to play", 1, 9),
        IntPerSeat("handicap", 0, "points to begin with", 0, 9),
        Board("board", "small", "the board", BOARDS, {"square": ("i4", (2,))}, read_squares),
    ),
    variants={"long": NamedVariant({"rounds": "9/8", "open": "yes"}, "a long evening")},
)


def make_rules(seats: int = 2, variant_name: str = "", **values):
    return make_variant(GAME, variant_name, values).make_blank_state(seats)[0].rules


def test_every_kind_of_parameter_arrives_in_the_record():
    filled = make_rules(
        3, hand="3", open="yes", start="right", prizes="9/-2/0", rounds="5/6", handicap="1/2/3", board="flat"
    )
    assert (filled.hand, filled.open, filled.start, filled.rounds) == (3, 1, 1, 6)
    assert filled.prizes.tolist() == [9, -2, 0]
    assert filled.handicap.tolist() == [1, 2, 3]
    assert filled.square.tolist() == [0, 0]


def test_one_number_stands_for_all_seats_or_player_counts():
    filled = make_rules(2, handicap="4", rounds="7")
    assert filled.handicap.tolist() == [4, 4, 4]
    assert filled.rounds == 7


def test_a_named_variant_sets_its_values_and_can_be_changed_further():
    variant = make_variant(GAME, "long", {"hand": "3"})
    assert variant.name == "many-kinds:long+hand=3"
    assert variant.values["rounds"] == (9, 8)
    assert variant.changes() == {"hand": (2, 3), "open": (False, True), "rounds": ((4, 3), (9, 8))}


def test_values_that_change_nothing_are_not_part_of_the_name():
    assert make_variant(GAME, "", {"hand": "2", "handicap": "0/0/0"}).name == "many-kinds"


@given(
    st.fixed_dictionaries(
        {
            "hand": st.integers(1, 4),
            "open": st.booleans(),
            "start": st.sampled_from(["left", "right"]),
            "prizes": st.tuples(*[st.integers(-9, 9)] * 3),
            "rounds": st.tuples(*[st.integers(1, 9)] * 2),
            "handicap": st.tuples(*[st.integers(0, 9)] * 3),
            "board": st.sampled_from(["small", "flat"]),
        }
    )
)
def test_a_variants_name_leads_back_to_the_variant(values):
    variant = make_variant(GAME, "", values)
    again = make_variant(GAME, "", split_spec(variant.name)[1])
    assert again.values == variant.values
    assert again.fingerprint() == variant.fingerprint()


def test_equal_rules_have_equal_fingerprints_and_others_have_not():
    base = make_variant(GAME).fingerprint()
    assert make_variant(GAME, "", {"hand": "2"}).fingerprint() == base
    assert make_variant(GAME, "", {"hand": "3"}).fingerprint() != base
    assert make_variant(GAME, "", {"rounds": "4/4"}).fingerprint() != base


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("hand", "5", "hand=5 is not possible: hand is a whole number from 1 to 4 \\(cards dealt\\)"),
        ("hand", "two", "hand=two is not possible"),
        ("hand", "2.5", "hand=2.5 is not possible"),
        ("hand", 2.5, "hand=2.5 is not possible"),
        ("open", "maybe", "open is yes or no"),
        ("start", "up", "start is one of left, right"),
        ("prizes", "1/2", "prizes is 3 whole numbers from -9 to 9, written 5/3/1"),
        ("rounds", "1/2/3", "for each player count"),
        ("handicap", "1/2/3/4", "has 4 values, but handicap takes 3, one for each seat, .*: handicap=1/2/3 "),
        (
            "handicap",
            "1/2",
            "handicap=1/2 has 2 values, but handicap takes 3, one for each seat, .*: handicap=1/2/0 ",
        ),
        ("handicap", [1, 2], "handicap=1/2 has 2 values"),
        ("board", "round", "board is one of small, flat, or a TOML file of your own"),
        ("hnd", "2", "no parameter 'hnd'; did you mean hand?"),
    ],
)
def test_an_impossible_value_is_refused_with_the_range(name, value, message):
    with pytest.raises(InvalidInput, match=message):
        make_variant(GAME, "", {name: value})


def test_a_board_file_that_is_not_there_is_named():
    with pytest.raises(UnusableFile, match=r"cannot read missing\.toml: No such file"):
        make_variant(GAME, "", {"board": "missing.toml"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("squares = [1, -2]", "board mine.toml: square 2 has a negative number"),
        ("circles = [1]", "board mine.toml: 'squares' is missing"),
        ("squares = 5", "board mine.toml: "),
        ("squares = [1, ", "mine.toml is not a TOML file"),
    ],
)
def test_a_broken_board_file_says_what_is_wrong_with_which_place(tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(InvalidInput, match=message):
        make_variant(GAME, "", {"board": "mine.toml"})


def test_a_board_of_ones_own_is_played(tmp_path):
    board = tmp_path / "mine.toml"
    board.write_text("ladders = [[1, 38]]\nchutes = []\n")
    usual, mine = (find_variant(spec) for spec in (CHUTES, f"{CHUTES}+board={board}"))
    assert usual.fingerprint() != mine.fingerprint()
    assert Match(mine, 2).state.rules.leads_to[1] == 38


LADDER, CHUTE = "ladders = [[1, 38]]\nchutes = []\n", "ladders = []\nchutes = [[38, 1]]\n"


def test_a_board_that_is_edited_or_removed_while_a_run_goes_on_changes_nothing_of_it(tmp_path):
    """All matches of the cell are those of the board that has its fingerprint."""
    board, db = tmp_path / "mine.toml", tmp_path / "edited.duckdb"
    board.write_text(LADDER)
    planned = find_variant(f"{CHUTES}+board={board}")
    edits = iter([lambda: board.write_text(CHUTE), board.unlink])

    def edit(progress: object) -> None:
        next(edits, lambda: None)()

    simulate(planned, db=db, players="2", agents="random", matches=9000, on_progress=edit)
    assert next(edits, None) is None, "the run was over before the board was edited twice"
    stored = query(db, "SELECT count(*) AS n, sum(tally_1) AS ladders, sum(tally_2) AS chutes FROM seat")
    batch = play_batch(planned, "random", 2, 9000)
    assert stored.to_pylist() == [
        {"n": 18_000, "ladders": int(batch.seats["tally"][:, :, 0].sum()), "chutes": 0},
    ]


def test_a_variant_keeps_the_board_that_it_was_made_with(tmp_path):
    """Also when it is copied with other values, pickled, or sent to a worker."""
    board = tmp_path / "mine.toml"
    board.write_text(LADDER)
    variant = find_variant(f"{CHUTES}+board={board}")
    before = variant.fingerprint()
    board.write_text(CHUTE)
    cell = PlannedCell(variant, find_line_up("random", 2, variant.game), 1)
    sent = make_cell(make_cell_spec(cell)).variant
    copies = [variant, replace(variant), pickle.loads(pickle.dumps(variant)), sent]
    assert [copy.make_blank_state(2)[0].rules.leads_to[1] for copy in copies] == [38] * 4
    assert {copy.fingerprint() for copy in copies} == {before}
    assert find_variant(f"{CHUTES}+board={board}").fingerprint() != before


def test_the_changes_that_fix_tries_keep_the_board_of_the_baseline(tmp_path):
    board = tmp_path / "mine.toml"
    board.write_text("squares = [4, 5]\n")
    baseline = find_variant(f"tests.boardgames.game.test_specs:GAME+board={board}+worth=3")
    space = make_space(baseline, [2], change=["hand=3", "worth=2"])
    board.write_text("squares = [6, 7]\n")
    points = space.list_points(["hand", "worth"])
    changes = {change.name: change.variant for point in points if (change := space.make_change(point))}
    assert set(changes) == {
        f"many-kinds+board={board}",
        f"many-kinds+hand=3+board={board}",
        f"many-kinds+hand=3+worth=3+board={board}",
    }
    boards = [variant.make_blank_state(2)[0].rules.square.tolist() for variant in changes.values()]
    assert boards == [[4, 5]] * 3
    board.write_text("squares = [4, 5]\n")
    for name, variant in changes.items():
        again = find_variant(variant.spec)
        assert (again.name, again.fingerprint()) == (name, variant.fingerprint())


def test_a_variant_whose_board_has_changed_since_is_not_taken_for_what_its_name_finds_now(tmp_path):
    board = tmp_path / "mine.toml"
    board.write_text(LADDER)
    variant = find_variant(f"{CHUTES}+board={board}")
    board.write_text(CHUTE)
    with pytest.raises(InvalidInput, match="name a board by its TOML file, as it is now"):
        simulate(variant, db=tmp_path / "a.duckdb", players="2", agents="random", matches=2)


def test_a_variant_with_a_board_of_ones_own_is_no_plan_file(tmp_path, monkeypatch, run_command):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.toml").write_text(LADDER)
    words = ["--players", "2", "--agents", "random", "--matches", "2", "--db", "a.duckdb"]
    done = run_command("simulate", f"{CHUTES}+board=my.toml", *words, in_process=True)
    assert done.returncode == 0, done.stderr
    assert query("a.duckdb", "SELECT variant FROM cells").to_pylist() == [{"variant": "chutes+board=my.toml"}]
    missing = run_command("simulate", "my-plan.toml", "--db", "a.duckdb", in_process=True)
    assert (missing.returncode, "cannot read my-plan.toml: No such file" in missing.stderr) == (2, True)


def test_boards_agents_and_weights_in_a_folder_with_a_plus_are_found(tmp_path, monkeypatch):
    folder = tmp_path / "a+b" / "c+d"
    folder.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    (folder / "my.toml").write_text(LADDER)
    (folder / f"agent_of_{tmp_path.name}.py").write_text("def first(view):\n    return view.actions[0]\n")
    save_player(LearnedPlayer("magpies", {3: make_random_net("magpies", 3, 1)}), folder / "x+y.learned")
    board = find_variant(f"{CHUTES}+board=a+b/c+d/my.toml")
    assert (board.values["board"], board.name) == ("a+b/c+d/my.toml", "chutes+board=a+b/c+d/my.toml")
    for spec, game in [
        (f"./a+b/c+d/agent_of_{tmp_path.name}.py:first", board.game),
        ("learned:a+b/c+d/x+y.learned+noise=0.5", find_variant("magpies").game),
        ("learned:a+b/c+d/x+y.learned", find_variant("magpies").game),
    ]:
        trust_agent(spec)
        assert find_agent(spec, game).name == spec


def test_a_board_may_be_given_as_a_table():
    variant = make_variant(GAME, "", {"board": {"squares": [4, 5]}})
    assert variant.make_blank_state(2)[0].rules.square.tolist() == [4, 5]
    assert variant.name.startswith("many-kinds+board=(")


def test_a_mix_that_cannot_be_played_is_refused_in_words():
    with pytest.raises(
        NotPlayable, match="healthy\\+hand=5 cannot be played: there are not 5 cards for each of 2 players"
    ):
        play_batch(make_variant(HEALTHY, "", {"hand": "5"}), "random", 2, 1)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("tests.truth.chutes:GAME+board", "'\\+board' is not of the form \\+name=value"),
        ("tests.truth.chutes:GAME+board=a+board=b", "sets board twice"),
        ("tests.truth.chutes:GAM", "no game in tests.truth.chutes 'GAM'; did you mean GAME?"),
        ("tests.truth.shoots:GAME", "there is no module 'tests.truth.shoots'"),
        ("./nowhere.py:GAME", "there is no file ./nowhere.py"),
        ("tests.truth.chutes:GAME:fast", "no variant 'chutes:fast'"),
        ("ludo", "no game 'ludo'"),
        (
            "+hand_size=6",
            "'\\+hand_size=6' names no game: write it behind the name, without a blank: GAME\\+hand",
        ),
        (
            "pig+target=20-50",
            "target=20-50 is not possible: .* A sweep takes all values of a range: target=20..50",
        ),
    ],
)
def test_a_misspelt_spec_is_answered_with_what_is_wrong(spec, message):
    with pytest.raises(InvalidInput, match=message):
        find_variant(spec)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_variants_of_ones_own_are_named_in_variants_toml(folder):
    (folder / "variants.toml").write_text(
        '[quick]\nbase = "pig"\nwhy = "for the train"\ntarget = 50\n\n'
        '[quicker]\nbase = "quick"\ntarget = 30\nhold_at = [10, 0, 0, 0, 0]\n'
    )
    quick, quicker, changed = (find_variant(spec) for spec in ("quick", "quicker", "quicker+target=20"))
    assert (quick.name, quick.why, quick.values["target"]) == ("quick", "for the train", 50)
    assert quicker.values == {"target": 30, "hold_at": (10, 0, 0, 0, 0)}
    assert (changed.name, changed.values["target"]) == ("quicker+target=20", 20)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[a]\nwhy = 'no base'", "variant a: it needs a line base ="),
        ("[a]\nbase = 'b'\n[b]\nbase = 'a'", "it is its own base, by a -> b -> a"),
        ("[a]\nbase = 'pig'\ntarget = 5", "variant a: target=5 is not possible"),
        (
            "[a]\nbase = 'pig'\ntarge = 50",
            "variant a: no parameter 'targe'; did you mean target",
        ),
        ("[a\n", "variants.toml: "),
        (
            "[a]\nbase = 'q+target=20'\n[q]\nbase = 'pig'\ntarget = 5",
            "variant a: target=5 is not possible",
        ),
    ],
)
def test_a_broken_variants_file_names_file_and_variant(folder, text, message):
    (folder / "variants.toml").write_text(text)
    with pytest.raises(InvalidInput, match=message):
        find_variant("a")


def test_a_broken_variant_does_not_stand_in_the_way_of_others(folder):
    (folder / "variants.toml").write_text("[broken]\nwhy = 'no base'\n\n[quick]\nbase = 'pig+target=50'\n")
    assert find_variant("quick").values["target"] == 50
    assert find_variant("pig").name == "pig"


def test_two_files_of_one_name_are_two_games(folder):
    for name, prize in (("a", 1), ("b", 2)):
        (folder / name).mkdir()
        (folder / name / "helper.py").write_text(f"PRIZE = {prize}\n")
        (folder / name / "mine.py").write_text(
            "from dataclasses import replace\nfrom helper import PRIZE\n"
            "from tests.support.broken import HEALTHY\n"
            "GAME = replace(HEALTHY, name=f'mine-{PRIZE}')\n"
        )
    assert [find_variant(f"./{name}/mine.py:GAME").name for name in ("a", "b", "a")] == [
        "mine-1",
        "mine-2",
        "mine-1",
    ]


@pytest.mark.parametrize(
    ("squares", "message"),
    [
        ([5], "whole numbers"),
        ([1.7, 2], "whole numbers"),
        ([2**40, 1], "too large"),
        (["a", "b"], "whole numbers"),
    ],
)
def test_a_board_has_exactly_the_numbers_it_should(squares, message):
    board = Board(
        "board",
        "small",
        "the board",
        BOARDS,
        {"square": ("i4", (2,))},
        lambda table: {"square": table["squares"]},
    )
    with pytest.raises(InvalidInput, match=message):
        board.read({"squares": squares}, (2,))
    with pytest.raises(InvalidInput, match="extra is not a field of this board"):
        Board(
            "board",
            "x",
            "",
            {"x": {}},
            {"square": ("i4", (2,))},
            lambda table: {"square": [1, 2], "extra": 3},
        ).read("x", (2,))


def test_the_milton_bradley_board_is_the_default():
    assert make_variant(chutes.GAME).values["board"] == "milton-bradley"
