"""Results of real tables: files as spreadsheets write them, and who won."""

import time
from datetime import date

import pytest

from boardgames import InvalidInput, query
from boardgames.people.import_csv import import_results, read_results

HEADER = "date,variant,names,scores,minutes"


def write(folder, content: str, **options):
    path = folder / "results.csv"
    path.write_bytes(content.encode(**options))
    return path


@pytest.mark.parametrize("line_end", ["\r", "\n", "\r\n"], ids=["old Mac", "Unix", "Windows"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_a_file_of_a_german_spreadsheet_is_read_as_it_is(tmp_path, line_end, encoding):
    lines = ["date;variant;names;scores;minutes", "01.10.2026;pig;Jürgen/Ben;101/17;45,5", ""]
    (result,) = read_results(write(tmp_path, line_end.join(lines), encoding=encoding))
    assert (result.date, result.names, result.minutes) == (date(2026, 10, 1), ("Jürgen", "Ben"), 45.5)


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("2026-10-01", date(2026, 10, 1)),
        ("1.10.2026", date(2026, 10, 1)),
        ("13/10/2026", date(2026, 10, 13)),
        ("10/13/2026", date(2026, 10, 13)),
        ("10-10-2026", date(2026, 10, 10)),
    ],
)
def test_a_date_with_one_reading_is_taken(tmp_path, typed, day):
    (result,) = read_results(write(tmp_path, f"{HEADER}\n{typed},pig,Ann/Ben,101/17,\n"))
    assert result.date == day


def test_a_date_with_two_readings_is_refused_with_its_line_and_both_of_them(tmp_path):
    source = write(tmp_path, f"{HEADER}\n2026-01-09,pig,Ann/Ben,101/17,\n01/10/2026,pig,Ann/Ben,101/17,\n")
    with pytest.raises(InvalidInput) as refusal:
        read_results(source)
    assert "line 3: the date '01/10/2026' can be read in two ways; write 2026-10-01 or 2026-01-10" in str(
        refusal.value
    )
    for wrong in ("31.02.2026", "2026-13-01", "32/13/2026", "13/13/2026", "yesterday"):
        with pytest.raises(InvalidInput, match=f"'{wrong}' is not a date; write 2026-01-31"):
            read_results(write(tmp_path, f"{HEADER}\n{wrong},pig,Ann/Ben,101/17,\n"))


def test_who_won_in_which_seat_is_known_unless_a_tie_break_may_decide(tmp_path):
    db = tmp_path / "club.duckdb"
    rows = ["2026-01-09,pig,Ann/Ben/Cleo,17/101/3,", "2026-01-16,pig,Ann/Ben/Cleo,101/101/3,"]
    import_results(write(tmp_path, "\n".join([HEADER, *rows])), db)
    shares = query(db, "SELECT win_share FROM people ORDER BY evening, seat")["win_share"].to_pylist()
    assert shares == [0, 1, 0, None, None, 0]


def test_a_second_import_adds_no_match_twice_and_new_minutes(tmp_path):
    db = tmp_path / "club.duckdb"
    twice = "2026-01-09,pig,Ann/Ben,101/17,\n2026-01-09,pig,Ann/Ben,101/17,\n"
    assert import_results(write(tmp_path, f"{HEADER}\n{twice}"), db)[:2] == (2, 0)
    longer = (
        "2026-01-09,pig,Ann/Ben,101/17,30\n2026-01-09,pig,Ann/Ben,101/17,\n2026-01-16,pig,Ann/Ben,5/100,9\n"
    )
    assert import_results(write(tmp_path, f"{HEADER}\n{longer}"), db)[:2] == (1, 2)
    assert import_results(write(tmp_path, f"{HEADER}\n{twice}"), db)[:2] == (0, 2)
    minutes = query(db, "SELECT minutes FROM real_match ORDER BY date, minutes")["minutes"].to_pylist()
    assert minutes == [30, None, 9]
    assert query(db, "SELECT count(*) AS n FROM real_seat")["n"].to_pylist() == [6]


def test_a_match_costs_little_more_to_import_than_to_read(tmp_path):
    """A query for each row took fifty times as long as reading it."""
    rows = [
        f"2026-01-{1 + n % 28:02d},pig,P{n % 7}/Q{n % 11},101/{n % 100},{n % 90 + 1}" for n in range(8_000)
    ]
    few, many = tmp_path / "few.csv", tmp_path / "many.csv"
    few.write_text("\n".join([HEADER, *rows[:10]]))
    many.write_text("\n".join([HEADER, *rows]))

    def measure(function, *arguments) -> float:
        begin = time.process_time()
        function(*arguments)
        return time.process_time() - begin

    read_results(many)
    reading = min(measure(read_results, many) for _ in range(3))
    files = [tmp_path / f"{n}.duckdb" for n in range(6)]
    opening = min(measure(import_results, few, db) for db in files[:3])
    importing = min(measure(import_results, many, db) for db in files[3:])
    assert importing - opening < 10 * reading
