"""The bulk tables of a result file: their columns with types and meanings. The SQL that creates them is made
of these, and so are their comments in the file.
"""

from typing import NamedTuple

from boardgames.game.game import MAX_TALLIES


class BulkColumn(NamedTuple):
    type: str
    meaning: str


class BulkTable(NamedTuple):
    meaning: str
    columns: dict[str, BulkColumn]


def _table(meaning: str, **columns: tuple[str, str]) -> BulkTable:
    return BulkTable(meaning, {name: BulkColumn(*column) for name, column in columns.items()})


_CELL = ("BIGINT", "cell.id")
_DEAL = ("BIGINT", "from 0; one fixed course of shuffles and dice")
_SEATING = ("SMALLINT", "seating.seating: who sits where, from 0")
_FIRST_DEAL = ("BIGINT", "first deal of the range")
_DEALS = ("BIGINT", "deals in the range")
_VALUE = ("VARCHAR", "what is summed, such as turns or win_share:2 (of seat 2)")

# A column for each tally: each is packed by its own range. A file has as many as the games in it need,
# because empty ones cost time.
TALLY_COLUMNS = [f"tally_{index}" for index in range(1, MAX_TALLIES + 1)]


def describe_tally(column: str) -> str:
    """What a column of tallies holds: `tally_2` is the second tally of the game."""
    index = TALLY_COLUMNS.index(column) + 1
    return f"count of the game's tally {index}: entry {index} of variant.tallies; NULL if the game has none"


BULK_TABLES = {
    "batch": _table(
        "Which deals of a cell are stored, in the portions in which they were played.",
        cell_id=_CELL,
        first_deal=_FIRST_DEAL,
        deals=_DEALS,
        matches=("BIGINT", "matches of these deals: deals times seatings"),
        seconds=("DOUBLE", "seconds that playing them took on one thread"),
        stored=("TIMESTAMP", "when they were stored, UTC"),
    ),
    "match": _table(
        "One match a row; cell_id, deal and seating name it.",
        cell_id=_CELL,
        deal=_DEAL,
        seating=_SEATING,
        hash=("BIGINT", "of all actions taken: equal for identical matches"),
        turns=("INTEGER", "turns of all seats"),
        rounds=("INTEGER", "rounds begun: turns divided by players, rounded up"),
        decisions=("INTEGER", "choices of all seats, forced ones included"),
        forced=("INTEGER", "decisions with one legal action"),
        branching=("BIGINT", "sum over all decisions: number of legal actions"),
        log_branching=("BIGINT", "sum over all decisions: logarithm of that number, in 1/65536 bits"),
        widest=("INTEGER", "most legal actions at one decision"),
        end=(
            "SMALLINT",
            "how it ended: entry of variant.ends, from 1; 0 = cut off by the limit of decisions",
        ),
        tied=("SMALLINT", "seats that share the best score, before tie-breaks"),
        winners=("SMALLINT", "seats that share the win, after tie-breaks"),
        winning_margin=("INTEGER", "best score less the second best, in the game's points"),
        lead_changes=("INTEGER", "rounds whose only leader by evaluation differs from the one before"),
        last_lead_change=("INTEGER", "round of the last change of lead; 0 = none"),
        leaders_25=("SMALLINT", "leaders by evaluation after 25% of the rounds, one bit each: 1 = seat 1"),
        leaders_50=("SMALLINT", "leaders by evaluation after 50% of the rounds, one bit each: 1 = seat 1"),
        leaders_75=("SMALLINT", "leaders by evaluation after 75% of the rounds, one bit each: 1 = seat 1"),
    ),
    "seat": _table(
        "One seat of a match a row; the view `tallies` has its tallies by name.",
        cell_id=_CELL,
        deal=_DEAL,
        seating=_SEATING,
        seat=("SMALLINT", "from 1; seat 1 starts"),
        score=("INTEGER", "at the end, in the game's points"),
        rank=("SMALLINT", "place at the end after tie-breaks; 1 = first, may be shared"),
        turns=("INTEGER", "turns this seat began"),
        decisions=("INTEGER", "choices of this seat, forced ones included"),
        opening=("INTEGER", "its first action, by number; -1 = it never acted"),
        rounds_led=("INTEGER", "rounds as the only leader by evaluation"),
        deficit=("BIGINT", "farthest behind the best evaluation after any round, in the evaluation's scale"),
        score_25=("INTEGER", "score after 25% of the rounds, in the game's points"),
        score_50=("INTEGER", "score after 50% of the rounds, in the game's points"),
        score_75=("INTEGER", "score after 75% of the rounds, in the game's points"),
        evaluation_25=("BIGINT", "evaluation after 25% of the rounds, on the game's own scale"),
        evaluation_50=("BIGINT", "evaluation after 50% of the rounds, on the game's own scale"),
        evaluation_75=("BIGINT", "evaluation after 75% of the rounds, on the game's own scale"),
        tally_1=("SMALLINT", describe_tally("tally_1")),
    ),
    "slice": _table(
        "Sums over 64 deals of a cell, for each value; rows of one slice add up. A deal's value is the mean"
        " over its seatings.",
        cell_id=_CELL,
        slice=("BIGINT", "deals 64 * slice to 64 * slice + 63"),
        value=_VALUE,
        deals=("INTEGER", "deals that are summed"),
        total=("DOUBLE", "sum over deals, in the value's unit; shares are 0 to 1"),
        squares=("DOUBLE", "sum of squares over deals"),
    ),
    "actions": _table(
        "What was done in matches that a seed does not bring back: by people and Python agents.",
        cell_id=_CELL,
        deal=_DEAL,
        seating=_SEATING,
        actions=("INTEGER[]", "all actions in order, by number"),
        changed=("TIMESTAMP", "when the last one was added, UTC"),
    ),
    "pair": _table(
        "Differences of two cells on the same deals, b less a, summed and counted.",
        cell_a=("BIGINT", "cell.id of the baseline; 0 = none, then values of b itself are summed"),
        cell_b=("BIGINT", "cell.id of the other"),
        first_deal=_FIRST_DEAL,
        deals=_DEALS,
        value=("VARCHAR", "as in slice; `affected` is the share of a deal's matches that differ at all"),
        total=("DOUBLE", "sum of differences over deals, in the value's unit; shares are 0 to 1"),
        squares=("DOUBLE", "sum of their squares"),
        differences=("DOUBLE[]", "all differences that occur, each once"),
        counts=("DOUBLE[]", "how many deals have each of these differences"),
    ),
    "luck": _table(
        "Matches with swapped chance: some sources as in the deal, others as in an independent deal. They are"
        " no ordinary matches.",
        cell_id=_CELL,
        first_deal=_FIRST_DEAL,
        deals=_DEALS,
        sources=("VARCHAR[]", "names of the sources of chance"),
        mix=("SMALLINT", "which of a deal's matches with swapped chance, from 0"),
        seat=("SMALLINT", "from 1; seat 1 starts"),
        masks=("INTEGER[]", "for each deal, the swapped sources, one bit each: 1 = the first"),
        win_shares=("DOUBLE[]", "for each deal, the seat's share of the win, 0 to 1"),
        scores=("INTEGER[]", "for each deal, the seat's score, in the game's points"),
    ),
}


def _create(name: str, table: BulkTable) -> str:
    columns = ", ".join(f'"{column}" {about.type}' for column, about in table.columns.items())
    return f'CREATE TABLE IF NOT EXISTS "{name}" ({columns});'


def select_rows(name: str) -> str:
    """A query for all rows of a table in its own types: also of a file in which they are other ones."""
    columns = (
        f'"{column}"::{about.type} AS "{column}"' for column, about in BULK_TABLES[name].columns.items()
    )
    return f'SELECT {", ".join(columns)} FROM "{name}"'


CREATE_BULK_TABLES = "\n".join(_create(name, table) for name, table in BULK_TABLES.items())
