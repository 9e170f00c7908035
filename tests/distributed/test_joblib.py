"""Searches on joblib's Dask backend: the same figures, made by Dask's workers."""

from __future__ import annotations

import os

import joblib
import numpy as np
import pytest
from scipy import sparse
from sklearn.model_selection import GridSearchCV, cross_val_score

from hedgerow import Forest
from hedgerow.datasets import load_questions
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.model_selection import SampledSearchCV
from hedgerow.online import PassiveAggressive, Perceptron
from hedgerow.structured import SequenceSVC
from hedgerow.svm import SVC


@pytest.fixture(scope="module")
def questions():
    trees, y = load_questions()
    return trees[:150], y[:150] == "NUM"


@pytest.fixture
def on_dask(client):
    """joblib's work goes to the two workers of the client, and something comes."""
    before = client.run_on_scheduler(_transitions)
    with client.as_current(), joblib.parallel_config(backend="dask", n_jobs=2):
        yield
    assert client.run_on_scheduler(_transitions) > before


def _transitions(dask_scheduler):
    return dask_scheduler.transition_counter


class TestScikitLearn:
    def test_cross_validation_over_forests(self, questions, on_dask):
        trees, y = questions
        model = Perceptron(Normalized(SubsetTree()))
        found = cross_val_score(model, trees, y, cv=3, n_jobs=2)
        with joblib.parallel_config(backend="sequential"):
            assert found.tolist() == cross_val_score(model, trees, y, cv=3).tolist()

    def test_grid_search_over_kernels(self, questions, on_dask):
        trees, y = questions
        grid = {"C": [0.1, 1.0], "kernel__kernel__decay": [0.2, 0.4]}
        search = GridSearchCV(SVC(Normalized(SubsetTree())), grid, cv=2, n_jobs=2).fit(trees, y)
        with joblib.parallel_config(backend="sequential"):
            here = GridSearchCV(SVC(Normalized(SubsetTree())), grid, cv=2).fit(trees, y)
        np.testing.assert_array_equal(
            search.cv_results_["mean_test_score"], here.cv_results_["mean_test_score"]
        )
        assert search.best_params_ == here.best_params_
        np.testing.assert_array_equal(search.decision_function(trees), here.decision_function(trees))

    def test_learners_on_weights(self, on_dask):
        X = sparse.random(200, 30, 0.3, format="csr", random_state=0)
        y = np.asarray(X.sum(axis=1)).ravel() > 4.5
        found = cross_val_score(PassiveAggressive(), X, y, cv=3)
        with joblib.parallel_config(backend="sequential"):
            assert found.tolist() == cross_val_score(PassiveAggressive(), X, y, cv=3).tolist()

    def test_structured_learners(self, on_dask):
        X = [["He", "runs"], ["dogs", "bark"], ["It", "barks"]] * 4
        Y = [["N", "V"]] * 12
        assert cross_val_score(SequenceSVC(), X, Y, cv=2, n_jobs=2).tolist() == [1.0, 1.0]


def test_sampled_search(questions, on_dask):
    trees, y = questions
    grid = {"C": [0.1, 1.0]}

    def search(n_jobs):
        estimator = SVC(Normalized(SubsetTree()))
        return SampledSearchCV(estimator, grid, random_state=0, sample_size=30, n_jobs=n_jobs).fit(trees, y)

    found = search(2)
    with joblib.parallel_config(backend="sequential"):
        here = search(None)
    np.testing.assert_array_equal(found.cv_results_["mean_test_score"], here.cv_results_["mean_test_score"])


def test_work_is_done_by_the_workers(client, on_dask):
    pids = joblib.Parallel(n_jobs=2)(joblib.delayed(_where)(Forest(["(S a)"])) for _ in range(4))
    assert {pid for pid, _ in pids} <= set(client.run(os.getpid).values())
    assert all(text == "(S a)" for _, text in pids)


def _where(forest):
    return os.getpid(), forest.to_brackets()[0]
