"""Kernels on inputs and joint kernels give what their explicit features give."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hedgerow.structured import Problem, StructuredSVM
from hedgerow.structured.discriminant import Discriminant
from hedgerow.structured.joint_kernel import KnownPairs
from tests.structured.tiny_problems import ItemTags, KernelTags, VectorTags, make_tags, make_vector_tags

WAYS = [
    ("n-slack", "full", "linear"),
    ("n-slack", "subspace", "linear"),
    ("n-slack", "full", "quadratic"),
    ("one-slack", "full", "linear"),
]


def exact(solver, optimization, slack, rescaling):
    """Parameters of a machine that stops close to the optimum."""
    way = {"solver": solver, "optimization": optimization, "slack": slack, "rescaling": rescaling}
    return {"C": 0.5, "tol": 1e-7, **way}


@pytest.mark.parametrize(("solver", "optimization", "slack"), WAYS)
@pytest.mark.parametrize("rescaling", [None, "margin", "slack"])
def test_linear_kernel_equals_plain_features(solver, optimization, slack, rescaling):
    vectors, X, Y = make_vector_tags(seed=1, n=30)
    parameters = exact(solver, optimization, slack, rescaling)
    plain = StructuredSVM(VectorTags(vectors), **parameters).fit(X, Y)
    kernel = StructuredSVM(ItemTags(vectors), **parameters).fit(X, Y)
    assert_allclose(kernel.objective_, plain.objective_, rtol=1e-6)
    assert_allclose(kernel.dual_objective_, plain.dual_objective_, rtol=1e-6)
    # Transitions are the same features in both.
    assert_allclose(kernel.coef_[:4], plain.coef_[:4], atol=1e-4)
    emissions = vectors.T @ kernel.coef_[4:].reshape(len(vectors), 2)
    assert_allclose(emissions.ravel(), plain.coef_[4:], atol=1e-4)
    _assert_equally_good(VectorTags(vectors), plain, X, kernel.predict(X))


@pytest.mark.parametrize(("solver", "optimization", "slack"), WAYS)
@pytest.mark.parametrize("rescaling", [None, "margin", "slack"])
def test_joint_kernel_equals_joint_features(solver, optimization, slack, rescaling):
    problem, X, Y = make_tags(seed=2, n=10)
    parameters = exact(solver, optimization, slack, rescaling)
    plain = StructuredSVM(problem, **parameters).fit(X, Y)
    kernel = StructuredSVM(KernelTags(**problem.get_params()), **parameters).fit(X, Y)
    assert_allclose(kernel.objective_, plain.objective_, rtol=1e-6)
    # The expansion over pairs is the weights.
    weights = np.zeros(20)
    for (x, y), coefficient in zip(kernel.support_pairs_, kernel.pair_coef_, strict=True):
        for feature, value in problem.joint_features(x, y).items():
            weights[feature] += coefficient * value
    assert_allclose(weights[: len(plain.coef_)], plain.coef_, atol=1e-4)
    new = [(0, 1, 2, 3), (3, 3), (2,)]
    _assert_equally_good(problem, plain, new, kernel.predict(new))
    assert pickle.loads(pickle.dumps(kernel)).predict(new) == kernel.predict(new)


def _assert_equally_good(problem, model, X, predictions):
    """By scores, for two outputs may be equally good."""
    F = Discriminant(problem, model.coef_)
    for x, y, other in zip(X, predictions, model.predict(X), strict=True):
        assert F(x, y) == pytest.approx(F(x, other), abs=1e-3)


def test_expansions_belong_to_joint_kernels():
    problem, X, Y = make_tags()
    model = StructuredSVM(problem).fit(X, Y)
    with pytest.raises(AttributeError, match="Tags has no joint kernel; see coef_"):
        _ = model.pair_coef_


class TestKnownPairs:
    def test_coordinates_have_the_products_of_the_pairs(self):
        random = np.random.RandomState(0)
        vectors = random.standard_normal((30, 6)) @ random.standard_normal(
            (6, 9)
        )  # in a space of 6 dimensions
        known, rows = KnownPairs(), []
        for k, vector in enumerate(vectors):
            products = np.array([vectors[x] @ vector for x, _ in known.pairs])
            rows.append(known.coordinates(k, "y", products, float(vector @ vector)))
        assert len(known) == 6
        coordinates = np.array([np.pad(row, (0, 6 - len(row))) for row in rows])
        assert_allclose(coordinates @ coordinates.T, vectors @ vectors.T, atol=1e-9)
        weights = random.standard_normal(6)
        expected = coordinates @ weights
        basis = vectors[[x for x, _ in known.pairs]]
        assert_allclose(vectors @ (known.coefficients(weights) @ basis), expected, atol=1e-9)

    def test_a_kernel_without_a_feature_space(self):
        class Bad(Problem):
            def candidates(self, x):
                return [0, 1]

            def joint_kernel(self, x, y, x2, y2):
                return 1.0 if (x, y) == (x2, y2) else 3.0

        with pytest.raises(ValueError, match="joint_kernel is not positive semi-definite: the pair"):
            StructuredSVM(Bad()).fit([0, 1, 2], [0, 1, 0])
