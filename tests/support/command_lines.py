"""Command lines from a grammar: every command that ends by itself, with its own options, and words both right
and wrong.

The grammar is the command line's own: a new command or option is tried without a change here. What is added
at the end of a line keeps it short: a few deals of a tiny game, by agents that are quick to compile.
"""

import random
import socket
from pathlib import Path

import duckdb
import typer

from boardgames.cli import app
from boardgames.run.simulate import simulate

ENDLESS = ("dashboard", "watch")  # they go on until Ctrl-C
LEFT_OUT = {("bench", "--starts"), ("simulate", "--cluster")}  # they start processes, or wait for a machine
OPTIONS = 2.5  # that a line has on average, beside those that keep it short
GAME, DRAWN = "tests.truth.p_deterministic:GAME", "./drawn.py:GAME"
LONG, HUGE, ENDLESS_NUMBER = "x" * 300, "99999999999999999999", "9" * 5000
NUMBERS = ["0", "-1", "-0", "1.5", "nan", "inf", "-inf", "1e3", HUGE, ENDLESS_NUMBER, "0x10", "1_0", "x", ""]
PLACES = [
    "folder",
    "text.txt",
    "text.txt/new.svg",
    "gone/new.html",
    "/sys/new.csv",
    "/proc/new.csv",
    "/dev/full",
    "/",
    ".",
    "..",
]
PLACES += [
    "circle.svg",
    "socket.duckdb",
    "",
    LONG,
    f"{LONG}.csv",
    f"folder/{LONG}/new.parquet",
    f"{LONG}/new.csv",
]
ANYTHING = [
    "",
    " ",
    "-",
    "+",
    ":",
    "=",
    ",",
    "a:b:c:d",
    "0",
    "-1",
    "nan",
    "\x1b[1m",
    "é",
    "'",
    '"; --',
    "[bold]",
    LONG,
    "caf\udce9",
    "a\0b",
]
SPECS = [GAME, DRAWN, f"{GAME}+p=50", f"{DRAWN}+p=100", f"{GAME}+p=0", "mine", "mine+p=3"]
WRONG_SPECS = [
    "__main__:GAME",
    "os:path",
    "+",
    ":",
    "::",
    "a:b:c:d",
    "./drawn.py",
    "./drawn.py:",
    "./drawn.py:GAME:none",
    "mine+",
]
WRONG_SPECS += [
    "./gone.py:GAME",
    "./broken.py:GAME",
    "./folder.py:GAME",
    ".:GAME",
    "..:GAME",
    "circle",
    "number",
]
WRONG_SPECS += [
    "tests.truth.p_deterministic:NONE",
    "tests.truth.none:GAME",
    f"./{LONG}.py:GAME",
    f"{LONG}:GAME",
    *(f"{GAME}+p={value}" for value in ("101", "nan", "", HUGE)),
    "text.txt",
    "gone.toml",
]
WRONG_RESULTS = ["text.duckdb", "empty.duckdb", "other.duckdb", "socket.duckdb", "gone.duckdb", *PLACES]
RIGHT: dict[str, list[str]] = {
    "variant": SPECS,
    "variants": [*SPECS, "plan.toml"],
    "game": [GAME],
    "derive": [GAME],
    "players": ["2", "3", "2-3", "2,3"],
    "agents": ["random", "random", "random,random", " random "],
    "db": ["results.duckdb", "new.duckdb", "link.duckdb", "new.csv", "new.parquet"],
    "file": ["results.duckdb", "goals.toml"],
    "other": ["results.duckdb", "link.duckdb"],
    "results": ["club.csv"],
    "svg": ["new.svg", "new", "folder"],
    "output": ["new.html"],
    "chart": ["new.html"],
    "save_plan": ["new.toml"],
    "seed": ["1", "2", str(2**62 - 1)],
    "deal": ["0", "7", str(2**62 - 1)],
    "workers": ["1", "2", "1000"],
    "seat": ["1", "2"],
    "count": ["1"],
    "minutes": ["0.01"],
    "seconds": ["0"],
    "pause": ["0"],
    "matches": ["1", "2"],
    "sweep": ["p=0..2", "p=0..100..50", "p=1,2"],
    "values": ["p=0..2", "p=1,2"],
    "until": ["seat_win_share within 50 pp", "length within 1 %"],
    "best": ["lowest length", "length near 3"],
    "goals": ["goals.toml"],
    "goal": ["seat share within 3 pp of fair", "length at most 3"],
    "keep": ["length within 10 %"],
    "change": ["p", "p=40..60..10"],
    "never": ["strength"],
    "at_most": ["1", "2"],
    "stronger": ["none"],
    "main_metric": ["length", "tied_after"],
    "threshold": ["length=2", "seat_win_share=1pp"],
    "name": ["length", "my-game", "other"],
    "table": ["results", "cells", "people"],
    "copy": ["copy.duckdb"],
    "match": ["1/0/0"],
    "run": ["1"],
    "note": ["why not"],
}
WRONG_SWEEPS = ["p=0..2..0", "p=5..0", f"p=0..{HUGE}", "p=", "=1", "p=0,0", "none=1..2", "p", "p=-1..1"]
WRONG: dict[str, list[str]] = {
    "variant": WRONG_SPECS,
    "variants": [*WRONG_SPECS, "wrong.toml", "odd.toml"],
    "game": WRONG_SPECS,
    "derive": WRONG_SPECS,
    "players": [*NUMBERS, "9", "3-2", ",", "2-", "-", "2-1000000000", "2,2", "2 - 3", "1-2"],
    "agents": [
        "mcts:0",
        "mcts:-1",
        f"mcts:{HUGE}",
        "random:5",
        "greedy+noise=nan",
        "random+forbid=x",
        "gredy",
        ",",
        "random,none",
        "random, greedy,",
    ],
    "db": WRONG_RESULTS,
    "copy": [*PLACES, "results.duckdb"],
    "other": WRONG_RESULTS,
    "file": [*WRONG_RESULTS, "wrong-goals.toml", "odd-goals.toml"],
    "results": ["wrong.csv", *WRONG_RESULTS],
    "svg": PLACES,
    "output": [*PLACES, "results.duckdb"],
    "chart": [*PLACES, "results.duckdb"],
    "save_plan": PLACES,
    "sweep": WRONG_SWEEPS,
    "values": WRONG_SWEEPS,
    "until": ["length within nan %", "within", "none within 1", "length within 1 at 2-1000000000 players"],
    "best": [
        "length near nan",
        "length near inf",
        "highest",
        "lowest none",
        "usage near 1",
        "lowest seat win share 9",
    ],
    "goals": [*WRONG_RESULTS, "wrong-goals.toml", "odd-goals.toml"],
    "goal": [
        "length at most nan",
        "length",
        "none at most 1",
        "length within 1 of fair",
        "length from 2 to 1",
    ],
    "keep": ["length", "length within nan %", "skill edge within 1 pp"],
    "change": [*WRONG_SWEEPS[:-2], "none"],
    "never": ["none", "p=1"],
    "main_metric": ["none", "luck"],
    "threshold": ["length", "length=nan", "length=inf", "length=-1", "none=1", "=", "length="],
    "name": ["class", "json", "taken", LONG, "../up"],
    "table": ["none", "match; --"],
    "run": ["none", "-1", HUGE],
    "match": ["1/2", "a/b/c", f"{HUGE}/0/0", "-1/-1/-1", "//"],
    "minutes": ["0", "-1", "nan", "inf", "x"],
    "seconds": ["-1", "nan", "inf"],
    "pause": ["nan", "inf", "-1"],
    "matches": ["0", "-1", "nan"],
}
SHORT: dict[str, dict[str, str]] = {
    "simulate": {"--matches": "2", "--agents": "random"},
    "compare": {"--matches": "2", "--agents": "random"},
    "report": {"--matches": "2", "--agents": "random"},
    "explain": {"--matches": "2", "--agents": "random"},
    "alternatives": {"--matches": "2", "--agents": "random", "--count": "1"},
    "sweep": {"--matches": "2", "--agents": "random"},
    "people": {"--matches": "2", "--agents": "random"},
    "side-by-side": {"--agents": "random"},
    "ladder": {"--matches": "20", "--agents": "random,greedy"},
    "luck": {"--matches": "2", "--agents": "random"},
    "goals": {"--minutes": "0.01"},
    "fix": {"--matches": "2", "--agents": "random", "--stronger": "none", "--change": "p=49..51"},
    "plan": {"--agents": "random"},
    "bench": {"--seconds": "0", "--no-starts": ""},
    "check": {"--matches": "1", "--plain": ""},
    "coverage": {"--matches": "2", "--agents": "random"},
    "play": {"--agents": "random"},
}


def make_line(chance: random.Random) -> list[str]:
    """A command with some of its arguments and options, in any order; many lines are right but for a word or
    two.
    """
    commands = {
        name: command for name, command in typer.main.get_command(app).commands.items() if name not in ENDLESS
    }
    name, mistake_rate = chance.choice(sorted(commands)), chance.choice([0.0, 0.1, 0.4])
    arguments: list[str] = []
    parts: list[list[str]] = []
    for parameter in commands[name].params:
        if parameter.param_type_name == "argument":
            count = chance.choice([1, 2, 2, 3] if parameter.nargs == -1 else [1] * 9 + [0])
            arguments += [make_word(chance, parameter.name, mistake_rate) for _ in range(count)]
        elif (
            chance.random() < OPTIONS / len(commands[name].params)
            and (name, parameter.opts[0]) not in LEFT_OUT
        ):
            option = chance.choice([*parameter.opts, *parameter.secondary_opts])
            parts += (
                [[option]]
                if parameter.is_flag
                else [[option, make_word(chance, parameter.name, mistake_rate)]]
            )
    used = {part[0] for part in parts}
    parts += [
        [option, value] if value else [option]
        for option, value in SHORT.get(name, {}).items()
        if option not in used
    ]
    chance.shuffle(parts)
    return [name, *arguments, *(word for part in parts for word in part)]


def make_word(chance: random.Random, parameter: str, mistake_rate: float) -> str:
    """A word that suits a parameter by its name, or one that does not."""
    if chance.random() >= mistake_rate:
        return chance.choice(RIGHT.get(parameter, ANYTHING))
    return chance.choice(chance.choice([WRONG.get(parameter, NUMBERS), ANYTHING]))


def furnish(folder: Path) -> None:
    """Files that command lines name: right ones, wrong ones, and what is no file at all."""
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("folder", "taken", "folder.py"):
        (folder / name).mkdir()
    (folder / "wrong.csv").write_bytes(b"date,variant\xff\n")
    (folder / "empty.duckdb").touch()
    (folder / "circle.svg").symlink_to("circle.svg")
    with duckdb.connect(str(folder / "other.duckdb")) as con:
        con.execute("CREATE TABLE things AS SELECT 1 AS one")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(folder / "socket.duckdb"))
    simulate(GAME, db=folder / "results.duckdb", players="2", agents=["random"], matches=2)
    (folder / "link.duckdb").symlink_to("results.duckdb")


TEXTS = {
    "drawn.py": "from dataclasses import replace\nfrom tests.truth.p_deterministic import GAME as BARE\n"
    "GAME = replace(BARE, draw=lambda state, seat: f\"<svg viewBox='0 0 9"
    " 9'><text>{state.turn}</text></svg>\")\n",
    "broken.py": "1 / 0\n",
    "text.txt": "text\n",
    "text.duckdb": "text\n",
    "plan.toml": (
        '[run]\nvariants = ["tests.truth.p_deterministic:GAME"]\nagents = ["random"]\nmatches = 1\n'
        'players = "2"\n'
    ),
    "wrong.toml": "[run]\nvariants = [1, 2]\nagents = [[]]\n",
    "variants.toml": (
        'number = 3\n[mine]\nbase = "tests.truth.p_deterministic:GAME"\np = 7\n[circle]\nbase = "circle"\n'
    ),
    "odd.toml": (
        '[run]\nvariants = ["tests.truth.p_deterministic:GAME"]\nmatches = 99999999999999999999\nseed = -1\n'
    ),
    "goals.toml": 'variants = ["mine"]\nagents = "random"\n[[goal]]\nmetric = "length"\nlow = 1\nhigh = 9\n',
    "wrong-goals.toml": 'variants = [3]\n[[goal]]\nmetric = 7\nlow = "x"\n',
    "odd-goals.toml": 'minutes = nan\nplayers = "2-1000000000"\n[[goal]]\nmetric = "length"\nlow = nan\n',
    "club.csv": "date,variant,names,scores\n2026-01-09,tests.truth.p_deterministic:GAME,Anna/Ben,1/0\n",
}
