"""A comparison finds what was planted, says so in words, keeps to what it wrote down, and is only looked at the second time."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from analytics import compare
from analytics.metric.metric import Metric, find_metric, metrics
from analytics.questions.compare.compare import STRENGTH_BLOCKS
from analytics.questions.compare.judge import judge
from analytics.questions.report import make_report
from analytics.show.report.html import render
from analytics.show.report.takeaways import takeaways
from analytics.show.terminal.comparison import metrics_tables, show_comparison, show_contrast
from analytics.stats.intervals import Estimate
from analytics.verdict.design import make_design, usual_players
from analytics.verdict.results import Line, RungDifference
from analytics.verdict.terms import make_terms, read_margins, registered
from analytics.verdict.verdicts import DIFFERENT, NONE, SAME, UNKNOWN
from analytics.words import agreement, disagreement, rounded
from boardgames import BadInput, find_variant, matches, simulate
from boardgames.cli import app
from boardgames.experiment.plan import make_plan
from boardgames.game.plugins import installed
from boardgames.store.pairs import pair
from tests.processes import interrupt

P = "tests.truth.p_deterministic:GAME"
SIX = "tests.truth.first_six:GAME"
ROOT = Path(__file__).parent.parent.parent


def run(*words: str) -> SimpleNamespace:
    """The command line, in this process."""
    done = CliRunner().invoke(app, words)
    return SimpleNamespace(returncode=done.exit_code, stdout=done.stdout, stderr=done.stderr)


def line(found, metric: str, part: str = "", place: int = 0) -> Line:
    (one,) = [one for one in found.contrasts[place].lines if (one.metric, one.part) == (metric, part)]
    return one


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("compare") / "results.duckdb"


@pytest.fixture(scope="module")
def planted(file):
    """Skill decides in 60 % of the matches instead of 50: the first seat wins 5 pp more often, in 5 % of the matches."""
    return compare([P, f"{P}+p=60", f"{P}+p=50+strength=9/8/7/6/5"], file, players="2", agents=["random"], blocks=8000)


def test_a_planted_difference_is_found_and_covered(planted):
    first = line(planted, "seat_win_share", "1")
    assert first.verdict == DIFFERENT
    assert first.difference.low <= 0.05 <= first.difference.high
    assert first.low <= 0.05 <= first.high
    assert first.high - first.low > first.difference.high - first.difference.low
    assert first.sentence == "materially different: more by over 1.00 pp"
    assert first.effect == pytest.approx(0.05 / 0.433, abs=0.03)


def test_what_was_not_touched_is_the_same_within_its_margin_but_never_exactly(planted):
    ties = line(planted, "tied_after")
    assert ties.verdict == SAME
    assert ties.low < 0 < ties.high


def test_how_much_was_touched_is_told_first_and_bounded(planted):
    contrast = planted.contrasts[0]
    assert contrast.touched.low <= 0.05 <= contrast.touched.high
    assert contrast.touched_low < contrast.touched.low
    assert contrast.touched_high > contrast.touched.high
    assert line(planted, "seat_win_share", "1").within == pytest.approx(1, abs=0.01)
    assert "touched: " in list(show_contrast(contrast))[1]


def test_shared_luck_saves_matches(planted):
    first = line(planted, "seat_win_share", "1")
    separate = (0.75 * 0.25 + 0.8 * 0.2) / (0.05 * 0.95)
    assert first.pairing == pytest.approx(separate, rel=0.15)
    assert planted.contrasts[0].saved > planted.contrasts[0].matches


def test_other_numbers_with_the_same_meaning_are_other_rules_but_change_nothing(planted):
    contrast = planted.contrasts[1]
    assert not contrast.same_rules
    assert contrast.touched.mean == 0
    share = line(planted, "seat_win_share", "1", 1)
    assert share.low < 0 < share.high
    assert share.verdict == SAME


def test_equal_rules_are_said_to_be_the_same_at_once(tmp_path):
    magpies = "tests.truth.card_game:GAME"  # these differ with four players alone
    found = compare([magpies, f"{magpies}+hand_size=5/5/6"], tmp_path / "same.duckdb", players="2", agents=["random"])
    assert found.contrasts[0].same_rules
    assert found.played == 0
    assert compare([P, f"{P}+p=50"], tmp_path / "said.duckdb", agents=["random"]).contrasts[0].same_rules
    assert "the same rules" in "".join(map(str, show_comparison(found)))


def test_the_second_time_it_is_only_looked_at_and_more_plays_on(file, planted):
    specs = [P, f"{P}+p=60", f"{P}+p=50+strength=9/8/7/6/5"]
    again = compare(specs, file, players="2")
    assert again.played == 0
    assert again.contrasts[0].matches == 8000
    assert again.agents == ("random",)
    more = compare(specs, file, players="2", more=True, minutes=0.01)
    assert more.played > 0
    assert more.contrasts[0].matches > 8000


def test_terms_are_written_before_the_first_match_and_a_change_is_shown(tmp_path):
    path, specs = tmp_path / "terms.duckdb", [P, f"{P}+p=55"]
    compare(specs, path, players="2", agents=["random"], blocks=200)
    found = compare(specs, path, players="2", primaries=["length"], margins={"length": 1.0})
    first, second = found.registered
    assert (first.matches_before, second.matches_before) == (0, 400)
    assert first.terms.primaries != second.terms.primaries == ("length",)
    told = "\n".join(map(str, show_comparison(found)))
    assert "after 400 matches: primaries seat_win_share, tied_after" in told
    assert "margin of length 3 % of A -> 1 turns" in told
    assert registered(path, make_design(specs, "2", ["random"]).number) == list(found.registered)


def test_two_player_counts_share_the_chance_to_be_wrong(tmp_path):
    path = tmp_path / "counts.duckdb"
    found = compare([P, f"{P}+p=60"], path, players="2,3", agents=["random"], blocks=1200, primaries=["seat_win_share"])
    alone = judge(make_design([P, f"{P}+p=60"], "2", ["random"]), path, found.terms)
    wide, narrow = line(found, "seat_win_share", "1"), line(alone, "seat_win_share", "1")
    assert wide.high - wide.low > narrow.high - narrow.low
    assert [contrast.players for contrast in found.contrasts] == [2, 3]


# ---- rungs


def test_rungs_are_compared_in_sign_and_duels_show_the_player(tmp_path):
    magpies = "tests.truth.card_game:GAME"
    found = compare(
        [magpies, f"{magpies}+hand_size=6"], tmp_path / "rungs.duckdb", players="2", agents=["random", "greedy"], blocks=600
    )
    (rung,) = line(found, "length").rungs
    assert rung.agent == "greedy"
    assert rung.difference.blocks == 600
    assert line(found, "length").agreement in ("holds at all rungs", "only by random", "greedy cannot tell yet")
    (duel,) = found.contrasts[0].duels
    assert (duel.strong, duel.weak) == ("greedy", "random")
    stored = matches(
        tmp_path / "rungs.duckdb",
        "SELECT variant, avg(win_share) AS share FROM results WHERE line_up = 'greedy,random' AND agent = 'greedy' GROUP BY ALL",
    )
    wins = {row["variant"]: row["share"] for row in stored.to_pylist()}
    assert (duel.a.mean, duel.b.mean) == pytest.approx((wins["magpies"], wins["magpies+hand_size=6"]))
    assert duel.difference.mean == pytest.approx(wins["magpies+hand_size=6"] - wins["magpies"])
    told = [f"{100 * share:.1f}%" for share in (duel.a.mean, duel.b.mean)]
    assert f"greedy wins {told[0]} of its matches against random in A and {told[1]} in B (an equal share is 50.0%)" in duel.sentence


def duels_of_pig(path: Path, blocks: int) -> tuple[int, int]:
    """Stored matches of each variant by the agent that was asked for, and in the duel that nobody asked for."""
    specs = ["tests.truth.pig:GAME+target=30", "tests.truth.pig:GAME+target=40"]
    compare(specs, path, players="3", agents=["greedy"], blocks=blocks)
    query = "SELECT line_up, max(matches) AS most, min(matches) AS least FROM cells GROUP BY ALL"
    counts = {row["line_up"]: row for row in matches(path, query).to_pylist()}
    assert all(row["most"] == row["least"] for row in counts.values())
    return counts["greedy"]["most"], counts["greedy,random,random"]["most"]


def test_strength_is_measured_once_and_takes_fewer_matches_than_the_question(tmp_path):
    path = tmp_path / "strength.duckdb"
    assert duels_of_pig(path, 30) == (30, 30)
    assert duels_of_pig(path, 400) == (400, 3 * STRENGTH_BLOCKS)
    assert duels_of_pig(path, 500) == (500, 3 * STRENGTH_BLOCKS)


def test_a_duel_that_has_its_matches_is_not_played_on_while_the_question_is(tmp_path):
    path = tmp_path / "time.duckdb"
    specs = ["tests.truth.pig:GAME+target=30", "tests.truth.pig:GAME+target=40"]
    asked = {"players": "2", "agents": ["random", "greedy"]}
    compare(specs, path, **asked, blocks=2 * STRENGTH_BLOCKS)
    compare(specs, path, **asked, minutes=0.02, more=True)
    cells = matches(path, "SELECT line_up, max(matches) AS n FROM cells GROUP BY ALL").to_pylist()
    counts = {row["line_up"]: row["n"] for row in cells}
    assert counts["greedy,random"] == 2 * STRENGTH_BLOCKS
    assert min(counts["random"], counts["greedy"]) > 2 * STRENGTH_BLOCKS


def estimate(mean: float, half: float) -> Estimate:
    return Estimate(mean, mean - half, mean + half, 100)


@pytest.mark.parametrize(
    ("first", "other", "gap", "told"),
    [
        (5, 4, 1, "holds at all rungs"),
        (5, -4, 9, "flips: stronger players turn it round"),
        (5, 0, 5, "only by greedy"),
        (5, 0, 0.5, "mcts:64 cannot tell yet"),
        (5, 1.2, 3.8, "only by greedy"),
        (0, 5, 5, "only by mcts:64"),
        (0, 0, 0, "no clear difference at any rung"),
    ],
)
def test_what_becomes_of_a_difference_with_stronger_players_is_said_in_words(first, other, gap, told):
    rung = RungDifference("mcts:64", estimate(other, 1), estimate(gap, 1))
    assert agreement("greedy", estimate(first, 1), [rung]) == told


@pytest.fixture(scope="module")
def contrary(tmp_path_factory):
    """Who must hold at 8 is quicker than a random player of Pig, and slower than a greedy one."""
    path = tmp_path_factory.mktemp("contrary") / "pig.duckdb"
    specs = ["tests.truth.pig:GAME+target=30", "tests.truth.pig:GAME+target=30+hold_at=8"]
    return specs, path, compare(specs, path, players="2", agents=["random", "greedy"], blocks=1100, duels=False)


def test_a_verdict_that_a_stronger_player_contradicts_begins_with_that(contrary):
    _, _, found = contrary
    length = line(found, "length")
    assert (length.verdict, length.difference.high < 0, length.rungs[0].difference.low > 0) == (DIFFERENT, True, True)
    assert length.sentence.startswith("The players disagree: less with random, more with greedy. With random: materially different")
    assert line(found, "decisions").disagreement
    assert not line(found, "tied_after").sentence.startswith("The players disagree")


def test_a_report_on_the_same_file_says_so_too(contrary):
    specs, path, _ = contrary
    made = make_report(specs, path, players="2", agents=["random", "greedy"], blocks=1100)
    _, _, (_, told) = takeaways(made)
    start = "The players disagree about length: less with random, more with greedy. With random it is lower: "
    assert [one for one in told if one.startswith(start)], told
    assert "The players disagree: less with random, more with greedy." in render(made)


@pytest.mark.parametrize(
    ("first", "other", "apart", "told"),
    [
        ((5, 1), (-4, 1), "more with greedy, less with mcts:64", "flips: stronger players turn it round"),
        ((-5, 1), (1.2, 1), "less with greedy, more with mcts:64", "the players disagree so far"),
        ((5, 1), (-0.9, 1), "", "mcts:64 cannot tell yet"),
        ((5, 1), (-4, 0), "", "flips: stronger players turn it round"),
    ],
)
def test_players_disagree_where_their_intervals_point_in_opposite_directions(first, other, apart, told):
    rung = RungDifference("mcts:64", estimate(*other), estimate(0, 9))
    assert disagreement("greedy", estimate(*first), [rung]) == apart
    assert agreement("greedy", estimate(*first), [rung]) == told


# ---- what is listed by name


def test_each_other_metric_is_listed_once_under_what_is_least_known_of_it(planted):
    one = line(planted, "end_reason", "settled")
    verdicts = {"a": [SAME, UNKNOWN, SAME], "b": [SAME, DIFFERENT], "c": [UNKNOWN], "d": [NONE, SAME], "e": [SAME]}
    lines = [replace(one, metric=name, part=str(n), verdict=v) for name, of in verdicts.items() for n, v in enumerate(of)]
    told = [
        text.strip() for text in metrics_tables(replace(planted.contrasts[0], lines=tuple(lines)), False) if isinstance(text, str)
    ]
    assert told == [
        "the same within their margins: b, e",
        "not yet known: a (1 of 3 parts), c",
        "no verdict, because matches were cut off: d (1 of 2 parts)",
    ]


def test_a_primary_that_no_match_answers_is_told_instead_of_an_empty_table(tmp_path):
    words = ["--players", "2", "--agents", "random", "--agents", "greedy", "--blocks", "64", "--into", str(tmp_path / "p.duckdb")]
    done = run("compare", P, f"{P}+p=60", *words, "--primary", "usage", "--primary", "skill_edge")
    assert done.returncode == 0, done.stderr
    assert "Primaries" not in done.stdout.replace("primaries and margins", "")
    shown = " ".join(done.stdout.split())
    assert "usage has no answer here: no stored match of both variants has such a value" in shown
    assert "skill_edge has no answer here: it takes different agents at one table" in shown


# ---- bad input


def test_an_unknown_variant_or_metric_is_told_with_the_nearest_names(file):
    done = run("compare", f"{P}+q=60", P, "--into", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert "no parameter 'q'" in done.stderr
    done = run("compare", P, f"{P}+p=60", "--primary", "lenght", "--into", str(file))
    assert done.returncode == 2
    assert "did you mean length" in done.stderr


@pytest.mark.parametrize(
    ("specs", "more", "told"),
    [
        ([P], {}, "name at least two variants"),
        ([P, P], {}, "named twice"),
        ([P, f"{P}+p=60"], {"agents": ["random,random"]}, "is a line-up"),
        ([P, f"{P}+p=60"], {"players": "7"}, "it is for 2 to 5 players"),
        ([P, f"{P}+p=60"], {"primaries": ["win_lift"]}, "gives no verdict"),
        ([P, f"{P}+p=60"], {"margins": {"length": -1.0}}, "above 0"),
        ([P, f"{P}+p=60"], {"primaries": list(metrics())[:7]}, "at most 6"),
        ([P, SIX], {}, "share no luck.*--unpaired"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_a_sentence(tmp_path, specs, more, told):
    path = tmp_path / "none.duckdb"
    with pytest.raises(BadInput, match=told):
        compare(specs, path, **{"agents": ["random"], **more})
    assert not path.exists()


def test_games_without_common_luck_are_compared_as_independent_matches_if_asked(tmp_path):
    found = compare([SIX, P], tmp_path / "two.duckdb", players="2", agents=["random"], blocks=1500, unpaired=True)
    assert not found.contrasts[0].paired
    assert found.contrasts[0].touched is None
    length = line(found, "length")
    assert length.verdict == DIFFERENT
    assert length.difference.low <= 2 - 6 <= length.difference.high
    assert "branching_mean" not in {one.metric for one in found.contrasts[0].lines}


def test_cells_of_other_luck_or_other_players_are_not_paired(tmp_path):
    path = tmp_path / "seeds.duckdb"
    plans = [make_plan([P], "2", ["random"], 10, seed) for seed in (1, 2)] + [make_plan([P], "2", ["greedy"], 10, 1)]
    for plan in plans:
        simulate(plan, path)
    a, b, c = (plan.cells[0].id for plan in plans)
    with pytest.raises(BadInput, match="no shared luck: they differ in the master seed"):
        pair(path, a, b)
    with pytest.raises(BadInput, match="their agents, or the agents' code"):
        pair(path, a, c)


def test_matches_of_other_rules_under_the_same_name_are_left_out_and_that_is_said(tmp_path):
    path, other = tmp_path / "old.duckdb", tmp_path / "other.py"
    lines = [
        "from dataclasses import replace",
        "from tests.truth.p_deterministic import GAME",
        "MINE = replace(GAME, name='mine', cap={})",
    ]
    for cap in (500, 600):  # a new version of the game: its fingerprint is another
        other.with_stem(f"v{cap}").write_text("\n".join(lines).format(cap))
        spec = f"{tmp_path}/v{cap}.py:MINE"
        found = compare([spec, f"{spec}+p=60"], path, players="2", agents=["random"], blocks=50, duels=False)
    assert found.contrasts[0].blocks == 50
    assert found.contrasts[0].notes == (
        "100 stored matches of the same names are left out: their rules, agents or engine were others",
    )


def test_too_few_blocks_are_told_with_how_many_are_needed(tmp_path):
    found = compare([P, f"{P}+p=60"], tmp_path / "one.duckdb", players="2", agents=["random"], blocks=1)
    assert found.contrasts[0].notes == ("one block gives no interval: 2 are needed",)
    found = compare([P, f"{P}+p=60"], tmp_path / "few.duckdb", players="2", agents=["random"], blocks=100)
    assert (
        "needs 512 blocks"
        in run("compare", P, f"{P}+p=60", "--players", "2", "--all", "--into", str(tmp_path / "few.duckdb")).stdout
    )


def test_matches_that_were_cut_off_forbid_a_verdict_on_length(tmp_path):
    (tmp_path / "hasty.py").write_text(
        "from dataclasses import replace\nfrom tests.truth.pig import GAME\nHASTY = replace(GAME, name='hasty', cap=60)\n"
    )
    spec = f"{tmp_path}/hasty.py:HASTY"
    found = compare([spec, f"{spec}+target=90"], tmp_path / "hasty.duckdb", players="2", agents=["random"], blocks=100, duels=False)
    assert line(found, "length").verdict == NONE
    assert "were cut off before their end" in line(found, "length").sentence
    assert line(found, "tied_after").verdict != NONE


def test_margins_are_read_in_the_units_of_their_metrics():
    assert read_margins(["length=2", "seat_win_share=0.5pp", "tied_after=1"]) == {
        "length": 2,
        "seat_win_share": 0.005,
        "tied_after": 0.01,
    }
    for text in ("length", "length=two", "length=2pp"):
        with pytest.raises(BadInput, match=rf"^margin '{text}': write length=2 \(turns\)$"):
            read_margins([text])
    with pytest.raises(BadInput, match=r"write tied_after=0\.5 for half a percentage point$"):
        read_margins(["tied_after"])
    assert make_terms(["greedy"], "x").in_words(find_metric("length")) == "3 % of A"


# ---- the command


def test_the_command_says_its_defaults_first_and_the_answer_as_data(file, planted):
    words = ["compare", P, f"{P}+p=60", f"{P}+p=50+strength=9/8/7/6/5", "--players", "2", "--into", str(file)]
    done = run(*words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[2] == "   percent of the matches that skill decides: 50 -> 60 (p)"
    assert "primaries and margins, written down before the first match: seat_win_share 1 pp" in done.stdout
    assert "materially different" in done.stdout
    assert "--more plays on" in done.stdout
    told = json.loads(run(*words, "--json").stdout)
    assert told["contrasts"][0]["touched"]["mean"] == pytest.approx(0.05, abs=0.02)
    assert {one["verdict"] for one in told["contrasts"][0]["lines"]} >= {SAME, DIFFERENT}


def test_ctrl_c_stores_what_was_played_and_says_how_to_go_on(tmp_path):
    path = tmp_path / "stopped.duckdb"
    words = ["compare", P, f"{P}+p=60", "--players", "2", "--agents", "random", "--blocks", "10000000", "--into", str(path)]
    process = subprocess.Popen([sys.executable, "-m", "boardgames", *words], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    assert "to go on: add --more" in interrupt(process, path)
    assert compare([P, f"{P}+p=60"], path, players="2").contrasts[0].matches > 0


def test_metrics_are_listed_and_explained_by_the_command():
    done = run("metrics")
    assert done.returncode == 0
    assert "How often does each seat win?" in done.stdout
    assert "FROM slice WHERE value = 'turns'" in run("metrics", "length").stdout
    assert run("metrics", "lenght").returncode == 2
    assert {one["name"] for one in json.loads(run("metrics", "--json").stdout)} == set(metrics())


# ---- more metrics


def test_another_package_adds_a_metric_by_an_entry_point(tmp_path, monkeypatch):
    package = tmp_path / "widest-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: widest\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[boardgames.metrics]\nwidest = widest_metric:WIDEST\n")
    sql = "SELECT cell_id, '' AS part, slice, blocks, total, squares FROM slice WHERE value = 'widest'"
    (tmp_path / "widest_metric.py").write_text(
        "from analytics import Metric\n"
        f'WIDEST = Metric("widest", "pace", "How many?", "actions", "more", "1 and more", 0.5, definition="""{sql}""")\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    metrics.cache_clear()
    installed.cache_clear()
    try:
        assert isinstance(find_metric("widest"), Metric)
        found = compare([P, f"{P}+p=60"], tmp_path / "plugged.duckdb", players="2", agents=["random"], blocks=20, duels=False)
        assert line(found, "widest").a.mean == 1
    finally:
        monkeypatch.undo()
        metrics.cache_clear()
        installed.cache_clear()


def test_the_usual_player_count_is_the_middle_one_that_all_allow():
    assert usual_players([find_variant(P)]) == 3
    assert usual_players([find_variant(P), find_variant("tests.truth.tic_tac_toe:GAME")]) == 2


def test_forecasts_are_rounded_up_to_two_digits():
    assert [rounded(n) for n in (7, 123, 4321, 1_000_001)] == ["7", "130", "4,400", "1,100,000"]


def test_reading_ten_million_matches_needs_no_rows():
    """The queries of the metrics name the slices alone, except the one that screens components."""
    for metric in metrics().values():
        assert ("FROM seat" in metric.sql) == (metric.kind == "rows")
