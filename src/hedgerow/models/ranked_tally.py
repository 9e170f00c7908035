"""What is counted of the k best outputs: where the true ones stand, and how often large margins are right."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, Self

import numpy as np

from hedgerow.checks import check_whole
from hedgerow.models.tallies import Tally

N_GROUPS = 5  # of examples with margins of about the same size


class RankedTally(Tally):
    """Another tally, and counts of the k best outputs; of models with ``predict_k``."""

    def __init__(self, inner: Tally, k: int) -> None:
        check_whole("k_best", k, at_least=1)
        self.inner = inner
        self.places = np.zeros(k, dtype=np.int64)  # how many true outputs are the first, the second and so on
        self.margins: list[float] = []  # over the next best output,
        self.right: list[bool] = []  # and whether the best one is right

    def count(self, model: Any, X: Any, true: Any) -> None:
        self.inner.count(model, X, true)
        self.n = self.inner.n
        k = len(self.places)
        for example, ranked in enumerate(model.predict_k(X, max(k, 2))):
            right = (self.inner.is_right(model, X, true, example, output) for output, _ in ranked)
            place = next((place for place, answer in enumerate(right) if answer), k)
            if place < k:
                self.places[place] += 1
            self.margins.append(ranked[0][1] - ranked[1][1] if len(ranked) > 1 else np.inf)
            self.right.append(place == 0)

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        self.inner.add(X, true, predicted)

    def update(self, other: Self) -> None:
        self.inner.update(other.inner)
        self.n = self.inner.n
        self.places += other.places
        self.margins += other.margins
        self.right += other.right

    def figures(self) -> dict[str, Any]:
        """Those of the other tally, and ``k_best``."""
        within = np.cumsum(self.places) / max(len(self.right), 1)
        order = np.argsort(self.margins, kind="stable")
        groups = [some for some in np.array_split(order, N_GROUPS) if len(some)]
        return {
            **self.inner.figures(),
            "k_best": {
                "within": within.tolist(),
                "margins": [
                    {
                        "from": _known(min(self.margins[i] for i in some)),
                        "to": _known(max(self.margins[i] for i in some)),
                        "examples": len(some),
                        "accuracy": float(np.mean([self.right[i] for i in some])),
                    }
                    for some in groups
                ],
            },
        }


def _known(margin: float) -> float | None:
    """None where there is no other output: JSON knows no infinity."""
    return float(margin) if isfinite(margin) else None


def margin_range(group: Mapping[str, Any]) -> str:
    """The margins of a group of examples in words."""
    low, high = ("no other" if group[end] is None else f"{group[end]:.3g}" for end in ("from", "to"))
    return low if low == high else f"{low} to {high}"
