"""What all online learners share: data in, a native learner inside, scikit-learn outside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import check_random_state, compute_class_weight
from sklearn.utils.validation import _check_feature_names

from hedgerow import _core
from hedgerow.kernels import Linear
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.kernels.checks import check_flag, check_whole
from hedgerow.online.codes import SCHEMES, code_matrix
from hedgerow.online.labels import classes_from_json, classes_to_json, encode, find_classes
from hedgerow.online.trace import COLUMNS, Trace
from hedgerow.threads import resolve

AVERAGING = (None, "average", "vote", "normalized")
PRECISIONS = ("double", "single")


class OnlineClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A learner that sees one example at a time.

    A subclass stores its parameters in ``__init__`` and implements `_rule`, which gives the native rule; see
    CONTRIBUTING for how to write one.
    """

    kernel: Kernel | None
    averaging: str | None
    epochs: int
    shuffle: bool
    random_state: Any
    multiclass: str
    precision: str
    trace_every: int | None
    n_jobs: int | None
    class_weight: Any = None

    @abstractmethod
    def _rule(self, n_functions: int, seed: int) -> _core.KernelRule:
        """The native rule; raises ValueError for bad parameters."""

    # -- learning -------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from examples, forgetting what was learned before.

        Parameters
        ----------
        X : Forest, matrix, strings or Records, as the kernel takes them
        y : labels of any type

        Returns
        -------
        self
            Interrupted with Ctrl-C, the learner keeps what it has learned from the examples so far.
        """
        return self._fit(X, y, None)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on learning, with one pass over one example or many in the given order.

        Parameters
        ----------
        X, y : as for `fit`
        classes : all labels that will ever come; needed in the first call only
        """
        return self._partial_fit(X, y, classes, None)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        items = self._start(X)
        classes, labels = find_classes(y, len(items))
        random_state = check_random_state(self.random_state)
        native = self._new_native(classes, random_state)
        n = len(items)
        passes = range(self.epochs)
        if self.shuffle:
            orders = [random_state.permutation(n).astype(np.int64) for _ in passes]
        else:
            orders = [np.arange(n)] * self.epochs if self.epochs > 1 else []
        self.classes_, self._native = classes, native
        native.learn(items, labels, self._weights(labels, sample_weight), orders, 0)
        return self

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> Self:
        if not hasattr(self, "_native"):
            if classes is None:
                raise ValueError(
                    "classes must be given in the first call of partial_fit: all labels that will come"
                )
            items = self._start(X)
            self.classes_, _ = find_classes(classes, None)
            self._native = self._new_native(self.classes_, check_random_state(self.random_state))
        else:
            items = self._more(X)
            if classes is not None and not np.array_equal(np.unique(np.asarray(classes)), self.classes_):
                raise ValueError(f"classes must be those of the first call, {self.classes_}, got {classes}")
        labels = encode(y, self.classes_, len(items))
        weights = None
        if sample_weight is not None or self.class_weight is not None:
            weights = self._weights(labels, sample_weight)
        self._native.learn(items, labels, weights, [], self._native.seen)
        return self

    def _start(self, X: Any) -> _core.Items:
        """Items of the first examples; remembers what they look like."""
        self._check_params()
        kernel = Linear() if self.kernel is None else self.kernel
        prepared = kernel._prepare(X)
        items = kernel._items(prepared)
        if len(items) == 0:
            raise ValueError(
                f"Found array with 0 sample(s): {type(self).__name__} needs at least one example"
            )
        for name in ("_native", "n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
        self.kernel_ = clone(kernel)
        if getattr(prepared, "ndim", 1) == 2:
            if prepared.shape[1] == 0:
                raise ValueError(
                    f"Found array with 0 feature(s) (shape={prepared.shape}) while a minimum of 1 is required."
                )
            self.n_features_in_ = prepared.shape[1]
        if hasattr(X, "columns") and hasattr(X, "iloc"):
            _check_feature_names(self, X, reset=True)
        self._look_at(kernel, prepared)
        return items

    def _more(self, X: Any) -> _core.Items:
        """Items of further examples, which must look like the first ones."""
        if not hasattr(self, "_native"):
            raise NotFittedError(
                f"this {type(self).__name__} has not been fitted yet; call fit or partial_fit"
            )
        prepared = self.kernel_._prepare(X)
        expected = getattr(self, "n_features_in_", None)
        if expected is not None and prepared.shape[1] != expected:
            raise ValueError(
                f"X has {prepared.shape[1]} features, but {type(self).__name__} is expecting {expected} "
                "features as input"
            )
        if hasattr(self, "feature_names_in_") or (hasattr(X, "columns") and hasattr(X, "iloc")):
            _check_feature_names(self, X, reset=False)
        items: _core.Items = self.kernel_._items(prepared)
        return items

    def _look_at(self, kernel: Kernel, prepared: Any) -> None:
        """Hook for learners that expect something of their first examples."""

    def _new_native(self, classes: Matrix, random_state: Any) -> _core.Learner:
        codes, decoding = code_matrix(len(classes), self.multiclass, random_state)
        self._codes, self._decoding = codes, decoding
        self._seed = int(random_state.randint(2**31 - 1))
        return self._make_native()

    def _make_native(self) -> _core.Learner:
        return _core.Learner(
            self.kernel_._model(),
            self._rule(self._codes.shape[1], self._seed),
            self._codes,
            self._decoding,
            self.averaging,
            self.trace_every or 0,
        )

    def _weights(self, labels: Matrix, sample_weight: Any) -> Matrix | None:
        if sample_weight is None and self.class_weight is None:
            return None
        weights = np.ones(len(labels))
        if sample_weight is not None:
            given = np.asarray(sample_weight, dtype=np.float64)
            if given.shape not in ((), weights.shape):
                raise ValueError(f"sample_weight must have the shape {weights.shape}, got {given.shape}")
            weights *= given
            if not (np.isfinite(weights).all() and (weights >= 0).all()):
                raise ValueError("sample_weight must be finite and at least 0")
            if not weights.any():
                raise ValueError("sample_weight must have at least one weight that is not zero")
        if self.class_weight is not None:
            seen = np.unique(labels)
            if isinstance(self.class_weight, str) and self.class_weight == "balanced":
                factors = np.ones(len(self.classes_))
                factors[seen] = compute_class_weight("balanced", classes=seen, y=labels)
            else:
                factors = compute_class_weight(
                    self.class_weight, classes=self.classes_, y=self.classes_[labels]
                )
            weights *= factors[labels]
        return weights

    def _check_params(self) -> None:
        if self.kernel is not None:
            if not isinstance(self.kernel, Kernel):
                raise TypeError(f"kernel must be a hedgerow kernel or None, got {self.kernel!r}")
            self.kernel._check_params()
        check_whole("epochs", self.epochs, at_least=1)
        check_flag("shuffle", self.shuffle)
        check_choice("averaging", self.averaging, AVERAGING)
        check_choice("multiclass", self.multiclass, SCHEMES)
        check_choice("precision", self.precision, PRECISIONS)
        if self.trace_every is not None:
            check_whole("trace_every", self.trace_every, at_least=1)

    # -- prediction -----------------------------------------------------------------------------------------

    def decision_function(self, X: Any) -> Matrix:
        """Scores: shape (n,), positive for the second class, if there are two classes, else (n, classes)."""
        items = self._more(X)
        values: Matrix = self._native.decisions(items, resolve(self.n_jobs), self.precision == "single")
        return values if len(self.classes_) == 2 else values.reshape(len(items), len(self.classes_))

    def predict(self, X: Any) -> Matrix:
        """The most likely class of each item."""
        scores = self.decision_function(X)
        winners = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        chosen: Matrix = self.classes_[winners]
        return chosen

    # -- what was learned -----------------------------------------------------------------------------------

    def _fitted(self) -> _core.Learner:
        if not hasattr(self, "_native"):
            raise NotFittedError(
                f"this {type(self).__name__} has not been fitted yet; call fit or partial_fit"
            )
        return self._native

    @property
    def support_(self) -> Matrix:
        """Positions of the supports among the examples, in order of arrival."""
        return self._fitted().expansion.support_numbers()

    @property
    def n_support_(self) -> int:
        """Number of supports, which all functions share."""
        return self._fitted().expansion.support_count

    @property
    def support_items_(self) -> Any:
        """The supports themselves, in order of arrival."""
        return self.kernel_._from_items(self._fitted().expansion.supports())

    @property
    def dual_coef_(self) -> Matrix:
        """Coefficients of the functions that predict (for votes: of the last), functions by supports."""
        values = self._fitted().expansion.coefficients()
        return values.reshape(self._codes.shape[1], -1)

    @property
    def intercept_(self) -> Matrix:
        """Biases of the functions."""
        return self._fitted().expansion.biases()

    @property
    def mistakes_(self) -> int:
        """How many examples the predictor of the time got wrong while learning; a score of 0 is wrong."""
        return self._fitted().mistakes

    @property
    def n_seen_(self) -> int:
        """Number of examples seen, each once for every pass."""
        return self._fitted().seen

    @property
    def trace_(self) -> Trace:
        """What was recorded while learning; asked for with ``trace_every``."""
        if self.trace_every is None:
            raise AttributeError(
                "there is no trace: set trace_every, the number of examples between two samples"
            )
        arrays = self._fitted().trace()
        return Trace(**{name: arrays[name] for name in COLUMNS})

    # -- copies ---------------------------------------------------------------------------------------------

    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """What was learned: a description for JSON, and arrays."""
        native = self._fitted()
        description: dict[str, Any] = {
            "classes": classes_to_json(self.classes_),
            "codes": self._codes.tolist(),
            "decoding": self._decoding,
            "seed": self._seed,
        }
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                value = getattr(self, name)
                description[name] = value if isinstance(value, int) else value.tolist()
        return description, native.save()

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        """Take up what another learner with these parameters had learned."""
        self._check_params()
        self.kernel_ = Linear() if self.kernel is None else clone(self.kernel)
        self.classes_ = classes_from_json(description["classes"])
        self._codes = np.array(description["codes"], dtype=np.int8)
        self._decoding = description["decoding"]
        self._seed = description["seed"]
        if "n_features_in_" in description:
            self.n_features_in_ = description["n_features_in_"]
        if "feature_names_in_" in description:
            self.feature_names_in_ = np.array(description["feature_names_in_"], dtype=object)
        native = self._make_native()
        native.load(arrays)
        self._native = native
        return self

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        if "_native" in state:
            state["_native"] = state["_native"].save()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if "_native" in self.__dict__:
            arrays = self.__dict__.pop("_native")
            native = self._make_native()
            native.load(arrays)
            self._native = native

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class WeightedOnlineClassifier(OnlineClassifier):
    """A learner for which an example may count more or less than others."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from examples, forgetting what was learned before.

        Parameters
        ----------
        X : Forest, matrix, strings or Records, as the kernel takes them
        y : labels of any type
        sample_weight : array of non-negative floats, optional
            How much each example moves the function; one with weight 0 is left out.

        Returns
        -------
        self
            Interrupted with Ctrl-C, the learner keeps what it has learned from the examples so far.
        """
        return self._fit(X, y, sample_weight)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Go on learning, with one pass over one example or many in the given order.

        Parameters
        ----------
        X, y, sample_weight : as for `fit`
        classes : all labels that will ever come; needed in the first call only
        """
        return self._partial_fit(X, y, classes, sample_weight)


def check_choice(name: str, value: Any, choices: tuple[Any, ...]) -> None:
    if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")
