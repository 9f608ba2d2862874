"""What a terminal shows while something takes time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def status(title: str, shown: bool) -> Iterator[Callable[[str], None]]:
    """A spinning line with the time spent; yields a function that says what is being done now."""
    if not shown:
        yield lambda line: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title)
        yield lambda line: progress.update(task, description=f"{title}: {line}")
