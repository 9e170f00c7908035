"""Problems written in Python, as native solvers see them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.structured.questions import Violation

if TYPE_CHECKING:
    from hedgerow.structured.problem import Problem


class PythonOracle:
    """Answers the solvers' questions by the methods of a problem."""

    def __init__(self, problem: Problem, X: Sequence[Any], Y: Sequence[Any]):
        from hedgerow.structured.problem import sparse_features

        self.problem = problem
        self.X, self.Y = X, Y
        self.true_features = [
            sparse_features(problem.joint_features(x, y)) for x, y in zip(X, Y, strict=True)
        ]
        self.n_features = (
            max((int(indices.max(initial=-1)) for indices, _ in self.true_features), default=-1) + 1
        )

    def native(self) -> _core.Oracle:
        """The oracle for native code."""
        return _core.Oracle.from_callbacks(len(self.X), lambda: self.n_features, self.find)

    def find(
        self, example: int, weights: Matrix, search: str, root: bool
    ) -> tuple[Matrix, Matrix, float, bool]:
        """Indices and values of the difference of joint features, loss, and whether the output is true."""
        from hedgerow.structured.problem import Discriminant, sparse_features

        problem, x, y_true = self.problem, self.X[example], self.Y[example]
        F = Discriminant(problem, np.asarray(weights))
        if search == "best":
            y = problem.argmax(x, F)
        elif search == "best_wrong":
            y = problem.runner_up(x, y_true, F)
        else:
            y = problem.loss_augmented_argmax(x, y_true, F, Violation(search, root))
        if problem.same(y_true, y):
            return np.empty(0, np.int64), np.empty(0), 0.0, True
        indices, values = sparse_features(problem.joint_features(x, y))
        self.n_features = max(self.n_features, int(indices.max(initial=-1)) + 1)
        true_indices, true_values = self.true_features[example]
        return (
            np.concatenate([true_indices, indices]),
            np.concatenate([true_values, -values]),
            float(problem.loss(y_true, y)),
            False,
        )
