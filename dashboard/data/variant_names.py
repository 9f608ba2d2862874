"""The names of variants to choose from: those of the result file, those installed, those of the own file."""

import streamlit as st

from boardgames.game.plugins import read_own_variants
from boardgames.tools import catalogue as listing
from dashboard.data.file import Contents


def list_variant_names(contents: Contents) -> list[str]:
    """Stored variants first, each once."""
    stored = [info.spec for info in contents.variants.values()]
    installed = [variant["name"] for game in _list_installed() for variant in game["variants"]]  # type: ignore[attr-defined]
    return list(dict.fromkeys([*stored, *installed, *read_own_variants()]))


@st.cache_data(show_spinner=False)
def _list_installed() -> list[dict[str, object]]:
    return listing.describe_games(lambda sentence: None)
