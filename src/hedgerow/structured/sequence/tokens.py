"""Sequences of tokens in all their forms, as rows of numbered features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any, Literal

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.kernels.base import Matrix
from hedgerow.models.stored import stored_whole
from hedgerow.structured.sequence.templates import Templates


@dataclass(frozen=True)
class TokenFeatures:
    """The tokens of all sequences one after the other, each with a row of features."""

    sequence_begin: Matrix  # int64: where each sequence begins among the tokens, and where the last one ends
    row_begin: Matrix  # int64: where each token's features begin
    feature: Matrix  # int32: their numbers
    value: Matrix | None  # float64; None when all are 1

    @property
    def nbytes(self) -> int:
        """How much memory they take."""
        arrays = (self.sequence_begin, self.row_begin, self.feature, self.value)
        return sum(array.nbytes for array in arrays if array is not None)

    def distinct(self, width: int) -> tuple[TokenFeatures, Any]:
        """Tokens with one feature each, which is their number among the distinct tokens; and these as a matrix."""
        value = np.ones(len(self.feature)) if self.value is None else self.value
        arrays = (value, self.feature.astype(np.int32), self.row_begin)
        rows = sparse.csr_array(arrays, shape=(len(self.row_begin) - 1, max(width, 1)))
        rows.sum_duplicates()
        numbers, first = _core.distinct_rows(
            rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data
        )
        begin = np.arange(len(numbers) + 1, dtype=np.int64)
        return TokenFeatures(self.sequence_begin, begin, numbers, None), rows[first]


class TokenReader:
    """Numbers the features of tokens; what it has seen in training is what it knows later.

    Tokens are strings, lists of strings or dicts (features have names), rows of numbers (features have columns), or,
    with templates, tuples of columns of text. With "auto" the first token says: text has templates, all else has
    features of its own. With a window, a token has the features of its neighbours too, see `_core.with_neighbours`.
    """

    def __init__(self, templates: Templates | Literal["auto"] | None, window: int):
        self.auto = templates == "auto"
        self.templates = None if isinstance(templates, str) else templates
        self.columns: int | None = None  # of text, if the first token has settled the templates
        self.window = window
        self.names: _core.FeatureNames | None = None  # of features, unless they are columns
        self.width: int | None = None  # number of columns

    @property
    def n_features(self) -> int:
        known = len(self.names) if self.names is not None else self.width or 0
        return known * (2 * self.window + 1)

    def read(self, X: Any, grow: bool) -> TokenFeatures:
        """The features of sequences; unknown names are added, or left out."""
        if isinstance(X, str) or not hasattr(X, "__len__"):
            raise TypeError(f"X must be a list of sequences, got {type(X).__name__}")
        if self.auto and self.names is None and self.width is None and self.templates is None:
            self._settle(next((_columns(x[0]) for x in X if _length(x) and not sparse.issparse(x)), None))
        if self.templates is not None and any(isinstance(x, str) for x in X):
            raise TypeError("a sequence must be a list of tokens, got a string; list(text) are its letters")
        tokens = self._read_vectors(X) if self._holds_vectors(X) else self._read_names(X, grow)
        if not self.window:
            return tokens
        rows = _core.with_neighbours(
            tokens.row_begin, tokens.feature, tokens.value, tokens.sequence_begin, self.window
        )
        return TokenFeatures(tokens.sequence_begin, *rows)

    def _settle(self, columns: int | None) -> None:
        """Tokens have so many columns of text, or none."""
        if columns is not None:
            self.columns, self.templates = columns, Templates.for_columns(columns)

    def meet(self, names: Sequence[str] | None, width: int | None, columns: int | None = None) -> None:
        """Know these names of features, or this number of columns, as if tokens had had them."""
        if names is not None or width is not None:
            if self.names is None and self.width is None:
                self._settle(columns)
            elif columns != self.columns:
                raise TypeError(
                    "tokens are text in one part of the data, and have features of their own in another, or other "
                    "columns; templates=None takes words as features"
                )
        if names is not None:
            if self.names is None:
                self.names = _core.FeatureNames()
            self.names.read([[names]], True)  # one token that has them all
        if width is not None:
            if self.width not in (None, width):
                raise ValueError(
                    f"all tokens must have the same number of features, got {self.width} and {width}"
                )
            self.width = width
        if self.names is not None and self.width is not None:
            raise TypeError(
                "tokens are vectors in one part of the data, and have features with names in another"
            )

    def new_names(self, known: int) -> list[str] | None:
        """Names of features from a number on, a window not counted; None when they are columns."""
        if self.names is None:
            return None
        return [name.decode("utf-8", "surrogatepass") for name in self.names.names(known)]

    # -- forms of tokens ------------------------------------------------------------------------------------

    def _holds_vectors(self, X: Any) -> bool:
        if self.templates is not None:
            return False
        vectors = next((_is_vector_sequence(x) for x in X if _length(x)), None)
        if vectors is None:  # no token says what it is
            return self.width is not None
        if vectors and self.names is not None:
            raise TypeError("tokens must be strings, lists of strings or dicts as in training, got vectors")
        if not vectors and self.width is not None:
            raise TypeError("tokens must be vectors as in training, got features with names")
        return vectors

    def _read_names(self, X: Any, grow: bool) -> TokenFeatures:
        if self.names is None:
            self.names = _core.FeatureNames()
        if self.templates is not None:
            return TokenFeatures(*self.templates._read(X, self.names, grow))
        return TokenFeatures(*self.names.read(X, grow))

    def _read_vectors(self, X: Any) -> TokenFeatures:
        pieces = [_as_rows(x, number) for number, x in enumerate(X)]
        begin = np.cumsum([0, *(piece.shape[0] for piece in pieces)])
        for number, piece in enumerate(pieces):
            if piece.shape[0] == 0:
                continue
            if self.width is None:
                self.width = piece.shape[1]
            if piece.shape[1] != self.width:
                raise ValueError(
                    f"tokens of sequence {number} have {piece.shape[1]} features, but {self.width} are expected"
                )
        filled = [piece for piece in pieces if piece.shape[0]]
        if not filled:
            return TokenFeatures(begin, np.zeros(1, np.int64), np.zeros(0, np.int32), None)
        if any(sparse.issparse(piece) for piece in filled):
            rows = sparse.csr_array(sparse.vstack(filled, format="csr"))
            rows.sum_duplicates()
        else:
            rows = sparse.csr_array(np.concatenate(filled))
        rows.eliminate_zeros()
        if not np.isfinite(rows.data).all():
            token = int(np.searchsorted(rows.indptr, np.flatnonzero(~np.isfinite(rows.data))[0], "right")) - 1
            number = int(np.searchsorted(begin, token, "right")) - 1
            raise ValueError(
                f"token {token - begin[number]} of sequence {number} has a value that is not finite"
            )
        value = None if (rows.data == 1).all() else rows.data.astype(np.float64)
        return TokenFeatures(begin, rows.indptr.astype(np.int64), rows.indices.astype(np.int32), value)

    # -- copies ---------------------------------------------------------------------------------------------

    def to_state(self) -> tuple[dict[str, Any], dict[str, Matrix]]:
        return {"width": self.width, "columns": self.columns}, {} if self.names is None else self.names.save()

    def from_state(self, description: dict[str, Any], arrays: dict[str, Matrix]) -> None:
        self.width = None if description["width"] is None else stored_whole(description, "width", 0, 2**31)
        if self.auto and description["columns"] is not None:
            self._settle(stored_whole(description, "columns", 1, 2**16))
        if "names_bytes" in arrays:
            if self.width is not None:
                raise ValueError("width must be None where features have names")
            self.names = _core.FeatureNames()
            self.names.load({name: arrays[name] for name in ("names_bytes", "names_begin")})


def sequence_lengths(X: Any) -> Matrix:
    """The number of tokens of each sequence."""
    return np.array([_length(x) for x in X], dtype=np.int64)


def _length(x: Any) -> int:
    if sparse.issparse(x):
        return int(x.shape[0])
    try:
        return len(x)
    except TypeError:
        raise TypeError(f"a sequence must be a list of tokens, got {x!r}") from None


def _columns(token: Any) -> int | None:
    """How many columns of text a token has; None if it is not text."""
    if isinstance(token, str):
        return 1
    text = isinstance(token, tuple) and len(token) > 0 and all(isinstance(part, str) for part in token)
    return len(token) if text else None


def _is_vector_sequence(x: Any) -> bool:
    if sparse.issparse(x) or (isinstance(x, np.ndarray) and x.dtype.kind in "biuf"):
        return True
    if isinstance(x, str):
        return False
    token = x[0]
    if isinstance(token, np.ndarray):
        return token.dtype.kind in "biuf"
    return isinstance(token, Sequence) and len(token) > 0 and isinstance(token[0], Number | np.bool_)


def _as_rows(x: Any, number: int) -> Any:
    """A sequence of vectors as a CSR or dense matrix."""
    if sparse.issparse(x):
        rows = sparse.csr_array(x)
    else:
        try:
            rows = np.asarray(x, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError(f"tokens of sequence {number} must be rows of numbers of one length") from None
        if rows.size == 0 and rows.ndim < 2:
            rows = rows.reshape(0, 0)
    if rows.ndim != 2:
        raise ValueError(
            f"sequence {number} must be a matrix of tokens by features, got one of shape {rows.shape}"
        )
    return rows
