"""Searching agents are competent, measured on games whose answers are known; and they do not peek."""

import functools
import itertools
from dataclasses import replace

import numpy as np
import pytest

from analytics.stats.intervals import estimate_mean_from_sums
from boardgames import (
    InvalidInput,
    Match,
    Style,
    View,
    find_agent,
    find_line_up,
    find_variant,
    make_python_agent,
    make_variant,
    play_batch,
    rule,
)
from boardgames.agents.agent import Agent, AgentType
from boardgames.agents.search import search_tree
from boardgames.agents.seating import list_seatings
from boardgames.examples import connect_four, magpies, pig, tic_tac_toe
from boardgames.plan.cell import PlannedCell, fingerprint_agent
from boardgames.play import engine
from boardgames.play.batch import Batch, assign_slots, bind_engine, hash_stream_names, make_scratch
from boardgames.rules import protocol
from boardgames.rules.chance import fold, random_number
from boardgames.rules.rulecode import is_rule, rebind
from tests.truth import kuhn


def won(line_up, batch: Batch) -> np.ndarray:
    """The first agent's share of the win, match by match."""
    seatings = np.array([list(order).index(0) for order in list_seatings(line_up)])
    return batch.seats["win_share"][np.arange(len(batch.matches)), seatings[batch.matches["seating"]]]


def shares(line_up, batch: Batch) -> np.ndarray:
    """The same, deal by deal."""
    return won(line_up, batch).reshape(-1, len(list_seatings(line_up))).mean(axis=1)


def head_to_head_line_up(game, first: str | Agent, second: str | Agent, deals: int, seats: int = 2):
    """How often one of the first wins at a table with others of the second kind, over rotated seats."""
    agents = [find_agent(agent, game) if isinstance(agent, str) else agent for agent in (first, second)]
    line_up = (agents[0], *[agents[1]] * (seats - 1))
    values = shares(line_up, play_batch(make_variant(game), line_up, seats, deals, seed=77, workers=2))
    return estimate_mean_from_sums(len(values), values.sum(), (values * values).sum())


# ---- competence


@pytest.mark.long
def test_search_never_loses_tic_tac_toe():
    line_up = find_line_up("mcts:2000,random", 2)
    assert won(line_up, play_batch(make_variant(tic_tac_toe.GAME), line_up, 2, 150, workers=2)).min() > 0


@pytest.mark.long
def test_search_beats_random_in_connect_four():
    assert head_to_head_line_up(connect_four.GAME, "mcts:256", "random", 150).mean >= 0.99


@pytest.mark.long
@pytest.mark.parametrize(("more", "less"), [(128, 64), (256, 128)])
def test_twice_the_budget_wins_in_connect_four(more, less):
    assert head_to_head_line_up(connect_four.GAME, f"mcts:{more}", f"mcts:{less}", 120).low > 0.5


@pytest.mark.long
def test_search_beats_greedy_in_a_game_of_hidden_hands():
    assert head_to_head_line_up(magpies.GAME, "mcts:256", "greedy", 30, seats=3).low > 1 / 3


@functools.cache
def chances_in_pig(target: int) -> np.ndarray:
    """The chance to win of the player to move, by banked, the other's banked, and gathered; by value
    iteration.
    """
    value = np.full((target, target, target), 0.5)
    for _ in range(400):
        roll, hold = pig_choices(value, target)
        following = np.maximum(roll, hold)
        if np.abs(following - value).max() < 1e-6:
            return following
        value = following
    raise AssertionError("value iteration did not converge")


def pig_choices(value: np.ndarray, target: int) -> tuple[np.ndarray, np.ndarray]:
    """The chances after rolling and after holding."""
    mine, other, gathered = np.indices(value.shape)
    after_hold = np.minimum(mine + gathered, target - 1)
    hold = np.where(mine + gathered >= target, 1.0, 1 - value[other, after_hold, 0])
    lost = 1 - value[other, mine, 0]
    rolls = [
        np.where(
            mine + gathered + pips >= target, 1.0, value[mine, other, np.minimum(gathered + pips, target - 1)]
        )
        for pips in range(2, 7)
    ]
    return (lost + sum(rolls)) / 6, hold


@pytest.mark.long
def test_search_plays_pig_almost_perfectly():
    """The regret of a choice: what it gives away of the chance to win."""
    target, regrets, chance = 50, [], np.random.default_rng(5)
    choices = pig_choices(chances_in_pig(target), target)
    variant = make_variant(pig.GAME, values={"target": target})
    for deal in range(500):
        match = Match(variant, 2, deal=deal, compiled=True)
        mine, other = chance.integers(0, target, 2)
        gathered = int(chance.integers(2, 30)) % (target - mine) or 1
        match.state.banked[0], match.state.banked[1], match.state.gathered = mine, other, gathered
        match.step("mcts:4096")
        values = [choice[mine, other, gathered] for choice in choices]
        regrets.append(max(values) - values[match.actions[0]])
    assert np.mean(regrets) <= 0.01


@rule
def play_equilibrium(state, actions, n, key, agent, scratch):
    """Kuhn poker as no opponent can exploit it: the first player bluffs a third of the jacks, and bets every
    king.
    """
    card, third = state.card[state.actor], random_number(key, 0, 3) == 0
    if card == 2:
        return actions[1]
    if state.phase == kuhn.ANSWER:
        call_below = 2 if state.actor == 0 else 1  # with a queen the first player calls 2/3, the second 1/3
        return actions[1] if card == 1 and random_number(key, 1, 3) < call_below else actions[0]
    return actions[1] if card == 0 and third else actions[0]


@pytest.mark.long
def test_search_loses_little_to_the_equilibrium_of_kuhn_poker():
    equilibrium = AgentType(name="equilibrium", choose=play_equilibrium, description="cannot be exploited")
    perfect = Agent(agent_type=equilibrium, name=equilibrium.name, values={})
    line_up = (find_agent("mcts:512+aim=score"), perfect)
    batch = play_batch(make_variant(kuhn.GAME), line_up, 2, 8000, seed=3, workers=2)
    chips = np.where(batch.matches["seating"] == 0, batch.seats["score"][:, 0], batch.seats["score"][:, 1])
    assert chips.mean() > -0.03


@pytest.mark.long
def test_an_agent_that_aims_at_points_gets_more_of_them():
    def mean_score(agent: str) -> float:
        batch = play_batch(make_variant(magpies.GAME), f"{agent},random", 2, 200, workers=2)
        return float(
            np.where(
                batch.matches["seating"] == 0, batch.seats["score"][:, 0], batch.seats["score"][:, 1]
            ).mean()
        )

    assert mean_score("mcts:128+aim=score") > mean_score("mcts:128+turns=0") + 1


# ---- no peeking


POSITIONS = 400
SPECS = [
    "random",
    "greedy",
    "greedy+noise=0.3",
    "mcts:24",
    "mcts:24+turns=0+picky=1",
    "mcts:24+aim=score",
]


def walk(variant, seats: int, seed: int, deal: int):
    """A random match, decision by decision: the state, its legal actions, a key, and the action that is taken
    next.
    """
    rules, row = bind_engine(variant.game, (), True), np.zeros(variant.game.actions, np.int64)
    state, luck = variant.make_blank_state(seats), rules[engine.make_deal_key](seed, seats, deal)
    rules[engine.begin_match](state[0], luck, hash_stream_names(variant.game))
    for step in range(variant.game.cap):
        if state[0].end:
            return
        n = rules[protocol.legal](state[0], row)
        action = row[random_number(luck, step, n)]
        yield state, row[:n], fold(luck, step), action
        rules[protocol.apply](state[0], action)


def positions(variant, seats: int, matches: int):
    """Random positions with something to choose: state, legal actions, a key."""
    for deal in range(matches):
        for state, legal, key, _ in walk(variant, seats, 5, deal):
            if len(legal) > 1:
                yield state.copy(), legal.copy(), key


def peeking(game: str, seats: int, specs: list[str]) -> tuple[int, list[str]]:
    """How many choices were asked for, and the agents that chose otherwise when what they cannot see was
    re-dealt.
    """
    variant = find_variant(game)
    agents = tuple(find_agent(spec, variant.game) for spec in specs)
    table = bind_engine(variant.game, assign_slots(agents), True)
    scratch = make_scratch(variant.game, agents, seats)
    rows = [
        np.array(agent.make_row(assign_slots(agents).index(agent.agent_type), 0, variant.game), np.int64)
        for agent in agents
    ]
    asked, caught = 0, []
    for state, legal, key in itertools.islice(positions(variant, seats, 60), POSITIONS):
        side_by_side = state.copy()
        table[protocol.rekey_and_resample](side_by_side[0], state[0].actor, fold(key, 999))
        for agent, row in zip(agents, rows, strict=True):
            chosen = set()
            for world in (state, side_by_side):
                scratch.actions[0, : len(legal)] = legal
                chosen.add(
                    int(table[engine.choose](world[0], scratch.actions[0], len(legal), key, row, scratch))
                )
            asked += 1
            caught += [agent.name] if len(chosen) > 1 else []
    return asked, caught


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("magpies", 3),
        *(pytest.param(game, 2, marks=pytest.mark.long) for game in ("tests.truth.kuhn:GAME", "pig")),
    ],
)
def test_no_agent_sees_what_is_hidden(game, seats):
    """Re-deal what the seat cannot see and re-key the future: with the same chance of its own, it chooses the
    same.
    """
    asked, caught = peeking(game, seats, SPECS)
    assert asked > 400
    assert caught == []


@rule
def look_at_the_cards(state, seat, key):
    """What a cheat does instead of resampling."""


def ours(value: object) -> bool:
    """The agents' own functions, and the one to be replaced: the rules are put in their places later."""
    return is_rule(value) and (value is protocol.rekey_and_resample or value.__module__ != protocol.__name__)


@pytest.mark.long
def test_a_cheat_that_searches_the_true_state_beats_the_honest_one():
    honest = find_agent("mcts:64", magpies.GAME)
    peek = rebind([search_tree], {protocol.rekey_and_resample: look_at_the_cards}, follow=ours)[search_tree]
    cheat = replace(honest, agent_type=replace(honest.agent_type, name="cheat", choose=peek), name="cheat")
    assert head_to_head_line_up(magpies.GAME, cheat, honest, 60).low > 0.5


# ---- restrictions, styles, Python agents


@pytest.mark.parametrize(
    "agent",
    ["random", *(pytest.param(agent, marks=pytest.mark.long) for agent in ("greedy", "mcts:16"))],
)
def test_a_forbidden_action_is_not_chosen_while_another_is_legal(agent):
    """Who may never hold rolls until the target is reached or a one comes."""
    variant = make_variant(pig.GAME, values={"target": 20})
    batch = play_batch(variant, find_line_up(f"{agent}+forbid=hold", 2, pig.GAME), 2, 20)
    rolls, ones, turns = (batch.seats["tally"][:, :, 0], batch.seats["tally"][:, :, 1], batch.seats["turns"])
    assert (batch.matches["turns"] == ones.sum(axis=1) + 1).all()  # no turn ended but by a one, or the last
    assert (rolls >= turns).all()


@pytest.mark.long
def test_a_forced_action_is_taken_whenever_it_is_legal():
    variant = make_variant(pig.GAME, values={"target": 20})
    batch = play_batch(variant, find_line_up("mcts:16+force=hold", 2, pig.GAME), 2, 20)
    assert (batch.seats["tally"][:, :, 0] == batch.seats["turns"]).all()  # one roll a turn


def test_what_is_forbidden_is_searched_anew():
    """The value of an option: the same agent without it wins less. In Pig, holding is all."""
    assert head_to_head_line_up(pig.GAME, "mcts:64+forbid=hold", "mcts:64", 60).high < 0.3


def test_a_restriction_is_part_of_an_agents_name_and_print():
    plain, tied = (find_agent(spec, pig.GAME) for spec in ("mcts:64", "mcts:64+forbid=hold"))
    assert (plain.name, tied.name) == ("mcts:64", "mcts:64+forbid=hold")
    assert fingerprint_agent(plain) != fingerprint_agent(tied)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts:64+forbid=holt", "no group of actions in pig 'holt'; did you mean hold"),
        ("greedy+noise=2", "noise=2 is not possible: noise is a number from 0 to 1"),
        ("mcts:many", "playouts=many is not possible"),
        ("mctz:64", "no agent 'mctz'; did you mean mcts"),
        ("mcts:64+aim=glory", "aim is one of win, score"),
    ],
)
def test_a_wrong_restriction_is_answered_with_what_exists(spec, message):
    with pytest.raises(InvalidInput, match=message):
        find_agent(spec, pig.GAME)


def test_a_group_without_a_game_means_nothing():
    with pytest.raises(InvalidInput, match="it means something only in a game"):
        find_agent("greedy+forbid=hold")


def test_a_style_prizes_a_tally_and_can_be_changed_like_any_agent():
    styled = replace(pig.GAME, styles={"roller": Style("greedy", "for the love of rolling", {"rolls": 1000})})
    fond, noisy = find_agent("roller", styled), find_agent("roller+noise=0.5", styled)
    assert (fond.name, noisy.name) == ("roller", "roller+noise=0.5")
    seats = play_batch(
        make_variant(styled, values={"target": 30}), [fond, find_agent("greedy")], 2, 30
    ).seats.reshape(-1, 2, 2)
    rolls, turns = seats["tally"][..., 0], seats["turns"]
    roller, greedy = rolls[:, 0, 0].sum() + rolls[:, 1, 1].sum(), rolls[:, 0, 1].sum() + rolls[:, 1, 0].sum()
    assert roller / (turns[:, 0, 0] + turns[:, 1, 1]).sum() > greedy / (turns[:, 0, 1] + turns[:, 1, 0]).sum()


def test_noise_makes_greedy_weaker():
    assert head_to_head_line_up(magpies.GAME, "greedy", "greedy+noise=0.5", 100).low > 0.5


def hold_at_twenty(view: View) -> int:
    return pig.HOLD if view.state.gathered >= 20 and pig.HOLD in view.actions else view.actions[0]


@pytest.mark.long
def test_a_python_agent_plays_a_batch_with_the_columns_of_a_compiled_one():
    """Pig's own test device holds at 20 as well: the same matches."""
    variant, output = make_variant(pig.GAME), make_variant(pig.GAME, values={"hold_at": 20})
    batch = play_batch(variant, [make_python_agent(hold_at_twenty, pig.GAME)] * 2, 2, 5)
    same = play_batch(output, "random", 2, 5)
    assert (batch.matches["hash"] == same.matches["hash"]).all()
    assert (batch.seats["score"] == same.seats["score"]).all()


@pytest.mark.long
def test_a_python_agent_plays_against_compiled_ones():
    mixed = (make_python_agent(hold_at_twenty, pig.GAME), find_agent("random"))
    assert shares(mixed, play_batch(make_variant(pig.GAME), mixed, 2, 20)).mean() > 0.9


def test_a_python_agent_sees_no_hidden_card_even_if_it_tries():
    seen = []

    def spy(view: View) -> int:
        seen.append(int(view.state.card[1 - view.seat]))
        return view.actions[0]

    for deal in range(60):
        match = Match(make_variant(kuhn.GAME), 2, deal=deal)
        match.state.card[0], match.state.card[1] = 1, 2  # the truth is always the same
        match.step(spy)
    assert set(seen) == {0, 2}  # what it is shown is not


def test_an_illegal_choice_of_a_python_agent_is_reported():
    with pytest.raises(InvalidInput, match="the agent careless chose 7, which is not legal"):
        play_batch(
            make_variant(pig.GAME), [make_python_agent(lambda view: 7, pig.GAME, "careless")] * 2, 2, 1
        )


def test_matches_of_python_agents_are_not_simulated_into_a_file():
    with pytest.raises(InvalidInput, match="its matches could not be replayed"):
        PlannedCell(
            make_variant(pig.GAME), (make_python_agent(hold_at_twenty, pig.GAME), find_agent("random")), 1
        )
