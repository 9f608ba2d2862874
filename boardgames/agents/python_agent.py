"""Agents written in plain Python: any function that takes a View and returns an action. Slow, but free to do
anything.

They play in a Match, in `play_batch` and, named `./mine.py:agent`, wherever an agent can be named; the
engine's loop then runs uncompiled, the rules and the other agents compiled. They see a resampled copy of the
position, which holds no hidden card of the true one.
"""

import ast
import functools
import hashlib
import re
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from boardgames.agents.agent import Agent, AgentType, PythonCode
from boardgames.agents.observation import make_layout
from boardgames.agents.trusted_weights import trust_weights
from boardgames.errors import BoardgamesError, InvalidInput, NotTrusted, PluginError, make_unknown_error
from boardgames.files import read_bytes
from boardgames.game.game import Game
from boardgames.game.plugins import import_module_at
from boardgames.game.spec import split_spec
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function, rebind

PYTHON = "python"
C = TypeVar("C", bound=Callable[..., Any])


@dataclass(frozen=True)
class View:
    """What a seat sees when it has to choose: a position it cannot tell from the true one, and its legal
    actions.
    """

    game: Game
    state: Any  # a copy: writing into it does no harm
    seat: int
    actions: tuple[int, ...]
    key: int  # for the agent's chance: the same decision always has the same key

    def say(self, action: int) -> str:
        return self.game.say(self.state, action)

    @property
    def observation(self) -> np.ndarray[Any, Any]:
        """The row of numbers that environments show as well: see boardgames/agents/observation.py."""
        return make_layout(self.game, int(self.state.players)).observe(self.state, self.seat)

    @property
    def mask(self) -> np.ndarray[Any, Any]:
        """Which actions are legal, as a row of booleans."""
        mask = np.zeros(self.game.actions, bool)
        mask[list(self.actions)] = True
        return mask


def mark_deterministic(*, files: Sequence[str | Path] = ()) -> Callable[[C], C]:
    """Say that an agent always makes the same choice for the same view and key:

        @mark_deterministic(files=["weights.npz"])
        def agent(view): ...

    Its matches are then replayed from their seed. `files`, named from the folder of the agent's own file, are
    what it plays by beside its code; both are part of its fingerprint.
    """

    def mark(choose: C) -> C:
        choose.__deterministic_files__ = tuple(files)  # type: ignore[attr-defined]
        return choose

    return mark


def make_python_agent(choose: Callable[[View], int], game: Game, name: str = "") -> Agent:
    """An agent that asks a Python function:

    `play_batch(variant, [make_python_agent(mine, variant.game), find_agent("greedy")], ...)`
    """
    label = name or getattr(choose, "__name__", PYTHON)
    return Agent(agent_type=_make_type(choose, game, label, None), name=label, values={})


def make_nameless_error(name: str) -> InvalidInput:
    """For stored matches, which a function without a name of its own cannot play."""
    return InvalidInput(
        f"{name} is a Python function: its matches could not be replayed. Name it by its file, "
        "./mine.py:agent, or see `keep_match`"
    )


def _make_type(choose: Callable[[View], int], game: Game, label: str, code: PythonCode | None) -> AgentType:
    def ask(state: Any, actions: Any, n: int, key: int, agent: Any, scratch: Any) -> int:
        legal = tuple(int(action) for action in actions[:n])
        view = make_view(game, state, legal, int(key))
        try:
            action = int(choose(view))
        except BoardgamesError:
            raise
        except Exception as error:
            if code is None:
                raise  # who calls from Python wants to see where
            raise PluginError(f"the agent {label} failed: {_describe_failure(error)}") from error
        if action not in legal:
            names = ", ".join(map(str, legal))
            raise InvalidInput(f"the agent {label} chose {action}, which is not legal; legal are: {names}")
        return action

    return AgentType(name=label, choose=ask, description="asks a Python function", python=code)


def _describe_failure(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}, line {last.lineno})"


def make_view(game: Game, state: Any, legal: tuple[int, ...], key: int) -> View:
    """A resampled copy of a position, for the seat to act."""
    copy = state.copy()
    _bind_resample(game)(copy, int(state.actor), key)
    return View(game, copy, int(state.actor), legal, key)


@functools.cache
def _bind_resample(game: Game) -> Function:
    functions = {getattr(protocol, name): function for name, function in game.functions().items()}
    return rebind([protocol.rekey_and_resample], functions)[protocol.rekey_and_resample]


# ---- agents in files


class LoadedAgent(NamedTuple):
    """A function that was named by its file or module, and imported."""

    choose: Callable[[View], int]
    code: PythonCode


_TYPED_ADDRESSES: list[str] = []  # those that a person has named here: they may be imported


def is_address(spec: str) -> bool:
    """Whether the base of a spec names an agent in a file or module: `./mine.py:agent`, `mine.code:agent`."""
    return re.match(r"[^:]*[./][^:]*:", spec) is not None


def trust_agent(spec: str) -> None:
    """Allow an agent that a person has named: `./mine.py:agent`, which is imported, or `learned:FILE`. Only
    such agents are used where a result file, a page or a message names one.
    """
    trust_line_up(spec)
    if is_address(address := split_spec(spec.strip())[0]):
        _load_agent(address)


def trust_line_up(line_up: str) -> None:
    """Allow all agents in files that a line-up names; they are read when they are needed."""
    for spec in line_up.split(","):
        trust_weights(spec.strip())
        address, _ = split_spec(spec.strip())
        if is_address(address) and address not in _TYPED_ADDRESSES:
            _TYPED_ADDRESSES.append(address)


@functools.cache
def _load_agent(address: str) -> LoadedAgent:
    head, _, attribute = address.rpartition(":")
    module = import_module_at(head, attribute)
    choose = getattr(module, attribute, None)
    if not callable(choose):
        functions = [
            name
            for name, value in vars(module).items()
            if callable(value) and getattr(value, "__module__", "") == module.__name__
        ]
        raise make_unknown_error(f"agent in {head}", attribute, functions)
    return LoadedAgent(choose, _describe_code(choose, Path(str(module.__file__))))


def _describe_code(choose: Callable[[View], int], path: Path) -> PythonCode:
    """The fingerprint of an agent's file, without its comments, and of the files that it plays by."""
    files = getattr(choose, "__deterministic_files__", None)
    digest = hashlib.blake2b(ast.dump(ast.parse(read_bytes(path))).encode(), digest_size=16)
    for name in files or ():
        if not (path.parent / name).is_file():
            raise InvalidInput(f"{path.name} says that its agent plays by {name}; there is no such file")
        digest.update(read_bytes(path.parent / name))
    return PythonCode(digest.hexdigest(), files is not None)


@functools.cache
def find_python_type(address: str, game: Game) -> AgentType:
    """The type of an agent that a spec names by its file or module. Raises NotTrusted if no person has."""
    head, _, attribute = address.rpartition(":")
    same_file = f"/{Path(head).name}:{attribute}"  # which may lie in another folder than when it was stored
    matching = [typed for typed in _TYPED_ADDRESSES if f"/{typed}".endswith(same_file)]
    if not matching:
        in_python = f"call trust_agent({address!r}) first"
        raise NotTrusted(address, "its agent is written in Python", "--agent", in_python)
    loaded = _load_agent(address if address in matching else matching[-1])
    return _make_type(loaded.choose, game, address, loaded.code)
