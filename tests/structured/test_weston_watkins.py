"""Multiclass machines with a slack for each wrong class."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris

import hedgerow
from hedgerow.kernels import Linear
from hedgerow.structured import Multiclass, MulticlassSVC, StructuredPerceptron, StructuredSVM
from tests.structured.generic_qp import generic_optimum


@pytest.mark.parametrize("solver", ["one-slack", "n-slack", "frank-wolfe"])
@pytest.mark.parametrize("loss", ["zero-one", "matrix"])
@pytest.mark.parametrize("kernel", [None, Linear()], ids=["weights", "kernel"])
def test_weston_and_watkins(solver, loss, kernel):
    """A slack for each wrong class: a generic solver over all of them."""
    random = np.random.RandomState(3)
    X, y = random.normal(size=(14, 3)), random.randint(4, size=14)
    costs = loss if loss == "zero-one" else random.uniform(0.5, 2, size=(4, 4)) * (1 - np.eye(4))
    weights = random.uniform(0.5, 2, size=14)
    settings = {"C": 0.4, "solver": solver, "tol": 1e-6, "random_state": 0}
    model = StructuredSVM(Multiclass(kernel, loss=costs, rivals="all"), **settings)
    model.fit(X, y, sample_weight=weights)
    plain = StructuredSVM(Multiclass(loss=costs), random_state=0).fit(X, y).problem_
    expected = generic_optimum(plain, X, y, 0.4, "linear", "margin", np.repeat(weights, 3), own_slacks=True)
    assert model.converged_
    assert model.objective_ == pytest.approx(expected.objective, rel=1e-4)
    assert model.dual_objective_ == pytest.approx(expected.objective, rel=1e-4)
    worst = StructuredSVM(Multiclass(kernel, loss=costs), **settings).fit(X, y, sample_weight=weights)
    assert worst.objective_ < model.objective_  # which counts the others too


def test_weston_and_watkins_as_a_classifier(tmp_path):
    X, y = load_iris(return_X_y=True)
    model = MulticlassSVC(rivals="all", random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9
    hedgerow.save(model, tmp_path / "a.model")
    assert_array_equal(hedgerow.load(tmp_path / "a.model").predict(X), model.predict(X))
    for settings in ({"slack": "quadratic"}, {"rescaling": "slack"}, {"rescaling": None}):
        with pytest.raises(ValueError, match="it supports slack='linear', rescaling='margin'"):
            MulticlassSVC(rivals="all", **settings).fit(X, y)
    with pytest.raises(ValueError, match="rivals must be"):
        MulticlassSVC(rivals="some").fit(X, y)
    with pytest.raises(ValueError, match="rivals has no effect"):
        StructuredPerceptron(Multiclass(rivals="all")).fit(X, y)
