"""The fragments behind the largest weights of a learner on hashed fragments."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow.inspection.accounts import Feature
from hedgerow.inspection.weights import Weights, WeightTable
from hedgerow.models.functions import Functions, LinearFunctions, WeightColumn


def hashed_fragments(functions: Functions, X: Any, n_largest: int, chosen: list[int], sign: int) -> Weights:
    """The largest weights, by the fragments of trees that their columns stand for."""
    texts = functions.texts if isinstance(functions, LinearFunctions) else None
    if texts is None or not hasattr(texts, "behind"):
        raise TypeError(
            "fragments of trees X are of models whose features a FragmentHasher makes: a pipeline that has one, or a "
            "learner with vectorizer=FragmentHasher()"
        )
    columns = list(functions.columns(lambda feature: str(feature)))
    tables = [columns[function] for function in chosen]
    largest = [_largest(table, n_largest) for table in tables]
    known = texts.behind(np.unique(np.concatenate([[int(name) for name, _ in some] for some in largest])), X)
    return Weights(
        tuple(
            WeightTable(table.label, _named(some, known, sign), int(np.count_nonzero(table.values)))
            for table, some in zip(tables, largest, strict=True)
        )
    )


def _largest(column: WeightColumn, k: int) -> list[tuple[str, float]]:
    """Columns with the largest weights of either sign: a fragment may count negatively in its column."""
    order = np.argsort(-np.abs(column.values), kind="stable")[:k]
    return [(column.name(int(i)), float(column.values[i])) for i in order if column.values[i]]


def _named(
    weights: list[tuple[str, float]], known: dict[int, tuple[int, str]], sign: int
) -> tuple[Feature, ...]:
    """Weights of an example that has the fragment, whatever sign its column has: those for the class, then others."""
    features = []
    for column, weight in weights:
        side, name = known.get(int(column), (1, f"column {column}, which these trees lack"))
        features.append(Feature(name, side * weight))
    kept = [one for one in features if not sign or sign * one.weight > 0]
    return tuple(sorted(kept, key=lambda one: (one.weight < 0, -abs(one.weight))))
