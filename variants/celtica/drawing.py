"""A position of Celtica as a picture: the board with its path, the druids and the display, and each seat's
amulets and cards.

`draw` returns a whole SVG file as text. For one seat's view the hands of the others are shown from behind.
Pieces that a legal action concerns carry its number in `data-action`.
"""

import functools
import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from variants.celtica import codes
from variants.celtica.board import find_reconstructed
from variants.celtica.legal import legal
from variants.celtica.scoring import standing
from variants.celtica.topics import glyphs
from variants.celtica.topics.glyphs import CARD_WIDTH, GOLD, INK, MUTED, PAPER, group, write
from variants.celtica.topics.places import payer
from variants.celtica.transcript import describe_result
from variants.celtica.words import count_amulets, list_amulets, say, split_play

WIDTH, EDGE = 1000, 12
BOARD_TOP, BOARD_BOTTOM, BOARD_LAND = 84, 682, 462
LEFT, RIGHT, CENTRE = 100, 904, 502  # of the path
LANES = (298, 458, 610)  # its rows, from the top
BEND = 44  # the radius of its bends
RADIUS = 38  # of a place, unless they stand close together
CLOSE = 100  # places nearer than this are labelled by their number alone
AMULET, AMULETS_LEFT, PER_ROW = 37, 446, 6
PANEL_ROW, PANEL_GAP = 100, 10
SEA, LAND, ROAD, FRAME = "#c4dbe4", "#e2ead0", "#f6ebcd", "#6b573b"
PLACE_FILL = ("#dbe7ec", "#d3e6b5", "#f6e6b4", "#efc98a", "#dccdf0", "#e6bfb1", "#f7cf62")
PHASE_NAMES = {
    codes.MOVE: "plays cards",
    codes.TAKING: "takes parts ({owed} more)",
    codes.GIVING: "gives up parts ({owed} more)",
    codes.CULT: "may draw a druid card",
    codes.EXCHANGE: "exchanges experience cards",
    codes.SWAPPING: "gives a part in return",
}
LEGEND = (
    "+2  take parts there",
    "\N{MINUS SIGN}2  give up parts, get experience",
    "card  you may draw a druid card",
)
RECONSTRUCTED = ("dashed ring and *: reconstructed,", "not documented by any source")

Piece = tuple[str, int]
Actions = Mapping[Piece, Sequence[int]]
Point = tuple[float, float]


def draw(state: Any, seat: int | None = None) -> str:
    """All of a position, or what one seat sees of it."""
    actions = find_actions(state, seat)
    tops = list(itertools.accumulate(_find_panel_heights(state), initial=BOARD_BOTTOM + EDGE + PANEL_GAP))
    height = tops[-1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" '
        f'font-family="Helvetica, Arial, sans-serif" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
        _draw_heading(state, seat, actions),
        _draw_board(),
        *_draw_display(state, actions),
        *_draw_decks(state, actions),
        *_draw_path(state, actions),
        *_draw_legend(state),
        *(_draw_panel(state, other, seat, tops[other], actions) for other in range(int(state.players))),
        "</svg>",
    ]
    return "\n".join(parts)


# ---- which pieces a legal action concerns


def find_actions(state: Any, seat: int | None) -> Actions:
    """The legal actions by the pieces they concern; only for who may see the actor's cards."""
    by_piece: dict[Piece, list[int]] = defaultdict(list)
    if state.end or seat not in (None, int(state.actor)):
        return by_piece
    numbers = np.zeros(codes.ACTIONS, np.int64)
    for action in numbers[: legal(state, numbers)]:
        for piece in _list_pieces(state, int(action)):
            by_piece[piece].append(int(action))
    return by_piece


def _list_pieces(state: Any, action: int) -> list[Piece]:
    """What an action is done with. What is done with no piece has a button."""
    if action < codes.TAKE:
        return _list_pieces_of_play(state, action)
    if action < codes.GIVE:
        return [("display", action - codes.TAKE)]
    if action < codes.DRAW_CARD:
        return [("part", action - codes.GIVE)]
    if action == codes.DRAW_CARD:
        return [("deck", codes.DRUIDS)]
    if codes.SWAP <= action < codes.RETURN:
        return [("display", action - codes.SWAP)]
    if codes.RETURN <= action < codes.BUY:
        return [("part", action - codes.RETURN)]
    if codes.BUY <= action < codes.DONE:
        return [("display", action - codes.BUY)]
    return [("button", action)]


def _list_pieces_of_play(state: Any, action: int) -> list[Piece]:
    """The druid, its cards, and the place that it gets to."""
    colour, druids, experience, landing = split_play(action)
    place = min(int(state.position[colour]) + druids + experience, int(state.rules.goal))
    pieces = [("druid", colour)]
    pieces += [("card", colour)] * (druids > 0) + [("experience", colour)] * (experience > 0)
    return pieces + [("place", place)] * (landing != codes.NOWHERE)


# ---- the heading


def _draw_heading(state: Any, seat: int | None, actions: Actions) -> str:
    """The title, what is to be done or who won why, and whose view it is."""
    view = "all hands open" if seat is None else f"as seat {seat + 1} sees it"
    lines = write(EDGE + 6, 42, "Celtica", 30, bold=True)
    lines += write(WIDTH - EDGE - 6, 42, view, 14, MUTED, "end")
    if state.end:
        lines += write(146, 42, f"Match over: {codes.ENDS[state.end - 1]}", 17)
        return lines + write(EDGE + 6, 68, describe_result(state), 17, GOLD, bold=True)
    phase = PHASE_NAMES[int(state.phase)].format(owed=int(state.owed))
    lines += write(146, 42, f"Turn {state.turn}: seat {state.actor + 1} {phase}", 17)
    buttons = [action for (piece, action) in actions if piece == "button"]
    return lines + "".join(_draw_button(state, action, n) for n, action in enumerate(buttons))


def _draw_button(state: Any, action: int, n: int) -> str:
    words = say(state, action)
    x = 146 + n * 190
    box = f'<rect x="{x}" y="52" width="176" height="26" rx="13" fill="#fff3d6" stroke="{GOLD}"/>'
    label = write(x + 88, 70, words, 14, anchor="middle", bold=True)
    return group(box + label, words, [action], glyphs.draw_target(x + 88, 65, 176))


# ---- the board


@functools.cache
def _draw_board() -> str:
    """A green island in the sea, in a wooden frame."""
    width, height = WIDTH - 2 * EDGE, BOARD_BOTTOM - BOARD_TOP
    frame = f'x="{EDGE}" y="{BOARD_TOP}" width="{width}" height="{height}" rx="16"'
    middle, half_width, half_height = (LANES[0] + LANES[2]) / 2 - 14, WIDTH / 2 - 26, BOARD_LAND / 2
    turns = [math.tau * step / 120 for step in range(120)]
    shore = [
        (
            WIDTH / 2 + _round_off(math.cos(turn)) * (half_width + 4 * math.sin(17 * turn)),
            middle + _round_off(math.sin(turn)) * (half_height + 4 * math.sin(14 * turn)),
        )
        for turn in turns
    ]
    sea = f'<rect {frame} fill="{SEA}" stroke="{FRAME}" stroke-width="6"/>'
    return sea + glyphs.draw_polygon(shore, LAND, "#9fb184", 'stroke-width="3"')


def _round_off(share: float) -> float:
    """Makes a rounded rectangle of a circle."""
    return math.copysign(abs(share) ** 0.22, share)


def _draw_display(state: Any, actions: Actions) -> list[str]:
    """The displayed parts, each at its place in an amulet; several of a kind lie on one heap."""
    pictures = [write(EDGE + 20, BOARD_TOP + 24, "Display", 15, bold=True)]
    kinds = [kind for kind in range(codes.KINDS) if state.display[kind] > 0]
    for n, kind in enumerate(kinds):
        x, y = EDGE + 52 + n * 67, BOARD_TOP + 66
        copies = int(state.display[kind])
        name = codes.PART_NAMES[kind].removeprefix("the ")
        part = glyphs.draw_displayed_part(x, y, 30, kind, actions.get(("display", kind), ()))
        caption = f"{name} \N{MULTIPLICATION SIGN}{copies}" if copies > 1 else name
        pictures += [part, write(x, y + 47, caption, 13, INK, "middle")]
    return pictures


def _draw_decks(state: Any, actions: Actions) -> list[str]:
    """What lies face down, with how many were discarded or given up."""
    # Cards that no seat holds and nobody discarded: what is in a deck is hidden, how many are not.
    decks = [
        ("druid cards", state.druid_deck, state.druid_discard, "discarded"),
        ("experience", state.experience_deck, state.experience_discard, "discarded"),
        ("parts in stock", state.stock, state.given_up, "given up"),
    ]
    pictures = []
    for n, (name, deck, discard, fate) in enumerate(decks):
        x, y = 705 + n * 110, BOARD_TOP + 10
        numbers = actions.get(("deck", n), ())
        rim = f'stroke="{GOLD}" stroke-width="4"' if numbers else f'stroke="{INK}"'
        back = f'<rect x="{x - 25}" y="{y}" width="50" height="62" rx="6" fill="{glyphs.CARD_BACK}" {rim}/>'
        count = write(x, y + 38, str(int(deck.sum())), 20, "#ffffff", "middle", True)
        pictures += [
            group(back + count, name, numbers),
            write(x, y + 79, name, 13, INK, "middle", True),
            write(x, y + 101, f"{int(discard.sum())} {fate}", 12, INK, "middle"),
        ]
    return pictures


def _draw_legend(state: Any) -> list[str]:
    lines = LEGEND + (RECONSTRUCTED if find_reconstructed(state.rules) else ())
    top = LANES[1] - 11 * len(lines) + 16
    return [write(CENTRE + 82, top + 22 * n, line, 13, INK) for n, line in enumerate(lines)]


# ---- the path


def _trace_path() -> list[Point]:
    """The path in small steps: from the lower left along three sides, and inwards to the middle."""
    top, middle, bottom = LANES
    corners = [(LEFT, bottom), (RIGHT, bottom), (RIGHT, top), (LEFT, top), (LEFT, middle), (CENTRE, middle)]
    points: list[Point] = [corners[0]]
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        points += _trace_bend(before, corner, after)
    return [*points, corners[-1]]


def _trace_bend(before: Point, corner: Point, after: Point) -> list[Point]:
    """A rounded corner."""
    start, end = _approach(corner, before), _approach(corner, after)
    shares = [step / 12 for step in range(13)]
    return [
        (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * corner[0] + t**2 * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * corner[1] + t**2 * end[1],
        )
        for t in shares
    ]


def _approach(corner: Point, other: Point) -> Point:
    """The point at which the bend at a corner begins, as one comes from another point."""
    share = BEND / math.dist(corner, other)
    return corner[0] + share * (other[0] - corner[0]), corner[1] + share * (other[1] - corner[1])


@functools.cache
def find_spots(places: int) -> list[Point]:
    """Where the places are, evenly along the path."""
    points = _trace_path()
    lengths = [0.0, *itertools.accumulate(math.dist(a, b) for a, b in itertools.pairwise(points))]
    wanted = [lengths[-1] * place / (places - 1) for place in range(places)]
    xs, ys = zip(*points, strict=True)
    return list(zip(np.interp(wanted, lengths, xs), np.interp(wanted, lengths, ys), strict=True))


def _draw_path(state: Any, actions: Actions) -> list[str]:
    spots = find_spots(int(state.rules.goal) + 1)
    reconstructed = find_reconstructed(state.rules)
    return [
        _draw_road(),
        *(
            _draw_place(state, place, spots, place in reconstructed, actions.get(("place", place), ()))
            for place in range(len(spots))
        ),
        *_draw_druids(state, spots, actions),
    ]


@functools.cache
def _draw_road() -> str:
    course = " ".join(f"{x:.1f},{y:.1f}" for x, y in _trace_path())
    line = f'<polyline points="{course}" fill="none" stroke-linejoin="round" stroke-linecap="round"'
    return f'{line} stroke="#b39b6d" stroke-width="26"/>{line} stroke="{ROAD}" stroke-width="20"/>'


def _find_nearest(spots: Sequence[Point]) -> float:
    """How far the two places are apart that are nearest to each other: those in a bend."""
    return min(math.dist(one, other) for one, other in itertools.pairwise(spots))


def _find_radius(spots: Sequence[Point]) -> float:
    return min(RADIUS, 0.48 * _find_nearest(spots))


def _draw_place(
    state: Any, place: int, spots: Sequence[Point], is_reconstructed: bool, actions: Sequence[int]
) -> str:
    """A place with what stands there, what it gives or takes, its number and its kind."""
    x, y = spots[place]
    radius = _find_radius(spots)
    kind = int(state.rules.place_kind[place])
    name = "cult site" if kind == codes.CULT_SITE else codes.PLACE_NAMES[kind]
    dashes = 'stroke-dasharray="7 4"' if is_reconstructed else ""
    rim = f'stroke="{GOLD}" stroke-width="5"' if actions else f'stroke="{INK}" stroke-width="2.2"'
    circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{PLACE_FILL[kind]}" {rim} {dashes}/>'
    printed = _format_parts(state, place)
    content = circle + glyphs.draw_building(kind, x, y - 9 if printed else y)
    content += write(x, y + 22, printed, 17, anchor="middle", bold=True) if printed else ""
    mark = "*" * is_reconstructed
    title = f"{place + 1} {name}{mark}"
    label = title if _find_nearest(spots) >= CLOSE else f"{place + 1}{mark}"
    return group(content, title, actions) + write(x, y + radius + 16, label, 13, INK, "middle", bold=True)


def _format_parts(state: Any, place: int) -> str:
    """Parts gained or lost; a card at cult sites; a goal that pays nothing says so."""
    kind, parts = int(state.rules.place_kind[place]), int(state.rules.place_parts[place])
    if kind in (codes.START, codes.CULT_SITE):
        return "" if kind == codes.START else "card"
    if kind == codes.GOAL and not state.rules.goal_pays:
        return "0"
    return f"\N{MINUS SIGN}{parts}" if kind == codes.RUIN else f"+{parts}"


def _draw_druids(state: Any, spots: Sequence[Point], actions: Actions) -> Iterable[str]:
    """The druids stand side by side on the upper rim of their place."""
    for place in sorted({int(place) for place in state.position}):
        colours = [colour for colour, at in enumerate(state.position) if at == place]
        x, y = spots[place]
        for n, colour in enumerate(colours):
            across = x + 25 * (n - (len(colours) - 1) / 2)
            yield glyphs.draw_druid(
                across, y - _find_radius(spots) + 8, colour, actions.get(("druid", colour), ())
            )


# ---- the seats


def _find_panel_heights(state: Any) -> list[int]:
    """Each seat's panel has room for its amulets, six in a row."""
    amulets = [max(1, len(list_amulets(state.parts[seat]))) for seat in range(int(state.players))]
    return [math.ceil(n / PER_ROW) * PANEL_ROW + 18 + PANEL_GAP for n in amulets]


def _draw_panel(state: Any, seat: int, viewer: int | None, y: float, actions: Actions) -> str:
    """One seat: name and complete amulets, druid and experience cards, amulets."""
    height = _find_panel_heights(state)[seat] - PANEL_GAP
    is_acting = not state.end and seat == state.actor
    is_winner = state.end and seat in _find_winners(state)
    rim = 'stroke="#c9bda3" stroke-width="1.5"'
    if is_acting or is_winner:
        rim = f'stroke="{GOLD}" stroke-width="3"'
    size = f'width="{WIDTH - 2 * EDGE}" height="{height}" rx="10"'
    box = f'<rect x="{EDGE}" y="{y}" {size} fill="#ffffff" {rim}/>'
    complete = count_amulets(state.parts[seat])
    lines = write(EDGE + 14, y + 28, f"Seat {seat + 1}", 19, bold=True)
    lines += write(EDGE + 94, y + 27, f"{complete} complete amulet{'' if complete == 1 else 's'}", 14)
    note = "winner" if is_winner else _describe_duty(state, seat, viewer)
    lines += write(EDGE + 252, y + 27, note, 14, "#a3352b", bold=True)
    mine = actions if is_acting else {}
    is_open = viewer in (None, seat)
    cards = _draw_cards("card", state.hand[seat], is_open, EDGE + 14, y + 44, 212, mine)
    cards += _draw_cards("experience", state.experience[seat], is_open, EDGE + 290, y + 44, 92, mine)
    giver = payer(state) if state.phase == codes.GIVING else state.turn_owner
    parts = _draw_amulets(state.parts[seat], y, actions if seat == giver else {})
    return f"<g>{box}{lines}{cards}{parts}</g>"


def _find_winners(state: Any) -> list[int]:
    standings = [standing(state, seat) for seat in range(int(state.players))]
    return [seat for seat, mine in enumerate(standings) if mine == max(standings)]


def _describe_duty(state: Any, seat: int, viewer: int | None) -> str:
    """The card that was drawn and must be played; others know only that there is one."""
    if not state.drew[seat]:
        return ""
    colour = codes.COLOUR_NAMES[state.due[seat] - 1] if viewer in (None, seat) else ""
    return f"must play {colour}" if colour else "must play the drawn card"


def _draw_cards(
    piece: str, cards: Any, is_open: bool, x: float, y: float, width: float, actions: Actions
) -> str:
    """Cards side by side; closer together when there are many."""
    colours = [colour for colour, n in enumerate(cards) for _ in range(int(n))]
    step = min(CARD_WIDTH + 6.0, width / max(1, len(colours) - 1))
    return "".join(
        glyphs.draw_card(
            x + n * step,
            y,
            colour if is_open else None,
            piece == "experience",
            actions.get((piece, colour), ()) if is_open else (),
        )
        for n, colour in enumerate(colours)
    )


def _draw_amulets(parts: Any, y: float, actions: Actions) -> str:
    """The k-th amulet has every kind of which there are at least k. With no part there is an empty one."""
    sizes = list_amulets(parts) or [0]
    numbers = [actions.get(("part", kind), ()) for kind in range(codes.KINDS)]
    pictures = []
    for k, size in enumerate(sizes):
        row, column = divmod(k, PER_ROW)
        x = AMULETS_LEFT + AMULET + column * 90
        middle = y + 12 + AMULET + row * PANEL_ROW
        held = [bool(count > k) for count in parts]
        words = "complete" if size == codes.KINDS else f"{size} of {codes.KINDS}"
        pictures.append(glyphs.draw_amulet(x, middle, AMULET, held, numbers))
        pictures.append(write(x, middle + AMULET + 17, words, 13, anchor="middle", bold=size == codes.KINDS))
    return "".join(pictures)
