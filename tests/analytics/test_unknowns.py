"""A verdict is tried over what nobody has documented, and how often it holds is said with an interval."""

import random
import tomllib

import pytest
from typer.testing import CliRunner

from analytics.questions.alternatives import as_toml, fill_ins, over_unknowns
from analytics.show.terminal.alternatives import show_unknowns
from boardgames import BadInput, find_variant
from boardgames.cli import app

UNSETTLED = "tests.analytics.unsettled:GAME"
SETTLED = "tests.truth.p_deterministic:GAME"
TURNED = f"{UNSETTLED}+strength=1/2/3/4/5"  # the other seat is stronger


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    path = tmp_path_factory.mktemp("unknowns") / "p.duckdb"
    asked = {"players": "2", "agents": ["random"], "primaries": ["seat_win_share", "tied_after"]}
    return over_unknowns([UNSETTLED, TURNED], 3, path, blocks=1100, **asked)


def test_the_verdict_holds_where_skill_decides_at_all(tried):
    """Where p is 0 skill never decides, and who is stronger is nothing."""
    (share,) = [one for one in tried.held if (one.metric, one.part) == ("seat_win_share", "1")]
    skilful = [find_variant(spec).values["p"] > 0 for spec in tried.fill_ins]
    assert 0 < sum(skilful) < 3
    assert (share.says, share.holds, share.tried) == ("materially less", sum(skilful), 3)
    assert share.share.low < share.holds / 3 < share.share.high
    assert share.lowest < share.highest


def test_what_is_the_same_everywhere_holds_everywhere_but_not_surely(tried):
    (ties,) = [one for one in tried.held if one.metric == "tied_after"]
    assert (ties.says, ties.holds) == ("the same", 3)
    assert ties.share.low < 0.5


def test_all_matches_of_all_fill_ins_are_counted(tried):
    different = {find_variant(spec).name for spec in (UNSETTLED, *tried.fill_ins)}
    assert tried.played == 2 * 1100 * len(different)


def test_it_is_shown_in_words(tried):
    first, _, last = show_unknowns(tried)
    assert "over 3 random fill-ins of what is not documented" in first
    assert "with 95 %" in last


def test_what_is_not_known_yet_cannot_hold(tmp_path):
    found = over_unknowns([UNSETTLED, TURNED], 1, tmp_path / "few.duckdb", blocks=20, players="2", agents=["random"])
    shares = [one for one in found.held if one.metric == "seat_win_share"]
    assert [(one.says, one.claims, one.holds) for one in shares] == [("not yet known", False, 0)] * 2


@pytest.mark.parametrize("game", ["celtica", "celtae"])
def test_boards_become_files_that_read_the_same(game, tmp_path):
    (pair,) = fill_ins([game, game], 1, tmp_path / "r.duckdb", seed=3)
    drawn = find_variant(game).game.fill_in(random.Random("3/1"))
    found = find_variant(pair[0])
    assert tomllib.loads((tmp_path / "r-unknowns").joinpath(found.values["board"].split("/")[-1]).read_text()) == drawn["board"]
    assert found.fingerprint() != find_variant(game).fingerprint()


def test_what_differs_is_not_filled_in_and_nothing_is_made_up(tmp_path):
    with pytest.raises(BadInput, match="differ in all that is unknown"):
        fill_ins([UNSETTLED, f"{UNSETTLED}+p=60"], 1, tmp_path / "r.duckdb", seed=1)
    with pytest.raises(BadInput, match="it declares no unknowns"):
        fill_ins([SETTLED, f"{SETTLED}+p=60"], 1, tmp_path / "r.duckdb", seed=1)
    with pytest.raises(BadInput, match="two variants, not 3"):
        over_unknowns([UNSETTLED] * 3, 2, tmp_path / "r.duckdb")
    with pytest.raises(BadInput, match="cannot be written as TOML"):
        as_toml({"places": (1, 2)})


def test_two_questions_at_a_time_are_refused():
    done = CliRunner().invoke(app, ["compare", UNSETTLED, TURNED, "--explain", "--over-unknowns", "2"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "ask one at a time" in done.stderr
