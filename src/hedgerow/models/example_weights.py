"""How much each example counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils import compute_class_weight

from hedgerow.kernels.base import Matrix


def example_weights(classes: Matrix, labels: Matrix, sample_weight: Any, class_weight: Any) -> Matrix | None:
    """Of each example: its own weight times that of its class; None when there are none."""
    if sample_weight is None and class_weight is None:
        return None
    weights = given_weights(sample_weight, len(labels))
    if sample_weight is not None and not weights.any():
        raise ValueError("sample_weight must have at least one weight that is not zero")
    if class_weight is not None:
        weights *= _class_factors(classes, labels, class_weight)[labels]
    return weights


def given_weights(sample_weight: Any, n: int) -> Matrix:
    """Of each of n examples."""
    weights = np.ones(n)
    if sample_weight is not None:
        given = np.asarray(sample_weight, dtype=np.float64)
        if given.shape not in ((), weights.shape):
            raise ValueError(f"sample_weight must have the shape {weights.shape}, got {given.shape}")
        weights *= given
        if not (np.isfinite(weights).all() and (weights >= 0).all()):
            raise ValueError("sample_weight must be finite and at least 0")
    return weights


def _class_factors(classes: Matrix, labels: Matrix, class_weight: Any) -> Matrix:
    if isinstance(class_weight, str) and class_weight == "balanced":
        seen = np.unique(labels)
        factors = np.ones(len(classes))
        factors[seen] = compute_class_weight("balanced", classes=seen, y=labels)
        return factors
    given: Matrix = compute_class_weight(class_weight, classes=classes, y=classes[labels])
    return given
