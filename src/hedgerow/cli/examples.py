"""The examples that a command learns from: read once, or again and again when memory is short."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from scipy import sparse

from hedgerow.data import Forest
from hedgerow.data.files import name_of
from hedgerow.io.examples import Examples, Table, Vector, kind_of, label_array
from hedgerow.io.schema import Schema, SchemaBuilder
from hedgerow.io.tables import join, no_example

KEPT_BYTES = 1 << 30  # examples that take more memory than this are read again for every pass
Batch = tuple[Examples, Vector]


@dataclass
class Passes:
    """What a learner is given: batches to go on with, or all examples for it to go through as it likes."""

    batches: Iterable[Batch]
    total: int | None = None  # examples, if known
    whole: bool = False


@dataclass(frozen=True)
class Training:
    """The training examples after a first look at all of them."""

    paths: Sequence[str]
    schema: Schema
    classes: Vector
    n: int
    kept: list[tuple[Table, str]] | None  # None: too large

    def __iter__(self) -> Iterator[Batch]:
        tables = Tables(self.paths, self.schema) if self.kept is None else self.kept
        for table, path in tables:
            yield self.schema.arranged(table, path), self.schema.labels_of(table, path)

    def everything(self) -> Batch:
        """All examples at once."""
        batches = list(self)
        return join([X for X, _ in batches]), np.concatenate([y for _, y in batches])

    def passes(self, epochs: int, shuffle: bool) -> Passes:
        if epochs == 1 and not shuffle:
            return Passes(iter(self), self.n)
        if self.kept is not None:
            return Passes([self.everything()], None, whole=True)
        if shuffle:
            raise ValueError(
                f"--shuffle needs all examples in memory, but they take more than {KEPT_BYTES >> 20} MB; "
                "shuffle the lines of the file instead"
            )
        return Passes(chain.from_iterable(iter(self) for _ in range(epochs)), self.n * epochs)


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


def look_at(
    paths: Sequence[str],
    schema: Schema,
    features: int | None,
    *,
    keep_all: bool = False,
    tables: Iterable[tuple[Table, str]] | None = None,
) -> Training:
    """One pass over the files: their columns, classes and sizes.

    What was read is kept when it takes little memory, or with ``keep_all`` whatever it takes.
    """
    builder = SchemaBuilder(schema, features)
    kept: list[tuple[Table, str]] | None = []
    size = 0
    for table, path in Tables(paths, schema) if tables is None else tables:
        table.require_labels(path)
        builder.meet(table)
        size += _size(table)
        if size > KEPT_BYTES and not keep_all:
            _require_files(paths)
            kept = None
        if kept is not None:
            kept.append((table, path))
    if builder.n == 0:
        raise no_example(paths)
    classes = builder.classes
    if len(classes) < 2:
        raise ValueError(
            f"all {builder.n} examples have the label {classes[0]}; learning needs examples of two classes or more"
        )
    return Training(paths, builder.build(), classes, builder.n, kept)


class Stream:
    """Training examples whose classes are known beforehand: one pass, one batch in memory at a time.

    The first batch settles the columns.
    """

    def __init__(self, tables: Tables, schema: Schema, classes: Sequence[str], features: int | None) -> None:
        self.classes, schema = named_classes(classes, schema)
        builder = SchemaBuilder(schema, features)
        builder.meet(tables.first())
        self.schema = builder.build()
        self._tables = tables

    def passes(self, epochs: int, shuffle: bool) -> Passes:
        if epochs > 1 or shuffle:
            raise ValueError(
                "--classes reads the examples only once, so --epochs and --shuffle are not possible"
            )
        return Passes(stream(self._tables, self.schema))


def stream(tables: Tables, schema: Schema) -> Iterator[Batch]:
    """The examples in one pass; the first ones settle the columns where the schema has none."""
    for table, path in tables:
        table.require_labels(path)
        schema = schema.or_of(table)
        yield schema.arranged(table, path), schema.labels_of(table, path)


def named_classes(classes: Sequence[str], schema: Schema) -> tuple[Vector, Schema]:
    """What --classes names, and the schema with this kind of labels."""
    words = sorted(set(classes))
    kind = kind_of(words) if schema.labels == "auto" else schema.labels
    found = np.unique(label_array(words, kind))
    if len(found) < 2:
        raise ValueError(
            f"--classes must name two labels or more, as in --classes -1,1, got {','.join(classes)}"
        )
    return found, replace(schema, labels=kind)


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
