"""People's matches on the pages: beside the agents', no measure of seats or skill, with names escaped."""

import pytest

from analytics.metric import sums
from boardgames import simulate
from boardgames.errors import InvalidInput
from boardgames.game.plugins import find_stored_variant
from boardgames.people.import_csv import import_results
from boardgames.people.seated_match import find_seat_agent, resume_or_begin
from boardgames.plan.cell import PlannedCell
from boardgames.store.connection import get_connection, open_for_writing
from tests.dashboard.test_pages import assert_sound, open_page, read_text

BOLD = "<b>ann"
FEW = ["20/12", "18/21", "22/3", "7/20"]


@pytest.fixture
def played(tmp_path, look_at):
    """A file with agents' matches of two variants."""
    db = tmp_path / "people.duckdb"
    simulate("pig+target=20", "pig+target=26", db=db, players="2", agents=["random"], matches=70)
    look_at(db)
    return db


def import_evenings(db, evenings, people=("ann", "bob")):
    """Results of two people an evening, of whom one has HTML for a name, as in a stranger's file."""
    rows = []
    for day, scores in enumerate(evenings, 1):
        names = "/".join(people[seat % len(people)] for seat in (day, day + 1))
        rows.append(f"2026-01-{day:02},pig+target=20,{names},{scores}")
    results = db.with_name("results.csv")
    results.write_text("\n".join(["date,variant,names,scores", *rows]))
    import_results(results, db)
    with open_for_writing(db) as session:
        get_connection(session).execute("UPDATE real_seat SET person = ? WHERE person = 'ann'", [BOLD])


def begin_match_of_ann(db):
    variant = find_stored_variant("pig+target=20")
    line_up = tuple(find_seat_agent(agent, variant.game) for agent in ("human:Ann", "random"))
    seated, _ = resume_or_begin(db, PlannedCell(variant, line_up, 1, rotate_seats=False), None)
    return seated


def store_match_of(name, db):
    """A match that Ann played to its end, in a file that gives her another name."""
    seated = begin_match_of_ann(db)
    seated.play_forced()
    while seated.match.is_on:
        seated.choose(seated.match.legal()[-1])
        seated.play_forced()
    seated.finish()
    with open_for_writing(db) as session:
        con = get_connection(session)
        con.execute("UPDATE cell SET line_up = replace(line_up, 'Ann', ?)", [name])
        con.execute("UPDATE agent SET name = replace(name, 'Ann', ?)", [name])


def test_peoples_matches_are_on_overview_and_beside_the_agents_on_compare(played):
    import_evenings(played, FEW * 6, people=[f"person {n}" for n in range(12)])
    assert "What people played" in read_text(open_page("overview"))
    page = open_page("compare")
    assert_sound(page)
    assert "score of people, 24 matches: " in read_text(page).replace("\\", "")


def test_people_are_beside_the_agents_of_one_variant_alone(played):
    import_evenings(played, FEW * 6, people=[f"person {n}" for n in range(12)])
    page = open_page("compare", variant="pig+target=20")
    assert_sound(page)
    assert "pig+target=20, 2 players: score of people, 24 matches: " in read_text(page).replace("\\", "")


def test_a_file_with_imported_results_alone_shows_them_on_overview(tmp_path, look_at):
    db = tmp_path / "imported.duckdb"
    import_evenings(db, FEW)
    look_at(db)
    page = open_page("overview")
    assert_sound(page)
    assert "What people played" in read_text(page)
    page = open_page("seats")
    assert_sound(page)
    (note,) = page.info
    assert note.value == "There are no matches by agents in this file yet; Overview has what people played."


def test_a_match_that_people_have_begun_is_no_simulation(tmp_path, look_at):
    db = tmp_path / "begun.duckdb"
    begin_match_of_ann(db)
    look_at(db)
    page = open_page("overview")
    assert_sound(page)
    assert page.info[0].value.startswith("People have begun a match; ")


def test_what_people_played_as_seated_says_nothing_about_skill_and_seats(played, share):
    store_match_of("Ann", played)
    text = read_text(open_page("skill")).replace("\\", "")
    assert "no such line-up of these variants is stored" in text
    assert "human:Ann" not in text
    page = open_page("seats", variant="pig+target=20", agents="human:Ann,random")
    assert_sound(page)
    assert "Nothing is stored about this for the selection" in read_text(page)
    assert "human:Ann,random, as seated" in share()


def test_people_are_beside_agents_whose_sums_an_older_version_left_out(played):
    import_evenings(played, FEW * 6, people=[f"person {n}" for n in range(12)])
    with open_for_writing(played) as session:
        get_connection(session).execute("DELETE FROM slice")
    page = open_page("compare", variant="pig+target=20")
    assert_sound(page)
    assert "score of people, 24 matches: " in read_text(page).replace("\\", "")


def test_too_many_missing_sums_lead_to_the_command_that_stores_them(played, monkeypatch):
    import_evenings(played, FEW)
    with open_for_writing(played) as session:
        get_connection(session).execute("DELETE FROM slice")
    monkeypatch.setattr(sums, "MOST_UNSTORED", 100)
    page = open_page("compare", variant="pig+target=20")
    assert_sound(page)
    assert "Not shown: the sums of 140 deals are not worked out yet." in page.info[-1].value.replace("\\", "")
    assert page.code[-1].value.startswith("boardgames people pig+target=20 --players 2 --agents random --db ")


def test_an_interval_that_says_nothing_is_not_shown(played):
    import_evenings(played, FEW)
    output = read_text(open_page("compare")).replace("\\", "")
    unclear = "score, winning margin, wins of seat 1 and wins of seat 2"
    assert f"people, 4 matches: too few matches yet to say anything of their {unclear}" in output
    assert "score of people" not in output


def test_names_of_people_are_shown_as_they_are_typed(played):
    """Those of imported matches, and of played ones in a stranger's file: nothing in a name is HTML."""
    import_evenings(played, FEW)
    store_match_of(BOLD, played)
    line_up = {"variant": "pig+target=20", "agents": f"human:{BOLD},random"}
    shown = []
    for path in ("overview", "match", "method"):
        page = open_page(path, **line_up)
        assert_sound(page)
        texts = [
            str(element.value) for kind in ("markdown", "caption", "table") for element in page.get(kind)
        ]
        texts += [element.proto.body for element in page.get("html")]
        assert not any("<b>" in text for text in texts), path
        shown += [path for text in texts if "\\<b\\>ann" in text]
    assert set(shown) == {"overview", "match", "method"}


def test_a_typed_name_that_is_html_is_refused():
    with pytest.raises(InvalidInput, match="a character that no name has"):
        find_seat_agent(f"human:{BOLD}", find_stored_variant("pig").game)
