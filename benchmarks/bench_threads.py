"""Calls on two threads beside the same calls on one, in one run, by the clock: what asking for help costs and brings.

- Scores of batches of 1 to 4,096 vectors with 300 supports, called one after the other and, as in a server, with
  pauses in which the second thread has gone to sleep.
- Gram matrices, of many short rows and of few long ones.
- `SVC`, which makes thousands of short calls.

Below 1 two threads are slower. A call too short to be shared should cost what it costs on one thread. Contenders take
turns; the median of a batch of calls counts, and of batches the shortest, as other work on the machine slows two
threads more than one.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import median
from time import perf_counter, sleep
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from timing import keep_freed_memory

from hedgerow.kernels import RBF, Linear
from hedgerow.svm import SVC

BATCHES = (1, 4, 16, 64, 256, 1_024, 4_096)
PAUSE = 0.002  # seconds
Call = Callable[[int], Any]  # with the number of threads


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--rounds", type=int, default=10, help="batches of calls, of which the shortest counts"
    )
    rounds = parser.parse_args().rounds
    keep_freed_memory()
    table = Table(title="Microseconds of a call", title_justify="left")
    for column in ("call", "one thread", "two threads", "times as fast"):
        table.add_column(column, justify="left" if column == "call" else "right")
    for name, (call, calls, pause) in contenders().items():
        one, two = (1e6 * seconds for seconds in shortest(call, calls, pause, rounds))
        table.add_row(name, f"{one:,.1f}", f"{two:,.1f}", f"{one / two:.2f}")
    Console(width=120).print(table)


def contenders() -> dict[str, tuple[Call, int, float]]:
    """Calls by name, how many make a batch, and the pause before each."""
    random = np.random.default_rng(0)
    X = random.normal(size=(4_096, 20))
    y = np.where(X[:, 0] + 0.5 * random.normal(size=len(X)) > 0, 1, -1)
    found: dict[str, tuple[Call, int, float]] = {}
    for n in BATCHES:
        found[f"score {n:,}"] = (scoring(X, n), max(3, 2_000 // n), 0)
    for n in (1, 64, 1_024):
        found[f"score {n:,} after a pause"] = (scoring(X, n), 30, PAUSE)
    found["Gram matrix, 4,096 x 50"] = (lambda threads: Linear()(X, X[:50], n_jobs=threads), 5, 0)
    found["Gram matrix, 50 x 4,096"] = (lambda threads: RBF()(X[:50], X, n_jobs=threads), 5, 0)
    found["Gram matrix, 2,000 x 2,000"] = (lambda threads: RBF()(X[:2_000], n_jobs=threads), 3, 0)
    for n in (500, 3_000):
        found[f"SVC, {n:,} examples"] = (fitting(X[:n], y[:n]), 1, 0)
    return found


def scoring(X: Any, n: int) -> Call:
    """Native, since all else takes longer than a short call."""
    kernel = RBF()
    model, supports = kernel._model(), kernel._items(X[:300])
    for slot in range(300):
        model.put(slot, supports, slot)
        model.add_weight(slot, 0, 1.0)
    model.freeze(False)
    items = kernel._items(X[:n])
    return lambda threads: model.score_batch(items, threads)


def fitting(X: Any, y: Any) -> Call:
    return lambda threads: SVC(RBF(), C=10.0, n_jobs=threads).fit(X, y)


def shortest(call: Call, calls: int, pause: float, rounds: int) -> list[float]:
    """Seconds of a call on one thread and on two."""
    times: list[list[float]] = [[], []]
    for _ in range(rounds):
        for threads in (1, 2):
            times[threads - 1].append(median(seconds(call, threads, pause) for _ in range(calls)))
    return [min(some) for some in times]


def seconds(call: Call, threads: int, pause: float) -> float:
    if pause:
        sleep(pause)
    start = perf_counter()
    call(threads)
    return perf_counter() - start


if __name__ == "__main__":
    main()
