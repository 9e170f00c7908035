"""Progressive validation equals a loop that predicts one example, then learns from it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import SGDClassifier, SGDRegressor
from sklearn.metrics import f1_score, mean_absolute_error
from sklearn.naive_bayes import BernoulliNB

from hedgerow.datasets import load_questions
from hedgerow.inspection import OnlinePerformanceDisplay
from hedgerow.kernels import Normalized, SubsetTree
from hedgerow.model_selection import ProgressiveResult, progressive_validation
from hedgerow.model_selection.error_count import ErrorCount
from hedgerow.online import PassiveAggressive, Perceptron


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = sparse.random(150, 30, 0.3, "csr", random_state=0)
    y = np.array(["ham", "spam"])[((X @ rng.normal(size=30)) > 0).astype(int)]
    return X, y


@pytest.fixture(scope="module")
def three(data):
    X, _ = data
    return X, np.asarray(X[:, :3].toarray().argmax(axis=1)) * 10


def naive(estimator, X, y, batch_size=1):
    """Predictions, one batch after the other."""
    estimator, classes, predicted = clone(estimator), np.unique(y), []
    for begin in range(0, len(y), batch_size):
        some = slice(begin, begin + batch_size)
        try:
            predicted += estimator.predict(X[some]).tolist()
        except NotFittedError:
            predicted += [classes[0]] * len(y[some])
        estimator.partial_fit(X[some], y[some], classes=classes)
    return np.array(predicted), estimator


LEARNERS = [
    Perceptron(),
    Perceptron(bias=True, averaging="average"),
    Perceptron(averaging="vote"),
    PassiveAggressive(C=0.1),
    PassiveAggressive(n_features=8),
]


class TestHedgerow:
    @pytest.mark.parametrize("learner", LEARNERS, ids=repr)
    @pytest.mark.parametrize("kind", ["data", "three"])
    def test_equals_the_loop(self, request, learner, kind):
        X, y = request.getfixturevalue(kind)
        expected, slow = naive(learner, X, y)
        fast = clone(learner)
        result = progressive_validation(fast, X, y, return_predictions=True)
        assert result.predictions.tolist() == expected.tolist()
        assert result.mistakes[-1] == (expected != y).sum()
        np.testing.assert_array_equal(fast.decision_function(X), slow.decision_function(X))

    def test_trees(self):
        trees, y = load_questions()
        trees, y = trees[:60], y[:60]
        learner = Perceptron(Normalized(SubsetTree()), averaging="average")
        expected, _ = naive(learner, trees, y)
        result = progressive_validation(learner, trees, y, return_predictions=True)
        assert result.predictions.tolist() == expected.tolist()

    def test_batches(self, data):
        X, y = data
        expected, _ = naive(Perceptron(), X, y, 7)
        result = progressive_validation(Perceptron(), X, y, batch_size=7, return_predictions=True)
        assert result.predictions.tolist() == expected.tolist()

    @pytest.mark.parametrize("size", [1, 7, 150])
    def test_chunks(self, data, size, monkeypatch):
        X, y = data
        whole = progressive_validation(Perceptron(), X, y, trace_every=20)
        monkeypatch.setattr("hedgerow.model_selection.progressive.NATIVE_ROWS", 5)
        chunks = ((X[i : i + size], y[i : i + size]) for i in range(0, 150, size))
        parts = progressive_validation(Perceptron(), chunks, classes=["ham", "spam"], trace_every=20)
        assert parts.to_dict() == whole.to_dict()

    def test_a_learner_that_has_begun_goes_on(self, data):
        X, y = data
        learner = Perceptron().fit(X[:100], y[:100])
        result = progressive_validation(learner, iter([(X[100:], y[100:])]))
        assert learner.n_seen_ == 150
        assert result.mistakes[-1] + Perceptron().fit(X[:100], y[:100]).mistakes_ == learner.mistakes_


class TestOthers:
    @pytest.mark.parametrize("batch_size", [1, 10])
    @pytest.mark.parametrize("estimator", [SGDClassifier(random_state=0), BernoulliNB()], ids=repr)
    def test_scikit_learn(self, data, estimator, batch_size):
        X, y = data
        expected, _ = naive(estimator, X, y, batch_size)
        result = progressive_validation(
            clone(estimator), X, y, batch_size=batch_size, return_predictions=True
        )
        assert result.predictions.tolist() == expected.tolist()
        assert result.error[-1] == (expected != y).mean()

    def test_regression_by_a_metric(self, data):
        X, _ = data
        y = X[:, 0].toarray().ravel()
        result = progressive_validation(
            SGDRegressor(random_state=0), X, y, batch_size=15, metric=mean_absolute_error, trace_every=75
        )
        assert result.recent_scores[1] < result.recent_scores[0]

    def test_a_data_frame(self, data):
        X, y = data
        frame = pd.DataFrame(X.toarray(), columns=[f"f{j}" for j in range(30)])
        expected = progressive_validation(Perceptron(), X.toarray(), y, return_predictions=True)
        for learner in (Perceptron(), SGDClassifier(loss="perceptron", random_state=0)):
            result = progressive_validation(learner, frame, y, return_predictions=True)
            assert len(result.predictions) == 150
        found = progressive_validation(Perceptron(), frame, y, return_predictions=True)
        assert found.predictions.tolist() == expected.predictions.tolist()


class River:
    """A perceptron in river's manner."""

    def __init__(self):
        self.weights: dict = {}
        self.begun = False

    def predict_one(self, x):
        if not self.begun:
            return None
        return "spam" if sum(self.weights.get(j, 0.0) * v for j, v in x.items()) > 0 else "ham"

    def learn_one(self, x, y):
        self.begun = True
        score = sum(self.weights.get(j, 0.0) * v for j, v in x.items())
        sign = 1 if y == "spam" else -1
        if sign * score <= 0:
            for j, v in x.items():
                self.weights[j] = self.weights.get(j, 0.0) + sign * v


class TestRiver:
    def forms(self, X):
        dense = X.toarray()
        yield X
        yield X.tocoo()
        yield dense
        names = [f"f{j}" for j in range(dense.shape[1])]
        yield pd.DataFrame(dense, columns=names)
        yield pl.DataFrame(dense, schema=names)
        yield [dict(enumerate(row)) for row in dense.tolist()]

    def test_the_same_as_hedgerow(self, data):
        X, y = data
        expected = progressive_validation(Perceptron(), X, y, return_predictions=True)
        for form in self.forms(X):
            result = progressive_validation(River(), form, y, return_predictions=True)
            assert result.predictions.tolist() == expected.predictions.tolist()

    def test_sparse_rows_have_their_nonzeros_only(self, data):
        seen = []
        learner = River()
        learner.learn_one = lambda x, y: seen.append((x, y))
        progressive_validation(learner, *data)
        X, y = data
        assert seen[3] == (dict(zip(X[3].indices.tolist(), X[3].data.tolist(), strict=True)), y[3])

    def test_no_prediction_is_a_wrong_one(self, data):
        X, y = data
        chunks = [(X[i : i + 1], y[i : i + 1]) for i in range(5)]
        result = progressive_validation(River(), chunks, return_predictions=True)
        assert result.predictions[0] is None
        assert result.mistakes[0] == 1


class TestSamples:
    @given(st.lists(st.lists(st.booleans())), st.none() | st.integers(1, 5))
    def test_error_counts(self, parts, every):
        count = ErrorCount(every)
        samples = [sample for part in parts for sample in count.add(np.array(part, dtype=bool))]
        last = count.rest()
        samples += [last] if last else []
        wrong = [value for part in parts for value in part]
        due = {every * i for i in range(1, 1000)} if every else {2**i for i in range(20)}
        ends = [n for n in range(1, len(wrong) + 1) if n in due or n == len(wrong)]
        assert [sample.examples for sample in samples] == ends
        assert [sample.mistakes for sample in samples] == [sum(wrong[:end]) for end in ends]
        begins = [0, *ends[:-1]] if ends else []
        for sample, begin, end in zip(samples, begins, ends, strict=True):
            assert (sample.recent_examples, sample.recent_mistakes) == (end - begin, sum(wrong[begin:end]))
            assert sample.recent_error == sample.recent_mistakes / sample.recent_examples

    def test_metric_report_and_dict(self, data):
        X, y = data
        said = []

        def f1(true, predicted):
            return f1_score(true, predicted, pos_label="spam", zero_division=0.0)

        result = progressive_validation(
            Perceptron(), X, y, metric=f1, trace_every=60, watch=said.append, return_predictions=True
        )
        assert result.examples.tolist() == [60, 120, 150]
        assert result.scores.tolist() == [f1(y[:n], result.predictions[:n]) for n in (60, 120, 150)]
        assert result.recent_scores[1] == f1(y[60:120], result.predictions[60:120])
        assert [sample.error for sample in said] == result.error.tolist()
        assert list(result.to_dict()) == [
            "examples",
            "mistakes",
            "error",
            "recent_error",
            "scores",
            "recent_scores",
        ]
        assert len(result) == 3

    def test_a_plot(self, data):
        import matplotlib

        matplotlib.use("Agg")
        results = {"PA": progressive_validation(PassiveAggressive(), *data, trace_every=10)}
        display = OnlinePerformanceDisplay(results).plot(measure="error")
        np.testing.assert_array_equal(display.line_.get_ydata(), results["PA"].error)
        assert display.ax_.get_ylabel() == "Cumulative error"


class TestFailures:
    def test_arguments(self, data):
        X, y = data
        with pytest.raises(TypeError, match="estimator must have partial_fit and predict, or learn_one"):
            progressive_validation(object(), X, y)
        with pytest.raises(ValueError, match="y must be given, unless X is an iterable of chunks"):
            progressive_validation(Perceptron(), X)
        with pytest.raises(ValueError, match="batch_size must be"):
            progressive_validation(Perceptron(), X, y, batch_size=0)
        with pytest.raises(ValueError, match="every must be"):
            progressive_validation(Perceptron(), X, y, trace_every=0)
        with pytest.raises(ValueError, match="classes must be given"):
            progressive_validation(Perceptron(), iter([(X, y)]))
        with pytest.raises(ValueError, match="there is no example"):
            progressive_validation(Perceptron(), iter([]))
        with pytest.raises(ValueError, match="differ in length"):
            progressive_validation(Perceptron(), X, y[:-1])

    def test_the_result_is_public(self, data):
        assert isinstance(progressive_validation(Perceptron(), *data), ProgressiveResult)
