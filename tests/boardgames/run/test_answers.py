"""What a worker answers is exactly the deals that were asked for, or it is refused with the reason."""

import numpy as np
import pytest

from boardgames import find_line_up, find_variant
from boardgames.plan.cell import PlannedCell
from boardgames.plan.played import PlayedDeals
from boardgames.play.batch import make_scratch
from boardgames.run.answers import EARLY_SPANS, SpotChecks, WrongAnswer, pack_answer, unpack_answer
from boardgames.run.work import Span
from boardgames.store.agreement.matches import compare_batches
from boardgames.store.read import make_batch
from boardgames.store.write import make_rows
from tests.boardgames.run import liar

PIG = find_variant("pig+target=20")
CELL = PlannedCell(PIG, find_line_up("greedy,random", 2), seed=1)
SPAN = Span(CELL.id, 64, 30)


@pytest.fixture(scope="module")
def played():
    return CELL.runner.run(SPAN.first, SPAN.deals, make_scratch(PIG.game, CELL.line_up))


@pytest.fixture(scope="module")
def rows(played):
    return make_rows(PlayedDeals(CELL, SPAN.first, SPAN.deals, played, 0.5))


def tell(rows, name: str):
    """An answer with a lie in it."""
    answer = liar.LIES[name]((rows.match, rows.seat, 0.5))
    if not isinstance(answer, tuple) or name in ("other bytes", "tables in a pickle"):
        return answer
    return (*map(liar.write_table, answer[:2]), answer[2])


def believe(answer) -> None:
    received, _ = unpack_answer(answer, CELL, SPAN)
    SpotChecks({CELL.id: CELL}).check("worker", SPAN, received)


def test_an_honest_answer_is_believed_and_gives_the_rows_that_were_played(played, rows):
    answer = pack_answer(rows, 0.5)
    believe(answer)
    received, seconds = unpack_answer(answer, CELL, SPAN)
    assert seconds == 0.5
    assert not compare_batches(make_batch(received, CELL), played)
    assert make_rows(PlayedDeals(CELL, SPAN.first, SPAN.deals, received, 0.5)) == rows


REASONS = {
    "half of the matches": "it lacks matches, or has some twice",
    "all twice": "it lacks matches, or has some twice",
    "a foreign cell": "it lacks matches, or has some twice",
    "one deal": "it lacks matches, or has some twice",
    "no turns": "the columns are not those of a match: turns",
    "a column more": "the columns are not those of a match: more",
    "a missing value": "values are missing in the column score",
    "a seat less": "it lacks matches, or has some twice",
    "an impossible rank": "it has results that no match has",
    "false scores": "played again here, has other values of score",
    "a false hash": "played again here, has other values of hash",
    "seconds that are none": "it says that playing took nan seconds",
    "seconds in words": "a tuple that is not tables of matches",
    "other bytes": "its tables cannot be read",
    "a text": "a str that is not tables of matches",
    "nothing": "a NoneType that is not tables of matches",
    "tables in a pickle": "a tuple that is not tables of matches",
    "a pickle": "that is not tables of matches",
}


@pytest.mark.parametrize("name", liar.LIES)
def test_an_answer_that_is_not_what_was_asked_for_is_refused_with_the_reason(rows, name):
    with pytest.raises(WrongAnswer, match=REASONS[name]):
        believe(tell(rows, name))


def test_deals_that_were_not_asked_for_are_refused(rows):
    with pytest.raises(WrongAnswer, match="it lacks matches"):
        unpack_answer(pack_answer(rows, 0.5), CELL, SPAN._replace(first=0))


def test_one_false_match_in_many_is_found_where_its_deal_is_played_again(played, rows):
    """After its first spans, about one deal in 200 of a worker is played again."""
    checks = SpotChecks({CELL.id: CELL})
    spans = [checks._choose("worker", SPAN) for _ in range(2000)]
    assert all(sum(deals for _, deals in ranges) == 1 for ranges in spans[:EARLY_SPANS])
    later = sum(deals for ranges in spans[EARLY_SPANS:] for _, deals in ranges)
    assert 0.5 < later / (2000 * SPAN.deals / 200) < 2
    assert {first for ranges in spans for first, _ in ranges} == set(range(64, 94))
    large = checks._choose("worker", Span(CELL.id, 0, 20_000))
    assert sum(deals for _, deals in large) in range(100, 110)
    false = played._replace(seats=played.seats.copy())
    false.seats["score"][17, 1] += 1
    differing = compare_batches(false, played)
    assert (differing.rows.tolist(), differing.columns) == ([17], ("score",))
    assert not compare_batches(played, played)
    assert np.array_equal(false.matches, played.matches)
