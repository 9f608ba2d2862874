"""Positions that refuse fractions: NumPy and the compiler would silently cut a fraction off. `check` plays on
such positions.
"""

from typing import Any

import numpy as np

from boardgames.game.game import Game


class NotWhole(TypeError):
    """A fraction was written into a field of whole numbers."""


def refuse_fractions(game: Game, states: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same positions, in the same memory; writing a fraction into them is an error."""
    return states.view(np.dtype((WholeRecord, game.state)))


def refuse_fractions_in(name: str, numbers: np.ndarray[Any, Any]) -> "WholeNumbers":
    """The same numbers, in the same memory, under a name; writing a fraction into them is an error."""
    whole = numbers.view(WholeNumbers)
    whole.field = name
    return whole


class WholeRecord(np.record):  # type: ignore[misc]  # marked final for type checkers, but it can be the type of a dtype
    """A record whose fields refuse fractions."""

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        return refuse_fractions_in(name, value) if type(value) is np.ndarray else value

    def __setattr__(self, name: str, value: Any) -> None:
        _refuse_fraction(name, value)
        super().__setattr__(name, value)


# NumPy's functions that write into their first argument: which one is the value, by place and by name.
WRITERS = {
    np.copyto: (1, "src"),
    np.place: (2, "vals"),
    np.putmask: (2, "values"),
    np.fill_diagonal: (1, "val"),
}


class WholeNumbers(np.ndarray[Any, Any]):
    """A field with several numbers, or a part of it."""

    field = ""

    def __array_finalize__(self, parent: Any) -> None:
        self.field = getattr(parent, "field", "")

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """What is computed from a field is no field."""
        return array[()] if return_scalar else np.asarray(array)

    def __setitem__(self, index: Any, value: Any) -> None:
        _refuse_fraction(self.field, value)
        super().__setitem__(index, value)

    def fill(self, value: Any) -> None:
        _refuse_fraction(self.field, value)
        super().fill(value)

    def put(self, indices: Any, values: Any, mode: Any = "raise") -> None:  # np.put calls it, too
        _refuse_fraction(self.field, values)
        super().put(indices, values, mode)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function in WRITERS and args and isinstance(args[0], WholeNumbers):
            place, name = WRITERS[function]
            _refuse_fraction(args[0].field, args[place] if place < len(args) else kwargs.get(name, 0))
        return super().__array_function__(function, types, args, kwargs)


def _refuse_fraction(field: str, value: Any) -> None:
    if isinstance(value, (int, np.integer)):
        return
    if np.asarray(value).dtype.kind == "f":
        raise NotWhole(
            f"{value} is written into {field}, a field of whole numbers; divide with // or round it first"
        )
