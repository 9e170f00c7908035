"""FTRL, AROW and SCW equal their slow versions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.special import ndtri
from sklearn.base import clone

from hedgerow.online import AROW, FTRL, SCW
from tests.online.linear import slow_confidence as slow

LOSSES = ("logistic", "hinge", "exponential")
# A learner, and its slow version as a function of (rows, labels, weights).
CASES: dict[str, tuple[Any, Callable[[Any, Any, Any], Any]]] = {
    **{
        f"FTRL, {loss}, l1 {l1}, l2 {l2}": (
            FTRL(loss=loss, learning_rate=0.3, beta=0.5, l1=l1, l2=l2),
            lambda X, y, c, loss=loss, l1=l1, l2=l2: slow.ftrl(X, y, loss, 0.3, 0.5, l1, l2, c),
        )
        for loss in LOSSES
        for l1, l2 in ((0.0, 0.0), (0.4, 0.0), (0.2, 0.5))
    },
    "AROW": (AROW(regularization=0.7), lambda X, y, c: slow.arow(X, y, 0.7, c)),
    **{
        variant: (
            SCW(variant=variant, C=0.6, confidence=0.8),
            lambda X, y, c, variant=variant: slow.scw(X, y, variant, 0.6, float(ndtri(0.8)), c),
        )
        for variant in ("SCW-I", "SCW-II")
    },
}


def stream(n: int = 120, width: int = 25, seed: int = 0) -> tuple[Any, Any, Any]:
    """Noisy labels, some empty rows, features that come late, and weights of examples."""
    random = np.random.default_rng(seed)
    X = np.where(random.random((n, width)) < 0.25, random.normal(size=(n, width)), 0)
    X[: n // 2, width // 2 :] = 0
    X[[0, 7, 50]] = 0
    y = np.where(X @ random.normal(size=width) + 0.5 * random.normal(size=n) > 0, 1, -1)
    return X, y, random.choice([0.0, 0.5, 1.0, 3.0], size=n)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_equals_its_slow_version(name: str, bias: bool, weighted: bool) -> None:
    model, slow_version = CASES[name]
    X, y, weights = stream()
    weights = weights if weighted else np.ones(len(y))
    rows = np.hstack([X, np.ones((len(y), 1))]) if bias else X
    predictors = np.array(slow_version(rows, y, weights))
    model = clone(model).set_params(bias=bias)

    def check(averaging: str | None, expected: Any) -> None:
        model.set_params(averaging=averaging).fit(sparse.csr_matrix(X), y, sample_weight=weights)
        assert_allclose(model.decision_function(X), expected, rtol=1e-9, atol=1e-9)

    check(None, rows @ predictors[-1])
    check("average", rows @ predictors.mean(axis=0))
    check("vote", np.sign(rows @ predictors.T).mean(axis=1))


@pytest.mark.parametrize("name", CASES)
def test_features_that_appear_late_and_passes_that_add_up(name: str) -> None:
    model, slow_version = CASES[name]
    X, y, _ = stream(seed=1)
    half, narrow = len(y) // 2, X.shape[1] // 2
    model = clone(model).set_params(bias=False, averaging="average")
    model.partial_fit(sparse.csr_matrix(X[:half, :narrow]), y[:half], classes=[-1, 1])
    assert model.coef_.shape == (1, narrow)
    model.partial_fit(sparse.csr_matrix(X[half:]), y[half:])
    assert model.coef_.shape == (1, X.shape[1])
    assert_allclose(
        model.coef_[0], np.mean(slow_version(X, y, np.ones(len(y))), axis=0), rtol=1e-9, atol=1e-9
    )
    twice = slow_version(np.vstack([X, X]), np.hstack([y, y]), np.ones(2 * len(y)))
    model.set_params(epochs=2).fit(sparse.csr_matrix(X), y)
    assert_allclose(model.coef_[0], np.mean(twice, axis=0), rtol=1e-9, atol=1e-9)


def test_l1_keeps_weights_at_zero() -> None:
    X, y, _ = stream()
    counts = [FTRL(l1=l1).fit(sparse.csr_matrix(X), y).n_nonzero_ for l1 in (0.0, 0.5, 2.0, 1e6)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[1] > counts[-1] == 0


def test_confidence_grows_faster_for_frequent_features() -> None:
    # A rare feature that decides has a larger weight than a frequent one that decides as well.
    X = np.zeros((200, 2))
    X[:, 0] = np.tile([1.0, -1.0], 100)
    X[::40, 1] = 1
    y = np.where(X[:, 0] > 0, 1, -1)
    model = AROW().fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    assert model.coef_[0, 1] > 0
