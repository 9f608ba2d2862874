"""Our games in OpenSpiel: its own test passes, and its algorithms find what is known."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability

from boardgames import InvalidInput, Match, find_variant, make_variant, query, simulate
from boardgames.environments.openspiel import choose_by_ismcts, spiel_game
from boardgames.game.plugins import find_entry_points, load_installed_game
from boardgames.store.replay import replay_stored
from tests.support.sizes import SOAKS
from tests.truth.kuhn import GAME as KUHN

TINY = [("tests.support.campfire:GAME", 2), ("pig+target=20", 3), ("tic-tac-toe", 2), ("magpies", 2)]


def play_on(state, actions, seed=1):
    """Some random actions further."""
    chance = np.random.default_rng(seed)
    for _ in range(actions):
        if not state.is_terminal():
            state.apply_action(int(chance.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize(("spec", "players"), TINY)
def test_tiny_games_pass_openspiels_own_test(spec, players):
    """It steps, clones, undoes, writes and reads random matches."""
    game = spiel_game(spec, players, deals=20)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    assert game.max_chance_outcomes() == 20


@pytest.mark.long
@pytest.mark.soak
@pytest.mark.parametrize("name", find_entry_points())
def test_every_variant_passes_openspiels_own_test(name):
    """Each variant with one player count, the first with all; at full size, all with all."""
    game = load_installed_game(name)
    tested = 0
    for index, variant_name in enumerate(["", *game.variants]):
        variant = make_variant(game, variant_name)
        counts = [players for players in game.player_counts if variant.find_problem(players) is None]
        for players in counts if SOAKS or not variant_name else [counts[index % len(counts)]]:
            spiel = spiel_game(variant, players, deals=20)
            pyspiel.random_sim_test(spiel, num_sims=1, serialize=False, verbose=False)
            tested += 1
    assert tested > len(game.variants)


def test_a_match_is_the_one_of_its_seed_and_deal():
    game = spiel_game("magpies", 2, seed=7, aim="score")
    state, match = game.new_initial_state(), Match(find_variant("magpies"), 2, seed=7, deal=5)
    assert [chance for _, chance in state.chance_outcomes()] == [1 / 1000] * 1000
    state.apply_action(5)
    while not match.is_over:
        assert state.legal_actions() == sorted(match.legal())
        assert state.current_player() == match.state.actor
        action = state.legal_actions()[len(match.actions) % len(state.legal_actions())]
        assert state.action_to_string(action) == match.say(action)
        match.push(action)
        state.apply_action(action)
    assert state.is_terminal()
    scores = np.array(match.scores())
    assert state.returns() == (scores - scores.mean()).tolist()


def test_the_seat_cannot_tell_a_resampled_state_from_the_true_one():
    state = spiel_game("magpies", 2).new_initial_state()
    state.apply_action(3)
    play_on(state, 12)
    seat = state.current_player()
    worlds = [state.resample_from_infostate(seat, np.random.RandomState(n).random_sample) for n in range(8)]
    assert {world.information_state_string(seat) for world in worlds} == {
        state.information_state_string(seat)
    }
    assert {tuple(world.observation_tensor(seat)) for world in worlds} == {
        tuple(state.observation_tensor(seat))
    }
    others = {world.observation_string(1 - seat) for world in worlds}
    assert len(others) > 1  # what the other seat holds is dealt anew


def test_a_seat_remembers_what_it_saw_and_what_was_done_openly():
    """Kuhn poker has twelve information states: a card, and what both have done so far."""
    game = spiel_game(make_variant(KUHN), 2, deals=30, aim="score")
    found = set()

    def visit(state):
        if state.is_terminal():
            return
        if state.is_chance_node():
            actions = [action for action, _ in state.chance_outcomes()]
        else:
            found.add(state.information_state_string())
            actions = state.legal_actions()
        for action in actions:
            visit(state.child(action))

    visit(game.new_initial_state())
    assert len(found) == 12


def test_cfr_solves_our_kuhn_poker():
    game = spiel_game(make_variant(KUHN), 2, deals=12, aim="score")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(30):
        solver.evaluate_and_update_policy()
    assert exploitability.exploitability(game, solver.average_policy()) < 0.01


def test_ismcts_takes_the_win_and_chooses_the_same_again():
    """Three in a row are one action away, here and in every resampled world."""
    match = Match(find_variant("tic-tac-toe"), 2)
    for action in (0, 3, 1, 4):
        match.push(action)
    chosen = []
    match.copy().step(lambda view: chosen.append(choose_by_ismcts(view, 60)) or view.actions[0])
    match.copy().step(lambda view: chosen.append(choose_by_ismcts(view, 60)) or view.actions[0])
    assert chosen == [2, 2]


@pytest.mark.long
def test_ismcts_plays_celtica_as_an_agent_of_ours():
    match = Match(find_variant("celtica:en"), 2, seed=3)
    for _ in range(4):
        match.step(lambda view: choose_by_ismcts(view, simulations=5))
    assert len(match.actions) == 4


def search_briefly(view):
    return choose_by_ismcts(view, simulations=5)


@pytest.mark.long
def test_ismcts_plays_a_whole_match_with_hidden_cards_and_the_same_one_again():
    matches = [Match("magpies", 2, seed=3).finish([search_briefly, "random"]) for _ in range(2)]
    assert matches[0].is_over
    assert matches[0].actions == matches[1].actions


AGENT = """
from boardgames import mark_deterministic
from boardgames.environments.openspiel import choose_by_ismcts

@mark_deterministic()
def agent(view):
    return choose_by_ismcts(view, simulations=2) if view.state.turn < 4 else view.actions[0]
"""


@pytest.mark.long
def test_ismcts_plays_stored_matches_of_celtica_as_an_agent_in_a_file(tmp_path, monkeypatch):
    """It searches in its first turns, as whole matches would take minutes. They are replayed from their
    seed.
    """
    monkeypatch.chdir(tmp_path)
    (tmp_path / "search.py").write_text(AGENT)
    outcome = simulate("celtica:en", db="r.duckdb", players=2, agents="./search.py:agent,random", matches=2)
    assert outcome.stored == 2
    for row in query("r.duckdb", "FROM match").to_pylist():
        match = replay_stored(Path("r.duckdb"), f"{row['cell_id']}/{row['deal']}/{row['seating']}")
        assert (match.is_over, match.state.turn, len(match.actions)) == (True, row["turns"], row["decisions"])


def test_python_ends_quietly_after_a_game_was_made():
    """OpenSpiel keeps what it was given beyond the end of Python."""
    code = "from boardgames.environments.openspiel import spiel_game; print(spiel_game('pig'))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_what_cannot_be_played_is_refused():
    with pytest.raises(InvalidInput, match="deals=0: write a whole number from 1"):
        spiel_game("pig", deals=0)
    with pytest.raises(InvalidInput, match="no aim 'glory'"):
        spiel_game("pig", aim="glory")
