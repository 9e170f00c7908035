"""Structured problems over shards: settled once by surveys of all, then bound to each shard where it is read."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

import numpy as np

from hedgerow.distributed import cache
from hedgerow.distributed.shards import Shard, Shards, naming
from hedgerow.distributed.workers import Workers
from hedgerow.kernels.base import Matrix
from hedgerow.structured.problem import Binding, Problem


@dataclass(frozen=True)
class Settled:
    """A problem that knows all labels and features, so that weights mean the same to all shards."""

    problem: Problem
    shared: Any  # the problem and its token, as tasks take them
    shards: list[Any]  # those that have examples
    counts: Matrix  # of their examples

    @property
    def n(self) -> int:
        return int(self.counts.sum())


def settle(problem: Problem, data: Shards, workers: Workers) -> Settled:
    """Look at all shards, and settle the problem by what they have."""
    kernel = problem._kernel_in_use()
    if kernel is not None:
        raise ValueError(
            f"{type(problem).__name__} with {kernel} does not learn from shards: each would need the items of all; "
            "problems with explicit features do, and of the learners with kernels CuttingPlaneSVC and those of "
            "hedgerow.online"
        )
    surveyed = data.surveyed(workers)
    full = np.flatnonzero(surveyed.counts)
    shards = [surveyed.shards[number] for number in full]
    problem.settle(list(workers.map(survey_problem, shards, workers.share(problem))))
    return Settled(problem, workers.share((problem, uuid4().hex)), shards, surveyed.counts[full])


def survey_problem(shard: Shard, problem: Problem) -> Any:
    """What a problem that is not settled yet has to know of a shard."""
    X, Y = shard.load()
    with naming(shard):
        return problem.survey(X, Y)


def bound(shard: Shard, settled: tuple[Problem, str]) -> Binding:
    """The settled problem with the examples of a shard, from the cache of this process if they are there."""
    problem, token = settled

    def bind() -> Binding:
        X, Y = shard.load()
        with naming(shard):
            # A copy, since binding may count what it sees.
            binding = deepcopy(problem)._bind(X, Y, False)
        return binding if binding.nbytes else replace(binding, nbytes=cache.size_of((X, Y)))

    binding: Binding = shard.derived(("bound", token), bind)
    return binding


@dataclass(frozen=True)
class Packed:
    """Weights on their way to workers: most of them are 0."""

    size: int
    indices: Matrix
    values: Matrix

    @classmethod
    def of(cls, weights: Matrix) -> Packed:
        indices = np.flatnonzero(weights)
        return cls(len(weights), indices.astype(np.int32), weights[indices])

    def at(self, indices: Matrix) -> Matrix:
        """Some of the weights."""
        places = np.searchsorted(self.indices, indices)
        known = places < len(self.indices)
        known[known] = self.indices[places[known]] == indices[known]
        weights = np.zeros(len(indices))
        weights[known] = self.values[places[known]]
        return weights

    def unpacked(self, at_least: int) -> Matrix:
        """The weights, with zeros for features that only a shard has."""
        weights = np.zeros(max(self.size, at_least))
        weights[self.indices] = self.values
        return weights


def grown(vector: Matrix, size: int) -> Matrix:
    """With zeros up to a size."""
    return vector if len(vector) >= size else np.concatenate([vector, np.zeros(size - len(vector))])
