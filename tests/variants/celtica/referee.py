"""A second Celtica, written from the German rulebook alone: it listens to the words of a match, and to what
they are said to have caused, and keeps its own table.

It shares nothing with the rules but the names of colours and parts, and is as plain as can be: lists and
counters. So it also proves that a transcript is enough to follow a match.
"""

import re
from collections import Counter

COLOURS = ["red", "grey", "white", "brown", "black"]
PARTS = [*(f"part {n}" for n in range(1, 9)), "the middle"]
PLACE = re.compile(r"\d+ (start|village|cloister|castle|cult site|ruin|goal)(?: (?:with|that costs) (\d+))?")


def read_parts(text):
    """part 1 (2 times) and the middle -> a counter"""
    found = re.findall(r"(part \d|the middle)(?: \((\d+) times\))?", text)
    return Counter({name: int(n or 1) for name, n in found})


def read_cards(text):
    """2 red and 1 grey -> a counter"""
    return Counter({colour: int(n) for n, colour in re.findall(rf"(\d+) ({'|'.join(COLOURS)})", text)})


class Player:
    def __init__(self, line):
        parts, _, cards = line.partition("holds")
        self.parts = read_parts(parts)
        self.cards = read_cards(cards)
        self.experience = Counter()

    def lay_out(self):
        """The sizes of the amulets, part by part laid where one of its kind is missing; the largest first."""
        amulets = []
        for part in self.parts.elements():
            amulet = next((amulet for amulet in amulets if part not in amulet), None)
            if amulet is None:
                amulets.append({part})
            else:
                amulet.add(part)
        return sorted(map(len, amulets), reverse=True)


class Referee:
    """Raises AssertionError at whatever the rulebook would not allow."""

    def __init__(self, setup):
        path, _, display, _, *seats, _ = setup
        self.path = [(kind, int(n or 0)) for kind, n in PLACE.findall(path)]
        self.druids = dict.fromkeys(COLOURS, 0)
        self.display = read_parts(display)
        self.players = [Player(line) for line in seats]
        self.given_up = Counter()
        self.turn = 0
        self.owed = 0  # parts to take or to give up
        self.asked = ""  # what has to be answered next: "cult", "return", "exchange"
        self.exchanges = None  # seats still to exchange, after the end
        self.dealt = False  # a new round has just been dealt
        self.over = False

    def hear(self, seat, words, effects):
        assert not self.over
        assert seat == self.turn
        player = self.players[seat]
        verb = words.split(maxsplit=1)[0]
        assert (self.exchanges is not None) == (verb in ("swap", "buy", "exchange", "give") and not self.owed)
        is_done = getattr(self, verb)(player, words, effects)
        for effect in effects:
            self.note(player, effect)
        if self.exchanges is not None:
            if is_done:
                self.next_exchange()
        elif is_done:
            self.end_turn()

    # ---- what is said

    def play(self, player, words, effects):
        assert not self.owed
        assert not self.asked
        assert player.cards.total() > 0
        said = words.replace(" without", ",").partition(",")[0]
        experience = read_cards(said.split(" and ")[-1] if "experience" in said else "")
        druids = read_cards(said.split(" and ")[0]) if " and " in said or not experience else Counter()
        assert len(druids | experience) == 1
        assert druids <= player.cards
        assert experience <= player.experience
        player.cards -= druids
        player.experience -= experience
        (colour,) = druids | experience
        return self.move(player, colour, druids.total() + experience.total())

    def move(self, player, colour, steps):
        goal = len(self.path) - 1
        if self.druids[colour] == goal:
            return True
        self.druids[colour] = min(goal, self.druids[colour] + steps)
        kind, printed = self.path[self.druids[colour]]
        if kind == "cult site":
            self.asked = "cult"
            return False
        self.owed = min(printed, player.parts.total() if kind == "ruin" else self.display.total())
        return self.owed == 0

    def draw(self, player, words, effects):
        assert self.asked == "cult"
        self.asked = ""
        drawn = [effect for effect in effects if "draws" in effect]
        assert len(drawn) == (words == "draw a druid card")
        return True

    def take(self, player, words, effects):
        part = words.removeprefix("take ")
        self.move_part(part, self.display, player.parts)
        self.owed -= 1
        return self.owed == 0

    def give(self, player, words, effects):
        part = words.removeprefix("give ").removeprefix("up ").removesuffix(" in return")
        if self.exchanges is not None:
            assert self.asked == "return"
            self.asked = ""
            self.move_part(part, player.parts, self.display)
            return not self.can_exchange(player)
        self.move_part(part, player.parts, self.given_up)
        self.owed -= 1
        if self.owed == 0:
            assert any("experience card" in effect for effect in effects)
        return self.owed == 0

    def swap(self, player, words, effects):
        self.pay(player, 1, effects)
        self.move_part(words.removeprefix("swap for "), self.display, player.parts)
        self.asked = "return"
        return False

    def buy(self, player, words, effects):
        self.move_part(words.removeprefix("buy "), self.display, player.parts)
        self.pay(player, 2, effects)
        return not self.can_exchange(player)

    def pay(self, player, price, effects):
        paid = read_cards(next(effect for effect in effects if "pays" in effect))
        assert paid.total() == price
        assert paid <= player.experience
        player.experience -= paid

    def exchange(self, player, words, effects):
        return True

    def move_part(self, part, start, end):
        assert start[part] > 0
        start[part] -= 1
        end[part] += 1

    # ---- what it caused

    def note(self, player, effect):
        if effect.startswith("The round is over"):
            assert not any(other.cards for other in self.players)
            self.dealt = True
        elif effect.startswith("The display is refilled"):
            self.display += read_parts(effect)
        elif "are shuffled for a new stock" in effect:
            self.given_up.clear()
        elif " gets " in effect and "experience" in effect:
            player.experience += read_cards(effect)
        elif " gets " in effect:
            self.players[int(effect.split()[1]) - 1].cards += read_cards(effect)
        elif " draws " in effect:
            player.cards += read_cards(effect)

    def end_turn(self):
        """The ends are looked for when the action is finished, the display refilled, and cards are dealt."""
        seats = len(self.players)
        held = sum(player.parts.total() for player in self.players)
        assert self.display.total() == min(9, 90 - held)
        home = sum(place == len(self.path) - 1 for place in self.druids.values())
        left = [(self.turn + n) % seats for n in range(1, seats + 1)]
        with_cards = [seat for seat in left if self.players[seat].cards]
        if home == 5 or self.display.total() == 0 or (home and not with_cards):
            self.exchanges = left
            self.next_exchange()
        elif self.dealt:
            assert all(player.cards.total() == 5 for player in self.players)
            self.turn = left[0]
            self.dealt = False
        else:
            self.turn = with_cards[0]

    # ---- the exchange

    def can_exchange(self, player):
        cards = player.experience.total()
        swaps = any(set(+player.parts) - {part} for part in +self.display)
        return (cards >= 2 and self.display.total() > 0) or (cards >= 1 and swaps)

    def next_exchange(self):
        while self.exchanges:
            self.turn = self.exchanges.pop(0)
            if self.can_exchange(self.players[self.turn]):
                return
        self.over = True

    def rank(self):
        amulets = [player.lay_out() for player in self.players]
        standings = [(sizes.count(9), [size for size in sizes if size < 9]) for sizes in amulets]
        return [1 + sum(other > mine for other in standings) for mine in standings]
