"""Answers show themselves in a notebook: in short, as HTML, as a table and as a figure."""

import math
import re

import pandas as pd
import plotly.graph_objects as go
import pytest

import analytics
import boardgames
from analytics import check_goals, compare, find_side_by_side, measure_luck, metrics, rate_agents, sweep
from boardgames.notebook import format_bar, is_notebook

MATCHES = 1100


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    return tmp_path_factory.mktemp("notebook") / "r.duckdb"


@pytest.fixture(scope="module")
def comparison(db):
    return compare("pig+target=20", "pig+target=12", db=db, players=2, agents="random", matches=MATCHES)


@pytest.fixture(scope="module")
def ladder(db):
    (ladder,) = rate_agents("pig+target=20", db=db, players=2, agents=["random", "greedy"], matches=40)
    return ladder


def test_a_comparison_is_short_and_shows_the_sentences_and_the_table(comparison):
    assert repr(comparison) == "<Comparison of pig+target=12 with pig+target=20, 2 players, by random>"
    html = comparison._repr_html_()
    assert "Matches are shorter" in html
    assert html.count("<table>") >= 1
    assert "<td>Match length, turns</td>" in html
    assert not re.search(r"<(?!/?(p|table|thead|tbody|tr|th|td)>)", html)  # all texts are escaped


def test_a_comparison_is_a_table_with_shares_in_percent(comparison):
    table = comparison.table()
    assert isinstance(table, pd.DataFrame)
    lines = comparison.contrasts[0].lines
    assert len(table) == len(lines)
    share = table[(table.metric == "seat_win_share") & (table.part == "1")].iloc[0]
    (line,) = [line for line in lines if (line.metric, line.part) == ("seat_win_share", "1")]
    assert share.unit == "%"
    assert share.a == pytest.approx(100 * line.a.mean)
    assert (share.difference_low, share.difference_high) == pytest.approx(
        (100 * line.difference.low, 100 * line.difference.high)
    )
    assert line.is_informative
    assert (share.always_valid_low, share.always_valid_high, share.threshold) == pytest.approx(
        (100 * line.low, 100 * line.high, 100 * line.threshold)
    )


def test_a_comparison_is_a_figure_with_a_row_for_each_main_metric(comparison):
    figure = comparison.figure()
    assert isinstance(figure, go.Figure)
    centres = [trace for trace in figure.data if trace.mode == "markers"]
    main = [line for line in comparison.contrasts[0].main_lines if math.isfinite(line.difference.mean)]
    assert [trace.y[0] for trace in centres] == [f"{line.metric} {line.part}".rstrip() for line in main]


def test_a_ladder_shows_its_ratings(ladder):
    assert repr(ladder) == "<Ladder of pig+target=20, 2 players: random, greedy>"
    assert "<td>greedy</td>" in ladder._repr_html_()
    assert ladder.table().agent.tolist() == ["random", "greedy"]
    assert list(ladder.figure().data[0].y) == [agent.elo.mean for agent in ladder.agents]


@pytest.mark.long
def test_luck_and_sweeps_and_goals_are_tables_too(db, tmp_path):
    luck = measure_luck("pig+target=20", db=db, players=2, agents="random", matches=80)
    assert "the seat" in set(luck.table().source)
    assert len(luck.figure().data) > 0
    (grid,) = sweep(
        "pig", "target=12,20", db=db, best="length near 9", players=2, agents="random", matches=20
    )
    assert set(grid.table().target) == {"12", "20"}
    assert list(grid.figure().data[0].x) == ["12", "20"]
    (tmp_path / "goals.toml").write_text('[[goal]]\nmetric = "length"\nhigh = 90\n')
    balance = check_goals(
        tmp_path / "goals.toml", "pig+target=12", db=db, players=2, agents="random", matches=MATCHES
    )
    assert balance.table().verdict.tolist() == [balance.verdict]
    for answer in (luck, grid, balance):
        assert len(repr(answer)) < 120
        assert "<table>" in answer._repr_html_()


def test_one_deal_side_by_side_shows_itself():
    pair = find_side_by_side("pig+target=20", "pig+target=12", players=2, agents="random")
    assert "pig+target=12" in pair._repr_html_()


def test_several_ladders_and_grids_show_themselves_below_each_other(db):
    ladders = rate_agents("pig+target=20", db=db, players="2-3", agents="random,greedy", matches=12)
    assert ladders._repr_html_() == "".join(ladder._repr_html_() for ladder in ladders)
    assert ladders._repr_html_().count("Who beats whom") == 2
    grids = sweep("pig", "target=12,20", db=db, best="length near 9", players=2, agents="random", matches=20)
    assert isinstance(grids, list)
    assert "<table>" in grids._repr_html_()


def test_agents_plans_and_layouts_are_short():
    assert repr(boardgames.find_agent("mcts:64")) == "<Agent mcts:64>"
    assert repr(boardgames.make_plan("pig", "2-3", "random", 4)) == "<Plan pig: cells 2, matches 8>"
    layout = boardgames.Match("pig", 2).layout
    assert repr(layout) == f"<ObservationLayout of pig, 2 players: {len(layout.names)} entries>"


@pytest.mark.parametrize("module", [analytics, boardgames])
def test_only_public_names_complete(module):
    assert {name for name in dir(module) if not name.startswith("__")} == set(module.__all__)


def test_names_complete():
    assert {"compare", "rate_agents", "metrics"} <= set(dir(analytics))
    assert {"Match", "simulate", "find_variant"} <= set(dir(boardgames))
    assert metrics()["length"].name == "length"


def test_a_bar_knows_how_much_is_done_or_only_moves():
    assert not is_notebook()
    assert format_bar("pig: 1 of 2", 1, 2) == '<div><progress value="1" max="2"></progress> pig: 1 of 2</div>'
    assert format_bar("<b>") == "<div><progress></progress> &lt;b&gt;</div>"
