"""Kernel values that were computed elsewhere: ``kernel="precomputed"`` of learners."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_array

from hedgerow import _core
from hedgerow.kernels.base import Kernel, Matrix

PRECOMPUTED = "precomputed"


class Precomputed(Kernel):
    """Items are rows of kernel values with the examples of a fit; the examples are a square matrix of these."""

    def _prepare(self, X: Any) -> Matrix:
        rows: Matrix = check_array(
            X, dtype=[np.float64, np.float32], order="C", ensure_min_samples=0, input_name="X"
        )
        return rows

    def _gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        if Y is not None:
            raise ValueError("a precomputed kernel is known between the examples only")
        values: Matrix = X
        return values.astype(dtype, copy=False)

    def _diag(self, X: Any) -> Matrix:
        return np.diag(X).astype(np.float64)

    def _native_model(self) -> _core.KernelModel:
        return _core.PrecomputedModel()

    def _items(self, X: Any) -> _core.Items:
        return _core.GramItems(X)

    def _from_items(self, items: Any) -> Any:
        raise AttributeError(
            "with kernel='precomputed' the supports themselves are not known; see their numbers in support_"
        )


def is_precomputed(kernel: Any) -> bool:
    """Whether this value of a parameter asks for kernel values instead of items."""
    return isinstance(kernel, str)


def kernel_from(parameter: Any) -> Kernel:
    """A new kernel as the parameter of a learner says."""
    kernel: Kernel = Precomputed() if is_precomputed(parameter) else clone(parameter)
    return kernel


def check_kernel(kernel: Any, name: str = "kernel", *, precomputed: bool = True) -> None:
    """A TypeError for what is neither a kernel nor None (nor "precomputed"), a ValueError for bad parameters."""
    if kernel is None or (precomputed and isinstance(kernel, str) and kernel == PRECOMPUTED):
        return
    if not isinstance(kernel, Kernel):
        accepted = (
            f"a hedgerow kernel, {PRECOMPUTED!r} or None" if precomputed else "a hedgerow kernel or None"
        )
        kind = ValueError if precomputed and isinstance(kernel, str) else TypeError
        raise kind(f"{name} must be {accepted}, got {kernel!r}")
    kernel._check_params()


def check_square(gram: Any) -> None:
    """Raise a ValueError for what cannot be the kernel values between all examples."""
    if gram.shape[0] != gram.shape[1]:
        raise ValueError(
            f"with kernel='precomputed' X must be a square matrix of kernel values, got the shape {gram.shape}"
        )
    # Row by row, so that a large matrix is not copied.
    largest = float(np.abs(gram).max(initial=0.0))
    for i in range(len(gram)):
        if not np.allclose(gram[i], gram[:, i], rtol=1e-5, atol=1e-6 * largest):
            raise ValueError(f"with kernel='precomputed' X must be symmetric; row {i} and column {i} differ")
