"""A progress bar on standard error, for people only."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

Item = TypeVar("Item")
_silent = ContextVar("silent", default=False)


@contextmanager
def silenced(wanted: bool) -> Iterator[None]:
    """No bar in the block, if that is wanted."""
    before = _silent.set(wanted or _silent.get())
    try:
        yield
    finally:
        _silent.reset(before)


def with_progress(files: Sequence[tuple[str, Item]], what: str) -> Iterator[tuple[str, Item]]:
    """The files (with something) one by one, and a bar that grows by their sizes on a terminal."""
    sizes = [_size(path) for path, _ in files]
    with bar() as progress:
        task = progress.add_task(what, total=sum(sizes) or None)
        for file, size in zip(files, sizes, strict=True):
            yield file
            progress.advance(task, size)


@contextmanager
def counting(what: str, total: int | None, *, wanted: bool = True) -> Iterator[Callable[[int], object]]:
    """A count of examples on a terminal, if it is wanted; gives the function that adds to it."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with bar(*columns, wanted=wanted) as progress:
        task = progress.add_task(what, total=total)
        yield lambda n: progress.advance(task, n)


@contextmanager
def spinning(what: str, *, wanted: bool = True) -> Iterator[Callable[[str], object]]:
    """A sign of life and the time on a terminal, if it is wanted; gives the function that adds words."""
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with bar(*columns, wanted=wanted) as progress:
        task = progress.add_task(what, total=None)
        yield lambda words: progress.update(task, description=f"{what}: {words}")


def bar(*columns: ProgressColumn, wanted: bool = True) -> Progress:
    """A bar of these columns, on a terminal, if it is wanted."""
    seen = wanted and not _silent.get() and sys.stderr.isatty()
    return _Bar(*columns, console=Console(stderr=True), transient=True, disable=not seen)


class _Bar(Progress):
    """Prints nothing where it is disabled; before version 15, rich printed an empty line at the end."""

    def stop(self) -> None:
        if not self.disable:
            super().stop()


def _size(file: str) -> int:
    with suppress(OSError):
        return os.stat(file).st_size
    return 0
