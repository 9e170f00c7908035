"""Structured perceptrons over shards: iterative parameter mixing.

R. McDonald, K. Hall, G. Mann: Distributed training strategies for the structured perceptron, NAACL 2010, figure 3. In
every round each shard k, with n_k examples, goes on from the same w in one pass, which gives w_k. Then each weight has

    w += sum_k n_k (w_k - w) / sum_k n_k,     over the shards k that have touched it

The paper's mean is over all shards, which shrinks what only some of them can know: most features are rare. A. Agarwal,
O. Chapelle, M. Dudik, J. Langford: A reliable effective terascale linear learning system, JMLR 15, 2014, also let a
shard count by what it has seen of a feature.

The average is that of the predictors after each example of all shards. Their sums add up: a pass keeps late_k, the sum
of its updates, each times the number of predictors before it, so that a round has the sum

    sum_k n_k w_k - late_k = n w + sum_k (n_k (w_k - w) - late_k)

With several shards the first round counts only as long as it is the only one: its predictors know a shard each.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.checks import as_random_state
from hedgerow.distributed.progress import Meter, Watch
from hedgerow.distributed.settling import Packed, bound, grown, settle
from hedgerow.distributed.shards import Shard, Shards
from hedgerow.distributed.workers import Workers
from hedgerow.kernels.base import Matrix
from hedgerow.structured.perceptron import TRACE, StructuredPerceptron
from hedgerow.structured.problem import Problem


def fit_structured_perceptron(
    model: StructuredPerceptron,
    data: Shards,
    workers: Workers,
    watch: Watch | None,
    rounds: int | None = None,
) -> StructuredPerceptron:
    """Rounds of passes over all shards; Ctrl-C keeps the rounds so far."""
    random_state = as_random_state(model.random_state)
    settled = settle(model._make_problem(), data, workers)
    model.problem_ = settled.problem
    model._begin(_core.Space.plain(), 0)
    mixture = _Mixture(settled.counts)
    rounds = rounds or model.epochs
    meter = Meter(watch, settled.n, rounds)
    for number in range(1, rounds + 1):
        meter.begin_round(number, mixture.words)
        # By seed, round and shard; None keeps the order.
        seeds: list[int | None] = [None] * len(settled.shards)
        if model.shuffle:
            seeds = random_state.randint(2**31 - 1, size=len(settled.shards)).tolist()
        start = workers.share(Packed.of(mixture.weights))
        rule = (model.variant, float(model.C))
        passes = workers.map(learn_shard, settled.shards, start, rule, settled.shared, each=seeds)
        mixture.add(passes, meter)
        model._take_learned(*mixture.state())
    return model


@dataclass(frozen=True)
class Pass:
    """What one pass over a shard has changed."""

    indices: Matrix  # of the weights that were touched
    changes: Matrix  # theirs
    late: Matrix  # their late_k
    size: int  # the number of all weights
    seen: int
    mistakes: int
    updates: int
    loss: float


def learn_shard(
    shard: Shard, seed: int | None, start: Packed, rule: tuple[str, float], settled: tuple[Problem, str]
) -> Pass:
    """One pass over a shard."""
    oracle = bound(shard, settled).oracle
    n = oracle.n_examples
    order = np.arange(n) if seed is None else np.random.RandomState(seed).permutation(n)
    # With the dual view, which says what was touched: few of many weights.
    learner = _core.StructuredPerceptron(_core.Space.plain(), max(start.size, oracle.n_features), *rule, True)
    learner.start(start.indices, start.values)
    learner.learn(oracle, order.astype(np.int64), 0)
    *_, indices, _ = learner.dual_counts()
    touched = np.unique(indices)
    learned, late = learner.at(touched)
    return Pass(
        touched,
        learned - start.at(touched),
        late,
        max(start.size, oracle.n_features, int(touched.max(initial=-1)) + 1),
        learner.seen,
        learner.mistakes,
        learner.updates,
        learner.loss,
    )


@dataclass
class _Mixture:
    """What all rounds have learned."""

    counts: Matrix  # of the examples, by shard
    weights: Matrix = field(default_factory=lambda: np.zeros(0))
    total: Matrix = field(default_factory=lambda: np.zeros(0))  # of the predictors that are in the average
    averaged: int = 0  # how many these are
    seen: int = 0
    mistakes: int = 0
    updates: int = 0
    loss: float = 0.0
    trace: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in TRACE})
    started: float = field(default_factory=time.perf_counter)

    def add(self, passes: Iterable[Pass], meter: Meter) -> None:
        """A round: its passes, in the order of shards. Nothing changes before all are there."""
        n = int(self.counts.sum())
        total = n * self.weights
        change, touched = np.zeros_like(total), np.zeros_like(total)
        figures = np.zeros(4)
        for count, one in zip(self.counts, passes, strict=True):
            meter.add(one.seen)
            change, touched, total = (grown(sums, one.size) for sums in (change, touched, total))
            change[one.indices] += count * one.changes
            touched[one.indices] += count
            total[one.indices] += count * one.changes - one.late
            figures += (one.seen, one.mistakes, one.updates, one.loss)
        # Whether the average is of this round alone.
        alone = self.seen == 0 or (self.seen == n and len(self.counts) > 1)
        self.total = total if alone else grown(self.total, len(total)) + total
        self.averaged = n if alone else self.averaged + n
        moved = np.flatnonzero(touched)
        self.weights = grown(self.weights, len(total))
        self.weights[moved] += change[moved] / touched[moved]
        self._count(*figures)

    def _count(self, seen: float, mistakes: float, updates: float, loss: float) -> None:
        self.seen += int(seen)
        self.mistakes += int(mistakes)
        self.updates += int(updates)
        self.loss += loss
        seconds = time.perf_counter() - self.started
        entry = (self.seen, self.mistakes, self.loss / self.seen, seconds)
        for name, figure in zip(TRACE, entry, strict=True):
            self.trace[name].append(figure)

    @property
    def words(self) -> str:
        return f"mistakes {self.mistakes / self.seen:.1%}" if self.seen else ""

    def state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """As a perceptron takes it."""
        names = ("seen", "mistakes", "updates", "loss")
        description = {**{name: getattr(self, name) for name in names}, "examples": 0}
        trace = {f"trace.{name}": np.array(values) for name, values in self.trace.items()}
        # A perceptron has the mean as weights - late / seen.
        late = self.seen * (self.weights - self.total / self.averaged)
        return description, {"coordinates": self.weights, "late": late, **trace}
