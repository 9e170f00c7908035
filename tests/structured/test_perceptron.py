"""The structured perceptron against a slow one, its theory, streams and copies."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from hedgerow.structured import Problem, StructuredPerceptron
from tests.structured.toy_problems import Chains, Vectors, chains, vectors

CASES = [(Vectors(), *vectors(20)), (Chains(), *chains(15)), (Chains(3), *chains(10, 3))]


def slow_perceptron(problem, X, Y, orders, variant="perceptron", C=1.0):
    """All predictors, one after each example, and the number of mistakes."""
    w = np.zeros(len(problem.joint_features(X[0], Y[0])))
    predictors, mistakes = [], 0
    for order in orders:
        for i in order:
            outputs = list(problem.candidates(X[i]))
            scores = [w @ problem.joint_features(X[i], y) for y in outputs]
            predicted = outputs[int(np.argmax(scores))]
            if predicted != Y[i]:
                mistakes += 1
                difference = problem.joint_features(X[i], Y[i]) - problem.joint_features(X[i], predicted)
                lacking = np.sqrt(problem.compute_loss(Y[i], predicted)) - w @ difference
                tau = {
                    "perceptron": lambda d, lack: 1.0,
                    "PA": lambda d, lack: lack / (d @ d),
                    "PA-I": lambda d, lack: min(C, lack / (d @ d)),
                    "PA-II": lambda d, lack: lack / (d @ d + 1 / (2 * C)),
                }[variant](difference, lacking)
                w = w + tau * difference
            predictors.append(w)
    return predictors, mistakes


@pytest.mark.parametrize("variant", ["perceptron", "PA", "PA-I", "PA-II"])
@pytest.mark.parametrize(("problem", "X", "Y"), CASES)
def test_equals_a_slow_perceptron(problem, X, Y, variant):
    orders = [range(len(X))] * 4
    C = 0.3 if variant in ("PA-I", "PA-II") else 1.0
    predictors, mistakes = slow_perceptron(problem, X, Y, orders, variant, C)
    last = StructuredPerceptron(problem, epochs=4, variant=variant, C=C).fit(X, Y)
    mean = StructuredPerceptron(problem, epochs=4, averaging="average", variant=variant, C=C).fit(X, Y)
    np.testing.assert_allclose(last.coef_, predictors[-1], atol=1e-9)
    np.testing.assert_allclose(mean.coef_, np.mean(predictors, axis=0), atol=1e-9)
    assert last.mistakes_ == mean.mistakes_ == last.n_updates_ == mistakes > 0
    assert last.n_seen_ == len(predictors)


def test_shuffled_orders_follow_the_random_state():
    problem, X, Y = CASES[1]
    random = np.random.RandomState(3)
    orders = [random.permutation(len(X)) for _ in range(3)]
    model = StructuredPerceptron(problem, epochs=3, shuffle=True, random_state=3).fit(X, Y)
    np.testing.assert_allclose(model.coef_, slow_perceptron(problem, X, Y, orders)[0][-1], atol=1e-9)


@pytest.mark.parametrize(("problem", "X", "Y"), CASES)
def test_the_dual_view_gives_the_same_weights(problem, X, Y):
    primal = StructuredPerceptron(problem, epochs=5).fit(X, Y)
    dual = StructuredPerceptron(problem, epochs=5, dual=True).fit(X, Y)
    np.testing.assert_array_equal(dual.coef_, primal.coef_)
    np.testing.assert_allclose(dual.support_vectors_.T @ dual.dual_coef_, dual.coef_, atol=1e-9)
    # Counts of mistakes by example and wrong output, each output once.
    assert dual.dual_coef_.sum() == dual.mistakes_
    assert np.all(dual.dual_coef_ == np.round(dual.dual_coef_))
    assert dual.dual_coef_.max() > 1
    rows = {
        (i, *row)
        for i, row in zip(dual.support_, dual.support_vectors_.toarray().round(9).tolist(), strict=True)
    }
    assert len(rows) == len(dual.dual_coef_)
    with pytest.raises(AttributeError, match="dual=True"):
        primal.dual_coef_  # noqa: B018


def test_mistakes_stay_within_novikoffs_bound():
    """Theorem 1: at most (R / margin)^2 updates when a unit vector separates with that margin."""
    random = np.random.default_rng(0)
    problem = Vectors(3)
    direction = random.normal(size=12)
    direction /= np.linalg.norm(direction)
    X, Y, margins, radii = [], [], [], []
    while len(X) < 60:
        x = random.normal(size=4)
        scores = [direction @ problem.joint_features(x, y) for y in range(3)]
        first, second = np.sort(scores)[::-1][:2]
        if first - second < 0.3:
            continue
        X.append(x)
        Y.append(int(np.argmax(scores)))
        margins.append(first - second)
        radii.append(np.sqrt(2) * np.linalg.norm(x))
    model = StructuredPerceptron(problem, epochs=100).fit(X, Y)
    assert 0 < model.n_updates_ <= (max(radii) / min(margins)) ** 2
    assert model.score(X, Y) == 1


def test_streams_equal_one_pass():
    problem, X, Y = CASES[2]
    for averaging in (None, "average"):
        whole = StructuredPerceptron(problem, averaging=averaging, dual=True).fit(X, Y)
        parts = StructuredPerceptron(problem, averaging=averaging, dual=True)
        for begin, end in ((0, 1), (1, 4), (4, 5), (5, len(X))):
            parts.partial_fit(X[begin:end], Y[begin:end])
        np.testing.assert_array_equal(parts.coef_, whole.coef_)
        np.testing.assert_array_equal(parts.support_, whole.support_)
        assert parts.mistakes_ == whole.mistakes_
        assert parts.n_seen_ == len(X)


class Words(Problem):
    """Spam or not, by words that come as they come."""

    def __init__(self):
        pass

    def joint_features(self, x, y):
        self.words = getattr(self, "words", {})
        return {2 * self.words.setdefault(word, len(self.words)) + y: 1.0 for word in x.split()}

    def candidates(self, x):
        return (0, 1)


def test_features_may_come_later():
    model = StructuredPerceptron(Words(), averaging="average")
    model.partial_fit(["buy this", "dear friend"], [1, 0])
    before = len(model.coef_)
    model.partial_fit(["cheap watches", "see you tomorrow"], [1, 0])
    assert len(model.coef_) > before
    assert model.predict(["buy cheap", "see friend", "never heard"]) == [1, 0, 0]


def test_pickled_learners_go_on_to_the_last_bit():
    problem, X, Y = CASES[1]
    for options in ({}, {"averaging": "average", "dual": True}, {"variant": "PA-I"}):
        model = StructuredPerceptron(problem, **options).fit(X[:7], Y[:7])
        copy = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(copy.coef_, model.coef_)
        for learner in (model, copy):
            learner.partial_fit(X[7:], Y[7:])
        np.testing.assert_array_equal(copy.coef_, model.coef_)
        assert copy.mistakes_ == model.mistakes_
        assert copy.trace_.loss.tolist() == model.trace_.loss.tolist()
        if "dual" in options:
            np.testing.assert_array_equal(copy.dual_coef_, model.dual_coef_)


def test_the_trace_says_how_it_went():
    problem, X, Y = CASES[1]
    model = StructuredPerceptron(problem, epochs=2).fit(X, Y)
    trace = model.trace_
    assert trace.examples.tolist() == [1, 2, 4, 8, 15, 16, 30]
    assert trace.mistakes[-1] == model.mistakes_
    assert np.all(np.diff(trace.mistakes) >= 0)
    assert np.all(np.diff(trace.seconds) >= 0)
    assert 0 < trace.loss[-1] <= 4


def test_fit_forgets():
    problem, X, Y = CASES[0]
    model = StructuredPerceptron(problem).fit(X, Y)
    again = clone(model).fit(X[:3], Y[:3]).fit(X, Y)
    np.testing.assert_array_equal(again.coef_, model.coef_)
    assert again.mistakes_ == model.mistakes_


def test_what_cannot_be_is_said():
    problem, X, Y = CASES[0]
    for options, message in (
        ({"averaging": "vote"}, "averaging must be one of None, 'average'"),
        ({"epochs": 0}, "epochs must be a whole number at least 1"),
        ({"variant": "PA-3"}, "variant must be one of 'perceptron', 'PA'"),
        ({"C": -1.0}, "C must be a number above 0"),
    ):
        with pytest.raises(ValueError, match=message):
            StructuredPerceptron(problem, **options).fit(X, Y)
    with pytest.raises(TypeError, match=r"problem must be a hedgerow\.structured\.Problem"):
        StructuredPerceptron("chains").fit(X, Y)
    with pytest.raises(ValueError, match="20 inputs, but 3 outputs"):
        StructuredPerceptron(problem).fit(X, Y[:3])
    with pytest.raises(NotFittedError):
        StructuredPerceptron(problem).predict(X)
    with pytest.raises(ValueError, match="Silent must define argmax or candidates"):
        StructuredPerceptron(Silent()).fit(X, Y)


class Silent(Problem):
    def __init__(self):
        pass

    def joint_features(self, x, y):
        return np.asarray(x)


def test_errors_of_a_problem_reach_the_user():
    class Broken(Vectors):
        def argmax(self, x, F):
            raise RuntimeError("no such output")

    with pytest.raises(RuntimeError, match="no such output"):
        StructuredPerceptron(Broken()).fit(*vectors())
