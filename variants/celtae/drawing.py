"""A position of Celtae as a picture: the board with its ring river, the progress cards, and what lies before each player."""

from collections.abc import Iterator
from typing import Any

from variants.celtae.codes import (
    ANY_ICON,
    BLOCKED,
    CARDS,
    CENTRE,
    COLOUR_NAMES,
    COLOURS,
    CUBES,
    DISKS,
    DRUID,
    DRUIDS,
    GARRISON_SPACES,
    LEADER_NAMES,
    LOW_KINDS,
    NONE,
    NORTH,
    PROGRESS_SLOTS,
    REGIONS,
    SITES,
    SLOTS,
    SPOTS,
    STATIONS,
)
from variants.celtae.counts import count, total
from variants.celtae.glyphs import CARD_COLOURS, INK, PAPER, card, cube, disc, icon, label, tile, worker
from variants.celtae.scoring import score
from variants.celtae.words import PHASE_NAMES, condition

WIDTH, HEIGHT = 1400, 1010
CLOTH, LAND, RIVER = "#e7e3d4", "#f5efdd", "#8fb8c9"
PLAYERS = ("#2f6db5", "#8fbf2f", "#7a4a2a", "#ffffff")
STATION_XY = ((640, 675), (260, 675), (260, 375), (640, 375))
AREA_XY = ((450, 407), (650, 525), (450, 643), (250, 525), (450, 525))
PANEL_X, PANEL_Y, PANEL_HEIGHT = 908, 290, 176


def draw(state: Any, seat: int | None = None) -> str:
    """The whole position, or what one seat sees of it."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="Georgia, serif" fill="{INK}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{CLOTH}"/>',
        label(24, 40, _headline(state), 24),
        f'<rect x="18" y="58" width="870" height="934" rx="16" fill="{LAND}"/>',
        *_ring(state),
        *(part for region in range(REGIONS) for part in _region(state, region)),
        *(part for site in range(SITES) for part in _site(state, site)),
        *_progress(state),
        *(part for player in range(state.seats) for part in _panel(state, player, seat)),
        "</svg>",
    ]
    return "\n".join(parts)


def _headline(state: Any) -> str:
    if state.end:
        return "The match is over"
    inside = "" if state.actor == state.player else f" (in the turn of seat {state.player + 1})"
    return f"Turn {state.turn}: seat {state.actor + 1} {PHASE_NAMES[int(state.phase)]}{inside}"


# ---- the board


def _ring(state: Any) -> Iterator[str]:
    """The river with its stations, and three workers in each area and in the centre."""
    yield f'<rect x="236" y="355" width="428" height="340" rx="90" fill="none" stroke="{RIVER}" stroke-width="26"/>'
    for area, (x, y) in enumerate(AREA_XY):
        fill = "#dfe8d2" if area != CENTRE else PAPER
        yield f'<circle cx="{x}" cy="{y}" r="46" fill="{fill}" stroke="#b9ae92"/>'
        names = ("farm or build", "battle", "farm or build", "recruit", "centre")
        yield label(x, y + 36, names[area], 11, "middle")
        for place, kind in enumerate(_each(state.ring[area])):
            yield worker(x - 26 + 26 * place, y - 2, kind, 12)
    for station in range(STATIONS):
        x, y = STATION_XY[station]
        yield f'<circle cx="{x}" cy="{y}" r="22" fill="{PAPER}" stroke="{RIVER}" stroke-width="4"/>'
        if station == state.station:
            yield f'<circle cx="{x}" cy="{y}" r="14" fill="#1c1a17"/>'
    yield label(450, 583, f"bag: {int(state.bag.sum())}", 12, "middle")


def _region(state: Any, region: int) -> Iterator[str]:
    """The market at the edge of the board, and the four citadels between it and the river."""
    market_y, citadel_y = (74, 160) if region == NORTH else (922, 802)
    if region == NORTH:
        yield label(862, 100, f"deck {total(state.deck)}", 13, "end")
        yield label(862, 120, f"discards {total(state.discard)}", 13, "end")
    for slot in range(SLOTS):
        x, kind = 232 + 74 * slot, int(state.market[region, slot])
        leaves = int(state.rules.market_costs[slot - 1]) if slot else 0
        yield f'<rect x="{x}" y="{market_y}" width="36" height="54" rx="5" fill="none" stroke="#b9ae92"/>'
        if kind != NONE:
            yield card(x, market_y, kind)
        yield label(x + 42, market_y + 32, f"{leaves}", 15, fill="#3f7d3a")
    for colour in range(COLOURS):
        yield from _citadel(state, region, colour, 84 + 190 * colour, citadel_y)


def _citadel(state: Any, region: int, colour: int, x: float, y: float) -> Iterator[str]:
    """Disks fill it from the left; blocked spaces are grey; its bonus tile lies beside it until it is complete."""
    which = region * COLOURS + colour
    fill, edge = CARD_COLOURS[COLOUR_NAMES[colour]]
    yield f'<rect x="{x}" y="{y}" width="170" height="86" rx="12" fill="{fill}" opacity="0.28" stroke="{edge}" stroke-width="2"/>'
    yield label(x + 10, y + 20, COLOUR_NAMES[colour], 14, fill=edge, weight="bold")
    owners = [player for player in range(state.seats) for _ in range(count(state.disks[player], which))]
    spaces = count(state.rules.citadel_spaces, which)
    blocked, (step, radius) = spaces - int(state.room[which]) - len(owners), (34, 14) if spaces < 4 else (27, 13)
    fills = [PLAYERS[player] for player in owners] + ["#a8a49a"] * blocked + ["none"] * int(state.room[which])
    for space, paint in enumerate(fills):
        yield disc(x + 12 + radius + step * space, y + 54, radius, paint)
    if state.room[which]:
        yield tile(x + 120, y + 34, int(state.bonus[which]))


def _site(state: Any, site: int) -> Iterator[str]:
    """A stack of armies in the east or of druids in the west, its progress marker, and the garrisons or druids beside it."""
    region, druids, top = site % REGIONS, site >= DRUIDS, int(state.top[site])
    x, y = (70 if druids else 760), (365 if region == NORTH else 545)
    yield f'<rect x="{x - 30}" y="{y}" width="136" height="140" rx="12" fill="{PAPER}" stroke="#b9ae92"/>'
    yield label(x - 18, y + 22, "druids" if druids else "Roman army", 13)
    if state.site_marker[site]:
        yield f'<circle cx="{x + 90}" cy="{y + 17}" r="7" fill="#1c1a17"/>'
    if top != NONE:
        fill = "#d8d2c4" if druids else "#d9b0a2"
        yield f'<rect x="{x - 18}" y="{y + 32}" width="66" height="52" rx="6" fill="{fill}" stroke="{INK}"/>'
        yield label(x + 58, y + 52, f"{1 if top < LOW_KINDS else 2} pt", 13)
        yield label(x + 58, y + 74, f"{int(state.stack[site])} left", 13)
        if druids:
            needed = int(state.rules.druid_workers[top])
            for place, kind in enumerate(_each(needed)):
                yield worker(x - 4 + 19 * place, y + 58, kind, 9)
        else:
            yield label(x + 15, y + 68, str(int(state.rules.army_strength[top])), 28, "middle", weight="bold")
    if druids:
        for place in range(int(state.druids[region])):
            yield worker(x - 12 + 23 * place, y + 112, DRUID, 10)
    else:
        yield from _garrisons(state, region, x, y + 98)


def _garrisons(state: Any, region: int, x: float, y: float) -> Iterator[str]:
    for space in range(GARRISON_SPACES):
        owner, wanted = int(state.garrison[region, space]), int(state.rules.garrison_icons[space])
        left = x - 24 + 25 * space
        yield f'<rect x="{left}" y="{y}" width="23" height="28" rx="4" fill="#ece5d0" stroke="#b9ae92"/>'
        if owner == BLOCKED:
            yield cube(left + 4, y + 7, "#a8a49a")
        elif owner:
            yield cube(left + 4, y + 7, PLAYERS[owner - 1])
        elif wanted == ANY_ICON:
            yield label(left + 11.5, y + 20, "?", 16, "middle", weight="bold")
        else:
            yield icon(left + 11.5, y + 14, wanted, INK)


# ---- progress


def _progress(state: Any) -> Iterator[str]:
    """The track, and the cards with their spots."""
    yield f'<rect x="{PANEL_X}" y="58" width="474" height="222" rx="14" fill="{PAPER}"/>'
    yield label(PANEL_X + 14, 80, f"Progress: {int(state.track)} markers on the track", 15, weight="bold")
    for place in range(int(state.track)):
        yield f'<circle cx="{PANEL_X + 320 + 8 * place}" cy="75" r="5" fill="#1c1a17" stroke="{PAPER}"/>'
    shown = [slot for slot in range(PROGRESS_SLOTS) if state.card[slot] != NONE]
    for row, slot in enumerate(shown):
        y = 104 + 20 * row
        yield label(PANEL_X + 14, y, f"{slot + 1}: {condition(state, slot)}", 14)
        for spot in range(int(SPOTS[slot])):
            fill = "#1c1a17" if spot < state.markers[slot] else "none"
            yield f'<circle cx="{PANEL_X + 400 + 20 * spot}" cy="{y - 5}" r="7" fill="{fill}" stroke="{INK}"/>'


# ---- what lies before a player


def _panel(state: Any, player: int, viewer: int | None) -> Iterator[str]:
    x, y = PANEL_X, PANEL_Y + player * (PANEL_HEIGHT + 4)
    edge = ' stroke="#b58a2a" stroke-width="3"' if player == state.actor and not state.end else ""
    yield f'<rect x="{x}" y="{y}" width="474" height="{PANEL_HEIGHT}" rx="14" fill="{PAPER}"{edge}/>'
    yield disc(x + 24, y + 22, 11, PLAYERS[player])
    leader = int(state.leader[player])
    named = f", {LEADER_NAMES[leader]} {'AB'[int(state.side[player])]}" if leader != NONE else ""
    holder = ", Teutates" if state.teutates == player else ""
    yield label(x + 42, y + 28, f"Seat {player + 1}{named}{holder}", 17, weight="bold")
    points = f"{'scores' if state.end else 'would score'} {score(state, player)}"
    yield label(x + 460, y + 28, points, 15, "end")
    yield from _workers(state, player, x, y)
    yield from _boards(state, player, x, y)
    yield from _hand(state, player, viewer, x + 14, y + 112)


def _workers(state: Any, player: int, x: float, y: float) -> Iterator[str]:
    for group, left, words in ((state.active, 62, "active"), (state.tribe, 200, "tribe")):
        yield label(x + left - 12, y + 57, words, 13, "end")
        for place, kind in enumerate(_each(group[player])):
            yield worker(x + left + 4 + 22 * place, y + 52, kind, 10)


def _boards(state: Any, player: int, x: float, y: float) -> Iterator[str]:
    """Disks still in their holes, cubes, and in words what else there is."""
    placed = total(state.disks[player])
    for hole in range(DISKS):
        yield disc(x + 24 + 19 * hole, y + 84, 8, PLAYERS[player] if hole >= placed else "#ddd5c0")
    for place in range(CUBES):
        yield cube(x + 204 + 19 * place, y + 76, PLAYERS[player] if place < state.cubes[player] else "#ddd5c0")
    armies, druids = (int(state.tiles[player, kind].sum()) for kind in range(2))
    tiles = f"{armies} army, {druids} druid, {int(state.bonus_tiles[player])} bonus"
    yield label(x + 460, y + 82, f"strength {int(state.strength[player])}, tokens {int(state.tokens[player])}", 13, "end")
    yield label(x + 460, y + 100, tiles, 13, "end")


def _hand(state: Any, player: int, viewer: int | None, x: float, y: float) -> Iterator[str]:
    """Of others' hands one sees the backs, and the cards that were taken openly."""
    held, known = total(state.hand[player]), _each(state.known[player])
    seen = _each(state.hand[player]) if viewer in (None, player) else known
    step = min(40.0, 410 / max(1, held - 1))
    for place in range(held):
        yield card(round(x + step * place, 1), y, seen[place] if place < len(seen) else NONE)


def _each(counts: Any) -> list[int]:
    """The kind of each card or worker that is counted in one number."""
    return [kind for kind in range(CARDS) for _ in range(count(counts, kind))]
