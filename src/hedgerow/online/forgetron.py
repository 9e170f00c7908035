"""The Forgetron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from hedgerow.checks import Count
from hedgerow.kernels.base import Kernel
from hedgerow.models.annotations import KernelOrValues
from hedgerow.online.kernel_learner import KernelLearner
from hedgerow.online.lengths import warn_if_long


@dataclass(eq=False, repr=False)
class Forgetron(KernelLearner):
    """Forgetron: supports shrink with every mistake, and the oldest leaves over budget.

    Parameters and attributes that are not described here are as for `Perceptron`.

    Parameters
    ----------
    kernel, budget
        As for `Stoptron`.
    shrinking : {"self-tuned", "basic", "greedy"}, default="self-tuned"
        By how much supports shrink: as little as the analysis allows, given what happened so far; always as much as
        it allows for the budget; as little as possible, letting a support go whose loss does no harm if there is one.
    averaging
        As for `Perceptron`. Averages and votes go on using supports that left the last predictor, so they are kept
        beyond the budget.

    References
    ----------
    O. Dekel, S. Shalev-Shwartz, Y. Singer: The Forgetron: a kernel-based perceptron on a budget, SIAM Journal on
    Computing 37, 2008.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import Forgetron
    >>> model = Forgetron(RBF(), budget=3)
    >>> model.fit([[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"])
    Forgetron(...)
    >>> model.predict([[0.1, 0.2], [1.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """

    _rule_name = "forgetron"

    kernel: KernelOrValues = None
    budget: Count = 1000
    shrinking: Literal["self-tuned", "basic", "greedy"] = "self-tuned"

    def _look_at(self, kernel: Kernel, prepared: Any) -> None:
        warn_if_long(type(self).__name__, kernel, prepared)
