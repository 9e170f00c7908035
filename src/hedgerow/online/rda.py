"""Regularised dual averaging: plain, voted, with steps of its own for every feature."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hedgerow import _core
from hedgerow.checks import NotNegative, Positive
from hedgerow.online.linear_learner import LinearClassifier


@dataclass(eq=False, repr=False)
class RDA(LinearClassifier):
    """Regularised dual averaging: weights that suit all gradients so far, and are small.

    With s the sum of the k gradients so far, the next predictor minimises
    ``s.w / k + l1 |w|_1 + l2 / 2 |w|^2 + |w|^2 / (2 learning_rate sqrt(k))``. A feature has weight 0 as long as its
    mean gradient is within ``l1``, so weights are sparser than those of other learners with l1 regularisation.

    Parameters and attributes that are not described here are as for `Perceptron`.

    Parameters
    ----------
    loss : {"hinge", "logistic", "exponential"}, default="hinge"
        The loss of a margin m: ``max(0, 1 - m)``, ``log(1 + exp(-m))``, ``exp(-m)``.
    l1 : float, default=0.0
        How strongly weights are pulled to 0, so that few are left.
    l2 : float, default=0.0
        How strongly weights are kept small.
    learning_rate : float, default=1.0
        The size of steps, 1 / eta of the papers.
    update : {"all", "mistakes"}, default="all"
        Whether every example counts as a gradient, also one of 0, or only examples that are not predicted rightly, k
        counting these: voted RDA.
    adaptive : bool, default=False
        AdaGrad: every feature has steps of its own, ``learning_rate / sqrt(sum of its squared gradients)`` in place
        of ``learning_rate / sqrt(k)``, so rare features move as far as frequent ones. Averages then need an ``l2``
        of 0.
    bias : bool, default=False
        Whether functions have a bias: a feature that is 1 in every example, regularised like any other.
    averaging : {None, "average", "vote"}, default=None
        What predictions come from: the last predictor; the average of the predictors after each example; the
        majority of these predictors. Votes need all predictors, whose changes are stored: as much memory as all
        updates took.

    Notes
    -----
    The weight of an example multiplies its gradient. An example so large that sums of gradients would leave the range
    of numbers is not learned from.

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
    learning_rate: Positive = 1.0
    update: Literal["all", "mistakes"] = "all"
    adaptive: bool = False
    bias: bool = False

    def _check_params(self) -> None:
        super()._check_params()
        if self.adaptive and self.averaging == "average" and self.l2 > 0:
            raise ValueError(
                f"l2 must be 0 with adaptive=True and averaging='average', got {self.l2!r}: each feature shrinks "
                "at a pace of its own, which cannot be averaged in the time that an example takes; use l1, "
                "averaging=None or averaging='vote'"
            )

    def _rule(self, n_functions: int, seed: int) -> _core.LinearRule:
        values = self._own_values()
        adaptive = values.pop("adaptive")
        return _core.linear_rule("adagrad-rda" if adaptive else "rda", self.averaging, values)
