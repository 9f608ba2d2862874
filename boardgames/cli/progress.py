"""What a terminal shows while something takes time."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def show_status(title: str, is_shown: bool, piped: bool = False) -> Iterator[Callable[[str], None]]:
    """Show a spinner with the time spent; yields a function that takes what is being done now.

    Without a terminal nothing is shown; with `piped`, one plain line for each step.
    """
    if piped and not is_shown:
        yield lambda line: print(f"{title}: {line}", file=sys.stderr, flush=True)
        return
    if not is_shown:
        yield lambda line: None
        return
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    with _make_progress(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()) as progress:
        task = progress.add_task(title)
        yield lambda line: progress.update(task, description=f"{title}: {line}")


@contextmanager
def show_bar(title: str, is_shown: bool) -> Iterator[Callable[[int, int], None]]:
    """Show a bar with matches/s and the time left; yields a function of (done, wanted)."""
    if not is_shown:
        yield lambda done, wanted: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f} matches/s" if speed else "")

    with _make_progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn()
    ) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, wanted: progress.update(task, completed=done, total=wanted)


def _make_progress(*columns: Any) -> Any:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(*columns, console=Console(stderr=True), transient=True)
