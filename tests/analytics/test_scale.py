"""Play until sure, plan before, sweep and confirm: on games whose answers are known."""

import json
import math
import re
import tomllib
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from analytics.metric.evidence import load_evidence
from analytics.metric.metric import find_metric
from analytics.playing import Driver, Group, RunOptions, find_next_look
from analytics.questions.compare.compare import play_until_decided
from analytics.questions.effort import plan as make_planned
from analytics.questions.precision import SPARE, Width, measure_widths, simulate_until
from analytics.questions.sweep.grid import list_stored_sweeps, read_grid
from analytics.questions.sweep.sweep import compute_lead, sweep
from analytics.show.sweep_figures import draw_sweep
from analytics.show.terminal.sweep import show_sweep
from analytics.stats.capital import AlwaysValidInterval, predict_half_width
from analytics.stats.intervals import Estimate, estimate_mean_from_sums
from analytics.target import read_aim, read_precision
from analytics.words import format_interval
from boardgames import InvalidInput, query, run_plan, simulate
from boardgames.plan.file import format_plan, read_plan
from boardgames.plan.plan import Plan, make_plan
from boardgames.plan.request import PlanRequest

SKILL = "tests.truth.p_deterministic:GAME"  # seat 1 wins p % and half of the rest, if it is named first
MATCHES = "SELECT count(*) AS n, bit_xor(hash(match::VARCHAR)) AS x FROM match"


# ---- conditions


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seat_win_share within 0.5 pp", "seat_win_share within 0.5 pp"),
        ("seat_win_share within 2pp", "seat_win_share within 2 pp"),
        ("tied after within 1 at 3-4 players", "tied_after within 1 pp at 3, 4 players"),
        ("length within 1 %", "length within 1%"),
        ("length within 1%", "length within 1%"),
        ("length within 0.2 turns at 2 players", "length within 0.2 turns at 2 players"),
        ("usage within 0.1 times per seat", "usage within 0.1 times per seat"),
    ],
)
def test_conditions_are_written_in_words(text, words):
    assert read_precision(text).describe() == words


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seat_win_share below 2 pp", 'write "seat_win_share within 0.5 pp"'),
        ("seat_win_share within two pp", "write"),
        ("seat_win_share within 0 pp", "write"),
        ("seat_win_share within inf pp", "write"),
        ("seat shar within 1 pp", "no metric 'seat_shar'; did you mean seat_win_share"),
        ("seat within 1 pp", "no metric 'seat'"),
        ("seat_win_share within 1 %", "seat_win_share is measured in pp, not in '%'"),
        ("length within 1 pp", "length is measured in % or turns"),
        ("win lift within 1", "no metric 'win_lift'"),
        ("length within 1 at some players", "write 3, 2-4 or 2,4"),
        (" within 1 pp", "no metric ''"),
    ],
)
def test_a_condition_that_cannot_be_read_is_reported(text, message):
    with pytest.raises(InvalidInput, match=message):
        read_precision(text)


def test_a_condition_that_no_cell_can_meet_is_refused_before_anything_is_played(tmp_path, run_command):
    db = tmp_path / "none.duckdb"
    for text in ("skill edge within 1 pp", "length within 1 % at 5 players"):
        done = run_command(
            "simulate",
            SKILL,
            "--players",
            "2",
            "--agents",
            "random",
            "--until",
            text,
            "--db",
            db,
            in_process=True,
        )
        assert done.returncode == 2
        assert "no cell of this plan has it" in done.stderr
    assert not db.exists()


# ---- playing until they hold


def test_what_is_no_plan_is_refused_with_what_to_write(tmp_path):
    for play in (simulate_until, run_plan):
        with pytest.raises(InvalidInput, match=rf"'pig' is not a plan: write {play.__name__}\(make_plan\("):
            play("pig", tmp_path / "none.duckdb")


def test_a_plan_that_was_put_together_by_hand_needs_only_its_conditions(tmp_path):
    made = make_plan([SKILL], "2", ["random"], 1)
    bare = Plan(made.cells, 1, 1)
    for plan in (bare, made):
        with pytest.raises(InvalidInput, match="does not say how precise its answers are to be"):
            simulate_until(plan, tmp_path / "none.duckdb")
    assert not (tmp_path / "none.duckdb").exists()
    progress = simulate_until(
        bare._replace(
            request=PlanRequest(variants=[SKILL], until=["seat_win_share within 5 pp"], matches=2048)
        ),
        tmp_path / "u.duckdb",
    )
    assert (progress.reached, progress.deals) == (True, 1024)


@pytest.mark.long
def test_where_it_stops_depends_neither_on_the_workers_nor_on_what_is_there_already(tmp_path):
    asked = make_plan(
        [SKILL, f"{SKILL}+p=60"],
        "2",
        ["random"],
        until=["seat_win_share within 1.5 pp", "tied after within 0.5 pp"],
    )
    run_plan(make_plan([SKILL], "2", ["random"], 5000), tmp_path / "begun.duckdb", workers=2)
    results = [
        simulate_until(asked, tmp_path / f"{name}.duckdb", workers=n)
        for name, n in (("one", 1), ("two", 2), ("begun", 2))
    ]
    for done in results:
        assert (done.reached, done.limit, [width.reached for width in done.widths]) == (
            True,
            "",
            [True, True],
        )
        assert done.widths[0].half <= 0.015
    (deals,) = {done.deals for done in results}
    # The share is 75 %: 1.96 * sqrt(0.75 * 0.25 / n) = 0.015 at n = 3,201; what is played beyond is little.
    assert deals % 64 == 0
    assert 3200 <= deals <= 4200
    alone, shared = (query(tmp_path / f"{name}.duckdb", MATCHES).to_pylist() for name in ("one", "two"))
    assert alone == shared == query(tmp_path / "begun.duckdb", f"{MATCHES} WHERE deal < {deals}").to_pylist()
    assert alone[0]["n"] == results[0].outcome.stored == 2 * deals
    assert results[2].outcome.stored == deals


def test_a_limit_ends_it_and_the_command_says_so_with_exit_code_3(tmp_path, run_command):
    db, plan = tmp_path / "limit.duckdb", tmp_path / "plan.toml"
    words = [
        "simulate",
        SKILL,
        "--players",
        "2",
        "--agents",
        "random",
        "--until",
        "seat_win_share within 0.1 pp",
        "--matches",
        2000,
    ]
    assert run_command(*words, "--save-plan", plan, in_process=True).returncode == 0
    assert read_plan(plan).until == ["seat_win_share within 0.1 pp"]
    done = run_command("simulate", plan, "--db", db, in_process=True)
    assert done.returncode == 3
    assert "NOT reached within 2,000 matches: seat_win_share within 0.1 pp: ±1.9" in done.stdout
    assert "deals would do" in done.stdout
    report = json.loads(run_command(*words, "--db", db, "--json", in_process=True).stdout)
    assert (report["stored"], report["there_before"]) == (0, 2000)
    assert (report["until"]["reached"], report["until"]["limit"], report["until"]["deals"]) == (
        False,
        "2,000 matches",
        2000,
    )
    assert (
        run_command(
            *words[:-3],
            "seat_win_share within 0.0001 pp",
            "--minutes",
            "0.01",
            "--db",
            tmp_path / "time.duckdb",
            in_process=True,
        ).returncode
        == 3
    )
    for options, sentence in {
        ("--minutes", "1"): "minutes, a number above 0, limit `until`",
        ("--until", "seat_win_share within 1 pp", "--dry-run"): "`boardgames plan` estimates it",
    }.items():
        done = run_command("simulate", SKILL, *options, "--db", db, in_process=True)
        assert done.returncode == 2
        assert sentence in done.stderr
    with pytest.raises(InvalidInput, match="is played by `boardgames simulate` or by"):
        run_plan(read_plan(plan), db)


def test_looking_at_the_width_alone_keeps_ordinary_intervals_honest():
    """2,000 runs that stop by the rule: their intervals hold the truth in 95 % of them, as promised."""
    rng, held = np.random.default_rng(11), 0
    for p, within in ((0.5, 0.02), (0.1, 0.01)):
        values = rng.random((1000, 6 * 1024)) < p
        for run in values:
            sums, n = np.cumsum(run), 1024
            while True:
                total = float(sums[n - 1])
                estimate = estimate_mean_from_sums(n, total, total)
                half = estimate.high - estimate.mean
                if half <= within:
                    break
                n = find_next_look(n, SPARE * n * (half / within) ** 2)
            held += estimate.low <= p <= estimate.high
    assert 0.935 < held / 2000 < 0.965


@pytest.mark.long
def test_a_limit_is_the_matches_of_each_cell_however_many_seatings_a_deal_has(tmp_path):
    for players in (2, 3):
        line_up = ",".join(["greedy", *["random"] * (players - 1)])
        asked = make_plan([SKILL], str(players), [line_up], 90, until=["skill_edge within 0.1 pp"])
        done = simulate_until(asked, tmp_path / f"{players}.duckdb")
        assert (done.reached, done.limit, done.deals) == (False, "90 matches", 90 // players)
        assert done.outcome.stored == 90


def test_only_the_first_deals_in_the_order_of_their_seeds_are_looked_at(tmp_path):
    db, asked = tmp_path / "prefix.duckdb", make_plan([SKILL], "2", ["random"], 4096)
    run_plan(asked, db, workers=2)
    (early,), (late,) = (
        measure_widths(asked, [read_precision("seat_win_share within 1 pp")], db, deals)
        for deals in (1024, 4096)
    )
    assert early.half == pytest.approx(2 * late.half, rel=0.05)
    assert (early.deals, late.deals) == (1024, 4096)


# ---- compare --until-decided


@pytest.mark.long
def test_a_comparison_goes_on_until_every_verdict_is_settled(tmp_path, run_command):
    words = [
        "compare",
        SKILL,
        f"{SKILL}+p=60",
        "--players",
        2,
        "--agents",
        "random",
        "--db",
        tmp_path / "decided.duckdb",
        "--json",
    ]
    report = json.loads(run_command(*words, "--until-decided", in_process=True).stdout)
    lines = [line for line in report["contrasts"][0]["lines"] if line["is_main"]]
    assert {line["verdict"] for line in lines} <= {"same", "different"}
    assert lines[0]["verdict"] == "different"
    assert report["contrasts"][0]["deals"] >= 64
    terms = report["terms"]
    assert (terms["until_decided"], terms["matches"], terms["minutes"]) == (True, 1 << 20, None)
    narrow = [*words, "--until-decided", "--threshold", "seat_win_share=0.01", "--matches", 4096]
    report = json.loads(run_command(*narrow, in_process=True).stdout)
    lines = {(line["metric"], line["part"]): line["verdict"] for line in report["contrasts"][0]["lines"]}
    assert report["contrasts"][0]["deals"] <= 4096
    assert lines["seat_win_share", "1"] == "different"


def play_two_groups(db, forecast, **fields) -> tuple[int, list[Group]]:
    """The matches played, and both groups."""
    plans = [make_plan([SKILL], "2", ["random"], 1, seed) for seed in (1, 2)]
    groups = [Group(name=f"of seed {plan.seed}", plan=plan, share=0.5, **fields) for plan in plans]
    driver = Driver(options=RunOptions(db=db))
    play_until_decided(driver, groups, forecast, None)
    return driver.played, groups


def test_limits_of_a_comparison_that_goes_on_are_for_all_its_agents_together(tmp_path):
    played, groups = play_two_groups(tmp_path / "counted.duckdb", lambda: 1 << 20, max_matches=70)
    assert played == 140
    assert [group.deals for group in groups] == [70, 70]


def test_what_is_decided_already_is_not_played_on(tmp_path):
    assert play_two_groups(tmp_path / "decided.duckdb", lambda: 0, deals=2048)[0] == 0


def test_half_the_width_takes_four_times_as_many_deals():
    width = Width(
        condition="length within 1",
        reached=False,
        half=2.0,
        wanted=1.0,
        unit="turns",
        deals=1000,
        where="pig, 2 players",
    )
    assert width.factor == 4
    assert width.describe().endswith("; about 4,000 deals would do")


# ---- sweeps

MAGPIES = "magpies"


@pytest.fixture(scope="module")
def sweep_run(tmp_path_factory):
    db = tmp_path_factory.mktemp("sweep") / "sweep.duckdb"
    asked = {"players": "2", "agents": "random", "workers": 2}
    return db, sweep(SKILL, "p=10..90..40", db=db, matches=1024, **asked)[0], asked


def test_the_fairest_point_of_a_sweep_is_found_and_confirmed_on_fresh_luck(sweep_run):
    db, result, _ = sweep_run
    assert [point.values for point in result.grid.points] == [("10",), ("50",), ("90",)]
    shares = [point.find_estimate("seat_win_share", "1").mean for point in result.grid.points]
    assert shares == pytest.approx([0.55, 0.75, 0.95], abs=0.05)
    assert result.best == "p-deterministic+p=10"
    assert result.trial.confirmed
    assert result.trial.seed != result.grid.sweep.seed
    assert [rival.variant for rival in result.trial.rivals] == [
        "p-deterministic"
    ]  # the next best is the game as it is
    assert result.sentence.startswith("The winner is p-deterministic+p=10: ")
    assert result.played == 1024 * (3 + 2)
    assert {row["seed"] for row in query(db, "SELECT DISTINCT seed FROM cells").to_pylist()} == {
        1,
        result.trial.seed,
    }


def test_a_point_that_only_looks_best_is_not_called_a_winner(sweep_run):
    db, _, asked = sweep_run
    result = sweep(SKILL, "p=10..90..40", db=db, best="length near 3", **asked)[0]
    assert not result.trial.confirmed
    assert result.sentence.startswith("No winner: ")
    assert result.played == 0
    assert result.written == (("lowest seat_imbalance", 0), ("length near 3.00 turns", 3 * 1024))
    shown = [*show_sweep(result)]
    also = "This grid was also searched for: lowest seat_imbalance."
    assert f"This aim was fixed when 3,072 of these matches were stored. {also}" in shown
    assert not any("changed" in str(line) or "before the first match" in str(line) for line in shown)
    assert sweep(SKILL, "p=10..90..40", db=db, best="seat_win_share 1 near 50%", **asked)[0].trial.confirmed


@pytest.mark.long
def test_a_point_that_is_worse_than_the_game_as_it_is_is_called_worse(tmp_path):
    asked = {"best": "lowest seat_win_share 1", "players": "2", "agents": "random", "matches": 1024}
    (result,) = sweep(SKILL, "p=70,90", db=tmp_path / "worse.duckdb", **asked)
    assert {rival.variant: rival.is_ahead for rival in result.trial.rivals} == {
        "p-deterministic": True,
        "p-deterministic+p=90": False,
    }
    assert "looks best of what was tried, but p-deterministic is better." in result.sentence
    higher = re.search(
        r"higher than p-deterministic by ([\d.]+) pp \(([\d.]+) to ([\d.]+)\)", result.sentence
    )
    size, low, high = map(float, higher.groups())
    assert 0 < low < size < high


def test_a_winner_takes_an_interval_that_holds_however_often_one_plays_more(tmp_path):
    """One of 200 fresh deals differs: enough for an ordinary interval, too little for one that may be looked
    at again.
    """
    asked = {"best": "lowest seat_win_share 1", "players": "2", "agents": "random", "matches": 1024}
    (result,) = sweep(SKILL, "p=48,50", db=tmp_path / "near.duckdb", **asked)
    (rival,) = result.trial.rivals
    assert rival.difference.high < 0
    assert not rival.beaten
    assert rival.lead.low < 0 < rival.lead.high
    assert "but may be no better than p-deterministic. " in result.sentence
    size, _, interval = format_interval(rival.lead, "share").partition(" ")
    assert f"lower than p-deterministic by {size} pp {interval}. This lead holds" in result.sentence
    assert (
        format_interval(rival.difference, "share", True) not in result.sentence
    )  # it would say the contrary


def test_what_is_nearer_to_a_target_is_decided_by_the_paired_difference(tmp_path):
    """Each share is known to 2.5 pp at all times, and their difference, of the same deals, to 1: 3 pp are
    clear, and were not.
    """
    asked = {"best": "seat_win_share 1 near 50%", "players": "2", "agents": "random", "matches": 4096}
    (result,) = sweep(SKILL, "p=44,50", db=tmp_path / "near.duckdb", **asked)
    (rival,) = result.trial.rivals
    assert (result.best, rival.variant) == ("p-deterministic+p=44", "p-deterministic")
    assert rival.difference.high < 0
    assert 0 < rival.lead.low < 0.03 < rival.lead.high
    assert rival.beaten
    assert result.sentence.startswith("The winner is p-deterministic+p=44: ")
    size, _, interval = format_interval(rival.lead, "share").partition(" ")
    lead = f"nearer than p-deterministic by {size} pp {interval}"
    assert "; 95% interval); " in result.sentence  # the value's
    assert result.sentence.endswith(f"{lead}. This lead holds however often you look.")


@pytest.mark.parametrize(
    ("best", "other", "lead"),
    [
        ((2, 1), (5, 3), (2.5, 3.5)),  # both above the target: by their difference, which is known best
        ((-2, 1), (-5, 3), (2.5, 3.5)),  # both below it
        ((1, 0.5), (-5, 0.5), (3, 5)),  # one on each side: by how far the middle between them is from it
        ((1, 3), (2, 3), (-1.5, 1.5)),  # anywhere
    ],
)
def test_the_lead_of_a_point_over_another_is_bounded_on_either_side_of_the_target(best, other, lead):
    gap = best[0] - other[0]
    difference, *levels = (
        AlwaysValidInterval(mean - half, mean + half) for mean, half in ((gap, 0.5), best, other)
    )
    assert compute_lead(difference, *levels)[:2] == pytest.approx(lead)


@pytest.mark.long
def test_a_best_point_at_the_edge_of_the_range_is_said_to_be_there(sweep_run, tmp_path):
    """p = 10 is the smallest value that was tried, and 0 is possible; at 0 there is nothing smaller."""
    _, result, asked = sweep_run
    assert result.edges == ("p=10 is at the edge of the range: try smaller values too",)
    assert result.edges[0] in [*show_sweep(result)]
    for values, aim, message in (
        ("0,50", "lowest seat_win_share 1", ()),
        ("10,50,90", "seat_win_share 1 near 75%", ()),
        ("50,90", "highest seat_win_share 1", ("p=90 is at the edge of the range: try larger values too",)),
    ):
        (other,) = sweep(SKILL, f"p={values}", db=tmp_path / "edge.duckdb", best=aim, matches=64, **asked)
        assert other.edges == message


def test_a_sweep_says_that_components_are_reconstructed(sweep_run):
    _, result, _ = sweep_run
    shown = [str(line) for line in show_sweep(replace(result, reconstructed=("board",)))]
    note = "* Some printed values are reconstructed (board): `boardgames show p-deterministic` lists them"
    assert note in shown
    assert not any("reconstructed" in str(line) for line in show_sweep(result))


def test_before_enough_deals_nothing_is_called_best(tmp_path, run_command):
    words = [
        "sweep",
        SKILL,
        "p=20,40",
        "--players",
        2,
        "--agents",
        "random",
        "--db",
        tmp_path / "few.duckdb",
    ]
    done = run_command(*words, "--matches", 32, in_process=True)
    assert done.returncode == 0
    assert "looks best so far. It was not tried on fresh deals yet" in done.stdout
    assert json.loads(run_command(*words, "--json", in_process=True).stdout)[0]["trial"] is None
    assert "Nothing was played" in run_command(*words, in_process=True).stdout


def test_a_file_knows_its_sweeps_and_draws_them(sweep_run, tmp_path):
    db, result, _ = sweep_run
    (stored,) = list_stored_sweeps(db)
    assert stored == result.grid.sweep
    assert stored.title == "p-deterministic over p, 2 players, by random"
    figure = draw_sweep(read_grid(db, stored, ["seat_win_share"]), "seat_win_share", "1")
    assert figure.data[0].x == ("10", "50", "90")
    assert "1,024 deals" in figure.data[0].hovertext[0]
    (first, *others) = result.grid.points
    few = replace(first, variant="<b>bold", answers={"length": {"": Estimate(3.0, math.nan, math.nan, 1)}})
    drawn = draw_sweep(replace(result.grid, points=(few, *others)), "length").data[0]
    assert drawn.hovertext[0] == "&lt;b&gt;bold<br>3.00 (needs 2 deals) turns<br>1 deals"
    square = tmp_path / "square.duckdb"
    run_plan(make_plan(MAGPIES, 2, ["random"], 64, sweep=["hand_size=3..4", "days=8,12"]), square)
    (two,) = list_stored_sweeps(square)
    assert [name for name, _ in two.axes] == ["days", "hand_size"]
    heat = draw_sweep(read_grid(square, two, ["length"]), "length").data[0]
    assert (heat.x, heat.y, np.shape(heat.z)) == (("3", "4"), ("8", "12"), (2, 2))
    assert heat.z[0][0] < heat.z[1][0]  # fewer days, shorter matches


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((SKILL, f"{SKILL}+p=60", "p=1..2"), f"sweep '{SKILL}+p=60'"),
        ((SKILL, "--best", "length near 3"), "Missing argument"),
        ((SKILL, "p=50"), "a sweep has two different values at least"),
        ((SKILL, "p=1..3", "--best", "length"), "'length': write"),
        ((SKILL, "p=1..3", "--best", "length near you"), "'length near you': write"),
        ((SKILL, "p=1..3", "--best", "lowest seat_win_share"), "name the seat after seat_win_share"),
        ((SKILL, "p=1..3", "--best", "lowest lenght"), "no metric 'lenght'"),
    ],
)
def test_a_sweep_that_makes_no_sense_is_reported(words, message, tmp_path, run_command):
    done = run_command(
        "sweep",
        *words,
        "--players",
        2,
        "--agents",
        "random",
        "--matches",
        2,
        "--db",
        tmp_path / "no.duckdb",
        in_process=True,
    )
    assert done.returncode == 2
    assert message in done.stderr


def test_aims_are_written_in_words():
    assert read_aim("lowest leader conversion 50").describe() == "lowest leader_conversion 50"
    assert read_aim("seat_win_share 1 near 25%").value == 0.25


# ---- plan


def test_a_plan_without_a_pilot_goes_by_the_formula_of_shares(tmp_path):
    plan = make_planned(SKILL, f"{SKILL}+p=60", db=tmp_path / "none.duckdb", players="2", agents=["random"])
    rows = {row.metric: row for row in plan.stages[0].rows}
    share, length = rows["seat_win_share"], rows["length"]
    assert (share.source, share.spread, share.within, share.threshold) == ("formula", 0.5, 0.005, 0.01)
    know, see, same = share.needs
    assert know.deals == 38_415  # the reference table: 0.5 pp takes 38,416
    assert see.deals == pytest.approx(39_244, rel=0.001)  # of two independent arms, four of five times
    assert same.deals > 2 * see.deals
    alpha = 0.05 / 7  # six main metrics, and what was affected
    spare = share.threshold / share.spread_of_difference - predict_half_width(same.deals, alpha)
    reach = spare * math.sqrt(same.deals)  # how far off 0 a difference may look, in errors
    assert 2 * stats.norm.cdf(reach) - 1 == pytest.approx(0.8, abs=0.02)
    both = make_planned(SKILL, f"{SKILL}+p=60", db=tmp_path / "none.duckdb", players="2,3", agents=["random"])
    assert both.stages[0].rows[0].needs[2].deals > same.deals  # player counts share the chance to be wrong
    assert know.matches == 2 * know.deals
    assert (length.source, length.needs[0].deals) == ("needs a pilot", None)
    assert "boardgames simulate" in plan.pilot
    assert plan.stages[0].measured == "tried for a moment"
    assert not (tmp_path / "none.duckdb").exists()


def test_a_plan_from_a_pilot_foretells_what_until_then_takes(sweep_run, run_command):
    db, _, _ = sweep_run
    words = ["plan", SKILL, f"{SKILL}+p=90", "--players", 2, "--agents", "random", "--db", db]
    (stage,) = json.loads(
        run_command(*words, "--until", "seat_win_share within 2 pp", "--json", in_process=True).stdout
    )["stages"]
    (row,) = stage["rows"]
    assert row["source"] == "pilot"
    assert row["spread"] == pytest.approx(math.sqrt(0.75 * 0.25), abs=0.02)
    assert row["spread_of_difference"] < math.sqrt(2) * row["spread"]  # shared luck
    assert stage["measured"] == "from 1,024 stored matches"
    assert row["needs"][0]["deals"] == pytest.approx(1801, rel=0.1)
    shown = run_command(*words, in_process=True).stdout
    assert "to call the same within" in shown
    assert "p-deterministic, p-deterministic+p=90, 2 players, random: 1 match per deal" in shown


def test_a_pilot_that_is_too_short_for_a_ratio_leaves_the_formula_and_the_one_asked_for_is_long_enough(
    tmp_path,
):
    db, asked = tmp_path / "pilot.duckdb", {"players": "2", "agents": ["random"]}
    plan = {"until": ["leader conversion within 1 pp"], **asked}
    simulate(MAGPIES, db=db, matches=64, **asked)
    effort = make_planned(MAGPIES, db=db, **plan)
    assert effort.stages[0].rows[0].source == "formula"
    assert "--matches 512 " in effort.pilot
    simulate(MAGPIES, db=db, matches=512, **asked)
    (row,) = make_planned(MAGPIES, db=db, **plan).stages[0].rows
    metric, cell = find_metric("leader_conversion"), make_plan([MAGPIES], "2", ["random"], 1).cells[0].id
    evidence = load_evidence(db, [cell], [metric])
    half = max(
        e.high - e.mean
        for e in (evidence.estimate(metric, cell, part) for part in evidence.list_parts(metric, cell))
    )
    assert (row.source, row.spread) == (
        "pilot",
        pytest.approx(half / stats.t.ppf(0.975, 8 - 1) * math.sqrt(512)),
    )


def test_the_write_up_of_a_plan_keeps_what_was_asked(tmp_path):
    plan = make_plan([SKILL], "2", ["random"], until=["length within 1 %"], minutes=2.5, sweep=["p=1..2"])
    text = format_plan(plan)
    assert tomllib.loads(text)["run"]["until"] == ["length within 1 %"]
    (tmp_path / "plan.toml").write_text(text)
    assert read_plan(tmp_path / "plan.toml").request == plan.request
