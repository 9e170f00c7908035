"""Dask clusters for those who only have an address, or nothing."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from typing import Any

from hedgerow.interrupts import processes_started

MISSING = "this needs Dask: pip install hedgerow[distributed]"
PATIENCE = 5  # seconds that a scheduler has to answer
# Dask has workers return freed memory to the system at once. A round frees as much as the next one needs, and memory
# that comes afresh from the system costs more than what is done with it: two workers then were a fifth slower.
KEPT_MEMORY = 1 << 28  # bytes
# Dask looks a hundred times a second at what its workers do, and whether they do it late. Here that is native code,
# of which it sees nothing.
SETTINGS = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": KEPT_MEMORY,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": KEPT_MEMORY,
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "500ms",
}


@contextmanager
def connected(
    scheduler: str | None = None, workers: int | None = None, *, quiet: bool = False
) -> Iterator[Any]:
    """A client of the scheduler at this address, or of a new local cluster with this many worker processes.

    Parameters
    ----------
    scheduler : str, optional
        As ``"tcp://10.0.0.1:8786"``.
    workers : int, optional
        Each has one thread.
    quiet : bool, default=False
        Nothing is logged. Errors are raised anyway, as always.

    Yields
    ------
    client : distributed.Client
        Closed at the end, and a local cluster with it.

    Examples
    --------
    >>> from hedgerow import distributed
    >>> with distributed.connected(workers=1) as client:
    ...     client.submit(sum, [1, 2, 3]).result()
    6
    """
    try:
        from dask import config
        from distributed import Client, LocalCluster
    except ImportError:
        raise ImportError(MISSING) from None
    with _silence() if quiet else nullcontext():
        if scheduler is not None:
            with _client(Client, scheduler) as client:
                yield client
            return
        with ExitStack() as opened:
            # A cluster that is interrupted while it starts would leave its workers behind.
            with processes_started(), config.set(SETTINGS):  # for workers that start meanwhile
                cluster = opened.enter_context(
                    LocalCluster(
                        n_workers=workers,
                        threads_per_worker=1,
                        dashboard_address=":0",
                        memory_limit=None,
                        silence_logs=logging.CRITICAL if quiet else logging.WARNING,
                    )
                )
            yield opened.enter_context(Client(cluster, set_as_default=False, direct_to_workers=True))


def _client(kind: Any, scheduler: str) -> Any:
    try:
        return kind(scheduler, set_as_default=False, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        # Dask's message names all that it tried.
        raise ConnectionError(f"no Dask scheduler answers at {scheduler}") from error


@contextmanager
def _silence() -> Iterator[None]:
    """No log of Dask in this process."""
    logger = logging.getLogger("distributed")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)
