"""Chutes and Ladders: roll and move, up the ladders and down the chutes; the first to land on square 100
exactly wins.
"""

import tomllib
from pathlib import Path

from boardgames import Board, Game, begin_turn, next_seat, public, random_below, rule

MOST = 5
GOAL = 100
DIE = 0  # stream
HOME = 1  # end
LADDERS, CHUTES = 0, 1  # tallies


def read_board(table):
    """Where one ends up from each square; a square that nothing is printed on leads to itself."""
    leads_to = list(range(GOAL + 1))
    for kind, direction in (("ladders", "up"), ("chutes", "down")):
        for start, finish in table[kind]:
            if (
                not (0 < start < GOAL and 0 < finish <= GOAL)
                or start == finish
                or (finish > start) != (direction == "up")
            ):
                raise ValueError(
                    f"{kind} lead {direction} from one square of the board to another, not from"
                    f" {start} to {finish}"
                )
            if leads_to[start] != start:
                raise ValueError(f"two ways lead from square {start}")
            leads_to[start] = finish
    for start, finish in enumerate(leads_to):
        if leads_to[finish] != finish:
            raise ValueError(f"the way from square {start} ends where another begins, on {finish}")
    return {"leads_to": leads_to}


BOARDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@rule
def setup(state):
    """Everybody waits before square 1."""
    begin_turn(state, 0)


@rule
def legal(state, actions):
    actions[0] = 0
    return 1


@rule
def apply(state, action):
    """Move as far as the die says, unless that is beyond square 100; then follow what is printed on the
    square.
    """
    square = state.square[state.turn_owner] + 1 + random_below(state, DIE, 6)
    if square <= GOAL:
        land_on(state, square)
    if state.square[state.turn_owner] == GOAL:
        state.end = HOME
    else:
        begin_turn(state, next_seat(state, state.turn_owner))


@rule
def land_on(state, square):
    final = state.rules.leads_to[square]
    state.square[state.turn_owner] = final
    state.tally[state.turn_owner, LADDERS] += final > square
    state.tally[state.turn_owner, CHUTES] += final < square


@rule
def standing(state, seat):
    return int(state.square[seat])


def say(state, action):
    return "roll the die"


GAME = Game(
    name="chutes",
    about="A pure race of luck, with nothing to decide.",
    player_counts=range(2, MOST + 1),
    actions=1,
    fields={"square": public("i2", MOST)},
    parameters=(
        Board(
            "board",
            "milton-bradley",
            "what is printed on the squares",
            BOARDS,
            {"leads_to": ("i2", (GOAL + 1,))},
            read_board,
        ),
    ),
    streams=("die",),
    ends=("home",),
    tallies=("ladders", "chutes"),
    setup=setup,
    legal=legal,
    apply=apply,
    standing=standing,
    say=say,
    scores=(0, GOAL),
    turns=(1, 10_000),
    cap=10_000,  # chutes for ever: the game has no longest match
)
