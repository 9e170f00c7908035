"""The one-slack structural SVM over shards: each makes its part of a cut, and the parts add up.

A cut of all examples is a sum of their most violated constraints (`hedgerow.structured.one_slack`), so it is the sum of
the cuts of shards. What travels is the weights to the workers and a sum of differences of joint features back. The
quadratic program over cuts is solved by the coordinator.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hedgerow import _core
from hedgerow.distributed.progress import Meter, Watch
from hedgerow.distributed.settling import Packed, Settled, bound, grown, settle
from hedgerow.distributed.shards import Shard, Shards
from hedgerow.distributed.workers import Workers
from hedgerow.kernels.base import Matrix
from hedgerow.structured.one_slack import OneSlackRun
from hedgerow.structured.problem import Problem
from hedgerow.structured.questions import Violation, violation_for
from hedgerow.structured.svm import StructuredSVM
from hedgerow.threads import resolve


def fit_one_slack(model: StructuredSVM, data: Shards, workers: Workers, watch: Watch | None) -> StructuredSVM:
    """Rounds of cuts, until primal and dual are close; Ctrl-C keeps the best weights so far."""
    problem = model._make_problem()
    violation = violation_for(problem, model.slack, model.rescaling)
    settled = settle(problem, data, workers)
    model.problem_ = settled.problem
    meter = Meter(watch, settled.n, rounds=0)

    def report(entry: dict[str, float]) -> None:
        model._report(entry)
        meter.begin_round(int(entry["iteration"]) + 1, f"certificate {entry['certificate']:.2g}")

    cutter = ShardCutter(settled, workers, violation, model.n_jobs, meter)
    solution = OneSlackRun(cutter, model._settings(violation), report).solve()
    solution.coordinates = grown(solution.coordinates, cutter.n_features)
    model._keep(solution)
    model._warn_unless_converged(stacklevel=4)
    return model


@dataclass(frozen=True)
class ShardCut:
    """The cut of a shard: a sum of differences of joint features, see `Cut`; and the number of features."""

    indices: Matrix
    values: Matrix
    offset: float
    height: float
    size: int


def cut_shard(
    shard: Shard, weights: Packed, violation: Violation, n_jobs: int | None, settled: tuple[Problem, str]
) -> ShardCut:
    """The highest cut of a shard at these weights."""
    oracle = bound(shard, settled).oracle
    scores = weights.unpacked(oracle.n_features)
    maker = _core.CutMaker(oracle, violation.search, violation.root, 0)
    cut = maker.from_oracle(scores, resolve(n_jobs))
    return ShardCut(cut.indices, cut.values, cut.offset, cut.height, max(len(scores), oracle.n_features))


class ShardCutter:
    """Cuts that are sums of those of shards, in their order."""

    def __init__(
        self, settled: Settled, workers: Workers, violation: Violation, n_jobs: int | None, meter: Meter
    ) -> None:
        self.space = _core.Space.plain()
        self.n_examples = settled.n
        self.n_features = 0  # the shards will say
        self._settled, self._workers, self._meter = settled, workers, meter
        self._violation, self._n_jobs = violation, n_jobs

    def highest(self, scores: Matrix) -> _core.Cut:
        settled = self._settled
        parts = self._workers.map(
            cut_shard,
            settled.shards,
            self._workers.share(Packed.of(scores)),
            self._violation,
            self._n_jobs,
            settled.shared,
        )
        total, offset, height = np.zeros(len(scores)), 0.0, 0.0
        for part, count in zip(parts, settled.counts.tolist(), strict=True):
            self.n_features = max(self.n_features, part.size)
            total = grown(total, part.size)
            total[part.indices] += part.values
            offset, height = offset + part.offset, height + part.height
            self._meter.add(count)
        indices = np.flatnonzero(total)
        return _core.Cut(indices.astype(np.int32), total[indices], offset, height)

    def from_cache(self, scores: Matrix) -> None:
        """Workers may be lost, and must not know what others would not."""
