"""People at the table: what they are shown and asked, how they leave and come back; their matches are stored
like others.
"""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from boardgames import (
    InvalidInput,
    Match,
    find_agent,
    find_line_up,
    find_variant,
    keep_match,
    make_python_agent,
    make_variant,
    play_batch,
    query,
)
from boardgames.cli import app
from boardgames.errors import RulesChanged
from boardgames.examples import magpies, pig
from boardgames.people.seated_match import resume_or_begin
from boardgames.people.table import list_visible_fields, parse_choice
from boardgames.people.terminal_board import render_board
from boardgames.plan.cell import PlannedCell
from boardgames.rules import protocol
from boardgames.store.connection import get_connection, open_for_reading
from boardgames.store.forget import delete_run
from boardgames.store.listing import list_runs
from boardgames.store.merge import merge
from boardgames.store.recorded_matches import list_unfinished, make_person, replay_as_batch
from boardgames.store.replay import replay_stored
from tests.support.older_files import go_back_to_schema_4
from tests.support.processes import HANGS, wait_until_reading
from variants.celtae import GAME as CELTAE
from variants.celtica import GAME as CELTICA
from variants.keltis import GAME as KELTIS

MAGPIES = "magpies"
PIG = "pig+target=20"


def play_at_table(folder: Path, typed: str, *words: str):
    """What somebody sees who types this at the table."""
    done = CliRunner().invoke(app, ["play", *words, "--db", str(folder / "table.duckdb")], input=typed)
    assert done.exit_code == 0, done.output
    return done.stdout


# ---- at the table


def test_a_whole_match_is_played_stored_and_replayed_in_words(tmp_path):
    shown = play_at_table(tmp_path, "roll\n" * 400, PIG, "--agents", "random", "--name", "Anna")
    assert "Match over: target reached" in shown
    number = re.search(r"boardgames replay (\S+)", shown)[1]
    db = tmp_path / "table.duckdb"
    output = str(replay_stored(db, number).transcript())
    assert output.splitlines()[-1] in shown
    (run,) = list_runs(db)
    assert (run.name, run.line_ups, run.matches, run.wanted) == (
        "play pig+target=20",
        ["human:Anna,random"],
        1,
        1,
    )
    (row,) = query(db, "SELECT * FROM people").to_pylist()
    assert (row["source"], row["person"], row["players"], row["seat"]) == ("played here", "Anna", 2, 1)
    assert CliRunner().invoke(app, ["replay", number, "--db", str(db)]).stdout.strip() == output


def test_a_person_reads_the_set_up_and_all_that_happened_as_the_seat_sees_it(tmp_path):
    shown = play_at_table(tmp_path, "draw\ndrop a button\nq\n", MAGPIES, "--agents", "random")
    match = Match(find_variant(MAGPIES), 2).push("draw a card")
    lines = shown.splitlines()
    assert match.transcript(0).setup[1] in lines  # the own hand
    assert match.moves[0].effects[0] in lines  # the card that was drawn
    turn = lines[lines.index("Turn 2, seat 2") :]
    assert turn[1].startswith("  ")
    assert not any(line.strip().startswith("seat 2 draws") for line in lines)
    assert not any(line.startswith("seat 2 holds") for line in lines)


def test_a_person_reads_at_the_end_why_the_winner_won(tmp_path):
    shown = play_at_table(tmp_path, "1\n" * 400, MAGPIES, "--agents", "greedy")
    assert re.search(r"Match over: .*\. Seats? .* (wins|share the win): .* (against|each)", shown)


def test_whoever_leaves_comes_back_to_the_same_position_and_then_plays_new_luck(tmp_path):
    words = (MAGPIES, "--agents", "random", "--name", "Ben")
    first = play_at_table(tmp_path, "draw\nq\n", *words)
    assert "To come back: boardgames" in first
    again = play_at_table(tmp_path, "q\n", *words)
    assert "Welcome back to turn 1." in again
    assert again.count("deal 0 of seed 1") == 1
    assert "deal 1 of seed 1" in play_at_table(tmp_path, "q\n", *words, "--new")
    assert "deal 0 of seed 1" in play_at_table(
        tmp_path, "q\n", MAGPIES, "--agents", "random", "--name", "Clara"
    )


def test_what_cannot_be_understood_is_answered_with_a_sentence_and_asked_again(tmp_path):
    shown = play_at_table(tmp_path, "99\nzebra\n\ndrop\nh\nb\ndraw\ndrop\nq\n", MAGPIES, "--agents", "random")
    assert "There is no action '99'. Type a number from 1 to" in shown
    assert "There is no action 'zebra'" in shown
    assert "Please type a number" in shown
    assert re.search(r"'drop' may mean \d actions: drop a ", shown)
    assert shown.count("Type the number of an action, or its words.") == 2


def test_a_choice_is_taken_back_at_the_table_unless_something_hidden_was_seen(tmp_path):
    play_at_table(tmp_path, "1\nu\nq\n", "celtica", "--agents", "random")
    (waiting,) = list_unfinished(tmp_path / "table.duckdb")
    assert waiting.actions == []
    play_at_table(tmp_path, "1\nq\n", "celtica", "--agents", "random")
    (waiting,) = list_unfinished(tmp_path / "table.duckdb")
    assert len(waiting.actions) == 1
    refused = play_at_table(tmp_path, "u\nq\n", MAGPIES, "--agents", "random")
    assert "There is nothing to take back, or something hidden was seen since." in refused


def test_words_and_numbers_name_actions():
    words = ["roll the die", "hold", "hold on"]
    endless = "9" * 5000
    typed_words = ("2", "0", "4", endless, "roll", "hold", "on", "o", "")
    assert [parse_choice(typed, words) for typed in typed_words] == [
        1,
        None,
        None,
        None,
        0,
        1,
        2,
        None,
        None,
    ]


@pytest.mark.long
@pytest.mark.parametrize("how", ["end of input", "Ctrl-C"])
def test_ctrl_c_and_ctrl_d_leave_and_say_how_to_come_back(tmp_path, how):
    line = [
        sys.executable,
        "-m",
        "boardgames",
        "play",
        MAGPIES,
        "--agents",
        "random",
        "--db",
        str(tmp_path / "t.duckdb"),
        "--new",
    ]
    process = subprocess.Popen(
        line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    if how == "Ctrl-C":
        seen = b""
        while b"seat 1, 1 to" not in seen:
            more = os.read(process.stdout.fileno(), 65536)
            assert more, process.stderr.read()
            seen += more
        wait_until_reading(process)  # a signal just before that waits as well, but no person is so quick
        process.send_signal(signal.SIGINT)
        process.wait(timeout=HANGS)  # the input is still open: it leaves because of the signal
    output, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    assert f"To come back: boardgames play {MAGPIES} --agents random --db {tmp_path / 't.duckdb'}\n" in output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((PIG, "--seat", "3"), "with 2 players there is no seat 3"),
        ((PIG, "--name", "A,B"), "has a character that no name has"),
        ((PIG, "--agents", "gredy"), "did you mean greedy"),
        ((PIG, "--players", "9"), "it is for 2 to 5 players, not 9"),
        ((PIG, "--agents", "greedy,random,random"), "3 agents for 1 seats"),
        ((PIG, "--svg", "board.svg"), "pig has no drawing"),
    ],
)
def test_a_table_that_cannot_be_set_is_refused_with_a_sentence(tmp_path, words, message):
    done = CliRunner().invoke(app, ["play", *words, "--db", str(tmp_path / "t.duckdb")])
    assert done.exit_code == 2
    assert message in done.output


def test_watching_shows_every_action_and_stores_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["play", PIG, "--watch", "--agents", "greedy,random", "--deal", "4"])
    match = Match(find_variant(PIG), 2, deal=4).finish("greedy,random")
    assert all(str(move) in done.stdout for move in match.moves)
    assert list(tmp_path.iterdir()) == []


# ---- nothing hidden is shown


def test_a_stored_match_is_retold_as_one_seat_knew_it(tmp_path):
    db = tmp_path / "kept.duckdb"
    line_up = find_line_up("random", 2, magpies.GAME)
    match = Match(find_variant(MAGPIES), 2).finish(line_up)
    number = keep_match(match, line_up, db)
    done = CliRunner().invoke(app, ["replay", number, "--seat", "2", "--db", str(db)])
    assert done.stdout == f"{match.transcript(1)}\n"
    assert "seat 2 draws" in done.stdout
    assert "seat 1 draws" not in done.stdout
    refused = CliRunner().invoke(app, ["replay", number, "--seat", "3", "--db", str(db)])
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "with 2 players there is no seat 3" in refused.output


def test_a_stored_match_is_drawn_as_one_seat_saw_it(tmp_path):
    db = tmp_path / "kept.duckdb"
    line_up = find_line_up("random", 2, KELTIS)
    match = Match(make_variant(KELTIS), 2).finish(line_up)
    number = keep_match(match, line_up, db)
    folder = tmp_path / "pictures"
    CliRunner().invoke(app, ["replay", number, "--seat", "2", "--svg", str(folder), "--db", str(db)])
    first = Match(make_variant(KELTIS), 2)
    assert (folder / "0000.svg").read_text(encoding="utf-8") == first.draw(1) != first.draw()


@pytest.mark.parametrize("game", [CELTICA, KELTIS, CELTAE])
def test_the_board_in_the_terminal_shows_what_the_seat_sees_and_nothing_else(game):
    match = Match(make_variant(game), 2)
    for _ in range(30):
        match.step("random")
    board = render_board(game.draw(match.state, 0))
    assert "urn" in board.plain
    assert max(map(len, board.plain.splitlines())) < 150
    assert len(board.plain.splitlines()) < 45
    assert board.plain != render_board(game.draw(match.state, None)).plain
    world = match.copy()
    world._run(
        protocol.rekey_and_resample, world.state, 0, 99
    )  # everything that seat 1 cannot see lies elsewhere
    assert render_board(game.draw(world.state, 0)).plain == board.plain


def test_without_a_drawing_the_fields_are_shown_but_not_the_hands_of_others():
    match = Match(make_variant(magpies.GAME), 3)
    mine = dict(list_visible_fields(magpies.GAME, match.state, 1))
    assert mine["your hand"] == " ".join(map(str, match.state.hand[1]))
    assert not [name for name in mine if "deck" in name or "hand of" in name]
    assert "hand of seat 3" in dict(list_visible_fields(magpies.GAME, match.state, None))


# ---- stored like others


def test_a_kept_match_has_the_rows_that_a_batch_would_have():
    variant = make_variant(magpies.GAME)
    line_up = find_line_up("greedy,random", 2, magpies.GAME)
    batch = play_batch(variant, line_up, 2, 1, first=3, seed=5, compiled=False)
    match = Match(variant, 2, seed=5, deal=3).finish(line_up)
    stored = replay_as_batch(match)
    assert stored.matches[0] == batch.matches[0]
    assert stored.seats[0].tobytes() == batch.seats[0].tobytes()


@pytest.mark.long
def test_a_match_of_a_python_agent_is_kept_merged_and_forgotten(tmp_path):
    def careful(view):
        return view.actions[-1]

    first_db, second_db = tmp_path / "here.duckdb", tmp_path / "there.duckdb"
    line_up = [make_python_agent(careful, pig.GAME), find_agent("random")]
    match = Match(find_variant(PIG), 2).finish(line_up)
    number = keep_match(match, line_up, first_db)
    assert keep_match(match, line_up, first_db) == number
    assert [merge(second_db, first_db).matches for _ in range(2)] == [1, 0]
    assert replay_stored(second_db, number).transcript() == match.transcript()
    assert query(second_db, "SELECT agent, win_share FROM results WHERE seat = 1")["agent"].to_pylist() == [
        "careful"
    ]
    assert delete_run(second_db, "1") == 1
    assert len(query(second_db, "SELECT * FROM actions")) == 0


def test_only_a_match_that_is_over_is_kept(tmp_path):
    with pytest.raises(InvalidInput, match="not over"):
        keep_match(
            Match(find_variant(PIG), 2), [make_person("Anna"), find_agent("random")], tmp_path / "t.duckdb"
        )


def test_a_match_left_under_other_rules_is_not_gone_on_with_and_that_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rules = (
        "from dataclasses import replace\nfrom boardgames.examples.pig import GAME\n"
        "MINE = replace(GAME, cap={cap})\n"
    )
    Path("mine.py").write_text(rules.format(cap=500))
    play_at_table(tmp_path, "q\n", "./mine.py:MINE", "--agents", "random")
    Path("other").mkdir()
    Path("other/mine.py").write_text(rules.format(cap=600))
    done = CliRunner().invoke(
        app, ["play", "./other/mine.py:MINE", "--agents", "random", "--db", "table.duckdb"], input="q\n"
    )
    assert "a match that you left has other rules than pig has now" in done.stderr
    assert "deal 1 of seed 1" in done.stdout


def test_changed_rules_refuse_to_play_back_what_people_did(tmp_path):
    db = tmp_path / "t.duckdb"
    number = keep_match(
        Match(find_variant(PIG), 2).finish("random"), [make_person(), find_agent("random")], db
    )
    from boardgames.store.connection import open_for_writing

    with open_for_writing(db) as session:
        get_connection(session).execute("UPDATE variant SET fingerprint = 'another'")
    with pytest.raises(RulesChanged, match="the rules of pig"):
        replay_stored(db, number)


# ---- results of real tables

HEADER = "date,variant,names,scores,minutes,rounds\n"
GOOD = (
    HEADER + f"2026-01-09,{PIG},Anna/Ben,20/17,45,9\n2026-01-09,{PIG},Anna/Ben,20/17,45,9\n"
    f"2026-01-16,{PIG},Ben/Anna,5/21,,\n"
)


def import_text(folder: Path, text: str):
    (folder / "results.csv").write_text(text, encoding="utf-8")
    words = [
        "import",
        str(folder / "results.csv"),
        "--db",
        str(folder / "real.duckdb"),
        "--game",
        "pig",
    ]
    return CliRunner().invoke(app, words)


def test_importing_twice_doubles_nothing_and_a_longer_file_adds_only_what_is_new(tmp_path):
    assert "3 matches of 2 people on 2 evenings imported" in import_text(tmp_path, GOOD).stdout
    assert "0 matches" in import_text(tmp_path, GOOD).stdout
    longer = GOOD.replace("5/21,,", "5/21,30,8") + f"2026-01-23,{PIG},Ben/Clara,2/20,,\n"
    assert (
        "1 matches of 3 people on 3 evenings imported"
        in import_text(tmp_path, longer.replace(",", ";")).stdout
    )
    rows = query(
        tmp_path / "real.duckdb",
        "SELECT person, score, minutes, rounds FROM people ORDER BY evening, match, seat",
    ).to_pylist()
    assert len(rows) == 8
    assert rows[4] == {"person": "Ben", "score": 5, "minutes": 30.0, "rounds": 8}
    for _ in range(2):
        assert merge(tmp_path / "other.duckdb", tmp_path / "real.duckdb").matches == 0
    assert len(query(tmp_path / "other.duckdb", "SELECT * FROM people")) == 8


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("9.1.2026,ludo,Anna/Ben,1/2,,", "line 2: no game 'ludo'"),
        (f"31.2.2026,{PIG},Anna/Ben,1/2,,", "line 2: '31.2.2026' is not a date; write 2026-01-31"),
        (f"2026-01-09,{PIG},Anna/Anna,1/2,,", "line 2: Anna sits in two seats"),
        (f"2026-01-09,{PIG},Anna/Ben,1/2/3,,", "line 2: 2 names and 3 scores"),
        (f"2026-01-09,{PIG},Anna/,1/2,,", "line 2: a name is empty"),
        (
            f"2026-01-09,{PIG},Anna/<img src=x>,1/2,,",
            "line 2: the name '<img src=x>' has a character that no name has: use letters, digits, blanks",
        ),
        (f"2026-01-09,{PIG},Anna/Ben,1/x,,", "line 2: the score 'x' is not a whole number"),
        (
            f"2026-01-09,{PIG},Anna/Ben,1/99,,",
            "line 2: score 99 is impossible in pig+target=20 with 2 players: scores are 0 to 25",
        ),
        (
            f"2026-01-09,{PIG},A/B/C/D/E/F,1/1/1/1/1/1,,",
            "line 2: pig+target=20 cannot be played: it is for 2 to 5 players, not 6",
        ),
        (f"2026-01-09,{PIG},Anna/Ben,1/2,-5,", "line 2: '-5' is not a number of minutes above 0"),
        (f"2026-01-09,{PIG},Anna/Ben,1/2,,0", "line 2: the number of rounds is 0; it is at least 1"),
        (
            f"2026-01-09,{PIG},Anna/Ben,1/2,,99999999999999999999",
            "line 2: the number of rounds is 99999999999999999999; it is at most 100,000",
        ),
        (f"2026-01-09,{PIG},Anna/Ben,1/2", "line 2: it has another number of columns than the first line"),
        ("", "has a header and no match"),
    ],
)
def test_a_mistake_is_reported_with_its_line_and_nothing_is_imported(tmp_path, line, message):
    done = import_text(tmp_path, HEADER + line + "\n")
    assert done.exit_code == 2
    assert message in done.output
    assert not (tmp_path / "real.duckdb").exists()


def test_several_mistakes_are_reported_at_once_and_a_wrong_header_by_its_column(tmp_path):
    done = import_text(tmp_path, GOOD + "x,y\n" * 12)
    assert "line 5: it has another number" in done.output
    assert "and 2 more" in done.output
    assert "line 1: there is no column 'day'" in import_text(tmp_path, GOOD.replace("date", "day")).output
    assert "line 1: the column scores is missing" in import_text(tmp_path, "date,variant,names\n").output
    assert "cannot read" in CliRunner().invoke(app, ["import", str(tmp_path / "none.csv")]).output


# ---- files of before


def test_a_file_of_schema_3_is_brought_up_to_date_without_loss(tmp_path):
    import duckdb

    db = tmp_path / "old.duckdb"
    number = keep_match(Match(find_variant(PIG), 2).finish("random"), [find_agent("random")] * 2, db)
    con = duckdb.connect(str(db))
    before = con.execute("SELECT * FROM match").fetchall(), con.execute("SELECT * FROM seat").fetchall()
    go_back_to_schema_4(con)
    con.execute(
        "DROP TABLE real_match; DROP TABLE real_seat; DROP TABLE actions;"
        "UPDATE boardgames_file SET schema_version = 3"
    )
    con.close()
    assert len(query(db, "SELECT * FROM people")) == 0
    with open_for_reading(db) as session:
        after = tuple(
            get_connection(session).execute(f"SELECT * FROM {name}").fetchall() for name in ("match", "seat")
        )
    assert after == before
    (tmp_path / "results.csv").write_text(GOOD)
    assert (
        "3 matches"
        in CliRunner().invoke(app, ["import", str(tmp_path / "results.csv"), "--db", str(db)]).stdout
    )
    assert json.loads(CliRunner().invoke(app, ["runs", "--db", str(db), "--json"]).stdout)[0]["matches"] == 1
    assert replay_stored(db, number).is_over


# ---- what was played stays


def test_a_match_on_a_deal_of_ones_choice_is_gone_on_with_and_a_finished_one_stays(tmp_path):
    db = tmp_path / "t.duckdb"
    cell = PlannedCell(find_variant(PIG), (make_person(), find_agent("random")), 1, rotate_seats=False)
    seated, old = resume_or_begin(db, cell, 5)
    seated.match.step("random")
    seated.save()
    resumed, came_back = resume_or_begin(db, cell, 5)
    again = resumed.match
    assert (old, came_back, again.actions) == (False, True, seated.match.actions)
    again.finish("random")
    number = resumed.finish()
    with pytest.raises(InvalidInput, match="deal 5 of seed 1 is stored already"):
        resume_or_begin(db, cell, 5)
    assert replay_stored(db, number).actions == again.actions
