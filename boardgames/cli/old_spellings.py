"""Options and commands that no longer exist, and what to type instead: they are answered, not carried out."""

from collections.abc import Collection, Mapping

RENAMED_OPTIONS: Mapping[str, str] = {
    "--against": "--agents",
    "--anyway": "--ignore-changes",
    "--block": "--deal",
    "--blocks": "--matches",
    "--from": "--db",
    "--into": "--db",
    "--margin": "--threshold",
    "--more": "--continue",
    "--primary": "--main-metric",
    "--rungs": "--agents",
}

_SIDE_BY_SIDE = "one deal under both rules is a command of its own: boardgames side-by-side A B"
_SWEEP = "a grid of values is a command of its own: boardgames sweep celtica hand_size=4..7"

# Options of one command that went elsewhere: (command, option) -> what to say
MOVED_OPTIONS: Mapping[tuple[str, str], str] = {
    (
        "bench",
        "--against",
    ): "the comparison with OpenSpiel is a script: python benchmarks/against_open_spiel.py",
    ("compare", "--best"): _SWEEP,
    ("compare", "--block"): f"{_SIDE_BY_SIDE} --deal 7",
    ("compare", "--deal"): f"{_SIDE_BY_SIDE} --deal 7",
    ("compare", "--explain"): "which parameter causes what is a command of its own: boardgames explain A B",
    ("compare", "--over-unknowns"): (
        "other plausible values are tried by a command of its own: boardgames alternatives A B --count 20"
    ),
    ("compare", "--people"): "people beside agents are a command of its own: boardgames people celtica",
    ("compare", "--show"): _SIDE_BY_SIDE,
    ("compare", "--svg"): f"{_SIDE_BY_SIDE} --svg FOLDER",
    ("compare", "--sweep"): _SWEEP,
    ("compare", "--unpaired"): "leave --unpaired out: variants that cannot share deals each play their own",
    ("simulate", "--name"): 'a run is named after its variants; --note "first try" stores your words with it',
    ("simulate", "--sweep"): f'{_SWEEP}; a plan file has it as sweep = ["hand_size=4..7"]',
    ("export", "--into"): "--into is now --output, and the result file is --db",
}

OLD_COMMANDS: Mapping[str, str] = {
    "cluster": (
        "start a cluster with Dask's own commands, dask scheduler and dask worker; "
        "its speed is measured by python benchmarks/cluster.py"
    ),
}


def explain_old_option(command: str, option: str, known: Collection[str]) -> str | None:
    """What to type instead of an option that the command no longer has; None if it never had it."""
    if option in known:
        return None
    if (command, option) in MOVED_OPTIONS:
        return MOVED_OPTIONS[command, option]
    new = RENAMED_OPTIONS.get(option)
    return f"{option} is now {new}" if new in known else None
