"""Problems whose outputs can be listed, with examples."""

from __future__ import annotations

import itertools

import numpy as np

from hedgerow import _core
from hedgerow.structured import Problem
from hedgerow.structured.problem import Binding


class Classes(Problem):
    """Vectors and classes, with any losses of classes for one another."""

    def __init__(self, losses):
        self.losses = losses

    def candidates(self, x):
        return range(len(self.losses))

    def joint_features(self, x, y):
        features = np.zeros((len(self.losses), len(x)))
        features[y] = x
        return features

    def compute_loss(self, y_true, y):
        return self.losses[y_true][y]


class Tags(Problem):
    """Sequences of numbers below `n_words`, whose outputs are sequences of tags; a loss for every wrong tag."""

    def __init__(self, n_words, n_tags=2, factor=1.0):
        self.n_words = n_words
        self.n_tags = n_tags
        self.factor = factor

    def candidates(self, x):
        return itertools.product(range(self.n_tags), repeat=len(x))

    def joint_features(self, x, y):
        features = {}
        moves = [self.n_words * self.n_tags + a * self.n_tags + b for a, b in itertools.pairwise(y)]
        for feature in [word * self.n_tags + tag for word, tag in zip(x, y, strict=True)] + moves:
            features[feature] = features.get(feature, 0.0) + 1.0
        return features

    def compute_loss(self, y_true, y):
        return self.factor * sum(a != b for a, b in zip(y_true, y, strict=True))


class KernelTags(Tags):
    """The same by a joint kernel: products of features."""

    joint_features = Problem.joint_features

    def joint_kernel(self, x, y, x2, y2):
        a, b = Tags.joint_features(self, x, y), Tags.joint_features(self, x2, y2)
        return sum(value * b.get(feature, 0.0) for feature, value in a.items())


def make_classes(seed=0, n=12, n_classes=4, n_features=3):
    random = np.random.RandomState(seed)
    losses = random.uniform(0.3, 2.0, (n_classes, n_classes))
    np.fill_diagonal(losses, 0.0)
    X = random.standard_normal((n, n_features))
    Y = (X @ random.standard_normal((n_features, n_classes)) + random.standard_normal((n, n_classes))).argmax(
        1
    )
    return Classes(losses.tolist()), X, Y.tolist()


def make_tags(seed=0, n=8, n_words=4, n_tags=2, problem=Tags):
    random = np.random.RandomState(seed)
    X = [tuple(random.randint(n_words, size=random.randint(1, 4)).tolist()) for _ in range(n)]
    Y = [tuple((np.array(x) + random.randint(2, size=len(x)) * random.randint(2)) % n_tags) for x in X]
    return problem(n_words, n_tags), X, [tuple(int(tag) for tag in y) for y in Y]


def make_separable_tags(seed=0, n=8, n_words=4, n_tags=2):
    problem, X, _ = make_tags(seed, n, n_words, n_tags)
    return problem, X, [tuple(word % n_tags for word in x) for x in X]


class VectorTags(Problem):
    """Sequences of vectors, given by their rows in a matrix; moves between tags come first in the features."""

    def __init__(self, vectors, n_tags=2):
        self.vectors = vectors
        self.n_tags = n_tags

    def candidates(self, x):
        return itertools.product(range(self.n_tags), repeat=len(x))

    def joint_features(self, x, y):
        moves = np.zeros((self.n_tags, self.n_tags))
        for a, b in itertools.pairwise(y):
            moves[a, b] += 1
        return np.concatenate([moves.ravel(), self._emissions(x, y).ravel()])

    def _emissions(self, x, y):
        emissions = np.zeros((self.vectors.shape[1], self.n_tags))
        for row, tag in zip(x, y, strict=True):
            emissions[:, tag] += self.vectors[row]
        return emissions

    def compute_loss(self, y_true, y):
        return float(sum(a != b for a, b in zip(y_true, y, strict=True)))


class ItemTags(VectorTags):
    """The same in a kernel space: every row of the matrix is an item, and known only by its products."""

    def _emissions(self, x, y):
        emissions = np.zeros((len(self.vectors), self.n_tags))
        for row, tag in zip(x, y, strict=True):
            emissions[row, tag] += 1
        return emissions

    def _bind(self, X, Y, first):
        oracle = super()._bind(X, Y, first).oracle
        kernel = _core.SvmKernel.from_gram(self.vectors @ self.vectors.T)
        return Binding(oracle, _core.Space.kernel(kernel, self.n_tags**2, self.n_tags))

    def _decode(self, X, weights, threads):
        kernel = _core.SvmKernel.from_gram(self.vectors @ self.vectors.T)
        return super()._decode(
            X, _core.Space.kernel(kernel, self.n_tags**2, self.n_tags).image(weights), threads
        )


def make_vector_tags(seed=0, n=8, n_tags=2):
    random = np.random.RandomState(seed)
    lengths = random.randint(1, 4, size=n)
    vectors = random.standard_normal((lengths.sum(), 4))
    rows = np.split(np.arange(lengths.sum()), lengths.cumsum()[:-1])
    X = [tuple(part.tolist()) for part in rows]
    truth = random.standard_normal((4, n_tags))
    Y = [
        tuple((vectors[part] @ truth + random.standard_normal((len(part), n_tags))).argmax(1).tolist())
        for part in rows
    ]
    return vectors, X, Y
