"""Preload of a Dask worker: imports the games and agents that its command line names, so that it may use
them.

    dask worker tcp://scheduler:8786 --preload boardgames.run.worker --game ./mine.py:MINE

Installed games need no naming. What a message from the scheduler names is never imported.
"""

from typing import Any

import click

from boardgames.agents.python_agent import trust_agent
from boardgames.game.plugins import find_variant


@click.command()
@click.option("--game", multiple=True)
@click.option("--agent", multiple=True)
def dask_setup(worker: Any, game: tuple[str, ...], agent: tuple[str, ...]) -> None:
    """Dask calls this by its name."""
    for address in agent:
        trust_agent(address)
    for spec in game:
        find_variant(spec)
