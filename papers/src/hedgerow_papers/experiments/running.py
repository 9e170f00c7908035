"""Running all rows and permutations of experiments, one after the other or in several processes."""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from joblib import Parallel, delayed

from hedgerow.interrupts import processes_started
from hedgerow.threads import set_n_jobs
from hedgerow_papers.experiments.experiment import Experiment, Run, Settings

Task = tuple[str, int]  # a row and a permutation
# What makes an experiment impossible here: no data, wrong data, nothing to read them with, too many of them.
IMPOSSIBLE = (OSError, ValueError, ImportError, MemoryError)


@dataclass(frozen=True)
class Plan:
    """An experiment to be run, but for the runs that are done."""

    experiment: Experiment
    settings: Settings
    done: Collection[Task] = ()

    def tasks(self) -> list[Task]:
        return [task for task in all_tasks(self.experiment, self.settings) if task not in self.done]


def run_all(
    experiment: Experiment, settings: Settings, jobs: int = 1, *, done: Collection[Task] = ()
) -> Iterator[Run]:
    """All runs that are not done yet, as they end.

    With several jobs whole runs go to processes, and native code has one thread in each. Which process does
    what changes no figure but the times. The processes are joblib's: under ``joblib.parallel_config(backend="dask")``
    they are the workers of a Dask cluster.
    """
    for _, outcome in run_plans([Plan(experiment, settings, done)], jobs):
        if isinstance(outcome, Exception):
            raise outcome
        yield outcome


def run_plans(plans: Sequence[Plan], jobs: int = 1) -> Iterator[tuple[Plan, Run | Exception]]:
    """The runs of several experiments as they end, or why one of them is not possible, which ends only that one.

    With several jobs no process waits for the last run of an experiment: it begins with the next.
    """
    if jobs == 1:
        for plan in plans:
            yield from ((plan, outcome) for outcome in _run_here(plan))
    else:
        yield from _run_in_processes(plans, jobs)


def all_tasks(experiment: Experiment, settings: Settings) -> list[Task]:
    return [
        (row.name, permutation)
        for permutation in range(
            experiment.runs_of_a_row(settings)
        )  # outermost: a stopped table has all rows
        for row in experiment.chosen_rows(settings)
    ]


def number_of_runs(experiment: Experiment, settings: Settings) -> int:
    return experiment.runs_of_a_row(settings) * len(experiment.chosen_rows(settings))


def _run_here(plan: Plan) -> Iterator[Run | Exception]:
    if not (tasks := plan.tasks()):
        return
    try:
        data = plan.experiment.load(plan.settings)
        for task in tasks:
            yield _timed(plan.experiment, data, *task, plan.settings)
    except IMPOSSIBLE as error:
        yield error


def _run_in_processes(plans: Sequence[Plan], jobs: int) -> Iterator[tuple[Plan, Run | Exception]]:
    tasks = [(number, *task) for number, plan in enumerate(plans) for task in plan.tasks()]
    if not tasks:
        return
    impossible: set[int] = set()
    parallel = Parallel(n_jobs=min(jobs, len(tasks)), batch_size=1, return_as="generator_unordered")
    calls = (
        delayed(_run_in_worker)(os.getpid(), number, plans[number].experiment, plans[number].settings, *task)
        for number, *task in tasks
        if number not in impossible  # asked when the call is due
    )
    with processes_started():  # the first tasks start the processes
        outcomes = parallel(calls)
    for number, outcome in outcomes:
        if number in impossible:
            continue  # it was under way already
        if isinstance(outcome, Exception):
            impossible.add(number)
        yield plans[number], outcome


def _run_in_worker(
    parent: int, number: int, experiment: Experiment, settings: Settings, row: str, permutation: int
) -> tuple[int, Run | Exception]:
    if os.getpid() != parent:  # else joblib was told to use threads
        set_n_jobs(1)
    try:
        return number, _timed(experiment, _data_of(experiment, settings), row, permutation, settings)
    except IMPOSSIBLE as error:
        return number, error


def _timed(experiment: Experiment, data: Any, row: str, permutation: int, settings: Settings) -> Run:
    started = time.perf_counter()
    run = experiment.run(data, row, permutation, settings)
    return replace(run, seconds=time.perf_counter() - started)


# What this process works on, under its settings: the next run needs it, too.
_loaded: tuple[bytes, Any] | None = None
_loading = threading.Lock()


def _data_of(experiment: Experiment, settings: Settings) -> Any:
    global _loaded
    key = pickle.dumps((experiment, settings))
    with _loading:
        if _loaded is None or _loaded[0] != key:
            _loaded = None  # so that two sets need not fit into memory
            _loaded = (key, experiment.load(settings))
        return _loaded[1]
