"""``multiclass="direct"``: one update over all classes."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone

import hedgerow
from hedgerow import distributed
from hedgerow.kernels import RBF, Linear, Normalized, SubsetTree
from hedgerow.models.annotations import Multiclass
from hedgerow.online import AROW, RDA, Forgetron, PassiveAggressive, Perceptron
from hedgerow.registry import learners
from hedgerow.testing import check_learner
from tests.distributed.weight_shards import sharded
from tests.online import slow_joint as slow
from tests.online.test_contract import TREES
from tests.online.test_contract import Y as TREE_LABELS

N, WIDTH, CLASSES = 150, 12, 5


def rows(seed: int = 0, n_classes: int = CLASSES) -> tuple[Any, Any]:
    """Vectors with zeros and an empty one, and numbers of classes with some noise."""
    random = np.random.default_rng(seed)
    X = np.where(random.random((N, WIDTH)) < 0.5, random.normal(size=(N, WIDTH)), 0)
    X[7] = 0
    scores = X @ random.normal(size=(WIDTH, n_classes)) + 0.5 * random.normal(size=(N, n_classes))
    return X, scores.argmax(axis=1)


X, Y = rows()
WEIGHTS = np.random.default_rng(1).uniform(0.2, 3, size=N)
ALL = {name: row for name, row in learners().items() if getattr(row.cls, "_learns_jointly", False)}
FORMS = [
    pytest.param(
        row.make(multiclass="direct", averaging=averaging, **form), id=f"{name} {averaging} {len(form)}"
    )
    for name, row in ALL.items()
    for form in ({}, *([{"kernel": RBF(0.3)}] if row.on_kernels else []))
    for averaging in (None, "average")
]


def close(actual: Any, expected: Any) -> None:
    assert_allclose(actual, expected, rtol=1e-12, atol=1e-12)


def test_there_are_three() -> None:
    assert "direct" in get_args(Multiclass)
    assert {row.cls.__name__ for row in ALL.values()} >= {"Perceptron", "PassiveAggressive", "AROW"}


@pytest.mark.parametrize("kernel", [None, Linear(), RBF(0.3)], ids=str)
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("weight", [None, WEIGHTS], ids=["", "weights"])
def test_perceptron(kernel: Any, bias: bool, weight: Any) -> None:
    K = X @ X.T if kernel is None else kernel(X)
    model = Perceptron(kernel, bias=bias, multiclass="direct").fit(X, Y, sample_weight=weight)
    run = slow.perceptron(K, Y, CLASSES, bias, weight)
    close(model.decision_function(X), run.values(K))
    assert model.mistakes_ == run.mistakes
    assert model.updates_ == 2 * sum(run.changed)


@pytest.mark.parametrize("kernel", [None, RBF(0.3)], ids=str)
@pytest.mark.parametrize(
    "parameters",
    [
        {"variant": "PA"},
        {"variant": "PA-I", "C": 0.05},
        {"variant": "PA-II", "C": 0.3},
        {"C": 2.0, "dynamic": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_passive_aggressive(kernel: Any, parameters: dict[str, Any], weighted: bool) -> None:
    weight = WEIGHTS if weighted and parameters.get("variant") != "PA" else None
    K = X @ X.T if kernel is None else kernel(X)
    model = PassiveAggressive(kernel, multiclass="direct", **parameters).fit(X, Y, sample_weight=weight)
    run = slow.passive_aggressive(K, Y, CLASSES, **parameters, weight=weight)
    close(model.decision_function(X), run.values(K))
    assert model.mistakes_ == run.mistakes


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("weight", [None, WEIGHTS], ids=["", "weights"])
@pytest.mark.parametrize("r", [1.0, 0.1])
def test_arow(bias: bool, weight: Any, r: float) -> None:
    model = AROW(r, bias=bias, multiclass="direct").fit(X, Y, sample_weight=weight)
    run = slow.arow(X, Y, CLASSES, r, bias, weight)
    close(model.coef_, run.coefficients[:, :WIDTH])
    close(model.intercept_, run.coefficients[:, WIDTH] if bias else np.zeros(CLASSES))
    assert model.mistakes_ == run.mistakes


@pytest.mark.parametrize("kernel", [None, RBF(0.3)], ids=str)
@pytest.mark.parametrize("counting", ["examples", "correct"])
def test_averages(kernel: Any, counting: str) -> None:
    K = X @ X.T if kernel is None else kernel(X)
    given = {"averaging": "average", "counting": counting, "multiclass": "direct"}
    close(
        Perceptron(kernel, bias=True, **given).fit(X, Y).decision_function(X),
        slow.perceptron(K, Y, CLASSES, bias=True).averaged(K, counting),
    )
    close(
        PassiveAggressive(kernel, C=0.1, **given).fit(X, Y).decision_function(X),
        slow.passive_aggressive(K, Y, CLASSES, C=0.1).averaged(K, counting),
    )


@pytest.mark.parametrize("n_classes", [3, 7, 8, 30])
def test_many_classes_are_read_together(n_classes: int) -> None:
    more, y = rows(3, n_classes)
    for model, run in [
        (AROW(multiclass="direct"), slow.arow),
        (
            PassiveAggressive(multiclass="direct", C=0.1),
            lambda X, y, n: slow.passive_aggressive(X @ X.T, y, n, C=0.1),
        ),
    ]:
        given = np.unique(y)
        labels = np.searchsorted(given, y)
        model.fit(sparse.csr_matrix(more), y)
        expected = run(more, labels, len(given))
        close(
            model.decision_function(more),
            expected.values(more.T if isinstance(model, AROW) else more @ more.T),
        )


@pytest.mark.parametrize("model", FORMS)
def test_contract(model: Any) -> None:
    check_learner(clone(model), np.abs(X[:90]), np.array(list("abcde"))[Y[:90]])


def test_trees() -> None:
    model = PassiveAggressive(Normalized(SubsetTree()), multiclass="direct")
    check_learner(model, TREES[:50], TREE_LABELS[:50])


@pytest.mark.parametrize("model", FORMS)
def test_resuming_from_a_file(model: Any, tmp_path: Any) -> None:
    whole = clone(model).partial_fit(X, Y, classes=range(CLASSES))
    part = clone(model).partial_fit(X[:70], Y[:70], classes=range(CLASSES))
    hedgerow.save(part, tmp_path / "a.model")
    again = hedgerow.load(tmp_path / "a.model").partial_fit(X[70:], Y[70:])
    assert_array_equal(again.decision_function(X), whole.decision_function(X))
    assert again.mistakes_ == whole.mistakes_


@pytest.mark.parametrize("model", FORMS)
def test_shards(model: Any) -> None:
    alone = distributed.fit(clone(model), sharded(X, Y, (0, N)))
    assert_array_equal(alone.decision_function(X), clone(model).fit(X, Y).decision_function(X))
    mixed = distributed.fit(clone(model), sharded(X, Y, (0, 60, N)))
    assert (mixed.predict(X) == Y).mean() > 0.5


def test_weights_of_shards_are_means_over_those_that_changed_them() -> None:
    model = PassiveAggressive(multiclass="direct")
    parts = [
        clone(model).partial_fit(X[a:b], Y[a:b], classes=range(CLASSES)).coef_ for a, b in ((0, 60), (60, N))
    ]
    shares = np.array([60 / N, 1 - 60 / N])
    changed = np.tensordot(shares, [part != 0 for part in parts], 1)
    expected = np.tensordot(shares, parts, 1) / np.where(changed > 0, changed, 1)
    close(distributed.fit(clone(model), sharded(X, Y, (0, 60, N))).coef_, expected)


def test_two_classes_have_one_function() -> None:
    two = Y > 1
    for learner in (Perceptron, PassiveAggressive, AROW):
        direct = learner(multiclass="direct").fit(X, two)
        assert_array_equal(direct.decision_function(X), learner().fit(X, two).decision_function(X))


def test_what_has_no_meaning_is_refused() -> None:
    for averaging in ("vote", "normalized"):
        with pytest.raises(ValueError, match="cannot be combined with multiclass='direct'"):
            Perceptron(multiclass="direct", averaging=averaging).fit(X, Y)
    for other in (RDA(multiclass="direct"), Forgetron(RBF(), budget=5, multiclass="direct")):
        with pytest.raises(
            ValueError, match="multiclass='direct' is for Perceptron, PassiveAggressive and AROW"
        ):
            other.fit(X, Y)
    with pytest.raises(ValueError, match="classes='open' needs multiclass='one-vs-rest'"):
        AROW(multiclass="direct").partial_fit(X, Y, classes="open")
