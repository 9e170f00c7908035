"""F(x, y) = w . Psi(x, y), as problems written in Python see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse

from hedgerow.kernels.base import Matrix
from hedgerow.models.functions import FeatureNames, Functions, Score, Scored, WeightColumn, namer
from hedgerow.structured.joint_kernel import Scores, expansion

if TYPE_CHECKING:
    from hedgerow.structured.problem import Problem


class Discriminant:
    """F(x, y) = w . Psi(x, y): call it for a score, or use its ``weights``."""

    def __init__(self, problem: Problem, weights: Matrix, kernel_scores: Scores | None = None):
        self.problem = problem
        self.weights = weights
        self._kernel_scores = kernel_scores
        if problem._has_kernel and kernel_scores is None:
            self._kernel_scores = expansion(problem, weights)

    def __call__(self, x: Any, y: Any) -> float:
        """The score of an output."""
        if self._kernel_scores is not None:
            return self._kernel_scores(x, y)
        indices, values = _known_features(self.problem.joint_features(x, y), self.weights)
        return float(self.weights[indices] @ values)


@dataclass(frozen=True, eq=False)
class JointFunctions(Functions):
    """F(x, y) = w . Psi(x, y)."""

    problem: Problem
    weights: Matrix
    predict: Callable[[Any], Any]

    def columns(self, names: FeatureNames = None) -> Iterator[WeightColumn]:
        yield WeightColumn("joint features", self.weights, namer(names))

    def scored(self, X: Any, names: FeatureNames = None) -> Iterator[Scored]:
        for x, y in zip(X, self.predict(X), strict=True):
            yield Scored(y, [self._score(x, y, names)])

    def _score(self, x: Any, y: Any, names: FeatureNames) -> Score:
        features, values = _known_features(self.problem.joint_features(x, y), self.weights)
        name = namer(names)
        return Score("score", self.weights[features], values, lambda i: name(int(features[i])))


def _known_features(features: Any, weights: Matrix) -> tuple[Matrix, Matrix]:
    """Those with a weight: those of features that nobody has met in training are 0."""
    indices, values = sparse_features(features)
    known = indices < len(weights)
    return indices[known], values[known]


def sparse_features(features: Any) -> tuple[Matrix, Matrix]:
    """Indices and values of joint features in any of their forms."""
    if isinstance(features, dict):
        return (
            np.fromiter(features.keys(), dtype=np.int64, count=len(features)),
            np.fromiter(features.values(), dtype=np.float64, count=len(features)),
        )
    if scipy.sparse.issparse(features):
        row = features.tocoo()
        return row.coords[-1].astype(np.int64), row.data.astype(np.float64)
    dense = np.asarray(features, dtype=np.float64).ravel()
    indices = np.flatnonzero(dense)
    return indices.astype(np.int64), dense[indices]
