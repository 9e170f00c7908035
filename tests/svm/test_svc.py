"""The exact machine as an estimator; its solver is tested in test_smo.py."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn.svm
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier

import hedgerow
from hedgerow.kernels import RBF, Linear, Normalized, PartialTree, SubsetTree
from hedgerow.svm import SVC
from hedgerow_papers.datasets import load_adult, load_question_types
from tests.svm.data import BINARY, CLASSES, KERNELS, TREES, VECTORS, N
from tests.svm.svm_oracles import Dual, optimum

SST = Normalized(SubsetTree())
FINE = {"tol": 1e-7}


class TestAgainstScikitLearn:
    @pytest.mark.parametrize("name", KERNELS)
    @pytest.mark.parametrize("C", [0.1, 10.0])
    def test_two_classes(self, name, C):
        kernel, X = KERNELS[name]
        gram = kernel(X)
        other = sklearn.svm.SVC(C=C, kernel="precomputed", tol=1e-6).fit(gram, BINARY)
        model = SVC(kernel, C=C, tol=1e-6).fit(X, BINARY)
        alpha = np.zeros(N)
        alpha[other.support_] = other.dual_coef_[0]
        objective = np.abs(alpha).sum() - alpha @ gram @ alpha / 2
        assert_allclose(model.dual_objective_, [objective], rtol=1e-6)
        assert_allclose(
            model.decision_function(X), other.decision_function(gram), atol=1e-4 * max(1, gram.max())
        )
        assert model.violation_[0] <= 1e-6
        assert -1e-9 * objective <= model.dual_gap_[0] <= 1e-4 * objective

    def test_several_classes(self):
        gram = SST(TREES)
        other = OneVsRestClassifier(sklearn.svm.SVC(kernel="precomputed", tol=1e-6, C=3)).fit(gram, CLASSES)
        model = SVC(SST, C=3, tol=1e-6).fit(TREES, CLASSES)
        assert_allclose(model.decision_function(TREES), other.decision_function(gram), atol=1e-4)
        assert_array_equal(model.predict(TREES), other.predict(gram))

    def test_weights(self):
        weights = np.linspace(0.1, 3, N)
        gram = SST(TREES)
        arguments = {"C": 2.0, "class_weight": {-1: 0.5, 1: 2.0}, "tol": 1e-6}
        other = sklearn.svm.SVC(kernel="precomputed", **arguments).fit(gram, BINARY, sample_weight=weights)
        model = SVC(SST, **arguments).fit(TREES, BINARY, sample_weight=weights)
        assert_allclose(model.decision_function(TREES), other.decision_function(gram), atol=1e-4)

    def test_balanced(self):
        y = np.where(np.arange(N) % 5 == 0, 1, -1)
        gram = SST(TREES)
        other = sklearn.svm.SVC(kernel="precomputed", class_weight="balanced", tol=1e-6).fit(gram, y)
        model = SVC(SST, class_weight="balanced", tol=1e-6).fit(TREES, y)
        assert_allclose(model.decision_function(TREES), other.decision_function(gram), atol=1e-4)
        # Several classes: each function balances its own class and the rest.
        rest = OneVsRestClassifier(sklearn.svm.SVC(kernel="precomputed", class_weight="balanced", tol=1e-6))
        several = SVC(SST, class_weight="balanced", tol=1e-6).fit(TREES, CLASSES)
        expected = rest.fit(gram, CLASSES).decision_function(gram)
        assert_allclose(several.decision_function(TREES), expected, atol=1e-4)


class TestVariants:
    def test_cost_factor(self):
        y = np.where(np.arange(N) % 5 == 0, 1, -1)  # 18 and 72
        balanced = SVC(SST, cost_factor="balanced", **FINE).fit(TREES, y).decision_function(TREES)
        assert_allclose(
            SVC(SST, cost_factor=4.0, **FINE).fit(TREES, y).decision_function(TREES), balanced, atol=1e-6
        )
        weighted = SVC(SST, class_weight={1: 4.0}, **FINE).fit(TREES, y)
        assert_allclose(weighted.decision_function(TREES), balanced, atol=1e-6)
        assert_allclose(
            SVC(SST, cost_factor={1: 4.0}, **FINE).fit(TREES, y).decision_function(TREES), balanced, atol=1e-6
        )

    def test_cost_factor_of_each_class(self):
        labels = np.unique(CLASSES).tolist()
        model = SVC(SST, cost_factor={labels[0]: 3.0, labels[2]: 0.5}, **FINE).fit(TREES, CLASSES)
        scores = model.decision_function(TREES)
        for column, (label, cost_factor) in enumerate(zip(labels, (3.0, 1.0, 0.5), strict=True)):
            alone = SVC(SST, cost_factor=cost_factor, **FINE).fit(TREES, label == CLASSES)
            assert_allclose(scores[:, column], alone.decision_function(TREES), atol=1e-5)

    @pytest.mark.parametrize(
        ("cost_factor", "message"),
        [
            ({-1: 2.0}, r"cost_factor has -1, which must be a class with a function of its own: \[1\]"),
            ({1: 0.0}, "cost_factor of 1 must be a number at least 1e-20"),
            (
                "equal",
                "cost_factor must be a number above 0, a mapping of classes to such numbers, or 'balanced'",
            ),
        ],
    )
    def test_bad_cost_factor(self, cost_factor, message):
        with pytest.raises(ValueError, match=message):
            SVC(SST, cost_factor=cost_factor).fit(TREES, BINARY)

    @pytest.mark.parametrize("bias", [True, False])
    @pytest.mark.parametrize("loss", ["hinge", "squared-hinge"])
    def test_against_a_general_solver(self, bias, loss):
        gram, costs = SST(TREES), np.where(BINARY > 0, 4.0, 2.0)
        squared = loss == "squared-hinge"
        best = optimum(gram, BINARY, costs, bias=bias, squared=squared)
        model = SVC(SST, C=2, cost_factor=2.0, bias=bias, loss=loss, **FINE).fit(TREES, BINARY)
        assert_allclose(model.dual_objective_, [best], rtol=1e-6)
        assert bias or model.intercept_[0] == 0
        coefficients = np.zeros(N)
        coefficients[model.support_] = model.dual_coef_[0]
        found = Dual(gram, BINARY, costs, coefficients, bias=bias, squared=squared).primal(
            model.intercept_[0]
        )
        assert_allclose(model.objective_, [found], rtol=1e-6)
        assert_allclose(found - model.dual_objective_[0], model.dual_gap_[0], atol=1e-6)

    @pytest.mark.parametrize("name", KERNELS)
    def test_rows_on_demand(self, name):
        kernel, X = KERNELS[name]
        whole = SVC(kernel, **FINE).fit(X, CLASSES)
        rows = SVC(kernel, cache_size=0.01, **FINE).fit(X, CLASSES)
        scale = np.abs(whole.decision_function(X)).max()
        assert_allclose(rows.decision_function(X), whole.decision_function(X), atol=1e-5 * scale)
        assert_allclose(rows.dual_objective_, whole.dual_objective_, rtol=1e-6)
        assert whole.kernel_evaluations_ == N * (N + 1) // 2
        assert rows.kernel_evaluations_ > 0

    def test_single_precision(self):
        double = SVC(SST, tol=1e-5).fit(TREES, BINARY)
        single = SVC(SST, tol=1e-5, precision="single").fit(TREES, BINARY)
        assert_allclose(single.decision_function(TREES), double.decision_function(TREES), atol=1e-3)

    def test_precomputed(self):
        gram = SST(TREES)
        model = SVC("precomputed", C=3, **FINE).fit(gram, CLASSES)
        direct = SVC(SST, C=3, **FINE).fit(TREES, CLASSES)
        assert_allclose(model.decision_function(gram), direct.decision_function(TREES), atol=1e-6)
        assert_array_equal(model.support_, direct.support_)
        assert_allclose(
            cross_val_score(SVC("precomputed"), gram, BINARY, cv=3),
            cross_val_score(SVC(SST), TREES, BINARY, cv=3),
        )
        with pytest.raises(AttributeError, match="are not known"):
            model.support_items_  # noqa: B018

    def test_path(self):
        Cs = [0.1, 1.0, 10.0]
        for C, model in zip(Cs, SVC(SST, **FINE).path(TREES, CLASSES, Cs), strict=True):
            alone = SVC(SST, C=C, **FINE).fit(TREES, CLASSES)
            assert model.C == C
            assert_allclose(model.dual_objective_, alone.dual_objective_, rtol=1e-6)
            assert_allclose(model.decision_function(TREES), alone.decision_function(TREES), atol=1e-5)

    def test_path_is_warm(self):
        first, again = SVC(SST, tol=1e-4).path(TREES, BINARY, [1.0, 1.0])
        assert again.n_iter_[0] < first.n_iter_[0] / 5
        assert again.kernel_evaluations_ == 0


class TestHardCases:
    def test_duplicates_with_opposite_labels(self):
        X, y = np.repeat([[0.0], [1.0]], 2, axis=0), np.array([0, 1, 0, 1])
        model = SVC(RBF()).fit(X, y)
        assert np.isfinite(model.decision_function(X)).all()
        assert model.converged_

    @pytest.mark.parametrize("C", [1e-6, 1e6])
    def test_extreme_costs(self, C):
        model = SVC(RBF(0.5), C=C).fit(VECTORS, BINARY)
        other = sklearn.svm.SVC(C=C, kernel="precomputed", tol=1e-3).fit(RBF(0.5)(VECTORS), BINARY)
        assert model.converged_
        assert np.mean(model.predict(VECTORS) == other.predict(RBF(0.5)(VECTORS))) > 0.98

    def test_rank_one(self):
        X = np.linspace(-1, 1, 30)[:, None]
        model = SVC(Linear(), C=100).fit(X, X[:, 0] > 0.3)
        assert model.score(X, X[:, 0] > 0.3) == 1

    def test_tiny_class(self):
        y = np.zeros(N)
        y[0] = 1
        model = SVC(SST, C=100).fit(TREES, y)
        assert model.predict(TREES[:1]) == [1]

    def test_two_examples(self):
        model = SVC(Linear(), C=100, tol=1e-8).fit([[1.0], [3.0]], ["no", "yes"])
        assert_allclose(model.decision_function([[1.0], [2.0], [3.0]]), [-1, 0, 1], atol=1e-6)

    def test_sparse_matrices_of_all_kinds(self):
        dense = np.where(np.abs(VECTORS) > 0.8, VECTORS, 0)
        dense[::9] = 0  # empty rows
        tidy = sparse.csr_matrix(dense)
        rows, columns = tidy.nonzero()
        values = np.asarray(tidy[rows, columns]).ravel()
        order = np.argsort(rows * 100 - columns, kind="stable")
        untidy = sparse.csr_matrix(tidy.shape)
        untidy.data = np.repeat(values[order] / 2, 2)  # every entry as two halves, in reverse order
        untidy.indices = np.repeat(columns[order], 2).astype(np.int64)
        untidy.indptr = 2 * tidy.indptr.astype(np.int64)
        expected = SVC(RBF(0.2), tol=1e-6).fit(dense, BINARY).decision_function(dense)
        for cache_size in (1000, 0.01):
            model = SVC(RBF(0.2), tol=1e-6, cache_size=cache_size)
            assert_allclose(model.fit(untidy, BINARY).decision_function(untidy), expected, atol=1e-5)


class TestEstimator:
    def test_copies(self, tmp_path):
        for model, X in ((SVC(SST), TREES), (SVC("precomputed"), SST(TREES))):
            model.fit(X, CLASSES)
            hedgerow.save(model, tmp_path / "model")
            for copy in (pickle.loads(pickle.dumps(model)), hedgerow.load(tmp_path / "model")):
                assert_array_equal(copy.decision_function(X), model.decision_function(X))
                assert_array_equal(copy.dual_gap_, model.dual_gap_)
                assert copy.kernel_evaluations_ == model.kernel_evaluations_
                assert copy.converged_ is True

    def test_grid_search(self):
        grid = {"C": [0.1, 10], "kernel__kernel__decay": [0.2, 0.6]}
        search = GridSearchCV(SVC(SST), grid, cv=3).fit(TREES, BINARY)
        assert search.best_score_ > 0.6

    def test_values_are_those_of_the_coefficients(self):
        model = SVC(SST).fit(TREES, CLASSES)
        expected = SST(TREES, model.support_items_) @ model.dual_coef_.T + model.intercept_
        assert_allclose(model.decision_function(TREES), expected, atol=1e-12)

    def test_too_few_iterations(self):
        with pytest.warns(ConvergenceWarning, match="after 3 iterations"):
            model = SVC(SST, max_iter=3).fit(TREES, BINARY)
        assert model.converged_ is False
        assert model.n_iter_.tolist() == [3]

    def test_interruption_keeps_the_best_so_far(self, monkeypatch):
        from hedgerow.svm import svc

        original = svc._core.solve_svm
        calls = 0

        class Interrupted:
            def __init__(self, solution):
                self.solution = solution

            def __getattr__(self, name):
                return {"interrupted": True, "converged": False}.get(name, getattr(self.solution, name))

        def solve(*arguments, **options):
            nonlocal calls
            calls += 1
            solution = original(*arguments, **options)
            return Interrupted(solution) if calls == 2 else solution

        monkeypatch.setattr(svc._core, "solve_svm", solve)
        model = SVC(SST)
        with pytest.raises(KeyboardInterrupt):
            model.fit(TREES, CLASSES)
        assert model.converged_ is False
        assert model.decision_function(TREES).shape == (N, 3)
        assert model.violation_[2] == np.inf

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"C": -1}, "C must be a number at least 1e-20 and at most 1e"),
            ({"kernel": "rbf"}, "kernel must be a hedgerow kernel, 'precomputed' or None, got 'rbf'"),
            ({"loss": "log"}, "loss must be one of 'hinge', 'squared-hinge'"),
            ({"tol": 0}, "tol must be"),
            ({"cache_size": 0}, "cache_size must be"),
            ({"max_iter": 0}, "max_iter must be"),
            ({"cost_factor": -2}, "cost_factor must be"),
        ],
    )
    def test_bad_parameters(self, parameters, message):
        with pytest.raises(ValueError, match=message):
            SVC(**{"kernel": SST, **parameters}).fit(TREES, BINARY)

    @pytest.mark.parametrize(
        ("gram", "message"),
        [
            (np.ones((2, 3)), "square matrix"),
            ([[1, 0.5], [0, 1]], "symmetric; row 0 and column 0 differ"),
            ([[1, np.nan], [np.nan, 1]], "contains NaN"),
            ([1, 2], "Expected 2D array"),
        ],
    )
    def test_bad_gram(self, gram, message):
        with pytest.raises(ValueError, match=message):
            SVC("precomputed").fit(gram, [0, 1])

    def test_other_kernel_values(self):
        model = SVC("precomputed").fit(np.eye(4), [0, 1, 0, 1])
        with pytest.raises(ValueError, match="expecting 4 features"):
            model.predict(np.ones((2, 3)))


@pytest.mark.slow
@pytest.mark.shared_data
class TestOnSharedData:
    @pytest.mark.parametrize(
        ("trees", "kernel", "C", "cost_factor", "accuracy"),
        [
            ("constituency", Normalized(SubsetTree(0.4)), 1, 1.0, 85.4),
            ("constituency", Normalized(SubsetTree(0.4)), 3, 1.0, 91.0),
            ("grct", Normalized(SubsetTree(0.4, bag_of_words=True)), 3, "balanced", 90.8),
            ("grct", Normalized(PartialTree(0.4, 0.4, terminal_factor=5.0)), 3, "balanced", 90.0),
        ],
    )
    def test_questions(self, data_folder, trees, kernel, C, cost_factor, accuracy):
        X, y = load_question_types(data_folder, "train", trees=trees)
        X_test, y_test = load_question_types(data_folder, "test", trees=trees)
        model = SVC(kernel, C=C, cost_factor=cost_factor).fit(X, y)
        assert_allclose(100 * model.score(X_test, y_test), accuracy, atol=0.4)
        assert (model.violation_ <= model.tol).all()

    def test_adult(self, data_folder):
        X, y = load_adult(data_folder, "train")
        X, y = X[:2000], y[:2000]
        gram = RBF(0.04)(X)
        other = sklearn.svm.SVC(kernel="precomputed", tol=1e-6).fit(gram, y)
        alpha = np.zeros(len(y))
        alpha[other.support_] = other.dual_coef_[0]
        for cache_size in (1000, 2):
            model = clone(SVC(RBF(0.04), tol=1e-6, cache_size=cache_size)).fit(X, y)
            assert_allclose(model.dual_objective_, np.abs(alpha).sum() - alpha @ gram @ alpha / 2, rtol=1e-6)
            assert_array_equal(model.predict(X), other.predict(gram))
