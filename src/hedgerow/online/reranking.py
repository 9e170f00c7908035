"""What rerankers record while they learn, and how good the candidates are that they choose."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from hedgerow.data import CandidateLists
from hedgerow.data.candidate_lists import f1_of_brackets
from hedgerow.kernels.base import Matrix


@dataclass(frozen=True, eq=False)
class RerankingTrace:
    """Cumulative figures of a reranker, sampled while it learned.

    Attributes
    ----------
    examples : array of int
        Lists seen so far, at each sample.
    mistakes : array of int
        Lists so far whose oracle did not have the highest score, by the predictor of that moment (the last one, not
        the average).
    nonzeros : array of int
        Weights that are not zero, of the function that predicts.
    seconds : array of float
        CPU time spent learning.

    Examples
    --------
    >>> from hedgerow.data import CandidateLists
    >>> from hedgerow.online import Perceptron, Reranker
    >>> features = [[1.0, 0.0], [0.0, 1.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0]]
    >>> lists = CandidateLists([2, 3], features=features, grades=[0, 1, 0, 0, 1])
    >>> trace = Reranker(Perceptron(), trace_every=1).fit(lists).trace_
    >>> trace.to_dict()["mistakes"]
    [1, 1]
    """

    examples: Matrix
    mistakes: Matrix
    nonzeros: Matrix
    seconds: Matrix

    def __len__(self) -> int:
        return len(self.examples)

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns as lists, for JSON or a data frame."""
        return {field.name: getattr(self, field.name).tolist() for field in fields(self)}


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
