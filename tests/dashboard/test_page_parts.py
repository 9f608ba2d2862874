"""A page is one function that yields elements, controls and layouts; it can be read without a browser."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import pytest

from analytics.metric.built_in import BUILT_IN
from analytics.metric.group import GROUPS
from boardgames import simulate
from dashboard.app import list_pages
from dashboard.browser import View
from dashboard.controls import Hint, Segments
from dashboard.data.contrasts import Setting, VerdictUnavailable, load_unasked
from dashboard.data.examples import FILTERS, MatchKind, make_filters, name_examples
from dashboard.data.file import load_contents
from dashboard.page import (
    ChartCard,
    ChartCards,
    Columns,
    Control,
    OnlyShared,
    PageParts,
    Tabs,
    Text,
    Title,
    ask,
)
from dashboard.pages import compare
from dashboard.selection import Selection
from tests.dashboard.conftest import LONGER, PIG


def read_page(page: PageParts, answer: Callable[[Control[Any]], Any]) -> list[Any]:
    """The elements of a page whose controls are answered by a function."""
    elements: list[Any] = []
    reply = None
    while True:
        try:
            part = page.send(reply)
        except StopIteration:
            return elements
        reply = answer(part) if isinstance(part, Control) else None
        if isinstance(part, ChartCards):
            elements += [element for card in part.cards for element in (*card.parts, *card.details)]
        elif not isinstance(part, Control):
            elements.append(part)


def select_all(db) -> Selection:
    contents = load_contents(db)
    return Selection(
        db=db, contents=contents, variants=tuple(contents.variants), players=(2, 3), line_up="random", seed=1
    )


@dataclass(frozen=True)
class Question(Control[str]):
    reply: str

    def ask(self) -> str:
        return self.reply


def make_parts() -> PageParts:
    first = yield from ask(Question("one"))
    yield Text(first)
    yield OnlyShared(Text("only in the file"))
    yield Columns([[Title("left")], [Title("right")]])
    yield Tabs({"a": make_tab(), "b": []})


def make_tab() -> PageParts:
    reply = yield from ask(Question("two"))
    yield Text(reply)


def test_answers_go_back_to_the_page_and_the_elements_are_kept_in_the_order_shown():
    view = View(show_match_link=pytest.fail)
    view.show(make_parts())
    shared = [Text("one"), OnlyShared(Text("only in the file")), Title("left"), Title("right"), Text("two")]
    assert view.elements == shared


def test_cards_stand_in_rows_of_two_and_a_narrow_one_waits_for_another():
    narrow = [ChartCard(title=name, parts=[]) for name in "abc"]
    wide = ChartCard(title="wide", parts=[], is_wide=True)
    rows = ChartCards([narrow[0], wide, narrow[1], narrow[2]]).rows
    assert [[card.title for card in row] for row in rows] == [["wide"], ["a", "b"], ["c"]]


def test_what_a_card_shows_on_demand_is_shared_too():
    view = View(show_match_link=pytest.fail)
    view.show([ChartCards([ChartCard(title="How?", parts=[Text("so")], details=[Text("exactly so")])])])
    assert view.elements == [Title("How?"), Text("so"), Text("exactly so")]


def test_a_hint_how_to_use_the_page_is_not_shared():
    view = View(show_match_link=pytest.fail)
    view.show([Text("so"), Hint("Click a mark.")])
    assert view.elements == [Text("so")]


def test_every_page_is_a_function_that_yields_its_parts(real):
    selection = select_all(real)
    for page in list_pages().values():
        assert isinstance(page.elements(selection), Generator), page.path


def test_a_page_asks_for_a_player_count_and_shows_that_one(real):
    asked = []

    def answer(control):
        asked.append(control)
        return 3

    elements = read_page(compare.elements(select_all(real)), answer)
    (control,) = [control for control in asked if isinstance(control, Segments)]
    assert control.options == (2, 3)
    captions = [element.text for element in elements if isinstance(element, Text)]
    assert any("3 players" in caption for caption in captions)
    assert not any("2 players" in caption for caption in captions)


def make_setting(db):
    selection = select_all(db)
    return Setting(cells=tuple(selection.find_cell(variant, 2) for variant in selection.variants))


def test_verdicts_that_cannot_be_had_are_an_exception_that_says_why(tmp_path, real):
    db = tmp_path / "short.duckdb"
    simulate(PIG, LONGER, db=db, players="2", agents=["random"], matches=1)
    with pytest.raises(VerdictUnavailable, match=r"^one deal gives no interval: 2 are needed$"):
        load_unasked(db, make_setting(db))
    (contrast,) = load_unasked(real, make_setting(real)).values()
    assert contrast.lines
    assert contrast.agent == "random"


def test_metrics_name_groups_and_filters_that_exist(real):
    cell = select_all(real).cells[0]
    filters = make_filters(cell, load_contents(real).variants[cell.variant])
    names = {name_examples(metric, "1" if metric.parts == "seat" else "cut off") for metric in BUILT_IN}
    assert names <= set(filters)
    assert set(GROUPS) == {metric.group for metric in BUILT_IN}
    headlines = {metric.name: metric.headlines for metric in BUILT_IN if metric.headlines}
    assert set(headlines) == {"seat_win_share", "tied_after", "length", "leader_conversion"}
    assert set(FILTERS) == set(MatchKind) - {MatchKind.CUT_OFF}
