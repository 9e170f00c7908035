"""The exact support vector machine."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from hedgerow import _core
from hedgerow.checks import Positive, as_random_state
from hedgerow.kernels.base import Matrix
from hedgerow.locks import reads, replacement
from hedgerow.models.annotations import RandomState
from hedgerow.models.codes import by_class, check_codes, code_matrix, decode, n_functions
from hedgerow.models.functions import Functions, KernelFunctions
from hedgerow.models.labels import find_classes
from hedgerow.models.watching import is_watched, tell
from hedgerow.svm.machine import KernelMachine
from hedgerow.threads import resolve

MEGABYTE = 2**20
MOST_ITERATIONS = 10_000_000  # with a very large C they hardly come to an end
MOST_COEFFICIENTS = 250_000_000  # 2 GB, and as much again for costs
MOST_MEGABYTES = 2.0**40  # more is no memory that a machine has


@dataclass(eq=False, repr=False, kw_only=True)
class SVC(KernelMachine):
    """The support vector machine, solved to any precision.

    Minimises ``1/2 |w|^2 + C sum_i xi_i`` subject to ``y_i (w.phi(x_i) + b) >= 1 - xi_i``, by sequential minimal
    optimisation in the dual. Several classes: one machine for each class against the rest, or as ``multiclass`` says,
    all on the same kernel values, so that many classes cost little more than one.

    Parameters
    ----------
    kernel : Kernel, "precomputed" or None, default=None
        None is `Linear`. With "precomputed", `fit` takes the kernel values between all examples, and prediction those
        between items (rows) and examples (columns).
    C : float, default=1.0
        What an error costs.
    class_weight : dict or "balanced", optional
        Multiplies C for the examples of a class. "balanced": each function weighs its class and the rest alike.
    cost_factor : float, dict or "balanced", default=1.0
        Multiplies C for the positive examples of each function, as ``-j`` of SVM-light does. A dict has one
        for each class, 1 where it has none; of two classes the second is the positive one. "balanced" is the number
        of negative examples over that of positive ones.
    loss : {"hinge", "squared-hinge"}, default="hinge"
        Cost of slack: "squared-hinge" uses ``xi_i^2`` instead of ``xi_i``.
    bias : bool, default=True
        Whether the functions have a bias b, which is not regularised.
    multiclass : {"one-vs-rest", "one-vs-one", "codes"}, default="one-vs-rest"
        What the functions for more than two classes tell apart: one class from the rest; two classes, which then win by
        votes; or two groups of classes drawn at random (error-correcting output codes of 10 log2(classes) bits).
    random_state : int, RandomState or None, default=None
        Seed for the codes of multiclass="codes": with a number, every fit draws the same ones.
    tol : float, default=1e-3
        Stop when no optimality condition is violated by more than this.
    cache_size : float, default=1000
        Megabytes for kernel values. They are computed row by row as needed, or all at once when they fit and there
        are several functions to use them.
    active_set : bool, default=True
        Skip examples whose coefficients seem settled (shrinking); all are checked at the end.
    max_iter : int or None, default=None
        Largest number of iterations for each function; None is ten million, or 100 times the number of examples if that
        is more.
    probability : {None, "sigmoid", "isotonic"}, default=None
        Whether there is `predict_proba`, and by which map of scores to probabilities: Platt's sigmoid, or the best
        increasing step function, which needs a thousand examples or more. The map is fitted to scores of held-out
        examples, by cross-validation with five parts on the same kernel values, and saved with the machine.
    precision : {"double", "single"}, default="double"
        Single precision takes half the memory; kernel values keep a relative error below 1e-5.
    n_jobs : int, optional
        Number of threads; see `hedgerow.set_n_jobs`. The result does not depend on it.

    Attributes
    ----------
    classes_ : the labels, sorted
    support_, n_support_, support_items_, dual_coef_, intercept_ : the support vectors, their coefficients, the biases
    objective_, dual_objective_ : for each function, the primal objective and the dual one, which is a lower bound
    dual_gap_ : for each function, how far they are apart
    violation_ : for each function, the largest violation of an optimality condition
    n_iter_ : for each function, the number of iterations
    kernel_evaluations_ : kernel values that were computed, for all functions
    converged_ : bool

    Examples
    --------
    >>> from hedgerow.datasets import load_questions
    >>> from hedgerow.kernels import Normalized, SubsetTree
    >>> from hedgerow.svm import SVC
    >>> trees, y = load_questions()
    >>> model = SVC(Normalized(SubsetTree(decay=0.4)), C=10).fit(trees, y)
    >>> model.predict(["(SBARQ (WHNP (WP Who)) (SQ (VBD sang)))"])
    array(['HUM'], dtype=...)
    >>> bool(max(model.violation_) <= model.tol)
    True
    >>> model = SVC(Normalized(SubsetTree()), C=10, probability="sigmoid").fit(trees, y == "NUM")
    >>> model.predict_proba(["(SBARQ (WHADJP (WRB How) (JJ many)) (SQ (VBP are) (NP (EX there))))"]).round(2)
    array([[0.01, 0.99]])
    """

    _arrays = ("objective_", "dual_objective_", "dual_gap_", "violation_", "n_iter_")
    _numbers = ("kernel_evaluations_", "converged_")
    _step = "iteration"
    _random_with: ClassVar = {"multiclass": ("codes",)}

    loss: Literal["hinge", "squared-hinge"] = "hinge"
    bias: bool = True
    cache_size: Positive = 1000
    active_set: bool = True
    multiclass: Literal["one-vs-rest", "one-vs-one", "codes"] = "one-vs-rest"
    random_state: RandomState = None
    # What each class is for each function, and how to decode scores, if that is not one against the rest.
    _codes: tuple[Matrix, str] | None = field(init=False, default=None)

    def _check_params(self) -> None:
        super()._check_params()
        if self.multiclass != "one-vs-rest" and isinstance(self.cost_factor, Mapping):
            raise ValueError(
                "cost_factor must be a number or 'balanced' unless multiclass='one-vs-rest', where each class has a "
                "function"
            )

    # -- functions and classes --------------------------------------------------------------------------------

    @property
    def _n_functions(self) -> int:
        return n_functions(len(self.classes_), self.multiclass)

    def _settle_codes(self) -> None:
        """Know the functions of the classes."""
        self._codes = None
        random_state = as_random_state(self.random_state)
        if self.multiclass != "one-vs-rest" and len(self.classes_) > 2:
            self._codes = code_matrix(len(self.classes_), self.multiclass, random_state)

    def _signs(self, labels: Matrix, function: int) -> Matrix:
        if self._codes is None:
            return super()._signs(labels, function)
        signs: Matrix = self._codes[0][labels, function]
        return signs

    def _of_classes(self, values: Matrix, n: int) -> Matrix:
        if self._codes is None:
            return super()._of_classes(values, n)
        return decode(*self._codes, values.reshape(n, self._n_functions))

    @reads
    def functions(self) -> Functions:
        found = super().functions()
        if self._codes is None or not isinstance(found, KernelFunctions):
            return found
        classes = self.classes_.tolist()
        coefficients, biases, labels = by_class(*self._codes, classes, found.coefficients, found.biases)
        return replace(found, coefficients=coefficients, biases=biases, labels=labels)

    def _decide(self, X: Any) -> tuple[list[Any], Matrix | None]:
        chosen, scores = super()._decide(X)
        votes = self._codes is not None and self._codes[1] == "pairwise"
        return chosen, None if votes else scores

    # -- training -------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the machine; interrupted with Ctrl-C, it keeps the best model so far, with ``converged_`` False.

        Parameters
        ----------
        X : Forest, matrix, strings or Records, as the kernel takes them; or the Gram matrix
        y : labels of any type
        sample_weight : array of non-negative floats, optional
            Multiplies C for each example.
        """
        with replacement(self) as new:
            examples = new._examples(X, y, sample_weight)
            new._solve(examples, None)
            new._calibrate_with(examples, sample_weight)
        return self

    def _certificate(self) -> str:
        with np.errstate(divide="ignore", invalid="ignore"):  # of a tolerance at which nothing is learned
            return f"relative duality gap {max(self.dual_gap_ / self.dual_objective_):.2g}"

    def path(self, X: Any, y: Any, Cs: Sequence[float], sample_weight: Any = None) -> Iterator[SVC]:
        """Machines for a grid of C, each started from the last, all on the same kernel values.

        Each is a fitted copy of this machine with the next C, best in increasing order; examples are as for `fit`.

        Examples
        --------
        >>> from hedgerow.kernels import RBF
        >>> from hedgerow.svm import SVC
        >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
        >>> [(model.C, model.score(X, y)) for model in SVC(RBF()).path(X, y, [0.1, 1000])]
        [(0.1, 1.0), (1000, 1.0)]
        """
        template = clone(self)
        examples = template._examples(X, y, sample_weight)
        start, last_C = None, 1.0
        for C in Cs:
            model = copy.copy(template).set_params(C=C)
            model._check_params()
            start = model._solve(examples, None if start is None else start * (C / last_C))
            last_C = C
            model._calibrate_with(examples, sample_weight)
            yield model

    def _examples(self, X: Any, y: Any, sample_weight: Any) -> _Examples:
        """The examples, with their kernel values or a way to get them."""
        items = self._start(X)
        n = len(items)
        self.classes_, labels = find_classes(y, n)
        self._settle_codes()
        if self._n_functions * n > MOST_COEFFICIENTS:
            raise ValueError(
                f"{self._n_functions} classes are too many for {n} examples, each of which may have a coefficient for "
                f"each class: at most {MOST_COEFFICIENTS} in all"
            )
        costs = [self._costs(labels, sample_weight, function) for function in range(self._n_functions)]
        if self._precomputed:
            gram = self.kernel_._prepare(X)
            return _Examples(items, _core.SvmKernel.from_gram(gram), labels, costs)
        dtype = np.dtype(np.float64 if self.precision == "double" else np.float32)
        cache = int(min(float(self.cache_size), MOST_MEGABYTES) * MEGABYTE)
        if self._n_functions > 1 and n**2 * dtype.itemsize <= cache:
            # Several functions need most rows sooner or later, and all at once they cost less.
            gram = self.kernel_(X, dtype=dtype, n_jobs=self.n_jobs)
            return _Examples(items, _core.SvmKernel.from_gram(gram), labels, costs, n * (n + 1) // 2)
        kernel = _core.SvmKernel.from_items(self.kernel_._model(), items, cache, self.precision == "single")
        return _Examples(items, kernel, labels, costs)

    def _solve(self, examples: _Examples, start: Matrix | None) -> Matrix:
        """Solves for each function; returns the coefficients of all examples, functions by examples."""
        before = examples.kernel.evaluations
        most_iterations = self.max_iter or max(MOST_ITERATIONS, 100 * examples.kernel.size)
        solutions: list[_core.SvmSolution] = []
        for function, costs in enumerate(examples.costs):
            solution = _core.solve_svm(
                examples.kernel,
                # Those that are left out cost nothing, so that their sign does not matter.
                np.where(self._signs(examples.labels, function) > 0, 1, -1).astype(np.int8),
                float(self.C) * costs,
                bias=self.bias,
                squared=self.loss == "squared-hinge",
                tol=float(self.tol),
                max_iter=most_iterations,
                shrinking=self.active_set,
                start=None if start is None else np.ascontiguousarray(start[function]),
                threads=resolve(self.n_jobs),
                watch=self._watcher(function),
            )
            solutions.append(solution)
            if solution.interrupted:
                break
        coefficients = np.zeros((self._n_functions, examples.kernel.size))
        for function, solution in enumerate(solutions):
            coefficients[function] = solution.coefficients
        self.kernel_evaluations_ = examples.kernel.evaluations - before + examples.computed
        examples.computed = 0
        self._keep(examples, solutions, coefficients)
        if solutions[-1].interrupted:
            raise KeyboardInterrupt
        if not self.converged_:
            # Before the bound on the iterations, rounding is what stops them.
            advice = "increase max_iter or tol" if self.n_iter_.max() == most_iterations else "increase tol"
            warnings.warn(
                f"stopped after {self.n_iter_.max()} iterations with a violation of {self.violation_.max():.2g}, "
                f"above tol; {advice}",
                ConvergenceWarning,
                stacklevel=3,
            )
        return coefficients

    def _watcher(self, function: int) -> Callable[[int, float], None] | None:
        """Tells how far a function is, if somebody watches."""
        if not is_watched(self):
            return None
        what = "class" if self.multiclass == "one-vs-rest" else "function"
        which = f"{what} {function + 1} of {self._n_functions}, " if self._n_functions > 1 else ""
        return lambda n, violation: tell(self, f"{which}{n:,} iterations, violation {violation:.2g}")

    def _calibrate_with(self, examples: _Examples, sample_weight: Any) -> None:
        """On the same kernel values: what is held out costs nothing, and is not a support then."""

        def learn(machine: SVC, some: Matrix) -> None:
            kept = np.zeros(examples.kernel.size)
            kept[some] = 1.0
            machine._codes = self._codes
            machine._solve(replace(examples, costs=[costs * kept for costs in examples.costs]), None)

        self._calibrate(examples.items, examples.labels, sample_weight, learn)

    @reads
    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        description, arrays = super()._to_state()
        if self.multiclass == "codes" and self._codes is not None:  # which were drawn
            description["codes"] = self._codes[0].tolist()
        return description, arrays

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        super()._from_state(description, arrays)
        if self.multiclass == "codes" and len(self.classes_) > 2:
            codes = np.array(description["codes"])
            check_codes(codes, "codes", len(self.classes_), "codes")
            self._codes = codes.astype(np.int8), "codes"
        else:
            self._settle_codes()
        return self

    def _keep(self, examples: _Examples, solutions: list[_core.SvmSolution], coefficients: Matrix) -> None:
        missing = self._n_functions - len(solutions)  # functions that an interruption left unsolved
        self.objective_ = np.array([s.primal for s in solutions] + [np.inf] * missing)
        self.dual_objective_ = np.array([s.objective for s in solutions] + [0.0] * missing)
        self.dual_gap_ = np.array([s.gap for s in solutions] + [np.inf] * missing)
        self.violation_ = np.array([s.violation for s in solutions] + [np.inf] * missing)
        self.n_iter_ = np.array([s.iterations for s in solutions] + [0] * missing)
        self.converged_ = missing == 0 and all(s.converged for s in solutions)
        supports = [np.flatnonzero(row) for row in coefficients]
        functions = [(support, row[support]) for support, row in zip(supports, coefficients, strict=True)]
        self._set_functions(
            examples.items, functions, np.array([s.bias for s in solutions] + [0.0] * missing)
        )


@dataclass
class _Examples:
    """What all functions, and all machines of a path, are trained on."""

    items: _core.Items
    kernel: _core.SvmKernel
    labels: Matrix
    costs: list[Matrix]  # by function
    computed: int = 0  # kernel values so far that no machine has reported yet
