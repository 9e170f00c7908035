"""AROW, adaptive regularisation of weights."""

from __future__ import annotations

from dataclasses import dataclass

from hedgerow.checks import Positive
from hedgerow.online.linear_learner import LinearClassifier


@dataclass(eq=False, repr=False)
class AROW(LinearClassifier):
    """AROW: every weight has a variance, and uncertain weights move more.

    Parameters and attributes that are not described here are as for `Perceptron`.

    Parameters
    ----------
    r : float, default=1.0
        Regularisation, above 0: the larger, the smaller the steps. An example of weight c counts with r / c.
    bias, averaging
        As for `RDA`.

    References
    ----------
    K. Crammer, A. Kulesza, M. Dredze: Adaptive regularization of weight vectors, NIPS 2009.

    Examples
    --------
    >>> from hedgerow.online import AROW
    >>> model = AROW().fit([[1.0, 0.0, 0.2], [0.0, 1.0, 0.3], [0.9, 0.1, 0.0]], ["a", "b", "a"])
    >>> model.predict([[1.0, 0.1, 0.0], [0.1, 1.0, 0.0]])
    array(['a', 'b'], dtype='<U1')
    """

    _rule_name = "arow"

    r: Positive = 1.0
    bias: bool = False
