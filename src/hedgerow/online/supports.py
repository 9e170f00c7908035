"""What learners on kernels show of what they learned."""

from __future__ import annotations

from typing import Any

from hedgerow import _core
from hedgerow.kernels.base import Matrix


class SupportAttributes:
    """Supports and coefficients of a learner whose functions are expansions."""

    def _kernel_learner(self) -> _core.KernelLearner:
        native = self._fitted()  # type: ignore[attr-defined]
        if not isinstance(native, _core.KernelLearner):
            raise AttributeError("without a kernel there are no supports: it keeps weights, see coef_")
        return native

    def _expansion(self) -> _core.Expansion:
        return self._kernel_learner().expansion

    @property
    def support_(self) -> Matrix:
        """Positions of the supports among the examples, in order of arrival."""
        return self._expansion().support_numbers()

    @property
    def n_support_(self) -> int:
        """Number of supports, which all functions share."""
        return self._expansion().support_count

    @property
    def support_items_(self) -> Any:
        """The supports themselves, in order of arrival."""
        items = self._expansion().supports()
        return self.kernel_._from_items(items)  # type: ignore[attr-defined]

    @property
    def dual_coef_(self) -> Matrix:
        """Coefficients of the functions that predict (for votes: of the last), functions by supports."""
        expansion = self._expansion()
        return expansion.coefficients().reshape(expansion.functions, -1)
