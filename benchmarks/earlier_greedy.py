"""Greedy with another evaluation than the game's present one, so that both can play in one match.

`make_earlier_greedy(game)` is greedy with the evaluation as it was at a commit: what other agents can be
measured against, however the evaluation changes.
"""

import functools
import importlib.util
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from boardgames.agents import greedy
from boardgames.agents.agent import Agent, AgentType, find_agent
from boardgames.game.game import RULE_FUNCTIONS, Game
from boardgames.rules import protocol
from boardgames.rules.rulecode import Function, is_rule, rebind

ROOT = Path(__file__).parent.parent
EARLIER_COMMIT = "504dd86"  # the last one before the evaluations were tuned
PLACEHOLDERS = {getattr(protocol, name) for name in RULE_FUNCTIONS} | {protocol.rekey_and_resample}


@functools.cache
def make_earlier_greedy(game: Game, commit: str = EARLIER_COMMIT) -> Agent:
    """Greedy with the evaluation that a game had at a commit, by the present rules of everything else."""
    text = read_evaluation_at(game.name, commit)
    return make_greedy_with(load_evaluation(text), f"greedy-{commit}")


def read_evaluation_at(game_name: str, commit: str) -> str:
    """The text of a game's evaluation module at a commit."""
    path = f"variants/{game_name}/evaluation.py"
    command = ["git", "-C", str(ROOT), "show", f"{commit}:{path}"]
    return subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout


def load_evaluation(text: str) -> Function:
    """`evaluate` of a module given as text. It is written to a file, because rules stand in files."""
    path = Path(tempfile.mkdtemp(prefix="evaluation-"), "evaluation.py")
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("earlier_evaluation", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    evaluate: Function = module.evaluate
    return evaluate


def make_greedy_with(evaluate: Function, name: str) -> Agent:
    """Greedy with its own evaluation; the other placeholders stay, and become the game's rules as usual."""
    root = greedy.choose_greedily
    plain = find_agent("greedy")
    agent_type = AgentType(
        name=name,
        choose=rebind([root], {protocol.evaluate: evaluate}, follow=_is_own_rule)[root],
        description=f"{plain.agent_type.description}, by another evaluation",
        parameters=plain.agent_type.parameters,
        scratch_size=plain.agent_type.scratch_size,
        make_numbers=plain.agent_type.make_numbers,
    )
    return Agent(agent_type=agent_type, name=name, values=plain.values)


def _is_own_rule(value: Any) -> bool:
    """Whether a function is copied: a rule, but no placeholder beside the evaluation."""
    return is_rule(value) and (value is protocol.evaluate or value not in PLACEHOLDERS)
