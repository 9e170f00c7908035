"""Every learner equals its slow version, example by example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hedgerow import Forest, _core
from hedgerow.kernels import RBF, Normalized, PartialTree, Polynomial, SubsetTree
from hedgerow.online import (
    ROMMA,
    Ahpatron,
    ForgetfulProjectron,
    Forgetron,
    PassiveAggressive,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
    RandomBudgetPerceptron,
    Stoptron,
)
from tests.online import slow_learners as slow

BUDGET = 12
SEED = 7


def seed_of(model: Any) -> int:
    return int(model._seed)


# A learner, and its slow version as a function of (Gram matrix, labels, fitted learner).
CASES: dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any, Any], slow.Run]]] = {
    "perceptron": (lambda k: Perceptron(k), lambda K, y, m: slow.perceptron(K, y)),
    "perceptron with bias": (
        lambda k: Perceptron(k, bias=True),
        lambda K, y, m: slow.perceptron(K, y, bias=True),
    ),
    "PA": (
        lambda k: PassiveAggressive(k, variant="PA"),
        lambda K, y, m: slow.passive_aggressive(K, y, "PA", 1.0),
    ),
    "PA-I": (
        lambda k: PassiveAggressive(k, C=0.3),
        lambda K, y, m: slow.passive_aggressive(K, y, "PA-I", 0.3),
    ),
    "PA-II": (
        lambda k: PassiveAggressive(k, variant="PA-II", C=0.3),
        lambda K, y, m: slow.passive_aggressive(K, y, "PA-II", 0.3),
    ),
    "PA-I, dynamic": (
        lambda k: PassiveAggressive(k, C=2.0, dynamic=True),
        lambda K, y, m: slow.passive_aggressive(K, y, "PA-I", 2.0, dynamic=True),
    ),
    "PA-II, dynamic": (
        lambda k: PassiveAggressive(k, variant="PA-II", C=2.0, dynamic=True),
        lambda K, y, m: slow.passive_aggressive(K, y, "PA-II", 2.0, dynamic=True),
    ),
    "ROMMA": (lambda k: ROMMA(k), lambda K, y, m: slow.romma(K, y, False)),
    "aggressive ROMMA": (lambda k: ROMMA(k, aggressive=True), lambda K, y, m: slow.romma(K, y, True)),
    "stoptron": (lambda k: Stoptron(k, BUDGET), lambda K, y, m: slow.stoptron(K, y, BUDGET)),
    "random budget": (
        lambda k: RandomBudgetPerceptron(k, BUDGET, random_state=SEED),
        lambda K, y, m: slow.random_budget_perceptron(K, y, BUDGET, seed_of(m)),
    ),
    **{
        f"forgetron, {variant}": (
            lambda k, s=variant: Forgetron(k, BUDGET, shrinking=s),
            lambda K, y, m, s=variant: slow.forgetron(K, y, BUDGET, s),
        )
        for variant in ("basic", "self-tuned", "greedy")
    },
    "projectron": (lambda k: Projectron(k, eta=0.4), lambda K, y, m: slow.projectron(K, y, 0.4)),
    "projectron, budget": (
        lambda k: Projectron(k, budget=40),
        lambda K, y, m: slow.projectron(K, y, 0.1, budget=40),
    ),
    "projectron++": (
        lambda k: ProjectronPlusPlus(k, eta=0.4),
        lambda K, y, m: slow.projectron(K, y, 0.4, plus_plus=True),
    ),
    "projectron++, budget": (
        lambda k: ProjectronPlusPlus(k, budget=40),
        lambda K, y, m: slow.projectron(K, y, 0.1, budget=40, plus_plus=True),
    ),
    "forgetful projectron": (
        lambda k: ForgetfulProjectron(k, BUDGET),
        lambda K, y, m: slow.forgetful_projectron(K, y, BUDGET),
    ),
    "ahpatron": (lambda k: Ahpatron(k, BUDGET), lambda K, y, m: slow.ahpatron(K, y, BUDGET)),
}


def noisy_vectors(n: int, seed: int) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 3))
    y = np.where(X[:, 0] + 0.5 * X[:, 1] ** 2 + random.normal(scale=0.8, size=n) > 0.5, 1, -1)
    return X, y


def noisy_trees(n: int, seed: int) -> tuple[Forest, Any]:
    """Trees whose class shows in one of their productions, most of the time."""
    random = np.random.default_rng(seed)

    def phrase(depth: int) -> str:
        if depth == 0:
            return f"({random.choice(['N', 'V', 'D'])} {random.choice(list('abcd'))})"
        children = " ".join(phrase(depth - 1) for _ in range(random.integers(1, 4)))
        return f"({random.choice(['NP', 'VP'])} {children})"

    y = random.choice([-1, 1], size=n)
    shown = np.where(random.random(n) < 0.15, -y, y)
    marks = {1: "(X (N a) (V b))", -1: "(X (V b) (N a))"}
    return Forest([f"(S {phrase(2)} {marks[int(mark)]})" for mark in shown]), y


def all_coefficients(model: Any, n: int) -> Any:
    beta = np.zeros((len(model.dual_coef_), n))
    beta[:, model.support_] = model.dual_coef_
    return beta


def mistakes_one_by_one(model: Any, X: Any, y: Any) -> list[int]:
    """The examples that were mistakes, by learning from one example a call."""
    mistakes: list[int] = []
    for t in range(len(y)):
        before = len(mistakes)
        model.partial_fit(X[t : t + 1], y[t : t + 1], classes=[-1, 1])
        if model.mistakes_ > before:
            mistakes.append(t)
    return mistakes


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", CASES)
def test_vectors(name: str, seed: int) -> None:
    make, oracle = CASES[name]
    kernel = RBF(gamma=0.7)
    X, y = noisy_vectors(150, seed)
    model = make(kernel).fit(X, y)
    expected = oracle(kernel(X), y, model)
    assert model.mistakes_ == len(expected.mistakes) > 20
    assert_allclose(all_coefficients(model, len(y))[0], expected.beta, rtol=1e-9, atol=1e-9)
    assert_allclose(model.intercept_, [expected.bias], rtol=1e-9)
    assert_allclose(model.decision_function(X), expected.values(kernel(X)), rtol=1e-9, atol=1e-9)
    norm = expected.beta @ kernel(X) @ expected.beta
    assert_allclose(model._native.expansion.squared_norms(), [norm], rtol=1e-9, atol=1e-9)
    again = make(kernel)
    assert mistakes_one_by_one(again, X, y) == expected.mistakes
    assert_allclose(again.decision_function(X), model.decision_function(X), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kernel", [SubsetTree(decay=0.4), PartialTree(decay=0.6, vertical_decay=0.5)])
@pytest.mark.parametrize("name", CASES)
def test_trees(name: str, kernel: Any) -> None:
    make, oracle = CASES[name]
    kernel = Normalized(kernel)
    X, y = noisy_trees(150, 5)
    model = make(kernel).fit(X, y)
    K = kernel(X)
    expected = oracle(K, y, model)
    assert model.mistakes_ == len(expected.mistakes) > 20
    assert_allclose(all_coefficients(model, len(y))[0], expected.beta, rtol=1e-9, atol=1e-9)
    assert_allclose(model.decision_function(X), expected.values(K), rtol=1e-9, atol=1e-9)
    assert mistakes_one_by_one(make(kernel), X, y) == expected.mistakes


@pytest.mark.parametrize("averaging", ["average", "normalized", "vote"])
def test_averages_do_not_depend_on_what_was_predicted_before(averaging: str) -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 2))
    y = X[:, 0] > 0
    asked, quiet = (Perceptron(RBF(), averaging=averaging).fit(X, y) for _ in range(2))
    for i in range(60):  # most change nothing but the average
        asked.partial_fit(X[i : i + 1], y[i : i + 1]).decision_function(X)
        quiet.partial_fit(X[i : i + 1], y[i : i + 1])
    assert_array_equal(asked.decision_function(X), quiet.decision_function(X))


@pytest.mark.parametrize("averaging", ["average", "normalized", "vote"])
@pytest.mark.parametrize("name", CASES)
def test_averages(name: str, averaging: str) -> None:
    make, oracle = CASES[name]
    kernel = RBF(gamma=0.7)
    X, y = noisy_vectors(120, 11)
    Z = noisy_vectors(40, 12)[0]
    model = make(kernel).set_params(averaging=averaging).fit(X, y)
    run = oracle(kernel(X), y, model)
    expected = {
        "average": lambda K: run.averaged(K),
        "normalized": lambda K: run.normalized(K, kernel(X)),
        "vote": lambda K: run.votes(K),
    }[averaging](kernel(X, Z))
    assert_allclose(model.decision_function(Z), expected, rtol=1e-8, atol=1e-9)
    assert_allclose(model.decision_function(Z[:3]), expected[:3], rtol=1e-8, atol=1e-9)
    assert model.mistakes_ == len(run.mistakes)


def test_every_native_rule_has_a_case(monkeypatch: pytest.MonkeyPatch) -> None:
    used = set()
    make_rule = _core.kernel_rule
    monkeypatch.setattr(_core, "kernel_rule", lambda name, values: used.add(name) or make_rule(name, values))
    for make, _ in CASES.values():
        make(RBF())._rule(1, 0)
    assert used == set(_core.kernel_rules())


def test_overflowing_scales() -> None:
    """Long runs of a Forgetron shrink coefficients by many orders of magnitude; stored ones stay moderate."""
    X, y = noisy_vectors(1000, 3)
    kernel = RBF(gamma=5.0)
    model = Forgetron(kernel, 5, shrinking="basic", averaging="average").fit(X, y)
    run = slow.forgetron(kernel(X), y, 5, "basic")
    assert_allclose(model.decision_function(X[:50]), run.averaged(kernel(X, X[:50])), rtol=1e-8, atol=1e-10)


def test_polynomial_kernel_of_the_thesis() -> None:
    X, y = noisy_vectors(200, 4)
    X = X[:, :2]
    kernel = Polynomial(degree=3)
    K = kernel(X)
    model = ProjectronPlusPlus(kernel, eta=0.1).fit(X, y)
    assert model.n_support_ <= 10  # products of up to three of two features: ten dimensions
    assert model.condition_ > 1
    run = slow.projectron(K, y, 0.1, plus_plus=True)
    assert_allclose(model.decision_function(X), run.values(K), rtol=1e-6, atol=1e-6)
