"""What a process has read and made of shards, kept while there is room: what was not used for longest goes first.

The cache is not state: whatever is not there is made again.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from threading import RLock
from typing import Any

import numpy as np
from scipy import sparse

ROOM = "HEDGEROW_CACHE_MB"  # environment variable: how much a process keeps
DEFAULT_ROOM = 512

_lock = RLock()
_kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()


def get(key: Hashable, paths: Sequence[str], make: Callable[[], Any]) -> Any:
    """What is kept under the key and made of these files, unless one of them has changed; else made again."""
    whole = (key, tuple(_stamp(path) for path in paths))
    with _lock:
        if whole in _kept:
            _kept.move_to_end(whole)
            return _kept[whole][0]
    value = make()
    with _lock:
        _kept[whole] = (value, size_of(value))
        room = int(os.environ.get(ROOM, DEFAULT_ROOM)) << 20
        # The last one stays: its maker uses it now anyway.
        while len(_kept) > 1 and sum(size for _, size in _kept.values()) > room:
            _kept.popitem(last=False)
    return value


def clear() -> None:
    """Forget everything."""
    with _lock:
        _kept.clear()


def _stamp(path: str) -> tuple[int, int]:
    about = os.stat(path)
    return about.st_size, about.st_mtime_ns


def size_of(value: Any) -> int:
    """About how many bytes it takes."""
    if hasattr(value, "columns"):  # of records, or of a data frame
        return sum(size_of(value[name]) for name in value.columns)
    if sparse.issparse(value):
        return int(12 * value.nnz)
    if hasattr(value, "nbytes") and getattr(value, "dtype", None) is not np.dtype(object):
        return int(value.nbytes)
    if isinstance(value, str | bytes):
        return 50 + len(value)
    if isinstance(value, list | tuple | np.ndarray):
        # A look at some of many.
        some = value if len(value) <= 100 else [value[i] for i in range(0, len(value), len(value) // 100)]
        return 60 + sum(map(size_of, some)) * len(value) // max(1, len(some))
    return 100
