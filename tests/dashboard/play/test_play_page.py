"""The Play page without a browser: what it lists, offers and refuses."""

import shutil
import subprocess
import sys

import pytest
from streamlit.testing.v1 import AppTest

from boardgames import find_variant
from boardgames.game.plugins import find_stored_variant
from boardgames.people.seated_match import find_seat_agent, load_seated, resume_or_begin
from boardgames.plan.cell import PlannedCell
from boardgames.store.recorded_matches import list_unfinished
from dashboard.data import table
from dashboard.data.simulations import RunningSimulation, get_simulations
from dashboard.pages.play.page import describe_sureness, group_actions, replay_links
from dashboard.pages.play.setup import describe_unfinished, list_trained_players
from tests.dashboard.test_pages import assert_sound, open_page, read_text
from tests.dashboard.test_simulations import HOLD_OPEN
from tests.support.processes import hold_open


@pytest.fixture
def begun(tmp_path, look_at):
    """A match of Anna and Ben at one screen, and its file."""
    variant = find_stored_variant("magpies")
    line_up = tuple(find_seat_agent(name, variant.game) for name in ("human:Anna", "human:B. Bo"))
    cell = PlannedCell(variant, line_up, 1, rotate_seats=False)
    seated, _ = resume_or_begin(tmp_path / "played.duckdb", cell, None)
    look_at(seated.db)
    return seated


def click_first_action(page: AppTest) -> None:
    next(button for button in page.button if button.key.startswith("action ")).click().run()


def test_a_match_that_waits_is_offered_and_gone_on_with_where_it_was(begun):
    page = open_page("play")
    assert_sound(page)
    assert page.button(key=f"resume {begun.id}").label.replace("\\", "").startswith("magpies: Anna, B.")
    page.button(key=f"resume {begun.id}").click().run()
    assert page.query_params["id"] == begun.id
    assert "Hand the screen to seat 1 \\(Anna\\)" in read_text(page)


def test_a_match_that_waits_says_how_far_it_is(begun):
    (match,) = list_unfinished(begun.db)
    texts = [describe_unfinished(match._replace(actions=[0] * count)) for count in (0, 1, 2)]
    assert ["0 actions" in texts[0], "1 action," in texts[1], "2 actions" in texts[2]] == [True] * 3


def test_an_address_leads_to_its_match_and_a_choice_is_stored_at_once(begun):
    page = open_page("play", id=begun.id)
    assert not any("your hand" in str(table.value) for table in page.table)
    page.button(key="take over").click().run()
    assert_sound(page)
    assert any("your hand" in str(table.value) for table in page.table)
    click_first_action(page)
    assert_sound(page)
    assert len(load_seated(begun.db, begun.id).match.actions) >= 2


def test_while_another_program_has_the_file_one_plays_on_and_the_next_choice_stores_it(begun, monkeypatch):
    monkeypatch.setattr(table, "PATIENCE", 0.0)
    page = open_page("play", id=begun.id)
    page.button(key="take over").click().run()
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_OPEN, begun.db], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout.readline() == "open\n"
        click_first_action(page)
        assert not page.exception
        assert "Play on: your next choice stores the match" in page.warning[0].value.replace("\\", "")
        own = RunningSimulation(command=["boardgames"], process=holder, log=None)
        monkeypatch.setitem(get_simulations(), str(begun.db), own)
        page.button(key="take over").click().run()
        click_first_action(page)
        assert page.warning[0].value.startswith("Your simulation is storing matches")
        holder.communicate()
    assert load_seated(begun.db, begun.id).match.actions == []
    click_first_action(page)
    assert len(page.warning) == 0
    assert len(load_seated(begun.db, begun.id).match.actions) >= 3


def test_a_window_in_which_a_match_has_not_gone_on_says_so_and_catches_up(begun):
    page = open_page("play", id=begun.id)
    page.button(key="take over").click().run()
    other_window = load_seated(begun.db, begun.id)
    other_window.play_forced()
    other_window.choose(other_window.match.legal()[-1])
    click_first_action(page)
    assert_sound(page)
    assert "went on in another window" in page.warning[0].value
    assert load_seated(begun.db, begun.id).match.actions == other_window.match.actions


@pytest.fixture
def nearly_over(tmp_path, look_at, monkeypatch):
    """A match that Anna can win with her next choice, on its page, where nothing waits long for the file."""
    monkeypatch.setattr(table, "PATIENCE", 0.0)
    variant = find_stored_variant("tic-tac-toe")
    line_up = tuple(find_seat_agent(name, variant.game) for name in ("human:Anna", "human:Ben"))
    cell = PlannedCell(variant, line_up, 1, rotate_seats=False)
    seated, _ = resume_or_begin(tmp_path / "played.duckdb", cell, None)
    for action in (0, 3, 1, 4):
        seated.choose(action)
    look_at(seated.db)
    return seated, open_page("play", id=seated.id)


def test_a_match_whose_last_choice_could_not_be_stored_is_stored_as_soon_as_the_file_is_free(nearly_over):
    seated, page = nearly_over
    with hold_open(seated.db):
        page.button(key="action 4 2").click().run()
        assert not page.exception
        (warning,) = page.warning
        assert "This page stores the match as soon as the file is free." in warning.value.replace("\\", "")
        assert page.button(key="again").disabled
        page.button(key="leave").click().run()
        assert page.query_params["id"] == seated.id
    assert not load_seated(seated.db, seated.id).is_finished
    page.run()
    assert len(page.warning) == 0
    assert "Stored as a match of people" in read_text(page)
    assert not page.button(key="again").disabled
    assert load_seated(seated.db, seated.id).is_finished


def test_nobody_leaves_a_choice_behind_that_is_not_stored(nearly_over):
    seated, page = nearly_over
    with hold_open(seated.db):
        page.button(key="action 4 8").click().run()
        page.button(key="leave").click().run()
        assert page.query_params["id"] == seated.id
        assert "Leave a little later: your last choice is not stored yet." in read_text(page).replace(
            "\\", ""
        )
    page.button(key="leave").click().run()
    assert "id" not in page.query_params
    assert list(load_seated(seated.db, seated.id).match.actions) == [0, 3, 1, 4, 8]


def test_why_the_next_deal_cannot_begin_is_said_on_the_page_of_a_match_that_is_stored(nearly_over):
    seated, page = nearly_over
    page.button(key="action 4 2").click().run()
    assert "Stored as a match of people" in read_text(page)
    with hold_open(seated.db):
        page.button(key="again").click().run()
    assert page.query_params["id"] == seated.id
    assert "has it open" in page.warning[0].value


def test_a_match_that_is_over_leads_to_the_page_that_steps_through_it(begun):
    assert list(replay_links(begun)) == []
    while begun.match.is_on:
        begun.play_forced()
        if begun.match.is_on:
            begun.choose(begun.match.legal()[0])
    begun.finish()
    (link,) = replay_links(begun)
    page = open_page(link.path, **dict(link.query))
    assert_sound(page)
    assert page.selectbox(key="match").value == f"{begun.match.deal}/0"
    assert page.slider(key="step").max == len(begun.match.actions)


def test_an_address_of_no_match_is_told_in_a_sentence(begun):
    page = open_page("play", id="1/2/0")
    assert not page.exception
    assert "has no match of people with the id 1/2/0" in page.error[0].value.replace("\\", "")


def test_a_trained_player_beside_the_file_is_offered_to_the_games_and_player_counts_it_is_for(
    tmp_path, look_at
):
    games = {name: find_variant(name).game for name in ("keltis", "pig")}
    mine = tmp_path / "mine.learned"
    shutil.copy(games["keltis"].learned, mine)
    (tmp_path / "broken.learned").touch()
    db = tmp_path / "new.duckdb"
    offered = ["learned", f"learned:{mine}"]
    assert list_trained_players(db, games["keltis"], 2) == offered
    assert list_trained_players(db, games["keltis"], 9) == []
    assert list_trained_players(db, games["pig"], 2) == []
    look_at(db)
    page = open_page("play")
    page.selectbox(key="table variant").select("keltis").run()
    assert_sound(page)
    assert page.selectbox(key="table seat 1 keltis").options[1:3] == offered


def test_actions_stand_under_the_games_groups():
    game = find_variant("magpies").game
    groups = group_actions(game, [0, 1, 3, 26, 32, 33])
    assert list(groups) == ["draw", "pick up", "let go", "nest"]
    assert groups["pick up"] == [1, 3]
    assert group_actions(find_variant("tic-tac-toe").game, [2, 4]) == {"other": [2, 4]}


def test_a_hint_says_how_sure_it_is():
    assert [describe_sureness(share) for share in (90, 45, 20)] == [
        "is quite sure",
        "leans that way",
        "is not sure",
    ]
