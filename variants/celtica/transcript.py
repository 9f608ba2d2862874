"""A match of Celtica told so that you can follow it at a table: the set-up, what each action caused, and why
the winner won.

States may be as one seat sees them, with all that is hidden from it blanked: nothing is read from a hand but
one that the seat may see. What others know of a hand is told from what all can see.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from boardgames.game.result import explain_win
from variants.celtica import codes
from variants.celtica.board import find_reconstructed
from variants.celtica.words import count_amulets, list_amulets, split_play

RUINS = codes.VISITS + codes.RUIN


def describe_setup(state: Any, seat: int | None) -> list[str]:
    """Everything to lay out on a table before the first turn."""
    hand_size = int(state.rules.hand_size)
    seats = range(int(state.players))
    held = [
        f"Seat {other + 1} has {_list_parts(state.parts[other])}, "
        + (
            f"and holds {_list_cards(state.hand[other])}."
            if seat in (None, other)
            else "and hides its cards."
        )
        for other in seats
    ]
    cards = codes.DRUID_CARDS - hand_size * len(seats)
    decks = f"{_count(cards, 'druid card')}, {_count(codes.EXPERIENCE_CARDS, 'experience card')}"
    return [
        f"The path: {_describe_path(state.rules)}.",
        f"All druids ({', '.join(codes.COLOUR_NAMES)}) are on the start.",
        f"Displayed are {_list_parts(state.display)}.",
        f"Everybody is dealt {_count(hand_size, 'druid card')}.",
        *held,
        f"Face down lie {decks} and {_count(int(state.stock.sum()), 'part')}.",
    ]


def describe_effects(before: Any, after: Any, action: int, seat: int | None) -> list[str]:
    """What the action caused, in the order in which it happened."""
    return [
        *_describe_action(before, after, action, seat),
        *_describe_experience(before, after, action, seat),
        *_describe_payment(before, after),
        *_describe_refill(before, after, action),
        *_describe_deal(before, after, action, seat),
        *_describe_end(before, after, action),
    ]


def describe_result(state: Any) -> str:
    """Who wins and why: Seat 2 wins: 2 amulets each, then 7 parts against 6."""
    amulets = [list_amulets(state.parts[seat]) for seat in range(int(state.players))]
    complete = [sizes.count(codes.KINDS) for sizes in amulets]
    rest = [[size for size in sizes if size < codes.KINDS] for sizes in amulets]
    best = max(zip(complete, rest, strict=True))[1]
    sizes_by_rank = [
        ("part", [sizes[k] if k < len(sizes) else 0 for sizes in rest]) for k in range(len(best))
    ]
    return explain_win(("amulet", complete), *sizes_by_rank)


# ---- what an action caused


def _describe_action(before: Any, after: Any, action: int, seat: int | None) -> list[str]:
    if action < codes.TAKE:
        return _describe_landing(before, after, action)
    if action == codes.DRAW_CARD:
        return _describe_draw(before, after, seat)
    actor = int(before.turn_owner)
    had, has = count_amulets(before.parts[actor]), count_amulets(after.parts[actor])
    if has != had:
        verb = "completes" if has > had else "breaks up"
        return [f"Seat {actor + 1} {verb} an amulet and has {has} now"]
    return []


def _describe_landing(before: Any, after: Any, action: int) -> list[str]:
    """What the place gives or costs, and whether a round became the last one."""
    colour, druids, experience, landing = split_play(action)
    if landing == codes.NOWHERE:
        return []
    place = min(int(before.position[colour]) + druids + experience, int(before.rules.goal))
    printed, owed = int(before.rules.place_parts[place]), int(after.owed)
    lines = []
    if landing == codes.CULT_SITE:
        lines += ["A druid card may be drawn there"] if after.phase == codes.CULT else []
    elif landing == codes.RUIN:
        lines.append(_describe_loss(printed, owed))
    elif after.phase == codes.TAKING:
        lines.append(f"{_count(owed, 'part').capitalize()} {'is' if owed == 1 else 'are'} found there")
    else:
        lines.append("Nothing is taken there")
    return lines + _describe_arrival(before, after)


def _describe_loss(printed: int, owed: int) -> str:
    cost = f"The ruin costs {_count(printed, 'part')}"
    if owed == printed:
        return cost
    return f"{cost}, and there {'is' if owed == 1 else 'are'} {owed or 'none'} to give up"


def _describe_arrival(before: Any, after: Any) -> list[str]:
    """Druids at the goal, where one more got there."""
    home = int((after.position == after.rules.goal).sum())
    if home == int((before.position == before.rules.goal).sum()):
        return []
    lines = [f"{_count(home, 'druid').capitalize()} {'is' if home == 1 else 'are'} at the goal now"]
    if home == int(after.rules.last_round) and not after.reason:
        lines.append("This is the last round")
    return lines


def _describe_draw(before: Any, after: Any, seat: int | None) -> list[str]:
    """The drawn card, told to those who see it."""
    actor = int(before.turn_owner)
    reshuffled = ["The discarded druid cards are shuffled for a new deck"] * _is_emptied(
        before.druid_discard, after.druid_discard
    )
    duty = [f"Seat {actor + 1} must play it in its next turn"] * bool(after.drew[actor])
    drawn = after.hand[actor] - before.hand[actor]
    cards = [f"Seat {actor + 1} draws {_list_cards(drawn)}"] * (seat in (None, actor))
    return reshuffled + cards + duty


def _describe_experience(before: Any, after: Any, action: int, seat: int | None) -> list[str]:
    """What a ruin taught: its colour is seen by the player alone."""
    actor = int(before.turn_owner)
    gained = int(after.tally[actor, codes.LEARNT] - before.tally[actor, codes.LEARNT])
    left_ruin = before.phase == codes.GIVING or after.tally[actor, RUINS] > before.tally[actor, RUINS]
    if not gained:
        is_missed = left_ruin and not after.owed and after.rules.experience_per_ruin
        return ["No experience card is left to get"] * bool(is_missed)
    played = _find_played(action)[1]
    cards = _count(gained, "experience card")
    if seat in (None, actor):
        cards += f": {_list_cards(after.experience[actor] - before.experience[actor] + played)}"
    is_shuffled = _is_emptied(before.experience_discard + played, after.experience_discard)
    shuffled = ["The discarded experience cards are shuffled for a new deck"] * is_shuffled
    return [*shuffled, f"Seat {actor + 1} gets {cards}"]


def _describe_payment(before: Any, after: Any) -> list[str]:
    """What an exchange cost: all see the cards."""
    actor = int(before.turn_owner)
    if after.tally[actor, codes.SPENT] == before.tally[actor, codes.SPENT]:
        return []
    paid = after.experience_discard - before.experience_discard
    return [f"Seat {actor + 1} pays {_list_cards(paid)} in experience cards"]


def _describe_refill(before: Any, after: Any, action: int) -> list[str]:
    """Parts that came into the display from the stock."""
    display, given_up = before.display.copy(), before.given_up.copy()
    if codes.TAKE <= action < codes.GIVE:
        display[action - codes.TAKE] -= 1
    elif codes.GIVE <= action < codes.DRAW_CARD:
        given_up[action - codes.GIVE] += 1
    elif codes.SWAP <= action < codes.RETURN:
        display[action - codes.SWAP] -= 1
    elif codes.RETURN <= action < codes.BUY:
        pile = display if before.rules.swapped_part == codes.TO_DISPLAY else given_up
        pile[action - codes.RETURN] += 1
    elif codes.BUY <= action < codes.DONE:
        display[action - codes.BUY] -= 1
    new = after.display - display
    if not new.any():
        return []
    shuffled = ["The parts given up are shuffled for a new stock"] * _is_emptied(given_up, after.given_up)
    return [*shuffled, f"The display is refilled with {_list_parts(new)}"]


# ---- rounds and the end


def _describe_deal(before: Any, after: Any, action: int, seat: int | None) -> list[str]:
    """A new round, and the cards that the seat sees of it."""
    watcher = 0 if seat is None else seat
    played = _find_played(action)[0]
    held = before.hand[watcher] - played * (watcher == before.turn_owner)
    discarded = before.druid_discard + played
    if action == codes.DRAW_CARD or after.hand[watcher].sum() <= held.sum():
        return []
    hand_size = _count(int(after.rules.hand_size), "druid card")
    shuffled = ["The discarded druid cards are shuffled for a new deck"] * _is_emptied(
        discarded, after.druid_discard
    )
    seats = range(int(after.players)) if seat is None else [seat]
    return [
        f"The round is over: everybody is dealt {hand_size}, and seat {after.starter + 1} begins",
        *shuffled,
        *(f"Seat {other + 1} gets {_list_cards(after.hand[other])}" for other in seats),
    ]


def _describe_end(before: Any, after: Any, action: int) -> list[str]:
    """The end of the last turn, whose exchange it is then, and that the match is over."""
    lines = []
    if after.reason and not before.reason:
        reasons = {
            codes.BY_ROUND: "The last round is over",
            codes.ALL_HOME: "All druids are at the goal",
            codes.NO_PARTS: "No parts are left",
        }
        left = after.druid_discard - before.druid_discard - _find_played(action)[0]
        aside = f": {_list_cards(left)} in hands are laid aside" if left.any() else ""
        lines.append(reasons[int(after.reason)] + aside)
    if after.phase == codes.EXCHANGE and after.turn > before.turn and not after.end:
        lines.append(f"Seat {after.turn_owner + 1} may exchange experience cards")
    return lines


# ---- words


def _describe_path(rules: Any) -> str:
    """1 start, 2 village with 1 part*, ...; an asterisk marks what we reconstructed."""
    reconstructed = find_reconstructed(rules)
    places = [
        f"{place + 1} {_describe_place(rules, place)}{'*' * (place in reconstructed)}"
        for place in range(int(rules.goal) + 1)
    ]
    note = " (* reconstructed, not documented)" if reconstructed else ""
    return ", ".join(places) + note


def _describe_place(rules: Any, place: int) -> str:
    kind, parts = int(rules.place_kind[place]), _count(int(rules.place_parts[place]), "part")
    name = codes.PLACE_NAMES[kind]
    if kind in (codes.START, codes.CULT_SITE):
        return name if kind == codes.START else "cult site"
    if kind == codes.GOAL and not rules.goal_pays:
        return f"{name} without parts"
    return f"{name} that costs {parts}" if kind == codes.RUIN else f"{name} with {parts}"


def _find_played(action: int) -> tuple[Any, Any]:
    """Druid and experience cards of each colour that the action put on the discard piles."""
    druids, experience = np.zeros(codes.COLOURS, np.int16), np.zeros(codes.COLOURS, np.int16)
    if action < codes.TAKE:
        colour, druid_cards, experience_cards, _ = split_play(action)
        druids[colour] = druid_cards
        experience[colour] = experience_cards
    return druids, experience


def _is_emptied(before: Any, after: Any) -> bool:
    """Whether a discard pile was shuffled into a new deck."""
    return bool(after.sum() < before.sum())


def _list_cards(counts: Any) -> str:
    """2 red and 1 grey"""
    return _join(f"{n} {name}" for name, n in zip(codes.COLOUR_NAMES, counts, strict=True) if n) or "no card"


def _list_parts(counts: Any) -> str:
    """part 1 (twice) and the middle"""
    names = [
        name if n == 1 else f"{name} ({n} times)"
        for name, n in zip(codes.PART_NAMES, counts, strict=True)
        if n
    ]
    return _join(names) or "no part"


def _count(n: int, noun: str) -> str:
    return f"{n or 'no'} {noun}{'' if n == 1 else 's'}"


def _join(words: Iterable[str]) -> str:
    """a, b and c"""
    *first, last = [*words] or [""]
    return f"{', '.join(first)} and {last}" if first else last
