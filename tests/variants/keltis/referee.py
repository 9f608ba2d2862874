"""A second Keltis, written from the rulebook alone: it listens to the words of a match and keeps its own
table.

It shares nothing with the rules but the names of colours and tiles, and is as plain as can be: lists and
dictionaries.
"""

ROW_VALUES = {0: 0, 1: -4, 2: -3, 3: -2, 4: 1, 5: 2, 6: 3, 7: 6, 8: 7, 9: 10}
STONE_VALUES = {0: -4, 1: -3, 2: 2, 3: 3, 4: 6}
COLOURS = ["red", "yellow", "pink", "green", "blue"]


class Player:
    def __init__(self):
        self.columns = {colour: [] for colour in COLOURS}
        self.figures = {}  # colour: [row, size]
        self.marker = 0
        self.stones = 0

    def score(self):
        figures = sum(ROW_VALUES[row] * (2 if size == "large" else 1) for row, size in self.figures.values())
        return self.marker + figures + STONE_VALUES.get(self.stones, 10)


class Referee:
    """Raises AssertionError at whatever the rulebook would not allow."""

    def __init__(self, players, tiles):
        self.players = [Player() for _ in range(players)]
        self.tiles = dict(tiles)  # (colour, row): "1", "2", "3", "clover" or "wishing stone"
        self.piles = {colour: [] for colour in COLOURS}
        self.over = False
        self.owed = 0  # clovers to be used
        self.extra = False  # a substitute step may follow

    def hear(self, seat, words):
        assert not self.over
        player = self.players[seat]
        verb, _, rest = words.partition(" ")
        if verb == "discard":
            colour, value = rest.split()
            self.piles[colour].append(int(value))
        elif verb == "take":
            colour, value = rest.split()
            assert self.piles[colour].pop() == int(value)
        elif verb == "lay":
            self.lay(player, rest)
        elif verb in ("clover:", "instead:"):
            self.step(player, verb, rest)
        else:
            assert words in ("draw a card", "draw the last card")
            self.over = words == "draw the last card"

    def lay(self, player, rest):
        card, _, figure = rest.replace(" and end the match", "").partition(", ")
        colour, value = card.split()
        column = player.columns[colour]
        column.append(int(value))
        assert column in (sorted(column), sorted(column, reverse=True))
        if colour in player.figures and player.figures[colour][0] == 9:
            self.extra = True
        else:
            self.move(player, colour, figure, "end the match" in rest)

    def step(self, player, verb, rest):
        if verb == "clover:":
            assert self.owed == 1
            self.owed = 0
        else:
            assert self.extra
            self.extra = False
        if rest != "nobody moves":
            colour = next(word for word in rest.split() if word in COLOURS)
            self.move(player, colour, rest if "enters" in rest else "", "end the match" in rest)

    def move(self, player, colour, figure, last):
        if figure:
            assert colour not in player.figures
            player.figures[colour] = [0, "large" if "large" in figure else "small"]
            sizes = [size for _, size in player.figures.values()]
            assert sizes.count("large") <= 1
            assert sizes.count("small") <= 4
        player.figures[colour][0] += 1
        row = player.figures[colour][0]
        assert row <= 9
        arrived = sum(row >= 7 for other in self.players for row, _ in other.figures.values())
        self.over = arrived == 5
        assert self.over == last
        if not self.over:
            self.reach(player, colour, row)

    def reach(self, player, colour, row):
        tile = self.tiles.get((colour, row))
        if tile == "clover":
            self.owed = 1
        elif tile == "wishing stone":
            player.stones += 1
            del self.tiles[colour, row]
        elif tile:
            player.marker += int(tile)
