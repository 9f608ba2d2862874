"""A position of Keltis as a picture: the five paths, the piles below them, and beside them what lies before
each player.
"""

from collections.abc import Iterator
from html import escape
from typing import Any

from variants.keltis import codes
from variants.keltis.scoring import score
from variants.keltis.topics.cards import copies
from variants.keltis.topics.tiles import tile_on

WIDTH, HEIGHT = 1240, 880
LIGHT = {"red": "#cf7b62", "yellow": "#e6bf5a", "pink": "#dd96b5", "green": "#8fba78", "blue": "#80abd1"}
DARK = {"red": "#8f4631", "yellow": "#a97f1f", "pink": "#9c4f74", "green": "#4c7a39", "blue": "#3f6a91"}
PLAYER_COLOURS = (
    ("#26231f", "#f4efe4"),
    ("#fdfbf5", "#26231f"),
    ("#9a9a97", "#26231f"),
    ("#7a4a26", "#f4efe4"),
)  # fill and outline
PHASE_NAMES = {
    codes.PLAY: "plays a card",
    codes.CLOVER: "uses a clover",
    codes.SUBSTITUTE: "moves another figure instead",
    codes.DRAW: "draws a card",
}
INK, PAPER, CLOTH = "#33302a", "#fbf7ec", "#e9e2d0"
STONE_WIDTH, STONE_HEIGHT, ROW_HEIGHT = 82, 58, 66
PANEL_X, PANEL_Y, PANEL_HEIGHT, PANEL_WIDTH = 590, 66, 196, 632


def draw(state: Any, seat: int | None = None) -> str:
    """The whole position, or what one seat sees of it."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="Georgia, serif" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{CLOTH}"/>',
        _draw_text(28, 42, _format_headline(state), 24),
        *_draw_board(state),
        *_draw_piles(state),
        *(part for other in range(state.players) for part in _draw_panel(state, other, seat)),
        "</svg>",
    ]
    return "\n".join(parts)


def _format_headline(state: Any) -> str:
    if state.end:
        return "The match is over: " + (
            "the goal area is full" if state.end == codes.FIGURES else "the last card is drawn"
        )
    return f"Turn {state.turn}: seat {state.turn_owner + 1} {PHASE_NAMES[int(state.phase)]}"


# ---- the board


def _path_x(path: int) -> int:
    return 130 + 96 * path


def _row_y(row: int) -> int:
    return 714 - ROW_HEIGHT * row


def _draw_board(state: Any) -> Iterator[str]:
    goal = int(state.rules.goal_row)
    top, bottom = _row_y(codes.END_STONE) - 36, _row_y(goal) + 33
    height = _row_y(0) + 44 - PANEL_Y
    yield f'<rect x="18" y="{PANEL_Y}" width="552" height="{height}" rx="14" fill="{PAPER}"/>'
    yield f'<rect x="26" y="{top}" width="536" height="{bottom - top}" rx="12" fill="#efe3b4"/>'
    for row in range(1, codes.ROWS + 1):
        points = int(state.rules.row_points[row])
        yield _draw_text(
            52,
            _row_y(row) + 8,
            f"{points:+d}".replace("-", "\u2212"),
            22,
            "middle",
            "#a33a2a" if points < 0 else INK,
        )
    start = 'fill="#c9c0ab" stroke="#9b917b"'
    yield f'<rect x="82" y="{_row_y(0) - 28}" width="480" height="64" rx="30" {start}/>'
    for path in range(codes.PATHS):
        for row in range(1, codes.ROWS + 1):
            yield from _draw_stone(state, path, row)
    yield from _draw_start(state)


def _draw_stone(state: Any, path: int, row: int) -> Iterator[str]:
    name, tile = codes.PATH_NAMES[path], tile_on(state.tiles[path], row)
    fill = (DARK if (int(state.rules.dark[path]) >> row) & 1 else LIGHT)[name]
    x, y, radius = _path_x(path), _row_y(row), 29 if row == codes.END_STONE else 20
    corner = f'x="{x - STONE_WIDTH // 2}" y="{y - STONE_HEIGHT // 2}"'
    box = f'{corner} width="{STONE_WIDTH}" height="{STONE_HEIGHT}"'
    yield f'<rect {box} rx="{radius}" fill="{fill}" stroke="{DARK[name]}" stroke-width="1.5"/>'
    if tile != codes.NO_TILE:
        yield _draw_tile(tile, x, y - 8)
    for seat in range(state.players):
        if state.row[seat, path] == row:
            yield _draw_figure(seat, x - 28 + 19 * seat, y + 27, state.large[seat] == path)


def _draw_tile(tile: int, x: float, y: float) -> str:
    if tile == codes.WISHING_STONE:
        style = 'fill="#e9f3f5" stroke="#3c6d7a" stroke-width="2.5"'
        shape = f'<path d="M0,-16 l14,10 l-5,20 h-18 l-5,-20 z" {style}/>'
        return f'<g aria-label="stone" transform="translate({x},{y})">{shape}</g>'
    named = 'aria-label="clover" ' if tile == codes.CLOVER_LEAF else ""
    disc = f'<circle {named}cx="{x}" cy="{y}" r="15" fill="{PAPER}" stroke="#8b8270"/>'
    if tile == codes.CLOVER_LEAF:
        leaves = "".join(
            f'<circle cx="{x + dx}" cy="{y + dy}" r="5.2"/>' for dx, dy in ((0, -6), (-5.6, 2.4), (5.6, 2.4))
        )
        return f'{disc}<g fill="#2f8f3e">{leaves}<path d="M{x - 1.2},{y} l-1,11 h4.4 l-1,-11 z"/></g>'
    return disc + _draw_text(x, y + 7, str(tile), 20, "middle", weight="bold")


def _draw_figure(seat: int, x: float, y: float, large: bool) -> str:
    """A figure whose foot is at (x, y); the large one has a dot, too, as size alone is easily overlooked."""
    fill, line = PLAYER_COLOURS[seat]
    size = 1.85 if large else 1.3
    dot = f'<circle cy="-13.5" r="2" fill="{line}"/>' if large else ""
    outline = "M-6.5,0 Q-5.5,-8 -2.8,-10.5 a4.6,4.6 0 1 1 5.6,0 Q5.5,-8 6.5,0 Z"
    body = f'<path d="{outline}" fill="{fill}" stroke="{line}"/>'
    named = f'<g aria-label="{seat + 1}{"!" if large else ""}" transform="translate({x},{y - 13})"/>'
    return f'{named}<g transform="translate({x},{y}) scale({size})">{body}{dot}</g>'


def _draw_start(state: Any) -> Iterator[str]:
    """The figures that have not set out yet, seat by seat."""
    for seat in range(state.players):
        x = 110 + 116 * seat
        for index in range(int(state.small[seat])):
            yield _draw_figure(seat, x + 19 * index, _row_y(0) + 24, False)
        if state.large[seat] == codes.WAITING:
            yield _draw_figure(seat, x + 19 * int(state.small[seat]) + 3, _row_y(0) + 24, True)


# ---- cards


def _draw_card(x: float, y: float, path: int, value: int) -> str:
    name = codes.PATH_NAMES[path]
    box = f'x="{x}" y="{y}" width="30" height="40" rx="4"'
    return f'<rect {box} fill="{LIGHT[name]}" stroke="{DARK[name]}" stroke-width="1.5"/>' + _draw_text(
        x + 15, y + 26, str(value), 18, "middle", weight="bold"
    )


def _draw_card_back(x: float, y: float) -> str:
    inner = f'<rect x="{x + 5}" y="{y + 5}" width="20" height="30" rx="2" fill="none" stroke="#d7cfb8"/>'
    return f'<rect x="{x}" y="{y}" width="30" height="40" rx="4" fill="#6b7a64" stroke="#47523f"/>{inner}'


def _draw_piles(state: Any) -> Iterator[str]:
    """The draw pile, and each discard pile below its path."""
    y = 782
    yield f'<rect x="18" y="{y - 14}" width="552" height="96" rx="14" fill="{PAPER}"/>'
    if state.left:
        yield _draw_card_back(38, y)
    yield _draw_text(53, y + 64, f"{state.left} left", 15, "middle")
    for path in range(codes.PATHS):
        height, x = int(state.height[path]), _path_x(path)
        if height:
            yield _draw_card(x - 15, y, path, int(state.pile[path, height - 1]))
            yield _draw_text(x, y + 64, f"{height} card{'s' if height > 1 else ''}", 15, "middle")
        else:
            frame = f'stroke="{DARK[codes.PATH_NAMES[path]]}" stroke-dasharray="4 3"'
            yield f'<rect x="{x - 15}" y="{y}" width="30" height="40" rx="4" fill="none" {frame}/>'


# ---- what lies before a seat


def _draw_panel(state: Any, seat: int, viewer: int | None) -> Iterator[str]:
    x, y = PANEL_X, PANEL_Y + seat * (PANEL_HEIGHT + 6)
    edge = ' stroke="#b58a2a" stroke-width="3"' if seat == state.turn_owner and not state.end else ""
    box = f'x="{x}" y="{y}" width="{PANEL_WIDTH}" height="{PANEL_HEIGHT}"'
    yield f'<rect {box} rx="14" fill="{PAPER}"{edge}/>'
    yield _draw_figure(seat, x + 28, y + 31, False)
    points, wishes = int(state.points[seat]), int(state.wishes[seat])
    stones = f"{wishes} wishing stone{'' if wishes == 1 else 's'}"
    total = f"{'scores' if state.end else 'would score'} {score(state, seat)}".replace("-", "\u2212")
    yield _draw_text(x + 46, y + 28, f"Seat {seat + 1}", 19, weight="bold")
    yield _draw_text(x + 120, y + 28, f"{points} on the track, {stones}, {total}", 16)
    for path in range(codes.PATHS):
        yield from _draw_column(state, seat, path, x + 18, y + 43 + 30 * path)
    yield from _draw_hand(state, seat, viewer, x + PANEL_WIDTH - 214, y + 52)


def _draw_column(state: Any, seat: int, path: int, x: float, y: float) -> Iterator[str]:
    """A column of cards from left to right, closer together the longer it is."""
    name, values = codes.PATH_NAMES[path], list_column(state, seat, path)
    style = f'stroke="{LIGHT[name]}" stroke-width="2" opacity="0.5"'
    yield f'<line x1="{x}" y1="{y + 13}" x2="{x + 380}" y2="{y + 13}" {style}/>'
    step = min(28, 356 / max(1, len(values) - 1))
    for index, value in enumerate(values):
        left = round(x + index * step, 1)
        colours = f'fill="{LIGHT[name]}" stroke="{DARK[name]}"'
        yield f'<rect x="{left}" y="{y}" width="25" height="26" rx="4" {colours}/>'
        yield _draw_text(left + 12.5, y + 19, str(value), 16, "middle")


def list_column(state: Any, seat: int, path: int) -> list[int]:
    """The cards of a column in the order in which they were laid; a falling column cannot take a 10."""
    cards, highest = int(state.column[seat, path]), codes.VALUES * path + codes.VALUES - 1
    rising = [value for value in range(codes.VALUES) for _ in range(copies(cards, value))]
    return rising if (int(state.fits[seat]) >> highest) & 1 else rising[::-1]


def _draw_hand(state: Any, seat: int, viewer: int | None, x: float, y: float) -> Iterator[str]:
    """Six cards in a row. Other seats' hands show their backs, and the cards that were taken openly."""
    cards = [divmod(int(card), codes.VALUES) for card in state.hand[seat, : state.held[seat]]]
    known = [
        (path, value)
        for path in range(codes.PATHS)
        for value in range(codes.VALUES)
        for _ in range(copies(state.known[seat, path], value))
    ]
    visible = cards if viewer in (None, seat) else known
    for index in range(len(cards)):
        left, top = x + 33 * (index % 6), y + 46 * (index // 6)
        yield _draw_card(left, top, *visible[index]) if index < len(visible) else _draw_card_back(left, top)
    if known:
        names = ", ".join(f"{codes.PATH_NAMES[path]} {value}" for path, value in known)
        yield _draw_text(x + 198, y + 130, f"all know: {names}", 12, "end")


def _draw_text(
    x: float, y: float, words: str, size: int, anchor: str = "start", fill: str = INK, weight: str = "normal"
) -> str:
    style = f'font-size="{size}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {style}>{escape(words)}</text>'
