"""Positions for the tests of Keltis: a match whose table can be set up in the words of the game."""

from typing import Any

from boardgames import Match, make_variant
from variants.keltis import GAME, codes
from variants.keltis.topics import cards, tiles

TILES = {name.replace("_", " "): kind for kind, name in enumerate(codes.TILE_NAMES)}


def path_of(name: str) -> int:
    return codes.PATH_NAMES.index(name)


def card_of(words: str) -> int:
    """The number of "red 3"."""
    name, value = words.split()
    return path_of(name) * codes.VALUES + int(value)


def words_of(card: int) -> str:
    return f"{codes.PATH_NAMES[card // codes.VALUES]} {card % codes.VALUES}"


class Table(Match):
    """A match with an empty table: no tiles, no hands; all figures on the start stone. Seat 0 is to play."""

    def __init__(self, variant_name: str = "", seats: int = 2, **given: Any) -> None:
        super().__init__(make_variant(GAME, variant_name, given), seats)
        self.state.tiles[:] = 0
        self.state.hand[:], self.state.held[:] = 0, 0
        for seat in range(seats):
            self.hold("pink 0", seat=seat)  # so that everybody can play something

    def hold(self, *words: str, seat: int = 0) -> "Table":
        """A hand of just these cards."""
        self.state.hand[seat], self.state.held[seat] = 0, 0
        for card in words:
            cards.hold(self.state, seat, card_of(card))
        return self

    def laid(self, *words: str, seat: int = 0) -> "Table":
        """Cards that lie in columns already, from first to last. The figures stay where they are."""
        for card in words:
            cards.hold(self.state, seat, card_of(card))
            cards.lay_in_column(self.state, seat, card_of(card))
        return self

    def figure(self, path: str, row: int, *, seat: int = 0, large: bool = False) -> "Table":
        """A figure from the start stone goes to a row of a path."""
        self.state.row[seat, path_of(path)] = row
        self.state.in_goal += row >= self.state.rules.goal_row
        if large:
            self.state.large[seat] = path_of(path)
        else:
            self.state.small[seat] -= 1
        return self

    def tile(self, path: str, row: int, name: str) -> "Table":
        tiles.put_tile(self.state, path_of(path), row, TILES[name])
        return self

    def pile(self, *words: str) -> "Table":
        """Cards on the discard piles, from the bottom up."""
        for card in words:
            path, value = divmod(card_of(card), codes.VALUES)
            self.state.pile[path, self.state.height[path]] = value
            self.state.height[path] += 1
        return self

    # ---- what is to be seen

    def can(self, words: str) -> bool:
        return words in self.choices()

    def row(self, path: str, seat: int = 0) -> int:
        return int(self.state.row[seat, path_of(path)])

    def tile_on(self, path: str, row: int) -> str:
        return list(TILES)[tiles.tile_on(self.state.tiles[path_of(path)], row)]

    def hand(self, seat: int = 0) -> list[str]:
        return [words_of(int(card)) for card in self.state.hand[seat, : self.state.held[seat]]]

    def tally(self, name: str, seat: int = 0) -> int:
        return int(self.state.tally[seat, GAME.tallies.index(name)])


def goal_with(figures: int, table: Table) -> Table:
    """So many figures of seat 1 in the goal area, each on an end stone."""
    for name in codes.PATH_NAMES[:figures]:
        table.figure(name, codes.END_STONE, seat=1)
    return table


def stones(state: Any) -> dict[tuple[int, int], int]:
    """The tiles on the board: {(path, row): kind}."""
    tiles_by_space = {
        (path, row): tiles.tile_on(state.tiles[path], row)
        for path in range(codes.PATHS)
        for row in range(1, codes.ROWS + 1)
    }
    return {space: tile for space, tile in tiles_by_space.items() if tile != codes.NO_TILE}
