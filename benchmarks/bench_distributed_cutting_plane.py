"""The cutting-plane machine on a local cluster: one worker process against two, of one thread each.

Exact cuts to epsilon 0.001 on the first 300,000 argument boundaries (srl_ewt) in 8 files, normalised subset trees,
C = 1. The first cluster reads the files, which is not counted. Then, for each number of examples, what a pass over all
of them costs: seconds of the workers, of waiting for them and of this process, and bytes.

`--quick` takes 60,000 examples.
"""

from __future__ import annotations

import argparse
import gzip
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any

from data import DATA
from rich.console import Console

from hedgerow import distributed
from hedgerow.distributed.sharded_sums import ShardedSums
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.svm import CuttingPlaneSVC

FILES = 8
console = Console(highlight=False, soft_wrap=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="60,000 examples instead of 300,000")
    n = 60_000 if parser.parse_args().quick else 300_000
    if not DATA.is_dir():
        console.print(f"no data folder at {DATA} (set HEDGEROW_DATA): nothing to run on")
        return
    with tempfile.TemporaryDirectory() as folder:
        write_parts(Path(folder), n)
        one, two = (fit(f"{folder}/*.tk", workers) for workers in (1, 2))
    console.print(f"[bold]two workers are {one / two:.2f} times as fast as one[/bold]")


def write_parts(folder: Path, n: int) -> None:
    with gzip.open(DATA / "srl_ewt" / "train.tk.gz", "rt") as file:
        lines = list(islice(file, n))
    lines = list(islice(cycle(lines), n))
    for part in range(FILES):
        some = lines[part * n // FILES : (part + 1) * n // FILES]
        (folder / f"part{part}.tk").write_text("".join(some))


def fit(files: str, workers: int) -> float:
    """Train a machine; the seconds of training."""
    machine = CuttingPlaneSVC(Normalized(SubsetTree(decay=0.4)), C=1.0, epsilon=1e-3)
    with distributed.connected(workers=workers) as client, passes() as waited:
        data = distributed.read(files, shards=FILES)
        warm_up = CuttingPlaneSVC(machine.kernel, sampling="importance", max_rounds=1, epsilon=100.0)
        distributed.fit(warm_up, data, client=client)  # reads the files
        waited.clear()
        before = sent(client)
        start = perf_counter()
        with task_seconds(client) as computed:
            distributed.fit(machine, data, client=client)
        seconds = perf_counter() - start
        bytes_sent = sent(client) - before
    n_passes, total = len(waited), sum(waited)
    console.print(
        f"{workers} worker{'s' * (workers > 1)}: {seconds:.1f} s (load {os.getloadavg()[0]:.1f}), "
        f"{machine.n_iter_[0]} rounds, {n_passes} passes, objective {machine.objective_[0]:.6f}\n"
        f"  a pass: {1e3 * sum(computed) / n_passes:.0f} ms of computing on workers, {1e3 * total / n_passes:.0f} ms "
        f"until all values are here, {bytes_sent / n_passes / 1e6:.2f} MB sent by workers; "
        f"this process: {1e3 * (seconds - total) / n_passes:.0f} ms more"
    )
    return seconds


@contextmanager
def passes() -> Iterator[list[float]]:
    """The seconds of every pass over the shards."""
    seconds: list[float] = []
    original = ShardedSums.values

    def values(self: ShardedSums, *arguments: Any) -> Any:
        start = perf_counter()
        result = original(self, *arguments)
        seconds.append(perf_counter() - start)
        return result

    ShardedSums.values = values  # type: ignore[method-assign]
    try:
        yield seconds
    finally:
        ShardedSums.values = original  # type: ignore[method-assign]


@contextmanager
def task_seconds(client: Any) -> Iterator[list[float]]:
    """The seconds of every task."""
    from distributed import get_task_stream

    seconds: list[float] = []
    with get_task_stream(client) as stream:
        yield seconds
    for task in stream.data:
        seconds.extend(
            part["stop"] - part["start"] for part in task["startstops"] if part["action"] == "compute"
        )


def sent(client: Any) -> int:
    """Bytes that workers have sent so far."""
    return sum(client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total).values())


if __name__ == "__main__":
    main()
