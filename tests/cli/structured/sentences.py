"""Sentences with chunks, for tests."""

from __future__ import annotations

import numpy as np

TAGS = {
    "the": "DT",
    "a": "DT",
    "dog": "NN",
    "cat": "NN",
    "sees": "VB",
    "barks": "VB",
    "Rex": "NP",
    "Ana": "NP",
}


def sentences(n, seed=0):
    """Words, tags and chunks of small sentences."""
    random = np.random.RandomState(seed)
    made = []
    for _ in range(n):
        sentence = []
        for _ in range(random.randint(1, 3)):
            if random.randint(2):
                words = [random.choice(["the", "a"]), random.choice(["dog", "cat"])]
            else:
                words = [random.choice(["Rex", "Ana"])]
            sentence += [(w, TAGS[w], "I-NP" if i else "B-NP") for i, w in enumerate(words)]
            if random.randint(4):
                sentence.append((word := random.choice(["sees", "barks"]), TAGS[word], "O"))
        made.append(sentence)
    return made


def inputs(sentences):
    return [[token[:-1] for token in sentence] for sentence in sentences]


def labels(sentences):
    return [[token[-1] for token in sentence] for sentence in sentences]
