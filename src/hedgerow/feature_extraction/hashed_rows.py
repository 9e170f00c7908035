"""Sparse rows whose columns are hashes: what `TextHasher` and `FragmentHasher` share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy import sparse


def check_n_features(n: Any) -> None:
    """Complain about a number of columns that hashes cannot fill."""
    if not isinstance(n, int) or isinstance(n, bool) or not 2 <= n <= 2**30 or n & (n - 1):
        raise ValueError(f"n_features must be a power of two from 2 to 2**30, got {n!r}")


def bits_of(n_features: int) -> int:
    return n_features.bit_length() - 1


def csr_rows(arrays: Any, n_features: int) -> Any:
    """Begins, columns and values, as native code gives them, as a CSR array."""
    begins, columns, values = arrays
    if len(columns) < 2**31:  # as scipy keeps them itself
        begins = begins.astype(np.int32)
    return sparse.csr_array((values, columns, begins), shape=(len(begins) - 1, n_features))


def joined(words: Iterable[tuple[bool, str]], more: bool = False) -> str:
    """Features that share a column; those that count the other way round than the first have a minus."""
    known = list(words)
    shown = [word if negative == known[0][0] else f"\N{MINUS SIGN}{word}" for negative, word in known]
    return " / ".join([*shown, "\N{HORIZONTAL ELLIPSIS}"] if more else shown)
