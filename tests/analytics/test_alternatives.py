"""A verdict is tried over what nobody has documented, and how often it holds is said with an interval."""

import random
import tomllib

import pytest
from typer.testing import CliRunner

from analytics.questions.alternatives import check_robustness, draw_fill_ins, format_toml
from analytics.show.terminal.alternatives import show_robustness
from boardgames import InvalidInput, find_variant
from boardgames.cli import app

UNSETTLED = "tests.analytics.support.unsettled:GAME"
SETTLED = "tests.truth.p_deterministic:GAME"
TURNED = f"{UNSETTLED}+strength=1/2/3/4/5"  # the other seat is stronger


@pytest.fixture(scope="module")
def robustness_check(tmp_path_factory):
    db = tmp_path_factory.mktemp("unknowns") / "p.duckdb"
    asked = {"players": "2", "agents": ["random"], "main_metrics": ["seat_win_share", "tied_after"]}
    return check_robustness(UNSETTLED, TURNED, count=3, db=db, matches=1100, **asked)


def test_the_verdict_holds_where_skill_decides_at_all(robustness_check):
    """Where p is 0 skill never decides, and who is stronger is nothing."""
    (share,) = [
        verdict
        for verdict in robustness_check.held
        if (verdict.metric, verdict.part) == ("seat_win_share", "1")
    ]
    skilful = [find_variant(spec).values["p"] > 0 for spec in robustness_check.fill_ins]
    assert 0 < sum(skilful) < 3
    assert (share.says, share.holds, share.tried) == ("lower", sum(skilful), 3)
    assert share.share.low < share.holds / 3 < share.share.high
    assert share.lowest < share.highest


def test_what_is_the_same_everywhere_holds_everywhere_but_without_certainty(robustness_check):
    (ties,) = [verdict for verdict in robustness_check.held if verdict.metric == "tied_after"]
    assert (ties.says, ties.holds) == ("same", 3)
    assert ties.share.low < 0.5


def test_all_matches_of_all_fill_ins_are_counted(robustness_check):
    different = {find_variant(spec).name for spec in (UNSETTLED, *robustness_check.fill_ins)}
    assert robustness_check.played == 2 * 1100 * len(different)


def test_it_is_shown_in_words(robustness_check):
    first, _, last = show_robustness(robustness_check)
    assert "with 3 sets of plausible values for what no source documents" in first
    assert "(95% interval)" in last


def test_what_is_not_known_yet_cannot_hold(tmp_path):
    robustness = check_robustness(
        UNSETTLED, TURNED, count=1, db=tmp_path / "few.duckdb", matches=20, players="2", agents=["random"]
    )
    shares = [verdict for verdict in robustness.held if verdict.metric == "seat_win_share"]
    assert [(verdict.says, verdict.claims, verdict.holds) for verdict in shares] == [("open", False, 0)]


@pytest.mark.parametrize("game", ["celtica", "celtae"])
def test_boards_become_files_that_read_the_same(game, tmp_path):
    (pair,) = draw_fill_ins([game, game], 1, tmp_path / "r.duckdb", seed=3)
    drawn = find_variant(game).game.fill_in(random.Random("3/1"))
    variant = find_variant(pair[0])
    assert (
        tomllib.loads(
            (tmp_path / "r-alternatives").joinpath(variant.values["board"].split("/")[-1]).read_text()
        )
        == drawn["board"]
    )
    assert variant.fingerprint() != find_variant(game).fingerprint()


def test_what_differs_is_not_filled_in_and_nothing_is_made_up(tmp_path):
    with pytest.raises(InvalidInput, match="differ in all that is unknown"):
        draw_fill_ins([UNSETTLED, f"{UNSETTLED}+p=60"], 1, tmp_path / "r.duckdb", seed=1)
    with pytest.raises(InvalidInput, match="it declares no alternatives"):
        draw_fill_ins([SETTLED, f"{SETTLED}+p=60"], 1, tmp_path / "r.duckdb", seed=1)
    with pytest.raises(InvalidInput, match="two variants, not 3"):
        check_robustness(*[UNSETTLED] * 3, count=2, db=tmp_path / "r.duckdb")
    with pytest.raises(InvalidInput, match="cannot be written as TOML"):
        format_toml({"places": (1, 2)})


def test_two_questions_at_a_time_are_refused():
    done = CliRunner().invoke(app, ["explain", UNSETTLED, TURNED, "--count", "2"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "No such option: --count" in done.stderr


@pytest.mark.long
def test_the_command_tries_alternatives(tmp_path):
    words = ["alternatives", UNSETTLED, TURNED, "--count", "1", "--players", "2", "--agents", "random"]
    done = CliRunner().invoke(app, [*words, "--matches", "64", "--db", str(tmp_path / "r.duckdb")])
    assert done.exit_code == 0, done.output
    assert "of 1" in done.stdout
