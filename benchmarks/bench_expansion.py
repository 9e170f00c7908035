"""Scoring with models of tree kernels against the flat pairwise path, in one run, on one thread.

Models hold 4,500 question trees, or 10,000 predicate-argument trees; times are per support. `growing` scores in
double precision, one tree after the other, as learners do; `frozen` is what prediction uses. The pairwise path is
timed on every fifth tree to be scored, in short runs, so that a busy machine slows neither side more than the other.
"""

from __future__ import annotations

import numpy as np
from data import by_pairs, forests
from rich.console import Console
from rich.table import Table
from timing import best_time, keep_freed_memory

from hedgerow import Forest, _core
from hedgerow.kernels import PartialTree, SubsetTree
from hedgerow.kernels.trees import _CollapsedTreeKernel

SUPPORTS = {"QC": 4_500, "SRL": 10_000}
KERNELS: dict[str, _CollapsedTreeKernel] = {"SST": SubsetTree(), "PT": PartialTree()}
SCORED = 250


def main() -> None:
    keep_freed_memory()
    table = Table(title="ns per support, and how many times faster than pairwise", title_justify="left")
    for column in ("kernel", "supports", "pairwise", "row", "growing", "frozen double", "frozen single"):
        table.add_column(column, justify="left" if column in ("kernel", "supports") else "right")
    for name, forest in forests().items():
        supports = SUPPORTS.get(name, len(forest) - min(SCORED, len(forest) // 5))
        for label, kernel in KERNELS.items():
            for normalized in (False, True):
                kind = f"{label}, normalised" if normalized else label
                table.add_row(kind, f"{name} {supports}", *measure(kernel, normalized, forest, supports))
    Console(width=120).print(table)


def measure(kernel: _CollapsedTreeKernel, normalized: bool, forest: Forest, supports: int) -> list[str]:
    kept = forest[:supports]
    model = build(kernel, normalized, kept)
    scored = forest[supports : supports + SCORED]
    items = kernel._items(scored._native)
    sample = [scored[i : i + 1] for i in range(0, len(scored), 5)]
    pairwise = sum(best_time(lambda x=x: by_pairs(kernel, x, kept)) for x in sample) / len(sample)
    times = [
        best_time(lambda: model.rows(items)) / len(scored),
        best_time(lambda: model.scores(items)) / len(scored),
    ]
    for single in (False, True):
        model.freeze(single)
        times.append(best_time(lambda: model.score_batch(items, 1)) / len(scored))
    return [
        f"{1e9 * pairwise / supports:.0f}",
        *(f"{1e9 * time / supports:.2f} ({pairwise / time:.0f}x)" for time in times),
    ]


def build(kernel: _CollapsedTreeKernel, normalized: bool, forest: Forest) -> _core.KernelModel:
    """A model of all trees, with random weights."""
    model = kernel._normalized_model() if normalized else kernel._model()
    items = kernel._items(forest._native)
    for slot, weight in enumerate(np.random.default_rng(0).normal(size=len(forest))):
        model.put(slot, items, slot)
        model.add_weight(slot, 0, weight)
    return model


if __name__ == "__main__":
    main()
