"""A progress bar on standard error, for people only."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress

Item = TypeVar("Item")


def with_progress(files: Sequence[tuple[str, Item]], what: str) -> Iterator[tuple[str, Item]]:
    """The files (with something) one by one, and a bar that grows by their sizes on a terminal."""
    sizes = [_size(path) for path, _ in files]
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        task = progress.add_task(what, total=sum(sizes) or None)
        for file, size in zip(files, sizes, strict=True):
            yield file
            progress.advance(task, size)


def _size(file: str) -> int:
    with suppress(OSError):
        return os.stat(file).st_size
    return 0
