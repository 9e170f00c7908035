"""What structured SVMs and perceptrons share: a problem, weights of its joint features, predictions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import ClassifierTags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _check_feature_names

from hedgerow.checks import check_whole
from hedgerow.interrupts import interrupts_held
from hedgerow.kernels.base import Matrix
from hedgerow.kernels.precomputed import is_precomputed
from hedgerow.locks import Shared, reads
from hedgerow.models.example_weights import example_weights, given_weights
from hedgerow.models.functions import Functions
from hedgerow.models.labels import encode
from hedgerow.models.native_estimator import above, below
from hedgerow.models.stored import stored
from hedgerow.models.tallies import Tally
from hedgerow.structured.problem import Binding, Problem
from hedgerow.threads import resolve


def _classifies(learner: Any) -> bool:
    """Whether outputs are classes."""
    problem = learner.problem_class or type(getattr(learner, "problem", None))
    return bool(getattr(problem, "_classifies", False))


def _labels_tokens(learner: Any) -> bool:
    """Whether outputs are labels of tokens."""
    return hasattr(learner.problem_class or type(getattr(learner, "problem", None)), "token_margins")


_MOST_WITHOUT_WEIGHTS = 1 << 24  # in a model file
_ROUNDING = 1e-14  # of the largest weight: what is left of weights that were taken back
_WEIGHTS = ("coef", "coordinates")  # arrays that a problem may shorten


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

    def _problem_with(self, classes: Any) -> Problem:
        """A new problem, which is told the classes that will come if they are known."""
        problem = self._make_problem()
        if classes is not None:
            if "classes" not in problem._get_param_names():
                raise ValueError(f"{type(problem).__name__} has no classes to be told")
            problem.set_params(classes=np.asarray(classes).tolist())
        return problem

    def _check_told(self, classes: Any) -> None:
        """Complains about other classes than the first call had."""
        if classes is not None and set(np.asarray(classes).tolist()) != set(self.classes_.tolist()):
            raise ValueError(
                f"classes are not those of the first call, which were {self.classes_.tolist()}, got {classes!r}"
            )

    def _start(self, X: Any, y: Any, problem: Problem | None = None) -> Binding:
        """Bind a new problem to the first examples; one may have been made already."""
        problem = problem or self._make_problem()
        if hasattr(X, "columns"):  # a frame
            _check_feature_names(self, X, reset=True)
        binding = problem._bind(X, y, True)
        self.problem_ = problem
        return binding

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Unless anything is learned in there before it fails, the model is what it was."""
        before, learned, undo = dict(self.__dict__), self._n_learned(), self._undo()
        try:
            yield
        except BaseException:
            if self._n_learned() == learned:
                with interrupts_held():
                    self.__dict__ = before
                    undo()
            raise

    def _n_learned(self) -> int:
        """Of examples: what some learners keep when they fail later."""
        return 0

    def _undo(self) -> Callable[[], None]:
        """What takes back all that is known after now, beside attributes; it needs no memory."""
        return self.problem_._undo() if hasattr(self, "problem_") else lambda: None

    def _weighted(self, binding: Binding, y: Any, sample_weight: Any, root: bool = False) -> Binding:
        """The binding, whose examples count as much as their weights say, or the roots of these."""
        class_weight = getattr(self, "class_weight", None)
        n = binding.n_examples
        weights: Matrix | None = None
        if class_weight is not None:
            classes: Matrix = self.problem_.classes_
            weights = example_weights(classes, encode(y, classes, n), sample_weight, class_weight)
        elif sample_weight is not None:
            weights = given_weights(sample_weight, n)
            if not weights.any():
                raise ValueError("sample_weight must have at least one weight that is not zero")
        if weights is None:
            return binding
        return binding.weighted(np.sqrt(weights) if root else weights)

    def _check_columns(self, X: Any) -> None:
        """Further examples in a data frame have the columns of the first ones."""
        if hasattr(X, "columns") or hasattr(self, "feature_names_in_"):
            _check_feature_names(self, X, reset=False)

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
        self._check_columns(X)
        return self.problem_._decode(X, self.coef_, resolve(self.n_jobs))

    @reads
    def predict_k(self, X: Any, k: int = 5) -> list[list[tuple[Any, float]]]:
        """For each input the k outputs with the highest scores F(x, y), and these, best first, as far as there are k.

        Scores of one input can be compared with each other, not with those of another input, and are not probabilities.

        Examples
        --------
        >>> from hedgerow.structured import SequenceSVC
        >>> model = SequenceSVC(random_state=0).fit([["the", "cat"], ["a", "dog"]], [["D", "N"], ["D", "N"]])
        >>> [labels for labels, score in model.predict_k([["the", "dog"]], 2)[0]]
        [['D', 'N'], ['N', 'N']]
        """
        self._check_fitted()
        self._check_columns(X)
        check_whole("k", k, at_least=1)
        return self.problem_._decode_k(X, self.coef_, int(k), resolve(self.n_jobs))

    def decision_scores(self, X: Any) -> Matrix:
        """By how much the score of each predicted output is above the next best one; infinite if there is no other.

        Examples
        --------
        >>> from hedgerow.structured import SequenceSVC
        >>> model = SequenceSVC(random_state=0).fit([["the", "cat"], ["a", "dog"]], [["D", "N"], ["D", "N"]])
        >>> model.decision_scores([["the", "dog"], ["dog", "the"]]).round(2)
        array([0.99, 0.44])
        """
        ranked = self.predict_k(X, 2)
        return np.array([two[0][1] - two[1][1] if len(two) > 1 else np.inf for two in ranked])

    @available_if(_labels_tokens)  # type: ignore[untyped-decorator]
    @reads
    def token_margins(self, X: Any) -> list[Matrix]:
        """Of label sequences: by how much the best score would fall if a token had another than the predicted label.

        A difference of max-marginals for every token: small ones mark labels that another output with nearly the same
        score would change. They are differences of scores, no probabilities, and depend on C and on the features.
        """
        self._check_fitted()
        problem: Any = self.problem_
        margins: list[Matrix] = problem.token_margins(X, self.coef_, resolve(self.n_jobs))
        return margins

    @available_if(_classifies)  # type: ignore[untyped-decorator]
    @reads
    def decision_function(self, X: Any) -> Matrix:
        """Of classes: F(x, y) of all of them, shape (n, classes); of two, by how much that of the second is higher."""
        self._check_fitted()
        self._check_columns(X)
        scores: Matrix = self.problem_.scores(X, self.coef_, resolve(self.n_jobs))
        leads: Matrix = scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores
        return leads

    @property
    def classes_(self) -> Matrix:
        """The classes, or labels, that the problem knows, sorted."""
        classes: Matrix = self._of_problem("classes_")
        return classes

    @property
    def n_features_in_(self) -> int:
        """How many features inputs have, where they are vectors."""
        return int(self._of_problem("n_features_in_"))

    def _of_problem(self, name: str) -> Any:
        self._check_fitted()
        if not hasattr(self.problem_, name):
            raise AttributeError(f"a {type(self.problem_).__name__} has no {name}")
        return getattr(self.problem_, name)

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
        if _classifies(self):
            tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags()
            tags.target_tags.required = True
            tags.input_tags.sparse = True
        return tags

    # -- copies ---------------------------------------------------------------------------------------------

    @reads
    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """What was learned: a description for JSON, and arrays."""
        self._check_fitted()
        problem, of_problem = self.problem_._to_state()
        description, arrays = self._learned_state()
        return {"problem": problem, **description}, {**arrays, **above("problem.", of_problem)}

    @reads
    def _final_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """The same without what only further learning needs."""
        self._check_fitted()
        coef = np.where(np.abs(self.coef_) > _ROUNDING * np.abs(self.coef_).max(initial=0), self.coef_, 0.0)
        description, arrays = self._learned_weights(coef)
        problem, of_problem, kept = self.problem_._final_state(coef)
        arrays |= {name: values[kept] for name, values in arrays.items() if name in _WEIGHTS and len(values)}
        return {"problem": problem, **description}, {**arrays, **above("problem.", of_problem)}

    def _learned_weights(self, coef: Matrix) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """What was learned, if the weights that predict were these and learning was over."""
        description, arrays = self._learned_state()
        return description, {**arrays, "coef": coef}

    def _from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> Self:
        """Take up what another learner with these parameters had learned."""
        self._check_params()
        problem = self._make_problem()
        problem._from_state(description["problem"], below("problem.", arrays))
        self.problem_ = problem
        self._take_learned(description, arrays)
        # Features that were met, but not learned from, have no weights yet.
        known, most = len(self.coef_), problem._n_weights()
        if most is not None and not known <= most <= known + _MOST_WITHOUT_WEIGHTS:
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
