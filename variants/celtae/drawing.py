"""A position of Celtae as a picture: the board with its ring river, the progress cards, and what lies before
each player.
"""

from collections.abc import Iterator
from typing import Any

from variants.celtae import codes
from variants.celtae.scoring import score
from variants.celtae.topics.counts import count, total
from variants.celtae.topics.glyphs import (
    CARD_COLOURS,
    INK,
    PAPER,
    draw_card,
    draw_cube,
    draw_disc,
    draw_icon,
    draw_label,
    draw_tile,
    draw_worker,
)
from variants.celtae.words import PHASE_NAMES, describe_condition

WIDTH, HEIGHT = 1400, 1010
CLOTH, LAND, RIVER = "#e7e3d4", "#f5efdd", "#8fb8c9"
PLAYER_COLOURS = ("#2f6db5", "#8fbf2f", "#7a4a2a", "#ffffff")
STATION_XY = ((640, 675), (260, 675), (260, 375), (640, 375))
AREA_XY = ((450, 407), (650, 525), (450, 643), (250, 525), (450, 525))
PANEL_X, PANEL_Y, PANEL_HEIGHT = 908, 290, 176


def draw(state: Any, seat: int | None = None) -> str:
    """The whole position, or what one seat sees of it."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="Georgia, serif" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{CLOTH}"/>',
        draw_label(24, 40, _format_headline(state), 24),
        f'<rect x="18" y="58" width="870" height="934" rx="16" fill="{LAND}"/>',
        *_draw_ring(state),
        *(part for region in range(codes.REGIONS) for part in _draw_region(state, region)),
        *(part for site in range(codes.SITES) for part in _draw_site(state, site)),
        *_draw_progress(state),
        *(part for other in range(state.players) for part in _draw_panel(state, other, seat)),
        "</svg>",
    ]
    return "\n".join(parts)


def _format_headline(state: Any) -> str:
    if state.end:
        return "The match is over"
    inside = "" if state.actor == state.turn_owner else f" (in the turn of seat {state.turn_owner + 1})"
    return f"Turn {state.turn}: seat {state.actor + 1} {PHASE_NAMES[int(state.phase)]}{inside}"


# ---- the board


def _draw_ring(state: Any) -> Iterator[str]:
    """The river with its stations, and three workers in each area and in the centre."""
    river = f'fill="none" stroke="{RIVER}" stroke-width="26"'
    yield f'<rect x="236" y="355" width="428" height="340" rx="90" {river}/>'
    for area, (x, y) in enumerate(AREA_XY):
        fill = "#dfe8d2" if area != codes.CENTRE else PAPER
        yield f'<circle cx="{x}" cy="{y}" r="46" fill="{fill}" stroke="#b9ae92"/>'
        names = ("farm or build", "battle", "farm or build", "recruit", "centre")
        yield draw_label(x, y + 36, names[area], 11, "middle")
        for index, kind in enumerate(_list_kinds(state.ring[area])):
            yield draw_worker(x - 26 + 26 * index, y - 2, kind, 12)
    for station in range(codes.STATIONS):
        x, y = STATION_XY[station]
        yield f'<circle cx="{x}" cy="{y}" r="22" fill="{PAPER}" stroke="{RIVER}" stroke-width="4"/>'
        if station == state.station:
            yield f'<circle cx="{x}" cy="{y}" r="14" fill="#1c1a17"/>'
    yield draw_label(450, 583, f"bag: {int(state.bag.sum())}", 12, "middle")


def _draw_region(state: Any, region: int) -> Iterator[str]:
    """The market at the edge of the board, and the four citadels between it and the river."""
    market_y, citadel_y = (74, 160) if region == codes.NORTH else (922, 802)
    if region == codes.NORTH:
        yield draw_label(862, 100, f"deck {total(state.deck)}", 13, "end")
        yield draw_label(862, 120, f"discards {total(state.discard)}", 13, "end")
    for slot in range(codes.SLOTS):
        x, kind = 232 + 74 * slot, int(state.market[region, slot])
        leaves = int(state.rules.market_costs[slot - 1]) if slot else 0
        yield f'<rect x="{x}" y="{market_y}" width="36" height="54" rx="5" fill="none" stroke="#b9ae92"/>'
        if kind != codes.NONE:
            yield draw_card(x, market_y, kind)
        yield draw_label(x + 42, market_y + 32, f"{leaves}", 15, fill="#3f7d3a")
    for colour in range(codes.COLOURS):
        yield from _draw_citadel(state, region, colour, 84 + 190 * colour, citadel_y)


def _draw_citadel(state: Any, region: int, colour: int, x: float, y: float) -> Iterator[str]:
    """Disks fill it from the left; blocked spaces are grey; its bonus tile lies beside it until it is
    complete.
    """
    citadel = region * codes.COLOURS + colour
    fill, edge = CARD_COLOURS[codes.COLOUR_NAMES[colour]]
    style = f'fill="{fill}" opacity="0.28" stroke="{edge}" stroke-width="2"'
    yield f'<rect x="{x}" y="{y}" width="170" height="86" rx="12" {style}/>'
    yield draw_label(x + 10, y + 20, codes.COLOUR_NAMES[colour], 14, fill=edge, weight="bold")
    owners = [seat for seat in range(state.players) for _ in range(count(state.disks[seat], citadel))]
    spaces = count(state.rules.citadel_spaces, citadel)
    blocked, (step, radius) = (
        spaces - int(state.room[citadel]) - len(owners),
        (34, 14) if spaces < 4 else (27, 13),
    )
    fills = (
        [PLAYER_COLOURS[seat] for seat in owners]
        + ["#a8a49a"] * blocked
        + ["none"] * int(state.room[citadel])
    )
    for space, paint in enumerate(fills):
        yield draw_disc(x + 12 + radius + step * space, y + 54, radius, paint)
    if state.room[citadel]:
        yield draw_tile(x + 120, y + 34, int(state.bonus[citadel]))


def _draw_site(state: Any, site: int) -> Iterator[str]:
    """A stack of armies in the east or of druids in the west, its progress marker, and the garrisons or
    druids beside it.
    """
    region, druids, top = site % codes.REGIONS, site >= codes.DRUIDS, int(state.top[site])
    x, y = (70 if druids else 760), (365 if region == codes.NORTH else 545)
    yield f'<rect x="{x - 30}" y="{y}" width="136" height="140" rx="12" fill="{PAPER}" stroke="#b9ae92"/>'
    yield draw_label(x - 18, y + 22, "druids" if druids else "Roman army", 13)
    if state.site_marker[site]:
        yield f'<circle cx="{x + 90}" cy="{y + 17}" r="7" fill="#1c1a17"/>'
    if top != codes.NONE:
        fill = "#d8d2c4" if druids else "#d9b0a2"
        yield f'<rect x="{x - 18}" y="{y + 32}" width="66" height="52" rx="6" fill="{fill}" stroke="{INK}"/>'
        yield draw_label(x + 58, y + 52, f"{1 if top < codes.LOW_KINDS else 2} pt", 13)
        yield draw_label(x + 58, y + 74, f"{int(state.stack[site])} left", 13)
        if druids:
            needed = int(state.rules.druid_workers[top])
            for index, kind in enumerate(_list_kinds(needed)):
                yield draw_worker(x - 4 + 19 * index, y + 58, kind, 9)
        else:
            yield draw_label(
                x + 15, y + 68, str(int(state.rules.army_strength[top])), 28, "middle", weight="bold"
            )
    if druids:
        for index in range(int(state.druids[region])):
            yield draw_worker(x - 12 + 23 * index, y + 112, codes.DRUID, 10)
    else:
        yield from _draw_garrisons(state, region, x, y + 98)


def _draw_garrisons(state: Any, region: int, x: float, y: float) -> Iterator[str]:
    for space in range(codes.GARRISON_SPACES):
        owner, wanted = int(state.garrison[region, space]), count(state.rules.garrison_icons, space)
        left = x - 24 + 25 * space
        yield f'<rect x="{left}" y="{y}" width="23" height="28" rx="4" fill="#ece5d0" stroke="#b9ae92"/>'
        if owner == codes.BLOCKED:
            yield draw_cube(left + 4, y + 7, "#a8a49a")
        elif owner:
            yield draw_cube(left + 4, y + 7, PLAYER_COLOURS[owner - 1])
        elif wanted == codes.ANY_ICON:
            yield draw_label(left + 11.5, y + 20, "?", 16, "middle", weight="bold")
        else:
            yield draw_icon(left + 11.5, y + 14, wanted, INK)


# ---- progress


def _draw_progress(state: Any) -> Iterator[str]:
    """The track, and the cards with their spots."""
    yield f'<rect x="{PANEL_X}" y="58" width="474" height="222" rx="14" fill="{PAPER}"/>'
    yield draw_label(
        PANEL_X + 14, 80, f"Progress: {int(state.track)} markers on the track", 15, weight="bold"
    )
    for index in range(int(state.track)):
        yield f'<circle cx="{PANEL_X + 320 + 8 * index}" cy="75" r="5" fill="#1c1a17" stroke="{PAPER}"/>'
    slots = [slot for slot in range(codes.PROGRESS_SLOTS) if state.card[slot] != codes.NONE]
    for row, slot in enumerate(slots):
        y = 104 + 20 * row
        yield draw_label(PANEL_X + 14, y, f"{slot + 1}: {describe_condition(state, slot)}", 14)
        for spot in range(int(codes.SPOTS[slot])):
            fill = "#1c1a17" if spot < state.markers[slot] else "none"
            x = PANEL_X + 400 + 20 * spot
            yield f'<circle cx="{x}" cy="{y - 5}" r="7" fill="{fill}" stroke="{INK}"/>'


# ---- what lies before a seat


def _draw_panel(state: Any, seat: int, viewer: int | None) -> Iterator[str]:
    x, y = PANEL_X, PANEL_Y + seat * (PANEL_HEIGHT + 4)
    edge = ' stroke="#b58a2a" stroke-width="3"' if seat == state.actor and not state.end else ""
    yield f'<rect x="{x}" y="{y}" width="474" height="{PANEL_HEIGHT}" rx="14" fill="{PAPER}"{edge}/>'
    yield draw_disc(x + 24, y + 22, 11, PLAYER_COLOURS[seat])
    leader = int(state.leader[seat])
    leader_name = (
        f", {codes.LEADER_NAMES[leader]} {'AB'[int(state.side[seat])]}" if leader != codes.NONE else ""
    )
    holder = ", Teutates" if state.teutates == seat else ""
    yield draw_label(x + 42, y + 28, f"Seat {seat + 1}{leader_name}{holder}", 17, weight="bold")
    points = f"{'scores' if state.end else 'would score'} {score(state, seat)}"
    yield draw_label(x + 460, y + 28, points, 15, "end")
    yield from _draw_workers(state, seat, x, y)
    yield from _draw_boards(state, seat, x, y)
    yield from _draw_hand(state, seat, viewer, x + 14, y + 112)


def _draw_workers(state: Any, seat: int, x: float, y: float) -> Iterator[str]:
    for group, left, words in ((state.active, 62, "active"), (state.tribe, 200, "tribe")):
        yield draw_label(x + left - 12, y + 57, words, 13, "end")
        for index, kind in enumerate(_list_kinds(group[seat])):
            yield draw_worker(x + left + 4 + 22 * index, y + 52, kind, 10)


def _draw_boards(state: Any, seat: int, x: float, y: float) -> Iterator[str]:
    """Disks still in their holes, cubes, and in words what else there is."""
    placed = total(state.disks[seat])
    for hole in range(codes.DISKS):
        yield draw_disc(x + 24 + 19 * hole, y + 84, 8, PLAYER_COLOURS[seat] if hole >= placed else "#ddd5c0")
    for index in range(codes.CUBES):
        yield draw_cube(
            x + 204 + 19 * index, y + 76, PLAYER_COLOURS[seat] if index < state.cubes[seat] else "#ddd5c0"
        )
    armies, druids = (int(state.tiles[seat, kind].sum()) for kind in range(2))
    tiles = f"{armies} army, {druids} druid, {int(state.bonus_tiles[seat])} bonus"
    yield draw_label(
        x + 460,
        y + 82,
        f"strength {int(state.strength[seat])}, tokens {int(state.tokens[seat])}",
        13,
        "end",
    )
    yield draw_label(x + 460, y + 100, tiles, 13, "end")


def _draw_hand(state: Any, seat: int, viewer: int | None, x: float, y: float) -> Iterator[str]:
    """Other seats' hands show their backs, and the cards that were taken openly."""
    held, known = total(state.hand[seat]), _list_kinds(state.known[seat])
    visible = _list_kinds(state.hand[seat]) if viewer in (None, seat) else known
    step = min(40.0, 410 / max(1, held - 1))
    for index in range(held):
        yield draw_card(round(x + step * index, 1), y, visible[index] if index < len(visible) else codes.NONE)


def _list_kinds(counts: Any) -> list[int]:
    """The kind of each card or worker that is counted in one number."""
    return [kind for kind in range(codes.CARDS) for _ in range(count(counts, kind))]
