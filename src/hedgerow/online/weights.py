"""Learners that keep a weight for every feature: their data, and what they show of what they learned."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.utils.metaestimators import available_if

from hedgerow import _core
from hedgerow.kernels.base import Kernel
from hedgerow.kernels.rows import fold_columns


def _keeps_weights(learner: Any) -> bool:
    return bool(learner._on_weights)


class WeightAttributes:
    """Weights of a learner whose functions are linear.

    Sparse matrices may have more features than those before, as the vocabulary of a stream grows, and at prediction
    features that never came count nothing. Dense ones keep the number of columns that they had first.
    """

    n_features: int | None = None
    n_features_in_: int
    _sparsified: bool = False

    def _linear(self) -> _core.LinearLearner:
        native = self._fitted()  # type: ignore[attr-defined]
        if not isinstance(native, _core.LinearLearner):
            raise AttributeError(
                "with a kernel there are no weights: the learner keeps supports, see dual_coef_"
            )
        return native

    def _n_functions(self) -> int:
        n: int = self._codes.shape[1]  # type: ignore[attr-defined]
        return n

    @property
    def coef_(self) -> Any:
        """Weights of the functions that predict (for votes: of the last), functions by features.

        An array, or a CSR matrix after `sparsify`.
        """
        native = self._linear()
        parts = [native.nonzeros(j) for j in range(self._n_functions())]
        shape = (len(parts), native.width)
        if not self._sparsified:
            weights = np.zeros(shape)
            for row, (features, values) in zip(weights, parts, strict=True):
                row[features] = values
            return weights
        begins = np.cumsum([0] + [len(features) for features, _ in parts])
        features, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        return sparse.csr_matrix((values, features, begins), shape=shape)

    @property
    def n_nonzero_(self) -> int:
        """Number of weights that are not zero, over all functions that predict."""
        native = self._linear()
        return sum(native.nonzero_count(j) for j in range(self._n_functions()))

    @available_if(_keeps_weights)  # type: ignore[untyped-decorator]
    def sparsify(self) -> Self:
        """Show `coef_` as a sparse matrix from now on, which for few weights takes less memory."""
        self._linear()
        self._sparsified = True
        return self

    @available_if(_keeps_weights)  # type: ignore[untyped-decorator]
    def densify(self) -> Self:
        """Show `coef_` as an array again."""
        self._linear()
        self._sparsified = False
        return self

    # -- data -----------------------------------------------------------------------------------------------

    def _prepare(self, kernel: Kernel, X: Any) -> Any:
        prepared = super()._prepare(kernel, X)  # type: ignore[misc]
        if self._on_weights and self.n_features is not None:  # type: ignore[attr-defined]
            return fold_columns(prepared, self.n_features)
        return prepared

    def _check_width(self, prepared: Any) -> None:
        if not (self._on_weights and sparse.issparse(prepared)):  # type: ignore[attr-defined]
            super()._check_width(prepared)  # type: ignore[misc]

    def _check_n_features(self) -> None:
        n = self.n_features
        if n is None:
            return
        if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= 2**31 or n & (n - 1):
            raise ValueError(f"n_features must be None or a power of two up to 2**31, got {n!r}")
        if not self._on_weights:  # type: ignore[attr-defined]
            raise ValueError("n_features is for learners on weights; with a kernel it must be None")
