"""What the methods of a problem written in Python return, checked before solvers see it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import scipy.sparse

from hedgerow.kernels.base import Matrix


class BadAnswer(ValueError):
    """Something that no solver can go on with."""


@contextmanager
def answering_for(example: int) -> Iterator[None]:
    """Adds the number of the example to what is said about a bad answer."""
    try:
        yield
    except BadAnswer as error:
        raise ValueError(f"{error} (example {example})") from None


def checked_loss(loss: Any, y: Any) -> float:
    """The loss of an output: a finite number, 0 or more."""
    try:
        value = float(loss)
    except (TypeError, ValueError):
        value = math.nan
    if not 0.0 <= value < math.inf:
        raise BadAnswer(f"compute_loss must give finite numbers from 0 on, got {loss!r} for the output {y!r}")
    return value


def checked_product(value: Any, x: Any, y: Any) -> float:
    """A value of a joint kernel: a finite number."""
    number = float(value)
    if not math.isfinite(number):
        raise BadAnswer(f"joint_kernel must give finite numbers, got {value!r} for the pair ({x!r}, {y!r})")
    return number


def sparse_features(features: Any) -> tuple[Matrix, Matrix]:
    """Indices and values of joint features in any of their forms."""
    if isinstance(features, dict):
        indices, values = _of_dict(features)
    elif scipy.sparse.issparse(features):
        row = features.tocoo()
        indices, values = row.coords[-1].astype(np.int64), row.data.astype(np.float64)
    else:
        try:
            dense = np.asarray(features, dtype=np.float64).ravel()
        except (TypeError, ValueError):
            raise BadAnswer(
                "joint_features must give a dense array, a scipy sparse row, or a dict from indices to values, got "
                f"{features!r}"
            ) from None
        indices = np.flatnonzero(dense).astype(np.int64)
        values = dense[indices]
    if not np.isfinite(values).all():
        place = int(np.flatnonzero(~np.isfinite(values))[0])
        raise BadAnswer(f"joint_features must be finite, got {values[place]} at the index {indices[place]}")
    return indices, values


def _of_dict(features: dict[Any, Any]) -> tuple[Matrix, Matrix]:
    n = len(features)
    for index in features:
        whole = isinstance(index, int | np.integer) and not isinstance(index, bool)
        if not whole or not 0 <= index < 2**31:
            raise BadAnswer(
                f"indices of joint_features must be whole numbers from 0 to 2**31 - 1, got {index!r}"
            )
    try:
        values = np.fromiter(features.values(), dtype=np.float64, count=n)
    except (TypeError, ValueError):
        raise BadAnswer(f"values of joint_features must be numbers, got {features!r}") from None
    return np.fromiter(features.keys(), dtype=np.int64, count=n), values
