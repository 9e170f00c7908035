"""What every linear learner promises, and faults that other implementations have had."""

from __future__ import annotations

import contextlib
import copy
import inspect
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import hedgerow
from hedgerow import online

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

LEARNERS: dict[str, Any] = {
    "perceptron": online.Perceptron(bias=True),
    "averaged perceptron": online.Perceptron(averaging="average"),
    "voted perceptron": online.Perceptron(averaging="vote"),
    "PA-I": online.PassiveAggressive(),
    "PA, one against one": online.PassiveAggressive(variant="PA", multiclass="one-vs-one"),
    "ROMMA": online.ROMMA(),
    "aggressive ROMMA": online.ROMMA(aggressive=True, averaging="average"),
    "FTRL": online.FTRL(l1=0.1, bias=True),
    "averaged FTRL": online.FTRL(l1=0.1, averaging="average"),
    "AROW": online.AROW(averaging="vote"),
    "SCW-I": online.SCW(averaging="average", bias=True),
    "SCW-II": online.SCW(variant="SCW-II"),
    "RDA": online.RDA(l1=0.01),
    "voted RDA": online.RDA(loss="logistic", l1=0.01, update="mistakes", averaging="average", bias=True),
    "RDA, all votes": online.RDA(loss="exponential", l2=0.1, averaging="vote"),
    "AdaGrad-RDA": online.RDA(l1=0.01, adaptive=True, averaging="average"),
    "FOBOS": online.FOBOS(l1=0.01, l2=0.01, averaging="average"),
    "voted FOBOS": online.FOBOS(l1=0.01, update="mistakes", averaging="vote"),
    "truncated gradient": online.TruncatedGradient(l1=0.01, averaging="average"),
    "positive Winnow": online.PositiveWinnow(averaging="average"),
    "balanced Winnow": online.BalancedWinnow(averaging="vote"),
    "modified balanced Winnow": online.ModifiedBalancedWinnow(),
    "averaged modified Winnow": online.ModifiedBalancedWinnow(averaging="average"),
    "bounded modified Winnow": online.ModifiedBalancedWinnow(max_features=8),
}
WINNOWS = (online.PositiveWinnow, online.BalancedWinnow, online.ModifiedBalancedWinnow)


@pytest.fixture(params=LEARNERS)
def learner(request: pytest.FixtureRequest) -> Any:
    return clone(LEARNERS[request.param])


def test_every_linear_learner_is_tested() -> None:
    classes = [value for name in online.__all__ if isinstance(value := getattr(online, name), type)]
    public = {value for value in classes if "n_features" in inspect.signature(value).parameters}
    assert public == {type(learner) for learner in LEARNERS.values()}


def test_batches_rows_and_one_call_give_the_same_model(learner: Any, tmp_path: Any) -> None:
    scores = learner.fit(X, Y).decision_function(X)
    assert scores.shape == (N, 3)
    assert np.isfinite(scores).all()
    assert_array_equal(learner.predict(X), learner.classes_[scores.argmax(axis=1)])
    assert (learner.predict(X) == Y).mean() > 0.5
    classes = np.unique(Y)
    by_row = clone(learner)
    for i in range(N):
        by_row.partial_fit(X[i], Y[i : i + 1], classes=classes if i == 0 else None)
    # Stopped in the middle, copied in three ways, and gone on with.
    half = clone(learner).partial_fit(X[:50], Y[:50], classes=classes)
    hedgerow.save(half, tmp_path / "model")
    copies = [half, copy.deepcopy(half), pickle.loads(pickle.dumps(half)), hedgerow.load(tmp_path / "model")]
    for other in copies:
        other.partial_fit(X[50:], Y[50:])
    for other in [by_row, *copies]:
        assert_array_equal(other.decision_function(X), scores)
        assert_array_equal(other.coef_, learner.coef_)
        assert_array_equal(other.intercept_, learner.intercept_)
        assert other.mistakes_ == learner.mistakes_
        assert other.n_seen_ == N
    assert_array_equal(learner.decision_function(X.toarray()), scores)
    assert_array_equal(clone(learner).fit(X.toarray(), Y).coef_, learner.coef_)
    one_by_one = np.vstack([learner.decision_function(X[i]) for i in range(N)])
    assert_array_equal(one_by_one, scores)


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


def test_examples_without_weight_are_left_out(learner: Any) -> None:
    if isinstance(learner, online.ROMMA):
        pytest.skip("takes no weights")
    weights = np.ones(N)
    weights[::3] = 0
    kept = weights > 0
    weighted = clone(learner).fit(X, Y, sample_weight=weights)
    assert_array_equal(weighted.coef_, clone(learner).fit(X[kept], Y[kept]).coef_)
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


def expected_failures(learner: Any) -> dict[str, str]:
    moves = "an example of weight 2 moves the function once by twice as much; repeated, it is seen twice"
    checks = {
        "check_sample_weight_equivalence_on_dense_data": moves,
        "check_sample_weight_equivalence_on_sparse_data": moves,
    }
    if not (isinstance(learner, online.Perceptron) and learner.bias):
        checks["check_class_weight_classifiers"] = "its data need an intercept that one pass finds"
    if isinstance(learner, online.ROMMA) or getattr(learner, "variant", None) == "PA":
        names = ("", "(readonly_memmap=True)", "(readonly_memmap=True,X_dtype=float32)")
        checks |= {f"check_classifiers_train{name}": "hard margins, one pass, noisy data" for name in names}
    return checks


# The Winnows, whose data must not be negative, have theirs in test_winnows.py.
CHECKED = [learner for learner in LEARNERS.values() if not isinstance(learner, WINNOWS)]


@parametrize_with_checks(CHECKED, expected_failed_checks=expected_failures)
def test_estimator_checks(estimator: Any, check: Any) -> None:
    check(estimator)
