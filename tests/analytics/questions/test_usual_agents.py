"""If no agent is named, the same one plays for every question: `learned` at each player count for which the
game has a net, else `greedy`.
"""

import inspect
import re

import pytest
import typer

import analytics
import boardgames
from analytics.playing import RunOptions
from analytics.questions.compare.compare import ComparisonRequest, _make_design
from analytics.questions.effort import Stage, _write_pilot
from analytics.questions.explain import make_switches
from analytics.questions.goals.check import plan_goals
from analytics.questions.goals.file import read_goals
from analytics.questions.report import make_scope
from analytics.verdict.design import list_usual_agents, make_design
from analytics.words import describe_agents
from boardgames import InvalidInput, find_variant, make_plan
from boardgames.agents.agent import find_usual_agent
from boardgames.cli import app

AT_EACH_COUNT = {4: "learned", 5: "greedy"}  # celtica has nets for two to four players
COMMANDS = typer.main.get_command(app).commands
NAMED = {"play", "bench", "ladder"}  # commands about agents that say which by themselves


def list_agents(cells):
    return {cell.players: cell.format_line_up() for cell in cells}


@pytest.mark.parametrize("name", [*boardgames.__all__, *analytics.__all__])
def test_no_question_of_the_python_api_has_an_agent_of_its_own(name):
    function = getattr(boardgames, name, None) or getattr(analytics, name)
    if not inspect.isfunction(function) or "agents" not in inspect.signature(function).parameters:
        return
    default = inspect.signature(function).parameters["agents"].default
    assert default in ("", (), inspect.Parameter.empty) or name == "rate_agents"


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - NAMED))
def test_no_command_has_an_agent_of_its_own_and_its_help_says_who_plays(name):
    for option in COMMANDS[name].params:
        if "--agents" in option.opts:
            assert not option.default
            assert {"learned", "greedy"} <= set(re.findall(r"\w+", option.help))


def test_each_player_count_has_its_agent_when_matches_are_planned():
    assert list_agents(make_plan("celtica", "4,5").cells) == AT_EACH_COUNT
    assert list_agents(make_plan("pig", "2,3").cells) == {2: "greedy", 3: "greedy"}


def test_each_player_count_of_a_comparison_has_its_agent():
    design = make_design(["celtica", "celtica:en"], "4,5")
    deciding = [design.find_cell(index, n, "learned") for n in AT_EACH_COUNT for index in (0, 1)]
    assert list_agents(deciding) == design.deciding_agents == AT_EACH_COUNT
    against = list_agents(design.plans["mcts:64 against learned"].cells)
    assert against == {4: "mcts:64,learned,learned,learned", 5: "mcts:64,greedy,greedy,greedy,greedy"}


def test_the_cells_of_a_comparison_of_one_player_count_stay_those_that_its_agents_name():
    design = make_design(["celtica", "celtica:en"], "4", ["greedy"])
    usual = make_design(["celtica", "celtica:en"], "4,5")
    assert list_agents(design.plans["greedy"].cells) == {4: "greedy"}
    assert make_design(["celtica", "celtica:en"], "4,5", ["mcts:64"]).id == usual.id


def test_explain_and_the_others_ask_the_agent_of_compare(tmp_path):
    """One agent decides in each; only compare, plan and report ask a second one."""
    variants = [find_variant(spec) for spec in ("celtica", "celtica:en")]
    request = ComparisonRequest(
        specs=make_switches("celtica", "celtica:en").specs,
        players="4,5",
        usual_agents=list_usual_agents(variants, "4,5")[:1],
    )
    design = _make_design(request, RunOptions(db=tmp_path / "x.duckdb"))
    assert list(design.plans) == ["learned", "learned against random"]
    assert design.deciding_agents == AT_EACH_COUNT


def test_each_player_count_of_a_file_of_goals_has_its_agent(tmp_path):
    path = tmp_path / "goals.toml"
    path.write_text('variants = ["celtica"]\nplayers = "4-5"\n[[goal]]\nmetric = "length"\nhigh = 60\n')
    cells, _ = plan_goals(read_goals(path))
    assert list_agents(cells.values()) == AT_EACH_COUNT


def test_each_player_count_of_a_report_has_its_agent():
    scope = make_scope(["celtica"], "4,5", [], 1)
    assert scope.playing_agents == list_agents(scope.list_cells()) == AT_EACH_COUNT


def test_a_net_that_is_missing_is_said_where_its_agent_was_named(tmp_path):
    with pytest.raises(InvalidInput, match="the trained net of celtica is for 2, 3, 4 players, not 5"):
        analytics.compare("celtica", "celtica:en", players="4,5", agents="learned", db=tmp_path / "x.duckdb")
    with pytest.raises(InvalidInput, match="not 5"):
        make_scope(["celtica"], "4,5", ["learned"], 1)


def test_several_player_counts_name_the_agent_of_each():
    assert describe_agents({4: "learned"}) == "learned"
    assert describe_agents({2: "learned", 3: "learned"}) == "learned"
    assert describe_agents({3: "learned", 4: "learned", 5: "greedy"}) == (
        "learned with 3 and 4, greedy with 5 players"
    )


def test_the_pilot_that_plan_proposes_names_the_agents_of_each_player_count():
    stages = [
        Stage(agent=agent, players=n, matches_a_deal=1, matches_per_second=1.0, measured="", rows=())
        for n, usual in AT_EACH_COUNT.items()
        for agent in (usual, "mcts:64")
    ]
    first, second = _write_pilot(["celtica"], stages, "--seed 1").split(" && ")
    assert "--players 4 --agents learned --agents mcts:64" in first
    assert "--players 5 --agents greedy --agents mcts:64" in second


def test_a_game_without_a_net_of_its_own_has_greedy():
    assert find_usual_agent([find_variant("pig").game, find_variant("keltis").game], 2) == "greedy"


@pytest.mark.long
def test_a_comparison_at_two_player_counts_says_who_plays_with_each(run_command, tmp_path):
    words = ["compare", "celtica", "celtica:en", "--players", "4,5", "--matches", "2", "--short", "--luck"]
    done = run_command(*words, folder=tmp_path)
    assert "verdicts by learned with 4, greedy with 5 players, checked with mcts:64" in done.stdout
    for players, agent in AT_EACH_COUNT.items():
        assert f"{players} players, by {agent}: 2 matches of each" in done.stdout
        assert f"Luck: B = celtica:en against A = celtica, {players} players, by {agent}" in done.stdout
