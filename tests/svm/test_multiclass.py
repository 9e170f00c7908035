"""Several classes by pairs and by codes: every function is a machine of its own, and classes win as they should."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import svm
from sklearn.datasets import load_iris

import hedgerow
from hedgerow.inspection import explain
from hedgerow.kernels import RBF
from hedgerow.online import Perceptron
from hedgerow.svm import SVC

X, Y = load_iris(return_X_y=True)
X, Y = X[::2], np.array(["c", "a", "d"])[Y[::2]]
SCHEMES = ["one-vs-one", "codes"]


def machine(scheme, **more):
    return SVC(RBF(gamma=0.3), C=2.0, multiclass=scheme, tol=1e-6, random_state=0, **more)


@pytest.mark.parametrize("loss", ["hinge", "squared-hinge"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_functions_are_machines(scheme, loss):
    weights = np.random.RandomState(0).uniform(0.5, 2, size=len(X))
    model = machine(scheme, loss=loss).fit(X, Y, sample_weight=weights)
    codes, _ = model._codes
    assert codes.shape == (3, 3 if scheme == "one-vs-one" else 16)
    labels = np.searchsorted(model.classes_, Y)
    scores = model._native.decisions(RBF()._items(RBF()._prepare(X)), 1, False).reshape(len(X), -1)
    for function, code in enumerate(codes.T):
        some = code[labels] != 0
        alone = SVC(RBF(gamma=0.3), C=2.0, loss=loss, tol=1e-6)
        alone.fit(X[some], code[labels[some]], sample_weight=weights[some])
        assert_allclose(scores[:, function], alone.decision_function(X), atol=1e-4)
        assert model.objective_[function] == pytest.approx(alone.objective_[0], rel=1e-5)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_classes_score_as_with_online_learners(scheme):
    """The same functions decode to the same scores: those of a perceptron, decoded here."""
    from hedgerow.models.codes import decode

    learner = Perceptron(RBF(gamma=0.3), multiclass=scheme, random_state=1).fit(X, Y)
    functions = RBF(gamma=0.3)(X, learner.support_items_) @ learner.dual_coef_.T + learner.intercept_
    assert_allclose(
        decode(learner._codes, learner._decoding, functions), learner.decision_function(X), atol=1e-9
    )


def test_pairs_as_scikit_learn_has_them():
    found = machine("one-vs-one").fit(X, Y)
    expected = svm.SVC(kernel="rbf", gamma=0.3, C=2.0, tol=1e-6).fit(X, Y)
    assert_array_equal(found.predict(X), expected.predict(X))
    assert found.n_support_ == len(expected.support_)
    assert found.decision_function(X[:0]).shape == (0, 3)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_copies_probabilities_and_explanations(scheme, tmp_path):
    model = machine(scheme, probability="sigmoid", class_weight="balanced").fit(X, Y)
    assert model.score(X, Y) > 0.9
    assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
    hedgerow.save(model, tmp_path / "a.model")
    copy = hedgerow.load(tmp_path / "a.model")
    assert_array_equal(copy.decision_function(X), model.decision_function(X))
    assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    (explained,) = explain(model, X[:1])
    assert explained.predicted == model.predict(X[:1])[0]


def test_two_classes_are_told_apart_by_one_function():
    two = Y != "d"
    expected = SVC(RBF()).fit(X[two], Y[two]).decision_function(X)
    for scheme in SCHEMES:
        found = SVC(RBF(), multiclass=scheme).fit(X[two], Y[two])
        assert_array_equal(found.decision_function(X), expected)


def test_paths():
    models = list(machine("codes").path(X, Y, [0.1, 1.0]))
    alone = machine("codes").set_params(C=1.0).fit(X, Y)
    assert_allclose(models[1].decision_function(X), alone.decision_function(X), atol=1e-3)


def test_refusals():
    with pytest.raises(ValueError, match="multiclass must be"):
        SVC(multiclass="pairs").fit(X, Y)
    with pytest.raises(ValueError, match="cost_factor must be a number or 'balanced'"):
        SVC(multiclass="codes", cost_factor={"a": 2.0}).fit(X, Y)
