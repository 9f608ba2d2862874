"""A position of Celtae as a picture: the board with its ring river, the progress cards, what lies before each
player, and what can be done now.

A star marks what no source documents; pieces that a legal action concerns carry its number.
"""

from collections.abc import Iterator
from typing import Any

from variants.celtae import codes
from variants.celtae.board import is_reconstructed
from variants.celtae.topics.clicks import Clicks, find_clicks, list_swaps
from variants.celtae.topics.counts import count, total
from variants.celtae.topics.glyphs import (
    CARD_COLOURS,
    CARD_HEIGHT,
    CARD_WIDTH,
    EDGE,
    HOLE,
    INK,
    LARGE,
    MIDDLE,
    NEUTRAL,
    PAPER,
    PLAYER_COLOURS,
    SMALL,
    TINTS,
    draw_box,
    draw_card,
    draw_card_target,
    draw_cube,
    draw_disc,
    draw_icon,
    draw_label,
    draw_mark,
    draw_target,
    draw_worker,
)
from variants.celtae.topics.panels import draw_panel, draw_progress, draw_strip
from variants.celtae.transcript import describe_result, list_kinds
from variants.celtae.words import PHASE_NAMES

WIDTH, HEIGHT = 1400, 1156
CLOTH, LAND, RIVER, BLACK = "#e4ddc8", "#f3ecd8", "#8fb8c9", "#1c1a17"
REGION_LAND = ("#e3edd3", "#f8ecc4")  # the bonus tiles of the north are green, those of the south yellow
REGION_TILE = ("#c9dfae", "#f2d98a")
STATION_XY = ((606, 690), (300, 690), (300, 318), (606, 318))
STATION_LETTERS = ("SE", "SW", "NW", "NE")
AREA_XY = ((453, 352), (583, 504), (453, 656), (323, 504), (453, 504))
AREA_USES = ("farm or build", "battle", "farm or build", "recruit", "centre")
HIGHLIGHT = "<style>.celtae [data-action]>:first-child{stroke:#c22f1f;stroke-width:3.5}</style>"


def draw(state: Any, seat: int | None = None) -> str:
    """The whole position, or what one seat sees of it."""
    clicks = find_clicks(state, seat)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="celtae" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="Georgia, serif" fill="{INK}">{HIGHLIGHT}',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{CLOTH}"/>',
        draw_label(24, 40, format_headline(state), LARGE, weight="bold"),
        draw_box(18, 58, 870, 900, LAND),
        *(part for region in range(codes.REGIONS) for part in _draw_region(state, region, clicks)),
        *_draw_ring(state, clicks),
        *(part for site in range(codes.SITES) for part in _draw_site(state, site, clicks)),
        *draw_progress(state, clicks),
        *(part for other in range(state.players) for part in draw_panel(state, other, seat, clicks)),
        *draw_strip(state, clicks),
        "</svg>",
    ]
    return "\n".join(parts)


def format_headline(state: Any) -> str:
    """What is to be done by whom; after the end, who won and why."""
    if state.end:
        return f"The match is over. {describe_result(state)}"
    doing = f"seat {state.actor + 1} {PHASE_NAMES[int(state.phase)]}"
    if state.turn == 0:
        return f"Set-up: {doing}"
    inside = "" if state.actor == state.turn_owner else f" (in the turn of seat {state.turn_owner + 1})"
    final = ", a final one" if state.final else ""
    return f"Turn {state.turn}{final}: {doing}{inside}"


def mark_guess(state: Any, field: str) -> str:
    """A star beside what is our guess."""
    return "*" if is_reconstructed(state.rules, field) else ""


# ---- the ring river


def _draw_ring(state: Any, clicks: Clicks) -> Iterator[str]:
    """The river with its stations, and three workers in each area and in the centre."""
    river = f'fill="none" stroke="{RIVER}" stroke-width="30"'
    yield f'<rect x="252" y="286" width="402" height="436" rx="150" {river}/>'
    for ring in range(codes.RINGS):
        yield from _draw_area(state, ring, clicks)
    for station, (x, y) in enumerate(STATION_XY):
        is_here = station == state.station
        fill = BLACK if is_here else PAPER
        words = f"{'●' if is_here else ''}{STATION_LETTERS[station]}"
        piece = draw_disc(x, y, 24, fill, RIVER, 4) + draw_mark(x, y, words, fill)
        steps = (station - int(state.station)) % codes.STATIONS
        yield clicks.wrap(piece, codes.MOVE + steps) if steps else piece


def _draw_area(state: Any, ring: int, clicks: Clicks) -> Iterator[str]:
    x, y = AREA_XY[ring]
    is_centre, is_used = ring == codes.CENTRE, ring == state.area and state.phase > codes.CHOOSING_AREA
    edge, width = (INK, 3.0) if is_used else (EDGE, 1.5)
    circle = draw_disc(x, y, 60, PAPER if is_centre else "#dfe8d2", edge, width)
    bag = f"bag {int(state.bag.sum())}{mark_guess(state, 'workers')}"
    name = bag if is_centre else codes.AREA_NAMES[ring].capitalize()
    labels = draw_label(x, y - 26, name, SMALL, "middle", weight="normal" if is_centre else "bold")
    piece = circle + labels + draw_label(x, y + 36, AREA_USES[ring], SMALL, "middle")
    yield piece if is_centre else clicks.wrap(piece, codes.AREA + ring, codes.FAR_AREA + ring)
    for index, kind in enumerate(list_kinds(state.ring[ring])):
        worker = draw_worker(x - 36 + 36 * index, y + 3, kind, 15)
        takes = [codes.TAKE + kind] if is_centre else list_swaps(taken=kind) if ring == state.area else []
        yield clicks.wrap(worker, *takes, target=draw_target(x - 36 + 36 * index, y + 3))


# ---- a region: its market and its citadels


def _draw_region(state: Any, region: int, clicks: Clicks) -> Iterator[str]:
    """The market at the edge of the board, and the four citadels between it and the river."""
    top, market_y, citadel_y = (58, 74, 138) if region == codes.NORTH else (762, 892, 780)
    yield draw_box(18, top, 870, 196, REGION_LAND[region])
    name = codes.REGION_NAMES[region].upper()
    yield draw_label(34, market_y + 32, name, LARGE, weight="bold")
    for slot in range(codes.SLOTS):
        yield from _draw_space(state, region, slot, 146 + 108 * slot, market_y, clicks)
    if region == codes.NORTH:
        yield draw_label(876, market_y + 22, f"deck {total(state.deck)}", SMALL, "end")
        yield draw_label(876, market_y + 44, f"discards {total(state.discard)}", SMALL, "end")
    for colour in range(codes.COLOURS):
        yield from _draw_citadel(state, region, colour, 32 + 213 * colour, citadel_y, clicks)


def _draw_space(state: Any, region: int, slot: int, x: float, y: float, clicks: Clicks) -> Iterator[str]:
    """A space of a market with its price in leaves; the two dearest prices are documented."""
    kind, leaves = int(state.market[region, slot]), int(state.rules.market_costs[slot - 1]) if slot else 0
    yield (
        f'<rect x="{x}" y="{y}" width="{CARD_WIDTH}" height="{CARD_HEIGHT}" rx="5" fill="none" '
        f'stroke="{EDGE}" stroke-dasharray="4 3"/>'
    )
    if kind != codes.NONE:
        card = draw_card(x, y, kind)
        target = draw_card_target(x, y)
        yield clicks.wrap(card, codes.SLOT + slot, target=target) if region == state.region else card
    guess = mark_guess(state, "market_costs") if 0 < slot < codes.SLOTS - 2 else ""
    price = f"{leaves} {'leaf' if leaves == 1 else 'leaves'}" if leaves else "free"
    yield draw_label(x + CARD_WIDTH + 5, y + 31, f"{price}{guess}", SMALL)


def _draw_citadel(state: Any, region: int, colour: int, x: float, y: float, clicks: Clicks) -> Iterator[str]:
    """Disks fill it from the left; the last space is the marked one, and the disk of an absent player lies
    there. Its bonus tile lies beside it until it is complete.
    """
    citadel, name = region * codes.COLOURS + colour, codes.COLOUR_NAMES[colour]
    edge = CARD_COLOURS[name][1]
    title = f"{name[0].upper()} {name}{mark_guess(state, 'citadel_spaces')}"
    body = draw_box(x, y, 205, 100, TINTS[name], edge)
    body += draw_label(x + 12, y + 25, title, MIDDLE, fill=edge, weight="bold")
    if not state.room[citadel]:
        body += draw_label(x + 193, y + 25, "complete", SMALL, "end", edge)
    yield clicks.wrap(body, codes.CITADEL + citadel)
    yield from _draw_spaces(state, citadel, x, y + 64)
    if state.room[citadel]:
        yield _draw_bonus(x + 137, y + 38, int(state.bonus[citadel]), REGION_TILE[region])


def _draw_spaces(state: Any, citadel: int, x: float, y: float) -> Iterator[str]:
    spaces, mark = count(state.rules.citadel_spaces, citadel), count(state.rules.citadel_marks, citadel)
    step, radius = (40, 16) if spaces < 4 else (30, 14)
    owners = [seat for seat in range(state.players) for _ in range(count(state.disks[seat], citadel))]
    label = {3: "3/4", 4: "4"}.get(mark, "")
    for space in range(spaces):
        left, is_marked = x + 12 + radius + step * space, bool(label) and space == spaces - 1
        if space < len(owners):
            fill = PLAYER_COLOURS[owners[space]]
            yield draw_disc(left, y, radius, fill) + draw_mark(left, y, str(owners[space] + 1), fill)
        elif is_marked and state.players < mark:
            yield draw_disc(left, y, radius, NEUTRAL) + _draw_cross(left, y, radius)
        else:
            yield draw_disc(left, y, radius, HOLE, EDGE)
            yield draw_mark(left, y, label, HOLE) if is_marked else ""


def _draw_cross(x: float, y: float, radius: float) -> str:
    """On the disk or cube of an absent player."""
    arm = radius * 0.5
    path = f"M{x - arm},{y - arm} l{2 * arm},{2 * arm} M{x + arm},{y - arm} l{-2 * arm},{2 * arm}"
    return f'<path d="{path}" stroke="{INK}" stroke-width="2.4"/>'


def _draw_bonus(x: float, y: float, kind: int, fill: str) -> str:
    """A bonus tile beside its citadel."""
    words = {codes.CARDS_TILE: "2 cards", codes.RECRUIT_TILE: "recruit", codes.STRENGTH_TILE: "+3"}
    box = f'<rect x="{x}" y="{y}" width="60" height="52" rx="6" fill="{fill}" stroke="{INK}"/>'
    return box + draw_label(x + 30, y + 31, words.get(kind, "token"), SMALL, "middle")


# ---- armies and druids


def _draw_site(state: Any, site: int, clicks: Clicks) -> Iterator[str]:
    """A stack of armies in the east or of druids in the west, its progress marker, and the garrisons or
    druids beside it.
    """
    region, druids = site % codes.REGIONS, site >= codes.DRUIDS
    x, y = (32 if druids else 694), (266 if region == codes.NORTH else 512)
    yield draw_box(x, y, 180, 230, PAPER, EDGE)
    title = f"{codes.REGION_NAMES[region].capitalize()}: {'druids' if druids else 'Roman army'}"
    yield draw_label(x + 12, y + 26, title, SMALL, weight="bold")
    yield from _draw_stack(state, site, x, y, clicks)
    if state.site_marker[site]:
        yield draw_disc(x + 22, y + 132, 8, BLACK) + draw_label(x + 38, y + 137, "progress marker", SMALL)
    if not druids:
        yield draw_label(x + 12, y + 168, f"garrisons{mark_guess(state, 'garrison_icons')}", SMALL)
        yield from _draw_garrisons(state, region, x + 12, y + 178, clicks)
        return
    yield draw_label(x + 12, y + 168, "druids in supply", SMALL)
    for index in range(int(state.druids[region])):
        yield draw_worker(x + 28 + 31 * index, y + 197, codes.DRUID, 14)


def _draw_stack(state: Any, site: int, x: float, y: float, clicks: Clicks) -> Iterator[str]:
    """The uppermost tile: what it wants, and its worth."""
    region, druids, top = site % codes.REGIONS, site >= codes.DRUIDS, int(state.top[site])
    if top == codes.NONE:
        words = f"{int(state.stack[site])} face down" if state.stack[site] else "none left"
        yield draw_label(x + 12, y + 78, words, SMALL)
        return
    box = f'x="{x + 12}" y="{y + 38}" width="92" height="74" rx="8"'
    tile = f'<rect {box} fill="{"#e3ded1" if druids else "#e5b9ab"}" stroke="{INK}"/>'
    if druids:
        kinds = list_kinds(int(state.rules.druid_workers[top]))
        step = min(29, 58 / max(1, len(kinds) - 1))
        left = x + 58 - step * (len(kinds) - 1) / 2
        tile += "".join(draw_worker(left + step * n, y + 75, kind, 13) for n, kind in enumerate(kinds))
    else:
        strength = str(int(state.rules.army_strength[top]))
        tile += draw_label(x + 58, y + 87, strength, 34, "middle", weight="bold")
    yield clicks.wrap(tile, (codes.TRAIN if druids else codes.DEFEAT) + region)
    points = "1 point" if top < codes.LOW_KINDS else "2 points"
    price, field = ("workers", "druid_workers") if druids else ("strength", "army_strength")
    yield draw_label(x + 112, y + 62, points, SMALL, weight="bold")
    yield draw_label(x + 112, y + 84, f"{int(state.stack[site])} left", SMALL)
    yield draw_label(x + 112, y + 106, price + mark_guess(state, field), SMALL)


def _draw_garrisons(state: Any, region: int, x: float, y: float, clicks: Clicks) -> Iterator[str]:
    for space in range(codes.GARRISON_SPACES):
        owner, wanted = int(state.garrison[region, space]), count(state.rules.garrison_icons, space)
        left = x + 32 * space
        middle = left + 14
        piece = f'<rect x="{left}" y="{y}" width="28" height="38" rx="5" fill="{HOLE}" stroke="{EDGE}"/>'
        if owner == codes.BLOCKED:
            piece += draw_cube(middle, y + 19, NEUTRAL) + _draw_cross(middle, y + 19, 12)
        elif owner:
            piece += draw_cube(middle, y + 19, PLAYER_COLOURS[owner - 1], str(owner))
        elif wanted == codes.ANY_ICON:
            piece += draw_mark(middle, y + 19, "?", HOLE)
        else:
            piece += draw_icon(middle, y + 19, wanted, INK, codes.ICON_NAMES[wanted][0])
        action = codes.GARRISON + region * codes.GARRISONS + wanted
        yield piece if owner else clicks.wrap(piece, action, target=draw_target(middle, y + 19))
