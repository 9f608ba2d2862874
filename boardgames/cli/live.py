"""Where a question stands while matches are played for it: a table in place in a terminal, else a line every
few seconds.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

LINE_SECONDS = 5.0  # between two lines in a pipe
ROOM_BELOW = 3  # lines that a table leaves for the line about progress


class InterimView(Protocol):
    """Shows results so far, and what is going on."""

    def show_results(self, results: Any) -> None: ...
    def show_progress(self, line: str) -> None: ...


class LiveTable:
    """The latest results in place; under them a spinner, what is going on and the time spent."""

    def __init__(self, make_table: Callable[[Any], Any]) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.table import Column

        self.make_table = make_table
        self.table: Any = ""
        what = TextColumn("{task.description}", markup=False, table_column=Column(overflow="fold"))
        self.progress = Progress(SpinnerColumn(), what, TimeElapsedColumn())
        self.task = self.progress.add_task("playing")
        # what is printed on stdout is an answer: it must not go through a console on stderr
        self.live = Live(
            get_renderable=self.render,
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,
        )

    def render(self) -> Any:
        from rich.console import Group

        return Group(_CroppedTable(self.table), self.progress) if self.table else self.progress

    def show_results(self, results: Any) -> None:
        self.table = self.make_table(results)
        self._start()
        self.live.refresh()

    def show_progress(self, line: str) -> None:
        self.progress.update(self.task, description=line)
        self._start()

    def _start(self) -> None:
        """Start late: what is printed before the first match comes above the table."""
        if not self.live.is_started:
            self.live.start()

    def close(self) -> None:
        self.live.stop()


class _CroppedTable:
    """As much of a table as leaves the line below it on the screen."""

    def __init__(self, table: Any) -> None:
        self.table = table

    def __rich_console__(self, console: Any, options: Any) -> Iterator[Any]:
        from rich.segment import Segment

        room = max(1, console.height - ROOM_BELOW)
        for line in console.render_lines(self.table, options.update(height=None), pad=False)[:room]:
            yield from line
            yield Segment.line()


class PlainLines:
    """A line at the first results and at the last, and between them not more than one every few seconds."""

    def __init__(
        self, describe: Callable[[Any], str], clock: Callable[[], float] = time.monotonic, file: Any = None
    ) -> None:
        self.describe = describe
        self.clock = clock
        self.file = file or sys.stderr
        self.printed_at = clock()
        self.has_results = False
        self.latest = ""  # results that are not printed yet

    def show_results(self, results: Any) -> None:
        self.latest = self.describe(results)
        if self._is_due() or not self.has_results:
            self._print(self.latest)
            self.latest = ""
        self.has_results = True

    def show_progress(self, line: str) -> None:
        if self._is_due():
            self._print(self.latest or line)
            self.latest = ""

    def close(self) -> None:
        if self.latest:
            self._print(self.latest)

    def _is_due(self) -> bool:
        return self.clock() - self.printed_at >= LINE_SECONDS

    def _print(self, line: str) -> None:
        print(line, file=self.file, flush=True)
        self.printed_at = self.clock()


@contextmanager
def show_interim_results(
    make_table: Callable[[Any], Any], describe: Callable[[Any], str], is_terminal: bool
) -> Iterator[InterimView]:
    """Show where it stands until the end of the `with` body, however that ends."""
    view = LiveTable(make_table) if is_terminal else PlainLines(describe)
    try:
        yield view
    finally:
        view.close()
