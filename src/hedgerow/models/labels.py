"""Labels of any type as numbers of classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from hedgerow.kernels.base import Matrix
from hedgerow.models.stored import stored_dtype

SETS = (list, tuple, set, frozenset, np.ndarray)


def find_classes(y: Any, n_items: int | None) -> tuple[Matrix, Matrix]:
    """The distinct labels, sorted, and for each example the number of its label."""
    classes, labels = np.unique(check_labels(y, n_items), return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            f"needs labels of at least two classes; the data have only one class: {classes.tolist()}"
        )
    return classes, labels.astype(np.int32)


def check_labels(y: Any, n_items: int | None) -> Matrix:
    """The labels as an array."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    y = one_label_each(y)
    _check_for_none(y)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("Input y contains NaN or infinity; labels must be finite")
    if n_items is not None:  # else y are the classes themselves, each once
        check_classification_targets(y)
        _check_length(y, n_items)
    labels: Matrix = y
    return labels


def one_label_each(y: Any) -> Matrix:
    """The labels as an array; a ValueError when examples have sets of labels."""
    sets = sparse.issparse(y) or (getattr(y, "ndim", 1) == 2 and y.shape[1] > 1)
    if not sets and isinstance(y, Iterable) and getattr(getattr(y, "dtype", None), "kind", "O") == "O":
        sets = any(isinstance(labels, SETS) for labels in y)
    if sets:
        raise ValueError(
            "y has sets of labels, but an example has one label; for sets wrap the learner: "
            "sklearn.multiclass.OneVsRestClassifier(learner), with y from MultiLabelBinarizer"
        )
    labels: Matrix = column_or_1d(y, warn=True)
    return labels


def encode(y: Any, classes: Matrix, n_items: int, hint: str = "") -> Matrix:
    """The number of each label among known classes; the hint ends what is said of others."""
    if type(y) is list and not (y and isinstance(y[0], SETS)):
        y = np.array(y)
    if not (type(y) is np.ndarray and y.ndim == 1):  # the general check takes its time
        y = one_label_each(y)
    _check_length(y, n_items)
    if y.dtype.kind == "O":  # labels of several types have no order
        _check_for_none(y)
        numbers_of = {label: number for number, label in enumerate(classes.tolist())}
        places = np.array([numbers_of.get(label, 0) for label in y], dtype=np.intp)
    else:
        places = classes.searchsorted(y)
        places[places == len(classes)] = 0
    wrong = classes[places] != y
    if np.count_nonzero(wrong):  # any() takes its time too
        raise ValueError(
            f"y has the label {y[wrong].tolist()[0]!r}, which is not one of the classes {classes.tolist()}{hint}"
        )
    numbers: Matrix = places.astype(np.int32)
    return numbers


def winners(scores: Matrix) -> Matrix:
    """The numbers of the classes with the highest scores; of two classes the second, if its score is positive."""
    places: Matrix = (scores > 0.0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
    return places


def classes_to_json(classes: Matrix) -> dict[str, Any]:
    """Classes in a form that JSON can hold, with their type."""
    values = classes.tolist()
    if not all(isinstance(value, str | int | float | bool) for value in values):
        kinds = ", ".join(sorted({type(value).__name__ for value in values}))
        raise TypeError(f"labels must be strings or numbers to be written to a file, got {kinds}")
    return {"dtype": classes.dtype.str, "values": values}


def classes_from_json(description: dict[str, Any], at_least: int = 2) -> Matrix:
    """What `classes_to_json` was given; a ValueError when that cannot be."""
    if not isinstance(description, dict) or not {"values", "dtype"} <= description.keys():
        raise ValueError("classes must have values and a dtype")
    values = description["values"]
    classes = np.array(values, dtype=stored_dtype(description["dtype"], values))
    if (
        classes.ndim != 1
        or len(classes) < at_least
        or not all(isinstance(v, str | int | float) for v in values)
    ):
        raise ValueError(f"classes must be a list of at least {at_least} labels")
    if not np.array_equal(classes, np.unique(classes)):
        raise ValueError("classes must be sorted, each once")
    return classes


def _check_for_none(y: Matrix) -> None:
    if y.dtype.kind == "O":
        for number, label in enumerate(y):
            if label is None:
                raise ValueError(f"y has None instead of a label, at position {number}")


def _check_length(y: Matrix, n_items: int) -> None:
    if len(y) != n_items:
        raise ValueError(f"X and y differ in length: {n_items} and {len(y)}")
