"""Class weights that depend on all examples."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from hedgerow.distributed.shards import Shard, Surveyed, naming
from hedgerow.distributed.workers import Workers
from hedgerow.kernels.base import Matrix
from hedgerow.models.labels import encode


def with_class_weights(model: Any, classes: Matrix, surveyed: Surveyed, workers: Workers) -> Any:
    """A copy of the learner whose weights of classes are numbers: balanced ones need the examples of all shards."""
    learner = copy(model)
    weight = getattr(model, "class_weight", None)
    if weight == "balanced":
        shards = [shard for shard, n in zip(surveyed.shards, surveyed.counts, strict=True) if n]
        counts = sum(workers.map(label_counts, shards, classes), np.zeros(len(classes)))
        balanced = counts.sum() / (np.count_nonzero(counts) * np.maximum(counts, 1))
        learner.class_weight = dict(zip(classes.tolist(), balanced.tolist(), strict=True))
    return learner


def label_counts(shard: Shard, classes: Matrix) -> Matrix:
    """How many examples of each class a shard has."""
    _, y = shard.load()
    with naming(shard):
        return np.bincount(encode(y, classes, len(y)), minlength=len(classes))
