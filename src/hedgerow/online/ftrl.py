"""FTRL-proximal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hedgerow.checks import NotNegative, Positive
from hedgerow.online.linear_learner import LinearClassifier


@dataclass(eq=False, repr=False)
class FTRL(LinearClassifier):
    """FTRL-proximal: sparse weights from gradients, with a step size of its own for every feature.

    Features that are rare take large steps, frequent ones small steps; l1 regularisation keeps weights at 0 that the
    data do not clearly ask for.

    Parameters and attributes that are not described here are as for `Perceptron`.

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
    l2 : float, default=0.0
        How strongly weights are kept small.
    bias, averaging
        As for `RDA`.

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
