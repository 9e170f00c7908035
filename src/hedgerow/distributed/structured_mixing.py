"""Structured perceptrons over shards: iterative parameter mixing.

R. McDonald, K. Hall, G. Mann: Distributed training strategies for the structured perceptron, NAACL 2010, figure 3. In
every round each shard k with n_k of all n examples goes on from the same w, in one pass:

    w_k = one pass from w over shard k,     w += sum_k n_k/n (w_k - w)

Predictors of all shards and rounds count in the average. A learner keeps it as ``late``, the sum of updates, each times
the number of predictors before it: the mean is ``w - late / seen``. Put together, with the late_k of each pass,

    late += seen sum_k n_k/n (w_k - w) + sum_k late_k,     seen += n

since sum_k n_k w_k = n (w + sum_k n_k/n (w_k - w)).
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from hedgerow import _core
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
    *,
    rounds: int | None,
    budget: int | None,
    watch: Watch | None,
) -> StructuredPerceptron:
    """Rounds of passes over all shards; Ctrl-C keeps the rounds so far."""
    model._check_params()
    if budget is not None:
        raise ValueError("budget is for learners with kernels; a StructuredPerceptron on shards has weights")
    if model.dual:
        raise ValueError("dual=True is for learning on one machine: weights are mixed, and have no dual view")
    random_state = check_random_state(model.random_state)
    settled = settle(model._make_problem(), data, workers)
    model.problem_ = settled.problem
    model._begin(_core.Space.plain(), 0)
    mixture = _Mixture(settled.counts / settled.n)
    rounds = rounds or model.epochs
    meter = Meter(watch, settled.n, rounds)
    for number in range(1, rounds + 1):
        meter.begin_round(number, mixture.words)
        # By seed, round and shard; None keeps the order.
        seeds: list[int | None] = [None] * len(settled.shards)
        if model.shuffle:
            seeds = random_state.randint(2**31 - 1, size=len(settled.shards)).tolist()
        start = workers.share(Packed.of(mixture.weights))
        rule = (model.update, float(model.C))
        passes = workers.map(learn_shard, settled.shards, start, rule, settled.shared, each=seeds)
        mixture.add(_metered(passes, meter))
        model._take_learned(*mixture.state())
    return model


@dataclass(frozen=True)
class Pass:
    """What one pass over a shard has changed.

    Attributes
    ----------
    indices, changes, late : of the weights that were touched: how they have changed, and their late_k
    size : the number of weights
    seen, mistakes, updates, loss : of this pass
    """

    indices: Matrix
    changes: Matrix
    late: Matrix
    size: int
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
    weights = start.unpacked(oracle.n_features)
    learner = _core.StructuredPerceptron(_core.Space.plain(), len(weights), *rule, False)
    learner.resume(weights, np.zeros(0), 0)
    learner.learn(oracle, order.astype(np.int64), 0)
    learned = learner.coordinates()
    size = len(learned)
    changes, late = learned - grown(weights, size), grown(learner.late(), size)
    touched = np.flatnonzero((changes != 0) | (late != 0))
    return Pass(
        touched.astype(np.int32),
        changes[touched],
        late[touched],
        size,
        learner.seen,
        learner.mistakes,
        learner.updates,
        learner.loss,
    )


@dataclass
class _Mixture:
    """What all rounds have learned."""

    shares: Matrix  # of the examples, by shard
    weights: Matrix = field(default_factory=lambda: np.zeros(0))
    late: Matrix = field(default_factory=lambda: np.zeros(0))
    seen: int = 0
    mistakes: int = 0
    updates: int = 0
    loss: float = 0.0
    trace: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in TRACE})
    started: float = field(default_factory=time.perf_counter)

    def add(self, passes: Iterable[Pass]) -> None:
        """A round: its passes, in the order of shards. Nothing changes before all are there."""
        change, late = np.zeros(len(self.weights)), self.late.copy()
        counts = np.array([self.seen, self.mistakes, self.updates])
        loss = self.loss
        for share, one in zip(self.shares, passes, strict=True):
            change, late = grown(change, one.size), grown(late, one.size)
            change[one.indices] += share * one.changes
            late[one.indices] += one.late
            counts += (one.seen, one.mistakes, one.updates)
            loss += one.loss
        self.weights = grown(self.weights, len(change)) + change
        self.late = late + self.seen * change
        self.seen, self.mistakes, self.updates = counts.tolist()
        self.loss = loss
        seconds = time.perf_counter() - self.started
        figures = (self.seen, self.mistakes, self.loss / self.seen, seconds)
        for name, figure in zip(TRACE, figures, strict=True):
            self.trace[name].append(figure)

    @property
    def words(self) -> str:
        return f"mistakes {self.mistakes / self.seen:.1%}" if self.seen else ""

    def state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        """As a perceptron takes it."""
        description = {
            "seen": self.seen,
            "mistakes": self.mistakes,
            "updates": self.updates,
            "loss": self.loss,
            "examples": 0,
        }
        trace = {f"trace.{name}": np.array(values) for name, values in self.trace.items()}
        return description, {"coordinates": self.weights, "late": self.late, **trace}


def _metered(passes: Iterable[Pass], meter: Meter) -> Iterable[Pass]:
    for one in passes:
        meter.add(one.seen)
        yield one
