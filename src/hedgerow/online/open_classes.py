"""Classes that are not known beforehand: each has a function of its own, from its first example on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix
from hedgerow.models.labels import check_labels


def is_open(classes: Any) -> bool:
    """Whether classes may come at any time."""
    return isinstance(classes, str) and classes == "open"


def spans(y: Any, known: Matrix, n_items: int) -> Iterator[tuple[int, int, Matrix]]:
    """The stretches of examples between two new classes: begin, end, and the classes from there on, sorted."""
    labels = check_labels(y, None)
    if len(labels) != n_items:
        raise ValueError(f"X and y differ in length: {n_items} and {len(labels)}")
    if len(known) and (labels.dtype.kind in "UO") != (known.dtype.kind in "UO"):
        raise ValueError(
            f"y has the label {labels.tolist()[0]!r}, whose type differs from that of the classes {known.tolist()}"
        )
    fresh, first = np.unique(labels, return_index=True)
    begins = np.sort(first[~np.isin(fresh, known)]).tolist()
    classes, begin = known, 0
    for begin, end in zip([0, *begins], [*begins, len(labels)], strict=True):
        if begin in begins:
            classes = (
                np.union1d(classes, labels[begin : begin + 1]) if len(classes) else labels[begin : begin + 1]
            )
        if end > begin:
            yield begin, end, classes


def origins(classes: Matrix, known: Matrix) -> Matrix:
    """For each class its number among those known before, -1 for a new one."""
    places = np.searchsorted(known, classes)
    places[places == len(known)] = 0
    found: Matrix = np.where(known[places] == classes, places, -1).astype(np.int32)
    return found


def codes_of(n_classes: int) -> tuple[Matrix, str]:
    """One function for each class, however few there are, so that others can join."""
    return (2 * np.eye(n_classes) - 1).astype(np.int8), "direct"
