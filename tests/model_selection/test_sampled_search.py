"""The sampled search: its ranking against a loop, what it refits, and scikit-learn's manners."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sklearn
from sklearn.base import clone, is_classifier
from sklearn.exceptions import FitFailedWarning, NotFittedError, UnsetMetadataPassedError
from sklearn.metrics import f1_score
from sklearn.model_selection import GridSearchCV, GroupKFold, ParameterGrid, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.utils.validation import check_is_fitted

from hedgerow import Records
from hedgerow.datasets import load_questions, make_two_gaussians
from hedgerow.kernels import RBF, Linear, Normalized, Spectrum, SubsetTree, SubTree
from hedgerow.model_selection import SampledSearchCV
from hedgerow.svm import SVC, CuttingPlaneSVC

TREES, KINDS = load_questions()
TREES, KINDS = TREES[:120], KINDS[:120]
NUMBERS = KINDS == "NUM"
X, Y = make_two_gaussians(150, random_state=1)
GRID = {"C": [0.1, 1.0]}


def search_vectors(estimator=None, grid=None, **options):
    """A small search over vectors, not fitted yet."""
    defaults = {"sample_size": 20, "random_state": 0}
    return SampledSearchCV(estimator or CuttingPlaneSVC(RBF(), tol=0.01), grid or GRID, **defaults | options)


class TestRanking:
    @pytest.mark.parametrize("sampling", ["uniform", "importance"])
    def test_equals_a_loop(self, sampling):
        machine = CuttingPlaneSVC(cost_factor=2.0, tol=0.02)
        grid = [
            {"kernel": [Normalized(SubTree()), Normalized(SubsetTree())], "C": [0.1, 3.0]},
            {"kernel": [Normalized(SubsetTree())], "kernel__kernel__decay": [0.2, 0.9]},
        ]
        splits = list(StratifiedKFold(3, shuffle=True, random_state=5).split(TREES, NUMBERS))
        search = SampledSearchCV(
            machine,
            grid,
            sampling=sampling,
            sample_size=25,
            scoring="f1",
            cv=splits,
            random_state=7,
            refit=None,
        ).fit(TREES, NUMBERS)
        expected = []
        for parameters in ParameterGrid(grid):
            decay = parameters.get("kernel__kernel__decay", 0.4)
            kernel = Normalized(type(parameters["kernel"].kernel)(decay=decay))
            for train, test in splits:
                fast = CuttingPlaneSVC(
                    kernel,
                    C=parameters.get("C", 1.0),
                    sampling=sampling,
                    sample_size=25,
                    tol=0.02,
                    cost_factor=2.0,
                    random_state=7,
                ).fit(TREES[train], NUMBERS[train])
                expected.append(f1_score(NUMBERS[test], fast.predict(TREES[test])))
        expected = np.reshape(expected, (6, 3))
        found = np.column_stack([search.cv_results_[f"split{i}_test_score"] for i in range(3)])
        np.testing.assert_allclose(found, expected, rtol=1e-12)
        means = expected.mean(axis=1)
        np.testing.assert_allclose(search.cv_results_["mean_test_score"], means)
        np.testing.assert_allclose(search.cv_results_["std_test_score"], expected.std(axis=1))
        assert len(set(means.round(6))) > 2  # there is something to rank
        order = [1 + int((means > mean + 1e-12).sum()) for mean in means]
        assert search.cv_results_["rank_test_score"].tolist() == order
        assert search.best_index_ == int(means.argmax())
        assert search.best_score_ == pytest.approx(means.max())
        assert search.best_params_ is search.cv_results_["params"][search.best_index_]
        assert grid[1]["kernel"][0].kernel.decay == 0.4  # kernels of the grid are only copied

    def test_an_int_makes_it_repeatable(self):
        runs = [
            search_vectors(random_state=seed, refit=None).fit(X, Y).cv_results_["mean_test_score"]
            for seed in (3, 3, 4)
        ]
        assert runs[0].tolist() == runs[1].tolist() != runs[2].tolist()

    def test_the_estimators_own_random_state_counts(self):
        grid = {"C": [1.0]}
        inside = search_vectors(
            CuttingPlaneSVC(RBF(), tol=0.01, random_state=3), grid, random_state=None, refit=None
        )
        outside = search_vectors(None, grid, random_state=3, refit=None)
        assert inside.fit(X, Y).best_score_ == outside.fit(X, Y).best_score_

    def test_processes_give_the_same(self):
        alone = search_vectors(refit=None).fit(X, Y)
        together = search_vectors(refit=None, n_jobs=2).fit(X, Y)
        scores = [search.cv_results_["mean_test_score"].tolist() for search in (alone, together)]
        assert scores[0] == scores[1]

    def test_large_samples_rank_like_the_exact_search(self):
        # Every sample is all examples: the planes are those of the algorithm as it is written.
        grid = {"C": [0.01, 0.1, 1.0, 10.0], "kernel__gamma": [0.1, 10.0]}
        machine = CuttingPlaneSVC(RBF(), tol=1e-4)
        fast = SampledSearchCV(machine, grid, sample_size=1000, refit=None, random_state=0).fit(X, Y)
        slow = GridSearchCV(machine, grid, cv=3, refit=False).fit(X, Y)
        np.testing.assert_allclose(
            fast.cv_results_["mean_test_score"], slow.cv_results_["mean_test_score"], atol=0.02
        )


class TestRefit:
    def test_exact(self):
        search = search_vectors(CuttingPlaneSVC(RBF(), sampling="importance", sample_size=7)).fit(X, Y)
        winner = search.best_estimator_
        assert (winner.sampling, winner.C) == (None, search.best_params_["C"])
        alone = CuttingPlaneSVC(RBF(), C=winner.C).fit(X, Y)
        np.testing.assert_array_equal(search.decision_function(X), alone.decision_function(X))
        np.testing.assert_array_equal(search.predict(X), alone.predict(X))
        assert search.score(X, Y) == alone.score(X, Y)
        assert search.refit_time_ > 0

    def test_sampled(self):
        search = search_vectors(sampling="importance", refit="sampled", refit_sample_size=60).fit(X, Y)
        winner = search.best_estimator_
        assert (winner.sampling, winner.sample_size, winner.random_state) == ("importance", 60, 0)
        alone = CuttingPlaneSVC(
            RBF(), C=winner.C, sampling="importance", sample_size=60, tol=0.01, random_state=0
        ).fit(X, Y)
        np.testing.assert_array_equal(search.decision_function(X), alone.decision_function(X))

    def test_an_exact_machine(self):
        given = SVC(
            Normalized(SubsetTree()),
            loss="squared-hinge",
            tol=1e-4,
            cost_factor="balanced",
            precision="single",
        )
        grid = {"C": [0.01, 10.0], "kernel__kernel__decay": [0.2, 0.4]}
        search = SampledSearchCV(given, grid, sample_size=30, scoring="f1", random_state=0)
        winner = search.fit(TREES, NUMBERS).best_estimator_
        assert type(winner) is SVC
        alone = clone(given).set_params(**search.best_params_).fit(TREES, NUMBERS)
        np.testing.assert_array_equal(search.decision_function(TREES), alone.decision_function(TREES))
        # It is ranked as the cutting-plane machine with all that the two share.
        shared = CuttingPlaneSVC(given.kernel, cost_factor="balanced", precision="single")
        twin = SampledSearchCV(shared, grid, sample_size=30, scoring="f1", random_state=0, refit="sampled")
        twin.fit(TREES, NUMBERS)
        scores = [fitted.cv_results_["mean_test_score"].tolist() for fitted in (search, twin)]
        assert scores[0] == scores[1]
        search.set_params(refit="sampled").fit(TREES, NUMBERS)
        assert repr(search.best_estimator_) == repr(twin.best_estimator_)

    def test_none(self):
        search = search_vectors(refit=None).fit(X, Y)
        assert search.best_params_ in search.cv_results_["params"]
        assert not hasattr(search, "best_estimator_")
        assert not hasattr(search, "predict")
        with pytest.raises(AttributeError, match="refit=False"):
            search.score(X, Y)

    def test_the_scorer_scores(self):
        search = search_vectors(scoring="f1").fit(X, Y[0] == Y)
        assert search.score(X, Y[0] == Y) == f1_score(Y[0] == Y, search.predict(X))

    def test_weights_reach_machines(self):
        weights = np.where(Y.max() == Y, 50.0, 1.0)
        search = search_vectors().fit(X, Y, sample_weight=weights)
        alone = CuttingPlaneSVC(RBF(), C=search.best_params_["C"], tol=0.01).fit(X, Y, weights)
        np.testing.assert_array_equal(search.decision_function(X), alone.decision_function(X))
        plain = search_vectors().fit(X, Y)
        assert search.best_score_ != plain.best_score_

    def test_weights_that_are_routed(self):
        weights = np.where(np.arange(len(Y)) % 2, 50.0, 1.0)
        with sklearn.config_context(enable_metadata_routing=True):
            machine = SVC(RBF()).set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
            routed = search_vectors(machine).fit(X, Y, sample_weight=weights)
            with pytest.raises(UnsetMetadataPassedError):
                search_vectors(SVC(RBF())).fit(X, Y, sample_weight=weights)
        alone = SVC(RBF(), C=routed.best_params_["C"]).fit(X, Y, weights)
        np.testing.assert_array_equal(routed.decision_function(X), alone.decision_function(X))

    def test_groups_reach_the_splitter(self):
        groups = np.arange(len(X)) // 10
        search = search_vectors(cv=GroupKFold(5)).fit(X, Y, groups=groups)
        assert search.n_splits_ == 5
        with pytest.raises(ValueError, match="groups"):
            search_vectors(cv=GroupKFold(5)).fit(X, Y)


class TestData:
    def test_six_classes_of_trees(self):
        grid = {"kernel__kernel__decay": [0.1, 0.4], "C": [3.0]}
        machine = CuttingPlaneSVC(Normalized(SubsetTree()), tol=0.02)
        search = SampledSearchCV(machine, grid, sample_size=50, random_state=0).fit(TREES, KINDS)
        assert search.classes_.tolist() == sorted(set(KINDS))
        assert search.best_estimator_.kernel.kernel.decay == search.best_params_["kernel__kernel__decay"]
        assert search.decision_function(TREES[:5]).shape == (5, 6)
        assert search.score(TREES, KINDS) > 0.9

    def test_bracketed_trees_and_strings_in_lists(self):
        texts = TREES.to_brackets()
        for kernel in (Normalized(SubsetTree()), Normalized(Spectrum(k=2))):
            machine = CuttingPlaneSVC(kernel, tol=0.02)
            search = SampledSearchCV(machine, {"C": [1.0, 10.0]}, sample_size=40, random_state=0)
            assert search.fit(texts, list(KINDS)).score(texts, KINDS) > 0.8

    def test_records(self):
        records = Records(parse=TREES, length=[[float(len(tree.to_brackets()))] for tree in TREES])
        kernel = Normalized(SubsetTree()).on("parse") + Normalized(Linear()).on("length")
        machine = CuttingPlaneSVC(kernel, tol=0.02)
        grid = {"kernel__left__kernel__kernel__decay": [0.2, 0.4]}
        search = SampledSearchCV(machine, grid, sample_size=40, random_state=0).fit(records, NUMBERS)
        assert search.predict(records[:7]).shape == (7,)

    def test_sparse_and_data_frames(self):
        pandas = pytest.importorskip("pandas")
        import scipy.sparse

        dense = search_vectors().fit(X, Y)
        sparse = search_vectors().fit(scipy.sparse.csr_matrix(X), Y)
        assert sparse.best_score_ == dense.best_score_
        named = search_vectors().fit(pandas.DataFrame(X, columns=["a", "b"][: X.shape[1]]), pandas.Series(Y))
        assert named.best_score_ == dense.best_score_
        assert named.feature_names_in_.tolist() == ["a", "b"]
        assert named.n_features_in_ == dense.n_features_in_ == 2


class TestManners:
    def test_clone_and_parameters(self):
        search = search_vectors().fit(X, Y)
        fresh = clone(search)
        with pytest.raises(NotFittedError):
            check_is_fitted(fresh)
        assert fresh.set_params(estimator__kernel__gamma=3.0, sample_size=9).sample_size == 9
        assert fresh.estimator.kernel.gamma == 3.0
        assert search.estimator.kernel.gamma == 1.0
        assert is_classifier(search)

    def test_pickle(self):
        search = search_vectors().fit(X, Y)
        again = pickle.loads(pickle.dumps(search))
        check_is_fitted(again)
        np.testing.assert_array_equal(again.decision_function(X), search.decision_function(X))
        assert again.best_params_ == search.best_params_

    def test_results_have_the_keys_of_a_grid_search(self):
        ours = search_vectors(refit=None, return_train_score=True).fit(X, Y)
        theirs = GridSearchCV(CuttingPlaneSVC(RBF()), GRID, cv=3, refit=False, return_train_score=True).fit(
            X, Y
        )
        assert ours.cv_results_.keys() == theirs.cv_results_.keys()
        assert "mean_train_score" in ours.cv_results_

    def test_results_as_a_table(self):
        pandas = pytest.importorskip("pandas")
        table = pandas.DataFrame(search_vectors(refit=None).fit(X, Y).cv_results_)
        assert table["param_C"].tolist() == GRID["C"]
        assert table.sort_values("rank_test_score")["mean_test_score"].is_monotonic_decreasing

    def test_inside_a_cross_validation(self):
        scores = cross_val_score(search_vectors(), X, Y, cv=2)
        assert scores.min() > 0.6

    def test_several_measures(self):
        search = search_vectors(refit=None, scoring=["accuracy", "f1_macro"]).fit(X, Y)
        assert {"rank_test_accuracy", "rank_test_f1_macro"} <= search.cv_results_.keys()

    def test_pipelines(self):
        pipeline = make_pipeline(StandardScaler(), CuttingPlaneSVC(RBF(), tol=0.01))
        grid = {"cuttingplanesvc__C": [0.1, 1.0], "standardscaler__with_mean": [True, False]}
        search = search_vectors(pipeline, grid).fit(X, Y)
        assert search.best_estimator_[-1].sampling is None
        exact = search_vectors(make_pipeline(StandardScaler(), SVC(RBF())), {"svc__C": [0.1, 1.0]}).fit(X, Y)
        assert type(exact.best_estimator_[-1]) is SVC
        with pytest.raises(ValueError, match="has 'cuttingplanesvc__sampling', which cannot"):
            search_vectors(pipeline, {"cuttingplanesvc__sampling": [None]}).fit(X, Y)
        with pytest.raises(ValueError, match="has 'cuttingplanesvc', which cannot"):
            search_vectors(pipeline, {"cuttingplanesvc": [CuttingPlaneSVC()]}).fit(X, Y)


class TestErrors:
    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"sampling": None}, "sampling must be one of 'uniform', 'importance', got None"),
            ({"sampling": "random"}, "sampling must be one of"),
            ({"sample_size": 0}, "sample_size must be a whole number at least 1, got 0"),
            ({"refit_sample_size": 0}, "refit_sample_size must be"),
            ({"refit": True}, "refit must be one of None, 'exact', 'sampled', got True"),
            ({"scoring": ["f1", "accuracy"]}, "scoring must be one measure"),
            ({"scoring": lambda model, X, y: {"a": 1.0, "b": 2.0}}, "scoring must be one measure"),
            (
                {"grid": {"D": [1]}},
                r"param_grid has 'D', which cannot be searched.* are C, class_weight, cost_factor",
            ),
            ({"grid": {"kernel__decay": [1]}}, r"has 'kernel__decay'.*kernel, kernel__gamma, max_iter"),
            ({"grid": {"sample_size": [1]}}, "has 'sample_size', which cannot be searched"),
            ({"grid": {"kernel": ["precomputed"]}}, "kernel must be a kernel or None, got 'precomputed'"),
            ({"grid": [{}]}, "param_grid is empty"),
            ({"grid": {"C": []}}, "non-empty"),
        ],
    )
    def test_bad_parameters(self, options, message):
        search = search_vectors(**options)
        with pytest.raises(ValueError, match=message):
            search.fit(X, Y)
        with pytest.raises(NotFittedError):
            check_is_fitted(search)

    @pytest.mark.parametrize("grid", [[], {}])
    def test_an_empty_grid(self, grid):
        with pytest.raises(ValueError, match="param_grid is empty"):
            SampledSearchCV(CuttingPlaneSVC(), grid).fit(X, Y)

    def test_other_estimators(self):
        with pytest.raises(
            TypeError, match=r"estimator must be an SVC or a CuttingPlaneSVC .* got LinearSVC\(\)"
        ):
            search_vectors(LinearSVC()).fit(X, Y)

    @pytest.mark.parametrize("name", ["loss", "bias", "tol", "max_iter", "sampling"])
    def test_parameters_that_only_one_machine_has(self, name):
        with pytest.raises(
            ValueError, match=f"has '{name}', which .* are C, class_weight, cost_factor, kernel, n_jobs, prec"
        ):
            search_vectors(SVC(), {name: [1]}).fit(X, Y)

    def test_gram_matrices(self):
        with pytest.raises(
            ValueError, match="kernel must be a kernel or None, got 'precomputed': sampled machines"
        ):
            search_vectors(SVC(kernel="precomputed")).fit(X @ X.T, Y)

    def test_nested_parameters_without_a_kernel(self):
        with pytest.raises(ValueError, match="has 'kernel__gamma', which cannot be searched"):
            search_vectors(CuttingPlaneSVC(), {"kernel__gamma": [1.0]}).fit(X, Y)

    def test_candidates_that_fail_come_last(self):
        with pytest.warns(FitFailedWarning), pytest.warns(UserWarning, match="non-finite"):
            search = search_vectors(None, {"C": [-1.0, 1.0]}).fit(X, Y)
        assert np.isnan(search.cv_results_["mean_test_score"][0])
        assert search.best_params_ == {"C": 1.0}
        with pytest.raises(ValueError, match="C must be a number at least 1e-20"):
            search_vectors(None, {"C": [-1.0, 1.0]}, error_score="raise").fit(X, Y)

    @pytest.mark.parametrize("when", ["ranking", "refit"])
    def test_interrupted_it_keeps_what_it_had(self, when, monkeypatch):
        search = search_vectors().fit(X, Y)
        before = search.best_estimator_
        fit = CuttingPlaneSVC.fit

        def interrupted(machine, *arguments):
            if machine.sampling == ("uniform" if when == "ranking" else None):
                raise KeyboardInterrupt
            return fit(machine, *arguments)

        monkeypatch.setattr(CuttingPlaneSVC, "fit", interrupted)
        with pytest.raises(KeyboardInterrupt):
            search.fit(X, Y)
        assert search.best_estimator_ is before
        assert search.predict(X[:3]).shape == (3,)
        monkeypatch.undo()
        assert search.fit(X, Y).predict(X[:3]).shape == (3,)
