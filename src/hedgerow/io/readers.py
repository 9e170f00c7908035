"""Readers: how files of examples are read, piece by piece. They travel to workers, so they hold settings alone."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np

from hedgerow.data import CandidateLists, Forest, FormatError
from hedgerow.data.files import name_of, reading
from hedgerow.io.columns import Sentence, iter_arriving_columns
from hedgerow.io.examples import Examples, Table, no_example
from hedgerow.io.nbest import is_nbest, iter_nbest
from hedgerow.io.schema import Schema, SchemaBuilder
from hedgerow.io.sources import iter_brackets, iter_lines, iter_sentences

Batch = tuple[Any, Any]  # X and y
SENTENCES = 1000  # of a piece, at most


@dataclass
class Survey:
    """What a look at some files tells, before anything is learned from them."""

    n: int = 0
    labels: set[Any] = field(default_factory=set)  # distinct ones
    schema: SchemaBuilder | None = None  # of files of tables: it has their labels too


@dataclass(frozen=True)
class Known:
    """What a model knows about its examples."""

    schema: Schema
    inputs: int | None  # how many columns of a token it looks at
    drops_unseen: bool  # whether features that training had none of may be left out


class Reader(ABC):
    """How files are read."""

    @abstractmethod
    def pieces(self, path: str) -> Iterator[Batch]:
        """The examples of a file, a bounded number at a time; y is None where there are no labels or outputs."""

    @property
    def token(self) -> Any:
        """What tells this reader from others, as something that can be hashed."""
        return repr(self)

    def survey(self, paths: Sequence[str]) -> Survey:
        return Survey(sum(len(y) for path in paths for _, y in self.pieces(path)))

    def settled(self, schema: Schema) -> Reader:
        """With the columns and widths of all files."""
        return self

    def for_new_data(self, labelled: bool) -> Self:
        """For predictions, or with labels for comparing them."""
        return self

    def for_model(self, known: Known, labelled: bool) -> Reader:
        """The same with what a model knows; what the reader has settled itself stays."""
        return self


@dataclass(frozen=True, kw_only=True)
class LabelledReader(Reader):
    """Of files whose examples have labels when they are learned from, and may have none later."""

    labelled: bool = True  # whether examples must have labels

    def for_new_data(self, labelled: bool) -> Self:
        return replace(self, labelled=labelled)


@dataclass(frozen=True)
class TableReader(LabelledReader):
    """Trees, vectors and texts with a label each."""

    schema: Schema
    features: int | None = None  # the width of vectors, if it is known
    drops_unseen: bool = False  # leave out features beyond the width, which would change nothing

    def pieces(self, path: str) -> Iterator[Batch]:
        for X, table, schema in self.tables(path):
            if self.labelled:
                table.require_labels(path)
            yield X, schema.labels_of(table, path) if self.labelled else None

    def tables(self, path: str) -> Iterator[tuple[Examples, Table, Schema]]:
        """The examples of a file, the tables that they come from, and the schema, which has columns now."""
        schema = self.schema
        for table in schema.tables(path, live=not self.labelled):
            schema = schema.or_of(table)
            yield schema.arranged(table, path, drops_unseen=self.drops_unseen), table, schema

    def survey(self, paths: Sequence[str]) -> Survey:
        found = SchemaBuilder(self.schema, self.features)
        for path in paths:
            for table in self.schema.tables(path):
                table.require_labels(path)
                found.meet(table)
        return Survey(found.n, schema=found)

    def settled(self, schema: Schema) -> Reader:
        return replace(self, schema=schema)

    def for_model(self, known: Known, labelled: bool) -> Reader:
        schema = self.schema
        if not schema.columns:
            schema = replace(schema, labels=known.schema.labels)
            if schema.format != "text":
                schema = replace(schema, columns=known.schema.columns, n_features=known.schema.n_features)
        return TableReader(schema, labelled=labelled, drops_unseen=known.drops_unseen)


@dataclass(frozen=True)
class ColumnReader(LabelledReader):
    """Sentences in columns, one token per line, with a label in one of the columns; inputs are the other columns."""

    label_column: int = -1  # from 0, or from -1 backwards
    comments: str | None = None
    inputs: int | None = None  # how many other columns there are; None: any number

    def pieces(self, path: str) -> Iterator[Batch]:
        for sentences in iter_arriving_columns(path, SENTENCES, self.comments):
            width = len(sentences[0][0])
            if width == self.inputs and not self.labelled:
                yield sentences, None
                continue
            self._check(width, path)
            column = self.label_column % width
            inputs = [[token[:column] + token[column + 1 :] for token in sentence] for sentence in sentences]
            yield inputs, [[token[column] for token in sentence] for sentence in sentences]

    def for_model(self, known: Known, labelled: bool) -> Reader:
        return replace(self, inputs=known.inputs, labelled=labelled)

    def _check(self, width: int, path: str) -> None:
        if self.inputs is not None and width != self.inputs + 1:
            if width == self.inputs:
                problem = f"there are no labels: expected {width + 1} columns"
            else:
                bare = "" if self.labelled else f", or {self.inputs} without labels"
                problem = f"expected {self.inputs + 1} columns as before{bare}, found {width}"
        elif width < 2:
            problem = "expected a word and a label at least, found 1 column"
        elif not -width <= self.label_column < width:
            column = self.label_column + (self.label_column >= 0)
            problem = f"there is no column {column} (--label-column): there are {width}"
        else:
            return
        raise FormatError(problem, path=name_of(path))

    def with_labels(self, sentences: list[Sentence], labels: list[list[str]]) -> list[Sentence]:
        """The tokens as the file has them."""
        column = self.label_column % (len(sentences[0][0]) + 1)
        return [
            [(*token[:column], label, *token[column:]) for token, label in zip(tokens, row, strict=True)]
            for tokens, row in zip(sentences, labels, strict=True)
        ]


@dataclass(frozen=True)
class TreeReader(LabelledReader):
    """Parses in brackets; without labels trees or lines of words, whose trees are to be found."""

    texts: bool = False  # lines of words, even if they begin with a bracket
    at_once: int | None = None  # the most sentences of a piece

    def pieces(self, path: str) -> Iterator[Batch]:
        if self.labelled:
            found: Iterator[Any] = iter_brackets(path)
        else:
            found = iter_sentences(path, texts=self.texts)
        for sentences in found:
            for begin in range(0, len(sentences), self.at_once or len(sentences)):
                some = sentences[begin : begin + (self.at_once or len(sentences))]
                yield some, some if self.labelled else None

    def for_new_data(self, labelled: bool) -> Self:
        return replace(self, labelled=labelled, at_once=200)  # parsing takes its time


@dataclass(frozen=True)
class ListReader(LabelledReader):
    """Lists of candidates: parses with scores, see `nbest`, or SVM-light's lines ``GRADE qid:7 1:0.5 ...``."""

    schema: Schema

    def pieces(self, path: str) -> Iterator[tuple[CandidateLists, Any]]:
        for lists in self._lists(path):
            yield lists, lists.oracles() if self.labelled else None

    def _lists(self, path: str) -> Iterator[CandidateLists]:
        """Whole lists, some at a time: the last one of a table may go on in the next."""
        if is_nbest(path, self.schema.format):
            yield from iter_nbest(path, graded=self.labelled)
            return
        held: Table | None = None
        for table in self.schema.tables(path, live=not self.labelled):
            joined = table if held is None else Table.concatenate([held, table])
            of_others = np.flatnonzero(joined.queries != joined.queries[-1])
            cut = int(of_others[-1]) + 1 if len(of_others) else 0
            if cut:
                yield _candidate_lists(joined.rows(slice(cut)), name_of(path))
            held = joined.rows(slice(cut, None))
        if held is not None:
            yield _candidate_lists(held, name_of(path))

    def everything(self, paths: Sequence[str]) -> CandidateLists:
        """All lists of some files."""
        if any(is_nbest(path, self.schema.format) for path in paths):
            parts = [lists for path in paths for lists in self._lists(path)]
            if not parts:
                raise no_example(paths)
            return CandidateLists.concatenate(parts)
        tables = [table for path in paths for table in self.schema.tables(path)]
        if not tables:
            raise no_example(paths)
        return _candidate_lists(Table.concatenate(tables), ", ".join(map(name_of, paths)))


def _candidate_lists(table: Table, path: str) -> CandidateLists:
    """The lists of a table, whose labels are grades."""
    if (table.queries < 0).any():
        raise FormatError("a candidate has no qid; lines are GRADE qid:7 1:0.5 ...", path=path)
    try:
        grades = np.array(table.words).astype(np.float64)[table.label_of_row]
    except ValueError as error:
        raise FormatError(f"grades must be numbers ({error})", path=path) from None
    kinds = {
        "trees" if isinstance(column, Forest) else "features": column for column in table.columns.values()
    }
    if len(kinds) < len(table.columns):
        raise FormatError(
            f"a candidate has one tree and one vector at most, here are {', '.join(table.columns)}", path=path
        )
    begins = np.flatnonzero(np.diff(table.queries, prepend=-1, append=-1))
    return CandidateLists(np.diff(begins), grades=grades, **kinds)


@dataclass(frozen=True)
class PairReader(LabelledReader):
    """Lines of input and output strings with a tab between; without labels they may have the input alone."""

    tokens: bool = False  # strings are sequences of words instead of letters

    def pieces(self, path: str) -> Iterator[Batch]:
        with reading(path) as file:
            for lines in iter_lines(file, name_of(path)):
                pairs = [self._pair(line, path, number) for number, line in lines]
                yield [pair[0] for pair in pairs], [pair[1] for pair in pairs] if self.labelled else None

    def _pair(self, line: str, path: str, number: int) -> list[Any]:
        pair = line.split("\t")
        if len(pair) != 2 and (self.labelled or len(pair) != 1):
            problem = f"expected an input and an output with a tab between, found {len(pair)} columns"
            raise FormatError(problem, path=name_of(path), line=number)
        return [text.split() for text in pair] if self.tokens else pair


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

    @property
    def token(self) -> Any:
        return self.function
