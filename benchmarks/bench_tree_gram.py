"""Gram matrices of tree kernels: the collapsed engine against the flat pairwise path, in one run.

Both compute the full symmetric matrix, index building included; times are per pair of the lower triangle. The
pairwise path is timed on the first 1,000 trees, whose pairs cost the same as others. Results go to memory that was
touched before. The design figures are those of a prototype in single precision on an AMD Zen 3 core, which filled
the lower triangle only.
"""

from __future__ import annotations

import numpy as np
from data import by_pairs, forests
from rich.console import Console
from rich.table import Table
from timing import best_time, keep_freed_memory

from hedgerow import Forest
from hedgerow.kernels import Kernel, PartialTree, SubsetTree

DESIGN_NS = {("SST", "QC"): 6.5, ("SST", "WSJ"): 18.0, ("PT", "QC"): 25.0, ("PT", "WSJ"): 153.0}
KERNELS: dict[str, Kernel] = {"SST": SubsetTree(), "PT": PartialTree()}


def main() -> None:
    keep_freed_memory()
    table = Table(title="ns per kernel, and how many times faster than pairwise", title_justify="left")
    for column in (
        "kernel",
        "trees",
        "pairwise",
        "double",
        "single",
        "2 threads (vs 1)",
        "design",
        "single / design",
    ):
        table.add_column(column, justify="left" if column in ("kernel", "trees") else "right")
    for name, forest in forests().items():
        for label, kernel in KERNELS.items():
            table.add_row(label, f"{name} {len(forest)}", *measure(label, name, kernel, forest))
    Console(width=120).print(table)


def measure(label: str, name: str, kernel: Kernel, forest: Forest) -> list[str]:
    sample = forest[:1000]
    pairwise = best_time(lambda: by_pairs(kernel, sample)) / pairs(sample)
    double = best_time(lambda: kernel(forest, n_jobs=1)) / pairs(forest)
    single = best_time(lambda: kernel(forest, dtype=np.float32, n_jobs=1)) / pairs(forest)
    threads = best_time(lambda: kernel(forest, n_jobs=2)) / pairs(forest)
    design = DESIGN_NS.get((label, name))
    return [
        f"{1e9 * pairwise:.0f}",
        f"{1e9 * double:.1f} ({pairwise / double:.1f}x)",
        f"{1e9 * single:.1f} ({pairwise / single:.1f}x)",
        f"{1e9 * threads:.1f} ({double / threads:.2f}x)",
        "" if design is None else f"{design:.1f}",
        "" if design is None else f"{1e9 * single / design:.2f}",
    ]


def pairs(forest: Forest) -> float:
    return len(forest) * (len(forest) + 1) / 2


if __name__ == "__main__":
    main()
