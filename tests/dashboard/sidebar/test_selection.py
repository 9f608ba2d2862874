"""The selection: what is chosen where the address says nothing, what is missing, and what means nothing."""

import shutil
from pathlib import Path

import pytest

from analytics import compare
from analytics.questions.compare.conclusions import conclude
from analytics.verdict.terms import MAIN_METRICS
from analytics.words import format_metric
from boardgames import simulate
from boardgames.store.connection import get_connection, open_for_writing
from dashboard.charts import BASELINE, VariantStyles
from dashboard.data.contrasts import load_comparisons, make_comparison, select_deciding_cells
from dashboard.data.file import load_contents
from dashboard.data.requests import WORKERS
from dashboard.selection import Preference, read_selection
from dashboard.sidebar.strength import rank_agent
from tests.dashboard.conftest import LONGER, PIG
from tests.dashboard.test_pages import assert_sound, open_details, open_page, read_text


@pytest.fixture(scope="module")
def uneven(tmp_path_factory) -> Path:
    """Most matches are by random, and one variant has none by greedy+worlds=1."""
    db = tmp_path_factory.mktemp("selection") / "uneven.duckdb"
    simulate("pig+target=20", "pig+target=26", db=db, players="2-3", agents=["random"], matches=200)
    simulate("pig+target=20", "pig+target=26", db=db, players="2", agents=["greedy"], matches=70)
    simulate("pig+target=20", db=db, players="2", agents=["greedy+worlds=1", "mcts:2"], matches=4)
    return db


def choose(db, **address):
    return read_selection(db, load_contents(db), {name: [*values] for name, values in address.items()})


def test_agents_are_ranked_by_their_names():
    names = ["human:ann", "random", "collector", "greedy+forbid=roll", "greedy", "learned", "mcts:64"]
    assert sorted(["mcts:256", *names[::-1]], key=rank_agent) == [*names, "mcts:256"]
    assert rank_agent(f"mcts:{'9' * 5000}") < rank_agent("mcts:1")  # no number that anybody means


def test_the_strongest_agent_with_matches_of_all_chosen_variants_is_shown_first(uneven):
    both = choose(uneven).selection
    assert (both.line_up, both.players, both.missing) == ("greedy", (2,), {})
    assert choose(uneven, variant=["pig+target=20"]).selection.line_up == "mcts:2"


def test_the_player_count_with_something_to_compare_is_shown_first(tmp_path):
    db = tmp_path / "lacking.duckdb"
    simulate("pig+target=20", "pig+target=26", db=db, players="2", agents=["random"], matches=4)
    simulate("pig+target=26", db=db, players="3", agents=["random"], matches=40)
    simulate("pig+target=26", "pig+target=30", db=db, players="4", agents=["random"], matches=40)
    variants = ["pig+target=20", "pig+target=26", "pig+target=30"]
    assert choose(db, variant=variants).selection.main_player_count == 2  # the baseline has no other


def test_what_a_variant_lacks_is_said_with_a_way_to_play_it(uneven, look_at):
    look_at(uneven)
    page = open_page("seats", agents="mcts:2")
    assert_sound(page)
    (note,) = [element.value.replace("\\", "") for element in page.info]
    assert note == ("1 of 2 variants has no matches by mcts:2 on seed 1: pig+target=26 (2 players).")
    (button,) = [button for button in page.button if button.label == "Play them"]
    assert "--matches 4 --agents=mcts:2 --players=2" in button.help


def test_what_a_variant_lacks_in_part_is_not_said_of_all_its_matches(tmp_path, look_at):
    db = tmp_path / "part.duckdb"
    simulate("pig+target=20", db=db, players="2-3", agents=["random"], matches=4)
    simulate("pig+target=26", db=db, players="3", agents=["random"], matches=4)
    look_at(db)
    (note,) = [element.value.replace("\\", "") for element in open_page("seats").info]
    assert note == "1 of 2 variants lacks matches by random on seed 1: pig+target=26 (2 players)."


def test_what_a_choice_makes_impossible_makes_room_without_a_word(tmp_path, look_at):
    db = tmp_path / "counts.duckdb"
    simulate("pig+target=20", db=db, players="2-3", agents=["random"], matches=4)
    simulate("pig+target=20", db=db, players="4", agents=["greedy"], matches=4)
    look_at(db)
    page = open_page("seats", agents="random", players=["2", "3"], variant=["pig+target=20", "chess"])
    page.selectbox(key="agents").set_value("greedy").run()
    assert_sound(page)
    assert [warning.value.replace("\\", "") for warning in page.warning] == [
        "The address names a variant that is not in this file: 'chess'."
    ]
    assert "4 players" in page.get("plotly_chart")[0].proto.spec


def test_every_value_of_a_selection_is_in_its_address_and_leads_back_to_it(uneven):
    selection = choose(uneven).selection
    assert selection.address == {
        "variant": ["pig+target=20", "pig+target=26"],
        "agents": ["greedy"],
        "players": ["2"],
        "seed": ["1"],
    }
    assert choose(uneven, **selection.address).selection == selection


def test_unknown_names_in_the_address_are_reported(uneven, look_at):
    read = choose(uneven, variant=["chess", "pig+target=26"], agents=["nobody"], players=["9"], seed=["x"])
    assert read.unknown == {
        "variant": ["chess"],
        "line-up": ["nobody"],
        "player count": ["9"],
        "seed": ["x"],
    }
    assert read.selection.variants == ("pig+target=26",)
    look_at(uneven)
    page = open_page("pace", variant="chess")
    assert "The address names a variant that is not in this file: 'chess'." in read_text(page).replace(
        "\\", ""
    )
    page = open_page("pace", agents="random", players="4")  # it may be there for others
    sentence = "The address names a player count of which the selection has no matches: '4'."
    assert sentence in read_text(page).replace("\\", "")


def test_a_comparison_that_was_asked_for_is_shown_first_with_its_baseline_and_agent(uneven):
    asked = Preference(specs=("pig+target=26", "pig+target=20"), agent="random", players=(2,), seed=1)
    read = read_selection(uneven, load_contents(uneven), {}, asked)
    assert read.selection.variants == asked.specs
    assert read.selection.line_up == "random"


def test_a_comparison_is_shown_with_its_player_counts_where_something_can_be_compared(uneven):
    asked = Preference(specs=("pig+target=20", "pig+target=26"), agent="random", players=(3,), seed=1)

    def read(**address):
        return read_selection(uneven, load_contents(uneven), address, asked).selection

    assert (read().line_up, read().players) == ("random", (3,))
    assert read(players=["2"]).players == (2,)
    assert read(variant=["pig+target=20"]).players == (2, 3)
    assert read(agents=["greedy"]).players == (2,)  # there are no others


def test_skill_is_shown_of_the_chosen_player_counts(tmp_path, look_at):
    db = tmp_path / "skill.duckdb"
    simulate("pig+target=20", db=db, players="2-4", agents=["random"], matches=4)
    simulate("pig+target=20", db=db, players="2", agents=["random+force=hold,random"], matches=48)
    simulate("pig+target=20", db=db, players="3", agents=["random+force=hold,random,random"], matches=48)
    assert [cell.players for cell in choose(db, players=["2"]).selection.mixed_cells] == [2]
    assert [cell.players for cell in choose(db, players=["2", "3"]).selection.mixed_cells] == [2, 3]
    assert [cell.players for cell in choose(db).selection.mixed_cells] == [2, 3]
    look_at(db)
    specs = [chart.proto.spec for chart in open_page("skill", players="2").get("plotly_chart")]
    assert specs
    assert not any("3 players" in spec for spec in specs)


def test_matches_that_nobody_asked_for_are_missed_only_where_they_would_be_drawn(tmp_path, look_at):
    db = tmp_path / "asked.duckdb"
    simulate("pig+target=20", db=db, players="2-3", agents=["random"], matches=70)
    compare("pig+target=20", "pig+target=26", db=db, players="2", agents=["random"], matches=70)
    look_at(db)
    for path in ("seats", "compare"):
        assert not open_page(path).info, path  # the comparison was of two players
    both = {"players": ["2", "3"]}
    for path in ("overview", "comparison", "fix", "match", "method"):
        assert "lacks matches" not in read_text(open_page(path, **both)), path
    for path in ("seats", "compare", "data"):
        assert "1 of 2 variants lacks matches" in read_text(open_page(path, **both)), path


def test_variants_with_equal_rules_are_one(uneven, tmp_path):
    """As `celtica` and `celtica:de` are."""
    db = Path(shutil.copy(uneven, tmp_path / "equal.duckdb"))
    with open_for_writing(db) as session:
        get_connection(session).execute("UPDATE variant SET fingerprint = 'feedfacefeedface'")
    contents = load_contents(db)
    assert list(contents.variants) == ["pig+target=20"]
    assert contents.variants["pig+target=20"].other_names == ("pig+target=26",)
    named = read_selection(db, contents, {"variant": ["pig+target=26", "pig+target=20"]})
    assert named.selection.variants == ("pig+target=20",)


def test_no_two_chosen_variants_look_alike_and_the_baseline_is_neutral():
    styles = VariantStyles(tuple(f"variant {n}" for n in range(30)))
    assert styles.get("variant 0") == BASELINE
    assert len({styles.get(variant) for variant in styles.variants}) == 30
    assert styles.get("another") not in {styles.get(variant) for variant in styles.variants}


# ---- comparisons as they were asked


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A comparison whose baseline was stored second, with a metric and a threshold of its own."""
    db = tmp_path_factory.mktemp("asked") / "asked.duckdb"
    simulate(PIG, db=db, players="2", agents=["random"], matches=10)
    comparison = compare(
        LONGER,
        PIG,
        db=db,
        players="2,3",
        agents=["random"],
        matches=200,
        main_metrics=["length", "seat_win_share"],
        thresholds={"length": 0.5},
    )
    return db, comparison


@pytest.mark.long
@pytest.mark.parametrize("path", ["compare", "comparison"])
def test_a_page_says_what_the_terminal_said_about_a_comparison(path, asked, look_at):
    db, comparison = asked
    look_at(db)
    page = open_page(path)
    assert_sound(page)
    output = read_text(page).replace("\\", "")
    first = comparison.contrasts[0]
    assert {line.metric for line in first.main_lines} == {"length", "seat_win_share"}
    for sentence in conclude(first):
        assert f"- {sentence}" in output, sentence
    assert "threshold: 0.50" in output


def test_each_stored_comparison_has_an_address(asked, look_at):
    db, comparison = asked
    look_at(db)
    (stored,) = load_comparisons(db)
    assert stored.question.specs == (LONGER, PIG)
    page = open_page("comparison", comparison=str(stored.id))
    assert_sound(page)
    titles = [element.value.replace("\\", "") for element in page.header]
    players = {contrast.players for contrast in comparison.contrasts}
    assert all(any(f"{n} players, by random" in title for title in titles) for n in players)
    page = open_page("comparison", comparison="77")
    assert "The address says comparison=77, which is not among the choices here" in read_text(page)


def test_comparisons_on_other_luck_can_be_told_apart_and_chosen(asked, tmp_path, look_at):
    db = Path(shutil.copy(asked[0], tmp_path / "again.duckdb"))
    compare(LONGER, PIG, db=db, players="2,3", agents=["random"], matches=3, seed=2)
    look_at(db)
    page = open_page("comparison")
    ends = [option.rpartition(", ")[2] for option in page.selectbox(key="comparison").options]
    assert ends == ["seed 2", "seed 1"]
    page.selectbox(key="comparison").select_index(1).run()
    assert_sound(page)
    assert "Seed 1." in read_text(page).replace("\\", "")


@pytest.mark.parametrize("path", ["compare", "comparison"])
def test_a_shared_comparison_names_all_agents_whose_differences_it_shows(path, tmp_path, look_at, share):
    db = tmp_path / "agents.duckdb"
    compare(PIG, LONGER, db=db, players="2", agents=["random+force=roll", "random"], matches=70)
    look_at(db)
    assert_sound(open_page(path))
    assert "random+force=roll, in all seats; beside them random, in all seats" in share()


def test_what_is_open_is_a_button_that_plays_on(asked, look_at):
    db, _ = asked
    look_at(db)
    (button,) = [button for button in open_page("comparison").button if button.label.startswith("Play them")]
    assert "compare" in button.help
    assert "--continue --minutes" in button.help


def test_a_page_expects_more_matches_to_take_as_long_as_the_terminal_does(asked):
    db, comparison = asked
    (stored,) = load_comparisons(db)
    cells = select_deciding_cells(stored, load_contents(db))
    shown = make_comparison(db, comparison.contrasts, comparison.terms, cells)
    # compare was asked with one worker, the page plays with all
    assert shown.match_seconds == pytest.approx(comparison.match_seconds / WORKERS)


def test_an_interval_that_says_nothing_is_not_shown(tmp_path, look_at):
    db = tmp_path / "few.duckdb"
    simulate(PIG, LONGER, db=db, players="2", agents=["random"], matches=3)
    look_at(db)
    page = open_details(open_page("compare"))
    assert_sound(page)
    rows = [[str(cell).replace("\\", "") for cell in row] for row in page.table[0].value.to_numpy()]
    main = [row for row in rows if any(row[1].startswith(format_metric(name)) for name in MAIN_METRICS)]
    cells = [cell for row in main for cell in row]
    assert "too few matches yet; 61 more" in cells
    assert not any("(" in cell for cell in cells)  # no interval at all
