"""String mapping by pairs: the optimum is that of a generic solver, and of the other solvers."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import hedgerow
from hedgerow.kernels import Normalized, Spectrum, Subsequence
from hedgerow.structured import Problem, StringMapping, StructuredSVM, losses
from tests.structured.generic_qp import generic_optimum

K, L = Normalized(Subsequence(length=2)), Spectrum(k=1)
X = ["abab", "babb", "aabb", "bbaa", "abba", "bbbb", "aaab"]
Y = ["xy", "yy", "xx", "yyx", "xy", "yyy", "xxz"]
WEIGHTS = np.array([1.0, 0.0, 2.0, 0.5, 1.0, 1.0, 3.0])


def propose(x):
    return ["xy", "yx", x.translate(str.maketrans("ab", "xy"))]


class Explicit(Problem):
    """The same mapping, with features that multiply to K and L."""

    def __init__(self, mapping, outputs):
        self.mapping, self.outputs = mapping, outputs

    def _roots(self, kernel, items):
        values, vectors = np.linalg.eigh(kernel(items))
        return dict(zip(items, vectors * np.sqrt(np.maximum(values, 0.0)), strict=True))

    def joint_features(self, x, y):
        inputs, outputs = self._roots(K, X), self._roots(L, self.outputs)
        return np.kron(inputs[x], outputs[y])

    def candidates(self, x):
        listed = self.outputs if self.mapping.candidates is None else [*propose(x), Y[X.index(x)]]
        return list(dict.fromkeys(listed))

    def compute_loss(self, y_true, y):
        return self.mapping.compute_loss(y_true, y)


def optimum(mapping, slack, rescaling, weights):
    known = Y if mapping.candidates is None else [*Y, *(y for x in X for y in propose(x))]
    explicit = Explicit(mapping, list(dict.fromkeys(known)))
    return generic_optimum(explicit, X, Y, 0.6, slack, rescaling, weights).objective


@pytest.mark.parametrize("listed", [False, True], ids=["all", "listed"])
@pytest.mark.parametrize("loss", ["kernel", "edit", "zero-one", lambda a, b: len(a) + 0.5])
@pytest.mark.parametrize("rescaling", [None, "margin", "slack"])
@pytest.mark.parametrize("slack", ["linear", "quadratic"])
def test_generic_solver(slack, rescaling, loss, listed):
    mapping = StringMapping(K, L, loss=loss, candidates=propose if listed else None)
    settings = {"C": 0.6, "slack": slack, "rescaling": rescaling, "tol": 1e-6}
    for weights, optimization in ((None, "full"), (WEIGHTS, "subspace")):
        model = StructuredSVM(mapping, **settings, optimization=optimization).fit(X, Y, sample_weight=weights)
        expected = optimum(mapping, slack, rescaling, 1.0 if weights is None else weights)
        assert model.converged_
        assert model.objective_ == pytest.approx(expected, rel=1e-4)
        assert model.dual_objective_ == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("solver", ["one-slack", "frank-wolfe"])
def test_other_solvers(solver):
    by_pairs, by_features = (
        StructuredSVM(StringMapping(K, L), solver=solver, tol=1e-5, random_state=0).fit(X, Y)
        for solver in ("n-slack", solver)
    )
    assert by_pairs.problem_.coef_pairs_ is not None
    assert by_features.problem_.coef_pairs_ is None
    assert by_pairs.objective_ == pytest.approx(by_features.objective_, rel=1e-3)
    for one, other in zip(by_pairs.predict_k(X, 3), by_features.predict_k(X, 3), strict=True):
        assert_allclose([score for _, score in one], [score for _, score in other], atol=5e-3)


def test_weights_are_coefficients_of_pairs():
    model = StructuredSVM(StringMapping(K, L)).fit(X, Y)
    inputs, outputs = model.problem_.coef_pairs_
    assert len(inputs) == len(outputs) == len(model.coef_)
    new = ["abb", "baab"]
    known = model.problem_.outputs_
    table = np.zeros((len(X), len(known)))
    table[inputs, outputs] = model.coef_
    scores = K(new, X) @ table @ L(known)
    for answers, row in zip(model.predict_k(new, len(known)), scores, strict=True):
        assert_allclose([score for _, score in answers], np.sort(row)[::-1], atol=1e-12)
    assert_allclose(
        np.bincount(inputs, model.coef_), 0.0, atol=1e-12
    )  # what rivals lose the true outputs get


def test_threads_and_copies(tmp_path):
    models = [StructuredSVM(StringMapping(K, L), n_jobs=n_jobs).fit(X * 20, Y * 20) for n_jobs in (1, 3)]
    assert_array_equal(models[0].coef_, models[1].coef_)
    hedgerow.save(models[0], tmp_path / "a.model")
    copy = hedgerow.load(tmp_path / "a.model")
    assert copy.predict_k(X, 2) == models[0].predict_k(X, 2)


def test_rounds_that_are_not_enough():
    mapping = StringMapping(K, L)
    with pytest.warns(match="stopped after 1 iterations"):
        model = StructuredSVM(mapping, C=10.0, tol=1e-9, max_iter=1).fit(X, Y)
    assert model.dual_objective_ <= optimum_at(mapping, 10.0) * (1 + 1e-6) <= model.objective_ * (1 + 2e-6)


def optimum_at(mapping, C):
    explicit = Explicit(mapping, list(dict.fromkeys(Y)))
    return generic_optimum(explicit, X, Y, C, "linear", "margin").objective


def test_a_kernel_that_is_none():
    class Odd(Spectrum):
        def __call__(self, X, Y=None, **more):
            return 1.0 - 2 * np.eye(len(X)) if Y is None else super().__call__(X, Y, **more)

    with pytest.raises(ValueError, match="the kernel between outputs must be positive semi-definite"):
        StructuredSVM(StringMapping(K, Odd(k=1))).fit(X, Y)


def test_edit_distances():
    strings = ["", "kitten", "sitting", "mitten", "κιτ", "\U0001f600a"]
    expected = [[losses.edit_distance(a, b) for b in strings] for a in strings]
    assert losses.edit_distances(strings).tolist() == expected
    assert losses.edit_distances([]).shape == (0, 0)
    for a, b in itertools.combinations(["abc", "cab", "bca"], 2):
        assert losses.edit_distances([a, b])[0, 1] == losses.edit_distance(a, b)
