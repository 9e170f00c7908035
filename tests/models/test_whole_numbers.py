"""Vectors of small whole numbers, whose dot products have a way of their own, against the kernels."""

import numpy as np
import pytest
from scipy import sparse

from hedgerow.kernels import RBF, Normalized, Polynomial, Sigmoid

KERNELS = {
    "rbf": RBF(gamma=0.04),
    "polynomial": Polynomial(degree=2, scale=0.01),
    "normalised polynomial": Normalized(Polynomial(degree=2, scale=0.01)),
    "sigmoid": Sigmoid(scale=0.001, offset=0.1),
}


@pytest.fixture(params=KERNELS.values(), ids=KERNELS)
def kernel(request):
    return request.param


def indicators(n, width=40, density=0.3, seed=0):
    """Some features are frequent, some rare."""
    rng = np.random.default_rng(seed)
    return (rng.random((n, width)) < density * rng.random(width)).astype(float)


def model_of(kernel, X):
    model = kernel._model().empty(1)
    items = kernel._items(kernel._prepare(X))
    for slot in range(len(items)):
        model.put(slot, items, slot)
    return model


def rows(kernel, model, Z):
    items = kernel._items(kernel._prepare(Z))
    one_by_one = model.rows(items)
    assert (model.row_batch(items, 2) == one_by_one).all()
    return one_by_one.reshape(len(items), -1)


def assert_rows(kernel, X, Z):
    np.testing.assert_allclose(rows(kernel, model_of(kernel, X), Z), kernel(Z, X), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("n", [63, 64, 65, 200, 1100])
def test_indicators(kernel, form, n):
    X = indicators(n)
    assert_rows(kernel, form(X), form(X[:30]))


def test_counts(kernel):
    rng = np.random.default_rng(1)
    X = indicators(150) * rng.integers(-9, 10, size=(150, 40))
    assert_rows(kernel, X, X[:40])


@pytest.mark.parametrize("largest", [127, 128, 181, 182, 1000])
def test_numbers_that_bytes_or_sums_do_not_hold(kernel, largest):
    """The sum of squares of 127, 127 and others is the largest that is taken, or just too large."""
    X = indicators(100)
    X[7] = 0
    X[7, :2] = largest, -largest
    X[8] = -X[7]
    X[9, :3] = 127, 127, 22
    assert_rows(kernel, X, X[:20])
    assert_rows(kernel, indicators(100), X[:20])


def test_other_vectors_come_and_go(kernel):
    X, Z = indicators(200), indicators(20, seed=5)
    model = model_of(kernel, X)
    exact = rows(kernel, model, Z)
    fractions = kernel._items(kernel._prepare(X[:1] + 0.5))
    model.put(200, fractions, 0)
    np.testing.assert_allclose(rows(kernel, model, Z)[:, :200], exact, rtol=1e-12)
    np.testing.assert_allclose(rows(kernel, model, Z)[:, 200], kernel(Z, X[:1] + 0.5)[:, 0], rtol=1e-12)
    np.testing.assert_allclose(rows(kernel, model, Z + 0.5)[:, :200], kernel(Z + 0.5, X), rtol=1e-12)
    model.erase(200)
    model.put(200, kernel._items(kernel._prepare(Z)), 3)
    np.testing.assert_allclose(rows(kernel, model, Z), kernel(Z, np.vstack([X, Z[3:4]])), rtol=1e-12)


def test_erased_supports_are_overwritten(kernel):
    X, Z = indicators(300), indicators(50, seed=5)
    model = model_of(kernel, X)
    for slot in range(0, 300, 6):
        model.erase(slot)
    items = kernel._items(kernel._prepare(Z))
    for number, slot in enumerate(range(0, 300, 6)):
        model.put(slot, items, number)
    X[::6] = Z
    np.testing.assert_allclose(rows(kernel, model, Z), kernel(Z, X), rtol=1e-12)
    copy = model.load(1, model.save())
    assert (rows(kernel, copy, Z) == rows(kernel, model, Z)).all()


def test_whole_numbers_give_what_others_give():
    """To the last bit: all sums are exact, whichever way they go."""
    kernel = RBF(gamma=0.04)
    X = indicators(1500)
    few, many = model_of(kernel, X[:900]), model_of(kernel, X)
    assert (rows(kernel, few, X[:50]) == rows(kernel, many, X[:50])[:, :900]).all()
