"""What all online learners share: data in, a native learner inside, scikit-learn outside."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, Self

import numpy as np

from hedgerow import _core
from hedgerow.checks import Count, as_random_state
from hedgerow.kernels.base import Matrix
from hedgerow.locks import reads, replacement, writes
from hedgerow.models.annotations import ClassWeight, Multiclass, RandomState
from hedgerow.models.example_weights import example_weights
from hedgerow.models.functions import VOTES
from hedgerow.models.kernel_classifier import KernelClassifier
from hedgerow.models.labels import encode, find_classes
from hedgerow.models.native_estimator import NativeEstimator
from hedgerow.models.stored import stored_whole
from hedgerow.models.trace import Trace
from hedgerow.online.codes import by_class, check_codes, code_matrix


class Recorded(NativeEstimator):
    """A learner that counts what it has seen and got wrong, and records that now and then."""

    epochs: int
    shuffle: bool
    trace_every: int | None
    _counted: ClassVar[str] = "examples"
    _columns: ClassVar[tuple[str, ...]] = ("examples", "mistakes", "support", "seconds")

    def _orders(self, n: int, random_state: Any) -> list[Matrix]:
        """In which passes go through n examples; nothing for one pass in the given order."""
        if self.shuffle:
            return [random_state.permutation(n).astype(np.int64) for _ in range(self.epochs)]
        return [np.arange(n)] * self.epochs if self.epochs > 1 else []

    @property
    def mistakes_(self) -> int:
        """How many the predictor of the time got wrong while learning, each before it was learned from."""
        return int(self._fitted().mistakes)

    @property
    def n_seen_(self) -> int:
        """How many were seen, each once for every pass."""
        return int(self._fitted().seen)

    @property
    def trace_(self) -> Trace:
        """What was recorded while learning; asked for with ``trace_every``."""
        if self.trace_every is None:
            raise AttributeError(
                f"there is no trace: set trace_every, the number of {self._counted} between two samples"
            )
        arrays = self._fitted().trace()
        return Trace({name: arrays[name] for name in self._columns})


@dataclass(eq=False, repr=False, kw_only=True)
class OnlineClassifier(Recorded, KernelClassifier):
    """A learner that sees one example at a time: classes, passes, traces, state.

    The functions that it learns are expansions over supports (`KernelLearner`), weights of features (`LinearLearner`),
    or either (`TwoFormLearner`). A subclass of these declares parameters of its own as fields and implements `_rule`,
    which gives the native rule; see CONTRIBUTING for how to write one.
    """

    averaging: Literal["average", "vote", "normalized"] | None = None
    epochs: Count = 1
    shuffle: bool = False
    random_state: RandomState = None
    multiclass: Multiclass = "one-vs-rest"
    trace_every: Count | None = None
    n_jobs: int | None = None

    _rule_name: ClassVar[str]  # of the native rule
    _columns = ("examples", "mistakes", "f1", "support", "seconds")

    @abstractmethod
    def _rule(self, n_functions: int, seed: int) -> _core.KernelRule | _core.LinearRule:
        """The native rule; raises ValueError for bad parameters."""

    def _own_values(self) -> dict[str, Any]:
        """The parameters that other learners do not share, which the native rule takes by the same names."""
        own = (f.name for f in fields(self) if f.init and not f.kw_only and f.name != "kernel")
        return {name: getattr(self, name) for name in own}

    @property
    @abstractmethod
    def _on_weights(self) -> bool:
        """Whether functions are weights of features."""

    @abstractmethod
    def _make_native(self) -> _core.Learner:
        """The native learner, before it has seen anything."""

    @abstractmethod
    def _biases(self) -> Matrix: ...

    def _remember_new_features(self) -> None:
        """Hook for learners to which further examples may bring new features."""

    # -- learning -------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from examples, forgetting what was learned before.

        Interrupted with Ctrl-C, the learner keeps what it has learned from the examples so far.

        Parameters
        ----------
        X : Forest, matrix, strings or Records, as the kernel takes them
        y : labels of any type
        """
        with replacement(self) as new:
            new._fit(X, y, None)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on learning, with one pass over one example or many in the given order.

        The first call needs ``classes``: all labels that will ever come.

        An example whose numbers are too large to be learned from (K(x, x), or the squared length of a vector, above
        1e140; weights that would leave the model with numbers above 1e150) is refused with its number. Then, as after
        any exception or Ctrl-C, the learner has learned from all examples before it, and from nothing else.
        """
        with self._lock.writing:
            return self._partial_fit(X, y, classes, None)

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        items = self._start(X)
        classes, labels = find_classes(y, len(items))
        random_state = as_random_state(self.random_state)
        native = self._new_native(classes, random_state)
        orders = self._orders(len(items), random_state)
        self.classes_, self._native = classes, native
        weights = self._example_weights(labels, sample_weight)
        native.learn(items, labels, weights, orders)

    @writes
    def _predict_then_learn(self, X: Any, y: Any, classes: Any = None) -> Matrix:
        """`partial_fit`; returns what `predict` would have said of each example just before it was learned from."""
        predicted = np.zeros(len(y), dtype=np.int32)
        self._partial_fit(X, y, classes, None, predicted)
        chosen: Matrix = self.classes_[predicted]
        return chosen

    def _partial_fit(
        self, X: Any, y: Any, classes: Any, sample_weight: Any, predicted: Matrix | None = None
    ) -> Self:
        if self._precomputed:
            raise ValueError(
                "partial_fit needs a kernel: with kernel='precomputed' only fit has the values between examples"
            )
        if not hasattr(self, "_native"):
            if classes is None:
                raise ValueError(
                    "classes must be given in the first call of partial_fit: all labels that will come"
                )
            items = self._start(X)
            self.classes_, _ = find_classes(classes, None)
            native = self._new_native(self.classes_, as_random_state(self.random_state))
        else:
            native = self._native
            items = self._more(X)
            if classes is not None and not np.array_equal(np.unique(np.asarray(classes)), self.classes_):
                raise ValueError(f"classes must be those of the first call, {self.classes_}, got {classes}")
        labels = encode(y, self.classes_, len(items))
        if isinstance(self.class_weight, str):
            raise ValueError(
                "class_weight='balanced' is for fit, which knows all examples; partial_fit takes a dict from classes "
                "to weights"
            )
        weights = self._example_weights(labels, sample_weight)
        self._native = native
        try:
            native.learn(items, labels, weights, [], predicted)
        finally:
            self._remember_new_features()
        return self

    def _example_weights(self, labels: Matrix, sample_weight: Any) -> Matrix | None:
        """How much each example counts; None if all count the same."""
        return example_weights(self.classes_, labels, sample_weight, self.class_weight)

    def _new_native(self, classes: Matrix, random_state: Any) -> _core.Learner:
        codes, decoding = code_matrix(len(classes), self.multiclass, random_state)
        self._codes, self._decoding = codes, decoding
        self._seed = int(random_state.randint(2**31 - 1))
        return self._make_native()

    # -- what was learned -----------------------------------------------------------------------------------

    def _by_class(self, rows: Any) -> tuple[Any, Matrix, list[Any]]:
        """Rows and biases of the functions as those of scores, with their classes."""
        if self.averaging == "vote":
            raise ValueError(VOTES)
        return by_class(self._codes, self._decoding, self.classes_.tolist(), rows, self.intercept_)

    def _decide(self, X: Any) -> tuple[list[Any], Matrix | None]:
        chosen, scores = super()._decide(X)
        return chosen, None if self._decoding == "pairwise" else scores

    @property
    def intercept_(self) -> Matrix:
        """Biases of the functions."""
        return self._biases()

    # -- shards ---------------------------------------------------------------------------------------------

    def _sharding(self) -> str:
        """How `hedgerow.distributed` makes it learn from shards; raises ValueError where its parameters forbid that."""
        if self.averaging == "vote":
            raise ValueError(
                "averaging must not be 'vote' for learning from shards: votes need all predictors, and those of "
                "different shards belong to no one sequence"
            )
        if self.trace_every is not None:
            raise ValueError("trace_every must be None for learning from shards: a trace follows one learner")
        self._check_shardable()
        return "weights" if self._on_weights else "expansions"

    # -- words ----------------------------------------------------------------------------------------------

    def _how_far(self) -> str | None:
        """How far learning has come; None before its beginning."""
        seen = getattr(self, "n_seen_", 0)
        return f"{seen} examples" if seen else None

    def _outcome(self) -> str:
        """What came of learning."""
        return f"{self.n_nonzero_} weights" if self._on_weights else f"{self.n_support_} supports"

    # -- copies ---------------------------------------------------------------------------------------------

    @reads
    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """What was learned: a description for JSON, and arrays."""
        native = self._fitted()
        description = {
            **self._describe(),
            "codes": self._codes.tolist(),
            "decoding": self._decoding,
            "seed": self._seed,
        }
        return description, native.save()

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        """Take up what another learner with these parameters had learned."""
        self._take_description(description)
        self._codes, self._decoding = np.array(description["codes"]), description["decoding"]
        check_codes(self._codes, self._decoding, len(self.classes_), self.multiclass)
        self._codes = self._codes.astype(np.int8)
        self._seed = stored_whole(description, "seed", 0, 2**31)
        self._take_native(arrays)
        return self


@dataclass(eq=False, repr=False, kw_only=True)
class WeightedOnlineClassifier(OnlineClassifier):
    """A learner for which an example may count more or less than others."""

    class_weight: ClassWeight = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from examples, forgetting what was learned before.

        Interrupted with Ctrl-C, the learner keeps what it has learned from the examples so far.

        Parameters
        ----------
        X : Forest, matrix, strings or Records, as the kernel takes them
        y : labels of any type
        sample_weight : array of non-negative floats, optional
            How much each example moves the function; one with weight 0 is left out.
        """
        with replacement(self) as new:
            new._fit(X, y, sample_weight)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Go on learning, with one pass over one example or many in the given order.

        The first call needs ``classes``: all labels that will ever come.
        """
        with self._lock.writing:
            return self._partial_fit(X, y, classes, sample_weight)
