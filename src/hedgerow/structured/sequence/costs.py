"""What wrong labels cost."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix
from hedgerow.structured.sequence.labels import LabelNumbers

COSTS = ("hamming", "mean", "zero-one")  # those that count wrong labels


def cost_matrix(cost: Any, labels: LabelNumbers) -> Matrix | None:
    """Costs by true label and label; None when the loss has a name."""
    if isinstance(cost, str):
        return None
    n = len(labels)
    if isinstance(cost, dict):
        costs = 1.0 - np.eye(n)
        for (true, label), value in cost.items():
            if true in labels.numbers and label in labels.numbers:
                costs[labels.numbers[true], labels.numbers[label]] = value
    else:
        costs = np.array(cost, dtype=np.float64)
    if costs.shape != (n, n):
        raise ValueError(f"cost must have a row and a column for each of {n} labels, got shape {costs.shape}")
    if not (np.isfinite(costs).all() and (costs >= 0).all() and not costs.diagonal().any()):
        raise ValueError("cost must have finite values of at least 0, and 0 for the true label")
    return np.ascontiguousarray(costs)
