"""Weights of examples and classes: what they do to objectives, and to steps of perceptrons."""

from __future__ import annotations

import numpy as np
import pytest

from hedgerow.kernels import Linear, Spectrum
from hedgerow.structured import (
    LabelSequence,
    Multiclass,
    MulticlassSVC,
    StringMapping,
    StructuredPerceptron,
    StructuredSVM,
)
from tests.structured.generic_qp import generic_optimum

random = np.random.RandomState(0)
X, Y = random.normal(size=(15, 3)), np.arange(15) % 3
WEIGHTS = np.array([0.0, 0.5, 1.0, 2.0, 7.0] * 3)
LOSS = {(0, 1): 2.0, (2, 0): 0.5}
WORDS = [["the", "cat"], ["a", "dog", "ran"], ["the", "dog", "ran", "a"], ["a", "cat"]]
TAGS = [["D", "N"], ["D", "N", "V"], ["D", "N", "V", "D"], ["N", "N"]]


@pytest.mark.parametrize("kernel", [None, Linear()])
@pytest.mark.parametrize(
    ("solver", "slack", "rescaling"),
    [
        ("one-slack", "linear", "margin"),
        ("one-slack", "linear", None),
        ("frank-wolfe", "linear", "margin"),
        ("frank-wolfe", "linear", "slack"),
        ("frank-wolfe", "linear", None),
        *(("n-slack", slack, r) for slack in ("linear", "quadratic") for r in ("margin", "slack", None)),
    ],
)
def test_machines_find_the_optimum_of_the_weighted_objective(kernel, solver, slack, rescaling):
    settings = {
        "C": 0.5,
        "solver": solver,
        "slack": slack,
        "rescaling": rescaling,
        "tol": 1e-5,
        "random_state": 0,
    }
    model = StructuredSVM(Multiclass(kernel, loss=LOSS), **settings).fit(X, Y, sample_weight=WEIGHTS)
    plain = StructuredSVM(Multiclass(loss=LOSS)).fit(X, Y).problem_
    expected = generic_optimum(plain, X, Y, 0.5, slack, rescaling, WEIGHTS).objective
    assert model.objective_ == pytest.approx(expected, rel=1e-3)
    assert model.dual_objective_ <= expected * (1 + 1e-6)


@pytest.mark.parametrize("solver", ["one-slack", "n-slack", "frank-wolfe"])
def test_a_weight_of_two_is_an_example_twice(solver):
    settings = {"C": 0.3, "solver": solver, "tol": 1e-6, "random_state": 0}
    weighted = StructuredSVM(LabelSequence(), **settings).fit(WORDS, TAGS, sample_weight=[2, 1, 0, 1])
    kept = [0, 0, 1, 3]
    repeated = StructuredSVM(LabelSequence(classes=["D", "N", "V"]), **settings).fit(
        [WORDS[i] for i in kept], [TAGS[i] for i in kept]
    )
    assert weighted.objective_ == pytest.approx(repeated.objective_, rel=1e-4)


def test_steps_of_perceptrons():
    model = StructuredPerceptron(Multiclass(classes=[0, 1, 2])).fit(X[1:2], Y[1:2], sample_weight=[3.0])
    once = StructuredPerceptron(Multiclass(classes=[0, 1, 2])).fit(X[1:2], Y[1:2])
    assert model.coef_.tolist() == (3 * once.coef_).tolist()
    left_out = StructuredPerceptron(Multiclass(), epochs=2).fit(
        X, Y, sample_weight=(WEIGHTS > 0).astype(float)
    )
    shorter = StructuredPerceptron(Multiclass(), epochs=2).fit(X[WEIGHTS > 0], Y[WEIGHTS > 0])
    assert left_out.coef_.tolist() == shorter.coef_.tolist()
    for variant in ("PA-I", "PA-II"):
        learners = [StructuredPerceptron(Multiclass(), variant=variant, C=C) for C in (0.01, 0.02)]
        weighted = learners[0].fit(X, Y, sample_weight=2.0)
        assert weighted.coef_.tolist() == learners[1].fit(X, Y).coef_.tolist()


def test_weights_are_those_of_one_fit():
    pairs = StringMapping(Spectrum(2), Spectrum(1))
    inputs, outputs = ["abab", "babb", "aabb", "bbaa"], ["xy", "yy", "xx", "yyx"]
    machine = StructuredSVM(pairs, solver="frank-wolfe", random_state=0)
    expected = machine.fit(inputs, outputs).objective_
    machine.fit(inputs, outputs, sample_weight=[0.1, 0.1, 0.1, 7.0])
    assert machine.fit(inputs, outputs).objective_ == expected
    assert machine.certificate_ >= 0


def test_class_weights():
    by_class = {0: 2.0, 1: 0.5, 2: 1.0}
    settings = {"C": 0.4, "solver": "n-slack", "tol": 1e-6}
    model = MulticlassSVC(class_weight=by_class, **settings).fit(X, Y)
    same = MulticlassSVC(**settings).fit(X, Y, sample_weight=[by_class[label] for label in Y])
    assert model.objective_ == pytest.approx(same.objective_, rel=1e-5)
    both = MulticlassSVC(class_weight=by_class, **settings).fit(X, Y, sample_weight=WEIGHTS)
    expected = MulticlassSVC(**settings).fit(X, Y, sample_weight=WEIGHTS * [by_class[label] for label in Y])
    assert both.objective_ == pytest.approx(expected.objective_, rel=1e-5)
    few = np.r_[np.zeros(12), 1, 1, 2].astype(int)
    balanced = MulticlassSVC(class_weight="balanced", **settings).fit(X, few)
    weights = [15 / (3 * np.sum(few == label)) for label in few]
    expected = MulticlassSVC(**settings).fit(X, few, sample_weight=weights)
    assert balanced.objective_ == pytest.approx(expected.objective_, rel=1e-5)


def test_refusals():
    svm = StructuredSVM(Multiclass())
    for weights, words in (
        ([1.0], r"sample_weight must have the shape \(15,\)"),
        (-np.ones(15), "sample_weight must be finite and at least 0"),
        (np.zeros(15), "at least one weight that is not zero"),
    ):
        for learner in (svm, StructuredPerceptron(Multiclass())):
            with pytest.raises(ValueError, match=words):
                learner.fit(X, Y, sample_weight=weights)
    with pytest.raises(ValueError, match="no effect on a hard margin"):
        StructuredSVM(Multiclass(), slack=None, rescaling=None).fit(X, Y, sample_weight=WEIGHTS)
    with pytest.raises(ValueError, match="no effect with variant='PA'"):
        StructuredPerceptron(Multiclass(), variant="PA").fit(X, Y, sample_weight=WEIGHTS)
    with pytest.raises(ValueError, match="class_weight='balanced' needs all examples"):
        MulticlassSVC(class_weight="balanced").partial_fit(X, Y)
