"""What all classifiers on kernels share: data in, native items inside, the scikit-learn API outside."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_feature_names

from hedgerow import _core
from hedgerow.kernels import Linear
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.kernels.likeness import warn_if_unlike
from hedgerow.kernels.precomputed import check_kernel, check_square, is_precomputed, kernel_from
from hedgerow.locks import reads
from hedgerow.models.functions import Functions, KernelFunctions
from hedgerow.models.labels import classes_from_json, classes_to_json, winners
from hedgerow.models.native_estimator import NativeEstimator, above, below
from hedgerow.models.probabilities import HeldOut, logistic
from hedgerow.models.stored import stored_texts, stored_whole
from hedgerow.models.tallies import ClassTally
from hedgerow.threads import resolve


def _gives_probabilities(model: Any) -> bool:
    if model.probability is None and not model._logistic:
        raise AttributeError(
            f"{type(model).__name__} gives probabilities when it is fitted with probability='sigmoid' or 'isotonic'"
        )
    return True


class KernelClassifier(ClassifierMixin, NativeEstimator):  # type: ignore[misc]
    """A classifier that scores items by sums of kernel values.

    A subclass stores its parameters in ``__init__``, has a `fit` that sets ``classes_`` and ``_native``, its
    native model.
    """

    kernel: Any = None
    class_weight: Any = None
    probability: Any = None
    precision: Any = "double"
    n_jobs: int | None = None
    classes_: Matrix
    kernel_: Kernel
    n_features_in_: int
    _open_classes = False  # whether new classes may come

    def decision_function(self, X: Any) -> Matrix:
        """Scores: shape (n,), positive for the second class, if there are two classes, else (n, classes)."""
        with self._lock.reading:
            items = self._more(X)
            values: Matrix = self._native.decisions(items, resolve(self.n_jobs), self.precision == "single")
            one_column = len(self.classes_) == 2 and len(values) == len(items)  # open classes have one each
            return values if one_column else self._of_classes(values, len(items))

    def _of_classes(self, values: Matrix, n: int) -> Matrix:
        """The scores of n items by class, from those by function that the native model gives in one array."""
        return values.reshape(n, len(self.classes_))

    def predict(self, X: Any) -> Matrix:
        """The most likely class of each item."""
        return self._predicted(X)[0]

    def _predicted(self, X: Any) -> tuple[Matrix, Matrix]:
        """The most likely classes, and the scores."""
        with self._lock.reading:
            scores = self.decision_function(X)  # says so if there is no model yet
            classes = self.classes_
        return classes[winners(scores)], scores

    @available_if(_gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Matrix:
        """Probabilities of the classes, one row an item, one column for each of ``classes_``.

        With ``probability`` they come from what scores of held-out examples turned out to mean: in `fit` those of
        cross-validation with five parts, in ``partial_fit`` those of each example before the model learned
        from it. Learners with ``loss="logistic"`` have them without that. The class that `predict` gives need not
        have the largest.
        """
        with self._lock.reading:
            return self._probabilities(self.decision_function(X))

    @property
    def _logistic(self) -> bool:
        """Whether scores are log-odds."""
        return False

    def _probabilities(self, scores: Matrix) -> Matrix:
        if self.probability is None:
            return logistic(scores)
        if not hasattr(self, "_held_out"):
            raise ValueError(
                "there are no scores of held-out examples to make probabilities from: fit again with "
                f"probability={self.probability!r}"
            )
        held_out: HeldOut = self._held_out
        return held_out.probabilities(scores)

    @reads
    def tally(self) -> ClassTally:
        """An empty tally: what counts predictions for evaluations."""
        self._fitted()
        return ClassTally(self.classes_.tolist())

    # -- what was learned -----------------------------------------------------------------------------------

    @reads
    def functions(self) -> Functions:
        """What the scores are made of, for `hedgerow.inspection`."""
        native = self._fitted()
        self._check_explainable()
        labels = self.classes_.tolist()
        labels = labels[1:] if len(labels) == 2 else labels
        return KernelFunctions.of(self.kernel_, native, labels, (native,), self._decide)

    def _check_explainable(self) -> None:
        if self._precomputed:
            raise TypeError("with kernel='precomputed' the supports are not known, so nothing explains them")

    @reads
    def _decide(self, X: Any) -> tuple[list[Any], Matrix | None]:
        """The predicted classes, and the scores of functions: a row for each item."""
        chosen, scores = self._predicted(X)
        return chosen.tolist(), scores[:, None] if scores.ndim == 1 else scores

    # -- data -----------------------------------------------------------------------------------------------

    def _check_params(self) -> None:
        super()._check_params()
        self._check_kernel()

    def _check_kernel(self) -> None:
        check_kernel(self.kernel)

    @property
    def _precomputed(self) -> bool:
        """Whether X are kernel values: between all examples in `fit`, between items and examples in predictions."""
        return is_precomputed(self.kernel)

    def _new_kernel(self) -> Kernel:
        return Linear() if self.kernel is None else kernel_from(self.kernel)

    def _start(self, X: Any) -> _core.Items:
        """Items of the first examples; remembers what they look like."""
        self._check_params()
        kernel = self._new_kernel()
        prepared = self._prepare(kernel, X)
        if self._precomputed:
            check_square(prepared)
        items: _core.Items = kernel._items(prepared)
        if len(items) == 0:
            raise ValueError(
                f"Found array with 0 sample(s): {type(self).__name__} needs at least one example"
            )
        self._forget()
        self.kernel_ = kernel
        if getattr(prepared, "ndim", 1) == 2:
            if prepared.shape[1] == 0:
                raise ValueError(
                    f"Found array with 0 feature(s) (shape={prepared.shape}) while a minimum of 1 is required."
                )
            self.n_features_in_ = prepared.shape[1]
        if hasattr(X, "columns"):
            _check_feature_names(self, X, reset=True)
        if self.kernel is not None and not self._precomputed:
            warn_if_unlike(kernel, prepared, items)
        self._look_at(kernel, prepared)
        return items

    def _more(self, X: Any) -> _core.Items:
        """Items of further examples, which must look like the first ones."""
        self._fitted()
        prepared = self._prepare(self.kernel_, X)
        self._check_width(prepared)
        if hasattr(self, "feature_names_in_") or hasattr(X, "columns"):
            _check_feature_names(self, X, reset=False)
        items: _core.Items = self.kernel_._items(prepared)
        return items

    def _prepare(self, kernel: Kernel, X: Any) -> Any:
        return kernel._prepare(X)

    def _check_shardable(self) -> None:
        if self.probability is not None:
            raise ValueError(
                "probability must be None for learning from shards: scores of held-out examples need all of them; fit "
                "on a part, or use sklearn.calibration.CalibratedClassifierCV with FrozenEstimator"
            )
        if self._precomputed:
            raise ValueError(
                "kernel must not be 'precomputed' for learning from shards: values between examples of different "
                "shards are not known"
            )

    def _check_width(self, prepared: Any) -> None:
        """Raise a ValueError when further vectors have another number of features.

        Sparse ones may: features that no example had count for their lengths.
        """
        expected = getattr(self, "n_features_in_", None)
        if expected is not None and isinstance(prepared, np.ndarray) and prepared.shape[1:] != (expected,):
            what = (
                ": the kernel values with all examples that it was fitted with" if self._precomputed else ""
            )
            raise ValueError(
                f"X has {prepared.shape[1]} features, but {type(self).__name__} is expecting {expected} "
                f"features as input{what}"
            )

    def _look_at(self, kernel: Kernel, prepared: Any) -> None:
        """Hook for learners that expect something of their first examples."""

    def _forget(self) -> None:
        names = (
            "_native",
            "_held_out",
            "_label_order",
            "_open_classes",
            "_texts",
            "n_features_in_",
            "feature_names_in_",
        )
        for name in names:
            self.__dict__.pop(name, None)

    # -- copies ---------------------------------------------------------------------------------------------

    def _describe(self) -> dict[str, Any]:
        """Classes and what the items look like, for JSON."""
        description: dict[str, Any] = {"classes": classes_to_json(self.classes_)}
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                value = getattr(self, name)
                description[name] = value if isinstance(value, int) else value.tolist()
        return description

    def _take_description(self, description: dict[str, Any]) -> None:
        self._check_params()
        self.kernel_ = self._new_kernel()
        self._open_classes = description.get("open_classes") is True
        self.classes_ = classes_from_json(description["classes"], at_least=1 if self._open_classes else 2)
        if "n_features_in_" in description:
            self.n_features_in_ = stored_whole(description, "n_features_in_", 1, 2**31)
        if "feature_names_in_" in description:
            self.feature_names_in_ = np.array(stored_texts(description, "feature_names_in_"), dtype=object)
            if len(self.feature_names_in_) != getattr(self, "n_features_in_", None):
                raise ValueError("feature_names_in_ must name every feature")

    def _held_out_arrays(self) -> dict[str, Matrix]:
        """What probabilities are made from, for a file."""
        return above("held_out.", self._held_out.arrays()) if hasattr(self, "_held_out") else {}

    def _take_held_out(self, arrays: dict[str, Matrix]) -> dict[str, Matrix]:
        """The other arrays."""
        mine = below("held_out.", arrays)
        if mine:
            if self.probability is None:
                raise ValueError("only models with probability have scores of held-out examples")
            self._held_out = HeldOut.from_arrays(self.probability, mine, len(self.classes_))
        return {name: values for name, values in arrays.items() if not name.startswith("held_out.")}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._precomputed
        tags.input_tags.sparse = not self._precomputed
        return tags


class Supports(ABC):
    """What a model shows of its expansion over supports."""

    kernel_: Kernel

    @abstractmethod
    def _expansion(self) -> _core.Expansion:
        """The native expansion, fitted."""

    @property
    def support_(self) -> Matrix:
        """Positions of the supports among the examples, in order of arrival."""
        return self._expansion().support_numbers()

    @property
    def n_support_(self) -> int:
        """Number of supports, which all functions share."""
        return self._expansion().support_count

    @property
    @reads
    def support_items_(self) -> Any:
        """The supports themselves, in order of arrival."""
        return self.kernel_._from_items(self._expansion().supports())

    @property
    def dual_coef_(self) -> Matrix:
        """Coefficients of the functions that predict (for votes: of the last), functions by supports."""
        expansion = self._expansion()
        return expansion.coefficients().reshape(expansion.functions, -1)
