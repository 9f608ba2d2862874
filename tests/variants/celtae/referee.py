"""A second Celtae, written from the rulebook alone: it listens to the words of a match and counts the points
by itself.

It shares nothing with the rules but the words that are spoken, and is as plain as can be: lists, sets and
dictionaries.
"""

import re

WORKERS = ("farmer", "builder", "soldier", "noble", "druid")
REGIONS, COLOURS = ("northern", "southern"), ("magenta", "purple", "teal", "orange")
LEADERS = {  # what each wants on side A and on side B
    "Ambiorix": lambda p, b: p.armies.count(2) >= (3 if b else 1),
    "Avarus": lambda p, b: sum(p.garrisons.values()) >= (4 if b else 2),
    "Boudica": lambda p, b: len(p.disks) >= (7 if b else 3),
    "Diviciacus": lambda p, b: min(p.druids.count(1), p.druids.count(2)) >= (2 if b else 1),
    "Caratacus": lambda p, b: len(p.plain()) >= (6 if b else 3),
    "Cartimandua": lambda p, b: p.bonus_tiles >= (3 if b else 1),
    "Vercingetorix": lambda p, b: min(p.in_region("northern"), p.in_region("southern")) >= (3 if b else 1),
    "Viriato": lambda p, b: min(p.armies.count(1), p.armies.count(2)) >= (2 if b else 1),
}


class Player:
    def __init__(self, tokens):
        self.active, self.tribe = ["farmer", "builder", "soldier"], []
        self.disks, self.armies, self.druids = [], [], []  # disks: (region, colour); tiles by their points
        self.garrisons = {"north": 0, "south": 0}
        self.strength, self.cards, self.tokens, self.bonus_tiles = 0, 5, tokens, 0
        self.leader, self.flipped = "", False

    def plain(self):
        return [worker for worker in self.tribe if worker != "druid"]

    def in_region(self, region):
        return sum(where == region for where, _ in self.disks)

    def at_work(self, kind):
        return sum(worker in (kind, "druid") for worker in self.active + self.tribe)

    def gain(self, strength):
        self.strength = min(12, self.strength + strength)

    def counted(self, kind):
        """What a progress card counts, as its text has it."""
        first, _, last = kind.partition(" in ")
        if first == "disks" and last:
            return sum(
                colour == last or last.removeprefix("the ") + "ern" == region for region, colour in self.disks
            )
        if first == "garrisons" and last:
            return self.garrisons[last.removeprefix("the ")]
        if last == "the tribe" and first != "kinds":
            return self.tribe.count(first.removesuffix("s"))
        return {
            "army tiles": len(self.armies),
            "druid tiles": len(self.druids),
            "strength": self.strength,
            "cards in hand": self.cards,
            "bonus tiles": self.bonus_tiles,
            "non-druid workers": len(self.plain()),
            "disks": len(self.disks),
            "colours with a disk": len({colour for _, colour in self.disks}),
            "kinds in the tribe": len(set(self.plain())),
            "two-point armies": self.armies.count(2),
            "two-point druids": self.druids.count(2),
            "garrisons": sum(self.garrisons.values()),
        }[kind]


class Referee:
    """Hears who says what; knows the bonus tile and the free spaces of each citadel from the set-up."""

    def __init__(self, seats, bonus, room):
        self.two_spots = {2: 3, 3: 4, 4: 5}[seats]  # the cards with two spots are numbered first
        self.players = [Player(tokens=1) for _ in range(seats)]
        self.bonus, self.room = dict(bonus), dict(room)  # (region, colour): ...
        self.cards = {}  # progress card: [needed, what, markers]
        self.site, self.price, self.rate, self.strength_cards = None, 0, 0, False

    def hear(self, seat, words):
        words = words.partition(" (")[0]  # notes are for those who choose
        for pattern, heard in HEARD:
            match = re.fullmatch(pattern, words)
            if match:
                heard(self, self.players[seat], *match.groups())
                return
        raise AssertionError(f"nobody may say '{words}'")

    def move(self, player, steps):
        player.gain(1 if steps == "1" else 0)
        player.strength -= 3 if steps == "3" else 0
        assert player.strength >= 0

    def draft(self, player, leader):
        player.leader = leader

    def side(self, player, side):
        player.flipped = side == "B"

    def mark(self, player, card, needed, kind):
        entry = self.cards.setdefault(card, [int(needed), kind, 0])
        entry[2] += 1
        assert entry[2] <= (2 if int(card) <= self.two_spots else 3)

    def spend_token(self, player, use):
        player.tokens -= 1
        assert player.tokens >= 0
        if use == "as a soldier":
            self.rate += 1
        if use == "as a builder":
            self.price -= 1

    def refresh(self, player):
        player.strength -= 1

    def swap(self, player, given, taken):
        player.active.remove(given)
        player.active.append(taken)

    def farm(self, player):
        player.cards += 1  # the free one

    def take_card(self, player):
        player.cards += 1

    def build(self, player, region, colour):
        costs = [2, 2, 3, 3, 4, 4, 5, 5, 6]
        self.price, self.site = max(1, costs[len(player.disks)] - player.at_work("builder")), (region, colour)

    def discard(self, player):
        player.cards -= 1
        assert player.cards >= 0
        if self.strength_cards:
            player.gain(min(4, self.rate))
        elif self.site:
            self.price -= 1
            if self.price == 0:
                self.place_disk(player)

    def place_disk(self, player):
        player.disks.append(self.site)
        self.room[self.site] -= 1
        assert self.room[self.site] >= 0
        player.bonus_tiles += self.room[self.site] == 0
        player.tokens += self.bonus[self.site] == "token"
        player.gain(3 if self.bonus[self.site] == "strength" else 0)
        self.site = None

    def arm(self, player):
        self.rate, self.strength_cards = player.at_work("soldier"), True

    def defeat(self, player, strength):
        self.strength_cards = False
        player.strength -= int(strength)
        assert player.strength >= 0
        player.armies.append(1 if int(strength) <= 7 else 2)

    def garrison(self, player, region):
        player.garrisons[region] += 1

    def recruit(self, player, worker):
        player.active.remove(worker)
        player.tribe.append(worker)

    def take_worker(self, player, worker):
        player.active.append(worker)
        assert len(player.active) <= 3

    def train(self, player, workers):
        named = re.findall("|".join(WORKERS), workers)
        for worker in named:
            player.tribe.remove(worker)
        player.tribe.append("druid")
        player.druids.append(len(named) - 1)

    def dismiss(self, player, worker):
        player.tribe.remove(worker)

    def turn_begins(self):
        self.strength_cards, self.site = False, None

    def nothing(self, player, *rest):
        """Somebody decided not to."""

    # ---- the end

    def score(self, seat):
        player = self.players[seat]
        disks = sum(self.room[where] == 0 for where in player.disks)
        tiles = sum(player.armies) + sum(player.druids) + player.bonus_tiles
        garrisons = sum(
            mine
            for region, mine in player.garrisons.items()
            if mine >= max(p.garrisons[region] for p in self.players)
        )
        tribe = {4: 1, 5: 1, 6: 2, 7: 2, 8: 3}.get(len(player.tribe), 0)
        holes = sum(len(player.disks) >= hole for hole in (5, 7, 9))
        board = tribe + holes + (sum(player.garrisons.values()) == 4)
        leftovers = (player.strength + player.cards) // 5
        progress = sum(
            markers for needed, kind, markers in self.cards.values() if player.counted(kind) >= needed
        )
        leader = (3 if player.flipped else 1) * LEADERS[player.leader](player, player.flipped)
        return disks + tiles + garrisons + board + leftovers + progress + leader

    def rank(self, seat):
        """Points, then the two tie-breaks."""
        player = self.players[seat]
        return (
            self.score(seat),
            len(player.disks) + len(player.tribe),
            len(player.armies) + len(player.druids),
        )


HEARD = [
    (r"move (\d) to the .*", Referee.move),
    (r"draft (\w+)", Referee.draft),
    (r"leader on side ([AB])", Referee.side),
    (r"place a marker on card (\d), at least (\d+) (.*)", Referee.mark),
    (r"spend a token (as a \w+|on the \w+ area)", Referee.spend_token),
    (r"refresh the workers", Referee.refresh),
    (r"swap a (\w+) for a (\w+)", Referee.swap),
    (r"farm in the \w+", Referee.farm),
    (r"take (?:\w+) (?:fort|trap|weapon) from space \d", Referee.take_card),
    (r"build in the (\w+) (\w+) citadel", Referee.build),
    (r"discard \w+ (?:fort|trap|weapon)", Referee.discard),
    (r"gain strength by \w+", Referee.arm),
    (r"defeat the \w+ army of (\d+)", Referee.defeat),
    (r"garrison in the (\w+): .*", Referee.garrison),
    (r"recruit a (\w+)", Referee.recruit),
    (r"take a (\w+) from the centre", Referee.take_worker),
    (r"train a \w+ druid for (.*)", Referee.train),
    (r"dismiss a (\w+)", Referee.dismiss),
    (
        r"use the \w+ area|build in the (?:north|south)|(?:.* )?(?:no|nothing|nobody|alone)(?: .*)?",
        Referee.nothing,
    ),
]
