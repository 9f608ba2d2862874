"""Python functions take what is obvious, and refuse the rest in the words of the command line."""

import inspect
import json

import numpy as np
import pytest

import analytics
import boardgames
from analytics import check_goals, compare, find_fix, find_side_by_side, make_report, measure_luck, sweep
from boardgames import (
    BoardgamesError,
    InvalidInput,
    Match,
    NotPlayable,
    derive,
    find_agent,
    find_variant,
    make_plan,
    make_variant,
    play_batch,
    simulate,
    trust_agent,
)
from boardgames.environments.gymnasium import vector_env
from boardgames.environments.openspiel import spiel_game
from boardgames.environments.pettingzoo import aec_env
from boardgames.errors import NotTrusted
from boardgames.examples import pig
from boardgames.game.player_counts import parse_player_counts
from boardgames.plan.arguments import format_agent, list_agents, list_specs

SHORT = "pig+target=30"


@pytest.mark.parametrize("players", [2, "2", [2], (2,), range(2, 3)])
def test_player_counts_are_numbers_or_texts(players):
    assert parse_player_counts(players) == [2]


@pytest.mark.parametrize(
    "variants",
    [
        ("pig", SHORT),
        (["pig", SHORT],),
        (find_variant("pig"), SHORT),
        ([find_variant("pig")], find_variant(SHORT)),
        (make_variant(pig.GAME), make_variant(pig.GAME, values={"target": 30})),
    ],
)
def test_variants_and_specs_are_named_one_by_one_or_in_lists(variants):
    assert list_specs(variants) == ["pig", SHORT]


@pytest.mark.parametrize("agents", ["random", ["random"], find_agent("random"), [find_agent("random")]])
def test_agents_are_specs_or_agents_one_or_several(agents):
    assert list_agents(agents) == ["random"]


def test_a_question_for_one_agent_refuses_two():
    with pytest.raises(InvalidInput, match="random, greedy: sweep wants one agent"):
        format_agent(["random", "greedy"], "sweep")


def test_python_and_the_command_line_ask_for_the_same_matches(tmp_path, run_command):
    db = tmp_path / "r.duckdb"
    outcome = simulate(find_variant(SHORT), db=db, players=2, agents=find_agent("random"), matches=4)
    assert outcome.stored == 4
    words = ("simulate", SHORT, "--players", 2, "--agents", "random", "--matches", 4, "--db", db, "--json")
    again = json.loads(run_command(*words, in_process=True).stdout)
    assert (again["stored"], again["there_before"]) == (0, 4)


CALLS = {
    ("compare", "pig"): lambda db: compare("pig", db=db),
    ("compare", "pig", "pgi"): lambda db: compare("pig", "pgi", db=db),
    ("compare", "pig", SHORT, "--players", "1"): lambda db: compare("pig", SHORT, db=db, players=1),
    ("compare", "pig", SHORT, "--players", "2-x"): lambda db: compare("pig", SHORT, db=db, players="2-x"),
    ("compare", "pig", SHORT, "--agents", "gredy"): lambda db: compare("pig", SHORT, db=db, agents="gredy"),
    ("simulate", "pig", "--players", "99"): lambda db: simulate("pig", db=db, players=99),
    ("sweep", "pig", "target=4"): lambda db: sweep("pig", "target=4", db=db),
    ("report", "pig", "pig"): lambda db: make_report("pig", "pig", db=db),
    ("luck", "tic-tac-toe"): lambda db: measure_luck("tic-tac-toe", db=db),
    ("goals", "no.toml", "pig"): lambda db: check_goals("no.toml", "pig", db=db),
    ("fix", "pig"): lambda db: find_fix("pig", db=db),
    ("side-by-side", "pig"): lambda db: find_side_by_side("pig"),
}


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"matches": 0}, "matches=0: write a whole number from 1"),
        ({"matches": "5"}, "matches='5': write a whole number"),
        ({"minutes": -1}, "minutes=-1: write a number above 0"),
        ({"seed": "7"}, "seed '7': a seed is a whole number"),
        ({"workers": 0}, "workers=0: write a whole number from 1"),
    ],
)
def test_a_number_that_cannot_be_is_refused_in_a_sentence(keywords, message, tmp_path):
    with pytest.raises(InvalidInput, match=message):
        compare("pig", SHORT, db=tmp_path / "r.duckdb", players=2, **{"agents": "random", **keywords})


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: make_report(), "name a variant"),
        (lambda: analytics.measure_coverage("pig", matches="x"), "matches='x': write a whole number"),
        (lambda: analytics.plan("pig", workers=":memory:"), "workers=':memory:': write a whole number"),
        (
            lambda: boardgames.snapshot("x" * 10_000, "copy.duckdb"),
            "the name is too long; choose a shorter one",
        ),
        (lambda: boardgames.query("x" * 10_000), "the name is too long; choose a shorter one"),
    ],
)
def test_what_python_is_given_by_mistake_is_refused_in_a_sentence(ask, message):
    with pytest.raises(BoardgamesError, match=message):
        ask()


@pytest.mark.parametrize("words", CALLS, ids=" ".join)
def test_a_mistake_raises_the_sentence_that_the_command_line_prints(words, tmp_path, run_command):
    with pytest.raises(BoardgamesError) as error:
        CALLS[words](tmp_path / "python.duckdb")
    file = () if words[0] == "side-by-side" else ("--db", tmp_path / "line.duckdb")
    done = run_command("-q", *words, *file, in_process=True)
    assert (done.returncode, done.stderr) == (error.value.exit_code, f"boardgames: {error.value}\n")


@pytest.mark.parametrize(
    ("variants", "message"),
    [
        (("pig", "old.duckdb"), r"old.duckdb is not a variant; a result file is named by db='old.duckdb'"),
        ((7,), r"7 is not a variant: write its spec, 'celtica:en', or pass a Variant"),
    ],
)
def test_what_is_no_variant_is_refused_in_a_sentence(variants, message):
    with pytest.raises(InvalidInput, match=message):
        simulate(*variants)


def test_a_function_that_cannot_be_named_is_no_agent_of_a_stored_match():
    def mine(view):
        return view.actions[0]

    with pytest.raises(InvalidInput, match=r"mine is a Python function.*Name it by its file"):
        compare("pig", SHORT, agents=mine)


def test_no_public_function_hides_its_keywords():
    modules = {name: (analytics, name) for name in analytics.__all__}
    modules |= {name: (boardgames, name) for name in ("simulate", "run_plan", "play_batch", "make_plan")}
    for module, name in modules.values():
        function = getattr(module, name)
        if inspect.isfunction(function):
            kinds = {parameter.kind for parameter in inspect.signature(function).parameters.values()}
            assert inspect.Parameter.VAR_KEYWORD not in kinds, name


# ---- names


def test_the_name_of_a_variant_finds_it_again_also_in_a_file_of_your_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = "from boardgames import derive\nfrom boardgames.examples import pig\n"
    (tmp_path / "mine.py").write_text(f"{code}MINE = derive(pig.GAME, 'own-pig')\n")
    variant = find_variant("./mine.py:MINE+target=30")
    assert variant.name == "own-pig+target=30"
    again = find_variant(variant.name)
    assert (again.game, again.values, again.name) == (variant.game, variant.values, variant.name)


def test_a_variant_of_a_game_that_stands_nowhere_can_be_asked_about():
    variant = make_variant(derive(pig.GAME, "nowhere-pig"), values={"target": 30})
    (spec,) = list_specs(variant)
    assert find_variant(spec).game is variant.game
    assert find_variant(variant.name).fingerprint() == variant.fingerprint()


def test_a_variant_that_no_spec_stands_for_is_refused():
    impostor = make_variant(derive(pig.GAME, "pig"))
    with pytest.raises(InvalidInput, match="give its game a name that no installed game has"):
        list_specs(impostor)


def test_a_stored_name_of_a_game_that_was_not_typed_is_still_refused():
    from boardgames.game.plugins import find_stored_variant

    with pytest.raises(InvalidInput, match="no game 'never-typed'"):
        find_stored_variant("never-typed")


# ---- what cannot be used is told in a sentence


def call(function, *given, **keywords):
    """A call for later, which shows as it is written."""
    return pytest.param(lambda: function(*given, **keywords), id=f"{function.__name__}{given}{keywords}"[:70])


def make_match():
    return Match("pig", 2)


NO_VARIANT = [
    *(call(make, 3, 2) for make in (Match, aec_env, vector_env, spiel_game)),
    *(call(make, pig.GAME, 2) for make in (Match, aec_env, vector_env, spiel_game)),
    *(call(find_variant, value) for value in (3, None, pig.GAME)),
    call(play_batch, 3, "random", 2, 1),
]


@pytest.mark.parametrize("ask", NO_VARIANT)
def test_what_is_no_variant_says_what_to_write(ask):
    with pytest.raises(InvalidInput, match=r"not a variant: write (its spec|make_variant)"):
        ask()


@pytest.mark.parametrize(
    "ask",
    [call(make_variant, "pig"), call(derive, "pig", "x"), call(find_agent, "greedy", "pig")],
)
def test_a_name_in_place_of_a_game_says_what_to_write(ask):
    with pytest.raises(InvalidInput, match=r"'pig' is not a Game: write find_variant\('pig'\)"):
        ask()


def test_what_replaces_a_rule_is_a_function():
    with pytest.raises(InvalidInput, match="legal=3: write the function that replaces legal"):
        derive(pig.GAME, "x", legal=3)
    assert derive(pig.GAME, "x", turns=(1, 9)).turns == (1, 9)  # bounds are numbers or a function


def test_what_a_derived_game_keeps_is_told_with_the_reason():
    with pytest.raises(
        InvalidInput, match="actions=3: a derived game keeps the actions of pig, so that both"
    ):
        derive(pig.GAME, "x", actions=3)


@pytest.mark.parametrize("make", [aec_env, vector_env, spiel_game])
@pytest.mark.parametrize("players", ["2", 2, [2], np.int64(2), np.array([2])])
def test_environments_take_player_counts_as_everything_else_does(make, players):
    make("pig", players)
    with pytest.raises(InvalidInput, match="a match has one player count"):
        make("pig", "2-3")
    with pytest.raises(NotPlayable, match="not 0"):
        make("pig", 0)


@pytest.mark.parametrize("ask", [make_report, measure_luck])
def test_a_question_about_no_variant_asks_for_one(ask):
    with pytest.raises(InvalidInput, match="name a variant"):
        ask()


@pytest.mark.parametrize("question", [compare, check_goals, sweep, make_report])
def test_minutes_are_a_number(question, tmp_path):
    with pytest.raises(InvalidInput, match="minutes='1': write a number above 0"):
        question("pig", SHORT, db=tmp_path / "r.duckdb", minutes="1")


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"thresholds": ["x"]}, r"thresholds=\['x'\]: write a dictionary of numbers above 0, thresholds={"),
        ({"thresholds": "length=1"}, "thresholds='length=1': write a dictionary of numbers above 0"),
        ({"thresholds": {"length": "x"}}, "threshold length='x': write a dictionary of numbers above 0"),
        ({"thresholds": {"lenght": 1}}, "no metric 'lenght'; did you mean length"),
        ({"thresholds": {3: 1}}, "no metric '3'"),
        ({"main_metrics": None}, "main_metrics=None: write a text, or a list of texts"),
        ({"main_metrics": [3]}, r"main_metrics=\[3\]: write a text, or a list of texts"),
        ({"db": None}, "db=None: name a file, db='boardgames.duckdb'"),
        ({"db": 3}, "db=3: name a file, db='boardgames.duckdb'"),
        ({"seed": True}, "seed True: a seed is a whole number"),
    ],
)
def test_a_comparison_says_what_to_write_instead(keywords, message, tmp_path):
    given = {"db": tmp_path / "r.duckdb", "players": 2, "agents": "random", "matches": 4}
    with pytest.raises(InvalidInput, match=message):
        compare("pig", SHORT, **{**given, **keywords})


def test_other_questions_say_what_to_write_instead():
    with pytest.raises(InvalidInput, match="goals=3: name a file"):
        check_goals(3)
    with pytest.raises(InvalidInput, match="'3': write \"lowest seat_imbalance\""):
        sweep("pig", "target=20..22", best=3)
    with pytest.raises(InvalidInput, match="values=3: write a text, or a list of texts"):
        sweep("pig", 3)


@pytest.mark.parametrize("agents", ["random", ["random"], find_agent("random")])
def test_a_plan_takes_agents_as_the_questions_do(agents):
    plan = make_plan("pig", np.array([2, 3]), agents, np.int64(5), np.int64(3), sweep="target=20..21")
    assert [cell.format_line_up() for cell in plan.cells] == ["random"] * 4
    assert type(plan.seed) is int


def test_whole_numbers_of_numpy_ask_for_the_same_matches(tmp_path):
    given = {"db": tmp_path / "r.duckdb", "agents": "random"}
    simulate("pig", players=2, matches=4, seed=3, **given)
    numbers = {"players": np.array([2]), "matches": np.int64(4), "seed": np.int64(3), "workers": np.int32(1)}
    assert simulate("pig", **numbers, **given).stored == 0
    assert compare("pig", SHORT, **numbers, **given).contrasts[0].matches == 4


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"deals": "5"}, "deals='5': write a whole number from 0"),
        ({"deals": -1}, "deals=-1: write a whole number from 0"),
        ({"workers": 0}, "workers=0: write a whole number from 1"),
        ({"agents": None}, "None is not an agent: write its spec"),
        ({"agents": [3, "random"]}, "3 is not an agent: write its spec"),
    ],
)
def test_a_batch_says_what_to_write_instead(keywords, message):
    with pytest.raises(InvalidInput, match=message):
        play_batch(**{"variant": "pig", "agents": "random", "players": 2, "deals": 1, **keywords})


def choose_first(view):
    return view.actions[0]


def test_python_functions_play_where_an_agent_is_asked_for():
    """Two functions of one name are two agents."""
    names = play_batch("pig", [lambda view: view.actions[0], lambda view: view.actions[-1]], 2, 2).line_up
    assert names == ("<lambda> 1", "<lambda> 2")
    assert play_batch("pig", [choose_first, "random"], 2, 1).line_up == ("choose_first", "random")
    assert make_match().finish(choose_first).actions == make_match().finish([choose_first] * 2).actions


def test_an_agent_in_a_file_says_what_python_has_to_call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text("def agent(view):\n    return view.actions[0]\n")
    with pytest.raises(InvalidInput, match=r"write find_agent\('./own.py:agent', variant.game\)"):
        find_agent("./own.py:agent")
    with pytest.raises(NotTrusted, match=r"in Python, call trust_agent\('./own.py:agent'\) first"):
        find_agent("./own.py:agent", pig.GAME)
    trust_agent("./own.py:agent")
    assert find_agent("./own.py:agent", pig.GAME).name == "./own.py:agent"


ONE = np.array([make_match().state])


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda match: match.push(None), r"action None: write a number of match.legal\(\)"),
        (lambda match: match.push(1.5), r"action 1.5: write a number of match.legal\(\)"),
        (lambda match: match.say(99), "action=99: write a whole number from 0 to 1"),
        (lambda match: match.step(3), "3 is not an agent"),
        (lambda match: match.finish(None), "None is not an agent"),
        (lambda match: match.observe("0"), "seat '0': in Python the seats of 2 players are 0 to 1"),
        (lambda match: match.transcript(seat=7), "seat 7: in Python the seats"),
        (lambda match: match.resample(0, "a"), "key 'a': a key is a whole number"),
        (lambda match: match.resample("0", 1), "seat '0': in Python the seats"),
        (lambda match: Match.from_state("pig", np.concatenate([ONE, ONE])), "these are 2 positions of pig"),
        (lambda match: Match.from_state("pig", 3), "this is no position of pig"),
        (lambda match: Match.from_bytes("pig", 3), "these are no bytes of a match"),
    ],
)
def test_a_match_says_what_to_write_instead(ask, message):
    with pytest.raises(InvalidInput, match=message):
        ask(make_match())


def test_the_only_position_of_an_array_is_a_position():
    assert Match.from_state("pig", ONE).legal() == make_match().legal()
