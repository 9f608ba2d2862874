"""Play batches: bind the engine to a game and a line-up, allocate once, spread blocks over threads."""

import functools
import hashlib
import itertools
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boardgames.agents.agent import NUMBERS, QUICK, Agent, Family, arrangements, find_line_up
from boardgames.agents.scratch import FORBIDDEN, FORCED, NODE, Desk, Needs
from boardgames.errors import BadInput
from boardgames.game.game import MOST_SEATS, PHASES, RULE_FUNCTIONS, Game
from boardgames.game.mistakes import RuleFailed, explaining
from boardgames.game.variant import Variant
from boardgames.play import engine
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function, is_rule, mentioned, reached, rebind

if TYPE_CHECKING:
    from boardgames.play.estimates import Estimate

SLICE = 64  # blocks come in aligned slices
MATCHES = 4096  # matches that a thread plays between two looks at Python: enough to make its cost small
ROOTS = (
    engine.play_blocks, engine.begin_match, engine.block_key, engine.seat_key, engine.decision_key, engine.choose,
    *(getattr(protocol, name) for name in RULE_FUNCTIONS), protocol.imagined,
)  # fmt: skip


class Batch(NamedTuple):
    """Rows of played matches: one per match, and one per match and seat. Field names are the columns' names."""

    matches: np.ndarray[Any, Any]
    seats: np.ndarray[Any, Any]
    line_up: tuple[str, ...] = ()  # the agents' names as typed; rows on their way into a file or out of it need none
    seatings: np.ndarray[Any, Any] = np.zeros((1, 0), np.int64)  # for each arrangement and seat, the place in the line-up

    @property
    def agents(self) -> np.ndarray[Any, Any]:
        """The name of the agent in every seat of every match."""
        return np.asarray(np.array(self.line_up)[self.seatings][self.matches["arrangement"]])

    def shares(self) -> dict[str, "Estimate"]:
        """How often each agent wins from a seat of its own, over all seatings; an equal share is 1 / seats."""
        from boardgames.play.estimates import estimate_share

        agents, wins = self.agents, self.seats["win_share"]
        found = {}
        for name in dict.fromkeys(self.line_up):
            own = agents == name
            by_match = (wins * own).sum(axis=1) / own.sum(axis=1)
            found[name] = estimate_share(by_match.reshape(-1, len(self.seatings)).mean(axis=1))
        return found


@functools.lru_cache(maxsize=64)
def bound(game: Game, families: tuple[Family, ...], plain: bool = False) -> dict[Function, Any]:
    """The engine's functions with a game's rules and a line-up's agents in their places, compiled or plain."""
    places = {getattr(protocol, name): function for name, function in game.functions().items()}
    seated = dict(zip(engine.SLOTS, (family.choose for family in families), strict=False))
    functions = rebind(ROOTS, {**places, **seated})
    if plain:
        return functions
    from boardgames.play.compiled import compile_rules

    machine = compile_rules(game.name, list(functions.values()), _asks_python)
    return {root: machine[function] for root, function in functions.items()}


def _asks_python(function: Function) -> bool:
    """Whether an agent that is no rule can be reached: then it stays plain, and all that it calls besides is compiled."""
    agents = {slot.__name__ for slot in engine.SLOTS}
    return any(name in agents and not is_rule(value) for rule in reached([function]) for name, value in mentioned(rule).items())


def slots(line_up: Sequence[Agent]) -> tuple[Family, ...]:
    """The kinds of agents in a line-up, in an order that does not depend on the seats."""
    families = tuple(sorted({agent.family for agent in line_up}, key=lambda family: family.name))
    if len(families) > len(engine.SLOTS):
        raise BadInput(f"a line-up has at most {len(engine.SLOTS)} different kinds of agents, not {len(families)}")
    return families


def make_desk(game: Game, line_up: Sequence[Agent]) -> Desk:
    """Scratch memory for one worker: enough for the most demanding agent of the line-up."""
    needs = Needs(*map(max, *[Needs(), Needs()], *(agent.needs(game) for agent in line_up)))
    laps = game.cap // 2 + 2
    return Desk(
        worlds=np.zeros(max(1, needs.worlds), game.state),
        actions=np.zeros((1 + needs.depth, game.actions), np.int64),
        nodes=np.zeros(max(1, needs.nodes), NODE),
        marks=np.zeros(game.actions + 1, np.int64),
        reals=np.zeros(max(1, needs.reals), np.float64),
        masks=_masks(game, line_up),
        nobody=np.zeros(NUMBERS, np.int64),
        prizes=_prizes(game, line_up),
        logs=logs(max(game.actions, needs.logs)),
        keys=np.zeros(MOST_SEATS, np.int64),
        asked=np.zeros(MOST_SEATS * PHASES, np.int64),
        turn_of=np.zeros(MOST_SEATS * PHASES, np.int64),
        outlooks=np.zeros((laps, MOST_SEATS), np.int64),
        scores=np.zeros((laps, MOST_SEATS), np.int64),
        standings=np.zeros(MOST_SEATS, np.int64),
    )


def _masks(game: Game, line_up: Sequence[Agent]) -> np.ndarray[Any, Any]:
    """What each agent of a line-up may do; row 0 is nobody's."""
    masks = np.zeros((1 + len(line_up), game.actions), np.int16)
    for row, agent in enumerate(line_up, 1):
        masks[row, list(agent.forbidden)] = FORBIDDEN
        masks[row, list(agent.forced)] = FORCED
    return masks


def _prizes(game: Game, line_up: Sequence[Agent]) -> np.ndarray[Any, Any]:
    prizes = np.zeros((1 + len(line_up), max(1, len(game.tallies))), np.int64)
    for row, agent in enumerate(line_up, 1):
        prizes[row, : len(agent.prizes)] = agent.prizes
    return prizes


@functools.cache
def logs(actions: int) -> np.ndarray[Any, Any]:
    """log2 of 0 .. actions in 1/65536, by integer arithmetic alone: the same on every machine. log of 0 counts as 0."""
    return np.array([0, *(_log2(n) for n in range(1, actions + 1))], np.int64)


def _log2(n: int) -> int:
    """Sixteen binary digits behind the point: squaring doubles the logarithm, and each overflow is a digit."""
    whole = n.bit_length() - 1
    result, x = whole, n << (62 - whole)  # x is in [1, 2) as a fixed-point number with 62 digits
    for _ in range(16):
        x = x * x >> 62
        result *= 2
        if x >> 63:
            x >>= 1
            result += 1
    return result


def stream_names(game: Game) -> np.ndarray[Any, Any]:
    """A number for each stream's name: a new stream does not shift the others."""
    return np.array([_name_key(name) for name in game.streams], np.int64)


def _name_key(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big") >> 2


class Table(NamedTuple):
    """All that a cell's slices share."""

    variant: Variant
    line_up: tuple[Agent, ...]
    seatings: np.ndarray[Any, Any]
    functions: dict[Function, Any]
    seed: int

    def play(self, first: int, blocks: int, desk: Desk) -> Batch:
        """Play some blocks at this desk."""
        game, seats = self.variant.game, len(self.line_up)
        rows = blocks * len(self.seatings)
        families = slots(self.line_up)
        rows_of = [agent.row(families.index(agent.family), place, game) for place, agent in enumerate(self.line_up)]
        agents = np.array(rows_of, np.int64)
        names = tuple(agent.name for agent in self.line_up)
        batch = Batch(np.zeros(rows, engine.MATCH), np.zeros((rows, seats), engine.seat_record(game)), names, self.seatings)
        sign = -1 if game.low_wins else 1
        desk.turn_of[:] = 0  # a desk used before knows nothing of these matches
        try:
            with explaining(game):
                self.functions[engine.play_blocks](
                    self.variant.blank(seats), self.seed, first, blocks, agents, self.seatings, stream_names(game), game.cap, sign,
                    desk, np.zeros(1, game.state), batch.matches, batch.seats,
                )  # fmt: skip
        except ArithmeticError as error:  # the only error that compiled rules raise; they do not say where
            raise self.failure(error, batch.matches) from error
        return batch

    def failure(self, error: ArithmeticError, matches: np.ndarray[Any, Any]) -> BadInput:
        """Where compiled rules failed: the match that was on is played again by the plain rules, if its agents are quick."""
        from boardgames.play.match import replay

        begun = np.flatnonzero(matches["block"] | matches["arrangement"])
        block, arrangement = (int(matches[name][begun[-1] if len(begun) else 0]) for name in ("block", "arrangement"))
        if all(agent.family.name in QUICK for agent in self.line_up):
            with np.errstate(all="raise"):
                try:
                    replay(
                        self.variant, self.line_up, self.seatings[arrangement], seed=self.seed, block=block, arrangement=arrangement
                    )
                except RuleFailed as told:
                    return told
        where = f"with seed {self.seed}, in block {block}"
        return RuleFailed(f"the rules of {self.variant.game.name} fail {where}: {type(error).__name__}: {error}")


def set_table(variant: Variant, line_up: Sequence[Agent], seed: int = 1, plain: bool = False) -> Table:
    """Bind and compile for a cell. The seatings depend only on the line-up."""
    check_seed(seed)
    variant.blank(len(line_up))
    seatings = np.array(arrangements(line_up), np.int64)
    functions = bound(variant.game, slots(line_up), plain)
    return Table(variant, tuple(line_up), seatings, functions, seed)


def check_seed(seed: int, block: int = 0) -> None:
    """Refuse numbers that chance cannot be keyed by."""
    if not 0 <= seed < 2**62:
        raise BadInput(f"seed {seed}: a seed is a whole number from 0 to 2**62 - 1")
    if not 0 <= block < 2**62:
        raise BadInput(f"block {block}: a block is a whole number from 0 to 2**62 - 1")


def warm_up(table: Table) -> None:
    """Compile, or load what was compiled before, by playing no block at all."""
    play_blocks = table.functions[engine.play_blocks]
    if hasattr(play_blocks, "py_func"):
        from boardgames.play.compiled import compiling

        kinds = ",".join(family.name for family in slots(table.line_up))
        with compiling(table.variant.game, play_blocks, kinds):
            table.play(0, 0, make_desk(table.variant.game, table.line_up))


def refine(table: Table) -> None:
    """Optimise the machine code further than a first match needs: for runs of minutes. Others may play meanwhile."""
    play_blocks = table.functions[engine.play_blocks]
    if hasattr(play_blocks, "refine"):
        play_blocks.refine()


def play_batch(
    variant: Variant, agents: str | Sequence[Agent], seats: int, blocks: int, *, seed: int = 1, first: int = 0, workers: int = 1,
    plain: bool = False,
) -> Batch:  # fmt: skip
    """Play blocks of one cell on some threads; the same rows in the same order for any number of them."""
    line_up = find_line_up(agents, seats, variant.game) if isinstance(agents, str) else tuple(agents)
    table = set_table(variant, line_up, seed, plain)
    warm_up(table)
    parts = spans(first, blocks, len(table.seatings))
    desks = threading.local()

    def part(span: tuple[int, int]) -> Batch:
        if not hasattr(desks, "mine"):
            desks.mine = make_desk(variant.game, line_up)
        return table.play(*span, desks.mine)

    with ThreadPoolExecutor(workers) as pool:
        played = list(pool.map(part, parts))
    matches, seat_rows = (np.concatenate(rows) for rows in zip(*(batch[:2] for batch in played), strict=True))
    return played[0]._replace(matches=matches, seats=seat_rows)


def spans(first: int, blocks: int, seatings: int) -> list[tuple[int, int]]:
    """Cut a run of blocks into (first, how many), at multiples of SLICE, about MATCHES matches each."""
    stride = SLICE * max(1, MATCHES // (SLICE * seatings))
    edges = [first, *range(first - first % stride + stride, first + blocks, stride), first + blocks]
    return [(low, high - low) for low, high in itertools.pairwise(edges)]
