"""Some examples of a data set in shards, brought to this process."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.distributed.shards import Shard, Surveyed
from hedgerow.distributed.workers import Workers
from hedgerow.io.examples import join
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.models.labels import encode

AT_HAND = 50_000  # examples that this process may hold, apart from supports
FIRST_ROUNDS = 16  # whose samples are fetched together at first


class ShardedExamples:
    """The examples of all shards, numbered in the order of shards.

    With ``streaming``, shards are read again whenever something is asked for, and nobody keeps them.
    """

    def __init__(self, workers: Workers, data: Surveyed, kernel: Kernel, streaming: bool) -> None:
        used = np.flatnonzero(data.counts)
        self.workers = workers
        self.kernel = kernel
        self.shards = [data.shards[number] for number in used]
        self.begins = np.concatenate([[0], np.cumsum(data.counts[used])])
        self._streaming = streaming

    def __len__(self) -> int:
        return int(self.begins[-1])

    def by_shard(self, numbers: Matrix) -> list[slice]:
        """Which of these numbers, in increasing order, belong to each shard."""
        bounds = np.searchsorted(numbers, self.begins).tolist()
        return [slice(*pair) for pair in pairwise(bounds)]

    def rows(self, numbers: Matrix) -> list[Matrix]:
        """The same as positions within the shards."""
        slices = zip(self.by_shard(numbers), self.begins[:-1], strict=True)
        return [(numbers[own] - begin).astype(np.int32) for own, begin in slices]

    def fetch(self, numbers: Matrix) -> Any:
        """Examples, given by numbers in increasing order, in the form that users know."""
        picked = self.workers.map(pick, self.shards, self._streaming, each=self.rows(numbers))
        return join([X for X in picked if X is not None])

    def select(self, numbers: Matrix) -> _core.Items:
        """The same as native items."""
        return self.kernel._items(self.kernel._prepare(self.fetch(numbers)))

    def labels(self, classes: Matrix) -> Matrix:
        """The number of each example's class."""
        parts = self.workers.map(number_labels, self.shards, classes, self._streaming)
        return np.concatenate(list(parts))


class SamplesAhead:
    """Samples of a data set in shards, fetched for many rounds at once, since that takes a pass over all shards.

    It is known beforehand which examples the next samples have, but not how many will be needed: each time the
    samples of twice as many rounds are fetched. ``in_use`` names the examples of earlier samples that are still needed.
    """

    def __init__(self, examples: ShardedExamples, samples: Iterator[Matrix]) -> None:
        self.in_use = np.zeros(0, dtype=np.int64)
        self._examples = examples
        self._samples = samples
        self._numbers = np.zeros(0, dtype=np.int64)
        self._X: Any = None
        self._items: Any = None

    def __iter__(self) -> Iterator[Matrix]:
        rounds = FIRST_ROUNDS
        while True:
            first = next(self._samples)
            more = min(rounds, AT_HAND // len(first)) - 1
            samples = [first, *islice(self._samples, max(0, more))]
            self._bring(np.unique(np.concatenate(samples)))
            yield from samples
            rounds *= 2

    def select(self, numbers: Matrix) -> _core.Items:
        """Native items of examples that are here."""
        items: _core.Items = self._items.select(np.searchsorted(self._numbers, numbers))
        return items

    def _bring(self, wanted: Matrix) -> None:
        """Have all that is wanted or in use, and nothing else."""
        kept = np.flatnonzero(np.isin(self._numbers, np.union1d(self.in_use, wanted)))
        missing = np.setdiff1d(wanted, self._numbers)
        parts = [take(self._X, kept)] if len(kept) else []
        if len(missing):
            parts.append(self._examples.fetch(missing))
        numbers = np.concatenate([self._numbers[kept], missing])
        order = np.argsort(numbers)
        self._numbers, self._X = numbers[order], take(join(parts), order)
        kernel = self._examples.kernel
        self._items = kernel._items(kernel._prepare(self._X))


def take(X: Any, rows: Matrix) -> Any:
    """Some of the examples."""
    if isinstance(X, list):
        return [X[row] for row in rows.tolist()]
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


# -- tasks ----------------------------------------------------------------------------------------------------


def pick(shard: Shard, rows: Matrix, streaming: bool) -> Any:
    """Some examples of a shard; None for none."""
    if len(rows) == 0:
        return None
    if not streaming:
        return take(shard.load()[0], rows)
    parts, begin = [], 0
    for X, y in shard.pieces():
        first, last = np.searchsorted(rows, [begin, begin + len(y)])
        if first < last:
            parts.append(take(X, rows[first:last] - begin))
        if last == len(rows):
            break
        begin += len(y)
    return join(parts)


def number_labels(shard: Shard, classes: Matrix, streaming: bool) -> Matrix:
    """The number of each label of a shard among the classes."""
    batches = shard.pieces() if streaming else [shard.load()]
    numbers = np.concatenate([encode(y, classes, len(y)) for _, y in batches])
    return numbers.astype(np.min_scalar_type(len(classes)))
