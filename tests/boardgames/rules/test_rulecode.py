"""Rules are copied, replaced, compiled and fingerprinted by what runs; the cache never serves other rules."""

import dataclasses
import gc
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from pathlib import Path

import numpy as np
import pytest

import tests.support.broken
from boardgames import Match, derive, make_variant, play_batch, public, rule
from boardgames.errors import InvalidInput
from boardgames.examples import magpies, tic_tac_toe
from boardgames.rules import rulecode
from boardgames.rules.rulecode import NotARule, digest_rules
from tests.support.broken import HEALTHY, apply, finish, lay, replenish, standing

GAME_FILE = '''
"""A game in two files, with a number from a data file."""
import tomllib
from pathlib import Path
from boardgames import Game, begin_turn, next_seat, public, rule
from {name}_points import points

PRIZE = tomllib.loads((Path(__file__).parent / "{name}.toml").read_text())["prize"]

@rule
def setup(state):
    begin_turn(state, 0)

@rule
def legal(state, actions):
    actions[0] = 0
    return 1

@rule
def apply(state, action):
    """Every seat takes its points; after two rounds it is over."""
    state.points[state.turn_owner] += points(state, PRIZE)
    if state.turn == 2 * state.players:
        state.end = 1
    else:
        begin_turn(state, next_seat(state, state.turn_owner))

@rule
def standing(state, seat):
    return state.points[seat]

GAME = Game(name="{name}", player_counts=(2,), actions=1, fields={{"points": public("i4", 2)}}, setup=setup,
            legal=legal, apply=apply, standing=standing, say=lambda state, action: "go on")
'''
POINTS_FILE = """
from boardgames import rule

@rule
def points(state, prize):
    return prize + state.turn_owner
"""


def write_game(
    folder: Path, name: str, points: str = POINTS_FILE, prize: int = 3, text: str = GAME_FILE
) -> None:
    (folder / f"{name}.py").write_text(text.format(name=name))
    (folder / f"{name}_points.py").write_text(points)
    (folder / f"{name}.toml").write_text(f"prize = {prize}\n")


def scores(folder: Path, name: str = "two_files", code: str = "") -> str:
    """The final scores and the fingerprint, from a new process that uses the cache in `folder`."""
    code = code or (
        f"from {name} import GAME; from boardgames import make_variant, play_batch; v = make_variant(GAME)\n"
        "print(play_batch(v, 'random', 2, 1).seats['score'][0].tolist(), v.fingerprint())"
    )
    env = {**os.environ, "BOARDGAMES_CACHE": str(folder / "cache"), "PYTHONPATH": str(folder)}
    code = f"import logging; logging.basicConfig(level=logging.INFO)\n{code}"  # shows what is compiled
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip() + (" compiled" if "Compiling" in done.stderr else "")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A game compiled once, in a process of its own."""
    folder = tmp_path_factory.mktemp("game")
    write_game(folder, "two_files")
    assert scores(folder).startswith("[6, 8]")
    return folder


def test_a_second_start_does_not_compile(folder):
    assert "compiled" not in scores(folder)


@pytest.mark.long
def test_a_file_that_was_moved_is_played_as_before(tmp_path):
    """Machine code names the modules it was made from, and a file's module is named after its place."""
    code = (
        "from boardgames import find_variant, play_batch\n"
        "batch = play_batch(find_variant('./tic_tac_toe.py:GAME'), 'random', 2, 1)\n"
        "print(batch.matches['turns'].tolist())"
    )
    (tmp_path / "here").mkdir()
    shutil.copy(tic_tac_toe.__file__, tmp_path / "here")
    before = scores(tmp_path / "here", code=code)
    shutil.copytree(tmp_path / "here", tmp_path / "there")
    shutil.rmtree(tmp_path / "here")
    assert scores(tmp_path / "there", code=code).split(" ")[0] == before.split(" ")[0]


@pytest.mark.long
def test_editing_a_helper_in_another_file_changes_results_and_fingerprint(folder, tmp_path):
    before = scores(folder)
    write_game(folder, "two_files", points=POINTS_FILE.replace("state.turn_owner", "10 * state.turn_owner"))
    after = scores(folder)
    assert after.startswith("[6, 26]")
    assert after.endswith("compiled")
    write_game(folder, "two_files")
    assert before.split()[-1] not in after


@pytest.mark.long
def test_editing_a_data_file_changes_results_and_fingerprint(folder):
    before = scores(folder)
    write_game(folder, "two_files", prize=5)
    after = scores(folder)
    assert after.startswith("[10, 12]")
    write_game(folder, "two_files")
    assert before.split("]")[1].split()[0] != after.split("]")[1].split()[0]


def test_comments_and_docstrings_do_not_change_the_fingerprint(folder):
    before = scores(folder).split("]")[1].split()[0]
    write_game(
        folder,
        "two_files",
        points=POINTS_FILE.replace("    return", '    """Why not."""\n    # because\n    return'),
    )
    after = scores(folder).split("]")[1].split()[0]
    write_game(folder, "two_files")
    assert before == after


@pytest.mark.long
def test_two_games_of_the_same_shape_never_collide(folder):
    """Same file layout, same function names, even the same game name: only the content tells them apart."""
    other = folder / "other"
    other.mkdir()
    write_game(other, "two_files", points=POINTS_FILE.replace("state.turn_owner", "100"))
    code = (
        "import sys; sys.path.insert(0, 'other'); import two_files as b\n"
        "del sys.modules['two_files'], sys.modules['two_files_points']; sys.path.pop(0)\n"
        "import two_files as a; from boardgames import make_variant, play_batch\n"
        "for _ in range(2): print([play_batch(make_variant(g.GAME), 'random', 2,"
        " 1).seats['score'][0].tolist() for g in (a, b)])"
    )
    output = scores(folder, code=code)
    assert output.startswith("[[6, 8], [206, 206]]\n[[6, 8], [206, 206]]")
    assert scores(folder, code=code).splitlines()[-1] == "[[6, 8], [206, 206]]"  # now from the cache


@pytest.mark.long
def test_a_derived_game_plays_the_new_rule_and_its_parent_the_old_one_from_the_cache_too(folder):
    """The replaced function is called from a second file, and the child has a field that its parent lacks."""
    (folder / "mine.py").write_text(
        "from boardgames import derive, public\n"
        "from two_files import GAME\n"
        "from two_files_points import points as usual\n\n"
        "def doubled(state, prize):\n"
        '    """Every second time a seat takes points they count double."""\n'
        "    state.times[state.turn_owner] += 1\n"
        "    return usual(state, prize) * (2 if state.times[state.turn_owner] == 2 else 1)\n\n"
        'MINE = derive(GAME, "mine", points=doubled, fields={"times": public("i2", 2)})\n'
    )
    code = (
        "from two_files import GAME; from mine import MINE; from boardgames import make_variant, play_batch\n"
        "for compiled in (False, True):\n"
        "    batches = [play_batch(make_variant(g), 'random', 2, 1, compiled=compiled) for g in"
        " (GAME, MINE, GAME)]\n"
        "    print([batch.seats['score'][0].tolist() for batch in batches])"
    )
    for _ in range(2):
        lines = scores(folder, code=code).removesuffix(" compiled").splitlines()
        assert lines == ["[[6, 8], [9, 12], [6, 8]]"] * 2
    assert "compiled" not in scores(folder, code=code)


@pytest.mark.long  # after the test above, which writes the file
def test_a_derived_game_is_played_from_a_file_on_the_command_line(folder):
    env = {**os.environ, "BOARDGAMES_CACHE": str(folder / "cache")}
    command = [
        sys.executable,
        "-m",
        "boardgames",
        "bench",
        "./mine.py:MINE",
        "--seconds",
        "0",
        "--no-starts",
        "--json",
    ]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert '"game": "mine"' in done.stdout


def burn(state):
    """A rule that no parameter covers: the first card of the deck is lost."""


def test_a_derived_game_has_its_own_fingerprint_and_the_same_luck():
    child = derive(HEALTHY, "burning", replenish=burn)
    assert make_variant(child).fingerprint() != make_variant(HEALTHY).fingerprint()
    assert child.streams == HEALTHY.streams
    assert child.actions == HEALTHY.actions


def test_deriving_replaces_functions_and_leaves_the_parent_alone():
    before = make_variant(HEALTHY).fingerprint()
    child = derive(HEALTHY, "burning", replenish=burn)
    parent, changed = (
        play_batch(make_variant(game), "random", 2, 8, compiled=False) for game in (HEALTHY, child)
    )
    assert (parent.matches["turns"] == 9).all()
    assert (changed.matches["turns"] == 4).all()  # nobody draws: two cards each
    assert (
        changed.seats["opening"] == parent.seats["opening"]
    ).mean() > 0.5  # both were dealt the same cards
    assert make_variant(HEALTHY).fingerprint() == before


@rule
def count_laid(state, seat):
    return state.table[seat].sum()


def draw_twice(state):
    replenish(state)
    replenish(state)


def draw_thrice(state):
    draw_twice_again(state)
    replenish(state)


def draw_twice_again(state):
    replenish(state)
    replenish(state)


def cards_drawn(game) -> int:
    """How many cards lie in the first hand after one play, where two were dealt."""
    match = Match(make_variant(game), 3)
    match.push(match.legal()[0])
    return int(match.state.hand[0].sum()) - 1


def test_a_child_can_have_a_child():
    grandchild = derive(derive(HEALTHY, "burning", replenish=burn), "greedy-burning", standing=count_laid)
    batch = play_batch(make_variant(grandchild), "random", 2, 2, compiled=False)
    assert batch.seats["score"].tolist() == [[2, 2], [2, 2]]


def test_a_replacement_may_call_what_it_replaces_at_every_generation():
    twice = derive(HEALTHY, "twice", replenish=draw_twice)
    four = derive(twice, "four", replenish=draw_twice)
    assert [cards_drawn(game) for game in (HEALTHY, twice, four)] == [1, 2, 3]  # three are left to draw


def test_a_grandchilds_replacement_takes_the_place_of_the_childs():
    once_more = derive(derive(HEALTHY, "twice", replenish=draw_twice), "burning", replenish=burn)
    assert cards_drawn(once_more) == 0


def apply_without_finish(state, kind):
    lay(state, kind)
    replenish(state)
    finish(state)


def test_an_ancestors_rule_means_the_present_one():
    """The grandchild's new function names the grandparent's replenish; the child had replaced it."""
    child = derive(HEALTHY, "twice", replenish=draw_twice)
    assert cards_drawn(derive(child, "grandchild", apply=apply_without_finish)) == 2


def test_replacing_one_of_two_slots_that_share_a_function_leaves_the_other():
    shared = dataclasses.replace(HEALTHY, name="shared", score=standing, evaluate=standing)
    child = derive(shared, "child", evaluate=count_laid)
    assert child.functions()["score"].__code__ is standing.__code__
    assert child.functions()["evaluate"].__code__ is count_laid.__code__


def words_for(state, kind):
    return f"lay a {kind} for {worth_of(state, kind)}"


@rule
def worth_of(state, kind):
    return kind


@rule
def apply_for_worth(state, kind):
    apply(state, worth_of(state, kind))


def no_worth(state, kind):
    return 0


def test_what_a_game_says_follows_the_derived_rules():
    talking = dataclasses.replace(HEALTHY, name="talking", say=words_for, apply=apply_for_worth)
    child = derive(talking, "child", worth_of=no_worth)
    state = make_variant(talking).make_blank_state(2)[0]
    assert (talking.say(state, 2), child.say(state, 2)) == ("lay a 2 for 2", "lay a 2 for 0")


def test_a_name_that_replaces_nothing_is_refused_with_the_names_there_are():
    with pytest.raises(InvalidInput, match="no rule function of healthy 'replenis'; did you mean replenish"):
        derive(HEALTHY, "mine", replenis=burn)


def test_deriving_keeps_the_parents_variants_and_parameters():
    child = derive(magpies.GAME, "child", fields={"extra": public("i2")})
    assert child.variants == magpies.GAME.variants
    assert child.state.itemsize >= magpies.GAME.state.itemsize


def test_a_rule_inside_a_function_is_refused():
    outside = 3

    with pytest.raises(NotARule, match="rules stand at the top level"):

        @rule
        def inner(state):
            return outside


TABLE: list[int] = [1, 2]
ARRAY = np.array([1, 2])


class Prize(IntEnum):
    BIG = 40


@rule
def reads_a_list(state):
    return TABLE[0]


def unmarked(state):
    return 1


@rule
def calls_an_unmarked_function(state):
    return unmarked(state)


@rule
def reads_constants(state, more=3, *, most=4):
    return ARRAY[0] + Prize.BIG + tests.support.broken.KINDS + more + most


def test_a_rule_that_reads_a_list_is_refused_by_name():
    with pytest.raises(NotARule, match="mentions TABLE, a list"):
        digest_rules([reads_a_list])


def test_a_rule_that_calls_an_unmarked_function_is_refused_by_name():
    with pytest.raises(
        NotARule, match=r"calls_an_unmarked_function .* uses unmarked, which is not marked @rule"
    ):
        digest_rules([calls_an_unmarked_function])


@pytest.mark.parametrize("change", ["array", "enumeration", "another module", "default", "keyword default"])
def test_every_constant_is_part_of_what_runs(change, monkeypatch):
    before = digest_rules([reads_constants])
    if change == "array":
        monkeypatch.setitem(globals(), "ARRAY", np.array([1, 3]))
    elif change == "enumeration":
        monkeypatch.setitem(globals(), "Prize", IntEnum("Prize", {"BIG": 41}))
    elif change == "another module":
        monkeypatch.setattr(tests.support.broken, "KINDS", 4)
    elif change == "default":
        monkeypatch.setattr(reads_constants, "__defaults__", (5,))
    else:
        monkeypatch.setattr(reads_constants, "__kwdefaults__", {"most": 5})
    rulecode.canonical_function.cache_clear()
    assert digest_rules([reads_constants]) != before


@pytest.fixture(autouse=True)
def forget_bodies():
    yield
    rulecode.canonical_function.cache_clear()


def test_functions_of_one_name_in_two_files_are_reported_apart(tmp_path, monkeypatch):
    """Swapping two imports of the same name changes what runs, although every function stays the same."""
    for name, number in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "util.py").write_text(
            f"from boardgames import rule\n\n@rule\ndef bonus(state):\n    return {number}\n"
        )
    text = (
        "from boardgames import rule\nfrom {}.util import bonus as x\nfrom {}.util import bonus as y\n\n"
        "@rule\ndef f(state):\n    return x(state) - y(state)\n"
    )
    (tmp_path / "here.py").write_text(text.format("one", "two"))
    (tmp_path / "there.py").write_text(text.format("two", "one"))
    monkeypatch.syspath_prepend(tmp_path)
    import here
    import there

    assert digest_rules([here.f]) != digest_rules([there.f])


def test_rules_are_read_in_several_threads_at_a_time():
    """A worker of a cluster has threads, and Dask looks on when memory is tidied up: then another thread goes
    on in the middle of a file. Python 3.11 cannot do that: "AST constructor recursion depth mismatch".
    """

    def let_others_go_on(phase, details):
        time.sleep(0.0002)

    texts = [
        "".join(f"def f{number}(a, b):\n    return [a + {file}, (b, {number})]\n" for number in range(200))
        for file in range(12)
    ]
    gc.callbacks.append(let_others_go_on)
    try:
        with ThreadPoolExecutor(4) as pool:
            counts = [len(definitions) for definitions in pool.map(rulecode._parse_definitions, texts)]
    finally:
        gc.callbacks.remove(let_others_go_on)
    assert counts == [200] * 12
