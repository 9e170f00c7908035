"""Online learners over shards: how they begin, in which order a shard's examples come, and who has what was learned."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
from sklearn.base import clone

from hedgerow.checks import as_random_state
from hedgerow.distributed.shards import Shard, Shards, Surveyed, naming
from hedgerow.distributed.workers import Workers
from hedgerow.kernels.base import Matrix
from hedgerow.models.example_weights import example_weights
from hedgerow.models.labels import encode, find_classes

LEARNED = ("kernel_", "classes_", "_codes", "_decoding", "_seed", "_rules", "feature_names_in_")


def begin(model: Any, data: Shards, workers: Workers) -> tuple[Surveyed, Any, Any, int]:
    """What shards begin with: what is known of them, a copy of the model with classes and codes, a native learner that
    has learned nothing, and a seed of orders."""
    surveyed = data.surveyed(workers)
    classes, _ = find_classes(surveyed.classes, None)
    random_state = as_random_state(model.random_state)
    learner = copy(model)
    if getattr(model, "class_weight", None) == "balanced":
        learner.class_weight = _balanced(classes, surveyed, workers)
    learner._forget()
    if not model._on_weights:
        learner.kernel_ = clone(model.kernel)
    learner.classes_ = classes
    native = learner._new_native(classes, random_state)
    return surveyed, learner, native, int(random_state.randint(2**31 - 1))


def _balanced(classes: Matrix, surveyed: Surveyed, workers: Workers) -> dict[Any, float]:
    """Weights of classes that need the examples of all shards."""
    shards = [shard for shard, n in zip(surveyed.shards, surveyed.counts, strict=True) if n]
    counts = sum(workers.map(label_counts, shards, classes), np.zeros(len(classes)))
    balanced = counts.sum() / (np.count_nonzero(counts) * np.maximum(counts, 1))
    return dict(zip(classes.tolist(), balanced.tolist(), strict=True))


def label_counts(shard: Shard, classes: Matrix) -> Matrix:
    """How many examples of each class a shard has."""
    _, y = shard.load()
    with naming(shard):
        return np.bincount(encode(y, classes, len(y)), minlength=len(classes))


def learn(
    shard: Shard,
    X: Any,
    y: Any,
    learner: Any,
    make_native: Callable[[], Any],
    seeds: list[int],
) -> None:
    """Lets a native learner go through the examples of a shard once."""
    with naming(shard):
        items = learner._start(X)
        native = make_native()
        labels = encode(y, learner.classes_, len(items))
        weights = example_weights(learner.classes_, labels, None, learner.class_weight)
        orders = []
        if learner.shuffle:
            orders.append(np.random.default_rng(seeds).permutation(len(items)).astype(np.int64))
        native.learn(items, labels, weights, orders)


def hand_over(learner: Any, model: Any) -> None:
    """Make the model one that knows what the learner does."""
    model._forget()
    for name in LEARNED:
        if hasattr(learner, name):
            setattr(model, name, getattr(learner, name))
