"""Kernels made of kernels, and kernels in scikit-learn."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from hedgerow import Forest, Records
from hedgerow.kernels import Normalized, PartialTree, SubPath, SubsetTree
from tests.kernels.tree_cases import KERNELS, assert_close, forest_of, full_binary_tree
from tests.strategies import random_trees


@pytest.fixture(params=KERNELS.values(), ids=KERNELS.keys())
def kernel(request):
    return clone(request.param)


# -- combinations --------------------------------------------------------------------------------------------


class TestCombinations:
    @pytest.fixture(scope="class")
    @staticmethod
    def X():
        rng = np.random.default_rng(2)
        parse, other = forest_of(random_trees(rng, 12)), forest_of(random_trees(rng, 12))
        return Records(parse=parse, other=other, features=rng.normal(size=(12, 3)))

    def test_trees_and_vectors(self, X):
        from hedgerow.kernels import RBF

        kernel = 0.6 * SubsetTree().on("parse") + RBF(gamma=0.1).on("features")
        F = X["features"]
        squares = ((F[:, None] - F[None]) ** 2).sum(axis=2)
        expected = 0.6 * SubsetTree()(X["parse"]) + np.exp(-0.1 * squares)
        assert_close(kernel(X), expected)
        assert_close(kernel(X[:5], X[5:]), expected[:5, 5:])
        assert_close(kernel.diag(X), np.diag(expected))

    def test_arithmetic(self, X):
        a, b = SubsetTree().on("parse"), PartialTree().on("other")
        A, B = SubsetTree()(X["parse"]), PartialTree()(X["other"])
        for kernel, expected in [
            (a + b, A + B),
            (a * b, A * B),
            (2 * a, 2 * A),
            (a * 2, 2 * A),
            (np.float64(0.5) * a, 0.5 * A),
            (a + 0.1 * b + a * b, A + 0.1 * B + A * B),
            ((a + b) * (a + 3 * b), (A + B) * (A + 3 * B)),
        ]:
            assert_close(kernel(X), expected)
            assert_close(kernel(X[:5], X[5:]), expected[:5, 5:])
            assert_close(kernel.diag(X), np.diag(expected))
            assert_close(kernel(X, dtype=np.float32), expected, rtol=1e-5)

    def test_normalized(self, X):
        def normalize(K):
            roots = np.sqrt(np.diag(K))
            with np.errstate(invalid="ignore"):
                return np.nan_to_num(K / np.outer(roots, roots))

        a, b = SubsetTree().on("parse"), PartialTree().on("other")
        A, B = SubsetTree()(X["parse"]), PartialTree()(X["other"])
        for kernel, expected in [
            (Normalized(a) + b, normalize(A) + B),
            (Normalized(a + b), normalize(A + B)),
            (Normalized(a * b), normalize(A * B)),
            (Normalized(Normalized(a) + 0.5 * Normalized(b)), normalize(normalize(A) + 0.5 * normalize(B))),
            (Normalized(7 * a), normalize(A)),
            (Normalized(SubsetTree()).on("parse"), normalize(A)),
            (3 * Normalized(a), 3 * normalize(A)),
        ]:
            assert_close(kernel(X), expected)
            assert_close(kernel(X[:5], X[5:]), expected[:5, 5:])
            assert_close(kernel.diag(X), np.diag(expected))

    def test_overflow_in_a_combination(self):
        X = Forest([full_binary_tree(10)])
        kernel = SubsetTree(decay=1)
        assert np.isfinite(kernel(X)).all()
        for combination in (kernel * kernel, 1e300 * kernel, 1e127 * kernel + 1e127 * kernel):
            with pytest.raises(OverflowError):
                combination(X)
            with pytest.raises(OverflowError):
                combination.diag(X)
        for combination in (kernel * kernel, 1e300 * kernel):
            assert Normalized(combination)(X).tolist() == [[1.0]]
            assert Normalized(combination).diag(X).tolist() == [1.0]

    @pytest.mark.parametrize("other", [None, "kernel", [1]])
    def test_only_kernels_and_numbers_combine(self, other):
        with pytest.raises(TypeError):
            SubPath() + other
        with pytest.raises(TypeError):
            SubPath() * other


# -- in scikit-learn -----------------------------------------------------------------------------------------


class NearestTree(ClassifierMixin, BaseEstimator):
    """The class of the most similar training tree."""

    def __init__(self, kernel):
        self.kernel = kernel

    def fit(self, X, y):
        self.X_, self.y_, self.classes_ = X, np.asarray(y), np.unique(y)
        return self

    def predict(self, X):
        return self.y_[self.kernel(X, self.X_).argmax(axis=1)]


class TestScikitLearn:
    TEXTS = tuple(f"(S (NP (N {'dog' if i % 2 else 'cat'})) (VP (V v{i % 5}) w{i}))" for i in range(24))
    Y = np.arange(24) % 2

    @pytest.mark.parametrize("as_records", [False, True])
    def test_grid_search_over_nested_parameters(self, as_records):
        X = Records(parse=Forest(self.TEXTS)) if as_records else Forest(self.TEXTS)
        kernel = Normalized(SubsetTree()).on("parse") if as_records else Normalized(SubsetTree())
        name = "kernel__kernel__kernel__decay" if as_records else "kernel__kernel__decay"
        search = GridSearchCV(NearestTree(kernel), {name: [0.1, 0.9]}, cv=3, error_score="raise").fit(
            X, self.Y
        )
        assert search.best_score_ == 1
        assert search.best_params_[name] in (0.1, 0.9)
        assert search.predict(X[:4]).tolist() == [0, 1, 0, 1]

    def test_a_parameter_of_the_kernel_itself(self):
        search = GridSearchCV(
            NearestTree(SubPath()), {"kernel__decay": [0.1, 0.9]}, cv=3, error_score="raise"
        )
        assert search.fit(Forest(self.TEXTS), self.Y).best_score_ == 1

    def test_a_bad_parameter_is_an_error_of_the_fit(self):
        search = GridSearchCV(NearestTree(SubPath()), {"kernel__decay": [2.0]}, cv=3, error_score="raise")
        with pytest.raises(ValueError, match="decay must be"):
            search.fit(Forest(self.TEXTS), self.Y)

    def test_precomputed(self, kernel):
        X = Forest(self.TEXTS)
        model = SVC(kernel="precomputed").fit(Normalized(kernel)(X[:16]), self.Y[:16])
        assert model.predict(Normalized(kernel)(X[16:], X[:16])).tolist() == self.Y[16:].tolist()
