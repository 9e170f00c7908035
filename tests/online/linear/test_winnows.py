"""The Winnows equal their slow versions, and do what is proved about them."""

from __future__ import annotations

import copy
import pickle
from math import log
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import hedgerow
from hedgerow.online import BalancedWinnow, ModifiedBalancedWinnow, Perceptron, PositiveWinnow
from tests.online.linear.slow_winnow import SlowWinnow

WIDTH = 60
LEARNERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "positive": (PositiveWinnow(), {"kind": "positive", "initial": (1.0, 0.0)}),
    "positive, other factors": (
        PositiveWinnow(promotion=1.2, demotion=0.7, threshold=2.5, initial_weight=3.0),
        {
            "kind": "positive",
            "promotion": 1.2,
            "demotion": 0.7,
            "threshold": 2.5,
            "initial": (3.0, 0.0),
        },
    ),
    "balanced": (BalancedWinnow(), {"kind": "balanced"}),
    "balanced, equal weights": (
        BalancedWinnow(threshold=0.1, initial_weights=(1.0, 1.0)),
        {"kind": "balanced", "threshold": 0.1, "initial": (1.0, 1.0)},
    ),
    "modified": (ModifiedBalancedWinnow(), {"kind": "modified", "margin": 1.0}),
    "modified, wide": (
        ModifiedBalancedWinnow(promotion=1.1, demotion=0.9, margin=3.0),
        {"kind": "modified", "margin": 3.0, "promotion": 1.1, "demotion": 0.9},
    ),
    "bounded": (
        ModifiedBalancedWinnow(max_features=3),
        {"kind": "modified", "margin": 1.0, "max_features": 3},
    ),
    "bounded, half from the top": (
        ModifiedBalancedWinnow(max_features=2, top_share=0.5),
        {"kind": "modified", "margin": 1.0, "max_features": 2, "top": 0.5},
    ),
}
AVERAGING = [None, "average", "vote"]
CASES = [
    (name, averaging)
    for name in LEARNERS
    for averaging in AVERAGING
    if not (averaging == "vote" and name.startswith("bounded"))  # which is refused
]


def noisy_stream(n: int, seed: int, width: int = WIDTH) -> tuple[Any, Any]:
    """Sparse rows, the last features only in the second half, some rows empty; labels by a few features, noisy."""
    random = np.random.default_rng(seed)
    X = np.where(random.random((n, width)) < 0.15, random.lognormal(size=(n, width)), 0.0)
    X[: n // 2, 2 * width // 3 :] = 0
    X[random.random(n) < 0.05] = 0
    relevant = np.arange(0, width, 5)
    y = np.where(X[:, relevant].sum(axis=1) > np.median(X[:, relevant].sum(axis=1)), 1, -1)
    return X, np.where(random.random(n) < 0.1, -y, y)


def slow_run(options: dict[str, Any], X: Any, y: Any, weight: Any = None) -> SlowWinnow:
    slow = SlowWinnow(width=X.shape[1], **options)
    for i in range(len(y)):
        slow.learn(X[i], y[i], 1.0 if weight is None else weight[i])
    return slow


def assert_equals_slow(model: Any, slow: SlowWinnow, X: Any) -> None:
    features, u, v = model._weights_in_model(0)
    assert_array_equal(features, slow.chosen(slow.max_features or WIDTH, slow.top))
    assert_allclose(u, slow.u[features], rtol=1e-9)
    assert_allclose(v, slow.v[features], rtol=1e-9)
    assert model.mistakes_ == slow.mistakes
    assert_allclose(model.decision_function(X), slow.decisions(X), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("name", "averaging"), CASES)
def test_equals_the_slow_version(name: str, averaging: Any) -> None:
    learner, options = LEARNERS[name]
    model = copy.deepcopy(learner).set_params(averaging=averaging)
    X, y = noisy_stream(250, seed=3)
    slow = SlowWinnow(width=WIDTH, **options, averaging=averaging)
    test = noisy_stream(30, seed=4)[0]
    for end in (1, 2, 40, 130, 250):  # in the middle, new features have not come yet
        begin = len(slow.scores)
        model.partial_fit(sparse.csr_matrix(X[begin:end]), y[begin:end], classes=[-1, 1])
        for i in range(begin, end):
            slow.learn(X[i], y[i])
        assert_equals_slow(model, slow, test)
    assert 0 < slow.mistakes < 250


@pytest.mark.parametrize("averaging", AVERAGING)
def test_whole_numbers_make_ties(averaging: Any) -> None:
    """Counts of words and factors of 2 and 0.5 often bring scores to the threshold exactly: those are mistakes."""
    random = np.random.default_rng(1)
    X = random.poisson(0.5, size=(200, 3)).astype(float)
    y = np.where(X[:, 0] > random.random(200), 1, -1)
    for name in ("positive", "balanced", "modified"):
        learner, options = LEARNERS[name]
        model = copy.deepcopy(learner).set_params(averaging=averaging, promotion=2.0).fit(X, y)
        slow = slow_run({**options, "promotion": 2.0, "averaging": averaging}, X, y)
        if name != "modified":
            assert sum(score == 0 for score in slow.scores) > 1  # the first, and others
        assert_equals_slow(model, slow, X)


@pytest.mark.parametrize("name", LEARNERS)
def test_epochs(name: str) -> None:
    learner, options = LEARNERS[name]
    X, y = noisy_stream(80, seed=5)
    model = copy.deepcopy(learner).set_params(averaging="average", epochs=3).fit(X, y)
    assert_equals_slow(
        model, slow_run({**options, "averaging": "average"}, np.vstack([X] * 3), np.tile(y, 3)), X
    )


@pytest.mark.parametrize("name", LEARNERS)
def test_sample_weights_are_powers_of_the_factors(name: str) -> None:
    learner, options = LEARNERS[name]
    X, y = noisy_stream(150, seed=6)
    weight = np.random.default_rng(0).uniform(0.1, 3, size=len(y))
    model = copy.deepcopy(learner).fit(X, y, sample_weight=weight)
    assert_equals_slow(model, slow_run(options, X, y, weight), X)
    weight[::3] = 0
    left_out = copy.deepcopy(learner).fit(X[weight > 0], y[weight > 0], sample_weight=weight[weight > 0])
    model.fit(X, y, sample_weight=weight)
    assert_array_equal(model.decision_function(X), left_out.decision_function(X))


@pytest.mark.parametrize(("name", "averaging"), CASES)
def test_rows_batches_and_copies_give_one_model(name: str, averaging: Any, tmp_path: Any) -> None:
    learner = LEARNERS[name][0]
    X, y = noisy_stream(120, seed=7)
    y = np.where(np.arange(120) % 6 == 0, 0, y)  # three classes
    rows = sparse.csr_matrix(X)
    model = copy.deepcopy(learner).set_params(averaging=averaging)
    scores = model.fit(X, y).decision_function(X)
    assert np.isfinite(scores).all()
    assert_array_equal(model.fit(rows, y).decision_function(rows), scores)
    assert_array_equal(model.predict(X), model.classes_[scores.argmax(axis=1)])
    many = sparse.vstack([rows] * 10)
    assert_array_equal(
        copy.deepcopy(model).set_params(n_jobs=2).decision_function(many), np.tile(scores, (10, 1))
    )

    one_by_one = copy.deepcopy(learner).set_params(averaging=averaging)
    for i in range(60):
        one_by_one.partial_fit(rows[i : i + 1], y[i : i + 1], classes=[-1, 0, 1])
    hedgerow.save(one_by_one, tmp_path / "model")
    copies = [
        copy.deepcopy(one_by_one),
        pickle.loads(pickle.dumps(one_by_one)),
        hedgerow.load(tmp_path / "model"),
    ]
    for other in [one_by_one, *copies]:
        other.partial_fit(X[60:90], y[60:90])
        other.partial_fit(rows[90:], y[90:])
        assert_array_equal(other.decision_function(X), scores)
        assert_array_equal(other.coef_, model.coef_)
        assert_array_equal(other.intercept_, model.intercept_)
        assert other.mistakes_ == model.mistakes_


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(("name", "averaging"), CASES)
def test_predictions_on_the_way_are_those_of_predict(name: str, averaging: Any, fast: bool) -> None:
    """Which drop features that are new, while learning gives them their initial weights.

    If it has to be fast, the last predictor speaks for all that vote.
    """
    X, y = noisy_stream(150, seed=12)
    learner = copy.deepcopy(LEARNERS[name][0]).set_params(averaging=averaging)
    model = copy.deepcopy(learner).partial_fit(X[:5], y[:5], classes=[-1, 1])
    last_predictor_only = fast and averaging == "vote"
    one_by_one = learner.set_params(averaging=None if last_predictor_only else averaging)
    one_by_one.partial_fit(X[:5], y[:5], classes=[-1, 1])
    expected = []
    for i in range(5, 150):
        expected.append(one_by_one.predict(X[i : i + 1])[0])
        one_by_one.partial_fit(X[i : i + 1], y[i : i + 1])
    assert_array_equal(model._predict_then_learn(X[5:], y[5:], fast=fast), expected)
    assert_array_equal(model.coef_, one_by_one.coef_)


@pytest.mark.parametrize("averaging", [None, "average"])
@pytest.mark.parametrize("name", LEARNERS)
def test_weights_make_the_score(name: str, averaging: Any) -> None:
    """As the documentation says."""
    X, y = noisy_stream(100, seed=8)
    model = copy.deepcopy(LEARNERS[name][0]).set_params(averaging=averaging).fit(X, y)
    test = noisy_stream(40, seed=9)[0] + 0.01  # all features, also those that never came
    known = test[:, model.features_[0]]
    expected = (known @ model.coef_[0, model.features_[0]] + model.intercept_[0]) / (1 + known.sum(axis=1))
    assert_allclose(model.decision_function(test), expected - model.threshold, rtol=1e-9, atol=1e-9)
    assert model.n_nonzero_ == np.count_nonzero(model.coef_)
    dense = model.coef_
    assert_array_equal(model.sparsify().coef_.toarray(), dense)


def test_features_that_were_seen_without_a_mistake_are_in_the_model() -> None:
    model = PositiveWinnow().partial_fit([[1.0, 0.0, 0.0]], [1], classes=[0, 1])  # a tie, so a mistake
    model.partial_fit([[1.0, 1.0, 0.0]], [1])
    assert model.mistakes_ == 1
    assert_array_equal(model.features_[0], [0, 1])
    assert_array_equal(model.coef_, [[1.5, 1.0, 0.0]])
    # Feature 2 is dropped before the example is scaled.
    assert_array_equal(model.decision_function([[1.0, 0.0, 5.0]]), model.decision_function([[1.0, 0.0, 0.0]]))
    assert_array_equal(model.decision_function(sparse.csr_matrix(([1.0], ([0], [99])), (1, 100))), [0.5])


@pytest.mark.parametrize("name", ["positive", "balanced", "modified", "bounded"])
def test_empty_rows_and_stored_zeros(name: str) -> None:
    learner = LEARNERS[name][0]
    stored = sparse.csr_matrix(
        (np.array([1.0, 0.0, 2.0, 0.0]), np.array([0, 1, 2, 3]), np.array([0, 2, 2, 4])), shape=(3, 4)
    )
    model = copy.deepcopy(learner).fit(stored, ["a", "b", "a"])
    assert stored.nnz == 4  # the caller's matrix stays as it is
    dense = copy.deepcopy(learner).fit(stored.toarray(), ["a", "b", "a"])
    assert_array_equal(model.decision_function(stored), dense.decision_function(stored.toarray()))
    assert_array_equal(model.features_[0], [0, 2])
    empty = copy.deepcopy(learner).fit(sparse.csr_matrix((5, 3)), [0, 1, 0, 1, 1])
    assert np.isfinite(empty.decision_function(np.ones((2, 3)))).all()
    assert len(empty.features_[0]) == 0


@pytest.mark.parametrize("learner", [PositiveWinnow(), BalancedWinnow(), ModifiedBalancedWinnow()])
def test_negative_features_are_refused(learner: Any) -> None:
    X = np.ones((4, 5))
    X[2, 3] = -0.25
    message = rf"{type(learner).__name__}: -0.25 in row 2, column 3; its features must be at least 0"
    for form in (np.asarray, sparse.csr_matrix, sparse.csc_matrix):
        with pytest.raises(ValueError, match=message):
            learner.fit(form(X), [0, 1, 0, 1])
    with pytest.raises(ValueError, match=message):
        copy.deepcopy(learner).set_params(n_features=2).fit(X, [0, 1, 0, 1])
    learner.fit(np.abs(X), [0, 1, 0, 1])
    with pytest.raises(ValueError, match=message):
        learner.predict(X)
    with pytest.raises(ValueError, match=message):
        learner.partial_fit(X, [0, 1, 0, 1])


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (PositiveWinnow(promotion=1.0), "promotion must be a number above 1"),
        (PositiveWinnow(demotion=0.0), "demotion must be a number above 0 and at most 1"),
        (BalancedWinnow(threshold=0), "threshold must be a number above 0"),
        (PositiveWinnow(initial_weight=0.0), "initial_weight must be"),
        (BalancedWinnow(initial_weights=1.0), "initial_weights must be two numbers"),
        (BalancedWinnow(initial_weights=(1.0, -1.0)), "each of initial_weights must be"),
        (ModifiedBalancedWinnow(margin=-1.0), "margin must be a number at least 0"),
        (ModifiedBalancedWinnow(top_share=1.5), "top_share must be a number at least 0 and at most 1"),
        (ModifiedBalancedWinnow(max_features=0), "max_features must be a whole number at least 1"),
        (
            ModifiedBalancedWinnow(max_features=5, averaging="vote"),
            "max_features must be None when averaging is 'vote'",
        ),
        (PositiveWinnow(averaging="normalized"), "averaging must be one of None, 'average', 'vote'"),
    ],
)
def test_bad_parameters_are_named(learner: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        learner.fit([[1.0], [0.0]], [0, 1])


@pytest.mark.parametrize("name", ["positive", "balanced", "modified", "bounded"])
def test_folded_features(name: str) -> None:
    X, y = noisy_stream(100, seed=10)
    folded = X.reshape(100, -1, 4).sum(axis=1)  # 60 features, modulo 4
    model = copy.deepcopy(LEARNERS[name][0]).set_params(n_features=4).fit(X, y)
    expected = copy.deepcopy(LEARNERS[name][0]).fit(folded, y)
    assert_allclose(model.decision_function(X), expected.decision_function(folded), rtol=1e-9)
    assert model.coef_.shape == (1, 4)


@pytest.mark.parametrize("averaging", [None, "average"])
@pytest.mark.parametrize("name", ["positive", "balanced", "modified", "bounded"])
def test_weights_stay_in_range_and_in_the_model(name: str, averaging: Any) -> None:
    """2,000 promotions or demotions are beyond the range of numbers."""
    learner = copy.deepcopy(LEARNERS[name][0]).set_params(averaging=averaging)
    learner.partial_fit([[1.0, 0.0], [0.0, 1.0]], [1, 0], classes=[0, 1])
    for label in (0, 1):
        # Weights of 2,000 are as many steps at once.
        learner.partial_fit([[1.0, 1.0]] * 8, [label, 1 - label] * 4, sample_weight=[2000.0] * 8)
        features, u, v = learner._weights_in_model(0)
        assert_array_equal(features, [0, 1])
        assert ((u >= 1e-100) & (u <= 1e100)).all()
        assert name == "positive" or ((v >= 1e-100) & (v <= 1e100)).all()
        assert np.isfinite(learner.decision_function([[1.0, 1.0], [0.0, 3.0]])).all()
    steps = PositiveWinnow(threshold=1e90, initial_weight=1e-90)
    steps.fit([[1.0]] * 3000, [0] + [1] * 2999)  # promoted until it reaches the threshold, one by one
    assert 1e90 < steps.coef_[0, 0] < 1e100
    down = PositiveWinnow(threshold=1e-90, initial_weight=1e90).fit([[1.0]] * 3000, [1] + [0] * 2999)
    assert 1e-100 <= down.coef_[0, 0] <= 1e-90


def test_huge_values() -> None:
    for learner in (PositiveWinnow(), BalancedWinnow(), ModifiedBalancedWinnow()):
        model = learner.fit([[1e60, 1.0], [1.0, 1e60], [0.0, 1e-300]], [0, 1, 0])
        assert np.isfinite(model.coef_).all()
        with pytest.raises(OverflowError):
            learner.partial_fit([[1e308, 1e308]], [1])
        with pytest.raises(OverflowError):
            learner.predict([[1e308, 1e308]])
        assert np.isfinite(model.decision_function([[1.0, 2.0]])).all()


def test_one_against_one_and_traces() -> None:
    X, y = noisy_stream(120, seed=11)
    y = np.where(np.arange(120) % 3 == 0, "other", np.where(y > 0, "good", "bad"))
    model = ModifiedBalancedWinnow(multiclass="one-vs-one", trace_every=40).fit(X, y)
    assert model.decision_function(X).shape == (120, 3)
    assert len(model.trace_.mistakes) == 3
    assert model.trace_.mistakes[-1] == model.mistakes_


# -- theory -------------------------------------------------------------------------------------------------


def disjunction(n: int, features: int, active: int, k: int, seed: int) -> tuple[Any, Any]:
    """Rows with so many random active features; positive are those with one of the first k."""
    random = np.random.default_rng(seed)
    X = np.zeros((n, features))
    for x in X:
        # The first k are seldom active, so that both classes are frequent.
        relevant = np.flatnonzero(random.random(k) < 0.5 / k)
        others = k + random.choice(features - k, size=active - len(relevant), replace=False)
        x[relevant] = x[others] = 1
    return X, np.where(X[:, :k].any(axis=1), 1, -1)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("features", "active", "k"), [(50, 10, 2), (200, 30, 4), (1000, 100, 5)])
def test_littlestones_bound(features: int, active: int, k: int, seed: int) -> None:
    """Positive Winnow on a disjunction of k features, all rows with equally many active ones.

    Then scaling changes only the threshold, to T = threshold * (1 + active) for the sum of active weights, and
    Littlestone's argument holds. A promotion raises one of the k weights, which is not demoted ever and at most T
    before: at most P = k (log T / log promotion + 1) promotions. All n + 1 weights start with 1, a promotion adds
    at most (promotion - 1) T to their sum and a demotion takes at least (1 - demotion) T from it: at most
    ((n + 1) / T + P (promotion - 1)) / (1 - demotion) demotions.
    """
    X, y = disjunction(2000, features, active, k, seed)
    for promotion, demotion in ((1.5, 0.5), (2.0, 0.5), (1.2, 1 / 1.2)):
        for T in (active + 1.0, features / 2):
            model = PositiveWinnow(promotion, demotion, threshold=T / (1 + active), epochs=3).fit(X, y)
            promotions = k * (log(T) / log(promotion) + 1)
            demotions = ((features + 1) / T + promotions * (promotion - 1)) / (1 - demotion)
            assert 0 < model.mistakes_ <= promotions + demotions


def test_irrelevant_features_cost_a_winnow_little() -> None:
    """Mistakes grow with the logarithm of the number of features; those of a perceptron grow much faster."""
    mistakes: dict[str, list[int]] = {"winnow": [], "perceptron": []}
    for features in (100, 1000, 10000):
        X, y = disjunction(1500, features, features // 10, k=3, seed=0)
        rows = sparse.csr_matrix(X)
        T = features / 2
        mistakes["winnow"].append(PositiveWinnow(threshold=T / (1 + features // 10)).fit(rows, y).mistakes_)
        mistakes["perceptron"].append(Perceptron(bias=True).fit(rows, y).mistakes_)
    winnow, perceptron = (np.diff(counts) for counts in mistakes.values())
    assert (winnow < 30).all()
    assert (perceptron > 100).all()
