"""What the controls of a page keep in the address: every value, and a word about those that mean nothing."""

import re

import pytest

from dashboard.pages.match import SIDE_BY_SIDE
from tests.dashboard.test_pages import assert_sound, open_page, read_text

COUNTS = {"players": ["2", "3"], "agents": "random"}


def read_kept(page) -> dict[str, str]:
    """What the page adds to the address, or puts in the place of what is left over, by name."""
    scripts = [element.proto.body for element in page.get("html") if "replaceState" in element.proto.body]
    return dict(pair for script in scripts for pair in re.findall(r"([\w]+)=([^&\"]+)", script))


@pytest.mark.parametrize(
    ("path", "key", "named"),
    [
        ("compare", "count", "9"),
        ("match", "view", "foo"),
        ("match", "of", "chess"),
        ("match", "kind", "nonsense"),
        ("match", "match", "99999/0"),
        ("match", "step", "99999"),
        ("simulate", "task", "Foo"),
    ],
)
def test_a_value_that_means_nothing_is_told_with_what_is_shown(path, key, named, real, look_at):
    look_at(real)
    page = open_page(path, **COUNTS, **{key: named})
    assert_sound(page)
    assert f"The address says {key}={named}, which is not among the choices here" in read_text(page).replace(
        "\\", ""
    )


@pytest.mark.parametrize("deal", ["foo", "-1", str(10**30)])
def test_a_deal_that_cannot_be_is_told(deal, real, look_at):
    look_at(real)
    page = open_page("match", view=SIDE_BY_SIDE, deal=deal)
    assert_sound(page)
    assert f"The address says deal={deal}" in read_text(page).replace("\\", "")


def test_defaults_stand_in_the_address(real, look_at):
    look_at(real)
    assert read_kept(open_page("compare", **COUNTS))["count"] == "2"
    kept = read_kept(open_page("match", **COUNTS))
    assert kept["match"] == "0%2F0"
    assert {"view", "of", "kind"} <= set(kept)


def test_what_a_reader_chooses_is_written_into_the_address_as_an_entry_of_its_own(real, look_at):
    """Streamlit makes an entry for each change of `st.query_params`."""
    look_at(real)
    page = open_page("compare", **COUNTS)
    page.segmented_control(key="count").set_value(3).run()
    assert page.query_params["count"] == "3"
    assert page.segmented_control(key="count").value == 3
    page.query_params["count"] = "2"  # Back
    assert page.run().segmented_control(key="count").value == 2


def test_what_another_control_made_impossible_makes_room_without_a_word(real, look_at):
    look_at(real)
    page = open_page("match", **COUNTS, kind="seat 1 won")
    last = page.selectbox(key="match").options[-1].split(":")[0]
    page.selectbox(key="match").set_value(last).run()
    assert page.query_params["match"] == last
    page.selectbox(key="kind").set_value("seat 2 won").run()
    assert_sound(page)
    assert page.warning == []
    assert page.selectbox(key="match").value != last
    assert page.run().warning == []
    assert "match" in read_kept(page)


def test_what_follows_the_address_stays_in_its_place_when_the_address_is_complete(real, look_at):
    """Else the tabs of Data would begin anew, at the first one."""
    look_at(real)

    def find_tabs(page):
        return [index for index, block in page.main.children.items() if block.type == "tab_container"]

    page = open_page("data")
    before = find_tabs(page)
    for name in ("variant", "agents", "players", "seed"):
        page.query_params[name] = read_selected(page, name)
    assert before == find_tabs(page.run()) != []


def read_selected(page, name):
    chosen = page.session_state[name]
    return [str(value) for value in chosen] if isinstance(chosen, list) else str(chosen)
