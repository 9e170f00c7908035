"""Schema: how examples are read and arranged, in training and ever after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self, get_args

import numpy as np
from scipy import sparse

from hedgerow.data import Records
from hedgerow.data.errors import FormatError
from hedgerow.data.files import name_of
from hedgerow.data.records import kind_of_column
from hedgerow.io.examples import Examples, Labels, Table, Vector, empty_trees, kind_of, label_array
from hedgerow.io.formats import guess_format
from hedgerow.io.sources import read_tables
from hedgerow.registry import DataKind


@dataclass(frozen=True)
class Schema:
    """How examples are read: a model remembers it, so that it meets all data in the same form.

    It never changes. `SchemaBuilder` makes the schema of examples that are yet to be looked at.
    """

    format: str | None = None  # None: by file name
    spaces_in_leaves: bool = False
    tokens: bool = False
    columns: Mapping[str, DataKind] = field(default_factory=dict)
    n_features: Mapping[str, int] = field(default_factory=dict)  # of columns of vectors; none: any
    labels: Labels = "auto"

    @classmethod
    def from_notes(cls, notes: dict[str, Any]) -> Self:
        """The schema that a model file has kept; a FormatError when that cannot be."""
        try:
            schema = cls(**notes)
            fits = schema._fits()
        except (TypeError, AttributeError, ValueError):  # an array is neither in a tuple nor outside
            fits = False
        if not fits:
            raise FormatError("the model's notes do not say how to read examples")
        return schema

    def _fits(self) -> bool:
        """Whether all parts are of their types: notes may come from anywhere."""
        return (
            isinstance(self.format, str | None)
            and all(type(flag) is bool for flag in (self.spaces_in_leaves, self.tokens))
            and all(type(k) is str and v in ("tree", "vector", "text") for k, v in self.columns.items())
            and all(k in self.columns and _is_whole(v, 2**31) for k, v in self.n_features.items())
            and self.labels in get_args(Labels)
        )

    def notes(self) -> dict[str, Any]:
        """What a model file keeps."""
        return asdict(self)

    def format_of(self, path: str) -> str:
        guess = guess_format(path)
        return self.format or (
            "brackets" if guess is not None and guess.name == "brackets" else "svmlight-tk"
        )

    def tables(self, path: str, *, live: bool = False) -> Iterator[Table]:
        """The examples of a file in pieces, or as they arrive with ``live``, for learners that are quick with each."""
        return read_tables(
            path,
            self.format_of(path),
            spaces_in_leaves=self.spaces_in_leaves,
            tokens=self.tokens,
            live=live,
        )

    # -- variants -------------------------------------------------------------------------------------------

    def told(self, data_format: str | None, spaces_in_leaves: bool) -> Self:
        """With what options say about new data."""
        return replace(
            self,
            format=data_format or self.format,
            spaces_in_leaves=self.spaces_in_leaves or spaces_in_leaves,
        )

    def only(self, column: str, width: int | None = None) -> Self:
        """With one column alone, and any features in it unless their number is given."""
        return replace(
            self,
            columns={column: self.columns[column]},
            n_features={} if width is None else {column: width},
        )

    def or_of(self, table: Table) -> Schema:
        """Itself if it has columns, else with those of the table."""
        if self.columns:
            return self
        builder = SchemaBuilder(self)
        builder.meet(table)
        return builder.build()

    # -- examples -------------------------------------------------------------------------------------------

    def arranged(self, table: Table, path: str, *, drops_unseen: bool = False) -> Examples:
        """The table's examples with just the columns of the schema.

        Features that training had none of, beyond the width, make vectors longer; with ``drops_unseen`` they are left
        out.
        """
        if not any(name in table.columns for name in self.columns):
            raise ValueError(
                f"{name_of(path)}: the examples have the columns {', '.join(table.columns)}, but the model was "
                f"trained on {', '.join(self.columns)}"
            )
        columns = {name: self._column(name, table, path, drops_unseen) for name in self.columns}
        return next(iter(columns.values())) if len(columns) == 1 else Records(columns)

    def _column(self, name: str, table: Table, path: str, drops_unseen: bool) -> Any:
        n, kind = len(table), self.columns[name]
        column = table.columns.get(name)
        if column is not None and kind_of_column(column) != kind:
            raise ValueError(
                f"{name_of(path)}: the column {name!r} should hold {kind}s, as it did in training"
            )
        if kind == "tree":
            return empty_trees(n) if column is None else column
        if kind == "text":
            return column
        width = self.n_features.get(name)
        if column is None:
            return sparse.csr_matrix((n, width or 1))
        if width is None:  # any, but scikit-learn's estimators want one at least
            column.resize(n, max(column.shape[1], 1))
            return column
        column.resize(n, width if drops_unseen else max(width, column.shape[1]))  # which drops what is beyond
        return column

    def labels_of(self, table: Table, path: str) -> Vector:
        """The labels of the rows as numbers or words, whichever the schema says."""
        values: Vector = self.label_values(table.words, path)[table.label_of_row]
        return values

    def label_values(self, words: Sequence[str], path: str) -> Vector:
        """Labels as they are written as numbers or words, whichever the schema says."""
        if self.labels in ("int", "float"):
            for word in words:
                kind = kind_of([word])
                if kind == "word" or (kind == "float" and self.labels == "int"):
                    raise ValueError(
                        f"{name_of(path)}: the label {word!r} is not a {'whole ' * (self.labels == 'int')}number, "
                        "as those of the model are"
                    )
        return label_array(words, self.labels)


class SchemaBuilder:
    """What examples tell about their schema while they are looked at for the first time.

    What the schema has settled stays: its columns, where it has some, and its kind of labels.
    """

    def __init__(self, schema: Schema, features: int | None = None) -> None:
        self.n = 0  # examples
        self.words: set[str] = set()  # labels as they are written
        self._schema = schema
        self._features = features  # the width of vectors, if it is known
        self._columns = dict(schema.columns)
        self._widths: dict[str, int] = {}

    def meet(self, table: Table) -> None:
        """Takes up the columns and labels of some examples."""
        self.n += len(table)
        self.words.update(table.words)
        for name, column in table.columns.items():
            self._take(name, kind_of_column(column), column.shape[1] if sparse.issparse(column) else 0)

    def update(self, other: SchemaBuilder) -> None:
        """Takes up what another one has met."""
        self.n += other.n
        self.words.update(other.words)
        for name, kind in other._columns.items():
            self._take(name, kind, other._widths.get(name, 0))

    def _take(self, name: str, kind: DataKind, width: int) -> None:
        if self._schema.columns and name not in self._schema.columns:
            return
        known = self._columns.setdefault(name, kind)
        if known != kind:
            raise ValueError(f"the column {name!r} holds {known}s in one file and {kind}s in another")
        if kind == "vector":
            self._widths[name] = max(self._widths.get(name, 0), width)

    def build(self) -> Schema:
        """The schema of all that was met."""
        features, widths = self._features, self._widths
        for width in widths.values():
            if features is not None and features < width:
                raise ValueError(
                    f"--features must be at least {width}, the highest feature in the data, got {features}"
                )
        return replace(
            self._schema,
            columns=self._columns,
            n_features={name: features or max(width, 1) for name, width in widths.items()},
            labels=self._label_kind,
        )

    @property
    def classes(self) -> Vector:
        """The labels, sorted."""
        return np.unique(label_array(sorted(self.words), self._label_kind))

    @property
    def _label_kind(self) -> Labels:
        return kind_of(sorted(self.words)) if self._schema.labels == "auto" else self._schema.labels


def _is_whole(value: Any, at_most: int) -> bool:
    return type(value) is int and 1 <= value <= at_most
