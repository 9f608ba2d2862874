"""Where the luck comes from, on the pages: the chart, the sentences, and how to get them."""

import pytest

from analytics.questions.luck.luck import measure_luck
from tests.dashboard.conftest import LONGER, PIG
from tests.dashboard.test_pages import assert_sound, open_page, read_text


@pytest.fixture(scope="module")
def lucky(tmp_path_factory):
    """A file with the luck of two variants."""
    db = tmp_path_factory.mktemp("lucky") / "lucky.duckdb"
    measure_luck(PIG, LONGER, db=db, players="2", agents="random", matches=800)
    return db


@pytest.mark.long
def test_the_tension_page_shows_each_source_and_the_compare_page_the_change(lucky, look_at):
    look_at(lucky)
    page = open_page("tension")
    assert_sound(page)
    text = read_text(page)
    assert "Where does the luck come from?" in text
    assert "is decided by the agents' own randomness" in text
    page = open_page("compare")
    assert_sound(page)
    assert "Where the luck comes from, by 200 deals of each" in read_text(page)


def test_a_file_without_it_says_what_to_type(real, look_at):
    look_at(real)
    page = open_page("tension")
    assert_sound(page)
    assert "boardgames luck" in read_text(page)
