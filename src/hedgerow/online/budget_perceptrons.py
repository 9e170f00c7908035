"""Perceptrons on a budget: what each does when its supports become too many."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from hedgerow import _core
from hedgerow.checks import Bounds, Count, Positive, Share
from hedgerow.kernels import RBF, Normalized
from hedgerow.kernels.base import Kernel
from hedgerow.models.annotations import KernelOrValues
from hedgerow.online.base import WeightedOnlineClassifier
from hedgerow.online.kernel_learner import KernelLearner


@dataclass(eq=False, repr=False)
class _BudgetPerceptron(WeightedOnlineClassifier, KernelLearner):
    """A perceptron with a budget, whatever it does when that is reached."""

    kernel: KernelOrValues = None
    budget: Count = 1000


class Stoptron(_BudgetPerceptron):
    """A perceptron that stops storing supports when its budget is full.

    Other parameters and attributes are those of `Perceptron`.

    Parameters
    ----------
    kernel : Kernel or "precomputed"
        `Linear` for the dot product of vectors. With "precomputed", `fit` takes the kernel values between all examples,
        and prediction those between items (rows) and examples (columns).
    budget : int, default=1000
        The largest number of supports of a function.

    References
    ----------
    F. Orabona, J. Keshet, B. Caputo: The Projectron: a bounded kernel-based perceptron, ICML 2008.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import Stoptron
    >>> X, y = [[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"]
    >>> Stoptron(RBF(), budget=3).fit(X, y).predict([[0.1, 0.2], [1.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """

    _rule_name = "stoptron"


class RandomBudgetPerceptron(_BudgetPerceptron):
    """A perceptron that removes a random support when its budget is exceeded.

    Other parameters and attributes are those of `Perceptron`.

    Parameters
    ----------
    kernel, budget
        As for `Stoptron`.
    averaging
        As for `Perceptron`. Averages and votes go on using supports that left the last predictor, so they are kept
        beyond the budget.

    References
    ----------
    G. Cavallanti, N. Cesa-Bianchi, C. Gentile: Tracking the best hyperplane with a simple budget perceptron,
    Machine Learning 69, 2007.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import RandomBudgetPerceptron
    >>> X, y = [[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"]
    >>> RandomBudgetPerceptron(RBF(), budget=3, random_state=0).fit(X, y).predict([[0.1, 0.2], [1.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """

    _random_with: ClassVar = {}  # always: which support is dropped

    def _rule(self, n_functions: int, seed: int) -> _core.KernelRule:
        return _core.kernel_rule("random-budget", {**self._own_values(), "seed": seed})


class _ShortItems(KernelLearner):
    """A learner whose analysis needs items of length at most 1."""

    def _look_at(self, kernel: Kernel, prepared: Any) -> None:
        if isinstance(kernel, Normalized | RBF):
            return
        longest = float(kernel._diag(prepared).max(initial=0.0))
        if longest > 1 + 1e-9:
            warnings.warn(
                f"{type(self).__name__} expects K(x, x) <= 1, but the data have {longest:.4g}; use Normalized(kernel)",
                stacklevel=4,
            )


@dataclass(eq=False, repr=False)
class Forgetron(_ShortItems):
    """Forgetron: supports shrink with every mistake, and the oldest is removed over budget.

    Other parameters and attributes are those of `RandomBudgetPerceptron`.

    Parameters
    ----------
    shrinking : {"self-tuned", "basic", "greedy"}, default="self-tuned"
        By how much supports shrink: as little as the analysis allows, given what happened so far; always as much as
        it allows for the budget; as little as possible, letting a support go whose loss does no harm if there is one.

    References
    ----------
    O. Dekel, S. Shalev-Shwartz, Y. Singer: The Forgetron: a kernel-based perceptron on a budget, SIAM Journal on
    Computing 37, 2008.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import Forgetron
    >>> X, y = [[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"]
    >>> Forgetron(RBF(), budget=3).fit(X, y).predict([[0.1, 0.2], [1.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """

    _rule_name = "forgetron"

    kernel: KernelOrValues = None
    budget: Count = 1000
    shrinking: Literal["self-tuned", "basic", "greedy"] = "self-tuned"


@dataclass(eq=False, repr=False)
class Ahpatron(_ShortItems):
    """Ahpatron: an aggressive perceptron that halves its supports by projection at the budget.

    Other parameters and attributes are those of `RandomBudgetPerceptron`.

    Parameters
    ----------
    margin : float, default=0.5
        The function changes at examples with a smaller margin; from 0 to 1 (1 - epsilon in the paper).
    radius : float or None, default=None
        The largest norm of a function; None is sqrt(budget) / 2, as in the paper.
    ridge : float, default=5e-4
        Added to the Gram matrix of the supports that stay; above 0.

    References
    ----------
    Y. Liao, J. Li, S. Liao, Q. Hu, J. Dang: Ahpatron: a new budgeted online kernel learning machine with tighter
    mistake bound, AAAI 2024.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import Ahpatron
    >>> X, y = [[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"]
    >>> Ahpatron(RBF(), budget=4).fit(X, y).predict([[0.1, 0.2], [1.0, 1.0]])
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
