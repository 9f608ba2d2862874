"""What a page can start: its estimate, its command, and what the page knows of it while it runs."""

import itertools
import subprocess
import sys
import tempfile

import pytest

from boardgames import InvalidInput, simulate
from boardgames.errors import FileInUse, NotTrusted
from boardgames.plan.plan import make_plan
from dashboard import live
from dashboard.data import cache, query
from dashboard.data.file import load_contents
from dashboard.data.requests import (
    CompareRequest,
    Estimate,
    FixRequest,
    SimulationRequest,
    SweepRequest,
    TrainRequest,
    format_minutes,
)
from dashboard.data.simulations import RunningSimulation, count_stored, get_simulations, start_simulation
from dashboard.data.variant_names import list_plain_names_first
from dashboard.errors import describe_error
from dashboard.navigation import PageLink
from dashboard.pages.simulate import page as simulate_page
from dashboard.pages.simulate.page import list_selection
from dashboard.pages.simulate.progress import describe_progress
from dashboard.selection import make_empty_selection
from tests.dashboard.test_pages import assert_sound, open_page, read_text
from tests.support.processes import HANGS

HOLD_OPEN = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print('open', flush=True); sys.stdin.read()"


@pytest.fixture
def db(tmp_path):
    path = tmp_path / "shown.duckdb"
    simulate("pig", db=path, players="2", agents=["random"], matches=30)
    return path


def test_the_last_count_stands_while_the_simulation_has_the_file(db, monkeypatch):
    monkeypatch.setattr(cache, "PATIENCE", 0.0)
    (cell,) = make_plan(["pig"], "2", ["random"], 30).cells
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_OPEN, db], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        running = RunningSimulation(command=["boardgames"], process=holder, log=None, cells={cell.id: 30})
        assert holder.stdout.readline() == "open\n"
        assert running.count_stored(db) == 0
        holder.communicate()
    assert running.count_stored(db) == 30


# ---- before it starts


def ask_for(**changes) -> SimulationRequest:
    usual = {"specs": ["pig"], "players": "2", "agents": ["random"], "matches": 1000, "seed": 1, "note": ""}
    return SimulationRequest(**{**usual, **changes})


def ask_sweep(**changes) -> SweepRequest:
    usual = {"spec": "pig", "values": ["target=20..21"], "best": "", "players": "2", "agent": "random"}
    return SweepRequest(**{**usual, "minutes": 0.02, "seed": 1, **changes})


def ask_fix(**changes) -> FixRequest:
    usual = {"spec": "pig", "goals": ["length at most 60"], "keep": [], "fair_seats": False}
    return FixRequest(
        **{**usual, "change": ["target"], "players": "2", "agent": "random", "minutes": 0.02, **changes}
    )


def test_an_estimate_leaves_out_what_is_stored(db):
    estimate = ask_for().estimate(db)
    assert (estimate.matches, estimate.stored, estimate.is_limit) == (970, 30, False)
    assert estimate.minutes > 0
    assert estimate.megabytes == pytest.approx(970 * (28 + 2 * 21) / 1e6)
    assert ask_for(matches=30).estimate(db).describe() == (
        "All 30 matches are stored already: nothing to play."
    )


def test_a_command_with_a_time_limit_is_estimated_by_it(db):
    estimate = ask_for(until=["length within 5"], minutes=3.0).estimate(db)
    assert (estimate.minutes, estimate.is_limit) == (3.0, True)
    assert estimate.matches > 0
    assert TrainRequest(spec="pig", players="2-3", teacher="mcts:64", minutes=3.0).estimate(db).minutes == 6.0


def test_an_estimate_reads_like_a_sentence():
    assert Estimate(2500, 0.2, 1.25, is_limit=False).describe() == (
        "2,500 matches to play: about 12 seconds and 1.2 MB."
    )
    assert Estimate(123_456, 10, 8.6, is_limit=True).describe() == (
        "At most 10 minutes: up to about 120,000 matches and 8.6 MB. Compiling and confirming come on top."
    )
    assert [format_minutes(minutes) for minutes in (0.001, 1.0, 2.0, 240)] == [
        "1 second",
        "60 seconds",
        "2 minutes",
        "4.0 hours",
    ]


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (ask_sweep(values=[]), "name values to try"),
        (ask_sweep(values=["--db=other"]), "is not a value to try"),
        (ask_sweep(spec="pigg"), "did you mean pig"),
        (ask_fix(goals=[]), "name a goal"),
        (ask_for(agents=["gredy"]), "did you mean greedy"),
        (ask_for(until=["lengthh within 5"], specs=["pig+target=x"]), "target"),
        (ask_for(until=["lengthh within 5"]), "did you mean length"),
        (ask_sweep(best="lowest lengthh"), "did you mean length"),
        (ask_fix(goals=["lengthh at most 5"]), "did you mean length"),
        (ask_fix(keep=["lengthh within 10%"]), "did you mean length"),
        (ask_fix(change=["targett"]), "did you mean target"),
    ],
)
def test_what_cannot_be_played_is_refused_before_it_starts(request_, message, tmp_path):
    with pytest.raises(InvalidInput, match=message):
        request_.list_arguments(tmp_path / "x.duckdb") and request_.plan()


@pytest.mark.parametrize(
    "request_",
    [
        ask_for(specs=["celtica+board=page_only.toml"]),
        ask_sweep(spec="celtica", values=["board=reconstructed,page_only.toml"]),
        ask_sweep(spec="celtica", values=["hand_size=4,5+board=page_only.toml"]),
        ask_fix(spec="celtica", change=["board=page_only.toml"]),
    ],
)
def test_no_file_is_read_that_only_a_page_names(request_, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page_only.toml").write_text("key = 'secret'")
    with pytest.raises(NotTrusted, match=r"its board is in the file page_only\.toml"):
        request_.plan()


@pytest.mark.long
@pytest.mark.parametrize(
    "request_", [ask_for(until=["length within 5"], minutes=0.05), ask_sweep(), ask_fix(change=["target"])]
)
def test_each_command_runs_as_the_page_starts_it(request_, db):
    running = start_simulation(db, request_)
    assert "so far; you gave it" in describe_progress(db, running)[1]
    assert running.process.wait(HANGS) in (0, 1, 3), running.read_output()
    assert "boardgames:" not in running.read_output()
    assert count_stored(db, ()) > running.before == 30


# ---- while it runs


class EndlessProcess:
    """A process that runs until it is told not to."""

    pid = 0
    is_over = False

    def poll(self) -> int | None:
        return 0 if self.is_over else None


@pytest.fixture
def running(db, monkeypatch):
    request = CompareRequest(
        specs=["pig", "pig+target=30"], players="2", agents=["random"], seed=1, minutes=2
    )
    running = RunningSimulation(command=["boardgames"], process=EndlessProcess(), log=None, request=request)
    monkeypatch.setitem(get_simulations(), str(db), running)
    return running


def test_every_page_of_matches_says_that_something_is_played_and_how_far_it_is(running, db, look_at):
    look_at(db)
    page = open_page("compare")
    assert_sound(page)
    (bar,) = page.get("progress")
    assert bar.proto.text == "Playing: 1 second so far; you gave it 2 minutes; 30 new matches are stored"
    running.process.is_over = True
    assert not page.run().get("progress")


def test_where_only_sums_are_worked_out_no_page_says_how_far_it_is(running, db, look_at, monkeypatch):
    sums = CompareRequest(specs=["pig", "pig+target=30"], players="2", agents=["random"], seed=1)
    monkeypatch.setattr(running, "request", sums)
    monkeypatch.setattr(running, "began", running.began - 120)
    assert describe_progress(db, running) == (None, "Working out sums, 2 minutes so far")
    look_at(db)
    for path in ("compare", "simulate"):
        page = open_page(path)
        assert_sound(page)
        assert not page.get("progress")
        assert "Working out sums, 2 minutes so far" in read_text(page)


def test_the_sidebar_looks_anew_whether_something_is_played(running, db, monkeypatch):
    """In the part of the page that runs by the clock: else it would stand until the page is drawn again."""
    looks, captions = [], []
    monkeypatch.setattr(live.st, "fragment", lambda **_: lambda look: looks.append(look) or look)
    monkeypatch.setattr(live.st, "caption", captions.append)
    monkeypatch.setattr(live.st, "session_state", {live.SEEN: live.read_file_state(db)})
    live.follow_changes(db)
    looks[0]()
    assert len(captions) == 2
    running.process.is_over = True
    looks[0]()
    assert len(captions) == 2


def test_a_simulation_that_a_page_has_started_is_no_stranger_where_it_has_the_file(db, look_at, monkeypatch):
    for module in (cache, query):
        monkeypatch.setattr(module, "PATIENCE", 0.0)
    look_at(db)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD_OPEN, db], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout.readline() == "open\n"
        own = RunningSimulation(command=["boardgames"], process=holder, log=None)
        monkeypatch.setitem(get_simulations(), str(db), own)
        warning = open_page("simulate").warning[0].value.replace("\\", "")
        with pytest.raises(FileInUse) as refused:
            query.run_query(db, "SELECT 1", HANGS)
        holder.communicate()
    assert warning == "Your simulation is storing matches. This page tries again by itself."
    monkeypatch.setattr(own, "process", EndlessProcess())
    own.process.pid = holder.pid
    assert describe_error(refused.value) == "Your simulation is storing matches"


@pytest.mark.parametrize(
    ("path", "is_drawn_again"), [("overview", True), ("play", False), ("simulate", False)]
)
def test_stored_matches_let_only_pages_of_matches_be_drawn_again(
    path, is_drawn_again, db, look_at, monkeypatch
):
    look_at(db)
    page = open_page(path)
    state = {live.SHOWN: page.session_state[live.SHOWN], live.SEEN: live.read_file_state(db)}
    simulate("pig", db=db, players="2", agents=["random"], matches=60)
    looks, drawings = [], []
    monkeypatch.setattr(live.st, "fragment", lambda **_: lambda look: looks.append(look) or look)
    monkeypatch.setattr(live.st, "rerun", lambda: drawings.append(True))
    monkeypatch.setattr(live.st, "session_state", state)
    live.follow_changes(db)
    assert drawings == [True] * is_drawn_again


# ---- when it has ended


@pytest.fixture
def stopped_training(db, monkeypatch):
    """A training that was stopped."""
    process = EndlessProcess()
    process.is_over, process.returncode = True, 130
    request = TrainRequest(spec="pig", players="2", teacher="mcts:64", minutes=1)
    with tempfile.TemporaryFile() as log:
        running = RunningSimulation(command=["boardgames"], process=process, log=log, request=request)
        monkeypatch.setitem(get_simulations(), str(db), running)
        yield running


def test_a_training_never_says_that_its_matches_are_stored(stopped_training, db, look_at):
    assert describe_progress(db, stopped_training)[1].endswith("its matches are not stored")
    look_at(db)
    page = open_page("simulate")
    assert_sound(page)
    assert page.info[0].value == (
        "Stopped; what it has played is kept in a folder beside the result file."
        " Play again to go on where it was."
    )


def test_only_a_player_that_was_kept_can_be_played_against(stopped_training, db):
    def list_links():
        parts = simulate_page.elements(make_empty_selection(db, load_contents(db)))
        ending = itertools.takewhile(lambda part: not isinstance(part, simulate_page.Output), parts)
        return [part.label for part in ending if isinstance(part, PageLink)]

    assert list_links() == []
    player = db.with_name("pig.learned")
    player.touch()
    assert list_links() == [f"Play against learned:{player}"]


@pytest.fixture(scope="module")
def swept(tmp_path_factory):
    """A sweep's grid, on whose seed the variant that it changes has matches, too."""
    db = tmp_path_factory.mktemp("swept") / "swept.duckdb"
    simulate("pig+target=20", "pig+target=30", "pig", db=db, players="2-3", agents=["random"], matches=4)
    return load_contents(db)


def test_what_changed_is_shown_with_the_player_counts_the_agents_and_the_seed_of_the_run(swept):
    request = ask_for(specs=["pig+target=20", "pig+target=30"], players="2")
    seen = [("variant", "pig+target=20"), ("variant", "pig+target=30"), ("agents", "random")]
    assert list_selection(swept, request) == [*seen, ("players", "2"), ("seed", "1")]
    assert list_selection(swept, ask_for(seed=7)) == []  # nothing of it is stored


def test_after_a_sweep_the_variant_that_it_changes_is_the_baseline(swept):
    query = list_selection(swept, ask_sweep(values=["target=20,30"]))
    assert [value for name, value in query if name == "variant"] == ["pig", "pig+target=20", "pig+target=30"]


def test_what_changed_is_shown_after_more_matches_of_a_comparison(swept):
    request = CompareRequest(specs=["pig", "pig+target=30"], players="2,3", agents=[], seed=1, minutes=1)
    query = list_selection(swept, request)
    assert query == [
        ("variant", "pig"),
        ("variant", "pig+target=30"),
        ("players", "2"),
        ("players", "3"),
        ("seed", "1"),
    ]


def test_a_search_begins_with_the_game_as_it_is(tmp_path):
    db = tmp_path / "changed.duckdb"
    simulate("pig+target=20", "pig+target=30", db=db, players="2", agents=["random"], matches=4)
    names = list_plain_names_first(load_contents(db))
    assert names[:3] == ["pig", "pig+target=20", "pig+target=30"]
    assert len(names) == len(set(names))
