"""Records: examples with several named parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np
from scipy import sparse

from hedgerow.data.forest import Forest
from hedgerow.data.indexing import as_positions
from hedgerow.data.nltk_trees import is_nltk
from hedgerow.data.tree import Tree


class Records(Sequence[Any]):
    """Examples whose parts have names: forests, matrices and lists of strings, all of one length.

    Kernels reach the parts with ``kernel.on("name")``. scikit-learn's splitters, searches and pipelines take
    Records as X.

    Parameters
    ----------
    columns : mapping, optional
    **named : Forest, matrix, or sequence
        A `Forest` (or list of `Tree` or ``nltk.Tree``) for trees, a two-dimensional array or scipy sparse
        matrix for vectors, a list of strings or of token lists for strings. Bracketed strings become trees
        only when they are given as a Forest.

    Examples
    --------
    >>> from hedgerow import Forest, Records
    >>> records = Records(parse=Forest(["(S (NP a))", "(S (NP b))"]), features=[[0.5, 1.0], [2.0, 0.0]])
    >>> records.columns, len(records)
    (('parse', 'features'), 2)
    >>> records["features"]
    array([[0.5, 1. ],
           [2. , 0. ]])
    >>> records[[1]]["parse"].to_brackets()
    ['(S (NP b))']
    """

    __slots__ = ("_columns", "_length")
    _columns: dict[str, Any]
    _length: int

    def __init__(self, columns: Mapping[str, Any] | None = None, /, **named: Any) -> None:
        given = {**(columns or {}), **named}
        if not given:
            raise ValueError("Records need at least one column")
        self._columns = {str(name): _as_column(name, values) for name, values in given.items()}
        lengths = {name: _column_length(values) for name, values in self._columns.items()}
        if len(set(lengths.values())) > 1:
            listed = ", ".join(f"{name!r}: {n}" for name, n in lengths.items())
            raise ValueError(f"the columns differ in length ({listed})")
        self._length = next(iter(lengths.values()))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self._columns)

    def __len__(self) -> int:
        return self._length

    @property
    def shape(self) -> tuple[int]:
        return (self._length,)

    @property
    def ndim(self) -> int:
        return 1

    @overload
    def __getitem__(self, key: str) -> Any: ...
    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: Any) -> Any: ...
    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self._columns:
                raise KeyError(f"no column {key!r}; the columns are {', '.join(map(repr, self.columns))}")
            return self._columns[key]
        positions = as_positions(key, self._length)
        if isinstance(positions, int):
            return {name: values[positions] for name, values in self._columns.items()}
        return Records({name: _take(values, positions) for name, values in self._columns.items()})

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[i] for i in range(self._length))

    @classmethod
    def concatenate(cls, parts: Iterable[Records]) -> Records:
        """All examples of the parts, which must have the same columns. ``a + b`` does the same for two."""
        tables = list(parts)
        if not tables:
            raise ValueError("nothing to concatenate")
        for table in tables[1:]:
            if table.columns != tables[0].columns:
                raise ValueError(f"the columns differ: {tables[0].columns} and {table.columns}")
        return cls({name: _join([table[name] for table in tables]) for name in tables[0].columns})

    def __add__(self, other: object) -> Records:
        return Records.concatenate([self, other]) if isinstance(other, Records) else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Records):
            return NotImplemented
        return self.columns == other.columns and all(
            _same(self[name], other[name]) for name in self.columns
        )

    __hash__ = None  # type: ignore[assignment]  # as numpy's arrays

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if dtype is not None and np.dtype(dtype) != object:
            raise TypeError(f"Records cannot become an array of {np.dtype(dtype)}")
        array = np.empty(self._length, dtype=object)
        for i, example in enumerate(self):
            array[i] = example
        return array

    def __repr__(self) -> str:
        lines = [f"  {name!r}: {_describe(values)}" for name, values in self._columns.items()]
        return f"Records({self._length} examples:\n" + "\n".join(lines) + ")"

    def __getstate__(self) -> dict[str, Any]:
        return self._columns

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state)  # type: ignore[misc]


def _as_column(name: str, values: Any) -> Any:
    if isinstance(values, Forest | Records):
        if isinstance(values, Records):
            raise TypeError(f"column {name!r}: Records cannot hold Records")
        return values
    if sparse.issparse(values):
        return sparse.csr_matrix(values) if values.ndim == 2 else _reject(name, values)
    if isinstance(values, str):
        raise TypeError(f"column {name!r}: expected a list of strings, got one string")
    if is_nltk(values):
        raise TypeError(f"column {name!r}: expected a list of trees, got one nltk.Tree")
    if isinstance(values, np.ndarray) and values.ndim == 2:
        return np.ascontiguousarray(values, dtype=np.float64)
    items = list(values)
    if items and all(isinstance(item, Tree) or is_nltk(item) for item in items):
        return Forest(items)
    if all(isinstance(item, str) for item in items):
        return np.array([*items, None], dtype=object)[:-1]  # numpy would cut trailing NULs off strings
    if all(isinstance(item, list | tuple) and all(isinstance(t, str) for t in item) for item in items):
        column = np.empty(len(items), dtype=object)
        column[:] = [tuple(item) for item in items]
        return column
    matrix = np.asarray(items, dtype=np.float64)
    return matrix if matrix.ndim == 2 else _reject(name, values)


def _reject(name: str, values: Any) -> Any:
    raise ValueError(
        f"column {name!r}: expected a Forest, a two-dimensional matrix or a list of strings, got a "
        f"{type(values).__name__} of shape {np.shape(values)}"
    )


def _column_length(values: Any) -> int:
    return int(values.shape[0])


def _take(values: Any, positions: Any) -> Any:
    return values[positions]


def _join(parts: list[Any]) -> Any:
    if all(isinstance(part, Forest) for part in parts):
        return Forest.concatenate(parts)
    if all(sparse.issparse(part) for part in parts):
        return sparse.vstack(parts, format="csr")
    if any(isinstance(part, Forest) or sparse.issparse(part) for part in parts):
        raise ValueError("the columns hold different kinds of data")
    return np.concatenate(parts)


def _same(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, Forest):
        return a == b
    if sparse.issparse(a):
        return bool(a.shape == b.shape and (a != b).nnz == 0)
    return bool(np.array_equal(a, b))


def _describe(values: Any) -> str:
    if isinstance(values, Forest):
        return f"Forest of {values.n_nodes} nodes"
    if sparse.issparse(values):
        return f"sparse matrix with {values.shape[1]} features, {values.nnz} nonzeros"
    if values.ndim == 2:
        return f"matrix with {values.shape[1]} features"
    return "strings" if len(values) == 0 or isinstance(values[0], str) else "token lists"
