"""A file whose content does not fit together, damaged or changed by hand, is told in a sentence."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow as pa
from sqlalchemy.exc import StatementError

from boardgames.errors import UnusableFile

DATABASE_ERRORS = (StatementError, duckdb.Error)
# What rows that do not fit together make of code that reads them.
CONTENT_ERRORS = (
    *DATABASE_ERRORS,
    pa.ArrowException,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    OverflowError,
)
BLAMELESS = (duckdb.OutOfMemoryException, duckdb.InterruptException)  # errors that say nothing of the file
ADVICE = (
    "Go on with a copy, if you have one (`boardgames snapshot` makes them), or play again into a new file:"
    " the same seed gives the same matches"
)


@contextmanager
def explain_damage(db: Path, errors: tuple[type[Exception], ...] = CONTENT_ERRORS) -> Iterator[None]:
    """Say in a sentence that the file is damaged, where reading it fails in the `with` body. Only what reads
    belongs in it: an error of our own would be blamed on the file. It stays the cause.
    """
    try:
        yield
    except errors as error:
        reason = getattr(error, "orig", error)
        if isinstance(reason, BLAMELESS):
            raise
        text = (str(reason).splitlines() or [""])[0]
        raise make_damage_error(
            db, f"what it holds does not fit together ({type(reason).__name__}: {text})"
        ) from error


def make_damage_error(db: Path, problem: str) -> UnusableFile:
    return UnusableFile(f"{db} is damaged: {problem}. {ADVICE}")
