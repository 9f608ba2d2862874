"""The fields of a position: who may see them, and what their numbers mean.

The record's type says how many numbers a field has. What they mean is the author's to say, and it can be left
out: without it a game plays as well, but learned players see less in it. `boardgames check` finds
declarations that play disproves.
"""

from typing import NamedTuple


class Field(NamedTuple):
    """A part of the position."""

    visibility: str  # "public", "private" (one row per seat, seen by that seat) or "hidden"
    kind: str
    shape: tuple[int, ...]
    by_seat: bool | None = None  # whether the first dimension of a public field is the seat; None = not told
    first_seat: int | None = None  # its numbers name seats: this one means seat 1, the next one seat 2
    unordered: bool = False  # the order along its last dimension means nothing, as in a hand
    bits: int = 0  # each number is a row of digits of this many bits: 1 for a set; 0 = it is one number

    @property
    def layout(self) -> tuple[str, str, tuple[int, ...]]:
        """What the rules run on; the rest only describes it."""
        return self.visibility, self.kind, self.shape

    @property
    def number_bits(self) -> int:
        """The bits of one number."""
        return 8 * int(self.kind[1:])

    @property
    def digits(self) -> list[tuple[int, int]]:
        """(shift, mask) of each digit of a number; of the whole number, if it has none."""
        if not self.bits:
            return [(0, -1)]
        mask = (1 << self.bits) - 1
        return [(shift, mask) for shift in range(0, self.number_bits - self.bits + 1, self.bits)]


def public(
    kind: str,
    *shape: int,
    by_seat: bool | None = None,
    first_seat: int | None = None,
    unordered: bool = False,
    bits: int = 0,
) -> Field:
    """A field that all seats see. Kinds are NumPy's: "i2" unless there is a reason."""
    return Field("public", kind, shape, by_seat, first_seat, unordered, bits)


def private(
    kind: str, *shape: int, first_seat: int | None = None, unordered: bool = False, bits: int = 0
) -> Field:
    """A field with a row for each seat that only this seat sees, such as a hand. The first dimension is the
    seat.
    """
    return Field("private", kind, shape, True, first_seat, unordered, bits)


def hidden(kind: str, *shape: int) -> Field:
    """A field that no seat sees: a deck, a bag, face-down tiles."""
    return Field("hidden", kind, shape)
