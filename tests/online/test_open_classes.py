"""Classes that come while learning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone

import hedgerow
from hedgerow.kernels import RBF, Linear, Normalized, PartialTree, SubsetTree, SubTree
from hedgerow.online import RDA, Forgetron, OnlineLearner, PassiveAggressive, Perceptron, ProjectronPlusPlus
from tests.online.test_against_slow import noisy_trees
from tests.online.test_multiclass import three_classes

LEARNERS = [
    Perceptron(),
    Perceptron(RBF()),
    Perceptron(Linear(), averaging="average"),
    PassiveAggressive(RBF(), averaging="vote"),
    Forgetron(RBF(), budget=10),
    ProjectronPlusPlus(RBF(), budget=10),
    RDA(l1=0.01, averaging="average"),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_a_function_begins_with_the_first_example_of_its_class(learner: Any) -> None:
    X, y = three_classes(120, 1)
    model = learner.partial_fit(X, y, classes="open")
    assert model.classes_.tolist() == ["ant", "bee", "cow"]
    scores = model.decision_function(X)
    for number, label in enumerate(model.classes_):
        begin = int(np.flatnonzero(y == label)[0])
        alone = clone(learner)
        alone.partial_fit(X[begin:], y[begin:] == label, classes=[False, True])
        assert_array_equal(scores[:, number], alone.decision_function(X))


@pytest.mark.parametrize(
    "kernel",
    [
        Normalized(SubsetTree()),
        Normalized(SubTree()),
        Normalized(PartialTree()),
        Normalized(SubsetTree() + SubTree()),
    ],
)
def test_pieces_equal_one_pass(kernel: Any) -> None:
    trees, _ = noisy_trees(90, 2)
    y = np.random.default_rng(0).choice(["b", "a", "longer", "c"], size=90, p=[0.5, 0.3, 0.15, 0.05])
    whole = Forgetron(kernel, budget=10, averaging="average").partial_fit(trees, y, classes="open")
    pieces = Forgetron(kernel, budget=10, averaging="average")
    for begin in range(0, 90, 7):
        pieces.partial_fit(trees[begin : begin + 7], y[begin : begin + 7], classes="open")
    assert_array_equal(pieces.classes_, np.unique(y))
    assert_array_equal(whole.decision_function(trees), pieces.decision_function(trees))
    assert pieces.mistakes_ == whole.mistakes_


def test_one_class_two_classes_and_a_copy(tmp_path: Any) -> None:
    model = Perceptron(RBF(), trace_every=1).partial_fit([[0.0]], ["m"], classes="open")
    assert model.predict([[3.0]]).tolist() == ["m"]
    assert model.decision_function([[3.0]]).shape == (1, 1)
    model.partial_fit([[2.0]], ["a"])
    assert model.decision_function([[3.0], [0.0]]).shape == (2, 2)
    assert model.predict([[3.0], [0.0]]).tolist() == ["a", "m"]
    hedgerow.save(model, tmp_path / "m")
    copy = hedgerow.load(tmp_path / "m")
    for each in (model, copy):
        each.partial_fit([[9.0]], ["z"])
        assert each.predict([[8.0], [0.0]]).tolist() == ["z", "m"]
    assert_array_equal(copy.decision_function([[1.0]]), model.decision_function([[1.0]]))
    assert model.fit([[0.0], [1.0]], [0, 1]).decision_function([[1.0]]).shape == (1,)


def test_what_is_refused() -> None:
    known = Perceptron(RBF()).partial_fit([[0.0]], ["a"], classes=["a", "b"])
    with pytest.raises(ValueError, match=r"the label 'c', which is not one of .*; .*classes='open'"):
        known.partial_fit([[0.0]], ["c"])
    with pytest.raises(ValueError, match="all labels that will come, or 'open'"):
        Perceptron().partial_fit([[0.0]], ["a"])
    with pytest.raises(ValueError, match="classes='open' needs multiclass='one-vs-rest'"):
        Perceptron(multiclass="one-vs-one").partial_fit([[0.0]], ["a"], classes="open")
    with pytest.raises(ValueError, match="class_weight needs to know the classes"):
        Perceptron(class_weight={"a": 2.0}).partial_fit([[0.0]], ["a"], classes="open")
    with pytest.raises(ValueError, match="classes='open' is for native rules"):
        OnlineLearner(Perceptron, RBF()).set_params(rule=_Rule()).partial_fit([[0.0]], ["a"], classes="open")
    with pytest.raises(ValueError, match="whose type differs from that of the classes"):
        Perceptron(RBF()).partial_fit([[0.0]], ["a"], classes="open").partial_fit([[0.0]], [1])


class _Rule:
    def learn(self, f: Any, y: float, weight: float) -> None: ...


@pytest.mark.parametrize(
    "y", [[["a"], ["a", "b"]], [{"a"}, {"b"}], np.eye(2, dtype=int), [("a",), ("b", "c")]]
)
def test_sets_of_labels_name_who_takes_them(y: Any) -> None:
    for learn in (
        lambda: Perceptron(RBF()).fit([[0.0], [1.0]], y),
        lambda: Perceptron(RBF()).partial_fit([[0.0], [1.0]], y, classes=["a", "b"]),
        lambda: hedgerow.svm.SVC(RBF()).fit([[0.0], [1.0]], y),
    ):
        with pytest.raises(ValueError, match="OneVsRestClassifier"):
            learn()
