"""Sentences in columns, with a label for every token."""

from __future__ import annotations

from typing import Any, Self

import typer
from rich.console import Console
from rich.table import Table

from hedgerow.cli.class_report import print_classes
from hedgerow.cli.tasks.task import Task
from hedgerow.io.formats import DataFormat
from hedgerow.io.readers import ColumnReader
from hedgerow.structured import Templates

NAMES = ("word", "tag")  # of the first columns


class SequenceTask(Task):
    data = ("label_column", "comments", "classes", "stream")
    examples = "sentences"

    def __init__(self, reader: ColumnReader) -> None:
        self.reader: ColumnReader = reader

    @classmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        if notes:
            return cls(ColumnReader(notes["label_column"], notes["comments"], notes["width"] - 1))
        templates = model.problem_.get_params(deep=False)["templates"]
        columns = templates.columns if isinstance(templates, Templates) else NAMES[:1]
        return cls(ColumnReader(inputs=len(columns)))

    def told(self, data_format: DataFormat | None, spaces_in_leaves: bool) -> None:
        if data_format is not None:
            raise typer.BadParameter("sentences in columns have no other form", param_hint="--format")

    def notes(self) -> dict[str, Any]:
        reader = self.reader
        assert reader.inputs is not None  # reading has begun
        return {"label_column": reader.label_column, "comments": reader.comments, "width": reader.inputs + 1}

    def text(self, X: Any, y: Any, predicted: Any) -> str:
        """The columns of the file, and one with the predicted labels."""
        sentences = X if y is None else self.reader.with_labels(X, y)
        return "".join(
            "".join(f"{' '.join(token)} {label}\n" for token, label in zip(sentence, row, strict=True)) + "\n"
            for sentence, row in zip(sentences, predicted, strict=True)
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
        table = Table("spans")
        for heading in ("true", "found", "precision", "recall", "F1"):
            table.add_column(heading, justify="right")
        for name, scores in figures["spans"].items():
            counts = (str(scores[count]) for count in ("true", "predicted"))
            table.add_row(name, *counts, *(f"{scores[share]:.4f}" for share in ("precision", "recall", "f1")))
        console.print(table)
