"""Play until sure, plan before, sweep and confirm: on games whose answers are known."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

from analytics.metric.evidence import gather
from analytics.metric.metric import find_metric
from analytics.questions.compare.compare import Group, Waves
from analytics.questions.effort import plan as make_planned
from analytics.questions.precision import look, next_look, read_condition, simulate_until
from analytics.questions.sweep.aim import read_aim
from analytics.questions.sweep.grid import grid, stored_sweeps
from analytics.questions.sweep.sweep import nearer, sweep
from analytics.show.sweep_figures import sweep_figure
from analytics.show.terminal.sweep import show_sweep
from analytics.stats.intervals import Estimate, block_mean, multiplier
from analytics.verdict.verdicts import Sure
from analytics.words import interval
from boardgames import BadInput, matches, simulate
from boardgames.cli import app
from boardgames.experiment.plan import Plan, make_plan, read_plan, write_plan

SKILL = "tests.truth.p_deterministic:GAME"  # seat 1 wins p % and half of the rest, if it is named first
MATCHES = "SELECT count(*) AS n, bit_xor(hash(match::VARCHAR)) AS x FROM match"


def cli(*words: str):
    return CliRunner().invoke(app, list(map(str, words)))


# ---- conditions


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seat share within 0.5 pp", "seat_win_share within 0.5 pp"),
        ("seat_win_share within 2pp", "seat_win_share within 2 pp"),
        ("tied after within 1 at 3-4 players", "tied_after within 1 pp at 3, 4 players"),
        ("length within 1 %", "length within 1 %"),
        ("length within 0.2 turns at 2 players", "length within 0.2 turns at 2 players"),
        ("usage within 0.1 times per seat", "usage within 0.1 times per seat"),
    ],
)
def test_conditions_are_written_in_words(text, words):
    assert read_condition(text).in_words() == words


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seat share below 2 pp", 'write "seat share within 0.5 pp"'),
        ("seat share within two pp", "write"),
        ("seat share within 0 pp", "write"),
        ("seat share within inf pp", "write"),
        ("seat shar within 1 pp", "no metric 'seat_shar'; did you mean seat_win_share"),
        ("seat within 1 pp", "may be seat_win_share or seat_imbalance"),
        ("seat share within 1 %", "seat_win_share is measured in pp, not in '%'"),
        ("length within 1 pp", "length is measured in % or turns"),
        ("win lift within 1", "has no single interval"),
        ("length within 1 at some players", "write 3, 2-4 or 2,4"),
        (" within 1 pp", "no metric ''"),
    ],
)
def test_a_condition_that_cannot_be_read_is_told(text, told):
    with pytest.raises(BadInput, match=told):
        read_condition(text)


def test_a_condition_that_no_cell_can_meet_is_refused_before_anything_is_played(tmp_path):
    path = tmp_path / "none.duckdb"
    for text in ("skill edge within 1 pp", "length within 1 % at 5 players"):
        done = cli("simulate", SKILL, "--players", "2", "--agents", "random", "--until", text, "--into", path)
        assert done.exit_code == 2
        assert "no cell of this plan has it" in done.stderr
    assert not path.exists()


# ---- playing until they hold


def test_a_plan_that_was_put_together_by_hand_needs_only_its_conditions(tmp_path):
    made = make_plan([SKILL], "2", ["random"], 1)
    bare = Plan(made.cells, 1, 1)
    for plan in (bare, made):
        with pytest.raises(BadInput, match="does not say how precise its answers are to be"):
            simulate_until(plan, tmp_path / "none.duckdb")
    assert not (tmp_path / "none.duckdb").exists()
    found = simulate_until(bare._replace(asked={"until": ["seat share within 5 pp"], "blocks": 2048}), tmp_path / "u.duckdb")
    assert (found.reached, found.blocks) == (True, 1024)


def test_where_it_stops_depends_neither_on_the_workers_nor_on_what_is_there_already(tmp_path):
    asked = make_plan([SKILL, f"{SKILL}+p=60"], "2", ["random"], until=["seat share within 1.5 pp", "tied after within 0.5 pp"])
    simulate(make_plan([SKILL], "2", ["random"], 5000), tmp_path / "begun.duckdb", workers=2)
    found = [simulate_until(asked, tmp_path / f"{name}.duckdb", workers=n) for name, n in (("one", 1), ("two", 2), ("begun", 2))]
    for done in found:
        assert (done.reached, done.limit, [width.reached for width in done.widths]) == (True, "", [True, True])
        assert done.widths[0].half <= 0.015
    (blocks,) = {done.blocks for done in found}
    # The share is 75 %: 1.96 * sqrt(0.75 * 0.25 / n) = 0.015 at n = 3,201; what is played beyond is little.
    assert blocks % 64 == 0
    assert 3200 <= blocks <= 4200
    one, two = (matches(tmp_path / f"{name}.duckdb", MATCHES).to_pylist() for name in ("one", "two"))
    assert one == two == matches(tmp_path / "begun.duckdb", f"{MATCHES} WHERE block < {blocks}").to_pylist()
    assert one[0]["n"] == found[0].outcome.stored == 2 * blocks
    assert found[2].outcome.stored == blocks


def test_a_limit_ends_it_and_the_command_says_so_with_exit_code_3(tmp_path):
    path, plan = tmp_path / "limit.duckdb", tmp_path / "plan.toml"
    words = ["simulate", SKILL, "--players", "2", "--agents", "random", "--until", "seat share within 0.1 pp", "--blocks", 2000]
    assert cli(*words, "--save-plan", plan).exit_code == 0
    assert read_plan(plan).asked["until"] == ["seat share within 0.1 pp"]
    done = cli("simulate", plan, "--into", path)
    assert done.exit_code == 3
    assert "NOT reached within 2,000 blocks: seat_win_share within 0.1 pp: ±1.9" in done.stdout
    assert "blocks would do" in done.stdout
    told = json.loads(cli(*words, "--into", path, "--json").stdout)
    assert (told["stored"], told["there_before"]) == (0, 2000)
    assert (told["until"]["reached"], told["until"]["limit"], told["until"]["blocks"]) == (False, "2,000 blocks", 2000)
    assert cli(*words[:-3], "seat share within 0.0001 pp", "--minutes", "0.01", "--into", tmp_path / "time.duckdb").exit_code == 3
    for wrong, sentence in {
        ("--minutes", "1"): "minutes, a number above 0, limit `until`",
        ("--until", "seat share within 1 pp", "--dry-run"): "`boardgames plan` estimates it",
    }.items():
        done = cli("simulate", SKILL, *wrong, "--into", path)
        assert done.exit_code == 2
        assert sentence in done.stderr
    with pytest.raises(BadInput, match="is played by `boardgames simulate` or by"):
        simulate(read_plan(plan), path)


def test_looking_at_the_width_alone_keeps_ordinary_intervals_honest():
    """2,000 experiments that stop by the rule: their intervals hold the truth in 95 % of them, as promised."""
    rng, held = np.random.default_rng(11), 0
    for p, within in ((0.5, 0.02), (0.1, 0.01)):
        values = rng.random((1000, 6 * 1024)) < p
        for run in values:
            sums, n = np.cumsum(run), 1024
            while True:
                total = float(sums[n - 1])
                estimate = block_mean(n, total, total)
                half = estimate.high - estimate.mean
                if half <= within:
                    break
                n = next_look(n, (half / within) ** 2)
            held += estimate.low <= p <= estimate.high
    assert 0.935 < held / 2000 < 0.965


def test_only_the_first_blocks_in_the_order_of_their_seeds_are_looked_at(tmp_path):
    path, asked = tmp_path / "prefix.duckdb", make_plan([SKILL], "2", ["random"], 4096)
    simulate(asked, path, workers=2)
    (early,), (late,) = (look(asked, [read_condition("seat share within 1 pp")], path, blocks) for blocks in (1024, 4096))
    assert early.half == pytest.approx(2 * late.half, rel=0.05)
    assert (early.blocks, late.blocks) == (1024, 4096)


# ---- compare --until-decided


def test_a_comparison_goes_on_until_every_verdict_is_settled(tmp_path):
    words = [
        "compare",
        SKILL,
        f"{SKILL}+p=60",
        "--players",
        2,
        "--agents",
        "random",
        "--into",
        tmp_path / "decided.duckdb",
        "--json",
    ]
    found = json.loads(cli(*words, "--until-decided").stdout)
    lines = [line for line in found["contrasts"][0]["lines"] if line["primary"]]
    assert {line["verdict"] for line in lines} <= {"same", "different"}
    assert lines[0]["verdict"] == "different"
    assert found["contrasts"][0]["blocks"] >= 1024
    assert found["terms"]["stop"] == "as long as the verdicts are open, at most 1,048,576 blocks of each cell"
    narrow = [*words, "--until-decided", "--margin", "seat_win_share=0.01", "--blocks", 4096]
    found = json.loads(cli(*narrow).stdout)
    lines = {(line["metric"], line["part"]): line["verdict"] for line in found["contrasts"][0]["lines"]}
    assert found["contrasts"][0]["blocks"] <= 4096
    assert lines["seat_win_share", "1"] == "different"


def waves(path, name: str, blocks: int) -> Waves:
    """Two rungs that have as many blocks each."""
    groups = [Group(f"{name} {seed}", make_plan([SKILL], "2", ["random"], 1, seed), 0.5, blocks) for seed in (1, 2)]
    return Waves(groups, path / f"{name}.duckdb", 1, "", lambda line: None)


def test_limits_of_a_comparison_that_goes_on_are_for_all_its_rungs_together(tmp_path):
    counted = waves(tmp_path, "counted", 0)
    assert counted.play_until(lambda: 1 << 20, None, 70) == 140
    assert [group.blocks for group in counted.groups] == [70, 70]


def test_what_is_decided_already_is_not_played_on(tmp_path):
    assert waves(tmp_path, "decided", 2048).play_until(lambda: 0, None, 1 << 20) == 0


# ---- sweeps

MAGPIES = "tests.truth.card_game:GAME"


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    path = tmp_path_factory.mktemp("sweep") / "sweep.duckdb"
    asked = {"players": "2", "agent": "random", "workers": 2}
    return path, sweep(SKILL, ["p=10..90..40"], path, blocks=1024, **asked)[0], asked


def test_the_fairest_point_of_a_sweep_is_found_and_confirmed_on_fresh_luck(swept):
    path, found, _ = swept
    assert [point.values for point in found.grid.points] == [("10",), ("50",), ("90",)]
    shares = [point.answer("seat_win_share", "1").mean for point in found.grid.points]
    assert shares == pytest.approx([0.55, 0.75, 0.95], abs=0.05)
    assert found.best == "p-deterministic+p=10"
    assert found.trial.confirmed
    assert found.trial.seed != found.grid.sweep.seed
    assert [rival.variant for rival in found.trial.rivals] == ["p-deterministic"]  # the next best is the game as it is
    assert found.sentence.startswith("the winner is p-deterministic+p=10: ")
    assert found.played == 1024 * (3 + 2)
    assert {row["seed"] for row in matches(path, "SELECT DISTINCT seed FROM cells").to_pylist()} == {1, found.trial.seed}


def test_a_point_that_only_looks_best_is_not_called_a_winner(swept):
    path, _, asked = swept
    found = sweep(SKILL, ["p=10..90..40"], path, best="length near 3", **asked)[0]
    assert not found.trial.confirmed
    assert found.sentence.startswith("no winner: ")
    assert found.played == 0
    assert found.written == (("lowest seat_imbalance", 0), ("length near 3.00 turns", 3 * 1024))
    assert sweep(SKILL, ["p=10..90..40"], path, best="seat share 1 near 50%", **asked)[0].trial.confirmed


def test_a_winner_takes_an_interval_that_holds_however_often_one_plays_more(tmp_path):
    """One of 200 fresh blocks differs: enough for an ordinary interval, too little for one that may be looked at again."""
    asked = {"best": "lowest seat share 1", "players": "2", "agent": "random", "blocks": 1024}
    (found,) = sweep(SKILL, ["p=48,50"], tmp_path / "near.duckdb", **asked)
    (rival,) = found.trial.rivals
    assert rival.difference.high < 0
    assert not rival.beaten
    assert rival.lead.low < 0 < rival.lead.high
    assert "but may be no better than p-deterministic: " in found.sentence
    assert f"lower by {interval(rival.lead, 'share')} pp than p-deterministic, by intervals that hold" in found.sentence
    assert interval(rival.difference, "share", True) not in found.sentence  # it would say the contrary


def test_what_is_nearer_to_a_target_is_told_by_the_paired_difference(tmp_path):
    """Each share is known to 2.5 pp at all times, and their difference, of the same blocks, to 1: 3 pp are clear, and were not."""
    asked = {"best": "seat share 1 near 50%", "players": "2", "agent": "random", "blocks": 4096}
    (found,) = sweep(SKILL, ["p=44,50"], tmp_path / "near.duckdb", **asked)
    (rival,) = found.trial.rivals
    assert (found.best, rival.variant) == ("p-deterministic+p=44", "p-deterministic")
    assert rival.difference.high < 0
    assert 0 < rival.lead.low < 0.03 < rival.lead.high
    assert rival.beaten
    assert found.sentence.startswith("the winner is p-deterministic+p=44: ")
    assert f"nearer by {interval(rival.lead, 'share')} pp than p-deterministic" in found.sentence


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
    difference, *levels = (Sure(mean - half, mean + half) for mean, half in ((gap, 0.5), best, other))
    assert nearer(difference, *levels)[:2] == pytest.approx(lead)


def test_a_best_point_at_the_edge_of_the_range_is_said_to_be_there(swept, tmp_path):
    """p = 10 is the smallest value that was tried, and 0 is possible; at 0 there is nothing smaller."""
    _, found, asked = swept
    assert found.edges == ("p=10 is at the edge of the range: try smaller values too",)
    assert found.edges[0] in [*show_sweep(found)]
    for values, aim, told in (
        ("0,50", "lowest seat share 1", ()),
        ("10,50,90", "seat share 1 near 75%", ()),
        ("50,90", "highest seat share 1", ("p=90 is at the edge of the range: try larger values too",)),
    ):
        (one,) = sweep(SKILL, [f"p={values}"], tmp_path / "edge.duckdb", best=aim, blocks=64, **asked)
        assert one.edges == told


def test_a_sweep_says_that_components_are_reconstructed(swept):
    _, found, _ = swept
    shown = [str(line) for line in show_sweep(replace(found, reconstructed=("board",)))]
    assert "part of the components is reconstructed (board): `boardgames show p-deterministic`" in shown
    assert not any("reconstructed" in str(line) for line in show_sweep(found))


def test_before_enough_blocks_nothing_is_called_best(tmp_path):
    words = ["compare", SKILL, "--sweep", "p=20,40", "--players", 2, "--agents", "random", "--into", tmp_path / "few.duckdb"]
    done = cli(*words, "--blocks", 64)
    assert done.exit_code == 0
    assert "looks best so far. Not yet tried on fresh luck" in done.stdout
    assert json.loads(cli(*words, "--json").stdout)[0]["trial"] is None
    assert "nothing was played" in cli(*words).stdout


def test_a_file_knows_its_sweeps_and_draws_them(swept, tmp_path):
    path, found, _ = swept
    (stored,) = stored_sweeps(path)
    assert stored == found.grid.sweep
    assert stored.title == "p-deterministic over p, 2 players, by random"
    figure = sweep_figure(grid(path, stored, ["seat_win_share"]), "seat_win_share", "1")
    assert figure.data[0].x == ("10", "50", "90")
    assert "1,024 blocks" in figure.data[0].hovertext[0]
    (first, *others) = found.grid.points
    few = replace(first, variant="<b>bold", answers={"length": {"": Estimate(3.0, math.nan, math.nan, 1)}})
    drawn = sweep_figure(replace(found.grid, points=(few, *others)), "length").data[0]
    assert drawn.hovertext[0] == "&lt;b&gt;bold<br>3.00 (needs 2 blocks) turns<br>1 blocks"
    square = tmp_path / "square.duckdb"
    simulate([MAGPIES], square, players="2", agents=["random"], blocks=64, sweep=["hand_size=3..4", "days=8,12"])
    (two,) = stored_sweeps(square)
    assert [name for name, _ in two.axes] == ["days", "hand_size"]
    heat = sweep_figure(grid(square, two, ["length"]), "length").data[0]
    assert (heat.x, heat.y, np.shape(heat.z)) == (("3", "4"), ("8", "12"), (2, 2))
    assert heat.z[0][0] < heat.z[1][0]  # fewer days, shorter matches


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((SKILL, f"{SKILL}+p=60", "--sweep", "p=1..2"), "--sweep takes one variant"),
        ((SKILL, "--best", "length near 3"), "--sweep takes one variant"),
        ((SKILL, "--sweep", "p=50"), "a sweep has two different values at least"),
        ((SKILL, "--sweep", "p=1..3", "--best", "length"), "aim 'length': write"),
        ((SKILL, "--sweep", "p=1..3", "--best", "length near you"), "you is no number"),
        ((SKILL, "--sweep", "p=1..3", "--best", "lowest seat share"), "name the seat last"),
        ((SKILL, "--sweep", "p=1..3", "--best", "lowest lenght"), "no metric 'lenght'"),
    ],
)
def test_a_sweep_that_makes_no_sense_is_told(words, told, tmp_path):
    done = cli("compare", *words, "--players", 2, "--agents", "random", "--blocks", 2, "--into", tmp_path / "no.duckdb")
    assert done.exit_code == 2
    assert told in done.stderr


def test_aims_are_written_in_words():
    assert read_aim("lowest leader conversion 50").in_words() == "lowest leader_conversion 50"
    assert read_aim("seat share 1 near 25%").target == 0.25


# ---- plan


def test_a_plan_without_a_pilot_goes_by_the_formula_of_shares(tmp_path):
    found = make_planned([SKILL, f"{SKILL}+p=60"], tmp_path / "none.duckdb", players="2", agents=["random"])
    rows = {row.metric: row for row in found.stages[0].rows}
    share, length = rows["seat_win_share"], rows["length"]
    assert (share.source, share.spread, share.within, share.margin) == ("formula", 0.5, 0.005, 0.01)
    know, see, same = share.needs
    assert know.blocks == 38_415  # the reference table: 0.5 pp takes 38,416
    assert see.blocks == pytest.approx(39_244, rel=0.001)  # of two independent arms, four of five times
    assert same.blocks > 2 * see.blocks
    alpha, gap = 0.05 / 8, share.spread_of_difference / math.sqrt(same.blocks)  # six primaries, a second seat, what was touched
    reach = share.margin / gap - multiplier(same.blocks, alpha, 10_000)  # how far off 0 a difference may look, in errors
    assert 2 * stats.norm.cdf(reach) - 1 == pytest.approx(0.8, abs=0.02)
    both = make_planned([SKILL, f"{SKILL}+p=60"], tmp_path / "none.duckdb", players="2,3", agents=["random"])
    assert both.stages[0].rows[0].needs[2].blocks > same.blocks  # player counts share the chance to be wrong
    assert know.matches == 2 * know.blocks
    assert (length.source, length.needs[0].blocks) == ("needs a pilot", None)
    assert "boardgames simulate" in found.pilot
    assert found.stages[0].measured == "tried for a moment"
    assert not (tmp_path / "none.duckdb").exists()


def test_a_plan_from_a_pilot_foretells_what_until_then_takes(swept):
    path, _, _ = swept
    words = ["plan", SKILL, f"{SKILL}+p=90", "--players", 2, "--agents", "random", "--into", path]
    (stage,) = json.loads(cli(*words, "--until", "seat share within 2 pp", "--json").stdout)["stages"]
    (row,) = stage["rows"]
    assert row["source"] == "pilot"
    assert row["spread"] == pytest.approx(math.sqrt(0.75 * 0.25), abs=0.02)
    assert row["spread_of_difference"] < math.sqrt(2) * row["spread"]  # shared luck
    assert stage["measured"] == "from 1,024 stored matches"
    assert row["needs"][0]["blocks"] == pytest.approx(1801, rel=0.1)
    shown = cli(*words).stdout
    assert "to call the same within" in shown
    assert "p-deterministic, p-deterministic+p=90, 2 players, random: 1 match a block" in shown


def test_a_pilot_that_is_too_short_for_a_ratio_leaves_the_formula_and_the_one_asked_for_is_long_enough(tmp_path):
    path, asked = tmp_path / "pilot.duckdb", {"players": "2", "agents": ["random"]}
    plan = {"until": ["leader conversion within 1 pp"], **asked}
    simulate([MAGPIES], path, blocks=64, **asked)
    found = make_planned([MAGPIES], path, **plan)
    assert found.stages[0].rows[0].source == "formula"
    assert "--blocks 512 " in found.pilot
    simulate([MAGPIES], path, blocks=512, **asked)
    (row,) = make_planned([MAGPIES], path, **plan).stages[0].rows
    metric, cell = find_metric("leader_conversion"), make_plan([MAGPIES], "2", ["random"], 1).cells[0].id
    evidence = gather(path, [cell], [metric])
    half = max(e.high - e.mean for e in (evidence.estimate(metric, cell, part) for part in evidence.parts(metric, cell)))
    assert (row.source, row.spread) == ("pilot", pytest.approx(half / stats.t.ppf(0.975, 8 - 1) * math.sqrt(512)))


def test_the_write_up_of_a_plan_keeps_what_was_asked(tmp_path):
    plan = make_plan([SKILL], "2", ["random"], until=["length within 1 %"], minutes=2.5, sweep=["p=1..2"])
    text = write_plan(plan)
    assert 'until = ["length within 1 %"]' in text
    (tmp_path / "plan.toml").write_text(text)
    assert read_plan(tmp_path / "plan.toml").asked == plan.asked
