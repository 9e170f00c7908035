"""The cutting-plane machine on a local cluster: one worker process against two, of one thread each.

Exact cuts to tol 0.001 on the first 300,000 argument boundaries (srl_ewt) in 8 files, normalised subset trees,
C = 1; reading the files is not counted. One worker and two take turns, five times each, and their medians are
compared. Then what a pass over 37,500, 75,000 and 150,000 examples costs. `--quick`: only two workers against one, on
60,000 examples, once. `--partial-trees`: once on all under the partial tree kernel, which has more to compute, to
tol 0.05.

A pass is one call for the values of a cut at all examples, about one a round. Seconds of processors (CPU) tell what is
to be done, whatever else the machine does meanwhile; the scheduler is a thread of this process.
"""

from __future__ import annotations

import argparse
import gzip
import os
import pickle
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from data import DATA
from rich.console import Console

from hedgerow import Forest, distributed
from hedgerow.distributed.sharded_sums import ShardedSums
from hedgerow.io import iter_svmlight_tk
from hedgerow.kernels import Normalized, PartialTree, SubsetTree
from hedgerow.svm import CuttingPlaneSVC

FILES = 8
TURNS = 5  # of one worker and two
SIZES = (37_500, 75_000, 150_000)
SUBSET_TREES = (Normalized(SubsetTree(decay=0.4)), 1e-3)  # kernel, tol
PARTIAL_TREES = (Normalized(PartialTree()), 0.05)
console = Console(highlight=False, soft_wrap=True)


@dataclass
class Pass:
    """One call for values."""

    members: Any
    seconds: float
    cpu: float  # of this process


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="60,000 examples and nothing else")
    parser.add_argument("--partial-trees", action="store_true", help="under the partial tree kernel")
    wanted = parser.parse_args()
    only = wanted.quick or wanted.partial_trees
    if not DATA.is_dir():
        console.print(f"no data folder at {DATA} (set HEDGEROW_DATA): nothing to run on")
        return
    with tempfile.TemporaryDirectory() as folder:
        trees = write_parts(Path(folder), 60_000 if wanted.quick else 300_000)
        how = PARTIAL_TREES if wanted.partial_trees else SUBSET_TREES
        turns = [
            [fit(folder, trees, workers, *how) for workers in (1, 2)] for _ in range(1 if only else TURNS)
        ]
        one, two = np.median(turns, axis=0)
        console.print(
            f"[bold]two workers are {one / two:.2f} times as fast as one[/bold] ({one:.1f} s and {two:.1f} s; turn by "
            f"turn {', '.join(f'{first / second:.2f}' for first, second in turns)})"
        )
    for n in () if only else SIZES:
        with tempfile.TemporaryDirectory() as folder:
            fit(folder, write_parts(Path(folder), n), 2, *SUBSET_TREES)


def write_parts(folder: Path, n: int) -> Forest:
    """The first n examples in files; their trees."""
    with gzip.open(DATA / "srl_ewt" / "train.tk.gz", "rt") as file:
        lines = list(islice(cycle(islice(file, n)), n))
    (folder / "all").write_text("".join(lines))
    for part in range(FILES):
        some = lines[part * n // FILES : (part + 1) * n // FILES]
        (folder / f"part{part}.tk").write_text("".join(some))
    return next(iter(iter_svmlight_tk(folder / "all", batch_size=n)))[0]


def fit(folder: str, trees: Forest, workers: int, kernel: Normalized, tol: float) -> float:
    """Train a machine; the seconds of training."""
    with distributed.connected(workers=workers) as client:
        data = distributed.read(f"{folder}/*.tk", shards=FILES)
        # One round reads the files.
        once = CuttingPlaneSVC(kernel, sampling="importance", sample_size=10, tol=100.0, random_state=0)
        distributed.fit(once, data, client=client)
        machine = CuttingPlaneSVC(kernel, C=1.0, tol=tol)
        workers_before, start, cpu = cpu_of(client), perf_counter(), process_time()
        with passes() as done:
            distributed.fit(machine, data, client=client)
        seconds, cpu = perf_counter() - start, process_time() - cpu
        busy = cpu_of(client) - workers_before
    n = len(done)
    waited, handling = sum(one.seconds for one in done), sum(one.cpu for one in done)
    size = np.mean([len(pickle.dumps(trees[one.members])) + 8 * len(one.members) for one in done])
    console.print(
        f"{len(trees):,} examples, {workers} worker{'s' * (workers > 1)}: {seconds:.1f} s (load "
        f"{os.getloadavg()[0]:.1f}), CPU: workers {busy:.1f} s, this process {cpu:.1f} s; {machine.n_iter_[0]} rounds, "
        f"{n} passes, objective {machine.dual_objective_[0]:.6f}\n"
        f"  a pass: {1e3 * waited / n:.0f} ms; CPU: workers {1e3 * busy / n:.0f} ms, scheduler and messages "
        f"{1e3 * handling / n:.0f} ms, between passes {1e3 * (cpu - handling) / n:.0f} ms; "
        f"{np.mean([len(one.members) for one in done]):,.0f} members, partial sums {size / 1e6:.2f} MB to every "
        f"worker, values {8 * len(trees) / 1e6:.2f} MB back"
    )
    return seconds


@contextmanager
def passes() -> Iterator[list[Pass]]:
    """Every pass over the shards."""
    found: list[Pass] = []
    original = ShardedSums.values

    def values(self: ShardedSums, examples: Any, weights: Any) -> Any:
        start, cpu = perf_counter(), process_time()
        result = original(self, examples, weights)
        found.append(Pass(examples, perf_counter() - start, process_time() - cpu))
        return result

    ShardedSums.values = values  # type: ignore[method-assign]
    try:
        yield found
    finally:
        ShardedSums.values = original  # type: ignore[method-assign]


def cpu_of(client: Any) -> float:
    """Seconds of the workers' processors so far."""
    return sum(client.run(process_time).values())


if __name__ == "__main__":
    main()
