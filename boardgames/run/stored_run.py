"""What a run stores, and must find again each time it stores more: its file may be replaced meanwhile."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from sqlmodel import Session

from boardgames.errors import FileInUse, UnusableFile
from boardgames.plan.played import PlayedDeals
from boardgames.plan.ranges import find_gaps, intersect_ranges
from boardgames.store.connection import open_for_reading
from boardgames.store.opening.waiting import NOTICE_SECONDS
from boardgames.store.read import find_stored_ranges
from boardgames.store.write import insert_played, make_lost_error, open_for_results

Ranges = list[tuple[int, int]]


class StoredRun:
    """The deals of a run that are stored: those that it found, and those that it added. A file that lacks any
    of them is another file by now, even if it has the same cells.
    """

    def __init__(self, db: Path, found: Mapping[int, Ranges]) -> None:
        self.db = db
        self.ranges = {cell: list(ranges) for cell, ranges in found.items()}
        self.state: tuple[int, ...] | None = None  # of the file, when this run closed it last

    def store(self, played: Sequence[PlayedDeals]) -> None:
        """Store deals in one transaction, except those that another command has stored meanwhile."""
        with open_for_results(self.db, {part.cell.id for part in played}, NOTICE_SECONDS) as session:
            self._check_nothing_lost(session)
            insert_played(session, played)
        self.state = _read_state(self.db)
        for part in played:
            ranges = [*self.ranges.get(part.cell.id, []), (part.first, part.deals)]
            self.ranges[part.cell.id] = intersect_ranges(ranges, ranges)  # joins neighbours

    def check_end(self) -> None:
        """Raise if the file was replaced, emptied or removed after the last deals were stored."""
        if self.state is None or _read_state(self.db) == self.state:
            return
        if not self.db.exists():
            raise make_lost_error(self.db)
        try:
            with suppress(FileInUse), open_for_reading(self.db, NOTICE_SECONDS) as session:
                self._check_nothing_lost(session)
        except UnusableFile:
            raise make_lost_error(self.db) from None

    def _check_nothing_lost(self, session: Session) -> None:
        for cell, stored in find_stored_ranges(session, self.ranges).items():
            end = max((first + count for first, count in self.ranges[cell]), default=0)
            if intersect_ranges(find_gaps(stored, end), self.ranges[cell]):
                raise make_lost_error(self.db)


def _read_state(db: Path) -> tuple[int, ...]:
    try:
        about = db.stat()
    except OSError:
        return ()
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns
