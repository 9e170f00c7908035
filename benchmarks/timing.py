"""Timing on a noisy machine: the shortest of several runs."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any


def best_time(run: Callable[[], Any], repeat: int = 12, seconds: float = 10.0) -> float:
    """Seconds of the fastest of `repeat` runs, or of as many as fit in the time (two at least)."""
    times: list[float] = []
    while len(times) < 2 or (len(times) < repeat and sum(times) < seconds):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return min(times)


def keep_freed_memory() -> None:
    """Make the allocator keep what is freed, so that a run gets memory that an earlier run has touched.

    The first touch of memory costs whatever the system takes to provide it: on a virtual machine many times
    the computation, and never twice the same.
    """
    if sys.platform == "linux":
        trim_threshold, mmap_max = -1, -4  # of mallopt(3)
        libc = ctypes.CDLL(None)
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)
