"""Label sequences the slow way: joint features as the definition has them, outputs by enumeration."""

from __future__ import annotations

from itertools import pairwise, product
from math import sqrt

import numpy as np


class SlowSequences:
    """Joint features by their definition; features of tokens are pairs (number, value).

    Weights stand as documented: moves by order, starts, stops, biases, then features by labels, each followed by
    labels x labels weights if it looks at moves.
    """

    def __init__(self, n_labels, n_features, order=1, scale=1.0, boundaries=False, bias=False, wide=()):
        self.n = n_labels
        self.order, self.scale, self.boundaries, self.bias = order, scale, boundaries, bias
        self.wide = set(wide)
        at = 0
        self.moves = {}
        for m in range(1, order + 1):
            self.moves[m] = at
            at += n_labels ** (m + 1)
        self.starts, self.stops = at, at + n_labels
        at += 2 * n_labels * boundaries
        self.biases = at
        at += n_labels * bias
        self.rows = {}
        for feature in range(n_features):
            self.rows[feature] = at
            at += n_labels + (n_labels**2 if feature in self.wide else 0)
        self.size = at

    def features(self, x, y):
        psi = np.zeros(self.size)
        for t, (token, label) in enumerate(zip(x, y, strict=True)):
            for feature, value in token:
                psi[self.rows[feature] + label] += value
                if feature in self.wide and t > 0:
                    psi[self.rows[feature] + self.n + y[t - 1] * self.n + label] += value
            for m in range(1, self.order + 1):
                if t >= m:
                    psi[self.moves[m] + np.ravel_multi_index(y[t - m : t + 1], (self.n,) * (m + 1))] += (
                        self.scale
                    )
            if self.bias:
                psi[self.biases + label] += 1
        if self.boundaries and len(y):
            psi[self.starts + y[0]] += self.scale
            psi[self.stops + y[-1]] += self.scale
        return psi

    def outputs(self, x, allowed=None):
        """All label sequences that are allowed; the last row and column are start and stop."""
        for y in product(range(self.n), repeat=len(x)):
            path = (self.n, *y, self.n) if y else ()
            if allowed is None or all(allowed[a, b] for a, b in pairwise(path)):
                yield y


def sequence_loss(loss, y_true, y):
    if callable(loss):
        return loss(y_true, y)
    wrong = sum(a != b for a, b in zip(y_true, y, strict=True))
    if isinstance(loss, str):
        return {"hamming": wrong, "mean": wrong / max(len(y), 1), "zero-one": float(wrong > 0)}[loss]
    return sum(loss[a, b] for a, b in zip(y_true, y, strict=True))


def violation(search, root, loss, margin):
    """H(y) of the thesis."""
    height = sqrt(loss) if root else loss
    if search == "best":
        return -margin
    if search == "best_wrong":
        return 1 - margin
    return height * (1 - margin) if search == "slack" else height - margin


def viterbi(emissions, transitions):
    """The best labels and their score."""
    scores, back = [emissions[0]], []
    for row in emissions[1:]:
        reached = scores[-1][:, None] + transitions
        back.append(reached.argmax(axis=0))
        scores.append(reached.max(axis=0) + row)
    labels = [int(scores[-1].argmax())]
    for sources in reversed(back):
        labels.append(int(sources[labels[-1]]))
    return labels[::-1], float(scores[-1].max())


def best_by_count(emissions, transitions, truth):
    """For each number of wrong labels the highest score of labels that have as many, order 1."""
    length, n = emissions.shape
    scores = np.full((length + 1, n), -np.inf)
    for b in range(n):
        scores[int(b != truth[0]), b] = emissions[0, b]
    for t in range(1, length):
        reached = (scores[:, :, None] + transitions).max(axis=1) + emissions[t]
        scores = np.full_like(scores, -np.inf)
        for b in range(n):
            wrong = int(b != truth[t])
            scores[wrong:, b] = reached[: length + 1 - wrong, b]
    return scores.max(axis=1)
