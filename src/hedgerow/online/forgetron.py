"""The Forgetron."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from hedgerow import _core
from hedgerow.kernels.base import Kernel
from hedgerow.kernels.checks import check_whole
from hedgerow.models.annotations import KernelOrValues
from hedgerow.online.kernel_learner import KernelLearner
from hedgerow.online.lengths import warn_if_long


@dataclass(eq=False, repr=False)
class Forgetron(KernelLearner):
    """Forgetron: supports shrink with every mistake, and the oldest leaves over budget.

    Parameters
    ----------
    kernel, budget
        As for `Stoptron`.
    variant : {"self-tuned", "basic", "greedy"}, default="self-tuned"
        By how much supports shrink: as little as the analysis allows, given what happened so far; always as much as
        it allows for the budget; as little as possible, letting a support go whose loss does no harm if there is one.
    averaging, epochs, shuffle, random_state, multiclass, precision, trace_every, n_jobs
        As for `Perceptron`. Averages and votes go on using supports that left the last predictor, so they are kept
        beyond the budget.

    Attributes
    ----------
    classes_, support_, n_support_, support_items_, dual_coef_, intercept_, mistakes_, trace_
        As for `Perceptron`.

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

    kernel: KernelOrValues = None
    budget: int = 1000
    variant: Literal["self-tuned", "basic", "greedy"] = "self-tuned"

    def _check_params(self) -> None:
        super()._check_params()
        check_whole("budget", self.budget, at_least=1)

    def _rule(self, n_functions: int, seed: int) -> _core.KernelRule:
        return _core.kernel_rule("forgetron", self._values("budget", "variant"))

    def _look_at(self, kernel: Kernel, prepared: Any) -> None:
        warn_if_long(type(self).__name__, kernel, prepared)
