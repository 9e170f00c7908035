"""What the tests of tree kernels share."""

import numpy as np

from hedgerow import Forest
from hedgerow.kernels import Fragments, PartialTree, SubPath, SubsetTree, SubTree
from tests.strategies import brackets

# Every kind of tree kernel, for what they have in common.
KERNELS = {
    "ST": SubTree(),
    "SST": SubsetTree(),
    "SST-bow": SubsetTree(bag_of_words=True),
    "PT": PartialTree(),
    "PT-2": PartialTree(max_length=2),
    "PT-t5": PartialTree(terminal_factor=5),
    "uPT": PartialTree(lexical=False),
    "SubPath": SubPath(),
    "Fragments": Fragments(),
}


def forest_of(items):
    return Forest([brackets(tree) for tree in items])


def pairwise(kernel, X, Y=None):
    """Values pair by pair, without the collapsed index."""
    left, right = kernel._prepare(X), None if Y is None else kernel._prepare(Y)
    K = np.empty((len(left), len(left if right is None else right)))
    kernel._native().pairwise(left, right, K)
    return K


def assert_close(actual, expected, rtol=1e-12):
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=0)


def full_binary_tree(height):
    return "a" if height == 0 else "(a {0} {0})".format(full_binary_tree(height - 1))
