"""Records: examples with several named parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any, overload

import numpy as np
from scipy import sparse

from hedgerow.data.forest import Forest
from hedgerow.data.frames import frame_columns, is_frame
from hedgerow.data.indexing import OneDimensional, as_positions, common_columns
from hedgerow.data.nltk_trees import is_nltk
from hedgerow.data.tree import Tree
from hedgerow.registry import DataKind


class Records(OneDimensional[Any]):
    """Examples whose parts have names: forests, matrices and lists of strings, all of one length.

    Kernels reach the parts with ``kernel.on("name")``. scikit-learn's splitters, searches and pipelines take
    Records as X.

    Parameters
    ----------
    columns : mapping, data frame or Records, optional
        Beside a data frame, ``trees`` and ``vectors`` are those of `from_frame`.
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

    def __init__(self, columns: Any = None, /, **named: Any) -> None:
        if isinstance(columns, Records):
            columns = columns._columns
        elif is_frame(columns):
            columns = frame_columns(columns, named.pop("trees", ()), named.pop("vectors", None))
        given = {**(columns or {}), **named}
        if not given:
            raise ValueError("Records need at least one column")
        self._columns = {str(name): _as_column(name, values) for name, values in given.items()}
        lengths = {name: int(values.shape[0]) for name, values in self._columns.items()}
        if len(set(lengths.values())) > 1:
            listed = ", ".join(f"{name!r}: {n}" for name, n in lengths.items())
            raise ValueError(f"the columns differ in length ({listed})")
        self._length = next(iter(lengths.values()))

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self._columns)

    @property
    def kinds(self) -> dict[str, DataKind]:
        """What the columns hold: names to ``"tree"``, ``"text"`` or ``"vector"``."""
        return {name: kind_of_column(values) for name, values in self._columns.items()}

    @classmethod
    def from_frame(
        cls, frame: Any, *, trees: Sequence[str] = (), vectors: Mapping[str, Sequence[str]] | None = None
    ) -> Records:
        """Records of a data frame of pandas or polars, with columns by type.

        Parameters
        ----------
        frame : data frame
            Columns of texts, or of lists of tokens, keep their names. Numbers (and truth values) are joined into one
            column ``numbers``: a vector for each row.
        trees : sequence of str, default=()
            Columns of texts that are trees in brackets; they are parsed.
        vectors : mapping, optional
            Names of new columns to lists of columns of numbers, for vectors of some of them.

        Examples
        --------
        >>> import pandas as pd
        >>> from hedgerow import Records
        >>> frame = pd.DataFrame({"parse": ["(S (NP a))", "(S (NP b))"], "text": ["a", "b"]})
        >>> frame["x"], frame["y"] = [1, 2], [0.5, 0.0]
        >>> Records.from_frame(frame, trees=["parse"])
        Records(2 examples:
          'parse': Forest of 6 nodes
          'text': strings
          'numbers': matrix with 2 features)
        >>> Records.from_frame(frame, vectors={"place": ["x", "y"]})["place"]
        array([[1. , 0.5],
               [2. , 0. ]])
        """
        return cls(frame_columns(frame, trees, vectors))

    def __len__(self) -> int:
        return self._length

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
        return Records({name: values[positions] for name, values in self._columns.items()})

    @classmethod
    def concatenate(cls, parts: Iterable[Records]) -> Records:
        """All examples of the parts, which must have the same columns. ``a + b`` does the same for two."""
        tables = list(parts)
        columns = common_columns([table.columns for table in tables])
        return cls({name: _join(name, [table[name] for table in tables]) for name in columns})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Records):
            return NotImplemented
        return self.columns == other.columns and all(_same(self[name], other[name]) for name in self.columns)

    __hash__ = None  # type: ignore[assignment]  # as numpy's arrays

    def __repr__(self) -> str:
        lines = [f"  {name!r}: {_describe(values)}" for name, values in self._columns.items()]
        count = f"{self._length} {'example' if self._length == 1 else 'examples'}"
        return f"Records({count}:\n" + "\n".join(lines) + ")"

    def __getstate__(self) -> dict[str, Any]:
        return self._columns

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state)  # type: ignore[misc]


def kind_of_column(values: Any) -> DataKind:
    """What a Forest, a matrix or an array of strings or token lists holds."""
    if isinstance(values, Forest):
        return "tree"
    return "vector" if values.ndim == 2 else "text"


def _as_column(name: str, values: Any) -> Any:
    if isinstance(values, Forest):
        return values
    if isinstance(values, Records):
        raise TypeError(f"column {name!r}: Records cannot hold Records")
    if isinstance(values, str):
        raise TypeError(f"column {name!r}: expected a list of strings, got one string")
    if is_nltk(values):
        raise TypeError(f"column {name!r}: expected a list of trees, got one nltk.Tree")
    if sparse.issparse(values):
        return sparse.csr_matrix(values, dtype=np.float64) if values.ndim == 2 else _reject(name, values)
    if hasattr(values, "__array__"):  # not iterated over: frames give the names of their columns
        values = np.asarray(values)
        if values.ndim != 1:
            return _as_matrix(name, values)
    if isinstance(values, Mapping | Set) or not isinstance(values, Iterable):
        _reject(name, values)
    items = list(values)
    if items and all(isinstance(item, Tree) or is_nltk(item) for item in items):
        return Forest(items)
    if all(isinstance(item, str) for item in items):
        return np.array([*items, None], dtype=object)[:-1]  # numpy would cut trailing NULs off strings
    if all(isinstance(item, list | tuple) and all(isinstance(t, str) for t in item) for item in items):
        column = np.empty(len(items), dtype=object)
        column[:] = [tuple(item) for item in items]
        return column
    return _as_matrix(name, items)


def _as_matrix(name: str, values: Any) -> Any:
    try:
        matrix = np.asarray(values)
        if matrix.ndim == 2 and matrix.dtype.kind in "biufO":  # numbers; never texts that look like numbers
            return np.ascontiguousarray(matrix, dtype=np.float64)
    except (TypeError, ValueError):  # rows of different lengths, or things that are not numbers
        pass
    return _reject(name, values)


def _reject(name: str, values: Any) -> Any:
    try:
        shape = f" of shape {np.shape(values)}"
    except ValueError:
        shape = " of rows that differ in length"
    raise ValueError(
        f"column {name!r}: expected a Forest, a two-dimensional matrix of numbers, a list of strings or "
        f"a list of token lists, got a {type(values).__name__}{shape}"
    )


def _join(name: str, parts: list[Any]) -> Any:
    kinds = list(dict.fromkeys(kind for part in parts if (kind := _kind(part))))
    if len(kinds) > 1:
        raise ValueError(f"column {name!r}: cannot join {kinds[0]} and {kinds[1]}")
    if isinstance(parts[0], Forest):
        return Forest.concatenate(parts)
    if sparse.issparse(parts[0]):
        return sparse.vstack(parts, format="csr")
    return np.concatenate(parts)


def _kind(values: Any) -> str:
    """What must agree when columns are joined; nothing for no strings or token lists."""
    if isinstance(values, Forest):
        return "trees"
    if sparse.issparse(values):
        return f"a sparse matrix with {values.shape[1]} features"
    if values.ndim == 2:
        return f"a matrix with {values.shape[1]} features"
    if len(values) == 0:
        return ""
    return "strings" if isinstance(values[0], str) else "token lists"


def _same(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, Forest):
        return bool(a == b)
    if sparse.issparse(a):
        return bool(a.shape == b.shape and (a != b).nnz == 0)
    return bool(np.array_equal(a, b))


def _describe(values: Any) -> str:
    if isinstance(values, Forest):
        return f"Forest of {values.n_nodes} nodes"
    kind = _kind(values).removeprefix("a ") or "strings"
    return f"{kind}, {values.nnz} nonzeros" if sparse.issparse(values) else kind
