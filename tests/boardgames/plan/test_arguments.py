"""Python functions take what is obvious, and refuse the rest in the words of the command line."""

import inspect
import json

import pytest

import analytics
import boardgames
from analytics import check_goals, compare, find_fix, find_side_by_side, make_report, measure_luck, sweep
from boardgames import BoardgamesError, InvalidInput, derive, find_agent, find_variant, make_variant, simulate
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
        ({"matches": "5"}, "matches=5: write a whole number"),
        ({"minutes": -1}, "minutes=-1: write a number above 0"),
        ({"seed": "7"}, "seed 7: a seed is a whole number"),
        ({"workers": 0}, "workers=0: write a whole number from 1"),
    ],
)
def test_a_number_that_cannot_be_is_refused_in_a_sentence(keywords, message, tmp_path):
    with pytest.raises(InvalidInput, match=message):
        compare("pig", SHORT, db=tmp_path / "r.duckdb", players=2, **{"agents": "random", **keywords})


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
