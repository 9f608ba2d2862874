"""What a training says while it goes on, and that its parts are kept."""

import subprocess
import sys

import numpy as np
import pytest

from boardgames.errors import FileInUse, UnusableFile
from boardgames.train import clock as clock_module
from boardgames.train.clock import Clock, OutOfTime, format_rate
from boardgames.train.folder import collect_kept, lock_folder


@pytest.fixture
def now(monkeypatch):
    """The time, which passes only when a test says so."""
    seconds = [100.0]
    monkeypatch.setattr(clock_module.time, "monotonic", lambda: seconds[0])
    return seconds


def test_a_line_has_the_rate_the_time_left_and_the_strength_so_far(now):
    lines: list[str] = []
    clock = Clock("pig with 2 players", on_progress=lines.append)
    clock.strength = "55.0% (53.0% to 57.0%)"
    step = clock.begin(1000, "labels", part="round 2")
    for _ in range(3):
        step.count(50)
        now[0] += 2
    assert lines[0] == (
        "pig with 2 players, round 2: 100 of 1,000 labels, 25 a second, 36 seconds left; "
        "so far it wins 55.0% (53.0% to 57.0%)"
    )


def test_what_an_earlier_start_has_played_does_not_count_for_the_rate(now):
    lines: list[str] = []
    step = Clock("pig", on_progress=lines.append).begin(1000, "labels")
    step.keep(800)
    step.count(0)
    now[0] += 2
    step.count(20)
    assert lines == ["pig: 820 of 1,000 labels, 10 a second, 18 seconds left"]


def test_a_slow_step_says_how_long_one_takes():
    assert [format_rate(pace) for pace in (20, 0.5, 0.002)] == [
        "one in 20 seconds",
        "2 a second",
        "500 a second",
    ]


def test_the_limit_leaves_time_for_the_last_test(now):
    clock = Clock("pig", minutes=1)
    step = clock.begin(1000, "labels")
    clock.reserve = 20
    now[0] += 39
    step.count()
    now[0] += 1
    with pytest.raises(OutOfTime):
        step.count()
    clock.begin(1000, "matches of the last test", is_limited=False).count()


def collect_numbers(first):
    yield from (np.full(number % 3, number) for number in range(first, 1000))


@pytest.mark.parametrize("error", [OutOfTime, KeyboardInterrupt])
def test_parts_go_on_behind_those_that_were_kept(tmp_path, error):
    def collect_until_stopped(first):
        yield from (part for part, _ in zip(collect_numbers(first), range(5), strict=False))
        raise error("stopped")

    with pytest.raises(error):
        list(collect_kept(tmp_path, collect_until_stopped))
    with pytest.raises(error):
        list(collect_kept(tmp_path, collect_until_stopped))
    parts = [part for part, _ in zip(collect_kept(tmp_path, collect_numbers), range(20), strict=False)]
    assert [part.tolist() for part, _ in parts] == [[n] * (n % 3) for n in range(20)]
    assert [is_new for _, is_new in parts] == [False] * 10 + [True] * 10


def keep_numbers(folder, starts: int):
    """Numbers in as many files as there are starts, five in each."""
    for _ in range(starts):
        with pytest.raises(KeyboardInterrupt):
            list(collect_kept(folder, collect_five))


def collect_five(first):
    yield from (np.full(1, number) for number in range(first, first + 5))
    raise KeyboardInterrupt


@pytest.mark.parametrize("size", [0, 99, None])
def test_a_damaged_or_missing_file_of_parts_is_told_with_what_to_remove(tmp_path, size):
    folder = tmp_path / "labels-0"
    keep_numbers(folder, starts=3)
    damaged = sorted(folder.iterdir())[1]
    if size is None:
        damaged.unlink()
    else:
        damaged.write_bytes(damaged.read_bytes()[:size])
    with pytest.raises(UnusableFile, match=f"{damaged} is missing or damaged. Remove the folder {folder};"):
        list(collect_kept(folder, collect_five))


def test_two_trainings_do_not_share_a_folder(tmp_path):
    """The lock is one between processes, and goes with the process that has it."""
    wait = "import sys; from pathlib import Path; from boardgames.train.folder import lock_folder\n"
    wait += "with lock_folder(Path(sys.argv[1])): print('locked', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", wait, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "locked\n"
        sentence = f"{tmp_path} is in use by another training"
        with pytest.raises(FileInUse, match=sentence), lock_folder(tmp_path):
            pass
        other.kill()
    with lock_folder(tmp_path):
        pass
