"""The report is one file for people: takeaways first, every number with its interval, nothing loaded from
anywhere.
"""

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from typer.testing import CliRunner

from analytics.metric.metric import find_metric
from analytics.questions.compare.conclusions import describe_verdict
from analytics.questions.report import PlayerCountResult, SampleMatch, make_report
from analytics.show.report.charts import draw_lengths
from analytics.show.report.html import render
from analytics.show.report.takeaways import (
    describe_fairness,
    describe_group,
    describe_strategies,
    describe_variant,
    select_shared_results,
    summarize,
)
from analytics.stats.imbalance import estimate_imbalance
from analytics.stats.intervals import Estimate, Sums, estimate_share_from_sums
from analytics.verdict.verdicts import DIFFERENT, UNKNOWN
from boardgames import InvalidInput
from boardgames.cli import app
from tests.support.sizes import choose_size

MAGPIES = "magpies"
SPECS = [MAGPIES, f"{MAGPIES}+days=2"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    db = tmp_path_factory.mktemp("report") / "m.duckdb"
    return make_report(*SPECS, db=db, players="2", agents=["random", "greedy"], matches=1100)


@pytest.fixture(scope="module")
def page(made):
    return render(made)


def test_a_report_may_have_a_title_and_a_note_of_the_authors(made, page):
    assert 'class="own"' not in page
    text = render(made, "For <us>", "First\nline\n\nsecond & last")
    assert "<title>For &lt;us&gt;</title>" in text
    assert "<h1>For &lt;us&gt;</h1>\n<p>What does magpies+days=2 change in magpies?</p>" in text
    assert '<div class="own"><p>First<br>line</p><p>second &amp; last</p></div>' in text


class Outline(HTMLParser):
    """The tags that are open, what loads something, and the text without scripts and styles."""

    def __init__(self):
        super().__init__()
        self.open, self.loads, self.text, self.headings = [], [], [], []

    def handle_starttag(self, tag, attrs):
        self.loads += [value for name, value in attrs if name in ("src", "href", "xlink:href", "data")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if not {"script", "style"} & set(self.open):
            self.text.append(data)
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)


@pytest.fixture(scope="module")
def outline(page):
    page_outline = Outline()
    page_outline.feed(page)
    return page_outline


def test_the_page_is_whole_and_loads_nothing(page, outline):
    assert outline.open == []
    assert outline.loads == []
    assert not re.search(
        r"url\(|@import|<link|<iframe", re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    )
    assert "<script" not in page
    assert len(page.encode()) < 2_000_000


def test_the_same_results_give_the_same_page(made, page):
    assert render(made) == page


def test_takeaways_come_first_then_each_question(outline):
    assert outline.headings[:3] == [
        "In short",
        "What do the variants change?",
        "Does any seat have an advantage?",
    ]
    assert outline.headings[-3].startswith("One match: magpies")
    assert outline.headings[-2:] == ["How it was measured", "All numbers"]


def make_seat_result(players, shares, imbalance=(0.0, 0.0, 0.01), more=None):
    answers = {
        "seat_win_share": {seat: Estimate(*share, 1000) for seat, share in shares.items()},
        "seat_imbalance": {"": Estimate(*imbalance, 1000)},
    }
    return PlayerCountResult(
        players=players, matches=1000, answers=answers | (more or {}), head_to_heads=(), calibrated=True
    )


UNFAIR = (0.05, 0.01, 0.09)


@pytest.mark.parametrize(
    ("shares", "imbalance", "sentence"),
    [
        ({"1": (0.53, 0.51, 0.55), "2": (0.47, 0.45, 0.49)}, UNFAIR, "The seat farthest from fair: with 2"),
        (
            {"1": (0.53, 0.51, 0.55), "2": (0.47, 0.45, 0.49)},
            (0.03, 0.0, 0.06),
            "No seat is clearly ahead or behind with 2 players; the farthest from fair: with 2",
        ),
        (
            {"1": (0.504, 0.499, 0.509), "2": (0.496, 0.491, 0.501)},
            (0.0, 0.0, 0.01),
            "The seats are fair with 2 players: each is within 1 percentage point",
        ),
    ],
)
def test_a_player_count_is_called_unfair_by_the_interval_of_its_imbalance(shares, imbalance, sentence):
    (text,) = describe_fairness([make_seat_result(2, shares, imbalance)])
    assert text.startswith(sentence)


def test_fair_seats_are_fair_at_the_player_counts_that_were_played():
    near = {"1": (0.334, 0.33, 0.338), "2": (0.334, 0.33, 0.338), "3": (0.332, 0.328, 0.336)}
    results = [make_seat_result(2, {"1": (0.5, 0.496, 0.504)}), make_seat_result(3, near)]
    assert next(describe_fairness(results[1:])).startswith("The seats are fair with 3 players: ")
    assert next(describe_fairness(results)).startswith("The seats are fair with 2 and 3 players: ")


def test_the_seat_that_is_named_is_one_of_an_unfair_player_count():
    """Not one that is farther away, but uncertain."""
    results = [
        make_seat_result(2, {"1": (0.60, 0.49, 0.71)}, (0.1, 0.0, 0.2)),
        make_seat_result(4, {"2": (0.28, 0.27, 0.29)}, UNFAIR),
    ]
    (text,) = describe_fairness(results)
    assert text.startswith("The seat farthest from fair: with 4 players, seat 2 wins 28.0% (27.0 to 29.0)")


def draw_seat_result(chance, players, deals, lead=0.0):
    """The results of a game in which seat 1 wins more often by a lead."""
    fair = np.full(players, (1 - lead) / players)
    fair[0] += lead
    wins = chance.multinomial(deals, fair)
    sums = [Sums(deals, float(count), float(count)) for count in wins]
    shares = {str(seat): estimate_share_from_sums(*part) for seat, part in enumerate(sums, 1)}
    answers = {"seat_win_share": shares, "seat_imbalance": {"": estimate_imbalance(sums)}}
    return PlayerCountResult(
        players=players, matches=deals, answers=answers, head_to_heads=(), calibrated=False
    )


def test_a_fair_game_is_hardly_ever_called_unfair_and_an_unfair_one_nearly_always():
    """With 2, 3 and 4 players and 4,000 matches of each; the seats' own intervals gave 31.5% false alarms."""
    chance = np.random.default_rng(7)
    games = choose_size(1000, 20_000)

    def count_alarms(lead):
        drawn = (
            [draw_seat_result(chance, players, 4000, lead) for players in (2, 3, 4)] for _ in range(games)
        )
        return sum(next(describe_fairness(results)).startswith("The seat farthest") for results in drawn)

    assert count_alarms(0.0) <= 0.05 * games
    assert count_alarms(0.05) >= 0.95 * games


def test_tension_is_about_a_player_count_that_all_variants_have():
    lead = {"leader_conversion": {"50": Estimate(0.55, 0.53, 0.57, 1000)}}
    two, three, four = (make_seat_result(n, {"1": (1 / n, 0.2, 0.5)}, more=lead) for n in (2, 3, 4))
    results = select_shared_results("tension", {"a": [two, three, four], "b": [two]})
    assert [*results.values()] == [[two], [two]]
    assert [*select_shared_results("tension", {"a": [three], "b": [two]}).values()] == [[three], [two]]
    (sentence,) = describe_group("tension", results["a"])
    assert sentence.startswith(
        "Matches stay open longer than a race that only luck decides: with 2 players, "
    )
    near = replace(two, answers={"leader_conversion": {"50": Estimate(0.75, 0.73, 0.78, 1000)}})
    assert next(describe_group("tension", [near])).startswith("Matches stay open about as long as ")
    (unknown,) = describe_group("tension", [replace(two, calibrated=False)])
    assert unknown.startswith("With 2 players, the leader after 50% of a match wins 55.0%")


def test_strategies_say_what_players_use_and_no_link_to_winning(page):
    """A link is not a cause, and the rarest split made the strongest link."""
    usage = {
        name: Estimate(mean, mean - 0.1, mean + 0.1, 900)
        for name, mean in zip("abcd", (2, 1, 4, 3), strict=True)
    }
    result = PlayerCountResult(
        players=3, matches=900, answers={"usage": usage}, head_to_heads=(), calibrated=False
    )
    assert list(describe_strategies([result])) == [
        "With 3 players, each seat has per match on average c 4.00 (3.90 to 4.10), d 3.00 (2.90 to 3.10) and "
        "a 2.00 (1.90 to 2.10); least of all b 1.00 (0.90 to 1.10)."
    ]
    assert list(describe_strategies([replace(result, answers={})])) == []
    assert not re.search("link|times as often|as often as others", page, re.IGNORECASE)


def test_takeaways_are_sentences_with_intervals(made):
    ((title, changes),) = summarize(made)
    assert title == "magpies+days=2 instead of magpies, 2 players"
    sentences = list(describe_variant(made.variants[0]))
    assert len(sentences) >= 4
    measured = [sentence for sentence in sentences if re.search(r"\d", sentence)]
    assert all(re.search(r"\([-\d.]+ to [-\d.]+\)", sentence) for sentence in measured), measured
    assert any(
        sentence.startswith("greedy wins 9") and "of its matches against random" in sentence
        for sentence in sentences
    )
    assert any(
        sentence.startswith("Matches are shorter: ") and "Big enough to matter" in sentence
        for sentence in changes
    )


def test_every_material_difference_is_named_also_of_metrics_that_were_not_asked_about(made, outline):
    """As `compare` says of the same file."""
    (contrast,) = made.contrasts
    ((_, changes),) = summarize(made)
    material = [line for line in contrast.lines if line.verdict == DIFFERENT]
    assert any(line.is_main for line in material)
    assert not all(line.is_main for line in material)
    text = " ".join(outline.text)
    for line in material:
        metric = find_metric(line.metric)
        names = (metric.name_subject(line.part).lower(), metric.label.lower())
        named = [sentence for sentence in changes if any(name in sentence.lower() for name in names)]
        assert any("matter" in sentence or sentence.startswith("Also: ") for sentence in named), names
        assert not line.part or any(line.part in sentence for sentence in named), line.part
        assert describe_verdict(line) in text


def test_what_is_not_yet_known_is_not_called_no_difference(tmp_path):
    """A difference of one percentage point is not seen in 64 deals."""
    skill = "tests.truth.p_deterministic:GAME"
    made = make_report(
        skill, f"{skill}+p=52", db=tmp_path / "few.duckdb", players="2", agents=["random"], matches=64
    )
    ((_, changes),) = summarize(made)
    (unknown,) = [sentence for sentence in changes if "no answer yet" in sentence]
    assert unknown.startswith("Wins by seat")
    assert "more matches of each may settle" in unknown
    assert "no clear difference" not in render(made)
    assert {line.verdict for line in made.contrasts[0].lines if line.is_main} >= {UNKNOWN}


def test_how_it_was_measured_is_all_there(made, outline):
    text = " ".join(outline.text)
    for subject in made.variants:
        assert subject.fingerprint in text
    assert "seed" in text
    assert "1,100" in text
    assert all(mark in text for mark in made.agent_prints.values())
    assert "numba" in text
    assert "draw a card" in text  # the match in words


def test_reconstructed_parts_and_drawings_are_shown_and_texts_are_escaped(made):
    subject = replace(made.variants[0], reconstructed={"<board>": "we guessed"})
    sample = SampleMatch(
        "magpies", 2, "<words>", (("set up", '<svg xmlns="http://www.w3.org/2000/svg"></svg>'),)
    )
    text = render(replace(made, variants=(subject, *made.variants[1:]), sample=sample))
    assert "<b>&lt;board&gt;</b>: we guessed" in text
    assert "1 part of the game is reconstructed" in text
    assert "&lt;words&gt;" in text
    assert '<figure class="picture"><svg' in text


def test_every_variant_has_its_marks_in_a_chart_and_no_two_look_alike(made):
    variants = [replace(made.variants[0], name=f"<i>{number}") for number in range(8)]
    ((_, chart),) = draw_lengths(replace(made, variants=tuple(variants)))
    assert [name in chart for name in (f"&lt;i&gt;{number}" for number in range(8))] == 8 * [True]
    shapes = re.findall(r'<(circle|rect|path) [^>]*fill="(#\w+)"', chart)
    assert len(set(shapes)) >= 8


def test_a_folder_that_is_not_there_is_reported_before_anything_is_played(tmp_path):
    done = CliRunner().invoke(app, ["report", MAGPIES, "-o", str(tmp_path / "nowhere" / "r.html")])
    assert (done.exit_code, done.stdout) == (2, "")
    assert f"cannot write {tmp_path / 'nowhere' / 'r.html'}: the folder" in done.stderr


def test_a_report_of_nothing_sensible_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="named twice"):
        make_report(MAGPIES, MAGPIES, db=tmp_path / "r.duckdb")
    with pytest.raises(InvalidInput, match="is a line-up"):
        make_report(MAGPIES, db=tmp_path / "r.duckdb", agents=["greedy,random"])


def test_agents_of_two_games_that_share_a_name_have_a_fingerprint_each(tmp_path):
    games = ("pig+target=10", "tests.support.campfire:GAME")
    made = make_report(*games, players="2", agents=["greedy"], matches=2, db=tmp_path / "two.duckdb")
    assert set(made.agent_prints) == {"greedy of pig", "greedy of campfire"}
    assert len(set(made.agent_prints.values())) == 2
