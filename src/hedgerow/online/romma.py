"""ROMMA, the relaxed online maximum margin algorithm."""

from __future__ import annotations

from dataclasses import dataclass

from hedgerow.models.annotations import KernelOrValues
from hedgerow.online.two_forms import TwoFormLearner


@dataclass(eq=False, repr=False)
class ROMMA(TwoFormLearner):
    """ROMMA: the shortest function that gives the example a margin of 1 and keeps to what was learned before.

    What was learned before is remembered as one constraint, that the new function lies beyond a plane through the old
    one, so each mistake costs no more than one of a perceptron.

    Parameters and attributes that are not described here are as for `Perceptron`.

    Parameters
    ----------
    aggressive : bool, default=False
        Whether it also learns from examples that are predicted rightly, but with a margin below 1.

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
