"""How good the candidates are that rerankers choose, and how much each list counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow.data import CandidateLists
from hedgerow.data.candidate_lists import f1_of_brackets
from hedgerow.kernels.base import Matrix


def quality(lists: CandidateLists, chosen: Matrix) -> dict[str, float]:
    """How good chosen candidates are, given by their positions in the lists; see `Reranker.evaluate`."""
    rows = lists.begins[:-1] + chosen
    oracles = lists.oracles()
    assert lists.grades is not None
    figures = {"grade": float(lists.grades[rows].mean()), "accuracy": float((chosen == oracles).mean())}
    if lists.brackets is not None:
        matched, found, wanted = (int(total) for total in lists.brackets[rows].sum(axis=0))
        figures["precision"] = matched / found if found else 1.0
        figures["recall"] = matched / wanted if wanted else 1.0
        figures["f1"] = float(f1_of_brackets(matched, found, wanted))
    return figures


def list_weights(sample_weight: Any, n: int) -> Matrix:
    """How much each list counts."""
    if sample_weight is None:
        return np.ones(n)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape not in ((), (n,)):
        raise ValueError(f"sample_weight must have the shape ({n},), got {weights.shape}")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise ValueError("sample_weight must be finite and at least 0")
    return np.broadcast_to(weights, (n,))
