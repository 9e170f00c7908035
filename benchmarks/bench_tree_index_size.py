"""How queries of an index slow down as it grows, to a million functions: Java functions and mutants of them.

A mutant has each of its words replaced by the word of some other place with a probability of 0.1, and is one of every
function for each step, so that the index holds ever more trees that are nearly the same. For each size: milliseconds of
processor time for the ten nearest, on one thread (mean and median), how many trees were compared exactly for that, the
seconds on all threads to add the last trees, and the memory of the process. At last the time to save and to load, and
how much of the latter is to read and check the file.

`--functions N` is the number of functions at last (default 200,000), `--kernels` names the kernels. With names the
functions have 290 nodes on average, and a million of them take 10 GB and more; `--identifiers drop` leaves 140.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import numpy as np
from bench_tree_index import read
from data import DATA
from rich.console import Console

from hedgerow import Forest, set_n_jobs
from hedgerow.kernels import parse_kernel
from hedgerow.neighbors import TreeIndex

console = Console(highlight=False, soft_wrap=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--functions", type=int, default=200_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--identifiers", choices=("keep", "kind", "drop"), default="keep")
    parser.add_argument("--kernels", default="st,sst(decay=0.4)")
    options = parser.parse_args()
    if not (DATA / "java_clones").is_dir():
        console.print(f"no java_clones at {DATA} (set HEDGEROW_DATA): nothing to run on")
        return
    _, trees, truth = read(0, options.queries, options.identifiers)
    asked = trees[np.array(list(truth))]
    for name in options.kernels.split(","):
        index = TreeIndex(parse_kernel(name), measure="similarity")
        for some in grown(trees, options.functions):
            set_n_jobs(None)
            start = perf_counter()
            index.add(some) if hasattr(index, "_native") else index.fit(some)
            added = perf_counter() - start
            set_n_jobs(1)
            times, compared = [], 0
            for query in range(len(asked)):
                start = process_time()
                compared += index._find(asked[query : query + 1], 10, -np.inf, np.inf).compared
                times.append(1e3 * (process_time() - start))
            console.print(
                f"{name}: {len(index):,} functions, {np.mean(times):.2f} ms (median {np.median(times):.2f}), "
                f"{compared / len(asked):.0f} compared, {len(some):,} added in {added:.1f} s, {memory():.1f} GB"
            )
        set_n_jobs(None)
        save_and_load(name, index)


def save_and_load(name: str, index: TreeIndex) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "functions.index")
        start = perf_counter()
        index.save(path)
        saved = perf_counter() - start
        native = index._native
        del index._native, native  # memory for another is not needed
        start = perf_counter()
        sha256(path.read_bytes())
        read = perf_counter() - start
        start = perf_counter()
        TreeIndex.load(path)
        loaded = perf_counter() - start
        console.print(
            f"{name}: {path.stat().st_size / 1e6:,.0f} MB saved in {saved:.1f} s, loaded in {loaded:.1f} s, of which "
            f"{read:.1f} s to read and check the file, {memory():.1f} GB"
        )


def grown(trees: Forest, n: int) -> Iterator[Forest]:
    """The trees, then mutants of them, again and again, n in all."""
    rng = np.random.default_rng(0)
    yield trees[:n]
    for first in range(len(trees), n, len(trees)):
        yield mutants(trees[: n - first], rng)


def mutants(trees: Forest, rng: np.random.Generator) -> Forest:
    native = trees._native
    labels, arity = native.label_of_node().copy(), native.arity()
    leaves = np.flatnonzero(arity == 0)
    changed = leaves[rng.random(len(leaves)) < 0.1]
    labels[changed] = labels[rng.choice(leaves, len(changed))]
    sizes = native.tree_sizes()
    return Forest._wrap(type(native).from_postorder(native.labels(), labels, arity, sizes))


def memory() -> float:
    """Of this process, in GB."""
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e9


if __name__ == "__main__":
    main()
