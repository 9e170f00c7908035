"""Path-enclosed trees, against a slow version on nltk's trees."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import Tree as NltkTree

from hedgerow import Forest
from hedgerow.datasets import load_questions
from hedgerow.feature_extraction import path_enclosed_trees
from hedgerow.kernels import Normalized, SubsetTree

QUESTIONS = load_questions()[0][:40]


def slowly(tree, low, high):
    """The smallest subtree with the leaves from low to high, without all others."""
    places = [tree.leaf_treeposition(i) for i in (low, high - 1)]
    common = []
    for a, b in zip(*(place[:-1] for place in places), strict=False):
        if a != b:
            break
        common.append(a)
    wanted = {tree.leaf_treeposition(i)[len(common) :] for i in range(low, high)}

    def pruned(node, place):
        if not isinstance(node, NltkTree):
            return node if place in wanted else None
        below = [pruned(child, (*place, i)) for i, child in enumerate(node)]
        below = [child for child in below if child is not None]
        return NltkTree(node.label(), below) if below else None

    return pruned(tree[tuple(common)] if common else tree, ())


@given(st.integers(0, len(QUESTIONS) - 1), st.data())
def test_equals_a_slow_version(number, data):
    tree = QUESTIONS[number]
    n = len(tree.leaves())
    spans = [
        sorted(data.draw(st.lists(st.integers(0, n), min_size=2, max_size=2, unique=True))) for _ in range(2)
    ]
    (found,) = path_enclosed_trees([tree], [spans[0]], [spans[1]])
    low, high = min(spans[0][0], spans[1][0]), max(spans[0][1], spans[1][1])
    assert found == Forest([slowly(tree.to_nltk(), low, high)])[0]
    (marked,) = path_enclosed_trees([tree], [spans[0]], [spans[1]], marks=("E1", "E2"))
    assert marked.leaves() == found.leaves() == tree.leaves()[low:high]
    assert marked.n_nodes == found.n_nodes + 2


def test_marks_stand_above_mentions():
    parse = "(S (NP (DT the) (JJ old) (NN man)) (VP (VBZ sees) (NP (NNP Mary))))"
    for first, second, expected in [
        ((0, 3), 4, "(S (A (NP (DT the) (JJ old) (NN man))) (VP (VBZ sees) (B (NP (NNP Mary)))))"),
        (4, (0, 3), "(S (B (NP (DT the) (JJ old) (NN man))) (VP (VBZ sees) (A (NP (NNP Mary)))))"),
        ((1, 3), 3, "(S (NP (JJ old) (A (NN man))) (VP (B (VBZ sees))))"),  # not a constituent
        (2, 2, "(B (A (NN man)))"),
    ]:
        found = path_enclosed_trees(Forest([parse]), [first], [second], marks=("A", "B"))
        assert found.to_brackets() == [expected]


def test_many_trees_for_a_kernel():
    trees = path_enclosed_trees(
        QUESTIONS, np.zeros(len(QUESTIONS), int), np.full((len(QUESTIONS), 2), [1, 3])
    )
    assert len(trees) == len(QUESTIONS)
    assert all(len(tree.leaves()) == 3 for tree in trees)
    np.testing.assert_allclose(Normalized(SubsetTree()).diag(trees), 1)
    assert len(path_enclosed_trees([], [], [])) == 0


@pytest.mark.parametrize(
    ("first", "second", "marks", "error", "message"),
    [
        ([0, 1], [1], None, ValueError, "first must have one mention for each of 1 trees, got 2"),
        ([0], 1, None, TypeError, "second must be one mention for each tree, got 1"),
        ([2], [0], None, ValueError, r"first\[0\] must lie within the 2 leaves of its tree"),
        ([0], [(1, 1)], None, ValueError, r"second\[0\] must lie within"),
        ([0], [-1], None, ValueError, r"second\[0\] must lie within"),
        (["a"], [0], None, TypeError, r"first\[0\] must be the number of a leaf or a pair"),
        ([0], [1], "E1", ValueError, "marks must be a pair of labels"),
    ],
)
def test_errors(first, second, marks, error, message):
    with pytest.raises(error, match=message):
        path_enclosed_trees(["(S (A a) (B b))"], first, second, marks=marks)
