"""How many threads native code uses where a call does not say."""

from __future__ import annotations

import os
import sys

VARIABLE = "HEDGEROW_NUM_THREADS"
_n_jobs: int | None = None
MOST = 1024  # more would cost memory only


def set_n_jobs(n_jobs: int | None) -> None:
    """Set the number of threads that native code uses where a call has no ``n_jobs`` of its own.

    Parameters
    ----------
    n_jobs : int or None
        A number of threads; -1 for one per core; None for the default: the environment variable
        ``HEDGEROW_NUM_THREADS``, in processes that Dask, joblib or multiprocessing have started
        ``OMP_NUM_THREADS``, else one per core. Results never depend on it.

    Examples
    --------
    >>> import hedgerow
    >>> hedgerow.set_n_jobs(1)
    >>> hedgerow.get_n_jobs()
    1
    >>> hedgerow.set_n_jobs(None)
    """
    global _n_jobs
    if n_jobs is not None:
        resolve(n_jobs)
    _n_jobs = n_jobs


def get_n_jobs() -> int:
    """The number of threads that native code uses now.

    Examples
    --------
    >>> import hedgerow
    >>> hedgerow.get_n_jobs() >= 1
    True
    """
    return resolve(None)


def resolve(n_jobs: int | None) -> int:
    """The number of threads that ``n_jobs`` means."""
    if n_jobs is None:
        n_jobs = _n_jobs
    if n_jobs is None:
        n_jobs = _from_environment()
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or n_jobs == 0 or not -1 <= n_jobs <= MOST:
        raise ValueError(
            f"n_jobs must be a positive number of threads, -1 or None, and at most {MOST}, got {n_jobs!r}"
        )
    return _cores() if n_jobs == -1 else n_jobs


def _from_environment() -> int:
    own = os.environ.get(VARIABLE, "")
    if own and not (own.isdigit() and 0 < int(own) <= MOST):
        raise ValueError(f"{VARIABLE} must be a number of threads from 1 to {MOST}, got {own!r}")
    # Programs that start worker processes, such as Dask and joblib, set in OMP_NUM_THREADS how many threads each may
    # use. In the process that starts them it means nothing: Dask sets it there too, for those that come.
    processes = sys.modules.get("multiprocessing.process")
    for_others = processes is not None and processes.parent_process() is not None
    given = own or (os.environ.get("OMP_NUM_THREADS", "").split(",")[0] if for_others else "")
    return min(int(given), MOST) if given.isdigit() and int(given) > 0 else -1


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
