"""What all online learners share: data in, a native learner inside, scikit-learn outside."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np

from hedgerow import _core
from hedgerow.checks import Count, as_random_state
from hedgerow.kernels.base import Matrix
from hedgerow.locks import reads, replacement, writes
from hedgerow.models.annotations import ClassWeight, Multiclass, Probability, RandomState
from hedgerow.models.codes import by_class, check_codes, code_matrix
from hedgerow.models.example_weights import example_weights
from hedgerow.models.functions import VOTES
from hedgerow.models.kernel_classifier import KernelClassifier
from hedgerow.models.labels import encode, find_classes, winners
from hedgerow.models.native_estimator import NativeEstimator
from hedgerow.models.probabilities import HeldOut, cross_validated
from hedgerow.models.stored import stored_whole
from hedgerow.models.trace import Trace
from hedgerow.models.watching import in_parts, tell
from hedgerow.online.label_order import LabelOrder
from hedgerow.online.open_classes import codes_of, is_open, origins, spans
from hedgerow.parameters import check_unused
from hedgerow.threads import resolve

# Loss and bound of one pass: from hinge losses of a reference, which examples were mistakes, the reference's norm, the
# largest norm of an example, how much more the reference is than the learner by l1 norms.
BoundFormula: TypeAlias = Callable[[Matrix, Matrix, float, float, float], tuple[float, float]]

# Scores before examples are learned from: all as they are, or in place of votes on weights those of the last predictor.
Foresight: TypeAlias = Literal["exact", "fast"] | None


class Recorded(NativeEstimator):
    """A learner that counts what it has seen and got wrong, and records that now and then."""

    epochs: int
    shuffle: bool
    trace_every: int | None
    _counted: ClassVar[str] = "examples"
    # Parameters, each with the values that make random_state matter.
    _random_with: ClassVar[Mapping[str, tuple[Any, ...]]] = {"shuffle": (True,)}
    _columns: ClassVar[tuple[str, ...]] = (
        "examples",
        "mistakes",
        "errors",
        "updates",
        "support",
        "l1_norm",
        "seconds",
    )

    def _orders(self, n: int, random_state: Any) -> list[Matrix]:
        """In which passes go through n examples; nothing for one pass in the given order."""
        if self.shuffle:
            return [random_state.permutation(n).astype(np.int64) for _ in range(self.epochs)]
        return [np.arange(n)] * self.epochs if self.epochs > 1 else []

    def _mistake_bound(self) -> BoundFormula | None:
        """How many mistakes theory allows for with these parameters; None if it is not known."""
        return None

    @property
    def mistakes_(self) -> int:
        """How many the last predictor got wrong while learning, each before the model learned from it."""
        return int(self._fitted().mistakes)

    @property
    def updates_(self) -> int:
        """How often a function was changed by an example."""
        return int(self._fitted().updates)

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

    def _how_far(self) -> str | None:
        """How far learning has come; None before its beginning."""
        seen = getattr(self, "n_seen_", 0)
        return f"{seen} {self._counted}" if seen else None

    def _outcome(self) -> str:
        """What came of learning."""
        size = f"{self.n_nonzero_} weights" if self._on_weights else f"{self.n_support_} supports"
        return f"{self.mistakes_} mistakes, {size}"


@dataclass(eq=False, repr=False, kw_only=True)
class OnlineClassifier(Recorded, KernelClassifier):
    """A learner that sees one example at a time: classes, passes, traces, state.

    The functions that it learns are expansions over supports (`KernelLearner`), weights of features (`LinearLearner`),
    or either (`TwoFormLearner`). A subclass of these declares parameters of its own as fields and implements `_rule`,
    which gives the native rule; see CONTRIBUTING for how to write one.
    """

    averaging: Literal["average", "vote", "normalized"] | None = None
    counting: Literal["examples", "correct"] = "examples"
    epochs: Count = 1
    shuffle: bool = False
    random_state: RandomState = None
    multiclass: Multiclass = "one-vs-rest"
    probability: Probability = None
    trace_every: Count | None = None
    n_jobs: int | None = None

    _rule_name: ClassVar[str]  # of the native rule
    _learns_jointly: ClassVar[bool] = False  # whether one update may change the functions of two classes
    _columns = ("examples", "mistakes", "errors", "updates", "f1", "support", "l1_norm", "seconds")
    _changing: ClassVar[tuple[str, ...]] = ("_label_order",)
    _random_with: ClassVar = {**Recorded._random_with, "multiclass": ("codes",)}

    def _check_params(self) -> None:
        super()._check_params()
        if self.averaging is None:
            check_unused(self, "without averaging", "counting")
        if self.multiclass == "direct":
            self._check_direct()
        if self.counting == "correct" and not self._leaves_correct:
            raise ValueError(
                "counting='correct' needs a learner that correct examples leave as it is, but this one changes with "
                "every example; use update='mistakes' where there is one, or counting='examples'"
            )

    def _check_direct(self) -> None:
        if not self._learns_jointly:
            raise ValueError(
                "multiclass='direct' is for Perceptron, PassiveAggressive and AROW: functions of "
                f"{type(self).__name__} learn one by one"
            )
        if self.averaging not in (None, "average"):
            raise ValueError(
                f"averaging={self.averaging!r} cannot be combined with multiclass='direct', whose functions mean "
                "something only beside each other: their signs and norms do not; use None or 'average'"
            )

    @property
    def _leaves_correct(self) -> bool:
        """Whether examples that are predicted well change nothing."""
        return True

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

        Interrupted with Ctrl-C, the learner keeps what it has learned so far.

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

        The first call needs ``classes``: all labels that will ever come, or ``"open"``. Then new classes may come at
        any time, each with a function that begins with its first example and learns nothing from those before it.
        Such a learner has one function, and one column of `decision_function`, for every class, even if there are one
        or two; ``multiclass`` must be "one-vs-rest".

        An example whose numbers are too large to learn from (K(x, x), or the squared length of a vector, above
        1e140; weights that would leave the model with numbers above 1e150) is refused with its number. Then, as after
        any exception or Ctrl-C, the learner has learned from all examples before it, and from nothing else.
        """
        with self._lock.writing:
            self._partial_fit(X, y, classes, None)
        return self

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:
        items = self._start(X)
        classes, labels = find_classes(y, len(items))
        random_state = as_random_state(self.random_state)
        native = self._new_native(classes, random_state)
        orders = self._orders(len(items), random_state)
        self.classes_, self._native = classes, native
        weights = self._example_weights(labels, sample_weight)
        if not self.shuffle:
            LabelOrder(len(classes)).meet(labels)
        total = len(items) * self.epochs
        # All in one call, in which examples that come again are known to be the same.
        parts = [part for order in orders or [np.arange(len(items))] for part in in_parts(self, order)]
        native.learn(
            items, labels, weights, parts, after_pass=lambda n: tell(self, f"{n:,} of {total:,} examples")
        )
        if self.probability is not None:
            self._held_out = self._cross_validated(items, labels, weights, random_state)

    def _cross_validated(
        self, items: _core.Items, labels: Matrix, weights: Matrix | None, random_state: Any
    ) -> HeldOut:
        """Scores of all examples, by learners of the same kind that have learned from others."""

        def score(learned: Matrix, held: Matrix) -> Matrix:
            native = self._make_native()
            some = None if weights is None else weights[learned]
            orders = self._orders(len(learned), random_state)
            native.learn(items.select(learned), labels[learned], some, orders)
            single = self.precision == "single"
            return native.decisions(items.select(held), resolve(self.n_jobs), single)

        counted = np.ones(len(labels)) if weights is None else weights
        return cross_validated(self.probability or "", labels, counted, score)

    @writes
    def _predict_then_learn(self, X: Any, y: Any, classes: Any = None, fast: bool = False) -> Matrix:
        """`partial_fit`; returns what `predict` would have said of each example just before the model learned from it.

        Votes on weights take quadratic time for that; if it has to be fast, it is what the last predictor says.
        """
        foreseen = self._partial_fit(X, y, classes, None, "fast" if fast else "exact")
        assert foreseen is not None
        chosen: Matrix = self.classes_[winners(foreseen)]
        return chosen

    def _partial_fit(
        self, X: Any, y: Any, classes: Any, sample_weight: Any, foresees: Foresight = None
    ) -> Matrix | None:
        """Goes on learning; returns, if that is wanted, the scores of each example before the model learned from it."""
        self._check_resumable()
        if self._precomputed:
            raise ValueError(
                "partial_fit needs a kernel: with kernel='precomputed' only fit has the values between examples"
            )
        if isinstance(self.class_weight, str):
            raise ValueError(
                "class_weight='balanced' is for fit, which knows all examples; partial_fit takes a dict from classes "
                "to weights"
            )
        if not hasattr(self, "_native"):
            if classes is None:
                raise ValueError(
                    "classes must be given in the first call of partial_fit: all labels that will come, or 'open'"
                )
            items = self._start(X)
            if is_open(classes):
                return self._learn_open(items, y, sample_weight, foresees)
            self.classes_, _ = find_classes(classes, None)
            native = self._new_native(self.classes_, as_random_state(self.random_state))
        else:
            native = self._native
            items = self._more(X)
            if self._open_classes and (classes is None or is_open(classes)):
                return self._learn_open(items, y, sample_weight, foresees)
            if classes is not None and not np.array_equal(np.unique(np.asarray(classes)), self.classes_):
                raise ValueError(f"classes must be those of the first call, {self.classes_}, got {classes}")
        hint = "; for classes that are not known beforehand begin with partial_fit(X, y, classes='open')"
        labels = encode(y, self.classes_, len(items), hint)
        weights = self._example_weights(labels, sample_weight)
        self._native = native
        self.__dict__.setdefault("_label_order", LabelOrder(len(self.classes_))).meet(labels)
        return self._learn(items, labels, weights, foresees)

    def _learn(
        self, items: _core.Items, labels: Matrix, weights: Matrix | None, foresees: Foresight
    ) -> Matrix | None:
        """One pass; returns the scores of classes that each example had before, if they are wanted."""
        native, foreseen = self._native, None
        if foresees or self.probability is not None:
            outputs = 1 if self._decoding == "binary" else len(self.classes_)
            foreseen = np.zeros(len(items) if outputs == 1 else (len(items), outputs))
        n_before = native.seen
        try:
            out = None if foreseen is None else foreseen.ravel()
            # Probabilities follow from the scores that predictions have, votes too.
            votes = foresees == "exact" or self.probability is not None
            native.learn(items, labels, weights, [], out, votes)
        finally:
            self._remember_new_features()
            if self.probability is not None and foreseen is not None:
                self._hold_out(foreseen, labels, weights, native.seen - n_before)
        return foreseen

    def _hold_out(self, foreseen: Matrix, labels: Matrix, weights: Matrix | None, n_learned: int) -> None:
        """Keep the scores of the examples that were learned from, which they had before."""
        counted = np.arange(n_learned) if weights is None else np.flatnonzero(weights[:n_learned])
        scores, labels = foreseen[counted], labels[counted]
        nothing = HeldOut.of(self.probability or "", scores[:0], labels[:0])
        held_out: HeldOut = getattr(self, "_held_out", nothing)
        self._held_out = held_out.then(scores, labels, self.n_seen_)

    def _learn_open(
        self, items: _core.Items, y: Any, sample_weight: Any, foresees: Foresight
    ) -> Matrix | None:
        """A pass in which new classes get functions of their own; before, their scores are -inf."""
        self._check_open()
        if not hasattr(self, "_native"):
            self.classes_ = np.empty(0)
        weights = self._example_weights(np.zeros(len(items), dtype=np.int32), sample_weight)
        stretches = list(spans(y, self.classes_, len(items)))
        foreseen = np.full((len(items), len(stretches[-1][2])), -np.inf) if foresees else None
        for begin, end, classes in stretches:
            self._open_for(classes)
            labels = encode(y[begin:end], classes, end - begin)
            some = items.select(np.arange(begin, end))
            scores = self._learn(some, labels, None if weights is None else weights[begin:end], foresees)
            if foreseen is not None and scores is not None:
                places = np.searchsorted(stretches[-1][2], classes)
                foreseen[begin:end, places] = scores.reshape(end - begin, -1)
        return foreseen

    def _open_for(self, classes: Matrix) -> None:
        """Give every class a function."""
        if not hasattr(self, "_native"):
            self._open_classes = True
            native = self._new_native(classes, as_random_state(self.random_state))
            self.classes_, self._native = classes, native
        elif len(classes) > len(self.classes_):
            self._codes, self._decoding = codes_of(len(classes))
            self._native.rearrange(self._codes, self._decoding, origins(classes, self.classes_))
            self.classes_ = classes

    def _check_open(self) -> None:
        if self.multiclass != "one-vs-rest":
            raise ValueError(f"classes='open' needs multiclass='one-vs-rest', got {self.multiclass!r}")
        if self.probability is not None:
            raise ValueError(
                "probability needs to know the classes, so it cannot be combined with classes='open'"
            )
        if self.class_weight is not None:
            raise ValueError(
                "class_weight needs to know the classes, so it cannot be combined with classes='open'"
            )

    def _example_weights(self, labels: Matrix, sample_weight: Any) -> Matrix | None:
        """How much each example counts; None if all count the same."""
        return example_weights(self.classes_, labels, sample_weight, self.class_weight)

    def _new_native(self, classes: Matrix, random_state: Any) -> _core.Learner:
        codes = codes_of(len(classes)) if self._open_classes else None
        self._codes, self._decoding = codes or code_matrix(len(classes), self.multiclass, random_state)
        drawn = int(random_state.randint(2**31 - 1))
        # Files of the same model are the same where the rule draws nothing.
        self._seed = 0 if self._random_with else drawn
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
        self._check_shardable()
        if not self._on_weights:
            return "in-turn"
        if self.averaging == "vote":
            raise ValueError(
                "averaging must not be 'vote' for learning from shards: votes need all predictors, and those of "
                "different shards belong to no one sequence"
            )
        if self.trace_every is not None:
            raise ValueError("trace_every must be None for learning from shards: a trace follows one learner")
        return "weights"

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
        if self._open_classes:
            description["open_classes"] = True
        return description, native.save() | self._held_out_arrays()

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        """Take up what another learner with these parameters had learned."""
        self._take_description(description)
        self._codes, self._decoding = np.array(description["codes"]), description["decoding"]
        if self._open_classes:
            expected, decoding = codes_of(len(self.classes_))
            if self._decoding != decoding or not np.array_equal(self._codes, expected):
                raise ValueError("codes must be those of open classes")
        else:
            check_codes(self._codes, self._decoding, len(self.classes_), self.multiclass)
        self._codes = self._codes.astype(np.int8)
        self._seed = stored_whole(description, "seed", 0, 2**31)
        self._take_native(self._take_held_out(arrays))
        return self


@dataclass(eq=False, repr=False, kw_only=True)
class WeightedOnlineClassifier(OnlineClassifier):
    """A learner for which an example may count more or less than others."""

    class_weight: ClassWeight = None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from examples, forgetting what was learned before.

        Interrupted with Ctrl-C, the learner keeps what it has learned so far.

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

        The first call needs ``classes``: all labels that will ever come, or ``"open"``. Then new classes may come at
        any time, each with a function that begins with its first example and learns nothing from those before it.
        Such a learner has one function, and one column of `decision_function`, for every class, even if there are one
        or two; ``multiclass`` must be "one-vs-rest".
        """
        with self._lock.writing:
            self._partial_fit(X, y, classes, sample_weight)
        return self
