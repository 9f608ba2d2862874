"""The panels of a drawing of Celtae beside the board: progress cards, what lies before each seat, and a strip
with what can be done now.
"""

from collections.abc import Iterator
from typing import Any

from variants.celtae import codes
from variants.celtae.board import is_condition_reconstructed, is_reconstructed
from variants.celtae.scoring import measure, score
from variants.celtae.topics.build import disk_price
from variants.celtae.topics.clicks import NO_CLICKS, Clicks, list_swaps
from variants.celtae.topics.counts import total
from variants.celtae.topics.glyphs import (
    GOLD,
    HOLE,
    INK,
    MIDDLE,
    PAPER,
    PLAYER_COLOURS,
    SMALL,
    draw_box,
    draw_card,
    draw_card_target,
    draw_chip,
    draw_cube,
    draw_disc,
    draw_label,
    draw_mark,
    draw_target,
    draw_worker,
)
from variants.celtae.transcript import (
    POINT_SOURCES,
    format_number,
    list_kinds,
    list_leaders_on_offer,
    list_progress_slots,
)
from variants.celtae.words import (
    describe_condition,
    describe_leader,
    name_action,
    name_leader_count,
    number_card,
)

PANEL_X, PANEL_WIDTH = 900, 484
PANEL_Y, PANEL_BOTTOM, PANEL_GAP = 324, 1146, 6
LOWEST_PANEL, HIGHEST_PANEL = 207, 290  # with as much air between the rows as is left
STRIP_Y = 968
BLACK, FADED = "#1c1a17", "#6a6252"
IN_ORDER = "One by one, in the order of their kinds. This order is ours, not the rules'."
TOKENS_FIRST = "Tokens come before the cards. This order is ours, not the rules'."
ORDERS = {  # where the order of choices is the program's: §2.2 of RULES.md
    codes.BUYING: "From left to right; tokens before the first card. This order is ours, not the rules'.",
    codes.DRAWING_BONUS: "From left to right. This order is ours, not the rules'.",
    codes.LOWERING_PRICE: TOKENS_FIRST,
    codes.RAISING_RATE: TOKENS_FIRST,
    **dict.fromkeys(
        (
            codes.DISCARDING,
            codes.PAYING_DISK,
            codes.PAYING_DRUID,
            codes.ARMING,
            codes.GIVING,
            codes.TAKING,
            codes.CUTTING,
        ),
        IN_ORDER,
    ),
}
LEGEND = (
    "Cards: M magenta, P purple, T teal, O orange; f fort, t trap, w weapon.",
    "Workers: F farmer, B builder, S soldier, N noble, D druid. * no source documents it: our guess.",
)


# ---- progress


def draw_progress(state: Any, clicks: Clicks) -> Iterator[str]:
    """The track, and the cards with their spots."""
    yield draw_box(PANEL_X, 58, PANEL_WIDTH, 258, PAPER)
    title = f"Progress: {format_number(state.track, 'marker')} on the track"
    yield draw_label(PANEL_X + 14, 84, title, MIDDLE, weight="bold")
    for index in range(int(state.track)):
        yield draw_disc(PANEL_X + 322 + 12 * index, 78, 6, BLACK, PAPER)
    for row, slot in enumerate(list_progress_slots(state)):
        y = 110 + 24 * row
        guess = "*" if is_condition_reconstructed(state.rules, int(state.card[slot])) else ""
        words = f"{number_card(state, slot)}: {describe_condition(state, slot)}{guess}"
        spots = "".join(
            draw_disc(PANEL_X + 412 + 24 * spot, y - 5, 8, BLACK if spot < state.markers[slot] else PAPER)
            for spot in range(int(codes.SPOTS[slot]))
        )
        box = f'x="{PANEL_X + 6}" y="{y - 17}" width="{PANEL_WIDTH - 12}" height="23" rx="5"'
        plate = f'<rect {box} fill="{PAPER}"/>'
        piece = plate + draw_label(PANEL_X + 14, y, words, SMALL) + spots
        target = draw_target(PANEL_X + PANEL_WIDTH / 2, y - 5.5)
        yield clicks.wrap(piece, codes.PROGRESS + slot, target=target)


# ---- what lies before a seat


def draw_panel(state: Any, seat: int, viewer: int | None, clicks: Clicks) -> Iterator[str]:
    height = min(HIGHEST_PANEL, (PANEL_BOTTOM - PANEL_Y) // int(state.players) - PANEL_GAP)
    x, y, air = PANEL_X, PANEL_Y + seat * (height + PANEL_GAP), (height - LOWEST_PANEL) / 5
    is_acting = seat == state.actor and not state.end
    yield draw_box(x, y, PANEL_WIDTH, height, PAPER, GOLD if is_acting else "none")
    yield draw_disc(x + 26, y + 22, 14, PLAYER_COLOURS[seat])
    yield draw_mark(x + 26, y + 22, str(seat + 1), PLAYER_COLOURS[seat])
    holder = ", Teutates" if state.teutates == seat else ""
    yield draw_label(x + 48, y + 28, f"Seat {seat + 1}{holder}", MIDDLE, weight="bold")
    points = f"{'scores' if state.end else 'would score'} {score(state, seat)}"
    yield draw_label(x + PANEL_WIDTH - 14, y + 28, points, MIDDLE, "end", weight="bold")
    yield draw_label(x + 14, y + 51 + air, format_leader(state, seat), SMALL)
    mine = clicks if seat == state.turn_owner else NO_CLICKS
    yield from _draw_workers(state, seat, x, y + 73 + 2 * air, mine)
    yield from _draw_disks(state, seat, x, y + 102 + 3 * air)
    yield from _draw_stock(state, seat, x, y + 130 + 4 * air)
    yield from _draw_hand(state, seat, viewer, x + 14, y + 145 + 5 * air, clicks if is_acting else NO_CLICKS)


def format_leader(state: Any, seat: int) -> str:
    """A leader's side, what it wants, and how much of it there is."""
    leader, side = int(state.leader[seat]), int(state.side[seat])
    if leader == codes.NONE:
        return "no leader yet"
    points = format_number(int(codes.SIDE_POINTS[side]), "pt")
    wants = f"{codes.LEADER_NEED[leader, side]}+ {name_leader_count(leader)[0]}"
    reached = measure(state, seat, int(codes.LEADER_MEASURE[leader]))
    return f"{codes.LEADER_NAMES[leader]} {'AB'[side]}, {points}: {wants} (has {reached})"


def _draw_workers(state: Any, seat: int, x: float, y: float, clicks: Clicks) -> Iterator[str]:
    yield draw_label(x + 14, y + 5, "active", SMALL)
    for index, kind in enumerate(list_kinds(state.active[seat])):
        left = x + 76 + 27 * index
        uses = [*list_swaps(given=kind), codes.GIVE + kind]
        yield clicks.wrap(draw_worker(left, y, kind, 12), *uses, target=draw_target(left, y))
    yield draw_label(x + 162, y + 5, "tribe", SMALL)
    tribe = list_kinds(state.tribe[seat])
    step = min(27.0, 250 / max(1, len(tribe) - 1))
    for index, kind in enumerate(tribe):
        left = round(x + 214 + step * index, 1)
        yield clicks.wrap(draw_worker(left, y, kind, 12), codes.CUT + kind, target=draw_target(left, y))
    if not tribe:
        yield draw_label(x + 206, y + 5, "empty", SMALL, fill=FADED)


def _draw_disks(state: Any, seat: int, x: float, y: float) -> Iterator[str]:
    """Holes with the price of their disk, those with a point in gold; and the price of the next disk."""
    placed, guess = total(state.disks[seat]), "*" if is_reconstructed(state.rules, "disk_costs") else ""
    for hole in range(codes.DISKS):
        fill = PLAYER_COLOURS[seat] if hole >= placed else HOLE
        has_point = (int(state.rules.point_holes) >> (hole + 1)) & 1
        left = x + 27 + 30 * hole
        yield draw_disc(left, y, 12, fill, GOLD if has_point else INK, 4 if has_point else 1.4)
        words = str(int(state.rules.disk_costs[hole])) if hole >= placed else "+1" if has_point else ""
        yield draw_mark(left, y, words, fill) if words else ""
    price = format_number(disk_price(state, seat), "card") if placed < codes.DISKS else "none left"
    yield draw_label(x + 300, y + 5, f"next disk: {price}{guess}", SMALL)


def _draw_stock(state: Any, seat: int, x: float, y: float) -> Iterator[str]:
    """Strength, tokens, garrison cubes, and tiles by kind and worth."""
    stock = f"strength {int(state.strength[seat])}, tokens {int(state.tokens[seat])}"
    yield draw_label(x + 14, y + 5, stock, SMALL)
    for index in range(codes.CUBES):
        fill = PLAYER_COLOURS[seat] if index < state.cubes[seat] else HOLE
        name = format_number(int(state.cubes[seat]), "cube") if index == 0 else ""
        yield draw_cube(x + 190 + 23 * index, y, fill, name=name)
    tiles = [
        *((f"A{worth + 1}", int(state.tiles[seat, 0, worth]), "#e5b9ab") for worth in range(2)),
        *((f"D{worth + 1}", int(state.tiles[seat, 1, worth]), "#e3ded1") for worth in range(2)),
        ("B1", int(state.bonus_tiles[seat]), "#c9dfae"),
    ]
    shown = [(name, number, fill) for name, number, fill in tiles if number]
    for index, (name, number, fill) in enumerate(shown):
        yield draw_chip(x + 284 + 38 * index, y - 12, f"{number}{name}" if number > 1 else name, fill, 36)


def _draw_hand(
    state: Any, seat: int, viewer: int | None, x: float, y: float, clicks: Clicks
) -> Iterator[str]:
    """Other seats' hands show their backs, and the cards that were taken openly."""
    held, known = total(state.hand[seat]), list_kinds(state.known[seat])
    visible = list_kinds(state.hand[seat]) if viewer in (None, seat) else known
    step = min(42.0, 420 / max(1, held - 1))
    for index in range(held):
        kind = visible[index] if index < len(visible) else codes.NONE
        left = round(x + step * index, 1)
        uses = [codes.CARD + kind, codes.ICON + kind % codes.ICONS] if kind != codes.NONE else []
        yield clicks.wrap(draw_card(left, y, kind), *uses, target=draw_card_target(left, y))
    if not held:
        yield draw_label(x, y + 30, "no cards", SMALL, fill=FADED)


# ---- what can be done


def draw_strip(state: Any, clicks: Clicks) -> Iterator[str]:
    """Leaders on offer in the draft, where the points came from at the end, else what is done without a piece
    of the board; and a legend.
    """
    yield draw_box(18, STRIP_Y, 870, 130, PAPER)
    if state.end:
        yield from _draw_scores(state)
    elif state.phase == codes.DRAFTING:
        yield from _draw_offer(state, clicks)
    else:
        yield from _draw_buttons(state, clicks)
    for row, words in enumerate(LEGEND):
        yield draw_label(28, STRIP_Y + 152 + 22 * row, words, SMALL)


def _draw_offer(state: Any, clicks: Clicks) -> Iterator[str]:
    for row, leader in enumerate(list_leaders_on_offer(state)):
        y = STRIP_Y + 8 + 23.5 * row
        plate = f'<rect x="26" y="{y}" width="854" height="22" rx="5" fill="{PAPER}"/>'
        name = draw_label(34, y + 16, codes.LEADER_NAMES[leader], SMALL, weight="bold")
        piece = plate + name + draw_label(150, y + 16, describe_leader(leader), SMALL)
        yield clicks.wrap(piece, codes.LEADER + leader, target=draw_target(453, y + 11))


def _draw_scores(state: Any) -> Iterator[str]:
    """A row for each source of points, a column for each seat."""
    columns = [f"Seat {seat + 1}" for seat in range(state.players)]
    for column, words in enumerate(columns):
        yield draw_label(40 + 210 * column, STRIP_Y + 24, words, SMALL, weight="bold")
        for index, source in enumerate(POINT_SOURCES):
            x = 40 + 210 * column + 100 * (index // 4)
            points = int(state.tally[column, codes.POINTS + index])
            yield draw_label(x, STRIP_Y + 48 + 24 * (index % 4), f"{source} {points}", SMALL)


def _draw_buttons(state: Any, clicks: Clicks) -> Iterator[str]:
    """What has no piece of its own on the table."""
    groups = (
        (codes.SIDE, codes.AREA),
        (codes.REFRESH, codes.SWAP),
        (codes.FARM, codes.SLOT),
        (codes.ICON, codes.DEFEAT),
        (codes.TOKEN, codes.ACTIONS),
    )
    buttons = [action for first, end in groups for action in clicks.list_between(first, end)]
    x, y = 30.0, STRIP_Y + 14
    for action in buttons:
        words = name_action(state, action)
        width = 26 + 8.2 * len(words)
        chip, target = draw_chip(x, y, words, "#f2e2b8", width), draw_target(x + width / 2, y + 12, width)
        yield clicks.wrap(chip, action, target=target)
        x += width + 14
    y += 54 if buttons else 20
    for line in _list_hints(state, clicks, len(buttons)):
        yield draw_label(30, y, line, SMALL)
        y += 26
    yield draw_label(30, STRIP_Y + 118, _explain_tiles(state), SMALL, fill=FADED)


def _list_hints(state: Any, clicks: Clicks, buttons: int) -> list[str]:
    """How to choose, for whoever may."""
    if not clicks.actions:
        return [f"Seat {state.actor + 1} decides."]
    order = ORDERS.get(int(state.phase))
    pieces = "Pieces with a red edge can be chosen." if buttons < len(clicks.actions) else ""
    return [line for line in (pieces, order) if line]


def _explain_tiles(state: Any) -> str:
    stars = "*" if is_reconstructed(state.rules, "point_holes") else ""
    return f"Tiles: A army, D druid, B bonus, with their points. Gold holes score a point{stars} once empty."
