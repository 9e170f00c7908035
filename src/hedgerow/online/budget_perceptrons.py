"""Perceptrons on a budget: one stops storing, one lets a random support go."""

from __future__ import annotations

from dataclasses import dataclass

from hedgerow import _core
from hedgerow.kernels.checks import check_whole
from hedgerow.models.annotations import KernelOrValues
from hedgerow.online.base import WeightedOnlineClassifier
from hedgerow.online.kernel_learner import KernelLearner


@dataclass(eq=False, repr=False)
class _BudgetPerceptron(WeightedOnlineClassifier, KernelLearner):
    """A perceptron with a budget, whatever it does when that is reached."""

    kernel: KernelOrValues = None
    budget: int = 1000

    def _check_params(self) -> None:
        super()._check_params()
        check_whole("budget", self.budget, at_least=1)


class Stoptron(_BudgetPerceptron):
    """A perceptron that stops storing supports when it has its budget.

    Parameters
    ----------
    kernel : Kernel or "precomputed"
        `Linear` for the dot product of vectors. With "precomputed", `fit` takes the kernel values between all examples,
        and prediction those between items (rows) and examples (columns).
    budget : int, default=1000
        The largest number of supports of a function.
    averaging, epochs, shuffle, random_state, multiclass, class_weight, precision, trace_every, n_jobs
        As for `Perceptron`.

    Attributes
    ----------
    classes_, support_, n_support_, support_items_, dual_coef_, intercept_, mistakes_, trace_
        As for `Perceptron`.

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

    def _rule(self, n_functions: int, seed: int) -> _core.KernelRule:
        return _core.kernel_rule("stoptron", self._values("budget"))


class RandomBudgetPerceptron(_BudgetPerceptron):
    """A perceptron in which a random support leaves when one too many comes.

    Parameters
    ----------
    kernel, budget
        As for `Stoptron`.
    averaging, epochs, shuffle, random_state, multiclass, class_weight, precision, trace_every, n_jobs
        As for `Perceptron`. Averages and votes go on using supports that left the last predictor, so they are kept
        beyond the budget.

    Attributes
    ----------
    classes_, support_, n_support_, support_items_, dual_coef_, intercept_, mistakes_, trace_
        As for `Perceptron`.

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
        return _core.kernel_rule("random-budget", {**self._values("budget"), "seed": seed})
