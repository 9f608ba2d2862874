"""Every page on a small real file, on an empty one and on one with a single deal: it says something true, and
never breaks.
"""

import json
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from analytics import compare, find_metric
from boardgames import find_variant, play_batch, simulate
from boardgames.plan.plan import make_plan
from boardgames.plan.played import PlayedDeals
from boardgames.store.connection import get_connection, open_for_reading, open_for_writing
from boardgames.store.write import register_run, store_played
from dashboard import app, controls
from dashboard.app import list_pages
from dashboard.browser import escape_markdown
from dashboard.data import cache
from dashboard.data import file as stored
from dashboard.data.examples import name_examples, name_value_filter
from dashboard.data.file import CellInfo, Contents
from dashboard.pages import extras, overview
from dashboard.pages.match import SIDE_BY_SIDE
from dashboard.selection import Selection
from tests.dashboard.conftest import LONGER, PIG
from tests.dashboard.drawn import HARM
from tests.support.processes import HANGS

# what a page shows if it is less than what is selected, or something else
FACTS = {
    "compare": ("players</td><td>2<", "2,200: 1,100 of each"),
    "skill": ("players</td><td>2<", "random+force=hold,random, rotated through seats", "160: 80 of each"),
    "strategies": (
        "players</td><td>2, 3<",
        "random, in all seats; beside them random+force=hold,random, rotated through seats",
        "4,400: 1,100 of each; beside them 160: 80 of each",
    ),
    "match": ("variants</td><td>drawn-pig+target=20*<", "players</td><td>2<", "1 of 1,100"),
}
PATHS = [path for path, page in list_pages().items() if page.needs_matches]


def open_page(path: str, **query: str | list[str]) -> AppTest:
    """A page as a browser with this address would see it."""
    script = f"from dashboard.app import run_page\nrun_page({path!r})"
    page = AppTest.from_string(script, default_timeout=HANGS)
    for name, value in query.items():
        page.query_params[name] = value
    return page.run()


def open_details(page: AppTest) -> AppTest:
    """The page with the details of all cards open."""
    for fold in page.get("expander"):
        if found := re.search(r"details-\d+$", fold.proto.id):
            page.session_state[found[0]] = True
    return page.run()


def read_text(page: AppTest) -> str:
    kinds = ("title", "header", "markdown", "caption", "info", "warning", "error", "code", "table")
    return "\n".join(str(element.value) for kind in kinds for element in page.get(kind))


def assert_sound(page: AppTest) -> None:
    """Nothing was raised, and no error is shown."""
    assert not page.exception, page.exception[0].stack_trace
    assert [element.value for element in page.error] == []
    assert len(page.title) == 1


@pytest.mark.parametrize("path", [*PATHS, "simulate"])
def test_a_page_shows_a_real_file_and_can_be_shared(path, real, look_at, share):
    look_at(real)
    page = open_page(path)
    assert_sound(page)
    if path != "simulate":
        shared = share()
        assert len(shared) < 300_000
        assert shared.count('<figure class="chart">') == len(page.get("plotly_chart"))
        for fact in FACTS.get(path, ("players</td><td>2, 3<", "4,400: 1,100 of each")):
            assert fact in shared
        both = "drawn-pig+target=20* (the baseline), drawn-pig+target=26*"
        assert (both in shared, "random, in all seats" in shared) == (path != "match", path != "skill")
    assert page.title[0].value.endswith("?")
    if path not in ("overview", "comparison", "fix", "match", "data", "method", "simulate"):
        assert page.get("plotly_chart"), read_text(page)
        for chart in page.get("plotly_chart"):  # every estimate leads to matches
            marked = [trace for trace in json.loads(chart.proto.spec)["data"] if trace.get("hovertext")]
            assert all(trace.get("customdata") for trace in marked), chart.proto.id


@pytest.mark.parametrize("path", [*PATHS, "simulate"])
def test_a_page_shows_a_single_deal(path, single, look_at):
    look_at(single)
    assert_sound(open_page(path))


def test_on_an_empty_file_one_can_simulate(empty, look_at):
    look_at(empty)
    page = open_page("simulate")
    assert_sound(page)
    assert page.multiselect(key="play").value == []


@pytest.mark.parametrize("path", PATHS)
def test_a_page_of_an_empty_file_says_what_to_type(path, empty, look_at):
    look_at(empty)
    page = open_page(path)
    assert_sound(page)
    assert "There are no matches in this file yet" in page.info[0].value
    assert page.code[0].value.startswith("boardgames simulate ")


def test_every_number_has_its_interval_and_its_n(real, look_at):
    look_at(real)
    page = open_page("overview")
    headlines = [element.value for element in page.markdown if "the first seat wins" in element.value]
    assert len(headlines) == 2
    assert all(
        " to " in element.replace("\\", "") and "50% is fair" in element.replace("\\", "")
        for element in headlines
    )
    spec = open_page("seats").get("plotly_chart")[0].proto.spec
    assert "1,100 deals" in spec
    assert "1,100 matches" in spec


def test_every_variant_has_a_card_whatever_is_chosen(real, look_at, monkeypatch):
    look_at(real)
    page = open_page("overview", variant="drawn-pig+target=26*")
    cards = [element.value.replace("\\", "") for element in page.header]
    assert [card for card in cards if "target" in card] == ["drawn-pig+target=26*", "drawn-pig+target=20*"]
    monkeypatch.setattr(overview, "MAX_CARDS", 1)
    page = open_page("overview")
    assert len([element for element in page.header if "target" in element.value]) == 1
    assert "1 of 2 variants have a card here" in page.info[0].value


def test_what_is_chosen_in_the_address_is_shown(real, look_at):
    look_at(real)
    page = open_page("seats", variant="drawn-pig+target=26*", players="3")
    assert page.multiselect(key="variant").value == ["drawn-pig+target=26*"]
    spec = page.get("plotly_chart")[0].proto.spec
    assert "3 players" in spec
    assert "2 players" not in spec
    assert "target=20" not in spec


def test_the_sidebar_says_in_one_line_what_is_shown(real, look_at):
    look_at(real)
    captions = [caption.value.replace("\\", "") for caption in open_page("seats").sidebar.caption]
    assert "2 variants, random, 2 and 3 players" in captions
    page = open_page("seats", variant="drawn-pig+target=26*", players="3")
    captions = [caption.value.replace("\\", "") for caption in page.sidebar.caption]
    assert "drawn-pig+target=26*, random, 3 players" in captions


def test_an_address_that_means_nothing_here_is_ignored(real, look_at):
    look_at(real)
    page = open_page("pace", variant="chess", agents="nobody", players="9", seed="x")
    assert_sound(page)
    assert page.multiselect(key="variant").value == ["drawn-pig+target=20*", "drawn-pig+target=26*"]


def test_the_details_of_a_card_are_drawn_when_they_are_opened(real, look_at):
    look_at(real)
    page = open_page("pace")
    assert not page.table
    assert len(open_details(page).table) == len(page.get("expander"))


def test_variants_are_compared_with_verdicts_and_thresholds(real, look_at):
    look_at(real)
    page = open_details(open_page("compare"))
    output = read_text(page).replace("\\", "")
    assert "Big enough to matter" in output
    assert "Give or take: the 95% interval." in output
    assert "points that win: 20 -> 26 (target)" in output
    assert "they were not fixed before the first match" in output
    forest = page.get("plotly_chart")[0].proto.spec
    axis = json.loads(forest)["layout"]["yaxis"]
    labels = axis["categoryarray"][::-1]
    assert axis["range"] == [-0.5, len(labels) - 0.5]  # a heading has no mark that would make room for it
    assert labels[:4] == ["<b>Seats</b>", "Wins by seat: 1", "<b>Endings</b>", "Shared wins"]
    assert all(words in forest for words in ("in thresholds", "within the band", "it does not matter"))


def test_a_change_is_shown_in_the_direction_in_which_it_was_compared(tmp_path, look_at, share):
    """Also if the second variant was there before the first, or is played again later."""
    db, asked = tmp_path / "compared.duckdb", {"players": "2", "agents": ["random"]}
    simulate(PIG, db=db, matches=2, **asked)
    compare(LONGER, PIG, db=db, matches=3, **asked)
    simulate(PIG, db=db, matches=4, **asked)
    look_at(db)
    assert open_page("compare").multiselect(key="variant").value == [
        "drawn-pig+target=26*",
        "drawn-pig+target=20*",
    ]
    comparison = read_text(open_page("comparison"))
    title = (
        "B = drawn-pig+target=20* against A = drawn-pig+target=26*, 2 players, by random: 3 matches of each"
    )
    assert escape_markdown(title) in comparison
    assert "reconstructed" in comparison  # what the star means
    open_page(
        "comparison", variant="drawn-pig+target=20*"
    )  # shared is what was compared, not what is selected
    for fact in (
        "drawn-pig+target=26* (the baseline), drawn-pig+target=20*",
        "players</td><td>2<",
        "<td>7: ",
    ):
        assert fact in share()


@pytest.mark.parametrize("targets", [(20, 23, 26, 29), (29, 26, 23, 20)])
def test_variants_that_are_stored_in_one_moment_stand_as_they_were_typed(targets, tmp_path):
    db = tmp_path / "moment.duckdb"
    for deals in (1, 2):  # playing on changes nothing
        simulate(
            *[PIG.replace("20", str(target)) for target in targets],
            db=db,
            players="2",
            agents=["random"],
            matches=deals,
        )
    with open_for_writing(db) as session:
        get_connection(session).execute("UPDATE batch SET stored = '2026-01-01'")
    assert list(stored.load_contents(db).variants) == [f"drawn-pig+target={target}*" for target in targets]


def test_the_baseline_of_a_comparison_with_several_player_counts_comes_first(tmp_path):
    db = tmp_path / "counts.duckdb"
    compare(LONGER, PIG, db=db, players="2,3", agents=["random"], matches=3)
    assert list(stored.load_contents(db).variants) == ["drawn-pig+target=26*", "drawn-pig+target=20*"]


def test_why_there_are_no_verdicts_is_shown_not_whose_thresholds_they_would_have_gone_by(tmp_path, look_at):
    db = tmp_path / "short.duckdb"
    simulate(PIG, LONGER, db=db, players="2", agents=["random"], matches=1)
    look_at(db)
    page = open_page("compare")
    assert_sound(page)
    (output,) = [element.value.replace("\\", "") for element in page.warning]
    assert output == "No verdicts: one deal gives no interval: 2 are needed."


def test_one_variant_alone_leads_to_how_to_compare(single, look_at):
    look_at(single)
    page = open_page("compare")
    assert "Choose a second variant" in page.info[0].value
    assert page.code[0].value.startswith("boardgames compare ")


def test_the_spread_of_scores_counts_seats_and_that_of_lengths_matches(real, look_at):
    look_at(real)
    specs = [chart.proto.spec for chart in open_page("compare", players="2").get("plotly_chart")]
    axes = {
        title: [f"% of {counted}" in spec for counted in ("seats", "matches")]
        for spec in specs
        for title in ("points of a seat", "turns of a match")
        if title in spec
    }
    assert axes == {"points of a seat": [True, False], "turns of a match": [False, True]}


def test_a_metric_that_is_the_same_as_another_one_in_this_game_is_not_drawn_again(tmp_path, look_at):
    """A coin race has no tie-break: whoever shares the best score shares the win."""
    db, spec = tmp_path / "coins.duckdb", "tests.truth.coin_race:GAME+steps=4"
    plan = make_plan([spec], "2", ["random"], 200)
    register_run(plan, db, "")
    batch = play_batch(find_variant(spec), "random", 2, 200, compiled=False)
    store_played(db, [PlayedDeals(plan.cells[0], 0, 200, batch, 1.0)])
    look_at(db)
    page = open_page("endings")
    assert_sound(page)
    tied, shared = (find_metric(name).question for name in ("tied_before", "tied_after"))
    titles = [element.value for element in page.header]
    assert (tied in titles, shared in titles) == (True, False)
    assert f"{shared} The same numbers, in all these matches." in read_text(page).replace("\\", "")


def test_variants_without_shared_deals_lead_to_what_to_play(copied, look_at):
    with open_for_writing(copied) as session:
        con = get_connection(session)
        con.execute(
            "DELETE FROM batch WHERE cell_id IN (SELECT cell_id FROM cells WHERE variant LIKE"
            " '%26' AND line_up = 'random')"
        )
    look_at(copied)
    page = open_page("compare")
    assert_sound(page)
    output = read_text(page).replace("\\", "")
    assert "1 of 2 variants has no matches by random" in output
    assert "drawn-pig+target=26* (2, 3 players)" in output
    (button,) = [button for button in page.button if button.label == "Play them"]
    assert f"boardgames simulate {LONGER} " in button.help
    assert "--agents=random --players=2,3" in button.help


@pytest.mark.parametrize("path", ["overview", "seats", "skill", "match"])
def test_a_page_shows_a_file_in_which_only_different_agents_meet(path, contests, look_at):
    look_at(contests)
    page = open_page(path)
    assert_sound(page)
    if path == "skill":
        output, charts = (
            read_text(page).replace("\\", ""),
            [chart.proto.spec for chart in page.get("plotly_chart")],
        )
        assert "random+force=hold has 0" in output
        rated = charts[2].replace("<br>", " ").replace("\\u003cbr\\u003e", " ")  # names of rows are wrapped
        assert "random+force=roll, 2 players" in rated
        assert "random, 2 players" in rated


SOME = ("overview", "compare", "tension", "match", "method")  # of pages of one kind, one
BEARING = [path if path in SOME else pytest.param(path, marks=pytest.mark.long) for path in PATHS]


@pytest.mark.long
@pytest.mark.parametrize("path", BEARING)
def test_a_page_bears_rules_that_are_gone_or_changed(path, copied, look_at):
    """Another game that is not installed, rules that have changed since, and agents with other code."""
    with open_for_writing(copied) as session:
        con = get_connection(session)
        con.execute(
            "UPDATE variant SET game = 'lost', name = 'lost <b>game</b>', spec = 'no.such:GAME'"
            " WHERE name LIKE '%26'"
        )
        con.execute("UPDATE variant SET fingerprint = 'feedfacefeedface' WHERE name LIKE '%20'")
        con.execute("UPDATE cell SET engine = engine + 1 WHERE players = 3")
    look_at(copied)
    page = open_page(path, variant=["drawn-pig+target=20*", "lost <b>game</b>*"])
    assert_sound(page)
    if path == "match":
        assert "have changed since this match" in page.warning[0].value.replace("\\", "")
    if path == "compare":
        assert any("No verdicts" in element.value for element in page.warning)
        assert page.get("plotly_chart")


def test_the_match_page_steps_and_draws(real, look_at):
    look_at(real)
    page = open_page("match", kind="seat 2 won")
    assert_sound(page)
    assert page.slider(key="step").value == 0
    assert "the table is set up" in read_text(page)
    page.button(key="forth").click().run()
    assert_sound(page)
    assert page.slider(key="step").value == 1
    assert "turn 1, seat 1: roll the die" in read_text(page).replace("\\", "")
    assert page.get("image")


def test_the_match_page_lists_every_move_with_what_it_caused_and_says_why_it_was_won(real, look_at):
    look_at(real)
    page = open_page("match", kind="seat 2 won")
    (moves,) = [frame.value for frame in page.dataframe if "what it caused" in frame.value.columns]
    assert list(moves["action"]) == list(range(1, len(moves) + 1))
    assert (moves["turn"].iloc[0], moves["seat"].iloc[0], moves["words"].iloc[0]) == (1, 1, "roll the die")
    assert re.fullmatch(r"a \d: \d+ (gathered|lost)", moves["what it caused"].iloc[0])
    assert re.search(r"Seat 2 wins: \d+ points against \d+\.", read_text(page).replace("\\", ""))


@pytest.mark.parametrize(
    "kind",
    [
        name_examples(find_metric("end_reason"), "cut off"),
        name_value_filter("turns", 5, 9),
        name_value_filter("score", 20, 22),
    ],
)
def test_the_matches_behind_a_point_are_found(kind, real, look_at):
    look_at(real)
    page = open_page("match", kind=kind)
    assert_sound(page)
    assert page.selectbox(key="kind").value == kind
    if kind.startswith("turns"):
        turns = [
            int(re.search(r": (\d+) turns", option)[1]) for option in page.selectbox(key="match").options
        ]
        assert turns
        assert all(5 <= number <= 9 for number in turns)


def read_fork(page: AppTest) -> int:
    return int(re.search(r"Both are alike for (\d+) actions", page.info[0].value.replace("\\", ""))[1])


def test_matches_side_by_side_open_where_they_part(real, look_at):
    look_at(real)
    page = open_page("match", step="2")
    page.segmented_control(key="view").set_value(SIDE_BY_SIDE).run()
    assert_sound(page)
    first = read_fork(page)
    assert page.slider(key="step").value == first + 1
    assert len(page.get("image")) == 2
    deals = [page.number_input(key="deal").set_value(deal).run() and read_fork(page) for deal in (2, 3)]
    assert deals[-1] != first
    assert page.slider(key="step").value == deals[-1] + 1
    assert open_page("match", view=SIDE_BY_SIDE, step="3").slider(key="step").value == 3  # a link to a step


def test_with_two_players_one_seat_says_all(real, look_at):
    look_at(real)
    page = open_page("seats", players="2")
    spec = page.get("plotly_chart")[0].proto.spec
    assert '"seat 1"' in spec
    assert '"seat 2"' not in spec
    assert "seat 2 wins the rest" in read_text(page)
    assert '"seat 2"' in open_page("seats", players="3").get("plotly_chart")[0].proto.spec
    spec = open_page("compare", count="2").get("plotly_chart")[0].proto.spec
    assert "Wins by seat: 1" in spec
    assert "Wins by seat: 2" not in spec


def test_ratings_say_why_they_are_missing(contests, look_at, monkeypatch):
    look_at(contests)
    monkeypatch.setattr(extras, "GROUPS", 1000)
    assert "a head-to-head needs more than 1000 deals" in read_text(open_page("skill")).replace("\\", "")
    monkeypatch.undo()
    look_at(contests)
    monkeypatch.setattr(extras, "MAX_RATED_MATCHES", 10)
    output = read_text(open_page("skill")).replace("\\", "")
    assert "more than 10 matches take too long for a page" in output
    assert "boardgames ladder" in output


def test_texts_of_games_and_files_are_shown_as_they_are(real, look_at):
    look_at(real)
    for path in ("overview", "endings", "method"):
        page = open_page(path)
        for element in [*page.markdown, *page.caption]:
            assert "<b onclick" not in element.value
            assert ":red[x]" not in element.value
        for chart in page.get("plotly_chart"):
            assert "<b onclick" not in chart.proto.spec
    assert HARM.startswith("<b onclick")


def test_a_missing_file_greets_with_what_to_do_and_the_command_that_makes_one(tmp_path, look_at):
    db = tmp_path / "nowhere.duckdb"
    look_at(db)
    for path in ("overview", "seats"):
        page = open_page(path)
        assert_sound(page)
        assert "There is no file" in page.info[0].value
        assert page.code[0].value.startswith("boardgames simulate celtica ")
    for path in ("simulate", "play"):
        assert_sound(open_page(path))
    assert "does not exist yet" in open_page("simulate").info[0].value
    assert not db.exists()


def test_a_file_that_is_not_ours_newer_or_in_use_is_reported_in_a_sentence(
    copied, tmp_path, look_at, monkeypatch
):
    text = tmp_path / "text.duckdb"
    text.write_text("not a database " * 100)
    newer = copied
    with open_for_writing(newer) as session:
        get_connection(session).execute("UPDATE boardgames_file SET schema_version = 99")
    for db, words in ((text, "is not a boardgames result file"), (newer, "was made by a newer boardgames")):
        look_at(db)
        page = open_page("overview")
        assert not page.exception
        assert words in page.error[0].value


def test_a_file_that_another_process_has_is_reported_in_a_sentence(copied, look_at, monkeypatch):
    code = (
        "import sys; from pathlib import Path; from boardgames.store.connection import open_for_writing\n"
        "with open_for_writing(Path(sys.argv[1])): print('has it', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(copied)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        assert holder.stdout.readline() == b"has it\n"
        monkeypatch.setattr(cache, "PATIENCE", 0.3)
        look_at(copied)
        page = open_page("overview")
        assert not page.exception
        assert "copied.duckdb is in use: python" in page.warning[0].value.replace("\\", "")
    finally:
        holder.kill()
        holder.wait()
        holder.stdin.close()
        holder.stdout.close()


def test_an_answer_is_kept_until_the_file_changes(copied):
    before = stored.load_contents(copied)
    assert stored.load_contents(copied).matches == before.matches
    with open_for_writing(copied) as session:
        get_connection(session).execute("UPDATE batch SET matches = matches + 7 WHERE first_deal = 0")
    assert stored.load_contents(copied).matches > before.matches
    with open_for_reading(copied) as session:
        assert get_connection(session).execute("SELECT count(*) FROM cell").fetchone()[0] == len(before.cells)


@pytest.mark.long
def test_the_form_takes_any_seed(single, look_at, monkeypatch):
    asked = []
    monkeypatch.setattr(controls, "start_simulation", lambda db, request: asked.append(request))
    look_at(single)
    page = open_page("simulate")
    page.number_input(key="play seed").set_value(0)
    page.button[0].click().run()
    assert asked == []  # the estimate comes first
    page.button(key="start").click().run()
    assert asked[0].seed == 0


def test_a_file_may_vanish_while_its_state_is_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr(Path, "exists", lambda path: True)  # as it was a moment ago
    assert cache.read_file_state(tmp_path / "gone.duckdb") == ()


def test_of_a_cell_that_was_stored_by_other_code_only_the_last_one_counts():
    made = [datetime(2024, 1, day) for day in (1, 2, 3)]
    old, new, other = (
        CellInfo(
            id=n,
            variant="a",
            spec="a",
            players=2,
            line_up="strong,weak",
            seed=seed,
            engine=1,
            seatings=2,
            deals=50,
            matches=100,
            last_stored=last,
        )
        for n, seed, last in zip((1, 2, 3), (1, 1, 7), made, strict=True)
    )
    selection = Selection(
        db=Path("x"),
        contents=Contents({}, (old, new, other)),
        variants=("a",),
        players=(2,),
        line_up="strong,weak",
        seed=1,
    )
    assert selection.cells == selection.mixed_cells == [new]


WRECK = """
from analytics import Metric
WORDS = {"question": "How?", "unit": "times", "bounds": (0.0, float("inf")), "threshold": 0.5}
GOOD = "SELECT cell_id, 'x' AS part, slice, deals, total, squares FROM slice WHERE value = 'widest'"
ALL = [
    Metric(name="broken", group="data", **WORDS, definition="SELECT nosuch FROM slice"),
    Metric(name="parted", group="a/b *c*", **WORDS, definition=GOOD, examples="the longest",
           headlines={"x": "most options"}),
    Metric(name="skilled", group="skill", **WORDS, definition=GOOD.replace("'x'", "''")),
]
"""


@pytest.mark.long
def test_metrics_of_a_plug_in_have_pages_of_their_own_and_a_broken_one_spoils_none(
    copied, look_at, plug_in, caplog
):
    plug_in(WRECK)
    look_at(copied)
    assert list(list_pages())[10:12] == ["group-data", "group-a-b-c-"]
    script = AppTest.from_file(app.__file__, default_timeout=HANGS).run()  # all pages can be navigated to
    assert not script.exception
    page = open_page("group-a-b-c-")
    assert_sound(page)
    assert page.title[0].value == escape_markdown("What about a/b *c*?")
    assert page.get("plotly_chart")
    assert "the longest" in page.get("plotly_chart")[0].proto.spec  # where its points lead to
    assert "most options" in read_text(open_page("overview"))
    page = open_page("skill")
    assert_sound(page)
    assert len(page.get("plotly_chart")) == 4  # two of ours, ratings, and the plug-in's
    assert caplog.text.count("metric 'broken', of a plug-in, cannot be asked") == 1


def test_the_form_refuses_what_the_command_line_refuses(real, look_at):
    look_at(real)
    page = open_page("simulate")
    page.multiselect(key="play").set_value([PIG])
    page.text_input(key="play agents").set_value("nobody")
    page.button[0].click().run()
    assert not page.exception
    assert "no agent 'nobody'" in page.error[0].value.replace("\\", "")
