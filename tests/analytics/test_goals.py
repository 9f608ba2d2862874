"""Goals are read with their mistakes told by file, line and field; profiles make player counts comparable."""

import pytest

from analytics.goals import Goal, read_goals
from analytics.profile import profile
from boardgames import BadInput, simulate
from boardgames.experiment import make_plan

GOOD = """
[[goal]]
metric = "seat_win_share"
players = "3-4"
low = 23
high = 27

[[goal]]
metric = "length"
high = 60
"""


def test_goals_are_read(tmp_path):
    (tmp_path / "goals.toml").write_text(GOOD)
    assert read_goals(tmp_path / "goals.toml") == [
        Goal("seat_win_share", 0.23, 0.27, "", (3, 4)),
        Goal("length", float("-inf"), 60.0),
    ]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (
            '"seat_win_share"',
            '"seat_win_shares"',
            "goals.toml, line 3, metric: no metric 'seat_win_shares'; did you mean",
        ),
        ("low = 23", "low = 33", "line 5, low: 33 is above high, 27: nothing can lie there"),
        ("high = 60", 'high = "long"', "line 10, high: 'long' is no number"),
        ("high = 60", "most = 60", "line 10, most: no field 'most'"),
        ("low = 23\nhigh = 27", "low = 123", "line 5, low: a share lies between 0 and 100 %"),
        ("high = 60", "", "line 9, metric: a goal has a field low or high"),
        ('players = "3-4"', 'players = "three"', "line 4, players: players 'three'"),
        ("[[goal]]", "[[goals]]", "it holds tables"),
    ],
)
def test_a_mistake_in_goals_is_told_with_its_place(tmp_path, old, new, told):
    (tmp_path / "goals.toml").write_text(GOOD.replace(old, new))
    with pytest.raises(BadInput) as error:
        read_goals(tmp_path / "goals.toml")
    assert told in str(error.value)


def test_a_profile_makes_player_counts_comparable(tmp_path):
    """In the first six, seat 1 has 6/11 of the wins of two, 36/91 of three: 1.09 and 1.19 of a fair share."""
    plan = make_plan(["tests.truth.first_six:GAME"], "2,3,5", ["random"], 2048, seed=3)
    simulate(plan, tmp_path / "six.duckdb")
    found = profile(tmp_path / "six.duckdb", {cell.players: cell.id for cell in plan.cells})
    (first,) = [one for one in found if (one.metric, one.part) == ("seat_win_share", "1")]
    assert first.players == (2, 3, 5)
    for estimate, truth in zip(first.estimates, (12 / 11, 108 / 91, 5 * 1296 / 4651), strict=True):
        assert abs(estimate.mean - truth) < 2 * (estimate.high - estimate.mean)
    assert first.p < 0.001
    assert first.heterogeneity > 0.5
    (forced,) = [one for one in found if one.metric == "forced_share"]
    assert [one.mean for one in forced.estimates] == [1, 1, 1]
    (length,) = [one for one in found if one.metric == "length"]
    assert length.scale == "turns of each player"
    assert length.estimates[0].mean == pytest.approx(3, abs=0.2)
