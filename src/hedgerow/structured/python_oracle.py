"""Problems written in Python, as native solvers see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.structured.discriminant import Discriminant, sparse_features
from hedgerow.structured.joint_kernel import TrainingPairs
from hedgerow.structured.questions import Violation

if TYPE_CHECKING:
    from hedgerow.structured.problem import Problem


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
            self._true = [self._features(*pair) for pair in zip(X, y, strict=True)]

    def native(self) -> _core.Oracle:
        """The oracle for native code."""
        return _core.Oracle.from_callbacks(len(self.X), lambda: self.n_features, self.find)

    def find(
        self, example: int, weights: Matrix, search: str, root: bool
    ) -> tuple[Matrix, Matrix, float, bool]:
        """Indices and values of the difference of joint features, loss, and whether the output is true."""
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
            float(problem.compute_loss(y_true, y)),
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
