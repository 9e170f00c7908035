"""Strings and token lists as kernels take them: flat arrays of numbered symbols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.data import Forest, Records
from hedgerow.kernels.base import Matrix
from hedgerow.kernels.columns import only_column


@dataclass(frozen=True)
class Sequences:
    """Items one after the other.

    Attributes
    ----------
    symbols : array of int32
        Numbers of the symbols of all items.
    begin : array of int64
        Where each item begins in ``symbols``, and where the last one ends.
    vocabulary : list of str
        The symbol of each number; every one occurs.
    kind : str
        ``"strings"`` (symbols are characters), ``"token lists"``, or ``""`` when there are no items.
    """

    symbols: Matrix
    begin: Matrix
    vocabulary: list[str]
    kind: str

    def __len__(self) -> int:
        return len(self.begin) - 1

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
        items = array.tolist()
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
    distinct, numbered = np.unique(codes, return_inverse=True)
    return Sequences(numbered.astype(np.int32), begin, [chr(code) for code in distinct], kind)


def join(X: Sequences, Y: Sequences | None) -> Sequences:
    """The items of X, then those of Y, with symbols numbered in common."""
    if Y is None:
        return X
    if X.kind and Y.kind and X.kind != Y.kind:
        raise TypeError(f"X and Y must be of one kind, got {X.kind} and {Y.kind}")
    numbers = {symbol: number for number, symbol in enumerate(X.vocabulary)}
    renumbered = np.array([numbers.setdefault(s, len(numbers)) for s in Y.vocabulary], dtype=np.int32)
    return Sequences(
        np.concatenate([X.symbols, renumbered[Y.symbols]]),
        np.concatenate([X.begin, Y.begin[1:] + X.begin[-1]]),
        list(numbers),
        X.kind or Y.kind,
    )


def _kind(item: Any, place: int, kernel: str) -> str:
    if isinstance(item, str):
        return "strings"
    if isinstance(item, list | tuple) and all(isinstance(token, str) for token in item):
        return "token lists"
    raise TypeError(f"{kernel} takes strings or lists of string tokens, got {item!r} as item {place}")
