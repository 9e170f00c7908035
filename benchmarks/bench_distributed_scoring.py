"""Scoring trees of `srl_ewt` on one and on two worker processes, with a model of 5,000 supports; all in one run.

The test file is repeated as 16 part files, so that a task reads and scores 110,000 trees. Two workers should be at
least 1.6 times as fast as one; both clusters are there all the time, and take turns. What travels for a task is
measured too: the bytes of a shard and of a result, the bytes of the model, which goes to each worker once, and the time
of a task that does nothing.

With ``--stream``: 5 million trees are scored by ``hedgerow predict``, plain and with ``--workers 2``. No process
should ever hold more than 1.5 GB; what is shown is the largest that each was (VmHWM of Linux), of the command, which
has the scheduler too, and of each worker.
"""

from __future__ import annotations

import argparse
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from data import DATA
from rich.console import Console

from hedgerow import distributed, persistence
from hedgerow.distributed import connected
from hedgerow.distributed.prediction import predicted_places
from hedgerow.distributed.workers import OnDask
from hedgerow.io import iter_svmlight_tk
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.online import PassiveAggressive

PARTS, SUPPORTS, STREAM = 16, 5_000, 5_000_000
WANTED_SPEEDUP, MOST_MEMORY = 1.6, 1.5  # times; GB
EMPTY_TASKS, REPEATS = 500, 3
console = Console(highlight=False, width=140)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stream", action="store_true", help="score 5 million trees from the command line")
    wanted = parser.parse_args()
    folder = DATA / "srl_ewt"
    if not folder.is_dir():
        console.print(f"no data folder at {DATA} (set HEDGEROW_DATA): nothing to run on")
        return
    model = train(folder / "train.tk.gz")
    n = sum(len(y) for _, y in iter_svmlight_tk(folder / "test.tk.gz", batch_size=5000))
    console.print(f"a model of {model.n_support_} supports, {len(pickle.dumps(model)):,} bytes on its way")
    with tempfile.TemporaryDirectory() as parts:
        if wanted.stream:
            copies = -(-STREAM // n)
            link_parts(folder / "test.tk.gz", Path(parts), copies)
            stream(model, Path(parts), copies * n)
        else:
            link_parts(folder / "test.tk.gz", Path(parts), PARTS)
            compare(model, Path(parts), PARTS * n)


def train(path: Path) -> PassiveAggressive:
    model = PassiveAggressive(Normalized(SubsetTree()))
    for X, y in iter_svmlight_tk(path, batch_size=2000):
        model.partial_fit(X, y, classes=[-1, 1])
        if model.n_support_ >= SUPPORTS:
            break
    return model


def link_parts(path: Path, folder: Path, copies: int) -> None:
    for number in range(copies):
        (folder / f"part{number:04}.tk.gz").symlink_to(path)


# -- one and two workers ------------------------------------------------------------------------------------------


def compare(model: PassiveAggressive, folder: Path, n: int) -> None:
    data = distributed.read(folder / "*.gz", shards=PARTS)
    seconds = {1: np.inf, 2: np.inf}
    with connected(workers=1) as one, connected(workers=2) as two:
        report_tasks(model, two, data)
        for client in (one, two):  # which makes all workers import what they need
            list(distributed.predict(model, distributed.Shards(data.parts[:4]), client=client))
        for _ in range(REPEATS):
            for number, client in ((1, one), (2, two)):
                started = perf_counter()
                assert sum(map(len, distributed.predict(model, data, client=client))) == n
                seconds[number] = min(seconds[number], perf_counter() - started)
    for number, taken in seconds.items():
        console.print(f"{number} worker{'s' * (number > 1)}: {n / taken:,.0f} trees a second, {taken:.1f} s")
    speedup = seconds[1] / seconds[2]
    held = "held" if speedup >= WANTED_SPEEDUP else "not held"
    console.print(f"two workers are {speedup:.2f} times as fast as one; {WANTED_SPEEDUP} times: {held}")


def report_tasks(model: PassiveAggressive, client: Any, data: distributed.Shards) -> None:
    shard = data.parts[0]
    result = np.concatenate(list(predicted_places(shard, model)))
    workers = OnDask(client)
    list(workers.map(nothing, [shard] * 20))
    started = perf_counter()
    list(workers.map(nothing, [shard] * EMPTY_TASKS))
    milliseconds = 1000 * (perf_counter() - started) / EMPTY_TASKS
    console.print(
        f"a task: {len(pickle.dumps(shard)):,} bytes of a shard there, {len(pickle.dumps(result)):,} bytes of "
        f"{len(result):,} labels back, {milliseconds:.1f} ms when there is nothing to do"
    )


def nothing(shard: Any) -> None:
    pass


# -- streams ------------------------------------------------------------------------------------------------------


def stream(model: PassiveAggressive, folder: Path, n: int) -> None:
    persistence.save(model, folder / "model")
    for more in ([], ["--workers", "2"]):
        command = [
            "predict",
            str(folder / "model"),
            str(folder / "*.gz"),
            "-o",
            str(folder / "labels"),
            *more,
        ]
        started = perf_counter()
        process = subprocess.Popen([sys.executable, "-m", "hedgerow", *command])
        peaks: dict[int, float] = {}
        while process.poll() is None:
            for pid in tree_of(process.pid):
                peaks[pid] = max(peaks.get(pid, 0.0), high_water(pid))
            time.sleep(0.2)
        taken = perf_counter() - started
        with open(folder / "labels", "rb") as labels:
            lines = sum(1 for _ in labels)
        assert process.returncode == 0
        assert lines == n, (lines, n)
        held = "held" if max(peaks.values()) < MOST_MEMORY else "not held"
        sizes = ", ".join(f"{1000 * peak:.0f} MB" for peak in sorted(peaks.values(), reverse=True) if peak)
        console.print(
            f"hedgerow predict {' '.join(more)}: {n:,} trees in {taken:.0f} s, {n / taken:,.0f} a second; "
            f"processes of {sizes}; below {MOST_MEMORY} GB: {held}"
        )


def tree_of(pid: int) -> Iterator[int]:
    """The process and all that it has started."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:
            continue
        for child in children:
            yield from tree_of(int(child))


def high_water(pid: int) -> float:
    """GB of memory that a process has had at most; 0 when it is gone."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1e6
    except OSError:
        pass
    return 0.0


if __name__ == "__main__":
    main()
