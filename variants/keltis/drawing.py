"""A position of Keltis as a picture: the five paths, the piles below them, and beside them what lies before each player."""

from collections.abc import Iterator
from html import escape
from typing import Any

from variants.keltis.cards import copies
from variants.keltis.codes import (
    CLOVER,
    CLOVER_LEAF,
    DRAW,
    END_STONE,
    FIGURES,
    NO_TILE,
    PATH_NAMES,
    PATHS,
    PLAY,
    ROWS,
    SUBSTITUTE,
    VALUES,
    WAITING,
    WISHING_STONE,
)
from variants.keltis.scoring import score
from variants.keltis.tiles import tile_on

WIDTH, HEIGHT = 1240, 880
LIGHT = {"red": "#cf7b62", "yellow": "#e6bf5a", "pink": "#dd96b5", "green": "#8fba78", "blue": "#80abd1"}
DARK = {"red": "#8f4631", "yellow": "#a97f1f", "pink": "#9c4f74", "green": "#4c7a39", "blue": "#3f6a91"}
PLAYERS = (("#26231f", "#f4efe4"), ("#fdfbf5", "#26231f"), ("#9a9a97", "#26231f"), ("#7a4a26", "#f4efe4"))  # fill and outline
PHASES = {PLAY: "plays a card", CLOVER: "uses a clover", SUBSTITUTE: "moves another figure instead", DRAW: "draws a card"}
INK, PAPER, CLOTH = "#33302a", "#fbf7ec", "#e9e2d0"
STONE_WIDTH, STONE_HEIGHT, ROW_HEIGHT = 82, 58, 66
PANEL_X, PANEL_Y, PANEL_HEIGHT, PANEL_WIDTH = 590, 66, 196, 632


def draw(state: Any, seat: int | None = None) -> str:
    """The whole position, or what one seat sees of it."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="Georgia, serif" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{CLOTH}"/>',
        _text(28, 42, _headline(state), 24),
        *_board(state),
        *_piles(state),
        *(part for player in range(state.seats) for part in _panel(state, player, seat)),
        "</svg>",
    ]
    return "\n".join(parts)


def _headline(state: Any) -> str:
    if state.end:
        return "The match is over: " + ("the goal area is full" if state.end == FIGURES else "the last card is drawn")
    return f"Turn {state.turn}: seat {state.player + 1} {PHASES[int(state.phase)]}"


# ---- the board


def _x(path: int) -> int:
    return 130 + 96 * path


def _y(row: int) -> int:
    return 714 - ROW_HEIGHT * row


def _board(state: Any) -> Iterator[str]:
    goal = int(state.rules.goal_row)
    top, bottom = _y(END_STONE) - 36, _y(goal) + 33
    yield f'<rect x="18" y="{PANEL_Y}" width="552" height="{_y(0) + 44 - PANEL_Y}" rx="14" fill="{PAPER}"/>'
    yield f'<rect x="26" y="{top}" width="536" height="{bottom - top}" rx="12" fill="#efe3b4"/>'
    for row in range(1, ROWS + 1):
        points = int(state.rules.row_points[row])
        yield _text(52, _y(row) + 8, f"{points:+d}".replace("-", "\u2212"), 22, "middle", "#a33a2a" if points < 0 else INK)
    yield f'<rect x="82" y="{_y(0) - 28}" width="480" height="64" rx="30" fill="#c9c0ab" stroke="#9b917b"/>'
    for path in range(PATHS):
        for row in range(1, ROWS + 1):
            yield from _stone(state, path, row)
    yield from _start(state)


def _stone(state: Any, path: int, row: int) -> Iterator[str]:
    name, tile = PATH_NAMES[path], tile_on(state.tiles[path], row)
    fill = (DARK if (int(state.rules.dark[path]) >> row) & 1 else LIGHT)[name]
    x, y, radius = _x(path), _y(row), 29 if row == END_STONE else 20
    place = f'x="{x - STONE_WIDTH // 2}" y="{y - STONE_HEIGHT // 2}" width="{STONE_WIDTH}" height="{STONE_HEIGHT}"'
    yield f'<rect {place} rx="{radius}" fill="{fill}" stroke="{DARK[name]}" stroke-width="1.5"/>'
    if tile != NO_TILE:
        yield _tile(tile, x, y - 8)
    for player in range(state.seats):
        if state.row[player, path] == row:
            yield _figure(player, x - 28 + 19 * player, y + 27, state.large[player] == path)


def _tile(tile: int, x: float, y: float) -> str:
    if tile == WISHING_STONE:
        shape = '<path d="M0,-16 l14,10 l-5,20 h-18 l-5,-20 z" fill="#e9f3f5" stroke="#3c6d7a" stroke-width="2.5"/>'
        return f'<g aria-label="stone" transform="translate({x},{y})">{shape}</g>'
    named = 'aria-label="clover" ' if tile == CLOVER_LEAF else ""
    disc = f'<circle {named}cx="{x}" cy="{y}" r="15" fill="{PAPER}" stroke="#8b8270"/>'
    if tile == CLOVER_LEAF:
        leaves = "".join(f'<circle cx="{x + dx}" cy="{y + dy}" r="5.2"/>' for dx, dy in ((0, -6), (-5.6, 2.4), (5.6, 2.4)))
        return f'{disc}<g fill="#2f8f3e">{leaves}<path d="M{x - 1.2},{y} l-1,11 h4.4 l-1,-11 z"/></g>'
    return disc + _text(x, y + 7, str(tile), 20, "middle", weight="bold")


def _figure(player: int, x: float, y: float, large: bool) -> str:
    """A figure whose foot is at (x, y); the large one has a dot, too, as size alone is easily overlooked."""
    fill, line = PLAYERS[player]
    size = 1.85 if large else 1.3
    dot = f'<circle cy="-13.5" r="2" fill="{line}"/>' if large else ""
    body = f'<path d="M-6.5,0 Q-5.5,-8 -2.8,-10.5 a4.6,4.6 0 1 1 5.6,0 Q5.5,-8 6.5,0 Z" fill="{fill}" stroke="{line}"/>'
    named = f'<g aria-label="{player + 1}{"!" if large else ""}" transform="translate({x},{y - 13})"/>'
    return f'{named}<g transform="translate({x},{y}) scale({size})">{body}{dot}</g>'


def _start(state: Any) -> Iterator[str]:
    """The figures that have not set out yet, player by player."""
    for player in range(state.seats):
        x = 110 + 116 * player
        for place in range(int(state.small[player])):
            yield _figure(player, x + 19 * place, _y(0) + 24, False)
        if state.large[player] == WAITING:
            yield _figure(player, x + 19 * int(state.small[player]) + 3, _y(0) + 24, True)


# ---- cards


def _card(x: float, y: float, path: int, value: int) -> str:
    name = PATH_NAMES[path]
    place = f'x="{x}" y="{y}" width="30" height="40" rx="4"'
    return f'<rect {place} fill="{LIGHT[name]}" stroke="{DARK[name]}" stroke-width="1.5"/>' + _text(
        x + 15, y + 26, str(value), 18, "middle", weight="bold"
    )


def _back(x: float, y: float) -> str:
    inner = f'<rect x="{x + 5}" y="{y + 5}" width="20" height="30" rx="2" fill="none" stroke="#d7cfb8"/>'
    return f'<rect x="{x}" y="{y}" width="30" height="40" rx="4" fill="#6b7a64" stroke="#47523f"/>{inner}'


def _piles(state: Any) -> Iterator[str]:
    """The draw pile, and each discard pile below its path."""
    y = 782
    yield f'<rect x="18" y="{y - 14}" width="552" height="96" rx="14" fill="{PAPER}"/>'
    if state.left:
        yield _back(38, y)
    yield _text(53, y + 64, f"{state.left} left", 15, "middle")
    for path in range(PATHS):
        height, x = int(state.height[path]), _x(path)
        if height:
            yield _card(x - 15, y, path, int(state.pile[path, height - 1]))
            yield _text(x, y + 64, f"{height} card{'s' if height > 1 else ''}", 15, "middle")
        else:
            frame = f'stroke="{DARK[PATH_NAMES[path]]}" stroke-dasharray="4 3"'
            yield f'<rect x="{x - 15}" y="{y}" width="30" height="40" rx="4" fill="none" {frame}/>'


# ---- what lies before a player


def _panel(state: Any, player: int, viewer: int | None) -> Iterator[str]:
    x, y = PANEL_X, PANEL_Y + player * (PANEL_HEIGHT + 6)
    edge = ' stroke="#b58a2a" stroke-width="3"' if player == state.player and not state.end else ""
    yield f'<rect x="{x}" y="{y}" width="{PANEL_WIDTH}" height="{PANEL_HEIGHT}" rx="14" fill="{PAPER}"{edge}/>'
    yield _figure(player, x + 28, y + 31, False)
    points, wishes = int(state.points[player]), int(state.wishes[player])
    stones = f"{wishes} wishing stone{'' if wishes == 1 else 's'}"
    total = f"{'scores' if state.end else 'would score'} {score(state, player)}".replace("-", "\u2212")
    yield _text(x + 46, y + 28, f"Seat {player + 1}", 19, weight="bold")
    yield _text(x + 120, y + 28, f"{points} on the track, {stones}, {total}", 16)
    for path in range(PATHS):
        yield from _column(state, player, path, x + 18, y + 43 + 30 * path)
    yield from _hand(state, player, viewer, x + PANEL_WIDTH - 214, y + 52)


def _column(state: Any, player: int, path: int, x: float, y: float) -> Iterator[str]:
    """A column of cards from left to right, closer together the longer it is."""
    name, values = PATH_NAMES[path], column_values(state, player, path)
    yield f'<line x1="{x}" y1="{y + 13}" x2="{x + 380}" y2="{y + 13}" stroke="{LIGHT[name]}" stroke-width="2" opacity="0.5"/>'
    step = min(28, 356 / max(1, len(values) - 1))
    for place, value in enumerate(values):
        left = round(x + place * step, 1)
        yield f'<rect x="{left}" y="{y}" width="25" height="26" rx="4" fill="{LIGHT[name]}" stroke="{DARK[name]}"/>'
        yield _text(left + 12.5, y + 19, str(value), 16, "middle")


def column_values(state: Any, player: int, path: int) -> list[int]:
    """The cards of a column in the order in which they were laid: one that falls can take no 10 any more."""
    cards, highest = int(state.column[player, path]), VALUES * path + VALUES - 1
    rising = [value for value in range(VALUES) for _ in range(copies(cards, value))]
    return rising if (int(state.fits[player]) >> highest) & 1 else rising[::-1]


def _hand(state: Any, player: int, viewer: int | None, x: float, y: float) -> Iterator[str]:
    """Six cards in a row. Of others' hands one sees the backs, and the cards that were taken openly."""
    cards = [divmod(int(card), VALUES) for card in state.hand[player, : state.held[player]]]
    known = [
        (path, value) for path in range(PATHS) for value in range(VALUES) for _ in range(copies(state.known[player, path], value))
    ]
    seen = cards if viewer in (None, player) else known
    for place in range(len(cards)):
        left, top = x + 33 * (place % 6), y + 46 * (place // 6)
        yield _card(left, top, *seen[place]) if place < len(seen) else _back(left, top)
    if known:
        names = ", ".join(f"{PATH_NAMES[path]} {value}" for path, value in known)
        yield _text(x + 198, y + 130, f"all know: {names}", 12, "end")


def _text(x: float, y: float, words: str, size: int, anchor: str = "start", fill: str = INK, weight: str = "normal") -> str:
    style = f'font-size="{size}" text-anchor="{anchor}" fill="{fill}" font-weight="{weight}"'
    return f'<text x="{x}" y="{y}" {style}>{escape(words)}</text>'
