"""The count of all pieces of Celtica."""

from typing import Any


def census(state: Any) -> dict[str, int]:
    """How many there are of each card and each kind of part, wherever they are."""
    druids = state.druid_deck + state.druid_discard + state.hand.sum(axis=0)
    experience = state.experience_deck + state.experience_discard + state.experience.sum(axis=0)
    parts = state.stock + state.given_up + state.display + state.parts.sum(axis=0)
    named = {"druid cards": druids, "experience cards": experience, "amulet parts": parts}
    return {
        f"{name} of kind {kind + 1}": int(n)
        for name, counts in named.items()
        for kind, n in enumerate(counts)
    }
