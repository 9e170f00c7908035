"""n-slack where multipliers go far, and hard margins: the optimum, and a certificate that says what is violated."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from hedgerow.kernels import Linear
from hedgerow.structured import Multiclass, StructuredSVM
from tests.structured.generic_qp import all_constraints, generic_optimum

pytestmark = pytest.mark.filterwarnings("error::sklearn.exceptions.ConvergenceWarning")


def points(seed, n=24, classes=3):
    random = np.random.RandomState(seed)
    return random.normal(size=(n, 2)), np.r_[np.arange(classes), random.randint(0, classes, n - classes)]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kernel", [None, Linear()])
@pytest.mark.parametrize("rescaling", ["margin", "slack", None])
@pytest.mark.parametrize("slack", ["linear", "quadratic"])
@pytest.mark.parametrize("C", [1.0, 1e2, 1e4, 1e6])
def test_n_slack_finds_the_optimum_whatever_C(seed, kernel, rescaling, slack, C):
    X, y = points(seed)
    loss = {(0, 1): 2.0, (2, 0): 0.5}
    parameters = {"C": C, "slack": slack, "rescaling": rescaling, "solver": "n-slack"}
    model = StructuredSVM(Multiclass(kernel, loss=loss), **parameters).fit(X, y)
    plain = model.problem_ if kernel is None else StructuredSVM(Multiclass(loss=loss)).fit(X, y).problem_
    expected = generic_optimum(plain, X, y, C, slack, rescaling)
    assert model.converged_
    assert model.dual_objective_ <= expected.objective * (1 + 1e-7)
    # With linear slacks the objective is within n C tol; squared ones may each be tol too large.
    room = len(X) * C * 0.01 if slack == "linear" else 0.02 * C * expected.slacks.sum() + C * len(X) * 1e-4
    assert expected.objective * (1 - 1e-7) <= model.objective_ <= expected.objective * (1 + 1e-7) + room


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("tol", [0.1, 0.01, 1e-4])
def test_the_certificate_of_a_hard_margin_is_its_worst_violation(seed, tol):
    random = np.random.RandomState(seed)
    centres = random.normal(size=(4, 3))
    y = np.arange(20) % 4
    X = 10 * centres[y] + random.normal(size=(20, 3))
    X = np.hstack([X, np.ones((20, 1))])
    try:
        model = StructuredSVM(Multiclass(), slack=None, rescaling=None, solver="n-slack", tol=tol).fit(X, y)
    except ValueError:
        pytest.skip("not separable")
    _, rows, offsets = all_constraints(model.problem_, X, y, None, None)
    worst = max(0.0, float((offsets - rows @ model.coef_[: rows.shape[1]]).max()))
    assert model.certificate_ == pytest.approx(worst, abs=1e-9)
    assert worst <= tol
    expected = generic_optimum(model.problem_, X, y, 1.0, None, None).objective
    assert model.dual_objective_ <= expected * (1 + 1e-7)
    assert expected * (1 - 1e-7) <= model.objective_ <= expected / (1 - tol) ** 2 * (1 + 1e-7)


@pytest.mark.parametrize("seed", range(20))
def test_tiny_problems_end(seed):
    """They are solved exactly, so that nothing is left to warn of."""
    X, y = points(seed, n=2 + seed % 4, classes=2)
    X = np.round(X) if seed % 3 == 0 else X
    for solver, slack in (("one-slack", "linear"), ("n-slack", "linear"), ("n-slack", "quadratic")):
        for C in (1e-2, 1.0, 1e3, 1e6):
            for tol in (1e-2, 1e-5):
                assert (
                    StructuredSVM(Multiclass(), C=C, slack=slack, solver=solver, tol=tol).fit(X, y).converged_
                )


def test_the_warning_says_what_to_do():
    X, y = points(1, n=3, classes=2)
    with pytest.warns(ConvergenceWarning, match="increase max_iter or tol, or use solver='n-slack'"):
        StructuredSVM(Multiclass(), C=1e6, solver="frank-wolfe", max_iter=3, random_state=0).fit(X, y)
