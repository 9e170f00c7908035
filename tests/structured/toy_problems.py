"""Small problems whose outputs can be listed, for tests of solvers."""

from __future__ import annotations

import itertools

import numpy as np

from hedgerow.structured import Problem


class Vectors(Problem):
    """Classes of vectors, some of which are closer to each other than others."""

    def __init__(self, n_classes=3):
        self.n_classes = n_classes

    def joint_features(self, x, y):
        features = np.zeros((self.n_classes, len(x)))
        features[y] = x
        return features.ravel()

    def compute_loss(self, y_true, y):
        return abs(y_true - y) / 2

    def candidates(self, x):
        return range(self.n_classes)


class Chains(Problem):
    """Labels of a sequence of vectors, with transitions."""

    def __init__(self, n_labels=2):
        self.n_labels = n_labels

    def joint_features(self, x, y):
        transitions = np.zeros((self.n_labels, self.n_labels))
        emissions = np.zeros((self.n_labels, len(x[0])))
        for i, label in enumerate(y):
            emissions[label] += x[i]
            if i:
                transitions[y[i - 1], label] += 1
        return np.concatenate([transitions.ravel(), emissions.ravel()])

    def compute_loss(self, y_true, y):
        return sum(a != b for a, b in zip(y_true, y, strict=True))

    def candidates(self, x):
        return list(itertools.product(range(self.n_labels), repeat=len(x)))


def vectors(n=12, n_classes=3, seed=0):
    """Vectors that are not quite separable, and their classes."""
    random = np.random.default_rng(seed)
    Y = random.integers(n_classes, size=n)
    means = random.normal(size=(n_classes, 4))
    return list(means[Y] + random.normal(size=(n, 4))), [int(y) for y in Y]


def chains(n=8, n_labels=2, seed=0):
    """Sequences of up to four vectors, and their labels."""
    random = np.random.default_rng(seed)
    X, Y = [], []
    for _ in range(n):
        length = random.integers(1, 5)
        labels = random.integers(n_labels, size=length)
        X.append(np.eye(n_labels)[labels] + 0.7 * random.normal(size=(length, n_labels)))
        Y.append(tuple(int(label) for label in labels))
    return X, Y


def feature_matrix(problem, X, Y, search):
    """For each example the rows (a, h) of its constraints w.a >= h - slack, as dense arrays."""
    rows = []
    for x, y_true in zip(X, Y, strict=True):
        true = problem.joint_features(x, y_true)
        planes = []
        for y in problem.candidates(x):
            if problem.same(y, y_true):
                continue
            difference, loss = true - problem.joint_features(x, y), problem.compute_loss(y_true, y)
            if search == "best_wrong":
                planes.append((difference, 1.0))
            elif search == "margin":
                planes.append((difference, loss))
            else:
                planes.append((loss * difference, loss))
        rows.append(planes)
    return rows
