"""Ctrl-C as a request: breaking in anywhere would lose it in a library's callbacks, or leave a transaction half undone."""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Stop:
    """Whether somebody has asked to stop. A plain flag: a handler that met itself in an Event's lock would wait for ever."""

    def __init__(self) -> None:
        self._asked = False
        self.at_once: Callable[[], None] = lambda: None  # ends what would take long, such as a query

    def set(self) -> None:
        self._asked = True

    def is_set(self) -> bool:
        return self._asked


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Ctrl-C sets the stop, and interrupts when the block is left. Pressed twice it breaks in."""
    stop = Stop()
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):  # nobody's, or ignored
        yield stop
        return

    def ask(number: int, frame: Any) -> None:
        again = stop.is_set()
        stop.set()
        stop.at_once()
        if again:
            usual(number, frame)

    signal.signal(signal.SIGINT, ask)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, usual)
    if stop.is_set():  # an error of the block is told as it is
        usual(signal.SIGINT, None)


def press_again(lost: Any) -> None:
    """For sys.unraisablehook: a Ctrl-C that met a library's clean-up, where Python can only ignore it, comes once more."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        main = threading.main_thread().ident or 0
        threading.Timer(0.05, signal.pthread_kill, (main, signal.SIGINT)).start()  # a real one: it also ends waiting for input
    else:
        sys.__unraisablehook__(lost)
