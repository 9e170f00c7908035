"""The hidden Markov model against brute force, and how words that nobody knows are seen."""

from __future__ import annotations

from itertools import pairwise, product
from math import log

import numpy as np
import pytest

from hedgerow_papers.experiments.hidden_markov import HiddenMarkovModel, spelling
from hedgerow_papers.experiments.name_features import name_features

SENTENCES = [["a", "b", "a"], ["b", "Xy"], ["a"], ["b", "b", "7", "a"]]
LABELS = [["A", "B", "A"], ["B", "N"], ["B"], ["B", "A", "N", "A"]]


def log_probability(model, words, labels):
    """Of words with labels, from counts made anew."""
    known = {"a", "b"}  # come more than once
    seen = {"a", "b", "<Capital>", "<digits>", None}  # None: what training had nothing of
    path = ["|", *labels, "|"]
    pairs = [(x, y) for row in LABELS for x, y in zip(["|", *row], [*row, "|"], strict=True)]
    total = 0.0
    for before, after in pairwise(path):
        total += log(pairs.count((before, after)) + model.added)
        total -= log(sum(x == before for x, _ in pairs) + model.added * 4)
    emitted = [
        (label, word if word in known else spelling(word))
        for sentence, row in zip(SENTENCES, LABELS, strict=True)
        for word, label in zip(sentence, row, strict=True)
    ]
    for word, label in zip(words, labels, strict=True):
        shown = word if word in known else spelling(word)
        total += log(emitted.count((label, shown if shown in seen else None)) + model.added)
        total -= log(sum(other == label for other, _ in emitted) + model.added * len(seen))
    return total


@pytest.mark.parametrize("added", [0.1, 1.0])
@pytest.mark.parametrize("words", [["a", "b"], ["Zoe", "b", "3"], ["---", "a", "b", "a"], ["b"]])
def test_the_best_labels_are_those_of_brute_force(added, words):
    model = HiddenMarkovModel(added).fit(SENTENCES, LABELS)
    scores = {labels: log_probability(model, words, labels) for labels in product("ABN", repeat=len(words))}
    (found,) = model.predict([words])
    assert scores[tuple(found)] == pytest.approx(max(scores.values()))


def test_probabilities_add_up_to_one():
    model = HiddenMarkovModel(0.5).fit(SENTENCES, LABELS)
    np.testing.assert_allclose(np.exp(model.moves_).sum(axis=1), 1)
    np.testing.assert_allclose(np.exp(model.emissions_).sum(axis=1), 1)
    assert model.predict([[], ["a"]])[0] == []


@pytest.mark.parametrize(
    ("word", "seen"),
    [("1999", "<digits>"), ("A4", "<digits>"), ("--", "<signs>"), ("EFE", "<capitals>"), ("Ana", "<Capital>"),
     ("A", "<Capital>"), ("cantando", "<-do>")],
)  # fmt: skip
def test_spelling(word, seen):
    assert spelling(word) == seen


def test_name_features_look_at_the_window():
    first, second, third = name_features(["El", "EFE", "25"])
    assert first[0] == "word=El"
    assert {"0:capital", "1:capitals", "first"} <= set(first)
    assert {"-1:-el", "0:-fe", "1:digits"} <= set(second)
    assert {"-1:capitals", "0:digits", "last"} <= set(third)
    assert not any(feature.startswith(("-1:", "2:")) for feature in first)
