"""What was learned is written, also when an interruption ends the training or the disk is full."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from hedgerow.interrupts import interrupts_held

Write = Callable[[str], object]


@contextmanager
def rescuing(model: Any, output: str, write: Write, *, own: bool = False) -> Iterator[None]:
    """Gives the model that the block trains to ``write``, with a path; after an interruption as far as it has come.

    An older model of that name stays then, unless it is this one's ``own``. An interruption while the trained model is
    written waits for it.
    """
    trained = written = False
    try:
        yield
        with interrupts_held():
            trained = True
            _write(write, output)
            written = True
    except KeyboardInterrupt:
        how_far = model._how_far()
        if written:
            words = f"; {output} was written"
        elif trained or how_far is None or output == "-":  # trained: interrupted again while it was written
            words = f"; {_as_it_was(output)}"
        else:
            path = output if own else beside(output)
            _write(write, path)
            kept = f"; {output} is as it was" if path != output else ""
            words = f" after {how_far}; {_what(model)} was written to {path}{kept}"
        raise KeyboardInterrupt(words) from None


@contextmanager
def whole_or_not(output: str) -> Iterator[None]:
    """An interruption of the block, which ends with writing a file, says what became of the file."""
    before = _identity(output)
    try:
        yield
    except KeyboardInterrupt as error:
        if error.args:  # it has been said
            raise
        written = _identity(output) != before
        words = f"; {output} was written" if written else f"; {_as_it_was(output)}"
        raise KeyboardInterrupt("" if output == "-" else words) from None


def beside(output: str) -> str:
    """Where an interrupted command writes what it has: to another place if there is an older file."""
    return f"{output}.interrupted" if os.path.exists(output) else output


def _as_it_was(output: str) -> str:
    """What to say about an output that was not written."""
    return f"{output} is as it was" if os.path.isfile(output) else "nothing was written"


def _identity(path: str) -> tuple[int, int] | None:
    with suppress(OSError):
        found = os.stat(path)
        return found.st_ino, found.st_mtime_ns
    return None


def _write(write: Write, path: str) -> None:
    """Writes to another place when the disk is full or the folder gone: hours of learning may be in it."""
    try:
        write(path)
    except OSError as error:
        if path == "-" or isinstance(error, BrokenPipeError):
            raise
        folder = ""
        try:
            folder = tempfile.mkdtemp(prefix="hedgerow-")
            elsewhere = os.path.join(folder, os.path.basename(path))
            write(elsewhere)
        except OSError:
            with suppress(OSError):
                os.rmdir(folder)
            raise error from None
        raise OSError(
            error.errno, f"{error.strerror}; the model was written to {elsewhere} instead", path
        ) from None


def _what(model: Any) -> str:
    in_pieces = hasattr(model, "partial_fit")
    return "the model learned so far" if in_pieces else "the best model so far, which has not converged,"
