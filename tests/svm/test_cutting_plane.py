"""Cutting planes: the optimum against a plain quadratic program, samples, seeds, interruptions."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import f1_score
from sklearn.model_selection import cross_val_score

import hedgerow
from hedgerow.io import iter_svmlight_tk
from hedgerow.kernels import RBF, Linear, Normalized, SubsetTree
from hedgerow.svm import SVC, CuttingPlaneSVC
from hedgerow.svm.cuts import Cut, Cuts
from hedgerow.svm.weighted_sums import WeightedSums
from tests.svm.data import BINARY, CLASSES, KERNELS, TREES, VECTORS, N
from tests.svm.svm_oracles import Dual, optimum

SST = Normalized(SubsetTree())


def reached(model: CuttingPlaneSVC, gram: Any, y: Any, costs: Any) -> float:
    """The primal objective of the model's function, from its coefficients."""
    coefficients = np.zeros(len(y))
    coefficients[model.support_] = model.dual_coef_[0]
    return Dual(gram, y, costs, coefficients).primal(0.0)


class TestExact:
    @pytest.mark.parametrize("name", KERNELS)
    @pytest.mark.parametrize("C", [0.01, 1.0, 30.0])
    def test_reaches_the_optimum(self, name, C):
        kernel, X = KERNELS[name]
        gram = kernel(X)
        least = optimum(gram, BINARY, np.full(N, C), bias=False)
        model = CuttingPlaneSVC(kernel, C=C, tol=1e-4, max_iter=5000).fit(X, BINARY)
        assert model.converged_
        found = reached(model, gram, BINARY, np.full(N, C))
        assert -1e-7 * least <= found - least <= 1e-4 * C * N * (1 + 1e-6)
        # The certificate is true: the dual is below the optimum, the trace has the primal that was found.
        assert model.dual_objective_[0] <= least * (1 + 1e-7)
        assert_allclose(model.trace_.objective[-1], found, rtol=1e-9)
        assert_allclose((found - model.dual_objective_[0]) / (C * N), model.violation_[0], atol=1e-9)

    @pytest.mark.parametrize("precomputed", [False, True])
    def test_needs_no_more_supports_than_the_exact_machine(self, precomputed, capsys):
        random = np.random.default_rng(0)
        X = random.normal(size=(600, 5))
        y = X[:, 0] + random.normal(size=600) > 0
        kernel = RBF(0.1)
        exact = SVC(kernel, bias=False, tol=1e-4).fit(X, y)
        assert exact.n_support_ < 450
        model = CuttingPlaneSVC("precomputed" if precomputed else kernel, verbose=True)
        model.fit(kernel(X) if precomputed else X, y)
        assert model.converged_
        assert model.n_support_ <= 1.02 * exact.n_support_
        assert f"{model.n_support_} of 600 supports are left" in capsys.readouterr().err
        assert model.trace_.support[-1] == model.n_support_
        assert_allclose(model.objective_, exact.objective_, atol=1e-3 * 600)
        assert_allclose((model.objective_ - model.dual_objective_) / 600, model.violation_, atol=1e-12)
        assert model.violation_[0] <= model.tol

    def test_leaves_out_supports_where_the_exact_machine_takes_long(self):
        random = np.random.default_rng(0)
        X = np.eye(6)[random.integers(6, size=(500, 10))].reshape(500, -1)
        y = X @ random.normal(size=60) + 2 * random.normal(size=500) > 0
        model = CuttingPlaneSVC(Linear(), C=30.0).fit(X, y)
        assert model.n_support_ < 225  # SVC has 207
        assert model.violation_[0] <= model.tol

    def test_values_are_those_of_the_coefficients(self):
        model = CuttingPlaneSVC(SST).fit(TREES, BINARY)
        expected = SST(TREES, model.support_items_) @ model.dual_coef_[0]
        assert_allclose(model.decision_function(TREES), expected, atol=1e-12)

    def test_costs(self):
        costs = np.where(BINARY > 0, 3.0, 1.0) * np.linspace(0, 2, N)
        gram = SST(TREES)
        keep = costs > 0
        least = optimum(gram[np.ix_(keep, keep)], BINARY[keep], costs[keep], bias=False)
        weighted = CuttingPlaneSVC(SST, cost_factor=3.0, tol=1e-5, max_iter=5000)
        weighted.fit(TREES, BINARY, sample_weight=np.linspace(0, 2, N))
        assert reached(weighted, gram, BINARY, costs) <= least + 1e-5 * costs.sum()
        same = CuttingPlaneSVC(SST, class_weight={1: 3.0, -1: 1.0}, tol=1e-5, max_iter=5000)
        same.fit(TREES, BINARY, sample_weight=np.linspace(0, 2, N))
        assert_array_equal(same.dual_coef_, weighted.dual_coef_)

    def test_balanced(self):
        y = np.where(np.arange(N) % 5 == 0, 1, -1)  # 18 and 72
        factor = CuttingPlaneSVC(SST, cost_factor="balanced").fit(TREES, y)
        assert_array_equal(factor.dual_coef_, CuttingPlaneSVC(SST, cost_factor=4.0).fit(TREES, y).dual_coef_)
        both = CuttingPlaneSVC(SST, class_weight="balanced").fit(TREES, y)
        weights = {1: 90 / 36, -1: 90 / 144}
        assert_array_equal(
            both.dual_coef_, CuttingPlaneSVC(SST, class_weight=weights).fit(TREES, y).dual_coef_
        )

    def test_single_precision(self):
        double = CuttingPlaneSVC(SST, tol=1e-4).fit(TREES, BINARY)
        single = CuttingPlaneSVC(SST, tol=1e-4, precision="single").fit(TREES, BINARY)
        assert_allclose(single.dual_objective_, double.dual_objective_, rtol=1e-3)

    def test_threads_do_not_matter(self):
        one = CuttingPlaneSVC(SST, n_jobs=1).fit(TREES, BINARY)
        two = CuttingPlaneSVC(SST, n_jobs=2).fit(TREES, BINARY)
        assert_array_equal(one.dual_coef_, two.dual_coef_)

    def test_duplicates_with_opposite_labels(self):
        X = np.repeat([[0.0], [1.0]], 2, axis=0)
        y = np.array([0, 1, 0, 1])
        model = CuttingPlaneSVC(RBF()).fit(X, y)
        assert_allclose(model.decision_function(X), 0, atol=1e-3)

    def test_two_examples(self):
        model = CuttingPlaneSVC(Linear(), C=100, tol=1e-6).fit([[1.0], [-1.0]], ["yes", "no"])
        assert model.predict([[2.0], [-3.0]]).tolist() == ["yes", "no"]
        assert_allclose(model.decision_function([[1.0]]), 1, atol=1e-3)

    def test_guess_from_some_examples(self):
        """Large problems begin with the solution for a part of the examples, and end where others do."""
        random = np.random.default_rng(6)
        X = random.normal(size=(2500, 3))
        y = np.where(X[:, 0] + random.normal(scale=0.5, size=len(X)) > 0, 1, -1)
        gram = RBF(0.5)(X)
        model = CuttingPlaneSVC(RBF(0.5), C=0.1).fit(X, y)
        found = reached(model, gram, y, np.full(len(y), 0.1))
        assert_allclose((found - model.dual_objective_[0]) / (0.1 * len(y)), model.violation_[0], atol=1e-9)
        assert model.violation_[0] <= 1e-3
        cold = SVC(RBF(0.5), C=0.1, bias=False, tol=1e-6).fit(X, y)
        assert cold.dual_objective_[0] <= found <= cold.dual_objective_[0] + 1e-3 * 0.1 * len(y)


class TestSamples:
    @pytest.mark.parametrize("sampling", ["uniform", "importance"])
    def test_comes_close_as_the_sample_grows(self, sampling):
        gram = SST(TREES)
        least = optimum(gram, BINARY, np.ones(N), bias=False)
        errors = []
        for size in (10, 40, N):
            model = CuttingPlaneSVC(SST, sampling=sampling, sample_size=size, tol=1e-4, random_state=0)
            model.fit(TREES, BINARY)
            errors.append(reached(model, gram, BINARY, np.ones(N)) / least - 1)
        assert errors[-1] < 0.01
        assert errors[-1] < errors[0]

    @pytest.mark.parametrize("sampling", ["uniform", "importance"])
    def test_a_seed_repeats_a_fit(self, sampling):
        model = CuttingPlaneSVC(SST, sampling=sampling, sample_size=20, random_state=3)
        first, again = model.fit(TREES, CLASSES).dual_coef_, clone(model).fit(TREES, CLASSES).dual_coef_
        assert_array_equal(first, again)
        other = clone(model).set_params(random_state=4).fit(TREES, CLASSES)
        assert other.dual_coef_.shape != first.shape or (other.dual_coef_ != first).any()

    @pytest.mark.parametrize("sampling", ["uniform", "importance"])
    @pytest.mark.parametrize("name", KERNELS)
    def test_every_kernel(self, sampling, name):
        kernel, X = KERNELS[name]
        model = CuttingPlaneSVC(kernel, sampling=sampling, sample_size=30, tol=0.01, random_state=0)
        assert model.fit(X, BINARY).score(X, BINARY) > 0.7

    def test_uniform_uses_only_what_it_drew(self):
        model = CuttingPlaneSVC(SST, sampling="uniform", sample_size=5, max_iter=3, random_state=0)
        with pytest.warns(ConvergenceWarning, match="after 3 rounds"):
            model.fit(TREES, BINARY)
        assert model.n_support_ <= 15


class TestClassifier:
    def test_several_classes(self):
        model = CuttingPlaneSVC(SST, tol=1e-5).fit(TREES, CLASSES)
        scores = model.decision_function(TREES)
        assert scores.shape == (N, 3)
        for column, name in enumerate(model.classes_):
            alone = CuttingPlaneSVC(SST, tol=1e-5).fit(TREES, name == CLASSES)
            assert_allclose(scores[:, column], alone.decision_function(TREES), atol=1e-9)
        assert set(model.trace_.function) == {0, 1, 2}

    def test_trace(self):
        trace = CuttingPlaneSVC(SST).fit(TREES, BINARY).trace_
        assert trace.iteration.tolist() == list(range(1, len(trace) + 1))
        assert (np.diff(trace.dual_objective) >= 0).all()
        assert (np.diff(trace.objective[:-1]) <= 0).all()  # the last point is made sparse, within tol
        assert (np.diff(trace.seconds) >= 0).all()
        assert trace.violation[-1] <= 1e-3 < trace.violation[-2]

    def test_verbose(self, capsys):
        CuttingPlaneSVC(SST, verbose=True).fit(TREES, BINARY)
        out, err = capsys.readouterr()
        assert out == ""
        assert err.splitlines()[0].startswith("function 0 round 1: objective")

    def test_copies(self, tmp_path):
        model = CuttingPlaneSVC(SST).fit(TREES, CLASSES)
        hedgerow.save(model, tmp_path / "model")
        for copy in (pickle.loads(pickle.dumps(model)), hedgerow.load(tmp_path / "model")):
            assert_array_equal(copy.decision_function(TREES), model.decision_function(TREES))
            assert_array_equal(copy.dual_objective_, model.dual_objective_)
            assert_array_equal(copy.trace_.violation, model.trace_.violation)
            assert copy.converged_ is True
            assert copy.support_.tolist() == model.support_.tolist()

    def test_cross_validation_on_trees(self):
        assert cross_val_score(CuttingPlaneSVC(SST), TREES, BINARY, cv=3).mean() > 0.6

    @pytest.mark.parametrize(
        ("parameters", "message"),
        [
            ({"C": 0}, "C must be a number at least 1e-20 and at most 1e"),
            ({"sampling": "random"}, "sampling must be one of None, 'uniform', 'importance'"),
            ({"sample_size": 0}, "sample_size must be"),
            ({"tol": -1}, "tol must be"),
            ({"max_iter": 0}, "max_iter must be"),
            ({"cost_factor": 0}, "cost_factor must be"),
            ({"cost_factor": "equal"}, "cost_factor must be a number above 0, a mapping of classes"),
            ({"precision": "half"}, "precision must be one of"),
        ],
    )
    def test_bad_parameters(self, parameters, message):
        with pytest.raises(ValueError, match=message):
            CuttingPlaneSVC(SST, **parameters).fit(TREES, BINARY)

    def test_bad_data(self):
        with pytest.raises(ValueError, match="kernel must be a hedgerow kernel"):
            CuttingPlaneSVC("rbf").fit(VECTORS, BINARY)
        with pytest.raises(ValueError, match="only one class"):
            CuttingPlaneSVC(SST).fit(TREES, np.ones(N))
        with pytest.raises(ValueError, match="sample_weight"):
            CuttingPlaneSVC(SST).fit(TREES, BINARY, sample_weight=[-1] * N)

    @pytest.mark.parametrize("sampling", [None, "uniform", "importance"])
    def test_sparse_matrices_of_all_kinds(self, sampling):
        dense = np.where(np.abs(VECTORS) > 0.8, VECTORS, 0)
        dense[::9] = 0
        tidy = sparse.csr_matrix(dense)
        # Every entry as two halves, in reverse order, with 64-bit indices.
        rows, columns = tidy.nonzero()
        values = np.asarray(tidy[rows, columns]).ravel()
        order = np.argsort(rows * 100 - columns, kind="stable")
        untidy = sparse.csr_matrix(tidy.shape)
        untidy.data = np.repeat(values[order] / 2, 2)
        untidy.indices = np.repeat(columns[order], 2).astype(np.int64)
        untidy.indptr = 2 * tidy.indptr.astype(np.int64)
        size = {} if sampling is None else {"sample_size": 40}
        model = CuttingPlaneSVC(RBF(0.2), sampling=sampling, random_state=0, **size)
        expected = model.fit(tidy, BINARY).decision_function(tidy)
        assert_allclose(clone(model).fit(untidy, BINARY).decision_function(untidy), expected, atol=1e-12)


class TestInterruption:
    @pytest.mark.parametrize("sampling", [None, "uniform", "importance"])
    def test_keeps_the_best_so_far(self, monkeypatch, sampling):
        size = {} if sampling is None else {"sample_size": 20}
        model = CuttingPlaneSVC(SST, sampling=sampling, tol=1e-9, random_state=0, **size)
        calls = 0
        original = WeightedSums.values

        def interrupted(self, *arguments):
            nonlocal calls
            calls += 1
            if calls == 8:
                raise KeyboardInterrupt
            return original(self, *arguments)

        monkeypatch.setattr(WeightedSums, "values", interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.fit(TREES, CLASSES)
        assert model.converged_ is False
        assert model.violation_[-1] == np.inf  # its turn never came
        assert model.decision_function(TREES).shape == (N, 3)
        assert len(model.trace_) >= 6

    def test_before_the_first_round_nothing_is_fitted(self, monkeypatch):
        def interrupted(self, *arguments):
            raise KeyboardInterrupt

        model = CuttingPlaneSVC(SST).fit(TREES, BINARY)
        monkeypatch.setattr(WeightedSums, "values", interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.fit(TREES, BINARY)
        assert not hasattr(model, "_native")


class TestParts:
    @pytest.mark.parametrize("name", KERNELS)
    def test_sum_whose_examples_come_and_go(self, name):
        kernel, X = KERNELS[name]
        gram = kernel(X)
        random = np.random.default_rng(4)
        total = WeightedSums(kernel._model(), kernel._items(kernel._prepare(X)), 1, False).changing()
        groups: list[tuple[Any, Any, Any]] = []
        for _ in range(25):
            if len(groups) > 4:
                _, slots, _ = groups.pop(int(random.integers(len(groups))))
                total.remove(slots)
            examples = random.choice(N, size=int(random.integers(0, 9)), replace=False)
            groups.append((examples, total.add(examples), None))
            groups = [(examples, slots, random.normal(size=len(slots))) for examples, slots, _ in groups]
            for _, slots, weights in groups:
                total.set_weights(slots, weights)
            at = random.choice(N, size=12)
            expected = sum(gram[np.ix_(at, examples)] @ weights for examples, _, weights in groups)
            assert_allclose(total.values(at), expected, rtol=1e-9, atol=1e-9 * np.abs(gram).max())

    def test_program_over_cuts(self):
        """Against projected gradients, run for long."""
        random = np.random.default_rng(1)
        for bound in (0.1, 10.0, 1e5):
            planes = random.normal(size=(6, 4))
            offsets = random.uniform(0.1, 1, size=6)
            cuts = Cuts(bound)
            for t in range(6):
                cuts.add(Cut(np.array([t]), np.ones(1), offsets[t]), planes[: t + 1] @ planes[t])
            solution = cuts.solve()
            w = sum(a * planes[cut.examples[0]] for cut, a in solution.parts)
            slack = max(0.0, float((offsets - planes @ w).max()))
            assert_allclose(solution.slack, slack, atol=1e-6)
            # Primal and dual agree at the optimum, and nowhere else.
            assert_allclose(w @ w / 2 + bound * slack, solution.objective, rtol=1e-6)


@pytest.mark.slow
@pytest.mark.shared_data
def test_samples_find_boundaries(data_folder):
    X, y = next(iter_svmlight_tk(data_folder / "srl_ewt/train.tk.gz", 4000, labels="int", columns=("tree",)))
    X_test, y_test = next(
        iter_svmlight_tk(data_folder / "srl_ewt/test.tk.gz", 4000, labels="int", columns=("tree",))
    )
    exact = CuttingPlaneSVC(SST).fit(X, y)
    scores = [f1_score(y_test, exact.predict(X_test))]
    for sampling in ("uniform", "importance"):
        model = CuttingPlaneSVC(SST, sampling=sampling, sample_size=1000, random_state=0).fit(X, y)
        scores.append(f1_score(y_test, model.predict(X_test)))
    assert scores[0] > 0.84
    assert_allclose(scores, scores[0], atol=0.02)
