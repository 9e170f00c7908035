"""What every linear learner promises, and faults that other implementations have had."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone

from hedgerow import online
from hedgerow.registry import learners
from hedgerow.testing import check_learner

N, WIDTH = 90, 20


def some_rows() -> tuple[Any, Any]:
    """Sparse rows of numbers at least 0, with empty ones, and three classes in words."""
    random = np.random.default_rng(5)
    X = np.where(random.random((N, WIDTH)) < 0.3, random.exponential(size=(N, WIDTH)), 0)
    X[[0, 4, 40]] = 0
    scores = X @ random.normal(size=(WIDTH, 3)) + 0.3 * random.normal(size=(N, 3))
    return sparse.csr_matrix(X), np.array(["low", "middle", "high"])[scores.argmax(axis=1)]


X, Y = some_rows()
TWO = np.where(Y == "low", "low", "high")

# Parameters to try beside the defaults, by name in the registry.
VARIED: dict[str, list[dict[str, Any]]] = {
    "perceptron": [{"bias": True}, {"averaging": "average"}, {"averaging": "vote"}],
    "pa": [{"variant": "PA", "multiclass": "one-vs-one"}],
    "romma": [{"aggressive": True, "averaging": "average"}],
    "ftrl": [{"l1": 0.1, "bias": True}, {"l1": 0.1, "averaging": "average"}],
    "arow": [{"averaging": "vote"}],
    "scw": [{"averaging": "average", "bias": True}, {"variant": "SCW-II"}],
    "rda": [{"l1": 0.01}, {"loss": "exponential", "l2": 0.1, "averaging": "vote"}],
    "vrda": [{"loss": "logistic", "l1": 0.01, "averaging": "average", "bias": True}],
    "adagrad-rda": [{"l1": 0.01, "averaging": "average"}],
    "fobos": [
        {"l1": 0.01, "l2": 0.01, "averaging": "average"},
        {"l1": 0.01, "update": "mistakes", "averaging": "vote"},
    ],
    "truncated-gradient": [{"l1": 0.01, "averaging": "average"}],
    "winnow": [{"averaging": "average"}],
    "regret-winnow": [{"averaging": "average", "half_life": 20.0}, {"update": "all"}],
    "bw": [{"averaging": "vote"}],
    "mbw": [{"averaging": "average"}, {"max_features": 8}],
}
LEARNERS: dict[str, Any] = {
    f"{name} {parameters}" if parameters else name: row.make(**parameters)
    for name, row in learners().items()
    if row.on_weights
    for parameters in ({}, *VARIED.get(name, []))
}
WINNOWS = (online.PositiveWinnow, online.BalancedWinnow, online.ModifiedBalancedWinnow, online.RegretWinnow)


@pytest.fixture(params=LEARNERS)
def learner(request: pytest.FixtureRequest) -> Any:
    return clone(LEARNERS[request.param])


def test_contract(learner: Any) -> None:
    check_learner(learner, X, Y)


def test_rows_of_any_form_and_one_by_one(learner: Any) -> None:
    scores = learner.fit(X, Y).decision_function(X)
    assert (learner.predict(X) == Y).mean() > 0.5
    assert_array_equal(learner.decision_function(X.toarray()), scores)
    assert_array_equal(clone(learner).fit(X.toarray(), Y).coef_, learner.coef_)
    assert_array_equal(np.vstack([learner.decision_function(X[i]) for i in range(N)]), scores)


def test_weights_are_the_function(learner: Any) -> None:
    if learner.averaging == "vote":
        pytest.skip("a majority is no linear function")
    learner.fit(X, TWO)
    assert learner.coef_.shape == (1, WIDTH)
    assert learner.n_nonzero_ == np.count_nonzero(learner.coef_)
    values = X @ learner.coef_[0] + learner.intercept_[0]
    if isinstance(learner, WINNOWS):  # which scale the features that they know, and one more, to sum 1
        known = np.isin(np.arange(WIDTH), learner.features_[0])
        values = values / (X @ known.astype(float) + 1) - learner.threshold
    assert_allclose(learner.decision_function(X), values, rtol=1e-9, atol=1e-9)


def test_indices_of_any_kind(learner: Any) -> None:
    scores = learner.fit(X, Y).decision_function(X)
    wide = X.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    backwards = X.copy()
    for i in range(N):
        row = slice(backwards.indptr[i], backwards.indptr[i + 1])
        backwards.indices[row], backwards.data[row] = X.indices[row][::-1], X.data[row][::-1]
    doubled = sparse.csr_matrix(
        (np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), 2 * X.indptr), shape=X.shape
    )
    for form in (wide, backwards, doubled, X.tocsc(), X.tocoo()):
        before = form.copy()
        assert_array_equal(clone(learner).fit(form, Y).decision_function(form), scores)
        assert_array_equal(form.toarray(), before.toarray())


@pytest.mark.parametrize("labels", [[1, 2, 3], ["a", "b", "c"], [0.0, 1.0, 2.0], [-1, 0, 7]])
def test_labels_of_any_kind(learner: Any, labels: list[Any]) -> None:
    codes = np.unique(Y, return_inverse=True)[1]
    expected = learner.fit(X, codes).predict(X)
    named = clone(learner).fit(X, np.array(labels)[codes]).predict(X)
    assert_array_equal(named, np.array(labels)[expected])


def test_empty_rows_change_nothing_that_they_should_not(learner: Any) -> None:
    nothing = sparse.csr_matrix((5, WIDTH))
    learner.partial_fit(nothing, TWO[:5], classes=["low", "high"])
    assert np.isfinite(learner.decision_function(X)).all()
    learner.partial_fit(X, TWO)
    assert np.isfinite(learner.decision_function(nothing)).all()
    assert np.isfinite(learner.coef_).all()


@pytest.mark.parametrize("size", [1e150, 1e300])
def test_huge_values_are_an_error_or_harmless(learner: Any, size: float) -> None:
    huge = sparse.vstack([X, size * X[1:4], X], format="csr")
    y = np.concatenate([TWO, TWO[1:4], TWO])
    with contextlib.suppress(OverflowError):
        learner.fit(huge, y)
    assert np.isfinite(learner.coef_).all()
    assert np.isfinite(learner.intercept_).all()


def test_the_first_examples_may_all_be_of_one_class(learner: Any) -> None:
    order = np.argsort(TWO, kind="stable")
    learner.partial_fit(X[order[:5]], TWO[order[:5]], classes=["low", "high"])
    learner.partial_fit(X[order[-5:]], TWO[order[-5:]])
    assert set(learner.predict(X)) <= {"low", "high"}


def test_classes_have_weights(learner: Any) -> None:
    if isinstance(learner, online.ROMMA) or getattr(learner, "variant", None) == "PA":
        pytest.skip("takes no weights")
    by_class = clone(learner).set_params(class_weight={"low": 2.0}).fit(X, Y)
    assert_array_equal(by_class.coef_, learner.fit(X, Y, sample_weight=np.where(Y == "low", 2.0, 1.0)).coef_)


def test_a_copy_keeps_every_parameter(learner: Any) -> None:
    changed = {"epochs": 3, "shuffle": True, "random_state": 4, "n_features": 64, "trace_every": 7}
    other = clone(learner.set_params(**changed))
    assert repr(other.get_params()) == repr(learner.get_params())
    other.fit(X, Y)
    assert_array_equal(other.coef_, learner.fit(X, Y).coef_)
    assert other.n_seen_ == 3 * N
    assert len(other.trace_) == 3 * N // 7
    assert other.trace_.support[-1] <= other.n_nonzero_ + WIDTH
