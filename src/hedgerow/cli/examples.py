"""Files of training examples: read once, or several times when memory is short."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from hedgerow.cli.progress import counting
from hedgerow.data import Forest
from hedgerow.data.files import name_of
from hedgerow.io.examples import Table, Vector, join, no_example
from hedgerow.io.readers import Batch
from hedgerow.io.schema import Schema, SchemaBuilder

KEPT_BYTES = 1 << 30  # examples that take more memory than this are read again for every pass


class Tables:
    """The tables of some files, each with its path, one after the other; the first can be looked at beforehand."""

    def __init__(self, paths: Sequence[str], schema: Schema, live: bool = False) -> None:
        self.paths = paths
        self._rest = ((table, path) for path in paths for table in schema.tables(path, live=live))
        self._held: list[tuple[Table, str]] = []

    def __iter__(self) -> Iterator[tuple[Table, str]]:
        while self._held:
            yield self._held.pop(0)
        yield from self._rest

    def first(self) -> Table:
        """The first one, which stays."""
        return next(self.beginning(1))

    def beginning(self, n: int) -> Iterator[Table]:
        """Tables with so many examples or some more, or all that there are; they stay."""
        held = iter(tuple(self._held))
        while n > 0:
            entry = next(held, None)
            if entry is None:
                entry = next(self._rest, None)
                if entry is None:
                    break
                self._held.append(entry)
            n -= len(entry[0])
            yield entry[0]
        if not self._held:
            raise no_example(self.paths)


@dataclass(frozen=True)
class LabelledData:
    """Labelled examples after a first look at all of them."""

    paths: Sequence[str]
    schema: Schema
    classes: Vector
    n: int
    kept: list[tuple[Table, str]] | None  # None: too large

    def __iter__(self) -> Iterator[Batch]:
        return arranged(Tables(self.paths, self.schema) if self.kept is None else self.kept, self.schema)

    def everything(self) -> Batch:
        """All examples at once."""
        if self.kept is None:
            raise ValueError(
                f"--shuffle needs all examples in memory, but they take more than {KEPT_BYTES >> 20} MB; "
                "shuffle the lines of the file instead"
            )
        batches = list(self)
        return join([X for X, _ in batches]), np.concatenate([y for _, y in batches])


def look_at(
    paths: Sequence[str],
    schema: Schema,
    features: int | None,
    *,
    keep_all: bool = False,
    tables: Iterable[tuple[Table, str]] | None = None,
) -> LabelledData:
    """One pass over the files: their columns, classes and sizes.

    What was read is kept when it takes little memory, or with ``keep_all`` whatever it takes.
    """
    builder = SchemaBuilder(schema, features)
    kept: list[tuple[Table, str]] | None = []
    size = 0
    with counting("Reading", None) as advance:
        for table, path in Tables(paths, schema) if tables is None else tables:
            table.require_labels(path)
            builder.meet(table)
            size += _size(table)
            if size > KEPT_BYTES and not keep_all:
                _require_files(paths)
                kept = None
            if kept is not None:
                kept.append((table, path))
            advance(len(table))
    if builder.n == 0:
        raise no_example(paths)
    classes = builder.classes
    require_classes(classes, f"all {builder.n} examples")
    return LabelledData(paths, builder.build(), classes, builder.n, kept)


def arranged(tables: Iterable[tuple[Table, str]], schema: Schema) -> Iterator[Batch]:
    """The examples of tables; the first ones settle the columns where the schema has none."""
    for table, path in tables:
        table.require_labels(path)
        schema = schema.or_of(table)
        yield schema.arranged(table, path), schema.labels_of(table, path)


def require_classes(classes: Any, which: str, advice: str = "") -> None:
    """Complains when there is nothing to tell apart."""
    if len(classes) < 2:
        found = f"the label {classes[0]}" if len(classes) else "no label"
        raise ValueError(f"{which} have {found}; learning needs examples of two classes or more{advice}")


def _require_files(paths: Sequence[str]) -> None:
    for path in paths:
        if not os.path.isfile(path):
            raise ValueError(
                f"{name_of(path)} holds more than fits in memory and cannot be read twice; name the classes with "
                "--classes, so that one pass is enough"
            )


def _size(table: Table) -> int:
    """About how many bytes the table takes."""
    total = 50 * len(table)
    for column in table.columns.values():
        if isinstance(column, Forest):
            total += 16 * column.n_nodes
        elif sparse.issparse(column):
            total += 12 * column.nnz
        else:
            total += sum(60 + 4 * len(item) for item in column)
    return total
