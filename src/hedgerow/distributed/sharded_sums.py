"""Weighted sums of examples in shards, and their values at all examples.

A value is asked for in two steps. Each shard hands out its members of the sum with their weights (a partial sum); these
stay on the workers. Then each worker puts the partial sums of all shards together, in the order of shards, collapses
them into one model and scores the examples of its own shards with it. So partial sums go from worker to worker, one
number for each example comes back, and pairs of examples never meet. Since the model is made of the same examples in
the same order as on one machine, its values are the same to the last bit.
"""

from __future__ import annotations

import pickle
from operator import itemgetter
from time import perf_counter
from typing import Any
from uuid import uuid4

import numpy as np

from hedgerow import _core
from hedgerow.distributed.progress import Meter
from hedgerow.distributed.shards import Shard
from hedgerow.distributed.some_examples import AT_HAND, ShardedExamples, take
from hedgerow.distributed.workers import Bundles
from hedgerow.kernels.base import Kernel, Matrix
from hedgerow.svm.weighted_sums import Sums, WeightedSums
from hedgerow.threads import resolve

Partial = tuple[int, Any, Matrix]  # the number of the shard, examples, weights
BUNDLE_SECONDS = 1.0  # a task should be worth its message, and one that is lost no great loss


class ShardedSums(Sums):
    """The functions ``sum_i weight_i K(x_i, .)`` over the examples of all shards, or over those with some numbers."""

    def __init__(
        self,
        examples: ShardedExamples,
        single: bool,
        n_jobs: int | None,
        meter: Meter,
        numbers: Matrix | None = None,
    ) -> None:
        self._examples = examples
        self._single = single
        self._n_jobs = n_jobs
        self._meter = meter
        self._numbers = numbers
        self._seconds = 0.0  # of the last pass over all shards
        self.round, self.words = 1, ""  # for the meter: what is being done

    def values(self, examples: Matrix, weights: Matrix) -> Matrix:
        """The values of a sum at all examples, or at those with the numbers."""
        total = len(self._examples) if self._numbers is None else len(self._numbers)
        if len(examples) == 0:
            return np.zeros(total)
        workers, shards, kernel = self._examples.workers, self._examples.shards, self._examples.kernel
        members = examples if self._numbers is None else self._numbers[examples]
        own = zip(self._examples.rows(members), self._examples.by_shard(members), strict=True)
        given = [(number, rows, weights[which]) for number, (rows, which) in enumerate(own)]
        at = [None] * len(shards) if self._numbers is None else self._examples.rows(self._numbers)
        how = (uuid4().hex, kernel, self._single, self._n_jobs)
        bundles = max(1, round(self._seconds / BUNDLE_SECONDS))

        def both_steps() -> Bundles:
            partials = workers.bundled(partial_sum, shards, each=given).kept
            return workers.bundled(score, shards, partials, *how, each=at, bundles=bundles)

        self._meter.begin_round(self.round, self.words)
        started = perf_counter()
        values = []
        for some in workers.at_once(both_steps).results():
            values.append(some)
            self._meter.add(len(some))
        self._seconds = perf_counter() - started
        return np.concatenate(values)

    def part(self, examples: Matrix) -> Sums:
        """The same over some of the examples only; when these are few, they are brought here."""
        numbers = examples if self._numbers is None else self._numbers[examples]
        if len(numbers) > AT_HAND:
            return ShardedSums(self._examples, self._single, self._n_jobs, self._meter, numbers)
        return self.here(examples)

    def here(self, examples: Matrix) -> WeightedSums:
        """The same over some of the examples, which are brought here."""
        numbers = examples if self._numbers is None else self._numbers[examples]
        items, kernel = self._examples.select(numbers), self._examples.kernel
        return WeightedSums(kernel._model(), items, resolve(self._n_jobs), self._single)


# -- tasks ----------------------------------------------------------------------------------------------------


def partial_sum(shard: Shard, given: tuple[int, Matrix, Matrix]) -> Partial | None:
    """The shard's members of a sum with their weights, given its number, the rows and the weights."""
    number, rows, weights = given
    return (number, take(shard.load()[0], rows), weights) if len(rows) else None


def score(
    shard: Shard,
    at: Matrix | None,
    partials: list[list[Partial | None]],
    name: str,
    kernel: Kernel,
    single: bool,
    n_jobs: int | None,
) -> Matrix:
    """The values, at all examples of a shard or at some, of the sum that is put together of partial ones."""
    items = _items_of(shard, kernel)
    batch = items if at is None else items.select(at.astype(np.int64))
    if len(batch) == 0:
        return np.zeros(0)
    values: Matrix = _model(name, partials, kernel, single).score_batch(batch, resolve(n_jobs))
    return values


def _items_of(shard: Shard, kernel: Kernel) -> _core.Items:
    X, _ = shard.load()

    def make() -> tuple[Any, _core.Items]:
        prepared = kernel._prepare(X)
        return prepared, kernel._items(prepared)

    items: _core.Items = shard.derived(("items", pickle.dumps(kernel)), make)[1]
    return items


# The model of the sum that this process was last asked for, by the name of the sum: the next shard needs it, too.
_last: tuple[str, _core.KernelModel] | None = None


def _model(name: str, bundles: list[list[Partial | None]], kernel: Kernel, single: bool) -> _core.KernelModel:
    global _last
    if _last is not None and _last[0] == name:
        return _last[1]
    partials = [partial for bundle in bundles for partial in bundle if partial is not None]
    model = kernel._model().empty(1)
    for _, X, weights in sorted(partials, key=itemgetter(0)):
        slots = np.arange(model.slots, model.slots + len(weights), dtype=np.int32)
        model.put_all(kernel._items(kernel._prepare(X)), slots)
        model.add_weights(slots, 0, weights)
    model.freeze(single)
    _last = (name, model)
    return model
