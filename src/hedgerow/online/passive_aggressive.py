"""Passive-Aggressive learning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from hedgerow.checks import Positive
from hedgerow.kernels.base import Matrix
from hedgerow.models.annotations import KernelOrValues
from hedgerow.online.base import WeightedOnlineClassifier
from hedgerow.online.two_forms import TwoFormLearner
from hedgerow.parameters import check_unused


@dataclass(eq=False, repr=False)
class PassiveAggressive(WeightedOnlineClassifier, TwoFormLearner):
    """Passive-Aggressive: the smallest change that gives every example a margin of 1.

    Parameters and attributes that are not described here are as for `Perceptron`.

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
