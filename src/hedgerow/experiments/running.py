"""Running all rows and permutations of an experiment, one after the other or in several processes."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from typing import Any

from hedgerow.experiments.experiment import Experiment, Run, Settings
from hedgerow.threads import set_n_jobs


def run_all(experiment: Experiment, settings: Settings, jobs: int = 1) -> Iterator[Run]:
    """All runs, as they end.

    With several jobs whole runs go to processes, and native code has one thread in each. Which process does
    what changes no figure but the times.
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
    # A fresh interpreter each: threads of native code do not survive a fork.
    context = multiprocessing.get_context("spawn")
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, context, _start_worker, (experiment, settings))
    try:
        with _interrupts_ignored():  # the first tasks start the processes
            futures: list[Future[Run]] = [pool.submit(_run_in_worker, *task) for task in tasks[:jobs]]
        futures += [pool.submit(_run_in_worker, *task) for task in tasks[jobs:]]
        for future in as_completed(futures):
            yield future.result()
    except BaseException:  # an interrupt or an error: runs under way would go on for long
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    pool.shutdown()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes started meanwhile ignore Ctrl-C from their first moment; this one deals with it for all."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may change what signals do
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


_worker: tuple[Experiment, Settings, Any]  # what the process of a worker works on


def _start_worker(experiment: Experiment, settings: Settings) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    set_n_jobs(1)
    _worker = (experiment, settings, experiment.load(settings))


def _run_in_worker(row: str, permutation: int) -> Run:
    experiment, settings, data = _worker
    return experiment.run(data, row, permutation, settings)
