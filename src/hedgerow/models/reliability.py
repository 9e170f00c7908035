"""Whether probabilities mean what they say: counts of predictions by how sure they were."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from hedgerow.kernels.base import Matrix

N_BINS = 10  # of equal width; what is between is seen on the picture
LEAST = 1e-15  # a class without any probability would cost an infinite log loss


@dataclass
class Reliability:
    """Counts by the probability of the most likely class; counts of parts add up."""

    n: Matrix = field(default_factory=lambda: np.zeros(N_BINS))  # by bin: examples,
    confidence: Matrix = field(default_factory=lambda: np.zeros(N_BINS))  # the sum of their probabilities,
    right: Matrix = field(default_factory=lambda: np.zeros(N_BINS))  # and how many are of that class
    log_loss: float = 0.0  # sums over all examples
    brier: float = 0.0

    def add(self, classes: list[Any], true: Any, probabilities: Matrix) -> None:
        """Some more examples, with a probability for each of the classes."""
        places = {label: place for place, label in enumerate(classes)}
        labels = np.array([places.get(label, -1) for label in np.asarray(true).tolist()])
        chosen = probabilities.argmax(axis=1)
        confidence = probabilities.max(axis=1)
        bins = np.minimum((confidence * N_BINS).astype(np.int64), N_BINS - 1)
        self.n += np.bincount(bins, minlength=N_BINS)
        self.confidence += np.bincount(bins, confidence, minlength=N_BINS)
        self.right += np.bincount(bins, chosen == labels, minlength=N_BINS)
        of_true = np.where(labels < 0, 0.0, probabilities[np.arange(len(labels)), labels])
        self.log_loss -= float(np.log(np.maximum(of_true, LEAST)).sum())
        self.brier += float(((probabilities**2).sum(axis=1) - 2 * of_true + 1).sum())

    def update(self, other: Self) -> None:
        """The counts of other examples."""
        self.n, self.right = self.n + other.n, self.right + other.right
        self.confidence = self.confidence + other.confidence
        self.log_loss += other.log_loss
        self.brier += other.brier

    def figures(self) -> dict[str, Any]:
        """For JSON: the expected calibration error, log loss and Brier score, and bins that have examples."""
        total, used = float(self.n.sum()), self.n > 0
        n, confidence, accuracy = self.n[used], self.confidence[used], self.right[used]
        return {
            "error": float(np.abs(confidence - accuracy).sum() / total),
            "log_loss": self.log_loss / total,
            "brier": self.brier / total,
            "bins": {
                "examples": n.astype(int).tolist(),
                "confidence": (confidence / n).tolist(),
                "accuracy": (accuracy / n).tolist(),
            },
        }
