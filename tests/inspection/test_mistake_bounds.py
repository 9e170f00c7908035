"""Bounds hold, whatever the data."""

from __future__ import annotations

import numpy as np
import pytest

from hedgerow.inspection import mistake_bounds
from hedgerow.kernels import RBF
from hedgerow.online import RDA, Forgetron, PassiveAggressive, Perceptron
from hedgerow.svm import SVC
from tests.online.test_multiclass import three_classes

LEARNERS = [
    Perceptron(),
    Perceptron(RBF()),
    PassiveAggressive(RBF(), C=0.1),
    PassiveAggressive(variant="PA-II", C=0.5),
    RDA(l1=0.01, update="mistakes", learning_rate=0.3),
    RDA(l1=0.0, update="mistakes"),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_bounds_hold(learner, seed):
    X, y = three_classes(200, seed)
    bounds = mistake_bounds(learner, X, y)
    assert [bound.label for bound in bounds] == ["ant", "bee", "cow"]
    for bound in bounds:
        assert bound.mistakes <= bound.bound < np.inf
        assert bound.radius > 0
        assert (bound.relative_strength is None) == (not isinstance(learner, RDA))
    (two,) = mistake_bounds(learner, X, y == "ant")
    assert (two.mistakes, two.bound) == (bounds[0].mistakes, bounds[0].bound)


def test_pa_on_data_that_the_reference_separates():
    X, y = np.array([[1.0, 0.1], [-1.0, 0.2], [0.9, -0.1], [-1.1, 0.0]]), [1, 0, 1, 0]
    reference = Perceptron().fit(X, y)
    (bound,) = mistake_bounds(PassiveAggressive(variant="PA"), X, y, reference)
    assert bound.loss == 0
    assert bound.mistakes <= bound.bound == pytest.approx((bound.radius * bound.norm) ** 2)
    assert str(bound).startswith("1: 1 mistakes of at most ")


def test_the_strength_of_regularisation_runs_along():
    X, y = three_classes(150, 1)
    (bound,) = mistake_bounds(RDA(l1=0.05, update="mistakes"), X, y == "ant")
    assert len(bound.relative_strength) == bound.mistakes
    assert f"relative strength of regularisation {bound.relative_strength[-1]:.4g}" in str(bound)


def test_who_has_none():
    X, y = three_classes(20, 1)
    with pytest.raises(ValueError, match="there is a bound for Perceptron without a bias"):
        mistake_bounds(Forgetron(RBF(), budget=5), X, y)
    with pytest.raises(ValueError, match="reference must not have a bias"):
        mistake_bounds(Perceptron(RBF()), X, y, SVC(RBF()).fit(X, y))
