"""Learners that keep supports with a kernel, and weights without one."""

from __future__ import annotations

from typing import Any

from sklearn.utils.metaestimators import available_if

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.models.functions import Functions
from hedgerow.online.kernel_learner import KernelLearner
from hedgerow.online.linear_learner import LinearLearner


def _keeps_weights(learner: Any) -> bool:
    return bool(learner._on_weights)


class TwoFormLearner(KernelLearner, LinearLearner):
    """A learner whose rule works on both: it is a `LinearLearner` with ``kernel=None``, else a `KernelLearner`."""

    @property
    def _form(self) -> type[KernelLearner] | type[LinearLearner]:
        return LinearLearner if self.kernel is None else KernelLearner

    @property
    def _on_weights(self) -> bool:
        return self.kernel is None

    def _check_params(self) -> None:
        super()._check_params()
        if self.kernel is not None and self.n_features is not None:
            raise ValueError("n_features is for learners on weights; with a kernel it must be None")
        if self.kernel is None and self.precision != "double":
            raise ValueError(
                f"precision is for kernels; without one it must be 'double', got {self.precision!r}"
            )

    def _check_kernel(self) -> None:
        self._form._check_kernel(self)

    def _linear_rule(self, n_functions: int, seed: int) -> _core.LinearRule:
        rule = self._rule(n_functions, seed)
        assert isinstance(rule, _core.KernelRule)
        return _core.rule_on_weights(rule, self.averaging)

    def _make_native(self) -> _core.Learner:
        return self._form._make_native(self)

    def _check_width(self, prepared: Any) -> None:
        self._form._check_width(self, prepared)

    def _remember_new_features(self) -> None:
        self._form._remember_new_features(self)

    def _biases(self) -> Matrix:
        return self._form._biases(self)

    def functions(self) -> Functions:
        return self._form.functions(self)

    sparsify = available_if(_keeps_weights)(LinearLearner.sparsify)
    densify = available_if(_keeps_weights)(LinearLearner.densify)
