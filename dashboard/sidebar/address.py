"""The page's address: every value of a selection stands in it, so that a link shows the same to anyone with
the same file, and Back and Forward work.

What a reader changes makes an entry in the browser's history. What a page adds by itself, because the address
left it out, replaces the present entry.
"""

import json
from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

from dashboard.browser import escape_markdown

REPLACE = """<script>
(() => {{
  const address = new URL(window.location.href);
  const wanted = new URLSearchParams({query});
  for (const name of new Set(wanted.keys())) {{
    if (!address.searchParams.has(name)) {{
      wanted.getAll(name).forEach(value => address.searchParams.append(name, value));
    }}
  }}
  if (address.href !== window.location.href) window.history.replaceState({{}}, "", address);
}})();
</script>"""


def keep_in_address(values: Mapping[str, Sequence[object]]) -> None:
    """Add what the address leaves out, without an entry in the browser's history."""
    missing = {name: list(map(str, named)) for name, named in values.items() if name not in st.query_params}
    if missing:
        query = json.dumps(urlencode(missing, doseq=True))
        st.html(REPLACE.format(query=query), unsafe_allow_javascript=True)


def list_pairs(address: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Name and value of everything in an address, for a link."""
    return [(name, value) for name, values in address.items() for value in values]


def warn_unknown(kind: str, names: Sequence[str]) -> None:
    """Say which names in the address mean nothing in this file."""
    listed = ", ".join(f"'{name}'" for name in names)
    st.warning(
        escape_markdown(f"The address names a {kind} that is not in this file: {listed}."),
        icon=":material/link_off:",
    )
