"""Celtae in words: every action as it is said at the table, and groups of actions that have a name."""

from typing import Any

from variants.celtae import codes
from variants.celtae.topics.counts import count

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


def say(state: Any, action: int) -> str:
    """An action of the actor: "build in the northern teal citadel"."""
    first = max(number for number in FIRST_ACTIONS if number <= action)
    offset = action - first
    phrases = {
        codes.LEADER: lambda: f"draft {codes.LEADER_NAMES[offset]}",
        codes.CARD: lambda: f"discard {name_card(offset)}",
        codes.MOVE + 1: lambda: say_move(state, offset + 1),
        codes.PROGRESS: lambda: f"place a marker on card {offset + 1}, {describe_condition(state, offset)}",
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
        codes.DONE: lambda: STOP_WORDS.get(int(state.phase), "go on"),
    }
    return phrases[first]()


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
