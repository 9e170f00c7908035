"""One label an example: the task of all learners without a problem."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, Self

from rich.console import Console

from hedgerow.cli.class_report import print_classes
from hedgerow.cli.tasks.task import Names, Task, feature_name
from hedgerow.io.examples import Table
from hedgerow.io.formats import DataFormat
from hedgerow.io.readers import TableReader
from hedgerow.io.schema import Schema
from hedgerow.models.schema import drops_unseen, schema_of


class LabelTask(Task):
    data: ClassVar[tuple[str, ...]] = (
        "format",
        "column",
        "classes",
        "features",
        "tokens",
        "hash_bits",
        "ngrams",
        "spaces_in_leaves",
    )

    def __init__(self, reader: TableReader) -> None:
        self.reader: TableReader = reader

    @property
    def schema(self) -> Schema:
        return self.reader.schema

    @classmethod
    def from_model(cls, model: Any, notes: dict[str, Any], path: str) -> Self:
        if not hasattr(model, "decision_function") or not hasattr(model, "classes_"):
            raise ValueError(f"{path} holds a {type(model).__name__}, which does not classify")
        if getattr(model, "kernel", None) == "precomputed":
            raise ValueError(
                f"{path} holds a {type(model).__name__} that knows kernel values only (kernel='precomputed'), so it "
                "cannot look at examples"
            )
        schema = schema_of(model, notes)
        if schema.format == DataFormat.brackets.value:
            # Those who trained on labelled brackets may well predict from other files.
            schema = replace(schema, format=None)
        return cls(TableReader(schema, drops_unseen=drops_unseen(model)))

    def told(self, data_format: DataFormat | None, spaces_in_leaves: bool) -> None:
        schema = self.schema.told(data_format and data_format.value, spaces_in_leaves)
        self.reader = replace(self.reader, schema=schema)

    def notes(self) -> dict[str, Any]:
        return self.schema.notes()

    def described(self, path: str) -> Iterator[tuple[Any, list[str], Names]]:
        for X, table, _ in self.reader.tables(path):
            yield X, table.labels().tolist(), self._names(table)

    def _names(self, table: Table) -> Names:
        hashing = self.schema.hashing
        if hashing is None:
            return lambda _: feature_name(hashed=False)
        (texts,) = table.columns.values()
        return lambda i: partial(_word, hashing.names(texts[i]))

    def text(self, X: Any, y: Any, predicted: Any) -> str:
        return "".join(f"{label}\n" for label in predicted.tolist())

    def scores_text(self, model: Any, X: Any) -> str:
        scores = model.decision_function(X)
        if scores.ndim == 1:
            return "".join(f"{score!r}\n" for score in scores.tolist())
        return "".join("\t".join(map(repr, row)) + "\n" for row in scores.tolist())

    def show(self, figures: dict[str, Any], console: Console) -> None:
        print_classes(figures, console)


def _word(names: dict[int, str], column: int) -> str:
    return names.get(column, f"column {column}")
