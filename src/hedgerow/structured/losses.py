"""Losses: how bad it is to predict one output where another is true."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix
from hedgerow.structured.hierarchy import Hierarchy


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


def tree_losses(parents: Any, classes: Any) -> Matrix:
    """Losses between classes of a taxonomy: the height of their first common ancestor, as in `Taxonomy`.

    Parameters
    ----------
    parents : dict, pairs or path
        The taxonomy, as for `Taxonomy`.
    classes : labels
        Repeated ones count once.

    Returns
    -------
    losses : matrix
        Rows and columns are the classes in sorted order, as ``Multiclass(cost=losses)`` takes them.

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


def cost_matrix(cost: Any, outputs: Sequence[Any], names: dict[str, Callable[[], Matrix | None]]) -> Any:
    """The losses between outputs, rows for the true ones; None for 0-1 loss.

    Parameters
    ----------
    cost : "zero-one", one of ``names``, a matrix, or a callable of a true and another output
    outputs : the outputs, in the order of rows and columns
    names : other losses that have a name, and how to compute them
    """
    if isinstance(cost, str):
        if cost == "zero-one":
            return None
        if cost in names:
            return names[cost]()
        raise ValueError(f"cost must be {_accepted(names)}, got {cost!r}")
    n = len(outputs)
    if callable(cost):
        # Whatever the function says of an output and itself, being right costs nothing.
        costs = np.array(
            [
                [0.0 if i == j else float(cost(a, b)) for j, b in enumerate(outputs)]
                for i, a in enumerate(outputs)
            ]
        ).reshape(n, n)
    else:
        try:
            costs = np.array(cost, dtype=np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"cost must be {_accepted(names)}, got {cost!r}") from None
        if costs.shape != (n, n):
            raise ValueError(
                f"cost must be a matrix with a row and a column for each of the {n} classes, got shape {costs.shape}"
            )
        if np.diag(costs).any():
            i = int(np.flatnonzero(np.diag(costs))[0])
            raise ValueError(f"cost must be 0 for the true class, but is {costs[i, i]} for {outputs[i]!r}")
    wrong = np.argwhere(~(np.isfinite(costs) & (costs >= 0)))
    if len(wrong):
        i, j = wrong[0]
        raise ValueError(
            f"cost must be finite and at least 0, but is {costs[i, j]} for {outputs[j]!r} in place of {outputs[i]!r}"
        )
    return costs


def _accepted(names: dict[str, Any]) -> str:
    words = ", ".join(repr(name) for name in ("zero-one", *names))
    return f"{words}, a matrix or a function of the true and another class"
