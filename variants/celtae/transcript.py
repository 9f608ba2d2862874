"""A match of Celtae told so that you can follow it at a table: the set-up, what each action caused, and why
the winner won.

All of it is read from what is open, and from the hand of the seat that is told. A § names a section of
RULES.md.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from variants.celtae import codes
from variants.celtae.scoring import score, tiles_of
from variants.celtae.topics.counts import count, one, total
from variants.celtae.words import (
    describe_condition,
    describe_leader,
    describe_training,
    name_card,
    name_citadel,
    name_workers,
    number_card,
)

BONUS_PHRASES = ("a bonus token", "a recruit", "two cards", f"{codes.BONUS_STRENGTH} strength")
SITE_PHRASES = ("northern army", "southern army", "northern druid tile", "southern druid tile")
AREA_PHRASES = (*(f"{name} area" for name in codes.AREA_NAMES), "centre")
POINT_SOURCES = [name.removeprefix("points: ") for name in codes.TALLIES[codes.POINTS :]]


# ---- the set-up


def describe_setup(state: Any, seat: int | None) -> list[str]:
    """What lies on the table before the draft: enough to lay it out on a real one. Of the hands, all or that
    of one seat.
    """
    lines = [
        "The action marker is in the southeast; seat 1 has the Teutates tile.",
        f"{format_number(state.track, 'progress marker')} on the track, and one at each of the four sites.",
    ]
    for region in range(codes.REGIONS):
        lines += _describe_region(state, region)
    lines += [
        f"{AREA_PHRASES[ring].capitalize()}: {name_workers(int(state.ring[ring]))}."
        for ring in range(codes.RINGS)
    ]
    lines.append(
        f"In the bag: {_name_counts(state.bag.tolist(), codes.WORKER_NAMES[: codes.PLAIN_WORKERS])}."
    )
    lines += [
        f"Progress card {number_card(state, slot)}, {codes.SPOTS[slot]} spots: "
        f"{describe_condition(state, slot)}."
        for slot in list_progress_slots(state)
    ]
    lines += [
        f"Leader on offer: {codes.LEADER_NAMES[leader]} ({describe_leader(leader)})."
        for leader in list_leaders_on_offer(state)
    ]
    return lines + _describe_players(state, seat)


def _describe_region(state: Any, region: int) -> list[str]:
    name = codes.REGION_NAMES[region]
    cards = ", ".join(name_card(int(card)) for card in state.market[region])
    citadels = [
        f"{codes.COLOUR_NAMES[colour]} {_describe_citadel(state, region * codes.COLOURS + colour)}"
        for colour in range(codes.COLOURS)
    ]
    spaces = [
        codes.GARRISON_NAMES[count(state.rules.garrison_icons, space)]
        + (" (blocked)" if state.garrison[region, space] == codes.BLOCKED else "")
        for space in range(codes.GARRISON_SPACES)
    ]
    army, druid = (_describe_stack(state, site + region) for site in (codes.ARMIES, codes.DRUIDS))
    return [
        f"Market of the {name}, from the free space on: {cards}.",
        f"Citadels of the {name}: {'; '.join(citadels)}.",
        f"Garrison spaces of the {name}: {', '.join(spaces)}.",
        f"{army}.",
        f"{druid}; {format_number(state.druids[region], 'druid')} beside it.",
    ]


def _describe_stack(state: Any, site: int) -> str:
    return (
        f"{SITE_PHRASES[site].capitalize()}: {describe_tile(state, site)}, {state.stack[site]} in the stack"
    )


def _describe_citadel(state: Any, citadel: int) -> str:
    """ "with 3 spaces, 1 of them blocked, and two cards as bonus" """
    spaces = count(state.rules.citadel_spaces, citadel)
    blocked = spaces - int(state.room[citadel])
    note = f", {blocked} of them blocked," if blocked else ""
    return f"with {spaces} spaces{note} and {BONUS_PHRASES[state.bonus[citadel]]} as bonus"


def describe_tile(state: Any, site: int) -> str:
    """The uppermost tile of a site: "strength 5, 1 point"."""
    top = int(state.top[site])
    if top == codes.NONE:
        return "none"
    points = format_number(1 if top < codes.LOW_KINDS else 2, "point")
    if site >= codes.DRUIDS:
        return f"for {describe_training(state, site - codes.DRUIDS)}, {points}"
    return f"strength {state.rules.army_strength[top]}, {points}"


def _describe_players(state: Any, seat: int | None) -> list[str]:
    tokens = ", ".join(
        f"seat {owner + 1}: {format_number(state.tokens[owner], 'bonus token')}"
        for owner in range(state.players)
    )
    seats = range(state.players) if seat is None else [seat]
    return [
        f"Everybody has {name_workers(int(state.active[0]))} as active workers, {codes.DISKS} disks and "
        f"{codes.CUBES} garrison cubes. S{tokens[1:]}.",
        f"Everybody holds {format_number(state.rules.starting_hand, 'card')}; the rest is the deck.",
        *(f"Seat {owner + 1} holds {name_cards(state.hand[owner])}." for owner in seats),
    ]


# ---- what an action caused


def describe_effects(before: Any, after: Any, action: int, seat: int | None) -> list[str]:
    """What an action caused that its words do not say. All of it is open: cards come from markets only."""
    return [
        *_describe_power(after, action),
        *_describe_building(before, after),
        *_describe_tiles(before, after),
        *_describe_garrisons(before, after),
        *_describe_stock(before, after),
        *_describe_market(before, after),
        *_describe_workers(before, after, action),
        *_describe_progress(before, after, action),
        *_describe_course(before, after),
    ]


def _describe_power(after: Any, action: int) -> Iterator[str]:
    """What workers and tokens are worth in the action that has begun."""
    power = int(after.power)
    if codes.FARM <= action < codes.BUILD or (action == codes.TOKEN and after.phase == codes.BUYING):
        yield f"{format_number(power, 'leaf', 'leaves')} to buy cards with"
    elif after.phase in (codes.LOWERING_PRICE, codes.PAYING_DISK) and action in _list_pricing_actions():
        yield f"the disk costs {format_number(power, 'card')}"
    elif after.phase in (codes.RAISING_RATE, codes.ARMING) and action in _list_arming_actions():
        yield f"a card brings {power} strength"
    elif after.phase == codes.GIVING and action in _list_recruiting_actions():
        yield f"{format_number(power, 'recruit')} at most"


def _list_pricing_actions() -> list[int]:
    return [codes.TOKEN, *range(codes.CITADEL, codes.GIVE)]


def _list_arming_actions() -> list[int]:
    return [codes.TOKEN, *range(codes.ICON, codes.DEFEAT)]


def _list_recruiting_actions() -> list[int]:
    """What can come right before recruiting: an area, a refresh, a swap, or a token."""
    return [codes.TOKEN, codes.DONE, *range(codes.AREA, codes.FARM)]


def _describe_building(before: Any, after: Any) -> Iterator[str]:
    """A disk that was placed, its bonus, and the tile of a citadel that is complete."""
    owner = int(before.turn_owner)
    if after.disks[owner] == before.disks[owner]:
        return
    citadel = int(before.citadel)
    name, room = name_citadel(citadel), int(after.room[citadel])
    spaces = format_number(room, "space") if room else "no space"
    yield f"disk {total(int(after.disks[owner]))} goes to the {name} citadel, {spaces} left"
    kind = int(before.bonus[citadel])
    missed = kind == codes.TOKEN_TILE and after.tokens[owner] == before.tokens[owner]
    yield f"bonus: {BONUS_PHRASES[kind]}{', but the supply is empty' if missed else ''}"
    if room == 0:
        yield f"the {name} citadel is complete: its bonus tile, 1 point"


def _describe_tiles(before: Any, after: Any) -> Iterator[str]:
    """Army and druid tiles that were taken, and those that were turned up."""
    for site in range(codes.SITES):
        name = SITE_PHRASES[site]
        if after.stack[site] != before.stack[site]:
            points = 1 if before.top[site] < codes.LOW_KINDS else 2
            left = int(after.stack[site])
            yield f"takes the {name}, {format_number(points, 'point')}, {left or 'none'} left"
        if after.top[site] not in (before.top[site], codes.NONE):
            yield f"next {name}: {describe_tile(after, site)}"


def _describe_garrisons(before: Any, after: Any) -> Iterator[str]:
    owner = int(before.turn_owner)
    for region in range(codes.REGIONS):
        if after.garrisons[owner, region] != before.garrisons[owner, region]:
            there = int(after.garrisons[owner, region])
            yield f"{format_number(there, 'garrison')} in the {codes.REGION_NAMES[region]} now"


def _describe_stock(before: Any, after: Any) -> Iterator[str]:
    """Strength and tokens of whoever has more or fewer than before."""
    for owner in range(before.players):
        if after.strength[owner] != before.strength[owner]:
            yield f"seat {owner + 1} has {after.strength[owner]} strength"
        if after.tokens[owner] != before.tokens[owner]:
            yield f"seat {owner + 1} has {format_number(after.tokens[owner], 'token')}"


def _describe_market(before: Any, after: Any) -> Iterator[str]:
    """A free card, and the cards that came from the deck."""
    owner, region = int(before.turn_owner), int(before.region)
    taken = int(after.known[owner]) - int(before.known[owner])
    if before.phase == codes.CHOOSING_ACTION and taken > 0:
        yield f"takes the free card, {name_card(list_kinds(taken)[0])}"
    stayed = _count_cards(before.market[region]) - (taken if taken > 0 else 0)
    drawn = total(_count_cards(after.market[region]) - stayed)
    if drawn > 0:
        cards = [name_card(int(card)) for card in after.market[region] if card != codes.NONE]
        yield f"the {codes.REGION_NAMES[region]}ern market slides, and gets {', '.join(cards[-drawn:])}"
    if total(int(after.discard)) < total(int(before.discard)):
        yield "the deck is made anew from the discards"


def _describe_workers(before: Any, after: Any, action: int) -> Iterator[str]:
    """Workers that were returned, that joined a tribe as druids, and that came to the ring from the bag."""
    owner = int(before.turn_owner)
    if codes.TRAIN <= action < codes.TOKEN:
        cards = format_number(after.owed, "card")
        yield f"a druid joins the tribe, and costs {cards}"
    if after.gone_druids != before.gone_druids:
        yield "the druid leaves the match"
    if action == codes.REFRESH:
        area = int(before.area)
        yield f"{AREA_PHRASES[area]}: {name_workers(int(after.ring[area]))}"
        yield f"centre, from the bag: {name_workers(int(after.ring[codes.CENTRE]))}"
        return
    taken = (
        max(0, int(after.active[owner]) - int(before.active[owner])) if before.phase == codes.TAKING else 0
    )
    drawn = int(after.ring[codes.CENTRE]) - int(before.ring[codes.CENTRE]) + taken
    if drawn > 0:
        yield f"from the bag to the centre: {name_workers(drawn)}"


def _describe_progress(before: Any, after: Any, action: int) -> Iterator[str]:
    """Markers on progress cards, the Teutates tile, and what the number of markers brings about."""
    if codes.MOVE < action < codes.PROGRESS and after.station < before.station:
        holder = (
            f"seat {after.teutates + 1} places a progress marker" if before.track else "the track is empty"
        )
        yield f"the marker crosses the east river: {holder}"
    if not codes.PROGRESS <= action < codes.SIDE:
        return
    slot = action - codes.PROGRESS
    markers = f"{after.markers[slot]} of {codes.SPOTS[slot]} spots"
    yield f"card {number_card(after, slot)} has markers on {markers}"
    if after.track == before.track:
        yield f"it was the marker of the {SITE_PHRASES[before.site].removesuffix(' tile')} site"
        return
    left = format_number(after.track, "marker") if after.track else "no marker"
    yield f"{left} on the track; the Teutates tile goes to seat {after.teutates + 1}"
    if after.phase == codes.CHOOSING_SIDE:
        yield "all decide on the sides of their leaders"
    if after.track == 0:
        final = int(after.rules.final_turns)
        yield f"the track is empty: after this round everybody has {format_number(final, 'more turn')}"


def _describe_course(before: Any, after: Any) -> Iterator[str]:
    """The end of the last round, and of the match with its points."""
    if after.final == 1 and before.final == 0:
        yield f"the last round is over: now {format_number(after.rules.final_turns, 'final turn')} for each"
    if after.end and not before.end:
        for seat in range(after.players):
            points = [int(number) for number in after.tally[seat, codes.POINTS :]]
            sources = ", ".join(
                f"{name} {number}" for name, number in zip(POINT_SOURCES, points, strict=True) if number
            )
            yield f"seat {seat + 1} scores {sum(points)}: {sources or 'nothing'}"


# ---- the result


def describe_result(state: Any) -> str:
    """§8.8. Who wins and why, with the tie-breaks that were needed."""
    ranks = [
        (int(score(state, seat)), _count_spread(state, seat), _count_tiles(state, seat))
        for seat in range(state.players)
    ]
    best = max(ranks)
    winners = [seat for seat, rank in enumerate(ranks) if rank == best]
    units = ("points", "disks and workers", "army and druid tiles")
    if len(winners) > 1:
        each = ", ".join(f"{number} {unit}" for number, unit in zip(best, units, strict=True))
        return f"Seats {_join([str(seat + 1) for seat in winners])} share the win: {each} each."
    second = max(rank for seat, rank in enumerate(ranks) if seat not in winners)
    decisive = next(index for index in range(len(units)) if best[index] != second[index])
    ties = [f"{best[index]} {units[index]} each, then " for index in range(decisive)]
    against = f"{best[decisive]} {units[decisive]} against {second[decisive]}"
    return f"Seat {winners[0] + 1} wins: {''.join(ties)}{against}."


def _count_spread(state: Any, seat: int) -> int:
    return total(int(state.disks[seat])) + total(int(state.tribe[seat]))


def _count_tiles(state: Any, seat: int) -> int:
    return int(tiles_of(state, seat, 0) + tiles_of(state, seat, 1))


# ---- phrases


def list_progress_slots(state: Any) -> list[int]:
    return [slot for slot in range(codes.PROGRESS_SLOTS) if state.card[slot] != codes.NONE]


def list_leaders_on_offer(state: Any) -> list[int]:
    return [leader for leader in range(codes.LEADERS) if (int(state.draft) >> leader) & 1]


def list_kinds(counts: Any) -> list[int]:
    """The kind of each card or worker that is counted in one number."""
    return [kind for kind in range(codes.CARDS) for _ in range(count(counts, kind))]


def name_cards(cards: Any) -> str:
    """ "2 teal forts and 1 orange trap", in the order of their kinds."""
    numbers = [count(cards, kind) for kind in range(codes.CARDS)]
    return _name_counts(numbers, [name_card(kind) for kind in range(codes.CARDS)]) or "no card"


def _name_counts(numbers: Sequence[int], names: Sequence[str]) -> str:
    pairs = zip(numbers, names, strict=True)
    return _join([format_number(number, name) for number, name in pairs if number])


def format_number(number: Any, unit: str, units: str = "") -> str:
    """ "1 card", "3 cards", "2 leaves" """
    return f"{number} {unit if number == 1 else units or unit + 's'}"


def _join(phrases: Sequence[str]) -> str:
    return " and ".join([", ".join(phrases[:-1]), phrases[-1]] if len(phrases) > 1 else phrases)


def _count_cards(market: Any) -> int:
    return sum(one(int(card)) for card in market if card != codes.NONE)
