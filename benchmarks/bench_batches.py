"""Scores of long batches of trees, each distinct subtree of which is matched once, in CPU time and on one thread.

The same trees in batches of 1,000 are too short for that, and show what it saves. Models of normalised subset trees
have the supports of a perceptron (srl_ewt), or 4,500 questions, and random weights. A second pass over the same items
finds their norms and their subtrees.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import numpy as np
from data import DATA
from rich.console import Console
from rich.table import Table
from timing import keep_freed_memory

from hedgerow import Forest, _core, set_n_jobs
from hedgerow.io import read_svmlight_tk
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.online import Perceptron

KERNEL = SubsetTree()
SCORED = 100_000
SHORT = 1_000
ROUNDS = 5


def main() -> None:
    if not DATA.is_dir():
        print(f"no data folder at {DATA} (set HEDGEROW_DATA): nothing to run on")
        return
    set_n_jobs(1)
    keep_freed_memory()
    table = Table(title="µs a tree, and how many times as fast as in short batches", title_justify="left")
    for column in ("trees", "precision", "supports", "short batches", "one batch", "again"):
        table.add_column(column, justify="left" if column in ("trees", "precision") else "right")
    X, y = read_svmlight_tk(DATA / "srl_ewt" / "train.tk.gz")
    supports = X[Perceptron(Normalized(KERNEL)).fit(X, y).support_]
    add_rows(table, "srl_ewt", supports, X[SCORED : 2 * SCORED])
    questions = read_svmlight_tk(DATA / "qc" / "train.ct.tk.gz")[0]
    add_rows(table, "qc", questions[:4_500], questions)
    Console(width=120).print(table)


def add_rows(table: Table, name: str, supports: Forest, X: Forest) -> None:
    model = KERNEL._model(normalized=True)
    slots = np.arange(len(supports), dtype=np.int32)
    model.put_all(KERNEL._items(supports._native), slots)
    model.add_weights(slots, 0, np.random.default_rng(0).normal(size=len(supports)))
    pieces = [X[i : i + SHORT] for i in range(0, len(X), SHORT)]
    kept = KERNEL._items(X._native)
    for precision in ("double", "single"):
        model.freeze(precision == "single")
        runs: list[Callable[[], object]] = [
            lambda: [model.score_batch(items(piece), 1) for piece in pieces],
            lambda: model.score_batch(items(X), 1),
            lambda: model.score_batch(kept, 1),
        ]
        runs[2]()
        short, *others = (1e6 * time / len(X) for time in in_turn(runs))
        table.add_row(
            name,
            precision,
            f"{len(supports):,}",
            f"{short:.2f}",
            *(f"{time:.2f} ({short / time:.2f})" for time in others),
        )


def items(forest: Forest) -> _core.Items:
    return KERNEL._items(forest._native)


def in_turn(runs: list[Callable[[], object]]) -> list[float]:
    """The CPU seconds of the shortest of several runs of each."""
    times = [np.inf] * len(runs)
    for _ in range(ROUNDS):
        for i, run in enumerate(runs):
            start = process_time()
            run()
            times[i] = min(times[i], process_time() - start)
    return times


if __name__ == "__main__":
    main()
