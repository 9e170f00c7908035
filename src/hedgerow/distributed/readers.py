"""Readers: how the files of a shard are read. They travel to the workers, so they hold settings and nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hedgerow.data import FormatError
from hedgerow.distributed.survey import Survey
from hedgerow.io import iter_columns
from hedgerow.io.schema import Schema, SchemaBuilder

Batch = tuple[Any, Any]  # X and y


class Reader(ABC):
    """How files are read."""

    @abstractmethod
    def pieces(self, path: str) -> Iterator[Batch]:
        """The examples of a file, a bounded number at a time."""

    @abstractmethod
    def token(self) -> Any:
        """What tells this reader from others, as something that can be hashed."""

    def survey(self, paths: Sequence[str]) -> Survey:
        return Survey(sum(len(y) for path in paths for _, y in self.pieces(path)))

    def settled(self, schema: Schema) -> Reader:
        """With the columns and widths of all files."""
        return self


@dataclass(frozen=True)
class TableReader(Reader):
    """Trees, vectors and texts with a label each."""

    schema: Schema
    labelled: bool = True  # whether examples must have labels
    features: int | None = None  # the width of vectors, if it is known
    drops_unseen: bool = False  # leave out features beyond the width, instead of refusing them

    def pieces(self, path: str) -> Iterator[Batch]:
        schema = self.schema
        for table in schema.tables(path):
            if self.labelled:
                table.require_labels(path)
            schema = schema.or_of(table)
            y = schema.labels_of(table, path) if self.labelled else None
            yield schema.arranged(table, path, drops_unseen=self.drops_unseen), y

    def token(self) -> Any:
        return "tables", self.labelled, self.drops_unseen, repr(self.schema)

    def survey(self, paths: Sequence[str]) -> Survey:
        found = SchemaBuilder(self.schema, self.features)
        for path in paths:
            for table in self.schema.tables(path):
                table.require_labels(path)
                found.meet(table)
        return Survey(found.n, schema=found)

    def settled(self, schema: Schema) -> Reader:
        return replace(self, schema=schema)


@dataclass(frozen=True)
class ColumnReader(Reader):
    """Sentences in columns, one token a line, with a label in one of the columns; inputs are the other columns."""

    label_column: int = -1
    comments: str | None = None
    inputs: int | None = (
        None  # how many other columns there are; where these are all, sentences have no labels
    )
    labelled: bool = True  # whether sentences must have labels

    def pieces(self, path: str) -> Iterator[Batch]:
        for sentences in iter_columns(path, comments=self.comments):
            width = len(sentences[0][0])
            if width == self.inputs:
                if self.labelled:
                    raise FormatError(f"there are no labels: expected {width + 1} columns", path=path)
                yield sentences, None
                continue
            column = self.label_column % width
            inputs = [[token[:column] + token[column + 1 :] for token in sentence] for sentence in sentences]
            yield inputs, [[token[column] for token in sentence] for sentence in sentences]

    def token(self) -> Any:
        return "columns", self.label_column, self.comments, self.inputs, self.labelled


@dataclass(frozen=True)
class FunctionReader(Reader):
    """Whatever an importable function makes of a file."""

    function: Callable[[str], Batch | Iterator[Batch]]

    def pieces(self, path: str) -> Iterator[Batch]:
        made = self.function(path)
        if isinstance(made, tuple):
            yield made
        else:
            yield from made

    def token(self) -> Any:
        return "function", self.function
