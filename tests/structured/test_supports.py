"""What n-slack machines say about their supports: whose they are, their multipliers and losses."""

from __future__ import annotations

import numpy as np
import pytest

import hedgerow
from hedgerow.structured import Multiclass, StructuredSVM

COSTS = np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 2.0], [4.0, 2.0, 0.0]])


@pytest.fixture
def examples():
    random = np.random.RandomState(0)
    y = random.randint(3, size=30)
    return random.normal(size=(30, 4)) + np.eye(3, 4)[y], y


@pytest.mark.parametrize("rescaling", ["margin", "slack", None])
@pytest.mark.parametrize("slack", ["linear", "quadratic"])
def test_multipliers_make_the_weights(examples, slack, rescaling):
    X, y = examples
    problem = Multiclass(loss=COSTS)
    model = StructuredSVM(problem, C=0.5, slack=slack, rescaling=rescaling, solver="n-slack", tol=1e-6)
    model.fit(X, y)
    assert set(model.support_losses_) <= {1.0, 2.0, 4.0}
    assert (model.support_multipliers_ > 0).all()
    assert len(model.support_) <= model.n_constraints_
    if slack == "linear":
        assert (np.bincount(model.support_, model.support_multipliers_) <= 0.5 + 1e-9).all()
    # Some class of that loss is what the multiplier moves the weights away from.
    weights = np.zeros((4, 3))
    for i, multiplier, loss in zip(
        model.support_, model.support_multipliers_, model.support_losses_, strict=True
    ):
        (other,) = np.flatnonzero(COSTS[y[i]] == loss)
        height = np.sqrt(loss) if slack == "quadratic" else loss
        step = multiplier * (height if rescaling == "slack" else 1.0)
        weights[:, y[i]] += step * X[i]
        weights[:, other] -= step * X[i]
    np.testing.assert_allclose(model.coef_.reshape(4, 3), weights, atol=1e-8)


def test_they_are_saved_and_forgotten(examples, tmp_path):
    model = StructuredSVM(Multiclass(loss=COSTS), solver="n-slack").fit(*examples)
    hedgerow.save(model, tmp_path / "a.model")
    again = hedgerow.load(tmp_path / "a.model")
    np.testing.assert_array_equal(again.support_, model.support_)
    np.testing.assert_array_equal(again.support_losses_, model.support_losses_)
    model.set_params(solver="one-slack").fit(*examples)
    assert not hasattr(model, "support_losses_")
