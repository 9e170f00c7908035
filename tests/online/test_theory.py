"""What is proved about the learners, as tests."""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hedgerow.kernels import RBF, Linear, Normalized, SubsetTree
from hedgerow.online import (
    Ahpatron,
    ForgetfulProjectron,
    Forgetron,
    PassiveAggressive,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
)
from tests.online.test_against_slow import noisy_trees, noisy_vectors


def separable(n: int, seed: int, margin: float = 0.1) -> tuple[Any, Any, Any]:
    """Unit vectors with a margin around a separating unit vector u."""
    random = np.random.default_rng(seed)
    u = random.normal(size=6)
    u /= np.linalg.norm(u)
    X = random.normal(size=(20 * n, 6))
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    X = X[np.abs(X @ u) >= margin][:n]
    return X, np.where(X @ u > 0, 1, -1), u


@pytest.mark.parametrize("seed", range(5))
def test_perceptron_bound_on_separable_data(seed: int) -> None:
    X, y, _ = separable(500, seed)
    model = Perceptron(Linear(), epochs=100).fit(X, y)
    assert model.mistakes_ <= 1 / 0.1**2  # (R / margin)^2
    assert (model.predict(X) == y).all()


@pytest.mark.parametrize("seed", range(5))
def test_passive_aggressive_bound_on_separable_data(seed: int) -> None:
    X, y, u = separable(500, seed)
    scaled = u / 0.1  # attains a margin of 1 everywhere
    model = PassiveAggressive(Linear(), variant="PA").fit(X, y)
    losses = 0.0
    again = PassiveAggressive(Linear(), variant="PA")
    for x, label in zip(X, y, strict=True):
        if hasattr(again, "classes_"):
            losses += max(0.0, 1 - label * float(again.decision_function([x])[0])) ** 2
        else:
            losses += 1
        again.partial_fit([x], [label], classes=[-1, 1])
    assert losses <= float(scaled @ scaled)  # sum of squared losses <= |u|^2 R^2
    assert model.mistakes_ <= float(scaled @ scaled)


@pytest.mark.parametrize("variant", ["basic", "self-tuned", "greedy"])
@pytest.mark.parametrize("budget", [5, 20, 60])
def test_forgetron_norm_and_mistakes(variant: str, budget: int) -> None:
    X, y = noisy_vectors(2000, 2)
    kernel = RBF(gamma=0.7)
    K = kernel(X)
    U = 0.25 * sqrt((budget + 1) / log(budget + 1))
    model = Forgetron(kernel, budget, shrinking=variant)
    for begin in range(0, len(X), 50):
        model.partial_fit(X[begin : begin + 50], y[begin : begin + 50], classes=[-1, 1])
        assert model.n_support_ <= budget
        if variant == "basic":
            beta = model.dual_coef_[0]
            norm = sqrt(beta @ K[np.ix_(model.support_, model.support_)] @ beta)
            # The analysis bounds f before the oldest leaves by U; what it takes away is small.
            assert norm <= U + 0.5
    # M <= 2 |g|^2 + 4 sum of hinge losses of g, for any |g| <= U: take a good g, and the bound of Dekel et al.
    g = PassiveAggressive(kernel, C=0.05, epochs=3).fit(X, y)
    beta = np.zeros(len(y))
    beta[g.support_] = g.dual_coef_[0]
    beta *= min(1.0, U / sqrt(beta @ K @ beta))
    losses = np.maximum(0, 1 - y * (beta @ K)).sum()
    assert model.mistakes_ <= 2 * (beta @ K @ beta) + 4 * losses


def test_forgetron_norm_before_the_oldest_leaves() -> None:
    """As long as none has to leave, the basic variant's f has a norm of at most U."""
    X, y = noisy_vectors(400, 6)
    budget = 30
    U = 0.25 * sqrt((budget + 1) / log(budget + 1))
    model = Forgetron(RBF(gamma=0.7), budget, shrinking="basic")
    checked = 0
    for t in range(len(X)):
        model.partial_fit(X[t : t + 1], y[t : t + 1], classes=[-1, 1])
        if model.n_support_ < budget:
            assert model._native.expansion.squared_norms()[0] <= U**2 * (1 + 1e-12)
            checked += 1
    assert 0 < checked < len(X)


@pytest.mark.parametrize("kernel", [RBF(gamma=0.7), Linear()])
def test_projectron_with_eta_0_predicts_like_the_perceptron(kernel: Any) -> None:
    X, y = noisy_vectors(300, 8)
    projectron, perceptron = Projectron(kernel, eta=0.0), Perceptron(kernel)
    for t in range(len(X)):
        for model in (projectron, perceptron):
            model.partial_fit(X[t : t + 1], y[t : t + 1], classes=[-1, 1])
        assert projectron.mistakes_ == perceptron.mistakes_
    assert_allclose(
        projectron.decision_function(X), perceptron.decision_function(X), atol=1e-3 * len(projectron.support_)
    )
    assert projectron.n_support_ <= perceptron.n_support_


@pytest.mark.parametrize("learner", [Projectron, ProjectronPlusPlus])
def test_projectron_stops_growing(learner: Any) -> None:
    X, y = noisy_vectors(8000, 9)
    X = np.clip(X, -1.5, 1.5)  # of bounded items only so many are far from each other
    model = learner(RBF(gamma=0.2), eta=0.5, trace_every=500).fit(X, y)
    support = model.trace_.support
    assert support[-1] == support[len(support) // 2] < 100
    assert model.trace_.mistakes[-1] > model.trace_.mistakes[len(support) // 2]


def test_forgetful_projectron_of_everything_it_spans() -> None:
    """In ten dimensions, ten supports lose nothing by projection: it predicts like the perceptron."""
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 10))
    y = np.where(X @ random.normal(size=10) + random.normal(size=400) > 0, 1, -1)
    forgetful = ForgetfulProjectron(Linear(), 10).fit(X, y)
    perceptron = Perceptron(Linear()).fit(X, y)
    assert forgetful.mistakes_ == perceptron.mistakes_
    assert_allclose(forgetful.decision_function(X), perceptron.decision_function(X), rtol=1e-6, atol=1e-6)


def test_dynamic_aggressiveness_helps_on_noisy_data() -> None:
    scores = {False: 0.0, True: 0.0}
    for seed in range(5):
        X, y = noisy_vectors(1000, seed)
        flipped = np.where(np.random.default_rng(seed).random(1000) < 0.15, -y, y)
        for dynamic in scores:
            model = PassiveAggressive(RBF(), C=1.0, dynamic=dynamic).fit(X, flipped)
            scores[dynamic] += model.score(*noisy_vectors(1000, 100 + seed)) / 5
    assert scores[True] > scores[False] + 0.01


def test_ahpatron_stays_in_its_ball_and_budget() -> None:
    X, y = noisy_vectors(2000, 14)
    model = Ahpatron(RBF(), budget=20, radius=1.5).fit(X, y)
    assert model.n_support_ <= 20
    assert model._native.expansion.squared_norms()[0] <= 1.5**2 * (1 + 1e-12)


@pytest.mark.parametrize("split", [1, 7, 100])
@pytest.mark.parametrize("averaging", [None, "average", "vote", "normalized"])
def test_partial_fit_in_any_split_equals_one_pass(split: int, averaging: Any) -> None:
    X, y = noisy_trees(200, 3)
    kernel = Normalized(SubsetTree())
    for learner in (Perceptron(kernel), ProjectronPlusPlus(kernel, eta=0.3), Forgetron(kernel, 10)):
        learner.set_params(averaging=averaging)
        whole = learner.fit(X, y)
        parts = type(learner)(**learner.get_params(deep=False))
        for begin in range(0, len(X), split):
            parts.partial_fit(X[begin : begin + split], y[begin : begin + split], classes=[-1, 1])
        assert_array_equal(parts.decision_function(X), whole.decision_function(X))
        assert_array_equal(parts.support_, whole.support_)
        assert parts.mistakes_ == whole.mistakes_


def test_two_threads_equal_one() -> None:
    X, y = noisy_trees(300, 4)
    for averaging in (None, "average", "vote"):
        model = Perceptron(Normalized(SubsetTree()), averaging=averaging).fit(X, y)
        one = model.set_params(n_jobs=1).decision_function(X)
        assert_array_equal(model.set_params(n_jobs=2).decision_function(X), one)
