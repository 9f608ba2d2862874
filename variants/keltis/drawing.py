"""A position of Keltis as a picture: the five paths, the piles below them, beside them what lies before each
player, and below all of it a legend.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from variants.keltis import board, codes
from variants.keltis.legal import legal
from variants.keltis.scoring import score
from variants.keltis.topics import glyphs
from variants.keltis.topics.cards import copies
from variants.keltis.topics.glyphs import INK, PAPER, draw_plate, draw_target, draw_text, link_actions
from variants.keltis.topics.tiles import tile_on
from variants.keltis.transcript import COUNTS, describe_result, describe_score, find_direction

WIDTH, HEIGHT = 1240, 1002
CLOTH, PARCHMENT, GOAL, START = "#2e4034", "#f1e8d0", "#f2dd93", "#cbc1a9"
TOP, BOTTOM, MARGIN = 88, 854, 18  # of the table between headline and legend
BOARD_WIDTH, ROW_HEIGHT, STONE_WIDTH, STONE_HEIGHT = 572, 64, 88, 54
PILES_Y = 752
PANEL_X, PANEL_WIDTH, GAP = 602, 620, 8
LEGEND_Y, LEGEND_HEIGHT = 866, 120
PHASE_NAMES = {
    codes.PLAY: "plays a card",
    codes.CLOVER: "uses a clover",
    codes.SUBSTITUTE: "moves another figure instead",
    codes.DRAW: "draws a card",
}
DIRECTIONS = {"rises": "\N{UPWARDS ARROW}", "falls": "\N{DOWNWARDS ARROW}", "": ""}


class Piece(NamedTuple):
    """Something on the table that an action may concern."""

    kind: str  # card, pile, deck, figure (on a path), small and large (on the start stone), or nobody
    index: int = 0  # of the card or path


Actions = Mapping[Piece, list[int]]
WAY_PIECES = {codes.SMALL: "small", codes.LARGE: "large", codes.NOBODY: "nobody"}


def draw(state: Any, seat: int | None = None) -> str:
    """The whole position, or what one seat sees of it."""
    actions = find_actions(state, seat)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="Georgia, serif" fill="{INK}">',
        draw_plate(0, 0, WIDTH, HEIGHT, 0, f'fill="{CLOTH}"'),
        *_draw_headline(state, actions),
        *_draw_board(state, actions),
        *_draw_piles(state, actions),
        *(part for other in range(state.players) for part in _draw_panel(state, other, seat, actions)),
        *_draw_legend(state),
        *_draw_wishing_table(state),
        "</svg>",
    ]
    return "\n".join(parts)


# ---- what may be done


def find_actions(state: Any, viewer: int | None) -> Actions:
    """The legal actions by the pieces that they concern. A viewer who is not to act gets none: what another
    seat may do tells what it holds.
    """
    actions: dict[Piece, list[int]] = defaultdict(list)
    if state.end or viewer not in (None, int(state.actor)):
        return actions
    row = np.zeros(codes.ACTIONS, np.int64)
    for action in row[: legal(state, row)].tolist():
        for piece in list_pieces(action):
            actions[piece].append(action)
    return actions


def list_pieces(action: int) -> list[Piece]:
    """The pieces that an action moves, and the pile it goes to or comes from."""
    if action < codes.LAY:
        card = action - codes.DISCARD
        return [Piece("card", card), Piece("pile", card // codes.VALUES)]
    if action < codes.BY_CLOVER:
        way, card = divmod(action - codes.LAY, codes.CARDS)
        return [Piece("card", card), _find_figure(way, card // codes.VALUES)]
    if action < codes.FROM_DECK:
        first = codes.BY_CLOVER if action < codes.INSTEAD else codes.INSTEAD
        return [_find_figure(*divmod(action - first, codes.PATHS))]
    return [Piece("deck") if action < codes.FROM_PILE else Piece("pile", action - codes.FROM_PILE)]


def _find_figure(way: int, path: int) -> Piece:
    return Piece(WAY_PIECES[way]) if way in WAY_PIECES else Piece("figure", path)


# ---- headline


def _draw_headline(state: Any, actions: Actions) -> Iterator[str]:
    yield draw_text(MARGIN + 4, 40, _format_headline(state), 25, fill=PAPER, weight="bold")
    if state.end:
        yield draw_text(MARGIN + 4, 69, describe_result(state), 20, fill=GOAL, weight="bold")
    else:
        yield draw_text(MARGIN + 4, 69, _format_progress(state), 18, fill=PAPER)
    if nobody := actions.get(Piece("nobody")):
        button = draw_plate(1066, 48, 156, 30, 15, f'fill="{PAPER}" stroke="{glyphs.GOLD}" stroke-width="3"')
        yield link_actions(
            button + draw_text(1144, 69, "nobody moves", 17, "middle"), nobody, draw_target(1144, 63, 156)
        )


def _format_headline(state: Any) -> str:
    if state.end == codes.FIGURES:
        return f"The match is over: {_count_figures(state)} have reached the goal area"
    if state.end:
        return "The match is over: the last card is drawn"
    return f"Turn {state.turn}: seat {state.turn_owner + 1} {PHASE_NAMES[int(state.phase)]}"


def _count_figures(state: Any) -> str:
    number = int(state.rules.figures_to_end)
    return f"{COUNTS[number] if number < len(COUNTS) else number} figure{'s' if number > 1 else ''}"


def _format_progress(state: Any) -> str:
    figures = f"{state.in_goal} of {state.rules.figures_to_end} figures in the goal area"
    return f"{figures}, {state.left} card{'' if state.left == 1 else 's'} to draw"


# ---- the board


def _find_path_x(path: int) -> int:
    return 132 + 98 * path


def _find_row_y(row: int) -> int:
    return 128 + ROW_HEIGHT * (codes.ROWS - row)


def _draw_board(state: Any, actions: Actions) -> Iterator[str]:
    goal = int(state.rules.goal_row)
    goal_height = ROW_HEIGHT * (codes.ROWS - goal + 1)
    yield draw_plate(MARGIN, TOP, BOARD_WIDTH, PILES_Y - GAP - TOP, 14, f'fill="{PARCHMENT}"')
    yield draw_plate(MARGIN + 6, TOP + 6, BOARD_WIDTH - 12, goal_height, 10, f'fill="{GOAL}"')
    for row in range(1, codes.ROWS + 1):
        points = int(state.rules.row_points[row])
        fill = glyphs.LOSS if points < 0 else INK
        yield draw_text(54, _find_row_y(row) + 8, _format_signed(points), 23, "middle", fill, "bold")
    for path in range(codes.PATHS):
        x, top = _find_path_x(path), _find_row_y(codes.ROWS)
        yield draw_plate(x - 7, top, 14, _find_row_y(0) - top, 7, 'fill="#d8ccad"')
    yield draw_plate(
        82, _find_row_y(0) - 26, 500, 62, 30, f'fill="{START}" stroke="#8d8470" stroke-width="2"'
    )
    for path in range(codes.PATHS):
        for row in range(1, codes.ROWS + 1):
            yield from _draw_stone(state, path, row, actions)
    yield from _draw_start(state, actions)


def _format_signed(points: int) -> str:
    return f"{points:+d}".replace("-", "\N{MINUS SIGN}")


def _draw_stone(state: Any, path: int, row: int, actions: Actions) -> Iterator[str]:
    x, y, tile = _find_path_x(path), _find_row_y(row), tile_on(state.tiles[path], row)
    is_dark = bool((int(state.rules.dark[path]) >> row) & 1)
    yield glyphs.draw_stone(path, x, y, STONE_WIDTH, STONE_HEIGHT, is_dark, row == codes.END_STONE)
    if tile != codes.NO_TILE:
        yield glyphs.draw_tile(tile, x - 1, y - 7)
    seats = [seat for seat in range(state.players) if state.row[seat, path] == row]
    widths = [glyphs.find_figure_width(state.large[seat] == path) for seat in seats]
    room = STONE_WIDTH if tile == codes.NO_TILE else 58  # a tile stays to be seen
    closer = min(1.0, room / max(1, sum(widths)))
    right = x + STONE_WIDTH / 2 + 2  # where the letter stays to be seen
    for seat, width in zip(reversed(seats), reversed(widths), strict=True):
        numbers = actions.get(Piece("figure", path), []) if seat == state.actor else []
        yield _draw_figure(state, seat, right - width / 2, y + 29, state.large[seat] == path, numbers)
        right -= width * closer


def _draw_figure(state: Any, seat: int, x: float, y: float, large: bool, numbers: list[int]) -> str:
    """A figure; while a figure is to be chosen, those that can move have a golden edge."""
    is_offered = bool(numbers) and state.phase != codes.PLAY
    return link_actions(
        glyphs.draw_figure(seat, x, y, large, is_offered), numbers, draw_target(x, y - (18 if large else 14))
    )


def _draw_start(state: Any, actions: Actions) -> Iterator[str]:
    """The figures that have not set out yet, seat by seat."""
    y = _find_row_y(0) + 28
    for seat in range(state.players):
        is_acting = seat == state.actor
        x, small = 108 + 122 * seat, int(state.small[seat])
        for index in range(small):
            numbers = actions.get(Piece("small"), []) if is_acting else []
            yield _draw_figure(state, seat, x + 21 * index, y, False, numbers)
        if state.large[seat] == codes.WAITING:
            numbers = actions.get(Piece("large"), []) if is_acting else []
            yield _draw_figure(state, seat, x + 21 * small + 5, y, True, numbers)


# ---- piles


def _draw_piles(state: Any, actions: Actions) -> Iterator[str]:
    """The draw pile, and each discard pile below its path."""
    yield draw_plate(MARGIN, PILES_Y, BOARD_WIDTH, BOTTOM - PILES_Y, 14, f'fill="{PARCHMENT}"')
    y, numbers = PILES_Y + 28, actions.get(Piece("deck"), [])
    if state.left:
        back = glyphs.draw_card_back(36, y, 36, 46) + _frame_card(36, y, bool(numbers))
        yield link_actions(back, numbers)
    yield draw_text(54, PILES_Y + 20, "draw", glyphs.SMALLEST, "middle")
    yield draw_text(54, BOTTOM - 8, f"{state.left} left", glyphs.SMALLEST, "middle")
    for path in range(codes.PATHS):
        yield from _draw_pile(state, path, _find_path_x(path), y, actions.get(Piece("pile", path), []))


def _draw_pile(state: Any, path: int, x: float, y: float, numbers: list[int]) -> Iterator[str]:
    name, height = codes.PATH_NAMES[path], int(state.height[path])
    yield draw_text(x, PILES_Y + 20, f"{name}*", 16, "middle", glyphs.DARK[name], "bold")
    is_offered = bool(numbers) and state.phase == codes.DRAW
    if height:
        pile = glyphs.draw_card(x - 18, y, 36, 46, path, int(state.pile[path, height - 1]))
        yield draw_text(x, BOTTOM - 8, f"{height} card{'s' if height > 1 else ''}", glyphs.SMALLEST, "middle")
    else:
        frame = f'fill="{PARCHMENT}" stroke="{glyphs.DARK[name]}" stroke-dasharray="4 3"'
        pile = draw_plate(x - 18, y, 36, 46, 5, frame)
    framed = pile + _frame_card(x - 18, y, is_offered)
    yield link_actions(framed, numbers, draw_target(x, y + 23, height=46))


def _frame_card(x: float, y: float, is_offered: bool) -> str:
    style = f'fill="none" stroke="{glyphs.GOLD}" stroke-width="3"'
    return draw_plate(x - 2, y - 2, 40, 50, 6, style) if is_offered else ""


# ---- what lies before a seat


class Panel(NamedTuple):
    """The place of a seat's cards: fewer players have larger ones."""

    y: float
    height: float
    pitch: float  # of the columns
    card: tuple[int, int]  # width and height of a card in hand
    hand: int  # cards in a row of the hand


def _find_panel(players: int, seat: int) -> Panel:
    height = (BOTTOM - TOP + GAP) / players - GAP
    card, hand = ((32, 42), 6) if players > 3 else ((46, 56), 4)
    return Panel(TOP + seat * (height + GAP), height, min(60, (height - 50) / codes.PATHS), card, hand)


def _draw_panel(state: Any, seat: int, viewer: int | None, actions: Actions) -> Iterator[str]:
    panel = _find_panel(int(state.players), seat)
    is_marked = _is_winner(state, seat) if state.end else seat == state.turn_owner
    edge = f' stroke="{glyphs.GOLD}" stroke-width="5"' if is_marked else ""
    yield draw_plate(PANEL_X, panel.y, PANEL_WIDTH, panel.height, 14, f'fill="{PAPER}"{edge}')
    yield glyphs.draw_figure(seat, PANEL_X + 26, panel.y + 36, False)
    yield draw_text(PANEL_X + 46, panel.y + 30, f"Seat {seat + 1}", 20, weight="bold")
    yield draw_text(PANEL_X + 122, panel.y + 30, _format_score(state, seat), 15)
    for index in range(0 if state.end else int(state.wishes[seat])):
        place = f"translate({PANEL_X + PANEL_WIDTH - 22 - 15 * index},{panel.y + 26:g}) scale(0.55)"
        yield f'<g transform="{place}">{glyphs.draw_gem()}</g>'
    for path in range(codes.PATHS):
        yield from _draw_column(state, seat, path, panel.y + 44 + panel.pitch * path, panel.pitch - 4)
    yield from _draw_hand(state, seat, viewer, panel, actions)


def _is_winner(state: Any, seat: int) -> bool:
    return bool(score(state, seat) == max(score(state, other) for other in range(state.players)))


def _format_score(state: Any, seat: int) -> str:
    wishes = int(state.wishes[seat])
    stones = f"{wishes} wishing stone{'' if wishes == 1 else 's'}"
    running = f"{state.points[seat]} on the track, {stones}, would score {score(state, seat)}"
    return (describe_score(state, seat) if state.end else running).replace("-", "\N{MINUS SIGN}")


def _draw_column(state: Any, seat: int, path: int, y: float, height: float) -> Iterator[str]:
    """The name of a column, whether it rises or falls, and its cards, closer together the more there are."""
    name, values = codes.PATH_NAMES[path], list_column(state, seat, path)
    arrow = DIRECTIONS[find_direction(state, seat, path)]
    x, middle = PANEL_X + 90, y + height / 2
    label = f"{name} {arrow}".strip()
    yield draw_text(PANEL_X + 16, middle + 5, label, 15, fill=glyphs.DARK[name], weight="bold")
    yield draw_plate(x, middle - 1.5, 306, 3, 1, f'fill="{glyphs.LIGHT[name]}"')
    width = min(38.0, max(26.0, 0.8 * height))
    step = min(width + 3, (306 - width) / max(1, len(values) - 1))
    for index, value in enumerate(values):
        style = f'fill="{glyphs.LIGHT[name]}" stroke="{glyphs.DARK[name]}" stroke-width="1.4"'
        left = round(x + index * step, 1)
        yield draw_plate(left, y, width, height, 4, style)
        yield draw_text(left + 4, middle + 6, str(value), 17)


def list_column(state: Any, seat: int, path: int) -> list[int]:
    """The cards of a column in the order in which they were laid; a falling column cannot take a 10."""
    cards, highest = int(state.column[seat, path]), codes.VALUES * path + codes.VALUES - 1
    rising = [value for value in range(codes.VALUES) for _ in range(copies(cards, value))]
    return rising if (int(state.fits[seat]) >> highest) & 1 else rising[::-1]


def _draw_hand(state: Any, seat: int, viewer: int | None, panel: Panel, actions: Actions) -> Iterator[str]:
    """The hand of a seat. Other seats' hands show their backs, and the cards that were taken openly."""
    known = list_known(state, seat)
    visible = (
        [int(card) for card in state.hand[seat, : state.held[seat]]] if viewer in (None, seat) else known
    )
    width, height = panel.card
    left = PANEL_X + PANEL_WIDTH - 12 - panel.hand * (width + 3)
    for index in range(int(state.held[seat])):
        x = left + (width + 3) * (index % panel.hand)
        y = panel.y + 48 + (height + 4) * (index // panel.hand)
        if index >= len(visible):
            yield glyphs.draw_card_back(x, y, width, height)
            continue
        numbers = actions.get(Piece("card", visible[index]), []) if seat == state.actor else []
        card = glyphs.draw_card(x, y, width, height, *divmod(visible[index], codes.VALUES))
        yield link_actions(card, numbers, draw_target(x + width / 2, y + height / 2, width, height))
    if known:
        words = f"all know: {_format_cards(known)}"
        yield draw_text(
            PANEL_X + PANEL_WIDTH - 14, panel.y + panel.height - 10, words, glyphs.SMALLEST, "end"
        )


def list_known(state: Any, seat: int) -> list[int]:
    """The cards in a hand that all have seen arriving."""
    return [
        path * codes.VALUES + value
        for path in range(codes.PATHS)
        for value in range(codes.VALUES)
        for _ in range(copies(state.known[seat, path], value))
    ]


def _format_cards(cards: list[int]) -> str:
    """The cards by their names; by letters, where names would not fit."""
    parts = [divmod(card, codes.VALUES) for card in cards]
    if len(parts) > 2:
        return " ".join(f"{glyphs.name_letter(path)}{value}" for path, value in parts)
    return ", ".join(f"{codes.PATH_NAMES[path]} {value}" for path, value in parts)


# ---- legend


def _draw_legend(state: Any) -> Iterator[str]:
    yield draw_plate(MARGIN, LEGEND_Y, 850, LEGEND_HEIGHT, 14, f'fill="{PARCHMENT}"')
    y = LEGEND_Y + 24
    yield glyphs.draw_tile(codes.TWO, 46, y)
    yield draw_text(70, y + 5, "points at once", 15)
    yield glyphs.draw_tile(codes.CLOVER_LEAF, 216, y)
    yield draw_text(240, y + 5, "one of your figures moves on a stone", 15)
    yield glyphs.draw_tile(codes.WISHING_STONE, 562, y)
    yield draw_text(586, y + 5, "yours, for points at the end", 15)
    y += 44
    yield draw_plate(28, y - 12, 36, 24, 9, f'fill="{glyphs.DARK["red"]}"')
    notes = list_reconstructed(state)
    yield draw_text(70, y + 5, f"dark{'*' if len(notes) > 1 else ''}: for a tile", 15)
    if state.rules.large_figure > 1:
        yield glyphs.draw_figure(0, 216, y + 14, True)
        yield draw_text(240, y + 5, f"the large figure of seat 1, counts {_format_times(state)}", 15)
    yield draw_plate(544, y - 12, 36, 24, 6, f'fill="{GOAL}" stroke="#8d8470"')
    verb = "ends" if state.rules.figures_to_end == 1 else "end"
    yield draw_text(586, y + 5, f"goal area: {_count_figures(state)} {verb} the match", 15)
    yield draw_text(32, LEGEND_Y + 108, f"* reconstructed: {'; '.join(notes)}", glyphs.SMALLEST)


def _format_times(state: Any) -> str:
    times = int(state.rules.large_figure)
    return "double" if times == 2 else f"{COUNTS[times]} times"


def list_reconstructed(state: Any) -> list[str]:
    """What of the picture no source documents, or is invented."""
    notes = ["the order of the colours, without effect on play"]
    dark = state.rules.dark.tolist()
    for name, printed in board.BOARDS.items():
        mark = codes.BOX["boards"][name]["marks"]["stones"]
        if board.read_board(printed)["dark"] == dark and mark["known"] == "reconstructed":
            notes.append(f"which stones are dark, {mark['source']}")
    return notes


def _draw_wishing_table(state: Any) -> Iterator[str]:
    """What the wishing stones count at the end, in the corner where the printed board has it."""
    left, table = 876, state.rules.wishing.tolist()
    yield draw_plate(left, LEGEND_Y, WIDTH - MARGIN - left, LEGEND_HEIGHT, 14, f'fill="{PARCHMENT}"')
    yield draw_text(left + 16, LEGEND_Y + 30, "Wishing stones at the end", 17, weight="bold")
    yield draw_text(left + 16, LEGEND_Y + 66, "stones", 15)
    yield draw_text(left + 16, LEGEND_Y + 100, "points", 15)
    for count, points in enumerate(table):
        x = left + 104 + 42 * count
        words = f"{count}+" if count == len(table) - 1 else f"{count}"
        yield draw_text(x, LEGEND_Y + 66, words, 18, "middle")
        fill = glyphs.LOSS if points < 0 else INK
        yield draw_text(x, LEGEND_Y + 100, _format_signed(points), 18, "middle", fill, "bold")
