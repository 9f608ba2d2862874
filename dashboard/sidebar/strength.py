"""Which agents are stronger, as far as their names say it."""

from boardgames.given_values import read_digits

KINDS = ("human", "random", "style", "greedy", "learned", "mcts")  # from weak to strong


def rank_agent(name: str) -> tuple[int, bool, int]:
    """A key that sorts agents from weak to strong: by kind, then those that do without an option, then by
    the number of playouts. A game's own styles come before greedy, from which they are made.
    """
    base, *options = name.split("+")
    kind, _, number = base.partition(":")
    is_restricted = any(option.startswith(("force=", "forbid=")) for option in options)
    return KINDS.index(kind if kind in KINDS else "style"), not is_restricted, read_digits(number) or 0
