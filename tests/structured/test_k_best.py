"""The k best outputs against a look at all of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from hedgerow.kernels import Polynomial, Spectrum
from hedgerow.structured import (
    LabelSequence,
    Multiclass,
    Problem,
    SequenceSVC,
    StringMapping,
    StructuredPerceptron,
    StructuredSVM,
)

random = np.random.RandomState(0)
X = [random.randint(0, 3, size=(n, 3)).astype(float) for n in (3, 1, 4, 0, 2)]
LABELS = ["B-A", "I-A", "O"]
Y = [[LABELS[k] for k in random.randint(3, size=len(x))] for x in X]


def brute_force(problem, weights, x, allowed):
    """All outputs with their scores, best first."""
    found = []
    for y in product(LABELS, repeat=len(x)):
        if all(allowed(a, b) for a, b in zip(("O", *y), y, strict=False)):
            features = problem.joint_features(x, list(y))
            found.append((list(y), sum(weights[k] * value for k, value in features.items())))
    return sorted(found, key=lambda pair: -pair[1])


PARAMETERS = [
    {},
    {"order": 0},
    {"order": 2, "boundaries": True},
    {"order": 3, "transition_scale": 0.5},
    {"constraints": "bio", "boundaries": True},
    {"transition_features": [1], "order": 2, "constraints": "bio"},
]


@pytest.mark.parametrize("parameters", PARAMETERS, ids=str)
def test_sequences(parameters):
    model = StructuredPerceptron(LabelSequence(classes=LABELS, **parameters)).fit(X, Y)
    problem = model.problem_
    weights = random.normal(size=len(model.coef_))
    bio = parameters.get("constraints") is not None

    def allowed(before, after):
        return not bio or after != "I-A" or before != "O"

    for k in (1, 2, 7, 200):
        ranked = problem._decode_k(X, weights, k, 2)
        for x, found in zip(X, ranked, strict=True):
            expected = brute_force(problem, weights, x, allowed)
            assert [y for y, _ in found] == [y for y, _ in expected[:k]]
            assert_allclose([score for _, score in found], [score for _, score in expected[:k]], atol=1e-12)
    for x, margins in zip(X, problem.token_margins(X, weights), strict=True):
        every = brute_force(problem, weights, x, allowed)
        for t, margin in enumerate(margins):
            other = [score for y, score in every if y[t] != every[0][0][t]]
            assert margin == pytest.approx(every[0][1] - max(other, default=-np.inf))


def test_learners_of_sequences():
    model = SequenceSVC(kernel=Polynomial(2), solver="one-slack").fit(X, Y)
    ranked = model.predict_k(X, 3)
    assert [pairs[0][0] for pairs in ranked] == model.predict(X)
    leads = [pairs[0][1] - pairs[1][1] if len(pairs) > 1 else np.inf for pairs in ranked]
    assert_allclose(model.decision_scores(X), leads)
    # Another output differs at some token, so the smallest margin of a token is the lead of the whole.
    for lead, margins in zip(leads, model.token_margins(X), strict=True):
        assert lead == pytest.approx(min(margins, default=np.inf))
    with pytest.raises(ValueError, match="k must be a whole number at least 1"):
        model.predict_k(X, 0)
    assert not hasattr(StructuredSVM(Multiclass()), "token_margins")


def test_classes_and_strings():
    vectors, names = random.normal(size=(30, 4)), np.array(["a", "b", "c"])[np.arange(30) % 3]
    model = StructuredSVM(Multiclass(), random_state=0).fit(vectors, names)
    ranked = model.predict_k(vectors, 5)
    for pairs, row in zip(ranked, model.decision_function(vectors), strict=True):
        assert [label for label, _ in pairs] == model.classes_[np.argsort(-row)].tolist()
        assert [score for _, score in pairs] == sorted(row, reverse=True)
    words = ["cat", "dog", "tree", "fish"]
    model = StructuredSVM(StringMapping(Spectrum(2), Spectrum(1))).fit(words, [word + "s" for word in words])
    assert [pairs[0][0] for pairs in model.predict_k(words, 2)] == model.predict(words)
    assert (model.decision_scores(words) >= 0).all()


class Letters(Problem):
    def candidates(self, x):
        return sorted(set(x))

    def joint_features(self, x, y):
        return {ord(y): x.count(y)}


def test_problems_in_python():
    model = StructuredPerceptron(Letters(), epochs=3).fit(["aab", "bbc", "abc"], ["a", "b", "c"])
    for x, pairs in zip(["abc", "bb"], model.predict_k(["abc", "bb"], 2), strict=True):
        every = sorted(
            ((model.coef_[ord(y)] * x.count(y), y) for y in set(x)), key=lambda pair: (-pair[0], pair[1])
        )
        assert pairs == [(y, score) for score, y in every[:2]]
    assert np.isinf(model.decision_scores(["bb"])[0])
