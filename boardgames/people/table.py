"""A person at the table: shown what the seat may see, asked in words. The terminal is a pair of functions to it."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.columns import Columns
from rich.table import Table as Lines
from rich.text import Text

from boardgames.agents.agent import QUICK, Agent
from boardgames.files import write_file
from boardgames.game.game import Game
from boardgames.people.terminal_board import board_text
from boardgames.play.match import Match
from boardgames.store import recorded_matches as kept
from boardgames.store.recorded_matches import HUMAN, SeatedCell

HELP = "Type the number of an action, or its words. b shows the board, h this help, q leaves; the match is kept, and waits for you."


class Leaving(Exception):
    """The person has had enough for now."""


class Seen(NamedTuple):
    """How a table talks to people."""

    ask: Callable[[str], str]
    show: Callable[[Any], None]


def is_quick(line_up: Sequence[Agent]) -> bool:
    return all(agent.family.name in (*QUICK, HUMAN) for agent in line_up)


def sit_down(path: Path, cell: SeatedCell, block: int | None, command: str = "", new: bool = False) -> tuple[Match, bool]:
    """The match that this line-up has left, or a new one on luck that its person has not seen; and whether it is an old one."""
    left = None if new else kept.left_off(path, cell, block)
    plain = is_quick(cell.line_up)
    if left:
        return kept.play_back(cell.variant, cell.players, left.actions, cell.seed, left.block, plain), True
    who = next(agent.name for agent in cell.line_up if agent.family.name == HUMAN)
    number = kept.next_block(path, who, cell.seed) if block is None else block
    match = Match(cell.variant, cell.players, seed=cell.seed, block=number, plain=plain)
    kept.begin(path, cell, match, command)
    return match, False


def play_on(match: Match, path: Path, cell: SeatedCell, seen: Seen, picture: Path | None = None) -> str:
    """Play to the end; returns the id of the stored match. Whatever a person does is written down at once."""
    told = len(match.spoken)
    me = next(seat for seat, agent in enumerate(cell.line_up) if agent.family.name == HUMAN)
    while match.on:
        agent = cell.line_up[match.state.actor]
        if agent.family.name != HUMAN:
            match.step(agent)
            continue
        fresh = told == 0 or any(f"seat {me + 1}:" not in line for line in match.spoken[told:])
        if fresh:
            show_position(match, me, seen, picture)
        tell(match.spoken[told:], seen)
        match.play(chosen(match, me, seen, picture))
        told = len(match.actions)
        kept.save(path, cell, match)
    tell(match.spoken[told:], seen)
    show_position(match, me, seen, picture)
    return kept.finish(path, cell, match)


def watch(match: Match, line_up: Sequence[Agent], show: Callable[[Any], None], pause: Callable[[], None]) -> None:
    """Agents play, and everything is shown: the board whenever a turn begins, every action in words."""
    turn = 0
    while match.on:
        if match.state.turn != turn:
            pause()
            show(position(match, None))
            turn = int(match.state.turn)
        match.step(line_up[match.state.actor])
        show(Text(match.spoken[-1]))
    show(position(match, None))


# ---- asking


def chosen(match: Match, me: int, seen: Seen, picture: Path | None = None) -> int:
    """The action that a person names. What cannot be understood is answered with a sentence, and asked again."""
    choices = match.choices()
    words = list(choices)
    if len(words) == 1:
        seen.show(Text(f"you can only {words[0]}"))
        return choices[words[0]]
    show_choices(words, seen)
    while True:
        typed = seen.ask(f"seat {me + 1}, 1 to {len(words)}> ").strip().lower()
        if typed in ("q", "quit", "exit"):
            raise Leaving
        if typed in ("h", "help", "?"):
            seen.show(Text(HELP))
        elif typed == "b":
            show_position(match, me, seen, picture)
            show_choices(words, seen)
        elif (number := understood(typed, words)) is not None:
            return choices[words[number]]
        else:
            seen.show(Text(refusal(typed, words)))


def understood(typed: str, words: Sequence[str]) -> int | None:
    """The place of the action that is meant: by its number, its words, or a part of them that no other has."""
    if typed.isdecimal():
        return int(typed) - 1 if 1 <= int(typed) <= len(words) else None
    exact = [place for place, spoken in enumerate(words) if spoken.lower() == typed]
    near = [place for place, spoken in enumerate(words) if typed and typed in spoken.lower()]
    if exact:
        return exact[0]
    return near[0] if len(near) == 1 else None


def refusal(typed: str, words: Sequence[str]) -> str:
    several = [spoken for spoken in words if typed and typed in spoken.lower()]
    if not typed:
        return f"Please type a number from 1 to {len(words)}; h helps."
    if len(several) > 1 and not typed.isdecimal():
        return f"'{typed}' may mean {len(several)} actions: {', '.join(several[:4])}{' ...' if len(several) > 4 else ''}"
    return f"There is no action '{typed}'. Type a number from 1 to {len(words)}, or the words of an action; h helps."


def show_choices(words: Sequence[str], seen: Seen) -> None:
    numbered = [Text(f"{place:3}  {spoken}") for place, spoken in enumerate(words, 1)]
    seen.show(Columns(numbered, padding=(0, 3), column_first=True))


def tell(lines: Sequence[str], seen: Seen) -> None:
    for line in lines:
        seen.show(Text(line))


# ---- showing


def show_position(match: Match, me: int, seen: Seen, picture: Path | None = None) -> None:
    seen.show(position(match, me))
    if picture and match.game.draw:
        write_file(picture, match.draw(me))


def position(match: Match, seat: int | None) -> Any:
    """The board as the seat sees it: drawn, or where the game has no drawing, field by field."""
    if match.game.draw:
        return board_text(match.draw(seat))
    return fields_table(match.game, match.state, seat, match.scores())


def fields_table(game: Game, state: Any, seat: int | None, scores: Sequence[int]) -> Any:
    """Scores and every field that the seat may see; what has a row for each seat is shown seat by seat."""
    table = Lines(title=f"turn {state.turn}", title_justify="left", show_header=False, box=None)
    table.add_row("scores", ", ".join(f"seat {at + 1}: {points}" for at, points in enumerate(scores)))
    for name, value in visible(game, state, seat):
        table.add_row(name.replace("_", " "), value)
    return table


def visible(game: Game, state: Any, seat: int | None) -> Iterator[tuple[str, str]]:
    """Names and values of what a seat may see; without a seat, of all."""
    for name, field in game.fields.items():
        value = np.asarray(state[name])
        if field.seen == "own" and seat is not None:
            yield f"your {name}", written(value[seat])
        elif field.seen == "own" or (value.ndim > 1 and len(value) == game.seats and field.seen == "public"):
            yield from ((f"{name} of seat {at + 1}", written(value[at])) for at in range(int(state.seats)))
        elif field.seen == "public" or seat is None:
            yield name, written(value)


def written(value: Any) -> str:
    return " / ".join(written(row) for row in value) if np.ndim(value) > 1 else " ".join(map(str, np.ravel(value)))
