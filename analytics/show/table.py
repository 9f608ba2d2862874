"""The one style of tables in the terminal, and the one note about reconstructed components."""

from collections.abc import Sequence

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


def describe_reconstructed(variant: str = "VARIANT", components: Sequence[str] = ()) -> str:
    """The note behind a star."""
    which = f" ({', '.join(components)})" if components else ""
    return f"* part of the components is reconstructed{which}: `boardgames show {variant}` says which"
