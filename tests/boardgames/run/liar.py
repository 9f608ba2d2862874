"""A Dask worker that says it plays the same matches, and answers with something else: `--preload` this file.

Which lie it tells is read from the file that LIE names, at each task; without one it is honest.
"""

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from boardgames.run import cluster
from boardgames.run.answers import write_table

# Dask loads a preloaded file twice.
play_honestly = getattr(cluster.play_span, "honest", cluster.play_span)


def set_column(table, name, values):
    return table.set_column(table.schema.get_field_index(name), name, values)


def change_matches(change):
    return lambda answer: (change(answer[0]), answer[1], answer[2])


def change_seats(change):
    return lambda answer: (answer[0], change(answer[1]), answer[2])


def add_to_last(table, name, difference):
    """Another value in the last row alone."""
    values = table[name].to_numpy().copy()
    values[-1] += difference
    return set_column(table, name, pa.array(values))


def empty_last(table, name):
    return set_column(table, name, pa.array([*table[name].to_pylist()[:-1], None], table[name].type))


class Pickled:
    def __reduce__(self):
        return Path, ("a pickle can be anything",)


LIES = {
    "half of the matches": change_matches(lambda matches: matches.slice(0, len(matches) // 2)),
    "all twice": lambda answer: (*(pa.concat_tables([table, table]) for table in answer[:2]), answer[2]),
    "a foreign cell": change_matches(
        lambda matches: set_column(matches, "cell_id", pa.array(np.full(len(matches), 42)))
    ),
    "one deal": change_matches(
        lambda matches: set_column(matches, "deal", pa.array(np.full(len(matches), 7)))
    ),
    "no turns": change_matches(lambda matches: matches.drop_columns(["turns"])),
    "a column more": change_matches(lambda matches: matches.append_column("more", matches["turns"])),
    "a missing value": change_seats(lambda seats: empty_last(seats, "score")),
    "a seat less": change_seats(lambda seats: seats.slice(0, len(seats) - 1)),
    "an impossible rank": change_seats(lambda seats: add_to_last(seats, "rank", 9)),
    "false scores": change_seats(
        lambda seats: set_column(seats, "score", pc.add(seats["score"], pa.scalar(99, pa.int32())))
    ),
    "a false hash": change_matches(lambda matches: set_column(matches, "hash", pc.add(matches["hash"], 1))),
    "seconds that are none": lambda answer: (*answer[:2], float("nan")),
    "seconds in words": lambda answer: (*answer[:2], "x"),
    "other bytes": lambda answer: (b"not Arrow", b"", 0.1),
    "a text": lambda answer: "done",
    "nothing": lambda answer: None,
    "tables in a pickle": lambda answer: answer,
    "a pickle": lambda answer: Pickled(),
}


def lie(spec, span):
    answer = play_honestly(spec, span)
    name = Path(os.environ["LIE"]).read_text()
    if name not in LIES:
        return answer
    tables = [pa.ipc.open_stream(content).read_all() for content in answer[:2]]
    changed = LIES[name]((*tables, answer[2]))
    if name == "tables in a pickle" or not isinstance(changed, tuple) or isinstance(changed[0], bytes):
        return changed
    return (*map(write_table, changed[:2]), changed[2])


if "LIE" in os.environ:  # else this is a test that reads the list of lies
    lie.honest = play_honestly
    cluster.play_span = lie
