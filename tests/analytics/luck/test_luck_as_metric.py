"""Luck as a metric: `metrics` explains it, goals play for it, the report tells it, other questions say what
to type instead; and its always-valid intervals hold.
"""

import math

import numpy as np
import pytest

from analytics.metric.luck import compute_share_change_interval, count_share_differences
from analytics.metric.metric import LUCK
from analytics.questions.goals.check import check_goals
from analytics.questions.goals.judge import FAIL, PASS
from analytics.questions.goals.words import read_goal
from analytics.questions.luck.luck import measure_luck
from analytics.questions.report import make_report
from analytics.show.report.html import render
from analytics.stats.seat_interval import compute_seat_change_interval
from analytics.stats.variance_split import list_share_values
from boardgames import query
from boardgames.play.swaps import AGENTS
from tests.analytics.stats.test_variance_split import MASKS, SOURCES, mix_all
from tests.support.sizes import choose_size

TWO_DICE = "tests.truth.two_dice:GAME"
P = "tests.truth.p_deterministic:GAME"
SMALL_DIE = 15 / 78  # of the score lead


def write_goals(folder, *goals):
    """A file of goals about two dice, each a part and its least and most percent."""
    tables = [
        f'[[goal]]\nmetric = "{metric}"\npart = "{part}"\nlow = {low}\nhigh = {high}\n'
        for metric, part, low, high in goals
    ]
    path = folder / "goals.toml"
    path.write_text(f'variants = ["{TWO_DICE}"]\nagents = "random"\nmatches = 8000\n' + "\n".join(tables))
    return path


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Goals about luck and about length, played for."""
    folder = tmp_path_factory.mktemp("luck")
    goals = write_goals(
        folder,
        ("score_luck", "the small die", 5, 35),
        ("luck", "the large die", 0, 50),
        ("luck", "the agents' own randomness", 0, 30),
    )
    with goals.open("a") as file:
        file.write('[[goal]]\nmetric = "length"\nhigh = 2\n')
    db = folder / "r.duckdb"
    return check_goals(goals, db=db), db, goals


def test_goals_about_luck_are_played_for_and_judged(judged):
    balance, db, _ = judged
    assert balance.verdicts == {1: PASS, 2: FAIL, 3: PASS, 4: PASS}
    small, large, agents, _ = balance.checks
    assert small.low < SMALL_DIE < small.high
    assert large.low > 0.5
    assert agents.value == pytest.approx(0)
    (swapped,) = query(db, "SELECT sum(deals) AS n FROM luck WHERE mix = 0 AND seat = 1").to_pydict()["n"]
    assert 64 <= swapped <= 1000  # of 8 matches each


def test_asking_again_plays_nothing(judged):
    _, db, goals = judged
    assert check_goals(goals, db=db).played == 0


def test_a_goal_in_words_names_the_source_or_means_all_chance():
    goal = read_goal('luck "the druid cards" at most 40 %')
    assert (goal.metric, goal.part, goal.high) == (LUCK, "the druid cards", 0.4)
    assert read_goal("luck at most 60%").part == "all shuffles and dice together"
    assert read_goal(goal.describe()) == goal


@pytest.mark.parametrize(
    ("spec", "part", "message"),
    [
        (TWO_DICE, "the big die", "no source of luck .*'the big die'.*the large die"),
        (TWO_DICE, "the seat", "no source of luck"),
        ("connect-four", "the die", "boardgames ladder connect-four"),
    ],
)
def test_a_source_that_a_game_does_not_have_is_refused_before_a_match(spec, part, message, tmp_path):
    goals = write_goals(tmp_path, ("luck", part, 0, 40))
    with pytest.raises(Exception, match=message) as error:
        check_goals(goals, spec, db=tmp_path / "r.duckdb", players="2")
    assert error.value.exit_code == 2
    assert query_is_empty(tmp_path / "r.duckdb")


def query_is_empty(db):
    return not db.exists() or not len(query(db, "FROM match"))


def test_other_questions_say_what_to_type_instead(run_command, tmp_path):
    db = tmp_path / "none.duckdb"
    for words in (
        ["compare", TWO_DICE, f"{TWO_DICE}+large=9", "--main-metric", "luck"],
        ["sweep", TWO_DICE, "large=8,9", "--best", "lowest luck the small die"],
        ["simulate", TWO_DICE, "--until", "luck the small die within 1 pp"],
    ):
        done = run_command(*words, "--db", db, in_process=True)
        assert done.returncode == 2
        assert "`boardgames luck A B`" in done.stderr
    assert query_is_empty(db)


def test_the_handbook_explains_it(run_command):
    text = run_command("metrics", "luck", in_process=True).stdout
    assert "How much of who wins does each source of chance decide?" in text
    assert "one answer per source" in text
    assert "luck" in run_command("metrics", in_process=True).stdout


@pytest.mark.long
def test_the_report_has_a_section_where_the_file_holds_luck_and_none_elsewhere(tmp_path):
    db = tmp_path / "r.duckdb"
    options = {"players": "2", "agents": ["random"], "matches": 64}
    specs = [TWO_DICE, f"{TWO_DICE}+large=24"]
    assert "Where does the luck come from?" not in render(make_report(*specs[:1], db=db, **options))
    measure_luck(*specs, db=db, agents="random", matches=4000)
    text = render(make_report(*specs, db=db, **options))
    assert "Where does the luck come from?" in text
    assert "is decided by the large die" in text
    assert "<h3>two-dice+large=24 instead of two-dice, 2 players</h3>" in text
    assert "The change moves luck from the small die to the large die" in text


def mix_chance(chance, masks, draw):
    """What each of three sources brings in every match of the deals."""
    numbers = draw(chance, (2, 3, len(masks)))
    return [np.where(masks >> i & 1, numbers[1, i][:, None], numbers[0, i][:, None]) for i in range(3)]


def draw_shifted(chance, masks):
    """Two variants of which the second one turns what two sources bring: who wins moves, no luck does."""
    columns = mix_chance(chance, masks, lambda rng, shape: rng.random(shape))
    shifted = [(columns[0] + 0.25) % 1, (columns[1] + 0.25) % 1, columns[2]]
    return [np.stack([leads, -leads], axis=2) for leads in (mix_all(*columns), mix_all(*shifted))]


def draw_signs(chance, shape):
    return chance.choice([-1.0, 1.0], size=shape)


def make_rarely_decided(share, times, weights=(1, 1, 1)):
    """Two variants with equal shares: in one, scores differ in a share of the deals only, and in the other
    one they vary so many times as much in all. With weights, that one has other shares.
    """

    def draw(chance, masks):
        seats = 8
        varies = chance.random(len(masks)) < share
        leads = varies[:, None] * sum(mix_chance(chance, masks, draw_signs)) / math.sqrt(share)
        of_a = leads[:, :, None] * np.tile([1.0, -1.0], seats // 2)
        of_b = [
            sum(w * column for w, column in zip(weights, mix_chance(chance, masks, draw_signs), strict=True))
            for _ in range(seats)
        ]
        return [of_a, math.sqrt(times) * np.stack(of_b, axis=2)]

    return draw


def find_alarms(draw, repeats, looks, seed=7):
    """How often two variants are ever said to differ in luck."""
    chance = np.random.default_rng(seed)
    alarms = 0
    for _ in range(repeats):
        masks = MASKS[chance.integers(len(MASKS), size=looks[-1])]
        results = draw(chance, masks)
        alarms += any(is_alarm(masks[:deals], [part[:deals] for part in results]) for deals in looks)
    return alarms


def is_alarm(masks, results):
    """Whether a source, or the seat, is said to decide more or less."""
    alpha = 0.05 / (len(SOURCES) + 1)
    values = [list_share_values(SOURCES, masks, part) for part in results]
    intervals = [compute_share_change_interval(*values, source, alpha) for source in SOURCES]
    intervals.append(compute_seat_change_interval(*results, math.inf, alpha))
    return any(interval.is_informative and not interval.low <= 0 <= interval.high for interval in intervals)


LOOKS = (64, 128, 256, 512, 1024)


@pytest.mark.long
@pytest.mark.parametrize(
    ("draw", "order"),
    [
        (draw_shifted, 1),
        (make_rarely_decided(0.02, 10), 1),
        (make_rarely_decided(0.02, 10), -1),
        (make_rarely_decided(1.0, 50), 1),
    ],
)
def test_a_change_that_moves_no_luck_is_hardly_ever_said_to_however_often_you_look(draw, order):
    repeats = choose_size(60, 1000)
    assert find_alarms(lambda *chance: draw(*chance)[::order], repeats, LOOKS) <= 0.05 * repeats


def test_luck_of_variants_that_vary_ten_times_as_much_is_compared_fairly():
    """On one tangent, which both had in common, one comparison in three found a difference where none is."""
    assert find_alarms(make_rarely_decided(0.01, 10), 20, (256, 512)) <= 1


def test_a_change_of_luck_is_seen_where_one_variant_varies_fifty_times_as_much():
    assert find_alarms(make_rarely_decided(1.0, 50, weights=(2, 1, 1)), 10, (512,)) == 10


def test_a_deal_that_plays_out_alike_says_nothing_about_a_change():
    chance = np.random.default_rng(3)
    masks = MASKS[chance.integers(len(MASKS), size=200)]
    leads = chance.choice([0.5, -0.5], size=(200, MASKS.shape[1]))
    other = leads.copy()
    other[:3] = -other[:3]
    a, b = (list_share_values(SOURCES, masks, np.stack([part, -part], axis=2)) for part in (leads, other))
    counts, _ = count_share_differences(a, b, AGENTS)
    assert counts.counts[counts.values == 0].sum() >= 197
