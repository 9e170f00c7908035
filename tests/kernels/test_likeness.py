"""Whether items resemble each other under a kernel, and the warning when they do not."""

from __future__ import annotations

import numpy as np
import pytest

from hedgerow import Records
from hedgerow.datasets import load_questions
from hedgerow.inspection import LikenessDisplay
from hedgerow.kernels import Fragments, Linear, Normalized, PartialTree, SubPath, SubsetTree, SubTree
from hedgerow.online import Perceptron
from hedgerow.svm import SVC

MESSAGE = "trees hardly resemble each other"


@pytest.fixture(scope="module")
def deep():
    """Large trees: long chains of nodes that differ in one of forty places each, so that decay 0.4 sees little."""
    random = np.random.default_rng(0)
    trees = []
    for _ in range(120):
        parts = [f"(N{place} (A{place} a) (B{random.integers(3)} b))" for place in range(40)]
        trees.append(f"(S {' '.join(f'(X{i} {part})' for i, part in enumerate(parts))})")
    return trees, np.arange(120) % 2


def test_large_trees_are_warned_about_and_what_helps_is_quiet(deep):
    trees, y = deep
    for model in (Perceptron(Normalized(SubsetTree(decay=1.0))), SVC(SubsetTree(decay=1.0), max_iter=10**6)):
        with pytest.warns(UserWarning, match=f"{MESSAGE}.*smaller decay"):
            model.fit(trees, y)
    for kernel in (SubsetTree(decay=0.1), PartialTree(), SubPath()):
        Perceptron(Normalized(kernel)).fit(trees, y)


@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        (SubsetTree(), r"Try a smaller decay \(0.1\), Fragments, PartialTree or SubPath;"),
        (SubsetTree(decay=0.1), "Try Fragments, PartialTree or SubPath;"),
        (SubTree(), r"Try SubsetTree\(decay=0.1\), Fragments, PartialTree or SubPath;"),
        (PartialTree(), r"Try a smaller decay \(0.1\), Fragments or SubPath;"),
        (SubPath(), r"Try a smaller decay \(0.1\), Fragments or PartialTree;"),
        (SubPath(0.1) + PartialTree(0.1), "Try Fragments;"),
        (SubPath(0.1) + PartialTree(0.1) + Fragments(), "Try labels that trees share;"),
    ],
    ids=str,
)
def test_what_to_try_fits_the_kernel(kernel, words):
    trees = [f"(A{i} (B{i} c{i}))" for i in range(100)]
    with pytest.warns(UserWarning, match=words):
        Perceptron(Normalized(kernel)).fit(trees, np.arange(100) % 2)


def test_ordinary_trees_few_trees_and_other_kernels_are_quiet(deep):
    questions, classes = load_questions()
    Perceptron(Normalized(SubsetTree())).fit(questions, classes)
    trees, y = deep
    Perceptron(Normalized(SubsetTree(decay=1.0))).fit(trees[:99], y[:99])
    both = Records(tree=trees, vector=np.eye(120))
    Perceptron(Normalized(SubsetTree(decay=1.0)).on("tree") + Linear().on("vector")).fit(both, y)


def test_the_display(deep):
    trees, y = load_questions()
    kernel = Normalized(SubsetTree())
    display = LikenessDisplay.from_kernel(kernel, trees, y, n_items=20)
    chosen = np.linspace(0, len(trees) - 1, 20).astype(int)
    chosen = chosen[np.argsort(y[chosen], kind="stable")]
    expected = kernel(trees[chosen])
    np.testing.assert_allclose(display.values, expected, atol=1e-12)
    apart = expected[~np.eye(20, dtype=bool)].reshape(20, 19)
    assert display.mean_ == pytest.approx(apart.mean())
    assert display.largest_ == pytest.approx(np.median(apart.max(axis=1)))
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == np.unique(y[chosen]).tolist()
    with pytest.raises(ValueError, match="at least two items"):
        LikenessDisplay.from_kernel(kernel, trees[:1])
