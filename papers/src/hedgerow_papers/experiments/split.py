"""Training and test data of an experiment, and the measure that most of them report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Split:
    """Examples to learn from and examples to test with."""

    X: Any
    y: Any
    X_test: Any
    y_test: Any

    def shuffled(self, random_state: np.random.RandomState) -> Split:
        """The training examples in another order."""
        order = random_state.permutation(len(self.y))
        return Split(self.X[order], self.y[order], self.X_test, self.y_test)

    def prefix(self, n: int) -> Split:
        """With no more than the first n training examples."""
        return Split(self.X[:n], self.y[:n], self.X_test, self.y_test)


def f1_percent(truth: Any, predicted: Any) -> float:
    """F1 in per cent; 0 where nothing is, or is said to be, positive."""
    correct = int(np.sum(truth & predicted))
    claimed = int(np.sum(truth)) + int(np.sum(predicted))
    return 200 * correct / claimed if claimed else 0.0
