"""Learners on weights over many shards: iterative parameter mixing.

In every round all shards begin with the same state, learn from their examples in one epoch, and send what has changed.
The mean of the changes, weighted by the numbers of examples, or their sum (each native rule says of what) gives the
state of the next round. R. McDonald, K. Hall, G. Mann: Distributed training strategies for the structured perceptron,
NAACL-HLT 2010; they show that a perceptron converges under such mixing as it does alone.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.distributed.online_learners import begin, hand_over, orders
from hedgerow.distributed.progress import Meter, Watch
from hedgerow.distributed.shards import Shard, Shards, Surveyed, naming
from hedgerow.distributed.weight_mixture import Change, Mixture, change_between
from hedgerow.distributed.workers import Workers
from hedgerow.kernels import Linear
from hedgerow.kernels.base import Matrix
from hedgerow.models.example_weights import example_weights
from hedgerow.models.labels import encode

Arrays = dict[str, Matrix]  # as native learners save and load them


@dataclass
class Start:
    """What every shard begins a round with."""

    learner: Any  # not fitted, but with classes and codes
    arrays: Arrays  # the state of the native learner
    round: int
    seed: int  # of the orders in which examples come
    alone: bool  # whether there is one shard only


@dataclass
class Epoch:
    """What a shard sends back."""

    shard: str  # its name
    change: Change | None
    arrays: Arrays | None  # the whole state, of a shard that is alone
    width: int
    dense: bool
    feature_names: Any


def fit_weights(
    model: Any, data: Shards, workers: Workers, *, rounds: int | None, budget: int | None, watch: Watch | None
) -> Any:
    """`distributed.fit` for learners on weights."""
    if budget is not None:
        raise ValueError(f"budget is for learners on kernels; a {type(model).__name__} keeps weights")
    if getattr(model, "max_features", None) is not None:
        raise ValueError(
            "max_features must be None for learning from shards: bounded models forget features, each shard others"
        )
    surveyed, learner, native, seed = begin(model, data, workers)
    arrays = native.save()
    n_rounds = model.epochs if rounds is None else rounds
    meter = Meter(watch, surveyed.n, n_rounds)
    alone = np.count_nonzero(surveyed.counts) == 1
    finished = 0
    try:
        for number in range(n_rounds):
            meter.begin_round(number + 1)
            # Predictors of a first round know a shard each: they count for averages until there are others.
            if number == 1 and not alone:
                native = _native(learner, arrays)
                native.begin_average()
                arrays = native.save()
            start = Start(learner, arrays, number, seed, alone)
            arrays = _round(start, surveyed, workers, meter)
            finished += 1
    finally:
        # Interrupted, the model keeps what was learned in the rounds so far.
        if finished:
            _take(model, learner, arrays)
    return model


def _round(start: Start, surveyed: Surveyed, workers: Workers, meter: Meter) -> Arrays:
    filled = np.flatnonzero(surveyed.counts)
    mixture = Mixture(_native(start.learner, start.arrays))
    first: Epoch | None = None
    shards = [surveyed.shards[number] for number in filled]
    epochs = workers.map(epoch, shards, workers.share(start), each=filled.tolist())
    for number, result in zip(filled, epochs, strict=True):
        first = first or result
        _check_alike(first, result)
        meter.add(int(surveyed.counts[number]))
        if result.arrays is not None:
            # Nothing to mix: not even rounding shall differ from a learner of its own.
            return _described(start, result, result.arrays)
        assert result.change is not None
        mixture.add(result.change, surveyed.counts[number] / surveyed.n)
    assert first is not None
    return _described(start, first, mixture.settle().save())


def epoch(shard: Shard, number: int, start: Start) -> Epoch:
    """One pass over the examples of a shard."""
    X, y = shard.load()
    learner = copy(start.learner)
    native = _native(learner, start.arrays)
    with naming(shard):
        items = learner._start(X)
        labels = encode(y, learner.classes_, len(items))
        weights = example_weights(learner.classes_, labels, None, learner.class_weight)
        order = orders(learner, [start.seed, start.round, number], len(items))
        native.learn(items, labels, weights, order)
    return Epoch(
        shard.name,
        None if start.alone else change_between(_native(learner, start.arrays), native),
        native.save() if start.alone else None,
        learner.n_features_in_,
        not sparse.issparse(X),
        getattr(learner, "feature_names_in_", None),
    )


def _native(learner: Any, arrays: Arrays) -> _core.LinearLearner:
    native: _core.LinearLearner = learner._make_native()
    native.load(arrays)
    return native


def _check_alike(first: Epoch, other: Epoch) -> None:
    if first.dense and other.dense and first.width != other.width:
        raise ValueError(
            f"{other.shard} has vectors of {other.width} features, but {first.shard} has vectors of {first.width}"
        )


def _described(start: Start, epoch: Epoch, arrays: Arrays) -> Arrays:
    """Remembers what only an epoch knows."""
    if epoch.feature_names is not None:
        start.learner.feature_names_in_ = epoch.feature_names
    return arrays


def _take(model: Any, learner: Any, arrays: Arrays) -> None:
    """Makes the model one that has learned this."""
    hand_over(learner, model)
    model.kernel_ = Linear()
    model._native = _native(model, arrays)
    model.n_features_in_ = model._native.width
