"""What can be set: how much a service keeps, and what it takes."""

from __future__ import annotations

from dataclasses import dataclass

from hedgerow.checks import Count, Positive
from hedgerow.parameters import check_parameters


@dataclass(frozen=True)
class Settings:
    """How much a service keeps.

    Parameters
    ----------
    snapshot_records : int, default=10000
        Records after which the model is written beside the log.
    snapshot_seconds : float, default=60.0
        Seconds after which it is written, if anything was learned.
    snapshots : int, default=3
        How many of these are kept, beside the first.
    predictions : int, default=100000
        How many predictions are remembered, so that feedback may name them.
    queue : int, default=10000
        How many records may wait to be committed or learned; more are answered with 429.

    Examples
    --------
    >>> from hedgerow.serve import Settings
    >>> Settings(predictions=1_000_000).queue
    10000
    """

    snapshot_records: Count = 10_000
    snapshot_seconds: Positive = 60.0
    snapshots: Count = 3
    predictions: Count = 100_000
    queue: Count = 10_000

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True)
class Limits:
    """What one request, and all of them together, may ask for.

    Parameters
    ----------
    body : int, default=1000000
        Bytes that a request may have; more are answered with 413.
    batch : int, default=1000
        Examples, or feedback, that a request may have; more are answered with 413.
    nodes : int, default=10000
        Nodes of a tree, or tokens of a sequence, that an example may have; more are answered with 422.
    seconds : float, default=10.0
        How long a request may take, or wait for learning; longer ones are answered with 503.
    running : int, default=64
        Requests that take long and may run or wait at the same time; more are answered with 503.

    Examples
    --------
    >>> from hedgerow.serve import Limits
    >>> Limits(batch=0)
    Traceback (most recent call last):
    ValueError: batch must be ...
    """

    body: Count = 1_000_000
    batch: Count = 1000
    nodes: Count = 10_000
    seconds: Positive = 10.0
    running: Count = 64

    def __post_init__(self) -> None:
        check_parameters(self)
