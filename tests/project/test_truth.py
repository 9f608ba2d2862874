"""Games with known answers, played by the batch engine: four standard errors are allowed, and none where the
tree can be walked.

The numbers come from reference/truth.json: exact ones by fractions, Markov chains or value iteration, those
of Connect Four by 2 * 10**7 independent matches, Pig's also published by Neller and Presser, the coin race's
in Feller's third chapter.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from boardgames import make_variant, play_batch
from boardgames.examples import connect_four, pig, tic_tac_toe
from tests.truth import chutes, coin_race, first_six, kuhn, p_deterministic

SEED = 7
CENTRE, CORNERS, EDGES = [4], [0, 2, 6, 8], [1, 3, 5, 7]


def play_matches(game, seats, deals, **given):
    return play_batch(make_variant(game, values=given), "random", seats, deals, seed=SEED)


def assert_mean(values, truth, reference=0.0):
    """The mean of independent values is the truth, give or take four standard errors; `reference` is the
    truth's own error.
    """
    error = math.hypot(np.std(values) / math.sqrt(len(values)), reference)
    assert abs(np.mean(values) - truth) <= 4 * error + 1e-12, (
        f"{np.mean(values):.5f} +- {error:.5f}, should be {truth:.5f}"
    )


def assert_ratio(above, below, truth, reference=0.0):
    """The same for the ratio of two sums over matches."""
    assert_mean((above - truth * below) / below.mean(), 0, reference)


# ---- tic-tac-toe


def find_endings(game, states, cache):
    """How a position ends when all play at random: {(standings, number of legal actions at each decision):
    chance}.
    """
    state = states[0]
    if state.end:
        return {(tuple(game.standing(state, seat) for seat in range(state.players)), ()): Fraction(1)}
    if states.tobytes() not in cache:
        actions = np.zeros(game.actions, np.int64)
        n, results = game.legal(state, actions), {}
        for action in actions[:n]:
            after = states.copy()
            game.apply(after[0], action)
            for (standings, choices), chance in find_endings(game, after, cache).items():
                key = (standings, (n, *choices))
                results[key] = results.get(key, 0) + chance / n
        cache[states.tobytes()] = results
    return cache[states.tobytes()]


def compute_expected(chances, value):
    return sum(chance * value(standings, choices) for (standings, choices), chance in chances.items())


def first_wins(standings, choices):
    return int(standings == (1, 0))


def find_position(game, *actions):
    """The position of a two-player game after some actions."""
    states = make_variant(game).make_blank_state(2)
    game.setup(states[0])
    for action in actions:
        game.apply(states[0], action)
    return states


@pytest.fixture(scope="module")
def cache():
    """The endings of every position of tic-tac-toe that was looked at before."""
    return {}


@pytest.fixture(scope="module")
def tree(cache):
    return find_endings(tic_tac_toe.GAME, find_position(tic_tac_toe.GAME), cache)


@pytest.fixture(scope="module")
def tic_tac_toe_matches():
    return play_matches(tic_tac_toe.GAME, 2, 200_000)


def test_the_tree_of_tic_tac_toe_has_the_known_shares(tree):
    assert compute_expected(tree, first_wins) == Fraction(737, 1260)
    assert compute_expected(tree, lambda standings, choices: standings == (0, 1)) == Fraction(121, 420)
    assert compute_expected(tree, lambda standings, choices: standings == (0, 0)) == Fraction(8, 63)


def test_the_tree_of_tic_tac_toe_has_the_known_lengths(tree):
    shares = {
        5: Fraction(2, 21),
        6: Fraction(37, 420),
        7: Fraction(37, 140),
        8: Fraction(1, 5),
        9: Fraction(37, 105),
    }
    for length, share in shares.items():
        assert (
            compute_expected(tree, lambda standings, choices, length=length: len(choices) == length) == share
        )
    assert compute_expected(tree, lambda standings, choices: len(choices)) == Fraction(3203, 420)


def test_the_tree_of_tic_tac_toe_has_the_known_branching(tree):
    length = compute_expected(tree, lambda standings, choices: len(choices))
    assert compute_expected(tree, lambda standings, choices: sum(choices)) / length == Fraction(17861, 3203)
    assert compute_expected(
        tree, lambda standings, choices: Fraction(sum(choices), len(choices))
    ) == Fraction(4777, 840)
    assert compute_expected(tree, lambda standings, choices: choices.count(1)) / length == Fraction(
        148, 3203
    )  # 0.0462067


@pytest.mark.parametrize(
    ("cells", "share"), [(CENTRE, Fraction(97, 140)), (CORNERS, Fraction(17, 28)), (EDGES, Fraction(15, 28))]
)
def test_the_tree_of_tic_tac_toe_has_the_known_openings(cache, cells, share):
    for cell in cells:
        assert (
            compute_expected(
                find_endings(tic_tac_toe.GAME, find_position(tic_tac_toe.GAME, cell), cache), first_wins
            )
            == share
        )


def test_tic_tac_toe_is_won_as_often_as_known(tic_tac_toe_matches):
    matches, seats, *_ = tic_tac_toe_matches
    assert_mean(seats["score"][:, 0], 737 / 1260)
    assert_mean(seats["score"][:, 1], 121 / 420)
    assert_mean(matches["winners"] == 2, 8 / 63)
    assert_mean(matches["end"] == tic_tac_toe.FULL, 8 / 63)
    assert_mean(seats["win_share"][:, 0], 737 / 1260 + 4 / 63)  # a draw is half a win


def test_tic_tac_toe_lasts_as_long_as_known(tic_tac_toe_matches):
    turns = tic_tac_toe_matches.matches["turns"]
    assert_mean(turns, 3203 / 420)
    assert_mean((turns - 3203 / 420) ** 2, 1.6864569160997733)
    for length, share in {5: 2 / 21, 6: 37 / 420, 7: 37 / 140, 8: 1 / 5, 9: 37 / 105}.items():
        assert_mean(turns == length, share)


def test_tic_tac_toe_branches_as_much_as_known(tic_tac_toe_matches):
    matches = tic_tac_toe_matches.matches
    assert_ratio(matches["branching"], matches["decisions"], 17861 / 3203)
    assert_mean(matches["branching"] / matches["decisions"], 4777 / 840)
    assert_ratio(matches["forced"], matches["decisions"], 148 / 3203)
    assert (matches["widest"] == 9).all()


def test_the_logarithms_of_branching_add_up_to_the_number_of_ways(tic_tac_toe_matches):
    matches = tic_tac_toe_matches.matches
    ways = np.array([math.log2(math.perm(9, length)) for length in range(10)])[matches["decisions"]]
    assert (abs(matches["log_branching"] / 65536 - ways) <= matches["decisions"] / 65536).all()


@pytest.mark.parametrize(("cells", "share"), [(CENTRE, 97 / 140), (CORNERS, 17 / 28), (EDGES, 15 / 28)])
def test_tic_tac_toe_openings_win_as_often_as_known(tic_tac_toe_matches, cells, share):
    seats = tic_tac_toe_matches.seats
    opened = np.isin(seats["opening"][:, 0], cells)
    assert_mean(opened, len(cells) / 9)
    assert_mean(seats["score"][opened, 0], share)


# ---- Connect Four


@pytest.fixture(scope="module")
def connect_four_matches():
    return play_matches(connect_four.GAME, 2, 200_000)


REFERENCE = 1 / math.sqrt(
    20_000_000
)  # Connect Four's truth is itself a sample; times the spread of one match


def test_connect_four_is_won_as_often_as_known(connect_four_matches):
    matches, seats, *_ = connect_four_matches
    assert_mean(seats["score"][:, 0], 0.5559841, 0.5 * REFERENCE)
    assert_mean(seats["score"][:, 1], 0.4414458, 0.5 * REFERENCE)
    assert_mean(matches["end"] == connect_four.FULL, 0.0025701, 0.05 * REFERENCE)


def test_connect_four_lasts_and_branches_as_known(connect_four_matches):
    matches = connect_four_matches.matches
    assert_mean(matches["turns"], 21.3132686, 7.373 * REFERENCE)
    assert_mean((matches["turns"] - 21.3132686) ** 2, 7.372766067376209**2, 80 * REFERENCE)
    assert_ratio(matches["branching"], matches["decisions"], 6.756944099132688, 0.4 * REFERENCE)
    assert_ratio(matches["forced"], matches["decisions"], 0.0006188281228717776, 0.01 * REFERENCE)


def test_connect_four_openings_win_as_often_as_known(connect_four_matches):
    seats = connect_four_matches.seats
    shares = (0.5110762, 0.5417332, 0.5729425, 0.6397597, 0.5728702, 0.5419481, 0.5113844)
    for column, share in enumerate(shares):
        opened = seats["opening"][:, 0] == column
        assert_mean(opened, 1 / 7)
        assert_mean(seats["score"][opened, 0], share, 0.5 * math.sqrt(7) * REFERENCE)


# ---- dice


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_first_six_falls_to_each_seat_as_often_as_known(players):
    matches, seats, *_ = play_matches(first_six.GAME, players, 100_000)
    for seat in range(players):
        assert_mean(
            seats["win_share"][:, seat], 5**seat * 6 ** (players - 1 - seat) / (6**players - 5**players)
        )
    assert_mean(matches["turns"], 6)
    assert (matches["forced"] == matches["decisions"]).all()


@pytest.mark.parametrize(
    ("first", "second", "share"),
    [
        (20, 20, 0.5346983261654715),
        (25, 25, 0.5297555882654164),
        (20, 25, 0.5200339158420844),
        (25, 20, 0.5434824220854475),
        (10, 20, 0.3355957148822126),
        (40, 15, 0.4897850726236305),
        (5, 40, 0.23348896670938996),
    ],
)
def test_pig_players_who_hold_at_fixed_numbers_win_as_often_as_known(first, second, share):
    matches, seats, *_ = play_matches(pig.GAME, 2, 100_000, hold_at=f"{first}/{second}/0/0/0")
    assert_mean(seats["win_share"][:, 0], share)
    assert (matches["forced"] == matches["decisions"]).all()


def race(board, players):
    """Chutes and Ladders exactly: the chance of each seat to win, and the mean number of turns, from one
    player's Markov chain.
    """
    leads_to = make_variant(chutes.GAME, values={"board": board}).make_blank_state(2)[0].rules.leads_to
    steps = np.zeros((101, 101))
    for square, roll in itertools.product(range(100), range(1, 7)):
        steps[square, leads_to[square + roll] if square + roll <= 100 else square] += 1 / 6
    steps[100, 100] = 1
    arrived, at = [0.0], np.eye(101)[0]
    while arrived[-1] < 1 - 1e-13:
        at = at @ steps
        arrived.append(at[100])
    on = 1 - np.array(arrived)  # the chance to be on the way still, after each roll
    wins = [
        ((on[:-1] - on[1:]) * on[1:] ** seat * on[:-1] ** (players - 1 - seat)).sum()
        for seat in range(players)
    ]
    turns = sum((on[1:] ** seat * on[:-1] ** (players - seat)).sum() for seat in range(players))
    return wins, turns


SEAT_SHARES = {
    2: (0.507912, 0.492088),
    3: (0.342989, 0.333231, 0.323781),
    4: (0.260079, 0.253225, 0.246575, 0.240122),
    5: (0.210077, 0.204894, 0.199858, 0.194964, 0.190207),
}
MEAN_TURNS = {2: 52.154, 3: 64.1649, 4: 75.5346, 5: 86.426}


def test_a_player_alone_climbs_the_board_in_39_rolls():
    assert race("milton-bradley", 1)[1] == pytest.approx(39.22512230823413, abs=1e-8)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_chain_of_chutes_and_ladders_gives_the_known_shares_and_turns(players):
    wins, turns = race("milton-bradley", players)
    assert wins == pytest.approx(SEAT_SHARES[players], abs=1e-6)
    assert turns == pytest.approx(MEAN_TURNS[players], abs=1e-4)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_chutes_and_ladders_is_won_as_often_and_lasts_as_long_as_known(players):
    matches, seats, *_ = play_matches(chutes.GAME, players, 50_000)
    for seat, share in enumerate(SEAT_SHARES[players]):
        assert_mean(seats["win_share"][:, seat], share)
    assert_mean(matches["turns"], MEAN_TURNS[players])
    assert (matches["forced"] == matches["decisions"]).all()


def test_another_board_changes_the_race_as_its_chain_says():
    wins, turns = race("ladders-only", 2)
    matches, seats, *_ = play_matches(chutes.GAME, 2, 50_000, board="ladders-only")
    assert turns < MEAN_TURNS[2]
    assert_mean(matches["turns"], turns)
    assert_mean(seats["win_share"][:, 0], wins[0])
    assert not seats["tally"][:, :, chutes.CHUTES].any()


# ---- coins, cards and strength


@pytest.mark.parametrize(
    ("steps", "changes", "none"),
    [
        (11, 0.853515625, 0.451171875),
        (21, 1.3500690460205078, 0.3363761901855469),
        (51, 2.3630169028100347, 0.22023206944692575),
    ],
)
def test_the_lead_in_a_coin_race_changes_as_seldom_as_feller_says(steps, changes, none):
    matches = play_matches(coin_race.GAME, 2, 100_000, steps=steps).matches
    assert_mean(matches["lead_changes"], changes)
    assert_mean(matches["lead_changes"] == 0, none)
    assert (matches["rounds"] == steps).all()
    assert ((matches["last_lead_change"] > 0) == (matches["lead_changes"] > 0)).all()


@pytest.mark.parametrize(("steps", "share"), [(21, 0.8115234375), (101, 0.7780687931648043)])
def test_the_sole_leader_at_half_time_wins_a_coin_race_as_often_as_known(steps, share):
    matches, seats, *_ = play_matches(coin_race.GAME, 2, 100_000, steps=steps)
    sole = np.isin(matches["leaders_50"], [0b01, 0b10])
    winner = np.where(seats["rank"][:, 0] == 1, 0b01, 0b10)
    assert_mean((matches["leaders_50"] == winner)[sole], share)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("p", [0, 30, 100])
def test_skill_decides_a_p_deterministic_game_in_p_percent(p, players):
    score = play_matches(p_deterministic.GAME, players, 20_000, p=p).seats["score"]
    tau = np.mean(
        [np.sign(score[:, a] - score[:, b]) for a, b in itertools.combinations(range(players), 2)], axis=0
    )
    assert_mean(tau, p / 100)  # Kendall's tau between the seats, strongest first, and the places


def test_kuhn_poker_at_random_gives_the_first_player_exactly_an_eighth_of_a_chip():
    values = []
    for deal in itertools.permutations(range(3), 2):
        states = find_position(kuhn.GAME)
        states[0].card[:] = deal
        values.append(
            compute_expected(find_endings(kuhn.GAME, states, {}), lambda standings, choices: standings[0])
        )
    assert sum(values) / 6 == Fraction(1, 8)


def test_kuhn_poker_matches_give_the_first_player_an_eighth_of_a_chip():
    matches, seats, *_ = play_matches(kuhn.GAME, 2, 100_000)
    assert_mean(seats["score"][:, 0], 0.125)
    assert (seats["score"].sum(axis=1) == 0).all()
    assert_mean(matches["turns"], 2.25)  # a check and a bet, one time in four, ask for a third decision
