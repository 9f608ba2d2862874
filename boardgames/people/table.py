"""A person plays at a terminal: sees what the seat may see, and names actions in words."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.columns import Columns
from rich.table import Table as Lines
from rich.text import Text

from boardgames.agents.agent import FAST_TYPES, Agent
from boardgames.files import write_file
from boardgames.game.game import Game
from boardgames.people.terminal_board import render_board
from boardgames.plan.cell import PlannedCell
from boardgames.play.match import Match
from boardgames.play.transcript import Move, group_by_turn
from boardgames.store import recorded_matches
from boardgames.store.recorded_matches import HUMAN

HELP = (
    "Type the number of an action, or its words. b shows the board, h this help, q leaves; "
    "the match is kept, and waits for you."
)


class PlayerQuit(Exception):
    """The person leaves the match for now."""


class TerminalIO(NamedTuple):
    """The two functions by which a match talks to a person."""

    ask: Callable[[str], str]
    show: Callable[[Any], None]


def is_quick(line_up: Sequence[Agent]) -> bool:
    return all(agent.agent_type.name in (*FAST_TYPES, HUMAN) for agent in line_up)


def resume_or_begin(
    db: Path, cell: PlannedCell, deal: int | None, command: str = "", new: bool = False
) -> tuple[Match, bool]:
    """The unfinished match of this line-up, or a new one on a deal that its person has not seen; and whether
    it is resumed.
    """
    unfinished = None if new else recorded_matches.find_unfinished(db, cell, deal)
    compiled = not is_quick(cell.line_up)
    if unfinished:
        actions = unfinished.actions
        match = recorded_matches.replay_actions(
            cell.variant, cell.players, actions, cell.seed, unfinished.deal, compiled
        )
        return match, True
    person = next(agent.name for agent in cell.line_up if agent.agent_type.name == HUMAN)
    deal_number = recorded_matches.find_next_deal(db, person, cell.seed) if deal is None else deal
    match = Match(cell.variant, cell.players, seed=cell.seed, deal=deal_number, compiled=compiled)
    recorded_matches.record_start(db, cell, match, command)
    return match, False


def play_to_end(
    match: Match, db: Path, cell: PlannedCell, terminal: TerminalIO, picture: Path | None = None
) -> str:
    """Play to the end; returns the id of the stored match. Each action of a person is stored at once."""
    shown = len(match.actions)
    own_seat = next(seat for seat, agent in enumerate(cell.line_up) if agent.agent_type.name == HUMAN)
    if not shown:
        show_lines(match.transcript(own_seat).setup, terminal)
    while match.is_on:
        agent = cell.line_up[match.state.actor]
        if agent.agent_type.name != HUMAN:
            match.step(agent)
            continue
        moves = match.describe_moves(shown, own_seat)
        if shown == 0 or any(move.seat != own_seat for move in moves):
            show_position(match, own_seat, terminal, picture)
        show_moves(moves, terminal)
        shown = len(match.actions) + 1
        match.push(ask_action(match, own_seat, terminal, picture))
        show_lines(match.describe_moves(shown - 1, own_seat)[0].effects, terminal)
        recorded_matches.save_actions(db, cell, match)
    show_moves(match.describe_moves(shown, own_seat), terminal)
    show_position(match, own_seat, terminal, picture)
    return recorded_matches.store_finished(db, cell, match)


def watch_match(
    match: Match, line_up: Sequence[Agent], show: Callable[[Any], None], pause: Callable[[], None]
) -> None:
    """Let agents play and show everything: the board at the beginning of each turn, every action in words."""
    turn = 0
    while match.is_on:
        if match.state.turn != turn:
            pause()
            show(render_position(match, None))
            turn = int(match.state.turn)
        match.step(line_up[match.state.actor])
        show(Text(str(match.moves[-1])))
    show(render_position(match, None))


# ---- asking


def ask_action(match: Match, seat: int, terminal: TerminalIO, picture: Path | None = None) -> int:
    """The action that a person names. Asks again, with an explanation, until it is understood."""
    choices = match.choices()
    words = list(choices)
    if len(words) == 1:
        terminal.show(Text(f"you can only {words[0]}"))
        return choices[words[0]]
    show_choices(words, terminal)
    while True:
        typed = terminal.ask(f"seat {seat + 1}, 1 to {len(words)}> ").strip().lower()
        if typed in ("q", "quit", "exit"):
            raise PlayerQuit
        if typed in ("h", "help", "?"):
            terminal.show(Text(HELP))
        elif typed == "b":
            show_position(match, seat, terminal, picture)
            show_choices(words, terminal)
        elif (index := parse_choice(typed, words)) is not None:
            return choices[words[index]]
        else:
            terminal.show(Text(explain_refusal(typed, words)))


def parse_choice(typed: str, words: Sequence[str]) -> int | None:
    """The index of the action that is meant: by its number, its words, or a unique part of them; None if
    unclear.
    """
    if typed.isdecimal():
        return int(typed) - 1 if 1 <= int(typed) <= len(words) else None
    exact = [index for index, action in enumerate(words) if action.lower() == typed]
    partial = [index for index, action in enumerate(words) if typed and typed in action.lower()]
    if exact:
        return exact[0]
    return partial[0] if len(partial) == 1 else None


def explain_refusal(typed: str, words: Sequence[str]) -> str:
    candidates = [action for action in words if typed and typed in action.lower()]
    if not typed:
        return f"Please type a number from 1 to {len(words)}; h helps."
    if len(candidates) > 1 and not typed.isdecimal():
        rest = " ..." if len(candidates) > 4 else ""
        return f"'{typed}' may mean {len(candidates)} actions: {', '.join(candidates[:4])}{rest}"
    advice = f"Type a number from 1 to {len(words)}, or the words of an action; h helps."
    return f"There is no action '{typed}'. {advice}"


def show_choices(words: Sequence[str], terminal: TerminalIO) -> None:
    numbered = [Text(f"{number:3}  {action}") for number, action in enumerate(words, 1)]
    terminal.show(Columns(numbered, padding=(0, 3), column_first=True))


def show_moves(moves: Sequence[Move], terminal: TerminalIO) -> None:
    """What happened since the person's last action, turn by turn."""
    show_lines([str(turn) for turn in group_by_turn(moves)], terminal)


def show_lines(lines: Sequence[str], terminal: TerminalIO) -> None:
    for line in lines:
        terminal.show(Text(line))


# ---- showing


def show_position(match: Match, seat: int, terminal: TerminalIO, picture: Path | None = None) -> None:
    terminal.show(render_position(match, seat))
    if picture and match.game.draw:
        write_file(picture, match.draw(seat))


def render_position(match: Match, seat: int | None) -> Any:
    """The board as the seat sees it: drawn, or field by field if the game has no drawing."""
    if match.game.draw:
        return render_board(match.draw(seat))
    return make_fields_table(match.game, match.state, seat, match.scores())


def make_fields_table(game: Game, state: Any, seat: int | None, scores: Sequence[int]) -> Any:
    """A table of the scores and of every field that the seat may see; fields with a row per seat by seat."""
    table = Lines(title=f"turn {state.turn}", title_justify="left", show_header=False, box=None)
    table.add_row("scores", ", ".join(f"seat {index + 1}: {points}" for index, points in enumerate(scores)))
    for name, value in list_visible_fields(game, state, seat):
        table.add_row(name.replace("_", " "), value)
    return table


def list_visible_fields(game: Game, state: Any, seat: int | None) -> Iterator[tuple[str, str]]:
    """Names and values of the fields that a seat may see; of all fields if `seat` is None."""
    for name, field in game.fields.items():
        value = np.asarray(state[name])
        part = game.find_visible_part(name, seat)
        if part is None:
            continue
        if part is not ...:
            yield f"your {name}", format_value(value[part])
        elif field.visibility == "private" or (
            value.ndim > 1 and len(value) == game.most_players and field.visibility == "public"
        ):
            yield from (
                (f"{name} of seat {owner + 1}", format_value(value[owner]))
                for owner in range(int(state.players))
            )
        else:
            yield name, format_value(value)


def format_value(value: Any) -> str:
    return (
        " / ".join(format_value(row) for row in value)
        if np.ndim(value) > 1
        else " ".join(map(str, np.ravel(value)))
    )
