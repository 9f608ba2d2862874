"""What a page is made of. A page is one function,

    def elements(selection: Selection) -> PageParts

which yields, from top to bottom, three kinds of parts:

- elements: plain data, which the browser shows and a shared file holds (`Text`, `DataTable`, `Chart` ...);
- controls, which ask the reader and are left out of a shared file: `step = yield from ask(StepSlider(9))`;
- layouts, which put other parts side by side (`Columns`, `ChartCards`) or behind each other (`Tabs`).

A page that shows less than what is selected says so with a `Scope`.

`dashboard.browser` shows the parts, `dashboard.shared_file` writes the elements as one HTML file.

All texts are plain: names of variants, agents and files may hold anything, and are escaped where they are
shown.
"""

import math
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, NamedTuple, TypeVar, Union

from dashboard.data.file import CellInfo
from dashboard.selection import Selection

T = TypeVar("T")


# ---- elements


@dataclass(frozen=True)
class Title:
    text: str


class TextStyle(Enum):
    PLAIN = "text"
    CAPTION = "caption"
    NOTE = "note"
    WARNING = "warning"


@dataclass(frozen=True)
class Text:
    text: str
    style: TextStyle = TextStyle.PLAIN


@dataclass(frozen=True)
class BulletList:
    items: Sequence[str]


@dataclass(frozen=True)
class Chart:
    name: str  # of the file it is saved as
    figure: Any
    caveat: str = ""
    has_links: bool = False  # whether its points lead to matches


@dataclass(frozen=True)
class Command:
    """What to type next, word by word: names in a file may hold spaces and worse, and people paste what
    they read here.
    """

    words: Sequence[str]

    @property
    def text(self) -> str:
        return shlex.join(["boardgames", *self.words])


@dataclass(frozen=True)
class Snippet:
    """Lines of TOML to paste into a file."""

    text: str


@dataclass(frozen=True)
class DataTable:
    """A table to read. A long one is a grid to look things up in; folded if it only repeats a chart."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Any]]
    is_folded: bool = False
    is_grid: bool = False


@dataclass(frozen=True)
class Picture:
    svg: str
    caption: str = ""


@dataclass(frozen=True)
class Excerpt:
    """Some lines of a numbered list; the current one stands out."""

    lines: Mapping[int, str]  # by number
    current: int


class Headline(NamedTuple):
    """A number on a card."""

    label: str
    value: str
    interval: str


@dataclass(frozen=True, kw_only=True)
class Card:
    """A variant at a glance."""

    title: str
    colour: str
    about: str
    setting: str  # players, agents and matches behind the headlines
    headlines: Sequence[Headline]
    stored: str  # how much there is, and how fresh
    problem: str | None  # why its matches cannot be replayed


@dataclass(frozen=True)
class Cards:
    """Cards side by side."""

    cards: Sequence[Card]


@dataclass(frozen=True)
class OnlyShared:
    """An element of the shared file alone: on the page, a control says the same."""

    element: Text | DataTable


Element = (
    Title | Text | BulletList | Command | Snippet | Chart | DataTable | Picture | Excerpt | Cards | OnlyShared
)


def drop_infinite(value: Any) -> Any:
    """None for a number that is not finite: it is shown as nothing."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


# ---- controls and layouts


class Control(ABC, Generic[T]):
    """Something to use on a page: a choice, a slider, a form, a button."""

    @abstractmethod
    def ask(self) -> T:
        """Draw it where the page is, and return what the reader chose."""

    def describe(self, answer: T) -> str:
        """What the reader chose, for a shared page; nothing if the page says it."""
        return ""


@dataclass(frozen=True)
class Columns:
    """Parts side by side, equally wide unless `widths` says otherwise."""

    columns: Sequence[Iterable["PagePart"]]
    widths: Sequence[int] = ()


@dataclass(frozen=True)
class Tabs:
    """Parts behind each other, by the names of their tabs."""

    tabs: Mapping[str, Iterable["PagePart"]]


@dataclass(frozen=True, kw_only=True)
class ChartCard:
    """A small chart under its title, mostly a question: the answer at a glance, the rest on demand."""

    title: str
    parts: Sequence["PagePart"]
    details: Sequence[Element] = ()
    is_wide: bool = False  # takes a whole row


@dataclass(frozen=True)
class ChartCards:
    """Cards in rows of two."""

    cards: Sequence[ChartCard]

    @property
    def rows(self) -> list[list[ChartCard]]:
        """A narrow card waits for a second one, so that no row has a hole but the last."""
        rows: list[list[ChartCard]] = []
        waiting: list[ChartCard] = []
        for card in self.cards:
            if card.is_wide:
                rows.append([card])
                continue
            waiting.append(card)
            if len(waiting) == 2:
                rows.append(waiting)
                waiting = []
        return [*rows, waiting] if waiting else rows


@dataclass(frozen=True)
class Scope:
    """What exactly the page shows, for a shared file: less than what is selected, or something else."""

    selection: Selection
    matches: str = ""  # how many, unless it is all of this selection
    cells: Sequence[CellInfo] | None = None  # which ones, unless it is those of this selection


# The layouts name it before it is there.
PagePart = Union[Element, Control[Any], Columns, Tabs, ChartCards, Scope]  # noqa: UP007
PageParts = Generator[PagePart, Any, None]


def ask(control: Control[T]) -> Generator[PagePart, T, T]:
    """Put a control on the page; what the reader chose comes back."""
    return (yield control)


@dataclass(frozen=True, kw_only=True)
class Page:
    """One question, and the function that answers it."""

    path: str  # in the address
    name: str  # in the navigation
    icon: str
    question: str  # its title
    elements: Callable[[Selection], PageParts]
    needs_matches: bool = True  # it shows a selection of stored matches, and can be shared
    shows_all: bool = False  # it shows something of all matches, whatever is selected
