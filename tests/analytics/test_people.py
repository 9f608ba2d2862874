"""Agents beside people: intervals that hold for clubs whose truth is known, and `compare --people` on results made to order."""

import json
import random

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

from analytics.questions.people import compare_people, distance
from analytics.stats.clustered import Clusters
from boardgames import BadInput, Match, find_agent, find_variant, keep_match, play_batch
from boardgames.cli import app
from boardgames.experiment.plan import Played, make_plan
from boardgames.people.import_csv import import_results
from boardgames.store.connection import connection, writing
from boardgames.store.recorded_matches import person
from boardgames.store.rows import describe, store_played

TOSSES, BLOCKS = 20, 200
COINS = f"tests.truth.coin_race:GAME+steps={TOSSES}"
PEOPLE = ["Anna", "Ben", "Clara", "David", "Eva", "Finn", "Greta", "Hans", "Ida", "Jan"]


def club(chance: np.random.Generator, evenings: int, people: int, each: int) -> tuple[np.ndarray, Clusters]:
    """Results of a club whose true mean is 0: every evening and every person has a leaning of its own, as large as luck."""
    mood, skill = chance.normal(size=evenings), chance.normal(size=people)
    days = np.repeat(np.arange(evenings), each)
    who = chance.integers(people, size=len(days))
    values = mood[days] + skill[who] + chance.normal(size=len(days))
    return values, Clusters(days.tolist(), [[int(one)] for one in who])


def test_intervals_over_evenings_and_people_hold_the_truth_where_plain_ones_do_not():
    chance, ours, plain = np.random.default_rng(2026), 0, 0
    for _ in range(150):
        values, clusters = club(chance, 20, 20, 6)
        found = clusters.mean(values)
        ours += found.low <= 0 <= found.high
        plain += abs(values.mean()) <= 1.96 * values.std(ddof=1) / np.sqrt(len(values))
    assert 0.9 <= ours / 150 <= 0.99
    assert plain / 150 < 0.75


def test_where_nobody_and_no_evening_is_special_the_interval_is_the_ordinary_one():
    chance = np.random.default_rng(7)
    values = chance.normal(size=400)
    found = Clusters(list(range(400)), [[one] for one in range(400)]).mean(values)
    assert found.high - found.mean == pytest.approx(1.966 * values.std(ddof=1) / 20, rel=0.01)


def test_a_match_of_several_people_depends_on_every_match_that_shares_one_of_them():
    shared = Clusters([1, 2, 3, 4], [["a", "b"], ["b", "c"], ["d", "e"], ["f", "g"]])
    apart = Clusters([1, 2, 3, 4], [["a", "b"], ["h", "c"], ["d", "e"], ["f", "g"]])
    values = np.array([1.0, 1.0, -1.0, -1.0])
    assert shared.error(values) ** 2 / (4 / 3) == pytest.approx(6 / 16)
    assert apart.error(values) ** 2 / (4 / 3) == pytest.approx(4 / 16)


def test_one_evening_or_one_person_gives_no_interval():
    assert np.isnan(Clusters([1, 1], [["a"], ["b"]]).mean(np.array([1.0, 2.0])).low)
    assert np.isnan(Clusters([1, 2], [["a"], ["a"]]).mean(np.array([1.0, 2.0])).low)
    assert np.isnan(Clusters([1, 2], [["a"], ["b"]]).mean(np.array([2.0, 2.0])).low)


def test_the_distance_of_two_distributions_is_what_has_to_be_moved():
    clusters = Clusters(list(range(4)), [[one] for one in range(4)])
    apart, chance = distance(np.array([3.0, 4.0, 5.0, 6.0]), clusters, np.array([0.0, 1.0, 2.0, 3.0]), np.ones(4))
    assert apart.mean == pytest.approx(3.0)
    same, _ = distance(np.array([0.0, 1.0, 2.0, 3.0]), clusters, np.array([0.0, 1.0, 2.0, 3.0]), np.ones(4))
    assert same.mean == 0
    assert 0 < chance < apart.mean


def test_chance_alone_shows_the_distance_that_is_foretold():
    """Samples of the agents' own distribution, of independent people: their mean distance is the mean of what is foretold."""
    draws, points = np.random.default_rng(3), np.arange(10.0)
    found = [
        distance(
            draws.integers(10, size=80).astype(float), Clusters(list(range(80)), [[one] for one in range(80)]), points, np.ones(10)
        )
        for _ in range(30)
    ]
    assert np.mean([chance for _, chance in found]) == pytest.approx(np.mean([apart.mean for apart, _ in found]), rel=0.15)


# ---- a whole club, from its file to the answer


def write_results(path, matches: int, shift: int) -> None:
    """Coin races as people might have played them: `shift` more heads for everybody than tosses can give."""
    chance = random.Random(11)
    lines = ["date,variant,names,scores,rounds"]
    for number in range(matches):
        first, second = chance.sample(PEOPLE, 2)
        heads = sum(chance.random() < 0.5 for _ in range(TOSSES))
        scores = [max(0, min(TOSSES, points + shift)) for points in (heads, TOSSES - heads)]
        evening = f"2026-{1 + number // 5 // 28:02d}-{1 + number // 5 % 28:02d}"
        lines.append(f"{evening},{COINS},{first}/{second},{scores[0]}/{scores[1]},{TOSSES + chance.randrange(-1, 2)}")
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A file with coin races by `random`, played plainly, so that nothing has to be compiled."""
    file = tmp_path_factory.mktemp("people") / "coins.duckdb"
    plan = make_plan([COINS], "2", ["random"], BLOCKS)
    describe(plan, file, "")
    batch = play_batch(find_variant(COINS), "random", 2, BLOCKS, plain=True)
    store_played(file, [Played(plan.cells[0], 0, BLOCKS, batch, 1.0)])
    return file


def beside(table, tmp_path, shift: int):
    file = tmp_path / "club.duckdb"
    file.write_bytes(table.read_bytes())
    write_results(tmp_path / "results.csv", 150, shift)
    import_results(tmp_path / "results.csv", file)
    (found,) = compare_people([COINS], file, agents=["random"], blocks=BLOCKS)
    return file, found, {line.quantity: line for line in found.lines}


def test_people_who_play_like_the_agents_are_told_so(table, tmp_path):
    _, found, lines = beside(table, tmp_path, 0)
    assert (found.matches, found.people, found.evenings, found.agent_matches) == (150, 10, 30, BLOCKS)
    for line in lines.values():
        assert line.difference.low <= 0 <= line.difference.high
        assert "no difference is seen" in line.sentence
    assert lines["margin"].distance.mean < 2.5 * lines["margin"].chance


def test_a_file_of_an_older_version_that_lost_its_sums_is_compared_all_the_same(table, tmp_path):
    old = tmp_path / "old.duckdb"
    old.write_bytes(table.read_bytes())
    with writing(old) as session:
        connection(session).execute("DELETE FROM slice")
    _, found, lines = beside(old, tmp_path, 0)
    assert found.agent_matches == BLOCKS
    people, agents, difference = lines["score"].people, lines["score"].agents, lines["score"].difference
    error = (agents.high - agents.mean) / stats.t.ppf(0.975, BLOCKS - 1)
    assert difference.high - difference.mean == pytest.approx(np.hypot(people.high - people.mean, stats.t.ppf(0.975, 9) * error))


def test_people_who_score_four_more_are_found_to_and_the_command_says_it(table, tmp_path):
    file, _, lines = beside(table, tmp_path, 4)
    score = lines["score"]
    assert score.difference.low < -4 < score.difference.high < -3
    assert score.distance.low > score.chance
    assert score.distance.mean == pytest.approx(4, abs=0.6)
    assert lines["margin"].difference.low < 0 < lines["margin"].difference.high
    command = ["compare", COINS, "--people", "--agents", "random", "--blocks", str(BLOCKS), "--into", str(file)]
    shown = CliRunner().invoke(app, command)
    assert "150 matches of 10 people among themselves, on 30 evenings; 200 matches of random against itself" in shown.stdout
    assert "less than people" in shown.stdout
    (told,) = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    assert told["lines"][0]["difference"]["high"] < -3


def test_matches_against_agents_are_told_apart_with_how_often_people_win(table, tmp_path):
    file, _, _ = beside(table, tmp_path, 0)
    for block in range(2):
        match = Match(find_variant(COINS), 2, block=1000 + block).finish("random")
        keep_match(match, [person(f"P{block % 2}"), find_agent("random")], file)
    among, against = compare_people([COINS], file, agents=["random"], blocks=BLOCKS)
    assert (among.against, among.matches, against.against, against.matches, against.people) == ("", 150, "random", 2, 2)
    assert [line.quantity for line in against.lines] == ["score", "rounds", "win share"]
    assert "no interval" in against.lines[-1].sentence  # all on one evening


def test_without_people_the_command_says_what_there_is(table):
    with pytest.raises(BadInput, match=r"no matches of people in coin-race\+steps=20; there is: none"):
        compare_people([COINS], table)
