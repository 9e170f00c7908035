"""What predictors count in averages and votes: by examples, by correct ones, or less the older they are.

The oracle has every predictor: a learner without averaging, asked after each example.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone

import hedgerow
from hedgerow import distributed
from hedgerow.kernels import RBF, Linear
from hedgerow.online import (
    AROW,
    FOBOS,
    FTRL,
    RDA,
    ROMMA,
    SCW,
    BalancedWinnow,
    Forgetron,
    ModifiedBalancedWinnow,
    PassiveAggressive,
    Perceptron,
    PositiveWinnow,
    RegretWinnow,
    TruncatedGradient,
)
from tests.distributed.weight_shards import sharded
from tests.online.linear.slow_winnow import SlowWinnow, counts_of
from tests.online.linear.test_winnows import WIDTH, noisy_stream

MISTAKE_DRIVEN = {
    "perceptron": Perceptron(bias=True),
    "PA": PassiveAggressive(C=0.3),
    "ROMMA": ROMMA(),
    "AROW": AROW(bias=True),
    "SCW": SCW(),
    "voted RDA": RDA(l1=0.01, l2=0.1, update="mistakes", bias=True),
    "voted FOBOS": FOBOS(l1=0.01, l2=0.1, update="mistakes"),
    "kernel perceptron": Perceptron(RBF(0.5), bias=True),
    "kernel PA": PassiveAggressive(Linear(), C=0.3),
    "kernel ROMMA": ROMMA(RBF(0.5)),
    "forgetron": Forgetron(RBF(0.5), budget=30),
}
ALWAYS_CHANGING = {
    "RDA": RDA("logistic", l1=0.02),
    "strongly convex RDA": RDA(l1=0.02, l2=0.1, learning_rate=None),
    "FOBOS": FOBOS("logistic", l1=0.01, l2=0.2),
    "truncated gradient": TruncatedGradient(l1=0.05, truncate_every=3, threshold=0.2),
    "FTRL": FTRL(l1=0.1),
}
WINNOWS: dict[str, tuple[Any, dict[str, Any]]] = {
    "positive": (PositiveWinnow(), {"kind": "positive", "initial": (1.0, 0.0)}),
    "balanced": (BalancedWinnow(), {"kind": "balanced"}),
    "modified": (ModifiedBalancedWinnow(), {"kind": "modified", "margin": 1.0}),
    "regret": (RegretWinnow(0.6), {"kind": "regret", "demotion": 0.6, "initial": (1.0, 0.0)}),
    "regret of all": (
        RegretWinnow(0.6, update="all"),
        {"kind": "regret", "demotion": 0.6, "initial": (1.0, 0.0), "only_mistakes": False},
    ),
}
X, y = noisy_stream(160, seed=21, width=20)
TEST = noisy_stream(25, seed=22, width=20)[0]


def predictors(learner: Any) -> tuple[Any, list[bool]]:
    """What the predictor after each example says of the test rows, and whether the example changed it."""
    model, said, changed, before = clone(learner), [], [], 0
    for i in range(len(y)):
        model.partial_fit(X[i : i + 1], y[i : i + 1], classes=[-1, 1])
        said.append(model.decision_function(TEST))
        changed.append(model.updates_ > before)
        before = model.updates_
    return np.array(said), changed


@pytest.mark.parametrize("counting", ["examples", "correct"])
@pytest.mark.parametrize("name", MISTAKE_DRIVEN)
def test_counting(name: str, counting: Any) -> None:
    said, changed = predictors(MISTAKE_DRIVEN[name])
    count = counts_of(changed, counting)
    assert 0 < count.sum() < len(y) or counting == "examples"
    for averaging, values in (("average", said), ("vote", np.sign(said))):
        model = clone(MISTAKE_DRIVEN[name]).set_params(averaging=averaging, counting=counting).fit(X, y)
        expected = count @ values / count.sum()
        assert_allclose(model.decision_function(TEST), expected, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("half_life", [1.0, 3.5, 40.0])
@pytest.mark.parametrize(
    "name",
    [name for name in (MISTAKE_DRIVEN | ALWAYS_CHANGING) if "kernel" not in name and name != "forgetron"],
)
def test_half_life(name: str, half_life: float, tmp_path: Any) -> None:
    learner = (MISTAKE_DRIVEN | ALWAYS_CHANGING)[name]
    said, changed = predictors(learner)
    for counting in ("examples", "correct") if name in MISTAKE_DRIVEN else ("examples",):
        count = counts_of(changed, counting, half_life)
        model = clone(learner).set_params(averaging="average", half_life=half_life, counting=counting)
        model.partial_fit(X[:100], y[:100], classes=[-1, 1])
        hedgerow.save(model, tmp_path / "model")
        for some in (pickle.loads(pickle.dumps(model)), hedgerow.load(tmp_path / "model"), model):
            some.partial_fit(X[100:], y[100:])
            expected = count @ said / count.sum()
            assert_allclose(some.decision_function(TEST), expected, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("half_life", [None, 2.0, 30.0])
@pytest.mark.parametrize("counting", ["examples", "correct"])
@pytest.mark.parametrize("averaging", ["average", "vote"])
@pytest.mark.parametrize("name", WINNOWS)
def test_winnows(name: str, averaging: Any, counting: Any, half_life: float | None) -> None:
    if (averaging == "vote" and half_life) or (name == "regret of all" and counting == "correct"):
        pytest.skip("is refused")
    X, y = noisy_stream(200, seed=3)
    learner, options = WINNOWS[name]
    model = clone(learner).set_params(averaging=averaging, counting=counting, half_life=half_life).fit(X, y)
    slow = SlowWinnow(width=WIDTH, **options, averaging=averaging, counting=counting, half_life=half_life)
    for x, label in zip(X, y, strict=True):
        slow.learn(x, label)
    assert model.mistakes_ == slow.mistakes
    test = noisy_stream(30, seed=4)[0]
    assert_allclose(model.decision_function(test), slow.decisions(test), rtol=1e-9, atol=1e-9)


def test_long_runs_keep_their_digits() -> None:
    """Counts that double with every example would leave the range of numbers after a thousand."""
    for learner in (Perceptron(), RDA(l1=0.001), PositiveWinnow(), AROW()):
        some = np.abs(X) if isinstance(learner, PositiveWinnow) else X
        model = clone(learner).set_params(averaging="average", half_life=1.0)
        short = clone(model)
        for _ in range(10):
            model.partial_fit(some, y, classes=[-1, 1])
        start = clone(learner)
        for _ in range(9):
            start.partial_fit(some, y, classes=[-1, 1])
        said = []
        for i in range(len(y)):  # older ones count less than 2**-100
            start.partial_fit(some[i : i + 1], y[i : i + 1])
            said.append(start.decision_function(TEST))
        count = 0.5 ** np.arange(len(y))[::-1]
        assert_allclose(model.decision_function(TEST), count @ said / count.sum(), rtol=1e-8, atol=1e-9)
        assert short is not model


def test_averages_with_a_half_life_follow_a_drift() -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(3000, 10))
    y = np.where(X[:, 0] * np.where(np.arange(3000) < 2000, 1, -1) > 0, 1, -1)
    recent = slice(2500, 3000)
    score = {
        half_life: Perceptron(averaging="average", half_life=half_life).fit(X, y).score(X[recent], y[recent])
        for half_life in (None, 100.0)
    }
    assert score[None] < 0.3
    assert score[100.0] > 0.95


def test_before_any_predictor_counts_the_last_one_predicts() -> None:
    rows, labels = [[0.0, 1.0], [1.0, 0.5]], [-1, 1]
    for learner in (Perceptron(), Perceptron(Linear()), AROW(), RDA(update="mistakes"), PassiveAggressive()):
        last = clone(learner).fit(rows, labels)
        assert last.updates_ == 2
        for averaging, expected in (
            ("average", last.decision_function(rows)),
            ("vote", np.sign(last.decision_function(rows))),
        ):
            model = clone(learner).set_params(averaging=averaging, counting="correct").fit(rows, labels)
            assert_allclose(model.decision_function(rows), expected, rtol=1e-12)
            assert_allclose(model.intercept_, last.intercept_)
            if hasattr(model, "coef_"):
                assert_allclose(model.coef_, last.coef_)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (Perceptron(counting="correct"), "counting has no effect without averaging"),
        (Perceptron(counting="wins", averaging="vote"), "counting must be one of 'examples', 'correct'"),
        (Perceptron(half_life=10.0), "half_life has no effect with averaging=None"),
        (PositiveWinnow(half_life=10.0, averaging="vote"), "half_life has no effect with averaging='vote'"),
        (Perceptron(half_life=0.5, averaging="average"), "half_life must be a number at least 1"),
        (Perceptron(Linear(), half_life=9.0, averaging="average"), "half_life is for learners on weights"),
        (RDA(averaging="vote", counting="correct"), "counting='correct' needs a learner"),
        (FTRL(averaging="average", counting="correct"), "counting='correct' needs a learner"),
        (RegretWinnow(update="all", averaging="average", counting="correct"), "counting='correct' needs"),
        (RDA(learning_rate=None), "learning_rate=None needs l2 > 0"),
        (RDA(learning_rate=None, l2=0.1, adaptive=True), "adaptive=False"),
        (RegretWinnow(decay=1.0), "decay must be a number above 0 and at most 0.99"),
    ],
)
def test_bad_parameters_are_named(learner: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        learner.fit([[1.0], [0.0]], [0, 1])


def test_shards_have_no_order_in_time() -> None:
    with pytest.raises(ValueError, match="half_life must be None for learning from shards"):
        distributed.fit(Perceptron(averaging="average", half_life=5.0), sharded())


def test_forged_counts_are_refused() -> None:
    model = Perceptron(averaging="average", half_life=5.0).fit(X, y)
    arrays = model._native.save()
    with pytest.raises(ValueError, match="newest must be from 1 to 1e50"):
        model._make_native().load({**arrays, "newest": np.array([0.5])})


# -- votes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "learner", [Perceptron(), RDA(l1=0.01, update="mistakes", bias=True), PositiveWinnow()]
)
def test_votes_of_thousands_of_predictors(learner: Any) -> None:
    """More than are looked at together, for few rows and for many."""
    random = np.random.default_rng(5)
    X = sparse.random_array((4000, 30), density=0.2, random_state=random, format="csr")
    y = random.integers(2, size=4000)
    model = clone(learner).set_params(averaging="vote").fit(X, y)
    assert model.updates_ > 1500
    one = clone(learner)
    total = np.zeros(3)
    for i in range(4000):
        one.partial_fit(X[i : i + 1], y[i : i + 1], classes=[0, 1])
        total += np.sign(one.decision_function(X[:3]))
    assert_allclose(model.decision_function(X[:3]), total / 4000, atol=1e-12)
    together = model.decision_function(X)
    apart = np.concatenate([model.decision_function(X[i : i + 1]) for i in range(200)])
    assert_array_equal(together[:200], apart)
    assert_array_equal(clone(model).set_params(n_jobs=2).fit(X, y).decision_function(X), together)


@pytest.mark.parametrize("name", ["perceptron", "AROW", "voted RDA"])
def test_fast_predictions_on_the_way_are_not_votes(name: str) -> None:
    """All votes on the way would take time that grows with the square of the stream."""
    learner = MISTAKE_DRIVEN[name]
    voting = clone(learner).set_params(averaging="vote", trace_every=1).partial_fit(X[:1], y[:1], [-1, 1])
    last = clone(learner).partial_fit(X[:1], y[:1], [-1, 1])
    fast = voting._predict_then_learn(X[1:], y[1:], fast=True)
    assert_array_equal(fast, last._predict_then_learn(X[1:], y[1:]))
    assert_array_equal(voting.trace_.errors[1:], voting.trace_.mistakes[1:])


def test_probabilities_of_votes_follow_from_votes() -> None:
    model = Perceptron(averaging="vote", probability="sigmoid")
    for i in range(0, len(y), 40):
        model.partial_fit(X[i : i + 40], y[i : i + 40], classes=[-1, 1])
    assert np.abs(model._held_out.scores).max() <= 1


# -- Winnows of regret --------------------------------------------------------------------------------------


def test_regret_winnow_on_mistakes_is_a_positive_winnow() -> None:
    for decay in (0.2, 0.5, 0.9):
        model = RegretWinnow(decay).fit(*noisy_stream(200, seed=5))
        same = PositiveWinnow(decay**-decay, decay ** (1 - decay)).fit(*noisy_stream(200, seed=5))
        assert_allclose(model.coef_, same.coef_, rtol=1e-9)
        assert model.mistakes_ == same.mistakes_


def test_regret_bound() -> None:
    """Blum and Mansour's theorem for each feature: its weight is decay to minus the regret towards it."""
    X, y = noisy_stream(300, seed=6)
    decay = 0.7
    model = RegretWinnow(decay, update="all")
    regret, mistakes = np.zeros(WIDTH), 0
    for x, label in zip(X, y, strict=True):
        before = mistakes
        model.partial_fit(x[None], [label], classes=[-1, 1])
        mistakes = model.mistakes_
        regret[x > 0] += decay * (mistakes - before) - (label < 0)
    seen = model.features_[0]
    assert_allclose(np.log(model.coef_[0, seen]), -np.log(decay) * regret[seen], rtol=1e-9, atol=1e-9)
