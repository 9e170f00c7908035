"""The largest weights of models that keep weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from hedgerow.checks import check_whole
from hedgerow.inspection.accounts import Feature
from hedgerow.inspection.findings import Entry, Findings, Listing
from hedgerow.inspection.functions import best_of, functions_of
from hedgerow.inspection.tree_parts import parts_of
from hedgerow.models.functions import FeatureNames, WeightColumn


@dataclass(frozen=True)
class WeightTable:
    """The largest weights of one class or kind.

    Attributes
    ----------
    label : the class; for structured outputs also "moves" between labels, or "rules"
    features : tuple of Feature
        Positive weights first, then negative ones, the largest of each first.
    n_weights : int
        How many weights are not zero.
    """

    label: Any
    features: tuple[Feature, ...]
    n_weights: int

    def listing(self) -> Listing:
        """The weights by name."""
        title = f"{self.label}: {self.n_weights:,} {'weight' if self.n_weights == 1 else 'weights'}"
        return Listing(title, ("weight", "feature"), [Entry(f.weight, f) for f in self.features])

    def __str__(self) -> str:
        return str(self.listing())


@dataclass(frozen=True)
class Weights(Findings, Sequence[WeightTable]):
    """The largest weights of a model, class by class."""

    tables: tuple[WeightTable, ...]

    @overload
    def __getitem__(self, key: int) -> WeightTable: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[WeightTable]: ...
    def __getitem__(self, key: int | slice) -> WeightTable | Sequence[WeightTable]:
        return self.tables[key]

    def __len__(self) -> int:
        return len(self.tables)

    @property
    def labels(self) -> list[Any]:
        """The classes or kinds that have a table."""
        return [table.label for table in self]

    def of(self, label: Any) -> list[Feature]:
        """The features of one class."""
        for table in self:
            if table.label == label:
                return list(table.features)
        raise ValueError(f"there are weights of {self.labels}, not of {label!r}")

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "weights": [
                {
                    "label": table.label,
                    "n_weights": table.n_weights,
                    "features": [feature.to_dict() for feature in table.features],
                }
                for table in self
            ]
        }

    def listings(self) -> list[Listing]:
        """The weights, class by class."""
        return [table.listing() for table in self]

    def only(self, labels: Sequence[Any]) -> Weights:
        """Those of some classes."""
        return Weights(tuple(table for table in self if table.label in labels))

    def __repr__(self) -> str:
        return f"<{len(self)} tables of weights>\n{self}"


def weights(
    model: Any, n_largest: int = 10, feature_names: FeatureNames = None, *, label: Any = None
) -> Weights:
    """The largest positive and negative weights of each class, for models that keep weights.

    Parameters
    ----------
    model : a fitted model without a kernel, or with one that is, or has, a dot product
        Of a dot product the weights in the kernel's feature space: there ``2 * Linear()`` makes vectors longer,
        ``Normalized(Linear())`` all of length 1.
        Of sequences the weights of features with each label, and of moves between labels (with their scale); of
        grammars those of rules; of classes those of input features.
    n_largest : int, default=10
        How many positive and how many negative weights, for each class.
    feature_names : sequence of str, or function of a number, optional
        By default the columns of the training data frame, or numbers.
    label : optional
        Only those of this class.

    Returns
    -------
    weights : Weights

    Examples
    --------
    >>> from hedgerow.inspection import weights
    >>> from hedgerow.online import Perceptron
    >>> model = Perceptron().fit([[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]], ["ham", "spam"])
    >>> print(weights(model, feature_names=["hello", "pills", "the"]))
    spam: 2 weights
              +1  pills
              -1  hello
    """
    model = best_of(model)
    functions = functions_of(model)
    check_whole("n_largest", n_largest, at_least=1)
    expansion = functions.expansion
    if expansion is not None and expansion.kernel._has_features:
        columns = list(parts_of(model, expansion).weight_columns(feature_names))
    else:
        columns = list(functions.columns(feature_names))
    tables = tuple(_table(column, n_largest) for column in columns if label is None or column.label == label)
    if not tables:
        raise ValueError(f"label must be one of {[column.label for column in columns]}, got {label!r}")
    return Weights(tables)


def _table(column: WeightColumn, k: int) -> WeightTable:
    values = column.values
    features: list[Feature] = []
    for sign in (1.0, -1.0):
        signed = sign * np.asarray(values)
        kept = np.flatnonzero(signed > 0)
        if len(kept) > k:
            # With those that tie with the k-th, so that which of them is listed does not depend on the method.
            kept = kept[signed[kept] >= np.partition(signed[kept], -k)[-k]]
        order = kept[np.argsort(-signed[kept], kind="stable")][:k]
        features += [Feature(column.name(int(i)), float(values[i])) for i in order]
    return WeightTable(column.label, tuple(features), int(np.count_nonzero(values)))
