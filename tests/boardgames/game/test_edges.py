"""The edges of the protocol: what a stranger's game may not be called, may do without, and is told about."""

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import pytest

from analytics.verdict.terms import list_usual_metrics
from boardgames import (
    Game,
    InvalidInput,
    Match,
    begin_turn,
    check_game,
    derive,
    find_variant,
    play_batch,
    public,
    rule,
)
from boardgames.agents.agent import find_agent
from boardgames.examples.pig import GAME as PIG
from boardgames.game.game import LIMITS, BrokenGame
from boardgames.game.parameters import Int
from boardgames.game.variant import make_variant
from boardgames.plan.cell import fingerprint_agent
from tests.support import campfire
from tests.truth import kuhn

DOCS = Path(__file__).parents[3]


# ---- names


@pytest.mark.parametrize("name", [name for name in dir(np.record) if not name.startswith("_")])
def test_a_field_with_the_name_of_an_attribute_of_numpys_records_is_refused(name):
    with pytest.raises(BrokenGame, match=rf"field {name}: NumPy's records have an attribute `{name}`"):
        dataclasses.replace(PIG, fields={**PIG.fields, name: public("i2")})


@pytest.mark.parametrize("name", ["_hidden", "two words", "class", "2nd"])
def test_a_field_that_rules_cannot_read_by_its_name_is_refused(name):
    with pytest.raises(BrokenGame, match="a name is a Python name that does not begin with _"):
        dataclasses.replace(PIG, fields={**PIG.fields, name: public("i2")})


def test_a_parameter_with_the_name_of_such_an_attribute_is_refused_and_a_better_one_is_named():
    with pytest.raises(BrokenGame, match=r"parameter round: .* such as current_round"):
        dataclasses.replace(PIG, parameters=(*PIG.parameters, Int("round", 1, "the round", 1, 9)))


# ---- hidden information without chance


@rule
def deal_king_and_jack(state):
    state.card[0] = 2
    state.card[1] = 0
    begin_turn(state, 0)


PUZZLE = derive(kuhn.GAME, "puzzle", setup=deal_king_and_jack)
WITHOUT_A_STREAM = dataclasses.replace(PUZZLE, name="puzzle-without-a-stream", streams=())


@pytest.mark.parametrize("puzzle", [PUZZLE, pytest.param(WITHOUT_A_STREAM, marks=pytest.mark.long)])
def test_hidden_information_without_chance_needs_no_dummy_draw(puzzle):
    """Cards that lie as in a puzzle: the seats do not see them, and no match draws anything."""
    advice = []
    laws = check_game(puzzle, compiled=False, matches=1, on_advice=advice.append)
    assert "all chance comes from the streams" in laws
    assert advice == []  # it is no co-operative game


# ---- a module that prints


CHATTY = """
print("hello from my module")
import atexit, random
atexit.register(print, "and good-bye", random.random())
from dataclasses import replace
from boardgames.examples.tic_tac_toe import GAME as TOE
GAME = replace(TOE, name="chatty")
print("it is", random.random())
"""


@pytest.fixture
def chatty(tmp_path, monkeypatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("chatty.py").write_text(CHATTY)
    return "./chatty.py:GAME"


def test_a_module_that_prints_on_import_is_not_called_nondeterministic(chatty, run_command):
    done = run_command("check", chatty, "--plain", "--matches", "1", folder=Path.cwd())
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("chatty keeps all ")


def test_what_a_module_prints_does_not_get_into_an_answer_as_json(chatty, run_command):
    done = run_command("show", chatty, "--json", in_process=True)
    assert json.loads(done.stdout)["game"] == "chatty"
    assert "hello from my module" in done.stderr


# ---- a path that is no file


def test_a_package_that_is_named_by_its_path_gets_a_sentence_that_works(tmp_path, monkeypatch, run_command):
    monkeypatch.chdir(tmp_path)
    package = tmp_path / "src/edgy"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from boardgames.examples.pig import GAME\n")
    done = run_command("check", "./src/edgy:GAME", in_process=True)
    assert done.returncode == 2
    assert (
        "./src/edgy is a folder, not a Python file. Type edgy:GAME in the folder above it (cd src)"
        in done.stderr
    )
    monkeypatch.chdir(tmp_path / "src")
    assert find_variant("edgy:GAME").game is PIG


def test_a_file_without_its_ending_and_a_path_to_nothing_get_sentences(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("")
    with pytest.raises(InvalidInput, match=re.escape("write ./mine.py:GAME")):
        find_variant("./mine:GAME")
    with pytest.raises(InvalidInput, match=r"there is no file \./nothing"):
        find_variant("./nothing:GAME")


# ---- limits


@pytest.mark.parametrize("counts", [(1,), (1, 2), (9,), ()])
def test_a_solo_game_and_nine_players_are_answered_with_the_page_about_limits(counts):
    with pytest.raises(BrokenGame) as error:
        dataclasses.replace(PIG, player_counts=counts)
    assert LIMITS in str(error.value)
    assert "no solo games and no teams" in str(error.value)


@pytest.mark.parametrize("players", ["1", "9"])
def test_a_player_count_that_no_game_has_is_answered_with_the_page_about_limits(
    players, tmp_path, run_command
):
    words = ["simulate", "pig", "--players", players, "--db", str(tmp_path / "a.duckdb")]
    done = run_command(*words, in_process=True)
    assert done.returncode == 2
    assert LIMITS in done.stderr


def test_the_page_and_the_section_about_limits_exist():
    page, section = re.search(r'(docs/\S+), "(.*)"', LIMITS).groups()
    text = (DOCS / page).read_text()
    (limits,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert all(word in limits for word in ("teams", "solo", "2 to 8"))


# ---- co-operative games


def play_scores(game: Game, agents: str, deals: int = 12) -> float:
    batch = play_batch(make_variant(game), agents, 2, deals, compiled=False)
    return float(batch.seats["score"].mean())


@pytest.mark.parametrize("agents", ["greedy", "mcts:16"])
def test_searching_agents_aim_for_the_score_where_all_win_together(agents):
    """Whoever looks for a win alone ends the evening: it is won by all, with whatever wood."""
    scores = play_scores(campfire.GAME, agents, 6)
    assert scores > 13  # 8 turns of 2 each
    assert play_scores(campfire.GAME, "random") < 8


def test_the_same_agent_in_a_co_operative_game_has_a_fingerprint_of_its_own():
    for agent in ("greedy", "mcts:16"):
        prints = {fingerprint_agent(find_agent(agent, game)) for game in (campfire.GAME, campfire.UNDECLARED)}
        assert len(prints) == 2
    assert fingerprint_agent(find_agent("greedy", PIG)) == fingerprint_agent(find_agent("greedy"))


def test_a_co_operative_match_goes_step_by_step_as_in_a_batch():
    match = Match(make_variant(campfire.GAME), 2, seed=3)
    match.finish("greedy")
    batch = play_batch(make_variant(campfire.GAME), "greedy", 2, 1, seed=3, compiled=False)
    assert match.scores() == batch.seats["score"][0].tolist()


@pytest.mark.parametrize(
    ("name", "word"), [("GAME", "is co-operative"), ("UNDECLARED", "is_cooperative=True")]
)
def test_check_says_what_of_the_platform_makes_sense_for_a_co_operative_game(name, word, run_command):
    words = ["check", f"tests.support.campfire:{name}", "--plain", "--matches", "1"]
    done = run_command(*words, in_process=True)
    assert done.returncode == 0, done.stderr
    assert word in done.stderr
    assert "scores, length, endings" in done.stderr


def test_a_comparison_of_co_operative_games_asks_about_scores_and_not_about_wins():
    metrics = list_usual_metrics([find_variant("tests.support.campfire:GAME")])
    assert "score_level" in metrics
    assert "seat_win_share" not in metrics
    assert "seat_win_share" in list_usual_metrics([find_variant("pig")])


@pytest.mark.parametrize("command", ["ladder", "train"])
def test_commands_about_wins_say_why_they_have_no_answer_for_a_co_operative_game(
    command, tmp_path, run_command
):
    options = (
        ["--output", str(tmp_path / "a.learned")]
        if command == "train"
        else ["--db", str(tmp_path / "a.duckdb")]
    )
    done = run_command(command, "tests.support.campfire:GAME", *options, in_process=True)
    assert done.returncode == 2
    assert "is co-operative" in done.stderr


@pytest.mark.long
def test_co_operative_play_is_the_same_compiled():
    assert "compiled and uncompiled rules agree" in check_game(campfire.GAME)
    variant = make_variant(campfire.GAME)
    plain, machine = (play_batch(variant, "mcts:16", 2, 3, compiled=compiled) for compiled in (False, True))
    assert plain.matches.tobytes() == machine.matches.tobytes()
