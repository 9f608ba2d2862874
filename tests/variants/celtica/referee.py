"""A second Celtica, written from the rulebooks alone: it listens to the words of a match and keeps its own
table.

It shares nothing with the rules but the names of colours and parts. What chance brings - cards dealt and
drawn, parts turned up - it is shown; how much of it there has to be, and when, it works out itself. Hands and
parts are Counters, as plain as can be.
"""

import re
from collections import Counter
from itertools import zip_longest
from typing import NamedTuple

COLOURS = ["red", "grey", "white", "brown", "black"]
PARTS = [*(f"part {number}" for number in range(1, 9)), "the middle"]
SITES = ("village", "cloister", "castle")


class Shown(NamedTuple):
    """What lies in hands and in the display after an action."""

    hands: list  # a Counter of colours for each seat
    experience: list  # likewise
    display: Counter


class Pile:
    """Cards or parts face down, and those beside it that are shuffled when it is used up."""

    def __init__(self, names, copies):
        self.down = Counter(dict.fromkeys(names, copies))
        self.beside = Counter()

    @property
    def size(self):
        return self.down.total() + self.beside.total()

    def give(self, drawn):
        """All of this comes from the pile; if that is too little, it is emptied and made anew."""
        if drawn.total() <= self.down.total():
            assert drawn <= self.down, f"{drawn} is not in a pile of {self.down}"
            self.down -= drawn
            return
        assert self.down <= drawn, f"{self.down} was not drawn before the others were shuffled"
        rest = drawn - self.down
        assert rest <= self.beside, f"{rest} is not among {self.beside}"
        self.down, self.beside = self.beside - rest, Counter()


class Player:
    def __init__(self):
        self.hand = Counter()
        self.experience = Counter()
        self.parts = Counter()
        self.duty = None  # the colour that has to be played next

    def amulets(self):
        """How many parts each amulet has, the largest first."""
        most = max(self.parts.values(), default=0)
        return [sum(self.parts[part] > earlier for part in PARTS) for earlier in range(most)]


class Referee:
    """Raises AssertionError at whatever the rulebooks would not allow."""

    def __init__(self, path, shown, starting_parts, english=False):
        self.path = path  # (kind, number printed there) of each place, from the start on
        self.english = english
        self.players = [Player() for _ in starting_parts]
        self.at = dict.fromkeys(COLOURS, 0)
        self.druid_cards, self.experience_cards = Pile(COLOURS, 12), Pile(COLOURS, 4)
        self.stock, self.display = Pile(PARTS, 10), Counter()
        self.turn_of = 0
        self.owed = 0  # parts to take or to give up
        self.may_draw = False
        self.wanted = None  # the part that a swap is for
        self.asks = []  # seats that have not had their exchange
        self.ending = self.over = ""
        self.fill_display(shown)
        for player, parts in zip(self.players, starting_parts, strict=True):
            assert parts.total() == 2
            self.stock.give(parts)
            player.parts += parts
        self.deal(shown)
        self.compare(shown)

    # ---- listening

    def hear(self, seat, words, shown):
        """An action, and what can be seen after it."""
        assert not self.over, "the match is over"
        assert seat == self.turn_of, f"seat {seat + 1} acts, but it is seat {self.turn_of + 1}'s turn"
        if self.ending:
            self.exchange(words, shown)
        elif words.startswith("play "):
            self.play(words, shown)
        elif words.startswith("take "):
            self.take(words.removeprefix("take "), shown)
        elif words.startswith("give up "):
            self.give_up(words.removeprefix("give up "), shown)
        else:
            self.answer_cult(words, shown)
        self.compare(shown)

    def compare(self, shown):
        """Hands, experience cards and display are what they have to be."""
        assert [player.hand for player in self.players] == shown.hands
        assert [player.experience for player in self.players] == shown.experience
        assert self.display == shown.display

    # ---- playing cards

    def play(self, words, shown):
        assert not self.owed
        assert not self.may_draw
        colour, druids, experience = self.read_cards(words)
        player = self.players[self.turn_of]
        assert druids + experience >= 1
        assert player.hand.total() >= 1, "experience cards need a druid card in hand"
        if player.duty:
            assert (colour, druids > 0) == (player.duty, True), "the card from the cult site is due"
            player.duty = None
        self.discard(player.hand, self.druid_cards, colour, druids)
        self.discard(player.experience, self.experience_cards, colour, experience)
        goal = len(self.path) - 1
        if self.at[colour] == goal:
            assert "without effect" in words
            self.end_turn(shown)
            return
        self.at[colour] = min(goal, self.at[colour] + druids + experience)
        self.check_landing(words, colour)
        self.arrive(*self.path[self.at[colour]], shown)

    def read_cards(self, words):
        """Colour, druid cards and experience cards of: play 2 red and 1 red experience, move ..."""
        cards = re.findall(r"(\d+) (\w+)( experience)?(?= and |, | without)", words)
        (colour,) = {colour for _, colour, _ in cards}
        numbers = [
            sum(int(n) for n, _, kind in cards if bool(kind) == is_experience) for is_experience in (0, 1)
        ]
        return colour, *numbers

    def discard(self, cards, pile, colour, number):
        assert cards[colour] >= number, f"{number} {colour} played, but there are only {cards[colour]}"
        cards[colour] -= number
        pile.beside[colour] += number

    def check_landing(self, words, colour):
        kind, _ = self.path[self.at[colour]]
        where = "the goal" if kind == "goal" else f"the {kind} on place {self.at[colour] + 1}"
        assert words.endswith(f", move the {colour} druid to {where}"), f"it is {where}"

    def arrive(self, kind, number, shown):
        player = self.players[self.turn_of]
        if kind in SITES or (kind == "goal" and not self.english):
            self.owed = min(number, self.display.total())
        elif kind == "ruin":
            self.owed = min(number, player.parts.total())
            if not self.owed:
                self.learn(shown)
        elif kind == "cult site":
            self.may_draw = self.druid_cards.size > 0
        if not self.owed and not self.may_draw:
            self.end_turn(shown)

    # ---- what places ask for

    def take(self, part, shown):
        assert self.owed
        assert self.display[part], f"{part} is not displayed"
        self.display[part] -= 1
        self.players[self.turn_of].parts[part] += 1
        self.owed -= 1
        if not self.owed:
            self.end_turn(shown)

    def give_up(self, part, shown):
        player = self.players[self.turn_of]
        assert self.owed
        assert player.parts[part], f"there is no {part} to give up"
        player.parts[part] -= 1
        self.stock.beside[part] += 1
        self.owed -= 1
        if not self.owed:
            self.learn(shown)
            self.end_turn(shown)

    def learn(self, shown):
        """One experience card, if any is left."""
        player = self.players[self.turn_of]
        gained = shown.experience[self.turn_of] - player.experience
        assert gained.total() == min(1, self.experience_cards.size)
        self.experience_cards.give(gained)
        player.experience += gained

    def answer_cult(self, words, shown):
        assert self.may_draw
        self.may_draw = False
        if words == "draw a druid card":
            player = self.players[self.turn_of]
            gained = shown.hands[self.turn_of] - player.hand
            assert gained.total() == 1
            self.druid_cards.give(gained)
            player.hand += gained
            player.duty = next(iter(gained)) if self.english else None
        else:
            assert words == "draw no card"
        self.end_turn(shown)

    # ---- the ends of turns, rounds and the match

    def end_turn(self, shown):
        self.fill_display(shown)
        players = len(self.players)
        following = [(self.turn_of + step) % players for step in range(1, players + 1)]
        with_cards = [seat for seat in following if self.players[seat].hand.total()]
        home = sum(place == len(self.path) - 1 for place in self.at.values())
        if not self.display.total():
            self.finish("no parts", following, shown)
        elif home == len(COLOURS):
            self.finish("all druids", following, shown)
        elif with_cards:
            self.turn_of = with_cards[0]
        elif home:
            self.finish("last round", following, shown)
        else:
            self.turn_of = following[0]
            self.deal(shown)

    def fill_display(self, shown):
        """Up to nine, as far as there are parts; the new ones are those that nobody had seen there."""
        opened = shown.display - self.display
        assert opened.total() == min(9 - self.display.total(), self.stock.size)
        self.stock.give(opened)
        self.display += opened

    def deal(self, shown):
        for hand in shown.hands:
            assert hand.total() == 5
        self.druid_cards.give(sum(shown.hands, Counter()))
        for player, hand in zip(self.players, shown.hands, strict=True):
            player.hand = Counter(hand)

    def finish(self, reason, following, shown):
        """Druid cards are laid aside; then everybody may exchange, from the left neighbour on."""
        self.ending = reason
        for player in self.players:
            self.druid_cards.beside += player.hand
            player.hand, player.duty = Counter(), None
        self.asks = following
        self.ask_next()

    def ask_next(self):
        while self.asks:
            self.turn_of = self.asks.pop(0)
            if self.can_exchange():
                return
        self.over = self.ending

    def can_exchange(self):
        player = self.players[self.turn_of]
        cards = player.experience.total()
        swaps = any(own != other for own in +player.parts for other in +self.display)
        return (cards >= 2 and self.display.total() > 0) or (cards >= 1 and swaps)

    def exchange(self, words, shown):
        player = self.players[self.turn_of]
        verb, part = re.fullmatch(
            r"(swap for|give|buy|exchange no more) ?(part \d|the middle)?(?: in return)?", words
        ).groups()
        if verb in ("swap for", "buy"):
            self.pay(1 if verb == "swap for" else 2, shown)
            assert self.wanted is None
            assert self.display[part]
            self.display[part] -= 1
            player.parts[part] += 1
            self.wanted = part if verb == "swap for" else None
        elif verb == "give":
            assert part != self.wanted is not None
            assert player.parts[part]
            player.parts[part] -= 1
            self.display[part] += 1
            self.wanted = None
        if self.wanted is None and (verb == "exchange no more" or not self.can_exchange()):
            self.fill_display(shown)
            self.ask_next()

    def pay(self, price, shown):
        """Any experience cards will do."""
        player = self.players[self.turn_of]
        paid = player.experience - shown.experience[self.turn_of]
        assert paid.total() == price
        player.experience -= paid

    # ---- who wins

    def scores(self):
        return [player.amulets().count(len(PARTS)) for player in self.players]

    def winners(self):
        """Most amulets, then the largest incomplete one, then the second largest, and so on."""
        sizes = list(
            zip(*zip_longest(*(player.amulets() for player in self.players), fillvalue=0), strict=True)
        )
        return tuple(seat for seat, amulets in enumerate(sizes) if amulets == max(sizes))
