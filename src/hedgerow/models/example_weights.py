"""How much each example counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import compute_class_weight

from hedgerow.kernels.base import Matrix

MOST = 1e20  # beyond it, and below its inverse, rounding decides what is learned


def example_weights(classes: Matrix, labels: Matrix, sample_weight: Any, class_weight: Any) -> Matrix | None:
    """Of each example: its own weight times that of its class; None when there are none."""
    if sample_weight is None and class_weight is None:
        return None
    weights = given_weights(sample_weight, len(labels))
    if sample_weight is not None and not weights.any():
        raise ValueError("sample_weight must have at least one weight that is not zero")
    if class_weight is not None:
        factors = _class_factors(classes, labels, class_weight)
        _check("class_weight", factors)
        weights *= factors[labels]
        if not weights.any():
            raise ValueError(
                f"class_weight must leave some example a weight that is not zero, got {class_weight!r}"
            )
    return weights


def given_weights(sample_weight: Any, n: int) -> Matrix:
    """Of each of n examples."""
    weights = np.ones(n)
    if sample_weight is not None:
        try:
            given = np.asarray(sample_weight, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"sample_weight must be numbers, got {sample_weight!r}") from None
        if given.shape not in ((), weights.shape):
            raise ValueError(f"sample_weight must have the shape {weights.shape}, got {given.shape}")
        weights *= given
        _check("sample_weight", weights)
    return weights


def _check(name: str, weights: Matrix) -> None:
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise ValueError(f"{name} must be finite and at least 0")
    if (weights > MOST).any() or ((weights > 0) & (weights < 1 / MOST)).any():
        raise ValueError(f"{name} must be 0, or at least {1 / MOST:g} and at most {MOST:g}")


def _class_factors(classes: Matrix, labels: Matrix, class_weight: Any) -> Matrix:
    if isinstance(class_weight, str) and class_weight == "balanced":
        seen = np.unique(labels)
        factors = np.ones(len(classes))
        factors[seen] = compute_class_weight("balanced", classes=seen, y=labels)
        return factors
    if not isinstance(class_weight, Mapping):
        raise TypeError(
            f"class_weight must be a mapping of classes to weights, 'balanced' or None, got {class_weight!r}"
        )
    try:
        given: Matrix = compute_class_weight(dict(class_weight), classes=classes, y=classes[labels])
    except (TypeError, ValueError) as error:
        raise ValueError(str(error) if "class_weight" in str(error) else f"class_weight: {error}") from None
    return given
