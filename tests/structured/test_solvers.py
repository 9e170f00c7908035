"""Solvers against a generic QP over every constraint, and what the thesis proves of them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from hedgerow.structured import StructuredSVM
from hedgerow.structured.n_slack import NSlackRun
from hedgerow.structured.questions import violation_for
from hedgerow.structured.solver import Settings
from tests.structured.generic_qp import all_constraints, generic_optimum
from tests.structured.tiny_problems import make_classes, make_separable_tags, make_tags

SOFT = [(slack, rescaling) for slack in ("linear", "quadratic") for rescaling in (None, "margin", "slack")]
N_SLACK = [("n-slack", "full"), ("n-slack", "subspace")]
# Every formulation with every solver that takes it.
COMBINATIONS = [
    (*formulation, *way)
    for formulation in SOFT
    for way in [*N_SLACK, *([("one-slack", "full")] if formulation[0] == "linear" else [])]
] + [(None, None, *way) for way in N_SLACK]
EXAMPLES = {"classes": make_classes, "tags": make_tags}


def fit(problem, X, Y, C, slack, rescaling, solver, optimization="full", tol=1e-8, **more):
    model = StructuredSVM(
        problem,
        C,
        slack=slack,
        rescaling=rescaling,
        solver=solver,
        optimization=optimization,
        tol=tol,
        **more,
    )
    return model.fit(X, Y)


def padded(weights, n):
    return np.pad(weights, (0, n - len(weights)))


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(("slack", "rescaling", "solver", "optimization"), COMBINATIONS)
@pytest.mark.parametrize("C", [0.05, 2.0])
def test_optimum_of_a_generic_solver(name, slack, rescaling, solver, optimization, C):
    problem, X, Y = (make_separable_tags if slack is None else EXAMPLES[name])()
    expected = generic_optimum(problem, X, Y, C, slack, rescaling)
    model = fit(problem, X, Y, C, slack, rescaling, solver, optimization)
    assert model.converged_
    assert_allclose(model.objective_, expected.objective, rtol=1e-6)
    assert_allclose(model.dual_objective_, expected.objective, rtol=1e-6)
    assert_allclose(padded(model.coef_, len(expected.weights)), expected.weights, atol=2e-4)


def run_n_slack(problem, X, Y, C, slack, rescaling, tol, optimization="full"):
    """The solver with its working sets."""
    settings = Settings(
        C=C,
        slack=slack,
        violation=violation_for(problem, slack, rescaling),
        tol=tol,
        max_iter=None,
        random_state=np.random.RandomState(0),
        threads=1,
        optimization=optimization,
    )
    run = NSlackRun(problem._bind(X, Y, True), settings, lambda entry: None)
    return run, run.solve()


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(("slack", "rescaling"), [*SOFT, (None, None)])
@pytest.mark.parametrize("optimization", ["full", "subspace"])
def test_kkt_conditions(name, slack, rescaling, optimization):
    problem, X, Y = (make_separable_tags if slack is None else EXAMPLES[name])(seed=1)
    C, tol = 0.7, 1e-7
    run, solution = run_n_slack(problem, X, Y, C, slack, rescaling, tol, optimization)
    examples, matrix, offsets = all_constraints(problem, X, Y, slack, rescaling)
    weights = padded(solution.coordinates, matrix.shape[1])
    violations = offsets - matrix @ weights
    total = np.zeros(len(weights))
    seen = 0
    for i in range(len(X)):
        slack_i = max(0.0, violations[examples == i].max(initial=0.0))
        mass = 0.0
        for indices, values, offset, multiplier in run.sets.constraints(i):
            seen += 1
            mass += multiplier
            assert multiplier >= 0
            if multiplier > 0:  # complementarity: only constraints that are just met have multipliers
                assert offset - values @ weights[indices] == pytest.approx(slack_i, abs=10 * tol)
            total[indices] += multiplier * values
        if slack == "linear":
            assert mass <= C * (1 + 1e-12)
            if slack_i > 10 * tol:
                assert mass == pytest.approx(C)
        elif slack == "quadratic":
            assert mass == pytest.approx(2 * C * slack_i, abs=20 * C * tol)
        else:
            assert slack_i <= 10 * tol
    assert seen == solution.n_constraints
    assert_allclose(total, weights, atol=1e-10)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(("slack", "rescaling"), SOFT)
@pytest.mark.parametrize("optimization", ["full", "subspace"])
def test_no_more_constraints_than_theorem_3_allows(name, slack, rescaling, optimization):
    problem, X, Y = EXAMPLES[name](seed=2)
    C, tol = 0.3, 0.1
    run, _ = run_n_slack(problem, X, Y, C, slack, rescaling, tol, optimization)
    longest, largest = _sizes(problem, X, Y, rescaling)
    n, whole_C = len(X), C * len(X)  # the thesis divides C by n
    if slack == "linear":
        power = 3 if rescaling == "slack" else 1
        bound = max(2 * n * largest / tol, 8 * whole_C * largest**power * longest**2 / tol**2)
    else:
        power = 2 if rescaling == "slack" else 1
        bound = (2 * whole_C * largest**power * longest**2 + n * largest) / tol**2
    assert 0 < run.n_added <= bound


def test_no_more_constraints_than_theorem_2_allows():
    problem, X, Y = make_separable_tags(seed=3)
    tol = 0.05
    run, _ = run_n_slack(problem, X, Y, 1.0, None, None, tol)
    longest, _ = _sizes(problem, X, Y, None)
    margin = 1 / (2 * generic_optimum(problem, X, Y, 1.0, None, None).objective) ** 0.5
    assert 0 < run.n_added <= (longest / (margin * tol)) ** 2


def _sizes(problem, X, Y, rescaling):
    """R and the largest loss."""
    _, matrix, _ = all_constraints(problem, X, Y, "linear", None)
    if rescaling is None:
        return np.linalg.norm(matrix, axis=1).max(), 1.0
    losses = [
        problem.compute_loss(y_true, y) for x, y_true in zip(X, Y, strict=True) for y in problem.candidates(x)
    ]
    return np.linalg.norm(matrix, axis=1).max(), max(losses)


@pytest.mark.parametrize("solver", ["n-slack", "one-slack"])
def test_slack_rescaling_does_not_mind_the_scale_of_the_loss(solver):
    # Proposition 18.
    problem, X, Y = make_tags(seed=4)
    model = fit(problem, X, Y, 1.0, "linear", "slack", solver)
    scaled = fit(clone(problem).set_params(factor=5.0), X, Y, 1.0 / 5.0, "linear", "slack", solver)
    assert_allclose(scaled.coef_, model.coef_, atol=2e-4)
    assert_allclose(scaled.objective_, model.objective_, rtol=1e-6)


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(("slack", "rescaling"), [pair for pair in SOFT if pair[1] is not None])
def test_slacks_bound_the_training_loss(name, slack, rescaling):
    # Propositions 9 and 12.
    problem, X, Y = EXAMPLES[name](seed=5, n=30)
    model = fit(problem, X, Y, 0.02, slack, rescaling, "n-slack", tol=1e-6)
    slack_cost = model.objective_ - model.coef_ @ model.coef_ / 2
    slacks = slack_cost / 0.02  # or their squares
    losses = sum(problem.compute_loss(y_true, y) for y_true, y in zip(Y, model.predict(X), strict=True))
    assert 0 < losses <= slacks


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize(("slack", "rescaling", "solver", "optimization"), COMBINATIONS)
@pytest.mark.parametrize("tol", [0.3, 0.01])
def test_certificates_are_honest(name, slack, rescaling, solver, optimization, tol):
    problem, X, Y = (make_separable_tags if slack is None else EXAMPLES[name])(seed=6)
    C = 0.5
    model = fit(problem, X, Y, C, slack, rescaling, solver, optimization, tol=tol)
    expected = generic_optimum(problem, X, Y, C, slack, rescaling).objective
    examples, matrix, offsets = all_constraints(problem, X, Y, slack, rescaling)
    weights = padded(model.coef_, matrix.shape[1])
    violations = offsets - matrix @ weights
    slacks = np.array([max(0.0, violations[examples == i].max(initial=0.0)) for i in range(len(X))])
    cost = {"linear": C * slacks.sum(), "quadratic": C * (slacks**2).sum(), None: 0.0}[slack]
    longer = 1 / (1 - slacks.max()) if slack is None else 1.0  # which weights meet a hard margin
    assert model.objective_ == pytest.approx(longer**2 * weights @ weights / 2 + cost)
    assert model.dual_objective_ <= expected * (1 + 1e-9)
    assert model.certificate_ <= tol
    if slack is None:
        assert slacks.max() == pytest.approx(model.certificate_, abs=1e-9)
    assert model.objective_ >= expected * (1 - 1e-8)
    if slack == "linear":
        assert model.objective_ - expected <= len(X) * C * tol


@pytest.mark.parametrize(("solver", "optimization"), [*N_SLACK, ("one-slack", "full")])
def test_the_last_pass_measures_where_max_iter_came_first(solver, optimization):
    problem, X, Y = make_tags(n=40)
    with pytest.warns(ConvergenceWarning, match="stopped after 1 iterations .* increase max_iter"):
        model = fit(problem, X, Y, 10.0, "linear", "margin", solver, optimization, max_iter=1)
    examples, matrix, offsets = all_constraints(problem, X, Y, "linear", "margin")
    weights = padded(model.coef_, matrix.shape[1])
    violations = offsets - matrix @ weights
    slacks = [max(0.0, violations[examples == i].max(initial=0.0)) for i in range(len(X))]
    assert model.objective_ == pytest.approx(weights @ weights / 2 + 10.0 * sum(slacks))
    assert model.certificate_ > model.tol
    assert not model.converged_
    assert model.n_iter_ == len(model.trace_) == 1


@pytest.mark.parametrize("slack", ["linear", "quadratic"])
def test_the_last_pass_may_say_that_it_is_the_optimum(slack):
    problem, X, Y = make_tags()
    enough = fit(problem, X, Y, 1.0, slack, "margin", "n-slack", tol=0.01)
    model = fit(problem, X, Y, 1.0, slack, "margin", "n-slack", tol=0.01, max_iter=enough.n_iter_)
    assert model.converged_


@pytest.mark.parametrize("seed", range(3))
def test_data_that_cannot_be_separated(seed):
    problem, X, Y = make_tags(seed=seed, n=20)
    with pytest.raises(ValueError, match="cannot be separated by a hard margin"):
        fit(problem, X, Y, 1.0, None, None, "n-slack", tol=0.01)


def test_two_outputs_for_one_input_cannot_be_separated():
    problem, X, _ = make_classes()
    with pytest.raises(ValueError, match="cannot be separated"):
        fit(problem, [X[0], X[0]], [0, 1], 1.0, None, None, "n-slack", tol=0.01)
