"""A file of speeds: one JSON object per measurement and line, with its commit, versions and processor."""

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from boardgames.errors import InvalidInput
from boardgames.files import read_file, write_file
from boardgames.plan.played import environment_versions

SAME = ("variant", "players", "agents")  # what two measurements must have in common
KEYS = {"commit", "date", "versions", "cpu", "figures"}


def save_figures(path: Path, figures: Mapping[str, Any]) -> None:
    """Add a measurement to the file, which is made if missing."""
    entry = {
        "commit": find_commit(),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": environment_versions(),
        "cpu": describe_cpu(),
        "figures": dict(figures),
    }
    lines = [*(read_figures(path) if path.exists() else []), entry]
    write_file(path, "".join(f"{json.dumps(line)}\n" for line in lines))


def read_figures(path: Path) -> list[dict[str, Any]]:
    """All measurements of a file, the oldest first."""
    entries = []
    for number, line in enumerate(read_file(path).splitlines(), 1):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict) or not entry.keys() >= KEYS or not isinstance(entry["figures"], dict):
            advice = "`boardgames bench VARIANT --save NEW` makes a file"
            raise InvalidInput(f"{path}, line {number}: this is not a saved measurement; {advice}")
        entries.append(entry)
    return entries


def find_last_measurement(path: Path, variant: str, players: int, agents: str) -> dict[str, Any]:
    """The last saved measurement of this variant, player count and line-up."""
    entries = read_figures(path)
    for entry in reversed(entries):
        if tuple(entry["figures"].get(name) for name in SAME) == (variant, players, agents):
            return entry
    measured = dict.fromkeys(" ".join(str(entry["figures"].get(name)) for name in SAME) for entry in entries)
    has = "; it has: " + ", ".join(measured) if measured else ""
    advice = f"`--save {path}` without --since adds them"
    raise InvalidInput(f"{path} has no figures of {variant} {players} {agents}{has}. {advice}")


def compare_figures(now: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    """Each figure as a multiple of the earlier one, and the origin of that one."""
    then, origin = (
        entry["figures"],
        {"commit": entry["commit"] or "none", "date": entry["date"], "cpu": entry["cpu"]},
    )
    ratios = _divide(now, then)
    if now.get("workers") != then.get("workers"):  # other cores are no change
        ratios = {name: ratio for name, ratio in ratios.items() if name in ("one_core", "steps_per_decision")}
    return {**origin, "times_as_much": ratios}


def _divide(now: Mapping[str, Any], then: Mapping[str, Any]) -> dict[str, Any]:
    """The ratios of floats with the same name; counts and texts are left out."""
    ratios: dict[str, Any] = {}
    for name, value in now.items():
        before = then.get(name)
        if isinstance(value, Mapping) and isinstance(before, Mapping):
            ratios[name] = _divide(value, before)
        elif isinstance(value, float) and isinstance(before, float) and before > 0:
            ratios[name] = value / before
    return ratios


def find_commit() -> str:
    """The Git commit of the current folder, with `-dirty` if files have changed since; "" without Git."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        process = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:  # Git is not installed
        return ""
    return process.stdout.strip() if process.returncode == 0 else ""


def describe_cpu() -> str:
    """The processor's name, as far as the system knows it, and its number of cores."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{next(iter(names), platform.processor() or platform.machine())}, {os.cpu_count()} cores"
