"""Ahpatron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from hedgerow import _core
from hedgerow.checks import Bounds, Positive, Share
from hedgerow.kernels.base import Kernel
from hedgerow.models.annotations import KernelOrValues
from hedgerow.online.kernel_learner import KernelLearner
from hedgerow.online.lengths import warn_if_long


@dataclass(eq=False, repr=False)
class Ahpatron(KernelLearner):
    """Ahpatron: an aggressive perceptron that halves its supports by projection at the budget.

    Parameters and attributes that are not described here are as for `Perceptron`.

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
    averaging
        As for `Perceptron`. Averages and votes go on using supports that left the last predictor, so they are kept
        beyond the budget.

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
    budget: Annotated[int, Bounds(at_least=2)] = 1000
    margin: Share = 0.5
    radius: Positive | None = None
    ridge: Positive = 5e-4

    def _rule(self, n_functions: int, seed: int) -> _core.KernelRule:
        radius = self.radius or self.budget**0.5 / 2
        return _core.kernel_rule("ahpatron", {**self._own_values(), "radius": radius})

    def _look_at(self, kernel: Kernel, prepared: Any) -> None:
        warn_if_long(type(self).__name__, kernel, prepared)
