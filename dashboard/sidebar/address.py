"""The page's address: every value of a selection stands in it, so that a link shows the same to anyone with
the same file, and Back and Forward work.

What a reader changes makes an entry in the browser's history. What a page adds by itself, because the address
left it out, replaces the present entry.
"""

import json
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

import streamlit as st

from dashboard.browser import escape_markdown

REPLACE = """<script>
(() => {{
  const address = new URL(window.location.href);
  const wanted = new URLSearchParams({query});
  const stale = {stale};
  for (const name of new Set(wanted.keys())) {{
    if (name in stale && address.searchParams.get(name) === stale[name]) address.searchParams.delete(name);
    if (!address.searchParams.has(name)) {{
      wanted.getAll(name).forEach(value => address.searchParams.append(name, value));
    }}
  }}
  if (address.href !== window.location.href) window.history.replaceState({{}}, "", address);
}})();  // {moment}: a script that is the same as before does not run again, in a new entry neither
</script>"""


def keep_in_address(values: Mapping[str, Sequence[object]], stale: Mapping[str, str] | None = None) -> None:
    """Add what the address leaves out, without an entry in the browser's history; `stale` are values that
    make room. The script has a place of its own also where it has nothing to do: what follows stays where it
    was, so that no tab jumps back to the first one.
    """
    stale = stale or {}
    place = st.empty()
    missing = {
        name: list(map(str, named))
        for name, named in values.items()
        if name not in st.query_params or name in stale
    }
    if missing:
        query = json.dumps(urlencode(missing, doseq=True))
        script = REPLACE.format(query=query, stale=_write_json(stale), moment=time.time_ns())
        place.html(script, unsafe_allow_javascript=True)


def _write_json(values: Mapping[str, str]) -> str:
    """As a script may hold it: Streamlit removes scripts with tags in them."""
    return json.dumps(values).replace("<", "\\u003c")


class AddressChoice(NamedTuple):
    """The option that a control shows, and what the address says of it."""

    name: str
    named: str | None  # in the address
    is_left_over: bool  # the address names what was an option until another control changed
    is_unknown: bool


def read_choice(key: str, names: Sequence[str], default: str) -> AddressChoice:
    """The option that the address names, or else the default."""
    named = st.query_params.get(key)
    if named is None or named in names:
        return AddressChoice(named or default, named, is_left_over=False, is_unknown=False)
    is_left_over = named in st.session_state.get(_make_memory_key(key), ())
    return AddressChoice(default, named, is_left_over, is_unknown=not is_left_over)


def keep_choice(key: str, choice: AddressChoice) -> None:
    """Let the address name what is shown; what means nothing there stays, and so does its warning."""
    if not choice.is_unknown:
        st.session_state.setdefault(_make_memory_key(key), set()).add(choice.name)
    keep_in_address(
        {key: [choice.name]}, {key: choice.named} if choice.named and choice.is_left_over else None
    )


def _make_memory_key(key: str) -> str:
    """Where a window remembers what its controls have shown."""
    return f"{key} in the address"


def list_pairs(address: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Name and value of everything in an address, for a link."""
    return [(name, value) for name, values in address.items() for value in values]


def warn_unknown(kind: str, names: Sequence[str]) -> None:
    """Say which names in the address mean nothing in this file, or not for these variants and agents."""
    listed = ", ".join(f"'{name}'" for name in names)
    why = "that is not in this file" if kind == "variant" else "of which the selection has no matches"
    st.warning(
        escape_markdown(f"The address names a {kind} {why}: {listed}."),
        icon=":material/link_off:",
    )


def warn_impossible(key: str, shown: str) -> None:
    """Say that the address asks for something that a control does not have, and what it shows instead."""
    named = st.query_params.get(key, "")
    st.warning(
        escape_markdown(
            f"The address says {key}={named}, which is not among the choices here: '{shown}' is shown."
        ),
        icon=":material/link_off:",
    )
