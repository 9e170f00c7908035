"""Dask clusters for those who only have an address, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MISSING = "this needs Dask: install hedgerow[distributed]"


@contextmanager
def connected(scheduler: str | None = None, workers: int | None = None) -> Iterator[Any]:
    """A client of the scheduler at this address, or of a new local cluster of so many worker processes.

    Parameters
    ----------
    scheduler : str, optional
        As ``"tcp://10.0.0.1:8786"``.
    workers : int, optional
        Each has one thread.

    Yields
    ------
    client : distributed.Client
        Closed at the end, and a local cluster with it.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ImportError(MISSING) from None
    if scheduler is not None:
        with Client(scheduler, set_as_default=False) as client:
            yield client
        return
    with (
        LocalCluster(
            n_workers=workers, threads_per_worker=1, dashboard_address=":0", memory_limit=None
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client
