"""The one style of tables in the terminal."""

from rich import box
from rich.table import Table


def make_table(title: str = "", caption: str = "") -> Table:
    """An empty table."""
    return Table(
        title=title or None,
        title_justify="left",
        caption=caption or None,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
