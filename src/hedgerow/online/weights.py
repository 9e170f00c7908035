"""Weights of features, as learners show them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from scipy import sparse

from hedgerow import _core


class LinearModel(ABC):
    """A model whose functions are weights of features."""

    _sparsified: bool = False

    @abstractmethod
    def _linear(self) -> _core.LinearLearner:
        """The native learner, fitted."""

    @abstractmethod
    def _n_functions(self) -> int: ...

    @property
    def coef_(self) -> Any:
        """Weights of the functions that predict (for votes: of the last), functions by features.

        An array, or a CSR matrix after `sparsify`.
        """
        weights = self._sparse_weights()
        return weights if self._sparsified else weights.toarray()

    def _sparse_weights(self) -> Any:
        """`coef_` as a CSR matrix, whatever it is shown as."""
        native = self._linear()
        parts = [native.nonzeros(j) for j in range(self._n_functions())]
        begins = np.cumsum([0] + [len(features) for features, _ in parts])
        features, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        return sparse.csr_matrix((values, features, begins), shape=(len(parts), native.width))

    @property
    def n_nonzero_(self) -> int:
        """Number of weights that are not zero, over all functions that predict."""
        native = self._linear()
        return sum(native.nonzero_count(j) for j in range(self._n_functions()))

    def sparsify(self) -> Self:
        """Show `coef_` as a sparse matrix from now on, which for few weights takes less memory."""
        self._linear()
        self._sparsified = True
        return self

    def densify(self) -> Self:
        """Show `coef_` as an array again."""
        self._linear()
        self._sparsified = False
        return self
