"""The one style of tables in the terminal."""

from typing import Any

from rich import box
from rich.table import Table

from boardgames.printable import escape_unprintable


class _LineTable(Table):
    """A table in which a name keeps to its line."""

    def add_row(self, *cells: Any, **options: Any) -> None:
        super().add_row(
            *(escape_unprintable(cell) if isinstance(cell, str) else cell for cell in cells), **options
        )


def make_table(title: str = "", caption: str = "") -> Table:
    """An empty table."""
    return _LineTable(
        title=title or None,
        title_justify="left",
        caption=caption or None,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
