"""Options of commands that may run on a Dask cluster, and the client that they ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os.path import abspath
from typing import Annotated, Any

import typer

from hedgerow.cli.failures import refused

CLUSTER = "Many processes or machines"  # the panel of the help where these options stand

Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Use the cluster of the Dask scheduler at this address, such as tcp://10.0.0.1:8786. Files must have the "
        "same paths there. Needs hedgerow[distributed].",
        rich_help_panel=CLUSTER,
    ),
]
WorkerCount = Annotated[
    int | None,
    typer.Option(
        "--workers",
        min=1,
        help="Use this many processes on this machine, with one thread each. Needs hedgerow[distributed].",
        rich_help_panel=CLUSTER,
    ),
]
ShardCount = Annotated[
    int | None,
    typer.Option(
        "--shards",
        min=1,
        help="Split the data by whole files into this many parts, with or without a cluster. The model depends "
        "on it, but not on the number of workers. Default: every file, or neighbours below 1 MB together.",
        rich_help_panel=CLUSTER,
    ),
]


@dataclass(frozen=True)
class ClusterOptions:
    """What was said about the cluster; None was not said."""

    scheduler: str | None = None
    workers: int | None = None

    @property
    def wanted(self) -> bool:
        return self.scheduler is not None or self.workers is not None

    @contextmanager
    def client(self) -> Iterator[Any]:
        """A Dask client; None when no cluster is wanted, for all work is done here then."""
        if self.scheduler is not None and self.workers is not None:
            raise refused("--workers", "the cluster of --scheduler has its own workers")
        if not self.wanted:
            yield None
            return
        from hedgerow.distributed import connected

        # What goes wrong on workers is said once, here.
        with connected(self.scheduler, self.workers, quiet=True) as client:
            yield client


@dataclass(frozen=True)
class ShardOptions:
    """What was said about shards and the cluster; None was not said."""

    cluster: ClusterOptions
    shards: int | None = None

    @property
    def wanted(self) -> bool:
        return self.cluster.wanted or self.shards is not None


def whole_files(inputs: Sequence[str]) -> list[str]:
    """The paths as workers find them; standard input has none."""
    if "-" in inputs:
        raise ValueError(
            "standard input cannot be shared out among workers or shards; write it to files, or do without "
            "--scheduler, --workers and --shards"
        )
    return [abspath(path) for path in inputs]
