"""Sentences in columns for tests of structured learners over shards, and a slow readable way to mix parameters."""

from __future__ import annotations

import gzip

import numpy as np

from hedgerow import distributed

N_SHARDS = 4


def make_sentences(n, seed=0):
    """Sentences of words whose tag is that of the word, but for one word in four."""
    random = np.random.RandomState(seed)
    sentences = []
    for _ in range(n):
        words = random.randint(25, size=random.randint(1, 6)).tolist()
        sentences.append([(f"w{k}", "ABC"[k % 4 if k % 4 < 3 else random.randint(3)]) for k in words])
    return sentences


def write_sentences(folder, sizes=(9, 12, 7, 14)):
    """A file of so many sentences each."""
    sentences = make_sentences(sum(sizes))
    begin = 0
    for number, size in enumerate(sizes):
        text = "\n".join(
            "".join(f"{word} {tag}\n" for word, tag in s) for s in sentences[begin : begin + size]
        )
        (folder / f"part{number}.txt.gz").write_bytes(gzip.compress(text.encode()))
        begin += size
    return folder


def in_shards(folder, shards=N_SHARDS):
    return distributed.read(folder / "part*.txt.gz", "columns", shards=shards)


def inputs_and_labels(data):
    """Of each shard."""
    return [shard.load() for shard in data.parts]


def slow_mixing(problem, parts, rounds, update, C):
    """Parameter mixing with dicts for weights; returns the last and the mean predictor, and mistakes.

    The problem has seen all examples. It is asked for predictions and joint features only.
    """
    weights, mistakes = {}, 0
    predictors = []  # by round
    for _ in range(rounds):
        predictors.append([])
        moved = {}  # by feature: where shards have moved it, and their sizes
        for X, Y in parts:
            own, touched = dict(weights), set()
            for x, y in zip(X, Y, strict=True):
                features = learn(problem, own, x, y, update, C)
                mistakes += features is not None
                touched |= features or set()
                predictors[-1].append(dict(own))
            for feature in touched:
                moved.setdefault(feature, []).append((own[feature], len(X)))
        for feature, places in moved.items():
            weights[feature] = sum(w * n for w, n in places) / sum(n for _, n in places)
    counted = predictors if len(parts) == 1 else predictors[1:] or predictors
    return weights, mean([predictor for some in counted for predictor in some]), mistakes


def mean(predictors):
    sums = {}
    for predictor in predictors:
        for feature, value in predictor.items():
            sums[feature] = sums.get(feature, 0.0) + value
    return {feature: value / len(predictors) for feature, value in sums.items()}


def learn(problem, weights, x, y, update, C):
    """One example; the features that it has moved, or None when it was predicted rightly."""
    (predicted,) = problem._decode([x], dense(weights, problem._n_weights()), 1)
    if predicted == y:
        return None
    difference = dict(problem.joint_features(x, y))
    for feature, value in problem.joint_features(x, predicted).items():
        difference[feature] = difference.get(feature, 0.0) - value
    difference = {feature: value for feature, value in difference.items() if value}
    margin = sum(weights.get(feature, 0.0) * value for feature, value in difference.items())
    norm = sum(value**2 for value in difference.values())
    shortfall = problem.compute_loss(y, predicted) ** 0.5 - margin
    step = {
        "perceptron": 1.0,
        "PA": shortfall / norm,
        "PA-I": min(C, shortfall / norm),
        "PA-II": shortfall / (norm + 1 / (2 * C)),
    }[update]
    for feature, value in difference.items():
        weights[feature] = weights.get(feature, 0.0) + step * value
    return set(difference)


def dense(weights, size):
    vector = np.zeros(size)
    for feature, value in weights.items():
        vector[feature] = value
    return vector
