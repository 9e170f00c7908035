"""Layout: how examples are read and arranged, in training and ever after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow.data import Forest, Records
from hedgerow.io.examples import Examples, Labels, Table, Vector, kind_of, label_array
from hedgerow.io.formats import DataFormat, guess_data_format
from hedgerow.io.hashing import Hashing
from hedgerow.io.sources import read_tables, shown


@dataclass
class Layout:
    """How examples are read: a model remembers it, so that it meets all data in the same form."""

    format: str | None = None  # None: by file name
    spaces_in_leaves: bool = False
    tokens: bool = False
    columns: dict[str, str] = field(default_factory=dict)  # name to "tree", "vector" or "text"
    n_features: dict[str, int] = field(default_factory=dict)  # of columns of vectors
    labels: Labels = "word"
    hashing: Hashing | None = None  # of texts that become vectors
    live: bool = False  # read examples as they arrive, for learners that take little time for each
    drops_unseen: bool = False  # leave out features beyond the width, instead of refusing them

    def notes(self) -> dict[str, Any]:
        """What a model file keeps."""
        return {name: value for name, value in asdict(self).items() if name not in ("live", "drops_unseen")}

    def kind_of(self, path: str) -> DataFormat:
        return guess_data_format(path) if self.format is None else DataFormat(self.format)

    def tables(self, path: str) -> Iterator[Table]:
        return read_tables(
            path,
            self.kind_of(path),
            spaces_in_leaves=self.spaces_in_leaves,
            tokens=self.tokens,
            live=self.live,
        )

    def meet(self, table: Table) -> None:
        """Takes up the columns of a table."""
        for name, column in table.columns.items():
            self.columns.setdefault(name, _kind(column))
            if self.columns[name] == "vector":
                self.n_features[name] = max(self.n_features.get(name, 0), column.shape[1])

    def set_width(self, features: int | None) -> None:
        """Settles the width of vectors, at `features` when that is given."""
        for name, width in self.n_features.items():
            if features is not None and features < width:
                raise ValueError(
                    f"--features must be at least {width}, the highest feature in the data, got {features}"
                )
            self.n_features[name] = features or max(width, 1)

    def for_weights(self, column: str, features: int | None) -> None:
        """Settles on one column; new features may come at any time, unless their number is given."""
        self.columns = {column: self.columns[column]}
        self.n_features = {} if features is None else {column: features}

    def arranged(self, table: Table, path: str) -> Examples:
        """The table's examples with just the columns of the layout."""
        if not any(name in table.columns for name in self.columns):
            raise ValueError(
                f"{shown(path)}: the examples have the columns {', '.join(table.columns)}, but the model was "
                f"trained on {', '.join(self.columns)}"
            )
        columns = {name: self._column(name, table, path) for name in self.columns}
        return next(iter(columns.values())) if len(columns) == 1 else Records(columns)

    def _column(self, name: str, table: Table, path: str) -> Any:
        n, kind = len(table.y), self.columns[name]
        column = table.columns.get(name)
        if column is not None and _kind(column) != kind:
            raise ValueError(f"{shown(path)}: the column {name!r} should hold {kind}s, as it did in training")
        if kind == "tree":
            return Forest.from_postorder([], [], [0] * n) if column is None else column
        if kind == "text":
            return column if self.hashing is None else self.hashing.vectors(column)
        width = self.n_features.get(name)
        if column is None:
            return sparse.csr_matrix((n, width or 1))
        if width is None:  # any, but scikit-learn's estimators want one at least
            column.resize(n, max(column.shape[1], 1))
            return column
        if column.shape[1] > width and not self.drops_unseen:
            raise ValueError(
                f"{shown(path)}: feature {column.shape[1]} is beyond the {width} features of the training data; "
                f"train with --features {column.shape[1]} or more"
            )
        column.resize(n, width)  # which drops what is beyond
        return column

    def labels_of(self, table: Table, path: str) -> Vector:
        """The labels as numbers or words, whichever the layout says."""
        if table.coded is None:
            names, label_of_row = np.unique(table.y, return_inverse=True)
            words = names.tolist()
        else:
            words, label_of_row = table.coded
        values: Vector = self.label_values(words, path)[label_of_row]
        return values

    def label_values(self, words: list[str], path: str) -> Vector:
        """Labels as they are written as numbers or words, whichever the layout says."""
        if self.labels != "word":
            for word in words:
                kind = kind_of([word])
                if kind == "word" or (kind == "float" and self.labels == "int"):
                    raise ValueError(
                        f"{shown(path)}: the label {word!r} is no {'whole ' * (self.labels == 'int')}number, as "
                        "those of the model are"
                    )
        return label_array(words, np.arange(len(words)), self.labels)


def settle_classes(words: set[str], layout: Layout) -> Vector:
    """The classes of labels as they are written; settles the layout's kind of labels."""
    names = sorted(words)
    layout.labels = kind_of(names)
    return np.unique(label_array(names, np.arange(len(names)), layout.labels))


def _kind(column: Any) -> str:
    if isinstance(column, Forest):
        return "tree"
    return "vector" if sparse.issparse(column) else "text"
