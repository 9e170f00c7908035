"""Parameter mixing of learners on weights, against a slow version and one machine."""

from __future__ import annotations

import os
import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import hedgerow
from hedgerow import distributed, online
from hedgerow.distributed.shards import GivenShard, Shards
from tests.distributed import slow_weights as slow
from tests.distributed.weight_shards import (
    BOUNDS,
    C_LOW,
    CASES,
    ROUNDS,
    TWO,
    WIDTH,
    N,
    X,
    Y,
    assert_same,
    each,
    each_with_slow,
    model_of,
    sharded,
)


def mixed_slowly(name: str, y: Any, weights: Any = None, rounds: int = ROUNDS) -> list[slow.Mixed]:
    """For each function."""
    _, learner, ones = CASES[name]
    rows = np.column_stack([X, np.ones(N)]) if ones else X
    importance = np.ones(N) if weights is None else weights
    classes = np.unique(y)
    found = []
    for positive in classes[1:] if len(classes) == 2 else classes:
        signs = np.where(y == positive, 1.0, -1.0)
        parts = [(rows[a:b], signs[a:b], importance[a:b]) for a, b in pairwise(BOUNDS)]
        found.append(slow.mix(learner, parts, rounds))
    return found


def predictors(name: str, mixed: list[slow.Mixed], averaging: str | None) -> tuple[Any, Any]:
    """Weights and biases that predictions are made with."""
    _, learner, ones = CASES[name]
    if averaging == "average":
        found = np.array([np.mean(one.predictors, axis=0) for one in mixed])
    elif averaging == "normalized":
        found = np.array([np.mean([w / length(w) for w in one.predictors], axis=0) for one in mixed])
    else:
        found = np.array([learner.predictor(one.state) for one in mixed])
    return found[:, :WIDTH], found[:, WIDTH] if ones else found[:, -1]


def length(predictor: Any) -> float:
    """That of the weights, without the bias; predictors of length 0 count nothing."""
    return float(np.linalg.norm(predictor[:-1])) or np.inf


def assert_equals_slow(model: Any, weights: Any, biases: Any) -> None:
    assert_allclose(model.coef_, weights, rtol=1e-9, atol=1e-9)
    assert_allclose(model.intercept_, biases, rtol=1e-9, atol=1e-9)


class TestAgainstSlow:
    @each_with_slow
    @pytest.mark.parametrize("averaging", [None, "average"])
    @pytest.mark.parametrize("rounds", [1, 2, ROUNDS])
    def test_three_classes(self, name, averaging, rounds):
        model = distributed.fit(model_of(name, averaging=averaging), sharded(), rounds=rounds)
        assert model.classes_.tolist() == ["high", "low", "middle"]
        weights, biases = predictors(name, mixed_slowly(name, Y, rounds=rounds), averaging)
        assert_equals_slow(model, weights, biases)
        assert model.n_seen_ == rounds * N
        assert model.n_features_in_ == WIDTH

    @each_with_slow
    def test_two_classes_and_mistakes(self, name):
        model = distributed.fit(model_of(name), sharded(y=TWO))
        mixed = mixed_slowly(name, TWO)
        assert_equals_slow(model, *predictors(name, mixed, None))
        assert 0 < model.mistakes_ == mixed[0].mistakes

    @pytest.mark.parametrize("name", [name for name in CASES if name != "PA" and "ROMMA" not in name])
    def test_class_weights(self, name):
        model = model_of(name, averaging="average", class_weight={"low": C_LOW})
        distributed.fit(model, sharded())
        mixed = mixed_slowly(name, Y, np.where(Y == "low", C_LOW, 1.0))
        assert_equals_slow(model, *predictors(name, mixed, "average"))

    @pytest.mark.parametrize("name", ["perceptron", "perceptron with bias", "PA-I", "ROMMA"])
    def test_normalized_averages(self, name):
        model = distributed.fit(model_of(name, averaging="normalized"), sharded())
        weights, biases = predictors(name, mixed_slowly(name, Y), "normalized")
        assert_equals_slow(model, weights, biases)

    @each_with_slow
    @pytest.mark.parametrize("averaging", [None, "average"])
    def test_going_on(self, name, averaging, tmp_path):
        model = distributed.fit(model_of(name, averaging=averaging), sharded(y=TWO))
        hedgerow.save(model, tmp_path / "model")
        copies = [hedgerow.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))]
        model.partial_fit(sparse.csr_matrix(X), TWO)
        for other in copies:
            assert_same(other.partial_fit(sparse.csr_matrix(X), TWO), model)
        _, learner, ones = CASES[name]
        (mixed,) = mixed_slowly(name, TWO)
        for x, y in zip(np.column_stack([X, np.ones(N)]) if ones else X, TWO, strict=True):
            learner.learn(mixed.state, x, 1.0 if y == "other" else -1.0, 1.0)
            mixed.predictors.append(learner.predictor(mixed.state))
        assert_equals_slow(model, *predictors(name, [mixed], averaging))

    def test_features_that_winnows_know(self):
        """All that examples had, also those that never took part in a mistake."""
        kinds = ("positive Winnow", "balanced Winnow", "modified balanced Winnow")
        for name, averaging in ((name, averaging) for name in kinds for averaging in (None, "average")):
            model = distributed.fit(model_of(name, averaging=averaging), sharded(y=TWO))
            assert_array_equal(model.features_[0], np.arange(WIDTH))
            weights, biases = predictors(name, mixed_slowly(name, TWO), averaging)
            values = (X @ weights[0] + biases[0]) / (X.sum(axis=1) + 1) - model.threshold
            assert_allclose(model.decision_function(X), values, rtol=1e-9, atol=1e-9)

    def test_weights_of_winnows_that_nobody_changed_are_exact(self):
        rows = np.eye(4)
        y = np.array(["a", "b", "a", "b"])
        model = distributed.fit(
            online.BalancedWinnow(initial_weights=(0.7, 0.1), threshold=0.3), sharded(rows, y, (0, 2, 4))
        )
        # All weights begin in favour of "b": examples of "a" are mistakes, and pull the bias down, but not too far.
        assert model.coef_[0][[1, 3]].tolist() == [0.7 - 0.1] * 2
        assert model.mistakes_ == 2


class TestOneMachine:
    @each
    @pytest.mark.parametrize("averaging", [None, "average"])
    def test_one_shard_is_an_ordinary_fit(self, name, averaging):
        local = model_of(name, averaging=averaging).fit(sparse.csr_matrix(X), Y)
        for bounds in ((0, N), (0, 0, N, N)):  # empty shards are none
            assert_same(distributed.fit(model_of(name, averaging=averaging), sharded(bounds=bounds)), local)

    @each
    def test_equal_shards_are_one(self, name):
        """The mean of the same is the same: mixing adds nothing of its own."""
        twice = Shards(
            [GivenShard(sparse.csr_matrix(X), Y, f"part {k}", os.urandom(8).hex()) for k in range(2)]
        )
        model = distributed.fit(model_of(name), twice)
        local = model_of(name).fit(X, Y)
        if "dynamic" not in name:  # which counts the mistakes of all
            assert_allclose(model.coef_, local.coef_, rtol=1e-8, atol=1e-9)
            assert_allclose(model.intercept_, local.intercept_, rtol=1e-8, atol=1e-9)
        assert model.n_seen_ == 2 * local.n_seen_

    def test_gradients_of_rda_add_up(self):
        """Over equal shards, the gradient that l1 is compared with is the mean over all examples."""
        bounds = (0, 16, 32, 48, 64)
        parts = [
            online.RDA().partial_fit(X[a:b], TWO[a:b], classes=np.unique(TWO)) for a, b in pairwise(bounds)
        ]
        model = distributed.fit(online.RDA(), sharded(y=TWO, bounds=bounds))
        sums, numbers = zip(*(gradients(part) for part in [*parts, model]), strict=True)
        everywhere = np.all([s != 0 for s in sums[:-1]], axis=0)
        assert everywhere.sum() > 5
        mean = np.sum(sums[:-1], axis=0) / np.sum(numbers[:-1])
        assert_allclose((sums[-1] / numbers[-1])[everywhere], mean[everywhere], rtol=1e-12)

    def test_balanced_classes_are_those_of_all_shards(self):
        _, counts = np.unique(Y, return_counts=True)
        given = dict(zip(np.unique(Y), N / (3 * counts), strict=True))
        balanced = distributed.fit(model_of("AROW", class_weight="balanced"), sharded())
        explicit = distributed.fit(model_of("AROW", class_weight=given), sharded())
        assert_allclose(balanced.coef_, explicit.coef_, rtol=1e-12, atol=1e-12)
        assert balanced.class_weight == "balanced"
        local = model_of("AROW", class_weight="balanced").fit(X, Y)
        alone = distributed.fit(model_of("AROW", class_weight="balanced"), sharded(bounds=(0, N)))
        assert_allclose(alone.coef_, local.coef_, rtol=1e-12, atol=1e-12)

    @pytest.mark.parametrize("multiclass", ["one-vs-one", "codes"])
    def test_other_ways_with_classes(self, multiclass):
        options = {"multiclass": multiclass, "random_state": 5, "averaging": "average"}
        local = model_of("PA-I", **options).fit(sparse.csr_matrix(X), Y)
        assert_same(distributed.fit(model_of("PA-I", **options), sharded(bounds=(0, N))), local)
        mixed = distributed.fit(model_of("PA-I", **options), sharded())
        assert (mixed.predict(X) == Y).mean() > 0.7

    def test_folded_features(self):
        local = model_of("PA-I", n_features=8).fit(sparse.csr_matrix(X), Y)
        assert_same(distributed.fit(model_of("PA-I", n_features=8), sharded(bounds=(0, N))), local)
        assert distributed.fit(model_of("PA-I", n_features=8), sharded()).coef_.shape == (3, 8)

    def test_a_shuffled_pass_depends_on_seed_round_and_shard(self):
        options = ({"random_state": 0}, {"random_state": 0}, {"random_state": 1}, {"shuffle": False})
        models = [
            distributed.fit(model_of("PA-I", **{"shuffle": True, **some}), sharded()) for some in options
        ]
        assert_same(*models[:2])
        for other in models[2:]:
            assert not np.array_equal(models[0].coef_, other.coef_)


def gradients(model: Any) -> tuple[Any, float]:
    """The sums of subgradients of a binary RDA, by feature, and their number."""
    _, arrays = model._to_state()
    sums = np.zeros(WIDTH)
    sums[arrays["function0.features"]] = -arrays["function0.value"]
    return sums, arrays["function0.k"][0]
