"""What pages say about what they leave out, in words that a reader knows."""

from streamlit.testing.v1 import AppTest

from analytics.metric.metric import SEAT_WIN_SHARE
from analytics.questions.report import PlayerCountResult
from analytics.show.report.markup import render_table
from analytics.show.report.takeaways import describe_fairness
from analytics.stats.intervals import Estimate
from boardgames import simulate
from dashboard.pages.method import describe_terms
from dashboard.pages.metric_charts import HOLLOW
from tests.dashboard.conftest import PIG
from tests.dashboard.test_pages import open_page, read_text

SHOW_EMPTY = """
from dashboard.browser import View
from dashboard.page import DataTable
View(None).show([DataTable("", ["one", "two"], [])])
"""


def test_an_agent_of_few_matches_is_named_and_does_not_flatten_the_others(tmp_path, look_at):
    db = tmp_path / "agents.duckdb"
    simulate(PIG, db=db, players="2", agents=["random"], matches=300)
    simulate(PIG, db=db, players="2", agents=["random+force=hold"], matches=2)
    look_at(db)
    page = open_page("seats", agents="random")
    assert "Not drawn, too few matches yet: drawn-pig+target=20* by random+force=hold." in read_text(
        page
    ).replace("\\", "")
    assert not any("random+force=hold" in chart.proto.spec for chart in page.get("plotly_chart"))


def test_hollow_marks_are_explained_where_there_are_some(real, single, look_at):
    look_at(single)
    assert HOLLOW in read_text(open_page("seats")).replace("\\", "")
    look_at(real)
    assert HOLLOW not in read_text(open_page("seats")).replace("\\", "")


def test_the_seat_that_a_sentence_names_is_one_that_the_chart_draws():
    shares = {"1": Estimate(0.40, 0.38, 0.42, 900), "2": Estimate(0.6001, 0.58, 0.62, 900)}
    result = PlayerCountResult(
        players=2,
        matches=900,
        answers={SEAT_WIN_SHARE: shares},
        head_to_heads=(),
        calibrated=False,
    )
    (sentence,) = describe_fairness([result])
    assert "seat 1 wins 40.0%" in sentence


def test_an_empty_table_says_so():
    page = AppTest.from_string(SHOW_EMPTY).run()
    assert not page.exception
    assert not page.table
    assert page.caption[0].value == "Nothing is stored about this."
    assert "Nothing is stored about this." in render_table("", ["one"], [])


def test_terms_are_told_in_words():
    terms = {
        "goals": ["length at most 60 turns"],
        "minutes": None,
        "until_decided": True,
        "seats_first": False,
        "thresholds": {},
        "values": {"hand_size": ["5", "6"], "wishing": [str(value) for value in range(60)]},
    }
    assert describe_terms(terms) == (
        "goals: length at most 60 turns; until decided: yes; values: hand size: 5, 6; wishing: 60 values"
    )


def test_the_page_of_methods_says_of_which_game_each_agent_of_a_name_is(tmp_path, look_at):
    db = tmp_path / "two.duckdb"
    simulate("pig", "tests.support.campfire:GAME", db=db, players="2", agents=["greedy", "random"], matches=1)
    look_at(db)
    agents = next(table.value for table in open_page("method").table if "fingerprint" in table.value.columns)
    assert [tuple(row) for row in agents[["agent", "plays"]].to_numpy()] == [
        ("greedy", "campfire"),
        ("greedy", "pig"),
        ("random", "campfire, pig"),
    ]
