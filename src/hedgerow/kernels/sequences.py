"""Strings and token lists as kernels and native models take them: flat arrays of numbered symbols."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hedgerow import _core
from hedgerow.data import Forest, Records
from hedgerow.kernels.base import Matrix
from hedgerow.kernels.combinations import only_column


@dataclass(frozen=True)
class Sequences:
    """Items one after the other."""

    symbols: Matrix  # int32, of all items: code points of strings, or numbers of tokens
    begin: Matrix  # int64: where each item begins in ``symbols``, and where the last one ends
    tokens: list[str] | None  # the token of each number; every one occurs. None for strings
    kind: str  # "strings" (symbols are characters), "token lists", or "" when there are no items

    def __len__(self) -> int:
        return len(self.begin) - 1

    @property
    def vocabulary(self) -> list[str]:
        """The symbols that occur."""
        if self.tokens is not None:
            return self.tokens
        return [chr(code) for code in np.unique(self.symbols)]

    @property
    def longest(self) -> int:
        return int(np.diff(self.begin).max(initial=0))


def as_sequences(X: Any, kernel: str) -> Sequences:
    """Sequences from a list, tuple or one-dimensional array of strings or token lists, or from Records."""
    if isinstance(X, Records):
        X = only_column(X, "string", lambda column: isinstance(column, np.ndarray) and column.ndim == 1)
    if isinstance(X, str):
        raise TypeError(f"{kernel} takes a list of strings, got one string; write [{X[:20]!r}]")
    if isinstance(X, list | tuple):
        items = X
    elif hasattr(X, "__array__") and not isinstance(X, Forest):
        array = np.asarray(X)
        if array.ndim != 1:
            raise ValueError(f"{kernel} takes a one-dimensional array of strings, got shape {array.shape}")
        # Columns of frames that hold lists give arrays of arrays.
        items = [item.tolist() if isinstance(item, np.ndarray) else item for item in array.tolist()]
    else:
        raise TypeError(f"{kernel} takes a list of strings or token lists, got a {type(X).__name__}")

    kinds = {_kind(item, place, kernel) for place, item in enumerate(items)}
    if len(kinds) > 1:
        raise TypeError(f"{kernel} takes strings or token lists, got both in one collection")
    kind = next(iter(kinds), "")
    begin = np.zeros(len(items) + 1, dtype=np.int64)
    np.cumsum([len(item) for item in items], out=begin[1:])
    if kind == "token lists":
        numbers: dict[str, int] = {}
        symbols = [numbers.setdefault(token, len(numbers)) for item in items for token in item]
        return Sequences(np.array(symbols, dtype=np.int32), begin, list(numbers), kind)
    codes = np.frombuffer("".join(items).encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return Sequences(codes.astype(np.int32), begin, None, kind)


def join(X: Sequences, Y: Sequences | None) -> Sequences:
    """The items of X, then those of Y, with symbols numbered in common."""
    if Y is None:
        return X
    if X.kind and Y.kind and X.kind != Y.kind:
        raise TypeError(f"X and Y must be of one kind, got {X.kind} and {Y.kind}")
    tokens, right = X.tokens, Y.symbols
    if "token lists" in (X.kind, Y.kind):
        numbers = {token: number for number, token in enumerate(X.tokens or ())}
        renumbered = [numbers.setdefault(token, len(numbers)) for token in Y.tokens or ()]
        tokens, right = list(numbers), np.array(renumbered, dtype=np.int32)[Y.symbols]
    return Sequences(
        np.concatenate([X.symbols, right]),
        np.concatenate([X.begin, Y.begin[1:] + X.begin[-1]]),
        tokens,
        X.kind or Y.kind,
    )


def to_items(X: Sequences) -> _core.SequenceItems:
    """The items as native models take them."""
    if X.tokens is None:
        return _core.SequenceItems(X.symbols, X.begin, None)
    # Any string that Python has is a token, lone surrogates too.
    return _core.SequenceItems(
        X.symbols, X.begin, [token.encode("utf-8", "surrogatepass") for token in X.tokens]
    )


def from_items(items: _core.SequenceItems) -> list[Any]:
    """The items of a native model as a list of strings or of token lists."""
    begin = items.begin.tolist()
    if items.tokens is None:
        text = items.symbols.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        return [text[i:j] for i, j in pairwise(begin)]
    tokens = [token.decode("utf-8", "surrogatepass") for token in items.tokens]
    symbols = [tokens[number] for number in items.symbols.tolist()]
    return [symbols[i:j] for i, j in pairwise(begin)]


def _kind(item: Any, place: int, kernel: str) -> str:
    if isinstance(item, str):
        return "strings"
    if isinstance(item, list | tuple) and all(isinstance(token, str) for token in item):
        return "token lists"
    raise TypeError(f"{kernel} takes strings or lists of string tokens, got {item!r} as item {place}")
