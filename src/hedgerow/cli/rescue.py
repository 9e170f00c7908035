"""What is left of a model when its training is interrupted."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from hedgerow.cli.failures import INTERRUPTED, complain


@contextmanager
def rescuing(model: Any, output: str, write: Callable[[str], object]) -> Iterator[None]:
    """Ctrl-C gives the model as far as it has come to ``write``, with a path, and ends the command.

    An older model of the same name stays.
    """
    try:
        yield
    except KeyboardInterrupt:
        how_far = model._how_far()
        if how_far is None or output == "-":
            complain("interrupted; nothing was written")
        else:
            path = f"{output}.interrupted" if os.path.exists(output) else output
            write(path)
            kept = f"; {output} is as it was" if path != output else ""
            complain(f"interrupted after {how_far}; {_what(model)} was written to {path}{kept}")
        raise typer.Exit(INTERRUPTED) from None


def _what(model: Any) -> str:
    in_pieces = hasattr(model, "partial_fit")
    return "the model learned so far" if in_pieces else "the best model so far, which has not converged,"
