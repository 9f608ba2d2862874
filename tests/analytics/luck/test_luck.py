"""`boardgames luck`: known answers in dice, pure skill and pure luck; what is stored, and what is said."""

import itertools
import json
import math

import pytest

from analytics.metric.luck import QUANTITIES, SEAT
from analytics.metric.metric import LUCK, SCORE_LUCK, find_metric
from analytics.questions.luck.conclusions import describe_luck, describe_luck_change
from analytics.questions.luck.luck import measure_luck
from analytics.questions.luck.results import QuantityLuck
from analytics.stats.intervals import Estimate
from boardgames import query, simulate
from boardgames.play.swaps import AGENTS, ALL_STREAMS, SEATING
from boardgames.store.forget import delete_run
from boardgames.store.luck import load_swaps
from boardgames.store.merge import merge

TWO_DICE = "tests.truth.two_dice:GAME"
P = "tests.truth.p_deterministic:GAME"
SMALL, LARGE = "stream:small die", "stream:large die"


def measure(spec, db, **more):
    """The sources of who wins and of the score lead, by name, and the whole answer."""
    answer = measure_luck(spec, db=db, **{"agents": "random", "matches": 4000, **more})
    (split,) = answer.splits
    wins, lead = ({source.source: source for source in luck.sources} for luck in split.quantities)
    return wins, lead, split


def assert_holds(estimate, value, most):
    """The interval holds the value and is narrower than `most`."""
    assert estimate.low <= value <= estimate.high, (estimate, value)
    assert estimate.high - estimate.low < most, estimate


@pytest.fixture(scope="module")
def dice(tmp_path_factory):
    db = tmp_path_factory.mktemp("luck") / "dice.duckdb"
    return db, measure(TWO_DICE, db)


def test_each_of_two_dice_decides_its_part_of_the_variance_of_the_sum(dice):
    _, (_, lead, split) = dice
    small, large = 4**2 - 1, 8**2 - 1
    for source, variance in ((SMALL, small), (LARGE, large)):
        for part in (lead[source].alone, lead[source].share, lead[source].involved):
            assert_holds(part, variance / (small + large), 0.15)
    assert_holds(lead[AGENTS].involved, 0, 0.02)
    assert_holds(lead[ALL_STREAMS].alone, 1, 0.1)
    assert_holds(split.quantities[1].seat, 0, 0.02)


def test_who_wins_is_split_as_counting_all_throws_splits_it(dice):
    """By brute force over the 32 throws; a tie is half a win."""
    _, (wins, _, _) = dice
    throws = {(a, b): 2 * (a + b) - 14 for a, b in itertools.product(range(1, 5), range(1, 9))}
    lead = {throw: (points > 0) / 2 - (points < 0) / 2 for throw, points in throws.items()}
    whole = sum(value**2 for value in lead.values()) / len(lead)
    alone = {}
    for place, (source, sides) in enumerate(((SMALL, 4), (LARGE, 8))):
        means = [
            sum(value for throw, value in lead.items() if throw[place] == face) * sides / len(lead)
            for face in range(1, sides + 1)
        ]
        alone[source] = sum(mean**2 for mean in means) / sides / whole
    together = 1 - sum(alone.values())
    assert together > 0.05
    for source in (SMALL, LARGE):
        assert_holds(wins[source].alone, alone[source], 0.2)
        assert_holds(wins[source].share, alone[source] + together / 2, 0.2)
        assert_holds(wins[source].involved, alone[source] + together, 0.2)


def test_where_skill_decides_no_stream_decides_anything(tmp_path):
    wins, lead, split = measure(f"{P}+p=100", tmp_path / "r.duckdb", players="2", matches=1600)
    for source in (*wins.values(), *lead.values()):
        assert_holds(source.involved, 0, 0.05)
    assert_holds(split.quantities[0].seat, 1, 0.05)


def test_where_luck_decides_its_stream_decides_everything(tmp_path):
    wins, _, _ = measure(f"{P}+p=0", tmp_path / "r.duckdb", players="2", matches=1600)
    assert_holds(wins["stream:luck"].alone, 1, 0.1)
    assert_holds(wins["stream:skill"].involved, 0, 0.05)
    assert_holds(wins[AGENTS].involved, 0, 0.05)


def test_an_agent_that_always_wins_is_decided_by_who_sits_where(tmp_path):
    agents = "random+force=take,random+forbid=take"
    wins, _, split = measure(f"{TWO_DICE}+bonus=1000", tmp_path / "r.duckdb", agents=agents, matches=2400)
    assert_holds(wins[SEATING].alone, 1, 0.1)
    assert_holds(wins[ALL_STREAMS].involved, 0, 0.05)
    _, shuffles, agents = describe_luck(split.quantities[0])
    assert shuffles.endswith(
        "is decided by the shuffles and dice alone, whichever of these agents sits where."
    )
    assert "who the agents are and where they sit, whatever the shuffles and dice" in agents


def test_what_equal_players_leave_to_the_shuffles_is_not_said_of_others(dice):
    """Skill was not varied: what a better player would make of the same throws is not measured."""
    _, (_, _, split) = dice
    _, shuffles = describe_luck(split.quantities[0])
    assert shuffles.startswith("Of who wins between equally good players, ")
    assert shuffles.endswith("is decided by the shuffles and dice alone.")


def test_a_larger_die_moves_luck_to_it_and_the_sentence_says_so(dice):
    db, _ = dice
    answer = measure_luck(TWO_DICE, f"{TWO_DICE}+large=24", db=db, agents="random", matches=4000)
    wins, lead = answer.changes
    assert (wins.quantity, lead.quantity) == QUANTITIES
    large = next(change for change in lead.changes if change.source == LARGE)
    truth = (24**2 - 1) / (24**2 - 1 + 15) - 63 / 78
    assert large.difference.low < truth < large.difference.high
    sentence = describe_luck_change(lead)
    assert sentence.startswith("The change moves luck from the small die to the large die. ")
    assert {change.source for change in lead.changes} == {SEAT, SMALL, LARGE, AGENTS, ALL_STREAMS}


def test_a_head_start_makes_the_seat_decide_more_and_moves_no_luck(dice):
    """In the tables every source falls; but the dice divide what the seat leaves as before."""
    db, _ = dice
    answer = measure_luck(TWO_DICE, f"{TWO_DICE}+head_start=8", db=db, agents="random", matches=4000)
    before, after = (split.quantities[1] for split in answer.splits)
    assert all(
        b.share.mean < a.share.mean
        for a, b in zip(before.sources, after.sources, strict=True)
        if a.share.mean
    )
    wins, lead = answer.changes
    seat, small, large, *_ = lead.changes
    assert (seat.source, small.source, large.source) == (SEAT, SMALL, LARGE)
    assert_holds(seat.b, 8**2 / (8**2 + 4 * 78 / 12), 0.15)
    for change, variance in ((small, 15), (large, 63)):
        assert_holds(change.a, variance / 78, 0.15)
        assert_holds(change.b, variance / 78, 0.15)
    sentence = describe_luck_change(lead)
    assert sentence.startswith("The seat decides more of the score lead: ")
    assert "No source clearly decides more or less of the score lead, the seat aside, than before" in sentence
    assert describe_luck_change(wins).startswith("The seat decides more of who wins: ")


def test_a_seat_that_decides_all_leaves_nothing_to_compare(tmp_path):
    answer = measure_luck(f"{P}+p=100", P, db=tmp_path / "r.duckdb", players=2, agents="random", matches=1600)
    sentence = describe_luck_change(answer.changes[0])
    assert sentence.startswith("The seat decides less of who wins: ")
    assert "nothing to compare: under one of the rules no source decides anything" in sentence


def test_a_change_without_effect_on_luck_is_not_called_one(dice):
    db, _ = dice
    answer = measure_luck(TWO_DICE, f"{TWO_DICE}+bonus=1", db=db, agents="greedy", matches=1600)
    assert all("No source clearly" in describe_luck_change(change) for change in answer.changes)


def test_the_same_seed_gives_the_same_answer_whatever_the_workers_and_after_a_first_part(tmp_path):
    answers = []
    for name, steps, workers in (("a", [800], 1), ("b", [800], 3), ("c", [160, 800], 2)):
        for matches in steps:
            answer = measure_luck(
                TWO_DICE, db=tmp_path / f"{name}.duckdb", agents="random", matches=matches, workers=workers
            )
        answers.append(answer.splits)
    assert answers[0] == answers[1] == answers[2]
    again = measure_luck(TWO_DICE, db=tmp_path / "a.duckdb", agents="random", matches=800)
    assert (again.played, again.splits) == (0, answers[0])


@pytest.mark.long
def test_matches_without_a_swap_are_stored_as_ordinary_ones_and_no_others(tmp_path):
    luck, ordinary = tmp_path / "luck.duckdb", tmp_path / "ordinary.duckdb"
    measure_luck(TWO_DICE, db=luck, agents="random", matches=800)
    simulate(TWO_DICE, db=ordinary, agents=["random"], matches=100)
    sql = "SELECT * FROM results ORDER BY deal, seat"
    assert query(luck, sql).equals(query(ordinary, sql))
    mixed = tmp_path / "mixed.duckdb"
    measure_luck(TWO_DICE, db=mixed, agents="greedy,random", matches=80)
    assert len(query(mixed, "FROM match")) == 0


@pytest.mark.long
def test_merging_copies_the_deals_once_and_forgetting_removes_them(dice, tmp_path):
    db, _ = dice
    copy = tmp_path / "copy.duckdb"
    (cell,) = {*query(db, "SELECT DISTINCT cell_id FROM luck").to_pydict()["cell_id"][:1]}
    assert merge(copy, db).swapped_deals > merge(copy, db).swapped_deals == 0
    assert (load_swaps(copy, cell).scores == load_swaps(db, cell).scores).all()
    assert len(query(copy, "FROM luck")) == len(query(db, "FROM luck"))
    for run in query(copy, "SELECT number FROM run").to_pydict()["number"]:
        delete_run(copy, str(run))
    assert len(query(copy, "FROM luck")) == 0


def test_merging_adds_the_deals_that_the_file_does_not_have(dice, tmp_path):
    """A row of the table holds a range of deals, some of which may be stored."""
    db, _ = dice
    part = tmp_path / "part.duckdb"
    measure_luck(TWO_DICE, db=part, agents="random", matches=80)
    (cell,) = query(part, "SELECT DISTINCT cell_id FROM luck").to_pydict()["cell_id"]
    alone, all_deals = load_swaps(part, cell), load_swaps(db, cell)
    assert 0 < len(alone.deals) < len(all_deals.deals)
    merge(part, db)
    merged = load_swaps(part, cell)
    for name in ("deals", "masks", "win_shares", "scores"):
        assert (getattr(merged, name) == getattr(all_deals, name)).all()


def test_minutes_end_it_before_all_matches_are_played_and_the_next_call_goes_on(tmp_path):
    db = tmp_path / "r.duckdb"
    first = measure_luck(TWO_DICE, db=db, agents="random", minutes=1e-6, matches=4000)
    assert 0 < first.splits[0].matches < 4000
    second = measure_luck(TWO_DICE, db=db, agents="random", minutes=1e-6, matches=4000)
    assert second.splits[0].matches > first.splits[0].matches
    assert second.played == second.splits[0].matches - first.splits[0].matches
    whole = measure_luck(TWO_DICE, db=db, agents="random", matches=800)
    unbroken = measure_luck(TWO_DICE, db=tmp_path / "a.duckdb", agents="random", matches=800)
    assert whole.splits == unbroken.splits


@pytest.mark.parametrize(
    ("specs", "more", "message"),
    [
        (["connect-four"], {}, "connect-four has no source of chance"),
        ([TWO_DICE, TWO_DICE], {}, "is named twice"),
        ([TWO_DICE], {"players": "3"}, "players"),
        ([TWO_DICE], {"agents": "a,b,c"}, "a"),
        ([TWO_DICE], {"matches": 0}, "matches=0"),
    ],
)
def test_bad_input_is_refused_before_anything_is_stored(specs, more, message, tmp_path):
    with pytest.raises(Exception, match=message) as error:
        measure_luck(*specs, db=tmp_path / "r.duckdb", **more)
    assert getattr(error.value, "exit_code", None) == 2
    assert not (tmp_path / "r.duckdb").exists()


WHIM = "import random\n\n\ndef whim(view):\n    return random.choice(view.actions)\n"


def test_an_agent_whose_matches_no_seed_brings_back_is_refused_and_nothing_is_stored(
    tmp_path, monkeypatch, run_command
):
    monkeypatch.chdir(tmp_path)
    file = f"whim_{tmp_path.name}.py"
    (tmp_path / file).write_text(WHIM)
    (tmp_path / "goals.toml").write_text(
        f'variants = ["pig"]\nagents = "./{file}:whim"\nmatches = 40\n'
        '[[goal]]\nmetric = "luck"\nplayers = "2"\nlow = 10\n'
    )
    asked = ["--players", "2", "--agents", f"./{file}:whim", "--matches", "40"]
    luck, compare = ["luck", "pig", *asked], ["compare", "pig", "pig+target=50", "--luck", *asked]
    for words in luck, compare, ["goals", "goals.toml"]:
        done = run_command(*words, "--db", "r.duckdb", in_process=True)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
        assert "may choose otherwise when a deal is played again" in done.stderr
        assert "mark_deterministic" in done.stderr
        assert not (tmp_path / "r.duckdb").exists()


def test_variants_that_share_no_deals_are_told_apart_without_a_comparison(tmp_path):
    answer = measure_luck(TWO_DICE, P, db=tmp_path / "r.duckdb", players="2", agents="random", matches=80)
    assert len(answer.splits) == 2
    assert answer.changes == ()
    assert "cannot share deals" in answer.notes[0]


def test_the_command_prints_sentences_json_and_a_chart(dice, tmp_path, run_command):
    db, _ = dice
    words = ("luck", TWO_DICE, "--agents", "random", "--matches", "4000", "--db", db)
    chart = tmp_path / "luck.html"
    done = run_command(*words, "--chart", chart, in_process=True)
    assert "- Who wins: " in done.stdout
    assert "is decided by the large die" in done.stdout
    assert "the large die" in chart.read_text()
    answer = json.loads(run_command(*words, "--json", in_process=True).stdout)
    assert answer["splits"][0]["quantities"][0]["quantity"] == "who wins"
    for words in (["luck", "tic-tac-toe"], ["compare", "tic-tac-toe", TWO_DICE, "--luck"]):
        refused = run_command(*words, "--db", tmp_path / "none.duckdb", in_process=True)
        assert refused.returncode == 2
        assert "boardgames ladder tic-tac-toe" in refused.stderr
        assert not (tmp_path / "none.duckdb").exists()


@pytest.mark.long
def test_compare_tells_what_the_change_does_to_luck(dice, run_command):
    db, _ = dice
    words = (
        "compare",
        TWO_DICE,
        f"{TWO_DICE}+large=24",
        "--agents",
        "random",
        "--matches",
        "4000",
        "--db",
        db,
    )
    done = run_command(*words, "--luck", in_process=True)
    assert "The change moves luck from the small die to the large die" in done.stdout
    luck = json.loads(run_command(*words, "--luck", "--json", in_process=True).stdout)["luck"]
    assert {change["quantity"] for change in luck} == set(QUANTITIES)


def test_the_query_that_metrics_shows_gives_what_is_split(dice):
    db, _ = dice
    (cell,) = {*query(db, "SELECT DISTINCT cell_id FROM luck").to_pydict()["cell_id"][:1]}
    stored = load_swaps(db, cell)
    for name, values in ((LUCK, stored.win_shares), (SCORE_LUCK, stored.scores)):
        sql = find_metric(name).sql.replace("$cell", str(cell))
        rows = query(db, f"SELECT * FROM ({sql}) ORDER BY deal, mix, seat").to_pydict()
        assert rows["value"] == values.ravel().tolist()
        assert rows["mask"] == stored.masks.repeat(2).tolist()


def test_a_few_deals_alike_say_nothing_and_that_is_what_is_said():
    """They are no sign that every match ends the same way."""
    unknown = Estimate(math.nan, math.nan, math.nan, 1)
    (sentence,) = describe_luck(QuantityLuck("who wins", 1, unknown, ()))
    assert sentence == "Who wins: one deal says nothing about how much varies; ask for more matches."
    (sentence,) = describe_luck(QuantityLuck("who wins", 2, unknown, ()))
    assert sentence == "Who wins: 2 deals say nothing about how much varies; ask for more matches."
    (sentence,) = describe_luck(QuantityLuck("who wins", 64, unknown, ()))
    assert "every match ended the same way" in sentence
