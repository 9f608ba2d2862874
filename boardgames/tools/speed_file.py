"""A file of speeds: one JSON object per line and measurement, with the commit, the versions and the processor it is about."""

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boardgames.errors import BadInput
from boardgames.experiment.plan import circumstances
from boardgames.files import read_file, write_file

SAME = ("variant", "players", "agents")  # what two measurements must have in common
KEYS = {"commit", "date", "versions", "cpu", "figures"}


def save_figures(path: Path, figures: Mapping[str, Any]) -> None:
    """Add a measurement to the file, which is made if it is not there."""
    entry = {
        "commit": find_commit(), "date": datetime.now(UTC).isoformat(timespec="seconds"), "versions": circumstances(),
        "cpu": name_cpu(), "figures": dict(figures),
    }  # fmt: skip
    lines = [*(read_figures(path) if path.exists() else []), entry]
    write_file(path, "".join(f"{json.dumps(line)}\n" for line in lines))


def read_figures(path: Path) -> list[dict[str, Any]]:
    """All measurements of a file in the order in which they were saved."""
    found = []
    for number, line in enumerate(read_file(path).splitlines(), 1):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict) or not entry.keys() >= KEYS or not isinstance(entry["figures"], dict):
            raise BadInput(
                f"{path}, line {number}: this is no saved measurement; `boardgames bench VARIANT --save NEW` makes a file"
            )
        found.append(entry)
    return found


def find_last(path: Path, variant: str, players: int, agents: str) -> dict[str, Any]:
    """The last saved measurement of the same play."""
    entries = read_figures(path)
    for entry in reversed(entries):
        if tuple(entry["figures"].get(name) for name in SAME) == (variant, players, agents):
            return entry
    known = dict.fromkeys(" ".join(str(entry["figures"].get(name)) for name in SAME) for entry in entries)
    has = "; it has: " + ", ".join(known) if known else ""
    raise BadInput(f"{path} has no figures of {variant} {players} {agents}{has}. `--save {path}` without --since adds them")


def compare_figures(now: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    """What has changed since: each figure as a multiple of what it was, and where that was measured."""
    then, told = entry["figures"], {"commit": entry["commit"] or "none", "date": entry["date"], "cpu": entry["cpu"]}
    ratios = _divide(now, then)
    if now.get("workers") != then.get("workers"):  # other cores are no change
        ratios = {name: ratio for name, ratio in ratios.items() if name in ("one_core", "steps_per_decision")}
    return {**told, "times_as_much": ratios}


def _divide(now: Mapping[str, Any], then: Mapping[str, Any]) -> dict[str, Any]:
    """Measured numbers over those of the same names; counts and names are no measurements."""
    ratios: dict[str, Any] = {}
    for name, value in now.items():
        before = then.get(name)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            ratios[name] = _divide(value, before)
        elif isinstance(value, float) and isinstance(before, float) and before > 0:
            ratios[name] = value / before
    return ratios


def find_commit() -> str:
    """The Git commit of the current folder, with `-dirty` where files have changed since; nothing where there is none."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:  # Git is not installed
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def name_cpu() -> str:
    """The processor's own name, as far as the system tells it, and how many cores there are."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{next(iter(names), platform.processor() or platform.machine())}, {os.cpu_count()} cores"
