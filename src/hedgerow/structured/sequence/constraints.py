"""Which labels may follow each other."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix
from hedgerow.structured.sequence.spans import _parts

SCHEMES = ("bio", "iobes")


def allowed_moves(constraints: Any, labels: Sequence[Any]) -> Matrix | None:
    """A matrix of 1 and 0: rows are labels and the start, columns are labels and the stop; None if all may be.

    Parameters
    ----------
    constraints : None, "bio", "iobes", or pairs of labels that may not follow each other
        In pairs None stands for the start of a sequence, or its end. Labels that are not there do not matter.
    """
    if constraints is None:
        return None
    n = len(labels)
    if isinstance(constraints, str):
        if constraints not in SCHEMES:
            raise ValueError(_expected(constraints))
        parts = [*(_parts(label) for label in labels), ("O", "")]
        fits = _fits_bio if constraints == "bio" else _fits_iobes
        return np.array([[fits(*before, *after) for after in parts] for before in parts], dtype=np.uint8)
    allowed = np.ones((n + 1, n + 1), dtype=np.uint8)
    numbers = {label: number for number, label in enumerate(labels)}
    try:
        pairs = [(before, after) for before, after in constraints]
    except (TypeError, ValueError):
        raise ValueError(_expected(constraints)) from None
    for before, after in pairs:
        row = n if before is None else numbers.get(before)
        column = n if after is None else numbers.get(after)
        if row is not None and column is not None:
            allowed[row, column] = 0
    return allowed


def _fits_bio(before: str, before_type: str, after: str, after_type: str) -> bool:
    """I goes on with a span of its type."""
    return after != "I" or (before in "BI" and before_type == after_type)


def _fits_iobes(before: str, before_type: str, after: str, after_type: str) -> bool:
    """B and I are followed by I or E of their type, and nothing else is."""
    if before in "BI":
        return after in "IE" and before_type == after_type
    return after not in "IE"


def _expected(constraints: Any) -> str:
    return (
        "constraints must be None, 'bio', 'iobes', or pairs of labels that may not follow each other "
        f"(None for the start or the end), got {constraints!r}"
    )


def check_allowed(codes: Matrix, sequence_begin: Matrix, allowed: Matrix, labels: Sequence[Any]) -> None:
    """Raise a ValueError when a true sequence makes a move that is not allowed."""
    n = len(labels)
    for number, (i, j) in enumerate(itertools.pairwise(sequence_begin)):
        if i == j:
            continue
        path = np.concatenate([[n], codes[i:j], [n]])
        wrong = np.flatnonzero(allowed[path[:-1], path[1:]] == 0)
        if len(wrong):
            names = [*labels, None]
            before, after = names[path[wrong[0]]], names[path[wrong[0] + 1]]
            raise ValueError(
                f"the labels of sequence {number} have {after!r} after {before!r} at token {wrong[0]}, which the "
                "constraints do not allow; correct them, or keep constraints out of training"
            )
