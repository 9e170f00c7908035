"""Functions that share supports are, to the last bit, those that each class would have alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from hedgerow import Forest, registry
from hedgerow.kernels import (
    RBF,
    Fragments,
    Linear,
    Mismatch,
    Normalized,
    PartialTree,
    Polynomial,
    Sigmoid,
    Spectrum,
    SubPath,
    Subsequence,
    SubsetTree,
    SubTree,
)
from hedgerow.online import RDA, Perceptron

N = 150


def a_tree(random: Any, depth: int = 0) -> str:
    label = random.choice(list("SABCDE")) if depth else "S"
    if depth >= 3 or (depth and random.random() < 0.3):
        return f"({label} {random.choice(list('abcdefgh'))})"
    return f"({label} {' '.join(a_tree(random, depth + 1) for _ in range(random.integers(1, 4)))})"


RANDOM = np.random.default_rng(0)
TREES = Forest([a_tree(RANDOM) for _ in range(N)])
WORDS = ["".join(RANDOM.choice(list("abcd"), size=RANDOM.integers(3, 12))) for _ in range(N)]
DENSE = RANDOM.normal(size=(N, 6)).round(2)
SPARSE = sparse.random(N, 60, density=0.12, random_state=1, format="csr")
BINARY = sparse.csr_matrix((RANDOM.random((N, 40)) < 0.2).astype(float))
Y = RANDOM.integers(6, size=N)

KERNELS: dict[str, tuple[Any, Any]] = {
    "subtree": (Normalized(SubTree()), TREES),
    "subset tree": (Normalized(SubsetTree()), TREES),
    "not normalised": (SubsetTree(), TREES),
    "bag of words": (SubsetTree(bag_of_words=True), TREES),
    "partial tree": (Normalized(PartialTree()), TREES),
    "without single nodes": (PartialTree(lexical=False), TREES),
    "path": (Normalized(SubPath()), TREES),
    "fragments": (Normalized(Fragments()), TREES),
    "sum": (Normalized(SubsetTree()) + 0.5 * SubTree(), TREES),
    "spectrum": (Spectrum(k=2), WORDS),
    "mismatch": (Mismatch(k=3, mismatches=1, alphabet="abcd"), WORDS),
    "subsequence": (Normalized(Subsequence()), WORDS),
    "rbf": (RBF(gamma=0.3), DENSE),
    "sparse rbf": (RBF(gamma=0.3), SPARSE),
    "binary rbf": (RBF(gamma=0.3), BINARY),
    "polynomial": (Polynomial(degree=2), DENSE),
    "normalised polynomial": (Normalized(Polynomial(degree=2)), SPARSE),
    "linear": (Linear(), SPARSE),
    "sigmoid": (Sigmoid(scale=0.1, offset=0.0), DENSE),
    "product": (RBF() * Normalized(Polynomial(degree=2)), DENSE),
}
ON_KERNELS = [
    name
    for name, row in registry.learners().items()
    if row.on_kernels and not row.batch and not row.structured
]


def made(name: str, kernel: Any, **given: Any) -> Any:
    row = registry.learners()[name]
    options = {"budget": 10, "random_state": 0, "eta": None}
    if "eta" in row.parameters:
        options["budget"] = None
    known = {
        option: value for option, value in options.items() if option in row.parameters and value is not None
    }
    return row.make(**{"kernel": kernel, "epochs": 2, **known, **given})


def learned(model: Any, function: int) -> list[tuple[int, float]]:
    pairs = zip(model.support_.tolist(), model.dual_coef_[function].tolist(), strict=True)
    return sorted(pair for pair in pairs if pair[1] != 0)


@pytest.mark.filterwarnings("ignore:.*expects K")
@pytest.mark.parametrize("averaging", [None, pytest.param("average", marks=pytest.mark.slow)])
@pytest.mark.parametrize("learner", ON_KERNELS)
@pytest.mark.parametrize("kernel", KERNELS)
def test_one_vs_rest_equals_each_class_alone(kernel: str, learner: str, averaging: Any) -> None:
    measure, X = KERNELS[kernel]
    try:
        model = made(learner, measure, averaging=averaging).fit(X, Y)
    except OverflowError:
        pytest.skip("not a positive kernel")
    scores = model.decision_function(X[:20])
    mistakes = 0
    for number, label in enumerate(model.classes_):
        alone = made(learner, measure, averaging=averaging).fit(X, label == Y)
        assert learned(model, number) == learned(alone, 0)
        assert_array_equal(scores[:, number], alone.decision_function(X[:20]))
        mistakes += alone.updates_
    assert model.updates_ == mistakes


@pytest.mark.parametrize("learner", [name for name, row in registry.learners().items() if row.on_weights])
def test_weights_of_each_class_are_its_own(learner: str) -> None:
    row = registry.learners()[learner]
    if row.batch or row.structured or "multiclass" not in row.parameters:
        pytest.skip("it does not learn one function per class")
    X = BINARY
    model = row.make(epochs=2).fit(X, Y)
    for number, label in enumerate(model.classes_):
        alone = row.make(epochs=2).fit(X, label == Y)
        assert_array_equal(model.decision_function(X)[:, number], alone.decision_function(X))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("averaging", [None, "vote"])
def test_rda_without_l1_makes_the_mistakes_of_the_perceptron(seed: int, averaging: Any) -> None:
    random = np.random.default_rng(seed)
    X = sparse.csr_matrix((random.random((200, 30)) < 0.2).astype(float))
    y = random.integers(2, size=200)
    rate = float(random.uniform(0.1, 3))
    rda = RDA(l1=0.0, loss="hinge", update="mistakes", learning_rate=rate, averaging=averaging, trace_every=1)
    perceptron = Perceptron(averaging=averaging, trace_every=1)
    assert_array_equal(rda.fit(X, y).trace_.mistakes, perceptron.fit(X, y).trace_.mistakes)
    assert_array_equal(rda.trace_.errors, perceptron.trace_.errors)
