"""Ctrl-C as a request to stop. A KeyboardInterrupt anywhere could get lost in a library's callback, or break
a transaction.
"""

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class StopRequest:
    """Whether a stop was requested. A plain flag: a signal handler could deadlock in the lock of an Event."""

    def __init__(self) -> None:
        self._is_set = False
        self.on_stop: Callable[[], None] = lambda: None  # ends what would take long, such as a query

    def set(self) -> None:
        self._is_set = True

    def is_set(self) -> bool:
        return self._is_set


@contextmanager
def catch_interrupt() -> Iterator[StopRequest]:
    """Let Ctrl-C set the stop request, and interrupt at the end of the `with` body; a second one interrupts
    at once.
    """
    stop = StopRequest()
    default_handler = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not callable(default_handler):  # no Python handler, or ignored
        yield stop
        return

    def request_stop(number: int, frame: Any) -> None:
        is_second = stop.is_set()
        stop.set()
        stop.on_stop()
        if is_second:
            default_handler(number, frame)

    signal.signal(signal.SIGINT, request_stop)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, default_handler)
    if stop.is_set():  # not after an error in the body: that one is raised as it is
        default_handler(signal.SIGINT, None)


def resend_interrupt(unraisable: Any) -> None:
    """For sys.unraisablehook: send again a Ctrl-C that arrived in a library's clean-up, where Python ignores
    it.
    """
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        main = threading.main_thread().ident or 0
        # A real signal: it also ends waiting for input.
        threading.Timer(0.05, signal.pthread_kill, (main, signal.SIGINT)).start()
    else:
        sys.__unraisablehook__(unraisable)
