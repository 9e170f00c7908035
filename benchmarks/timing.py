"""Timing on a noisy machine: the shortest of several runs."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any


def best_time(run: Callable[[], Any], repeat: int = 5) -> float:
    """Seconds of the fastest run."""
    times = []
    for _ in range(repeat):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return min(times)
