"""The fix finder where there are too many changes to try them all: what it tries, and what it says then."""

import math
from fractions import Fraction

import pytest

from analytics.playing import Driver, RunOptions
from analytics.questions.fix.clock import Clock
from analytics.questions.fix.conclusions import conclude_fix, title_costs
from analytics.questions.fix.confirm import BASELINE_DEALS
from analytics.questions.fix.fix import find_fix
from analytics.questions.fix.goals import read_wishes
from analytics.questions.fix.question import Question
from analytics.questions.fix.search import LEARNING_BATCH, MOST_TRIALS, Search, _Race
from analytics.questions.fix.space import make_space
from analytics.questions.goals.judge import FAIL, PASS, UNKNOWN
from boardgames import find_variant, query
from tests.truth.raffle import TICKETS, WORTH

RAFFLE = "tests.truth.raffle:GAME"
QUICK = {"agents": "random", "stronger": "none", "players": "4"}
CHANGES = 6**4 - 1  # four seats with 0 to 5 tokens each, without one token each
LEVEL = [("tokens",)]


@pytest.fixture(scope="module")
def hopeless(tmp_path_factory):
    """The answer to a goal that no change reaches."""
    db = tmp_path_factory.mktemp("fix") / "hopeless.duckdb"
    return find_fix(RAFFLE, db=db, goal="seat share 1 at least 90%", matches=4096, **QUICK)


def make_race(db, goal, matches) -> _Race:
    variant = find_variant(RAFFLE)
    wishes = read_wishes(None, [goal])
    space = make_space(variant, [4])
    question = Question(space=space, wishes=wishes, agent="random", stronger="", seed=1, at_most=1)
    return _Race(Search(question, Driver(options=RunOptions(db=db)), matches), LEVEL)


def test_a_whole_list_may_move_up_or_down_from_any_change():
    """0/1/2/2 and 1/2/3/3 favour the same seats, but with more tokens that weighs less."""
    space = make_space(find_variant(RAFFLE), [4])
    point = {"tokens 1": 0, "tokens 2": 1, "tokens 3": 2, "tokens 4": 2}
    names = {space.make_change(near).name for near in space.list_slopes("tokens", point)}
    assert "raffle+tokens=1/2/3/3" in names
    assert "raffle+tokens=0/1/3/3" in names
    higher = {key: index + 1 for key, index in point.items()}
    assert point in list(space.list_slopes("tokens", higher))


@pytest.mark.long
def test_while_the_best_change_stays_the_steps_around_the_next_one_are_tried_too(tmp_path):
    race = make_race(tmp_path / "f.duckdb", "seat share within 3 pp of fair", 256)
    for _ in range(4):
        race.run_batch(Clock(math.inf))
    before = sorted(race.entered, key=lambda c: c.score.shortfall)[:2]
    race.run_batch(Clock(math.inf))
    assert sorted(race.entered, key=lambda c: c.score.shortfall)[:2] == before
    for contestant in before:
        for near in race.search.space.list_neighbours(contestant.change.point):
            assert str(sorted(near.items())) in race.asked


@pytest.mark.long
def test_only_the_best_quarter_of_a_batch_plays_on(tmp_path):
    race = make_race(tmp_path / "f.duckdb", "seat share within 3 pp of fair", 1024)
    race.run_batch(Clock(math.inf))
    ranked = sorted(race.entered, key=lambda c: c.scores[256].shortfall)
    on = {contestant.change.name for contestant in race.entered if 1024 in contestant.scores}
    assert 0 < len(on) <= LEARNING_BATCH / 4
    assert on <= {contestant.change.name for contestant in ranked[: LEARNING_BATCH // 4]}


@pytest.mark.long
def test_only_changes_that_play_for_the_first_time_use_up_trials(hopeless):
    assert hopeless.tried == MOST_TRIALS


@pytest.mark.long
def test_where_a_repeat_would_try_no_others_it_says_what_to_type_instead(hopeless):
    assert hopeless.verdict == UNKNOWN
    (trial,) = [candidate.trial for candidate in hopeless.candidates if candidate.trial]
    assert trial.verdict == FAIL
    first = next(conclude_fix(hopeless))
    assert first.startswith(
        f"No fix yet: {MOST_TRIALS} of {CHANGES:,} changes were tried, to tokens. The same "
    )
    assert "--change" in first
    assert "More matches" not in first


@pytest.mark.long
def test_what_was_told_without_fresh_deals_says_so(hopeless):
    (played,) = [candidate for candidate in hopeless.candidates if candidate.trial]
    others = [candidate for candidate in hopeless.candidates if not candidate.trial]
    assert "on the deals of the search" in title_costs(others[0])
    assert "search" not in title_costs(played)


@pytest.fixture(scope="module")
def fair(tmp_path_factory):
    """The answer to fair seats, confirmed by another agent."""
    db = tmp_path_factory.mktemp("fix") / "fair.duckdb"
    return find_fix(RAFFLE, db=db, fair_seats=True, matches=60_000, **{**QUICK, "stronger": "greedy"}), db


@pytest.mark.long
def test_of_many_changes_it_finds_one_that_is_fair(fair):
    """About 1% of them are, and the one nearest to the rules as they are is at the edge."""
    fix, _ = fair
    assert fix.verdict == PASS
    assert f"A smaller change may reach the goals, too: {fix.tried} of {CHANGES:,}" in " ".join(
        conclude_fix(fix)
    )
    tokens = [int(number) for number in fix.fixes[0].variant.partition("=")[2].split("/")]
    tickets = [own + WORTH * number for own, number in zip(TICKETS, tokens, strict=True)]
    assert all(abs(Fraction(own, sum(tickets)) - Fraction(1, 4)) < Fraction(3, 100) for own in tickets)


@pytest.mark.long
def test_the_baseline_plays_fresh_deals_only_as_far_as_it_is_told_of(fair):
    """The time is better spent on the change. A stronger agent is not asked what else moves."""
    fix, db = fair
    best = fix.fixes[0]
    played = f"""SELECT line_up, sum(deals) AS deals FROM batch JOIN cell ON cell.id = cell_id
        JOIN variant ON variant.id = variant_id
        WHERE cell.seed = {fix.fresh_seed} AND variant.name = 'raffle' GROUP BY ALL"""
    rows = query(db, played).to_pylist()
    assert [row["deals"] for row in rows] == [BASELINE_DEALS]
    assert best.trial.checks[0].matches > BASELINE_DEALS == best.trial.contrasts[0].matches
    assert best.trial.agent_verdict == PASS
    seats = [line for line in best.trial.contrasts[0].main_lines if line.metric == "seat_win_share"]
    assert seats
    for line in seats:  # on the deals that both played
        assert line.b.mean - line.a.mean == pytest.approx(line.difference.mean)


def test_any_seed_that_matches_can_have_is_one_of_a_search(tmp_path):
    asked = {**QUICK, "change": "tokens=1..2", "matches": 64}
    fix = find_fix(
        RAFFLE, db=tmp_path / "f.duckdb", goal="seat share 1 at least 90%", seed=2**62 - 1, **asked
    )
    assert fix.candidates
