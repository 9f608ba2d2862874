"""The sidebar: the widgets that choose what all pages show. The address has the choice; the widgets show it,
and write it there.
"""

from contextlib import suppress
from pathlib import Path

import streamlit as st

from boardgames.errors import BoardgamesError
from boardgames.store.opening.access import allow_only_reading
from dashboard.browser import escape_markdown
from dashboard.data.cache import PATIENCE
from dashboard.data.contrasts import load_comparisons
from dashboard.data.file import Contents, load_contents
from dashboard.data.replays import prepare_replay
from dashboard.selection import (
    Address,
    Preference,
    Selection,
    list_line_ups,
    list_player_counts,
    list_seeds,
    list_stored_variants,
    read_selection,
)
from dashboard.sidebar.address import keep_in_address, warn_unknown

KINDS = {"variant": "variant", "agents": "line-up", "players": "player count", "seed": "seed"}
KEYS = tuple(KINDS)  # in the address, and of the widgets


def read_address() -> dict[str, list[str]]:
    """What the address says about the selection."""
    return {key: st.query_params.get_all(key) for key in KEYS if key in st.query_params}


def ask_selection(db: Path, contents: Contents) -> Selection | None:
    """Show the widgets and return what the address says; None if the file has no matches."""
    read = read_selection(db, contents, read_address(), _find_preference(db))
    if read is None:
        return None
    for kind, names in read.unknown.items():
        warn_unknown(kind, names)
    with st.sidebar:
        with st.container(key="selected"):
            st.caption(escape_markdown(read.selection.describe_briefly()))
        _show_widgets(read.selection)
    keep_in_address(read.selection.address)
    return read.selection


def find_address(db: Path) -> dict[str, list[str]]:
    """The whole selection as an address, for links to other pages; what the address says if the file cannot
    be read.
    """
    try:
        read = read_selection(db, load_contents(db), read_address(), _find_preference(db))
    except BoardgamesError:
        read = None
    return read_address() if read is None or read.unknown else read.selection.address


def prepare_first_match(db: Path) -> None:
    """Load what playing the match again needs that is shown where nothing is selected; what cannot be done,
    the page says later.
    """
    with suppress(BoardgamesError), allow_only_reading(PATIENCE):
        if read := read_selection(db, load_contents(db), {}, _find_preference(db)):
            prepare_replay(read.selection.cells[0])


def _find_preference(db: Path) -> Preference | None:
    """The comparison that was asked last."""
    comparisons = load_comparisons(db)
    if not comparisons:
        return None
    question = comparisons[0].question
    agents = comparisons[0].deciding_agents
    agent = next(iter(agents.values()))
    players = tuple(players for players in question.players if agents[players] == agent)
    return Preference(specs=question.specs, agent=agent, players=players, seed=question.seed)


def _show_widgets(selection: Selection) -> None:
    contents = selection.contents
    variants, line_up, seed = selection.variants, selection.line_up, selection.seed
    _set_widgets(selection)
    st.multiselect(
        "Variants",
        list_stored_variants(contents),
        key="variant",
        on_change=_write_address,
        args=["variant", selection],
        help="The first one is the baseline: the others are compared with it."
        " A star: part of its components is reconstructed.",
    )
    st.selectbox(
        "Agents",
        list_line_ups(contents, variants, seed),
        key="agents",
        on_change=_write_address,
        args=["agents", selection],
        help="Who plays: one agent in all seats, or a line-up that is rotated through the seats."
        " People play as seated.",
    )
    st.pills(
        "Players",
        list_player_counts(contents, variants, line_up, seed),
        selection_mode="multi",
        key="players",
        on_change=_write_address,
        args=["players", selection],
        help="Player counts to show.",
    )
    seeds = list_seeds(contents, variants)
    if len(seeds) > 1:
        st.selectbox(
            "Seed",
            seeds,
            key="seed",
            on_change=_write_address,
            args=["seed", selection],
            help="The number all deals follow from: other luck, other matches.",
        )


def _set_widgets(selection: Selection) -> None:
    """Let the widgets show the selection, whatever they showed before."""
    st.session_state["variant"] = list(selection.variants)
    st.session_state["agents"] = selection.line_up
    st.session_state["players"] = list(selection.players)
    st.session_state["seed"] = selection.seed


def _write_address(key: str, before: Selection) -> None:
    """Take over what the reader chose, as one entry of the history; nothing chosen means the usual choice."""
    chosen = st.session_state[key]
    values = [str(value) for value in chosen] if isinstance(chosen, list) else [str(chosen)]
    address = {name: st.query_params.get_all(name) for name in st.query_params} | {key: values}
    left_over = _list_left_over(address, before)
    kept = {
        name: [value for value in values if value not in left_over.get(name, ())]
        for name, values in address.items()
    }
    st.query_params.from_dict({name: values for name, values in kept.items() if values})


def _list_left_over(address: Address, before: Selection) -> dict[str, set[str]]:
    """What was shown before and is no more, by its name in the address: a choice has made it impossible."""
    read = read_selection(before.db, before.contents, {key: address[key] for key in KEYS if key in address})
    unknown = read.unknown if read else {}
    return {key: {*before.address[key]} & {*unknown.get(KINDS[key], ())} for key in KEYS}
