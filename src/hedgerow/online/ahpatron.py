"""Ahpatron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hedgerow import _core
from hedgerow.kernels.base import Kernel
from hedgerow.kernels.checks import check_number, check_whole
from hedgerow.models.annotations import KernelOrValues
from hedgerow.online.kernel_learner import KernelLearner
from hedgerow.online.lengths import warn_if_long


@dataclass(eq=False, repr=False)
class Ahpatron(KernelLearner):
    """Ahpatron: an aggressive perceptron that halves its supports by projection at the budget.

    Parameters
    ----------
    kernel, budget
        As for `Stoptron`.
    margin : float, default=0.5
        Examples with a smaller margin are learned from; from 0 to 1 (1 - epsilon in the paper).
    radius : float or None, default=None
        The largest norm of a function; None is sqrt(budget) / 2, as in the paper.
    ridge : float, default=5e-4
        Added to the Gram matrix of the supports that stay; above 0.
    averaging, epochs, shuffle, random_state, multiclass, precision, trace_every, n_jobs
        As for `Perceptron`. Averages and votes go on using supports that left the last predictor, so they are kept
        beyond the budget.

    Attributes
    ----------
    classes_, support_, n_support_, support_items_, dual_coef_, intercept_, mistakes_, trace_
        As for `Perceptron`.

    References
    ----------
    Y. Liao, J. Li, S. Liao, Q. Hu, J. Dang: Ahpatron: a new budgeted online kernel learning machine with tighter
    mistake bound, AAAI 2024.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import Ahpatron
    >>> model = Ahpatron(RBF(), budget=4)
    >>> model.fit([[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"])
    Ahpatron(...)
    >>> model.predict([[0.1, 0.2], [1.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """

    kernel: KernelOrValues = None
    budget: int = 1000
    margin: float = 0.5
    radius: float | None = None
    ridge: float = 5e-4

    def _check_params(self) -> None:
        super()._check_params()
        check_whole("budget", self.budget, at_least=2)
        check_number("margin", self.margin, at_least=0, at_most=1)
        if self.radius is not None:
            check_number("radius", self.radius, above=0)
        check_number("ridge", self.ridge, above=0)

    def _rule(self, n_functions: int, seed: int) -> _core.KernelRule:
        values = self._values("budget", "margin", "ridge")
        return _core.kernel_rule("ahpatron", {**values, "radius": self.radius or self.budget**0.5 / 2})

    def _look_at(self, kernel: Kernel, prepared: Any) -> None:
        warn_if_long(type(self).__name__, kernel, prepared)
