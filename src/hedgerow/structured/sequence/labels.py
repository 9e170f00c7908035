"""Labels of any kind as numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix


class LabelNumbers:
    """Numbers labels, which may be anything that can be hashed.

    Parameters
    ----------
    labels : in the order of their numbers, each once
    """

    def __init__(self, labels: Sequence[Any]):
        self.labels = list(labels)
        self.numbers = {label: number for number, label in enumerate(self.labels)}
        if len(self.numbers) < len(self.labels):
            raise ValueError(f"classes must be distinct, got {self.labels!r}")
        if not self.labels:
            raise ValueError("there are no labels: all sequences are empty")

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
                f"token {place} of sequence {number} has the label {label!r}, which is none of {self.labels}"
            ) from None
        return np.array(codes, dtype=np.int32)

    def decode(self, codes: Matrix, sequence_begin: Matrix) -> list[list[Any]]:
        """Lists of labels, one a sequence."""
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
