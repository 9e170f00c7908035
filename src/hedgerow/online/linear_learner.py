"""Learners on weights: their functions are linear in the features of vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.kernels.rows import fold_columns
from hedgerow.locks import reads
from hedgerow.models.functions import Functions, LinearFunctions
from hedgerow.online.base import OnlineClassifier, WeightedOnlineClassifier


class LinearModel(ABC):
    """A model whose functions are weights of features."""

    _sparsified: bool = False

    @property
    @abstractmethod
    def _n_functions(self) -> int: ...

    @abstractmethod
    def _linear(self) -> _core.LinearLearner:
        """The native learner, fitted."""

    @property
    def coef_(self) -> Any:
        """Weights of the functions that predict (for votes: of the last), functions by features.

        An array, or a CSR matrix after `sparsify`.
        """
        weights = self._sparse_weights()
        return weights if self._sparsified else weights.toarray()

    @reads
    def _sparse_weights(self) -> Any:
        """`coef_` as a CSR matrix, whatever it is shown as."""
        native = self._linear()
        parts = [native.nonzeros(j) for j in range(self._n_functions)]
        begins = np.cumsum([0] + [len(features) for features, _ in parts])
        features, values = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
        return sparse.csr_matrix((values, features, begins), shape=(len(parts), native.width))

    @property
    @reads
    def n_nonzero_(self) -> int:
        """Number of weights that are not zero, over all functions that predict."""
        native = self._linear()
        return sum(native.nonzero_count(j) for j in range(self._n_functions))

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


@dataclass(eq=False, repr=False, kw_only=True)
class LinearLearner(LinearModel, OnlineClassifier):
    """A learner that keeps a weight for every feature.

    Sparse matrices may have more features than those before, as the vocabulary of a stream grows, and at prediction
    features that never came count nothing. Dense ones keep the number of columns that they had first.
    """

    n_features: int | None = None

    @property
    def _on_weights(self) -> bool:
        return True

    def _check_params(self) -> None:
        super()._check_params()
        n = self.n_features
        if n is None:
            return
        if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= 2**31 or n & (n - 1):
            raise ValueError(f"n_features must be None or a power of two up to 2**31, got {n!r}")

    def _make_native(self) -> _core.Learner:
        rule = self._linear_rule(self._codes.shape[1], self._seed)
        return _core.LinearLearner(rule, self._codes, self._decoding, self.trace_every or 0)

    def _linear_rule(self, n_functions: int, seed: int) -> _core.LinearRule:
        rule = self._rule(n_functions, seed)
        assert isinstance(rule, _core.LinearRule)
        return rule

    # -- data -----------------------------------------------------------------------------------------------

    def _prepare(self, kernel: Kernel, X: Any) -> Any:
        prepared = super()._prepare(kernel, X)
        return prepared if self.n_features is None else fold_columns(prepared, self.n_features)

    def _check_width(self, prepared: Any) -> None:
        if isinstance(prepared, np.ndarray):  # sparse ones may have more
            super()._check_width(prepared)

    def _remember_new_features(self) -> None:
        self.n_features_in_ = self._linear().width

    # -- what was learned -----------------------------------------------------------------------------------

    def _linear(self) -> _core.LinearLearner:
        native = self._fitted()
        if not isinstance(native, _core.LinearLearner):
            raise AttributeError(
                "with a kernel there are no weights: the learner keeps supports, see dual_coef_"
            )
        return native

    @property
    def _n_functions(self) -> int:
        return len(self._codes.T)

    @reads
    def _biases(self) -> Matrix:
        return np.array([self._linear().intercept(j) for j in range(self._n_functions)])

    @reads
    def functions(self) -> Functions:
        weights, biases, labels = self._by_class(self._sparse_weights())
        names = getattr(self, "feature_names_in_", None)
        return LinearFunctions(labels, sparse.csr_array(weights), biases, self.predict, self._rows, names)

    def _rows(self, X: Any) -> Any:
        """The features of inputs, as weights are multiplied with them."""
        rows = self._prepare(self.kernel_, X)
        self._check_width(rows)
        return rows


@dataclass(eq=False, repr=False, kw_only=True)
class LinearClassifier(WeightedOnlineClassifier, LinearLearner):
    """A learner that has no other form."""

    averaging: Literal["average", "vote"] | None = None

    def _rule(self, n_functions: int, seed: int) -> _core.LinearRule:
        return _core.linear_rule(self._rule_name, self.averaging, self._own_values())
