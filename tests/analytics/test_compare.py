"""A comparison finds what was planted, says so in words, keeps to what it wrote down, and is only looked at
the second time.
"""

import inspect
import json
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from analytics import compare
from analytics.metric.metric import Metric, find_metric, metrics
from analytics.questions.compare.compare import STRENGTH_DEALS
from analytics.questions.compare.conclusions import conclude, describe_verdict
from analytics.questions.compare.judge import judge, judge_for_page
from analytics.questions.goals.check import check_goals
from analytics.questions.report import make_report
from analytics.show.report.html import render
from analytics.show.report.takeaways import summarize
from analytics.show.terminal.comparison import make_metrics_tables, show_comparison, show_contrast
from analytics.stats.intervals import Estimate
from analytics.target import read_thresholds
from analytics.verdict.design import find_usual_player_count, make_design
from analytics.verdict.preregistration import Preregistration
from analytics.verdict.results import AgentDifference, Line
from analytics.verdict.terms import make_terms, preregister_terms
from analytics.verdict.verdicts import DIFFERENT, NONE, SAME, UNCLEAR, UNKNOWN
from analytics.words import describe_agreement, describe_disagreement, format_rounded
from boardgames import InvalidInput, derive, find_variant, query, run_plan, simulate
from boardgames.errors import NotPlayable
from boardgames.game.plugins import find_entry_points
from boardgames.plan.plan import make_plan
from boardgames.store.pairs import update_pair
from tests.support.processes import interrupt

P = "tests.truth.p_deterministic:GAME"
SIX = "tests.truth.first_six:GAME"
ROOT = Path(__file__).parent.parent.parent


def find_line(comparison, metric: str, part: str = "", index: int = 0) -> Line:
    (line,) = [
        line for line in comparison.contrasts[index].lines if (line.metric, line.part) == (metric, part)
    ]
    return line


@pytest.fixture(scope="module")
def db(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("compare") / "results.duckdb"


@pytest.fixture(scope="module")
def planted_comparison(db):
    """Skill decides in 60 % of the matches instead of 50: the first seat wins 5 pp more often, in 5 % of the
    matches.
    """
    return compare(
        P, f"{P}+p=60", f"{P}+p=50+strength=9/8/7/6/5", db=db, players="2", agents=["random"], matches=8000
    )


def test_a_planted_difference_is_found_and_covered(planted_comparison):
    first = find_line(planted_comparison, "seat_win_share", "1")
    assert first.verdict == DIFFERENT
    assert first.difference.low <= 0.05 <= first.difference.high
    assert first.low <= 0.05 <= first.high
    assert first.high - first.low > first.difference.high - first.difference.low
    (sentence,) = [text for text in conclude(planted_comparison.contrasts[0]) if text.startswith("Seat 1")]
    assert sentence.startswith("Seat 1 wins more often: ")
    assert sentence.endswith("Big enough to matter (threshold: 1.00 percentage points).")
    assert describe_verdict(first) == "higher"
    assert first.effect == pytest.approx(0.05 / 0.433, abs=0.03)


def test_what_was_not_affected_is_the_same_within_its_threshold_but_never_exactly(planted_comparison):
    ties = find_line(planted_comparison, "tied_after")
    assert ties.verdict == SAME
    assert ties.low < 0 < ties.high


def test_a_difference_of_0_in_every_deal_may_lie_on_either_side(planted_comparison):
    ties = find_line(planted_comparison, "tied_after").difference
    assert ties.mean == 0
    assert -ties.low == ties.high > 0


def test_how_much_was_affected_comes_first_and_is_bounded(planted_comparison):
    contrast = planted_comparison.contrasts[0]
    assert contrast.affected.low <= 0.05 <= contrast.affected.high
    assert contrast.affected_low < contrast.affected.low
    assert contrast.affected_high > contrast.affected.high
    assert find_line(planted_comparison, "seat_win_share", "1").within == pytest.approx(1, abs=0.01)
    low, high = (f"{100 * end:.2f}" for end in (contrast.affected_low, contrast.affected_high))
    sentence = f"of the matches ({low} to {high}%)."
    assert any(sentence in str(part) for part in show_contrast(contrast))


def test_shared_luck_saves_matches(planted_comparison):
    first = find_line(planted_comparison, "seat_win_share", "1")
    separate = (0.75 * 0.25 + 0.8 * 0.2) / (0.05 * 0.95)
    assert first.pairing == pytest.approx(separate, rel=0.15)
    assert planted_comparison.contrasts[0].saved > planted_comparison.contrasts[0].matches


def test_other_numbers_with_the_same_meaning_are_other_rules_but_change_nothing(planted_comparison):
    contrast = planted_comparison.contrasts[1]
    assert not contrast.same_rules
    assert contrast.affected.mean == 0
    share = find_line(planted_comparison, "seat_win_share", "1", 1)
    assert share.low < 0 < share.high
    assert share.verdict == SAME


def test_equal_rules_are_said_to_be_the_same_at_once(tmp_path):
    magpies = "magpies"  # these differ with four players alone
    comparison = compare(
        magpies, f"{magpies}+hand_size=5/5/6", db=tmp_path / "same.duckdb", players="2", agents=["random"]
    )
    assert comparison.contrasts[0].same_rules
    assert comparison.played == 0
    assert compare(P, f"{P}+p=50", db=tmp_path / "said.duckdb", agents=["random"]).contrasts[0].same_rules
    assert "the same rules" in "".join(map(str, show_comparison(comparison)))


def test_the_second_time_it_is_only_looked_at_and_more_plays_on(db, planted_comparison):
    specs = [P, f"{P}+p=60", f"{P}+p=50+strength=9/8/7/6/5"]
    again = compare(*specs, db=db, players="2")
    assert again.played == 0
    assert again.contrasts[0].matches == 8000
    assert again.agents == ("random",)
    more = compare(*specs, db=db, players="2", more=True, minutes=0.01)
    assert more.played > 0
    assert more.contrasts[0].matches > 8000


def test_terms_are_written_before_the_first_match_and_a_change_is_shown(tmp_path):
    db, specs = tmp_path / "terms.duckdb", [P, f"{P}+p=55"]
    compare(*specs, db=db, players="2", agents=["random"], matches=200)
    comparison = compare(*specs, db=db, players="2", main_metrics=["length"], thresholds={"length": 1.0})
    first, second = comparison.registered
    assert (first.matches_before, second.matches_before) == (0, 400)
    assert first.terms.main_metrics != second.terms.main_metrics == ("length",)
    output = "\n".join(map(str, show_comparison(comparison)))
    assert "after 400 matches: main metrics seat_win_share, tied_after" in output
    assert "threshold of length 3% of the baseline -> 1 turns" in output
    assert preregister_terms(db, make_design(specs, "2", ["random"]).id).list_versions() == list(
        comparison.registered
    )


def test_two_player_counts_share_the_chance_to_be_wrong(tmp_path):
    db = tmp_path / "counts.duckdb"
    comparison = compare(
        P, f"{P}+p=60", db=db, players="2,3", agents=["random"], matches=1200, main_metrics=["seat_win_share"]
    )
    alone = judge(make_design([P, f"{P}+p=60"], "2", ["random"]), db, comparison.terms)
    wide, narrow = find_line(comparison, "seat_win_share", "1"), find_line(alone, "seat_win_share", "1")
    assert wide.high - wide.low > narrow.high - narrow.low
    assert [contrast.players for contrast in comparison.contrasts] == [2, 3]


def test_a_page_gets_what_the_terminal_says_from_a_file_without_sums_and_stores_nothing(tmp_path):
    db, specs = tmp_path / "page.duckdb", [P, f"{P}+p=55", f"{P}+p=60"]
    simulate(*specs, db=db, players="2", agents=["random"], matches=200)
    design = make_design(specs, "2", ["random"], head_to_heads=False)
    before = db.read_bytes()
    for_page = judge_for_page(design, db, make_terms(["random"]), 2)
    assert db.read_bytes() == before
    for_terminal = judge(design, db, make_terms(["random"])).contrasts
    assert [list(conclude(contrast)) for contrast in for_page] == [
        list(conclude(contrast)) for contrast in for_terminal
    ]
    assert repr([contrast.lines for contrast in for_page]) == repr([c.lines for c in for_terminal])
    assert db.read_bytes() != before  # the terminal stores what it worked out
    (stored,) = query(db, "SELECT count(*) AS n FROM pair").to_pylist()
    assert stored["n"] > 0


@pytest.mark.parametrize("counts", [(100, 640), (640, 100)])
def test_two_values_differ_by_their_difference_also_where_one_variant_has_more_matches(counts, tmp_path):
    db, specs = tmp_path / "unequal.duckdb", ["pig", "pig+target=90"]
    for spec, matches in zip(specs, counts, strict=True):
        simulate(spec, db=db, players="2", agents=["random"], matches=matches)
    design = make_design(specs, "2", ["random"], head_to_heads=False)
    (contrast,) = judge_for_page(design, db, make_terms(["random"]), 2)
    assert contrast.matches == 100
    lines = [line for line in contrast.lines if line.is_main]
    assert {"length", "seat_win_share", "lead_changes"} <= {line.metric for line in lines}
    for line in lines:
        assert line.b.mean - line.a.mean == pytest.approx(line.difference.mean, abs=1e-9), line.metric
        assert (line.a.deals, line.b.deals) == (100, 100)


# ---- agents


@pytest.mark.long
def test_agents_are_compared_in_sign_and_head_to_heads_show_the_player(tmp_path):
    magpies = "magpies"
    comparison = compare(
        magpies,
        f"{magpies}+hand_size=6",
        db=tmp_path / "rungs.duckdb",
        players="2",
        agents=["random", "greedy"],
        matches=600,
    )
    (other_agent,) = find_line(comparison, "length").other_agents
    assert other_agent.agent == "greedy"
    assert other_agent.difference.deals == 600
    assert find_line(comparison, "length").agreement in (
        "holds with all agents",
        "only with random",
        "greedy cannot tell yet",
    )
    (head_to_head,) = comparison.contrasts[0].head_to_heads
    assert (head_to_head.strong, head_to_head.weak) == ("greedy", "random")
    stored = query(
        tmp_path / "rungs.duckdb",
        "SELECT variant, avg(win_share) AS share FROM results WHERE line_up = 'greedy,random'"
        " AND agent = 'greedy' GROUP BY ALL",
    )
    wins = {row["variant"]: row["share"] for row in stored.to_pylist()}
    assert (head_to_head.a.mean, head_to_head.b.mean) == pytest.approx(
        (wins["magpies"], wins["magpies+hand_size=6"])
    )
    assert head_to_head.difference.mean == pytest.approx(wins["magpies+hand_size=6"] - wins["magpies"])
    output = [f"{100 * share:.1f}%" for share in (head_to_head.a.mean, head_to_head.b.mean)]
    assert (
        f"greedy wins {output[0]} of its matches against random in A and {output[1]} in B, "
        "where 50% is an equal share" in head_to_head.sentence
    )


def compare_pig(db: Path, deals: int) -> tuple[int, int]:
    """Stored matches of each variant by the agent that was asked for, and in the head_to_head that nobody
    asked for.
    """
    specs = ["pig+target=30", "pig+target=40"]
    compare(*specs, db=db, players="3", agents=["greedy"], matches=deals)
    sql = "SELECT line_up, max(matches) AS most, min(matches) AS least FROM cells GROUP BY ALL"
    counts = {row["line_up"]: row for row in query(db, sql).to_pylist()}
    assert all(row["most"] == row["least"] for row in counts.values())
    return counts["greedy"]["most"], counts["greedy,random,random"]["most"]


@pytest.mark.long
def test_strength_is_measured_once_and_takes_fewer_matches_than_the_question(tmp_path):
    db = tmp_path / "strength.duckdb"
    assert compare_pig(db, 30) == (30, 30)
    assert compare_pig(db, 400) == (400, 3 * STRENGTH_DEALS)
    assert compare_pig(db, 500) == (500, 3 * STRENGTH_DEALS)


@pytest.mark.long
def test_a_head_to_head_that_has_its_matches_is_not_played_on_while_the_question_is(tmp_path):
    db = tmp_path / "time.duckdb"
    specs = ["pig+target=30", "pig+target=40"]
    asked = {"players": "2", "agents": ["random", "greedy"]}
    compare(*specs, db=db, **asked, matches=2 * STRENGTH_DEALS)
    compare(*specs, db=db, **asked, minutes=0.02, more=True)
    cells = query(db, "SELECT line_up, max(matches) AS n FROM cells GROUP BY ALL").to_pylist()
    counts = {row["line_up"]: row["n"] for row in cells}
    assert counts["greedy,random"] == 2 * STRENGTH_DEALS
    assert min(counts["random"], counts["greedy"]) > 2 * STRENGTH_DEALS


def make_estimate(mean: float, half: float) -> Estimate:
    return Estimate(mean, mean - half, mean + half, 100)


@pytest.mark.parametrize(
    ("first", "other", "gap", "message"),
    [
        (5, 4, 1, "holds with all agents"),
        (5, -4, 9, "flips: stronger agents turn it round"),
        (5, 0, 5, "only with greedy"),
        (5, 0, 0.5, "mcts:64 cannot tell yet"),
        (5, 1.2, 3.8, "only with greedy"),
        (0, 5, 5, "only with mcts:64"),
        (0, 0, 0, "no clear difference with any agent"),
    ],
)
def test_what_becomes_of_a_difference_with_stronger_players_is_said_in_words(first, other, gap, message):
    other_agent = AgentDifference("mcts:64", make_estimate(other, 1), make_estimate(gap, 1))
    assert describe_agreement("greedy", make_estimate(first, 1), [other_agent]) == message


def test_each_other_agent_says_at_the_end_what_it_confirms_and_what_it_cannot_tell(planted_comparison):
    contrast = planted_comparison.contrasts[0]
    line = find_line(planted_comparison, "seat_win_share", "1")

    def add_agents(line, *shifts):
        agents = [
            AgentDifference(agent, make_estimate(shift, 0.1), make_estimate(0, 1))
            for agent, shift in zip(["mcts:64", "mcts:256"], shifts, strict=True)
        ]
        return replace(line, other_agents=tuple(agents))

    lines = [
        add_agents(line, 1, 1),
        add_agents(replace(line, metric="length", part="", threshold=0.01), 1, 0),
        add_agents(replace(line, metric="lead_changes", part="", threshold=0.01), 1, 0),
    ]
    first, *_, last = conclude(replace(contrast, lines=tuple(lines), notes=()))
    assert first.startswith("Seat 1 wins more often")
    assert last == (
        f"The numbers are those of {contrast.agent}. mcts:256 agrees, except that it cannot tell yet about "
        "match length, lead changes. mcts:64 agrees."
    )
    *_, last = conclude(replace(contrast, lines=tuple(lines[1:2]), notes=()))
    assert "mcts:256 cannot tell yet whether it is so with it, too. mcts:64 agrees." in last


@pytest.fixture(scope="module")
def contrary_players(tmp_path_factory):
    """Who must hold at 8 is quicker than a random player of Pig, and slower than a greedy one."""
    db = tmp_path_factory.mktemp("contrary") / "pig.duckdb"
    specs = ["pig+target=30", "pig+target=30+hold_at=8"]
    return (
        specs,
        db,
        compare(*specs, db=db, players="2", agents=["random", "greedy"], matches=1100, head_to_heads=False),
    )


def test_a_verdict_that_a_stronger_player_contradicts_begins_with_that(contrary_players):
    _, _, comparison = contrary_players
    length = find_line(comparison, "length")
    assert (length.verdict, length.difference.high < 0, length.other_agents[0].difference.low > 0) == (
        DIFFERENT,
        True,
        True,
    )
    first, *_ = conclude(comparison.contrasts[0])
    assert first == "The agents disagree about match length: higher with greedy, lower with random."
    assert find_line(comparison, "decisions").disagreement
    assert not find_line(comparison, "tied_after").disagreement


@pytest.mark.long
def test_a_report_on_the_same_file_says_so_too(contrary_players):
    specs, db, _ = contrary_players
    made = make_report(*specs, db=db, players="2", agents=["random", "greedy"], matches=1100)
    ((_, output),) = summarize(made)
    assert output[0] == "The agents disagree about match length: higher with greedy, lower with random."
    assert output[0] in render(made)


@pytest.mark.parametrize(
    ("first", "other", "apart", "message"),
    [
        ((5, 1), (-4, 1), "lower with mcts:64, higher with greedy", "flips: stronger agents turn it round"),
        ((-5, 1), (1.2, 1), "higher with mcts:64, lower with greedy", "the agents disagree so far"),
        ((5, 1), (-0.9, 1), "", "mcts:64 cannot tell yet"),
        ((5, 1), (-4, 0), "", "flips: stronger agents turn it round"),
    ],
)
def test_players_disagree_where_their_intervals_point_in_opposite_directions(first, other, apart, message):
    other_agent = AgentDifference("mcts:64", make_estimate(*other), make_estimate(0, 9))
    assert describe_disagreement("greedy", make_estimate(*first), [other_agent]) == apart
    assert describe_agreement("greedy", make_estimate(*first), [other_agent]) == message


@pytest.mark.parametrize(
    ("deals", "other_deals", "is_told"), [(64, 64, True), (63, 640, False), (640, 2, False)]
)
def test_players_disagree_only_after_64_deals_of_each(deals, other_deals, is_told):
    first, other = (
        make_estimate(5, 1)._replace(deals=deals),
        make_estimate(-4, 1)._replace(deals=other_deals),
    )
    others = [AgentDifference("mcts:64", other, make_estimate(0, 9))]
    assert bool(describe_disagreement("greedy", first, others)) == is_told
    assert ("flips" in describe_agreement("greedy", first, others)) == is_told
    assert "disagree" not in describe_agreement("greedy", first, others)


# ---- what is listed by name


def test_a_metric_whose_parts_have_different_verdicts_is_listed_with_its_parts(planted_comparison):
    """Seat 1 differs, seat 2 is the same, seats 3 and 4 are open: no sentence speaks of all of them."""
    contrast = planted_comparison.contrasts[0]
    seat = find_line(planted_comparison, "seat_win_share", "1")
    same = [replace(find_line(planted_comparison, name), verdict=SAME) for name in ("length", "score_level")]
    parts = [
        replace(seat, part=part, verdict=verdict)
        for part, verdict in zip("234", [SAME, UNKNOWN, UNKNOWN], strict=True)
    ]
    wider = replace(seat, part="1", verdict=UNCLEAR)
    sentences = list(conclude(replace(contrast, lines=(seat, *parts, *same), notes=())))
    assert any(text.startswith("Wins by seat (seats 3, 4): no answer yet; ") for text in sentences)
    listed = list(conclude(replace(contrast, lines=(*[wider] * 5, *parts, *same), notes=())))
    titles = "Wins by seat (seat 2), match length, average score"
    assert f"{titles}: about the same. Too small a difference to matter." in listed


def test_each_other_metric_is_listed_once_under_what_is_least_known_of_it(planted_comparison):
    end_line = find_line(planted_comparison, "end_reason", "settled")
    verdicts = {
        "end_reason": [SAME, UNKNOWN, SAME],
        "usage": [SAME, DIFFERENT],
        "tied_after": [UNKNOWN],
        "leader_conversion": [NONE, SAME],
        "length": [SAME],
    }
    lines = [
        replace(end_line, metric=name, part=str(n), verdict=v, problem="matches were cut off")
        for name, of in verdicts.items()
        for n, v in enumerate(of)
    ]
    output = [
        text.strip()
        for text in make_metrics_tables(replace(planted_comparison.contrasts[0], lines=tuple(lines)), False)
        if isinstance(text, str)
    ]
    assert output == [
        "about the same: Tallies, Match length",
        "no answer yet: Endings (1 of 3 parts), Shared wins",
        "no verdict, because matches were cut off: Leaders who win (1 of 2 parts)",
    ]


@pytest.mark.long
def test_a_main_metric_that_no_match_answers_is_reported_instead_of_an_empty_table(tmp_path, run_command):
    words = [
        "--players",
        "2",
        "--agents",
        "random",
        "--agents",
        "greedy",
        "--matches",
        "64",
        "--db",
        str(tmp_path / "p.duckdb"),
    ]
    done = run_command(
        "compare",
        P,
        f"{P}+p=60",
        *words,
        "--main-metric",
        "usage",
        "--main-metric",
        "skill_edge",
        in_process=True,
    )
    assert done.returncode == 0, done.stderr
    assert "Main metrics (" not in done.stdout
    shown = " ".join(done.stdout.split())
    assert "Tallies: no answer here, because no stored match of both variants has such a value" in shown
    assert "Skill edge: no answer here, because it takes different agents at one table" in shown


# ---- bad input


def test_an_unknown_variant_or_metric_is_reported_with_the_nearest_names(db, run_command):
    done = run_command("compare", f"{P}+q=60", P, "--db", str(db), in_process=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no parameter 'q'" in done.stderr
    done = run_command("compare", P, f"{P}+p=60", "--main-metric", "lenght", "--db", str(db), in_process=True)
    assert done.returncode == 2
    assert "did you mean length" in done.stderr


@pytest.mark.parametrize(
    ("specs", "more", "message"),
    [
        ([P], {}, "name at least two variants"),
        ([P, P], {}, "named twice"),
        ([P, f"{P}+p=60"], {"agents": ["random,random"]}, "is a line-up"),
        ([P, f"{P}+p=60"], {"players": "7"}, "it is for 2 to 5 players"),
        ([P, f"{P}+p=60"], {"main_metrics": ["luck"]}, "takes matches of its own"),
        ([P, f"{P}+p=60"], {"thresholds": {"length": -1.0}}, "above 0"),
        ([P, f"{P}+p=60"], {"main_metrics": list(metrics())[:7]}, "at most 6"),
    ],
)
def test_what_cannot_be_compared_is_refused_with_a_sentence(tmp_path, specs, more, message):
    db = tmp_path / "none.duckdb"
    with pytest.raises((InvalidInput, NotPlayable), match=message):
        compare(*specs, db=db, **{"agents": ["random"], **more})
    assert not db.exists()


@pytest.mark.long
def test_games_without_common_luck_are_compared_as_independent_matches_if_asked(tmp_path):
    comparison = compare(SIX, P, db=tmp_path / "two.duckdb", players="2", agents=["random"], matches=1500)
    assert not comparison.contrasts[0].paired
    assert comparison.contrasts[0].affected is None
    length = find_line(comparison, "length")
    assert length.verdict == DIFFERENT
    assert length.difference.low <= 2 - 6 <= length.difference.high
    assert "branching_pooled" not in {result_line.metric for result_line in comparison.contrasts[0].lines}


@pytest.mark.long
def test_cells_of_other_luck_or_other_players_are_not_paired(tmp_path):
    db = tmp_path / "seeds.duckdb"
    plans = [make_plan([P], "2", ["random"], 10, seed) for seed in (1, 2)] + [
        make_plan([P], "2", ["greedy"], 10, 1)
    ]
    for plan in plans:
        run_plan(plan, db)
    a, b, c = (plan.cells[0].id for plan in plans)
    with pytest.raises(InvalidInput, match="no shared luck: they differ in the master seed"):
        update_pair(db, a, b)
    with pytest.raises(InvalidInput, match="their agents, or the agents' code"):
        update_pair(db, a, c)


@pytest.mark.long
def test_matches_of_other_rules_under_the_same_name_are_left_out_and_that_is_said(tmp_path):
    db, other = tmp_path / "old.duckdb", tmp_path / "other.py"
    lines = [
        "from dataclasses import replace",
        "from tests.truth.p_deterministic import GAME",
        "MINE = replace(GAME, name='mine', cap={})",
    ]
    for cap in (500, 600):  # a new version of the game: its fingerprint is another
        other.with_stem(f"v{cap}").write_text("\n".join(lines).format(cap))
        spec = f"{tmp_path}/v{cap}.py:MINE"
        comparison = compare(
            spec, f"{spec}+p=60", db=db, players="2", agents=["random"], matches=50, head_to_heads=False
        )
    assert comparison.contrasts[0].deals == 50
    assert comparison.contrasts[0].notes == (
        "100 stored matches of the same names are left out: their rules, agents or engine were others",
    )


def test_too_few_deals_are_reported_with_how_many_are_needed(tmp_path, run_command):
    comparison = compare(
        P, f"{P}+p=60", db=tmp_path / "one.duckdb", players="2", agents=["random"], matches=1
    )
    assert comparison.contrasts[0].notes == ("one deal gives no interval: 2 are needed",)
    comparison = compare(
        P, f"{P}+p=60", db=tmp_path / "few.duckdb", players="2", agents=["random"], matches=100
    )
    assert (
        "needs 512 deals"
        in run_command(
            "compare",
            P,
            f"{P}+p=60",
            "--players",
            "2",
            "--all",
            "--db",
            str(tmp_path / "few.duckdb"),
            in_process=True,
        ).stdout
    )


def test_points_of_another_game_are_not_compared(tmp_path):
    """Points of pig are others than those of another game; how long matches take means the same in both."""
    db = tmp_path / "two.duckdb"
    options = {"db": db, "players": 2, "agents": "random", "matches": 200, "head_to_heads": False}
    (contrast,) = compare(P, "pig", **options).contrasts
    for line in contrast.lines:
        assert line.is_comparable == (line.unit != "points")
        assert line.is_comparable or line.verdict == NONE
    sentences = [*conclude(contrast)]
    reason = "no verdict, because p-deterministic and pig count different points."
    assert f"Winning margin, average score: {reason}" in sentences
    assert not any("core" in text for text in sentences if reason not in text)
    assert any(text.startswith("Matches are longer") for text in sentences)


def test_points_of_variants_and_derived_games_are_compared():
    pig, keltis = find_variant("pig").game, find_variant("keltis").game
    child = derive(derive(pig, "sow", standing=pig.standing), "piglet", standing=pig.standing)
    assert pig.has_points_of(pig)
    assert child.has_points_of(pig)
    assert pig.has_points_of(child)
    assert not child.has_points_of(keltis)


@pytest.mark.long
def test_matches_that_were_cut_off_forbid_a_verdict_on_length(tmp_path):
    (tmp_path / "hasty.py").write_text(
        "from dataclasses import replace\nfrom boardgames.examples.pig import GAME\nHASTY ="
        " replace(GAME, name='hasty', cap=60)\n"
    )
    spec = f"{tmp_path}/hasty.py:HASTY"
    comparison = compare(
        spec,
        f"{spec}+target=90",
        db=tmp_path / "hasty.duckdb",
        players="2",
        agents=["random"],
        matches=100,
        head_to_heads=False,
    )
    assert find_line(comparison, "length").verdict == NONE
    assert "were cut off before their end" in find_line(comparison, "length").problem
    assert any(": no verdict, because " in text for text in conclude(comparison.contrasts[0]))
    assert find_line(comparison, "tied_after").verdict != NONE


def test_terms_of_older_files_which_say_in_one_text_how_long_to_play_are_read(tmp_path):
    db = tmp_path / "old.duckdb"
    old = Preregistration(db, 7, "compare", dict, dict)
    fixed = {"agents": ["greedy"], "main_metrics": ["length"], "thresholds": {}, "alpha": 0.05}
    limit = "as long as the verdicts are open, at most 1,048,576 deals of each cell or 2.5 minutes"
    for stop, limits in (
        ("5 minutes", (5.0, None, False)),
        ("200 deals of each cell", (None, 200, False)),
        (limit, (2.5, 1 << 20, True)),
        ("a report", (5.0, None, False)),
    ):
        old.record({**fixed, "stop": stop}, 0)
        terms = preregister_terms(db, 7).latest()
        assert (terms.minutes, terms.matches, terms.until_decided) == limits
        assert (terms.agents, terms.main_metrics) == (("greedy",), ("length",))
    new = preregister_terms(db, 7, "compare").record(make_terms(["greedy"], minutes=1.5), 0)
    assert [version.terms.minutes for version in new] == [5.0, None, 2.5, 5.0, 1.5]


def test_commands_that_write_down_the_same_terms_at_once_write_one_version(tmp_path):
    commands = 8
    together = threading.Barrier(commands)
    terms = Preregistration(tmp_path / "terms.duckdb", 7, "compare", dict, dict)
    terms.record({"agents": ["random"]}, 0)

    def record(number: int) -> list[int]:
        together.wait()
        return [len(terms.record({"agents": ["greedy"]}, 0)), terms.list_versions()[-1].matches_before]

    with ThreadPoolExecutor(commands) as pool:
        assert list(pool.map(record, range(commands))) == [[2, 0]] * commands


def test_thresholds_are_read_in_the_units_of_their_metrics():
    assert read_thresholds(["length=2", "seat_win_share=0.5pp", "tied_after=1"]) == {
        "length": 2,
        "seat_win_share": 0.005,
        "tied_after": 0.01,
    }
    examples = {
        "length": r"length=1 \(turns\)$",
        "length=two": r"length=1 \(turns\)$",
        "tied after": r"tied_after=1 \(pp\)$",
        "winning_margin=0": r"winning_margin=1 \(points\)$",
        "2": r"length=2 \(turns\) or seat_win_share=0\.5",
    }
    for text, example in examples.items():
        with pytest.raises(InvalidInput, match=rf"^'{text}':.* write {example}"):
            read_thresholds([text])
    with pytest.raises(InvalidInput, match=r"^'length=2pp': length is measured in turns, not in 'pp'$"):
        read_thresholds(["length=2pp"])
    with pytest.raises(InvalidInput, match="a threshold is for all parts"):
        read_thresholds(["leader_conversion 50=2"])
    assert make_terms(["greedy"]).describe_threshold(find_metric("length")) == "3% of the baseline"


# ---- the command


def test_the_command_says_its_defaults_first_and_the_answer_as_data(db, planted_comparison, run_command):
    words = ["compare", P, f"{P}+p=60", f"{P}+p=50+strength=9/8/7/6/5", "--players", "2", "--db", str(db)]
    done = run_command(*words, in_process=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[2] == "   percent of the matches that skill decides: 50 -> 60 (p)"
    assert "Main metrics and their thresholds: seat_win_share 1 pp" in done.stdout
    assert re.search(r"Metrics and thresholds fixed \S+ \S+, before the first match\.", done.stdout)
    assert "Big enough to matter" in done.stdout
    assert "--continue plays on" in done.stdout
    report = json.loads(run_command(*words, "--json", in_process=True).stdout)
    assert report["contrasts"][0]["affected"]["mean"] == pytest.approx(0.05, abs=0.02)
    assert {result_line["verdict"] for result_line in report["contrasts"][0]["lines"]} >= {SAME, DIFFERENT}


@pytest.mark.long
def test_ctrl_c_stores_what_was_played_and_says_how_to_go_on(tmp_path):
    db = tmp_path / "stopped.duckdb"
    words = [
        "compare",
        P,
        f"{P}+p=60",
        "--players",
        "2",
        "--agents",
        "random",
        "--matches",
        "10000000",
        "--db",
        str(db),
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "boardgames", *words], cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    assert "to go on: add --continue" in interrupt(process, db)
    assert compare(P, f"{P}+p=60", db=db, players="2").contrasts[0].matches > 0


def test_metrics_are_listed_and_explained_by_the_command(run_command):
    done = run_command("metrics", in_process=True)
    assert done.returncode == 0
    assert "How often does each seat win?" in done.stdout
    assert "FROM slice WHERE value = 'turns'" in run_command("metrics", "length", in_process=True).stdout
    assert run_command("metrics", "lenght", in_process=True).returncode == 2
    assert {
        metric["name"] for metric in json.loads(run_command("metrics", "--json", in_process=True).stdout)
    } == set(metrics())


# ---- more metrics


@pytest.mark.long
def test_a_metric_of_another_package_can_do_all_that_ours_can(tmp_path, monkeypatch):
    package = tmp_path / "widest-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: widest\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[boardgames.metrics]\nwidest = widest_metric:WIDEST\n")
    sql = "SELECT cell_id, '' AS part, slice, deals, total, squares FROM slice WHERE value = 'widest'"
    (tmp_path / "widest_metric.py").write_text(
        "from analytics import Metric\n"
        'WIDEST = Metric(name="widest", group="choices", question="How many?", unit="actions", threshold=0.5,'
        ' bounds=(1.0, float("inf")), median_column="widest",'
        f' definition="""{sql}""")\n'
    )
    monkeypatch.syspath_prepend(tmp_path)
    metrics.cache_clear()
    find_entry_points.cache_clear()
    try:
        assert isinstance(find_metric("widest"), Metric)
        comparison = compare(
            P,
            f"{P}+p=60",
            db=tmp_path / "plugged.duckdb",
            players="2",
            agents=["random"],
            matches=20,
            head_to_heads=False,
        )
        assert find_line(comparison, "widest").a.mean == 1
        goals = tmp_path / "goals.toml"
        goals.write_text('[[goal]]\nmetric = "widest"\nlow = 1\nhigh = 1\nstatistic = "median"\n')
        balance = check_goals(
            goals, P, db=tmp_path / "plugged.duckdb", players="2", agents="random", matches=20
        )
        assert [(check.metric, check.value) for check in balance.checks] == [("widest", 1)]
        made = make_report(P, db=tmp_path / "plugged.duckdb", players="2", agents=["random"])
        assert made.variants[0].results[0].answers["widest"][""].mean == 1
        assert "Widest" in render(made)
        assert "What about choices?" in render(made)  # the section of its own group
    finally:
        monkeypatch.undo()
        metrics.cache_clear()
        find_entry_points.cache_clear()


def test_a_misspelt_keyword_is_an_error_and_the_right_ones_are_in_the_signature(tmp_path):
    with pytest.raises(TypeError, match="unexpected keyword argument 'minuts'"):
        compare(P, f"{P}+p=60", db=tmp_path / "x.duckdb", minuts=1)
    assert {"players", "agents", "minutes", "matches"} <= inspect.signature(compare).parameters.keys()


def test_the_usual_player_count_is_the_middle_one_that_all_allow():
    assert find_usual_player_count([find_variant(P)]) == 3
    assert find_usual_player_count([find_variant(P), find_variant("tic-tac-toe")]) == 2


def test_forecasts_are_rounded_up_to_two_digits():
    assert [format_rounded(n) for n in (7, 123, 4321, 1_000_001)] == ["7", "130", "4,400", "1,100,000"]


def test_reading_ten_million_matches_needs_no_rows():
    """The queries of the metrics name the slices alone."""
    for metric in metrics().values():
        assert "FROM seat" not in metric.sql
