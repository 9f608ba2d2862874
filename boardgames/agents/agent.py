"""Agents choose an action for a seat: how people write them, and which there are.

An agent gets the true state but looks ahead only on resampled ones, and its chance comes only from its key.
It returns the chosen action. It is not called if there is only one. The functions themselves are in
`greedy.py` and `search.py`.
"""

import functools
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from boardgames.agents import greedy, learned, search
from boardgames.agents.scratch import FIRST_NUMBER, OWN_ROW, ROW_LENGTH, SLOT, ScratchSize
from boardgames.agents.trusted_weights import WEIGHTS, find_trusted_file
from boardgames.agents.weights import LearnedPlayer, Net, load_player
from boardgames.errors import InvalidInput, PluginError, make_unknown_error
from boardgames.game import spec as specs
from boardgames.game.game import Game
from boardgames.game.parameters import FileName, Int, NameList, OneOf, Parameter, Share
from boardgames.game.plugins import find_entry_points, load_plugin
from boardgames.game.variant import check_is_game
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function, is_rule, rebind

AGENTS_GROUP = "boardgames.agents"
FAST_TYPES = ("random", "greedy")  # agent types that are fast enough without the compiler


class PythonCode(NamedTuple):
    """What is known about an agent that is written in Python."""

    fingerprint: str
    is_deterministic: bool  # if not, its actions are stored: no seed brings its matches back


@dataclass(frozen=True, kw_only=True)
class AgentType:
    """A type of agent: its rule function, its parameters, and the memory it needs."""

    name: str
    choose: Function
    description: str
    parameters: tuple[Parameter, ...] = ()
    python: PythonCode | None = None  # of an agent in a file, named `./mine.py:agent`
    main_parameter: str = ""  # the parameter written after the colon: mcts:256
    net_file: str = ""  # how the name of the file with its nets ends, which its parameter WEIGHTS names
    scratch_size: Callable[[Mapping[str, Any], Game], ScratchSize] = lambda values, game: ScratchSize()
    # what the function finds in its row, by index; by default its parameters, in their order
    make_numbers: Callable[[Mapping[str, Any], Game], Mapping[int, int]] = lambda values, game: {
        index: int(value) for index, value in enumerate(values.values(), FIRST_NUMBER)
    }


@dataclass(frozen=True, kw_only=True)
class Agent:
    """An agent type with values for its parameters, under the restrictions of its spec or style."""

    agent_type: AgentType
    name: str
    values: Mapping[str, Any]
    player: LearnedPlayer | None = None  # whose nets it uses
    forbidden: tuple[int, ...] = ()  # actions it takes only if all legal ones are forbidden
    forced: tuple[int, ...] = ()  # actions it takes whenever one is legal
    prizes: tuple[int, ...] = ()  # what each tally is worth to it beside the evaluation

    def __repr__(self) -> str:
        return f"<Agent {self.name}>"

    @property
    def has_own_row(self) -> bool:
        """Whether it has its own row of restrictions and prizes in the scratch memory."""
        return bool(self.forbidden or self.forced or any(self.prizes))

    def make_row(self, slot: int, index: int, game: Game) -> list[int]:
        """What the compiled function reads: see SLOT, OWN_ROW and FIRST_NUMBER."""
        row = [0] * ROW_LENGTH
        row[SLOT] = slot
        row[OWN_ROW] = 1 + index if self.has_own_row else 0
        for place, number in self.agent_type.make_numbers(self.values, game).items():
            row[place] = number
        return row

    def scratch_size(self, game: Game) -> ScratchSize:
        return self.agent_type.scratch_size(self.values, game)

    def find_net(self, players: int) -> Net | None:
        """The net that it plays by with this many players; None if it uses none."""
        return self.player.find_net(players) if self.player else None


RESTRICTIONS = (
    NameList("forbid", (), "groups of actions it never chooses while another is legal"),
    NameList("force", (), "groups of actions it chooses from whenever one is legal"),
)


LEARNED, EVALUATION = ".learned", ".evaluation"  # the ends of names: nets that choose, nets that evaluate
NOISE = Share("noise", 0.0, "share of its choices that it makes at random")
MAX_WIDENING = 100_000
AIM = OneOf("aim", "win", "what it tries to get: the win, or points", ("win", "score"))
TURNS = Int(
    "turns",
    2,
    "turns after which the evaluation judges a playout; 0 = at its end, as always for points",
    0,
    1000,
)
PICKY = Int(
    "picky",
    8,
    "random actions of which others, and a playout, take the best looking; 1 = any, and others are searched",
    1,
    64,
)


SEARCH_PARAMETERS = (
    Int("playouts", 256, "iterations, each with a resampled world and a playout", 1, 1 << 20),
    AIM,
    TURNS,
    PICKY,
    Int("explore", 70, "how much it tries what it has tried little, in hundredths", 0, 1000),
    Int(
        "widen",
        30,
        "how soon it tries more than two actions, in hundredths of the root of visits",
        0,
        MAX_WIDENING,
    ),
)


def _make_greedy_numbers(values: Mapping[str, Any], game: Game) -> dict[int, int]:
    """Without luck and secrets, all resampled worlds are the same: one is enough."""
    return {
        greedy.WORLDS: values["worlds"] if game.has_luck_or_secrets else 1,
        greedy.NOISE: round(greedy.NOISE_PARTS * values["noise"]),
    }


def _make_mcts_numbers(values: Mapping[str, Any], game: Game) -> dict[int, int]:
    """If a game has no evaluation, nothing says which actions look good: all are tried, and played out at
    random.
    """
    has_evaluation = game.evaluate is not None
    aim = "score" if game.is_cooperative else values["aim"]
    return {
        search.PLAYOUTS: values["playouts"],
        search.AIM: AIM.choices.index(aim),
        search.EXPLORATION: values["explore"],
        search.PLAYOUT_CAP: game.cap,
        search.SIGN: -1 if game.low_wins else 1,
        search.WIDENING: values["widen"] if has_evaluation else MAX_WIDENING,
        search.DRAWS: values["picky"] if has_evaluation else 1,
        search.TURNS: values["turns"] if has_evaluation and aim == "win" else 0,
    }


def _make_mcts_scratch_size(values: Mapping[str, Any], game: Game) -> ScratchSize:
    playouts = values["playouts"]
    return ScratchSize(
        worlds=search.FIRST_TRIAL + greedy.TRIAL_WORLDS,
        depth=2,
        nodes=2 * playouts + 64,
        logs=playouts + 2,
    )


def copy_rule(rule: Function, replacements: Mapping[Function, Function]) -> Function:
    """A copy of an agent's function in which it calls others than before. What a game replaces stays as it
    is.
    """
    return rebind(
        [rule],
        replacements,
        follow=lambda value: is_rule(value) and value.__module__ != protocol.__name__,
    )[rule]


BUILT_IN = {
    agent_type.name: agent_type
    for agent_type in (
        AgentType(
            name="random",
            choose=greedy.choose_at_random,
            description="every legal action with equal chance",
        ),
        AgentType(
            name="greedy",
            choose=greedy.choose_greedily,
            description="what looks best at the end of its own turn",
            parameters=(
                Int("worlds", 2, "resampled worlds it looks at", 1, 64),
                NOISE,
            ),
            scratch_size=lambda values, game: ScratchSize(
                worlds=greedy.TRIAL_WORLDS + values["worlds"], depth=1
            ),
            make_numbers=_make_greedy_numbers,
        ),
        AgentType(
            name="learned",
            choose=learned.choose_by_net,
            description="what a trained net likes best at the end of its own turn",
            parameters=(
                FileName(WEIGHTS, "", "file of a trained player; the game's own, if none is named"),
                Int("worlds", 1, "resampled worlds it looks at", 1, 64),
                NOISE,
            ),
            main_parameter=WEIGHTS,
            net_file=LEARNED,
            scratch_size=lambda values, game: ScratchSize(worlds=greedy.TRIAL_WORLDS + 1, depth=1),
            make_numbers=_make_greedy_numbers,
        ),
        AgentType(
            name="mcts",
            choose=search.search_tree,
            description="search in a tree of what it can know, each iteration in another resampled world",
            parameters=SEARCH_PARAMETERS,
            main_parameter="playouts",
            scratch_size=_make_mcts_scratch_size,
            make_numbers=_make_mcts_numbers,
        ),
        AgentType(
            name="learned-mcts",
            choose=copy_rule(search.search_tree, {search.rate_seat: learned.rate_seat_by_net}),
            description="like mcts, but a trained net judges where a playout ends",
            parameters=(
                *SEARCH_PARAMETERS,
                FileName(WEIGHTS, "", "file of a trained evaluation; the game's own, if none is named"),
            ),
            main_parameter="playouts",
            net_file=EVALUATION,
            scratch_size=_make_mcts_scratch_size,
            make_numbers=_make_mcts_numbers,
        ),
    )
}


def list_agent_types() -> list[str]:
    """The names of the built-in agent types, then of plug-ins, which are not imported."""
    return [*BUILT_IN, *(name for name in find_entry_points(AGENTS_GROUP) if name not in BUILT_IN)]


@functools.cache
def find_agent_type(name: str) -> AgentType:
    """A built-in agent type or a plug-in's. A broken plug-in is an error only here, where it is named."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    agent_type = load_plugin(name, AGENTS_GROUP)
    if not isinstance(agent_type, AgentType) or agent_type.name != name:
        raise PluginError(f"plug-in '{name}' is no boardgames.agents.agent.AgentType of that name")
    return agent_type


def find_agent(spec: str, game: Game | None = None) -> Agent:
    """The agent that a spec names: `greedy`, `greedy+noise=0.1`, `mcts:256+forbid=cult-draw`, or a style of
    the game.
    """
    if not isinstance(spec, str):
        raise make_no_agent_error(spec)
    if game is not None:
        check_is_game(game)
    base, given = specs.split_spec(spec.strip())
    styles = game.styles if game else {}
    style = styles.get(base)
    if style:
        style_base, style_given = specs.split_spec(style.agent)
        return _make_agent(spec, base, style_base, {**style_given, **given}, style_given, game, style.prizes)
    return _make_agent(spec, "", base, given, {}, game, {})


def make_no_agent_error(value: Any) -> InvalidInput:
    """For what was named in place of an agent: what to write instead."""
    return InvalidInput(f"{value!r} is not an agent: write its spec, 'mcts:64', or pass an Agent")


def find_usual_agent(games: Sequence[Game], players: int) -> str:
    """Who plays if no agent is named: the strongest one that plays thousands of matches a second in all these
    games, `learned` if each of them has a net for this many players, else `greedy`.
    """
    return "learned" if all(_has_net(game, players) for game in games) else "greedy"


def _has_net(game: Game, players: int) -> bool:
    """Whether a game, or the one it was derived from, has a trained net that fits for this many players."""
    file = find_net_file(game, BUILT_IN["learned"])
    if file is None:
        return False
    try:
        return players in load_player(file, game).nets
    except InvalidInput:
        if game.derived_from:  # its rules may be too different for the parent's net
            return False
        raise


def find_usual_agents(games: Sequence[Game], player_counts: Sequence[int]) -> str:
    """The usual agent of several player counts: `learned`, if it is that of any. `find_agent_at` says who
    plays at the others.
    """
    agents = [find_usual_agent(games, players) for players in player_counts]
    return "learned" if "learned" in agents else "greedy"


def find_agent_at(agent: str, games: Sequence[Game], players: int) -> str:
    """Who plays with this many players: the agent itself, but the usual one in place of `learned` where a
    game has no net.
    """
    return find_usual_agent(games, players) if agent == "learned" else agent


def check_nets(agents: Sequence[str], games: Sequence[Game], player_counts: Sequence[int]) -> None:
    """Raise if an agent that was named has no net for one of these player counts."""
    for agent, game, players in itertools.product(agents, games, player_counts):
        find_agent(agent, game).find_net(players)


def _make_agent(
    spec: str,
    style: str,
    base: str,
    given: Mapping[str, str],
    base_given: Mapping[str, str],
    game: Game | None,
    prizes: Mapping[str, int],
) -> Agent:
    head, colon, budget = base.partition(":")
    agent_type = _find_type_of(base, game)
    if game and game.is_cooperative:
        agent_type = _make_cooperative(agent_type)
    if agent_type.python:
        head, colon, budget = base, "", ""
    if colon and not agent_type.main_parameter:
        raise InvalidInput(f"'{spec}': {head} takes no number after a colon")
    parameters = (*agent_type.parameters, *RESTRICTIONS)
    main = {agent_type.main_parameter: budget} if colon else {}
    base_values = specs.validate_values(head, parameters, {**main, **base_given}, ())
    values = specs.validate_values(head, parameters, {**main, **given}, ())
    budget = str(values.get(agent_type.main_parameter, ""))
    base = style or (f"{head}:{budget}" if budget else head)
    name = specs.format_spec(
        base, [p for p in parameters if style or p.name != agent_type.main_parameter], values, base_values
    )
    tallies = tuple(prizes.get(tally, 0) for tally in game.tallies) if game else ()
    is_in_spec = not style or values.get(WEIGHTS) != base_values.get(WEIGHTS)  # else the game names it
    player = _load_player(agent_type, values, game, spec if is_in_spec else "")
    forbidden, forced = (_list_group_actions(game, values.pop(kind)) for kind in ("forbid", "force"))
    return Agent(
        agent_type=agent_type,
        name=name,
        values=values,
        player=player,
        forbidden=forbidden,
        forced=forced,
        prizes=tallies if any(tallies) else (),
    )


@functools.cache
def _make_cooperative(agent_type: AgentType) -> AgentType:
    """The agent type for co-operative games: it looks for a good end of the match, where others look for a
    win. It has a fingerprint of its own, because its code is another one.
    """
    if agent_type.name not in ("greedy", "mcts"):
        return agent_type
    choose = copy_rule(agent_type.choose, {greedy.rate_state: greedy.rate_shared_state})
    return replace(agent_type, choose=choose)


def _find_type_of(base: str, game: Game | None) -> AgentType:
    """The agent type that the first part of a spec names."""
    head = base.partition(":")[0]
    type_names = list_agent_types()
    if head in type_names:
        return find_agent_type(head)
    from boardgames.agents.python_agent import find_python_type, is_address

    if is_address(base):
        if game is None:
            raise InvalidInput(
                f"{base}: an agent in a file plays one game: write find_agent({base!r}, variant.game)"
            )
        return find_python_type(base, game)
    advice = "An agent of your own is named ./file.py:NAME"
    raise make_unknown_error("agent", head, [*type_names, *(game.styles if game else {})], advice)


def _load_player(
    agent_type: AgentType, values: dict[str, Any], game: Game | None, spec: str
) -> LearnedPlayer | None:
    """The learned player that an agent plays by. Its file's name says nothing about how it plays, so it is no
    value any longer. A file that a spec names must have been named by a person.
    """
    if not agent_type.net_file:
        return None
    path = values.pop(WEIGHTS)
    if game is None:
        return None
    if path:
        return load_player(find_trusted_file(path, spec) if spec else Path(path), game)
    file = find_net_file(game, agent_type)
    if file is None:
        raise InvalidInput(_explain_missing_file(game, agent_type))
    return load_player(file, game)


def _explain_missing_file(game: Game, agent_type: AgentType) -> str:
    train = f"Train one with `boardgames train {game.name}`"
    if agent_type.net_file == EVALUATION:
        return f"{game.name} has no learned evaluation. {train}, then write learned-mcts:256+{WEIGHTS}=FILE"
    return f"{game.name} has no learned player. {train}, then write learned:FILE"


def find_net_file(game: Game, agent_type: AgentType) -> Path | None:
    """The game's own file with the nets of an agent type; None if it has none."""
    file = game.learned.with_suffix(agent_type.net_file) if game.learned else None
    return file if file and file.is_file() else None


def _list_group_actions(game: Game | None, names: Sequence[str]) -> tuple[int, ...]:
    """The actions of some groups of a game."""
    for name in names:
        if game is None:
            raise InvalidInput(f"'{name}' is a group of actions: it means something only in a game")
        if name not in game.groups:
            raise make_unknown_error(f"group of actions in {game.name}", name, game.groups)
    return tuple(sorted({action for name in names for action in (game.groups[name] if game else ())}))
