"""Projectrons: what the supports span already is projected instead of stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hedgerow import _core
from hedgerow.checks import Count, NotNegative
from hedgerow.models.annotations import KernelOrValues
from hedgerow.online.kernel_learner import KernelLearner
from hedgerow.parameters import check_unused


class _ProjectingLearner(KernelLearner):
    """A learner that keeps the Cholesky factor of the products of its supports."""

    @property
    def condition_(self) -> float:
        """A lower bound on the condition of the supports' Gram matrix: beyond 1e12 trust no digit."""
        return self._kernel_learner().condition


@dataclass(eq=False, repr=False)
class Projectron(_ProjectingLearner):
    """Projectron: a mistake near the span of the supports is projected onto it, not stored.

    Other parameters and attributes are those of `Perceptron`.

    Parameters
    ----------
    kernel : Kernel or "precomputed"
        As for `Stoptron`.
    eta : float, default=0.1
        Examples no farther than this from the span of the supports are projected onto it; at least 0. Larger
        values give fewer supports.
    budget : int or None, default=None
        The largest number of supports of a function. If given, eta must not be: it follows from the budget and the
        loss, as McKenna (2011, section 7.2) proposes, and once the budget is reached all examples are projected.
        Budgets below 200 use the threshold of 200. Their own would exceed 1, the length of an example under a
        normalised kernel, so that nearly everything would be projected onto the first few supports.

    References
    ----------
    F. Orabona, J. Keshet, B. Caputo: Bounded kernel-based online learning, Journal of Machine Learning Research
    10, 2009.

    J. McKenna: Online learning with tree kernels, 2011.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import Projectron
    >>> X, y = [[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"]
    >>> Projectron(RBF(), eta=0.2).fit(X, y).predict([[0.1, 0.2], [1.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """

    _margin_errors: ClassVar[bool] = False  # whether it learns from right predictions with a small margin

    kernel: KernelOrValues = None
    eta: NotNegative = 0.1
    budget: Count | None = None

    def _check_params(self) -> None:
        super()._check_params()
        if self.budget is not None:
            check_unused(self, "beside a budget, from which it follows", "eta")

    def _rule(self, n_functions: int, seed: int) -> _core.KernelRule:
        values = {**self._own_values(), "margin_errors": self._margin_errors}
        return _core.kernel_rule("projectron", values)


class ProjectronPlusPlus(Projectron):
    """Projectron++: a Projectron that also learns from correct predictions with a small margin.

    Parameters, attributes and the reference are those of `Projectron`.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import ProjectronPlusPlus
    >>> X, y = [[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"]
    >>> ProjectronPlusPlus(RBF(), eta=0.2).fit(X, y).predict([[0.1, 0.2], [1.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """

    _margin_errors = True


@dataclass(eq=False, repr=False)
class ForgetfulProjectron(_ProjectingLearner):
    """Forgetful Projectron: stores every mistake; over budget the oldest is projected onto the rest.

    Other parameters and attributes are those of `RandomBudgetPerceptron`.

    References
    ----------
    Proposed, but not tried, in chapter 7 of McKenna's thesis on online learning with tree kernels, 2011.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import ForgetfulProjectron
    >>> X, y = [[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"]
    >>> ForgetfulProjectron(RBF(), budget=3).fit(X, y).predict([[0.1, 0.2], [1.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """

    _rule_name = "forgetful-projectron"

    kernel: KernelOrValues = None
    budget: Count = 1000
