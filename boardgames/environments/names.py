"""What environments share: their names, and the size of a seed that is drawn."""

import re

from boardgames.game.variant import Variant

SEED_BITS = 61


def name_environment(variant: Variant) -> str:
    """`celtica:en` -> `celtica_en_v0`"""
    return re.sub(r"[^a-z0-9]+", "_", variant.name.lower()).strip("_") + "_v0"
