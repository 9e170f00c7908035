"""Mapping strings to strings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import clone

from hedgerow import _core
from hedgerow.kernels import Normalized, Subsequence
from hedgerow.kernels.base import Kernel, Matrix, inverse_root
from hedgerow.kernels.precomputed import check_kernel
from hedgerow.kernels.rows import sparse_to_items
from hedgerow.models.native_estimator import above, below
from hedgerow.models.stored import stored
from hedgerow.structured.classes import canonical
from hedgerow.structured.kernel_items import Factor, KernelItems, check_gram
from hedgerow.structured.losses import LossFunction, check_losses, edit_distance, edit_distances
from hedgerow.structured.pair_run import PairRun
from hedgerow.structured.problem import Binding, Problem, check_lengths, ranked
from hedgerow.structured.solver import Report, Run, Settings

LOSSES = ("kernel", "edit", "zero-one")


class StringMapping(Problem):
    """Outputs that are strings, for inputs that are strings: a kernel for each, and their product.

    Two pairs share K(x, x') L(y, y'): the joint occurrence of a subsequence of the input and one of the output is a
    feature. Outputs cannot be listed, so candidates are needed: all outputs of the training examples, or what a
    function proposes for an input.

    Parameters
    ----------
    input_kernel, output_kernel : Kernel, optional
        K and L, by default ``Normalized(Subsequence())``. Inputs and outputs are what they take: strings or lists of
        tokens, and anything else that can be told apart by ``==``, for inputs anything at all.
    candidates : callable, optional
        Takes an input and gives a list of outputs. In training the true output joins the list if it is missing.
    loss : {"kernel", "edit", "zero-one"} or callable, default="kernel"
        What a wrong output costs. "kernel": 1 - L(y, y'), with L normalised; "edit": the edit distance; a callable
        takes a true and another output.

    Attributes
    ----------
    outputs_ : list
        The distinct outputs met in training.
    items_ : the training inputs
    factor_ : features of outputs whose products are L
    coef_pairs_ : tuple of arrays, or None
        Numbers of the training inputs and outputs that the weights of a learner are coefficients of.

    Notes
    -----
    By the n-slack algorithm, the default, F(x, y) is a sum of K(x_i, x) L(y_j, y) over the pairs (i, j) of constraints
    that are kept: thousands of pairs of strings take seconds, and memory for the kernel values between inputs and
    between outputs. Other solvers, perceptrons and hard margins use features of outputs, coordinates in the space of L
    that the outputs of training span. They are exact, for new candidates too, since what is learned lies in that space,
    but take memory for the product of the numbers of inputs and of distinct outputs.

    References
    ----------
    I. Tsochantaridis: Support vector machine learning for interdependent and structured output spaces, 2005,
    section 4.6.

    Examples
    --------
    >>> from hedgerow.kernels import Normalized, Spectrum
    >>> from hedgerow.structured import StringMapping, StructuredSVM
    >>> problem = StringMapping(Normalized(Spectrum(k=2)), Normalized(Spectrum(k=1)))
    >>> model = StructuredSVM(problem, C=10).fit(["aaab", "aaaa", "bbba", "bbbb"], ["xx", "xx", "yx", "yy"])
    >>> model.predict(["aaaaa", "bbbbb"])
    ['xx', 'yy']
    """

    candidates: Any
    _asks_loss = False
    _answers_all = True
    _quickest = "n-slack"  # which never lists joint features
    # Numbers of inputs and outputs that weights are coefficients of; None: all inputs, by features of outputs.
    coef_pairs_: tuple[Matrix, Matrix] | None = None

    def __init__(
        self,
        input_kernel: Any = None,
        output_kernel: Any = None,
        *,
        candidates: Any = None,
        loss: Literal["kernel", "edit", "zero-one"] | LossFunction = "kernel",
    ) -> None:
        self.input_kernel = input_kernel
        self.output_kernel = output_kernel
        self.candidates = candidates
        self.loss = loss

    def _check_params(self) -> None:
        super()._check_params()
        check_kernel(self.input_kernel, "input_kernel", precomputed=False)
        check_kernel(self.output_kernel, "output_kernel", precomputed=False)
        if self.candidates is not None and not callable(self.candidates):
            raise TypeError(f"candidates must be a function of an input or None, got {self.candidates!r}")
        if not callable(self.loss) and not (isinstance(self.loss, str) and self.loss in LOSSES):
            raise ValueError(
                f"loss must be one of {', '.join(map(repr, LOSSES))} or a callable, got {self.loss!r}"
            )

    # -- for users ------------------------------------------------------------------------------------------

    def compute_loss(self, y_true: Any, y: Any) -> float:
        return float(self.compute_losses([y_true], [y])[0])

    def compute_losses(self, y_true: Sequence[Any], y_pred: Sequence[Any]) -> Matrix:
        self._check_params()
        outputs, numbers = _distinct([*y_true, *y_pred])
        true, other = numbers[: len(y_true)], numbers[len(y_true) :]
        if len(true) != len(other):
            raise ValueError(f"there are {len(true)} true outputs, but {len(other)} others")
        return self._losses(outputs, true, other)

    def _losses(self, outputs: list[Any], true: Matrix, other: Matrix, gram: Matrix | None = None) -> Matrix:
        """Of outputs by their numbers; the kernel between them may be known."""
        if isinstance(self.loss, str) and self.loss == "kernel":
            gram = _kernel(self.output_kernel)(outputs) if gram is None else gram
            return _kernel_losses(gram)[true, other]
        losses = np.array([self._pair_loss(outputs[i], outputs[j]) for i, j in zip(true, other, strict=True)])
        check_losses(losses, outputs, true, other)
        return losses

    def _pair_loss(self, y_true: Any, y: Any) -> float:
        """Of a loss that needs no kernel."""
        if self.same(y_true, y):
            return 0.0
        if callable(self.loss):
            return float(self.loss(y_true, y))
        return edit_distance(y_true, y) if self.loss == "edit" else 1.0

    # -- for learners ---------------------------------------------------------------------------------------

    def _kernel_in_use(self) -> str | None:
        return "input_kernel"

    def _bind(self, X: Any, y: Any, first: bool) -> Binding:
        if not first:
            raise ValueError("a problem with a kernel cannot continue with other examples; use fit")
        self._check_params()
        y = list(y)
        check_lengths(X, y)
        lists = None if self.candidates is None else self._candidate_lists(X, y)
        self.outputs_, numbers = _distinct(
            y if lists is None else [output for outputs in lists for output in outputs]
        )
        gram = self._output_gram
        check_gram(gram, "the kernel between outputs")
        self.items_ = KernelItems(_kernel(self.input_kernel), X)
        if lists is None:
            sets = OutputSets(numbers, None, None if self._own_losses else self._loss_matrix())
        else:
            begins = np.cumsum([0, *map(len, lists)])
            truths = np.zeros(len(y), dtype=np.int32)  # the true output comes first in its list
            true = np.repeat(numbers[begins[:-1]], np.diff(begins))
            sets = OutputSets(truths, (begins, numbers), self._losses(self.outputs_, true, numbers, gram))
        return MappingBinding(self, sets)

    @property
    def _own_losses(self) -> bool:
        """Whether solvers know the loss: by the kernel between outputs, or 0-1."""
        return isinstance(self.loss, str) and self.loss != "edit"

    def _loss_matrix(self) -> Matrix | None:
        """Of all outputs, row by row; None for 0-1 loss."""
        if isinstance(self.loss, str):
            if self.loss == "kernel":
                return _kernel_losses(self._output_gram).ravel()
            if self.loss == "zero-one":
                return None
            if all(isinstance(output, str) for output in self.outputs_):
                return edit_distances(self.outputs_).ravel()
        n = len(self.outputs_)
        true, other = (places.ravel() for places in np.indices((n, n)))
        return self._losses(self.outputs_, true, other)

    @cached_property
    def _output_gram(self) -> Matrix:
        return np.ascontiguousarray(_kernel(self.output_kernel)(self.outputs_))

    @cached_property
    def factor_(self) -> Factor:
        """Features of outputs whose products are L."""
        return Factor(self._output_gram, "the kernel between outputs")

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = dict(super().__getstate__())
        for made in ("_output_gram", "factor_"):  # which are large, and made again when they are needed
            state.pop(made, None)
        return state

    def _candidate_lists(self, X: Any, y: list[Any]) -> list[list[Any]]:
        """For each input the true output, then the other candidates."""
        lists = []
        for place, (x, true) in enumerate(zip(X, y, strict=True)):
            others, _ = _distinct(self._proposals(x, place))
            lists.append([true, *(other for other in others if not self.same(other, true))])
        return lists

    def _proposals(self, x: Any, place: int) -> list[Any]:
        proposed = list(self.candidates(x))
        if not proposed:
            raise ValueError(f"candidates has no output for input {place}: {x!r}")
        return proposed

    def _decode(self, X: Any, weights: Matrix, threads: int) -> list[Any]:
        return [outputs[int(scores.argmax())] for outputs, scores in self._scored(X, weights, threads)]

    def _decode_k(self, X: Any, weights: Matrix, k: int, threads: int) -> list[list[tuple[Any, float]]]:
        return [ranked(outputs, scores, k) for outputs, scores in self._scored(X, weights, threads)]

    def _scored(self, X: Any, weights: Matrix, threads: int) -> list[tuple[Sequence[Any], Matrix]]:
        """For each input its possible outputs, and their scores."""
        values = self._values(X, weights, threads)
        by_pairs = self.coef_pairs_ is not None
        if self.candidates is None:
            features = self._output_gram if by_pairs else self.factor_.features
            return [(self.outputs_, row) for row in values @ features.T]
        lists = [self._proposals(x, place) for place, x in enumerate(X)]
        outputs, numbers = _distinct([output for outputs in lists for output in outputs])
        if not outputs:
            return []
        products = _kernel(self.output_kernel)(outputs, self.outputs_)
        features = products if by_pairs else self.factor_.features_of(products)
        ends = np.cumsum([len(ys) for ys in lists])
        parts = np.split(features[numbers], ends[:-1])
        return [(ys, part @ value) for ys, part, value in zip(lists, parts, values, strict=True)]

    def _values(self, X: Any, weights: Matrix, threads: int) -> Matrix:
        """For each input what features of an output, or kernel values with all known ones, are multiplied by."""
        if self.coef_pairs_ is None:
            return self.items_.functions(X, weights.reshape(len(self.items_), -1), threads)
        inputs, outputs = self.coef_pairs_
        used, rows = np.unique(inputs, return_inverse=True)
        coefficients = sparse.csr_array((weights, (outputs, rows)), shape=(len(self.outputs_), len(used)))
        return np.asarray((coefficients @ self.items_.rows(X, used, threads).T).T)

    # -- copies ---------------------------------------------------------------------------------------------

    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        arrays = above("items.", self.items_.to_arrays())
        if self.coef_pairs_ is None:
            arrays["gram"] = self._output_gram
        else:
            arrays |= above("pairs.", dict(zip(("inputs", "outputs"), self.coef_pairs_, strict=True)))
        return {"outputs": self.outputs_, "width": self.items_.width}, arrays

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
        self._check_params()
        self.outputs_ = description["outputs"]
        if not isinstance(self.outputs_, list) or not self.outputs_:
            raise ValueError("outputs must be a list")
        n = len(self.outputs_)
        self.items_ = KernelItems.from_arrays(
            _kernel(self.input_kernel), description["width"], below("items.", arrays)
        )
        if "gram" in arrays:
            self._output_gram = stored(arrays, "gram", np.float64, n, n)
            self.factor_ = Factor(self._output_gram, "the kernel between outputs")
            return
        inputs = stored(arrays, "pairs.inputs", np.int64, None)
        outputs = stored(arrays, "pairs.outputs", np.int32, len(inputs))
        for name, numbers, end in (("inputs", inputs, len(self.items_)), ("outputs", outputs, n)):
            if len(numbers) and not (numbers.min() >= 0 and numbers.max() < end):
                raise ValueError(f"pairs.{name} must be numbers below {end}")
        self.coef_pairs_ = inputs, outputs

    def _n_weights(self) -> int:
        if self.coef_pairs_ is not None:
            return len(self.coef_pairs_[0])
        return len(self.items_) * int(self.factor_.features.shape[1])


class OutputSets(NamedTuple):
    """The outputs that examples may have: any, or those of their lists."""

    truths: Matrix  # numbers of the true outputs, or their places in the lists
    lists: tuple[Matrix, Matrix] | None  # where they begin and end, and the numbers of outputs
    losses: Matrix | None  # of all pairs of outputs, or beside the lists; None: the kernel's, or 0-1


class MappingBinding(Binding):
    """Strings bound to examples.

    What most solvers work with takes memory for the product of the numbers of inputs and outputs, and is only made for
    those that ask for it. The n-slack algorithm does without.
    """

    problem: StringMapping
    sets: OutputSets
    weights: Matrix | None

    def __init__(self, problem: StringMapping, sets: OutputSets, weights: Matrix | None = None) -> None:
        vars(self).update(problem=problem, sets=sets, weights=weights, nbytes=0)

    @property
    def n_examples(self) -> int:
        return len(self.sets.truths)

    def weighted(self, weights: Matrix) -> Binding:
        return MappingBinding(self.problem, self.sets, weights)

    def own_run(self, solver: str, settings: Settings, report: Report) -> Run | None:
        if solver != "n-slack" or settings.slack is None:
            return None
        problem, gram = self.problem, self.problem._output_gram
        by_kernel = isinstance(problem.loss, str) and problem.loss == "kernel" and self.sets.losses is None
        sets = _core.PairSets(
            problem.items_.products(),
            gram.ravel(),
            len(gram),
            self.sets.truths,
            self.sets.lists,
            self.sets.losses,
            inverse_root(np.diag(gram)).tolist() if by_kernel else [],
            [] if self.weights is None else self.weights.tolist(),
            settings.violation.search,
            settings.violation.root,
            settings.slack,
            settings.C,
        )
        truths, lists, _ = self.sets
        if lists is not None:
            truths = lists[1][lists[0][:-1] + truths]
        return PairRun(sets, gram, truths, settings, report, problem)

    @cached_property
    def oracle(self) -> _core.Oracle:
        problem, (truths, lists, losses) = self.problem, self.sets
        features = sparse_to_items(canonical(problem.factor_.features))
        inputs, n_outputs = problem.items_.one_hot(), len(problem.outputs_)
        if lists is None:
            losses = problem._loss_matrix() if losses is None else losses
            oracle = _core.class_oracle(inputs, features, n_outputs, truths, losses)
        else:
            assert losses is not None  # lists come with theirs
            oracle = _core.listed_class_oracle(
                inputs, features, n_outputs, lists[0], lists[1], losses, truths
            )
        return oracle if self.weights is None else oracle.weighted(self.weights)

    @cached_property
    def space(self) -> _core.Space:
        width = self.problem.factor_.features.shape[1]
        return _core.Space.kernel(self.problem.items_.products(), 0, width)


def _kernel(kernel: Kernel | None) -> Kernel:
    made: Kernel = Normalized(Subsequence()) if kernel is None else clone(kernel)
    return made


def _distinct(outputs: Sequence[Any]) -> tuple[list[Any], Matrix]:
    """Each output once, in order of arrival, and the number of each among them."""
    known: dict[Any, int] = {}
    distinct = []
    numbers = np.empty(len(outputs), dtype=np.int32)
    for place, output in enumerate(outputs):
        key = output if isinstance(output, str) else tuple(output)
        if key not in known:
            known[key] = len(known)
            distinct.append(output)
        numbers[place] = known[key]
    return distinct, numbers


def _kernel_losses(gram: Matrix) -> Matrix:
    """1 - L, with L normalised; an output without any feature shares nothing with others."""
    scale = inverse_root(np.diag(gram))
    losses: Matrix = np.maximum(1.0 - gram * scale[:, None] * scale, 0.0)  # rounding may leave less than 0
    np.fill_diagonal(losses, 0.0)
    return losses
