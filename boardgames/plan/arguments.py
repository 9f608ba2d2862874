"""What people pass to the functions of the Python API, as the texts that the command line takes: a variant or
its spec, one agent or several. Player counts are in `game.player_counts`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boardgames.agents.agent import Agent
from boardgames.agents.python_agent import make_nameless_error, trust_line_up
from boardgames.errors import InvalidInput
from boardgames.game.given import find_spec
from boardgames.game.variant import Variant
from boardgames.rules.rulecode import is_rule

VariantLike = Variant | str  # a variant, or its spec
Variants = VariantLike | Sequence[VariantLike]
Agents = Agent | str | Sequence[Agent | str]  # one agent or line-up, or several
Texts = str | Sequence[str]


def list_specs(variants: Variants | Sequence[Variants]) -> list[str]:
    """The specs of variants that were named one by one or in lists."""
    if isinstance(variants, str | Path) or not isinstance(variants, Sequence):
        return [format_variant(variants)]
    return [spec for item in variants for spec in list_specs(item)]


def format_variant(variant: Any) -> str:
    """The spec of one variant."""
    if isinstance(variant, Variant):
        return find_spec(variant)
    if isinstance(variant, Path) or str(variant).endswith(".duckdb"):
        raise InvalidInput(f"{variant} is not a variant; a result file is named by db='{variant}'")
    if not isinstance(variant, str):
        raise InvalidInput(f"{variant!r} is not a variant: write its spec, 'celtica:en', or pass a Variant")
    return variant


def list_agents(agents: Agents) -> list[str]:
    """The specs of agents or line-ups that a person has named: those in files may be imported."""
    given = agents if isinstance(agents, Sequence) and not isinstance(agents, str) else [agents]
    specs = [_format_agent(agent) for agent in given]
    for spec in specs:
        trust_line_up(spec)
    return specs


def format_agent(agents: Agents, question: str) -> str:
    """The spec of the one agent, or line-up, that a question is asked with; "" if none is named."""
    specs = list_agents(agents)
    if len(specs) > 1:
        raise InvalidInput(f"{', '.join(specs)}: {question} wants one agent")
    return specs[0] if specs else ""


def _format_agent(agent: Any) -> str:
    if isinstance(agent, str):
        return agent
    if isinstance(agent, Agent) and (is_rule(agent.agent_type.choose) or agent.agent_type.python):
        return agent.name
    if isinstance(agent, Agent) or callable(agent):
        raise make_nameless_error(getattr(agent, "name", "") or agent.__name__)
    raise InvalidInput(f"{agent!r} is not an agent: write its spec, 'mcts:64', or pass an Agent")


def list_texts(texts: Texts) -> list[str]:
    """One text or several, as a list."""
    return [texts] if isinstance(texts, str) else list(texts)
