"""The structured perceptron, plain and averaged, and its passive-aggressive sisters."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

import numpy as np
import scipy.sparse

from hedgerow import _core
from hedgerow.checks import Count, Positive, as_random_state
from hedgerow.kernels.base import Matrix
from hedgerow.locks import reads, replacement, writes
from hedgerow.models.annotations import RandomState
from hedgerow.models.native_estimator import above, below
from hedgerow.models.stored import stored, stored_whole
from hedgerow.models.trace import Trace
from hedgerow.models.watching import in_parts, tell
from hedgerow.parameters import check_unused
from hedgerow.structured.learner import StructuredLearner
from hedgerow.structured.problem import Binding, Problem

TRACE = ("examples", "mistakes", "loss", "seconds")
DUAL = ("coefficients", "examples", "begins", "indices", "values")


@dataclass(eq=False, repr=False, kw_only=True)
class StructuredPerceptron(StructuredLearner):
    """The structured perceptron: after a wrong prediction, it adds the features of the true output.

    ``w += Psi(x, y) - Psi(x, y')`` for the predicted ``y'``. Where the problem has a kernel on inputs this is the dual
    perceptron: coefficients of training items count their updates.

    Parameters
    ----------
    problem : Problem
    averaging : {None, "average"}, default=None
        What predictions come from: the last predictor, or the mean of the predictors after each example.
    dual : bool, default=False
        Whether to keep the dual view too: how often each wrong output of each example made an update.
    epochs : int, default=1
        Passes over the data in `fit`.
    shuffle : bool, default=False
        Whether each pass visits the examples in a new random order.
    random_state : int, RandomState or None, default=None
        Makes shuffling repeatable.
    variant : {"perceptron", "PA", "PA-I", "PA-II"}, default="perceptron"
        How far a mistake moves the weights. A passive-aggressive update goes as far as gives the true output a
        lead of the root of the loss; those of "PA-I" are at most ``C``, those of "PA-II" are shortened by ``C``.
    C : float, default=1.0
        How aggressive "PA-I" and "PA-II" are.
    n_jobs : int or None, default=None
        Threads for prediction; see `hedgerow.set_n_jobs`.

    Attributes
    ----------
    problem_, coef_ : as for `StructuredSVM`
    mistakes_, n_updates_, n_seen_, trace_ : how it did while it learned
    dual_coef_, support_, support_vectors_ : the dual view, with ``dual``

    References
    ----------
    M. Collins: Discriminative training methods for hidden Markov models, EMNLP 2002. K. Crammer, O. Dekel,
    J. Keshet, S. Shalev-Shwartz, Y. Singer: Online passive-aggressive algorithms, JMLR 7, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.structured import Problem, StructuredPerceptron
    >>> class Colours(Problem):  # the class of a vector
    ...     def joint_features(self, x, y):
    ...         return {2 * "rgb".index(y) + j: value for j, value in enumerate(x)}
    ...     def candidates(self, x):
    ...         return "rgb"
    >>> X, y = [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]], ["r", "g", "b"]
    >>> model = StructuredPerceptron(Colours(), epochs=3, averaging="average").fit(X, y)
    >>> model.predict([[2.0, 0.5]]), model.mistakes_
    (['r'], 2)
    """

    _random_with: ClassVar = {"shuffle": (True,)}

    problem: Problem | None = field(default=None, kw_only=False)
    averaging: Literal["average"] | None = None
    dual: bool = False
    epochs: Count = 1
    shuffle: bool = False
    random_state: RandomState = None
    variant: Literal["perceptron", "PA", "PA-I", "PA-II"] = "perceptron"
    C: Positive = 1.0
    n_jobs: int | None = None

    # -- learning -------------------------------------------------------------------------------------------

    def _sharding(self) -> str:
        """How `hedgerow.distributed` makes it learn from shards; raises ValueError where its parameters forbid that."""
        if self.dual:
            raise ValueError(
                "dual=True is for learning on one machine: weights are mixed, and have no dual view"
            )
        return "structured-weights"

    def _how_far(self) -> str | None:
        seen = getattr(self, "n_seen_", 0)
        return f"{seen} examples" if seen else None

    def _outcome(self) -> str:
        """What came of learning."""
        return f"{self.mistakes_} mistakes in {self.n_seen_} predictions while learning"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from inputs and outputs, as the problem takes them, forgetting what was learned before.

        Interrupted with Ctrl-C, it keeps what it has learned so far.

        Parameters
        ----------
        X, y : inputs and outputs
        sample_weight : array of non-negative floats, optional
            How far a mistake at each example moves the weights; with "PA-I" and "PA-II" it multiplies C. One with
            weight 0 is left out.
        """
        with replacement(self) as new:
            new._fit(X, y, sample_weight)
        return self

    def _weigh(self, binding: Binding, y: Any, sample_weight: Any) -> Binding:
        if self.variant == "PA" and sample_weight is not None:
            raise ValueError("sample_weight has no effect with variant='PA'; 'PA-I' and 'PA-II' take it")
        return self._weighted(binding, y, sample_weight)

    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> None:
        self._check_params()
        random_state = as_random_state(self.random_state)
        binding = self._weigh(self._start(X, y), y, sample_weight)
        self._begin(binding.space, binding.oracle.n_features)
        n = binding.oracle.n_examples
        for _ in range(self.epochs):
            order = random_state.permutation(n) if self.shuffle else np.arange(n)
            self._learn(binding, order.astype(np.int64), 0, n * self.epochs)

    @writes
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Go on learning, with one pass over one example or many in the given order.

        The first call decides what labels there are, unless the problem has been told, here by ``classes``.
        """
        self._check_resumable()
        self._check_params()
        with self._all_or_nothing():
            self._go_on(X, y, classes, sample_weight)
        return self

    def _go_on(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> None:
        if not hasattr(self, "_learned"):
            binding = self._start(X, y, self._problem_with(classes))
            self._begin(binding.space, binding.oracle.n_features)
        else:
            self._check_told(classes)
            self._check_columns(X)
            binding = self.problem_._bind(X, y, False)
            self._learned.move_to(binding.space, binding.oracle.n_features)
        binding = self._weigh(binding, y, sample_weight)
        before = self._learned.seen
        try:
            self._learn(binding, np.arange(binding.oracle.n_examples), self._n_examples)
        finally:
            self._n_examples += self._learned.seen - before

    def _n_learned(self) -> int:
        return self._learned.seen if hasattr(self, "_learned") else 0

    def _undo(self) -> Callable[[], None]:
        undo_problem = super()._undo()
        if not hasattr(self, "_learned"):
            return undo_problem
        native, size = self._learned, self._learned.n_coordinates

        def undo() -> None:
            undo_problem()
            native.move_back(size)

        return undo

    def _check_params(self) -> None:
        super()._check_params()
        if self.variant in ("perceptron", "PA"):
            check_unused(self, f"with variant={self.variant!r}", "C")
        problem = self._make_problem()
        if "rivals" in problem._get_param_names():
            check_unused(problem, "with perceptrons, which look at what is predicted", "rivals")

    def _begin(self, space: _core.Space, size: int) -> None:
        if not self.problem_._supports("best", False):
            raise ValueError(f"{type(self.problem_).__name__} must define argmax or candidates")
        self._coef: Matrix | None = None
        self._n_examples = 0
        self._trace: dict[str, list[float]] = {name: [] for name in TRACE}
        self._learned = _core.StructuredPerceptron(space, size, self.variant, float(self.C), self.dual)

    def _learn(self, binding: Binding, order: Matrix, offset: int, total: int = 0) -> None:
        """One pass, recorded at powers of two."""
        learned = self._learned
        spent = self._trace["seconds"][-1] if self._trace["seconds"] else 0.0
        start = time.perf_counter()
        self._coef = None
        for piece in _pieces(order, learned.seen):
            before = learned.seen
            try:
                for part in in_parts(self, piece):
                    learned.learn(binding.oracle, part, offset)
                    tell(self, f"{learned.seen:,} of {total:,} examples")
            finally:
                if learned.seen > before:
                    figures = (
                        learned.seen,
                        learned.mistakes,
                        learned.loss / learned.seen,
                        spent + time.perf_counter() - start,
                    )
                    for name, figure in zip(TRACE, figures, strict=True):
                        self._trace[name].append(figure)

    # -- what was learned -----------------------------------------------------------------------------------

    def _native(self) -> _core.StructuredPerceptron:
        if not hasattr(self, "_learned"):
            # AttributeError, so that there is no such attribute before fit, as scikit-learn has it.
            raise AttributeError(f"this {type(self).__name__} is not fitted yet; call fit first")
        return self._learned

    @property
    @reads
    def coef_(self) -> Matrix:  # type: ignore[override]  # made when asked for: streams change it often
        """The weights that predict."""
        native = self._native()
        if self._coef is None:
            self._coef = native.average() if self.averaging == "average" else native.coordinates()
        return self._coef

    @property
    def mistakes_(self) -> int:
        """Wrong predictions while learning, each before the example was learned from."""
        return self._native().mistakes

    @property
    def n_updates_(self) -> int:
        """How often the weights moved."""
        return self._native().updates

    @property
    def n_seen_(self) -> int:
        """Number of examples seen, each once for every pass."""
        return self._native().seen

    @property
    @reads
    def trace_(self) -> Trace:
        """How it did whenever the number of examples was a power of two, and after every pass.

        ``examples`` seen, ``mistakes`` and mean ``loss`` of the predictions so far, ``seconds`` spent learning.
        """
        self._native()
        return Trace(self._trace)

    @property
    def dual_coef_(self) -> Matrix:
        """How much each candidate that made an update has counted, with perceptron updates how often."""
        return self._dual()[0]

    @property
    def support_(self) -> Matrix:
        """The examples of these candidates, numbered in order of arrival."""
        return self._dual()[1]

    @property
    @reads
    def support_vectors_(self) -> Any:
        """``Psi(x, y) - Psi(x, y')`` of these candidates: the last weights are ``dual_coef_ @ support_vectors_``."""
        coefficients, _, begins, indices, values = self._dual()
        shape = (len(coefficients), len(self._native().coordinates()))
        return scipy.sparse.csr_array((values, indices, begins), shape=shape)

    def _dual(self) -> tuple[Matrix, ...]:
        native = self._native()
        if not self.dual:
            raise AttributeError("the dual view is kept with dual=True only")
        return native.dual_counts()

    # -- copies ---------------------------------------------------------------------------------------------

    @reads
    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        if "_learned" in state:
            state = {**state, "_learned": self._learned_state()}
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        learned = state.pop("_learned", None)
        super().__setstate__(state)
        if learned is not None:
            self._take_learned(*learned)

    def _learned_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """All that learning continues from, but for the problem."""
        native = self._native()
        description = {name: getattr(native, name) for name in ("seen", "mistakes", "updates", "loss")}
        description["examples"] = self._n_examples
        arrays = {"coordinates": native.coordinates(), "late": native.late()}
        arrays |= above("trace.", vars(self.trace_))
        if self.dual:
            arrays |= above("dual.", dict(zip(DUAL, native.dual_counts(), strict=True)))
        return description, arrays

    def _learned_weights(self, coef: Matrix) -> tuple[dict[str, Any], dict[str, Matrix]]:
        description, arrays = self._learned_state()
        return description, {**arrays, "coordinates": coef, "late": np.zeros(0)}

    def _final_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        # The dual view has the numbers of all features.
        return self._to_state() if self.dual else super()._final_state()

    def _take_learned(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
        # Where there is a kernel, `partial_fit` moves to its space.
        native = _core.StructuredPerceptron(_core.Space.plain(), 0, self.variant, float(self.C), self.dual)
        coordinates = stored(arrays, "coordinates", np.float64, None)
        late = stored(arrays, "late", np.float64, None)
        native.resume(coordinates, late, stored_whole(description, "seen"))
        native.mistakes = stored_whole(description, "mistakes")
        native.updates = stored_whole(description, "updates")
        native.loss = float(description["loss"])
        if self.dual:
            dual = below("dual.", arrays)
            indices = stored(dual, "indices", np.int32, None)
            if len(indices) and not 0 <= indices.min() <= indices.max() < len(coordinates):
                raise ValueError("dual.indices is out of range")
            native.resume_dual(*(dual[name] for name in DUAL))
        self._learned, self._coef = native, None
        self._n_examples = stored_whole(description, "examples")
        trace = Trace({name: arrays[f"trace.{name}"] for name in TRACE})
        self._trace = {name: getattr(trace, name).tolist() for name in TRACE}


def _pieces(order: Matrix, seen: int) -> Iterator[Matrix]:
    """The order, cut where the number of examples seen becomes a power of two."""
    begin = 0
    while begin < len(order):
        end = min(len(order), (1 << (seen + begin).bit_length()) - seen)
        yield order[begin:end]
        begin = end
