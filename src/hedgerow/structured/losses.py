"""Losses: how bad it is to predict one output where another is true."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from hedgerow import _core
from hedgerow.checks import as_matrix
from hedgerow.kernels.base import Matrix
from hedgerow.structured.hierarchy import Hierarchy
from hedgerow.threads import resolve

LossTable: TypeAlias = Mapping[tuple[Any, Any], float] | Matrix  # by true and other output
LossFunction: TypeAlias = Callable[[Any, Any], float]


def zero_one(y_true: Any, y: Any) -> float:
    """1 for any output but the true one.

    Examples
    --------
    >>> from hedgerow.structured import losses
    >>> losses.zero_one("cat", "dog"), losses.zero_one("cat", "cat")
    (1.0, 0.0)
    """
    return 0.0 if y_true == y else 1.0


def edit_distance(y_true: Sequence[Any], y: Sequence[Any]) -> float:
    """The smallest number of insertions, deletions and substitutions between two strings or token lists.

    Examples
    --------
    >>> from hedgerow.structured import losses
    >>> losses.edit_distance("kitten", "sitting")
    3.0
    """
    # One row of the usual table at a time: distances from a prefix of y_true to all prefixes of y.
    row = list(range(len(y) + 1))
    for i, symbol in enumerate(y_true, start=1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(y, start=1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (symbol != other))
    return float(row[-1])


def edit_distances(strings: Sequence[str]) -> Matrix:
    """The edit distances between all strings.

    Examples
    --------
    >>> from hedgerow.structured import losses
    >>> losses.edit_distances(["kitten", "sitting", "mitten"])
    array([[0., 3., 1.],
           [3., 0., 3.],
           [1., 3., 0.]])
    """
    codes = [np.frombuffer(string.encode("utf-32-le", "surrogatepass"), np.int32) for string in strings]
    ends = np.cumsum([0, *map(len, codes)])
    symbols = np.concatenate(codes) if codes else np.empty(0, np.int32)
    distances: Matrix = _core.edit_distances(ends, symbols, resolve(None))
    return distances.reshape(len(codes), len(codes))


def tree_losses(parents: Any, classes: Any) -> Matrix:
    """Losses between classes of a taxonomy: the height of their first common ancestor, as in `Taxonomy`.

    Rows and columns are the classes in sorted order, each once, as ``Multiclass(loss=losses)`` takes them.

    Examples
    --------
    >>> from hedgerow.structured import losses
    >>> losses.tree_losses({"cat": "animal", "dog": "animal", "animal": "thing", "oak": "thing"}, ["cat", "dog", "oak"])
    array([[0., 1., 2.],
           [1., 0., 2.],
           [2., 2., 0.]])
    """
    return Hierarchy(parents).tree_losses(np.unique(classes).tolist())


def path_losses(parents: Any, classes: Any) -> Matrix:
    """The same with the number of links between two classes.

    Examples
    --------
    >>> from hedgerow.structured import losses
    >>> losses.path_losses({"cat": "animal", "dog": "animal", "animal": "thing", "oak": "thing"}, ["cat", "dog", "oak"])
    array([[0., 2., 3.],
           [2., 0., 3.],
           [3., 3., 0.]])
    """
    return Hierarchy(parents).path_losses(np.unique(classes).tolist())


def loss_matrix(loss: Any, outputs: Sequence[Any], names: dict[str, Callable[[], Matrix | None]]) -> Any:
    """The losses between outputs, rows for the true ones; None for 0-1 loss.

    ``names`` are other losses that have a name, and how to compute them.
    """
    if isinstance(loss, str):
        if loss == "zero-one":
            return None
        if loss in names:
            return names[loss]()
        raise ValueError(f"loss must be {_accepted(names)}, got {loss!r}")
    n = len(outputs)
    if callable(loss):
        # Whatever the function says of an output and itself, being right costs nothing.
        values = [0.0 if i == j else float(loss(outputs[i], outputs[j])) for i, j in np.ndindex(n, n)]
        losses = np.reshape(values, (n, n))
    elif isinstance(loss, Mapping):
        losses = pair_losses(loss, {output: i for i, output in enumerate(outputs)})
    else:
        losses = as_matrix("loss", loss, _accepted(names))
        if losses.shape != (n, n):
            raise ValueError(
                f"loss must be a matrix with a row and a column for each of the {n} classes, got shape {losses.shape}"
            )
    if np.diag(losses).any():
        i = int(np.flatnonzero(np.diag(losses))[0])
        raise ValueError(f"loss must be 0 for the true class, but is {losses[i, i]} for {outputs[i]!r}")
    true, other = np.indices(losses.shape)
    check_losses(losses.ravel(), outputs, true.ravel(), other.ravel())
    return losses


def check_losses(losses: Matrix, outputs: Sequence[Any], true: Matrix, other: Matrix) -> None:
    """Raise a ValueError for a loss that cannot be, with the true and the other output by their numbers."""
    wrong = np.flatnonzero(~(np.isfinite(losses) & (losses >= 0)))
    if len(wrong):
        k = wrong[0]
        raise ValueError(
            f"loss must be finite and at least 0, but is {losses[k]} for {outputs[other[k]]!r} in place of "
            f"{outputs[true[k]]!r}"
        )


def pair_losses(loss: Mapping[tuple[Any, Any], float], places: Mapping[Any, int]) -> Matrix:
    """The losses that a dict from true and other outputs has; others are 1."""
    losses = 1.0 - np.eye(len(places))
    for (true, other), value in loss.items():
        if true in places and other in places:
            losses[places[true], places[other]] = value
    return losses


def _accepted(names: dict[str, Any]) -> str:
    words = ", ".join(repr(name) for name in ("zero-one", *names))
    return f"{words}, a matrix, a dict or a function of the true and another class"
