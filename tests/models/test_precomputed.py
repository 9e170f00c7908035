"""Kernel values in place of items: every learner on kernels learns from them what it learns from the items."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import cross_val_score

import hedgerow
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.online import Perceptron
from hedgerow.registry import learners
from hedgerow.structured import (
    LabelSequence,
    Multiclass,
    OutputFeatures,
    StructuredPerceptron,
    StructuredSVM,
    Taxonomy,
    TaxonomySVC,
)
from hedgerow.testing import check_learner
from tests.online.test_against_slow import noisy_trees

N = 60
KERNEL = Normalized(SubsetTree())
TREES, SIGNS = noisy_trees(N, 3)
NEW = noisy_trees(40, 4)[0]
GRAM, ROWS = KERNEL(TREES), KERNEL(NEW, TREES)
Y = np.where(np.arange(N) % 7 == 0, "other", np.where(SIGNS > 0, "good", "bad"))
ON_KERNELS = {name: row for name, row in learners().items() if row.on_kernels}
PARENTS = {"good": "known", "bad": "known", "known": "all", "other": "all"}


def make(name: str) -> Any:
    row = ON_KERNELS[name]
    parameters = {"budget": 15, "random_state": 0, "tol": 1e-6, "epochs": 2, "shuffle": True}
    return row.make(kernel=KERNEL, **{k: v for k, v in parameters.items() if k in row.parameters})


@pytest.mark.parametrize("name", ON_KERNELS)
def test_every_learner(name):
    learner = make(name)
    on_values = clone(learner).set_params(kernel="precomputed")
    expected = learner.fit(TREES, Y)
    for values in (GRAM, GRAM.astype(np.float32)):
        found = clone(on_values).fit(values, Y)
        tolerance = 1e-4 if values.dtype == np.float32 or name == "cutting-plane" else 1e-9
        assert_allclose(
            found.decision_function(ROWS), expected.decision_function(NEW), atol=tolerance, rtol=tolerance
        )
    assert_array_equal(clone(on_values).fit(GRAM, Y).support_, expected.support_)
    assert_array_equal(
        cross_val_score(on_values, GRAM, Y, cv=3), cross_val_score(clone(learner), TREES, Y, cv=3)
    )
    check_learner(on_values, GRAM, Y)


@pytest.mark.parametrize("averaging", ["average", "vote", "normalized"])
def test_averages_and_votes(averaging):
    found = Perceptron("precomputed", averaging=averaging).fit(GRAM, Y)
    expected = Perceptron(KERNEL, averaging=averaging).fit(TREES, Y)
    assert_allclose(found.decision_function(ROWS), expected.decision_function(NEW), atol=1e-9)


@pytest.mark.parametrize(
    "problem",
    [Multiclass(), Taxonomy(PARENTS), OutputFeatures({"good": "a b", "bad": "b c", "other": "d"})],
    ids=lambda problem: type(problem).__name__,
)
@pytest.mark.parametrize(
    "learner",
    [StructuredPerceptron(epochs=2), StructuredSVM(None, random_state=0)],
    ids=["perceptron", "svm"],
)
def test_structured_machines(problem, learner, tmp_path):
    on_items = clone(learner).set_params(problem=clone(problem).set_params(kernel=KERNEL))
    on_values = clone(learner).set_params(problem=clone(problem).set_params(kernel="precomputed"))
    expected, found = on_items.fit(TREES, Y), on_values.fit(GRAM, Y)
    assert_array_equal(found.predict(ROWS), expected.predict(NEW))
    hedgerow.save(found, tmp_path / "model")
    assert_array_equal(hedgerow.load(tmp_path / "model").predict(ROWS), expected.predict(NEW))
    assert_array_equal(cross_val_score(on_values, GRAM, Y, cv=3), cross_val_score(on_items, TREES, Y, cv=3))


def test_a_machine_that_makes_its_problem():
    machine = TaxonomySVC(PARENTS, kernel="precomputed", random_state=0)
    assert_array_equal(
        cross_val_score(machine, GRAM, Y, cv=3),
        cross_val_score(clone(machine).set_params(kernel=KERNEL), TREES, Y, cv=3),
    )


def test_what_is_refused():
    model = Perceptron("precomputed").fit(GRAM, Y)
    with pytest.raises(ValueError, match="partial_fit needs a kernel: with kernel='precomputed'"):
        model.partial_fit(GRAM, Y)
    with pytest.raises(
        ValueError, match=r"X must be a square matrix of kernel values, got the shape \(40, 60\)"
    ):
        Perceptron("precomputed").fit(ROWS, Y[:40])
    with pytest.raises(ValueError, match=r"a square matrix of kernel values, got the shape \(40, 60\)"):
        StructuredPerceptron(Multiclass("precomputed")).fit(ROWS, Y[:40])
    with pytest.raises(ValueError, match="X must be symmetric; row 0 and column 0 differ"):
        Perceptron("precomputed").fit(np.triu(GRAM), Y)
    with pytest.raises(ValueError, match=r"X has 40 features, .* is expecting 60 .* with all examples"):
        model.predict(ROWS[:, :40])
    with pytest.raises(ValueError, match="contains NaN"):
        Perceptron("precomputed").fit(np.full((N, N), np.nan), Y)
    with pytest.raises(
        ValueError, match="kernel must be a hedgerow kernel, 'precomputed' or None, got 'rbf'"
    ):
        Perceptron("rbf").fit(GRAM, Y)
    with pytest.raises(TypeError, match="kernel must be a hedgerow kernel or None, got 'precomputed'"):
        StructuredPerceptron(LabelSequence(kernel="precomputed")).fit([["a"]], [["A"]])
    with pytest.raises(
        AttributeError, match="the supports themselves are not known; see their numbers in support_"
    ):
        _ = model.support_items_
