"""Tune the evaluations of the games in the open: `python -m benchmarks.tune_evaluations` writes
benchmarks/evaluations.md.

An evaluation has a few named constants. For each of them some values are tried on the tuning seed while the
others stay as they are: greedy with that value plays greedy with the evaluation of an earlier commit, in all
seatings. If another value does clearly better than the one in variants/<game>/evaluation.py, this says so.
The evaluation as it stands is then played anew on the evaluation seed, with 2 and with 4 players.
"""

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.earlier_greedy import (
    EARLIER_COMMIT,
    ROOT,
    load_evaluation,
    make_earlier_greedy,
    make_greedy_with,
)
from boardgames import find_agent, find_variant, play_batch
from boardgames.agents.agent import Agent
from boardgames.game.variant import Variant
from boardgames.play.estimates import Estimate

TUNING_SEED, TUNING_DEALS = 2008, 1024
EVALUATION_SEED, EVALUATION_DEALS = 2023, 1024
PLAYER_COUNTS = (2, 4)
RESULT = Path(__file__).with_name("evaluations.md")

# values to try of each constant, the present one among them
TRIALS: Mapping[str, Mapping[str, Sequence[int]]] = {
    "celtica": {
        "EXPERIENCE_WORTH": (400, 800, 1200, 1600),
        "CARD_WORTH": (0, 400, 800, 1000),
        "PART_FOUND": (800, 1000, 1200),
        "PART_LOST": (500, 700, 900),
        "CULT_STOP": (500, 1000, 1500),
        "GIFT": (0, 6, 10, 14),
    },
    "keltis": {
        "HAND_STEP": (8, 9, 10),
        "FUTURE_STEP": (2, 3, 4),
        "GIFT": (0, 4, 8),
        "NUMBER_AHEAD": (0, 8, 16),
        "CLOVER_AHEAD": (0, 16, 32),
        "STONE_AHEAD": (0, 8, 16),
        "STONES_COUNT_AT": (8, 16, 24),
    },
    "celtae": {
        "HOLE": (15, 25, 35),
        "GARRISON_AT_ALL": (15, 25, 35),
        "TRIBE_WORKER": (27, 37, 47),
        "CARD": (12, 17, 22, 27, 32),
        "STRENGTH": (9, 14, 19),
        "TOKEN": (25, 35, 45),
        "BUILD_CARD": (3, 7, 11),
    },
}


class Outcome(NamedTuple):
    """A value of a constant, and the share of the wins with it against greedy as it was."""

    constant: str
    value: int
    is_present: bool
    won: Estimate


def main(names: Sequence[str]) -> None:
    """Replace the parts of some games in the result; the others stay."""
    played = {name: write_section(name) for name in names}
    before = RESULT.read_text(encoding="utf-8").split("\n## ")[1:] if RESULT.exists() else []
    sections = {text.partition("\n")[0]: f"## {text.strip()}\n" for text in before} | played
    opening = [f"# Evaluations, tuned and evaluated\n\n{INTRODUCTION}\n"]
    RESULT.write_text(
        "\n".join([*opening, *(sections[name] for name in TRIALS if name in sections)]), encoding="utf-8"
    )


# ---- playing


def try_values(variant: Variant) -> list[Outcome]:
    """Every value of every constant of a game's evaluation, while the others stay as they are."""
    text = (ROOT / f"variants/{variant.game.name}/evaluation.py").read_text(encoding="utf-8")
    outcomes = []
    for constant, values in TRIALS[variant.game.name].items():
        present = read_constant(text, constant)
        if present not in values:
            raise SystemExit(f"{constant} is {present}, which is not among the values to try, {values}")
        for value in values:
            agent = make_greedy_with(load_evaluation(set_constant(text, constant, value)), "candidate")
            won = play_duel(variant, agent, 2, TUNING_DEALS, TUNING_SEED)
            outcomes.append(Outcome(constant, value, value == present, won))
            print(format_outcome(outcomes[-1]), flush=True)
        warn_of_better(outcomes[-len(values) :])
    return outcomes


def play_duel(variant: Variant, agent: Agent, players: int, deals: int, seed: int) -> Estimate:
    """The share of an agent's wins as the only one of its kind among greedy players as they were."""
    line_up = [agent, *[make_earlier_greedy(variant.game)] * (players - 1)]
    batch = play_batch(variant, line_up, players, deals, seed=seed, workers=os.cpu_count() or 1)
    return batch.shares()[agent.name]


def find_constant(text: str, name: str) -> tuple[int, int]:
    """Where the value of a constant at the top level of a module's text begins and ends. Several constants
    may stand in a line: A, B = 1, 2.
    """
    line = re.search(rf"^((?:[A-Z_]+, )*){name}(?:, [A-Z_]+)* = (-?\d+(?:, -?\d+)*)", text, re.MULTILINE)
    if line is None:
        raise SystemExit(f"there is no constant {name} in the evaluation")
    values = [*re.finditer(r"-?\d+", line[2])]
    value = values[line[1].count(",")]
    return line.start(2) + value.start(), line.start(2) + value.end()


def read_constant(text: str, name: str) -> int:
    begin, end = find_constant(text, name)
    return int(text[begin:end])


def set_constant(text: str, name: str, value: int) -> str:
    begin, end = find_constant(text, name)
    return f"{text[:begin]}{value}{text[end:]}"


def warn_of_better(outcomes: Sequence[Outcome]) -> None:
    """Say it if a value of a constant wins more often than even the present one's interval reaches."""
    (present,) = (outcome for outcome in outcomes if outcome.is_present)
    for outcome in outcomes:
        if outcome.won.mean > present.won.high:
            print(f"{outcome.constant} = {outcome.value} wins more than {present.value}", file=sys.stderr)


# ---- writing it down


def write_section(name: str) -> str:
    """A game's part of benchmarks/evaluations.md."""
    variant = find_variant(name)
    results = [
        format_result(
            players,
            play_duel(
                variant, find_agent("greedy", variant.game), players, EVALUATION_DEALS, EVALUATION_SEED
            ),
        )
        for players in PLAYER_COUNTS
    ]
    print(*results, sep="\n", flush=True)
    head = ("players", "an equal share", f"wins of greedy against greedy as of {EARLIER_COMMIT}", "matches")
    tried = ("constant", "value", "wins", "kept")
    return "\n".join(
        [
            f"## {name}",
            "",
            *format_head(head),
            *results,
            "",
            "Tried on the tuning seed:",
            "",
            *format_head(tried),
            *map(format_outcome, try_values(variant)),
            "",
        ]
    )


def format_head(names: Sequence[str]) -> list[str]:
    return [format_row(names), format_row(["---"] * len(names))]


def format_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def format_result(players: int, won: Estimate) -> str:
    return format_row(
        [str(players), f"{100 // players} %", format_percent(won), f"{players * EVALUATION_DEALS:,}"]
    )


def format_outcome(outcome: Outcome) -> str:
    kept = "yes" if outcome.is_present else "no"
    return format_row([f"`{outcome.constant}`", str(outcome.value), format_percent(outcome.won), kept])


def format_percent(value: Estimate) -> str:
    return f"{value.mean:.1%} ({value.low:.1%} to {value.high:.1%})".replace("%", " %")


INTRODUCTION = f"""\
Written by `python -m benchmarks.tune_evaluations {" ".join(TRIALS)}`; how, its first lines say. Greedy is
measured against greedy with the evaluation as of commit {EARLIER_COMMIT} (`make_earlier_greedy` in
[earlier_greedy.py](earlier_greedy.py)), as one among others of that kind, in all seatings. Tuning: seed
{TUNING_SEED}, {TUNING_DEALS} deals, 2 players. Evaluation: seed {EVALUATION_SEED}, {EVALUATION_DEALS} deals.
Every interval is a 95 % interval over deals. A row of the second tables differs from the present evaluation
in that constant only.

Chosen by hand: which quantities of a position the evaluations look at, and the constants, after some 430
trials of 400 to 1500 deals on seeds 77, 2008 and 2009, and a few on seed 5. In most of Celtica's, greedy
played an earlier candidate instead of the evaluation of {EARLIER_COMMIT}, which loses too often to tell good
values from better ones. The evaluation seed had been looked at before, but nothing was changed after it but
twice in Celtica: all constants were tuned further on the tuning seed, and then `GIFT`, which had counted only
for seats that were not to move, came to count for all alike. The term does not ask whose turn it is, because
`mcts` compares evaluations of different moments and would take the turn's passing on for a loss.

Celtae's evaluation is that of {EARLIER_COMMIT}, so greedy plays itself where no constant differs. Seven of
its constants were tried, each a step down and a step up, and `CARD` two steps more, because the first one up
won more. The rule was fixed before: another value is adopted only if it clearly wins more than 55 %, because
all findings and trained players of Celtae rest on this evaluation. None does. A `CARD` of 22 to 32 does win a
little more, so try that first when Celtae is trained anew. Celtae's styles win at most 45.6 % (43.5 % to
47.6 %, `druids-first`) against greedy: see [styles.md](styles.md)."""

if __name__ == "__main__":
    main(sys.argv[1:] or list(TRIALS))
