"""Preload of a Dask worker: imports the games that its command line names, so that it may play them.

    dask worker tcp://scheduler:8786 --preload boardgames.run.worker --game ./mine.py:MINE

Installed games need no naming. What a message from the scheduler names is never imported.
"""

from typing import Any

import click

from boardgames.game.plugins import find_variant


@click.command()
@click.option("--game", multiple=True)
def dask_setup(worker: Any, game: tuple[str, ...]) -> None:
    """Dask calls this by its name."""
    for spec in game:
        find_variant(spec)
