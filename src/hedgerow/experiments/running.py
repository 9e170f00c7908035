"""Running all rows and permutations of an experiment, one after the other or in several processes."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Iterator
from typing import Any

from joblib import Parallel, delayed

from hedgerow.experiments.experiment import Experiment, Run, Settings
from hedgerow.interrupts import interrupts_ignored
from hedgerow.threads import set_n_jobs


def run_all(experiment: Experiment, settings: Settings, jobs: int = 1) -> Iterator[Run]:
    """All runs, as they end.

    With several jobs whole runs go to processes, and native code has one thread in each. Which process does
    what changes no figure but the times. The processes are joblib's: under ``joblib.parallel_config(backend="dask")``
    they are the workers of a Dask cluster.
    """
    tasks = [
        (row.name, permutation)
        for permutation in range(
            experiment.runs_of_a_row(settings)
        )  # outermost: a stopped table has all rows
        for row in experiment.chosen_rows(settings)
    ]
    if jobs == 1:
        yield from _run_here(experiment, settings, tasks)
    else:
        yield from _run_in_processes(experiment, settings, tasks, min(jobs, len(tasks)))


def number_of_runs(experiment: Experiment, settings: Settings) -> int:
    return experiment.runs_of_a_row(settings) * len(experiment.chosen_rows(settings))


def _run_here(experiment: Experiment, settings: Settings, tasks: list[tuple[str, int]]) -> Iterator[Run]:
    data = experiment.load(settings)
    for row, permutation in tasks:
        yield experiment.run(data, row, permutation, settings)


def _run_in_processes(
    experiment: Experiment, settings: Settings, tasks: list[tuple[str, int]], jobs: int
) -> Iterator[Run]:
    parallel = Parallel(n_jobs=jobs, batch_size=1, return_as="generator_unordered")
    calls = (delayed(_run_in_worker)(os.getpid(), experiment, settings, *task) for task in tasks)
    with interrupts_ignored():  # the first tasks start the processes
        runs = parallel(calls)
    yield from runs


def _run_in_worker(
    parent: int, experiment: Experiment, settings: Settings, row: str, permutation: int
) -> Run:
    if os.getpid() != parent:  # else joblib was told to use threads
        set_n_jobs(1)
    return experiment.run(_data_of(experiment, settings), row, permutation, settings)


# What this process works on, under its settings: the next run needs it, too.
_loaded: tuple[bytes, Any] | None = None
_loading = threading.Lock()


def _data_of(experiment: Experiment, settings: Settings) -> Any:
    global _loaded
    key = pickle.dumps((experiment, settings))
    with _loading:
        if _loaded is None or _loaded[0] != key:
            _loaded = (key, experiment.load(settings))
        return _loaded[1]
