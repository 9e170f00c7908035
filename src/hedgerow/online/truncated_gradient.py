"""The truncated gradient: gradient steps, and now and then small weights shrink."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal

from hedgerow.checks import Count, NotNegative, Positive, check_number
from hedgerow.online.linear_learner import LinearClassifier
from hedgerow.parameters import check_unused


@dataclass(eq=False, repr=False)
class TruncatedGradient(LinearClassifier):
    """Truncated gradient: stochastic gradient descent that pulls small weights to 0 every few steps.

    At step t, ``w <- w - eta gradient``. After every ``truncate_every`` steps, weights with ``|w| <= threshold`` come
    closer to 0 by ``truncate_every * l1 * eta``, and those that would cross 0 become 0.

    Parameters and attributes that are not described here are as for `Perceptron`.

    Parameters
    ----------
    loss : {"hinge", "logistic", "exponential"}, default="hinge"
        As for `RDA`.
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
    bias, averaging
        As for `RDA`.

    Notes
    -----
    The weight of an example multiplies its gradient. An example so large that weights would leave the range of numbers
    is not learned from.

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

    def _check_params(self) -> None:
        super()._check_params()
        if self.l1 == 0:
            check_unused(self, "without l1", "truncate_every", "threshold")
        if self.threshold != inf:
            check_number("threshold", self.threshold, at_least=0)
