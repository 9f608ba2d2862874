"""Celtae in words: every action as it is said at the table, and groups of actions that have a name."""

from collections.abc import Sequence
from typing import Any

from variants.celtae import codes
from variants.celtae.topics.battle import can_attack
from variants.celtae.topics.counts import count, kinds, kinds_from, total
from variants.celtae.topics.farm import token_buys

FIRST_ACTIONS = (
    codes.LEADER,
    codes.CARD,
    codes.MOVE + 1,
    codes.PROGRESS,
    codes.SIDE,
    codes.AREA,
    codes.FAR_AREA,
    codes.REFRESH,
    codes.SWAP,
    codes.FARM,
    codes.BUILD,
    codes.SLOT,
    codes.CITADEL,
    codes.GIVE,
    codes.TAKE,
    codes.CUT,
    codes.ICON,
    codes.DEFEAT,
    codes.GARRISON,
    codes.TRAIN,
    codes.TOKEN,
    codes.DONE,
    codes.ACTIONS,
)
STOP_WORDS = {
    codes.REFRESHING: "refresh nothing",
    codes.SWAPPING: "swap nobody",
    codes.BUYING: "buy no more",
    codes.LOWERING_PRICE: "no more tokens",
    codes.CHOOSING_ICON: "gain no strength",
    codes.RAISING_RATE: "no more tokens",
    codes.ARMING: "no more cards",
    codes.ATTACKING: "leave the army alone",
    codes.GARRISONING: "place no garrison",
    codes.GIVING: "recruit no more",
    codes.TRAINING: "train no druid",
}
PHASE_NAMES = (
    "drafts a leader",
    "discards cards",
    "moves the marker",
    "places a progress marker",
    "decides on a leader's side",
    "chooses an area",
    "may refresh the area",
    "may swap a worker",
    "farms or builds",
    "buys cards",
    "chooses a citadel",
    "may spend tokens",
    "pays for a disk",
    "draws two cards",
    "recruits a worker",
    "may gain strength",
    "may spend tokens",
    "gains strength",
    "may defeat the army",
    "may place a garrison",
    "pays for a garrison",
    "recruits workers",
    "may train a druid",
    "pays for a druid",
    "takes workers from the centre",
    "dismisses workers",
)
TOKEN_AS = {
    codes.BUYING: "farmer",
    codes.LOWERING_PRICE: "builder",
    codes.RAISING_RATE: "soldier",
    codes.GIVING: "noble",
}


# What a leader counts, and "of each" where it counts two things.
LEADER_COUNTS = {
    codes.ALL_DISKS: ("disks on citadels", ""),
    codes.EITHER_DISKS: ("disks in north and in south", " of each"),
    codes.EITHER_ARMIES: ("army tiles of 1 and of 2 points", " of each"),
    codes.EITHER_DRUIDS: ("druid tiles of 1 and of 2 points", " of each"),
    codes.HIGH_ARMIES: ("army tiles of 2 points", ""),
    codes.PLAIN_TRIBE: ("workers in the tribe, no druids", ""),
}
PAYMENTS = (codes.DISCARDING, codes.PAYING_DISK, codes.PAYING_DRUID, codes.ARMING)


def say(state: Any, action: int) -> str:
    """An action of the actor: "build in the northern teal citadel". A note in brackets says what a leader
    wants, or what can no longer be chosen afterwards, where the order of choices is ours (§2.2 of RULES.md).
    """
    words, note = name_action(state, action), note_on(state, action)
    return f"{words} ({note})" if note else words


def name_action(state: Any, action: int) -> str:
    """An action without its note."""
    first = max(number for number in FIRST_ACTIONS if number <= action)
    offset = action - first
    phrases = {
        codes.LEADER: lambda: f"draft {codes.LEADER_NAMES[offset]}",
        codes.CARD: lambda: f"discard {name_card(offset)}",
        codes.MOVE + 1: lambda: say_move(state, offset + 1),
        codes.PROGRESS: lambda: (
            f"place a marker on card {number_card(state, offset)}, {describe_condition(state, offset)}"
        ),
        codes.SIDE: lambda: f"leader on side {'AB'[offset]}",
        codes.AREA: lambda: f"use the {codes.AREA_NAMES[offset]} area",
        codes.FAR_AREA: lambda: f"spend a token on the {codes.AREA_NAMES[offset]} area",
        codes.REFRESH: lambda: "refresh the workers",
        codes.SWAP: lambda: (
            f"swap a {codes.WORKER_NAMES[offset // codes.PLAIN_WORKERS]} "
            f"for a {codes.WORKER_NAMES[offset % codes.PLAIN_WORKERS]}"
        ),
        codes.FARM: lambda: f"farm in the {codes.REGION_NAMES[offset]}",
        codes.BUILD: lambda: f"build in the {codes.REGION_NAMES[offset]}",
        codes.SLOT: lambda: f"take {name_card(state.market[state.region, offset])} from space {offset + 1}",
        codes.CITADEL: lambda: f"build in the {name_citadel(offset)} citadel",
        codes.GIVE: lambda: f"recruit a {codes.WORKER_NAMES[offset]}",
        codes.TAKE: lambda: f"take a {codes.WORKER_NAMES[offset]} from the centre",
        codes.CUT: lambda: f"dismiss a {codes.WORKER_NAMES[offset]}",
        codes.ICON: lambda: f"gain strength by {codes.ICON_NAMES[offset]}s",
        codes.DEFEAT: lambda: (
            f"defeat the {codes.REGION_NAMES[offset]}ern army of {describe_army(state, offset)}"
        ),
        codes.GARRISON: lambda: (
            f"garrison in the {codes.REGION_NAMES[offset // codes.GARRISONS]}: "
            f"{codes.GARRISON_NAMES[offset % codes.GARRISONS]}"
        ),
        codes.TRAIN: lambda: (
            f"train a {codes.REGION_NAMES[offset]}ern druid for {describe_training(state, offset)}"
        ),
        codes.TOKEN: lambda: f"spend a token as a {TOKEN_AS.get(int(state.phase), 'worker')}",
        codes.DONE: lambda: name_stop(state),
    }
    return phrases[first]()


def name_stop(state: Any) -> str:
    """What is not done, or not yet."""
    words = STOP_WORDS.get(int(state.phase), "go on")
    is_free = state.rules.battle_order == codes.EITHER_ORDER
    return f"{words} yet" if state.phase == codes.CHOOSING_ICON and is_free and can_attack(state) else words


# ---- notes: what a leader wants, and what an order of choices rules out


def note_on(state: Any, action: int) -> str:
    """What a leader wants, or what can no longer be chosen after this action; "" if there is no note."""
    if action < codes.CARD:
        return describe_leader(action - codes.LEADER)
    if action < codes.CARD + codes.CARDS:
        return _note_payment(state, action - codes.CARD)
    if codes.SLOT <= action < codes.CITADEL:
        return _note_purchase(state, action - codes.SLOT)
    if codes.GIVE <= action < codes.ICON:
        return _note_worker(state, action)
    if action == codes.TOKEN and state.phase == codes.BUYING:
        return "only before the first card is bought"
    if action in (codes.TOKEN, codes.DONE) and state.phase in (codes.LOWERING_PRICE, codes.RAISING_RATE):
        return "tokens come before the cards"
    return ""


def describe_leader(leader: int) -> str:
    """ "bonus tiles: 1 for 1 point, 3 for 3 points with side B" """
    counted, each = name_leader_count(leader)
    needs = [f"{need}{each}" for need in codes.LEADER_NEED[leader]]
    low, high = (int(points) for points in codes.SIDE_POINTS)
    return f"{counted}: {needs[0]} for {low} point, {needs[1]} for {high} points with side B"


def name_leader_count(leader: int) -> tuple[str, str]:
    """What a leader counts, and " of each" if it is two things."""
    measure = int(codes.LEADER_MEASURE[leader])
    return LEADER_COUNTS.get(measure, (codes.MEASURES[measure], ""))


def _note_payment(state: Any, card: int) -> str:
    """Cards are discarded in the order of their kinds. Whether the hand has any of them is not told: all hear
    these words.
    """
    is_last = state.owed <= 1 and state.phase != codes.ARMING
    if is_last or state.phase not in PAYMENTS:
        return ""
    return _note_earlier(kinds(int(state.payable)), card, [name_card(kind) for kind in range(codes.CARDS)])


def _note_worker(state: Any, action: int) -> str:
    """Workers are chosen in the order of their kinds."""
    seat = int(state.turn_owner)
    if state.phase == codes.GIVING and action < codes.TAKE:
        recruited = codes.ACTIVE - total(int(state.active[seat]))
        is_last = recruited + 1 >= state.power and state.tokens[seat] == 0
        group, kind = state.active[seat], action - codes.GIVE
    elif state.phase == codes.TAKING and codes.TAKE <= action < codes.CUT:
        is_last, group, kind = state.owed <= 1, state.ring[codes.CENTRE], action - codes.TAKE
    elif state.phase == codes.CUTTING and action >= codes.CUT:
        is_last, group, kind = state.owed <= 1, state.tribe[seat], action - codes.CUT
    else:
        return ""
    left = int(group) & int(state.payable)
    return "" if is_last else _note_earlier(left, kind, codes.WORKER_NAMES)


def _note_earlier(left: int, kind: int, names: Sequence[str]) -> str:
    """What is passed over: of earlier kinds none can be chosen any more."""
    passed = left & ~kinds_from(left, kind)
    earlier = [names[other] for other in range(kind) if count(passed, other)]
    if len(earlier) > 2:
        return "then none of the kinds before it"
    return f"then no {' or '.join(earlier)}" if earlier else ""


def _note_purchase(state: Any, space: int) -> str:
    """Cards of a market are taken from left to right; tokens come before the first purchase."""
    is_bonus = state.phase == codes.DRAWING_BONUS
    if not is_bonus and state.phase != codes.BUYING:
        return ""
    costs = [0, *(int(cost) for cost in state.rules.market_costs)]
    leaves = int(state.power) - costs[space]
    passed = [
        str(other + 1)
        for other in range(int(state.slot) + 1, space)
        if state.market[state.region, other] != codes.NONE
        and (state.owed > 1 if is_bonus else costs[other] <= leaves)
    ]
    places = f"spaces {passed[0]} to {passed[-1]}" if len(passed) > 2 else f"space {' or '.join(passed)}"
    notes = [f"then none from {places}"] if passed else []
    if not is_bonus and token_buys(state):
        notes.append("then no tokens")
    return ", ".join(notes)


# ---- names of things


def number_card(state: Any, slot: int) -> int:
    """The number of a progress card: those in play are counted through, first the ones with two spots."""
    return slot + 1 - sum(int(card) == codes.NONE for card in state.card[:slot])


def name_card(card: int) -> str:
    return (
        f"{codes.COLOUR_NAMES[card // codes.ICONS]} {codes.ICON_NAMES[card % codes.ICONS]}"
        if card != codes.NONE
        else "nothing"
    )


def name_citadel(citadel: int) -> str:
    return f"{codes.REGION_NAMES[citadel // codes.COLOURS]}ern {codes.COLOUR_NAMES[citadel % codes.COLOURS]}"


def say_move(state: Any, steps: int) -> str:
    station = codes.STATION_NAMES[(int(state.station) + steps) % codes.STATIONS]
    price = {1: ", gain 1 strength", 3: ", spend 3 strength"}.get(steps, "")
    return f"move {steps} to the {station}{price}"


def describe_condition(state: Any, slot: int) -> str:
    """What a progress card in play wants: "at least 2 disks in teal"."""
    if state.card[slot] == codes.NONE:
        return "which is not in play"
    measure, needed = divmod(int(state.rules.progress_cards[state.card[slot]]), codes.NEED_BITS)
    return f"at least {needed} {codes.MEASURES[measure]}"


def describe_army(state: Any, region: int) -> str:
    top = int(state.top[codes.ARMIES + region])
    return str(state.rules.army_strength[top]) if top != codes.NONE else "none"


def describe_training(state: Any, region: int) -> str:
    top = int(state.top[codes.DRUIDS + region])
    return name_workers(int(state.rules.druid_workers[top])) if top != codes.NONE else "nobody"


def name_workers(workers: int) -> str:
    """ "a farmer and 2 nobles" """
    numbers = [(count(workers, kind), name) for kind, name in enumerate(codes.WORKER_NAMES)]
    phrases = [f"a {name}" if n == 1 else f"{n} {name}s" for n, name in numbers if n]
    return " and ".join([", ".join(phrases[:-1]), phrases[-1]] if len(phrases) > 1 else phrases) or "nobody"


def list_groups() -> dict[str, list[int]]:
    """Actions that a designer may want to forbid or to enforce; whoever forbids one of them can always do
    something else.
    """
    north = [codes.AREA + codes.NORTH_AREA, codes.FAR_AREA + codes.NORTH_AREA]
    south = [codes.AREA + codes.SOUTH_AREA, codes.FAR_AREA + codes.SOUTH_AREA]
    builds = {region: _list_builds(region) for region in (0, 1)}
    sites = {region: [codes.DEFEAT + region, codes.TRAIN + region] for region in (0, 1)}
    spaces = {region: _list_garrisons(region) for region in (0, 1)}
    far = list(range(codes.FAR_AREA, codes.FAR_AREA + codes.AREAS))
    return {
        "north and south areas": north + south,
        "east area": [codes.AREA + codes.EAST_AREA, codes.FAR_AREA + codes.EAST_AREA],
        "west area": [codes.AREA + codes.WEST_AREA, codes.FAR_AREA + codes.WEST_AREA],
        "farming": list(range(codes.FARM, codes.BUILD)),
        "building": builds[codes.NORTH] + builds[codes.SOUTH],
        "northern citadels": builds[codes.NORTH],
        "southern citadels": builds[codes.SOUTH],
        "gaining strength": list(range(codes.ICON, codes.DEFEAT)),
        "defeating armies": list(range(codes.DEFEAT, codes.GARRISON)),
        "garrisons": spaces[codes.NORTH] + spaces[codes.SOUTH],
        "training": list(range(codes.TRAIN, codes.TOKEN)),
        "points in the north": builds[codes.NORTH] + sites[codes.NORTH] + spaces[codes.NORTH],
        "points in the south": builds[codes.SOUTH] + sites[codes.SOUTH] + spaces[codes.SOUTH],
        "refresh": [codes.REFRESH],
        "swap": list(range(codes.SWAP, codes.FARM)),
        "tokens": [*far, codes.TOKEN],
        "far areas": far,
        "three-step moves": [codes.MOVE + 3],
        "one-step moves": [codes.MOVE + 1],
        "leader on side B": [codes.SIDE + 1],
        "stopping": [codes.DONE],
    }


def _list_builds(region: int) -> list[int]:
    first = codes.CITADEL + region * codes.COLOURS
    return [codes.BUILD + region, *range(first, first + codes.COLOURS)]


def _list_garrisons(region: int) -> list[int]:
    first = codes.GARRISON + region * codes.GARRISONS
    return list(range(first, first + codes.GARRISONS))
