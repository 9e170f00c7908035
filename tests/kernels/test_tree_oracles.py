"""The oracles agree with each other and with values worked out by hand."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels import tree_oracles as oracles
from tests.strategies import trees

HALF = Fraction(1, 2)
DECAYS = st.sampled_from([1, HALF, Fraction(1, 3)])
TREES = trees(max_nodes=9)


@given(TREES, TREES, DECAYS)
def test_st(a, b, decay):
    assert oracles.st(a, b, decay) == oracles.st_recursive(a, b, decay)


@given(TREES, TREES, DECAYS, st.booleans())
def test_sst(a, b, decay, bag_of_words):
    assert oracles.sst(a, b, decay, bag_of_words) == oracles.sst_recursive(a, b, decay, bag_of_words)


@given(
    TREES,
    TREES,
    DECAYS,
    DECAYS,
    st.booleans(),
    st.sampled_from([None, 1, 2, 3]),
    st.sampled_from([1, 5, HALF, 0]),
)
def test_pt(a, b, decay, vertical_decay, lexical, max_length, terminal_factor):
    args = a, b, decay, vertical_decay, lexical, max_length, terminal_factor
    assert oracles.pt(*args) == oracles.pt_recursive(*args)


@given(TREES, TREES, DECAYS)
def test_subpath(a, b, decay):
    assert oracles.subpath(a, b, decay) == oracles.subpath_recursive(a, b, decay)


def leaf(label):
    return (label, ())


# (NP (D a) (N dog)) and (NP (D a) (N cat)): the same rule at the root, the same (D a).
DOG = ("NP", (("D", (leaf("a"),)), ("N", (leaf("dog"),))))
CAT = ("NP", (("D", (leaf("a"),)), ("N", (leaf("cat"),))))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # Complete subtrees: (D a) only; of DOG with itself also (N dog) and the whole of three rules.
        (oracles.st(DOG, CAT, HALF), HALF),
        (oracles.st(DOG, DOG, HALF), 2 * HALF + HALF**3),
        # (D a), (NP D N), (NP (D a) N); of DOG with itself 2 + 4 fragments of 1, 1, 1, 2, 2, 3 rules.
        (oracles.sst(DOG, CAT, HALF), HALF + HALF + HALF**2),
        (oracles.sst(DOG, DOG, 1), 6),
        (oracles.sst(DOG, DOG, HALF), 3 * HALF + 2 * HALF**2 + HALF**3),
        (oracles.sst(DOG, CAT, HALF, bag_of_words=True), HALF + HALF + HALF**2 + HALF),
        # Number of connected parts: 1 + 1 for a and dog, 2 + 2 under D and N, 3 * 3 under NP (with or without
        # the pre-terminals and their leaves).
        (oracles.pt(DOG, DOG, 1, 1), 1 + 1 + 2 + 2 + 9),
        # Without dog and cat: a, N, 2 under D, 3 * 2 under NP.
        (oracles.pt(DOG, CAT, 1, 1), 1 + 1 + 2 + 6),
        (oracles.pt(DOG, CAT, 1, 1, lexical=False), 1 + 5),
        (oracles.pt(DOG, CAT, 1, 1, max_length=1), 1 + 1 + 2 + 1 + 2 + 1),
        # Single nodes with terminal factor 5: a counts 5, and so does every part that ends in it.
        (oracles.pt(DOG, CAT, 1, 1, terminal_factor=5), 5 + 1 + 6 + 1 + 6 + 1 + 6),
        (oracles.pt(leaf("x"), leaf("x"), HALF, Fraction(1, 3)), Fraction(1, 12)),
        # A gap of one child on one side.
        (
            oracles.pt(
                ("r", (leaf("x"), leaf("y"))), ("r", (leaf("x"), leaf("z"), leaf("y"))), HALF, 1, False
            ),
            2 * HALF**2 + HALF * HALF**4,
        ),
        # Ways up: NP, D, N, a; D-NP, N-NP, a-D; a-D-NP.
        (oracles.subpath(DOG, CAT, HALF), 4 * HALF + 3 * HALF**2 + HALF**3),
        (oracles.subpath(leaf("x"), leaf("x"), HALF), HALF),
    ],
)
def test_by_hand(value, expected):
    assert value == expected


def test_a_label_that_is_a_leaf_here_and_internal_there():
    a = ("S", (leaf("x"), ("y", (leaf("z"),))))
    b = ("S", (("x", (leaf("z"),)), ("y", (leaf("z"),))))
    assert oracles.st(a, b, 1) == 1  # (y z) only
    assert oracles.sst(a, b, 1) == 1 + 2  # and (S x y), (S x (y z))
    assert oracles.pt(leaf("x"), ("x", (leaf("z"),)), 1, 1, terminal_factor=5) == 1
    assert oracles.pt(leaf("x"), ("x", (leaf("z"),)), 1, 1, terminal_factor=HALF) == HALF
