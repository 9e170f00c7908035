"""A function given by supports and coefficients, wherever they come from."""

from __future__ import annotations

from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.locks import OwnLock, reads, writes
from hedgerow.models.functions import KernelFunctions
from hedgerow.threads import resolve


class Expansion:
    """``f_c(x) = sum_i coefficients[i, c] K(supports[i], x) + intercept[c]``.

    Learners keep one inside; use this class for functions that were learned elsewhere.

    Parameters
    ----------
    kernel : Kernel
    n_functions : int, default=1
        The functions share the supports and all kernel values.

    Examples
    --------
    >>> from hedgerow.kernels import SubsetTree
    >>> from hedgerow.models import Expansion
    >>> f = Expansion(SubsetTree(decay=1.0))
    >>> f.add(["(NP (D a) (N dog))", "(NP (D a) (N cat))"], [1.0, -0.5])
    >>> f.intercept = [0.25]
    >>> f.decision_function(["(NP (D the) (N dog))"])
    array([[2.75]])
    """

    _lock = OwnLock()

    def __init__(self, kernel: Kernel, n_functions: int = 1) -> None:
        kernel._check_params()
        self.kernel = kernel
        self._native = _core.Expansion(kernel._model(), n_functions)

    @writes
    def add(self, X: Any, coefficients: Any) -> None:
        """Add supports, with a row of coefficients (or one coefficient) each."""
        items = self.kernel._items(self.kernel._prepare(X))
        values = np.asarray(coefficients, dtype=np.float64)
        if values.ndim == 1:
            values = values[:, None]
        if values.shape != (len(items), self._native.functions):
            raise ValueError(
                f"coefficients must have the shape ({len(items)}, {self._native.functions}), got {values.shape}"
            )
        if not np.isfinite(values).all():
            raise ValueError("coefficients must be finite")
        numbers = self._native.support_count + np.arange(len(items))
        self._native.add_supports(items, np.ascontiguousarray(values), numbers)

    @property
    def intercept(self) -> Matrix:
        """The bias of each function; may be set, to one number for all too."""
        return self._native.biases()

    @intercept.setter
    @writes
    def intercept(self, values: Any) -> None:
        for function, value in enumerate(np.broadcast_to(values, self._native.functions)):
            self._native.set_bias(function, float(value))

    @property
    def supports(self) -> Any:
        """The supports, in the order in which they were added."""
        return self.kernel._from_items(self._native.supports())

    @property
    def coefficients(self) -> Matrix:
        """One row a support, one column a function."""
        return self._native.coefficients().reshape(self._native.functions, -1).T

    def decision_function(self, X: Any, n_jobs: int | None = None) -> Matrix:
        """The values of all functions: one row an item, one column a function."""
        items = self.kernel._items(self.kernel._prepare(X))
        values = self._native.decisions(items, resolve(n_jobs), False)
        return values.reshape(len(items), self._native.functions)

    @reads
    def functions(self) -> KernelFunctions:
        """What the values are made of, for `hedgerow.inspection`."""
        native = self._native
        version = (native.support_count, self.intercept.tobytes())
        return KernelFunctions.of(self.kernel, native, list(range(native.functions)), version, self._decide)

    def _decide(self, X: Any) -> tuple[list[Any], Matrix]:
        values = self.decision_function(X)
        return [None] * len(values), values

    def __getstate__(self) -> dict[str, Any]:
        return {
            "kernel": self.kernel,
            "n_functions": self._native.functions,
            "arrays": self._native.save(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["kernel"], state["n_functions"])  # type: ignore[misc]
        self._native.load(state["arrays"])
