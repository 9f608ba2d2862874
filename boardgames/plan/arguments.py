"""What people pass to the functions of the Python API, as the texts that the command line takes: a variant or
its spec, one agent or several. Player counts are in `game.player_counts`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from boardgames.agents.agent import Agent, make_no_agent_error
from boardgames.agents.python_agent import make_nameless_error, trust_line_up
from boardgames.errors import InvalidInput
from boardgames.game.given import find_spec
from boardgames.game.variant import Variant, make_no_variant_error
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
    if not isinstance(variant, str) or variant.endswith(".duckdb"):
        raise make_no_variant_error(variant)
    return variant


def list_agents(agents: Agents) -> list[str]:
    """The specs of agents or line-ups that a person has named: those in files may be imported."""
    specs = format_agents(agents)
    for spec in specs:
        trust_line_up(spec)
    return specs


def format_agents(agents: Agents) -> list[str]:
    """The specs of agents or line-ups. Nothing is imported for them: a result file may have named them."""
    if agents == "":
        return []
    given = agents if isinstance(agents, Sequence) and not isinstance(agents, str) else [agents]
    return [_format_agent(agent) for agent in given]


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
    raise make_no_agent_error(agent)


def list_texts(name: str, texts: Texts) -> list[str]:
    """The one text or several of an argument, as a list."""
    if isinstance(texts, str):
        return [texts]
    if not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
        raise InvalidInput(f"{name}={texts!r}: write a text, or a list of texts")
    return list(texts)
