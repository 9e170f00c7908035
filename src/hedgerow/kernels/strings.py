"""Kernels of strings: k-mers, k-mers with mismatches, gapped subsequences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, factorial
from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.checks import Count, Decay, check_whole
from hedgerow.kernels.base import FeatureKernel, Kernel, Matrix, check_finite
from hedgerow.kernels.sequences import Sequences, as_sequences, from_items, join, to_items
from hedgerow.threads import resolve

# Bounds on memory: patterns of one k-mer, and of the k-mers of all items together (some 50 bytes each).
_MAX_PATTERNS = 5_000_000
_MAX_ENTRIES = 200_000_000

# No item has more symbols, so a larger k or length changes nothing.
_LONGEST = 2**31 - 1


class _StringKernel(Kernel):
    """A kernel of strings or token lists."""

    data_kind = "text"

    def _prepare(self, X: Any) -> Any:
        return as_sequences(X, type(self).__name__)

    def _items(self, X: Any) -> _core.Items:
        return to_items(X)

    def _from_items(self, items: Any) -> Any:
        return from_items(items)


class _KmerKernel(FeatureKernel, _StringKernel):
    """A kernel that counts k-mers."""

    k: int

    def _features(self, X: Any, Y: Any) -> _core.FeatureTable:
        items = join(X, Y)
        k = min(self.k, items.longest + 1)  # beyond that nothing changes
        return _core.kmer_features(items.symbols, items.begin, k, self._weights(k, items), _MAX_ENTRIES)

    def _weights(self, k: int, items: Sequences | None) -> Matrix:
        """Of k-mers with 0, 1, ... wildcards; items is None for a model, which will see any items."""
        return np.ones(1)

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        self._check_params()
        k = min(int(self.k), _LONGEST)
        return _core.kmer_model(k, self._weights(k, None), _MAX_ENTRIES, normalized)


@dataclass(eq=False, repr=False)
class Spectrum(_KmerKernel):
    """``sum over k-mers of count in s * count in t``: how many runs of k symbols two strings share.

    Kernels of strings take lists and one-dimensional arrays of strings, whose symbols are characters, or of
    lists of string tokens, whose symbols are the tokens, and `Records` with one such column.

    Parameters
    ----------
    k : int, default=3
        How many symbols a k-mer has, at least 1. A string with fewer symbols has no k-mers and kernel 0, with itself
        too.

    References
    ----------
    C. Leslie, E. Eskin, W. S. Noble: The spectrum kernel, Pacific Symposium on Biocomputing 2002.

    Examples
    --------
    >>> from hedgerow.kernels import Spectrum
    >>> Spectrum(k=2)(["banana", "bandana"])
    array([[9., 7.],
           [7., 8.]])
    >>> Spectrum(k=1)([["the", "cat"], ["the", "dog", "the"]])
    array([[2., 2.],
           [2., 5.]])
    """

    k: Count = 3


@dataclass(eq=False, repr=False)
class Mismatch(_KmerKernel):
    """The (k, m)-mismatch kernel: k-mers match with up to m substitutions.

    The features are all k-mers over the alphabet; the value of one is the number of k-mers of the string that
    differ from it in at most ``mismatches`` positions.

    Parameters
    ----------
    k : int, default=3
        How many symbols a k-mer has, at least 1. A string with fewer symbols has kernel 0, with itself too.
    mismatches : int, default=1
        How many symbols of a k-mer may differ, below k. 0 gives `Spectrum`.
    alphabet : str or list of str, optional
        The characters, or the tokens, that strings consist of. Without it the alphabet is that of all strings
        in X and Y: **values then depend on the whole call**, so callers that see strings in several calls
        (training and prediction, say) should give one, like ``alphabet="acgt"``. Learners that keep an
        expansion require it.

    Notes
    -----
    Two k-mers at Hamming distance h share a number I(h) of neighbours that depends on h, k, m and the size of
    the alphabet only, and that is 0 for h > 2m. The k-mers are compared with up to 2m wildcards: among the
    patterns with j wildcards, comb(k - h, j - h) fit both. Weights w_j with
    ``I(h) = sum_j w_j comb(k - h, j - h)`` therefore give the kernel exactly, at a cost that does not grow
    with the alphabet.

    References
    ----------
    C. Leslie, E. Eskin, A. Cohen, J. Weston, W. S. Noble: Mismatch string kernels for discriminative protein
    classification, Bioinformatics 20, 2004.

    Examples
    --------
    >>> from hedgerow.kernels import Mismatch
    >>> Mismatch(k=2, mismatches=1, alphabet="ab")(["ab", "ba", "aab"])
    array([[ 3.,  2.,  5.],
           [ 2.,  3.,  4.],
           [ 5.,  4., 10.]])
    """

    k: Count = 3
    mismatches: int = 1
    alphabet: str | Sequence[str] | None = None

    def _check_params(self) -> None:
        super()._check_params()
        check_whole("mismatches", self.mismatches, at_least=0, at_most=self.k - 1)
        if self.alphabet is None:
            return
        if not isinstance(self.alphabet, str | list | tuple) or not all(
            isinstance(s, str) for s in self.alphabet
        ):
            raise TypeError(f"alphabet must be a string, a list of tokens or None, got {self.alphabet!r}")
        if len(set(self.alphabet)) < len(self.alphabet) or len(self.alphabet) == 0:
            raise ValueError(f"alphabet must have at least one symbol and each once, got {self.alphabet!r}")

    def _prepare(self, X: Any) -> Any:
        items = super()._prepare(X)
        if self.alphabet is not None:
            unknown = sorted(set(items.vocabulary).difference(self.alphabet))
            if unknown:
                raise ValueError(
                    f"the symbol {unknown[0]!r} is not in the alphabet {self.alphabet!r}; add it, or use "
                    "alphabet=None"
                )
        return items

    def _weights(self, k: int, items: Sequences | None) -> Matrix:
        if k < self.k:
            return np.ones(1)  # there are no k-mers to weight
        patterns = 0
        for wildcards in range(min(2 * self.mismatches, k) + 1):
            patterns += comb(k, wildcards)
            if patterns > _MAX_PATTERNS:
                raise ValueError(
                    f"k={self.k} with mismatches={self.mismatches} makes more than {_MAX_PATTERNS} patterns of "
                    "a k-mer; use a smaller k or fewer mismatches"
                )
        alphabet = self.alphabet
        if alphabet is None:
            if items is None:
                raise ValueError(
                    "a learner with the kernel Mismatch needs its alphabet, since batches have different ones; "
                    'give all symbols that strings may have, like Mismatch(alphabet="acgt")'
                )
            alphabet = items.vocabulary
        size = len(alphabet)
        return np.array(_wildcard_weights(k, self.mismatches, size), dtype=np.float64)

    def _normalized_gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        # The self-kernels must be over the alphabet of the whole call too.
        alphabet = join(X, Y).vocabulary if self.alphabet is None else self.alphabet
        return super(Mismatch, Mismatch(self.k, self.mismatches, alphabet))._normalized_gram(
            X, Y, dtype, n_jobs
        )


@dataclass(eq=False, repr=False)
class Subsequence(_StringKernel):
    """``sum over common subsequences of decay^(span in s + span in t)``, of exactly ``length`` symbols.

    The symbols of a subsequence need not be adjacent; its span is the number of positions from the first to
    the last.

    Parameters
    ----------
    length : int, default=3
        How many symbols a subsequence has, at least 1. A string with fewer symbols has kernel 0, with itself too.
    decay : float, default=0.5
        The factor for every position of a span, above 0 and at most 1.

    Notes
    -----
    Takes ``O(length |s| |t|)`` steps and ``O(length |t|)`` memory. Subsequences whose gaps alone weigh less
    than 1e-308 count as 0. A small decay makes small values, with ``decay^(2 length)`` as a factor;
    `Normalized` works without that factor, so its values do not become 0.

    References
    ----------
    H. Lodhi, C. Saunders, J. Shawe-Taylor, N. Cristianini, C. Watkins: Text classification using string
    kernels, Journal of Machine Learning Research 2, 2002.

    Examples
    --------
    >>> from hedgerow.kernels import Normalized, Subsequence
    >>> Subsequence(length=2, decay=0.5)(["cat", "car"])
    array([[0.140625, 0.0625  ],
           [0.0625  , 0.140625]])
    >>> Normalized(Subsequence(length=2, decay=0.5))(["cat", "car"]).round(3)
    array([[1.   , 0.444],
           [0.444, 1.   ]])
    """

    length: Count = 3
    decay: Decay = 0.5

    def _scale(self) -> float:
        """The native code counts gaps; this turns them into spans."""
        return float(self.decay) ** (2 * int(self.length))

    def _arguments(self, items: Sequences) -> tuple[int, float, float]:
        length = min(self.length, items.longest + 1)  # beyond that nothing changes
        return int(length), float(self.decay), self._scale()

    def _gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        items = join(X, Y)
        K: Matrix = np.empty((len(X), len(items) - (0 if Y is None else len(X))), dtype)
        _core.subsequences(items.symbols, items.begin, len(X), Y is None, *self._arguments(items), n_jobs, K)
        return check_finite(K)

    def _diag(self, X: Any) -> Matrix:
        diagonal: Matrix = _core.subsequences_diagonal(X.symbols, X.begin, *self._arguments(X), resolve(None))
        return diagonal

    def _normalized_gram(self, X: Any, Y: Any, dtype: np.dtype[Any], n_jobs: int) -> Matrix:
        return Kernel._normalized_gram(_GapWeighted(self.length, self.decay), X, Y, dtype, n_jobs)

    def _normalized_diag(self, X: Any) -> Matrix:
        return Kernel._normalized_diag(_GapWeighted(self.length, self.decay), X)

    def _model(self, normalized: bool = False) -> _core.KernelModel:
        self._check_params()
        length = min(int(self.length), _LONGEST)
        scale = 1.0 if normalized else self._scale()
        return _core.subsequence_model(length, float(self.decay), scale, normalized)


class _GapWeighted(Subsequence):
    """`Subsequence` without its factor ``decay^(2 length)``, which may be too small for a number."""

    def _scale(self) -> float:
        return 1.0


def _common_neighbours(h: int, k: int, m: int, size: int) -> int:
    """How many k-mers are within m substitutions of both of two k-mers at distance h."""
    total = 0
    # At the h places where the two differ, a neighbour agrees with the one, with the other or with neither;
    # at the k - h others it differs from both in `rest` places.
    for one in range(h + 1):
        for other in range(h + 1 - one):
            neither = h - one - other
            ways = factorial(h) // (factorial(one) * factorial(other) * factorial(neither))
            for rest in range(min(k - h, m - h + min(one, other)) + 1):
                total += ways * max(size - 2, 0) ** neither * comb(k - h, rest) * (size - 1) ** rest
    return total


def _wildcard_weights(k: int, m: int, size: int) -> list[int]:
    """The w_j of ``I(h) = sum over j >= h of w_j comb(k - h, j - h)`` for h = 0 ... min(2m, k)."""
    most = min(2 * m, k)
    weights = [0] * (most + 1)
    for h in range(most, -1, -1):
        later = sum(weights[j] * comb(k - h, j - h) for j in range(h + 1, most + 1))
        weights[h] = _common_neighbours(h, k, m, size) - later
    return weights
