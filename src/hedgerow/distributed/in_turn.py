"""Learners on kernels over many shards: one learner goes from shard to shard.

What such a learner does with an example depends on the supports that it already has. Functions that shards learn by
themselves, and their mean, are far worse than that of one learner (5 points on questions, 16 on argument boundaries,
with 8 shards). So the examples stay where they are and the learner travels: what it learns is what `partial_fit` would
have learned, shard by shard.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from hedgerow.distributed.online_learners import begin, hand_over
from hedgerow.distributed.progress import Meter, Watch
from hedgerow.distributed.shards import Shard, Shards, naming
from hedgerow.distributed.workers import Workers
from hedgerow.models.example_weights import example_weights
from hedgerow.models.labels import encode

SHAPE = ("n_features_in_", "feature_names_in_")  # what items look like


def fit_in_turn(model: Any, data: Shards, workers: Workers, watch: Watch | None) -> Any:
    """`distributed.fit` for learners on kernels."""
    surveyed, learner, _, seed = begin(model, data, workers)
    filled = np.flatnonzero(surveyed.counts)
    shards = [surveyed.shards[number] for number in filled]
    meter = Meter(watch, surveyed.n * model.epochs)
    random = np.random.default_rng(seed)
    try:
        for _ in range(model.epochs):
            for number in random.permutation(len(shards)) if model.shuffle else range(len(shards)):
                order = random.permutation(surveyed.counts[filled[number]]) if model.shuffle else None
                learner = workers.run(learn_next, shards, number, learner, order)
                meter.add(int(surveyed.counts[filled[number]]))
    finally:
        # Interrupted, the model keeps what was learned from the first shards.
        if hasattr(learner, "_native"):
            _take(model, learner)
    return model


def learn_next(shard: Shard, learner: Any, order: Any) -> Any:
    """The learner after one pass over a shard, in the given order or as the examples come."""
    X, y = shard.load()
    learner = deepcopy(learner)  # a task may run twice
    with naming(shard):
        if hasattr(learner, "_native"):
            items = learner._more(X)
        else:
            items = learner._start(X)
            learner._native = learner._make_native()
        labels = encode(y, learner.classes_, len(items))
        weights = example_weights(learner.classes_, labels, None, getattr(learner, "class_weight", None))
        learner._native.learn(items, labels, weights, [] if order is None else [order.astype(np.int64)])
    return learner


def _take(model: Any, learner: Any) -> None:
    hand_over(learner, model)
    for name in SHAPE:
        if hasattr(learner, name):
            setattr(model, name, getattr(learner, name))
    model._native = learner._native
