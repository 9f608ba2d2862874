"""The benchmarks run, and what they compare with plays the same matches."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_celtica_in_c_writes_the_same_rows_and_its_speed_is_shown_as_a_ratio():
    """The script ends with an error where a row differs."""
    command = [sys.executable, "benchmarks/compare_with_c.py", "--matches", "200", "--rounds", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(re.findall(r"our speed is \d\.\d+", done.stdout)) == 2, done.stdout
