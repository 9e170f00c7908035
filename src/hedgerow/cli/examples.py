"""The examples that a command learns from: read once, or again and again when memory is short."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from scipy import sparse

from hedgerow.data import Forest
from hedgerow.io.examples import Examples, Table, Vector
from hedgerow.io.layout import Layout, settle_classes
from hedgerow.io.sources import shown
from hedgerow.io.tables import join, no_example, require_labels, words_of

KEPT_BYTES = 1 << 30  # examples that take more memory than this are read again for every pass
Batch = tuple[Examples, Vector]


@dataclass
class Passes:
    """What a learner is given: batches to go on with, or all examples for it to go through as it likes."""

    batches: Iterable[Batch]
    total: int | None = None  # examples, if known
    whole: bool = False


@dataclass
class Training:
    """The training examples after a first look at all of them."""

    paths: Sequence[str]
    layout: Layout
    classes: Vector
    n: int
    kept: list[tuple[Table, str]] | None  # None: too large

    def __iter__(self) -> Iterator[Batch]:
        tables: Iterable[tuple[Table, str]]
        if self.kept is not None:
            tables = self.kept
        else:
            tables = ((table, path) for path in self.paths for table in self.layout.tables(path))
        for table, path in tables:
            yield self.layout.arranged(table, path), self.layout.labels_of(table, path)

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

    def __init__(self, paths: Sequence[str], layout: Layout) -> None:
        self.paths = paths
        self._rest = ((table, path) for path in paths for table in layout.tables(path))
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
            n -= len(entry[0].y)
            yield entry[0]
        if not self._held:
            raise no_example(self.paths)


def look_at(
    paths: Sequence[str],
    layout: Layout,
    features: int | None,
    *,
    keep_all: bool = False,
    tables: Iterable[tuple[Table, str]] | None = None,
) -> Training:
    """One pass over the files: their columns, classes and sizes.

    What was read is kept when it takes little memory, or with ``keep_all`` whatever it takes.
    """
    words: set[str] = set()
    kept: list[tuple[Table, str]] | None = []
    n, size = 0, 0
    for table, path in Tables(paths, layout) if tables is None else tables:
        require_labels(table, path)
        layout.meet(table)
        words.update(words_of(table))
        n += len(table.y)
        size += _size(table)
        if size > KEPT_BYTES and not keep_all:
            _require_files(paths)
            kept = None
        if kept is not None:
            kept.append((table, path))
    if n == 0:
        raise no_example(paths)
    layout.set_width(features)
    classes = settle_classes(words, layout)
    if len(classes) < 2:
        raise ValueError(
            f"all {n} examples have the label {classes[0]}; learning needs examples of two classes or more"
        )
    return Training(paths, layout, classes, n, kept)


class Stream:
    """Training examples whose classes are known beforehand: one pass, one batch in memory at a time.

    The first batch settles the columns.
    """

    def __init__(
        self,
        paths: Sequence[str],
        layout: Layout,
        classes: str,
        features: int | None,
        tables: Iterable[tuple[Table, str]] | None = None,
    ) -> None:
        self.classes = named_classes(classes, layout)
        batches = stream(paths, layout, features, tables)
        first = next(batches, None)
        if first is None:
            raise no_example(paths)
        self._batches = chain([first], batches)

    def passes(self, epochs: int, shuffle: bool) -> Passes:
        if epochs > 1 or shuffle:
            raise ValueError(
                "--classes reads the examples only once, so --epochs and --shuffle are not possible"
            )
        return Passes(self._batches)


def stream(
    paths: Sequence[str],
    layout: Layout,
    features: int | None = None,
    tables: Iterable[tuple[Table, str]] | None = None,
) -> Iterator[Batch]:
    """The examples in one pass; ``tables`` are those of the files, when reading has begun already."""
    for table, path in Tables(paths, layout) if tables is None else tables:
        require_labels(table, path)
        if not layout.columns:
            layout.meet(table)
            layout.set_width(features)
        yield layout.arranged(table, path), layout.labels_of(table, path)


def named_classes(classes: str, layout: Layout) -> Vector:
    """What --classes names; settles the layout's kind of labels."""
    found = settle_classes({word.strip() for word in classes.split(",")}, layout)
    if len(found) < 2:
        raise ValueError(f"--classes must name two labels or more, as in --classes -1,1, got {classes!r}")
    return found


def _require_files(paths: Sequence[str]) -> None:
    for path in paths:
        if not os.path.isfile(path):
            raise ValueError(
                f"{shown(path)} holds more than fits in memory and cannot be read twice; name the classes with "
                "--classes, so that one pass is enough"
            )


def _size(table: Table) -> int:
    """About how many bytes the table takes."""
    total = 50 * len(table.y)
    for column in table.columns.values():
        if isinstance(column, Forest):
            total += 16 * column.n_nodes
        elif sparse.issparse(column):
            total += 12 * column.nnz
        else:
            total += sum(60 + 4 * len(item) for item in column)
    return total
