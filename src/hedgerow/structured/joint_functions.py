"""Scores of structured outputs as sums over joint features."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hedgerow.kernels.base import Matrix
from hedgerow.models.functions import FeatureNames, Functions, Score, Scored, WeightColumn, namer
from hedgerow.structured.discriminant import sparse_features

if TYPE_CHECKING:
    from hedgerow.structured.problem import Problem


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
        features, values = sparse_features(self.problem.joint_features(x, y))
        known = features < len(self.weights)
        features, values = features[known], values[known]
        name = namer(names)
        return Score("score", self.weights[features], values, lambda i: name(int(features[i])))
