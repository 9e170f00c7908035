"""scikit-learn's own checks, and its tools on trees."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow.kernels import RBF, Normalized, SubsetTree
from hedgerow.online import (
    ROMMA,
    Ahpatron,
    ForgetfulProjectron,
    Forgetron,
    OnlineLearner,
    PassiveAggressive,
    Perceptron,
    Projectron,
    ProjectronPlusPlus,
    RandomBudgetPerceptron,
    Stoptron,
)
from tests.online.test_against_slow import noisy_trees


class Mistakes:
    """A perceptron in Python."""

    def __repr__(self) -> str:
        return "Mistakes()"

    def learn(self, f: Any, y: float, weight: float) -> None:
        if y * f.score <= 0:
            f.add(weight * y)


LEARNERS = [
    Perceptron(),
    Perceptron(RBF(), averaging="average", epochs=3),
    Perceptron(RBF(), averaging="vote"),
    PassiveAggressive(RBF(), averaging="normalized"),
    PassiveAggressive(RBF(), multiclass="one-vs-one"),
    ROMMA(RBF(), aggressive=True),
    Stoptron(RBF(), budget=50),
    RandomBudgetPerceptron(RBF(), budget=50, random_state=0),
    Forgetron(RBF(), budget=50),
    Projectron(RBF()),
    ProjectronPlusPlus(RBF(), budget=50),
    ForgetfulProjectron(RBF(), budget=50),
    Ahpatron(RBF(), budget=50),
    OnlineLearner(Mistakes(), RBF()),
]


def expected_failures(estimator: Any) -> dict[str, str]:
    reason = "an example of weight 2 moves the function once by twice as much; repeated, it is seen twice"
    failures = {
        "check_sample_weight_equivalence_on_dense_data": reason,
        "check_sample_weight_equivalence_on_sparse_data": reason,
    }
    failures["check_class_weight_classifiers"] = "its data need an intercept, which these functions lack"
    return failures


@parametrize_with_checks(LEARNERS, expected_failed_checks=expected_failures)
def test_estimator_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def test_grid_search_on_trees() -> None:
    X, y = noisy_trees(120, 1)
    search = GridSearchCV(
        PassiveAggressive(Normalized(SubsetTree())),
        {"kernel__kernel__decay": [0.2, 0.8], "C": [0.1, 1.0], "variant": ["PA-I", "PA-II"]},
        cv=3,
    ).fit(X, y)
    assert search.best_score_ > 0.6
    assert search.best_estimator_.kernel_.kernel.decay in (0.2, 0.8)


def test_cross_validation_and_pipeline_on_trees() -> None:
    X, y = noisy_trees(120, 2)
    model = make_pipeline(FunctionTransformer(), Perceptron(Normalized(SubsetTree()), averaging="average"))
    assert cross_val_score(model, X, y, cv=3).mean() > 0.6


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_clone_forgets(learner: Any) -> None:
    X, y = [[0.0], [1.0], [0.2]], [0, 1, 0]
    fitted = learner.fit(X, y)
    assert not hasattr(clone(fitted), "classes_")
