"""The experiments with online learners on little data."""

from __future__ import annotations

import multiprocessing
import time

import numpy as np
import pytest
from sklearn.metrics import f1_score

from hedgerow.datasets import load_questions, make_two_gaussians
from hedgerow.kernels import RBF, Normalized, Polynomial, SubsetTree
from hedgerow_papers.experiments import EXPERIMENTS, Settings, run_all, summarise
from hedgerow_papers.experiments.online import LEARNERS, fit_timed, make_learner
from hedgerow_papers.experiments.online_questions import CLASSES, COST_FACTORS
from hedgerow_papers.experiments.online_synthetic import usual_C
from hedgerow_papers.experiments.split import Split, f1_percent

QUICK = Settings(quick=True, permutations=1)


def figures(experiment, settings, jobs=1):
    """All figures but times."""
    return {
        (run.row, run.permutation): {name: value for name, value in run.figures.items() if name != "seconds"}
        for run in run_all(EXPERIMENTS[experiment], settings, jobs)
    }


@pytest.mark.parametrize("seed", range(5))
def test_f1(seed):
    random = np.random.RandomState(seed)
    truth, predicted = random.rand(2, 50) < 0.3
    assert f1_percent(truth, predicted) == pytest.approx(100 * f1_score(truth, predicted))


def test_f1_of_nothing():
    nothing = np.zeros(4, dtype=bool)
    assert f1_percent(nothing, nothing) == 0
    assert f1_percent(~nothing, nothing) == 0


class TestLearners:
    @pytest.mark.parametrize(
        ("row", "expected"),
        [
            ("Perceptron", {"bias": False, "averaging": None}),
            ("Perceptron, biased", {"bias": True, "averaging": None}),
            ("Averaged", {"bias": False, "averaging": "average"}),
            ("PA-I", {"variant": "PA-I", "C": 1.0}),
            ("Projectron++", {"eta": 0.1, "budget": None}),
            ("Forgetron-750", {"budget": 750, "shrinking": "self-tuned"}),
        ],
    )
    def test_parameters_are_the_thesis_s(self, row, expected):
        params = make_learner(row, RBF(), trace_every=5).get_params()
        assert {name: params[name] for name in expected} == expected
        assert (params["epochs"], params["shuffle"], params["trace_every"]) == (1, False, 5)

    def test_parameters_of_the_svm(self):
        machine = make_learner("SVM, tuned", RBF(), {"cost_factor": COST_FACTORS}, trace_every=5)
        assert (machine.C, machine.cost_factor, machine.bias) == (1.0, COST_FACTORS, True)
        assert tuple(COST_FACTORS) == CLASSES

    def test_usual_C(self):
        """Against SVM-light's formula on explicit features."""
        X, _ = make_two_gaussians(30, random_state=0)
        features = np.c_[np.sqrt(2) * X, X**2, np.sqrt(2) * X[:, :1] * X[:, 1:]]
        lengths = np.linalg.norm(features, axis=1)
        assert usual_C(Polynomial(degree=2), X) == pytest.approx(1 / lengths.mean() ** 2)

    def test_long_items_are_no_reason_to_warn(self):
        X, y = make_two_gaussians(50, random_state=0)
        assert fit_timed(make_learner("Forgetron-10", Polynomial()), X, y) >= 0

    @pytest.mark.parametrize("budget", [5, 20, 1000])
    def test_biased_forgetron(self, budget):
        """Against the formulas on explicit features; with room for all it is the biased perceptron."""
        X, y = make_two_gaussians(400, random_state=1)
        features = np.c_[np.ones(len(X)), np.sqrt(2) * X, X**2, np.sqrt(2) * X[:, :1] * X[:, 1:]]
        learner = make_learner(f"Forgetron-{budget}, biased", Polynomial(degree=2)).fit(X, y)
        supports, w, bias, radius, damage, mistakes = [], np.zeros(6), 0.0, 0.0, 0.0, 0
        for x, label in zip(features, y, strict=True):
            radius = max(radius, x @ x)
            if label * (w @ x + bias) > 0:
                continue
            mistakes += 1
            bias += label * radius
            supports.append((float(label), x))
            w = sum(beta * z for beta, z in supports)
            if len(supports) > budget:
                beta, z = supports[0]
                sigma, margin = abs(beta), np.sign(beta) * (w @ z)

                def harm(phi, sigma=sigma, margin=margin):
                    return (phi * sigma) ** 2 + 2 * phi * sigma - 2 * phi**2 * sigma * margin

                factors = np.roots([sigma**2 - 2 * sigma * margin, 2 * sigma, damage - 15 / 32 * mistakes])
                inside = [phi for phi in factors.real if 0 < phi <= 1]
                factor = 1.0 if harm(1.0) + damage <= 15 / 32 * mistakes else max(inside)
                damage += harm(factor)
                supports = [(factor * beta, z) for beta, z in supports[1:]]
                w = sum(beta * z for beta, z in supports)
        assert learner.n_support_ == len(supports) <= budget
        np.testing.assert_allclose(learner.decision_function(X), features @ w + bias, rtol=1e-7, atol=1e-6)
        if budget == 1000:
            perceptron = make_learner("Perceptron, biased", Polynomial(degree=2)).fit(X, y)
            np.testing.assert_allclose(learner.decision_function(X), perceptron.decision_function(X))

    @pytest.mark.parametrize("row", [*LEARNERS, "Forgetron-15", "Forgetron-15, biased"])
    def test_one_vs_rest_is_one_binary_learner_a_class(self, row):
        """The thesis trained six binary classifiers; one learner of six classes gives the same scores."""
        trees, y = load_questions()
        order = np.random.RandomState(0).permutation(len(y))
        X, y, X_test = trees[order[:200]], y[order[:200]], trees[order[200:]]
        kernel = Normalized(SubsetTree())
        together = make_learner(row, kernel).fit(X, y)
        scores = together.decision_function(X_test)
        for column, label in enumerate(together.classes_):
            alone = make_learner(row, kernel).fit(X, y == label)
            np.testing.assert_allclose(alone.decision_function(X_test), scores[:, column], atol=1e-9)


def test_split():
    split = Split(np.arange(10), np.arange(10) * 2, np.arange(3), np.arange(3))
    shuffled = split.shuffled(np.random.RandomState(0))
    assert sorted(shuffled.X) == list(range(10))
    assert shuffled.X.tolist() != list(range(10))
    np.testing.assert_array_equal(shuffled.y, 2 * shuffled.X)
    assert len(split.prefix(4).y) == 4


class TestSynthetic:
    def test_all_rows_have_all_figures(self):
        experiment = EXPERIMENTS["online_synthetic"]
        (table,) = summarise(experiment, QUICK, list(run_all(experiment, QUICK)))
        for row in table.rows:
            assert all((cell.mean is None) == row.row.published_only for cell in row.cells), row.row

    def test_learners_learn(self):
        found = figures("online_synthetic", QUICK)
        assert found["Averaged", 0]["accuracy"] > 80
        assert found["SVM", 0]["accuracy"] > 85
        assert found["Projectron++", 0]["support"] <= 12  # the space of cubic polynomials in the plane has 10
        assert found["PA-I", 0]["support"] > found["Perceptron", 0]["support"] > 100

    @pytest.mark.slow
    def test_seeds_and_processes(self):
        settings = Settings(quick=True, permutations=2)
        here = figures("online_synthetic", settings)
        assert figures("online_synthetic", settings, jobs=2) == here
        assert here["Averaged", 0] != here["Averaged", 1]
        other = figures("online_synthetic", Settings(quick=True, permutations=1, seed=1))
        assert other["Averaged", 0] != here["Averaged", 0]

    @pytest.mark.slow
    def test_stopping_ends_the_processes(self):
        before = set(multiprocessing.active_children())
        runs = run_all(EXPERIMENTS["online_synthetic"], Settings(quick=True, permutations=1000), 2)
        next(runs)
        with pytest.raises(KeyboardInterrupt):
            runs.throw(KeyboardInterrupt)
        # The pool waits for its processes in a thread of its own, which may be a moment behind.
        deadline = time.monotonic() + 60
        while not set(multiprocessing.active_children()) <= before and time.monotonic() < deadline:
            time.sleep(0.05)
        assert set(multiprocessing.active_children()) <= before

    def test_traces_only_in_the_first_run_and_only_if_wanted(self):
        experiment = EXPERIMENTS["online_synthetic"]
        assert all(run.trace is None for run in run_all(experiment, QUICK))
        for run in run_all(experiment, Settings(quick=True, permutations=2, traced=True)):
            assert (run.trace is not None) == (run.permutation == 0 and run.row != "SVM")
            if run.trace is not None:
                assert run.trace["examples"][-1] == 1000
                assert len(run.trace["examples"]) == 500


@pytest.mark.parametrize("name", ["online_adult", "online_questions", "online_srl"])
class TestFromAFolder:
    def test_all_rows_are_filled(self, small_data, name):
        experiment = EXPERIMENTS[name]
        settings = Settings(data=small_data, permutations=2)
        for table in summarise(experiment, settings, list(run_all(experiment, settings))):
            for row in table.rows:
                for cell in row.cells:
                    expected = 0 if row.row.published_only or cell.measure.name == "f1_sec24" else 2
                    assert len(cell.values) == expected

    def test_folder_is_needed(self, name, small_data):
        with pytest.raises(ValueError, match="data must name the folder"):
            next(run_all(EXPERIMENTS[name], Settings()))

    def test_missing_file_is_named(self, name, tmp_path, small_data):
        with pytest.raises(FileNotFoundError, match="no such data folder"):
            next(run_all(EXPERIMENTS[name], Settings(data=tmp_path / "nowhere")))

    @pytest.mark.shared_data
    def test_quick(self, data_folder, name, small_data):
        settings = Settings(data=data_folder, quick=True, permutations=1)
        found = figures(name, settings)
        if name == "online_questions":
            assert found["Averaged", 0]["accuracy"] > 60
        else:
            assert found["Averaged", 0]["accuracy"] > 75
        assert found["PA-I", 0]["support"] >= found["Perceptron", 0]["support"]
