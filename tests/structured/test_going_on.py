"""Perceptrons and Frank-Wolfe on native problems: streams, kernels, saved models."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal

import hedgerow
from hedgerow.kernels import Linear
from hedgerow.structured import LabelSequence, Multiclass, StructuredPerceptron, StructuredSVM
from tests.structured.tiny_problems import ItemTags, VectorTags, make_vector_tags

WORDS = ["the", "a", "cat", "dog", "sees", "eats", "fish", "old"]
TAGS = ["D", "D", "N", "N", "V", "V", "N", "A"]


def sentences(n=30, seed=0):
    random = np.random.default_rng(seed)
    numbers = [random.integers(len(WORDS), size=random.integers(1, 6)) for _ in range(n)]
    X = [
        [[WORDS[k], f"before={WORDS[j]}"] for j, k in zip([0, *row[:-1]], row, strict=True)]
        for row in numbers
    ]
    return X, [[TAGS[k] if random.random() < 0.9 else "N" for k in row] for row in numbers]


def classes(n=40, seed=0):
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, 5))
    return X, (X @ random.normal(size=(5, 3)) + random.normal(size=(n, 3))).argmax(axis=1)


LEARNERS = {
    "perceptron": lambda problem: StructuredPerceptron(problem),
    "average": lambda problem: StructuredPerceptron(problem, averaging="average", dual=True),
    "PA-II": lambda problem: StructuredPerceptron(problem, variant="PA-II", averaging="average"),
    "frank-wolfe": lambda problem: StructuredSVM(
        problem, 0.3, solver="frank-wolfe", tol=1e-8, averaging=None, random_state=0
    ),
}
# Close to the optimum the way there does not matter; how close rounding decides.
ROUNDING = {"perceptron": 1e-12, "average": 1e-12, "PA-II": 1e-12, "frank-wolfe": 1e-3}


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("problem", [LabelSequence(), LabelSequence(window=1, order=2)])
def test_saved_models_go_on_to_the_last_bit(name, problem, tmp_path):
    X, Y = sentences()
    model = LEARNERS[name](problem).fit(X[:10], Y[:10])
    hedgerow.save(model, tmp_path / "model")
    copy = hedgerow.load(tmp_path / "model")
    assert_array_equal(copy.coef_, model.coef_)
    for learner in (model, copy):
        learner.partial_fit(X[10:], Y[10:])
    assert_array_equal(copy.coef_, model.coef_)
    assert copy.predict(X) == model.predict(X)
    if isinstance(model, StructuredPerceptron):
        assert copy.mistakes_ == model.mistakes_
        assert copy.trace_.mistakes.tolist() == model.trace_.mistakes.tolist()
    if name == "average":
        assert_array_equal(copy.dual_coef_, model.dual_coef_)
        assert_array_equal(copy.support_, model.support_)


@pytest.mark.parametrize("averaging", [None, "average"])
def test_streams_of_sentences_equal_one_pass(averaging):
    X, Y = sentences()
    whole = StructuredPerceptron(LabelSequence(classes=["A", "D", "N", "V"]), averaging=averaging).fit(X, Y)
    parts = StructuredPerceptron(LabelSequence(classes=["A", "D", "N", "V"]), averaging=averaging)
    for begin in range(0, len(X), 7):
        parts.partial_fit(X[begin : begin + 7], Y[begin : begin + 7])
    assert parts.mistakes_ == whole.mistakes_
    assert_allclose(
        parts.problem_.transitions(parts.coef_), whole.problem_.transitions(whole.coef_), atol=1e-12
    )
    assert parts.predict(X) == whole.predict(X)


@pytest.mark.parametrize("name", LEARNERS)
def test_a_linear_kernel_changes_nothing(name):
    """In a kernel space coordinates are those of items, whose sum is the weights."""
    X, y = classes()
    plain = LEARNERS[name](Multiclass()).fit(X, y)
    kernel = LEARNERS[name](Multiclass(Linear())).fit(X, y)
    assert_allclose(X.T @ kernel.coef_.reshape(len(X), 3), plain.coef_.reshape(5, 3), atol=ROUNDING[name])
    assert_array_equal(kernel.predict(X), plain.predict(X))
    if isinstance(plain, StructuredPerceptron):
        assert kernel.mistakes_ == plain.mistakes_


@pytest.mark.parametrize("name", LEARNERS)
def test_streams_in_a_kernel_space(name):
    vectors, X, Y = make_vector_tags(n=20)
    plain, kernel = LEARNERS[name](VectorTags(vectors)), LEARNERS[name](ItemTags(vectors))
    for begin in (0, 8, 16):
        plain.partial_fit(X[begin : begin + 8], Y[begin : begin + 8])
        kernel.partial_fit(X[begin : begin + 8], Y[begin : begin + 8])
    # Moves come first, then items or features by tags.
    assert_allclose(kernel.coef_[:4], plain.coef_[:4], atol=ROUNDING[name])
    emissions = vectors[: (len(kernel.coef_) - 4) // 2].T @ kernel.coef_[4:].reshape(-1, 2)
    assert_allclose(emissions, plain.coef_[4:].reshape(-1, 2), atol=ROUNDING[name])
    assert kernel.predict(X) == plain.predict(X)


@pytest.mark.parametrize("name", LEARNERS)
def test_later_pieces_may_have_more_features(name):
    X, y = classes()
    wide = scipy.sparse.csr_array(X)
    narrow = scipy.sparse.csr_array(X[:20, :3])
    model = LEARNERS[name](Multiclass(classes=range(3))).partial_fit(narrow, y[:20])
    assert len(model.coef_) == 9
    model.partial_fit(wide[20:], y[20:])
    assert len(model.coef_) == 15
    assert model.score(wide, y) > 0.5


def test_threads_do_not_change_what_frank_wolfe_finds():
    X, Y = sentences(60)
    one, two = (
        StructuredSVM(LabelSequence(), 0.3, solver="frank-wolfe", random_state=0, n_jobs=n).fit(X, Y)
        for n in (1, 2)
    )
    assert_array_equal(one.coef_, two.coef_)
    assert one.objective_ == two.objective_
