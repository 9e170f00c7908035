"""More than two classes."""

from __future__ import annotations

from itertools import combinations
from typing import Any, get_args

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from hedgerow.datasets import load_questions
from hedgerow.kernels import RBF, Normalized, SubsetTree
from hedgerow.models.annotations import Multiclass
from hedgerow.models.codes import code_matrix, n_functions
from hedgerow.online import Forgetron, PassiveAggressive, Perceptron, ProjectronPlusPlus
from tests.online import slow_learners as slow


def three_classes(n: int, seed: int) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    y = random.integers(3, size=n)
    centres = np.array([[0.0, 0.0], [1.5, 0.0], [0.0, 1.5]])
    return centres[y] + random.normal(scale=0.6, size=(n, 2)), np.array(["ant", "bee", "cow"])[y]


def test_one_vs_rest_is_one_learner_a_class_on_shared_supports() -> None:
    X, y = three_classes(150, 1)
    kernel = RBF()
    K = kernel(X)
    model = Perceptron(kernel).fit(X, y)
    runs = [slow.perceptron(K, np.where(y == label, 1, -1)) for label in model.classes_]
    assert_allclose(model.decision_function(X), np.array([run.values(K) for run in runs]).T, atol=1e-9)
    union = sorted({m for run in runs for m in run.mistakes})
    assert_array_equal(model.support_, union)
    assert_array_equal(model.predict(X), model.classes_[model.decision_function(X).argmax(axis=1)])


def test_budgets_hold_for_every_function() -> None:
    X, y = three_classes(300, 2)
    kernel = RBF()
    K = kernel(X)
    model = Forgetron(kernel, budget=10).fit(X, y)
    assert model.n_support_ <= 30
    assert ((model.dual_coef_ != 0).sum(axis=1) <= 10).all()
    runs = [slow.forgetron(K, np.where(y == label, 1, -1), 10, "self-tuned") for label in model.classes_]
    assert_allclose(model.decision_function(X), np.array([run.values(K) for run in runs]).T, atol=1e-9)


def test_projections_for_every_function() -> None:
    X, y = three_classes(200, 3)
    kernel = RBF()
    K = kernel(X)
    model = ProjectronPlusPlus(kernel, eta=0.3).fit(X, y)
    runs = [slow.projectron(K, np.where(y == label, 1, -1), 0.3, plus_plus=True) for label in model.classes_]
    assert_allclose(model.decision_function(X), np.array([run.values(K) for run in runs]).T, atol=1e-8)


def test_one_vs_one() -> None:
    X, y = three_classes(150, 4)
    kernel = RBF()
    model = PassiveAggressive(kernel, multiclass="one-vs-one").fit(X, y)
    values = []
    for first, second in combinations(model.classes_, 2):
        kept = (y == first) | (y == second)
        run = slow.passive_aggressive(
            kernel(X[kept]), np.where(y[kept] == second, 1, -1), variant="PA-I", C=1.0
        )
        values.append(run.beta @ kernel(X[kept], X))
    ab, ac, bc = values
    votes = np.array([(ab <= 0) * 1 + (ac <= 0), (ab > 0) * 1 + (bc <= 0), (ac > 0) * 1 + (bc > 0)]).T
    decisions = model.decision_function(X)
    assert_array_equal(np.round(decisions), votes)
    assert decisions.shape == (150, 3)
    assert (model.predict(X) == y).mean() > 0.8


@pytest.mark.parametrize("scheme", get_args(Multiclass))
@pytest.mark.parametrize("n_classes", [2, 3, 4, 9])
def test_codes_tell_classes_apart(scheme: str, n_classes: int) -> None:
    code, _ = code_matrix(n_classes, scheme, np.random.RandomState(0))
    assert code.shape == (n_classes, n_functions(n_classes, scheme))
    assert (code == 1).any(axis=0).all()
    assert (code == -1).any(axis=0).all()
    assert all((a != b).any() for a, b in combinations(code, 2))


def test_error_correcting_codes_learn() -> None:
    X, y = three_classes(400, 5)
    model = PassiveAggressive(RBF(), C=0.2, multiclass="codes", random_state=0).fit(X, y)
    assert model.decision_function(X).shape == (400, 3)
    assert model.score(X, y) > 0.75
    again = PassiveAggressive(RBF(), C=0.2, multiclass="codes", random_state=0).fit(X, y)
    assert_array_equal(again.decision_function(X), model.decision_function(X))


def test_a_tie_is_a_mistake() -> None:
    model = Perceptron(RBF()).fit([[0.0], [5.0], [9.0]], ["a", "b", "c"])
    assert model.mistakes_ == 3


def test_a_small_budget_of_a_projectron_is_of_use() -> None:
    trees, y = load_questions()
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[:200], order[200:]
    model = ProjectronPlusPlus(Normalized(SubsetTree()), budget=20).fit(trees[train], y[train])
    assert ((model.dual_coef_ != 0).sum(axis=1) <= 20).all()
    majority = np.unique(y[test], return_counts=True)[1].max() / len(test)
    assert model.score(trees[test], y[test]) > 2 * majority
