"""Sentences in columns, with a label for every token."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

from rich.console import Console

from hedgerow.cli.class_report import print_classes, print_found
from hedgerow.cli.tasks.task import Task, unknown_label
from hedgerow.cli.train.choice import Choice
from hedgerow.cli.train.lessons import Pieces
from hedgerow.data.errors import FormatError
from hedgerow.data.files import read_text
from hedgerow.io.classes import read_losses
from hedgerow.io.readers import Batch, ColumnReader
from hedgerow.structured import Templates


def read_templates(path: str) -> list[str]:
    """The lines of a file."""
    return [line for line in read_text(path).split("\n") if line.strip()]


class SequenceTask(Task):
    data = ("label_column", "comments", "classes", "stream")
    files: ClassVar[dict[str, Callable[[str], Any]]] = {"templates": read_templates, "loss": read_losses}
    examples = "sentences"
    formats = ()
    form = "sentences in columns"

    reader: ColumnReader
    labels: list[str] | None = None  # of a stream

    # -- training -------------------------------------------------------------------------------------------

    @classmethod
    def from_choice(cls, choice: Choice) -> Self:
        column = choice.data.label_column
        return cls(ColumnReader(column - (column > 0), choice.data.comments), choice)

    def pieces(self, paths: Sequence[str]) -> Iterator[Batch]:
        for path in paths:
            for X, y in self.reader.pieces(path):
                if self.reader.inputs is None:
                    self._settle_columns(len(X[0][0]))
                if self._choice is not None and self._choice.data.stream:
                    self._check_labels(y, path)
                yield X, y

    def _settle_columns(self, inputs: int) -> None:
        """All files have the columns of the first one."""
        column = self.reader.label_column % (inputs + 1)
        self.reader = replace(self.reader, label_column=column, inputs=inputs)

    def _stream(self, paths: Sequence[str]) -> Pieces:
        named = self.choice.data.classes
        if named is not None:
            self.labels = sorted(set(named))
        elif all(map(os.path.isfile, paths)):
            batches = (batch for path in paths for batch in self.reader.pieces(path))
            self.labels = sorted({label for _, y in batches for row in y for label in row})
        return super()._stream(paths)

    def _check_labels(self, y: list[list[str]], path: str) -> None:
        """Those of a stream are known beforehand; a pipe begins with them, if they were not named."""
        if self.labels is None:
            self.labels = sorted({label for row in y for label in row})
        for row in y:
            if unknown := set(row).difference(self.labels):
                raise unknown_label(path, min(unknown), self.labels, self.choice.data.classes is None)

    def tried(self) -> dict[str, list[Any]]:
        return {"templates": ["text", "chunking", "names"]} if self.reader.inputs != 1 else {}

    def parameters(self) -> dict[str, Any]:
        width = self.reader.inputs
        assert width is not None  # reading has begun
        named = self.choice.of_problem.get("templates", "auto")
        parameters: dict[str, Any] = {}
        if named is not None:
            parameters["templates"] = Templates.for_columns(width, "text" if named == "auto" else named)
        if self.labels is not None:
            parameters["classes"] = self.labels
        if not self.choice.kernel.silent:
            parameters["kernel"] = self.choice.kernel.make({"vector": "vector"})
        return parameters

    # -- models ---------------------------------------------------------------------------------------------

    @classmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        if notes:
            numbers = [notes.get("label_column"), notes.get("width")]
            if not all(type(number) is int for number in numbers) or "comments" not in notes:
                raise FormatError("the model's notes do not say how to read examples", path=path)
            return cls(ColumnReader(notes["label_column"], notes["comments"], notes["width"] - 1))
        templates = model.problem_.reader_.templates
        return cls(ColumnReader(inputs=1 if templates is None else len(templates.columns)))

    def notes(self) -> dict[str, Any]:
        reader = self.reader
        assert reader.inputs is not None  # reading has begun
        return {"label_column": reader.label_column, "comments": reader.comments, "width": reader.inputs + 1}

    def outputs(self, X: Any, predicted: Any) -> list[Any]:
        return [list(row) for row in predicted]

    def text(self, X: Any, y: Any, predicted: Any) -> str:
        """The columns of the file, and one with the predicted labels."""
        sentences = X if y is None else self.reader.with_labels(X, y)
        return "".join(_block(*pair) for pair in zip(sentences, predicted, strict=True))

    def scores_text(self, model: Any, X: Any) -> str:
        """The same, and one with how much the score would fall with another label."""
        rows = zip(model.predict(X), model.token_margins(X), strict=True)
        said = [[f"{label} {margin:.6g}" for label, margin in zip(*row, strict=True)] for row in rows]
        return self.text(X, None, said)

    def ranked_text(self, X: Any, y: Any, ranked: Any, scores: bool) -> str:
        sentences = X if y is None else self.reader.with_labels(X, y)
        return "".join(
            (f"# {place + 1} {score!r}\n" if scores else "") + _block(sentence, labels)
            for sentence, outputs in zip(sentences, ranked, strict=True)
            for place, (labels, score) in enumerate(outputs)
        )

    def show(self, figures: dict[str, Any], console: Console) -> None:
        console.print(
            f"{figures['sentences']} sentences, {100 * figures['sentence_accuracy']:.2f}% without a fault",
            highlight=False,
        )
        if figures["span_f1"] is None:
            print_classes(figures, console, what="tokens")
            return
        console.print(f"{figures['examples']} tokens, accuracy {figures['accuracy']:.4f}", highlight=False)
        print_found(figures["spans"], console, "spans")


def _block(sentence: Sequence[Sequence[str]], labels: Sequence[str]) -> str:
    """A sentence in columns, and a blank line."""
    return (
        "".join(f"{' '.join(token)} {label}\n" for token, label in zip(sentence, labels, strict=True)) + "\n"
    )
