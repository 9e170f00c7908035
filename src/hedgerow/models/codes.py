"""Several classes by functions that tell two groups of them apart."""

from __future__ import annotations

from itertools import combinations
from math import ceil, log2
from typing import Any

import numpy as np

from hedgerow.kernels.base import Matrix

MOST_CODES = 10**8  # bytes; 10,000 classes one against the rest
ONE_A_CLASS = {
    "one-vs-rest": "direct",
    "direct": "joint",
}  # schemes with a function for each class: how to decode


def code_matrix(n_classes: int, scheme: str, random_state: Any) -> tuple[Matrix, str]:
    """What each class (row) is for each function (column), +1, -1 or 0 for left out, and how to decode."""
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8), "binary"
    if n_classes * n_functions(n_classes, scheme) > MOST_CODES:
        raise ValueError(
            f"{n_classes} classes are too many for multiclass={scheme!r}, which makes {n_functions(n_classes, scheme)} "
            f"functions of them; multiclass='codes' makes {n_functions(n_classes, 'codes')}"
        )
    if scheme in ONE_A_CLASS:
        code = np.full((n_classes, n_classes), -1, dtype=np.int8)
        np.fill_diagonal(code, 1)
        return code, ONE_A_CLASS[scheme]
    if scheme == "one-vs-one":
        pairs = list(combinations(range(n_classes), 2))
        code = np.zeros((n_classes, len(pairs)), dtype=np.int8)
        for column, (first, second) in enumerate(pairs):
            code[first, column], code[second, column] = -1, 1
        return code, "pairwise"
    return _random_codes(n_classes, random_state), "codes"


def n_functions(n_classes: int, scheme: str) -> int:
    """The number of columns of the code matrix."""
    if n_classes == 2:
        return 1
    if scheme in ONE_A_CLASS:
        return n_classes
    return n_classes * (n_classes - 1) // 2 if scheme == "one-vs-one" else ceil(10 * log2(n_classes))


def check_codes(codes: Matrix, decoding: Any, n_classes: int, scheme: str) -> None:
    """Raise a ValueError unless `code_matrix` could have made them."""
    fits = codes.shape == (n_classes, n_functions(n_classes, scheme))
    if fits and n_classes > 2 and scheme == "codes":
        fits = decoding == "codes" and bool((np.abs(codes) == 1).all())
    elif fits:
        expected, name = code_matrix(n_classes, scheme, None)
        fits = decoding == name and np.array_equal(codes, expected)
    if not fits:
        raise ValueError(f"codes must be those of {n_classes} classes with multiclass={scheme!r}")


def decode(codes: Matrix, decoding: str, scores: Matrix) -> Matrix:
    """Scores of classes from those of functions (columns), as the native online learners have them."""
    if decoding in ("binary", "direct", "joint"):
        return scores
    sums = scores @ codes.T.astype(np.float64)
    if decoding == "codes":
        return np.asarray(sums / np.abs(codes).sum(axis=1))
    # A score of 0 is a vote for the negative class; the sum decides between equal votes only.
    positive = (scores > 0).astype(np.float64)
    votes = positive @ (codes.T > 0) + (1.0 - positive) @ (codes.T < 0)
    return np.asarray(votes + sums / (3 * (np.abs(sums) + 1)))


def by_class(
    codes: Matrix, decoding: str, classes: list[Any], rows: Any, biases: Matrix
) -> tuple[Any, Matrix, list[Any]]:
    """Coefficients (or weights) and biases of the scores of classes; where these are votes, of the functions."""
    if decoding == "binary":
        return rows, biases, classes[1:]
    if decoding in ONE_A_CLASS.values():
        return rows, biases, classes
    codes = codes.astype(np.float64)
    if decoding == "codes":
        mixing = codes / np.abs(codes).sum(axis=1, keepdims=True)
        return mixing @ rows, mixing @ biases, classes
    # Each function tells two classes apart, and classes score by how many of these decisions they win.
    pairs = [(int(np.flatnonzero(c > 0)[0]), int(np.flatnonzero(c < 0)[0])) for c in codes.T]
    return rows, biases, [f"{classes[winner]}, not {classes[loser]}" for winner, loser in pairs]


def _random_codes(n_classes: int, random_state: Any) -> Matrix:
    """Of many random codes of 10 log2(classes) bits the one whose words differ most (Allwein et al. 2000)."""
    n_bits = n_functions(n_classes, "codes")
    draws = 100 if n_classes <= 1000 else 1  # words so long differ in many bits
    best, best_distance = None, -1
    while best is None:  # a draw may fail when classes are few
        for _ in range(draws):
            code = random_state.choice(np.array([-1, 1], dtype=np.int8), size=(n_classes, n_bits))
            if (np.abs(code.sum(axis=0)) == n_classes).any():
                continue  # a function without a positive or a negative class
            distance = _distance(code)
            if distance > max(best_distance, 0):
                best, best_distance = code, distance
    return np.ascontiguousarray(best)


def _distance(code: Matrix) -> int:
    """Bits in which any two words differ at least; of many words only whether any two are equal."""
    n_words, n_bits = code.shape
    if n_words > 1000:
        return int(len(np.unique(np.packbits(code > 0, axis=1), axis=0)) == n_words)
    products = code.astype(np.float32) @ code.astype(np.float32).T
    np.fill_diagonal(products, -n_bits)
    return int(n_bits - products.max()) // 2
