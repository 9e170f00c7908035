"""Learners whose rule is written in Python."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any, Protocol

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.models.annotations import KernelOrValues
from hedgerow.models.codes import n_functions
from hedgerow.online.base import WeightedOnlineClassifier
from hedgerow.online.kernel_learner import KernelLearner


class Rule(Protocol):
    """What a learner does with an example.

    ``f`` is the function that is learned, at the example x: it has the values ``score`` (f(x)),
    ``self_kernel`` (K(x, x)), ``squared_norm``, ``bias``, ``supports`` (slots, oldest first),
    ``coefficients`` and ``row`` (K(s, x) for the supports), and the methods ``add(coefficient)``
    (f += coefficient K(x, .)), ``scale(factor)``, ``add_bias(delta)``, ``value_at(slot)`` and
    ``remove(slot)``. ``score`` and ``row`` are those from before the rule changed anything.

    Examples
    --------
    >>> from hedgerow.kernels import Linear
    >>> from hedgerow.online import OnlineLearner
    >>> class MarginPerceptron:
    ...     def learn(self, f, y, weight):
    ...         if y * f.score <= 1:
    ...             f.add(weight * y)
    >>> OnlineLearner(MarginPerceptron(), Linear()).fit([[0.0, 1.0], [1.0, 0.0]], ["a", "b"]).n_support_
    2
    """

    def learn(self, f: Any, y: float, weight: float) -> None:
        """Change f by the example, whose label y is +1 or -1, and which counts with this weight."""


@dataclass(eq=False, repr=False)
class OnlineLearner(WeightedOnlineClassifier, KernelLearner):
    """Online learning with a rule of your own, written in Python.

    Expansions, averaging, several classes, traces and prediction are those of the other learners.

    Other parameters and attributes are those of `Perceptron`.

    Parameters
    ----------
    rule : object with a method ``learn(f, y, weight)``; see `Rule`
        Every function gets a copy. It may keep numbers of its own.
    kernel : Kernel or "precomputed"
        As for `Stoptron`.

    Examples
    --------
    >>> from hedgerow.kernels import RBF
    >>> from hedgerow.online import OnlineLearner
    >>> class ShrinkingPerceptron:
    ...     def learn(self, f, y, weight):
    ...         if y * f.score <= 0:
    ...             f.scale(0.99)
    ...             f.add(weight * y)
    >>> model = OnlineLearner(ShrinkingPerceptron(), RBF())
    >>> model.fit([[0.0], [1.0], [0.1]], ["a", "b", "a"]).predict([[0.2], [0.9]])
    array(['a', 'b'], dtype='<U1')
    """

    _changing = ("_rules", "_label_order")

    rule: Rule
    kernel: KernelOrValues = None

    def _check_params(self) -> None:
        super()._check_params()
        if not callable(getattr(self.rule, "learn", None)):
            raise TypeError(f"rule must have a method learn(f, y, weight), got {self.rule!r}")

    def _check_open(self) -> None:
        raise ValueError("classes='open' is for native rules: name all classes for a rule in Python")

    def _rule(self, n_functions: int, seed: int) -> _core.KernelRule:
        return _core.python_rule(self._rules)

    def _new_native(self, classes: Matrix, random_state: Any) -> _core.Learner:
        # Part of the state, so that a copy continues with what the rules remember.
        self._rules = [copy.deepcopy(self.rule) for _ in range(n_functions(len(classes), self.multiclass))]
        return super()._new_native(classes, random_state)

    def _to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        raise TypeError(
            "a learner with a rule in Python cannot be written to a model file; pickle it instead"
        )
