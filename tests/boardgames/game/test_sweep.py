"""Sweeps: how they are written, and which variants they stand for."""

import pytest

from boardgames import InvalidInput
from boardgames.game.grid import expand_grid, read_sweep
from boardgames.plan.file import format_plan, read_plan
from boardgames.plan.plan import make_plan

MAGPIES = "magpies"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("hand_size=4..7", ["4", "5", "6", "7"]),
        ("target=50..100..25", ["50", "75", "100"]),
        ("board=default,L1,L4", ["default", "L1", "L4"]),
        ("lean=-2..0,5", ["-2", "-1", "0", "5"]),
        ("worth=1/2/3,3/2/1", ["1/2/3", "3/2/1"]),
    ],
)
def test_values_are_written_as_ranges_steps_and_lists(text, values):
    assert read_sweep(text) == (text.split("=")[0], values)


@pytest.mark.parametrize(
    ("sweeps", "message"),
    [
        (["hand_size"], "sweep 'hand_size': write hand_size=4..7"),
        (["=4..7"], "write hand_size=4..7"),
        (["hand_size=4,,5"], "write hand_size=4..7"),
        (["hand_size=7..4"], "the range 7..4 holds no values"),
        (["hand_size=4..7..0"], "holds no values"),
        (["hand_size=4,4"], "has the value 4 twice"),
        (["days=8", "days=9"], "days is swept twice"),
        (["a=1..40", "b=1..40"], "the grid has 1,600 variants; at most 1,000"),
        ([f"{name}=1..1000" for name in "abcdef"], "the grid has 1,000,000,000,000,000,000 variants"),
    ],
)
def test_a_sweep_that_cannot_be_read_is_reported(sweeps, message):
    with pytest.raises(InvalidInput, match=message):
        expand_grid([MAGPIES], sweeps)


def test_several_sweeps_make_a_grid_and_a_plan_file_keeps_them(tmp_path):
    plan = make_plan([MAGPIES], "2", ["random"], 10, sweep=["hand_size=4..5", "days=8,12"])
    names = [cell.variant.name for cell in plan.cells]
    assert names == [
        "magpies+days=8+hand_size=4",
        "magpies+hand_size=4",
        "magpies+days=8",
        "magpies",
    ]  # 12 days, 5 cards: usual
    (tmp_path / "plan.toml").write_text(format_plan(plan))
    again = read_plan(tmp_path / "plan.toml")
    assert [cell.id for cell in again.cells] == [cell.id for cell in plan.cells]
    assert again.name == plan.name == f"{MAGPIES}, hand_size=4..5, days=8,12"


def test_a_swept_value_that_the_game_refuses_is_reported():
    with pytest.raises(InvalidInput, match=r"hand_size=0\.\.9+ is not possible"):
        make_plan([MAGPIES], "2", sweep=[f"hand_size=0..{'9' * 5000}"])  # more than Python reads as a number
    with pytest.raises(InvalidInput, match="hand_size=10 is not possible"):
        make_plan([MAGPIES], "2", sweep=["hand_size=9..10"])
    with pytest.raises(InvalidInput, match="no parameter 'hands'"):
        make_plan([MAGPIES], "2", sweep=["hands=9..10"])
    with pytest.raises(InvalidInput, match="sets days twice"):
        make_plan([f"{MAGPIES}+days=9"], "2", sweep=["days=9..10"])
