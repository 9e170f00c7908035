"""Sentences in columns, with a label for every token."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, ClassVar, Self

import typer
from rich.console import Console
from rich.table import Table

from hedgerow.cli.class_report import print_classes
from hedgerow.cli.failures import as_sentences
from hedgerow.cli.structured.task import Examples, Task, unknown_label
from hedgerow.cli.train.choice import Choice
from hedgerow.data import FormatError
from hedgerow.data.files import name_of, read_text
from hedgerow.io import Sentence, iter_columns
from hedgerow.io.class_tables import read_losses
from hedgerow.io.formats import DataFormat
from hedgerow.io.tables import no_example
from hedgerow.structured import LabelSequence, Templates
from hedgerow.structured.learner import StructuredLearner

NAMES = ("word", "tag")  # of the first columns


def _lines(path: str) -> list[str]:
    return [line for line in read_text(path).split("\n") if line.strip()]


class SequenceTask(Task):
    name = "sequence"
    problem = LabelSequence
    data = ("label_column", "comments", "classes", "stream")
    files: ClassVar[dict[str, Callable[[str], Any]]] = {"templates": _lines, "loss": read_losses}
    examples = "sentences"

    def __init__(self, label_column: int, comments: str | None, width: int | None) -> None:
        self.label_column = label_column  # from 0, or from -1 backwards
        self.comments = comments
        self.width = width  # the number of columns, that of the labels included
        self.labels: list[str] | None = None  # of a stream

    # -- training -------------------------------------------------------------------------------------------

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        column = choice.data.label_column
        task = cls(column - (column > 0), choice.data.comments, None)
        task.told = choice
        return task

    told: Choice

    def read(self, paths: Sequence[str]) -> Examples:
        X: list[Sentence] = []
        Y: list[list[str]] = []
        for path in paths:
            for sentences in self._sentences(path):
                self._take(sentences, X, Y)
        if not X:
            raise no_example(paths)
        return X, Y

    def stream(self, paths: Sequence[str], classes: Sequence[str] | None) -> Iterator[Examples]:
        if classes is not None:
            self.labels = sorted(set(classes))
        elif self.labels is None and all(map(os.path.isfile, paths)):
            self.labels = sorted({label for _, Y in self.pieces(paths) for row in Y for label in row})
        pieces = self.pieces(paths)
        if self.labels is None:
            first = next(pieces, None)
            if first is None:
                raise no_example(paths)
            self.labels = sorted({label for row in first[1] for label in row})
            pieces = chain([first], pieces)
        return self._with_known_labels(pieces, set(self.labels))

    def _with_known_labels(self, pieces: Iterator[Examples], known: set[str]) -> Iterator[Examples]:
        for X, Y in pieces:
            for row in Y:
                if not known.issuperset(row):
                    (label, *_) = sorted(set(row) - known)
                    raise unknown_label(label, sorted(known))
            yield X, Y

    def pieces(self, paths: Sequence[str]) -> Iterator[Examples]:
        for path in paths:
            for sentences in self._sentences(path):
                X: list[Sentence] = []
                Y: list[list[str]] = []
                self._take(sentences, X, Y)
                yield X, Y

    def _take(self, sentences: list[Sentence], X: list[Sentence], Y: list[list[str]]) -> None:
        for sentence in sentences:
            Y.append([token[self.label_column] for token in sentence])
            X.append([self._without_label(token) for token in sentence])

    def parameters(self) -> dict[str, Any]:
        assert self.width is not None  # reading has begun
        names = [*NAMES, *(f"column{number}" for number in range(3, self.width))][: self.width - 1]
        templates = self.told.of_problem.get("templates") or ("chunking" if len(names) > 1 else "names")
        parameters: dict[str, Any] = {"templates": Templates(templates, columns=names)}
        if self.labels is not None:
            parameters["classes"] = self.labels
        if not self.told.kernel.silent:
            parameters["kernel"] = self.told.kernel.make({"vector": "vector"})
        return parameters

    def notes(self) -> dict[str, Any]:
        return {"label_column": self.label_column, "comments": self.comments, "width": self.width}

    # -- models ---------------------------------------------------------------------------------------------

    @classmethod
    def from_model(cls, model: StructuredLearner, notes: dict[str, Any]) -> Self:
        if notes:
            return cls(**notes)
        templates = model.problem_.get_params(deep=False)["templates"]
        columns = templates.columns if isinstance(templates, Templates) else NAMES[:1]
        return cls(-1, None, len(columns) + 1)

    def expect(self, data_format: DataFormat | None, spaces_in_leaves: bool) -> None:
        if data_format is not None:
            raise typer.BadParameter("sentences in columns have no other form", param_hint="--format")

    def inputs(self, path: str) -> Iterator[list[Sentence]]:
        return (inputs for _, inputs in self._new(path))

    def predicted(self, model: StructuredLearner, path: str) -> Iterator[tuple[str, int]]:
        for sentences, labels in self._labelled(model, path):
            text = "".join(
                "".join(f"{' '.join(token)} {label}\n" for token, label in zip(sentence, row, strict=True))
                + "\n"
                for sentence, row in zip(sentences, labels, strict=True)
            )
            yield text, len(sentences)

    def compared(self, model: StructuredLearner, path: str) -> Iterator[tuple[Any, Any, Any]]:
        for sentences, labels in self._labelled(model, path):
            if len(sentences[0][0]) != self.width:
                raise FormatError(f"there are no labels: expected {self.width} columns", path=name_of(path))
            true = [[token[self.label_column] for token in sentence] for sentence in sentences]
            yield sentences, true, labels

    def show(self, figures: dict[str, Any], console: Console) -> None:
        console.print(
            f"{figures['sentences']} sentences, {100 * figures['sentence_accuracy']:.2f}% without a fault",
            highlight=False,
        )
        if figures["span_f1"] is None:
            print_classes(figures, console, what="tokens")
            return
        console.print(f"{figures['examples']} tokens, accuracy {figures['accuracy']:.4f}", highlight=False)
        table = Table("spans")
        for heading in ("true", "found", "precision", "recall", "F1"):
            table.add_column(heading, justify="right")
        for name, scores in figures["spans"].items():
            counts = (str(scores[count]) for count in ("true", "predicted"))
            table.add_row(name, *counts, *(f"{scores[share]:.4f}" for share in ("precision", "recall", "f1")))
        console.print(table)

    # -- files ----------------------------------------------------------------------------------------------

    def _sentences(self, path: str) -> Iterator[list[Sentence]]:
        """Labelled sentences, in pieces; all files have the columns of the first one."""
        for sentences in iter_columns(path, comments=self.comments):
            width = len(sentences[0][0])
            if self.width is None:
                self._settle(width, path)
            elif width != self.width:
                raise FormatError(
                    f"expected {self.width} columns as in the first file, found {width}", path=name_of(path)
                )
            yield sentences

    def _settle(self, width: int, path: str) -> None:
        if width < 2:
            raise FormatError("expected a word and a label at least, found 1 column", path=name_of(path))
        if not -width <= self.label_column < width:
            shown_column = self.label_column + (self.label_column >= 0)
            raise FormatError(
                f"there is no column {shown_column} (--label-column): there are {width}", path=name_of(path)
            )
        self.label_column %= width
        self.width = width

    def _labelled(
        self, model: StructuredLearner, path: str
    ) -> Iterator[tuple[list[Sentence], list[list[str]]]]:
        """Sentences of new data and the predicted labels."""
        for sentences, inputs in self._new(path):
            with as_sentences():
                labels = model.predict(inputs)
            yield sentences, labels

    def _new(self, path: str) -> Iterator[tuple[list[Sentence], list[Sentence]]]:
        """Sentences of new data, which may have labels, and the same without."""
        assert self.width is not None
        for sentences in iter_columns(path, comments=self.comments):
            width = len(sentences[0][0])
            if width not in (self.width, self.width - 1):
                raise FormatError(
                    f"expected {self.width} columns as in training, or {self.width - 1} without labels, found "
                    f"{width}",
                    path=name_of(path),
                )
            inputs = sentences
            if width == self.width:
                inputs = [[self._without_label(token) for token in sentence] for sentence in sentences]
            yield sentences, inputs

    def _without_label(self, token: tuple[str, ...]) -> tuple[str, ...]:
        return token[: self.label_column] + token[self.label_column :][1:]
