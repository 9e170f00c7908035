"""How many threads native code uses where a call does not say."""

from __future__ import annotations

import os


def _environment() -> dict[str, str]:
    """The environment, without what Dask sets in a process that starts workers, for these."""
    now = dict(os.environ)
    mark = "MALLOC_TRIM_THRESHOLD_"  # which Dask sets beside OMP_NUM_THREADS
    try:
        with open("/proc/self/environ", "rb") as file:
            pairs = [os.fsdecode(pair).partition("=") for pair in file.read().split(b"\0")]
    except OSError:  # not Linux
        return now
    started_with = {name: value for name, _, value in pairs}
    return started_with if mark in now and mark not in started_with else now


# Read once: Dask may come later, too.
_setting = _environment().get("OMP_NUM_THREADS", "").split(",")[0]
_n_jobs: int | None = None
MOST = 1024  # more would cost memory only


def set_n_jobs(n_jobs: int | None) -> None:
    """Set the number of threads that native code uses where a call has no ``n_jobs`` of its own.

    Parameters
    ----------
    n_jobs : int or None
        A number of threads; -1 for one per core; None for the default: ``OMP_NUM_THREADS`` when that was set
        as hedgerow was imported, else one per core. What Dask sets in a process that starts workers counts for
        these alone. Results never depend on it.

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
        n_jobs = min(int(_setting), MOST) if _setting.isdigit() and int(_setting) > 0 else -1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, int) or n_jobs == 0 or not -1 <= n_jobs <= MOST:
        raise ValueError(
            f"n_jobs must be a positive number of threads, -1 or None, and at most {MOST}, got {n_jobs!r}"
        )
    return _cores() if n_jobs == -1 else n_jobs


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
