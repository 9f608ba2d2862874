"""Tune the styles of the games in the open: `python tuning/styles.py celtica keltis celtae` writes tuning/styles.md.

A style is greedy with prizes for what the game tallies. Each style names what it does, as a number that matches show, and a bound
as a multiple of greedy's own number. A few scales of its prizes are tried on the tuning seed. A scale keeps the behaviour if the
whole 95 % interval over blocks of (the style's number - bound x greedy's on the same luck) is on the right side of 0 and no match
is cut off; of those that do, the one that wins most against greedy is kept. It is then played anew on the evaluation seed, from
which all figures of the first table come. The kept prizes stand in variants/<game>/styles.py; if they differ, this says so.
"""

import dataclasses
import functools
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analytics.stats.intervals import Estimate, block_mean, block_share
from boardgames import find_agent, find_variant, play_batch
from boardgames.agents.agent import Agent, arrangements
from boardgames.game.variant import Variant
from boardgames.play.batch import Batch

TUNING_SEED, TUNING_BLOCKS = 2008, 384
EVALUATION_SEED, EVALUATION_BLOCKS = 2023, 1024
RESULT = Path(__file__).with_suffix(".md")
Values = np.ndarray[Any, Any]  # one number per block


class Trial(NamedTuple):
    """What a style does more or less often than greedy, and which prizes are tried for it."""

    does: str
    counts: Mapping[str, int]  # tallies of the style's seat and their weights; none: the turns of a match among its like
    bound: float  # above 1: at least so many times greedy's number; below 1: at most
    prizes: Mapping[str, int] = {}
    scales: Sequence[int] = ()


TRIALS = {
    "celtica": {
        "collector": Trial("parts gained", {"parts gained": 1}, 1.05, {"cult visits": 3, "leaps": -1}, (200, 300, 400, 500, 600)),
        "miser": Trial("ruin visits", {"ruin visits": 1}, 0.9, {"cult visits": 1}, (500, 1000, 1500, 2000)),
        "rusher": Trial("turns of a match among its like", {}, 0.92, {"leaps": 1}, (200, 400, 800, 1600)),
        "hoarder": Trial(
            "experience cards kept for the end",
            {"experience gained": 1, "experience to move": -1},
            2,
            {"experience gained": 1, "experience to move": -1},
            (500, 750, 1000, 1500),
        ),
    },
    "keltis": {
        "few-paths": Trial("paths set out on", {"paths opened": 1}, 0.5, {"paths beyond two": -1}, (24, 32, 48, 64)),
        "all-paths": Trial("paths set out on", {"paths opened": 1}, 1.02, {"paths opened": 1}, (8, 16, 32, 64)),
        "stone-hunter": Trial(
            "wishing stones taken", {"wishing stones": 1}, 1.08, {"wishing stones": 4, "lays": 1}, (4, 8, 16, 32)
        ),
        "ender": Trial("turns of a match among its like", {}, 0.99, {"discards": -1}, (1, 2, 4, 8)),
        "deck-sitter": Trial("turns of a match among its like", {}, 1.1, {"pile draws": 1}, (2, 3, 4, 6)),
    },
    "celtae": {
        "citadels": Trial(
            "disks placed",
            {"builds north": 1, "builds south": 1},
            1.1,
            {"builds north": 1, "builds south": 1},
            (20, 35, 50, 100),
        ),
        "armies": Trial("armies defeated", {"armies defeated": 1}, 1.5, {"armies defeated": 1}, (50, 75, 100, 200)),
        "druids-first": Trial("druids trained", {"druids trained": 1}, 1.25, {"druids trained": 1}, (50, 75, 100, 200)),
        "north-only": Trial("disks placed in the south", {"builds south": 1}, 0.05),
    },
}


class Outcome(NamedTuple):
    """What a style with some prizes did."""

    prizes: Mapping[str, int]
    did: Values
    greedy_did: Values
    won: Values  # share against greedy
    cut: int  # matches cut off by the cap

    def keeps(self, bound: float) -> bool:
        """Whether the behaviour is clear: beyond the bound with its whole interval."""
        beyond = estimate(self.did - bound * self.greedy_did)
        return self.cut == 0 and (beyond.low >= 0 if bound > 1 else beyond.high <= 0)


def estimate(values: Values) -> Estimate:
    return block_mean(len(values), float(values.sum()), float((values**2).sum()))


def share(values: Values) -> Estimate:
    return block_share(len(values), float(values.sum()), float((values**2).sum()))


# ---- playing


def outcome(variant: Variant, style: str, trial: Trial, prizes: Mapping[str, int], blocks: int, seed: int) -> Outcome:
    """Play a style against greedy, and among its like where the length of matches is asked for."""
    game = variant.game
    agent = dataclasses.replace(find_agent(style, game), prizes=tuple(prizes.get(tally, 0) for tally in game.tallies))
    line_up = (agent, find_agent("greedy", game))
    against = played(variant, line_up, blocks, seed)
    own = own_seats(against, line_up)
    won = per_block(against, (against.seats["win_share"] * own).sum(axis=1))
    asked = against if trial.counts else played(variant, (agent, agent), blocks, seed)
    usual = among_greedy(variant, blocks, seed)
    every = np.ones_like(usual.seats["place"])
    cut = int((against.matches["end"] == 0).sum() + (asked.matches["end"] == 0).sum())
    return Outcome(prizes, measured(variant, trial, asked, own), measured(variant, trial, usual, every), won, cut)


def played(variant: Variant, line_up: Sequence[Agent], blocks: int, seed: int) -> Batch:
    return play_batch(variant, line_up, len(line_up), blocks, seed=seed, workers=os.cpu_count() or 1)


@functools.cache
def among_greedy(variant: Variant, blocks: int, seed: int) -> Batch:
    return played(variant, [find_agent("greedy", variant.game)] * 2, blocks, seed)


def own_seats(batch: Batch, line_up: Sequence[Agent]) -> Values:
    """By match and seat: 1 where the first agent of the line-up sat."""
    return (np.array(arrangements(line_up)) == 0)[batch.matches["arrangement"]].astype(np.int64)


def measured(variant: Variant, trial: Trial, batch: Batch, seats: Values) -> Values:
    """What a trial asks for, of some seats of each match."""
    if not trial.counts:
        return per_block(batch, batch.matches["turns"])
    weights = np.array([trial.counts.get(tally, 0) for tally in variant.game.tallies])
    return per_block(batch, (batch.seats["tally"] @ weights * seats).sum(axis=1) / seats.sum(axis=1))


def per_block(batch: Batch, values: Values) -> Values:
    """The mean of a block's matches."""
    block = batch.matches["block"]
    return np.bincount(block, weights=values) / np.bincount(block)


def tuned(variant: Variant, style: str, trial: Trial) -> tuple[list[Outcome], Mapping[str, int]]:
    """All that was tried, and the prizes that win most of those that keep the behaviour."""
    grid = [{tally: scale * worth for tally, worth in trial.prizes.items()} for scale in trial.scales] or [{}]
    tried = [outcome(variant, style, trial, prizes, TUNING_BLOCKS, TUNING_SEED) for prizes in grid]
    clear = [one for one in tried if one.keeps(trial.bound)]
    if not clear:
        raise SystemExit(f"{style}: no prizes of {grid} keep its behaviour: {[told(estimate(one.did)) for one in tried]}")
    return tried, max(clear, key=lambda one: one.won.mean()).prizes


# ---- writing it down


def section(name: str) -> str:
    """A game's part of tuning/styles.md."""
    variant = find_variant(name)
    results, trials = [], []
    for style, trial in TRIALS[name].items():
        tried, best = tuned(variant, style, trial)
        final = outcome(variant, style, trial, best, EVALUATION_BLOCKS, EVALUATION_SEED)
        results.append(result_row(variant, style, trial, final))
        trials += [trial_row(style, trial, one, one.prizes == best) for one in tried if one.prizes]
        if best != variant.game.styles[style].prizes:
            print(f"{name}, {style}: the best prizes are {best}, not those of variants/{name}/styles.py", file=sys.stderr)
        print(results[-1], flush=True)
    return "\n".join([f"## {name}", "", *head(RESULTS), *results, "", "Tried on the tuning seed:", "", *head(TRIED), *trials, ""])


RESULTS = (
    "style",
    "what it is for",
    "agent",
    "prizes",
    "what it does",
    "the style",
    "greedy",
    "wins against greedy",
    "matches",
    "command",
)
TRIED = ("style", "prizes", "what it does", "greedy", "bound", "keeps it", "wins against greedy", "kept")


def head(names: Sequence[str]) -> list[str]:
    return [row(names), row(["---"] * len(names))]


def row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def result_row(variant: Variant, style: str, trial: Trial, final: Outcome) -> str:
    asked, matches = variant.game.styles[style], 2 * EVALUATION_BLOCKS
    run = f"--players 2 --agents {style},greedy --blocks {EVALUATION_BLOCKS} --seed {EVALUATION_SEED}"
    command = f"`boardgames simulate {variant.name} {run}`"
    did, usual, won = estimate(final.did), estimate(final.greedy_did), share(final.won)
    numbers = [trial.does, told(did), told(usual), percent(won), f"{matches:,}"]
    return row([style, asked.why, f"`{asked.agent}`", prized(final.prizes), *numbers, command])


def trial_row(style: str, trial: Trial, one: Outcome, kept: bool) -> str:
    bound = f"at {'least' if trial.bound > 1 else 'most'} {trial.bound} x"
    numbers = [f"{told(estimate(one.did))} {trial.does}", told(estimate(one.greedy_did)), bound]
    return row([style, prized(one.prizes), *numbers, yes(one.keeps(trial.bound)), percent(share(one.won)), yes(kept)])


def prized(prizes: Mapping[str, int]) -> str:
    return ", ".join(f"{tally} {worth:+}" for tally, worth in prizes.items()) or "none"


def told(value: Estimate) -> str:
    return f"{value.mean:.2f} ({value.low:.2f} to {value.high:.2f})"


def percent(value: Estimate) -> str:
    return f"{value.mean:.1%} ({value.low:.1%} to {value.high:.1%})".replace("%", " %")


def yes(value: bool) -> str:
    return "yes" if value else "no"


def main(names: Sequence[str]) -> None:
    """Replace the parts of some games in the result; the others stay."""
    before = RESULT.read_text(encoding="utf-8").split("\n## ")[1:] if RESULT.exists() else []
    sections = {text.partition("\n")[0]: f"## {text.strip()}\n" for text in before}
    for name in names:
        sections[name] = section(name)
    opening = [f"# Styles, tuned and evaluated\n\n{INTRODUCTION}\n"]
    RESULT.write_text("\n".join([*opening, *(sections[name] for name in TRIALS if name in sections)]), encoding="utf-8")


INTRODUCTION = f"""\
Written by `python tuning/styles.py {" ".join(TRIALS)}`; how, its first lines say. Two players, seats rotated.
Tuning: seed {TUNING_SEED}, {TUNING_BLOCKS} blocks. Evaluation: seed {EVALUATION_SEED}, {EVALUATION_BLOCKS} blocks.
Every interval is a 95 % interval over blocks. Greedy's number is from matches of two greedy players on the same luck.

Chosen by hand, not by the script: which tallies a style prizes and what it forbids or forces, after some 160 trials of 150 to 400
blocks on seeds 77 and 78 and a few on the tuning seed; and the bounds. Two bounds were changed after a first run. The ender's was
0.98 without prizes, and it missed that on the tuning seed. The rusher's was 0.95, which its restrictions reach without any prize.
The styles' first evaluation had been seen by then, the ender's had not."""

if __name__ == "__main__":
    main(sys.argv[1:] or list(TRIALS))
