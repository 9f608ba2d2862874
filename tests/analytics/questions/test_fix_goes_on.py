"""A search for a fix that is stopped, or whose first finalists fail, goes on; what is stored says so."""

import numpy as np
import pytest

from analytics.questions.fix.conclusions import conclude_fix
from analytics.questions.fix.fix import FINALISTS, SearchInterrupted, find_fix
from analytics.questions.fix.results import load_fixes
from analytics.questions.fix.score import interpolate_medians
from analytics.questions.fix.search import Search
from analytics.questions.goals.judge import UNKNOWN
from boardgames import make_plan, run_plan

PLANTED = "tests.support.planted:GAME"
HEAD_START = "tests.support.head_start:GAME"
QUICK = {"agents": "random", "stronger": "none", "players": "2"}


@pytest.mark.long
def test_a_search_that_was_stopped_before_the_pairs_does_not_say_that_nothing_helps(tmp_path, monkeypatch):
    """In this game only a pair helps."""
    search_level = Search.search_level

    def stop_at_pairs(search, level, clock):
        if len(level[0]) == 2:
            raise KeyboardInterrupt
        search_level(search, level, clock)

    monkeypatch.setattr(Search, "search_level", stop_at_pairs)
    db = tmp_path / "f.duckdb"
    with pytest.raises(SearchInterrupted) as stopped:
        find_fix(PLANTED, db=db, fair_seats=True, change=["a", "b"], matches=4096, **QUICK)
    (stored,) = load_fixes(db)
    assert stopped.value.fix.tried == stored.tried == 8
    assert stored.verdict == stopped.value.fix.verdict == UNKNOWN
    assert "at once" not in next(conclude_fix(stored))  # no pair was tried


@pytest.mark.long
def test_where_the_first_finalists_are_no_fix_the_next_ones_play_again(tmp_path):
    """All changes win 53.1%, and 53.0% would do: by luck many look as if they did it."""
    options = {"fair_seats": True, "change": ["a", "b"], "at_most": 1, "matches": 2048, **QUICK}
    fix = find_fix(f"{PLANTED}+plant=nothing", db=tmp_path / "f.duckdb", seed=3, **options)
    tried = [candidate for candidate in fix.candidates if candidate.trial]
    assert len(tried) > FINALISTS
    assert not fix.fixes


@pytest.mark.long
def test_after_a_stop_on_fresh_deals_the_answer_is_that_of_an_unbroken_search(tmp_path):
    """The deals that a stopped wave leaves behind are no reason to look at another number of deals."""
    options = {"fair_seats": True, "change": ["head_start=0..1"], "matches": 16_000, **QUICK}
    unbroken = find_fix(HEAD_START, db=tmp_path / "unbroken.duckdb", **options)
    best = unbroken.fixes[0]
    assert best.trial.checks[0].matches > 5000
    db = tmp_path / "stopped.duckdb"
    spec = best.variant.replace("head-start", HEAD_START)
    plan = make_plan([spec], players="2", agents="random", matches=5000, seed=unbroken.fresh_seed)
    run_plan(plan, db)
    assert find_fix(HEAD_START, db=db, **options).candidates == unbroken.candidates


@pytest.mark.long
def test_a_goal_about_a_median_is_not_missed_clearly_by_a_turn_that_may_be_luck(tmp_path):
    options = {"goal": "median length at most 31", "change": "target=70..90", "matches": 512, **QUICK}
    fix = find_fix("pig", db=tmp_path / "f.duckdb", **options)
    for candidate in fix.candidates:
        assert candidate.shortfall.low < candidate.shortfall.mean < candidate.shortfall.high


def test_a_median_is_within_a_range_just_where_the_interpolated_one_is_half_a_unit_further():
    values = np.array([3, 4, 6, 7, 12])
    counts = np.random.default_rng(4).integers(0, 4, (500, 5))
    counts = counts[counts.sum(axis=1) % 2 == 1]  # then one match is in the middle
    for row, median in zip(counts, interpolate_medians(values, counts), strict=True):
        plain = np.median(np.repeat(values, row))
        for end in range(2, 14):
            assert (median <= end + 0.5) == (plain <= end)
            assert (median >= end - 0.5) == (plain >= end)
