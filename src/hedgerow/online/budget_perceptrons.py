"""Perceptrons on a budget: one stops storing, one lets a random support go."""

from __future__ import annotations

from dataclasses import dataclass

from hedgerow import _core
from hedgerow.checks import Count
from hedgerow.models.annotations import KernelOrValues
from hedgerow.online.base import WeightedOnlineClassifier
from hedgerow.online.kernel_learner import KernelLearner


@dataclass(eq=False, repr=False)
class _BudgetPerceptron(WeightedOnlineClassifier, KernelLearner):
    """A perceptron with a budget, whatever it does when that is reached."""

    kernel: KernelOrValues = None
    budget: Count = 1000


class Stoptron(_BudgetPerceptron):
    """A perceptron that stops storing supports when it has its budget.

    Parameters and attributes that are not described here are as for `Perceptron`.

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
    >>> model = Stoptron(RBF(), budget=3)
    >>> model.fit([[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"])
    Stoptron(...)
    >>> model.predict([[0.1, 0.2], [1.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """

    _rule_name = "stoptron"


class RandomBudgetPerceptron(_BudgetPerceptron):
    """A perceptron in which a random support leaves when one too many comes.

    Parameters and attributes that are not described here are as for `Perceptron`.

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
    >>> model = RandomBudgetPerceptron(RBF(), budget=3, random_state=0)
    >>> model.fit([[0.0, 0.1], [1.0, 0.9], [0.2, 0.0], [0.9, 1.0]], ["low", "high", "low", "high"])
    RandomBudgetPerceptron(...)
    >>> model.predict([[0.1, 0.2], [1.0, 1.0]])
    array(['low', 'high'], dtype='<U4')
    """

    def _rule(self, n_functions: int, seed: int) -> _core.KernelRule:
        return _core.kernel_rule("random-budget", {**self._own_values(), "seed": seed})
