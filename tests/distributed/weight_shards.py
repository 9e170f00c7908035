"""Vectors in shards and the learners on weights, with their slow versions, for tests of parameter mixing."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse
from scipy.stats import norm
from sklearn.base import clone

from hedgerow import online, registry
from hedgerow.distributed.shards import GivenShard, Shards
from tests.distributed import slow_weights as slow

WIDTH, ROUNDS = 14, 3
BOUNDS = (0, 10, 10, 40, 48, 64)  # one shard is empty
N = BOUNDS[-1]
C_LOW = 2.5  # the weight of the class "low", where classes have weights


def some_rows() -> tuple[Any, Any]:
    """Sparse rows of numbers at least 0, in three classes; some rows are empty, some features in some shards only."""
    random = np.random.default_rng(7)
    X = np.where(random.random((N, WIDTH)) < 0.4, random.exponential(size=(N, WIDTH)), 0)
    X[[0, 12, 50]] = 0
    X[:40, 10] = 0
    X[10:, 11] = 0
    X[:10, 12] = X[48:, 12] = 0
    X[:, 13] = 0
    X[45, 13] = 1.5  # in one example
    scores = X @ random.normal(size=(WIDTH, 3)) + 0.3 * random.normal(size=(N, 3))
    return X, np.array(["low", "middle", "high"])[scores.argmax(axis=1)]


X, Y = some_rows()
TWO = np.where(Y == "low", "low", "other")

# Learners with their slow versions, and whether a column of ones is their bias.
CASES: dict[str, tuple[Any, slow.Slow, bool]] = {
    "perceptron": (online.Perceptron(), slow.SlowPerceptron(), False),
    "perceptron with bias": (online.Perceptron(bias=True), slow.SlowPerceptron(bias=True), False),
    "PA": (online.PassiveAggressive(variant="PA"), slow.SlowPassiveAggressive("PA", 1.0), False),
    "PA-I": (online.PassiveAggressive(C=0.3), slow.SlowPassiveAggressive("PA-I", 0.3), False),
    "PA-II": (
        online.PassiveAggressive(variant="PA-II", C=0.3),
        slow.SlowPassiveAggressive("PA-II", 0.3),
        False,
    ),
    "dynamic PA-I": (
        online.PassiveAggressive(C=0.5, dynamic=True),
        slow.SlowPassiveAggressive("PA-I", 0.5, dynamic=True),
        False,
    ),
    "ROMMA": (online.ROMMA(), slow.SlowRomma(), False),
    "aggressive ROMMA": (online.ROMMA(aggressive=True), slow.SlowRomma(aggressive=True), False),
    "AROW": (online.AROW(regularization=0.7, bias=True), slow.SlowArow(0.7), True),
    "SCW-I": (online.SCW(C=0.5, bias=True), slow.SlowScw("SCW-I", 0.5, norm.ppf(0.9)), True),
    "SCW-II": (online.SCW(variant="SCW-II", C=0.5), slow.SlowScw("SCW-II", 0.5, norm.ppf(0.9)), False),
    "FTRL": (
        online.FTRL(learning_rate=0.3, beta=0.5, l1=0.2, l2=0.1, bias=True),
        slow.SlowFtrl("logistic", 0.3, 0.5, 0.2, 0.1),
        True,
    ),
    "FTRL, hinge loss": (online.FTRL(loss="hinge"), slow.SlowFtrl("hinge", 0.1, 1.0, 0.0, 0.0), False),
    "FOBOS": (
        online.FOBOS(loss="logistic", l1=0.02, l2=0.05, bias=True),
        slow.SlowFobos("logistic", 0.02, 0.05),
        True,
    ),
    "FOBOS, mistakes": (
        online.FOBOS(l1=0.01, learning_rate=0.5, update="mistakes"),
        slow.SlowFobos("hinge", 0.01, 0.0, 0.5, "mistakes"),
        False,
    ),
    "FOBOS that shrinks nothing": (online.FOBOS(), slow.SlowFobos("hinge", 0.0, 0.0), False),
    "truncated gradient": (
        online.TruncatedGradient(l1=0.05, bias=True),
        slow.SlowTruncatedGradient("hinge", 0.05, 0.1),
        True,
    ),
    "truncated gradient, now and then": (
        online.TruncatedGradient(
            "logistic", l1=0.05, learning_rate=0.5, schedule="decaying", truncate_every=4, threshold=0.3
        ),
        slow.SlowTruncatedGradient("logistic", 0.05, 0.5, "decaying", 4, 0.3),
        False,
    ),
    "RDA": (
        online.RDA(loss="logistic", l1=0.02, l2=0.05, bias=True),
        slow.SlowRda("logistic", 0.02, 0.05),
        True,
    ),
    "RDA, mistakes": (
        online.RDA(l1=0.02, learning_rate=0.5, update="mistakes"),
        slow.SlowRda("hinge", 0.02, 0.0, 0.5, "mistakes"),
        False,
    ),
    "adaptive RDA": (
        online.RDA(l1=0.02, learning_rate=0.5, adaptive=True, bias=True),
        slow.SlowAdaptiveRda("hinge", 0.02, 0.0, 0.5),
        True,
    ),
    "positive Winnow": (
        online.PositiveWinnow(promotion=1.3, initial_weight=1.1),
        slow.SlowWinnow("positive", 1.3, initial=(1.1, 0.0)),
        True,
    ),
    "balanced Winnow": (online.BalancedWinnow(), slow.SlowWinnow("balanced"), True),
    "modified balanced Winnow": (
        online.ModifiedBalancedWinnow(margin=0.4, initial_weights=(1.7, 0.6)),
        slow.SlowWinnow("modified", margin=0.4, initial=(1.7, 0.6)),
        True,
    ),
}
each_with_slow = pytest.mark.parametrize("name", CASES)
LEARNERS: dict[str, Any] = {name: model for name, (model, _, _) in CASES.items()}
LISTED = {type(model) for model in LEARNERS.values()}
for row in registry.learners().values():  # the others as they are
    if row.on_weights and row.cls not in LISTED:
        LEARNERS[row.name] = row.make()
each = pytest.mark.parametrize("name", LEARNERS)


def model_of(name: str, **parameters: Any) -> Any:
    return clone(LEARNERS[name]).set_params(**{"epochs": ROUNDS, "random_state": 0, **parameters})


def sharded(X: Any = X, y: Any = Y, bounds: tuple[int, ...] = BOUNDS) -> Shards:
    parts = [(sparse.csr_matrix(X[a:b]), y[a:b]) for a, b in pairwise(bounds)]
    return Shards([GivenShard(*part, f"part {k}", os.urandom(8).hex()) for k, part in enumerate(parts)])


def state_of(model: Any) -> dict[str, Any]:
    """All that was learned, but for the time it took."""
    description, arrays = model._to_state()
    return {**description, **{name: values for name, values in arrays.items() if name != "seconds"}}


def assert_same(model: Any, expected: Any) -> None:
    """Bit by bit."""
    one, other = state_of(model), state_of(expected)
    assert one.keys() == other.keys()
    for name, values in one.items():
        assert_array_equal(values, other[name], err_msg=name)
