"""What a structured learner needs to know about inputs and outputs: one class with few methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.models.functions import Functions
from hedgerow.models.tallies import Tally
from hedgerow.parameters import Estimator
from hedgerow.structured.answers import checked_loss
from hedgerow.structured.discriminant import Discriminant, JointFunctions, PythonOracle
from hedgerow.structured.joint_kernel import KnownPairs
from hedgerow.structured.questions import Violation
from hedgerow.structured.solver import Report, Run, Settings


@dataclass(frozen=True)
class Binding:
    """A problem bound to examples: what solvers work with."""

    oracle: _core.Oracle
    space: _core.Space
    nbytes: int = 0  # about how much memory the examples take, where somebody has counted

    @property
    def n_examples(self) -> int:
        return self.oracle.n_examples

    def weighted(self, weights: Matrix) -> Binding:
        """The same, where the constraints of each example are multiplied by its weight."""
        return replace(self, oracle=self.oracle.weighted(weights))

    def own_run(self, solver: str, settings: Settings, report: Report) -> Run | None:
        """A run of a solver that is made for the problem, if there is one."""
        return None


class Problem(Estimator):
    """Base class of structured problems; your own problem says what it can do by the methods it defines.

    Every problem defines `joint_features` or `joint_kernel`, and `compute_loss` unless it is 0-1. Where outputs can be
    listed, `candidates` is all else that is needed. Where they cannot, `argmax` makes perceptrons possible,
    `runner_up` SVMs with 0-1 loss, and `loss_augmented_argmax` those with any loss. ``__init__`` only stores
    parameters, as scikit-learn asks; what depends on the training set is set by `prepare`, in attributes whose names
    end in ``_``. A problem with a `prepare` also needs `survey` and `settle` if it is to be learned from shards, see
    `hedgerow.distributed`.

    Attributes
    ----------
    texts : bool
        Whether inputs and outputs are strings, which ``hedgerow train`` then reads from lines of both.
    rescalings : tuple of "margin" and "slack"
        Those for which `loss_augmented_argmax` is written.
    quadratic_rescalings : tuple of "margin" and "slack"
        Those for which it takes square roots of the loss too, as quadratic slacks ask.

    Examples
    --------
    Which word of a text is a name, from features of words:

    >>> from hedgerow.structured import Problem, StructuredPerceptron
    >>> class Name(Problem):
    ...     def candidates(self, x):
    ...         return x.split()
    ...
    ...     def joint_features(self, x, y):
    ...         return {0: y[0].isupper(), 1: y.endswith("s"), 2: len(y)}
    >>> X, y = ["dogs chase Tom", "Mary sings", "the cat sees Ann"], ["Tom", "Mary", "Ann"]
    >>> StructuredPerceptron(Name(), epochs=5).fit(X, y).predict(["they saw Eve"])
    ['Eve']
    """

    texts = False
    rescalings: tuple[str, ...] = ("margin", "slack")
    quadratic_rescalings: tuple[str, ...] = ("margin", "slack")
    pairs_: KnownPairs  # of problems with a joint kernel
    _classifies = False  # whether outputs are classes
    _asks_loss = True  # whether training asks compute_loss; native searches have losses of their own
    _answers_all = False  # whether native code can answer every question of a solver
    _quickest = "one-slack"  # the solver for linear slacks, unless one is named; it asks least often

    def _check_params(self) -> None:
        super()._check_params()
        native: Any = next(base for base in type(self).__mro__ if "_bind" in vars(base))
        if not self._asks_loss and type(self).compute_loss is not native.compute_loss:
            raise TypeError(
                f"compute_loss of {type(self).__name__} would not count in training: {native.__name__} searches with "
                "what its parameter loss says; give that another value, or derive from Problem and define "
                "loss_augmented_argmax too"
            )

    # -- what a problem defines -----------------------------------------------------------------------------

    def prepare(self, X: Sequence[Any], y: Sequence[Any]) -> None:
        """Look at the training examples before all else."""

    def survey(self, X: Any, y: Any) -> Any:
        """What `prepare` would learn of these examples: something small that travels, for data in shards."""
        if _defines(self, "prepare"):
            raise TypeError(
                f"{type(self).__name__} has a prepare, which looks at all examples; to learn from shards it must "
                "define survey and settle too"
            )
        if not _defines(self, "joint_features"):
            raise TypeError(f"{type(self).__name__} defines neither joint_features nor joint_kernel")

    def settle(self, surveys: Sequence[Any]) -> None:
        """Know from the surveys of all shards, in their order, what `prepare` would know of all their examples."""

    def joint_features(self, x: Any, y: Any) -> Any:
        """Psi(x, y): a dense array, a scipy sparse row, or a dict from indices to values."""
        raise NotImplementedError(f"{type(self).__name__} has no joint_features")

    def joint_kernel(self, x: Any, y: Any, x2: Any, y2: Any) -> float:
        """Psi(x, y) . Psi(x2, y2), in place of `joint_features`."""
        raise NotImplementedError(f"{type(self).__name__} has no joint_kernel")

    def compute_loss(self, y_true: Any, y: Any) -> float:
        """How bad it is to predict y; 0 for the true output."""
        return 0.0 if self.same(y_true, y) else 1.0

    def compute_losses(self, y_true: Sequence[Any], y_pred: Sequence[Any]) -> Matrix:
        """The loss of each prediction."""
        return np.array([self.compute_loss(*pair) for pair in zip(y_true, y_pred, strict=True)])

    def mean_loss(self, y_true: Sequence[Any], y_pred: Sequence[Any]) -> float:
        """The mean loss of predictions."""
        return float(np.mean(self.compute_losses(y_true, y_pred)))

    def candidates(self, x: Any) -> Iterable[Any]:
        """All outputs that an input may have."""
        if _defines(self, "_decode"):
            raise NotImplementedError(
                f"{type(self).__name__} does not list outputs, which native code searches: see argmax and runner_up, "
                "and predict and predict_k of learners"
            )
        raise NotImplementedError(f"{type(self).__name__} has neither candidates nor a search of its own")

    def argmax(self, x: Any, F: Discriminant) -> Any:
        """The output with the highest score."""
        if self._searches_natively:
            return self._decode([x], F.weights, 1)[0]
        return max(self.candidates(x), key=lambda y: F(x, y))

    def runner_up(self, x: Any, y_true: Any, F: Discriminant) -> Any:
        """The output with the highest score among all but y_true; y_true when there is no other."""
        if self._searches_natively:
            two = [y for y, _ in self._decode_k([x], F.weights, 2, 1)[0]]
            return next((y for y in two if not self.same(y, y_true)), y_true)
        others = [y for y in self.candidates(x) if not self.same(y, y_true)]
        return max(others, key=lambda y: F(x, y)) if others else y_true

    def loss_augmented_argmax(self, x: Any, y_true: Any, F: Discriminant, violation: Violation) -> Any:
        """The output with the largest ``violation(loss, margin)``, where margin is F(x, y_true) - F(x, y)."""
        score = F(x, y_true)

        def height(y: Any) -> float:
            return violation(checked_loss(self.compute_loss(y_true, y), y), score - F(x, y))

        return max(self.candidates(x), key=height)

    def same(self, y: Any, z: Any) -> bool:
        """Whether two outputs are one."""
        if isinstance(y, np.ndarray) or isinstance(z, np.ndarray):
            return np.array_equal(y, z)
        return bool(y == z)

    def accuracy(self, y_true: Sequence[Any], y_pred: Sequence[Any]) -> float:
        """What ``score`` of a learner reports: here the share of outputs without a fault."""
        return float(np.mean([self.same(a, b) for a, b in zip(y_true, y_pred, strict=True)]))

    def tally(self) -> Tally:
        """An empty tally: what counts predictions for evaluations."""
        return OutputTally(self)

    # -- what learners use; problems with native code replace these -------------------------------------------

    def _bind(self, X: Any, y: Any, first: bool) -> Binding:
        """Bind to training examples; the first ones say what labels and features there are.

        With ``first=False`` more examples have come, for `partial_fit`: the oracle is over these alone, and weights
        of earlier ones keep their places. New features come after all old ones. Where there is a kernel, the space is
        over old and new items, new ones last; a problem that cannot do that says so by a ValueError.
        """
        X, y = list(X), list(y)
        check_lengths(X, y)
        if first:
            self._check_params()
            if self._has_kernel:
                self.pairs_ = KnownPairs()
            elif not _defines(self, "joint_features"):
                raise TypeError(f"{type(self).__name__} defines neither joint_features nor joint_kernel")
            self.prepare(X, y)
        return Binding(PythonOracle(self, X, y).native(), _core.Space.plain())

    def _undo(self) -> Callable[[], None]:
        """What takes back all that the problem knows after now, as far as it is more than what weights say."""
        return lambda: None

    def _decode(self, X: Any, weights: Matrix, threads: int) -> Any:
        """Predictions; weights are coordinates in the space of the binding."""
        F = Discriminant(self, weights)
        return [self.argmax(x, F) for x in X]

    def _decode_k(self, X: Any, weights: Matrix, k: int, threads: int) -> list[list[tuple[Any, float]]]:
        """The k best outputs of each input with their scores, best first."""
        if not _defines(self, "candidates"):
            raise TypeError(f"{type(self).__name__} has no candidates to rank")
        F = Discriminant(self, weights)
        scored = ([(y, F(x, y)) for y in self.candidates(x)] for x in X)
        return [sorted(pairs, key=lambda pair: -pair[1])[:k] for pairs in scored]

    @property
    def _searches_natively(self) -> bool:
        """Whether outputs are not listed, or have scores by native code only."""
        listed = _defines(self, "candidates") and self._kernel_in_use() is None
        return _defines(self, "_decode") and not listed

    @property
    def _has_kernel(self) -> bool:
        return _defines(self, "joint_kernel") and not _defines(self, "joint_features")

    def _kernel_in_use(self) -> str | None:
        """The name of the kernel that stands in place of features, if there is one."""
        if self._has_kernel:
            return "joint_kernel"
        return None if getattr(self, "kernel", None) is None else "kernel"

    def _supports(self, search: str, root: bool) -> bool:
        """Whether the problem can answer a question of a solver, see `questions`."""
        if self._answers_all or _defines(self, "candidates"):
            return True
        if search == "best":
            return _defines(self, "argmax")
        if search == "best_wrong":
            return _defines(self, "runner_up")
        known = self.quadratic_rescalings if root else self.rescalings
        return _defines(self, "loss_augmented_argmax") and search in known

    def _functions(self, learner: Any) -> Functions:
        """What the scores by a learner of this problem are made of."""
        if self._kernel_in_use() is not None:
            raise TypeError(
                f"a {type(self).__name__} with a kernel scores by kernel values, which have no features to list; "
                "fragments are of classifiers on tree kernels"
            )
        return JointFunctions(self, learner.coef_, learner.predict)

    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """What `_bind` has learned of the training set: a description for JSON, and arrays."""
        if self._has_kernel:
            raise TypeError(f"a {type(self).__name__} cannot be saved in a model file (pickle can save it)")
        return {name: value for name, value in vars(self).items() if _is_fitted(name)}, {}

    def _final_state(self, weights: Matrix) -> tuple[dict[str, Any], dict[str, Matrix], Any]:
        """The same without what weights of 0 belong to, and which weights are left: an index of them."""
        return *self._to_state(), slice(None)

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
        self._check_params()
        for name, value in description.items():
            if not _is_fitted(name):
                raise ValueError(f"{name} is not an attribute that prepare sets")
            setattr(self, name, value)

    def _n_weights(self) -> int | None:
        """How many weights learners have; None where features may be numbered anyhow."""
        return None


class OutputTally(Tally):
    """Of outputs of any kind: the accuracy as their problem has it, a mean over examples."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.right = 0.0

    def add(self, X: Any, true: Any, predicted: Any) -> None:
        self.right += len(predicted) * self.problem.accuracy(true, predicted)
        self.n += len(predicted)

    def update(self, other: Self) -> None:
        self.right += other.right
        self.n += other.n

    def figures(self) -> dict[str, Any]:
        accuracy = self.right / self.n
        return {"examples": self.n, "accuracy": accuracy, "f1": accuracy}


def ranked(outputs: Sequence[Any], scores: Matrix, k: int) -> list[tuple[Any, float]]:
    """The k outputs with the highest scores, and these; of equal ones the first comes first."""
    order = np.argsort(-scores, kind="stable")[:k].tolist()
    return [(outputs[place], float(scores[place])) for place in order]


def check_lengths(X: Sequence[Any], y: Sequence[Any]) -> None:
    if len(X) != len(y):
        raise ValueError(f"there are {len(X)} inputs, but {len(y)} outputs")
    if not len(X):
        raise ValueError("there are no examples to learn from")


def _is_fitted(name: str) -> bool:
    """Whether this is the name of an attribute that `prepare` sets."""
    return name.isidentifier() and name.endswith("_") and not name.startswith("_")


def _defines(problem: Problem, method: str) -> bool:
    return getattr(type(problem), method) is not getattr(Problem, method)
