"""Shards: the parts of a data set, which know where their examples are and read them where they are needed.

A task is given a shard and reads it in its own process. What it read stays in the cache of that process, as long as
there is room; should the process be lost, another one reads the shard again.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.distributed import cache
from hedgerow.io.examples import join
from hedgerow.io.readers import Batch, Reader, Survey
from hedgerow.io.schema import Schema
from hedgerow.kernels.base import Matrix


class Shard(ABC):
    """A part of a data set."""

    name: str  # what messages call it
    size: int = 1  # about how much work it is, compared with the other shards

    @abstractmethod
    def load(self) -> Batch:
        """All its examples as X and y, from the cache of this process if they are there."""

    @abstractmethod
    def pieces(self) -> Iterator[Batch]:
        """The same, a bounded number at a time, which nobody keeps."""

    @abstractmethod
    def survey(self) -> Survey:
        """How many examples there are, and of what kind."""

    @abstractmethod
    def derived(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Something made of this shard, from the cache of this process if it is there under this key."""


@contextmanager
def naming(shard: Shard) -> Iterator[None]:
    """Errors say where the examples are."""
    try:
        yield
    except (ValueError, TypeError) as error:
        if type(error) not in (ValueError, TypeError):
            raise
        raise type(error)(f"{shard.name}: {error}") from error


@dataclass
class FileShard(Shard):
    """The examples of one file or several."""

    paths: tuple[str, ...]
    reader: Reader
    size: int = 1  # bytes

    @property
    def name(self) -> str:  # type: ignore[override]
        first, *others = self.paths
        return first if not others else f"{first} and {len(others)} more"

    def load(self) -> Batch:
        batch: Batch = self.derived("examples", self._read)
        return batch

    def derived(self, key: Hashable, make: Callable[[], Any]) -> Any:
        return cache.get((self.paths, self.reader.token, key), self.paths, make)

    def _read(self) -> Batch:
        batches = list(self.pieces())
        if not batches:
            raise ValueError(f"no example in {', '.join(self.paths)}")
        return join([X for X, _ in batches]), join([y for _, y in batches])

    def pieces(self) -> Iterator[Batch]:
        for path in self.paths:
            yield from self.reader.pieces(path)

    def survey(self) -> Survey:
        return self.reader.survey(self.paths)


@dataclass
class GivenShard(Shard):
    """Examples that are in memory already: a block of a Dask collection."""

    X: Any
    y: Any
    name: str
    identity: str  # no other block has it

    def load(self) -> Batch:
        return self.X, self.y

    def derived(self, key: Hashable, make: Callable[[], Any]) -> Any:
        return cache.get((self.identity, key), (), make)

    def pieces(self) -> Iterator[Batch]:
        yield self.load()

    def survey(self) -> Survey:
        n = self.X.shape[0] if hasattr(self.X, "shape") else len(self.X)  # sparse matrices have no len
        if self.y is None:
            return Survey(n)
        if n != len(self.y):
            raise ValueError(f"{self.name} has {n} inputs, but {len(self.y)} labels")
        # Outputs that are not labels, such as lists, are looked at by their problem.
        simple = isinstance(self.y, np.ndarray) or all(np.isscalar(label) for label in self.y)
        return Survey(len(self.y), set(np.unique(np.asarray(self.y)).tolist()) if simple else set())


@dataclass
class Surveyed:
    """Shards of which all is known that learning needs."""

    shards: list[Any]
    counts: Matrix  # of the examples of each
    classes: Matrix | None  # the labels, sorted; None where outputs are not single labels
    schema: Schema | None = None  # of all files of tables

    @property
    def n(self) -> int:
        return int(self.counts.sum())

    @property
    def begins(self) -> Matrix:
        """Where the examples of each shard begin among all, and where the last ones end."""
        return np.concatenate([[0], np.cumsum(self.counts)])


class Shards:
    """A data set in parts, made by `read` and `from_dask`.

    What is learned from it depends on how it is parted, but not on how many workers there are.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from hedgerow import distributed
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "part1.svm").write_text("1 1:1\\n-1 2:1\\n")
    >>> _ = (folder / "part2.svm").write_text("1 1:2 3:1\\n-1 2:1 4:1\\n")
    >>> data = distributed.read(folder / "part*.svm", shards=2)
    >>> len(data), data
    (2, <Shards: 2>)
    """

    def __init__(self, shards: Sequence[Any]) -> None:
        self._shards = list(shards)
        self._surveyed: Surveyed | None = None

    def __len__(self) -> int:
        return len(self._shards)

    def __repr__(self) -> str:
        known = f", {self._surveyed.n} examples" if self._surveyed is not None else ""
        return f"<Shards: {len(self)}{known}>"

    @property
    def parts(self) -> list[Any]:
        """The shards, or Dask futures of them."""
        return self._shards

    def surveyed(self, workers: Any) -> Surveyed:
        """Look at all shards, once; files then are read as their columns and widths together say."""
        if self._surveyed is None:
            surveys = list(workers.map(survey, self._shards))
            if not any(found.n for found in surveys):
                raise ValueError("there is no example in the data")
            counts = np.array([found.n for found in surveys], dtype=np.int64)
            builders = [found.schema for found in surveys if found.schema is not None]
            if not builders:
                labels = set().union(*(found.labels for found in surveys))
                classes = np.unique(np.array(sorted(labels))) if labels else None
                self._surveyed = Surveyed(self._shards, counts, classes)
                return self._surveyed
            of_all = builders[0]
            for other in builders[1:]:
                of_all.update(other)
            schema = of_all.build()
            shards = [replace(shard, reader=shard.reader.settled(schema)) for shard in self._shards]
            self._surveyed = Surveyed(shards, counts, of_all.classes if of_all.words else None, schema)
        return self._surveyed


def survey(shard: Shard) -> Survey:
    return shard.survey()


def checked(data: Any, name: str = "data") -> Shards:
    """The data, which must be in shards."""
    if not isinstance(data, Shards):
        raise TypeError(f"{name} must be Shards, made by read or from_dask, got a {type(data).__name__}")
    return data
