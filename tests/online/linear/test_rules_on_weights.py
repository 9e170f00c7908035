"""Perceptron, PA and ROMMA on weights are the kernel learners under the dot product; folding; growing."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

import hedgerow
from hedgerow import _core
from hedgerow.kernels import Linear
from hedgerow.online import ROMMA, PassiveAggressive, Perceptron

LEARNERS = {
    "perceptron": Perceptron(),
    "perceptron with bias": Perceptron(bias=True),
    "PA": PassiveAggressive(variant="PA"),
    "PA-I": PassiveAggressive(C=0.3),
    "PA-II": PassiveAggressive(variant="PA-II", C=0.3),
    "PA-I, dynamic": PassiveAggressive(C=2.0, dynamic=True),
    "ROMMA": ROMMA(),
    "aggressive ROMMA": ROMMA(aggressive=True),
}


def stream(n: int = 200, width: int = 30, seed: int = 0) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    X = np.where(random.random((n, width)) < 0.3, random.normal(size=(n, width)), 0)
    X[[0, 5, 100]] = 0
    y = np.where(X @ random.normal(size=width) + 0.5 * random.normal(size=n) > 0, "yes", "no")
    return X, y


@pytest.mark.parametrize("averaging", [None, "average", "normalized", "vote"])
@pytest.mark.parametrize("name", LEARNERS)
def test_weights_and_supports_are_two_forms_of_one_learner(name: str, averaging: str | None) -> None:
    X, y = stream()
    on_weights = LEARNERS[name].set_params(kernel=None, averaging=averaging, epochs=2)
    expected = on_weights.__class__(**{**on_weights.get_params(), "kernel": Linear()}).fit(X, y)
    for form in (X, sparse.csr_matrix(X)):
        on_weights.fit(form, y)
        assert_allclose(
            on_weights.decision_function(form), expected.decision_function(X), rtol=1e-9, atol=1e-9
        )
        assert on_weights.mistakes_ == expected.mistakes_
        assert_allclose(on_weights.intercept_, expected.intercept_, rtol=1e-9, atol=1e-12)
    weights = expected.dual_coef_ @ expected.support_items_
    assert_allclose(on_weights.coef_, weights, rtol=1e-8, atol=1e-9)
    assert on_weights.n_nonzero_ == np.count_nonzero(on_weights.coef_)


def test_attributes_of_the_other_form_are_not_there() -> None:
    X, y = stream()
    on_weights, on_supports = Perceptron().fit(X, y), Perceptron(Linear()).fit(X, y)
    with pytest.raises(AttributeError, match="see coef_"):
        _ = on_weights.support_
    with pytest.raises(AttributeError, match="see dual_coef_"):
        _ = on_supports.coef_
    assert not hasattr(on_supports, "sparsify")
    with pytest.raises(ValueError, match="with a kernel it must be None"):
        Perceptron(Linear(), n_features=16).fit(X, y)


@pytest.mark.parametrize("averaging", [None, "average", "normalized", "vote"])
def test_scales_far_from_one_are_settled(averaging: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = stream()
    expected = ROMMA(averaging=averaging).fit(X, y).decision_function(X)
    often = functools.partial(_core.rule_on_weights, largest_scale=1.01)
    monkeypatch.setattr(_core, "rule_on_weights", often)
    settled = ROMMA(averaging=averaging).fit(X, y)
    assert_allclose(settled.decision_function(X), expected, rtol=1e-9, atol=1e-9)


def test_folding_adds_features_that_meet() -> None:
    X, y = stream(width=40)
    folded = X[:, :16] + X[:, 16:32]
    folded[:, :8] += X[:, 32:]
    expected = PassiveAggressive().fit(folded, y)
    for form in (X, sparse.csr_matrix(X), sparse.coo_matrix(X)):
        model = PassiveAggressive(n_features=16).fit(form, y)
        assert model.coef_.shape == (1, 16)
        assert_allclose(model.coef_, expected.coef_, atol=1e-12)
        assert_array_equal(model.predict(form), expected.predict(folded))


def test_folded_features_may_have_any_number() -> None:
    far = sparse.csr_matrix(([1.0, 1.0], [3, 2**40 + 3], [0, 1, 2]), shape=(2, 2**40 + 4))
    assert far.indices.dtype == np.int64
    model = Perceptron(n_features=2**10).partial_fit(far[:1], [1], classes=[0, 1])
    assert model.predict(far).tolist() == [1, 1]
    assert model.coef_.shape == (1, 1024)


@pytest.mark.parametrize("bad", [0, 3, -4, 2**32, True, "2"])
def test_bad_numbers_of_features(bad: Any) -> None:
    with pytest.raises(ValueError, match="n_features must be None or a power of two"):
        Perceptron(n_features=bad).fit([[1.0], [2.0]], [0, 1])


def test_sparse_streams_grow_and_dense_ones_do_not() -> None:
    X, y = stream()
    wide, dense = sparse.csr_matrix(X), Perceptron().fit(X, y)
    growing = Perceptron().partial_fit(wide[:50, :10], y[:50], classes=["no", "yes"])
    growing.partial_fit(wide[50:], y[50:])
    assert growing.n_features_in_ == X.shape[1]
    filled = X.copy()
    filled[:50, 10:] = 0
    assert_array_equal(growing.coef_, Perceptron().fit(filled, y).coef_)
    # Unknown features count nothing, fewer are fine.
    wider = sparse.hstack([wide, sparse.csr_matrix(np.ones((len(y), 3)))], format="csr")
    assert_array_equal(growing.decision_function(wider), growing.decision_function(wide))
    growing.decision_function(wide[:, :10])
    with pytest.raises(ValueError, match="X has 29 features, but Perceptron is expecting 30"):
        dense.predict(X[:, 1:])


def test_sparsify(tmp_path: Any) -> None:
    X, y = stream()
    y = np.where(X[:, 3] > 0, "third", y)
    model = Perceptron(averaging="average").fit(X, y)
    weights = model.coef_
    assert weights.shape == (3, 30)
    assert model.sparsify() is model
    assert sparse.issparse(model.coef_)
    assert_array_equal(model.coef_.toarray(), weights)
    hedgerow.save(model, tmp_path / "m")
    assert_array_equal(hedgerow.load(tmp_path / "m").coef_, weights)
    assert_array_equal(model.densify().coef_, weights)


def test_the_perceptron_and_passive_aggressive_keep_their_bounds() -> None:
    random = np.random.default_rng(3)
    u = random.normal(size=20)
    X = random.normal(size=(2000, 20))
    X = X[np.abs(X @ u) > 1.0]  # separable: y u.x >= 1
    y = np.where(X @ u > 0, 1, -1)
    radius2 = float((X**2).sum(axis=1).max())
    bound = radius2 * float(u @ u)  # Novikoff; PA's cumulative squared loss, and so its mistakes
    assert 0 < Perceptron(epochs=50).fit(X, y).mistakes_ <= bound
    assert 0 < PassiveAggressive(variant="PA", epochs=50).fit(X, y).mistakes_ <= bound
    noisy = np.where(random.random(len(y)) < 0.1, -y, y)
    losses = np.maximum(0, 1 - noisy * (X @ u))
    C = 0.5
    pa1 = PassiveAggressive(C=C).fit(X, noisy)  # theorem 4 of Crammer and others 2006
    assert pa1.mistakes_ <= max(radius2, 1 / C) * (float(u @ u) + 2 * C * losses.sum())
