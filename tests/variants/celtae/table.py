"""Positions for the tests of Celtae: a match whose table can be set up in the words of the game."""

from typing import Any

from boardgames import Match, begin_turn, make_variant
from variants.celtae import GAME, codes
from variants.celtae.topics.counts import count

LETTERS = "FBSND"
SITE_NAMES = ("northern army", "southern army", "northern druid", "southern druid")
STATION_OF = {"north": "northwest", "south": "southwest"}


def card_of(words: str) -> int:
    """The number of "teal fort"."""
    colour, icon = words.split()
    return codes.COLOUR_NAMES.index(colour) * codes.ICONS + codes.ICON_NAMES.index(icon)


def words_of(card: int) -> str:
    return f"{codes.COLOUR_NAMES[card // codes.ICONS]} {codes.ICON_NAMES[card % codes.ICONS]}"


def cards_of(*words: str) -> int:
    return sum(1 << (codes.BITS * card_of(word)) for word in words)


def workers_of(letters: str) -> int:
    """Counts of "FFB", say."""
    return sum(1 << (codes.BITS * LETTERS.index(letter)) for letter in letters)


def letters_of(workers: Any) -> str:
    return "".join(letter * count(workers, kind) for kind, letter in enumerate(LETTERS))


def citadel_of(words: str) -> int:
    """The number of "north teal"."""
    region, colour = words.split()
    return codes.REGION_NAMES.index(region) * codes.COLOURS + codes.COLOUR_NAMES.index(colour)


class Table(Match):
    """A match after the draft, without leaders, cards in hand, strength or tokens; seat 0 is to move the
    marker.
    """

    def __init__(self, variant_name: str = "", seats: int = 2, **given: Any) -> None:
        super().__init__(make_variant(GAME, variant_name, given), seats)
        self.state.hand[:], self.state.tokens[:] = 0, 0
        self.state.phase = codes.MOVING
        begin_turn(self.state, 0)

    def hold(self, *words: str, seat: int = 0) -> "Table":
        """A hand of just these cards, "3 teal fort" for three of them, unknown to the others."""
        self.state.hand[seat], self.state.known[seat] = 0, 0
        for word in words:
            count, _, name = word.partition(" ") if word[0].isdigit() else ("1", "", word)
            self.state.hand[seat] += int(count) * cards_of(name)
        return self

    def workers(self, active: str = "FBS", tribe: str = "", *, seat: int = 0) -> "Table":
        self.state.active[seat], self.state.tribe[seat] = workers_of(active), workers_of(tribe)
        return self

    def area(self, name: str, workers: str) -> "Table":
        """The three workers of an area, or of the centre."""
        self.state.ring[(*codes.AREA_NAMES, "centre").index(name)] = workers_of(workers)
        return self

    def has(self, *, seat: int = 0, **values: int) -> "Table":
        """Strength, tokens, cubes, bonus_tiles of a seat."""
        for name, value in values.items():
            self.state[name][seat] = value
        return self

    def market(self, region: str, *words: str) -> "Table":
        self.state.market[codes.REGION_NAMES.index(region)] = [card_of(word) for word in words] + [
            codes.NONE
        ] * (6 - len(words))
        return self

    def citadel(self, name: str, *, room: int = 3, bonus: int = 0, **disks: int) -> "Table":
        """A citadel with its tile, its free spaces, and disks of seats: seat0=2."""
        which = citadel_of(name)
        self.state.room[which], self.state.bonus[which] = room, bonus
        for seat, disk_count in disks.items():
            seat_index = int(seat[-1])
            self.state.disks[seat_index] += (disk_count - count(self.state.disks[seat_index], which)) << (
                codes.BITS * which
            )
        return self

    def site(self, name: str, tile: int, left: int = 3) -> "Table":
        """The uppermost tile of "northern army", and how many there are with it."""
        self.state.top[SITE_NAMES.index(name)], self.state.stack[SITE_NAMES.index(name)] = tile, left
        return self

    def tiles(
        self, armies: tuple[int, int] = (0, 0), druids: tuple[int, int] = (0, 0), *, seat: int = 0
    ) -> "Table":
        self.state.tiles[seat] = (armies, druids)
        return self

    def lead(self, name: str, side: str = "A", *, seat: int = 0) -> "Table":
        self.state.leader[seat], self.state.side[seat] = codes.LEADER_NAMES.index(name), "AB".index(side)
        return self

    def progress(self, counts: str, at_least: int, markers: int, slot: int = 5) -> "Table":
        """A progress card of one's own in a slot, and the markers on it."""
        self.state.markers[:] = 0
        self.state.card[slot], self.state.markers[slot] = 25, markers
        self.state.rules.progress_cards[25] = codes.MEASURES.index(counts) * codes.NEED_BITS + at_least
        return self

    def at(self, station: str) -> "Table":
        """The marker has come to this station; the area is to be chosen."""
        self.state.station, self.state.phase = codes.STATION_NAMES.index(station), codes.CHOOSING_AREA
        return self

    def act(self, area: str, station: str = "", *, swap: str = "") -> "Table":
        """Choose an area next to the marker's station, without refreshing; swap "F for N" or not at all."""
        beside = {"north": "northwest", "south": "southwest", "east": "southeast", "west": "southwest"}
        self.at(station or beside[area]).push(f"use the {area} area")
        if self.can("refresh nothing"):
            self.push("refresh nothing")
        if self.can("swap nobody"):
            self.push(swap or "swap nobody")
        return self

    # ---- what is to be seen

    def choices(self) -> dict[str, int]:
        """The legal actions by their words, without the notes in brackets."""
        return {words.partition(" (")[0]: action for words, action in super().choices().items()}

    def can(self, words: str) -> bool:
        return words in self.choices()

    def plays(self, *words: str) -> "Table":
        for word in words:
            self.push(word)
        return self

    def hand(self, seat: int = 0) -> list[str]:
        return [
            words_of(card) for card in range(codes.CARDS) for _ in range(count(self.state.hand[seat], card))
        ]

    def tribe(self, seat: int = 0) -> str:
        return letters_of(self.state.tribe[seat])

    def active(self, seat: int = 0) -> str:
        return letters_of(self.state.active[seat])

    def strength(self, seat: int = 0) -> int:
        return int(self.state.strength[seat])

    def tally(self, name: str, seat: int = 0) -> int:
        return int(self.state.tally[seat, GAME.tallies.index(name)])
