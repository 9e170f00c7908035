"""Candidates that learn: those that share kernel values together, on threads that can be stopped."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from sklearn.base import clone

from hedgerow import _core
from hedgerow.svm import SVC
from hedgerow.svm.machine import KernelMachine


def groups(candidates: Sequence[Any], alive: list[int]) -> list[list[int]]:
    """Exact machines that differ in C alone are one group, which shares its kernel values."""
    exact = families(candidates, [i for i in alive if type(candidates[i]) is SVC])
    return sorted([*exact, *([i] for i in alive if type(candidates[i]) is not SVC)])


def families(candidates: Sequence[Any], some: list[int]) -> list[list[int]]:
    """Those of some that are kernel machines, by all but their C."""
    families: dict[str, list[int]] = {}
    for i in some:
        if isinstance(candidates[i], KernelMachine):
            families.setdefault(repr(clone(candidates[i]).set_params(C=1.0)), []).append(i)
    return list(families.values())


def fitted(group: list[Any], X: Any, y: Any) -> Iterator[tuple[int, Any]]:
    if len(group) > 1:
        order = sorted(range(len(group)), key=lambda i: float(group[i].C))
        path = _on_one_thread(group[0]).path(X, y, [group[i].C for i in order])
        yield from zip(order, path, strict=True)
        return
    yield 0, _on_one_thread(group[0]).fit(X, y)


def _on_one_thread(estimator: Any) -> Any:
    copy = clone(estimator)
    names = [name for name in copy.get_params() if name == "n_jobs" or name.endswith("__n_jobs")]
    return copy.set_params(**dict.fromkeys(names, 1))


def done(work: Sequence[Callable[[], Any]], jobs: int) -> Iterator[Any]:
    """Results as they come; whatever ends this ends the threads, at once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # what learners say of candidates that may not win
        if jobs == 1:
            yield from (task() for task in work)
            return
        stopper = _core.Stopper()

        def run(task: Callable[[], Any]) -> Any:
            with stopper:
                return task()

        pool = ThreadPoolExecutor(jobs, thread_name_prefix="hedgerow-race")
        try:
            for future in as_completed([pool.submit(run, task) for task in work]):
                yield future.result()
        except BaseException:
            stopper.stop()
            raise
        finally:
            pool.shutdown(cancel_futures=True)
