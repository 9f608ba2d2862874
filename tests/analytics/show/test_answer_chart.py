"""`compare --chart`: the answer as one picture."""

import xml.etree.ElementTree as ElementTree

import pytest

from analytics import compare
from analytics.questions.compare.conclusions import conclude
from analytics.show.chart.answer import draw_answer, select_lines
from analytics.verdict.verdicts import DIFFERENT
from tests.support.svg_texts import measure_texts

SPECS = ["pig", "pig+target=50"]
OPTIONS = ("--players", "2", "--agents", "random", "--matches", "640")


@pytest.fixture(scope="module")
def comparison(tmp_path_factory):
    db = tmp_path_factory.mktemp("chart") / "pig.duckdb"
    return compare(*SPECS, db=db, players=2, agents="random", matches=640)


@pytest.fixture(scope="module")
def chart(comparison):
    return draw_answer(comparison)


def test_the_chart_says_what_the_sentences_say(comparison, chart):
    (contrast,) = comparison.contrasts
    words = [text.words for text in measure_texts(chart)]
    assert "pig+target=50 instead of pig" in words
    assert "2 players, played by random, 640 matches of each" in words
    assert "Matches are shorter" in words
    assert any(sentence.startswith("Matches are shorter") for sentence in conclude(contrast))
    assert "lower" in words


def test_what_differs_stands_above_what_is_open(comparison):
    verdicts = [line.verdict for line in select_lines(comparison.contrasts[0]) if line.is_main]
    assert verdicts[0] == DIFFERENT
    assert verdicts == sorted(verdicts, key=lambda verdict: verdict != DIFFERENT)


def test_everything_stands_within_the_picture_and_can_be_read(chart):
    root = ElementTree.fromstring(chart)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for line in root.iter("{http://www.w3.org/2000/svg}line"):
        assert all(0 <= float(line.get(end, -1)) <= width for end in ("x1", "x2"))
        assert all(0 <= float(line.get(end, -1)) <= height for end in ("y1", "y2"))
    texts = measure_texts(chart)
    assert min(text.contrast for text in texts) > 4
    assert min(text.size for text in texts) > 10


@pytest.mark.long
def test_the_command_draws_is_short_if_asked_and_refuses_what_is_no_svg_file_before_it_plays(
    tmp_path, run_command
):
    words = ["compare", *SPECS, *OPTIONS, "--db", tmp_path / "p.duckdb", "--chart"]
    done = run_command(*words, tmp_path / "answer.png", in_process=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"a chart is an SVG file: write --chart {tmp_path / 'answer.svg'}" in done.stderr
    assert not (tmp_path / "p.duckdb").exists()
    done = run_command(*words, tmp_path / "answer.svg", "--short", in_process=True)
    assert done.returncode == 0, done.stderr
    assert "- Matches are shorter: " in done.stdout
    assert "Main metrics" not in done.stdout  # the table
    assert f"drew the answer into {tmp_path / 'answer.svg'}" in done.stdout
    assert (tmp_path / "answer.svg").read_text().startswith("<svg")


def test_variants_with_the_same_rules_are_drawn_as_such(tmp_path):
    same = compare("pig", "pig+target=100", db=tmp_path / "s.duckdb", players=2, agents="random", matches=64)
    assert "The rules are the same." in draw_answer(same)
