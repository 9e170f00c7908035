"""Learners whose analysis needs items of length at most 1."""

from __future__ import annotations

import warnings
from typing import Any

from hedgerow.kernels import RBF, Normalized
from hedgerow.kernels.base import Kernel


def warn_if_long(learner: str, kernel: Kernel, prepared: Any) -> None:
    """Warn when the first items have K(x, x) > 1."""
    if isinstance(kernel, Normalized | RBF):
        return
    longest = float(kernel._diag(prepared).max(initial=0.0))
    if longest > 1 + 1e-9:
        warnings.warn(
            f"{learner} expects K(x, x) <= 1, but the data have {longest:.4g}; use Normalized(kernel)",
            stacklevel=5,
        )
