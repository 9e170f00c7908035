"""Reranking: the native passes against a slow version, small lists by hand, copies, and what is refused."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

import hedgerow
from hedgerow.data import CandidateLists
from hedgerow.feature_extraction import ParseFeatures
from hedgerow.kernels import Linear
from hedgerow.online import RDA, ROMMA, Forgetron, PassiveAggressive, Perceptron, PositiveWinnow, Reranker
from hedgerow.structured import Reranking


def random_lists(seed, n=40, width=12, counts=False, **more):
    """Lists of 1 to 6 candidates; with counts, features are small whole numbers and ties of scores are common."""
    random = np.random.default_rng(seed)
    lengths = random.integers(1, 7, n)
    shape = (lengths.sum(), width)
    X = random.poisson(0.5, shape).astype(float) if counts else random.normal(size=shape)
    X[random.random(shape) < 0.4] = 0
    grades = random.choice([0.0, 0.5, 0.75, 1.0], lengths.sum())
    return CandidateLists(lengths, features=sparse.csr_matrix(X), grades=grades, **more)


# -- the slow version: a step is what a learner does with an example x of the label +1 and its score ----------


def perceptron(w, x, score, weight):
    return w + weight * x if score <= 0 else w


def pa(bound):
    def step(w, x, score, weight):
        loss, square = max(0.0, 1 - score), x @ x
        return w + bound(loss, square, weight) * x if loss > 0 and square > 0 else w

    return step


def romma(w, x, score, weight):
    if score > 0 or x @ x == 0:
        return w
    if w @ w == 0:
        return x / (x @ x)
    q = (x @ x) * (w @ w) - score**2
    if q <= 0:
        return w
    return ((x @ x) * (w @ w) - score) / q * w + (w @ w) * (1 - score) / q * x


def voted_rda(rate, l1):
    """Regularised dual averaging of the hinge loss on mistakes."""
    gradients = []

    def step(w, x, score, weight):
        if score > 0:
            return w
        gradients.append(-weight * x)
        mean = np.mean(gradients, axis=0)
        return -np.sqrt(len(gradients)) * rate * np.sign(mean) * np.maximum(np.abs(mean) - l1, 0)

    return step


def slow_reranker(lists, step, epochs=1, loss="zero-one", sample_weight=None):
    """The last weights, their average over all examples, and the number of mistakes."""
    w = np.zeros(lists.features.shape[1])
    predictors, mistakes = [], 0
    for _ in range(epochs):
        for i, item in enumerate(lists):
            phi, oracle = item.features.toarray(), int(np.argmax(item.grades))
            others = [h for h in range(len(item)) if h != oracle]
            if loss == "grade":
                others = [h for h in others if item.grades[h] < item.grades[oracle]]
            weight = 1.0 if sample_weight is None else sample_weight[i]
            if not others or weight == 0:
                continue
            best = max(others, key=lambda h: phi[h] @ w)  # the first of several
            x = phi[oracle] - phi[best]
            score = x @ w
            mistakes += score <= 0
            w = step(w, x, score, weight)
            predictors.append(w)
    return w, np.mean(predictors, axis=0), mistakes


LEARNERS = {
    "perceptron": (Perceptron(), perceptron, True),
    "PA": (PassiveAggressive(variant="PA"), pa(lambda loss, square, c: loss / square), False),
    "PA-I": (
        PassiveAggressive(variant="PA-I", C=0.3),
        pa(lambda loss, square, c: min(0.3 * c, loss / square)),
        False,
    ),
    "PA-II": (
        PassiveAggressive(variant="PA-II", C=0.3),
        pa(lambda loss, square, c: loss / (square + 1 / (2 * 0.3 * c))),
        False,
    ),
    "ROMMA": (ROMMA(), romma, False),
}


def test_voted_rda_equals_slow_version():
    lists = random_lists(3)
    for l1 in (0.0, 0.05):
        last, average, mistakes = slow_reranker(lists, voted_rda(0.5, l1), epochs=3)
        for averaging, expected in ((None, last), ("average", average)):
            learner = RDA(l1=l1, learning_rate=0.5, update="mistakes", averaging=averaging)
            model = Reranker(learner, epochs=3).fit(lists)
            np.testing.assert_allclose(model.coef_[0], expected, rtol=1e-9, atol=1e-9)
            assert model.mistakes_ == mistakes
            assert model.n_nonzero_ == np.count_nonzero(expected)


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_equals_slow_version(name, seed):
    learner, step, counts = LEARNERS[name]
    lists = random_lists(seed, counts=counts)
    for loss in ("zero-one", "grade"):
        last, average, mistakes = slow_reranker(lists, step, epochs=3, loss=loss)
        for averaging, expected in ((None, last), ("average", average)):
            model = Reranker(clone(learner).set_params(averaging=averaging), epochs=3, loss=loss).fit(lists)
            np.testing.assert_allclose(model.coef_[0], expected, rtol=1e-9, atol=1e-9)
            assert model.mistakes_ == mistakes
            assert model.n_seen_ == 3 * len(lists)
            np.testing.assert_allclose(
                model.decision_function(lists), lists.features @ expected, rtol=1e-9, atol=1e-9
            )


def test_sample_weights_equal_slow_version():
    lists = random_lists(4, counts=True)
    weights = np.random.default_rng(4).integers(0, 3, len(lists)).astype(float)
    last, _, mistakes = slow_reranker(lists, perceptron, sample_weight=weights)
    model = Reranker(Perceptron()).fit(lists, sample_weight=weights)
    np.testing.assert_array_equal(model.coef_[0], last)
    assert model.mistakes_ == mistakes
    for bad, message in (([1.0], "must have the shape"), (-weights, "at least 0")):
        with pytest.raises(ValueError, match=message):
            Reranker(Perceptron()).fit(lists, sample_weight=bad)


def test_by_hand():
    # The first list: all scores are 0, so the first rival wins: w = (0,1,0) - (1,0,0). The second: the rivals have
    # -1 and 1, the oracle 0; w += (0,0,1) - (0,1,0). The third: the oracle has 1, its rival -1: nothing changes.
    features = [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 1], [1, 0, 0]]
    grades = [0.2, 0.9, 0, 0, 1, 1, 0]
    model = Reranker(Perceptron()).fit(CandidateLists([2, 3, 2], features=features, grades=grades))
    np.testing.assert_array_equal(model.coef_, [[-1, 0, 1]])
    assert (model.mistakes_, model.n_nonzero_) == (2, 2)
    assert model.sparsify().coef_.nnz == 2
    average = Reranker(Perceptron(averaging="average")).fit(
        CandidateLists([2, 3, 2], features=features, grades=grades)
    )
    np.testing.assert_allclose(average.coef_, [[-1, 1 / 3, 2 / 3]])


def test_the_first_of_the_best_is_the_oracle_and_the_first_of_the_highest_is_predicted():
    lists = CandidateLists([3], features=np.eye(3), grades=[0.5, 0.7, 0.7])
    model = Reranker(Perceptron()).fit(lists)
    np.testing.assert_array_equal(model.coef_, [[-1, 1, 0]])
    assert model.predict(lists) == [1]
    assert model.predict(lists.with_features(np.ones((3, 3)))) == [0]
    # With the other one of the best it would be a rival, but not among the worse ones.
    lists = CandidateLists([2], features=np.eye(2), grades=[0.7, 0.7])
    assert Reranker(Perceptron()).fit(lists).n_nonzero_ == 2
    model = Reranker(Perceptron(), loss="grade").fit(lists)
    assert (model.n_nonzero_, model.mistakes_, model.n_seen_) == (0, 0, 1)


def test_lists_of_one_candidate_are_left_out():
    lists = CandidateLists([1, 2, 1], features=[[1.0], [3.0], [1.0], [5.0]], grades=[1, 1, 0, 1])
    model = Reranker(Perceptron(averaging="average")).fit(lists)
    assert (model.coef_, model.mistakes_, model.n_seen_) == ([[2.0]], 1, 3)


@pytest.mark.parametrize("averaging", [None, "average", "normalized"])
def test_pieces_equal_one_pass(averaging):
    lists = random_lists(5)
    whole = Reranker(Perceptron(averaging=averaging)).fit(lists)
    pieces = Reranker(Perceptron(averaging=averaging))
    for begin, end in ((0, 1), (1, 17), (17, 40)):
        pieces.partial_fit(lists[begin:end])
    np.testing.assert_array_equal(pieces.coef_, whole.coef_)
    assert (pieces.mistakes_, pieces.n_seen_) == (whole.mistakes_, whole.n_seen_)


def test_features_may_come_later():
    lists = random_lists(6, counts=True)
    wide = sparse.hstack([lists.features, sparse.csr_matrix(lists.features)], format="csr")
    model = Reranker(Perceptron()).partial_fit(lists).partial_fit(lists.with_features(wide))
    assert model.coef_.shape == (1, 24)
    narrow = np.hstack([lists.features.toarray(), np.zeros((lists.n_candidates, 12))])
    expected = Reranker(Perceptron()).partial_fit(lists.with_features(narrow))
    expected.partial_fit(lists.with_features(wide))
    np.testing.assert_array_equal(model.coef_, expected.coef_)
    folded = Reranker(Perceptron(n_features=8)).fit(lists)
    assert folded.coef_.shape == (1, 8)


def test_shuffled_passes_are_repeatable_and_differ():
    lists = random_lists(7)
    fits = [
        Reranker(Perceptron(), shuffle=True, epochs=2, random_state=s).fit(lists).coef_ for s in (1, 1, 2)
    ]
    np.testing.assert_array_equal(fits[0], fits[1])
    assert (fits[0] != fits[2]).any()


def test_true_candidates_may_be_given():
    lists = random_lists(8, n=25)
    given = Reranker(Perceptron(), epochs=2).fit(lists, lists.oracles())
    np.testing.assert_array_equal(given.coef_, Reranker(Perceptron(), epochs=2).fit(lists).coef_)
    last = lists.lengths - 1
    ungraded = CandidateLists(lists.lengths, features=lists.features)
    as_graded = CandidateLists(
        lists.lengths,
        features=lists.features,
        grades=np.isin(np.arange(lists.n_candidates), lists.begins[1:] - 1),
    )
    np.testing.assert_array_equal(
        Reranker(Perceptron()).fit(ungraded, last).coef_, Reranker(Perceptron()).fit(as_graded).coef_
    )
    with pytest.raises(ValueError, match="positions of the true candidates"):
        Reranker(Perceptron()).fit(lists, [0])


def test_evaluation_is_that_of_structured_reranking():
    lists = random_lists(8, n=25)
    model = Reranker(Perceptron()).fit(lists)
    assert model.evaluate(lists) == Reranking().evaluate(lists, model.predict(lists))
    tally = model.tally()
    for part in (lists[:10], lists[10:]):
        tally.add(part, None, model.predict(part))
    assert tally.by_choice() == model.evaluate(lists)


def test_trace():
    lists = random_lists(8, n=25)
    model = Reranker(Perceptron(averaging="average"), epochs=2, trace_every=10).fit(lists)
    trace = model.trace_
    rows = np.diff(lists.begins) > 1  # others are left out
    assert trace.examples.tolist() == list(range(10, 2 * rows.sum() + 1, 10))
    parts = Reranker(Perceptron())
    counts = []
    for i in np.tile(np.flatnonzero(rows), 2):
        counts.append(parts.partial_fit(lists[[i]]).mistakes_)
    assert trace.mistakes.tolist() == [counts[n - 1] for n in trace.examples]
    assert (trace.support > 0).all()
    assert (np.diff(trace.seconds) >= 0).all()
    assert trace.to_dict()["support"] == trace.support.tolist()
    with pytest.raises(AttributeError, match="set trace_every"):
        _ = Reranker(Perceptron()).fit(lists).trace_


def test_evaluation_adds_up_brackets():
    brackets = [[4, 5, 6], [6, 6, 6], [1, 4, 2], [2, 4, 2]]
    lists = CandidateLists(
        [2, 2], features=[[1], [0], [1], [0]], brackets=brackets, base_scores=[-1, -2, -3, -2]
    )
    np.testing.assert_allclose(lists.grades, [8 / 11, 1, 2 / 6, 4 / 6])
    model = Reranker(Perceptron()).fit(lists)
    figures = model.evaluate(lists)
    assert figures["reranked"] == figures["oracle"]
    assert figures["oracle"] == pytest.approx(
        {"grade": 5 / 6, "accuracy": 1, "precision": 8 / 10, "recall": 1, "f1": 16 / 18}
    )
    assert figures["baseline"] == pytest.approx(
        {"grade": (8 / 11 + 4 / 6) / 2, "accuracy": 0.5, "precision": 6 / 9, "recall": 6 / 8, "f1": 12 / 17}
    )
    assert model.score(lists) == pytest.approx(16 / 18)
    graded = CandidateLists([2, 2], features=lists.features, grades=lists.grades)
    assert model.score(graded) == pytest.approx(5 / 6)
    assert model.evaluate(graded)["baseline"]["grade"] == pytest.approx((8 / 11 + 2 / 6) / 2)


class TestCopies:
    @pytest.mark.parametrize("name", LEARNERS)
    @pytest.mark.parametrize("averaging", [None, "average"])
    def test_saved_and_pickled_rerankers_go_on_alike(self, name, averaging, tmp_path):
        lists = random_lists(9)
        learner = clone(LEARNERS[name][0]).set_params(averaging=averaging)
        model = Reranker(learner, trace_every=7).fit(lists[:20])
        hedgerow.save(model, tmp_path / "model")
        copies = [hedgerow.load(tmp_path / "model"), pickle.loads(pickle.dumps(model))]
        model.partial_fit(lists[20:])
        for copy in copies:
            assert copy.get_params()["learner__averaging"] == averaging
            copy.partial_fit(lists[20:])
            np.testing.assert_array_equal(copy.coef_, model.coef_)
            np.testing.assert_array_equal(copy.predict(lists), model.predict(lists))
            assert copy.mistakes_ == model.mistakes_
            assert copy.trace_.mistakes.tolist() == model.trace_.mistakes.tolist()

    def test_with_features(self, tmp_path):
        lists = parses()
        model = Reranker(Perceptron(averaging="average"), ParseFeatures(min_lists=1), epochs=2).fit(lists)
        hedgerow.save(model, tmp_path / "model")
        copies = (hedgerow.load(tmp_path / "model"), pickle.loads(pickle.dumps(model)))
        for copy in copies:
            np.testing.assert_array_equal(copy.decision_function(lists), model.decision_function(lists))
            names = copy.transformer_.get_feature_names_out()
            assert names.tolist() == model.transformer_.get_feature_names_out().tolist()

    def test_unfitted_clone(self):
        model = Reranker(Perceptron(averaging="average"), epochs=3).fit(random_lists(1))
        copy = clone(model)
        assert repr(copy) == repr(model)
        with pytest.raises(NotFittedError, match="call fit or partial_fit"):
            copy.predict(random_lists(1))

    def test_the_template_stays_as_it_is(self):
        learner = Perceptron()
        Reranker(learner).fit(random_lists(1))
        assert not hasattr(learner, "_native")

    def test_a_grid_search_takes_lists(self):
        search = GridSearchCV(Reranker(PassiveAggressive()), {"learner__C": [1e-3, 0.1]}, cv=2)
        search.fit(random_lists(2))
        assert 0 <= search.best_score_ <= 1


class TestRefusals:
    @pytest.mark.parametrize(
        ("learner", "error", "message"),
        [
            (BaseEstimator(), TypeError, "learner must be a learner of hedgerow.online"),
            (Perceptron(Linear()), ValueError, "learner must keep weights, but Perceptron has a kernel"),
            (Forgetron(Linear(), 3), ValueError, "learner must keep weights, but Forgetron has a kernel"),
            (Perceptron(averaging="vote"), ValueError, "gives candidates no scores"),
            (Perceptron(averaging="mean"), ValueError, "averaging must be one of"),
            (PositiveWinnow(), ValueError, "PositiveWinnow takes no negative features"),
            (Perceptron(bias=True), ValueError, "learner must have bias=False"),
        ],
    )
    def test_learners(self, learner, error, message):
        with pytest.raises(error, match=message):
            Reranker(learner).fit(random_lists(0))

    @pytest.mark.parametrize(
        ("parameters", "error", "message"),
        [
            ({"epochs": 0}, ValueError, "epochs must be a whole number at least 1, got 0"),
            ({"loss": "some"}, ValueError, "loss must be one of 'zero-one', 'grade', got 'some'"),
            ({"trace_every": 0}, ValueError, "trace_every"),
            ({"shuffle": 1}, TypeError, "shuffle"),
            ({"transformer": "parse"}, TypeError, "transformer must have transform, or be None, got 'parse'"),
        ],
    )
    def test_parameters(self, parameters, error, message):
        with pytest.raises(error, match=message):
            Reranker(Perceptron(), **parameters).fit(random_lists(0))

    def test_lists(self):
        model = Reranker(Perceptron())
        with pytest.raises(TypeError, match="takes CandidateLists, got a list"):
            model.fit([[1.0]])
        with pytest.raises(ValueError, match="the lists have no features"):
            model.fit(CandidateLists([1], grades=[1]))
        with pytest.raises(ValueError, match="the lists have no grades"):
            model.fit(CandidateLists([1], features=[[1]]))
        with pytest.raises(ValueError, match="there are no lists"):
            model.fit(CandidateLists([], features=np.empty((0, 2)), grades=[]))

    def test_overflow_is_no_silent_failure(self):
        lists = CandidateLists([2, 2], features=[[1e200], [0], [-1e200], [0]], grades=[1, 0, 1, 0])
        with pytest.raises(OverflowError, match=r"example 0 .* cannot be learned from"):
            Reranker(Perceptron()).fit(lists)


def parses():
    trees = [
        "(TOP (S (NP (PRP I)) (VP (VBD saw) (NP (NP (NN it)) (PP (IN in) (NP (NNP Rome)))))))",
        "(TOP (S (NP (PRP I)) (VP (VBD saw) (NP (NN it)) (PP (IN in) (NP (NNP Rome))))))",
        "(TOP (S (NP (PRP We)) (VP (VBD ate) (NP (NP (NN it)) (PP (IN in) (NP (NNP Paris)))))))",
        "(TOP (S (NP (PRP We)) (VP (VBD ate) (NP (NN it)) (PP (IN in) (NP (NNP Paris))))))",
    ]
    return CandidateLists(
        [2, 2],
        trees=trees,
        base_scores=[-30.0, -30.5, -31.0, -31.25],
        brackets=[[5, 7, 6], [6, 6, 6], [5, 7, 6], [6, 6, 6]],
    )


def test_a_reranker_learns_where_prepositional_phrases_belong():
    lists = parses()
    model = Reranker(Perceptron(), ParseFeatures(min_lists=2)).fit(lists[:1])
    assert model.transformer_.n_features_out_ == 1  # nothing varies in two lists
    model = Reranker(Perceptron(), ParseFeatures(min_lists=1)).fit(lists[:1])
    assert model.predict(lists).tolist() == [1, 1]
    assert model.evaluate(lists)["baseline"]["f1"] == pytest.approx(20 / 26)
