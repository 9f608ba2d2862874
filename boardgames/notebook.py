"""What a notebook shows: tables, and a bar while something takes time. It needs no widgets: the bar is HTML
that is replaced in place.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from html import escape
from typing import Any, Protocol

SECONDS = 0.2  # between two changes of what is shown


class Counted(Protocol):
    """How far something is."""

    @property
    def matches(self) -> int: ...
    @property
    def wanted(self) -> int: ...


def is_notebook() -> bool:
    """Whether this runs in the kernel of a notebook. IPython is not imported for that."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


@contextmanager
def follow_matches(
    title: str, on_progress: Callable[[Any], None] | None
) -> Iterator[Callable[[Counted], None]]:
    """What takes progress in matches: `on_progress`; without one, a bar in a notebook."""
    if on_progress or not is_notebook():
        yield on_progress or (lambda at: None)
        return
    with _show() as show:
        yield lambda at: show(f"{title}: {at.matches:,} of {at.wanted:,} matches", at.matches, at.wanted)


@contextmanager
def follow_lines(title: str, on_progress: Callable[[str], None] | None) -> Iterator[Callable[[str], None]]:
    """What takes lines about progress: `on_progress`; without one, the latest beside a moving bar in a
    notebook.
    """
    if on_progress or not is_notebook():
        yield on_progress or (lambda line: None)
        return
    with _show() as show:
        yield lambda line: show(f"{title}: {line}")


@contextmanager
def _show() -> Iterator[Callable[..., None]]:
    """A function that shows a text and how much of all is done; nothing is left at the end."""
    from IPython.display import HTML, display  # type: ignore[import-not-found, unused-ignore]

    place = display(HTML(format_bar("")), display_id=True)
    shown_at = 0.0

    def show(text: str, done: int | None = None, wanted: int | None = None) -> None:
        nonlocal shown_at
        if time.monotonic() - shown_at >= SECONDS:
            place.update(HTML(format_bar(text, done, wanted)))
            shown_at = time.monotonic()

    try:
        yield show
    finally:
        place.update(HTML(""))


def format_bar(text: str, done: int | None = None, wanted: int | None = None) -> str:
    """A bar with its text; one that only moves, if it is not known how much is to be done."""
    amount = f' value="{done}" max="{max(1, wanted)}"' if done is not None and wanted is not None else ""
    return f"<div><progress{amount}></progress> {escape(text)}</div>"


def format_table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in HTML, in the notebook's own style."""
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
