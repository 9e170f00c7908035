"""Learners that keep supports with a kernel, and weights without one: perceptron, passive-aggressive, ROMMA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.utils.metaestimators import available_if

from hedgerow import _core
from hedgerow.checks import Positive
from hedgerow.kernels.base import Matrix
from hedgerow.models.annotations import KernelOrValues
from hedgerow.models.functions import Functions
from hedgerow.online.base import BoundFormula, WeightedOnlineClassifier
from hedgerow.online.kernel_learner import KernelLearner
from hedgerow.online.linear_learner import LinearLearner
from hedgerow.parameters import check_unused


class TwoFormLearner(KernelLearner, LinearLearner):
    """A learner whose rule works on both: it is a `LinearLearner` with ``kernel=None``, else a `KernelLearner`."""

    @property
    def _form(self) -> type[KernelLearner] | type[LinearLearner]:
        return LinearLearner if self.kernel is None else KernelLearner

    @property
    def _on_weights(self) -> bool:
        return self.kernel is None

    def _check_params(self) -> None:
        super()._check_params()
        if self.kernel is not None and self.n_features is not None:
            raise ValueError("n_features is for learners on weights; with a kernel it must be None")
        if self.kernel is not None and self.half_life is not None:
            raise ValueError("half_life is for learners on weights; with a kernel it must be None")
        if self.kernel is not None and self.vectorizer is not None:
            raise ValueError("vectorizer is for learners on weights; with a kernel it must be None")
        if self.kernel is None and self.precision != "double":
            raise ValueError(
                f"precision is for kernels; without one it must be 'double', got {self.precision!r}"
            )

    def _check_kernel(self) -> None:
        self._form._check_kernel(self)

    def _linear_rule(self, n_functions: int, seed: int) -> _core.LinearRule:
        rule = self._rule(n_functions, seed)
        assert isinstance(rule, _core.KernelRule)
        return _core.rule_on_weights(rule, self.averaging)

    def _make_native(self) -> _core.Learner:
        return self._form._make_native(self)

    def _remember_new_features(self) -> None:
        self._form._remember_new_features(self)

    def _biases(self) -> Matrix:
        return self._form._biases(self)

    def functions(self) -> Functions:
        return self._form.functions(self)

    prune = available_if(lambda learner: learner._on_weights)(LinearLearner.prune)
    sparsify = available_if(lambda learner: learner._on_weights)(LinearLearner.sparsify)
    densify = available_if(lambda learner: learner._on_weights)(LinearLearner.densify)


@dataclass(eq=False, repr=False)
class Perceptron(WeightedOnlineClassifier, TwoFormLearner):
    """The perceptron: an example that is not predicted correctly is added to the function.

    Parameters
    ----------
    kernel : Kernel, "precomputed" or None, default=None
        With None it keeps weights of the features of vectors; with a kernel, supports. With "precomputed", `fit` takes
        the kernel values between all examples, and prediction those between items (rows) and examples (columns).
    bias : bool, default=False
        Whether functions have a bias, which moves by the largest K(x, x) so far with every mistake.
    averaging : {None, "average", "vote", "normalized"}, default=None
        What predicts: the last predictor; the average of the predictors after each example; the majority of these
        predictors; the average of predictors divided by their norms. Votes need all predictors, whose changes are
        stored: as much memory as all updates took. While it learns, the errors of votes on weights in traces are those
        of the last predictor, since so many votes would take quadratic time.
    counting : {"examples", "correct"}, default="examples"
        How much a predictor counts in averages and votes: 1 for the example that made it, and 1 for each example that
        left it as it was, so that all examples count (Freund and Schapire; Xu and others, algorithm 1); or only the
        latter (Carvalho and Cohen, table 1). The papers speak of correct predictions; of learners with a margin, which
        also change with correct ones, the tables count those that need no change, and so does this. Where no predictor
        has counted yet, the last one predicts.
    half_life : float or None, default=None
        On weights, for averages over streams that drift: a predictor counts half as much as one that came this many
        examples later, at least 1. With None all count the same.
    epochs : int, default=1
        Passes over the data in `fit`.
    shuffle : bool, default=False
        Whether each pass visits the examples in a new random order.
    random_state : int, RandomState or None, default=None
        Makes shuffling and random codes repeatable.
    multiclass : {"one-vs-rest", "one-vs-one", "codes", "direct"}, default="one-vs-rest"
        How more than two classes are separated: one function for each class; one for each pair; random error-correcting
        codes; or, with "direct", one function for each class, where an example changes at most two: that of its class,
        and that of the wrong class with the highest score (Crammer and Singer). This suits many classes, and is
        available for `Perceptron`, `PassiveAggressive` and `AROW`, without averaging or with "average". All functions
        share the supports and every kernel value. Two classes always have one function.
    probability : {None, "sigmoid", "isotonic"}, default=None
        Whether there is `predict_proba`, and by which map of scores to probabilities, as for `hedgerow.svm.SVC`. The
        scores of held-out examples that it is fitted to come from cross-validation with five parts in `fit`, and in
        `partial_fit` from each example just before the model learned from it (those of the second half of the
        stream, at most 10,000). Learners with ``loss="logistic"`` that learn from every example have
        `predict_proba` without it.
    class_weight : dict, "balanced" or None, default=None
        Multiplies the weights of the examples of a class.
    precision : {"double", "single"}, default="double"
        Of tree kernels, when predicting many items; ``"single"`` is faster, kernel values have a relative
        error below 1e-5. Learning is always in double precision.
    n_features : int or None, default=None
        On weights: a power of two that bounds memory. Feature j is then feature j modulo ``n_features``, as for
        hashed features, and features that meet add up. With None there is a weight for every feature, and sparse
        matrices may bring new ones at any time.
    vectorizer : TextHasher, FragmentHasher or None, default=None
        On weights: makes vectors of texts, or of trees, which X may be then, beside vectors that it has made. The
        learner remembers the words of the features that matter, for `hedgerow.inspection`; fragments of trees are
        found by a second look at trees.
    trace_every : int or None, default=None
        Examples between two entries of `trace_`; None records none.
    n_jobs : int or None, default=None
        Threads for prediction; see `hedgerow.set_n_jobs`.

    Attributes
    ----------
    classes_ : the labels, sorted
    support_, n_support_, support_items_, dual_coef_ : with a kernel
    coef_, n_nonzero_ : without one
    intercept_, mistakes_, n_seen_, trace_ : in both forms

    References
    ----------
    F. Rosenblatt: The perceptron, Psychological Review 65, 1958. Y. Freund, R. E. Schapire: Large margin
    classification using the perceptron algorithm, Machine Learning 37, 1999. K. Crammer, Y. Singer: Ultraconservative
    online algorithms for multiclass problems, Journal of Machine Learning Research 3, 2003.

    Examples
    --------
    >>> from hedgerow.kernels import Normalized, SubsetTree
    >>> from hedgerow.online import Perceptron
    >>> model = Perceptron(Normalized(SubsetTree()), averaging="average")
    >>> trees = ["(S (NP a) (VP b))", "(S (NP a) (NP c))", "(S (NP d) (VP b))", "(S (NP d) (NP c))"]
    >>> model.fit(trees, ["verb", "noun", "verb", "noun"]).predict(["(S (NP e) (VP b))"])
    array(['verb'], dtype='<U4')
    >>> model.n_support_, model.mistakes_
    (2, 2)
    >>> model = Perceptron().fit([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], ["a", "b", "b"])
    >>> model.coef_, model.n_nonzero_
    (array([[2., 0.]]), 1)
    """

    _rule_name = "perceptron"
    _learns_jointly = True

    kernel: KernelOrValues = None
    bias: bool = False

    def _mistake_bound(self) -> BoundFormula | None:
        if self.bias:
            return None

        def bound(losses: Matrix, _w: Matrix, norm: float, radius: float, _s: float) -> tuple[float, float]:
            loss, reach = float(losses.sum()), radius * norm
            return loss, loss + reach * np.sqrt(loss) + reach**2

        return bound


@dataclass(eq=False, repr=False)
class PassiveAggressive(WeightedOnlineClassifier, TwoFormLearner):
    """Passive-Aggressive: the smallest change that gives every example a margin of 1.

    Other parameters and attributes are those of `Perceptron`.

    Parameters
    ----------
    variant : {"PA-I", "PA-II", "PA"}, default="PA-I"
        PA-I moves by at most C; PA-II moves less the smaller C is; PA has no C and suits data without noise.
    C : float, default=1.0
        Aggressiveness, above 0; small for noisy data.
    dynamic : bool, default=False
        Whether C falls during learning, as C / sqrt(1 + mistakes so far): data without noise keep a large C,
        noisy data get a small one.

    References
    ----------
    K. Crammer, O. Dekel, J. Keshet, S. Shalev-Shwartz, Y. Singer: Online passive-aggressive algorithms, Journal
    of Machine Learning Research 7, 2006.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import PassiveAggressive
    >>> X, y = [[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"]
    >>> PassiveAggressive(RBF(gamma=2.0), C=10.0).fit(X, y).predict([[0.1, 0.2], [1.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """

    _rule_name = "passive-aggressive"
    _learns_jointly = True

    kernel: KernelOrValues = None
    variant: Literal["PA-I", "PA-II", "PA"] = "PA-I"
    C: Positive = 1.0
    dynamic: bool = False

    def _check_params(self) -> None:
        super()._check_params()
        if self.variant == "PA":
            check_unused(self, "with variant='PA'", "C", "dynamic", "class_weight")

    def _example_weights(self, labels: Matrix, sample_weight: Any) -> Matrix | None:
        if self.variant == "PA" and sample_weight is not None:
            raise ValueError("sample_weight has no effect with variant='PA'; use PA-I or PA-II")
        return super()._example_weights(labels, sample_weight)

    def _mistake_bound(self) -> BoundFormula | None:
        if self.dynamic:
            return None
        C, variant = self.C, self.variant

        def bound(losses: Matrix, _w: Matrix, norm: float, radius: float, _s: float) -> tuple[float, float]:
            if variant == "PA-I":
                loss = float(losses.sum())
                return loss, max(radius**2, 1 / C) * (norm**2 + 2 * C * loss)
            loss = float((losses**2).sum())
            if variant == "PA-II":
                return loss, (radius**2 + 1 / (2 * C)) * (norm**2 + 2 * C * loss)
            return loss, radius**2 * norm**2 if loss == 0 else np.inf

        return bound


@dataclass(eq=False, repr=False)
class ROMMA(TwoFormLearner):
    """ROMMA: the shortest function that gives the example a margin of 1 and satisfies the constraints learned before.

    What was learned before is remembered as one constraint, that the new function lies beyond a plane through the old
    one, so each mistake costs no more than one of a perceptron.

    Other parameters and attributes are those of `Perceptron`.

    Parameters
    ----------
    aggressive : bool, default=False
        Whether it also learns from examples that are predicted correctly, but with a margin below 1.

    Notes
    -----
    An example without length, or parallel to the function, is left out: nothing can be learned from it.

    References
    ----------
    Y. Li, P. M. Long: The relaxed online maximum margin algorithm, Machine Learning 46, 2002.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import ROMMA
    >>> X, y = [[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"]
    >>> ROMMA(RBF(), aggressive=True).fit(X, y).predict([[0.1, 0.2], [1.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """

    _rule_name = "romma"

    kernel: KernelOrValues = None
    aggressive: bool = False
