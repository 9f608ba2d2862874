"""A match of Keltis told so that you can follow it at a table: how it is laid out, what each action
caused, and why the winner won.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from variants.keltis import codes
from variants.keltis.scoring import marker, score
from variants.keltis.topics.tiles import tile_on
from variants.keltis.words import name_card

TILE_WORDS = {
    codes.ONE: "a 1",
    codes.TWO: "a 2",
    codes.THREE: "a 3",
    codes.CLOVER_LEAF: "a clover",
    codes.WISHING_STONE: "a wishing stone",
}
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


# ---- the table before the first turn


def describe_setup(state: Any, seat: int | None) -> list[str]:
    """What lies on the table, path by path, and the hands that the seat sees."""
    return [
        *(describe_path(state, path) for path in range(codes.PATHS)),
        describe_figures(state),
        *(describe_hand(state, other) for other in range(state.players) if seat in (None, other)),
        describe_draw_pile(state),
        f"Seat {state.turn_owner + 1} begins.",
    ]


def describe_path(state: Any, path: int) -> str:
    tiles = {row: tile_on(state.tiles[path], row) for row in range(1, codes.ROWS + 1)}
    lying = [f"{TILE_WORDS[tile]} in row {row}" for row, tile in tiles.items() if tile != codes.NO_TILE]
    return f"The {codes.PATH_NAMES[path]} path has {join_words(lying) if lying else 'no tiles'}."


def describe_figures(state: Any) -> str:
    small = f"{COUNTS[int(state.small[0])]} small figures"
    figures = f"{small} and the large one" if state.large[0] == codes.WAITING else small
    return f"Each seat has {figures} on the start stone, and its score marker at 0."


def describe_hand(state: Any, seat: int) -> str:
    cards = [name_card(int(card)) for card in state.hand[seat, : state.held[seat]]]
    return f"Seat {seat + 1} holds {join_words(cards)}."


def describe_draw_pile(state: Any) -> str:
    removed = int(state.rules.removed)
    boxed = f"; {removed} more are in the box, unseen" if removed else ""
    return f"The draw pile has {state.left} cards{boxed}."


# ---- what an action caused


def describe_effects(before: Any, after: Any, action: int, seat: int | None) -> list[str]:
    """What an action caused beside its own words, as far as the seat sees it."""
    effects = [*list_effects(before, after, action, seat)]
    return effects + list_final_scores(after) if after.end else effects


def list_effects(before: Any, after: Any, action: int, seat: int | None) -> Iterator[str]:
    if codes.LAY <= action < codes.BY_CLOVER:
        yield from describe_column(before, after, (action - codes.LAY) % codes.CARDS // codes.VALUES)
    if codes.LAY <= action < codes.FROM_DECK:
        yield from describe_move(before, after)
    elif codes.FROM_DECK <= action < codes.FROM_PILE:
        yield from describe_draw(before, after, seat)


def describe_column(before: Any, after: Any, path: int) -> Iterator[str]:
    """Whether the card that was laid decides that its column rises or falls."""
    me = int(before.turn_owner)
    direction = find_direction(after, me, path)
    if direction != find_direction(before, me, path) and before.rules.order != codes.ASCENDING:
        yield f"the {codes.PATH_NAMES[path]} column {direction} from now on"


def find_direction(state: Any, seat: int, path: int) -> str:
    """Whether a column "rises" or "falls"; "" while it has no second value."""
    column = int(state.column[seat, path])
    values = column & codes.ANY_VALUE
    if values.bit_count() < 2:
        return ""
    highest = codes.VALUES * path + values.bit_length() - 1
    return "rises" if (int(state.fits[seat]) >> highest) & 1 else "falls"


def describe_move(before: Any, after: Any) -> Iterator[str]:
    """Where a figure went and what it found there, or why none could move."""
    me = int(before.turn_owner)
    moved = [path for path in range(codes.PATHS) if after.row[me, path] != before.row[me, path]]
    if moved:
        yield describe_place(after, me, moved[0])
        yield from describe_arrival(before, after)
        yield from describe_tile(before, after, moved[0])
    elif before.phase == codes.PLAY:
        others = "another may move instead" if after.phase == codes.SUBSTITUTE else "no other can move"
        yield f"the figure stands on the end stone already; {others}"


def describe_place(after: Any, me: int, path: int) -> str:
    row = int(after.row[me, path])
    points, large = int(after.rules.row_points[row]), after.large[me] == path
    figure, times = ("large figure", f"{after.rules.large_figure} times ") if large else ("figure", "")
    worth = f"worth {times}{points} point{'' if abs(points) == 1 else 's'}"
    return f"the {figure} on {codes.PATH_NAMES[path]} is in row {row}, {worth}"


def describe_arrival(before: Any, after: Any) -> Iterator[str]:
    if after.in_goal > before.in_goal:
        ending = ", which ends the match" if after.end == codes.FIGURES else ""
        yield f"it is the {name_ordinal(int(after.in_goal))} figure in the goal area{ending}"


def describe_tile(before: Any, after: Any, path: int) -> Iterator[str]:
    """What the tile gave on which a figure arrived."""
    me = int(before.turn_owner)
    tile = tile_on(before.tiles[path], after.row[me, path])
    if tile == codes.NO_TILE:
        return
    if after.end == codes.FIGURES:
        yield f"{TILE_WORDS[tile]} lies there and does not act any more"
    elif tile == codes.WISHING_STONE:
        yield f"it takes a wishing stone, the {name_ordinal(int(after.wishes[me]))} of seat {me + 1}"
    elif tile == codes.CLOVER_LEAF:
        yield "it reaches a clover" + (
            "" if after.phase == codes.CLOVER else ", which lapses: no figure can move"
        )
    else:
        points = f"{tile} point{'s' if tile > 1 else ''}"
        yield f"it reaches {TILE_WORDS[tile]}: {points}, {after.points[me]} on the track"


def describe_draw(before: Any, after: Any, seat: int | None) -> Iterator[str]:
    """The card, for those who see it; and the end, if it was the last."""
    me = int(before.turn_owner)
    if seat in (None, me):
        yield f"it is {name_card(find_new_card(before, after, me))}"
    if after.end:
        yield "the draw pile is used up, which ends the match"


def find_new_card(before: Any, after: Any, me: int) -> int:
    """The card in a sorted hand that was not there before."""
    old, new = (state.hand[me, : state.held[me]].tolist() for state in (before, after))
    return next((now for was, now in zip(old, new, strict=False) if was != now), new[-1])


# ---- the end


def list_final_scores(state: Any) -> list[str]:
    """What each seat scores, and for what."""
    return [f"seat {seat + 1}: {describe_score(state, seat)}" for seat in range(state.players)]


def describe_score(state: Any, seat: int) -> str:
    wishes, track, total = int(state.wishes[seat]), int(state.points[seat]), score(state, seat)
    stones, figures = marker(state, seat) - track, total - marker(state, seat)
    named = f"{COUNTS[wishes] if wishes < len(COUNTS) else wishes} wishing stone{'' if wishes == 1 else 's'}"
    return f"{figures} for figures, {stones} for {named}, {track} on the track: {total}"


def describe_result(state: Any) -> str:
    """Who won, and by which points: there is no tie-break (§5.3)."""
    scores = [score(state, seat) for seat in range(state.players)]
    best = max(scores)
    winners = [str(seat + 1) for seat, points in enumerate(scores) if points == best]
    others = sorted((points for points in scores if points < best), reverse=True)
    against = f" against {join_words([str(points) for points in others])}" if others else ""
    points = f"{best} point{'' if abs(best) == 1 else 's'}"
    if len(winners) > 1:
        return f"Seats {join_words(winners)} share the win: {points} each{against}."
    return f"Seat {winners[0]} wins: {points}{against}."


# ---- words


def name_ordinal(number: int) -> str:
    return ORDINALS[number] if number < len(ORDINALS) else f"{number}th"


def join_words(words: Sequence[str]) -> str:
    """ "a, b and c"."""
    return " and ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)
