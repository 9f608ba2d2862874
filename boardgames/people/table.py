"""A person plays at a terminal: sees what the seat may see, and names actions in words."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.columns import Columns
from rich.table import Table as Lines
from rich.text import Text

from boardgames.agents.agent import Agent
from boardgames.files import write_file
from boardgames.game.game import Game
from boardgames.given_values import read_digits
from boardgames.people.seated_match import SeatedMatch
from boardgames.people.terminal_board import render_board
from boardgames.play.match import Match
from boardgames.play.transcript import Move, group_by_turn

HELP = (
    "Type the number of an action, or its words. b shows the board, u takes your last choice back if nothing "
    "hidden was seen since, h shows this help, q leaves; the match is kept, and waits for you."
)


class PlayerQuit(Exception):
    """The person leaves the match for now."""


class ChoiceTakenBack(Exception):
    """The person takes the last choice back."""


class TerminalIO(NamedTuple):
    """The two functions by which a match talks to a person."""

    ask: Callable[[str], str]
    show: Callable[[Any], None]


def play_to_end(seated: SeatedMatch, terminal: TerminalIO, picture: Path | None = None) -> str:
    """Play to the end; returns the id of the stored match. Each action of a person is stored at once."""
    own_seat = seated.people[0]
    shown = len(seated.match.actions)
    if not shown:
        show_lines(seated.match.transcript(own_seat).setup, terminal)
    while True:
        seated.play_agents()
        moves = seated.match.describe_moves(shown, own_seat)
        if not seated.match.is_on:
            break
        if shown == 0 or any(move.seat != own_seat for move in moves):
            show_position(seated.match, own_seat, terminal, picture)
        show_moves(moves, terminal)
        shown = choose_action(seated, own_seat, terminal, picture)
    show_moves(moves, terminal)
    show_position(seated.match, own_seat, terminal, picture)
    return seated.finish()


def choose_action(seated: SeatedMatch, seat: int, terminal: TerminalIO, picture: Path | None) -> int:
    """Carry out what a person chooses, or take the last choice back; returns the number of actions that the
    person has seen.
    """
    match = seated.match
    try:
        seated.choose(ask_action(match, seat, terminal, picture))
    except ChoiceTakenBack:
        if seated.can_undo(seat):
            seated.undo(seat)
            show_position(seated.match, seat, terminal, picture)
        else:
            terminal.show(Text("There is nothing to take back, or something hidden was seen since."))
        return len(seated.match.actions)
    show_lines(match.describe_moves(len(match.actions) - 1, seat)[0].effects, terminal)
    return len(match.actions)


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
        if typed in ("u", "undo"):
            raise ChoiceTakenBack
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
        number = read_digits(typed) or 0
        return number - 1 if 1 <= number <= len(words) else None
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
