"""scikit-learn's own checks, for every classifier of the registry once, and its tools on trees."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow.feature_selection import ExtremalFeatureSelection
from hedgerow.kernels import RBF, Normalized, SubsetTree
from hedgerow.online import (
    FTRL,
    Forgetron,
    OnlineLearner,
    PassiveAggressive,
    Perceptron,
    PositiveWinnow,
)
from hedgerow.registry import learners
from hedgerow.structured import Multiclass, MulticlassSVC, StructuredPerceptron, StructuredSVM
from hedgerow.structured.learner import StructuredLearner
from hedgerow.svm import SVC, CuttingPlaneSVC
from tests.online.test_against_slow import noisy_trees


class Mistakes:
    """A perceptron in Python."""

    def __repr__(self) -> str:
        return "Mistakes()"

    def learn(self, f: Any, y: float, weight: float) -> None:
        if y * f.score <= 0:
            f.add(weight * y)


def one_of_each_class() -> list[Any]:
    """Classifiers of the registry; those that need a kernel get one, and those that can do without do."""
    made = {}
    for row in learners().values():
        if row.structured or row.cls in made:
            continue
        needed = {"kernel": RBF()} if row.on_kernels and not row.on_weights else {}
        for name, value in {"budget": 50, "random_state": 0}.items():
            if name in row.parameters:
                needed[name] = value
        made[row.cls] = row.make(**needed)
    # As near to the optimum as weights and repetitions are to each other.
    made[SVC].set_params(tol=1e-10)
    made[CuttingPlaneSVC].set_params(tol=1e-12)
    return list(made.values())


ESTIMATORS = [
    *one_of_each_class(),
    Perceptron(RBF(), bias=True, averaging="average"),
    OnlineLearner(Mistakes(), RBF()),
    SVC("precomputed", tol=1e-10),
    ExtremalFeatureSelection(),
    MulticlassSVC(random_state=0),
    StructuredSVM(Multiclass(), solver="frank-wolfe", random_state=0),
    StructuredPerceptron(Multiclass(), epochs=20, averaging="average"),
]


def expected_failures(estimator: Any) -> dict[str, str]:
    if isinstance(estimator, SVC):
        pairwise = {"check_classifiers_one_label_sample_weights": "its matrix is not symmetric"}
        return pairwise if estimator.kernel == "precomputed" else {}
    if isinstance(estimator, StructuredLearner):
        of_weights = [f"check_sample_weight_equivalence_on_{data}_data" for data in ("dense", "sparse")]
        failures = dict.fromkeys(of_weights, "steps are random, or of one example at a time")
        failures["check_class_weight_classifiers"] = "its data need an intercept, which these functions lack"
        if isinstance(estimator, StructuredPerceptron):
            failures["check_dict_unchanged"] = "weights are averaged when they are first asked for"
        return failures
    if isinstance(estimator, ExtremalFeatureSelection):
        return {}
    failures = {}
    if not getattr(estimator, "bias", False):
        failures["check_class_weight_classifiers"] = "its data need an intercept, which these functions lack"
    if isinstance(estimator, CuttingPlaneSVC):
        return failures
    for data in ("dense", "sparse"):
        failures[f"check_sample_weight_equivalence_on_{data}_data"] = (
            "an example of weight 2 moves the function once by twice as much; repeated, it is seen twice"
        )
    if get_tags(estimator).input_tags.positive_only:
        failures["check_sparsify_coefficients"] = "its data have negative features"
    if type(estimator).__name__ == "ROMMA":
        for how in ("", "(readonly_memmap=True)", "(readonly_memmap=True,X_dtype=float32)"):
            failures[f"check_classifiers_train{how}"] = "hard margins, one pass, noisy data"
    return failures


# One of each base class; what the others add to it are parameters and a native rule.
FIRST = (
    Perceptron,
    Forgetron,
    FTRL,
    PositiveWinnow,
    SVC,
    ExtremalFeatureSelection,
    MulticlassSVC,
)
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@parametrize_with_checks(
    [estimator for estimator in ESTIMATORS if isinstance(estimator, FIRST)],
    expected_failed_checks=expected_failures,
)
def test_estimator_checks(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(
    [estimator for estimator in ESTIMATORS if not isinstance(estimator, FIRST)],
    expected_failed_checks=expected_failures,
)
def test_estimator_checks_of_the_others(estimator: Any, check: Any) -> None:
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
