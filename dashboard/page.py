"""What a page says, as plain data: the browser shows it, and Share writes the same as one HTML file.

All texts are plain: names of variants, agents and files may hold anything, and are escaped here, once for each way of showing.
"""

import math
import re
import shlex
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from analytics.show.report import html as page
from boardgames.errors import BadInput
from boardgames.game.plugins import NotTrusted

SAID = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$:&])")
START = "start the dashboard with"
CHART = {"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"], "responsive": True}


def plain(text: str) -> str:
    """Text that Markdown shows as it is; what stands between backticks is shown as code."""
    parts = text.replace("\n", " ").split("`")
    if len(parts) % 2 == 0 or "" in parts[1::2]:
        return SAID.sub(r"\\\1", "`".join(parts))
    return "".join(f"`{part}`" if place % 2 else SAID.sub(r"\\\1", part) for place, part in enumerate(parts))


def in_words(error: BadInput) -> str:
    """What was wrong; what is to be typed is typed where the dashboard is started."""
    return error.in_words(START) if isinstance(error, NotTrusted) else str(error)


@contextmanager
def told() -> Iterator[None]:
    """What goes wrong is said in a sentence; the details go to the terminal that started the dashboard."""
    try:
        yield
    except BadInput as error:
        st.error(plain(in_words(error)), icon=":material/error:")
    except Exception as error:
        traceback.print_exc()
        st.error(
            plain(f"This page could not be shown: {type(error).__name__}: {error}. The terminal of the dashboard says more."),
            icon=":material/error:",
        )


@dataclass(frozen=True)
class Title:
    text: str


@dataclass(frozen=True)
class Say:
    text: str
    kind: str = "text"  # text, care, note, warning


@dataclass(frozen=True)
class Points:
    """Sentences, each a point of a list."""

    items: Sequence[str]


@dataclass(frozen=True)
class Chart:
    name: str  # of the file that it is saved as
    figure: Any
    care: str = ""
    links: bool = False  # whether its points lead to matches


@dataclass(frozen=True)
class Command:
    """What to type next, word by word: a file may hold names with blanks and worse, and people paste what they read here."""

    words: Sequence[str]

    @property
    def text(self) -> str:
        return shlex.join(["boardgames", *self.words])


@dataclass(frozen=True)
class Numbers:
    """A table to read; a long one is a grid to look things up in, folded if it only repeats what a chart shows."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Any]]
    folded: bool = False
    grid: bool = False


@dataclass(frozen=True)
class Picture:
    svg: str
    caption: str = ""


Block = Title | Say | Points | Command | Chart | Numbers | Picture


# ---- in the browser


@dataclass
class View:
    """The blocks of the page at hand, in the order in which they were shown; Share takes them from here."""

    title: str
    shown: list[Block] = field(default_factory=list)

    def show(self, *blocks: Block) -> Any:
        """Put blocks on the page; returns what was picked in the last chart, if it has links."""
        picked = None
        for block in blocks:
            self.shown.append(block)
            if isinstance(block, Chart):
                picked = _chart(block) or picked
            else:
                _show(block)
        return picked


def _show(block: Title | Say | Points | Command | Numbers | Picture) -> None:
    if isinstance(block, Title):
        st.subheader(plain(block.text), anchor=False)
    elif isinstance(block, Say):
        _say(block)
    elif isinstance(block, Points):
        st.markdown("\n".join(f"- {plain(item)}" for item in block.items))
    elif isinstance(block, Picture):
        st.image(block.svg, caption=plain(block.caption) or None, width="stretch", alt=block.caption or "the table")
    elif isinstance(block, Command):
        st.code(block.text, language="sh", wrap_lines=True)
    elif block.folded:
        with st.expander(plain(block.title)):
            _grid(block) if block.grid else _table(block)
    else:
        if block.title:
            st.caption(plain(block.title))
        _grid(block) if block.grid else _table(block)


def _say(said: Say) -> None:
    text = plain(said.text)
    if said.kind == "care":
        st.caption(text)
    elif said.kind == "note":
        st.info(text, icon=":material/info:")
    elif said.kind == "warning":
        st.warning(text, icon=":material/warning:")
    else:
        st.markdown(text)


def _table(table: Numbers) -> None:
    rows = [["" if _cell(value) is None else plain(str(value)) for value in row] for row in table.rows]
    heads = [plain(head) or " " * place for place, head in enumerate(table.heads, 1)]
    st.table(pd.DataFrame(rows, columns=heads), border="horizontal", hide_index=True, alt=table.title or None)


def _grid(table: Numbers) -> None:
    frame = pd.DataFrame([[_cell(value) for value in row] for row in table.rows], columns=list(table.heads))
    st.dataframe(frame, hide_index=True, width="stretch", height="content" if len(frame) < 14 else 480, alt=table.title or None)


def _cell(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _chart(chart: Chart) -> Any:
    options = {"format": "svg", "filename": chart.name}
    key = f"chart {chart.name}"
    config = {**CHART, "toImageButtonOptions": options}
    picked: Any = st.plotly_chart(
        chart.figure, width="stretch", config=config, key=key, alt=chart.care or chart.name,
        on_select="rerun" if chart.links else "ignore", selection_mode="points",
    )  # fmt: skip
    if chart.care:
        st.caption(plain(chart.care))
    points = picked["selection"]["points"] if chart.links else []
    return points[0].get("customdata") if points else None


# ---- as one file


def as_html(title: str, about: Sequence[str], blocks: Sequence[Block]) -> str:
    """The same, by the report's writer: the file needs no server and no network."""
    body = [f"<h1>{escape(title)}</h1>", *(f'<p class="small">{escape(line)}</p>' for line in about)]
    return page.document(title, [*body, *_written(blocks)])


def _written(blocks: Sequence[Block]) -> Iterator[str]:
    figures = 0
    for block in blocks:
        if isinstance(block, Title):
            yield f"<h2>{escape(block.text)}</h2>"
        elif isinstance(block, Say):
            yield f'<p class="{"small" if block.kind == "care" else block.kind}">{escape(block.text)}</p>'
        elif isinstance(block, Points):
            yield "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in block.items) + "</ul>"
        elif isinstance(block, Command):
            yield f"<pre>{escape(block.text)}</pre>"
        elif isinstance(block, Picture):
            yield f'<figure class="picture">{block.svg}<figcaption>{escape(block.caption)}</figcaption></figure>'
        elif isinstance(block, Numbers):
            rows = [[escape("" if _cell(value) is None else str(value)) for value in row] for row in block.rows]
            yield page.table_of(block.title, block.heads, rows)
        else:
            yield f"<figure>{page.drawn(block.figure, figures)}<figcaption>{escape(block.care)}</figcaption></figure>"
            figures += 1
