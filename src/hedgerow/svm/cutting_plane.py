"""The support vector machine by cutting planes, over all examples or over samples of them."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from hedgerow.checks import Count, as_random_state
from hedgerow.kernels.base import Matrix
from hedgerow.locks import reads, replacement
from hedgerow.models.annotations import RandomState
from hedgerow.models.example_weights import given_weights
from hedgerow.models.labels import find_classes
from hedgerow.models.native_estimator import above, below
from hedgerow.models.trace import Trace
from hedgerow.parameters import check_unused
from hedgerow.svm.cutting_rounds import (
    HingeProblem,
    Round,
    exact_rounds,
    importance_rounds,
    uniform_rounds,
    uniform_samples,
)
from hedgerow.svm.machine import KernelMachine
from hedgerow.svm.pruning import pruned
from hedgerow.svm.weighted_sums import Selectable, Sums, WeightedSums
from hedgerow.threads import resolve


@dataclass(eq=False, repr=False, kw_only=True)
class CuttingPlaneSVC(KernelMachine):
    """A support vector machine without a bias, for very many examples.

    The one-slack cutting-plane algorithm minimises ``1/2 |w|^2 + C sum_i max(0, 1 - y_i w.phi(x_i))`` from below: each
    round adds a plane that touches the mean loss. Planes are weighted sums of examples, which the kernel's native model
    collapses (those of trees into distinct subtrees, those of a linear kernel into weights), so that their values cost
    far less than the kernels of all pairs. Memory grows with the number of examples: without samples, and with
    "importance", every plane in use takes a number for each; with "uniform" planes take what their samples take.

    Other parameters are those of `SVC`; C has the same meaning.

    Parameters
    ----------
    sampling : {None, "uniform", "importance"}, default=None
        What a plane is made of. None: all examples within the margin. "uniform": those of a fresh sample of
        ``sample_size`` examples, so that the time of a round does not depend on the number of examples (uSVM).
        "importance": a sample of ``sample_size`` of all examples within the margin (iSVM).
    sample_size : int, default=1000
        Examples in a sample.
    tol : float, default=1e-3
        Stop when the mean loss is known this precisely: when primal and dual objective differ by at most tol times C
        times the number of examples. With "uniform" only the last sample tells, and it stops when its mean loss is no
        more than tol and a standard error away. With "importance" it stops when the mean loss is no more than tol above
        the sampled planes; these stand for planes over all examples but are not these, so that the machine may be
        further from the best one (by 0.03 with samples of 100 where tol was 0.001). A larger sample helps, not a
        smaller tol.
    max_iter : int or None, default=1000
        Largest number of rounds for each function; None for no limit.
    precision : {"double", "single"}, default="double"
        Single precision is faster; kernel values keep a relative error below 1e-5.
    random_state : int, RandomState or None
        Seed for the samples; an int makes fits repeatable.
    verbose : bool, default=False
        Print a line to standard error after each round.

    Attributes
    ----------
    classes_, support_, n_support_, support_items_, dual_coef_ : as for `SVC`. Without sampling, a machine that has
        converged is made of as few supports as that of `SVC`: the exact solver chooses them among those of the planes,
        unless that would take very long (linear kernels with a large C).
    converged_ : whether all functions stopped as ``tol`` says. Only without sampling does that bound the distance from
        the best machine.
    objective_, dual_objective_ : for each function, the primal objective (NaN with uniform sampling, which never looks
        at all examples) and that of the planes, which without sampling is a lower bound
    violation_ : for each function, what the stopping test compared with tol at last
    n_iter_ : for each function, the number of rounds
    trace_ : `hedgerow.models.Trace`, with an entry for every round

    Examples
    --------
    >>> from hedgerow.datasets import load_questions
    >>> from hedgerow.kernels import Normalized, SubsetTree
    >>> from hedgerow.svm import CuttingPlaneSVC
    >>> trees, y = load_questions()
    >>> model = CuttingPlaneSVC(Normalized(SubsetTree()), C=10, sampling="uniform", sample_size=50, random_state=0)
    >>> model.fit(trees, y == "NUM").converged_
    True
    >>> model.predict(["(SBARQ (WHADJP (WRB How) (JJ many)) (SQ (VBP are) (NP (EX there))))"])
    array([ True])
    """

    trace_: Trace = field(init=False)
    _arrays = ("objective_", "dual_objective_", "violation_", "n_iter_")
    _numbers = ("converged_",)
    _step = "round"
    _random_with: ClassVar = {"sampling": ("uniform", "importance")}
    _watch: Callable[[str], object] | None = field(init=False, default=None)  # told about every round

    sampling: Literal["uniform", "importance"] | None = None
    sample_size: Count = 1000
    max_iter: Count | None = 1000
    random_state: RandomState = None
    verbose: bool = False

    def _check_params(self) -> None:
        super()._check_params()
        if self.sampling is None:
            check_unused(self, "without sampling", "sample_size")

    def _sharding(self) -> str:
        """How `hedgerow.distributed` makes it learn from shards; raises ValueError where its parameters forbid that."""
        self._check_shardable()
        return "cuts"

    def _certificate(self) -> str:
        return f"violation {max(self.violation_):.2g}"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the machine; interrupted with Ctrl-C, it keeps the best model so far, with ``converged_`` False.

        Parameters
        ----------
        X : Forest, matrix, strings or Records, as the kernel takes them
        y : labels of any type
        sample_weight : array of non-negative floats, optional
            Multiplies C for each example.
        """
        with replacement(self) as new:
            items = new._start(X)
            new.classes_, labels = find_classes(y, len(items))
            new._learn(items, labels, sample_weight)

            def learn(machine: CuttingPlaneSVC, some: Matrix) -> None:
                weights = given_weights(sample_weight, len(labels))[some]
                machine._learn(items.select(some), labels[some], weights)

            new._calibrate(items, labels, sample_weight, learn)
        return self

    def _learn(self, items: Any, labels: Matrix, sample_weight: Any) -> None:
        model, single = self.kernel_._model(), self.precision == "single"
        sums = WeightedSums(model, items, resolve(self.n_jobs), single)
        self._train(CutTraining(self, sums, labels, sample_weight), items)

    def _train(self, training: CutTraining, items: Selectable) -> Self:
        """Train to the end; supports are selected from the items."""
        try:
            training.run()
        finally:
            # What has been found so far is kept, whatever stopped the training.
            if training.rows:
                self._keep(items, training)
        if not self.converged_:
            warnings.warn(
                f"stopped after {self.max_iter} rounds at a violation of {max(self.violation_):.2g}, "
                f"above tol; increase max_iter or tol",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def _keep(self, items: Selectable, training: CutTraining) -> None:
        self.objective_ = np.array([last.primal for last in training.last])
        self.dual_objective_ = np.array([last.objective for last in training.last])
        self.violation_ = np.array([last.violation for last in training.last])
        self.n_iter_ = np.array(training.rounds)
        self.converged_ = all(training.converged)
        self.trace_ = Trace.from_rows(training.rows, training.rows[0])
        functions = [(last.support, last.coefficients) for last in training.last]
        self._set_functions(items, functions, np.zeros(len(functions)))

    @reads
    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        description, arrays = super()._to_state()
        return description, arrays | above("report.trace.", vars(self.trace_))

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        super()._from_state(description, arrays)
        self.trace_ = Trace(below("report.trace.", arrays))
        return self


class CutTraining:
    """The state of a fit, which outlives its interruption."""

    def __init__(
        self,
        machine: CuttingPlaneSVC,
        sums: Sums,
        labels: Matrix,
        sample_weight: Any = None,
        samples: Iterator[Matrix] | None = None,
    ) -> None:
        self.machine = machine
        self.rows: list[dict[str, float]] = []
        n_functions = machine._n_functions
        nothing = Round(np.zeros(0, dtype=np.int64), np.zeros(0), 0.0, np.nan, np.inf)
        self.last = [nothing] * n_functions
        self.rounds = [0] * n_functions
        self.converged = [False] * n_functions
        self._sums, self._labels, self._sample_weight = sums, labels, sample_weight
        self._random_state = as_random_state(machine.random_state)
        # One after the other for all functions, so that a caller that has to fetch samples may draw them ahead.
        self._samples = samples or uniform_samples(len(labels), machine.sample_size, self._random_state)
        self._started = time.perf_counter()

    def run(self) -> None:
        machine = self.machine
        # Products of vectors are over before threads have met.
        with threadpool_limits(1, "blas"):
            for function in range(len(self.last)):
                problem = HingeProblem(
                    self._sums,
                    machine._signs(self._labels, function).astype(np.float64),
                    machine._costs(self._labels, self._sample_weight, function),
                    float(machine.C),
                )
                for number, state in enumerate(self._play(problem), 1):
                    self._record(function, number, state)
                    if state.violation <= machine.tol + state.noise:
                        if machine.sampling is None:
                            self._take(function, pruned(problem, state, machine.tol))
                        self.converged[function] = True
                    if self.converged[function] or number == machine.max_iter:
                        break

    def _play(self, problem: HingeProblem) -> Iterator[Round]:
        if self.machine.sampling is None:
            return exact_rounds(problem, self.machine.tol)
        if self.machine.sampling == "uniform":
            return uniform_rounds(problem, self._samples)
        return importance_rounds(problem, self.machine.sample_size, self._random_state)

    def _take(self, function: int, state: Round) -> None:
        """The same round once more, with fewer supports."""
        before, self.last[function] = self.last[function], state
        self.rows[-1] |= {
            "objective": state.primal,
            "dual_objective": state.objective,
            "violation": state.violation,
            "support": len(state.support),
            "seconds": time.perf_counter() - self._started,
        }
        if self.machine.verbose:
            left, all_ = len(state.support), len(before.support)
            print(f"function {function}: {left} of {all_} supports are left", file=sys.stderr, flush=True)

    def _record(self, function: int, number: int, state: Round) -> None:
        self.last[function], self.rounds[function] = state, number
        support = len(state.support)
        seconds = time.perf_counter() - self._started
        self.rows.append(
            {
                "function": function,
                "iteration": number,
                "objective": state.primal,
                "dual_objective": state.objective,
                "violation": state.violation,
                "support": support,
                "seconds": seconds,
            }
        )
        if self.machine._watch is not None:
            classes = self.machine.classes_
            n = len(classes)
            which = "" if n == 2 else f"class {classes[function]} ({function + 1} of {n}), "
            self.machine._watch(f"{which}round {number}, violation {state.violation:.4f}, {support} supports")
        if self.machine.verbose:
            print(
                f"function {function} round {number}: objective {state.objective:.6g} "
                f"violation {state.violation:.4g} support {support} time {seconds:.1f} s",
                file=sys.stderr,
                flush=True,
            )
