"""Sparse weights by gradients: dual averaging, forward-backward splitting, truncation, FTRL-proximal."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal

import numpy as np

from hedgerow import _core
from hedgerow.checks import Count, NotNegative, Positive, check_number
from hedgerow.kernels.base import Matrix
from hedgerow.online.base import BoundFormula
from hedgerow.online.linear_learner import LinearClassifier
from hedgerow.parameters import check_unused


@dataclass(eq=False, repr=False)
class RDA(LinearClassifier):
    """Regularised dual averaging (RDA): small weights that fit the average of all gradients so far.

    With s the sum of the k gradients so far, the next predictor minimises
    ``s.w / k + l1 |w|_1 + l2 / 2 |w|^2 + |w|^2 / (2 learning_rate sqrt(k))``. A feature has weight 0 as long as its
    mean gradient is within ``l1``, so weights are sparser than those of other learners with l1 regularisation.

    Other parameters and attributes are those of `Perceptron`.

    Parameters
    ----------
    loss : {"hinge", "logistic", "exponential"}, default="hinge"
        The loss of a margin m: ``max(0, 1 - m)``, ``log(1 + exp(-m))``, ``exp(-m)``.
    l1 : float, default=0.0
        How strongly weights are pulled to 0, so that few are left.
    l2 : float, default=0.0
        How strongly weights are kept small.
    learning_rate : float or None, default=1.0
        The size of steps, 1 / eta of the papers. With None the last term is left out, which is for ``l2 > 0``: the
        function that is minimised is strongly convex by itself, steps become 1 / k times as long, and the regret grows
        with log k instead of sqrt(k). Without ``l1`` that is an online support vector machine.
    update : {"all", "mistakes"}, default="all"
        Whether every example counts as a gradient, also one of 0, or only examples that are not predicted correctly, k
        counting these: voted RDA.
    adaptive : bool, default=False
        AdaGrad: every feature has steps of its own, ``learning_rate / sqrt(sum of its squared gradients)`` in place
        of ``learning_rate / sqrt(k)``, so rare features move as far as frequent ones. Averages then need an ``l2``
        of 0.
    bias : bool, default=False
        Whether functions have a bias: a feature that is 1 in every example, regularised like any other.
    averaging : {None, "average", "vote"}, default=None
        What predicts: the last predictor; the average of the predictors after each example; the majority of these
        predictors. Votes need all predictors, whose changes are stored: as much memory as all updates took.

    Notes
    -----
    The weight of an example multiplies its gradient. An example so large that weights, or sums of gradients, would
    leave the range of numbers is not learned from.

    References
    ----------
    L. Xiao: Dual averaging methods for regularized stochastic learning and online optimization, JMLR 11, 2010.
    T. Xu, J. Gao, L. Xiao, A. Regan: Online classification using a voted RDA method, AAAI 2014. J. Duchi, E. Hazan,
    Y. Singer: Adaptive subgradient methods for online learning and stochastic optimization, JMLR 12, 2011.

    Examples
    --------
    >>> from hedgerow.online import RDA
    >>> X = [[1.0, 0.0, 0.1], [0.0, 1.0, 0.1], [1.0, 0.0, 0.1], [0.0, 1.0, 0.0]]
    >>> model = RDA(l1=0.1).fit(X, ["left", "right", "left", "right"])
    >>> model.predict([[0.9, 0.3, 0.0], [0.2, 0.8, 0.1]])
    array(['left', 'right'], dtype='<U5')
    >>> model.coef_, model.n_nonzero_
    (array([[-0.8,  0.8,  0. ]]), 2)
    """

    loss: Literal["hinge", "logistic", "exponential"] = "hinge"
    l1: NotNegative = 0.0
    l2: NotNegative = 0.0
    learning_rate: Positive | None = 1.0
    update: Literal["all", "mistakes"] = "all"
    adaptive: bool = False
    bias: bool = False

    @property
    def _leaves_correct(self) -> bool:
        return self.update == "mistakes"

    def _check_params(self) -> None:
        super()._check_params()
        if self.learning_rate is None and (self.adaptive or self.l2 == 0):
            raise ValueError(
                "learning_rate=None needs l2 > 0, which then keeps steps small alone, and adaptive=False; got "
                f"l2={self.l2!r} and adaptive={self.adaptive!r}"
            )
        if self.adaptive and self.averaging == "average" and self.l2 > 0:
            raise ValueError(
                f"l2 must be 0 with adaptive=True and averaging='average', got {self.l2!r}: each feature shrinks "
                "at a pace of its own, which cannot be averaged in the time that an example takes; use l1, "
                "averaging=None or averaging='vote'"
            )

    def _mistake_bound(self) -> BoundFormula | None:
        rate, l1 = self.learning_rate, self.l1
        if rate is None or (self.update, self.loss, self.l2, self.bias) != ("mistakes", "hinge", 0.0, False):
            return None

        def bound(
            losses: Matrix, wrong: Matrix, norm: float, radius: float, strength: float
        ) -> tuple[float, float]:
            loss, rest = float(losses[wrong].sum()), 1 - l1 * strength
            step = norm**2 / (2 * rate) + radius**2 * rate  # sqrt(2) R |u| for the best rate
            return loss, (np.sqrt(loss / rest) + step / rest) ** 2 if rest > 0 else np.inf

        return bound

    def _rule(self, n_functions: int, seed: int) -> _core.LinearRule:
        values = self._own_values()
        adaptive = values.pop("adaptive")
        if self.learning_rate is None:
            values["learning_rate"] = inf  # 1 / inf is the weight of the term that is left out
        return _core.linear_rule("adagrad-rda" if adaptive else "rda", self.averaging, values)


@dataclass(eq=False, repr=False)
class FOBOS(LinearClassifier):
    """FOBOS: a step along the gradient, then a step towards small weights.

    At step t, with ``eta = learning_rate / sqrt(t)``, first ``w' = w - eta gradient``; then every weight becomes
    ``sign(w') max(|w'| - eta l1, 0) / (1 + eta l2)``, the best compromise between staying at w' and being small.
    Without regularisation this is stochastic gradient descent.

    Other parameters and attributes are those of `RDA`, whose notes hold here too.

    Parameters
    ----------
    learning_rate : float, default=1.0
        The size of the first step.
    update : {"all", "mistakes"}, default="all"
        Whether a step follows every example, also one without a gradient, or only examples that are not predicted
        rightly, t counting these: voted FOBOS.

    References
    ----------
    J. Duchi, Y. Singer: Efficient online and batch learning using forward backward splitting, JMLR 10, 2009.

    Examples
    --------
    >>> from hedgerow.online import FOBOS
    >>> X = [[1.0, 0.0, 0.1], [0.0, 1.0, 0.1], [1.0, 0.0, 0.1], [0.0, 1.0, 0.0]]
    >>> model = FOBOS(l1=0.1).fit(X, ["left", "right", "left", "right"])
    >>> model.predict([[0.9, 0.3, 0.0], [0.2, 0.8, 0.1]])
    array(['left', 'right'], dtype='<U5')
    >>> model.n_nonzero_
    2
    """

    _rule_name = "fobos"

    loss: Literal["hinge", "logistic", "exponential"] = "hinge"
    l1: NotNegative = 0.0
    l2: NotNegative = 0.0
    learning_rate: Positive = 1.0
    update: Literal["all", "mistakes"] = "all"
    bias: bool = False

    @property
    def _leaves_correct(self) -> bool:
        return self.update == "mistakes"


@dataclass(eq=False, repr=False)
class TruncatedGradient(LinearClassifier):
    """Truncated gradient: stochastic gradient descent that pulls small weights to 0 every few steps.

    At step t, ``w <- w - eta gradient``. After every ``truncate_every`` steps, weights with ``|w| <= threshold`` come
    closer to 0 by ``truncate_every * l1 * eta``, and those that would cross 0 become 0.

    Other parameters and attributes are those of `RDA`, whose notes hold here too.

    Parameters
    ----------
    l1 : float, default=0.0
        The gravity: how much weights shrink in a step of length 1. That of ``--l1`` in Vowpal Wabbit.
    learning_rate : float, default=0.1
        The size of all steps, or of the first.
    schedule : {"constant", "decaying"}, default="constant"
        Whether all steps are as long, as in the paper, or step t has the learning rate ``learning_rate / sqrt(t)``,
        as ``--power_t 0.5`` in Vowpal Wabbit; weights then shrink by ``l1`` times the sum of the learning rates since
        they last shrank.
    truncate_every : int, default=1
        K of the paper: steps between two truncations. With more than 1, weights have some time to grow before they
        are cut.
    threshold : float, default=inf
        theta of the paper: weights beyond it do not shrink.

    References
    ----------
    J. Langford, L. Li, T. Zhang: Sparse online learning via truncated gradient, JMLR 10, 2009.

    Examples
    --------
    >>> from hedgerow.online import TruncatedGradient
    >>> X = [[1.0, 0.0, 0.1], [0.0, 1.0, 0.1], [1.0, 0.0, 0.1], [0.0, 1.0, 0.0]]
    >>> model = TruncatedGradient(l1=0.1, truncate_every=2).fit(X, ["left", "right", "left", "right"])
    >>> model.predict([[0.9, 0.3, 0.0], [0.2, 0.8, 0.1]])
    array(['left', 'right'], dtype='<U5')
    >>> model.coef_.round(2), model.n_nonzero_
    (array([[-0.16,  0.16,  0.  ]]), 2)
    """

    _rule_name = "truncated-gradient"

    loss: Literal["hinge", "logistic", "exponential"] = "hinge"
    l1: NotNegative = 0.0
    learning_rate: Positive = 0.1
    schedule: Literal["constant", "decaying"] = "constant"
    truncate_every: Count = 1
    threshold: float = inf
    bias: bool = False

    @property
    def _leaves_correct(self) -> bool:
        return self.loss == "hinge"  # the others have a gradient everywhere

    def _check_params(self) -> None:
        super()._check_params()
        if self.l1 == 0:
            check_unused(self, "without l1", "truncate_every", "threshold")
        if not (isinstance(self.threshold, float) and self.threshold == inf):
            check_number("threshold", self.threshold, at_least=0)


@dataclass(eq=False, repr=False)
class FTRL(LinearClassifier):
    """FTRL-proximal: sparse weights from gradients, with a step size of its own for every feature.

    Features that are rare take large steps, frequent ones small steps; l1 regularisation keeps weights at 0 that the
    data do not clearly ask for.

    Other parameters and attributes are those of `RDA`.

    Parameters
    ----------
    loss : {"logistic", "hinge", "exponential"}, default="logistic"
        The loss of a margin m: ``log(1 + exp(-m))``, ``max(0, 1 - m)``, ``exp(-m)``.
    learning_rate : float, default=0.1
        How far a feature j moves, ``learning_rate / (beta + sqrt(sum of its squared gradients))``; alpha of the paper.
    beta : float, default=1.0
        Keeps first steps small; at least 0.
    l1 : float, default=0.0
        How strongly weights are pulled to 0: a weight is 0 until its summed gradient exceeds ``l1``.

    References
    ----------
    H. B. McMahan and others: Ad click prediction: a view from the trenches, KDD 2013.

    Examples
    --------
    >>> from hedgerow.online import FTRL
    >>> model = FTRL().fit([[1.0, 0.0, 0.2], [0.0, 1.0, 0.3], [0.9, 0.1, 0.0]], ["a", "b", "a"])
    >>> model.predict([[1.0, 0.1, 0.0], [0.1, 1.0, 0.0]])
    array(['a', 'b'], dtype='<U1')
    """

    _rule_name = "ftrl"

    loss: Literal["logistic", "hinge", "exponential"] = "logistic"
    learning_rate: Positive = 0.1
    beta: NotNegative = 1.0
    l1: NotNegative = 0.0
    l2: NotNegative = 0.0
    bias: bool = False

    @property
    def _leaves_correct(self) -> bool:
        return self.loss == "hinge"  # the others have a gradient everywhere
