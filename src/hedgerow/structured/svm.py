"""Support vector machines for structured outputs."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self, TypeAlias

from sklearn.exceptions import ConvergenceWarning

from hedgerow.checks import Cost, Count, Positive, as_random_state
from hedgerow.kernels.base import Matrix
from hedgerow.locks import replacement, writes
from hedgerow.models.annotations import RandomState
from hedgerow.models.native_estimator import above, below
from hedgerow.models.trace import Trace
from hedgerow.parameters import check_unused
from hedgerow.structured.frank_wolfe import FrankWolfeRun, check_state
from hedgerow.structured.learner import StructuredLearner
from hedgerow.structured.n_slack import NSlackRun
from hedgerow.structured.one_slack import LocalCutter, OneSlackRun
from hedgerow.structured.problem import Binding, Problem
from hedgerow.structured.questions import Violation, violation_for
from hedgerow.structured.solver import Run, Settings
from hedgerow.threads import resolve

Slack: TypeAlias = Literal["linear", "quadratic"] | None
Solver: TypeAlias = Literal["auto", "one-slack", "n-slack", "frank-wolfe"]
_SUPPORTS = ("support_", "support_multipliers_", "support_losses_")


@dataclass(eq=False, repr=False, kw_only=True)
class StructuredMachine(StructuredLearner):
    """What support vector machines of structured problems share; see `StructuredSVM`. A subclass has the cost ``C``."""

    _reports = (
        "objective_",
        "dual_objective_",
        "certificate_",
        "n_constraints_",
        "n_iter_",
        "converged_",
        "argmax_seconds_",
        "qp_seconds_",
        *_SUPPORTS,
    )
    _random_with: ClassVar = {"solver": ("auto", "frank-wolfe")}
    trace_: Trace = field(init=False)
    _watch: Callable[[str], object] | None = field(init=False, default=None)  # told about every round

    slack: Slack = "linear"
    rescaling: Literal["margin", "slack"] | None = "margin"
    solver: Solver = "auto"
    tol: Positive = 0.01
    max_iter: Count | None = None
    optimization: Literal["full", "subspace"] = "full"
    averaging: Literal["average"] | None = "average"
    random_state: RandomState = None
    n_jobs: int | None = None
    verbose: bool = False

    def _check_params(self) -> None:
        super()._check_params()
        solver = self._solver_for(self._make_problem())
        if solver != "n-slack":
            check_unused(self, f"with solver={solver!r}", "optimization")
        if solver != "frank-wolfe":
            check_unused(self, f"with solver={solver!r}", "averaging")
        if self.slack is None and self.rescaling is not None:
            raise ValueError(
                f"slack=None is a hard margin for all wrong outputs, which needs rescaling=None, got {self.rescaling!r}"
            )
        if self.slack != "linear" and self.solver not in ("auto", "n-slack"):
            raise ValueError(
                f"solver={self.solver!r} does not support slack={self.slack!r}; use solver='n-slack'"
            )

    def _sharding(self) -> str:
        """How `hedgerow.distributed` makes it learn from shards; raises ValueError where its parameters forbid that."""
        if self.solver not in ("auto", "one-slack") or self.slack != "linear":
            raise ValueError(
                f"solver={self._solver_for(self._make_problem())!r} does not learn from shards; the solver that does: "
                "'one-slack' (with slack='linear')"
            )
        return "structured-cuts"

    def _solver_for(self, problem: Problem) -> str:
        if self.solver != "auto":
            return self.solver
        return problem._quickest if self.slack == "linear" else "n-slack"

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train the machine on inputs and outputs, as the problem takes them.

        Interrupted with Ctrl-C, it keeps the best weights so far, with ``converged_`` False.

        Parameters
        ----------
        X, y : inputs and outputs
        sample_weight : array of non-negative floats, optional
            Multiplies C for each example; one with weight 0 is left out.
        """
        with replacement(self) as new:
            new._fit(X, y, sample_weight)
        self._warn_unless_converged(stacklevel=3)
        return self

    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> None:
        self._check_params()
        problem = self._make_problem()
        violation = violation_for(problem, self.slack, self.rescaling)
        binding = self._weigh(self._start(X, y, problem), y, sample_weight)
        self._keep(self._run(self._solver_for(problem), binding, self._settings(violation)).solve())

    def _weigh(self, binding: Binding, y: Any, sample_weight: Any) -> Binding:
        if self.slack is None and sample_weight is not None:
            raise ValueError("sample_weight has no effect on a hard margin (slack=None), which has no costs")
        # The square of a slack that was multiplied by a root is multiplied by the weight.
        return self._weighted(binding, y, sample_weight, root=self.slack == "quadratic")

    def _warn_unless_converged(self, stacklevel: int) -> None:
        if not self.converged_:
            advice = "increase max_iter or tol" if self.n_iter_ == self.max_iter else "increase tol"
            if self._solver_for(self.problem_) == "frank-wolfe":  # which takes long where C is large
                advice += ", or use solver='n-slack'"
            warnings.warn(
                f"stopped after {self.n_iter_} iterations at a certificate of {self.certificate_:.2g}"
                f"{', above tol' if self.certificate_ > self.tol else ''}; {advice}",
                ConvergenceWarning,
                stacklevel=stacklevel,
            )

    @writes
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Go on with further examples; earlier ones are not needed again. By Frank-Wolfe steps only.

        The objective is that of all examples so far, with C for the slack of each. What was learned of earlier ones, a
        part of the weights, stays as it is, and the rest is optimised: up to ``max_iter`` passes over the new examples,
        or until their part of the duality gap is small enough. So a stream of examples in large pieces comes close to
        the optimum of all, and in small pieces less close; one example at a time it is a passive-aggressive learner.
        The first call decides what labels there are, unless the problem has been told, here by ``classes``.

        Afterwards ``dual_objective_`` is a lower bound on the optimum for all examples so far, ``certificate_`` is that
        of the new ones, and ``objective_``, for which earlier examples would be needed, is NaN.
        """
        self._check_resumable()
        self._check_params()
        if self.solver not in ("auto", "frank-wolfe") or self.slack != "linear":
            solver = self._solver_for(self._make_problem())
            raise ValueError(f"solver={solver!r} does not support further examples; use solver='frank-wolfe'")
        if isinstance(getattr(self, "class_weight", None), str):
            raise ValueError("class_weight='balanced' needs all examples; give partial_fit weights by class")
        with self._all_or_nothing():
            self._keep(self._further_run(X, y, classes, sample_weight).solve())
        return self

    def _further_run(self, X: Any, y: Any, classes: Any, sample_weight: Any) -> FrankWolfeRun:
        state = getattr(self, "_state", None)
        problem = self.problem_ if state is not None else self._problem_with(classes)
        if state is not None:
            self._check_told(classes)
            self._check_columns(X)
        violation = violation_for(problem, self.slack, self.rescaling)
        binding = self._start(X, y, problem) if state is None else problem._bind(X, y, False)
        binding = self._weigh(binding, y, sample_weight)
        return FrankWolfeRun(binding, self._settings(violation), self._report, state)

    def _run(self, solver: str, binding: Binding, settings: Settings) -> Run:
        own = binding.own_run(solver, settings, self._report)
        if own is not None:
            return own
        if solver == "one-slack":
            return OneSlackRun(LocalCutter(binding, settings), settings, self._report)
        run = NSlackRun if solver == "n-slack" else FrankWolfeRun
        return run(binding, settings, self._report)

    def _settings(self, violation: Violation) -> Settings:
        return Settings(
            C=float(self.C),
            slack=self.slack,
            violation=violation,
            tol=float(self.tol),
            max_iter=self.max_iter,
            random_state=as_random_state(self.random_state),
            threads=resolve(self.n_jobs),
            optimization=self.optimization,
            averaging=self.averaging == "average",
        )

    def _how_far(self) -> str | None:
        rounds = getattr(self, "n_iter_", 0)
        return f"{rounds} rounds" if rounds else None

    def _outcome(self) -> str:
        """What came of learning."""
        return (
            f"{self.n_iter_} rounds, {self.n_constraints_} constraints, certificate {self.certificate_:.2g}, "
            f"{'' if self.converged_ else 'not '}converged"
        )

    def _report(self, entry: dict[str, float]) -> None:
        if self._watch is not None:
            self._watch(
                f"round {entry['iteration']}, certificate {entry['certificate']:.4f}, "
                f"{entry['constraints']} constraints"
            )
        elif self.verbose:
            print(
                f"round {entry['iteration']}: objective {entry['objective']:.6g} dual {entry['dual_objective']:.6g} "
                f"certificate {entry['certificate']:.4g} constraints {entry['constraints']} "
                f"time {entry['seconds']:.1f} s",
                file=sys.stderr,
                flush=True,
            )

    def _keep(self, run: Run) -> None:
        self.coef_ = run.coordinates
        self.objective_, self.dual_objective_ = run.objective, run.dual_objective
        self.certificate_, self.converged_ = run.certificate, run.converged
        self.n_constraints_, self.n_iter_ = run.n_constraints, run.n_iter
        self.argmax_seconds_, self.qp_seconds_ = run.argmax_seconds, run.qp_seconds
        self.trace_ = run.trace
        for name in _SUPPORTS:
            self.__dict__.pop(name, None)
        if run.supports is not None:
            self.support_, self.support_multipliers_, self.support_losses_ = run.supports
        self._state = run.state
        if run.interrupted:
            raise KeyboardInterrupt

    def _learned_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        description, arrays = super()._learned_state()
        return description, arrays | above("trace.", vars(self.trace_)) | above("state.", self._state or {})

    def _learned_weights(self, coef: Matrix) -> tuple[dict[str, Any], dict[str, Matrix]]:
        description, arrays = super()._learned_weights(coef)
        return description, {name: values for name, values in arrays.items() if not name.startswith("state.")}

    def _take_learned(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
        super()._take_learned(description, arrays)
        self.trace_ = Trace(below("trace.", arrays))
        self._state = below("state.", arrays) or None
        if self._state is not None:
            check_state(self._state)


@dataclass(eq=False, repr=False, kw_only=True)
class StructuredSVM(StructuredMachine):
    """The support vector machine of a structured problem.

    It minimises ``1/2 |w|^2 + C sum_i xi_i`` subject to, for every output y of every example i, a margin between
    F(x_i, y_i) and F(x_i, y) that only a slack xi_i may lessen. There are far too many outputs to look at, but few
    matter: solvers ask the problem for the output that violates its constraint most.

    Parameters
    ----------
    problem : Problem
        Says what inputs and outputs are; it is cloned.
    C : float, default=1.0
        What a slack costs, for each example (some write C/n for it).
    slack : {"linear", "quadratic", None}, default="linear"
        What slacks cost: "quadratic" puts C sum_i xi_i^2 in place of C sum_i xi_i, as the squared
        hinge loss of `hedgerow.svm.SVC` does (the thesis has C/2). None is a hard margin: data that
        cannot be separated are an error.
    rescaling : {"margin", "slack", None}, default="margin"
        How the loss counts. "margin": the margin of an output is its loss. "slack": the margin is 1, and slack is
        divided by the loss. None: the margin is 1 for all wrong outputs, as for 0-1 loss. With quadratic slacks, the
        square root of the loss takes its place.
    solver : {"auto", "one-slack", "n-slack", "frank-wolfe"}, default="auto"
        "one-slack" collects cuts of all examples' losses together, few in number; "n-slack" collects constraints of
        each example, and takes all slacks; "frank-wolfe" goes from example to example, quickest where outputs are
        found quickly. "auto" follows the problem: "frank-wolfe" for hedgerow's own, "one-slack" for those written in
        Python, and "n-slack" for a `StringMapping` and where the slacks ask for it.
    tol : float, default=0.01
        Stop when slacks are known this exactly: with linear slacks, the objective is within n C tol of the optimum.
    max_iter : int or None, default=None
        The most passes over the examples, or rounds; None is any number, unless rounding or extreme parameters keep
        the solver from ending, which it then says in a warning.
    optimization : {"full", "subspace"}, default="full"
        Of "n-slack": after new constraints have been found, optimise over all, or over their examples' and only now and
        then over all.
    averaging : {"average", None}, default="average"
        Of "frank-wolfe": whether weights are the average over its steps or the last ones.
    random_state : int, RandomState or None, default=None
        Of "frank-wolfe", which draws examples: a number makes it draw the same ones in every fit.
    n_jobs : int, optional
        Number of threads; see `hedgerow.set_n_jobs`. The result does not depend on it.
    verbose : bool, default=False
        Write a line to standard error after each pass or round.

    Attributes
    ----------
    problem_ : the problem, with what it has learned of the training set
    coef_ : weights of joint features; where a kernel is used, coefficients of training items
    objective_ : the objective that was reached, an upper bound on the optimum (infinite when Ctrl-C came too early)
    dual_objective_ : a lower bound on the optimum
    certificate_ : what was compared with tol: for "n-slack" the largest violation over a slack, else, and for linear
        slacks of a `StringMapping`, the duality gap divided by n C
    n_constraints_ : in the working set at the end
    n_iter_ : passes or rounds
    converged_ : bool
    argmax_seconds_, qp_seconds_ : where the time went
    trace_ : `hedgerow.models.Trace`, with an entry for every pass or round
    support_, support_multipliers_, support_losses_ : arrays
        Of "n-slack": example, multiplier and loss of each constraint that has a multiplier

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.structured import Problem, StructuredSVM
    >>> class Ranks(Problem):  # orders of three numbers
    ...     def candidates(self, x):
    ...         return [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    ...
    ...     def joint_features(self, x, y):
    ...         return np.asarray(x)[list(y)]
    ...
    ...     def compute_loss(self, y_true, y):
    ...         return sum(a != b for a, b in zip(y_true, y))
    >>> X, y = [[3, 1, 2], [0, 5, 4], [2, 9, 7]], [(1, 2, 0), (0, 2, 1), (0, 2, 1)]
    >>> model = StructuredSVM(Ranks(), solver="n-slack").fit(X, y)
    >>> model.predict([[7, 8, 6]])
    [(2, 0, 1)]
    >>> model.converged_
    True
    """

    problem: Problem = field(kw_only=False)
    C: Cost = field(default=1.0, kw_only=False)
