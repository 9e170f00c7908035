"""AROW, adaptive regularisation of weights."""

from __future__ import annotations

from dataclasses import dataclass

from hedgerow import _core
from hedgerow.kernels.checks import check_number
from hedgerow.online.linear_learner import LinearClassifier


@dataclass(eq=False, repr=False)
class AROW(LinearClassifier):
    """AROW: every weight has a variance, and uncertain weights move more.

    Parameters
    ----------
    r : float, default=1.0
        Regularisation, above 0: the larger, the smaller the steps. An example of weight c counts with r / c.
    bias : bool, default=False
        Whether a feature that is 1 in every example is learned, and regularised, like any other.
    averaging : {None, "average", "vote"}, default=None
        What predictions come from: the last predictor; the average of the predictors after each example; the
        majority of these predictors, which are all kept: as much memory as all updates took.
    epochs, shuffle, random_state, multiclass, class_weight, n_features, trace_every, n_jobs
        As for `Perceptron`.

    Attributes
    ----------
    classes_, coef_, n_nonzero_, intercept_, mistakes_, trace_
        As for `Perceptron`.

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

    r: float = 1.0
    bias: bool = False

    def _check_params(self) -> None:
        super()._check_params()
        check_number("r", self.r, above=0)

    def _rule(self, n_functions: int, seed: int) -> _core.LinearRule:
        return _core.linear_rule("arow", self.averaging, self._values("r", "bias"))
