"""What structured SVMs and perceptrons share: a problem, weights of its joint features, predictions."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from hedgerow.kernels.base import Matrix
from hedgerow.kernels.precomputed import is_precomputed
from hedgerow.locks import Shared, reads
from hedgerow.models.functions import Functions
from hedgerow.models.native_estimator import above, below
from hedgerow.models.stored import stored
from hedgerow.models.tallies import Tally
from hedgerow.structured.problem import Binding, Problem
from hedgerow.threads import resolve

_MOST_WITHOUT_WEIGHTS = 1 << 24  # in a model file


class StructuredLearner(Shared):
    """A learner of F(x, y) = w . Psi(x, y), which predicts the y with the highest F.

    A subclass stores its parameters in ``__init__`` and has a `fit` that sets ``problem_`` and ``coef_``.
    Estimators for everyday use, which make the problem themselves, name it as `problem_class`.
    """

    # The only problem that it is for; its parameters are then the learner's own.
    problem_class: ClassVar[type[Problem] | None] = None
    problem: Any
    C: float
    n_jobs: int | None
    problem_: Problem
    coef_: Matrix
    # Fitted numbers and arrays that are saved with a model.
    _reports: tuple[str, ...] = ()
    _changing = ("problem_",)

    def _make_problem(self) -> Problem:
        if self.problem_class is not None:
            own = self._get_param_names()
            names = [name for name in self.problem_class._get_param_names() if name in own]
            return self.problem_class(**{name: getattr(self, name) for name in names})
        if not isinstance(self.problem, Problem):
            raise TypeError(f"problem must be a hedgerow.structured.Problem, got {self.problem!r}")
        made: Problem = clone(self.problem)
        return made

    def _start(self, X: Any, y: Any, problem: Problem | None = None) -> Binding:
        """Bind a new problem to the first examples; one may have been made already."""
        problem = problem or self._make_problem()
        binding = problem._bind(X, y, True)
        self.problem_ = problem
        return binding

    def _check_fitted(self) -> None:
        if not hasattr(self, "coef_"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted yet; call fit first")

    def _how_far(self) -> str | None:
        """How far learning has come; None before its beginning."""
        return None

    @reads
    def predict(self, X: Any) -> Any:
        """The output with the highest score for each input."""
        self._check_fitted()
        return self.problem_._decode(X, self.coef_, resolve(self.n_jobs))

    @reads
    def score(self, X: Any, y: Any) -> float:
        """The problem's accuracy of the predictions."""
        return self.problem_.accuracy(y, self.predict(X))

    @reads
    def tally(self) -> Tally:
        """An empty tally: what counts predictions for evaluations."""
        self._check_fitted()
        return self.problem_.tally()

    @reads
    def functions(self) -> Functions:
        """What the scores of outputs are made of, for `hedgerow.inspection`."""
        self._check_fitted()
        return self.problem_._functions(self)

    @property
    def support_pairs_(self) -> list[tuple[Any, Any]]:
        """With a joint kernel: the pairs (x, y) of F(x', y') = sum_j pair_coef_j K(x_j, y_j, x', y')."""
        pairs, coefficients = self._expansion()
        return [pair for pair, coefficient in zip(pairs, coefficients, strict=True) if coefficient != 0]

    @property
    def pair_coef_(self) -> Matrix:
        """With a joint kernel: the coefficients of `support_pairs_`."""
        _, coefficients = self._expansion()
        nonzero: Matrix = coefficients[coefficients != 0]
        return nonzero

    @reads
    def _expansion(self) -> tuple[list[tuple[Any, Any]], Matrix]:
        self._check_fitted()
        if not self.problem_._has_kernel:
            raise AttributeError(f"{type(self.problem_).__name__} has no joint kernel; see coef_")
        coefficients = self.problem_.pairs_.coefficients(self.coef_)
        return self.problem_.pairs_.pairs[: len(coefficients)], coefficients

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        # The kernel is a parameter of the problem, or of an estimator that makes the problem itself.
        kernel = getattr(self, "kernel", None) or getattr(getattr(self, "problem", None), "kernel", None)
        tags.input_tags.pairwise = is_precomputed(kernel)
        return tags

    # -- copies ---------------------------------------------------------------------------------------------

    @reads
    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """What was learned: a description for JSON, and arrays."""
        self._check_fitted()
        problem, of_problem = self.problem_._to_state()
        description, arrays = self._learned_state()
        return {"problem": problem, **description}, {**arrays, **above("problem.", of_problem)}

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        """Take up what another learner with these parameters had learned."""
        self._check_params()
        problem = self._make_problem()
        problem._from_state(description["problem"], below("problem.", arrays))
        self.problem_ = problem
        self._take_learned(description, arrays)
        # Features that were met, but not learned from, have no weights yet.
        known, most = len(self.coef_), problem._n_weights()
        if not known <= most <= known + _MOST_WITHOUT_WEIGHTS:
            raise ValueError(f"there are {known} weights for a problem that has {most}")
        return self

    def _learned_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """All that was learned, but for the problem."""
        reports = {name: np.asarray(getattr(self, name)) for name in self._reports if hasattr(self, name)}
        return {}, {"coef": self.coef_, **above("report.", reports)}

    def _take_learned(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
        self.coef_ = stored(arrays, "coef", np.float64, None)
        for name, value in below("report.", arrays).items():
            if name not in self._reports or value.ndim > 1:
                raise ValueError(f"report.{name} is not known, or has the wrong shape")
            setattr(self, name, value if value.ndim else value.item())
