"""Signals that interrupt: Ctrl-C, and for commands SIGTERM and SIGHUP too. All become a KeyboardInterrupt."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SIGNALS = tuple(s for s in signal.Signals if s.name in ("SIGINT", "SIGTERM", "SIGHUP"))
# Some send a signal twice where they mean it once: timeout to a process and to its group, a terminal that is closed and
# its shell, systemd SIGTERM and SIGHUP. So much later it is meant.
TWICE = 1.0  # seconds
AGAIN = 0.01  # seconds after which a signal comes again that came at a bad moment


class _Interruption:
    """The first signal of a command, which interrupts; one that comes later ends the process at once."""

    signal = signal.SIGINT
    _since = math.inf

    def begin(self) -> None:
        self._since = math.inf

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if _is_swallowed(frame):
            threading.Timer(AGAIN, os.kill, (os.getpid(), number)).start()
            return
        if self._since == math.inf:
            self.signal, self._since = signal.Signals(number), time.monotonic()
            raise KeyboardInterrupt
        if time.monotonic() - self._since > TWICE:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)


_interruption = _Interruption()


def _is_swallowed(frame: FrameType | None) -> bool:
    """Whether an exception would be printed and forgotten: in finalizers, and when weak references end."""
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__del__" or (
            code.co_name == "cb" and code.co_filename.startswith("<frozen importlib")
        ):
            return True
        frame = frame.f_back
    return False


@contextmanager
def signals_interrupt() -> Iterator[None]:
    """While a command runs, each of these signals interrupts it; a second one ends the process at once.

    What is ignored already, as SIGHUP under nohup, or handled by the program that runs the command, stays so.
    """
    _interruption.begin()
    with _handled_by(_interruption, lambda old: old in (signal.SIG_DFL, signal.default_int_handler)):
        yield


def was_interrupted(error: BaseException) -> bool:
    """Whether it is an interruption, or what Python makes of one in a class body, while modules are imported."""
    return isinstance(error, KeyboardInterrupt) or (
        isinstance(error, RuntimeError) and isinstance(error.__cause__, KeyboardInterrupt)
    )


def how_it_ended(words: str = "") -> tuple[str, int]:
    """What to say of a command that was interrupted, and the exit code that shells report for the signal."""
    number = _interruption.signal
    by = "" if number == signal.SIGINT else f" by {number.name}"
    return f"interrupted{by}{words}", 128 + number


@contextmanager
def interrupts_held() -> Iterator[None]:
    """An interruption waits until the block has ended; a second one does not."""
    came: list[tuple[int, float]] = []

    def hold(number: int, frame: FrameType | None) -> None:
        if not came:
            came.append((number, time.monotonic()))
        elif time.monotonic() - came[0][1] > TWICE:
            before[number](number, frame)

    before: dict[int, Any] = {}
    try:
        with _handled_by(hold, callable) as before:
            yield
    finally:
        if came:
            before[came[0][0]](came[0][0], None)


@contextmanager
def processes_started() -> Iterator[None]:
    """Processes that start in the block ignore what is sent to all of a group: who started them acts for them.

    Dask would restart workers that SIGTERM has ended, while it closes, and wait for them. The block is not
    interrupted, since it could leave processes behind.
    """
    with interrupts_held():
        if not hasattr(signal, "pthread_sigmask"):  # Windows
            yield
            return
        from multiprocessing import resource_tracker  # here, since few commands need it

        with _handled_by(signal.SIG_IGN, callable):
            resource_tracker.ensure_running()  # who starts it is open to Ctrl-C afterwards, blocked before or not
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)  # which processes inherit
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


@contextmanager
def _handled_by(handler: Any, replaces: Callable[[Any], bool]) -> Iterator[dict[int, Any]]:
    """The handler stands in for those before, which are given; only the main thread can change them."""
    before: dict[int, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for one in SIGNALS:
                if replaces(old := signal.getsignal(one)):
                    before[one] = old
                    signal.signal(one, handler)
        yield before
    finally:
        for number, old in before.items():
            signal.signal(number, old)
