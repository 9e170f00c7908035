"""Learners on kernels: their functions are expansions over supports."""

from __future__ import annotations

from dataclasses import dataclass

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.locks import reads
from hedgerow.models.annotations import Precision
from hedgerow.models.functions import Functions, KernelFunctions
from hedgerow.models.kernel_classifier import Supports
from hedgerow.online.base import OnlineClassifier


@dataclass(eq=False, repr=False, kw_only=True)
class KernelLearner(OnlineClassifier, Supports):
    """A learner that keeps supports and their coefficients."""

    precision: Precision = "double"

    @property
    def _on_weights(self) -> bool:
        return False

    def _rule(self, n_functions: int, seed: int) -> _core.KernelRule:
        return _core.kernel_rule(self._rule_name, self._own_values())

    def _check_kernel(self) -> None:
        if self.kernel is None:
            raise ValueError(
                f"{type(self).__name__} keeps supports and needs a kernel: pass one of hedgerow.kernels, for the dot "
                "product of vectors Linear()"
            )
        super()._check_kernel()

    def _make_native(self) -> _core.Learner:
        rule = self._rule(self._codes.shape[1], self._seed)
        assert isinstance(rule, _core.KernelRule)
        return _core.KernelLearner(
            self.kernel_._model(),
            rule,
            self._codes,
            self._decoding,
            self.averaging,
            self.trace_every or 0,
            self.counting,
        )

    # -- what was learned -----------------------------------------------------------------------------------

    def _kernel_learner(self) -> _core.KernelLearner:
        native = self._fitted()
        if not isinstance(native, _core.KernelLearner):
            raise AttributeError("without a kernel there are no supports: it keeps weights, see coef_")
        return native

    def _expansion(self) -> _core.Expansion:
        return self._kernel_learner().expansion

    def _biases(self) -> Matrix:
        return self._expansion().biases()

    @reads
    def functions(self) -> Functions:
        native = self._kernel_learner()
        self._check_explainable()
        coefficients, biases, labels = self._by_class(self.dual_coef_)
        supports, version = native.expansion.supports(), (native, native.seen)
        return KernelFunctions(self.kernel_, supports, coefficients, biases, labels, version, self._decide)
