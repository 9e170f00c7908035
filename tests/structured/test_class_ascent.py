"""Crammer and Singer's machine example by example: every visit is optimal, and sums are those of all visits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize, sparse

from hedgerow import _core
from hedgerow.kernels.rows import sparse_to_items
from hedgerow.structured import Multiclass, StructuredSVM
from tests.structured.generic_qp import generic_optimum

CLASSES, C = 4, 0.7


def examples(n=12):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 5)) * (random.random((n, 5)) < 0.7)
    X[3] = 0  # no weights change anything there
    y = np.r_[np.arange(CLASSES), random.integers(CLASSES, size=n - CLASSES)].astype(np.int32)
    losses = random.choice([0.0, 0.5, 1.0, 3.0], size=(CLASSES, CLASSES)) * (1 - np.eye(CLASSES))
    return X, y, losses, random.choice([0.0, 0.5, 1.0, 2.0], size=n)


def ascent(X, y, losses, weights, unit=False, averaging=True):
    rows = sparse_to_items(sparse.csr_array(X))
    costs = None if losses is None else losses.ravel()
    return _core.ClassAscent(rows, CLASSES, y, costs, weights, C, unit, averaging)


def violations(X, y, heights, w):
    scores = X @ w.reshape(X.shape[1], CLASSES)
    return heights[y] + scores - scores[np.arange(len(y)), y][:, None]


def best_dual_of_block(x, truth, heights, rest, room):
    """By a generic solver: the best dual over the multipliers of one example, where the others' weights are given."""
    planes = np.array(
        [np.outer(x, np.eye(CLASSES)[truth] - np.eye(CLASSES)[y]).ravel() for y in range(CLASSES)]
    )

    def negative(m):
        w = rest + m @ planes
        return w @ w / 2 - m @ heights, planes @ w - heights

    room_left = {"type": "ineq", "fun": lambda m: room - m.sum(), "jac": lambda m: -np.ones(CLASSES)}
    found = optimize.minimize(
        negative,
        np.zeros(CLASSES),
        jac=True,
        bounds=[(0, None)] * CLASSES,
        constraints=[room_left],
        tol=1e-12,
    )
    return -found.fun


@pytest.mark.parametrize("case", ["zero-one", "losses", "unit"])
def test_every_visit_solves_its_block(case):
    X, y, losses, weights = examples()
    heights = 1 - np.eye(CLASSES) if case != "losses" else losses
    native = ascent(X, y, None if case == "zero-one" else losses, weights, unit=case == "unit")
    owned = np.zeros((len(X), X.shape[1] * CLASSES))  # what each example has added to the weights
    heights_of = np.zeros(len(X))
    iterates = []
    for example in [*range(12), *np.random.default_rng(1).permutation(12), 3, 3]:
        before, height = native.coordinates(), native.height
        assert native.visit(np.array([example]), -1.0) == 1
        owned[example] += native.coordinates() - before
        heights_of[example] += native.height - height
        iterates.append(native.coordinates())
        w = iterates[-1]
        assert native.dual == pytest.approx(native.height - w @ w / 2, abs=1e-12)
        rest = w - owned[example]
        expected = best_dual_of_block(X[example], y[example], heights[y[example]], rest, C * weights[example])
        assert native.dual - (native.height - heights_of[example]) == pytest.approx(expected, abs=1e-7)
    counts = np.arange(1, len(iterates) + 1)
    np.testing.assert_allclose(native.average(), np.average(iterates, axis=0, weights=counts), atol=1e-12)
    slacks = violations(X, y, heights, w).max(axis=1)
    primal, dual, gap = native.measure(1)
    assert primal == pytest.approx(w @ w / 2 + C * weights @ slacks)
    assert (dual, primal - dual) == (pytest.approx(native.dual), pytest.approx(gap))
    mean = native.average()
    of_average = mean @ mean / 2 + C * weights @ violations(X, y, heights, mean).max(axis=1)
    assert native.measure_average(2) == pytest.approx(of_average)


@pytest.mark.parametrize("rescaling", ["margin", None])
@pytest.mark.parametrize("averaging", ["average", None])
def test_optimum_is_that_of_a_generic_program(rescaling, averaging):
    X, y, losses, weights = examples(20)
    model = StructuredSVM(
        Multiclass(loss=losses), C, rescaling=rescaling, averaging=averaging, tol=1e-7, random_state=0
    ).fit(X, y, sample_weight=weights)
    assert model.converged_
    expected = generic_optimum(model.problem_, X, y, C, "linear", rescaling, weights)
    assert model.objective_ == pytest.approx(expected.objective, abs=1e-4)
    assert model.dual_objective_ <= expected.objective + 1e-6


def test_only_examples_with_a_gap_above_are_visited():
    X, y, losses, _ = examples()
    native = ascent(X, y, losses, None)
    order = np.arange(12)
    assert native.visit(order, 5.0) == 12  # whose gaps nobody knows yet
    assert native.visit(order, native.remembered_gap) == 0
    assert 0 < native.visit(order, native.remembered_gap / 12) < 12


def test_going_on_after_fit():
    """What later examples start from is what this solver leaves."""
    X, y, _, _ = examples(12)
    model = StructuredSVM(Multiclass(), C, random_state=0).fit(X, y)
    before = model.dual_objective_
    model.partial_fit(X[:4], y[:4])
    assert model.dual_objective_ >= before
    assert len(model.coef_) == X.shape[1] * CLASSES


def test_bad_input():
    X, y, losses, weights = examples()
    for wrong, words in (
        ((X[1:], y, None, None), "as many inputs as true outputs"),
        ((X, y, None, weights[1:]), "a weight for each example"),
        ((X, y, None, -weights), "weights must be 0 or more"),
        ((X, y, losses[1:], None), "a row and a column for each output"),
    ):
        with pytest.raises(ValueError, match=words):
            ascent(*wrong)
    with pytest.raises(IndexError, match="no example 12"):
        ascent(X, y, None, None).visit(np.array([12]), 0.0)
