"""Celtae in words: every action as it is said at the table, and groups of actions that have a name."""

from typing import Any

from variants.celtae.codes import (
    ACTIONS,
    AREA,
    AREA_NAMES,
    AREAS,
    ARMIES,
    ARMING,
    ATTACKING,
    BUILD,
    BUYING,
    CARD,
    CHOOSING_ICON,
    CITADEL,
    COLOUR_NAMES,
    COLOURS,
    CUT,
    DEFEAT,
    DONE,
    DRUIDS,
    EAST_AREA,
    FAR_AREA,
    FARM,
    GARRISON,
    GARRISON_NAMES,
    GARRISONING,
    GARRISONS,
    GIVE,
    GIVING,
    ICON,
    ICON_NAMES,
    ICONS,
    LEADER,
    LEADER_NAMES,
    LOWERING_PRICE,
    MEASURES,
    MOVE,
    NEED_BITS,
    NONE,
    NORTH,
    NORTH_AREA,
    PLAIN_WORKERS,
    PROGRESS,
    RAISING_RATE,
    REFRESH,
    REFRESHING,
    REGION_NAMES,
    SIDE,
    SLOT,
    SOUTH,
    SOUTH_AREA,
    STATION_NAMES,
    STATIONS,
    SWAP,
    SWAPPING,
    TAKE,
    TOKEN,
    TRAIN,
    TRAINING,
    WEST_AREA,
    WORKER_NAMES,
)
from variants.celtae.counts import count

FIRST = (
    LEADER, CARD, MOVE + 1, PROGRESS, SIDE, AREA, FAR_AREA, REFRESH, SWAP, FARM, BUILD, SLOT, CITADEL, GIVE, TAKE, CUT, ICON,
    DEFEAT, GARRISON, TRAIN, TOKEN, DONE, ACTIONS,
)  # fmt: skip
ENOUGH = {
    REFRESHING: "refresh nothing", SWAPPING: "swap nobody", BUYING: "buy no more", LOWERING_PRICE: "no more tokens",
    CHOOSING_ICON: "gain no strength", RAISING_RATE: "no more tokens", ARMING: "no more cards",
    ATTACKING: "leave the army alone", GARRISONING: "place no garrison", GIVING: "recruit no more", TRAINING: "train no druid",
}  # fmt: skip
PHASE_NAMES = (
    "drafts a leader", "discards cards", "moves the marker", "places a progress marker", "decides on a leader's side",
    "chooses an area", "may refresh the area", "may swap a worker", "farms or builds", "buys cards", "chooses a citadel",
    "may spend tokens", "pays for a disk", "draws two cards", "recruits a worker", "may gain strength", "may spend tokens",
    "gains strength", "may defeat the army", "may place a garrison", "pays for a garrison", "recruits workers",
    "may train a druid", "pays for a druid", "takes workers from the centre", "dismisses workers",
)  # fmt: skip
TOKEN_AS = {BUYING: "farmer", LOWERING_PRICE: "builder", RAISING_RATE: "soldier", GIVING: "noble"}


def say(state: Any, action: int) -> str:
    """An action of the actor: "build in the northern teal citadel"."""
    first = max(number for number in FIRST if number <= action)
    which = action - first
    said = {
        LEADER: lambda: f"draft {LEADER_NAMES[which]}",
        CARD: lambda: f"discard {card_name(which)}",
        MOVE + 1: lambda: say_move(state, which + 1),
        PROGRESS: lambda: f"place a marker on card {which + 1}, {condition(state, which)}",
        SIDE: lambda: f"leader on side {'AB'[which]}",
        AREA: lambda: f"use the {AREA_NAMES[which]} area",
        FAR_AREA: lambda: f"spend a token on the {AREA_NAMES[which]} area",
        REFRESH: lambda: "refresh the workers",
        SWAP: lambda: f"swap a {WORKER_NAMES[which // PLAIN_WORKERS]} for a {WORKER_NAMES[which % PLAIN_WORKERS]}",
        FARM: lambda: f"farm in the {REGION_NAMES[which]}",
        BUILD: lambda: f"build in the {REGION_NAMES[which]}",
        SLOT: lambda: f"take {card_name(state.market[state.region, which])} from space {which + 1}",
        CITADEL: lambda: f"build in the {citadel_name(which)} citadel",
        GIVE: lambda: f"recruit a {WORKER_NAMES[which]}",
        TAKE: lambda: f"take a {WORKER_NAMES[which]} from the centre",
        CUT: lambda: f"dismiss a {WORKER_NAMES[which]}",
        ICON: lambda: f"gain strength by {ICON_NAMES[which]}s",
        DEFEAT: lambda: f"defeat the {REGION_NAMES[which]}ern army of {army(state, which)}",
        GARRISON: lambda: f"garrison in the {REGION_NAMES[which // GARRISONS]}: {GARRISON_NAMES[which % GARRISONS]}",
        TRAIN: lambda: f"train a {REGION_NAMES[which]}ern druid for {training(state, which)}",
        TOKEN: lambda: f"spend a token as a {TOKEN_AS.get(int(state.phase), 'worker')}",
        DONE: lambda: ENOUGH.get(int(state.phase), "go on"),
    }
    return said[first]()


def card_name(card: int) -> str:
    return f"{COLOUR_NAMES[card // ICONS]} {ICON_NAMES[card % ICONS]}" if card != NONE else "nothing"


def citadel_name(citadel: int) -> str:
    return f"{REGION_NAMES[citadel // COLOURS]}ern {COLOUR_NAMES[citadel % COLOURS]}"


def say_move(state: Any, steps: int) -> str:
    station = STATION_NAMES[(int(state.station) + steps) % STATIONS]
    price = {1: ", gain 1 strength", 3: ", spend 3 strength"}.get(steps, "")
    return f"move {steps} to the {station}{price}"


def condition(state: Any, slot: int) -> str:
    """What a progress card in play wants: "at least 2 disks in teal"."""
    if state.card[slot] == NONE:
        return "which is not in play"
    which, needed = divmod(int(state.rules.progress_cards[state.card[slot]]), NEED_BITS)
    return f"at least {needed} {MEASURES[which]}"


def army(state: Any, region: int) -> str:
    top = int(state.top[ARMIES + region])
    return str(state.rules.army_strength[top]) if top != NONE else "none"


def training(state: Any, region: int) -> str:
    top = int(state.top[DRUIDS + region])
    return workers_named(int(state.rules.druid_workers[top])) if top != NONE else "nobody"


def workers_named(workers: int) -> str:
    """ "a farmer and 2 nobles" """
    found = [(count(workers, kind), name) for kind, name in enumerate(WORKER_NAMES)]
    named = [f"a {name}" if n == 1 else f"{n} {name}s" for n, name in found if n]
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named) or "nobody"


def groups() -> dict[str, list[int]]:
    """Actions that a designer may want to forbid or to enforce; whoever forbids one of them can always do something else."""
    north = [AREA + NORTH_AREA, FAR_AREA + NORTH_AREA]
    south = [AREA + SOUTH_AREA, FAR_AREA + SOUTH_AREA]
    builds = {region: [BUILD + region, *range(CITADEL + region * COLOURS, CITADEL + (region + 1) * COLOURS)] for region in (0, 1)}
    sites = {region: [DEFEAT + region, TRAIN + region] for region in (0, 1)}
    spaces = {region: list(range(GARRISON + region * GARRISONS, GARRISON + (region + 1) * GARRISONS)) for region in (0, 1)}
    far = list(range(FAR_AREA, FAR_AREA + AREAS))
    return {
        "north and south areas": north + south,
        "east area": [AREA + EAST_AREA, FAR_AREA + EAST_AREA],
        "west area": [AREA + WEST_AREA, FAR_AREA + WEST_AREA],
        "farming": list(range(FARM, BUILD)),
        "building": builds[NORTH] + builds[SOUTH],
        "northern citadels": builds[NORTH],
        "southern citadels": builds[SOUTH],
        "gaining strength": list(range(ICON, DEFEAT)),
        "defeating armies": list(range(DEFEAT, GARRISON)),
        "garrisons": spaces[NORTH] + spaces[SOUTH],
        "training": list(range(TRAIN, TOKEN)),
        "points in the north": builds[NORTH] + sites[NORTH] + spaces[NORTH],
        "points in the south": builds[SOUTH] + sites[SOUTH] + spaces[SOUTH],
        "refresh": [REFRESH],
        "swap": list(range(SWAP, FARM)),
        "tokens": [*far, TOKEN],
        "far areas": far,
        "three-step moves": [MOVE + 3],
        "one-step moves": [MOVE + 1],
        "leader on side B": [SIDE + 1],
        "stopping": [DONE],
    }
