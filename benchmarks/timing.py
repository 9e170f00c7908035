"""Timing on a noisy machine: the shortest of several runs."""

from __future__ import annotations

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
