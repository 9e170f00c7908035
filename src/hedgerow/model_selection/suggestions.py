"""What suits data of a kind: learners, kernels and parameters that are worth a try, by their names in the registry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow import registry
from hedgerow.data import Forest
from hedgerow.data.records import kind_of_column
from hedgerow.feature_extraction import TextHasher
from hedgerow.kernels import combined
from hedgerow.registry import DataKind

COSTS = (1.0, 10.0)
LARGE_TREES = 100  # nodes; such trees have so many fragments that large ones must count for less
MANY_VECTORS = 10_000  # that kernels are not tried on
MANY_FEATURES = 1000  # the same
NGRAMS = 2  # words in a row that are a feature
PASSES: Mapping[str, Any] = {"epochs": 5, "shuffle": True, "random_state": 0}

Columns = Mapping[str, Any]  # names to Forests, matrices or arrays of strings


@dataclass(frozen=True)
class Suggestion:
    """A learner with parameters, and a kernel with parameters unless it keeps weights."""

    learner: str
    given: Mapping[str, Any]
    kernel: str | None = None
    of_kernel: Mapping[str, Any] = field(default_factory=dict)
    ngrams: Any = None  # of texts that become hashed words

    def make(self, kinds: Mapping[str, DataKind]) -> Any:
        """The estimator for data with these columns; those with several are Records."""
        learner = registry.learners()[self.learner]
        if self.kernel is None:
            words = {} if self.ngrams is None else {"vectorizer": TextHasher(ngrams=self.ngrams)}
            return learner.make(**self.given, **words)
        row = registry.kernels()[self.kernel]
        if len(kinds) > 1:
            kernel = combined(kinds, **{row.data_kind: row.make(**self.of_kernel)})
        else:
            kernel = row.kernel(row.data_kind != "vector", **self.of_kernel)
        return learner.make(kernel=kernel, **self.given)


def suggestions(columns: Columns) -> list[Suggestion]:
    """For examples with these columns; several are compared by the sum of one kernel for each."""
    kinds = {name: kind_of_column(values) for name, values in columns.items()}
    first = min(columns, key=lambda name: ("tree", "text", "vector").index(kinds[name]))
    if kinds[first] == "tree":
        return machines(_kernels_of_trees(columns[first]))
    if kinds[first] == "text":
        return machines(_kernels_of_texts()) + (on_weights(NGRAMS) if len(columns) == 1 else [])
    if len(columns) > 1:
        return machines([("linear", {})])
    return on_weights() + machines(_kernels_of_vectors(columns[first]))


def machines(kernels: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Suggestion]:
    return [Suggestion("svm", {"C": C}, *kernel) for kernel, C in product(kernels, COSTS)]


def on_weights(ngrams: Any = None) -> list[Suggestion]:
    learners: list[tuple[str, dict[str, Any]]] = [
        *(("pa", {"C": C, "averaging": "average"}) for C in (0.01, 0.1, 1.0)),
        *(("arow", {"regularization": r}) for r in (0.1, 1.0, 10.0)),
    ]
    return [Suggestion(name, {**given, **PASSES}, ngrams=ngrams) for name, given in learners]


def decays(trees: Forest) -> tuple[float, float]:
    """Of subset trees: the larger the trees, the more fragments they have, and the less large ones may count."""
    return (0.1, 0.02) if _are_large(trees) else (0.4, 0.1)


def _kernels_of_trees(trees: Forest) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = [("sst", {"decay": decay}) for decay in decays(trees)]
    found.append(("fragments", {}))
    return found if _are_large(trees) else [*found, ("pt", {}), ("subpath", {})]  # slow on large trees


def _are_large(trees: Forest) -> bool:
    return trees.n_nodes > LARGE_TREES * len(trees)


def _kernels_of_texts() -> list[tuple[str, dict[str, Any]]]:
    return [("spectrum", {"k": k}) for k in (3, 4, 5)]


def _kernels_of_vectors(X: Any) -> list[tuple[str, dict[str, Any]]]:
    """Gaussians about as wide as the examples are apart."""
    n, features = X.shape
    if n > MANY_VECTORS or features > MANY_FEATURES:
        return []
    dense = X.toarray() if sparse.issparse(X) else X
    spread = float(np.var(dense)) * features or 1.0
    return [("rbf", {"gamma": float(f"{width / spread:.3g}")}) for width in (0.25, 1.0)]
