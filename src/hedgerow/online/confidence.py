"""Learners that know how sure they are of each weight: AROW and SCW."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from scipy.special import ndtri

from hedgerow import _core
from hedgerow.checks import Bounds, Positive
from hedgerow.online.linear_learner import LinearClassifier


@dataclass(eq=False, repr=False)
class AROW(LinearClassifier):
    """AROW: every weight has a variance, and uncertain weights move more.

    Other parameters and attributes are those of `RDA`.

    Parameters
    ----------
    regularization : float, default=1.0
        Above 0: the larger, the smaller the steps; r of the paper. An example of weight c counts with
        ``regularization / c``.

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
    _learns_jointly = True

    regularization: Positive = 1.0
    bias: bool = False


@dataclass(eq=False, repr=False)
class SCW(LinearClassifier):
    """SCW: the smallest change of weights and variances that classifies with confidence, up to slack.

    Other parameters and attributes are those of `RDA`.

    Parameters
    ----------
    variant : {"SCW-I", "SCW-II"}, default="SCW-I"
        Whether slack counts linearly or squared.
    C : float, default=1.0
        Aggressiveness, above 0; small for noisy data. An example of weight c counts with c C.
    confidence : float, default=0.9
        The probability of the right class that is asked for, above 0.5 and at most 0.999999.

    References
    ----------
    J. Wang, P. Zhao, S. C. H. Hoi: Exact soft confidence-weighted learning, ICML 2012.

    Examples
    --------
    >>> from hedgerow.online import SCW
    >>> model = SCW().fit([[1.0, 0.0, 0.2], [0.0, 1.0, 0.3], [0.9, 0.1, 0.0]], ["a", "b", "a"])
    >>> model.predict([[1.0, 0.1, 0.0], [0.1, 1.0, 0.0]])
    array(['a', 'b'], dtype='<U1')
    """

    variant: Literal["SCW-I", "SCW-II"] = "SCW-I"
    C: Positive = 1.0
    confidence: Annotated[float, Bounds(above=0.5, at_most=0.999999)] = 0.9
    bias: bool = False

    def _rule(self, n_functions: int, seed: int) -> _core.LinearRule:
        values = self._own_values()
        values["phi"] = float(ndtri(values.pop("confidence")))
        return _core.linear_rule("scw", self.averaging, values)
