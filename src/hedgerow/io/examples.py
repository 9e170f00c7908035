"""Tables of examples: columns by name and coded labels, as readers of files make them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from scipy import sparse

from hedgerow import _core
from hedgerow.data import CandidateLists, Forest, FormatError, Records
from hedgerow.data.files import name_of

Labels = Literal["auto", "int", "float", "word"]
KIND_OF_DTYPE: dict[str, Labels] = {"i": "int", "f": "float", "U": "word"}
Examples: TypeAlias = Any  # a Forest, a csr_matrix or Records
Vector: TypeAlias = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Table:
    """Examples as the file has them: columns by name, labels as they are written, and query ids."""

    columns: Mapping[str, Any]  # Forests, csr matrices and arrays of texts
    words: list[str]  # distinct labels; "" where an example has none
    label_of_row: Vector  # places in `words`
    queries: Vector  # -1 where there is none

    @classmethod
    def with_labels(cls, columns: Mapping[str, Any], labels: Sequence[str]) -> Self:
        """Of labels row by row."""
        places: dict[str, int] = {}
        label_of_row = [places.setdefault(word, len(places)) for word in labels]
        return cls(columns, list(places), np.array(label_of_row, np.int64), np.full(len(labels), -1))

    def __len__(self) -> int:
        return len(self.queries)

    def labels(self, kind: Labels = "word") -> Vector:
        """Of every row."""
        return label_array(self.words, kind)[self.label_of_row]

    def require_labels(self, path: str) -> None:
        """Refuses examples without a label."""
        if "" in self.words:
            raise FormatError("an example has no label", path=name_of(path))

    def simplest(self) -> Examples:
        """The columns in the simplest container that holds them."""
        return next(iter(self.columns.values())) if len(self.columns) == 1 else Records(self.columns)

    def relabelled(self, word: str) -> Table:
        """With the same label in all rows."""
        return replace(self, words=[word], label_of_row=np.zeros(len(self), np.int64))

    def rows(self, rows: slice) -> Table:
        columns = {name: column[rows] for name, column in self.columns.items()}
        return Table(columns, self.words, self.label_of_row[rows], self.queries[rows])

    @staticmethod
    def concatenate(tables: Sequence[Table]) -> Table:
        """All examples with the columns of all; an example that lacks one has an empty tree or row there."""
        names = list(dict.fromkeys(name for table in tables for name in table.columns))
        words = list(dict.fromkeys(word for table in tables for word in table.words))
        place = {word: number for number, word in enumerate(words)}
        coded = [
            np.array([place[word] for word in table.words], np.int64)[table.label_of_row] for table in tables
        ]
        queries = np.concatenate([table.queries for table in tables])
        return Table({name: _join(name, tables) for name in names}, words, np.concatenate(coded), queries)


def _join(name: str, tables: Sequence[Table]) -> Any:
    present = [table.columns[name] for table in tables if name in table.columns]
    if all(isinstance(column, Forest) for column in present):
        return Forest.concatenate(table.columns.get(name, empty_trees(len(table))) for table in tables)
    if any(isinstance(column, Forest) for column in present):
        raise ValueError(f"the column {name!r} holds trees in one input and vectors in another")
    width = max(column.shape[1] for column in present)
    rows = []
    for table in tables:
        matrix = table.columns.get(name, sparse.csr_matrix((len(table), 0))).copy()
        matrix.resize(len(table), width)
        rows.append(matrix)
    return sparse.vstack(rows, format="csr")


def empty_trees(n: int) -> Forest:
    return Forest.from_postorder([], [], [0] * n)


def take_table(reader: _core.SvmlightTkReader, n_features: int | None = None) -> Table:
    """The examples that the reader holds, which it then forgets."""
    words, label_of_row, trees, vectors, _, queries = reader.take_rows()
    found: dict[str, Any] = {name: Forest._wrap(native) for name, native in trees}
    for name, begin, index, value, width in vectors:
        shape = (len(label_of_row), width if n_features is None else n_features)
        found[name] = sparse.csr_matrix((value, index, begin), shape=shape)
    columns = {name: found[name] for name, _ in reader.columns}
    if not columns and (len(label_of_row) or n_features):
        # Labels alone: in SVM-light's files such lines are vectors of zeros.
        columns = {"vector": sparse.csr_matrix((len(label_of_row), n_features or 0))}
    return Table(columns or {"tree": Forest()}, words, label_of_row, queries)


def kind_of(words: Sequence[str]) -> Labels:
    """The narrowest kind that holds all labels."""
    if all(_core.is_number(word, whole=True) for word in words):
        return "int"
    # Whole numbers beyond 64 bits are words, because different ones could become the same float.
    return "float" if all(_core.is_number(word) and not _is_huge(word) for word in words) else "word"


def _is_huge(word: str) -> bool:
    return word.lstrip("+-").isdigit() and not _core.is_number(word, whole=True)


def label_array(words: Sequence[str], kind: Labels = "auto") -> Vector:
    """Labels as they are written as numbers or words."""
    if kind == "auto":
        kind = kind_of(words)
    if kind == "word":
        return np.array(words, dtype=np.str_)
    if kind == "int":
        return np.array([int(word) for word in words], dtype=np.int64)
    return np.array([float(word) for word in words], dtype=np.float64)


def join(parts: Sequence[Examples]) -> Examples:
    """The examples of all parts, which look alike."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], list):
        return [item for part in parts for item in part]
    if isinstance(parts[0], Forest | Records | CandidateLists):
        return type(parts[0]).concatenate(parts)
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.concatenate(parts)


def no_example(paths: Sequence[str]) -> ValueError:
    return ValueError(f"no example in {', '.join(map(name_of, paths))}")
