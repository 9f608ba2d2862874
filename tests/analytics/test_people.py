"""Agents beside people: intervals that hold for clubs whose truth is known, and `people` on results
made to order.
"""

import json
import random

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

from analytics.questions.people import _estimate_difference, compare_people, measure_distance
from analytics.stats.clustered import Clusters
from analytics.stats.intervals import Estimate
from boardgames import (
    InvalidInput,
    Match,
    find_agent,
    find_variant,
    keep_match,
    play_batch,
    query,
    simulate,
)
from boardgames.cli import app
from boardgames.people.import_csv import import_results
from boardgames.plan.plan import make_plan
from boardgames.plan.played import PlayedDeals
from boardgames.store.connection import get_connection, open_for_writing
from boardgames.store.recorded_matches import make_person
from boardgames.store.write import register_run, store_played

TOSSES, DEALS = 20, 200
COINS = f"tests.truth.coin_race:GAME+steps={TOSSES}"
PEOPLE = ["Anna", "Ben", "Clara", "David", "Eva", "Finn", "Greta", "Hans", "Ida", "Jan"]


def make_club(
    chance: np.random.Generator, evenings: int, people: int, each: int
) -> tuple[np.ndarray, Clusters]:
    """Results of a club whose true mean is 0: every evening and every person has a leaning of its own, as
    large as luck.
    """
    mood, skill = chance.normal(size=evenings), chance.normal(size=people)
    days = np.repeat(np.arange(evenings), each)
    players = chance.integers(people, size=len(days))
    values = mood[days] + skill[players] + chance.normal(size=len(days))
    return values, Clusters(days.tolist(), [[int(player)] for player in players])


def test_intervals_over_evenings_and_people_hold_the_truth_where_plain_ones_do_not():
    chance, ours, plain = np.random.default_rng(2026), 0, 0
    for _ in range(150):
        values, clusters = make_club(chance, 20, 20, 6)
        estimate = clusters.estimate_mean(values)
        ours += estimate.low <= 0 <= estimate.high
        plain += abs(values.mean()) <= 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    assert 0.9 <= ours / 150 <= 0.99
    assert plain / 150 < 0.75


def test_where_nobody_and_no_evening_is_special_the_interval_is_the_ordinary_one():
    chance = np.random.default_rng(7)
    values = chance.normal(size=400)
    estimate = Clusters(list(range(400)), [[player] for player in range(400)]).estimate_mean(values)
    assert estimate.high - estimate.mean == pytest.approx(1.966 * values.std(ddof=1) / 20, rel=0.01)


def test_a_match_of_several_people_depends_on_every_match_that_shares_one_of_them():
    shared = Clusters([1, 2, 3, 4], [["a", "b"], ["b", "c"], ["d", "e"], ["f", "g"]])
    apart = Clusters([1, 2, 3, 4], [["a", "b"], ["h", "c"], ["d", "e"], ["f", "g"]])
    values = np.array([1.0, 1.0, -1.0, -1.0])
    assert shared.compute_error(values) ** 2 / (4 / 3) == pytest.approx(6 / 16)
    assert apart.compute_error(values) ** 2 / (4 / 3) == pytest.approx(4 / 16)


def test_the_error_of_the_agents_counts_as_what_it_is():
    """People who are known exactly leave the agents' standard error alone, with few evenings' multiplier."""
    clusters = Clusters(list(range(6)), [[player] for player in range(6)])
    half_width = stats.t.ppf(0.975, 29) * 0.5
    agents = Estimate(5.0, 5 - half_width, 5 + half_width, 30)
    difference = _estimate_difference(Estimate(4.0, 4.0, 4.0, 6), agents, clusters)
    assert difference.mean == 1
    assert difference.high - 1 == pytest.approx(stats.t.ppf(0.975, 5) * 0.5)


def test_one_evening_or_one_person_gives_no_interval():
    assert np.isnan(Clusters([1, 1], [["a"], ["b"]]).estimate_mean(np.array([1.0, 2.0])).low)
    assert np.isnan(Clusters([1, 2], [["a"], ["a"]]).estimate_mean(np.array([1.0, 2.0])).low)
    assert np.isnan(Clusters([1, 2], [["a"], ["b"]]).estimate_mean(np.array([2.0, 2.0])).low)


def test_the_distance_of_two_distributions_is_what_has_to_be_moved():
    clusters = Clusters(list(range(4)), [[player] for player in range(4)])
    apart, chance = measure_distance(
        np.array([3.0, 4.0, 5.0, 6.0]), clusters, np.array([0.0, 1.0, 2.0, 3.0]), np.ones(4)
    )
    assert apart.mean == pytest.approx(3.0)
    same, _ = measure_distance(
        np.array([0.0, 1.0, 2.0, 3.0]), clusters, np.array([0.0, 1.0, 2.0, 3.0]), np.ones(4)
    )
    assert same.mean == 0
    assert 0 < chance < apart.mean


def test_chance_alone_shows_the_distance_that_is_foretold():
    """Samples of the agents' own distribution, of independent people: their mean distance is the mean of what
    is foretold.
    """
    draws, points = np.random.default_rng(3), np.arange(10.0)
    distances = [
        measure_distance(
            draws.integers(10, size=80).astype(float),
            Clusters(list(range(80)), [[player] for player in range(80)]),
            points,
            np.ones(10),
        )
        for _ in range(30)
    ]
    assert np.mean([chance for _, chance in distances]) == pytest.approx(
        np.mean([apart.mean for apart, _ in distances]), rel=0.15
    )


# ---- a whole club, from its file to the answer


def evening(number: int) -> str:
    """Return the day of the n-th match: five are played each day."""
    return f"2026-{1 + number // 5 // 28:02d}-{1 + number // 5 % 28:02d}"


def write_results(path, matches: int, shift: int) -> None:
    """Coin races as people might have played them: `shift` more heads for everybody than tosses can give."""
    chance = random.Random(11)
    lines = ["date,variant,names,scores,rounds"]
    for number in range(matches):
        first, second = chance.sample(PEOPLE, 2)
        heads = sum(chance.random() < 0.5 for _ in range(TOSSES))
        scores = [max(0, min(TOSSES, points + shift)) for points in (heads, TOSSES - heads)]
        rounds = TOSSES + chance.randrange(-1, 2)
        lines.append(f"{evening(number)},{COINS},{first}/{second},{scores[0]}/{scores[1]},{rounds}")
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A file with coin races by `random`, played plainly, so that nothing has to be compiled."""
    db = tmp_path_factory.mktemp("people") / "coins.duckdb"
    plan = make_plan([COINS], "2", ["random"], DEALS)
    register_run(plan, db, "")
    batch = play_batch(find_variant(COINS), "random", 2, DEALS, compiled=False)
    store_played(db, [PlayedDeals(plan.cells[0], 0, DEALS, batch, 1.0)])
    return db


def compare_with_people(table, tmp_path, shift: int):
    db = tmp_path / "club.duckdb"
    db.write_bytes(table.read_bytes())
    write_results(tmp_path / "results.csv", 150, shift)
    import_results(tmp_path / "results.csv", db)
    (comparison,) = compare_people(COINS, db=db, agents=["random"], matches=DEALS)
    return db, comparison, {line.quantity: line for line in comparison.lines}


@pytest.mark.long
def test_people_who_play_like_the_agents_are_found_to(table, tmp_path):
    _, comparison, lines = compare_with_people(table, tmp_path, 0)
    assert (comparison.matches, comparison.people, comparison.evenings, comparison.agent_matches) == (
        150,
        10,
        30,
        DEALS,
    )
    for line in lines.values():
        assert line.difference.low <= 0 <= line.difference.high
        assert "no difference is seen" in line.sentence
    assert lines["winning_margin"].distance.mean < 2.5 * lines["winning_margin"].chance


def test_a_file_of_an_older_version_that_lost_its_sums_is_compared_all_the_same(table, tmp_path):
    old = tmp_path / "old.duckdb"
    old.write_bytes(table.read_bytes())
    with open_for_writing(old) as session:
        get_connection(session).execute("DELETE FROM slice")
    _, comparison, lines = compare_with_people(old, tmp_path, 0)
    assert comparison.agent_matches == DEALS
    people, agents, difference = lines["score"].people, lines["score"].agents, lines["score"].difference
    error = (agents.high - agents.mean) / stats.t.ppf(0.975, DEALS - 1)
    assert difference.high - difference.mean == pytest.approx(
        np.hypot(people.high - people.mean, stats.t.ppf(0.975, 9) * error)
    )


def test_people_who_score_four_more_are_found_to_and_the_command_says_it(table, tmp_path):
    db, _, lines = compare_with_people(table, tmp_path, 4)
    score = lines["score"]
    assert score.difference.low < -4 < score.difference.high < -3
    assert score.distance.low > score.chance
    assert score.distance.mean == pytest.approx(4, abs=0.6)
    assert lines["winning_margin"].difference.low < 0 < lines["winning_margin"].difference.high
    command = ["people", COINS, "--agents", "random", "--matches", str(DEALS), "--db", str(db)]
    shown = CliRunner().invoke(app, command)
    assert (
        "150 matches of 10 people among themselves, on 30 evenings; 200 matches of random against itself"
        in shown.stdout
    )
    assert "less than people" in shown.stdout
    (report,) = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    assert report["lines"][0]["difference"]["high"] < -3


def test_a_winning_margin_of_few_evenings_is_not_below_0(table, tmp_path):
    """Three evenings with margins of 0, 2 and 20 points: Student's interval alone goes below 0."""
    db = tmp_path / "few.duckdb"
    db.write_bytes(table.read_bytes())
    lines = ["date,variant,names,scores,rounds"]
    for day, (first, second) in enumerate([(10, 10), (11, 9), (20, 0)], 1):
        lines.append(f"2026-10-{day:02d},{COINS},{PEOPLE[2 * day]}/{PEOPLE[2 * day + 1]},{first}/{second},20")
    (tmp_path / "few.csv").write_text("\n".join(lines) + "\n")
    import_results(tmp_path / "few.csv", db)
    (comparison,) = compare_people(COINS, db=db, agents=["random"], matches=DEALS)
    (margin,) = [line.people for line in comparison.lines if line.quantity == "winning_margin"]
    assert margin.low == 0 < margin.mean < margin.high


def test_matches_against_agents_are_reported_apart_with_how_often_people_win(table, tmp_path):
    db, _, _ = compare_with_people(table, tmp_path, 0)
    for deal in range(2):
        match = Match(find_variant(COINS), 2, deal=1000 + deal).finish("random")
        keep_match(match, [make_person(f"P{deal % 2}"), find_agent("random")], db)
    among, against = compare_people(COINS, db=db, agents=["random"], matches=DEALS)
    assert (among.against, among.matches, against.against, against.matches, against.people) == (
        "",
        150,
        "random",
        2,
        2,
    )
    assert [line.quantity for line in against.lines] == ["score", "rounds", "win share"]
    assert "no interval" in against.lines[-1].sentence  # all on one evening


def test_rounds_of_people_and_agents_are_turns_divided_by_players(tmp_path):
    """As in what is said of a match's length; a last round that not everyone finished is no whole one."""
    db, variant = tmp_path / "rounds.duckdb", find_variant("pig+target=20")
    simulate("pig+target=20", db=db, players="2", agents=["random"], matches=64)
    turns = []
    for number in range(4):
        match = Match(variant, 2, deal=1000 + number).finish("random")
        keep_match(match, [make_person(f"P{number}"), find_agent("random")], db)
        turns.append(int(match.state.turn))
    assert any(count % 2 for count in turns)
    (comparison,) = compare_people("pig+target=20", db=db, agents=["random"], matches=64)
    (rounds,) = [line for line in comparison.lines if line.quantity == "rounds"]
    ((mean,),) = (
        query(db, "SELECT avg(turns) / 2 AS n FROM matches WHERE line_up = 'random'").to_pandas().values
    )
    assert rounds.agents.mean == pytest.approx(mean)
    assert rounds.people.mean == pytest.approx(np.mean(turns) / 2)


def test_without_people_the_command_says_what_there_is(table):
    with pytest.raises(InvalidInput, match=r"no matches of people in coin-race\+steps=20; there is: none"):
        compare_people(COINS, db=table)


def test_who_wins_in_which_seat_is_compared_where_the_scores_tell_it(table, tmp_path):
    """The starting player of this club wins 3 of 4 matches with one best score; agents have no such seat."""
    db = tmp_path / "club.duckdb"
    db.write_bytes(table.read_bytes())
    chance = random.Random(5)
    scores = ["12/8", "12/8", "8/12", "12/8", "10/10"]
    lines = [f"{evening(n)},{COINS},{'/'.join(chance.sample(PEOPLE, 2))},{scores[n % 5]}" for n in range(400)]
    (tmp_path / "results.csv").write_text("\n".join(["date,variant,names,scores", *lines]))
    import_results(tmp_path / "results.csv", db)
    (comparison,) = compare_people(COINS, db=db, agents=["random"], matches=DEALS)
    seats = {line.quantity: line for line in comparison.lines if line.quantity.startswith("wins of seat")}
    assert list(seats) == ["wins of seat 1", "wins of seat 2"]
    assert [line.people.mean for line in seats.values()] == [0.75, 0.25]
    assert {line.results for line in seats.values()} == {320}  # 80 matches had two best scores
    wins = play_batch(find_variant(COINS), "random", 2, DEALS, compiled=False)
    best = wins.seats["score"].reshape(DEALS, 2)
    decided = best[best[:, 0] != best[:, 1]]
    assert seats["wins of seat 1"].agents.mean == pytest.approx((decided[:, 0] > decided[:, 1]).mean())
    assert seats["wins of seat 1"].sentence.startswith("random has")
    assert seats["wins of seat 1"].sentence.endswith("pp less than people")
    first, second = (line.difference for line in seats.values())
    assert (first.low, first.high) == pytest.approx((-second.high, -second.low), abs=0.002)
