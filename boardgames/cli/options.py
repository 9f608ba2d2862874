"""Options and arguments that commands share: each is spelled and explained once."""

import math
import os
from pathlib import Path
from typing import Annotated

import typer

from boardgames.errors import InvalidInput

FILE = Path("boardgames.duckdb")
CORES = os.cpu_count() or 1
MOST_WORKERS = max(1000, CORES)


def check_seat(seat: int, players: int) -> None:
    """Raise if a table for this many has no such seat; seats count from 1 here."""
    if not 1 <= seat <= players:
        raise InvalidInput(f"with {players} players there is no seat {seat}")


def check_finite(number: float | None) -> float | None:
    """Refuse nan and inf as the value of an option."""
    if number is not None and not math.isfinite(number):
        raise typer.BadParameter(f"{number} is not a number to count with")
    return number


def trust_agents(line_ups: str | list[str] | None) -> str | list[str] | None:
    """Allow the agents in files that were typed here: `./mine.py:agent`."""
    typed = [line_ups] if isinstance(line_ups, str) else line_ups or []
    if any(":" in line_up or "=" in line_up for line_up in typed):
        from boardgames.agents.python_agent import trust_line_up

        for line_up in typed:
            trust_line_up(line_up)
    return line_ups


USUAL = "default: learned, else greedy"  # where the game has no net for the player count
Agent = Annotated[
    str, typer.Option("--agents", callback=trust_agents, help=f"One agent for all seats ({USUAL}).")
]
Agents = Annotated[
    list[str] | None,
    typer.Option(
        callback=trust_agents,
        help=f"Agents, from weak to strong; the first decides ({USUAL}, and mcts:64). Repeatable.",
    ),
]
OwnAgents = Annotated[
    list[str] | None,
    typer.Option(
        "--agent",
        callback=trust_agents,
        help="An agent of yours in the results: ./mine.py:agent or learned:FILE. Without this, none is read.",
    ),
]
All = Annotated[bool, typer.Option("--all", help="Show all metrics, not only what differs.")]
Cluster = Annotated[str, typer.Option(help="Play on a Dask cluster: tcp://scheduler:8786.")]
Continue = Annotated[bool, typer.Option("--continue", help="Play on, even if the file already has results.")]
Db = Annotated[Path, typer.Option(help="Result file to read and extend.")]
Games = Annotated[
    list[str] | None,
    typer.Option(
        "--game",
        help="A game of yours in the results: ./mine.py:MINE. Without this, only installed games are used.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, for scripts.")]
MainMetrics = Annotated[
    list[str] | None,
    typer.Option("--main-metric", help="A metric that decides the comparison; repeat for up to six."),
]
Matches = Annotated[
    int | None, typer.Option(min=1, help="Matches of each variant and player count, however long it takes.")
]
Minutes = Annotated[
    float | None, typer.Option(min=0.01, callback=check_finite, help="Minutes to play at most (default: 2).")
]
Players = Annotated[
    str, typer.Option(help="Player counts: 3, 2-4 or 2,4 (default: the middle one of the game's).")
]
Seed = Annotated[int, typer.Option(help="Number that all shuffles and dice follow from.")]
Spec = Annotated[
    str, typer.Argument(help="A game or variant: celtica:en+hand_size=6, module:NAME or ./file.py:NAME.")
]
Thresholds = Annotated[
    list[str] | None,
    typer.Option("--threshold", help="Smallest difference that matters: length=2. Repeatable."),
]
Workers = Annotated[int, typer.Option(min=1, max=MOST_WORKERS, help="Threads to use.")]
AllPlayers = Annotated[
    str, typer.Option(help="Player counts: 3, 2-4 or 2,4 (default: all that the game allows).")
]
LineUp = Annotated[
    str, typer.Option(callback=trust_agents, help="One agent for all seats, or one for each: greedy,mcts:64.")
]
UsualLineUp = Annotated[
    str,
    typer.Option(
        "--agents",
        callback=trust_agents,
        help=f"One agent for all seats, or one for each: greedy,mcts:64 ({USUAL}).",
    ),
]
PlayerCount = Annotated[int | None, typer.Option(help="Number of players (default: the game's fewest).")]
Reported = Annotated[list[str], typer.Argument(help="Variants; the first is the baseline of the others.")]
Pictures = Annotated[Path | None, typer.Option(help="Draw every position into this folder.")]
Until = Annotated[
    list[str] | None,
    typer.Option(
        help='How well to know a metric, in percentage points: "seat share within 0.5 pp". Repeatable.'
    ),
]
UntilDecided = Annotated[
    bool,
    typer.Option(
        "--until-decided",
        help="Play until every main metric is decided; --minutes and --matches then set a limit.",
    ),
]
