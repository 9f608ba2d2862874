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


def list_plain_names_first(contents: Contents) -> list[str]:
    """The same, but first what the stored variants are changes of: a search begins with the game as it is."""
    names = list_variant_names(contents)
    stored = [info.spec for info in contents.variants.values()]
    plain = [base for spec in stored if (base := spec.partition("+")[0]) in names]
    return list(dict.fromkeys([*plain, *sorted(stored, key=lambda spec: spec.count("+")), *names]))


@st.cache_data(show_spinner=False)
def _list_installed() -> list[dict[str, object]]:
    return listing.describe_games(lambda sentence: None)
