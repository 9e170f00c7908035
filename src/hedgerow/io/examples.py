"""From what the native reader of SVM-light-TK lines holds to X, y and query ids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.data import Forest, Records

Labels = Literal["auto", "int", "float", "word"]
KIND_OF_DTYPE: dict[str, Labels] = {"i": "int", "f": "float", "U": "word"}
Examples: TypeAlias = Any  # a Forest, a csr_matrix or Records
Vector: TypeAlias = np.ndarray[Any, Any]


@dataclass
class Table:
    """Examples as the file has them: columns by name, labels and query ids."""

    columns: dict[str, Any]  # Forests and csr matrices
    y: Vector
    queries: Vector
    coded: tuple[list[str], Vector] | None = None  # distinct labels as written, and each row's, where known

    def simplest(self) -> Examples:
        """The columns in the simplest container that holds them."""
        return next(iter(self.columns.values())) if len(self.columns) == 1 else Records(self.columns)


def take_table(reader: _core.SvmlightTkReader, labels: Labels, n_features: int | None) -> Table:
    """The examples that the reader holds, which it then forgets."""
    names, label_of_row, trees, vectors, _, queries = reader.take_rows()
    found: dict[str, Any] = {name: Forest._wrap(native) for name, native in trees}
    for name, begin, index, value, width in vectors:
        shape = (len(label_of_row), width if n_features is None else n_features)
        found[name] = sparse.csr_matrix((value, index, begin), shape=shape)
    y = label_array(names, label_of_row, kind_of(names) if labels == "auto" else labels)
    columns = {name: found[name] for name, _ in reader.columns}
    if not columns and (len(y) or n_features):
        # Labels alone: in SVM-light's files such lines are vectors of zeros.
        columns = {"vector": sparse.csr_matrix((len(y), n_features or 0))}
    return Table(columns or {"tree": Forest()}, y, queries, (names, label_of_row))


def kind_of(names: list[str]) -> Labels:
    """The narrowest kind that holds all labels."""
    if all(_core.is_number(name, whole=True) for name in names):
        return "int"
    # Whole numbers beyond 64 bits are words, because different ones could become the same float.
    return "float" if all(_core.is_number(name) and not _is_huge(name) for name in names) else "word"


def _is_huge(name: str) -> bool:
    return name.lstrip("+-").isdigit() and not _core.is_number(name, whole=True)


def label_array(names: list[str], label_of_row: Vector, kind: Labels) -> Vector:
    if kind == "word":
        distinct = np.array(names, dtype=np.str_)
    elif kind == "int":
        distinct = np.array([int(name) for name in names], dtype=np.int64)
    else:
        distinct = np.array([float(name) for name in names], dtype=np.float64)
    return distinct[label_of_row]
