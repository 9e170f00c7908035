"""Problems written in Python: F(x, y) = w . Psi(x, y) as they see it, and they as native solvers see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.models.functions import FeatureNames, Functions, Score, Scored, WeightColumn, namer
from hedgerow.structured.answers import answering_for, checked_loss, sparse_features
from hedgerow.structured.joint_kernel import Scores, TrainingPairs, expansion
from hedgerow.structured.questions import Violation

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


class PythonOracle:
    """Answers the solvers' questions by the methods of a problem."""

    def __init__(self, problem: Problem, X: Sequence[Any], y: Sequence[Any]):
        self.problem = problem
        self.X, self.y = X, y
        self.n_features = 0
        self._pairs: TrainingPairs | None = None
        if problem._has_kernel:
            self._pairs = TrainingPairs(problem)
            self.n_features = len(problem.pairs_)
            self._true: list[tuple[Matrix, Matrix] | None] = [None] * len(X)
        else:
            self._true = []
            for number, pair in enumerate(zip(X, y, strict=True)):
                with answering_for(number):
                    self._true.append(self._features(*pair))

    def native(self) -> _core.Oracle:
        """The oracle for native code."""
        return _core.Oracle.from_callbacks(len(self.X), lambda: self.n_features, self.find)

    def find(
        self, example: int, weights: Matrix, search: str, root: bool
    ) -> tuple[Matrix, Matrix, float, bool]:
        """Indices and values of the difference of joint features, loss, and whether the output is true."""
        with answering_for(example):
            return self._find(example, weights, search, root)

    def _find(
        self, example: int, weights: Matrix, search: str, root: bool
    ) -> tuple[Matrix, Matrix, float, bool]:
        problem, x, y_true = self.problem, self.X[example], self.y[example]
        weights = np.asarray(weights)
        F = Discriminant(problem, weights, self._pairs.scores(weights) if self._pairs else None)
        if search == "best":
            y = problem.argmax(x, F)
        elif search == "best_wrong":
            y = problem.runner_up(x, y_true, F)
        else:
            y = problem.loss_augmented_argmax(x, y_true, F, Violation(search, root))
        if problem.same(y_true, y):
            return np.empty(0, np.int64), np.empty(0), 0.0, True
        true_features = self._true[example]
        if true_features is None:  # pairs of a joint kernel get coordinates when they are needed
            true_features = self._true[example] = self._features(x, y_true)
        indices, values = self._features(x, y)
        return (
            np.concatenate([true_features[0], indices]),
            np.concatenate([true_features[1], -values]),
            checked_loss(problem.compute_loss(y_true, y), y),
            False,
        )

    def _features(self, x: Any, y: Any) -> tuple[Matrix, Matrix]:
        if self._pairs is None:
            indices, values = sparse_features(self.problem.joint_features(x, y))
        else:
            values = self._pairs.coordinates(x, y)
            indices = np.arange(len(values))
        self.n_features = max(self.n_features, int(indices.max(initial=-1)) + 1)
        return indices, values


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
    """Those with a weight: those of features unseen in training are 0."""
    indices, values = sparse_features(features)
    known = indices < len(weights)
    return indices[known], values[known]
