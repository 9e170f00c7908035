"""Array-like sequences of one dimension: what Forest, Records and CandidateLists share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self, TypeVar

import numpy as np

Item = TypeVar("Item", covariant=True)


class OneDimensional(Sequence[Item]):
    """What looks like an array of one dimension."""

    __slots__ = ()

    @classmethod
    def concatenate(cls, parts: Any) -> Self:
        """All items of the parts."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Item]:
        return (self[i] for i in range(len(self)))

    def __add__(self, other: object) -> Self:
        return self.concatenate([self, other]) if isinstance(other, type(self)) else NotImplemented

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if dtype is not None and np.dtype(dtype) != object:
            raise TypeError(
                f"{type(self).__name__} cannot become an array of {np.dtype(dtype)}; a kernel makes numbers of it"
            )
        array = np.empty(len(self), dtype=object)
        for i, item in enumerate(self):
            array[i] = item
        return array

    @property
    def shape(self) -> tuple[int]:
        """``(n,)`` for n items, as of an array."""
        return (len(self),)

    @property
    def ndim(self) -> int:
        """1, as of an array with that shape."""
        return 1


def common_columns(tables: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The columns of tables that are to be concatenated."""
    if not tables:
        raise ValueError("at least one data set is needed to concatenate")
    for columns in tables[1:]:
        if columns != tables[0]:
            raise ValueError(f"the columns differ: {tables[0]} and {columns}")
    return tables[0]


Positions = np.ndarray[Any, np.dtype[np.int64]]


def as_positions(key: Any, length: int) -> int | Positions:
    """What an index means: one position, or an array of positions from 0 to length - 1.

    Takes whole numbers, slices, boolean masks, index arrays and lists, and each of these followed by an
    ellipsis, as scikit-learn writes it.
    """
    if isinstance(key, tuple):
        rest = [part for part in key if part is not Ellipsis]
        if len(rest) > 1:
            raise IndexError(f"too many indices: one dimension is indexed, got {len(rest)}")
        key = rest[0] if rest else slice(None)
    if key is Ellipsis:
        key = slice(None)
    if isinstance(key, slice):
        return np.arange(*key.indices(length), dtype=np.int64)
    if isinstance(key, int | np.integer) and not isinstance(key, bool | np.bool_):
        position = int(key)
        if not -length <= position < length:
            raise IndexError(f"index {position} is out of range for {length} items")
        return position % length
    array = np.asarray(key)
    if array.ndim == 0 and np.issubdtype(array.dtype, np.integer):
        return as_positions(int(array), length)
    if array.ndim != 1:
        raise IndexError(f"expected an index, a slice, a mask or a list of indices, got {key!r}")
    if array.dtype == bool:
        if len(array) != length:
            raise IndexError(f"the mask has {len(array)} entries for {length} items")
        return np.flatnonzero(array).astype(np.int64)
    if array.size == 0:
        return np.empty(0, dtype=np.int64)
    if not np.issubdtype(array.dtype, np.integer):
        raise IndexError(f"indices must be whole numbers or booleans, got {array.dtype}")
    outside = (array < -length) | (array >= length)
    if outside.any():
        raise IndexError(f"index {array[outside][0]} is out of range for {length} items")
    positions = array.astype(np.int64)
    positions[positions < 0] += length
    return positions
