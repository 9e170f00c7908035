"""What a round on a cluster costs when nothing is computed: the scheduler, parameters out, changes back.

A local cluster, so that messages pass through the memory of one machine: rates are upper bounds of those of a network.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from timing import best_time

from hedgerow import distributed
from hedgerow.distributed.workers import OnDask

console = Console(highlight=False, width=140)


def nothing(shard: Any, *parameters: Any) -> None:
    """A task without work."""


def an_array(shard: Any, size: int) -> np.ndarray[Any, Any]:
    """A task that sends so many bytes back."""
    return np.ones(size // 8)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number in range(512):
            Path(folder, f"{number:03}.svm").write_text("1 1:1\n")
        for n_workers in (1, 2):
            with distributed.connected(workers=n_workers) as client:
                console.print(f"[bold]{n_workers} worker{'s' * (n_workers > 1)}[/bold]")
                for shards in (2, 8, 32, 128, 512):
                    empty_round(OnDask(client), distributed.read(f"{folder}/*.svm", shards=shards).parts)
                parts = distributed.read(f"{folder}/*.svm", shards=8).parts
                for megabytes in (1, 10, 100):
                    messages(OnDask(client), parts, megabytes)


def empty_round(workers: OnDask, parts: list[Any]) -> None:
    milliseconds = 1e3 * best_time(lambda: list(workers.map(nothing, parts)), repeat=5)
    console.print(
        f"  {len(parts):4} shards: {milliseconds:8.1f} ms a round, {milliseconds / len(parts):6.2f} ms a task"
    )


def messages(workers: OnDask, parts: list[Any], megabytes: int) -> None:
    value = np.ones((megabytes << 20) // 8)
    out = best_time(lambda: list(workers.map(nothing, parts, workers.share(value))), repeat=3)
    back = best_time(lambda: list(workers.map(an_array, parts, value.nbytes)), repeat=3)
    console.print(
        f"  {megabytes:4} MB: {1e3 * out:8.1f} ms out to all {len(parts)} shards, "
        f"{1e3 * back:8.1f} ms back from each of them"
    )


if __name__ == "__main__":
    main()
