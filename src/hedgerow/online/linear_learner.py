"""Learners on weights: their functions are linear in the features of vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import inf
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.checks import Bounds, check_number, check_whole
from hedgerow.feature_extraction.text_hasher import TF_IDF
from hedgerow.feature_extraction.vectorizers import (
    Learned,
    Vectorizer,
    as_vectors,
    check_vectorizer,
    learned_with,
)
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.kernels.rows import fold_columns
from hedgerow.locks import reads, writes
from hedgerow.models.functions import Functions, LinearFunctions
from hedgerow.models.native_estimator import above, below
from hedgerow.online.base import Foresight, OnlineClassifier, WeightedOnlineClassifier
from hedgerow.parameters import check_unused


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

    @writes
    def prune(self, k: int, top: float = 0.9) -> Self:
        """Keep k features of each function, those with extreme weights; all others are forgotten.

        So small a model is what Extremal Feature Selection makes of one that has learned from all features. Learning
        may go on: features that come again start over.

        Parameters
        ----------
        k : int
            How many features each function keeps; all, if it has fewer.
        top : float between 0 and 1, default=0.9
            The share with the largest absolute weights, times k rounded to a whole number; the rest have the smallest.
            These are common features, which matter to Winnows because they scale examples by all known features; other
            learners have more of 1.0.

        Notes
        -----
        Weights are those of the function that predicts (for votes: of the last predictor; all predictors lose the
        features). Those that are 0 are not kept, except by Winnows. Of equal weights, that of the feature with the
        smaller number counts as the larger.

        Examples
        --------
        >>> from hedgerow.online import ModifiedBalancedWinnow
        >>> X = [[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 1], [1, 0, 1, 1]]
        >>> model = ModifiedBalancedWinnow().fit(X, ["a", "b", "a", "b"])
        >>> model.prune(2, top=1.0).features_
        [array([1, 2], dtype=int32)]
        """
        check_whole("k", k, at_least=1)
        check_number("top", top, at_least=0, at_most=1)
        self._linear().prune(k, top)
        return self

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

    half_life: Annotated[float, Bounds(at_least=1)] | None = None
    n_features: int | None = None
    vectorizer: Vectorizer | None = None
    _changing: ClassVar[tuple[str, ...]] = (*OnlineClassifier._changing, "_texts")

    @property
    def _on_weights(self) -> bool:
        return True

    def _check_params(self) -> None:
        super()._check_params()
        if self.averaging in (None, "vote"):
            check_unused(self, f"with averaging={self.averaging!r}", "half_life")
        check_vectorizer(self.vectorizer)
        n = self.n_features
        if n is None:
            return
        if self.vectorizer is not None:
            raise ValueError("n_features must be None beside a vectorizer, which has its own")
        if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= 2**31 or n & (n - 1):
            raise ValueError(f"n_features must be None or a power of two up to 2**31, got {n!r}")

    def _make_native(self) -> _core.Learner:
        rule = self._linear_rule(self._codes.shape[1], self._seed)
        return _core.LinearLearner(rule, self._codes, self._decoding, self.trace_every or 0, **self._counts())

    def _counts(self) -> dict[str, Any]:
        """How predictors count in averages and votes, for the native learner."""
        return {"counting": self.counting, "half_life": self.half_life or inf}

    def _linear_rule(self, n_functions: int, seed: int) -> _core.LinearRule:
        rule = self._rule(n_functions, seed)
        assert isinstance(rule, _core.LinearRule)
        return rule

    # -- data -----------------------------------------------------------------------------------------------

    def _prepare(self, kernel: Kernel, X: Any) -> Any:
        prepared = super()._prepare(kernel, self._vectors(X))
        return prepared if self.n_features is None else fold_columns(prepared, self.n_features)

    def _vectors(self, X: Any) -> Any:
        """Inputs as vectors."""
        return as_vectors(self.vectorizer, X, self.__dict__.get("_texts")) if self._on_weights else X

    def _hashes(self, X: Any) -> bool:
        """Whether a vectorizer makes vectors of these inputs."""
        check_vectorizer(self.vectorizer)
        return self.vectorizer is not None and self.vectorizer._takes(X)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        if not self._hashes(X):
            super()._fit(X, y, sample_weight)
            return
        self._check_params()
        assert self.vectorizer is not None
        texts, before = learned_with(self.vectorizer)(self.vectorizer), self.__dict__.get("_native")
        try:
            super()._fit(texts.fit(texts.given(X)), y, sample_weight)
        finally:
            if self.__dict__.get("_native") is not before:
                self._texts = texts

    def _partial_fit(
        self, X: Any, y: Any, classes: Any, sample_weight: Any, foresees: Foresight = None
    ) -> Matrix | None:
        if not self._hashes(X):
            return super()._partial_fit(X, y, classes, sample_weight, foresees)
        self._check_params()
        assert self.vectorizer is not None
        n_before = self.__dict__["_native"].seen if "_native" in self.__dict__ else 0
        texts: Learned = self.__dict__.get("_texts") or learned_with(self.vectorizer)(self.vectorizer)
        given = texts.given(X)
        rows = texts.learn(given)
        try:
            return super()._partial_fit(rows, y, classes, sample_weight, foresees)
        finally:
            learned = self._native.seen - n_before if "_native" in self.__dict__ else 0
            texts.take_back(given[learned:])
            if learned:
                self._texts = texts
                if texts.full:
                    texts.make_room(self._sparse_weights())

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
        texts = self.__dict__.get("_texts")
        if texts is None and self.vectorizer is not None:
            texts = learned_with(self.vectorizer)(self.vectorizer)
        return LinearFunctions(
            labels, sparse.csr_array(weights), biases, self.predict, self._rows, names, texts
        )

    def _rows(self, X: Any) -> Any:
        """The features of inputs, as weights are multiplied with them."""
        rows = self._prepare(self.kernel_, X)
        self._check_width(rows)
        return rows

    def _check_shardable(self) -> None:
        super()._check_shardable()
        if self.half_life is not None:
            raise ValueError("half_life must be None for learning from shards, which have no order in time")
        if self.vectorizer is not None and self.vectorizer.counts == TF_IDF:
            raise ValueError(
                "the vectorizer's counts must not be 'tf-idf' for learning from shards, which count texts apart"
            )

    # -- copies ---------------------------------------------------------------------------------------------

    @reads
    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        description, arrays = super()._to_state()
        if "_texts" not in self.__dict__:
            return description, arrays
        of_texts, more = self._texts.to_state(self._sparse_weights())
        return {**description, "texts": of_texts}, arrays | above("texts.", more)

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        others = {name: values for name, values in arrays.items() if not name.startswith("texts.")}
        super()._from_state(description, others)
        if "texts" in description:
            if self.vectorizer is None:
                raise ValueError("only models with a vectorizer have learned from texts")
            self._texts = learned_with(self.vectorizer).from_state(
                self.vectorizer, description["texts"], below("texts.", arrays)
            )
        return self


@dataclass(eq=False, repr=False, kw_only=True)
class LinearClassifier(WeightedOnlineClassifier, LinearLearner):
    """A learner that has no other form."""

    averaging: Literal["average", "vote"] | None = None

    @property
    def _logistic(self) -> bool:
        # Of votes, codes, and predictors that learn from mistakes only, scores are something else.
        return (
            getattr(self, "loss", None) == "logistic"
            and getattr(self, "update", "all") == "all"
            and self.averaging != "vote"
            and self.multiclass == "one-vs-rest"
        )

    def _rule(self, n_functions: int, seed: int) -> _core.LinearRule:
        return _core.linear_rule(self._rule_name, self.averaging, self._own_values())
