"""FOBOS: gradient steps with forward-backward splitting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hedgerow.checks import NotNegative, Positive
from hedgerow.online.linear_learner import LinearClassifier


@dataclass(eq=False, repr=False)
class FOBOS(LinearClassifier):
    """FOBOS: a step along the gradient, then a step towards small weights.

    At step t, with ``eta = learning_rate / sqrt(t)``, first ``w' = w - eta gradient``; then every weight becomes
    ``sign(w') max(|w'| - eta l1, 0) / (1 + eta l2)``, the best compromise between staying at w' and being small.

    Parameters and attributes that are not described here are as for `Perceptron`.

    Parameters
    ----------
    loss : {"hinge", "logistic", "exponential"}, default="hinge"
        As for `RDA`.
    l1, l2 : float, default=0.0
        As for `RDA`.
    learning_rate : float, default=1.0
        The size of the first step.
    update : {"all", "mistakes"}, default="all"
        Whether a step follows every example, also one without a gradient, or only examples that are not predicted
        rightly, t counting these: voted FOBOS.
    bias, averaging
        As for `RDA`.

    Notes
    -----
    Without regularisation this is stochastic gradient descent. The weight of an example multiplies its gradient. An
    example so large that weights would leave the range of numbers is not learned from.

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
