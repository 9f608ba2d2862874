"""Play batches: bind the engine to a game and a line-up, allocate once, spread deals over threads."""

import functools
import hashlib
import itertools
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from boardgames.agents.agent import FAST_TYPES, Agent, AgentType
from boardgames.agents.scratch import FORBIDDEN, FORCED, NET, NODE, ROW_LENGTH, SEARCH, Scratch, ScratchSize
from boardgames.agents.seating import LineUp, find_line_up, list_seatings
from boardgames.agents.weights import list_nets, make_net_memory
from boardgames.errors import InvalidInput
from boardgames.game.game import MAX_PHASES, MAX_PLAYERS, RULE_FUNCTIONS, Game
from boardgames.game.mistakes import RuleFailed, explain_errors
from boardgames.game.player_counts import Players, find_player_count
from boardgames.game.plugins import find_variant
from boardgames.game.variant import Variant
from boardgames.given_values import is_whole_number, read_whole_number
from boardgames.notebook import format_table
from boardgames.play import engine
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function, globals_used, is_rule, reachable_rules, rebind

if TYPE_CHECKING:
    from boardgames.play.estimates import Estimate
    from boardgames.play.swaps import SwapDesign

SLICE = 64  # deals come in aligned slices
MATCHES_PER_SPAN = (
    4096  # matches that a thread plays per call from Python: enough to make the call's cost small
)
ROOTS = (
    engine.play_deals,
    engine.play_swapped_deals,
    engine.begin_match,
    engine.make_deal_key,
    engine.make_seat_key,
    engine.make_decision_key,
    engine.choose,
    *(getattr(protocol, name) for name in RULE_FUNCTIONS),
    protocol.rekey_and_resample,
)


class Batch(NamedTuple):
    """Rows of played matches: one per match, and one per match and seat. Field names are column names."""

    matches: np.ndarray[Any, Any]
    seats: np.ndarray[Any, Any]
    line_up: tuple[str, ...] = ()  # the agents' names as typed; rows that only go to or from a file need none
    # for each seating and seat, the index in the line-up
    seatings: np.ndarray[Any, Any] = np.zeros((1, 0), np.int64)
    actions: tuple[tuple[int, ...], ...] = ()  # of each match, if its seed alone does not bring it back

    def __repr__(self) -> str:
        players = self.seats.shape[1]
        return f"<Batch of {len(self.matches):,} matches, {players} players: {', '.join(self.line_up)}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: how often each agent wins, and how long matches are."""
        shares = {name: share.scale(100) for name, share in self.shares().items()}
        scores = self.seats["score"]
        interval = (
            "an equal share: no other agent plays" if self.has_equal_shares else "{0.low:.1f} to {0.high:.1f}"
        )
        rows = [
            (
                name,
                f"{share.mean:.1f}% ({interval.format(share)})",
                f"{scores[self.agents == name].mean():.1f}",
            )
            for name, share in shares.items()
        ]
        turns = f"{self.matches['turns'].mean():.1f} turns on average"
        table = format_table(("agent", "wins per seat (95% interval)", "mean score"), rows)
        return f"<p>{escape(repr(self)[1:-1])}; {turns}</p>{table}"

    def table(self) -> Any:
        """A row for each match and seat, as a pandas DataFrame."""
        import pandas as pd

        matches, players = len(self.matches), self.seats.shape[1]
        columns: dict[str, Any] = {
            name: self.matches[name].repeat(players) for name in ("deal", "seating", "turns", "decisions")
        }
        columns |= {"seat": np.tile(np.arange(1, players + 1), matches), "agent": self.agents.ravel()}
        columns |= {name: self.seats[name].ravel() for name in ("score", "rank", "win_share")}
        return pd.DataFrame(columns)

    @property
    def agents(self) -> np.ndarray[Any, Any]:
        """The name of the agent in every seat of every match."""
        return np.asarray(np.array(self.line_up)[self.seatings][self.matches["seating"]])

    def shares(self) -> dict[str, "Estimate"]:
        """Each agent's share of the wins per seat it plays, over all seatings; an equal share is 1 /
        players. One agent in all seats has it by construction: its interval is that number alone.
        """
        from boardgames.play.estimates import Estimate, estimate_share

        by_deal = self.shares_by_deal()
        if self.has_equal_shares:
            share = 1 / self.seats.shape[1]
            return {name: Estimate(share, share, share, len(shares)) for name, shares in by_deal.items()}
        seats = {name: self.line_up.count(name) for name in by_deal}
        # together an agent's seats win a share between 0 and 1, and two agents' shares add up to 1
        return {
            name: estimate_share(shares * seats[name]).scale(1 / seats[name])
            for name, shares in by_deal.items()
        }

    @property
    def has_equal_shares(self) -> bool:
        """Whether the shares of the wins say nothing: one agent has all seats, and each match is won."""
        return len(set(self.line_up)) == 1 and bool(np.allclose(self.seats["win_share"].sum(axis=1), 1))

    def shares_by_deal(self) -> dict[str, np.ndarray[Any, Any]]:
        """Each agent's share of the wins per seat it plays, for each deal."""
        agents = self.agents
        wins = self.seats["win_share"]
        shares = {}
        for name in dict.fromkeys(self.line_up):
            own = agents == name
            by_match = (wins * own).sum(axis=1) / own.sum(axis=1)
            shares[name] = by_match.reshape(-1, len(self.seatings)).mean(axis=1)
        return shares


@functools.lru_cache(maxsize=64)
def bind_engine(
    game: Game,
    agent_types: tuple[AgentType, ...],
    compiled: bool = True,
    roots: tuple[Function, ...] = ROOTS,
) -> dict[Function, Any]:
    """The engine's functions with a game's rules and agents in place of the placeholders: {original:
    bound}.
    """
    replacements = {getattr(protocol, name): function for name, function in game.functions().items()}
    chosen_by_slot = dict(zip(engine.SLOTS, (agent_type.choose for agent_type in agent_types), strict=False))
    recorders = {engine.note_action: _record_action} if has_unrepeatable(agent_types) else {}
    functions = rebind(roots, {**replacements, **chosen_by_slot, **recorders})
    if not compiled:
        return functions
    from boardgames.play.compiled import compile_rules

    machine = compile_rules(game.name, list(functions.values()), _calls_python)
    return {root: machine[function] for root, function in functions.items()}


def has_unrepeatable(agent_types: Sequence[AgentType]) -> bool:
    """Whether one of them may choose otherwise the next time: then the actions of its matches are kept."""
    return any(agent_type.python and not agent_type.python.is_deterministic for agent_type in agent_types)


_RECORDED = threading.local()


def _record_action(row: Any, action: int) -> None:
    """In place of the engine's `note_action`, where the loop runs uncompiled."""
    engine.note_action(row, action)
    _RECORDED.actions.append(int(action))


def _calls_python(function: Function) -> bool:
    """Whether a function calls, directly or not, an agent that is no rule: then it stays uncompiled, and only
    its other callees are compiled.
    """
    agents = {slot.__name__ for slot in engine.SLOTS}
    return any(
        name in agents and not is_rule(value)
        for rule in reachable_rules([function])
        for name, value in globals_used(rule).items()
    )


def assign_slots(line_up: Sequence[Agent]) -> tuple[AgentType, ...]:
    """The agent types of a line-up by slot, in an order that does not depend on the seats."""
    agent_types = tuple(
        sorted({agent.agent_type for agent in line_up}, key=lambda agent_type: agent_type.name)
    )
    if len(agent_types) > len(engine.SLOTS):
        raise InvalidInput(
            f"a line-up has at most {len(engine.SLOTS)} different kinds of agents, not {len(agent_types)}"
        )
    return agent_types


def make_scratch(game: Game, line_up: Sequence[Agent], players: int | None = None) -> Scratch:
    """Scratch memory for one worker, large enough for each agent of the line-up, at a table for `players` (as
    many as the line-up has, if not given).
    """
    size = ScratchSize(
        *map(max, *[ScratchSize(), ScratchSize()], *(agent.scratch_size(game) for agent in line_up))
    )
    rounds = game.cap // 2 + 2
    worlds = np.zeros(max(1, size.worlds), game.state)
    nets = list_nets([agent.find_net(players or len(line_up)) for agent in line_up])
    return Scratch(
        worlds=worlds,
        actions=np.zeros((1 + size.depth, game.actions), np.int64),
        nodes=np.zeros(max(1, size.nodes), NODE),
        marks=np.zeros(game.actions + 1, np.int64),
        search=np.zeros(1, SEARCH),
        masks=_make_masks(game, line_up),
        unrestricted=np.zeros(ROW_LENGTH, np.int64),
        prizes=_make_prizes(game, line_up),
        logs=make_log_table(max(game.actions, size.logs)),
        keys=np.zeros(MAX_PLAYERS, np.int64),
        decisions=np.zeros(MAX_PLAYERS * MAX_PHASES, np.int64),
        decision_turns=np.zeros(MAX_PLAYERS * MAX_PHASES, np.int64),
        evaluations=np.zeros((rounds, MAX_PLAYERS), np.int64),
        scores=np.zeros((rounds, MAX_PLAYERS), np.int64),
        standings=np.zeros(MAX_PLAYERS, np.int64),
        ratings=np.zeros(game.actions, np.int64),
        teacher=np.zeros(ROW_LENGTH, np.int64),
        net=make_net_memory(game, nets, worlds, size.notes),
    )


def _make_masks(game: Game, line_up: Sequence[Agent]) -> np.ndarray[Any, Any]:
    """What each agent of a line-up may do, by action, from row 1 on; row 0 is unrestricted."""
    masks = np.zeros((1 + len(line_up), game.actions), np.int16)
    for row, agent in enumerate(line_up, 1):
        masks[row, list(agent.forbidden)] = FORBIDDEN
        masks[row, list(agent.forced)] = FORCED
    return masks


def _make_prizes(game: Game, line_up: Sequence[Agent]) -> np.ndarray[Any, Any]:
    prizes = np.zeros((1 + len(line_up), max(1, len(game.tallies))), np.int64)
    for row, agent in enumerate(line_up, 1):
        prizes[row, : len(agent.prizes)] = agent.prizes
    return prizes


@functools.cache
def make_log_table(actions: int) -> np.ndarray[Any, Any]:
    """log2 of 0 .. actions in 1/65536, by integer arithmetic, so the same on every machine; log2 of 0 counts
    as 0.
    """
    return np.array([0, *(_log2(n) for n in range(1, actions + 1))], np.int64)


def _log2(n: int) -> int:
    """log2 with sixteen binary digits after the point: squaring doubles it, and each overflow is a digit."""
    whole = n.bit_length() - 1
    result, x = whole, n << (62 - whole)  # x is in [1, 2) as a fixed-point number with 62 digits
    for _ in range(16):
        x = x * x >> 62
        result *= 2
        if x >> 63:
            x >>= 1
            result += 1
    return result


def hash_stream_names(game: Game) -> np.ndarray[Any, Any]:
    """A number for each stream's name: a new stream does not shift the others."""
    return np.array([_hash_name(name) for name in game.streams], np.int64)


def _hash_name(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "big") >> 2


def make_setting(
    variant: Variant, players: int, line_up: Sequence[Agent], seatings: np.ndarray[Any, Any], seed: int
) -> engine.Setting:
    """What all matches of a cell share. At a table that is stepped from outside, the line-up has fewer agents
    than there are players.
    """
    game = variant.game
    return engine.Setting(
        blank=variant.make_blank_state(players),
        seed=seed,
        agents=_make_agent_rows(game, line_up, players),
        seatings=seatings,
        stream_names=hash_stream_names(game),
        cap=game.cap,
        sign=-1 if game.low_wins else 1,
    )


def _make_agent_rows(game: Game, line_up: Sequence[Agent], players: int) -> np.ndarray[Any, Any]:
    """The numbers that each agent of the line-up reads."""
    agent_types = assign_slots(line_up)
    rows = [
        agent.make_row(agent_types.index(agent.agent_type), index, game)
        for index, agent in enumerate(line_up)
    ]
    numbers = np.array(rows, np.int64).reshape(-1, ROW_LENGTH)
    nets = [agent.find_net(players) for agent in line_up]
    indices = {net.digest: index for index, net in enumerate(list_nets(nets))}
    numbers[:, NET] = [indices[net.digest] if net else 0 for net in nets]
    return numbers


class Runner(NamedTuple):
    """Plays deals of one cell: all that its slices share."""

    variant: Variant
    line_up: tuple[Agent, ...]
    seatings: np.ndarray[Any, Any]
    functions: dict[Function, Any]
    seed: int
    swaps: "SwapDesign | None" = None  # how to swap chance; if it is None, a deal is played in every seating

    @property
    def play(self) -> Any:
        """The engine's function that plays deals of this kind."""
        return self.functions[engine.play_swapped_deals if self.swaps else engine.play_deals]

    def run(self, first: int, deals: int, scratch: Scratch) -> Batch:
        """Play some deals, with this scratch memory."""
        game = self.variant.game
        players = len(self.line_up)
        rows = deals * (self.swaps.matches_per_deal if self.swaps else len(self.seatings))
        names = tuple(agent.name for agent in self.line_up)
        batch = Batch(
            np.zeros(rows, engine.MATCH),
            np.zeros((rows, players), engine.make_seat_type(len(game.tallies))),
            names,
            self.seatings,
        )
        scratch.decision_turns[:] = 0  # these may be left from other matches
        _RECORDED.actions = []
        try:
            with explain_errors(game):
                self.play(
                    first,
                    deals,
                    make_setting(self.variant, players, self.line_up, self.seatings, self.seed),
                    *([self.swaps.make_rows(first, deals)] if self.swaps else []),
                    np.zeros(1, game.state),
                    scratch,
                    engine.MatchRows(batch.matches, batch.seats),
                )
        except ArithmeticError as error:  # the only error that compiled rules raise, without saying where
            raise self.explain_failure(error, batch.matches) from error
        return batch._replace(actions=_split_actions(batch.matches["decisions"]))

    def explain_failure(self, error: ArithmeticError, matches: np.ndarray[Any, Any]) -> RuleFailed:
        """An error that says where compiled rules failed: the match is replayed by the uncompiled rules, if
        its agents are fast.
        """
        from boardgames.play.match import replay

        begun = np.flatnonzero(matches["deal"] | matches["seating"])
        deal, seating = (int(matches[name][begun[-1] if len(begun) else 0]) for name in ("deal", "seating"))
        if all(agent.agent_type.name in FAST_TYPES for agent in self.line_up):
            with np.errstate(all="raise"):
                try:
                    replay(
                        self.variant,
                        self.line_up,
                        self.seatings[seating],
                        seed=self.seed,
                        deal=deal,
                        seating=seating,
                    )
                except RuleFailed as failure:
                    return failure
        where = f"with seed {self.seed}, in deal {deal}"
        return RuleFailed(
            f"the rules of {self.variant.game.name} fail {where}: {type(error).__name__}: {error}"
        )


def _split_actions(decisions: np.ndarray[Any, Any]) -> tuple[tuple[int, ...], ...]:
    """The recorded actions of this thread, match by match; none if they were not recorded."""
    recorded = _RECORDED.actions
    if not recorded:
        return ()
    ends = np.cumsum(decisions)
    return tuple(tuple(recorded[end - count : end]) for end, count in zip(ends, decisions, strict=True))


def make_runner(variant: Variant, line_up: Sequence[Agent], seed: int = 1, compiled: bool = True) -> Runner:
    """A runner for a cell. The seatings depend only on the line-up."""
    seed = read_seed(seed)
    variant.make_blank_state(len(line_up))
    seatings = np.array(list_seatings(line_up), np.int64)
    functions = bind_engine(variant.game, assign_slots(line_up), compiled)
    return Runner(variant, tuple(line_up), seatings, functions, seed)


def read_seed(number: int, name: str = "seed") -> int:
    """A seed, or a deal or key by its name, which can be a key of chance."""
    if not is_whole_number(number) or not 0 <= number < 2**62:
        raise InvalidInput(f"{name} {number!r}: a {name} is a whole number from 0 to 2**62 - 1")
    return int(number)


def warm_up(runner: Runner) -> None:
    """Compile, or load what was compiled before, by playing 0 deals."""
    if hasattr(runner.play, "py_func"):
        from boardgames.play.compiled import watch_compiling

        kinds = ",".join(agent_type.name for agent_type in assign_slots(runner.line_up))
        with watch_compiling(runner.variant.game, runner.play, kinds):
            runner.run(0, 0, make_scratch(runner.variant.game, runner.line_up))


def refine(runner: Runner) -> None:
    """Optimise the machine code further, which pays in runs of minutes. Other threads may play meanwhile."""
    if hasattr(runner.play, "refine"):
        runner.play.refine()


def play_batch(
    variant: Variant | str,
    agents: LineUp,
    players: Players,
    deals: int,
    *,
    seed: int = 1,
    first: int = 0,
    workers: int = 1,
    compiled: bool = True,
) -> Batch:
    """Play deals of one cell: `play_batch("pig", "greedy,random", players=2, deals=100)`. Any number of
    threads (`workers`) gives the same rows in the same order.
    """
    variant = find_variant(variant)
    deals, first = read_whole_number("deals", deals), read_seed(first, "deal")
    workers = read_whole_number("workers", workers, 1)
    line_up = find_line_up(agents, find_player_count(players), variant.game)
    runner = make_runner(variant, line_up, seed, compiled)
    warm_up(runner)
    spans = cut_spans(first, deals, len(runner.seatings))
    scratches = threading.local()

    def part(span: tuple[int, int]) -> Batch:
        if not hasattr(scratches, "mine"):
            scratches.mine = make_scratch(runner.variant.game, line_up)
        return runner.run(*span, scratches.mine)

    with ThreadPoolExecutor(workers) as pool:
        played = list(pool.map(part, spans))
    matches, seat_rows = (np.concatenate(rows) for rows in zip(*(batch[:2] for batch in played), strict=True))
    actions = tuple(itertools.chain.from_iterable(batch.actions for batch in played))
    return played[0]._replace(matches=matches, seats=seat_rows, actions=actions)


def cut_spans(first: int, deals: int, seatings: int) -> list[tuple[int, int]]:
    """Cut deals into (first, number of deals) at multiples of SLICE, about MATCHES_PER_SPAN matches each."""
    stride = SLICE * max(1, MATCHES_PER_SPAN // (SLICE * seatings))
    edges = [first, *range(first - first % stride + stride, first + deals, stride), first + deals]
    return [(low, high - low) for low, high in itertools.pairwise(edges)]
