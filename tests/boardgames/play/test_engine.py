"""The batch loop: its columns mean what they say, and the same seed always gives the same rows."""

import hashlib
import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from boardgames import (
    begin_turn,
    find_line_up,
    find_variant,
    make_variant,
    next_seat,
    play_batch,
    query,
    random_below,
    rule,
    simulate,
)
from boardgames.errors import NotPlayable
from boardgames.examples import magpies, pig, tic_tac_toe
from boardgames.play.batch import Batch, cut_spans, make_log_table, make_runner, make_scratch
from boardgames.play.engine import ENGINE_VERSION
from boardgames.play.match import Match
from tests.truth import coin_race

MAGPIES = make_variant(magpies.GAME)


def digest(batch: Batch) -> str:
    return hashlib.blake2b(batch.matches.tobytes() + batch.seats.tobytes(), digest_size=16).hexdigest()


def test_the_engines_number_is_raised_when_its_rows_change():
    """If this fails and no example game changed: raise ENGINE, then write the new signature here."""
    batch = play_batch(MAGPIES, "greedy,random,random", 3, 40, seed=7)
    assert (ENGINE_VERSION, digest(batch)) == (1, "3650ebeed6756098ff591dc0d33902eb")


@pytest.mark.parametrize("workers", [2, 7])
def test_the_rows_do_not_depend_on_the_number_of_workers(workers):
    alone, together = (
        play_batch(MAGPIES, "random", 4, 9000, seed=3, workers=count) for count in (1, workers)
    )
    assert digest(alone) == digest(together)


def test_a_run_in_two_parts_equals_one_run():
    whole = play_batch(MAGPIES, "random", 2, 300)
    parts = [play_batch(MAGPIES, "random", 2, 100), play_batch(MAGPIES, "random", 2, 200, first=100)]
    assert digest(whole) == digest(
        Batch(*(np.concatenate([part[column] for part in parts]) for column in (0, 1)))
    )


def test_spans_cover_all_deals_once_and_are_cut_at_slices():
    for first, deals, seatings in [(0, 10_000, 1), (100, 9999, 2), (5, 3, 24), (64, 64, 6)]:
        cut = cut_spans(first, deals, seatings)
        assert [deal for low, n in cut for deal in range(low, low + n)] == list(range(first, first + deals))
        assert all(low % 64 == 0 for low, _ in cut[1:])


def test_compiled_rows_equal_plain_rows():
    for agents in ("random", "greedy,random"):
        assert digest(play_batch(MAGPIES, agents, 2, 4)) == digest(
            play_batch(MAGPIES, agents, 2, 4, compiled=False)
        )


def test_variants_share_their_luck():
    """More points for crowns change no card and no random choice: the same matches, other scores."""
    richer = make_variant(magpies.GAME, values={"worth": "1/2/3/5/9"})
    batch_a, batch_b = play_batch(MAGPIES, "random", 3, 500), play_batch(richer, "random", 3, 500)
    same = batch_a.matches["hash"] == batch_b.matches["hash"]
    assert same.mean() > 0.9  # only where a robber needs richer victims could anything differ
    assert (batch_a.seats["score"] <= batch_b.seats["score"]).all()
    assert (batch_a.seats["score"] < batch_b.seats["score"]).any()


def test_player_counts_do_not_share_their_luck():
    hands = [
        [Match(MAGPIES, seats, deal=deal).state.hand[0].tolist() for deal in range(20)] for seats in (2, 3)
    ]
    assert hands[0] != hands[1]


def test_every_deal_has_other_luck_and_another_seed_others_still():
    batches = [play_batch(MAGPIES, "random", 2, 200, seed=seed) for seed in (1, 2)]
    hashes = np.concatenate([batch.matches["hash"] for batch in batches])
    assert len(set(hashes.tolist())) == 400


def test_an_agents_chance_does_not_depend_on_earlier_questions():
    """Keyed by turn, phase and the how-manieth question there: a variant without one question leaves other
    choices alone.
    """
    silent = make_variant(magpies.GAME, values={"chase": "no"})
    batch_a, batch_b = play_batch(MAGPIES, "random", 2, 2000), play_batch(silent, "random", 2, 2000)
    snatched, chased = batch_a.seats["tally"].sum(axis=1).T
    tame = (snatched > 0) & (
        chased == 0
    )  # the question was asked, and always answered as the other variant takes for granted
    assert (batch_a.matches["decisions"][tame] == batch_b.matches["decisions"][tame] + snatched[tame]).all()
    assert (batch_a.seats["score"][tame] == batch_b.seats["score"][tame]).all()
    assert tame.sum() > 20


def recompute(variant, seats: int, deal: int, agents: str) -> dict[str, object]:
    """A match's row worked out again, from a match stepped in Python and definitions written down a second
    time.
    """
    match = Match(variant, seats, deal=deal)
    line_up = find_line_up(agents, seats)
    game, row = variant.game, {"forced": 0, "branching": 0, "widest": 0, "logs": 0.0}
    rounds, decided, opening = [], [0] * seats, [-1] * seats
    while not match.is_over:
        legal, seat = match.legal(), int(match.state.actor)
        turn = int(match.state.turn)
        match.step(line_up[seat])
        row["forced"] += len(legal) == 1
        row["branching"] += len(legal)
        row["logs"] += math.log2(len(legal))
        row["widest"] = max(row["widest"], len(legal))
        decided[seat] += 1
        if opening[seat] < 0:
            opening[seat] = match.actions[-1]
        if match.is_over or (match.state.turn != turn and turn % seats == 0):
            rounds.append([int(game.evaluate(match.state, s)) for s in range(seats)])
    leaders = [[s for s in range(seats) if this_round[s] == max(this_round)] for this_round in rounds]
    sole = [(number, this_round[0]) for number, this_round in enumerate(leaders, 1) if len(this_round) == 1]
    changes = [number for (_, before), (number, now) in itertools.pairwise(sole) if before != now]
    scores = sorted(match.scores(), reverse=True)
    return row | {
        "turns": int(match.state.turn),
        "rounds": len(rounds),
        "decisions": len(match.actions),
        "decided": decided,
        "opening": opening,
        "lead_changes": len(changes),
        "last": changes[-1] if changes else 0,
        "winning_margin": scores[0] - scores[1],
        "tied": scores.count(scores[0]),
        "winners": match.ranks().count(1),
        "places": match.ranks(),
        "led": [sum(s == seat for _, s in sole) for seat in range(seats)],
        "deficit": [
            max(max(this_round) - this_round[seat] for this_round in rounds) for seat in range(seats)
        ],
        "half": sum(1 << s for s in leaders[len(rounds) // 2 - 1]),
        "evaluation_half": rounds[len(rounds) // 2 - 1],
    }


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_column_agrees_with_a_second_reckoning(seats):
    batch = play_batch(MAGPIES, "random", seats, 6)
    for deal in range(6):
        match, rows, again = (
            batch.matches[deal],
            batch.seats[deal],
            recompute(MAGPIES, seats, deal, "random"),
        )
        for name in (
            "turns",
            "rounds",
            "decisions",
            "forced",
            "branching",
            "widest",
            "lead_changes",
            "winning_margin",
            "tied",
            "winners",
        ):
            assert match[name] == again[name], name
        assert match["last_lead_change"] == again["last"]
        assert match["leaders_50"] == again["half"]
        assert match["log_branching"] / 65536 == pytest.approx(again["logs"], abs=0.01)
        assert rows["decisions"].tolist() == again["decided"]
        assert rows["opening"].tolist() == again["opening"]
        assert rows["rank"].tolist() == again["places"]
        assert rows["rounds_led"].tolist() == again["led"]
        assert rows["deficit"].tolist() == again["deficit"]
        assert rows["evaluation_50"].tolist() == again["evaluation_half"]
        assert rows["win_share"].sum() == pytest.approx(1)
        assert rows["turns"].sum() == match["turns"]


def test_tie_breaks_are_reported_apart_from_ties():
    batch = play_batch(MAGPIES, "random", 4, 3000)
    tied, winners = batch.matches["tied"], batch.matches["winners"]
    assert (winners <= tied).all()
    assert (winners < tied).any()
    assert (batch.matches["winning_margin"][tied > 1] == 0).all()
    assert (batch.matches["winning_margin"][tied == 1] > 0).all()


def test_a_match_over_the_cap_is_cut_off_and_says_so():
    import dataclasses

    short = dataclasses.replace(pig.GAME, name="short-pig", cap=30)
    batch = play_batch(make_variant(short), "random", 2, 50, compiled=False)
    cut = batch.matches["decisions"] == 30
    assert cut.any()
    assert (batch.matches["end"][cut] == 0).all()


def test_logarithms_are_whole_numbers_near_the_truth():
    assert make_log_table(1000)[[1, 2, 1000]].tolist() == [0, 65536, math.floor(math.log2(1000) * 65536)]
    assert np.abs(make_log_table(1000)[1:] / 65536 - np.log2(np.arange(1, 1001))).max() < 1 / 32768


def test_quarters_are_read_after_whole_rounds_rounded_down():
    """A coin race of 3 rounds: after 0, 1 and 2 of them; nobody leads before the first toss."""
    batch = play_batch(make_variant(coin_race.GAME, values={"steps": 3}), "random", 2, 100)
    assert (batch.matches["rounds"] == 3).all()
    assert (batch.matches["leaders_25"] == 0b11).all()
    assert set(batch.matches["leaders_50"].tolist()) == {0b01, 0b10}
    assert (np.abs(batch.seats["score_75"][:, 0] - batch.seats["score_75"][:, 1]) % 2 == 0).all()


@rule
def toss_and_pass_on(state, action):
    """The last action begins a turn as well, and ends the match in the same breath."""
    state.points[state.turn_owner] += random_below(state, 0, 2)
    begin_turn(state, next_seat(state, state.turn_owner))
    if state.turn > 4 + state.points[0]:
        state.end = 1


PASSED_ON = replace(coin_race.GAME, name="passed-on", apply=toss_and_pass_on)


def test_a_match_played_in_memory_that_others_have_used_is_that_of_fresh_memory():
    """Also where a turn begins and the match ends in one action, which completes a round."""
    variant = make_variant(PASSED_ON)
    together = play_batch(variant, "random", 2, 30, compiled=False)
    alone = [play_batch(variant, "random", 2, 1, first=deal, compiled=False) for deal in range(30)]
    assert digest(together) == digest(
        Batch(*(np.concatenate([batch[column] for batch in alone]) for column in (0, 1)))
    )
    for deal in range(30):
        match, led = Match(variant, 2, deal=deal), [0, 0]
        while not match.is_over:
            match.step("random")
            if len(match.actions) % 2 == 0:
                lead = int(np.sign(match.state.points[0] - match.state.points[1]))
                led[lead < 0] += lead != 0
        led[lead < 0] += lead != 0  # the round that was begun and is over
        assert together.seats["rounds_led"][deal].tolist() == led


@pytest.mark.parametrize(
    "game",
    ["pig", "tic-tac-toe", "magpies", "connect-four"]
    + [pytest.param(game, marks=pytest.mark.long) for game in ("celtica", "keltis", "celtae")],
)
def test_matches_of_installed_games_do_not_depend_on_what_the_memory_was_used_for(game):
    variant = find_variant(game)
    for players in variant.game.player_counts:
        line_up = find_line_up("random", players, variant.game)
        runner, used = make_runner(variant, line_up), make_scratch(variant.game, line_up)
        runner.run(1000, 20, used)
        together = runner.run(0, 20, used)
        alone = [runner.run(deal, 1, make_scratch(variant.game, line_up)) for deal in range(20)]
        assert digest(together) == digest(
            Batch(*(np.concatenate([batch[column] for batch in alone]) for column in (0, 1)))
        )


def test_an_impossible_player_count_is_refused():

    with pytest.raises(NotPlayable, match="tic-tac-toe cannot be played: it is for 2 players, not 3"):
        play_batch(make_variant(tic_tac_toe.GAME), "random", 3, 1)


def test_the_shares_of_a_batch_are_those_of_its_agents_not_of_its_seats(tmp_path):
    """The stored rows name the agent of every seat: they are counted there."""
    batch = play_batch(MAGPIES, "greedy,random,random", 3, 60, seed=5)
    shares = batch.shares()
    simulate(
        "magpies",
        db=tmp_path / "m.duckdb",
        players="3",
        agents=["greedy,random,random"],
        matches=180,
        seed=5,
    )
    stored = query(
        tmp_path / "m.duckdb", "SELECT agent, avg(win_share) AS share FROM results GROUP BY ALL"
    ).to_pylist()
    assert {name: share.mean for name, share in shares.items()} == pytest.approx(
        {row["agent"]: row["share"] for row in stored}
    )
    assert shares["greedy"].mean + 2 * shares["random"].mean == pytest.approx(1)
    assert shares["greedy"].low > 1 / 3 > shares["random"].high
    assert shares["greedy"].deals == 60
    assert batch.agents.shape == batch.seats.shape
    assert (
        batch.agents[:3]
        == [["greedy", "random", "random"], ["random", "greedy", "random"], ["random", "random", "greedy"]]
    ).all()


@pytest.mark.parametrize("deals", [1, 9, 30])
def test_one_agent_in_all_seats_has_an_equal_share_by_construction_whatever_the_number_of_deals(deals):
    batch = play_batch(MAGPIES, "random", 3, deals)
    assert batch.shares() == {"random": (1 / 3, 1 / 3, 1 / 3, deals)}
    assert "<td>random</td><td>33.3% (an equal share: no other agent plays)</td>" in batch._repr_html_()
    two = play_batch(MAGPIES, "random,greedy", 2, 3)
    assert two.shares()["random"].low < two.shares()["random"].high


def test_equal_agents_have_an_equal_share():
    shares = play_batch(MAGPIES, "random", 4, 100).shares()
    assert shares == {"random": pytest.approx((0.25, 0.25, 0.25, 100))}
