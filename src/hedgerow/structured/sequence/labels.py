"""Labels of any kind as numbers, and which of them may follow each other."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix
from hedgerow.structured.sequence.spans import _parts

SCHEMES = ("bio", "iobes")


class LabelNumbers:
    """Numbers labels, which may be anything that can be hashed; they come in this order, each once."""

    def __init__(self, labels: Sequence[Any]):
        self.labels = list(labels)
        self.numbers = {label: number for number, label in enumerate(self.labels)}
        if len(self.numbers) < len(self.labels):
            raise ValueError(f"classes must be distinct, got {self.labels!r}")
        if not self.labels:
            raise ValueError("there are no labels: all sequences, or the classes that were given, are empty")

    @classmethod
    def among(cls, found: Sequence[Any]) -> LabelNumbers:
        """These labels, which are in the order in which they were met, sorted where that is possible."""
        try:
            return cls(sorted(found))
        except TypeError:
            return cls(found)

    def __len__(self) -> int:
        return len(self.labels)

    def as_array(self) -> Matrix:
        """The labels as numpy holds them; as objects when that would change them."""
        array = np.array(self.labels) if len({type(label) for label in self.labels}) == 1 else None
        if array is None or array.ndim != 1 or array.tolist() != self.labels:
            array = np.empty(len(self.labels), dtype=object)
            array[:] = self.labels
        return array

    def encode(self, y: Sequence[Any], lengths: Matrix) -> Matrix:
        """The numbers of all labels; every sequence must have as many labels as tokens."""
        if len(y) != len(lengths):
            raise ValueError(f"there are {len(lengths)} sequences of tokens, but {len(y)} of labels")
        rows = [plain(row) for row in y]
        for number, (row, length) in enumerate(zip(rows, lengths.tolist(), strict=True)):
            if len(row) != length:
                raise ValueError(f"sequence {number} has {length} tokens, but {len(row)} labels")
        try:
            codes = [self.numbers[label] for row in rows for label in row]
        except KeyError:
            number, place, label = next(
                (number, place, label)
                for number, row in enumerate(rows)
                for place, label in enumerate(row)
                if label not in self.numbers
            )
            raise ValueError(
                f"token {place} of sequence {number} has the label {label!r}, "
                f"which is not one of the classes {self.labels}"
            ) from None
        return np.array(codes, dtype=np.int32)

    def decode(self, codes: Matrix, sequence_begin: Matrix) -> list[list[Any]]:
        """Lists of labels, one per sequence."""
        labels = [self.labels[code] for code in codes.tolist()]
        begin = sequence_begin.tolist()
        return [labels[i:j] for i, j in itertools.pairwise(begin)]


def found_in(y: Iterable[Any]) -> list[Any]:
    """The labels of sequences, each once, in the order in which they are met."""
    return list(dict.fromkeys(label for row in y for label in plain(row)))


def plain(y: Any) -> Any:
    """The labels of a sequence as Python's own values; a string is the sequence of its letters."""
    if isinstance(y, np.ndarray):
        return y.tolist()
    if not hasattr(y, "__len__"):
        raise TypeError(f"the labels of a sequence must be a list, got {y!r}")
    return y


def allowed_moves(constraints: Any, labels: Sequence[Any]) -> Matrix | None:
    """A matrix of 1 and 0: rows are labels and the start, columns are labels and the stop; None if all may be.

    In pairs that may not follow each other None stands for the start of a sequence, or its end. Labels that are not
    there do not matter.
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
